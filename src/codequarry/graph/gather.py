"""What the files of a project mention: from the cache where it knows them, else parsed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from codequarry.graph.asking import asked
from codequarry.graph.cache import Entry, MentionsCache, content_key
from codequarry.graph.packing import pack, unpack
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.graph.references import Mentions
from codequarry.graph.sources import Extract, Source, extract_of, size_of
from codequarry.syntax.grammars import grammar_of
from codequarry.syntax.pool import CRASHED, TIMED_OUT, Outcome, map_files

_CHUNK = 256
_LASTING = frozenset({CRASHED, TIMED_OUT})
_NOTHING = Mentions([], [], [])


class Gathered(NamedTuple):
    """What came of one file: its mentions, or the reason why there are none."""

    source: Source
    mentions: Mentions | None
    failure: str = ""


def sources_of(root: Path, snapshot: pa.Table) -> list[Source]:
    """Give the files of a snapshot that hold references.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT.
    """
    columns = (snapshot[name].to_pylist() for name in ("path", "os_path", "size", "sha256"))
    return [
        Source(str(root), path, os_path, grammar, size, sha256)
        for path, os_path, size, sha256 in zip(*columns, strict=True)
        if (grammar := grammar_of(path)) in REFERENCE_GRAMMARS
    ]


def gather(
    sources: Sequence[Source], cache: MentionsCache | None, met: Counter[str], *, retry: bool
) -> Iterator[Gathered]:
    """Give what files mention, in no particular order; what had to be parsed is kept.

    Args:
        sources: The files.
        cache: The project's cache.
        met: Counts to add to; the keys are those of `codequarry.graph.build.Counts`.
        retry: Whether to parse again what could not be parsed before.
    """
    missing = list(sources)
    if cache is not None:
        missing = []
        keys = [key_of(source, cache) for source in sources]
        known = cache.known(failed=not retry, among=keys)
        for start in range(0, len(sources), _CHUNK):
            end = start + _CHUNK
            for source, mentions in _recalled(sources[start:end], keys[start:end], cache, known):
                if mentions is None:
                    missing.append(source)
                else:
                    met["files_cached"] += 1
                    yield Gathered(source, mentions)
    for outcome in _parsed(missing, cache):
        found = None if outcome.value is None else unpack(outcome.value.mentions)
        yield Gathered(outcome.item, found, "" if found else outcome.failure or TIMED_OUT)


def fill(sources: Iterable[Source], cache: MentionsCache) -> None:
    """Parse the files whose contents the cache does not know."""
    known = cache.known(failed=True)
    for _ in _parsed([source for source in sources if key_of(source, cache) not in known], cache):
        pass


def key_of(source: Source, cache: MentionsCache) -> bytes:
    """Give the cache's key of the content that the snapshot saw."""
    return content_key(cache.extractor, source.grammar, source.sha256)


def _recalled(
    sources: Sequence[Source], keys: Sequence[bytes], cache: MentionsCache, known: set[bytes]
) -> Iterator[tuple[Source, Mentions | None]]:
    packed = cache.read([key for key in keys if key in known])
    for source, key in zip(sources, keys, strict=True):
        yield source, unpack(packed[key]) if key in packed else None


def _parsed(
    sources: Sequence[Source], cache: MentionsCache | None
) -> Iterator[Outcome[Source, Extract | None]]:
    entries: list[Entry] = []
    for outcome in map_files(extract_of, sources, size_of):
        yield outcome
        if cache is not None:
            entries.extend(_entry(outcome, cache))
            if len(entries) >= _CHUNK:
                cache.write(entries)
                entries = []
    if cache is not None:
        cache.write(entries)


def _entry(outcome: Outcome[Source, Extract | None], cache: MentionsCache) -> Iterator[Entry]:
    """Give what to keep: nothing of a file that is no longer the snapshot's."""
    source, found = outcome.item, outcome.value
    key = key_of(source, cache)
    if found is not None and found.sha256 == source.sha256:
        yield Entry(key, found.mentions, found.asked)
    elif found is None and (outcome.failure in _LASTING or not outcome.failure):
        failure = outcome.failure or TIMED_OUT
        yield Entry(key, pack(_NOTHING), asked(_NOTHING, source.grammar), failure)
