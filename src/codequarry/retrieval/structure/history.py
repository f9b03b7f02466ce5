"""Which files changed together, read from git once for each commit that is checked out."""

import contextlib
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.errors import StateError
from codequarry.core.files import write_atomically
from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.graph.coupling import COUPLINGS, change_log, couplings, head_commit

_COMMIT = b"commit"


def coupled_with(state: StateDirectory, root: Path, path: str) -> Mapping[str, float]:
    """Give the files that changed with one, and how strongly (docs/graph.md), 0 to 1.

    Nothing outside of a git repository. The answer for a commit is kept in the cache; a cache that
    cannot be written is no failure.
    """
    pairs = _couplings(state, root)
    here = pairs.filter(pc.or_(pc.equal(pairs["path"], path), pc.equal(pairs["other"], path)))
    return {
        row["other"] if row["path"] == path else row["path"]: row["strength"]
        for row in here.to_pylist()
    }


def _couplings(state: StateDirectory, root: Path) -> pa.Table:
    commit = head_commit(root)
    if not commit:
        return COUPLINGS.empty_table()
    kept = state.cache / "coupling" / f"{evidence_key(root)}.arrow"
    with contextlib.suppress(OSError, pa.ArrowInvalid), pa.OSFile(str(kept)) as file:
        table = pa.ipc.open_file(file).read_all()
        if (table.schema.metadata or {}).get(_COMMIT) == commit.encode():
            return table
    found = couplings(change_log(root, commit))
    labelled = found.replace_schema_metadata({_COMMIT: commit.encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, labelled.schema) as writer:
        writer.write_table(labelled)
    with contextlib.suppress(StateError, OSError):
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(kept, sink.getvalue().to_pybytes())
    return found
