"""What one step of a run hands to the next: Arrow tables on disk, one folder per attempt.

A step produces a `ChangesetStream`; once written, the next step reads it as a `Changeset`, whose
tables are memory-mapped.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa

from codequarry.core.errors import StateError
from codequarry.core.files import unwritable, write_atomically

_HEADER = "changeset.json"


Mode = Literal["full", "delta", "none"]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a project one run touches, and why.

    Args:
        mode: ``full`` replaces the project; ``delta`` only the files listed; ``none`` nothing.
        reason: A word of a bounded vocabulary.
        from_fingerprint: Fingerprint of the last certified export, or empty.
        to_fingerprint: Fingerprint of this run's export, or empty.
        changed: Paths that a delta ingests, ascending by bytes.
        deleted: Paths that a delta removes, ascending by bytes.
        base: The published attempt whose rows a delta builds on; empty otherwise.
    """

    mode: Mode = "full"
    reason: str = ""
    from_fingerprint: str = ""
    to_fingerprint: str = ""
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    base: str = ""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """Which attempt on which project a changeset belongs to, its tree, and the run's plan.

    Args:
        attempt_id: The attempt.
        project: Its project.
        root: Where that lies.
        snapshot: One hash over every eligible file's path and sha256, once they are known.
        plan: The run's plan, once there is one.
    """

    attempt_id: str
    project: str
    root: str
    snapshot: str = ""
    plan: Plan = Plan()


@dataclass(frozen=True)
class ChangesetStream:
    """A changeset being produced.

    Args:
        header: Its attempt.
        schemas: Table name to Arrow schema; a table without a batch is empty.
        batches: Pairs of table name and record batch, in any interleaving.
        notes: Called after the last batch; small JSON facts about the whole.
    """

    header: Header
    schemas: Mapping[str, pa.Schema]
    batches: Iterable[tuple[str, pa.RecordBatch]]
    notes: Callable[[], Mapping[str, Any]] = dict


@dataclass(frozen=True)
class Changeset:
    """A changeset on disk.

    Args:
        header: Its attempt.
        tables: Table name to memory-mapped table.
        notes: Small JSON facts about the whole.
        bytes: Size on disk.
    """

    header: Header
    tables: Mapping[str, pa.Table]
    notes: Mapping[str, Any] = field(default_factory=dict)
    bytes: int = 0


def tables(header: Header, named: Mapping[str, pa.Table], **notes: Any) -> ChangesetStream:
    """Make a stream of whole tables."""
    return ChangesetStream(
        header,
        {name: table.schema for name, table in named.items()},
        ((name, batch) for name, table in named.items() for batch in table.to_batches()),
        lambda: notes,
    )


def write(directory: Path, stream: ChangesetStream) -> None:
    """Write a changeset; its header comes last, so that a half-written one is never read.

    Raises:
        StateError: The directory cannot be written.
    """
    try:
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True, mode=0o700)
        with contextlib.ExitStack() as stack:
            writers = {
                name: stack.enter_context(
                    pa.OSFile(str(directory / f"{name}.arrow"), "wb"),
                )
                for name in stream.schemas
            }
            files = {
                name: stack.enter_context(pa.ipc.new_file(writers[name], schema))
                for name, schema in stream.schemas.items()
            }
            for name, batch in stream.batches:
                files[name].write_batch(batch)
    except OSError as error:
        raise unwritable(directory, error) from error
    body = {
        "header": stream.header,
        "tables": list(stream.schemas),
        "notes": dict(stream.notes()),
    }
    write_atomically(directory / _HEADER, msgspec.json.encode(body))


def read(directory: Path) -> Changeset:
    """Open a changeset.

    Raises:
        StateError: There is none, or it is damaged.
    """
    try:
        body = msgspec.json.decode((directory / _HEADER).read_bytes())
        header = msgspec.convert(body["header"], Header)
        paths = [directory / f"{name}.arrow" for name in body["tables"]]
        opened = {path.stem: _open(path) for path in paths}
        size = sum(path.stat().st_size for path in paths)
    except (OSError, KeyError, msgspec.MsgspecError, pa.ArrowInvalid) as error:
        raise StateError(
            f"the changeset {directory} is missing or damaged",
            "run the whole job again; a step cannot run without the ones before it",
        ) from error
    return Changeset(header, opened, body["notes"], size)


def _open(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path), "r")).read_all()


def prune(directory: Path, keep: int, current: str) -> None:
    """Remove old attempts below ``directory``: all but ``current`` and the newest others.

    Args:
        directory: Its folders are attempts.
        keep: How many stay in all.
        current: The attempt that goes on, whatever the clock says of its age.
    """
    with contextlib.suppress(OSError):
        others = sorted(
            (path for path in directory.iterdir() if path.is_dir() and path.name != current),
            key=lambda path: path.stat().st_mtime_ns,
            reverse=True,
        )
        for path in others[keep - 1 :]:
            shutil.rmtree(path, ignore_errors=True)


def spool(schema: pa.Schema, batches: Iterable[pa.RecordBatch], directory: Path) -> pa.Table:
    """Write batches to an unnamed file and map it, so that a large table takes no memory.

    Args:
        schema: Of the batches.
        batches: The rows.
        directory: Where the file lies; it vanishes with the table.

    Raises:
        StateError: The directory cannot be written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=directory, prefix=".spool-") as handle:
            with pa.ipc.new_file(handle, schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)
            handle.flush()
            return _open(Path(handle.name))
    except OSError as error:
        raise unwritable(directory, error) from error
