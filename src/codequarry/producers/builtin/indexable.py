"""Which files of a snapshot the producer reads."""

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.syntax.grammars import GRAMMARS


def indexable(snapshot: pa.Table) -> pa.Table:
    """Keep the files that have a grammar and a path that a record can carry (contract.md R2).

    Args:
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT`.
    """
    readable = pc.is_in(snapshot["language"], pa.array(sorted(GRAMMARS), pa.string()))
    plain = pc.equal(snapshot["os_path"], snapshot["path"].cast(pa.binary()))
    slashed = pc.match_substring(snapshot["path"], "\\")
    return snapshot.filter(pc.and_(pc.and_(readable, plain), pc.invert(slashed)))
