"""Facts of scripts, read once for each content and kept on disk.

It is only ever a help: what cannot be read or written is read from the script again.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from codequarry.core.errors import StateError
from codequarry.core.files import write_atomically
from codequarry.core.hashing import is_hex
from codequarry.core.state import StateDirectory
from codequarry.retrieval.lexical.sql.facts import Script
from codequarry.retrieval.lexical.sql.worker import read_item, size_of
from codequarry.retrieval.lexical.texts import Place
from codequarry.syntax.pool import map_files
from codequarry.syntax.versions import reader_version

SCRIPT_SECONDS = 20.0
"""How long the reading of one script may take before its process is ended."""


def scripts_of(
    hashes: Mapping[Place, str], texts: Mapping[Place, str], state: StateDirectory
) -> dict[Place, Script]:
    """Give what was read of scripts; one that could not be read in time is left out.

    Args:
        hashes: Every script to its file's hash.
        texts: Every script to its text.
        state: Where facts are kept.
    """
    found = {place: kept for place in hashes if (kept := kept_script(state, hashes[place]))}
    missing = [place for place in hashes if place not in found and place in texts]
    items = [(place, texts[place]) for place in missing]
    for outcome in map_files(read_item, items, size_of, seconds=SCRIPT_SECONDS):
        if outcome.value is not None:
            place = outcome.item[0]
            found[place] = outcome.value
            with suppress(StateError):
                path = _file(state, hashes[place])
                write_atomically(path, msgspec.json.encode(outcome.value))
    return found


def kept_script(state: StateDirectory, source_hash: str) -> Script | None:
    """Give the facts that are kept of a content."""
    if not is_hex(source_hash, 64):
        return None
    try:
        return msgspec.json.decode(_file(state, source_hash).read_bytes(), type=Script)
    except (OSError, msgspec.MsgspecError):
        return None


def _file(state: StateDirectory, source_hash: str) -> Path:
    version = reader_version(__package__, "sqlglot").hex()[:12]
    return state.cache / "sql" / source_hash[:2] / f"{source_hash}.{version}.json"
