"""Which runs are under way, and which are only said to be, for their process is gone.

Nobody tells Dagster that a process was killed: its run stays as it was, holds one of the few
places that the queue gives (`pipelines.launch`), and keeps its project from being looked at.
"""

from dagster import DagsterInstance, DagsterRunStatus, RunRecord, RunsFilter

STUCK_SECONDS = 3600.0
"""A run that was not heard of for so long counts as dead."""

_QUEUED, _CANCELING = DagsterRunStatus.QUEUED, DagsterRunStatus.CANCELING
_UNENDED = [
    _QUEUED,
    _CANCELING,
    DagsterRunStatus.NOT_STARTED,
    DagsterRunStatus.STARTING,
    DagsterRunStatus.STARTED,
]


def living(instance: DagsterInstance, now: float) -> list[RunRecord]:
    """Give the runs that did not end, newest first; the dead among them are reported as ended.

    Args:
        instance: The instance.
        now: Seconds since 1970.
    """
    alive = []
    for record in instance.get_run_records(RunsFilter(statuses=_UNENDED)):
        run = record.dagster_run
        if not is_dead(instance, record, now):
            alive.append(record)
            continue
        report = (
            instance.report_run_canceled if run.status is _CANCELING else instance.report_run_failed
        )
        report(run, f"nothing was heard of it for {STUCK_SECONDS:.0f} s; its process is gone")
    return alive


def is_dead(instance: DagsterInstance, record: RunRecord, now: float) -> bool:
    """Tell whether a run that did not end was not heard of for `STUCK_SECONDS`.

    Args:
        instance: Knows the run's events. The record alone does not do: Dagster dates it by status
            and tags, which stay as they are while a run embeds for hours.
        record: The run; a queued one needs no process.
        now: Seconds since 1970.
    """
    before = now - STUCK_SECONDS
    if record.dagster_run.status is _QUEUED or record.update_timestamp.timestamp() > before:
        return False
    newest = instance.get_records_for_run(record.dagster_run.run_id, limit=1, ascending=False)
    return not any(event.timestamp > before for event in newest.records)
