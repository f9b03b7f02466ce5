"""Run a program with less: bounded memory, low priority, and no network where it can be.

Run as a script of its own, by an interpreter without site packages, in front of an engine:
``confine.py MEMORY NETWORK PROGRAM ARGUMENT…``. MEMORY is bytes that the whole process group may
hold resident (0: no limit; more ends the group); NETWORK is ``deny`` or ``allow``. Where the kernel
refuses a network namespace the program runs with the network, and where there is no ``/proc`` its
memory is not watched; docs/engines.md says so.
"""

import contextlib
import ctypes
import os
import signal
import sys

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_NICENESS = 10
_POLL_SECONDS = 0.25
_GROUP, _RESIDENT = 2, 21  # fields of /proc/PID/stat, counted behind the name


def main(memory: str, network: str, *command: str) -> None:
    """Give up what the arguments say, and run the program."""
    os.nice(_NICENESS)
    if network == "deny" and _can_leave_network():
        _leave_network()
    limit = int(memory)
    if limit and os.path.isdir("/proc/self"):
        _watch(limit, command)
    os.execv(command[0], command)  # noqa: S606 - becoming another program is this one's work


def _watch(limit: int, command: tuple[str, ...]) -> None:
    """Run the program as a child, watch its group's memory, and end as it ends.

    A limit of the address space or of private data would not do: V8 and memory-mapped stores
    reserve many times what they use.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        os.execv(command[0], command)  # noqa: S606
    # Whoever reads the program's output must see its end, not ours.
    for descriptor in range(3):
        os.close(descriptor)
    while True:
        signal.sigtimedwait([signal.SIGCHLD], _POLL_SECONDS)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        if _resident(os.getpgrp()) > limit:
            os.killpg(0, signal.SIGKILL)


def _resident(group: int) -> int:
    """Give the resident bytes of a process group."""
    pages = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            # A process may end while it is looked at.
            with (
                contextlib.suppress(OSError, IndexError),
                open(f"/proc/{name}/stat", "rb") as handle,
            ):
                fields = handle.read().rpartition(b")")[2].split()
                if int(fields[_GROUP]) == group:
                    pages += int(fields[_RESIDENT])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _can_leave_network() -> bool:
    """Try it in a child: what half succeeds could not be undone here."""
    if not sys.platform.startswith("linux"):
        return False
    child = os.fork()
    if child == 0:
        try:
            _leave_network()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _leave_network() -> None:
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "no network namespace")
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, content in maps.items():
        with open(f"/proc/self/{name}", "w") as handle:
            handle.write(content)


if __name__ == "__main__":
    main(*sys.argv[1:])
