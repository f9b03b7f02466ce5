"""What a type inherits, as its head, an ``impl``, an extension or an ``include`` says it."""

import builtins
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.statements import family_of
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

INHERITS: Final = ("extends", "implements")
"""Kinds of edges from a type to what it inherits from."""

_HEAD = re.compile(r"\s*class\s+\w+\s*(?P<generic>\[[^\]]*\])?\s*\((?P<bases>.*)\)", re.DOTALL)
_HERITAGE = re.compile(r"(?:\b(?:extends|implements|with)\b|<|(?<!:):(?!:))(.*)", re.DOTALL)
_ENCLOSED = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_BETWEEN = re.compile(r"[,{]|\b(?:extends|implements|with|where)\b")
_LAST = re.compile(r"(\w+)\W*\Z")
_FOR = re.compile(r"\bfor\b")
_ERRORS = "|".join(
    name
    for name, kind in sorted(vars(builtins).items())
    if isinstance(kind, type) and issubclass(kind, BaseException)
)
_QUIET = (
    r"object|ABC|Generic|Protocol|(?:Str|Int)?Enum|Flag|NamedTuple|TypedDict|Object|Throwable"
    r"|Serializable|Error|StandardError|RuntimeException|Comparable|Cloneable|Enumerable|Singleton"
    r"|Kernel|Forwardable|I(?:Async)?Disposable|I(?:Cloneable|Equatable|Comparable)|AutoCloseable"
    r"|Closeable|dict|list|set|frozenset|tuple|str|int|float|bytes|type|deque|OrderedDict"
    rf"|defaultdict|{_ERRORS}"
)
HARMLESS: Final = re.compile(_QUIET)
"""Bases from outside that call no method but those that are implicit anyway."""
HEIRLESS: Final = re.compile(
    rf"{_QUIET}|\w*(?:Error|Exception|Warning)|Thread|Process|(?:Mutable)?(?:Mapping|Sequence|Set)"
    r"|Iterable|Iterator|Collection|Container|Callable|Runnable|User(?:Dict|List)|JSONEncoder"
    r"|JSONDecoder|HTMLParser|NodeVisitor|NodeTransformer|IEnumer(?:able|ator)|IComparer|EventArgs"
    r"|Attribute|Struct|BaseModel|RootModel|BaseSettings|ConfigurableResource"
)
"""Bases from outside that do not look for their heirs."""

_LINES = re.MULTILINE
_ABOVE: Final = {
    "rust": re.compile(r"^[ \t]{0,99}(?:unsafe\s{1,9})?impl\b(?P<head>[^{;]{0,999}+)\{", _LINES),
    "swift": re.compile(r"^[^\n{}/]{0,99}\b(?P<head>extension\b[^{}]{0,999}+)\{", _LINES),
}
"""Language family to what opens a block of methods of a type that is defined somewhere else."""
_WITHIN: Final = {
    "ruby": re.compile(
        r"^[ \t]{0,99}(?:include|extend|prepend)[ \t(]{1,9}(?P<head>[\w:, \t]{1,999})", _LINES
    ),
    "php": re.compile(r"^[ \t]{1,99}use[ \t]{1,9}(?P<head>[\w\\, \t]{1,999})[;{]", _LINES),
}
"""Language family to what brings in the methods of another in the body of a type."""

_OVERRIDE = re.compile(r"(?:@[\w.]{1,99}\s{1,9}){0,9}@Override\b")


class Said(NamedTuple):
    """What the text of a file says about inheritance outside of the heads of types.

    Args:
        places: Lines that say something, ascending.
        strangers: For each, whether it names a base that is not in the project.
        lines: The lines of the file.
        is_above: Whether it holds for the methods below it, up to the next; otherwise for the type
            around it.
    """

    places: Sequence[int]
    strangers: Sequence[bool]
    lines: Mapping[int, str]
    is_above: bool

    def is_strange(self, method: Symbol, holders: Iterable[Symbol]) -> bool:
        """Tell whether a method is one of a base from outside, or of a type that has one.

        Args:
            method: A method in the file.
            holders: The types that it lies in.
        """
        spans = [(holder.start_line, holder.end_line) for holder in holders]
        if self.is_above and not spans:
            at = bisect(self.places, method.start_line)
            return at > 0 and self.strangers[at - 1]
        return not self.is_above and any(
            any(self.strangers[bisect(self.places, first - 1) : bisect(self.places, last)])
            for first, last in spans
        )

    def overrides(self, method: Symbol) -> bool:
        """Tell whether a line of the method's annotations says that it overrides another."""
        number = method.start_line
        while (text := self.lines.get(number, "").lstrip()) and (
            number == method.start_line or text.startswith("@")
        ):
            if _OVERRIDE.match(text):
                return True
            number -= 1
        return False


def bases_of(signature: str) -> Sequence[str]:
    """Give the bare names of all that the head of a type says that it inherits from."""
    head = _HEAD.fullmatch(signature.rstrip(" :"))
    rest = _bare(head["bases"]) if head else ")"
    if ")" in rest:  # no class of Python: what a constructor takes, and then the bases
        heritage = _HERITAGE.search(_bare(signature))
        rest = heritage[1] if heritage else ""
    return _names(part for part in _BETWEEN.split(rest) if "=" not in part)


def said_in(view: GraphView, project: str, paths: Iterable[str]) -> Mapping[str, Said]:
    """Read what files say about inheritance outside of the heads of types.

    Args:
        view: The graph.
        project: The project.
        paths: The files; those of a language that has no such text are not among the result.
    """
    texts = {*_ABOVE, *_WITHIN}
    read = {path for path in paths if path.endswith(".java") or family_of(path) in texts}
    if not read:
        return {}
    within = among("path", sorted(read))
    edges = view.edge_rows(f"{of_project(project)} AND {within} AND {among('kind', INHERITS)}")
    targets = view.by_ids(set(edges["target_id"].to_pylist()))
    known: dict[str, set[str]] = defaultdict(set)
    for path, target in zip(edges["path"].to_pylist(), edges["target_id"].to_pylist(), strict=True):
        known[path].update(targets[target].symbol for target in {target} & targets.keys())
    lines: dict[str, dict[int, str]] = {path: {} for path in read}
    for path, first, content in view.chunk_texts(project, within):
        lines[path].update(enumerate(content.rstrip("\n").split("\n"), first))
    return {path: _said(path, lines[path], known[path]) for path in read}


def _said(path: str, lines: Mapping[int, str], known: set[str]) -> Said:
    numbers = sorted(lines)
    text = "\n".join(lines[number] for number in numbers)
    family = family_of(path)
    pattern = _ABOVE.get(family) or _WITHIN.get(family)
    places, strangers = [], []
    line, counted = 0, 0
    for found in pattern.finditer(text) if pattern else ():
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        places.append(numbers[line])
        strangers.append(not known.issuperset(_bases(family, found["head"])))
    return Said(places, strangers, lines, family in _ABOVE)


def _bases(family: str, head: str) -> Sequence[str]:
    if family == "rust":
        parts = _FOR.split(_bare(head), maxsplit=1)
        return _names(parts[:1] if len(parts) > 1 else ())
    names = bases_of(head) if family == "swift" else _names(head.split(","))
    return [name for name in names if not HARMLESS.fullmatch(name)]


def _names(parts: Iterable[str]) -> Sequence[str]:
    names = (found[1] for part in parts if (found := _LAST.search(part)))
    return list(dict.fromkeys(names))


def _bare(text: str) -> str:
    """Take away what is enclosed in brackets."""
    while (shorter := _ENCLOSED.sub("", text)) != text:
        text = shorter
    return text
