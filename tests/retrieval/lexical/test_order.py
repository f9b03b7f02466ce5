"""The total order of results."""

import random

from codequarry.retrieval.lexical.order import order_key

FIRST_AND_SECOND = [
    (order_key(9.0, "text", 0, "z", "z", "z", "z"), order_key(8.0, "semantic", 9, "a", "a", "a")),
    (order_key(1.0, "semantic", 0, "z", "z", "z"), order_key(1.0, "graph", 9, "a", "a", "a")),
    (order_key(1.0, "graph", 0, "z", "z", "z"), order_key(1.0, "text", 9, "a", "a", "a")),
    (order_key(1.0, "text", 2, "z", "z", "z"), order_key(1.0, "text", 1, "a", "a", "a")),
    (order_key(1.0, "text", 1, "Z", "z", "z"), order_key(1.0, "text", 1, "a", "a", "a")),
    (order_key(1.0, "text", 1, "z", "z", "z"), order_key(1.0, "text", 1, "é", "a", "a")),
    (order_key(1.0, "text", 1, "l", "B", "z"), order_key(1.0, "text", 1, "l", "a", "a")),
    (order_key(1.0, "text", 1, "l", "f", "H"), order_key(1.0, "text", 1, "l", "f", "h")),
    (order_key(1.0, "text", 1, "l", "f", "h", "P"), order_key(1.0, "text", 1, "l", "f", "h", "p")),
]


def test_each_key_decides_in_its_turn() -> None:
    """Of two results that tie on all keys before, the next key decides, by bytes."""
    for first, second in FIRST_AND_SECOND:
        assert first < second


def test_order_does_not_hang_on_the_walk() -> None:
    """Shuffled results sort the same."""
    keys = [key for pair in FIRST_AND_SECOND for key in pair]
    expected = sorted(keys)
    for seed in range(20):
        random.Random(seed).shuffle(keys)
        assert sorted(keys) == expected
