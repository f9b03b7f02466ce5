import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from codequarry.sources.drift import drift_between, drift_of

TREES = st.dictionaries(st.sampled_from(["a.py", "b/é.py", "b/z.py", "ﬀ", "\U0001d400"]), st.text())


def table(tree: dict[str, str]) -> pa.Table:
    columns = {"path": list(tree), "sha256": list(tree.values())}
    return pa.table(columns, schema=pa.schema({"path": pa.string(), "sha256": pa.string()}))


@given(TREES, TREES)
def test_tables_drift_as_mappings_do(current: dict[str, str], known: dict[str, str]) -> None:
    """Both ways of comparing two trees find the same, whatever the order of rows and chunks."""
    expected = drift_between(current, known)
    assert drift_of(table(current), table(known)) == expected
    some, rest = dict(list(known.items())[:2]), dict(list(known.items())[2:])
    assert drift_of(table(current), pa.concat_tables([table(rest), table(some)])) == expected
