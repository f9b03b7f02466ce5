"""Which way a traversal goes."""

from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["both", "out", "in"]
"""``out`` to what something uses, ``in`` to what uses it."""

DIRECTIONS: tuple[Direction, ...] = ("both", "out", "in")
