"""Do the records we keep and the records of a delta give the fingerprint it leads to? (J-10)."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.changeset import Header
from codequarry.core.hashing import EXPORT_ORDER, producer_key
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import Exported, published
from codequarry.index.store import SYMBOLS, Store, of_project, rows
from codequarry.producers.records import fingerprint_matches, validate
from codequarry.runs.pages import bodies
from codequarry.schemas.tables import RECORDS

_FILE_NODE = "file"


def gives_fingerprint(
    state: StateDirectory, header: Header, pages: pa.Table, total_records: int
) -> bool:
    """Recompute the fingerprint a delta leads to.

    Args:
        state: The state directory.
        header: The attempt, with the delta's plan.
        pages: The filtered export, schemas.tables.PAGES; empty for deletions only.
        total_records: Records of the producer's whole index.

    Returns:
        False when the records contradict the attestation: other records than those we keep are
        not as they were, in number or in content. Where some were left out before, or are now, the
        number alone can contradict.

    Raises:
        ExportRejected: The pages break a record rule.
    """
    plan = header.plan
    stored, left_out = _stored(state, header.project)
    if left_out < 0:
        return False  # nobody wrote down how many there were
    gone = pc.is_in(stored["file"], pa.array((*plan.changed, *plan.deleted), pa.string()))
    kept, new = stored.filter(pc.invert(gone)), RECORDS.empty_table()
    if pages.num_rows:
        new = validate(bodies(pages), Path(header.root)).records
        left_out += pc.sum(pages["returned_records"]).as_py() - new.num_rows
    everything = pa.concat_tables([kept, new.select(kept.schema.names)])
    if everything.num_rows + left_out != total_records:
        return False
    key = producer_key(header.root)
    # Nothing promises the order of stored rows, so only a full sort may contradict.
    return left_out > 0 or any(
        fingerprint_matches(arrange(everything), key, plan.to_fingerprint) is not False
        for arrange in (in_order_of_files, _in_export_order)
    )


def in_order_of_files(records: pa.Table) -> pa.Table:
    """Put the files in the order of contract.md A1.3, each file's records as they come.

    The store keeps a file's records together and in order, and most files as well: then this is
    the export's order, and nothing is copied.
    """
    runs = pc.run_end_encode(records["file"].combine_chunks())
    ends = runs.run_ends.to_numpy()
    order = pc.sort_indices(runs.values).to_numpy().astype(np.int64)
    # Runs that follow each other before and after are one slice.
    breaks = np.flatnonzero(np.diff(order) != 1) + 1
    starts = np.concatenate(([0], ends))
    pieces = [
        records.slice(starts[runs[0]], ends[runs[-1]] - starts[runs[0]])
        for runs in np.split(order, breaks)
        if len(runs)
    ]
    return pa.concat_tables([records.slice(0, 0), *pieces])


def _in_export_order(records: pa.Table) -> pa.Table:
    """Sort as contract.md A1.3 says, comparing each file's path once and not once a record."""
    files = records["file"].combine_chunks().dictionary_encode()
    ranks = pc.rank(files.dictionary, "ascending").cast(pa.int32())
    ranked = records.append_column("rank", ranks.take(files.indices))
    keys = ["rank", *(name for name in EXPORT_ORDER if name != "file")]
    return ranked.sort_by([(name, "ascending") for name in keys]).drop_columns(["rank"])


def _stored(state: StateDirectory, project: str) -> tuple[pa.Table, int]:
    """Give the records that are published, and how many the producer had besides."""
    store = Store(state)
    now = published(store)
    table = store.open(SYMBOLS, now.versions[SYMBOLS])
    columns = [*(name for name in EXPORT_ORDER if name != "file"), "path", "truncated"]
    found = rows(table, of_project(project), columns)
    # A condition more in the store's own language costs more time than this.
    found = found.filter(pc.not_equal(found["kind"], _FILE_NODE))
    exported = now.entry(project).decoded("details", Exported).exported_records
    named = ["file" if name == "path" else name for name in found.column_names]
    return found.rename_columns(named), exported - found.num_rows
