"""A symbol as the extractor finds it."""

from typing import NamedTuple


class Symbol(NamedTuple):
    """One definition of a file, in the field order of the fingerprint (contract.md C2).

    Lines are 1-based and inclusive. ``start_line`` is the line of the declaration itself: doc
    comments, annotations and decorators lie above it. ``source_hash`` is the SHA-256 of the bytes
    from the declaration to its end (C6). A named tuple, because thousands of them travel between
    processes.
    """

    file: str
    start_line: int
    end_line: int
    symbol: str
    fqn: str
    kind: str
    language: str
    signature: str
    docstring: str
    source_hash: str
