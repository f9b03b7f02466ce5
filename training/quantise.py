"""Weights as files of the loader: one byte a number, one scale a row."""

import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codequarry.core.files import write_atomically

_LARGEST = 127
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """A trained model.

    Args:
        words: The vocabulary, in row order.
        rows: float32 (words, dimensions).
        query: float32 (words,): what a word weighs in a query.
        document: float32 (words,): what it weighs in a document.
    """

    words: tuple[str, ...]
    rows: Floats
    query: Floats
    document: Floats


def quantise(rows: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Round each row to whole 127ths of its largest number.

    Returns:
        int8 (words, dimensions) and float32 (words,): ``rows`` is about integers times scale; no
        number is off by more than half a scale.
    """
    scales = np.abs(rows).max(axis=1, initial=0) / _LARGEST
    steps = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(rows / steps).astype(np.int8), scales.astype(np.float32)


def save_weights(weights: Weights, data: Path) -> None:
    """Write the five files that `codequarry.embedding.house.HouseEmbedder` loads."""
    integers, scales = quantise(weights.rows)
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "rows": integers,
        "scales": scales,
        "query_weights": weights.query.astype(np.float16),
        "document_weights": weights.document.astype(np.float16),
    }
    for name, array in arrays.items():
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        write_atomically(data / f"{name}.npy", buffer.getvalue(), mode=0o644)
    text = "\n".join(weights.words).encode()
    write_atomically(data / "vocabulary.txt", text, mode=0o644)


def digest_of(data: Path) -> str:
    """Give one SHA-256 over the five files: name, NUL, bytes, by name."""
    whole = hashlib.sha256()
    for path in sorted(data.iterdir()):
        if path.suffix in (".npy", ".txt"):
            whole.update(path.name.encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
