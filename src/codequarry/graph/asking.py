"""What the edges of a file may hang on in other files, told from its mentions alone.

`codequarry.graph.resolve` looks into other files only as one of the `Ask` says, and
`codequarry.graph.modules.bind` looks for files only at paths that `import_words` or the importer's
own path tell. So a change elsewhere that touches none of these leaves the file's edges as they are.
Each ask and each word is kept as 32 bits of a checksum: two that collide cost a needless look, no
edge.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from codequarry.graph.conventions import Convention, convention_of
from codequarry.graph.imports import DEFAULT, Import, default_names
from codequarry.graph.references import INHERITS, UNKNOWN_RECEIVER, Mentions, Reference
from codequarry.graph.typed import CALLED, NAMED

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


def asks(
    mentions: Mentions, grammar: str, references: Iterable[Reference] | None = None
) -> set[Ask]:
    """Give all ways in which a file looks up names in other files.

    Args:
        mentions: What the file mentions.
        grammar: Its grammar.
        references: Those of its references that count; ``None`` for all of them.
    """
    told = _Told.of(mentions, grammar)
    counting = mentions.references if references is None else references
    found = {Ask(BOUND, what.imported) for what in mentions.imports if what.local}
    found |= {Ask(BOUND, name) for names in told.aliases.values() for name in names}
    for name, receiver, kind in {(ref.name, ref.receiver, ref.kind) for ref in counting}:
        found.update(_asks(name, receiver, kind, told))
    return found


@dataclass(frozen=True)
class _Told:
    """What a file tells, as far as its asks hang on it.

    Args:
        convention: Of its language.
        bound: The names that imports bind.
        aliases: These names to what they may be called where they are defined.
        is_open: Whether a name may be defined in a file that is not imported by name.
        origins: Last part of a variable's, a field's or a function's name to its origins.
        bases: What its types inherit from.
    """

    convention: Convention
    bound: frozenset[str]
    aliases: Mapping[str, set[str]]
    is_open: bool
    origins: Mapping[str, set[str]]
    bases: frozenset[str]
    _owners: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, mentions: Mentions, grammar: str) -> Self:
        convention = convention_of(grammar)
        bound = {what.local for what in mentions.imports if what.local}
        bound |= {local.partition(".")[0] for local in bound}
        is_open = (
            not convention.must_import
            or convention.sees_folder
            or any(what.imported == "*" for what in mentions.imports)
        )
        aliases: dict[str, set[str]] = {}
        for what in mentions.imports:
            if what.local and what.imported not in ("", "*"):
                aliases.setdefault(what.local, set()).update(names_behind(what))
        origins: dict[str, set[str]] = {}
        for typed in mentions.typed:
            origins.setdefault(typed.name.rpartition(".")[2], set()).add(typed.origin)
        inherited = (ref for ref in mentions.references if ref.kind in INHERITS)
        bases = frozenset(
            base.name
            for base in inherited
            if is_open or {base.name, base.receiver.partition(".")[0]} & bound
        )
        return cls(convention, frozenset(bound), aliases, is_open, origins, bases)

    def types(self, expression: str) -> set[str]:
        """Give the names of all types from elsewhere that an expression may have, and of others."""
        found: set[str] = set()
        waiting, seen = [expression], {expression}
        for origin in waiting:
            parts = origin.removeprefix(NAMED).split(".")
            is_type = origin.startswith(NAMED) or parts[-1].endswith(CALLED)
            named = [part.removesuffix(CALLED) for part in parts]
            if is_type and (self.is_open or self.binds(named)):
                found.update(named[-2:])
            new = self.origins.get(parts[-1], set()) - seen
            seen |= new
            waiting.extend(sorted(new))
        return found

    def owners(self, receiver: str) -> frozenset[str]:
        """Give the names of all types in which a member behind a receiver is looked for."""
        found = self._owners.get(receiver)
        if found is None:
            found = self._owners[receiver] = frozenset(self._owned_by(receiver))
        return found

    def _owned_by(self, receiver: str) -> set[str]:
        parts = receiver.split(".")
        found = {*self.types(receiver), *self.bases}
        found.update(parts[-1:] if self.is_open or self.binds(parts) else ())
        return found.union(*(self.aliases.get(name, ()) for name in found))

    def binds(self, parts: Sequence[str]) -> bool:
        """Tell whether an import binds a beginning of a chain."""
        return any(".".join(parts[:length]) in self.bound for length in range(1, len(parts) + 1))


def _asks(name: str, receiver: str, kind: str, told: _Told) -> Iterator[Ask]:
    convention = told.convention
    if not receiver or (convention.family == "rust" and receiver in ("crate", "super")):
        if name in told.bound:
            yield Ask(BOUND, name)
        if told.is_open:
            yield Ask(ANY, name)
        return
    if kind == "calls" and name not in convention.builtins and not name.startswith("__"):
        yield Ask(METHOD, name)
    if receiver == UNKNOWN_RECEIVER:
        return
    receiver = receiver.replace("$", "")
    if told.binds(receiver.split(".")):
        yield Ask(BOUND, name)
    for owner in told.owners(receiver):
        yield Ask(OWNED, name, owner)


def names_behind(what: Import) -> list[str]:
    """Give what an imported name may be called where it is defined."""
    if what.imported != DEFAULT:
        return [what.imported]
    return [name for word in words_of(what.module) for name in default_names(word)]


def takes_default(what: Import) -> bool:
    """Tell whether an import takes what a module exports as its default, or as a whole."""
    return what.imported in ("", DEFAULT) and bool(what.local)


TAKES_DEFAULT: Final = frozenset({Ask(BOUND, "").key, Ask(BOUND, DEFAULT).key})
"""Checksums of which one is asked for by each file that has an import of that kind."""


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
