"""What the edges of a file may hang on in other files, told from its mentions alone.

`codequarry.graph.resolve` looks into other files only as one of the `Ask` says, and
`codequarry.graph.modules.bind` looks for files only at paths that `import_words` or the importer's
own path tell. So a change elsewhere that touches none of these leaves the file's edges as they are.
Each ask and each word is kept as 32 bits of a checksum: two that collide cost a needless look, no
edge.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from codequarry.graph.conventions import Convention, convention_of
from codequarry.graph.imports import Import
from codequarry.graph.references import UNKNOWN_RECEIVER, Mentions, Reference

ANY: Final = "any"
BOUND: Final = "bound"
METHOD: Final = "method"
OWNED: Final = "owned"

NAMELESS: Final = "?"
"""A word of each import that may mean a folder without its name."""

_BETWEEN_WORDS = re.compile(r"[/\\.:<>\"]+")


class Ask(NamedTuple):
    """One way in which a name is looked up in other files.

    Args:
        how: ``any``: all nodes of the name count. ``bound``: those in the files that an import
            means, and those outside of types anywhere. ``method``: those in types, and it matters
            only whether there is exactly one. ``owned``: those with one owner.
        name: The name.
        owner: The owner, of ``owned`` alone.
    """

    how: str
    name: str
    owner: str = ""

    @property
    def key(self) -> int:
        """Its checksum."""
        return zlib.crc32("\0".join(self).encode())


def word_key(word: str) -> int:
    """Give the checksum of a word in an import or in a path."""
    return zlib.crc32(b"/" + word.encode())


def asked(mentions: Mentions, grammar: str) -> bytes:
    """Give the checksums of all that a file's edges may hang on.

    Returns:
        Little-endian uint32, ascending; after them the checksum of the others.
    """
    names = {ask.key for ask in asks(mentions, grammar)}
    words = {word_key(word) for what in mentions.imports for word in import_words(what)}
    keys = b"".join(key.to_bytes(4, "little") for key in sorted(names | words))
    return keys + zlib.crc32(keys).to_bytes(4, "little")


def asks(mentions: Mentions, grammar: str) -> set[Ask]:
    """Give all ways in which a file looks up names in other files."""
    convention = convention_of(grammar)
    bound = {what.local for what in mentions.imports if what.local}
    bound |= {local.partition(".")[0] for local in bound}
    is_open = (
        not convention.must_import
        or convention.sees_folder
        or any(what.imported == "*" for what in mentions.imports)
    )
    found = {Ask(BOUND, what.imported) for what in mentions.imports if what.local}
    for reference in {ref._replace(line=0, subject="") for ref in mentions.references}:
        found.update(_asks(reference, convention, bound, is_open))
    return found


def _asks(
    reference: Reference, convention: Convention, bound: set[str], is_open: bool
) -> Iterator[Ask]:
    name, receiver = reference.name, reference.receiver
    if not receiver or (convention.family == "rust" and receiver in ("crate", "super")):
        if name in bound:
            yield Ask(BOUND, name)
        if is_open:
            yield Ask(ANY, name)
        return
    if reference.kind == "calls" and name not in convention.builtins and not name.startswith("__"):
        yield Ask(METHOD, name)
    if receiver == UNKNOWN_RECEIVER or receiver in convention.self_words:
        return
    parts = receiver.split(".")
    if any(".".join(parts[:length]) in bound for length in range(1, len(parts) + 1)):
        yield Ask(BOUND, name)
    if is_open:
        yield Ask(OWNED, name, parts[-1])


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
