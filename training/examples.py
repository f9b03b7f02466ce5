"""From unpacked packages to one table of pairs, in an order that never changes."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl
import pyarrow as pa

from training.pairs import SourceFile, list_files, read_pairs

NAMES_OF_256 = 77
"""How many of 256 name pairs are kept, by their documents' hash; with all of them prose loses."""
MOST_OF_A_QUERY = 5
"""Pairs that may share one query, the first ones; what hundreds say tells none apart."""

PAIRS = pa.schema([("kind", pa.string()), ("query", pa.string()), ("document", pa.string())])


def choose_files(files: Sequence[SourceFile], budget: int) -> list[SourceFile]:
    """Choose files up to ``budget`` bytes by the hash of their paths; their order is kept."""
    chosen: set[str] = set()
    total = 0
    for file in sorted(files, key=lambda file: hashlib.sha256(file.path.encode()).digest()):
        if total + file.size <= budget:
            chosen.add(file.path)
            total += file.size
    return [file for file in files if file.path in chosen]


def gather(sources: Iterable[tuple[Path, int]], asked: frozenset[str]) -> pa.Table:
    """Build the pairs of packages.

    Args:
        sources: Directory and budget of each unpacked package.
        asked: Queries of the evaluation, as `plain` gives them; no pair may hold one.

    Returns:
        Table `PAIRS`: packages in the given order, files by path, pairs by position.
    """
    batches = [
        pa.RecordBatch.from_pylist([pair._asdict() for pair in pairs], PAIRS)
        for root, budget in sources
        for pairs in read_pairs(choose_files(list_files(root), budget))
    ]
    return thin_names(without_echoes(pa.Table.from_batches(batches, PAIRS), asked))


def without_echoes(pairs: pa.Table, asked: frozenset[str]) -> pa.Table:
    """Drop evaluation queries, pairs that are there already, and queries of many answers."""
    queries = pa.array(plain(query) for query in pairs["query"].to_pylist())
    frame = pl.from_arrow(pairs.append_column("plain", queries))
    assert isinstance(frame, pl.DataFrame)
    kept = (
        frame.filter(~pl.col("plain").is_in(sorted(asked)))
        .unique(["plain", "document"], keep="first", maintain_order=True)
        .filter(pl.int_range(pl.len()).over("plain") < MOST_OF_A_QUERY)
    )
    return kept.select(PAIRS.names).to_arrow().cast(PAIRS)


def thin_names(pairs: pa.Table) -> pa.Table:
    """Keep a share of the pairs of kind ``name``, and all others."""
    kept = [
        kind != "name" or hashlib.sha256(document.encode()).digest()[0] < NAMES_OF_256
        for kind, document in zip(
            pairs["kind"].to_pylist(), pairs["document"].to_pylist(), strict=True
        )
    ]
    return pairs.filter(pa.array(kept, pa.bool_()))


def plain(query: str) -> str:
    """Give a query as it is compared: its words, lower-cased, without a final full stop."""
    return " ".join(query.lower().rstrip(".").split())
