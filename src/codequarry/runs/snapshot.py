"""Step 1: the inventory of the project's eligible files."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from codequarry.core.changeset import Changeset, ChangesetStream, Header, tables
from codequarry.core.errors import ProjectError
from codequarry.core.hashing import sha256_hex
from codequarry.sources.drift import hashes_of
from codequarry.sources.eligibility import HashCache
from codequarry.sources.walk import inventory, unread_files

SNAPSHOT, SKIPPED = "snapshot", "skipped"


@dataclass(frozen=True)
class Taken:
    """A snapshot being handed over.

    Args:
        stream: Its changeset.
        digest: One hash over every file's path and sha256.
    """

    stream: ChangesetStream
    digest: str


def take_snapshot(header: Header, hashes: HashCache | None = None) -> Taken:
    """Walk and hash the project.

    Args:
        header: The run's header.
        hashes: Saves the reading of unchanged files.

    Raises:
        ProjectError: The root or a directory in it cannot be listed. What is indexed of an
            unlisted directory would be lost, so such a walk never becomes a snapshot (E2).
    """
    found = inventory(Path(header.root), None, hashes)
    if found.errors:
        raise ProjectError(
            f"{found.errors} directories or ignore files below {header.root} cannot be read",
            "give this user the permission, or name the directories in .gitignore",
        )
    stream = tables(
        header,
        {SNAPSHOT: found.files, SKIPPED: found.skipped},
        source_bytes=pc.sum(found.files["size"]).as_py() or 0,
        skipped=dict(Counter(found.skipped["reason"].to_pylist())),
        unread=unread_files(found.skipped),
    )
    return Taken(stream, sha256_hex("\0".join(map("\0".join, hashes_of(found.files).items()))))


def unread_of(stored: Changeset) -> dict[str, int]:
    """Give each language to the number of its files that a snapshot had to leave out."""
    unread: dict[str, int] = stored.notes["unread"]
    return unread


def escaping_paths(stored: Changeset) -> list[str]:
    """Give the paths of a snapshot that would leave the root."""
    paths = stored.tables[SNAPSHOT]["path"]
    leaving = pc.match_substring_regex(paths, r"^/|(^|/)\.\.(/|$)")
    found: list[str] = paths.filter(leaving).to_pylist()
    return found


def incomplete_hashes(stored: Changeset) -> list[str]:
    """Give the paths of a snapshot whose sha256 is not 64 hexadecimal digits."""
    table = stored.tables[SNAPSHOT]
    sound = pc.match_substring_regex(table["sha256"], "^[0-9a-f]{64}$")
    broken: list[str] = table.filter(pc.invert(sound))["path"].to_pylist()
    return broken
