"""What the edges of a file may hang on in other files, told from its mentions alone.

`codequarry.graph.resolve` looks a name up in other files only when it is one of `asked_names`, and
`codequarry.graph.modules.bind` looks for files only at paths that `import_words` or the importer's
own path tell. So a change elsewhere that touches none of these leaves the file's edges as they are.
Each name and word is kept as 32 bits of a checksum: two that collide cost a needless look, no edge.
"""

import re
import zlib
from collections.abc import Iterable

from codequarry.graph.conventions import Convention, convention_of
from codequarry.graph.imports import Import
from codequarry.graph.references import UNKNOWN_RECEIVER, Mentions, Reference

NAMELESS = "?"
"""A word of each import that may mean a folder without its name."""

_BETWEEN_WORDS = re.compile(r"[/\\.:<>\"]+")


def asked(mentions: Mentions, grammar: str) -> bytes:
    """Give the keys of all that a file's edges may hang on.

    Returns:
        Little-endian uint32, ascending; after them the checksum of the others.
    """
    names = {name_key(name) for name in asked_names(mentions, grammar)}
    words = {word_key(word) for what in mentions.imports for word in import_words(what)}
    keys = b"".join(key.to_bytes(4, "little") for key in sorted(names | words))
    return keys + zlib.crc32(keys).to_bytes(4, "little")


def name_key(name: str) -> int:
    """Give the key of a symbol's bare name."""
    return zlib.crc32(name.encode())


def word_key(word: str) -> int:
    """Give the key of a word in an import or in a path."""
    return zlib.crc32(b"/" + word.encode())


def asked_names(mentions: Mentions, grammar: str) -> set[str]:
    """Give the names that may be looked up in other files than their own."""
    convention = convention_of(grammar)
    bound = {what.local for what in mentions.imports if what.local}
    bound |= {local.partition(".")[0] for local in bound}
    is_open = (
        not convention.must_import
        or convention.sees_folder
        or any(what.imported == "*" for what in mentions.imports)
    )
    names = {what.imported for what in mentions.imports if what.local} - {"", "*"}
    for reference in mentions.references:
        if reference.name not in names and _is_asked(reference, convention, bound, is_open):
            names.add(reference.name)
    return names


def _is_asked(reference: Reference, convention: Convention, bound: set[str], is_open: bool) -> bool:
    name, receiver = reference.name, reference.receiver
    if not receiver or (convention.family == "rust" and receiver in ("crate", "super")):
        return is_open or name in bound
    if reference.kind == "calls" and name not in convention.builtins and not name.startswith("__"):
        return True  # the one method of its name, whatever the receiver
    if receiver == UNKNOWN_RECEIVER or receiver in convention.self_words:
        return False
    return is_open or any(prefix in bound for prefix in _prefixes(receiver))


def _prefixes(receiver: str) -> Iterable[str]:
    parts = receiver.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts) + 1))


def import_words(what: Import) -> set[str]:
    """Give the words of which one is in the path of each file that an import may mean.

    All but those that the importer's own path tells: ``from . import x`` may mean ``a.py`` for any
    file below ``a/``.
    """
    words = {*words_of(what.module), *words_of(what.imported)} - {"*"}
    if not what.module or what.module.endswith("/"):
        words.update(["", NAMELESS, "src", "lib"])
    elif what.module.startswith(("@/", "~/")):
        words.add("src")
    return words


def words_of(text: str) -> list[str]:
    """Split a module, or a part of a path, into words."""
    return [word for word in _BETWEEN_WORDS.split(text) if word]
