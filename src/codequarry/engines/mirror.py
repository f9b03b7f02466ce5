"""An engine's copy of a project: the eligible files and nothing else (engines.md 8, worktrees).

Engines write beside what they index, and read whatever lies there. So each gets a copy, in the
state directory: a repository is never written to, ignored files and their secrets never reach an
engine, and what an engine indexed is known by content.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codequarry.core.errors import EngineError
from codequarry.core.files import UnsafeFile, read_contained, unwritable, write_atomically
from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.core.text import ascending
from codequarry.engines import copied
from codequarry.engines.bench import Bench
from codequarry.engines.copied import Copied
from codequarry.sources.drift import Drift, drift_between, hashes_of
from codequarry.sources.hash_cache import remembered
from codequarry.sources.walk import inventory

_MANIFEST = "copied.json"
_INDEXED = "indexed.json"


class Indexed(msgspec.Struct, frozen=True):
    """What an engine's last good sync covered.

    Args:
        digest: Of the copy, then.
        commit: HEAD of the project, then; ``""`` without one.
    """

    digest: str
    commit: str = ""


@dataclass(frozen=True)
class Copy:
    """The state of a copy.

    Args:
        digest: One hash over every path and sha256 in it.
        written: Paths written by the last refresh, ascending by bytes.
        deleted: Paths deleted by it.
    """

    digest: str
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


def refresh(state: StateDirectory, bench: Bench) -> Copy:
    """Bring the copy up to the project's tree; files that nobody changed are left alone.

    Raises:
        EngineError: A part of the tree cannot be read.
        StateError: The copy cannot be written.
    """
    bench.prepare()
    with remembered(state, bench.project.root) as hashes:
        found = inventory(bench.project.root, None, hashes)
    if found.errors:
        raise EngineError(
            f"{found.errors} directories below {bench.project.root} cannot be read",
            "give this user the permission, or name them in .gitignore",
        )
    wanted = hashes_of(found.files)
    written = _written(bench)
    drift = drift_between(wanted, _known(bench))
    gone = [path for path in written if path not in wanted]
    own = dict(
        zip(found.files["path"].to_pylist(), found.files["os_path"].to_pylist(), strict=True)
    )
    done = {path: one for path, one in written.items() if path in wanted}
    try:
        for path in gone:
            copied.remove(bench.tree, path)
        for path in (*drift.new, *drift.modified):
            content = read_contained(bench.project.root, own[path])
            # What is copied is what is known, even if the file moved on since it was listed.
            done[path] = copied.write(bench.tree, path, content)
    except UnsafeFile as error:
        raise EngineError(f"a file of {bench.project.name} changed while it was copied") from error
    except OSError as error:
        raise unwritable(bench.tree, error) from error
    finally:
        write_atomically(_file(bench, _MANIFEST), msgspec.json.encode(done, order="sorted"))
    hashes_now = {path: one.sha256 for path, one in done.items()}
    return Copy(_digest(hashes_now), (*drift.new, *drift.modified), ascending(gone))


def pending(state: StateDirectory, bench: Bench) -> Drift | None:
    """Give how the project's tree differs from the copy; ``None`` when it cannot be read."""
    try:
        with remembered(state, bench.project.root) as hashes:
            found = inventory(bench.project.root, None, hashes)
    except OSError:
        return None
    return None if found.errors else drift_between(hashes_of(found.files), _known(bench))


def mark_indexed(bench: Bench, copy: Copy, commit: str) -> None:
    """Keep what a good sync covered."""
    write_atomically(_file(bench, _INDEXED), msgspec.json.encode(Indexed(copy.digest, commit)))


def indexed(bench: Bench) -> tuple[Indexed | None, bool]:
    """Give what the last good sync covered, and whether the copy still is that."""
    try:
        found = msgspec.json.decode(_file(bench, _INDEXED).read_bytes(), type=Indexed)
    except (OSError, msgspec.DecodeError):
        return None, False
    return found, found.digest == _digest(_known(bench))


def _known(bench: Bench) -> Mapping[str, str]:
    """Give the sha256 of every file of the copy that still is as it was written."""
    return {
        path: one.sha256
        for path, one in _written(bench).items()
        if copied.is_untouched(bench.tree, path, one)
    }


def _written(bench: Bench) -> Mapping[str, Copied]:
    try:
        raw = _file(bench, _MANIFEST).read_bytes()
        return msgspec.json.decode(raw, type=dict[str, Copied])
    except (OSError, msgspec.DecodeError):
        return {}


def _file(bench: Bench, name: str) -> Path:
    return bench.home.parent / name


def _digest(hashes: Mapping[str, str]) -> str:
    ordered = sorted(hashes.items(), key=lambda pair: pair[0].encode())
    return sha256_hex("\0".join(part for pair in ordered for part in pair))
