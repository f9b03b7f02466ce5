"""Do the records we keep and the records of a delta give the fingerprint it leads to? (J-10)."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.changeset import Header
from codequarry.core.hashing import EXPORT_ORDER, producer_key
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import published
from codequarry.index.store import SYMBOLS, Store, of_project, rows
from codequarry.producers.records import fingerprint_matches, validate
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
        False only when the records contradict the attestation. Where records were cut or left out
        before, the attestation stands as the producer's own claim.

    Raises:
        ExportRejected: The pages break a record rule.
    """
    plan = header.plan
    kept = _retained(state, header.project, {*plan.changed, *plan.deleted})
    new = RECORDS.empty_table()
    if pages.num_rows:
        validated = validate(_bodies(pages), Path(header.root))
        if validated.quarantine.num_rows:
            return True  # those records are not stored, so there is nothing to compare with
        new = validated.records
    everything = pa.concat_tables([kept, new.select(kept.schema.names)])
    if everything.num_rows != total_records:
        return True
    ordered = _in_export_order(everything)
    return fingerprint_matches(ordered, producer_key(header.root), plan.to_fingerprint) is not False


def _in_export_order(records: pa.Table) -> pa.Table:
    """Sort as contract.md A1.3 says, comparing each file's path once and not once a record."""
    files = records["file"].combine_chunks().dictionary_encode()
    ranks = pc.rank(files.dictionary, "ascending").cast(pa.int32())
    ranked = records.append_column("rank", ranks.take(files.indices))
    keys = ["rank", *(name for name in EXPORT_ORDER if name != "file")]
    return ranked.sort_by([(name, "ascending") for name in keys]).drop_columns(["rank"])


def _retained(state: StateDirectory, project: str, replaced: set[str]) -> pa.Table:
    store = Store(state)
    table = store.open(SYMBOLS, published(store).versions[SYMBOLS])
    columns = [*(name for name in EXPORT_ORDER if name != "file"), "path", "truncated"]
    found = rows(table, of_project(project), columns)
    gone = pa.array(sorted(replaced), pa.string())
    keep = pc.and_(
        pc.not_equal(found["kind"], _FILE_NODE),
        pc.invert(pc.is_in(found["path"], value_set=gone)),
    )
    found = found.filter(keep)
    return found.rename_columns(["file" if name == "path" else name for name in found.column_names])


def _bodies(pages: pa.Table) -> Iterator[bytes]:
    return (body.as_py() for chunk in pages["body"].chunks for body in chunk)
