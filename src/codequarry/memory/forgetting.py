"""Which memories are forgotten, and how the links to them go with them."""

import math

from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from codequarry.index.store import quote, rows
from codequarry.memory.records import distinct_tags
from codequarry.memory.table import newest, tidy, writing
from codequarry.memory.vectors import replaced
from codequarry.schemas.tables import MEMORIES

_MS_PER_HOUR = 3_600_000


def chosen(tags: tuple[str, ...], older_than_hours: float | None, now: int) -> str:
    """Write the filter of memories with any of the tags, or older than so many hours.

    Raises:
        UsageError: Neither is given, or the hours are no number from 0 up.
    """
    clauses = [f"array_has(tags, {quote(tag)})" for tag in distinct_tags(tags)]
    if older_than_hours is not None:
        if not (math.isfinite(older_than_hours) and older_than_hours >= 0):
            raise UsageError("the age is no number of hours", "use hours, 0 or more")
        age = min(older_than_hours * _MS_PER_HOUR, now)  # nothing is older than the clock's zero
        clauses.append(f"created_at < {now - round(age)}")
    if not clauses:
        raise UsageError("nothing says what to forget", "give an id, tags, or an age")
    return f"({' OR '.join(clauses)})"


def forget(state: StateDirectory, where: str) -> int:
    """Remove memories and the links to them, in one commit; give how many.

    Their bytes leave the disk with the old versions of the table, at a later write or forgetting,
    ten minutes after at the earliest.

    Raises:
        StateError: The memory cannot be written.
    """
    if newest(state) is None:
        return 0
    with writing(state) as table:
        doomed = set(rows(table, where, ["id"])["id"].to_pylist())
        if not doomed:
            return 0
        listed = ", ".join(map(str, sorted(doomed)))
        pointing = f"array_has_any(related, make_array({listed})) AND id NOT IN ({listed})"
        held = rows(table, pointing, MEMORIES.names)
        if held.num_rows:
            left = [[i for i in ids if i not in doomed] for ids in held["related"].to_pylist()]
            write = table.merge_insert("id").when_matched_update_all()
            write = write.when_not_matched_by_source_delete(f"id IN ({listed})")
            write.execute(replaced(held, "related", left))
        else:
            table.delete(f"id IN ({listed})")
        tidy(table)
    return len(doomed)
