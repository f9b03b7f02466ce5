"""Replies as engines gave them: recorded from the real ones, or built from engines.md 4."""

import functools

from codequarry.engines import mapping as schema
from codequarry.engines.decoding import Reply, decode
from codequarry.engines.rows import Place
from codequarry.engines.subjects import Reading
from codequarry.engines.types import CodeRef

ROOT = "/srv/shop"

AXON_QUERY = '''=== test_apply_discount_of_a_coupon → ShoppingCart → add_article → total_cents ===
1. apply_discount (Function) -- shop/pricing.py
   def apply_discount(net_cents: int, coupon: str) -> int:     """Reduce a price by the percentage
2. total_cents (Method) -- shop/cart.py
   def total_cents(self, coupon: str = "") -> int:         """Give what the customer pays, discount

=== Other results ===
3. cart.py (File) -- shop/cart.py
   """What a customer is about to buy."""  from dataclasses import dataclass, field

Next: Use context() on a specific symbol for the full picture.'''

AXON_CONTEXT = """Symbol: add_article (Method)
File: shop/cart.py:23-29
Signature: def add_article(self, sku: str, quantity: int, unit_cents: int) -> None

Callers (2):
  -> test_add_article_twice_adds_quantities  tests/test_cart.py:4 (~)
  -> test_apply_discount_of_a_coupon  tests/test_cart.py:11 (~)

Callees (1):
  -> CartLine  shop/cart.py:9

Imported by (1):
  -> tests/test_cart.py

Next: Use impact() if planning changes to this symbol."""

AXON_IMPACT = """Impact analysis for: apply_discount (Function)
Depth: 3 | Total: 2 symbols

Depth 1 — Direct callers (will break):
  1. total_cents (Method) -- shop/cart.py:31  (confidence: 1.00)

Depth 2 — Indirect (may break):
  2. test_apply_discount_of_a_coupon (Function) -- tests/test_cart.py:11

Tip: Review each affected symbol before making changes."""

GITNEXUS_CONTEXT = """{"status": "found", "symbol": {"uid": "Function:pricing:apply_discount",
 "name": "apply_discount", "filePath": "shop/pricing.py", "startLine": 9, "endLine": 12},
 "incoming": {"calls": [{"uid": "m1", "name": "total_cents", "filePath": "shop/cart.py",
 "startLine": 31}]}, "outgoing": {}}

---
**Next:** use impact({target: "apply_discount"}) before you change it."""

GITNEXUS_AMBIGUOUS = """{"status": "ambiguous", "message": "67 symbols match", "candidates": [
 {"uid": "a", "name": "get", "filePath": "a.py", "line": 47, "kind": "Function"},
 {"uid": "b", "name": "get", "filePath": "b.py", "line": 61, "kind": "Method"}]}"""


@functools.cache
def mapping_of(engine: str) -> schema.Mapping:
    """Give a mapping that comes with codequarry."""
    return next(mapping for mapping in schema.shipped() if mapping.id == engine)


def reading(engine: str, operation: str, reply: Reply) -> Reading:
    """Decode a reply as the engine's adapter would."""
    mapping = mapping_of(engine)
    asked = mapping.operations[operation]
    place = Place(engine, "key", (ROOT, "/copies/shop"))
    return Reading(decode(reply, asked, mapping), asked, mapping, place)


def node(name: str, path: str = "", line: int | None = None) -> CodeRef:
    """Give what is asked about."""
    return CodeRef("key", path, line, None, None, name, "function")
