"""How far a new or a vanished file reaches: which imports may mean other files than before."""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, field

from codequarry.graph.asking import NAMELESS, word_key, words_of
from codequarry.graph.conventions import convention_of
from codequarry.syntax.grammars import grammar_of

_FOLDER_FILES = {
    "python": ("__init__",),
    "ecmascript": ("index",),
    "rust": ("mod", "lib", "main"),
}
"""Family to the files that an import may mean by naming their folder."""


@dataclass
class Reach:
    """The imports that may be bound otherwise.

    Args:
        keys: Keys of words (`codequarry.graph.asking`) of which they have one.
        beneath: Beginnings of the importers' paths.
        family_beneath: Language family and beginning of the importers' paths.
    """

    keys: set[int] = field(default_factory=set)
    beneath: set[str] = field(default_factory=set)
    family_beneath: set[tuple[str, str]] = field(default_factory=set)

    @property
    def is_empty(self) -> bool:
        """Whether no import can be reached."""
        return not (self.keys or self.beneath or self.family_beneath)

    def covers(self, path: str, grammar: str) -> bool:
        """Tell whether an importer is reached by its path alone."""
        return _below(path, self.beneath) or any(
            path.startswith(prefix) and convention_of(grammar).family == family
            for family, prefix in self.family_beneath
        )


def _below(path: str, prefixes: set[str]) -> bool:
    return bool(prefixes) and path.startswith(tuple(prefixes))


def reach_of(paths: Iterable[str], go_modules: Iterable[str] = ()) -> Reach:
    """Tell which imports may be bound otherwise once files came or went.

    Args:
        paths: The files.
        go_modules: Module paths that the project's ``go.mod`` files declare.
    """
    reach = Reach()
    modules = list(go_modules)
    for path in paths:
        grammar = grammar_of(path)
        if grammar == "go":
            reach.keys.update(word_key(word) for name in modules for word in words_of(name)[-1:])
        _extend(reach, path, convention_of(grammar).family)
    return reach


def _extend(reach: Reach, path: str, family: str) -> None:
    folder, name = posixpath.split(path)
    stem = next(iter(words_of(name)), "")
    parents = folder.split("/")[-2:]
    words = {stem, NAMELESS, *(word for part in parents for word in _spellings(part))}
    if not folder:
        words.add("")
    reach.keys.update(map(word_key, words))
    dots = [at for at, letter in enumerate(name) if letter == "."]
    reach.beneath.update(posixpath.join(folder, name[:at]) + "/" for at in dots if at)
    if name.startswith(".") and family:
        # `require ""`: a name that is an extension alone has no word, but it is rare.
        reach.family_beneath.add((family, ""))
    if stem in _FOLDER_FILES.get(family, ()):
        for end in ("/", ".") if folder else ("",):
            reach.family_beneath.add((family, folder + end))


def _spellings(part: str) -> list[str]:
    """Give the word of a folder's name, and how Rust spells it."""
    first = words_of(part)[:1]
    return [*first, *(word.replace("-", "_") for word in first)]
