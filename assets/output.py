"""How an asset hands over its changeset: with a data version made of content, and facts beside."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import dagster as dg

from codequarry import __version__
from codequarry.core.changeset import ChangesetStream
from codequarry.core.hashing import sha256_hex


def emit(stream: ChangesetStream, *content: str) -> dg.Output[ChangesetStream]:
    """Give an asset's output.

    Args:
        stream: The changeset.
        content: What the changeset is a function of, beside the files themselves: fingerprints and
            profiles. The same content has the same data version, and another tree another one,
            so that Dagster's staleness is right.
    """
    version = sha256_hex("\0".join((__version__, stream.header.snapshot, *content)))
    return dg.Output(stream, data_version=dg.DataVersion(version))


def noted(stream: ChangesetStream, facts: Mapping[str, Any]) -> ChangesetStream:
    """Add facts to a changeset's notes, which Dagster shows as metadata."""
    return replace(stream, notes=lambda: {**stream.notes(), **facts})


def tag_run(context: dg.AssetExecutionContext, facts: Mapping[str, Any]) -> None:
    """Give the run a tag for each fact, by which Dagster finds runs."""
    tags = {f"codequarry/{name}": str(value) for name, value in facts.items()}
    context.instance.add_run_tags(context.run.run_id, tags)
