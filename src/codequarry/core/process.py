"""Child processes: an argument list, a deadline, bounded output, and nothing left behind."""

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from codequarry.core.errors import (
    OutputLimit,
    ProcessCancelled,
    ProcessNotStarted,
    ProcessTimeout,
)

GRACE_SECONDS = 0.25
_POLL_SECONDS = 0.05
_READ_BYTES = 256 * 1024


@dataclass(frozen=True)
class Completed:
    """What a process left: its output and its exit status (negative: killed by that signal)."""

    stdout: bytes
    stderr: bytes
    returncode: int


def run(
    argv: Sequence[str | Path],
    cwd: Path,
    seconds: float,
    stdout_limit: int,
    stderr_limit: int = 64 * 1024,
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    memory_limit: int | None = None,
    cancel: threading.Event | None = None,
) -> Completed:
    """Run a program to its end, without a shell, in a session of its own.

    However the call ends, no process of the child's group survives it, and the child is reaped. A
    grandchild that keeps a pipe open after the child's exit is given ``GRACE_SECONDS``.

    Args:
        argv: The program and its arguments.
        cwd: The working directory.
        seconds: The deadline, for the exchange of data and the exit together.
        stdout_limit: Bytes of standard output; one more kills the child.
        stderr_limit: Bytes of standard error that are kept; the rest is read and dropped.
        env: The environment; ``None`` inherits ours.
        stdin: What to send; ``None`` connects standard input to nothing.
        memory_limit: Bytes of address space, where the platform can limit another process.
        cancel: Ends the call and the child within 50 ms of being set, from any thread.

    Raises:
        ProcessNotStarted: The program or the directory cannot be used.
        ProcessTimeout: The deadline passed.
        ProcessCancelled: ``cancel`` was set.
        OutputLimit: Standard output was over its limit.
    """
    deadline = time.monotonic() + seconds
    name = os.path.basename(argv[0])
    process = _start(argv, cwd, env, stdin is not None)
    try:
        if memory_limit is not None and hasattr(resource, "prlimit"):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (memory_limit, memory_limit))
        exchange = _Exchange(process, stdin or b"", _Kept(stdout_limit), _Kept(stderr_limit))
        if not exchange.finish(_Patience(deadline, cancel)):
            if cancel is not None and cancel.is_set():
                raise ProcessCancelled(f"{name} was stopped: nobody waits for it any more")
            raise ProcessTimeout(
                f"{name} did not finish within {seconds:g} seconds and was stopped"
            )
        if exchange.stdout.overflowed:
            raise OutputLimit(f"{name} printed more than {stdout_limit} bytes and was stopped")
    finally:
        _end(process)
    return Completed(bytes(exchange.stdout.data), bytes(exchange.stderr.data), process.returncode)


def _start(
    argv: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None, sends: bool
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE if sends else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "an argument holds a NUL byte"
        raise ProcessNotStarted(
            f"{argv[0]} could not be started in {cwd}: {reason}",
            "check that it exists, is executable and fits this machine",
        ) from error


class _Kept:
    """The first bytes of a stream."""

    def __init__(self, limit: int) -> None:
        self.data = bytearray()
        self.limit = limit
        self.overflowed = False

    def take(self, piece: bytes) -> None:
        room = self.limit - len(self.data)
        self.data += piece[:room]
        self.overflowed = self.overflowed or len(piece) > room


@dataclass(frozen=True)
class _Patience:
    """How long a child is waited for: to a deadline, or until nobody wants it any more."""

    deadline: float
    cancel: threading.Event | None

    @property
    def left(self) -> float:
        """Seconds that remain; 0 when it is at its end."""
        if self.cancel is not None and self.cancel.is_set():
            return 0.0
        return max(0.0, self.deadline - time.monotonic())


class _Exchange:
    """Feeds a child and reads both its streams, in bounded memory and without threads."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", stdin: bytes, stdout: _Kept, stderr: _Kept
    ) -> None:
        self._process = process
        self._unsent = memoryview(stdin)
        self.stdout = stdout
        self.stderr = stderr

    def finish(self, patience: _Patience) -> bool:
        """Exchange data until the child is gone or printed too much; False when time is up."""
        abandon = None
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map() and not self.stdout.overflowed:
                left, now = patience.left, time.monotonic()
                if not left:
                    return False
                if abandon is None and _exited(self._process):
                    abandon = now + GRACE_SECONDS
                if abandon is not None and now >= abandon:
                    break
                for key, _ in selector.select(min(_POLL_SECONDS, left)):
                    self._serve(selector, key)
        return self.stdout.overflowed or _await_exit(self._process, patience)

    def _register(self, selector: selectors.BaseSelector) -> None:
        process = self._process
        assert process.stdout is not None
        assert process.stderr is not None
        selector.register(process.stdout, selectors.EVENT_READ, self.stdout)
        selector.register(process.stderr, selectors.EVENT_READ, self.stderr)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE, None)

    def _serve(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        over = self._receive(key) if isinstance(key.data, _Kept) else self._send(key.fd)
        if over:
            selector.unregister(key.fileobj)
        if over and self._process.stdin is not None and key.data is None:
            _close(self._process.stdin)

    def _receive(self, key: selectors.SelectorKey) -> bool:
        piece = os.read(key.fd, _READ_BYTES)
        key.data.take(piece)
        return not piece

    def _send(self, descriptor: int) -> bool:
        try:
            self._unsent = self._unsent[os.write(descriptor, self._unsent) :]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            return True
        return not self._unsent


def _exited(process: "subprocess.Popen[bytes]") -> bool:
    """Tell whether the child has ended, and leave it unreaped: its group id stays taken."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, process.pid, options) is not None
    except ChildProcessError:
        return True


def _await_exit(process: "subprocess.Popen[bytes]", patience: _Patience) -> bool:
    pause = 0.0005
    while not _exited(process):
        if not patience.left:
            return False
        time.sleep(pause)
        pause = min(2 * pause, _POLL_SECONDS)
    return True


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of the child's group, reap the child, close its pipes."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            _close(pipe)


def _close(pipe: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        pipe.close()
