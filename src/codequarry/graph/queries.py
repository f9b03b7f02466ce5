"""The tag queries that come with the grammars, joined with ours for what they leave out."""

import functools
import importlib
from importlib import resources

from tree_sitter import Query

from codequarry.syntax.grammars import load_language

_TAGS = {
    "c": ("tree_sitter_c",),
    "cpp": ("tree_sitter_cpp",),
    # The C# wheel lays its queries in a directory that is no module name.
    "csharp": ("tree_sitter_c-sharp",),
    "go": ("tree_sitter_go",),
    "java": ("tree_sitter_java",),
    "javascript": ("tree_sitter_javascript",),
    "kotlin": (),
    "lua": ("tree_sitter_lua",),
    "php": ("tree_sitter_php",),
    "python": ("tree_sitter_python",),
    "ruby": ("tree_sitter_ruby",),
    "rust": ("tree_sitter_rust",),
    "scala": ("tree_sitter_scala",),
    "shell": (),
    "swift": ("tree_sitter_swift",),
    "tsx": ("tree_sitter_javascript", "tree_sitter_typescript"),
    "typescript": ("tree_sitter_javascript", "tree_sitter_typescript"),
}
_OWN = {
    "cpp": ("c", "cpp"),
    "javascript": ("ecmascript", "javascript", "jsx"),
    "tsx": ("ecmascript", "typescript", "jsx"),
    "typescript": ("ecmascript", "typescript"),
}

REFERENCE_GRAMMARS = frozenset(_TAGS)
"""The grammars whose files hold references."""


@functools.cache
def reference_query(grammar: str) -> Query:
    """Give the query that finds a grammar's references, definitions, imports and local names.

    The grammar's tags capture ``@name`` with ``@reference.<kind>`` or ``@definition.<kind>``. Ours
    add ``@subject`` (who inherits, when that is not the enclosing type), ``@local`` and imports:
    ``@module`` with ``@imported``, ``@alias``, ``@default``, ``@star``, ``@unnamed`` or
    ``@relative``; ``@child`` for a Rust module; ``@statement`` for an import read as text.

    Raises:
        KeyError: ``grammar`` is not in `REFERENCE_GRAMMARS`.
    """
    own = resources.files(__package__).joinpath("queries")
    texts = [_tags(wheel) for wheel in _TAGS[grammar]]
    for part in _OWN.get(grammar, (grammar,)):
        texts.append(own.joinpath(f"{part}.scm").read_text(encoding="utf-8"))
    return Query(load_language(grammar), "\n".join(texts))


def _tags(wheel: str) -> str:
    folder = resources.files(importlib.import_module(wheel))
    return folder.joinpath("queries").joinpath("tags.scm").read_text(encoding="utf-8")
