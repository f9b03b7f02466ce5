"""How an asset hands over its changeset: with a data version made of content."""

import dagster as dg

from codequarry import __version__
from codequarry.core.changeset import ChangesetStream
from codequarry.core.hashing import sha256_hex


def emit(stream: ChangesetStream, *content: str) -> dg.Output[ChangesetStream]:
    """Give an asset's output.

    Args:
        stream: The changeset.
        content: What the changeset is a function of: fingerprints, profiles, hashes. The same
            content has the same data version, so that Dagster's staleness is right.
    """
    version = sha256_hex("\0".join((__version__, *content)))
    return dg.Output(stream, data_version=dg.DataVersion(version))
