"""What a text names exactly."""

import pytest

from codequarry.retrieval.lexical.sql.candidates import SqlObject, named_exactly

NAMES = [
    "sales.orders",
    "orders_log",
    "Order Items",
    "dbo.Ünit",
    "notes",
    "my`tab",
    "warehouse.a.b",
]
OBJECTS = [
    SqlObject(("p", "a.sql"), "table", name, line, line, "0" * 12, "postgres", "unknown")
    for line, name in enumerate(NAMES, 1)
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sales.orders", ["sales.orders"]),
        ("orders", ["sales.orders"]),
        (" SALES.Orders; ", ["sales.orders"]),
        ('"sales"."orders"', ["sales.orders"]),
        ('sales . "orders"', ["sales.orders"]),
        ("[sales].[orders]", ["sales.orders"]),
        ("`orders`()", ["sales.orders"]),
        ("other.orders", []),
        ("Order Items", ["Order Items"]),
        ("[order items]", ["Order Items"]),
        ("dbo.ünit", ["dbo.Ünit"]),
        ("ÜNIT", ["dbo.Ünit"]),
        ("notes", ["notes"]),
        ("main.notes", ["notes"]),
        ("sales.notes", ["notes"]),
        ("json.notes", []),
        ("`my``tab`", ["my`tab"]),
        ("a.b", ["warehouse.a.b"]),
        ("orders log", []),
        ("order", []),
        ("rders", []),
        ("", []),
        (";()", []),
    ],
)
def test_names(text: str, expected: list[str]) -> None:
    """A name is exact with its schema or without, in any case and any dialect's quotes."""
    assert [NAMES[number] for number in named_exactly(text, OBJECTS)] == expected
