"""Lines that may put a name together: ``getattr(self, "visit_" + kind)``, ``name##_init``."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from codequarry.retrieval.structure.named import PARTS, Named, lines_naming, places_within
from codequarry.retrieval.structure.statements import family_of, is_comment
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_LEAST: Final = 3
"""Letters of a part that is looked for, its underscore among them."""

_QUOTES: Final = "'\"`"
_GOES_ON: Final = frozenset("$%#{\\") | {*_QUOTES}
"""What stands behind a part where something is put in: ``visit_${``, ``visit_#{``, ``visit_{``."""
_WENT_ON: Final = frozenset("})") | {*_QUOTES}
"""What stands before one there: ``${kind}_name``, ``\\(kind)_name``."""


def parts_of(name: str) -> set[str]:
    """Give the beginnings and the ends of a name that are cut at an underscore and keep it."""
    inner = [at for at, letter in enumerate(name) if letter == "_" and 0 < at < len(name) - 1]
    parts = {name[: at + 1] for at in inner} | {name[at:] for at in inner}
    return {part for part in parts if len(part.strip("_")) + 1 >= _LEAST}


def lines_composing(
    view: GraphView, symbols: Sequence[Symbol], languages: Collection[str]
) -> tuple[list[Named], bool]:
    """Find lines that hold a part of a symbol's name as a word, and so may make the whole of it.

    Args:
        view: The graph.
        symbols: Symbols of one project.
        languages: Languages of the files to look at.

    Returns:
        The lines, each with the name that it may make; and whether all were read.
    """
    whole: dict[str, str] = {}
    for symbol in symbols:
        whole.update(dict.fromkeys(sorted(parts_of(symbol.symbol)), symbol.symbol))
    found = lines_naming(view, symbols[0].project, set(whole), languages, PARTS)
    return [line._replace(name=whole[line.name]) for line in _told(found.lines)], found.is_all


def _told(lines: Iterable[Named]) -> Iterable[Named]:
    for line in lines:
        places = places_within(line, PARTS)
        if any(joins(line, *place) and not is_comment(line, place[1]) for place in places):
            yield line


def joins(line: Named, start: int, end: int) -> bool:
    """Tell whether a part lies in a string, or stands right beside what it may be joined to."""
    before, after = line.text[:start], line.text[end:]
    if before.rstrip().endswith("##") or after.lstrip().startswith("##"):
        return True
    if any(before.count(quote) % 2 for quote in _QUOTES):
        return True
    family = family_of(line.path)
    if family == "shell":  # every word is a string there, unless it is a variable that is set
        return not after.startswith("=")
    if family == "rust" and before.rfind("[<") > before.rfind(">]"):  # paste!
        return True
    goes_on = after[:1] in _GOES_ON and not (family == "c" and after[:1] == "{")  # a member is set
    went_on = before[-1:] in _WENT_ON or before[-1:].isalnum()  # as of "$1_name", "%s_name"
    return (line.name.endswith("_") and goes_on) or (line.name.startswith("_") and went_on)
