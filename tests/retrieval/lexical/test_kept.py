"""What is kept of a published state between two searches of it."""

from collections.abc import Iterator

import polars as pl
import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical import kept
from codequarry.retrieval.lexical.kept import kept_frames
from codequarry.retrieval.lexical.sql import objects
from codequarry.retrieval.lexical.sql.objects import read_sql
from codequarry.retrieval.lexical.texts import Place


def test_read_once_for_a_state(published: StateDirectory) -> None:
    """A state is read once; another, or what was left half read, is read again."""
    reads = []

    def read() -> Iterator[pl.DataFrame]:
        reads.append(1)
        yield pl.DataFrame({"a": [1]})
        yield pl.DataFrame({"a": [2]})

    first, second = Reader(published), Reader(published)
    next(kept_frames(first, ("x",), read))
    for reader in (first, first, second):
        assert [frame["a"][0] for frame in kept_frames(reader, ("x",), read)] == [1, 2]
    assert len(reads) == 3


def test_a_large_state_is_not_kept(
    published: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the bound nothing is kept, and what is given stays whole."""
    monkeypatch.setattr(kept, "MOST_BYTES", 100)
    reader, reads = Reader(published), []

    def read() -> Iterator[pl.DataFrame]:
        reads.append(1)
        yield from (pl.DataFrame({"a": range(10)}) for _ in range(3))

    for _ in range(2):
        assert len(list(kept_frames(reader, ("x",), read))) == 3
    assert len(reads) == 2


def test_sql_is_read_once(published: StateDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SQL objects of a state are kept, but not of a state with too many facts."""
    reader, names = Reader(published), ("lexicon",)
    assert read_sql(reader, names, published) is read_sql(reader, names, published)
    monkeypatch.setattr(objects, "MOST_FACTS", 1)
    reader = Reader(published)
    first, second = (read_sql(reader, names, published) for _ in range(2))
    assert first is not second
    assert first.objects == second.objects


def test_a_script_without_text(published: StateDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty script defines nothing, and was not left out for its size."""

    def no_texts(_reader: Reader, _places: object) -> dict[Place, str]:
        return {}

    monkeypatch.setattr(objects, "texts_of", no_texts)
    found = read_sql(Reader(published), ("lexicon",), published)
    assert (found.objects, found.skipped) == ([], 0)
