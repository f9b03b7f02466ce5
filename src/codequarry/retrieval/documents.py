"""Hits as documents for other programs (contract.md F7, F8)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from codequarry.retrieval.search import Hit
from codequarry.schemas.search import SearchEnvelope, SearchHit, SearchIndex, Selector


def hit_document(hit: Hit, roots: Mapping[str, Path], *, explained: bool = False) -> SearchHit:
    """Write one hit.

    Args:
        hit: The hit.
        roots: Name of each project to its root.
        explained: Also say what it scored for.
    """
    return SearchHit(
        chunk_id=hit.chunk_id,
        file_id=0,
        file_path=str(roots.get(hit.project, Path("/")) / hit.path),
        relative_path=hit.path,
        content=hit.content,
        start_line=hit.start_line,
        end_line=hit.end_line,
        chunk_type=hit.chunk_type,
        symbol_name=hit.symbol_name,
        selector=None if hit.selector is None else msgspec.convert(dict(hit.selector), Selector),
        source_hash=hit.source_hash,
        language=hit.language,
        distance=hit.score,
        score=hit.score,
        project=hit.project,
        components=dict(hit.components) if explained else None,
        reasons=list(hit.reasons) if explained else None,
    )


def envelope(hits: Sequence[SearchHit], chunks: int, *, fresh: bool) -> SearchEnvelope:
    """Wrap hits with what the index was like.

    Args:
        hits: The hits, best first.
        chunks: Chunks of the projects that were asked.
        fresh: Whether each of them is known to equal its working tree; unsure is false.
    """
    return SearchEnvelope(1, SearchIndex(chunks > 0, fresh, chunks), list(hits))
