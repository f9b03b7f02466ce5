"""How many files and rows a run touches."""

import pyarrow as pa
import pytest

from codequarry.core.changeset import Plan
from codequarry.index.publish import Replaced
from codequarry.receipts.changes import FileChanges, RowChanges, file_changes, row_changes
from tests.receipts.test_evidence import health

BEFORE = health(source_hashes={"a": "0" * 64, "b": "0" * 64, "gone": "0" * 64})
NOW = pa.table({"path": ["a", "b", "new"], "sha256": ["1" * 64, "0" * 64, "2" * 64]})


@pytest.mark.parametrize(
    ("plan", "known", "expected"),
    [
        (Plan(mode="full"), True, FileChanges(1, 1, 1)),
        (Plan(mode="full"), False, FileChanges(0, 3, 0)),
        (Plan(mode="delta", changed=("a", "b", "new"), deleted=("gone", "never seen")), True,
         FileChanges(2, 1, 1)),
        (Plan(mode="none"), True, FileChanges(0, 0, 0)),
    ],
)  # fmt: skip
def test_files(plan: Plan, known: bool, expected: FileChanges) -> None:
    """Files are changed, new or deleted against what was certified; without that, all are new."""
    assert file_changes(plan, NOW, BEFORE if known else None) == expected


def test_rows() -> None:
    """Rows written and removed are summed over the tables."""
    assert row_changes([Replaced(3, 1), Replaced(2, 0)]) == RowChanges(5, 1)
    assert row_changes([]) == RowChanges()
