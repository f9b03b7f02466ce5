"""Chunks in any number, deterministic, with the word statistics of the standard library.

A chunk draws its words from one short stretch of real source, so that chunks have topics and their
vectors cluster as real ones do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.words import model_words
from codequarry.schemas.tables import CHUNKS, SELECTOR

CHUNKS_A_FILE = 20
_NAMES = 60
"""Identifiers of two words in a chunk."""
_STRETCH = 400
_SOURCE_WORDS = 500_000


@dataclass(frozen=True)
class Source:
    """Where words are drawn from.

    Args:
        root: A folder of Python files.
    """

    root: Path

    @cached_property
    def names(self) -> pa.DictionaryArray:
        """Every two neighbouring words of its files as one identifier, in their order."""
        words: list[str] = []
        for path in sorted(self.root.rglob("*.py"), key=lambda path: str(path).encode()):
            if "site-packages" not in path.parts and len(words) <= _SOURCE_WORDS:
                words += model_words(path.read_text(encoding="utf-8", errors="replace"))
        words = words[: _SOURCE_WORDS + 1]
        return pc.binary_join_element_wise(words[:-1], words[1:], "_").dictionary_encode()

    def chunks(self, project: str, seed: int, rows: int, batch: int = 20_000) -> Iterator[pa.Table]:
        """Give tables of `CHUNKS`, together ``rows`` long."""
        random = np.random.default_rng(seed)
        for start in range(0, rows, batch):
            numbers = np.arange(start, min(start + batch, rows))
            yield _table(project, seed, numbers, self._names(random, len(numbers), _NAMES))

    def queries(self, seed: int, number: int) -> list[str]:
        """Give questions of two to seven words; every tenth is an identifier."""
        random = np.random.default_rng(seed)
        asked = []
        for turn in range(number):
            names = self._names(random, 1, 1 if turn % 10 == 0 else 1 + turn % 4)
            text = " ".join(names.flatten().to_pylist())
            asked.append(text if turn % 10 == 0 else text.replace("_", " "))
        return asked

    def _names(self, random: np.random.Generator, rows: int, names: int) -> pa.ListArray:
        codes = self.names.indices.to_numpy()
        begins = random.integers(0, len(codes) - _STRETCH, (rows, 1))
        drawn = codes[begins + random.integers(0, _STRETCH, (rows, names))].reshape(-1)
        offsets = pa.array(np.arange(rows + 1, dtype=np.int32) * names)
        return pa.ListArray.from_arrays(offsets, self.names.dictionary.take(pa.array(drawn)))


def _table(project: str, seed: int, numbers: np.ndarray, names: pa.ListArray) -> pa.Table:
    rows = len(numbers)
    place = (numbers % CHUNKS_A_FILE).astype(np.int32)
    line = place * _NAMES
    files = pc.binary_join_element_wise(
        "package/module_", pa.array(numbers // CHUNKS_A_FILE).cast(pa.string()), ".py", ""
    )
    symbols = names.values.take(pa.array(np.arange(rows) * _NAMES))
    content = pc.binary_join(names, "\n")
    selector = pa.StructArray.from_arrays(
        [files, pa.array(line + 1), symbols, _same("function", rows)], fields=list(SELECTOR)
    )
    columns = {
        "chunk_id": pa.array((np.int64(seed) << 40) + numbers),
        "project": _same(project, rows),
        "path": files,
        "language": _same("python", rows),
        "chunk_index": pa.array(place),
        "start_line": pa.array(line + 1),
        "end_line": pa.array(line + _NAMES),
        "start_byte": pa.array(line.astype(np.int64) * 16),
        "end_byte": pa.array((line + _NAMES).astype(np.int64) * 16),
        "chunk_type": _same("function", rows),
        "origin": _same("structural", rows),
        "symbol": symbols,
        "symbol_name": symbols,
        "selector": selector,
        "content": content,
        "embedding_text": content,
        "text_hash": files,
        "source_hash": files,
    }
    return pa.table([columns[name] for name in CHUNKS.names], schema=CHUNKS)


def _same(value: str, rows: int) -> pa.Array:
    return pa.repeat(value, rows)
