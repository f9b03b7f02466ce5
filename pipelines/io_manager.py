"""Changesets between assets: Arrow on disk, one folder per attempt, never a pickle."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from codequarry.assets.resources import Deployment
from codequarry.core import changeset
from codequarry.core.changeset import Changeset, ChangesetStream

KEPT_ATTEMPTS = 3
TELL_SECONDS = 600.0
"""A step that takes longer says so each time."""


class ChangesetIOManager(dg.ConfigurableIOManager):
    """Writes each asset's changeset to ``changesets/<asset>/<project>/<attempt>/``.

    An asset reads what an earlier step of its own run wrote or, in a run that resumes a failed
    one, what that run wrote: steps of different attempts never mix.
    """

    deployment: Deployment

    def handle_output(self, context: dg.OutputContext, obj: ChangesetStream) -> None:
        """Write a stream to disk, batch by batch, and report its size and columns."""
        folder = self._folder(context.asset_key, context.asset_partition_key)
        directory = folder / context.run_id
        with _telling(context.log.info):  # most of a step's work is done while it is written
            changeset.write(directory, obj)
        changeset.prune(folder, KEPT_ATTEMPTS, context.run_id)
        context.add_output_metadata(describe(changeset.read(directory)))

    def load_input(self, context: dg.InputContext) -> Changeset:
        """Open the changeset of this run or of the run it resumes.

        Raises:
            StateError: There is none.
        """
        folder = self._folder(context.asset_key, context.asset_partition_key)
        run_id: str | None = context.step_context.run_id
        while run_id is not None and not (folder / run_id).is_dir():
            run = context.instance.get_run_by_id(run_id)
            run_id = run.parent_run_id if run else None
        return changeset.read(folder / (run_id or "missing"))

    def _folder(self, key: dg.AssetKey, project: str) -> Path:
        return self.deployment.state.changesets / key.to_user_string() / project


@contextlib.contextmanager
def _telling(tell: Callable[[str], None]) -> Iterator[None]:
    """Tell now and then that a step goes on; by that its run is known to live (`liveness`).

    From a thread, for one request to a slow model can take as long as a whole small project.
    """
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(TELL_SECONDS):
            tell("still at work")

    teller = threading.Thread(target=go_on, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def describe(stored: Changeset) -> Mapping[str, Any]:
    """Give the Dagster metadata of a changeset: mode, rows, bytes, columns, notes."""
    described: dict[str, Any] = {
        "project": stored.header.project,
        "mode": stored.header.plan.mode,
        "reason": stored.header.plan.reason,
        "attempt": stored.header.attempt_id,
        "bytes": stored.bytes,
    }
    for position, (name, table) in enumerate(stored.tables.items()):
        if position == 0:
            described["dagster/row_count"] = table.num_rows
            described["dagster/column_schema"] = columns(table.schema)
        described[f"{name}_rows"] = table.num_rows
    return described | {name: _value(value) for name, value in stored.notes.items()}


def columns(schema: pa.Schema) -> dg.TableSchema:
    """Give an Arrow schema as Dagster's, units and sources as descriptions."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                field.name,
                str(field.type),
                description=", ".join(
                    value.decode() for _, value in sorted((field.metadata or {}).items())
                ),
                constraints=dg.TableColumnConstraints(nullable=field.nullable),
            )
            for field in schema
        ]
    )


def _value(value: Any) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    return dg.MetadataValue.json(value)
