"""What is sent to an engine: a mapping's placeholders, filled."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from codequarry.core.errors import UsageError
from codequarry.engines.mapping import Operation
from codequarry.engines.rows import last_part
from codequarry.engines.types import CodeRef

_WHOLE = re.compile(r"\{(\w+)\}")
_OMITTED = object()

Values = Mapping[str, Any]
"""Placeholder to value; one that is absent or ``None`` leaves its argument out."""


def fill(arguments: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """Fill a tool's arguments; a placeholder that stands alone keeps its value's type."""
    filled = {name: _filled(value, values) for name, value in arguments.items()}
    return {name: value for name, value in filled.items() if value is not _OMITTED}


def fill_argv(argv: Sequence[str | Sequence[str]], values: Values) -> list[str]:
    """Fill a command's arguments.

    Raises:
        UsageError: A value would be read as an option: it begins with ``-`` and stands neither
            behind ``--`` nor as an option's value.
    """
    out: list[str] = []
    for item in argv:
        if not isinstance(item, str):
            group = [_filled(part, values) for part in item]
            if not any(part is _OMITTED for part in group):
                out.extend(_text(part) for part in group)
            continue
        value = _filled(item, values)
        if value is _OMITTED:
            continue
        text = _text(value)
        if text.startswith("-") and "{" in item and "--" not in out and not _takes_value(out):
            raise UsageError(f"the engine cannot be asked for {text[:40]!r}", "ask by another name")
        out.append(text)
    return out


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _takes_value(out: list[str]) -> bool:
    return bool(out) and out[-1].startswith("--")


def _filled(template: Any, values: Values) -> Any:
    if isinstance(template, dict):
        return fill(template, values)
    if isinstance(template, list):
        parts = [_filled(part, values) for part in template]
        return [part for part in parts if part is not _OMITTED]
    if not isinstance(template, str):
        return template
    if whole := _WHOLE.fullmatch(template):
        value = values.get(whole[1])
        return _OMITTED if value is None else value
    names = _WHOLE.findall(template)
    if any(values.get(name) is None for name in names):
        return _OMITTED
    return _WHOLE.sub(lambda found: str(values[found[1]]), template)


def node_values(node: CodeRef, engine: str) -> dict[str, Any]:
    """Give the placeholders that a node fills; what is not known is left out (rule 7)."""
    place = {"file": node.path, "start_line": node.start_line, "fqn": node.fqn, "kind": node.kind}
    known = {name: value for name, value in place.items() if value}
    tied = bool(node.path and (node.start_line or node.fqn))
    symbol = last_part(node.name)
    return {
        "symbol": symbol,
        "symbol_only": None if tied else symbol,
        "file": node.path or None,
        "line": node.start_line,
        "kind": node.kind or None,
        # An id is only its own engine's.
        "native_id": node.native_id if node.engine == engine and node.native_id else None,
        "selector": known if tied else None,
    }


def needs_id(operation: Operation) -> bool:
    """Tell whether an engine can be asked by its own id only."""
    asked = str(operation.arguments) + str(operation.argv)
    return "{native_id}" in asked and "{symbol}" not in asked
