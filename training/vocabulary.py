"""The words the model has a row for: those of the most texts to learn from."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.columns import map_blocks
from codequarry.core.words import code_words
from codequarry.embedding.house import WORD_LIMIT

SIZE = 55_434
"""Words of the first shipped model: another number would change the wheel's size."""
_LONGEST = 32


def choose_words(texts: pa.StringArray, size: int = SIZE) -> tuple[str, ...]:
    """Choose the vocabulary of a table of texts.

    Args:
        texts: Queries and documents; one text counts a word once.
        size: Most words chosen.

    Returns:
        Words by falling number of texts, equal ones by their bytes.
    """
    parts = [pc.value_counts(block) for block in map_blocks(_distinct_words, texts)]
    if not parts:
        return ()
    counted = pa.concat_arrays(parts)
    table = pa.table({"word": counted.field("values"), "texts": counted.field("counts")})
    totals = table.group_by("word").aggregate([("texts", "sum")])
    words = totals["word"].to_pylist()
    numbers = totals["texts_sum"].to_pylist()
    ranked = sorted(zip(words, numbers, strict=True), key=lambda pair: (-pair[1], pair[0].encode()))
    return tuple(word for word, _ in ranked if len(word) <= _LONGEST)[:size]


def _distinct_words(texts: pa.StringArray) -> pa.StringArray:
    words = code_words(texts, WORD_LIMIT)
    owners = np.repeat(np.arange(len(texts)), np.diff(words.offsets.to_numpy()))
    pairs = pa.table({"text": owners, "word": words.values}).group_by(["text", "word"])
    return pairs.aggregate([])["word"].combine_chunks()
