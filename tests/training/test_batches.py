"""Which pairs are learnt from together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codequarry.embedding.house import WordBags
from training.batches import Schedule, batches, take


@given(st.integers(0, 300), st.integers(1, 5), st.integers(1, 8))
def test_an_epoch_uses_each_pair_at_most_once(pairs, run, runs):
    """Batches are full, hold no pair twice, and leave out less than one batch."""
    schedule = Schedule(batch=run * runs, run=run)
    found = list(batches(pairs, schedule, np.random.default_rng(1)))
    used = np.concatenate([np.zeros(0, int), *found])
    assert all(len(batch) == schedule.batch for batch in found)
    assert len(set(used.tolist())) == len(used)
    assert 0 <= pairs - len(used) < schedule.batch


def test_neighbours_stay_together():
    """A run of neighbours is never torn, and another seed gives another order."""
    schedule = Schedule(batch=8, run=4)
    first, second = (
        np.concatenate(list(batches(64, schedule, np.random.default_rng(seed)))) for seed in (1, 2)
    )
    assert np.all(np.diff(first.reshape(-1, 4)) == 1)
    assert first.tolist() != second.tolist()


def test_bags_are_taken_in_the_order_asked_for():
    """The cells of each text follow it, empty texts included."""
    bags = WordBags(np.array([0, 2, 2, 3]), np.array([5, 6, 7]), np.float32([1, 2, 3]))
    part = take(bags, np.array([2, 1, 0]))
    assert part.offsets.tolist() == [0, 1, 1, 3]
    assert part.ids.tolist() == [7, 5, 6]
    assert part.counts.tolist() == [3, 1, 2]
