"""The stored pages of an export, read again as the producer printed them."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from codequarry.core.errors import ProducerError
from codequarry.producers.records import Validated, validate


def bodies(pages: pa.Table) -> Iterator[bytes]:
    """Give the pages in order, one in memory at a time.

    Args:
        pages: schemas.tables.PAGES.
    """
    return (body.as_py() for chunk in pages["body"].chunks for body in chunk)


def validated(pages: pa.Table, root: Path) -> Validated:
    """Validate the records of an export, and its fingerprint where they can prove it (C2).

    Args:
        pages: schemas.tables.PAGES.
        root: The project's root.

    Raises:
        ProducerError: The records do not give the export's fingerprint.
        ExportRejected: They break a rule of the whole export.
    """
    found = validate(bodies(pages), root)
    if found.fingerprint_matches is False:
        raise ProducerError(
            "the records of the export do not give its fingerprint",
            "index the project again with its producer",
        )
    return found
