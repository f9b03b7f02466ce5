"""What annotations and values tell of types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.graph.typed import chain, type_chain


@pytest.mark.parametrize(
    ("annotation", "named"),
    [
        ("Store", "Store"),
        (": Store", "Store"),
        ("'Store'", "Store"),
        ("store.Store", "store.Store"),
        ("*st.Store", "st.Store"),
        ("&mut store::Cache", "store.Cache"),
        ("&'a dyn Rule", "Rule"),
        ("const geo::Shape &", "geo.Shape"),
        ("?Store", "Store"),
        ("Store?", "Store"),
        ("Store | None", "Store"),
        ("null | Store", "Store"),
        ("Optional[Store]", "Store"),
        ("typing.Optional['Store']", "Store"),
        ("Annotated[Store, 1]", "Store"),
        ("std::unique_ptr<geo::Circle>", "geo.Circle"),
        ("Arc<Store>", "Store"),
        ("Box<dyn Rule>", "Rule"),
        ("List<String>", "List"),
        ("Map<string, Store>", "Map"),
        ("list[Store]", "list"),
        ("\\Shop\\Store", "Shop.Store"),
    ],
)
def test_one_class(annotation: str, named: str) -> None:
    """The class that an annotation names is found in each language's spelling."""
    assert type_chain(annotation) == named


@pytest.mark.parametrize(
    "annotation",
    ["", "A | B", "Store[]", "[]Store", "(a: A) => B", "{ get(): A }", "None", "func(A) B", "A, B"],
)
def test_no_one_class(annotation: str) -> None:
    """Several classes, collections and functions tell no type."""
    assert type_chain(annotation) == ""


@pytest.mark.parametrize("text", ["a.b", "a->b", "a::b", "a?.b", "$a->b", "a\\b"])
def test_chains_have_one_spelling(text: str) -> None:
    """However parts are separated, a chain joins them with dots."""
    assert chain(text) == "a.b"


@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    """Of any text comes a chain of names, or nothing: never an expression."""
    for found in (type_chain(text), chain(text)):
        assert not found or all(found.split("."))
        assert not set(found) & set(" \n()[]{}<>|,'\"&*?!:")
