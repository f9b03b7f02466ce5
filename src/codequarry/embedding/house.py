"""The house model: a static code embedding that ships with the package and needs no network.

A text's vector is the sum over its known words of log(1 + count) x word weight x row, at unit
length (retrieval.md 2.1). An unknown word counts as its known pieces, each half.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from codequarry.core.columns import Texts, map_blocks, strings
from codequarry.core.errors import EmbeddingError
from codequarry.core.words import code_words, model_words
from codequarry.embedding.provider import Profile, Vectors

PROVIDER = "house"
MODEL = "code-words-v2"
DIMENSIONS = 256

WORD_LIMIT = 400
SHORTEST_PIECE, LONGEST_PIECE, MAX_PIECES = 3, 16, 4
# Gathered rows of one product: 8 MB of float32. Fewer would fit a closer cache, but make threads
# wait for each other more often.
_CELLS_AT_ONCE = 8192
_DATA = Path(__file__).parent / "data"

_Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class WordBags:
    """Which rows of the table each text uses, as a sparse matrix.

    Args:
        offsets: int64 (texts + 1): text ``i`` owns cells ``offsets[i]:offsets[i + 1]``.
        ids: int64 (cells,): table row.
        counts: float32 (cells,): occurrences; a piece of an unknown word is half a one.
    """

    offsets: _Integers
    ids: _Integers
    counts: npt.NDArray[np.float32]


class HouseEmbedder:
    """The bundled model. Memory-mapped: a query touches only the rows it needs.

    Args:
        data: Directory of the model's files.

    Raises:
        EmbeddingError: They are missing or damaged.
    """

    max_items = 4096
    max_tokens = None

    def __init__(self, data: Path = _DATA) -> None:
        self.profile = Profile(PROVIDER, MODEL, DIMENSIONS)
        self._vocabulary_path = data / "vocabulary.txt"
        try:
            self._rows = np.asarray(np.load(data / "rows.npy", mmap_mode="r"))
            self._scales = np.load(data / "scales.npy")
            query = np.load(data / "query_weights.npy").astype(np.float32)
            document = np.load(data / "document_weights.npy").astype(np.float32)
        except (OSError, ValueError) as error:
            raise _damaged() from error
        words = len(self._rows)
        if self._rows.shape != (words, DIMENSIONS) or self._rows.dtype != np.int8:
            raise _damaged()
        if {self._scales.shape, query.shape, document.shape} != {(words,)}:
            raise _damaged()
        self._query_weights = query
        self._document_weights = document
        self._ids_of = lru_cache(maxsize=1 << 16)(self._look_up)

    def embed_documents(self, texts: Texts) -> Vectors:
        """Embed a column of documents on all cores.

        Returns:
            float32 (rows, 256).
        """
        if len(texts) == 0:
            return np.zeros((0, DIMENSIONS), np.float32)
        _ = self._vocabulary  # once, before the threads
        return np.concatenate(map_blocks(self._embed_block, texts))

    def embed_query(self, text: str) -> Vectors:
        """Embed one query.

        Returns:
            float32 (256,).
        """
        words = pa.array(model_words(text)[:WORD_LIMIT], pa.string())
        bags = self.bags(words, np.array([0, len(words)]))
        return self._vectors(bags, self._query_weights).reshape(DIMENSIONS)

    def close(self) -> None:
        """Do nothing: there is no connection."""

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        try:
            words = self._vocabulary_path.read_bytes().decode("utf-8").split("\n")
        except (OSError, ValueError) as error:
            raise _damaged() from error
        if len(words) != len(self._rows):
            raise _damaged()
        return {word: row for row, word in enumerate(words)}

    def _embed_block(self, texts: pa.StringArray) -> Vectors:
        words = code_words(strings(texts), WORD_LIMIT)
        bags = self.bags(words.values, words.offsets.to_numpy().astype(np.int64))
        return self._vectors(bags, self._document_weights)

    def _look_up(self, word: str) -> tuple[int, ...]:
        """Give the rows of a word: its own, or those of its longest known pieces, in order."""
        known = self._vocabulary.get(word)
        if known is not None:
            return (known,)
        pieces: list[int] = []
        start = 0
        while start < len(word) and len(pieces) < MAX_PIECES:
            longest = min(len(word), start + LONGEST_PIECE)
            for end in range(longest, start + SHORTEST_PIECE - 1, -1):
                row = self._vocabulary.get(word[start:end])
                if row is not None:
                    pieces.append(row)
                    start = end
                    break
            else:
                start += 1
        return tuple(pieces)

    def bags(self, words: pa.StringArray, offsets: _Integers) -> WordBags:
        """Count the table rows of each text.

        Args:
            words: The words of all texts.
            offsets: Boundaries of the texts in ``words``.
        """
        encoded = words.dictionary_encode()
        codes = encoded.indices.to_numpy()
        unique = encoded.dictionary.to_pylist()
        found = [self._ids_of(word) for word in unique]
        whole = np.array([word in self._vocabulary for word in unique], np.int64)
        lengths = np.array([len(ids) for ids in found], np.int64)
        ids = np.fromiter(chain.from_iterable(found), np.int64, int(lengths.sum()))
        texts = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        repeats = lengths[codes]
        cells = ids[_ranges((np.cumsum(lengths) - lengths)[codes], repeats)]
        # One sortable number: text, row, and whether it is a whole word or a piece.
        keys = np.repeat(texts, repeats) * len(self._rows) + cells
        return _counted(
            np.sort(keys * 2 + np.repeat(whole[codes], repeats)), len(offsets) - 1, len(self._rows)
        )

    def _vectors(self, bags: WordBags, word_weights: npt.NDArray[np.float32]) -> Vectors:
        weights = np.log1p(bags.counts) * word_weights[bags.ids] * self._scales[bags.ids]
        vectors = np.zeros((len(bags.offsets) - 1, DIMENSIONS), np.float32)
        lengths = np.diff(bags.offsets)
        for texts in _of_similar_length(lengths):
            width = np.arange(lengths[texts].max())
            filled = width < lengths[texts, None]
            cells = np.where(filled, bags.offsets[texts, None] + width, 0)
            rows = self._rows[bags.ids[cells]].astype(np.float32)
            vectors[texts] = np.einsum("nk,nkd->nd", weights[cells] * filled, rows)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        norms[norms == 0] = 1
        return np.asarray(vectors / norms, np.float32)


def _damaged() -> EmbeddingError:
    return EmbeddingError("the bundled embedding model is damaged", "reinstall codequarry")


def _ranges(starts: _Integers, lengths: _Integers) -> _Integers:
    """Concatenate ``range(start, start + length)`` of each pair."""
    firsts = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(lengths.sum()) + np.repeat(starts - firsts, lengths))


def _counted(keys: _Integers, texts: int, table_rows: int) -> WordBags:
    """Sum the sorted keys ``(text * table_rows + row) * 2 + whole`` per text and row."""
    cells = keys >> 1
    firsts = np.flatnonzero(np.diff(cells, prepend=-1))
    halves = np.add.reduceat((keys & 1) + 1, firsts) if len(keys) else keys
    owners, ids = np.divmod(cells[firsts], table_rows)
    offsets = np.searchsorted(owners, np.arange(texts + 1))
    return WordBags(offsets, ids, (halves / 2).astype(np.float32))


def _of_similar_length(lengths: _Integers) -> Iterator[_Integers]:
    """Group texts so that padding to the group's longest wastes little and fits the cache."""
    order = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]
    start = 0
    while start < len(order):
        group = order[start : start + max(1, _CELLS_AT_ONCE // int(lengths[order[start]]))]
        yield group
        start += len(group)
