"""The order in which retained and new records are hashed."""

import random

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from codequarry.runs.retained import in_order_of_files

PATHS = st.lists(st.text("ab/\u00e9\U0001f600", min_size=1, max_size=3), unique=True, max_size=8)


@given(paths=PATHS, counts=st.lists(st.integers(1, 3), min_size=8, max_size=8), seed=st.integers())
def test_files_come_in_export_order(paths: list[str], counts: list[int], seed: int) -> None:
    """Files ascend by the bytes of their path, and each keeps its records in their order."""
    files = [(path, line) for path, n in zip(paths, counts, strict=False) for line in range(n)]
    stored = sorted(paths, key=lambda _: random.Random(seed).random())
    laid_out = sorted(files, key=lambda row: stored.index(row[0]))
    columns = {"file": [path for path, _ in laid_out], "line": [line for _, line in laid_out]}
    schema = pa.schema([("file", pa.string()), ("line", pa.int64())])
    found = in_order_of_files(pa.table(columns, schema=schema)).to_pylist()
    expected = sorted(files, key=lambda row: row[0].encode())
    assert [(row["file"], row["line"]) for row in found] == expected
