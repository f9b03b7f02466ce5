import polars as pl

from codequarry.retrieval.structure.cluster_words import WORDS, distinctive_words

MEMBERS = pl.DataFrame({"path": ["a.py", "b.py", "c.py"], "cluster": [1, 1, 2]})


def symbols(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, ["path", "symbol", "kind"], orient="row")


def test_rare_words_come_first() -> None:
    """What only one cluster says comes before what all say, however often it is said."""
    found = distinctive_words(
        MEMBERS,
        symbols(
            ("a.py", "get_invoice", "function"),
            ("b.py", "get_invoices", "function"),
            ("b.py", "getInvoices", "method"),
            ("c.py", "get_shape", "function"),
            ("c.py", "get_area", "function"),
            ("c.py", "shape", "class"),
        ),
    )
    assert list(found[1].values()) == ["invoices", "get"]
    assert list(found[2].values()) == ["shape", "area", "get"]


def test_what_is_no_word() -> None:
    """Files, numbers, single letters, stop words and files outside of clusters do not count."""
    found = distinctive_words(
        MEMBERS,
        symbols(
            ("a.py", "parse.py", "file"),
            ("a.py", "x_12_the", "function"),
            ("elsewhere.py", "walk", "function"),
        ),
    )
    assert found == {}


def test_order_does_not_matter() -> None:
    """Rows in another order give the same words in the same order, at most `WORDS` of them."""
    rows = [("a.py", f"{first}{second}", "function") for first in "klmnp" for second in "qrstv"]
    found = distinctive_words(MEMBERS, symbols(*rows))
    assert found == distinctive_words(MEMBERS, symbols(*reversed(rows)))
    assert list(found[1]) == sorted(found[1])
    assert len(found[1]) == WORDS
