"""The tree-sitter queries that ship with the package, compiled once a process."""

import functools
from importlib import resources

from tree_sitter import Query

from codequarry.syntax.grammars import load_language

_SHARED = {
    "cpp": ("c", "cpp"),
    "javascript": ("ecmascript", "javascript"),
    "typescript": ("ecmascript", "typescript"),
    "tsx": ("ecmascript", "typescript"),
}
"""Grammars whose query is made of more files than the one of their name."""


@functools.cache
def symbol_query(grammar: str) -> Query:
    """Give the query that finds a grammar's definitions.

    Its captures: ``@name``; the definition as ``@<kind>``, ``@<kind>.top`` (counts only outside
    functions) or ``@<kind>.leaf`` (qualifies no name within); ``@scope`` and ``@scope.class`` for
    a container that is no symbol; ``@package`` for the file's namespace; and where needed
    ``@owner``, ``@body``, ``@keyword``, ``@signature`` and ``@level``.
    """
    folder = resources.files(__package__).joinpath("queries")
    parts = _SHARED.get(grammar, (grammar,))
    texts = [folder.joinpath(f"{part}.scm").read_text(encoding="utf-8") for part in parts]
    return Query(load_language(grammar), "\n".join(texts))
