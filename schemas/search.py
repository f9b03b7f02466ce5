"""The documents of a search: hits as contract.md F7 spells them, and the envelope of F8."""

import msgspec


class Selector(msgspec.Struct, frozen=True):
    """The declaration a hit belongs to; the only join key between tools (D1)."""

    file: str
    start_line: int
    fqn: str
    kind: str


class SearchHit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hit (F7). ``project``, ``components`` and ``reasons`` are ours, and additive."""

    chunk_id: int
    file_id: int
    file_path: str
    relative_path: str
    content: str
    start_line: int
    end_line: int
    chunk_type: str
    symbol_name: str = ""
    selector: Selector | None = None
    source_hash: str = ""
    language: str
    distance: float
    score: float
    structural_score: float | None = None
    reranked: bool = False
    project: str
    components: dict[str, float] | None = None
    reasons: list[str] | None = None


class SearchIndex(msgspec.Struct, frozen=True):
    """What the index was like when it answered (F8)."""

    indexed: bool
    fresh: bool
    chunks: int


class SearchEnvelope(msgspec.Struct, frozen=True):
    """A whole answer (F8); `SEARCH_SCHEMA` is its JSON schema."""

    schema_version: int
    index: SearchIndex
    hits: list[SearchHit]


SEARCH_SCHEMA = "vecgrep.search.v1.schema.json"
"""File beside this module that describes `SearchEnvelope`, for readers in other languages."""
