"""Texts as the loader sees them: which rows of the table, how often."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from codequarry.core.words import code_words
from codequarry.embedding.house import DIMENSIONS, WORD_LIMIT, HouseEmbedder, WordBags
from training.quantise import Weights, save_weights

_TEXTS_AT_ONCE = 20_000


class Bagger:
    """Counts words with the loader's own rules, pieces of unknown words included.

    Args:
        words: The vocabulary, in row order.
        data: An empty directory for a model of these words.
    """

    def __init__(self, words: tuple[str, ...], data: Path) -> None:
        size = len(words)
        nothing = np.zeros(size, np.float32)
        save_weights(
            Weights(words, np.zeros((size, DIMENSIONS), np.float32), nothing, nothing), data
        )
        self._loader = HouseEmbedder(data)

    def bags(self, texts: pa.ChunkedArray) -> WordBags:
        """Count the words of each text."""
        parts = [
            self._part(texts.slice(start, _TEXTS_AT_ONCE).combine_chunks())
            for start in range(0, len(texts), _TEXTS_AT_ONCE)
        ]
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])
        return WordBags(
            np.concatenate(([0], np.cumsum(lengths))),
            np.concatenate([part.ids for part in parts]),
            np.concatenate([part.counts for part in parts]),
        )

    def _part(self, texts: pa.StringArray) -> WordBags:
        words = code_words(texts, WORD_LIMIT)
        return self._loader.bags(words.values, words.offsets.to_numpy().astype(np.int64))
