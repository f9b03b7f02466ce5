"""Which grammar reads a file, and its lazily imported tree-sitter language.

Every grammar comes from a wheel of its own; nothing is downloaded, and importing this module loads
none of them.
"""

import functools
import importlib

from tree_sitter import Language

from codequarry.sources.languages import language_of

_WHEELS = {
    "c": "tree_sitter_c",
    "cpp": "tree_sitter_cpp",
    "csharp": "tree_sitter_c_sharp",
    "css": "tree_sitter_css",
    "go": "tree_sitter_go",
    "html": "tree_sitter_html",
    "java": "tree_sitter_java",
    "javascript": "tree_sitter_javascript",
    "json": "tree_sitter_json",
    "kotlin": "tree_sitter_kotlin",
    "lua": "tree_sitter_lua",
    "markdown": "tree_sitter_markdown",
    "php": "tree_sitter_php",
    "python": "tree_sitter_python",
    "ruby": "tree_sitter_ruby",
    "rust": "tree_sitter_rust",
    "scala": "tree_sitter_scala",
    "shell": "tree_sitter_bash",
    "sql": "tree_sitter_sql",
    "swift": "tree_sitter_swift",
    "toml": "tree_sitter_toml",
    "tsx": "tree_sitter_typescript",
    "typescript": "tree_sitter_typescript",
    "yaml": "tree_sitter_yaml",
}
_ENTRY_POINTS = {"php": "language_php", "tsx": "language_tsx", "typescript": "language_typescript"}
_BY_EXTENSION = {"tsx": "tsx", "h": "cpp"}
"""C++ reads nearly all of C, so headers of either language keep their classes."""

GRAMMARS = frozenset(_WHEELS)
"""Every grammar id: the language ids of contract.md D5 that have one, and ``tsx``."""


def grammar_of(path: str) -> str | None:
    """Give the grammar that reads ``path``, or ``None`` when no grammar does.

    Args:
        path: Project-relative, with ``/``.
    """
    grammar = _BY_EXTENSION.get(path.rpartition(".")[2].lower()) or language_of(path)
    return grammar if grammar in _WHEELS else None


@functools.cache
def load_language(grammar: str) -> Language:
    """Give a grammar's language; the first call imports its wheel.

    Raises:
        KeyError: ``grammar`` is not in `GRAMMARS`.
        ImportError: The wheel is not installed.
    """
    wheel = importlib.import_module(_WHEELS[grammar])
    return Language(getattr(wheel, _ENTRY_POINTS.get(grammar, "language"))())
