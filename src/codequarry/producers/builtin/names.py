"""Bare and qualified names, as each language writes them."""

import re

from codequarry.core.text import cut, repair
from codequarry.producers.builtin.conventions import Convention

NAME_BYTES = 256
"""Longest name kept: selectors of minified style sheets have no bound of their own."""

_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")
_TAG = re.compile(r"<[^>]*>")
_OWNER = re.compile(r"[\w$#.]+\Z")
_EXPORTS = re.compile(r"^(?:module\.)?exports\b\.?|^this\b\.?")
_CLOSING_HASHES = re.compile(r"\s#+\Z")
_QUOTES = "\"'`"


def module_of(path: str) -> str:
    """Give the module name of a Python file: its stem, or its folder's name for ``__init__``."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder.rpartition("/")[2] if stem == "__init__" and folder else stem


def plain(raw: bytes) -> str:
    """Give a name in one line, without quotes or mark-up, of bounded length."""
    text = " ".join(repair(raw).split())
    if text[:1] == "<":
        text = " ".join(_TAG.sub(" ", text).split())
    text = _CLOSING_HASHES.sub("", text)
    if len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]:
        text = text[1:-1]
    return cut(text, NAME_BYTES)


def split_name(text: str, convention: Convention) -> tuple[str, str]:
    """Split a name that is written qualified into its owner and its bare name.

    Returns:
        The owner, its parts joined with dots and without type arguments (empty when the name is
        bare), and the bare name.
    """
    if convention.splits_names is None:
        return "", text
    # An operator's name may hold the very characters that separate or parametrise.
    limit = text.find("operator")
    found = [
        match
        for match in convention.splits_names.finditer(_masked(text))
        if limit < 0 or match.end() <= limit
    ]
    if not found:
        return "", text.strip(_QUOTES)
    owner = without_generics(text[: found[-1].start()])
    parts = [part.strip(_QUOTES) for part in convention.splits_names.split(owner)]
    return ".".join(part for part in parts if part), text[found[-1].end() :].strip(_QUOTES)


def owner_of(raw: bytes) -> str:
    """Give what a receiver or an assigned member belongs to; empty when it has no name.

    A Go receiver loses its pointer and type parameters, a JavaScript prototype its
    ``.prototype``; ``exports`` and ``this`` name no owner.
    """
    text = without_generics(repair(raw)).strip(" *&()")
    text = _EXPORTS.sub("", text).removesuffix(".prototype")
    return cut(text, NAME_BYTES) if _OWNER.match(text) else ""


def without_generics(text: str) -> str:
    """Drop type arguments, nested ones included."""
    for _ in range(8):
        shorter = _GENERICS.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text


def _masked(text: str) -> str:
    """Blank out type arguments, keeping every position."""
    for _ in range(8):
        masked = _GENERICS.sub(lambda match: " " * len(match[0]), text)
        if masked == text:
            break
        text = masked
    return text
