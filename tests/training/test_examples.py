"""The table of pairs."""

import pyarrow as pa

from training.examples import (
    MOST_OF_A_QUERY,
    PAIRS,
    choose_files,
    gather,
    plain,
    thin_names,
    without_echoes,
)
from training.pairs import SourceFile


def _table(*rows):
    return pa.Table.from_pylist(
        [{"kind": "doc", "query": query, "document": document} for query, document in rows], PAIRS
    )


def test_no_evaluation_query_is_learnt():
    """A pair whose query is an evaluation query is dropped, however it is spelt."""
    pairs = _table(("Open the  FILE.", "a"), ("open the door", "b"))
    kept = without_echoes(pairs, frozenset({plain("open the file")}))
    assert kept["document"].to_pylist() == ["b"]


def test_a_pair_counts_once_and_a_query_a_few_times():
    """Doubles are dropped, and so is what many definitions say of themselves; order is kept."""
    same = [("Run the test case.", str(number)) for number in range(MOST_OF_A_QUERY + 3)]
    kept = without_echoes(_table(("x", "y"), ("x", "y"), *same), frozenset())
    wanted = ["y", *(str(number) for number in range(MOST_OF_A_QUERY))]
    assert kept["document"].to_pylist() == wanted


def test_three_in_ten_name_pairs_are_learnt():
    """The choice depends on the document alone; pairs of prose are all kept."""
    prose = _table(*(("what it does", str(number)) for number in range(1000)))
    names = prose.set_column(0, "kind", pa.array(["name"] * 1000))
    assert thin_names(prose).equals(prose)
    kept = thin_names(names)["document"].to_pylist()
    assert 200 < len(kept) < 400
    assert thin_names(names.slice(500))["document"].to_pylist() == [
        document for document in kept if int(document) >= 500
    ]


def test_files_are_chosen_within_a_budget():
    """The choice holds the budget, keeps the order and does not depend on it."""
    files = [SourceFile(b"/x", f"{number}.py", 10) for number in range(20)]
    chosen = choose_files(files, 95)
    assert len(chosen) == 9
    assert chosen == sorted(chosen, key=files.index)
    assert set(choose_files(files[::-1], 95)) == set(chosen)


def test_packages_become_one_table(tmp_path):
    """Pairs of packages follow each other in the order given, twice the same."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(
            f'def open_it(path):\n    """Open the file of {name} and read it."""\n'
            "    handle = open(path)\n    return handle.read()\n"
        )
    sources = [(tmp_path / "two", 1000), (tmp_path / "one", 1000)]
    pairs = gather(sources, frozenset())
    assert pairs.schema == PAIRS
    documented = [row["query"] for row in pairs.to_pylist() if row["kind"] == "doc"]
    assert documented == ["Open the file of two and read it.", "Open the file of one and read it."]
    assert gather(sources, frozenset()).equals(pairs)
