"""One sync of one engine: copy, run, believe nothing but the result (engines.md 6)."""

import asyncio
import re
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from codequarry.core.errors import CodequarryError, ProcessError
from codequarry.core.process import run
from codequarry.core.state import StateDirectory
from codequarry.core.text import repair
from codequarry.engines import mapping as schema
from codequarry.engines import mirror
from codequarry.engines.arguments import fill_argv
from codequarry.engines.bench import Bench
from codequarry.engines.channels import Channels
from codequarry.engines.types import TRUST, CodeIndexStatus, State, SyncReport

SYNC_SECONDS = 900.0
_TAIL = 2000
# Bounded repeats: the text is a stranger's, and may be one long word.
_SECRET = re.compile(
    r"""(?i)(authorization["']?\s{0,3}[=:]\s{0,3})[^\n]+"""
    r"""|((?:token|key|secret|passw(?:or)?d|credential)\w{0,20}["']?\s{0,3}[=:]\s{0,3}"""
    r"""|\b(?:bearer|basic)\s{1,3})"""
    r"""(?:"(?:[^"\\\n]|\\.){0,4096}"?|'(?:[^'\\\n]|\\.){0,4096}'?|\S+)"""
    r"""|\b(?:sk-|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA)[\w-]{8,}"""
    r"""|\b[a-z]{1,20}://\S+"""
)

Status = Callable[[], Awaitable[CodeIndexStatus]]


async def run_sync(
    mapping: schema.Mapping,
    channels: Channels,
    state: StateDirectory,
    status: Status,
    seconds: float | None = None,
) -> SyncReport:
    """Bring an engine's copy and index up to the tree.

    Args:
        mapping: The engine's mapping.
        channels: Its channels for the project.
        state: The state directory.
        status: Asks the engine for its status.
        seconds: Time limit of its process; the mapping's, else 15 minutes.
    """
    started = time.monotonic()
    bench = channels.bench
    before = await status()
    # A store must not be written while a server of ours reads it.
    await channels.close()
    report = SyncReport(mapping.id, bench.project.name, False, "", before, before, 0.0)
    first = before.state == "absent" and "first_sync" in mapping.operations
    operation = mapping.operations.get("first_sync" if first else "sync")
    if operation is None:
        return replace(report, reason="this engine keeps its own index up to date")
    try:
        commit = await asyncio.to_thread(_head, bench.project.root)
        copy = await asyncio.to_thread(mirror.refresh, state, bench) if bench.copied else None
        report = await _run(operation, channels, report, seconds)
        if report.ok and copy is not None:
            await asyncio.to_thread(mirror.mark_indexed, bench, copy, commit)
    except CodequarryError as error:
        report = replace(report, reason=str(error))
    after = await status()
    if report.ok and after.state in ("absent", "error", "unavailable"):
        report = replace(report, ok=False, reason=f"it ended well, and yet: {after.evidence}")
    return replace(report, after=after, seconds=time.monotonic() - started)


async def _run(
    operation: schema.Operation, channels: Channels, report: SyncReport, seconds: float | None
) -> SyncReport:
    limit = seconds or operation.seconds or SYNC_SECONDS
    values = {"root": str(channels.bench.tree), "project": channels.bench.project.name}
    if operation.via != "command":
        channel = await channels.of(operation)
        reply = await channel.call(operation, values, limit)
        failed = reply.is_error or reply.rpc_error is not None
        return replace(report, ok=not failed, reason="it reported an error" if failed else "")
    command = await channels.commands()
    completed = await command.run(fill_argv(operation.argv, values), limit)
    output = repair(completed.stdout)
    reason = ""
    if completed.returncode == -signal.SIGKILL:
        reason = f"its process was ended: it needs more memory than {channels.bench.memory} bytes"
    elif completed.returncode != 0:
        reason = f"its process ended with exit code {completed.returncode}"
    elif operation.success and not re.search(operation.success, output):
        reason = "its process exited with 0, and did not say that it indexed"
    return replace(
        report,
        ok=not reason,
        reason=reason,
        returncode=completed.returncode,
        stderr_tail=redacted(repair(completed.stderr)),
    )


def redacted(text: str) -> str:
    """Give the end of a text with secrets and addresses blanked."""
    return _SECRET.sub(lambda found: f"{found[1] or found[2] or ''}[blanked]", text)[-_TAIL:]


def grounded(said: CodeIndexStatus, state: StateDirectory, bench: Bench) -> CodeIndexStatus:
    """Judge an engine's status by content: what it was given against what the tree is now.

    Args:
        said: What the engine says of itself.
        state: The state directory.
        bench: Its bench.
    """
    said = replace(said, checked_at=datetime.now(UTC).isoformat(timespec="seconds"))
    if not bench.copied or said.state not in ("fresh", "stale", "unknown"):
        return said
    drift = mirror.pending(state, bench)
    covered, unchanged = mirror.indexed(bench)
    if drift is None:
        return _judged(said, "unknown", "a part of the tree cannot be read")
    pending = {
        "added": len(drift.new),
        "modified": len(drift.modified),
        "deleted": len(drift.deleted),
    }
    said = replace(
        said, pending=pending, indexed_commit=covered.commit or None if covered else None
    )
    if drift:
        return _judged(said, "stale", f"{drift.total} files differ from what it was given")
    if covered is None or not unchanged:
        return _judged(said, "stale", "its last sync did not cover what it was given")
    if said.state == "stale":
        return said
    return replace(_judged(said, "fresh", "it indexed exactly this tree"), hint=None)


def _judged(said: CodeIndexStatus, state: State, evidence: str) -> CodeIndexStatus:
    return replace(said, state=state, trust=TRUST[state], evidence=evidence)


def _head(root: Path) -> str:
    """Give the commit that is checked out, or ``""``."""
    try:
        done = run(["git", "rev-parse", "--verify", "HEAD"], root, 5, 1000)
    except ProcessError:
        return ""
    return repair(done.stdout).strip() if done.returncode == 0 else ""
