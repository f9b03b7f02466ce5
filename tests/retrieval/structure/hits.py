"""Hits as tests make them."""

from typing import Any

from codequarry.retrieval.search import Hit


def hit(score: float, fqn: str = "", chunk_id: int = 1, **changes: Any) -> Hit:
    """Make a hit of the function ``fqn`` in ``a.py``; without it, one that no symbol owns."""
    selector = {"file": "a.py", "start_line": 1, "fqn": fqn, "kind": "function"} if fqn else None
    made: dict[str, Any] = {
        "project": "p",
        "chunk_id": chunk_id,
        "path": "a.py",
        "content": "",
        "start_line": 1,
        "end_line": 2,
        "chunk_type": "function",
        "symbol_name": fqn,
        "selector": selector,
        "source_hash": "",
        "language": "python",
        "score": score,
        "components": {},
    }
    return Hit(**(made | changes))
