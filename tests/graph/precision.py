"""How many of the edges of small projects are right, and how many of the right ones are there.

``python -m tests.graph.precision`` prints the table of docs/graph.md. The projects lie in
tests/trees/graphs, each with its true edges in ``expected.txt``, written by hand.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import polars as pl

from codequarry.graph.build import build_graph
from codequarry.graph.conventions import convention_of
from codequarry.graph.references import find_mentions
from codequarry.sources.walk import inventory
from codequarry.syntax.grammars import grammar_of
from codequarry.syntax.parsing import parse
from tests.graph.projects import records_of

TREES = Path(__file__).parent.parent / "trees" / "graphs"
LANGUAGES = tuple(sorted(folder.name for folder in TREES.iterdir() if folder.is_dir()))
GROUPS = {
    "calls": frozenset({"calls"}),
    "inheritance": frozenset({"extends", "implements"}),
    "imports": frozenset({"imports"}),
}


class Known(NamedTuple):
    """One edge by what a reader calls its ends: a file, or ``file:qualified name``."""

    kind: str
    source: str
    target: str


class Score(NamedTuple):
    """Edges found, true ones, and the found ones among these."""

    found: int
    true: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0


def expected(language: str) -> set[Known]:
    """Read the true edges of a project."""
    lines = (TREES / language / "expected.txt").read_text(encoding="utf-8").split("\n")
    edges = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    known = {Known(kind, source, target) for kind, source, _, target in edges}
    assert len(known) == len(edges), f"{language} names an edge twice"
    return known


@cache
def symbols_and_edges(language: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Build the graph of a project; its nodes have a ``label``, its edges those of their ends."""
    root = (TREES / language).resolve()
    snapshot = inventory(root).files
    graph = build_graph(root, "demo", snapshot, records_of(root, snapshot))
    is_file = pl.col("kind") == "file"
    label = pl.when(is_file).then("path").otherwise(pl.concat_str("path", pl.lit(":"), "fqn"))
    symbols = pl.DataFrame(pl.from_arrow(graph.symbols)).with_columns(label=label)
    edges = pl.DataFrame(pl.from_arrow(graph.edges))
    for end in ("source", "target"):
        names = symbols.select(pl.col("symbol_id").alias(f"{end}_id"), pl.col("label").alias(end))
        edges = edges.join(names, on=f"{end}_id", how="left", maintain_order="left")
    return symbols, edges


def found(language: str) -> set[Known]:
    """Give the edges that our graph of a project has, of the kinds that are scored."""
    _, edges = symbols_and_edges(language)
    kinds = [kind for group in GROUPS.values() for kind in group]
    rows = edges.filter(pl.col("kind").is_in(kinds)).select("kind", "source", "target")
    return {Known(*row) for row in rows.iter_rows()}


def found_by_name(language: str) -> set[Known]:
    """Give the calls that a resolver finds which only compares bare names."""
    symbols, _ = symbols_and_edges(language)
    rows = symbols.filter(pl.col("kind") != "file")
    named: dict[tuple[str, str], list[str]] = {}
    for path, symbol, label in rows.select("path", "symbol", "label").iter_rows():
        named.setdefault((_family(path), symbol), []).append(label)
    calls = set()
    for path in symbols["path"].unique(maintain_order=True):
        for line, name in _called(language, path):
            around = rows.filter(
                pl.col("path") == path, pl.col("start_line") <= line, pl.col("end_line") >= line
            ).sort(pl.col("end_line") - pl.col("start_line"))
            source = around["label"][0] if len(around) else path
            calls.update(Known("calls", source, to) for to in named.get((_family(path), name), ()))
    return calls


def _family(path: str) -> str:
    return convention_of(grammar_of(path)).family


def _called(language: str, path: str) -> list[tuple[int, str]]:
    content, grammar = (TREES / language / path).read_bytes(), grammar_of(path)
    tree = parse(content, grammar) if grammar and convention_of(grammar).family else None
    if grammar is None or tree is None:
        return []
    mentions = find_mentions(content, tree, grammar)
    return [(ref.line, ref.name) for ref in mentions.references if ref.kind == "calls"]


def score(edges: Iterable[Known], true: Iterable[Known], group: str) -> Score:
    """Compare the edges of one group."""
    have = {edge for edge in edges if edge.kind in GROUPS[group]}
    want = {edge for edge in true if edge.kind in GROUPS[group]}
    return Score(len(have), len(want), len(have & want))


def resolutions() -> Counter[tuple[str, bool]]:
    """Count the references resolved in each way, over all projects, and whether they are right."""
    counts: Counter[tuple[str, bool]] = Counter()
    kinds = GROUPS["calls"] | GROUPS["inheritance"]
    for language in LANGUAGES:
        true = expected(language)
        _, edges = symbols_and_edges(language)
        chosen = edges.filter(pl.col("kind").is_in(kinds))
        for resolution, *ends in chosen.select("resolution", "kind", "source", "target").rows():
            counts[resolution, Known(*ends) in true] += 1
    return counts


def table() -> str:
    """Give the figures as a table in Markdown."""
    lines = [
        "| language | calls: precision | recall | by bare name | inheritance | imports |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for language in LANGUAGES:
        true, ours = expected(language), found(language)
        calls = score(ours, true, "calls")
        bare = score(found_by_name(language), true, "calls")
        others = [_pair(score(ours, true, group)) for group in ("inheritance", "imports")]
        precision = f"{calls.precision:.3f} ({calls.right} of {calls.found})"
        recall = f"{calls.recall:.3f} ({calls.right} of {calls.true})"
        cells = [language, precision, recall, _pair(bare), *others]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _pair(of: Score) -> str:
    return f"{of.precision:.2f} / {of.recall:.2f}"


if __name__ == "__main__":
    print(table())
    ways = resolutions()
    for way in sorted({way for way, _ in ways}):
        print(f"{way}: {ways[way, True]} of {ways[way, True] + ways[way, False]} right")
