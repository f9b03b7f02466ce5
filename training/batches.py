"""Which pairs are learnt from together, and when."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codequarry.embedding.house import WordBags


@dataclass(frozen=True)
class Schedule:
    """How long and how the model learns.

    Args:
        epochs: Passes over all pairs.
        batch: Pairs whose documents are each other's wrong answers.
        run: Neighbours of one file that stay together in a batch: the hard wrong answers.
        temperature: What similarities are divided by.
        dropout: Share of a text's words left out, anew each time.
        rate: Adam's learning rate at the start; it falls to zero along a cosine.
        threads: Sums are split by them, so another number gives other weights.
        seed: Of the start, the order and what is left out.
    """

    epochs: int = 4
    batch: int = 2048
    run: int = 16
    temperature: float = 0.07
    dropout: float = 0.3
    rate: float = 2e-3
    threads: int = 2
    seed: int = 1


def take(bags: WordBags, chosen: npt.NDArray[np.int64]) -> WordBags:
    """Give the bags of some texts, in the order asked for."""
    starts, lengths = bags.offsets[chosen], np.diff(bags.offsets)[chosen]
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    cells = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    return WordBags(offsets, bags.ids[cells], bags.counts[cells])


def batches(
    pairs: int, schedule: Schedule, order: np.random.Generator
) -> Iterator[npt.NDArray[np.int64]]:
    """Shuffle runs of neighbours; what does not fill a batch waits for the next epoch."""
    runs = order.permutation(-(-pairs // schedule.run))
    indices = (runs[:, None] * schedule.run + np.arange(schedule.run)).ravel()
    indices = indices[indices < pairs]
    for start in range(0, pairs - schedule.batch + 1, schedule.batch):
        yield indices[start : start + schedule.batch]
