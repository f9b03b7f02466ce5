"""The table of docs/retrieval.md."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from codequarry.core.files import write_atomically
from evaluation.scoring import mean
from evaluation.systems import Run

BEGIN, END = "<!-- evaluation: begin -->", "<!-- evaluation: end -->"


def lines(runs: Mapping[str, Mapping[str, Run]], left_out: Sequence[str]) -> Iterator[str]:
    """Give the report: set to system to run, and the corpora that could not be had."""
    yield "| set | system | file NDCG@10 | symbol NDCG@10 | recall@10 | MRR@10 | p50 ms | p95 ms |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, systems in runs.items():
        for system, run in systems.items():
            found = mean(run.scores)
            symbol = "" if math.isnan(found.symbol_ndcg) else f"{found.symbol_ndcg:.3f}"
            yield (
                f"| {name} ({len(run.scores)}) | {system} | {found.file_ndcg:.3f} | {symbol} "
                f"| {found.recall:.3f} | {found.reciprocal_rank:.3f} "
                f"| {run.milliseconds(0.5):.1f} | {run.milliseconds(0.95):.1f} |"
            )
    if left_out:
        yield ""
        yield f"Not measured, because they could not be had here: {', '.join(left_out)}."


def write(document: Path, report: Sequence[str]) -> None:
    """Put the report between its two marks in a document."""
    text = document.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    body = "\n".join([BEGIN, *report, END])
    write_atomically(document, f"{before}{body}{after}".encode(), 0o644)
