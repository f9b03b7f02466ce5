"""The real codemap over its command line (contract.md A0 to A3, B1, J5)."""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codequarry.core.errors import ProcessError, ProducerError, UsageError
from codequarry.core.process import Completed, run
from codequarry.producers.failure import failure_of, old_refusal
from codequarry.producers.protocol import Limits, PageRequest

BINARY = "codemap"
_SEARCHED = ("/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin")
_SEARCHED_AT_HOME = ("go/bin", ".local/bin", ".asdf/shims", ".bun/bin")
_NEEDED = re.compile(r"PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|ASDF_\w+|CODEMAP_\w+")

BINARY_VARIABLE = "CODEQUARRY_CODEMAP"
"""The environment variable with the path or name of the codemap binary."""


def locate(configured: str | None, environment: Mapping[str, str]) -> Path | None:
    """Find the codemap binary: ``PATH``, then the usual places (contract.md B5, J-46).

    Args:
        configured: A path or a name to use instead of ``codemap``; blank means none.
        environment: Where ``PATH``, ``HOME`` and ``HOMEBREW_PREFIX`` are read from.

    Returns:
        Its absolute path, or ``None`` when nothing was configured and nothing was found.

    Raises:
        UsageError: What was configured does not exist or is not executable.
    """
    wanted = (configured or "").strip()
    found = _search(os.path.expanduser(wanted) or BINARY, environment)
    if wanted and found is None:
        raise UsageError(
            f"the configured codemap binary {wanted} does not exist or is not executable",
            "correct CODEQUARRY_CODEMAP, or unset it to search the usual places",
        )
    return None if found is None else Path(os.path.abspath(found))


def _search(name: str, environment: Mapping[str, str]) -> str | None:
    if os.sep in name:
        return shutil.which(name)
    folders = [*environment.get("PATH", "").split(os.pathsep), *_SEARCHED]
    if home := environment.get("HOME", ""):
        folders += [os.path.join(home, folder) for folder in _SEARCHED_AT_HOME]
    if prefix := environment.get("HOMEBREW_PREFIX", ""):
        folders.append(os.path.join(prefix, "bin"))
    # A relative entry would run whatever the current directory, often a foreign tree, holds.
    return shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)))


def needed(environment: Mapping[str, str]) -> dict[str, str]:
    """Give what codemap needs of an environment; the tokens of other programs are not its own."""
    return {name: value for name, value in environment.items() if _NEEDED.fullmatch(name)}


@dataclass(frozen=True)
class CodemapProducer:
    """codemap as the producer of one project.

    Args:
        binary: The absolute path of the binary.
        root: The project's real path; the working directory of every call.
        limits: The limits of every call.
        environment: The environment of every call; by default what it needs of ours.
    """

    binary: Path
    root: Path
    limits: Limits = field(default_factory=Limits)
    environment: Mapping[str, str] = field(default_factory=lambda: needed(os.environ))

    @property
    def name(self) -> str:
        """Its name in receipts."""
        return "codemap"

    def page(self, request: PageRequest) -> bytes:
        """Run ``export-symbols`` for one page (A1; with ``request.files`` A2).

        Raises:
            ProducerError: It failed, passed its deadline or printed too much.
        """
        arguments = ["export-symbols", "--json", "--offset", str(request.offset)]
        arguments += ["--limit", str(request.limit)]
        arguments += ["--max-content-bytes", str(request.max_content_bytes)]
        seconds, limit = self.limits.page_seconds, self.limits.page_bytes
        if request.files is None:
            return self._call(arguments, seconds, limit)
        with _filter_file(request.files) as name:
            return self._call([*arguments, "--files-from", name], seconds, limit)

    def manifest(self) -> bytes:
        """Run ``structural-manifest`` (A3).

        Raises:
            ProducerError: It failed, passed its deadline or printed too much.
        """
        limits = self.limits
        arguments = ["structural-manifest", "--json"]
        return self._call(arguments, limits.manifest_seconds, limits.manifest_bytes)

    def _call(self, arguments: list[str], seconds: float, stdout_limit: int) -> bytes:
        try:
            completed = run(
                [self.binary, *arguments],
                self.root,
                seconds,
                stdout_limit,
                self.limits.stderr_bytes,
                self.environment,
            )
        except ProcessError as error:
            raise ProducerError(error.message, error.remedy) from error
        return _answer(f"codemap {arguments[0]}", completed)


def _answer(command: str, completed: Completed) -> bytes:
    if completed.returncode != 0:
        raise failure_of(command, completed)
    if (refusal := old_refusal(command, completed.stdout)) is not None:
        raise refusal
    return completed.stdout


@contextlib.contextmanager
def _filter_file(paths: tuple[str, ...]) -> Iterator[str]:
    """Write the filter of a v2 export to a file of its own, and delete it afterwards."""
    descriptor, name = tempfile.mkstemp(prefix="vecgrep-export-files-", suffix=".txt")
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write("".join(f"{path}\n" for path in paths).encode())
        yield name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
