"""Scoring only what the answer needs gives what scoring everything gives."""

import polars as pl
import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.normalise import Terms
from codequarry.retrieval.lexical.ranking import Ranker, Scored
from codequarry.retrieval.lexical.surfaces import chunks, files, symbols

NAMES = ("lexicon",)


def told(found: list[Scored]) -> list[tuple[object, ...]]:
    """Give what tells results apart."""
    return [(one.row["kind"], one.row["path"], one.row["line"], one.score) for one in found]


@pytest.mark.parametrize("text", ["quasar beacon", "filler", "fill", "level x", "user", "app py"])
def test_early_stop_loses_nothing(reader: Reader, published: StateDirectory, text: str) -> None:
    """The best few are the first of all, scored one by one."""
    terms = Terms(text)
    pool = pl.concat(
        [
            symbols(reader, NAMES, terms),
            files(reader, NAMES, terms),
            chunks(reader, NAMES, terms, docs_first=True)[0],
        ]
    )
    ranker = Ranker(reader, terms, {("lexicon", "app/low.py"): 0, ("lexicon", "app/mid.py"): 1})
    everything = ranker.best(pool, len(pool))
    assert len(everything) == len(pool)
    assert told(everything) == told(sorted(everything, key=lambda one: one.key))
    for limit in (1, 2, 5, 20):
        assert told(ranker.best(pool, limit)) == told(everything[:limit])


def test_rows_may_come_in_any_order(reader: Reader) -> None:
    """Shuffled candidates are ranked the same."""
    terms = Terms("level x filler")
    pool = chunks(reader, NAMES, terms, docs_first=True)[0]
    ranker = Ranker(reader, terms, {})
    shuffled = pool.sample(fraction=1.0, shuffle=True, seed=7)
    assert told(ranker.best(shuffled, 20)) == told(ranker.best(pool, 20))
