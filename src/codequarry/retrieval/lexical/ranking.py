"""Scoring candidates, best first, until no other can stand among the shown.

Only as many candidates are scored one by one as the answer needs: the rest cannot score more than
its bound, and stands behind in the order of results even if it does.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.normalise import Terms, normalise
from codequarry.retrieval.lexical.order import Capability, OrderKey, order_key
from codequarry.retrieval.lexical.scoring import (
    DOCSTRING_WEIGHT,
    FILE_WEIGHT,
    NAME_WEIGHT,
    PATH_WEIGHT,
    Match,
    boost,
    doc_bonus,
    match,
)
from codequarry.retrieval.lexical.surfaces import chunk_text, frame, symbol_details
from codequarry.retrieval.lexical.texts import Place

_FIRST_BLOCK, _LAST_BLOCK = 64, 2048

Row = Mapping[str, Any]
"""A candidate: a row of `surfaces.POOL`."""


@dataclass(frozen=True)
class Scored:
    """A candidate with what it really scores.

    Args:
        row: The candidate.
        score: Its points.
        matches: Field (name, path, docstring, text) to what matched there.
        distance: Imports between its file and the nearest anchor; ``None`` beyond the depth.
        capability: How much is known of it.
        text: A chunk's enclosing name and text; empty for the rest.
    """

    row: Row
    score: int
    matches: Mapping[str, Match]
    distance: int | None
    capability: Capability
    text: str = ""

    @property
    def key(self) -> OrderKey:
        """Where it stands among results."""
        return _key(self.row, self.score, self.capability)


@dataclass(frozen=True)
class Ranker:
    """How candidates are scored.

    Args:
        reader: Where the texts of chunks lie.
        terms: The query.
        distances: Files near the anchors of ``--from``.
        objects: SQL objects near the object that ``--from`` is; ``None`` when it is none, and
            they are as near as their files.
        text_only: Files are known by name alone.
    """

    reader: Reader
    terms: Terms
    distances: Mapping[Place, int]
    text_only: bool = False
    objects: Mapping[int, int] | None = None

    def best(self, pool: pl.DataFrame, limit: int) -> list[Scored]:
        """Give the best candidates, in the order of results.

        Args:
            pool: Columns of `surfaces.POOL`.
            limit: How many.
        """
        done: list[Scored] = []
        for block in self._blocks(self._ordered(pool)):
            first = block[0]
            if len(done) >= limit:
                most = _key(first, first["bound"] + first["boost"], self._capability(first))
                if done[limit - 1].key <= most:
                    break
            texts = self._texts(block)
            keys = [row["key"] for row in block if row["kind"] == "symbol"]
            details = symbol_details(self.reader, keys)
            done += [
                self._score({**row, **details.get(row["key"], {})}, texts)
                if row["kind"] == "symbol"
                else self._score(row, texts)
                for row in block
            ]
            done = sorted(done, key=lambda scored: scored.key)[:limit]
        return done

    def _ordered(self, pool: pl.DataFrame) -> pl.DataFrame:
        """Sort candidates as if each scored its bound."""
        boosts = pl.DataFrame(
            [(*place, boost(distance)) for place, distance in self.distances.items()],
            schema={"project": pl.String, "path": pl.String, "boost": pl.Int64},
            orient="row",
        )
        pool = pool.join(boosts, on=["project", "path"], how="left").with_columns(
            self._boost().fill_null(0).alias("boost"),
            rank=pl.col("kind").replace_strict(
                {"symbol": 0, "sql": 0, "graph": 1, "file": 2 if self.text_only else 1, "chunk": 2},
                return_dtype=pl.Int8,
            ),
            tie=_tie(),
        )
        keys = [-(pl.col("bound") + pl.col("boost")), pl.col("rank"), -pl.col("matched")]
        return pool.sort([*keys, "label", "path", "tie", "project", "key"])

    def _boost(self) -> pl.Expr:
        if self.objects is None:
            return pl.col("boost")
        near = {number: boost(distance) for number, distance in self.objects.items()}
        told = pl.col("key").replace_strict(near, default=0, return_dtype=pl.Int64)
        return pl.when(pl.col("kind") == "sql").then(told).otherwise("boost")

    def _distance(self, row: Row) -> int | None:
        if row["kind"] == "sql" and self.objects is not None:
            return self.objects.get(row["key"])
        return self.distances.get((row["project"], row["path"]))

    def _blocks(self, pool: pl.DataFrame) -> Iterator[Sequence[Row]]:
        start, size = 0, _FIRST_BLOCK
        while start < len(pool):
            yield pool.slice(start, size).to_dicts()
            start, size = start + size, min(2 * size, _LAST_BLOCK)

    def _texts(self, block: Sequence[Row]) -> dict[tuple[str, int], str]:
        by_table: dict[str, list[int]] = {}
        for row in block:
            if row["kind"] == "chunk":
                by_table.setdefault(row["table"], []).append(row["key"])
        texts = {}
        for name, keys in by_table.items():
            wanted = self.reader.table(name).take_row_ids(sorted(keys)).with_row_id()
            found = frame(wanted.select(["symbol_name", "content"]).to_arrow())
            for key, text in found.select("_rowid", chunk_text()).rows():
                texts[name, key] = text
        return texts

    def _capability(self, row: Row) -> Capability:
        if row["kind"] == "file":
            return "text" if self.text_only else "graph"
        return _CAPABILITY[row["kind"]]

    def _score(self, row: Row, texts: Mapping[tuple[str, int], str]) -> Scored:
        text = texts.get((row["table"], row["key"]), "")
        matches = {name: self._match(value) for name, value in _fields(row, text).items()}
        points = sum(_WEIGHTS[row["kind"], name] * found.points for name, found in matches.items())
        distance = self._distance(row)
        if row["kind"] == "chunk":
            points += row["bonus"] * doc_bonus(matches["text"])
        else:
            points += row["bonus"]
        points += 0 if distance is None else boost(distance)
        return Scored(row, points, matches, distance, self._capability(row), text)

    def _match(self, text: str) -> Match:
        return match(normalise(text), self.terms)


_CAPABILITY: dict[str, Capability] = {
    "symbol": "semantic",
    "sql": "semantic",
    "graph": "graph",
    "chunk": "text",
}
_WEIGHTS = {
    **{(kind, "name"): NAME_WEIGHT for kind in ("symbol", "sql")},
    **{(kind, "path"): PATH_WEIGHT for kind in ("symbol", "sql")},
    **{(kind, "docstring"): DOCSTRING_WEIGHT for kind in ("symbol", "sql")},
    ("file", "path"): FILE_WEIGHT,
    ("graph", "path"): 0,
    ("chunk", "text"): 1,
}


def _fields(row: Row, text: str) -> dict[str, str]:
    if row["kind"] == "chunk":
        return {"text": text}
    if row["kind"] in ("file", "graph"):
        return {"path": row["path"]}
    return {"name": row["label"], "path": row["path"], "docstring": row["docstring"]}


def _tie() -> pl.Expr:
    """Write the part of a handle in which results with equal label and file can differ."""
    named = pl.col("kind").is_in(["symbol", "sql"])
    line = pl.col("line").cast(pl.String)
    return pl.concat_str(
        "kind", pl.lit(":"), line, pl.when(named).then(pl.lit(":")).otherwise(pl.lit(""))
    )


def _key(row: Row, score: int, capability: Capability) -> OrderKey:
    return order_key(
        score, capability, row["matched"], row["label"], row["path"], row["tie"], row["project"]
    )
