"""core.process: what a child may and may not do to its parent."""

import _thread
import fcntl
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from codequarry.core.errors import (
    OutputLimit,
    ProcessCancelled,
    ProcessNotStarted,
    ProcessTimeout,
)
from codequarry.core.process import Completed, run

MIB = 1024 * 1024


def python(program: str, seconds: float = 20, limit: int = MIB, **options: object) -> Completed:
    argv = [sys.executable, "-S", "-c", program]
    return run(argv, Path("/"), seconds, limit, **options)  # type: ignore[arg-type]


def parent_of_a_holder(lock: Path, last_words: str) -> str:
    """A program whose child holds the lock on a file, and both pipes, for ten minutes."""
    return (
        "import fcntl, subprocess, sys, time;"
        f"file = open({str(lock)!r}, 'w'); fcntl.flock(file, fcntl.LOCK_EX);"
        "argv = [sys.executable, '-S', '-c', 'import time; time.sleep(600)'];"
        "subprocess.Popen(argv, pass_fds=[file.fileno()]);"
        f"{last_words}"
    )


def is_released(lock: Path) -> bool:
    """Tell whether no process holds the lock; a killed one may need a moment to let go."""
    with lock.open() as file:
        for _ in range(500):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.02)
            else:
                return True
    return False


def test_output_and_status_are_kept_apart() -> None:
    """Standard output, standard error and the exit status come back as the child left them."""
    program = "import sys; sys.stdout.write('out'); sys.stderr.write('err'); sys.exit(3)"
    assert python(program) == Completed(b"out", b"err", 3)


def test_input_larger_than_a_pipe_is_sent_while_output_is_read() -> None:
    """Sending and reading are interleaved: neither pipe can fill and block."""
    program = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    sent = bytes(range(256)) * 12_000
    assert python(program, limit=8 * MIB, stdin=sent).stdout == sent


def test_a_child_that_does_not_read_its_input_is_no_failure() -> None:
    """A closed standard input ends the sending and nothing else."""
    assert python("print('done')", stdin=b"x" * 4 * MIB).stdout == b"done\n"


def test_without_input_the_child_reads_nothing() -> None:
    """Standard input is empty, not the parent's terminal."""
    assert python("import sys; print(len(sys.stdin.read()))").stdout == b"0\n"


def test_arguments_are_not_seen_by_a_shell() -> None:
    """An argument arrives as it was given."""
    argument = "a b; $(echo c) 'd' \"e\"\n*"
    argv = [sys.executable, "-c", "import sys; sys.stdout.write(sys.argv[1])", argument]
    assert run(argv, Path("/"), 20, MIB).stdout == argument.encode()


def test_a_deadline_kills_the_whole_group(tmp_path: Path) -> None:
    """A child that hangs is stopped together with its own children."""
    lock = tmp_path / "lock"
    lock.touch()
    with pytest.raises(ProcessTimeout, match=r"1\.5 seconds"):
        python(parent_of_a_holder(lock, "time.sleep(600)"), seconds=1.5)
    assert is_released(lock)


def test_a_child_that_closed_its_pipes_still_has_a_deadline() -> None:
    """End of output is not the end of the process."""
    with pytest.raises(ProcessTimeout):
        python("import os, time; os.close(1); os.close(2); time.sleep(600)", seconds=1)


def test_too_much_output_stops_the_child() -> None:
    """One byte over the limit ends an endless writer; exactly the limit does not."""
    assert len(python("import sys; sys.stdout.write('x' * 1000)", limit=1000).stdout) == 1000
    with pytest.raises(OutputLimit, match="more than 1000 bytes"):
        python("while True: print('x' * 4096)", limit=1000)


def test_standard_error_is_cut_and_never_blocks() -> None:
    """The first bytes of standard error are kept, the rest is drained."""
    program = "import sys; sys.stderr.write('e' * 3_000_000); print('alive')"
    completed = python(program, stderr_limit=100)
    assert (completed.stdout, completed.stderr) == (b"alive\n", b"e" * 100)


def test_a_grandchild_that_holds_the_pipe_does_not_hold_the_parent(tmp_path: Path) -> None:
    """The child's output arrives soon after its exit, and the grandchild is stopped."""
    program = parent_of_a_holder(tmp_path / "lock", "print('answer')")
    assert python(program, seconds=300) == Completed(b"answer\n", b"", 0)
    assert is_released(tmp_path / "lock")


def test_an_exception_in_the_parent_leaves_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt while reading kills and reaps the child before it travels on."""
    killed: list[int] = []
    real = os.killpg

    def killpg(group: int, sign: int) -> None:
        killed.append(group)
        real(group, sign)

    def interrupt() -> None:
        time.sleep(0.5)
        _thread.interrupt_main()

    monkeypatch.setattr(os, "killpg", killpg)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        python("import time; time.sleep(600)", seconds=60)
    with pytest.raises(ChildProcessError):
        os.waitpid(killed[0], os.WNOHANG)


def test_a_signal_shows_as_a_negative_status() -> None:
    """A child ended by a signal is told from one that exited."""
    assert python("import os; os.kill(os.getpid(), 9)").returncode == -9


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process's memory")
def test_memory_can_be_limited() -> None:
    """A child over its address space fails alone."""
    program = "import time; time.sleep(0.3); x = bytearray(2_000_000_000); print('no')"
    completed = python(program, memory_limit=500 * MIB)
    assert completed.returncode != 0
    assert b"MemoryError" in completed.stderr


@pytest.mark.parametrize("argv", [["/nowhere/codemap"], ["/"], [sys.executable, "a\0b"]])
def test_what_cannot_start_is_one_clear_error(argv: list[str]) -> None:
    """A missing program, a directory and an impossible argument are reported alike."""
    with pytest.raises(ProcessNotStarted, match="could not be started"):
        run(argv, Path("/"), 5, MIB)


def test_a_missing_working_directory_is_reported(tmp_path: Path) -> None:
    """The error names the directory."""
    with pytest.raises(ProcessNotStarted, match="gone"):
        run([sys.executable], tmp_path / "gone", 5, MIB)


def test_no_descriptor_is_left_open() -> None:
    """A hundred runs, failed ones included, leave the number of descriptors as it was."""
    python("pass")
    before = len(os.listdir("/dev/fd"))
    for _ in range(20):
        python("pass", stdin=b"x")
        with pytest.raises(OutputLimit):
            python("print('x' * 100)", limit=10)
    assert len(os.listdir("/dev/fd")) == before


def test_a_call_that_is_cancelled_ends_its_child(tmp_path: Path) -> None:
    """Setting the event from another thread stops the call at once, and the child's group."""
    lock, cancel = tmp_path / "lock", threading.Event()
    timer = threading.Timer(0.3, cancel.set)
    timer.start()
    started = time.monotonic()
    with pytest.raises(ProcessCancelled):
        python(parent_of_a_holder(lock, "time.sleep(600)"), 60, cancel=cancel)
    timer.join()
    assert time.monotonic() - started < 30
    assert is_released(lock)


def test_a_child_that_closed_its_pipes_is_cancelled_too() -> None:
    """The event is also seen while only the exit is waited for."""
    cancel = threading.Event()
    timer = threading.Timer(0.3, cancel.set)
    timer.start()
    with pytest.raises(ProcessCancelled):
        python("import os, time; os.close(1); os.close(2); time.sleep(600)", 60, cancel=cancel)
    timer.join()
