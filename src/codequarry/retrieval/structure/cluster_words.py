"""The words by which the names of one cluster's symbols differ from the others'."""

from functools import partial
from typing import Final

import polars as pl
import pyarrow as pa

from codequarry.core.columns import map_blocks
from codequarry.core.words import code_words, query_words

WORDS: Final = 16
"""Words given of a cluster at most."""
_NAME_WORDS: Final = 8


def distinctive_words(members: pl.DataFrame, symbols: pl.DataFrame) -> dict[int, dict[str, str]]:
    """Rank the words of each cluster by tf-idf, best first, `WORDS` at most.

    A word counts for the files of the cluster in whose names it occurs, and the more the fewer
    clusters have it. Only ASCII words are told.

    Args:
        members: ``path`` and ``cluster``, each path once.
        symbols: ``path``, ``symbol`` and ``kind``, in any order; files do not count.

    Returns:
        Number of each cluster that has words to stem and its commonest spelling; equal scores
        by the names that hold the word, falling, then in the order of stems.
    """
    names = symbols.filter(pl.col("kind") != "file").select("path", "symbol").unique()
    words = _words(names.join(members, on="path"))
    rarity = ((members["cluster"].n_unique() + 1) / pl.len().over("stem")).log()
    counted = words.group_by("cluster", "stem").agg(files=pl.col("path").n_unique(), names=pl.len())
    ranked = (
        counted.with_columns(score=(pl.col("files") * rarity).round(9))
        .sort(["cluster", "score", "names", "stem"], descending=[False, True, True, False])
        .group_by("cluster", maintain_order=True)
        .head(WORDS)
        .join(_spelt(words), on="stem", maintain_order="left")
    )
    found: dict[int, dict[str, str]] = {}
    for number, stem, word in ranked.select("cluster", "stem", "word").iter_rows():
        found.setdefault(number, {})[stem] = word
    return found


def _words(names: pl.DataFrame) -> pl.DataFrame:
    """Give ``cluster``, ``path``, ``word`` and ``stem`` of each word of each ``symbol``."""
    blocks = map_blocks(partial(code_words, limit=_NAME_WORDS), names["symbol"].to_arrow())
    lists = pl.Series("word", pa.chunked_array(blocks, pa.list_(pa.string())))
    words = names.select("cluster", "path").with_columns(lists).explode("word").drop_nulls()
    known = words["word"].unique()
    stems = pl.Series("stem", [_stem(word) for word in known], pl.String)
    return words.join(pl.DataFrame([known, stems]), on="word").filter(pl.col("stem") != "")


def _stem(word: str) -> str:
    return "".join(query_words(word)) if len(word) > 1 and not word.isdigit() else ""


def _spelt(words: pl.DataFrame) -> pl.DataFrame:
    """Give the ``word`` in which each ``stem`` is written most often."""
    counted = words.group_by("stem", "word").len().sort(["len", "word"], descending=[True, False])
    return counted.unique("stem", keep="first", maintain_order=True).select("stem", "word")
