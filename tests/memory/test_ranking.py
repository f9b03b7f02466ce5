"""The formulas, by their worked values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.memory.ranking import lifts, nearest, scores


def one(*values: float) -> list[np.ndarray]:
    return [np.array([value]) for value in values]


@pytest.mark.parametrize(
    ("cosine", "age", "importance", "score"),
    [
        (0.8, 0, 0.5, 0.9),
        (0.8, 720, 0.5, 0.45),
        (0.8, 1440, 0.0, 0.2),
        (1.0, 0, 1.0, 1.25),
        (-0.4, 720, 0.0, -0.2),
        (0.8, -5, 0.5, 0.9),
    ],
)
def test_score(cosine: float, age: float, importance: float, score: float) -> None:
    """Cosine, halved every 720 hours, times 1 + a quarter of the importance (G3)."""
    assert scores(*one(cosine, age, importance))[0] == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(
    ("count", "idle", "lift"), [(0, 1e6, 0.0), (5, 0, 0.125), (5, 720, 0.0625), (15, -1, 0.1875)]
)
def test_lift(count: float, idle: float, lift: float) -> None:
    """A quarter of count / (count + 5), halved every 720 hours since the last use (G3)."""
    assert lifts(*one(count, idle))[0] == pytest.approx(lift, abs=1e-12)


@given(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=1), st.integers(1, 5), st.randoms())
def test_nearest_is_the_same_in_any_order(values: list[float], limit: int, random) -> None:
    """The order of the rows in the table changes no choice: equal ones go by id."""
    pairs = [(value, number) for number, value in enumerate(values)]
    expected = [number for _, number in sorted(pairs, key=lambda p: (-p[0], p[1]))[:limit]]
    random.shuffle(pairs)
    similarity = np.array([value for value, _ in pairs])
    ids = np.array([number for _, number in pairs])
    assert ids[nearest(similarity, ids, limit)].tolist() == expected
