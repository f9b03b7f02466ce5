"""Lines that may put a name together: ``getattr(self, "visit_" + kind)``, ``name##_init``."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from codequarry.retrieval.structure.named import Named, lines_naming
from codequarry.retrieval.structure.statements import is_comment, occurrences
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_LEAST: Final = 3
"""Letters of a part that is looked for, its underscore among them."""


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
    found = lines_naming(view, symbols[0].project, set(whole), languages)
    return [line._replace(name=whole[line.name]) for line in _told(found.lines)], found.is_all


def _told(lines: Iterable[Named]) -> Iterable[Named]:
    for line in lines:
        places = list(occurrences(line))
        if any(_joins(line.text, *place) and not is_comment(line, place[1]) for place in places):
            yield line


def _joins(text: str, start: int, end: int) -> bool:
    """Tell whether a word lies in a string, or is pasted to another."""
    if text[:start].rstrip().endswith("##") or text[end:].lstrip().startswith("##"):
        return True
    return any(text.count(quote, 0, start) % 2 for quote in "'\"`")
