"""Mentions of a symbol outside of its language: in settings, templates, files of no known kind."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.statements import family_of, occurrences
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.sources.languages import LANGUAGES, UNKNOWN, language_of

HOSTS: Final = frozenset({"html", "shell"})
"""Languages of files that may hold code of any other: a handler, ``python -c '…'``."""

_QUALIFIED = re.compile(r"\w[.:]+\Z")
_SETTINGS = {
    **dict.fromkeys(("json", "toml", "yaml"), _QUALIFIED),
    **dict.fromkeys(("hcl", "terraform"), re.compile(r"\"[^\"\s]*\Z")),
    "sql": re.compile(r"'[^'\s]*\Z"),
}
"""Language of settings to what stands before a symbol there: ``package.module:``, or a quote."""
_SETTINGS_ENDINGS = (
    ".cfg",
    ".conf",
    ".env",
    ".geojson",
    ".ini",
    ".jsonl",
    ".ndjson",
    ".properties",
)
"""Ends of the names of settings, and of data in their form, that have no language."""
_COMMENT = re.compile(r"\s*(?:#|--\s)")
_NEAR = 200

_DOCUMENT = re.compile(
    r"/(?:authors|change(?:s|log)|codeowners|contribut(?:ors|ing)|copying|history"
    r"|licen[cs]e|maintainers|news|notice|readme|security|todo|version)(?:-\w+)?\Z"
    r"|\.(?:adoc|asciidoc|csv|diff|\w*ignore|lock|log|mod|org|patch|pot?|rst|snap|sum|svg|tex|text"
    r"|tsv|(?<!/cmakelists\.)txt|(?:css|[cm]?js)\.map|editorconfig|gitattributes)\Z"
)
"""Paths, in lower case, of files of no known language that hold prose or data, and use nothing."""
_TEMPLATED = re.compile(r"\{\{|\{%|<%|\$\{")

_BESIDE = frozenset({UNKNOWN, *HOSTS, *_SETTINGS})
_FOREIGN = LANGUAGES - _BESIDE - {"css", "markdown"}
_STATIC = re.compile(r"\bstatic\b")
_DECLARES = re.compile(r"\bextern(?:al)?\b|\bfn\s[^{]{0,200};\s{0,9}\Z")
"""What declares a function of C in another language: ``extern``, or a ``fn`` without a body."""


def exported(symbols: Iterable[Symbol]) -> frozenset[str]:
    """Give the names that any language may call: of functions of C that a linker sees."""
    return frozenset(
        symbol.symbol
        for symbol in symbols
        if symbol.kind == "function"
        and family_of(symbol.path) == "c"
        and not _STATIC.search(symbol.signature)
    )


def languages_beside(symbols: Iterable[Symbol]) -> frozenset[str]:
    """Give the languages whose files may use some symbols, besides those of their families."""
    return _BESIDE | _FOREIGN if exported(symbols) else _BESIDE


def parted(
    found: Iterable[Named], languages: Collection[str], symbols: Sequence[Symbol]
) -> tuple[list[Named], list[Named]]:
    """Part the lines that name some symbols.

    Args:
        found: The lines, of files of any language.
        languages: Languages of the symbols' families.
        symbols: The symbols.

    Returns:
        Those that the graph may explain, and those beside it that may use a symbol; neither holds
        those that use none.
    """
    own, beside = [], []
    names = exported(symbols)
    for line in found:
        language = language_of(line.path)
        if language in languages:
            own.append(line)
        elif language in _BESIDE:
            if _may_use(line, language):
                beside.append(line)
        elif language in _FOREIGN and line.name in names:
            # What declares a function of C has a symbol, which its calls lead to and end at.
            (beside if _DECLARES.search(line.text) else own).append(line)
    return own, beside


def _may_use(line: Named, language: str) -> bool:
    """Tell whether a line of settings, of a host or of no known language may use a symbol.

    Settings name it behind its module, or in quotes; a document uses nothing unless it is a
    template; anything else may.
    """
    before = _SETTINGS.get(language)
    if language == UNKNOWN:
        if line.path.endswith(_SETTINGS_ENDINGS):
            before = _QUALIFIED
        elif _DOCUMENT.search(f"/{line.path}".lower()):
            return _TEMPLATED.search(line.text) is not None
    if before is None:
        return True
    places = [start for start, _ in occurrences(line)]
    is_named = any(before.search(line.text, max(at - _NEAR, 0), at) for at in places)
    return is_named and not _COMMENT.match(line.text)
