"""Something with a name and a place, to anchor a handle to."""

from typing import NamedTuple

from codequarry.retrieval.lexical.texts import Place


class Declared(NamedTuple):
    """A declaration; of an SQL object, with its number among the objects."""

    place: Place
    line: int
    content: str
    fqn: str
    number: int = -1
