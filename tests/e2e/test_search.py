"""Questions to the indexed shop whose right answers are known."""

import json
from pathlib import Path

import pytest

from codequarry.retrieval.query import Filters
from tests.cli.commands import here
from tests.e2e.conftest import Shop
from tests.e2e.running import names, search

QUESTIONS = {
    "how are discounts applied to a price": "apply_discount",
    "validate a postal code": "validatePostalCode",
    "cheapest carrier for a parcel": "cheapest_carrier",
    "reserve stock for an order": "reserveStock",
    "convert an amount between currencies": "convert_currency",
    "what is the refund policy": "Shop > Refund policy",
    "volumetric weight": "volumetric_weight",
    "revenue per customer": "revenue_per_customer",
    "database pool size": "pool_size",
    "ShoppingCart": "ShoppingCart",
    "RefundPayment": "RefundPayment",
    "read_registry": "read_registry",
    "LastLine": "LastLine",
    "parse_supplier_feed": "parse_supplier_feed",
}


@pytest.mark.parametrize(("question", "symbol"), QUESTIONS.items())
def test_known_question(shop: Shop, question: str, symbol: str) -> None:
    """A question about each language's code finds its symbol first."""
    assert names(search(shop.state, question, "shop"))[0] == symbol


def test_broken_file_keeps_what_parses(shop: Shop) -> None:
    """The half-written part of a file with a syntax error is found too, in a chunk of its own."""
    first = search(shop.state, "unfinished", "shop")[0]
    assert first.path == "legacy/broken_import.py"
    assert "def unfinished" in first.content


def test_ignored_files_are_not_there(shop: Shop) -> None:
    """What the project's .gitignore names is not found."""
    found = search(shop.state, "generatedBundleCode nobody wants indexed", "shop", limit=1000)
    assert not {hit.path for hit in found} & {"generated/bundle.js", "debug.log"}


def test_filters(shop: Shop) -> None:
    """Language, path and kind each narrow the answer, and together they all hold."""

    def paths(**given: tuple[str, ...]) -> set[str]:
        found = search(shop.state, "customer order", "shop", filters=Filters(**given), limit=1000)
        return {hit.path for hit in found}

    assert {path.rpartition(".")[2] for path in paths(languages=("Go", "rust"))} == {"go", "rs"}
    assert paths(globs=("shop/*.py",)) == {"shop/__init__.py", "shop/cart.py", "shop/pricing.py"}
    assert paths(globs=("*.sql",)) == {"db/schema.sql"}
    assert paths(globs=("**/warehouse/**",), languages=("java",), kinds=("method",)) == {
        "warehouse/src/main/java/com/shop/warehouse/StockLedger.java"
    }
    assert paths(globs=("*.sql",), languages=("python",)) == set()
    kinds = search(shop.state, "cart", "shop", filters=Filters(kinds=("class",)), limit=1000)
    assert {hit.chunk_type for hit in kinds} == {"class"}


def test_text_search_needs_no_model(shop: Shop) -> None:
    """Keyword and semantic mode both find the symbol; keyword mode finds nothing without words."""
    for mode in ("keyword", "semantic"):
        assert "apply_discount" in names(search(shop.state, "apply discount coupon", mode=mode))[:2]
    assert search(shop.state, "zzzqqqxxx", "shop", mode="keyword") == ()


def test_json_is_a_bare_array(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """JSON output is an indented array without a last newline, of hits with the contract's keys."""
    ran = here(capfd, "search", "-p", "shop", "-f", "json", "apply", "discount")
    hits = json.loads(ran.out)
    assert ran.code == 0
    assert ran.out == json.dumps(hits, indent=2, ensure_ascii=False)
    assert list(hits[0]) == [
        *("chunk_id", "file_id", "file_path", "relative_path", "content", "start_line", "end_line"),
        *("chunk_type", "symbol_name", "selector", "source_hash", "language", "distance", "score"),
        "project",
    ]
    assert hits[0]["selector"] == {
        "file": "shop/pricing.py",
        "start_line": 9,
        "fqn": "pricing.apply_discount",
        "kind": "function",
    }
    lines = Path(hits[0]["file_path"]).read_text().split("\n")
    shown = "\n".join(lines[hits[0]["start_line"] - 1 : hits[0]["end_line"]])
    assert hits[0]["content"].rstrip("\n") == shown.rstrip("\n")
    assert [hit["score"] for hit in hits] == sorted((h["score"] for h in hits), reverse=True)


def test_nothing_found_is_an_empty_array(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """When nothing matches, stdout is exactly two characters and the exit code is 0."""
    ran = here(capfd, "search", "-p", "shop", "-f", "json", "-l", "dart", "anything")
    assert (ran.code, ran.out) == (0, "[]")


def test_text_output_leads_to_the_place(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """A person reads path, line, score and name, and with --explain why a hit stands there."""
    ran = here(capfd, "search", "-p", "shop", "-n", "1", "--explain", "apply_discount")
    assert ran.out.startswith("shop/pricing.py:9  1.00  pricing.apply_discount\n")
    assert "why: " in ran.out


def test_same_question_same_answer(shop: Shop) -> None:
    """Two searches give the same hits in the same order with the same scores."""
    first = search(shop.state, "customer pays for an order", limit=50)
    assert search(shop.state, "customer pays for an order", limit=50) == first
    assert len({hit.chunk_id for hit in first}) == len(first) > 10
