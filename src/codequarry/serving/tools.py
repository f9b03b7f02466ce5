"""What a tool is: its arguments, its answer, what it does, and how it is declared to a client."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from codequarry.core.errors import UsageError
from codequarry.core.text import harmless
from codequarry.serving.deployment import Deployment

_Given = TypeVar("_Given", bound=msgspec.Struct)
_Answer = TypeVar("_Answer", bound=msgspec.Struct)


@dataclass(frozen=True)
class Tool(Generic[_Given, _Answer]):
    """One tool.

    Args:
        name: Its name.
        description: What it is for, in one or two sentences.
        arguments: The type of its arguments.
        answer: The type of its structured answer.
        run: Answers; raises a `CodequarryError` for what a person can mend.
        summary: Says an answer in a few lines; what an index or an agent wrote stays within one.
        writes: Whether it changes anything.
    """

    name: str
    description: str
    arguments: type[_Given]
    answer: type[_Answer]
    run: Callable[[Deployment, _Given], _Answer]
    summary: Callable[[_Answer], Iterable[str]]
    writes: bool = False

    def call(self, deployment: Deployment, given: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        """Answer one call.

        Returns:
            The structured answer and its summary.

        Raises:
            CodequarryError: The arguments are wrong, or the answer cannot be given.
        """
        try:
            arguments = msgspec.convert(dict(given), self.arguments)
        except msgspec.ValidationError as error:
            raise UsageError(
                f"{self.name}: {error}", "see the tool's input schema for what it takes"
            ) from error
        answer = self.run(deployment, arguments)
        return msgspec.to_builtins(answer), "\n".join(map(harmless, self.summary(answer)))

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return schema_of(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        """JSON schema of the structured answer."""
        return schema_of(self.answer, without=("required",))


def schema_of(document: type[msgspec.Struct], without: Collection[str] = ()) -> dict[str, Any]:
    """Give a document's JSON schema as an object, as MCP wants it, without what says nothing.

    Every byte of it is read by every agent.
    """
    schema = msgspec.json.schema(document)
    dropped = {"title", "maxLength", *without}
    parts: dict[str, Any] = {name: _bare(part, dropped) for name, part in schema["$defs"].items()}
    top: dict[str, Any] = parts.pop(document.__name__)
    return top | {"$defs": parts} if parts else top


def _bare(part: Any, dropped: Collection[str]) -> Any:
    if isinstance(part, list):
        return [_bare(one, dropped) for one in part]
    if not isinstance(part, dict):
        return part
    is_type = part.get("type") == "object" and "properties" in part
    kept = {
        name: {key: _bare(one, dropped) for key, one in value.items()}
        if name == "properties"
        else _bare(value, dropped)
        for name, value in part.items()
        if name not in dropped and not (is_type and name == "description")
    }
    if kept.get("default") in ("", [], 0, False):
        del kept["default"]
    return kept
