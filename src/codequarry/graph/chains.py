"""Through the fronts of packages to where a name is defined."""

from collections.abc import Iterator
from typing import Final

from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound, bind
from codequarry.syntax.grammars import grammar_of

_STEPS: Final = 8
"""Fronts that are looked through in a row, at most; so no circle is endless."""


def behind(layout: Layout, path: str, name: str) -> Iterator[Bound]:
    """Give what a name of a file means behind it, one front after the other.

    Args:
        layout: The project's files.
        path: The file.
        name: The name that is imported from it.

    Yields:
        Each a file and the name there; the last one that has files is no front, or passes no such
        name on.
    """
    for _ in range(_STEPS):
        passed = layout.passed_on(path).get(name)
        if passed is None:
            return
        if not passed.module:
            yield Bound((path,), passed.imported)
            return
        what = Import(passed.module, passed.imported, name, 0)
        bound = bind(layout, path, grammar_of(path) or "", what)
        if not bound.files:
            return
        yield bound
        path, name = bound.files[0], bound.imported
