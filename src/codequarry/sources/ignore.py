"""Ignore rules, decided one directory level at a time as git decides them.

The rules of a directory are those of git's exclude file (where a repository starts), then
``.gitignore``, ``.vecgrepignore`` and ``.codequarryignore``; within them the last match wins, and a
deeper directory's rules win over a shallower one's. A file of an ignored directory is never asked
for, so it cannot be re-included. ``core.excludesFile`` is not read: it belongs to a person, and an
index must come out the same on every machine.
"""

import functools
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass

from codequarry.sources.wildmatch import translate

IGNORE_FILES = (b".gitignore", b".vecgrepignore", b".codequarryignore")
DEFAULT_PATTERNS = (
    ".vecgrep/",
    ".codequarry/",
    ".codemap/",
    ".hg/",
    ".svn/",
    "node_modules/",
    "vendor/",
    "__pycache__/",
    ".venv/",
    "venv/",
    ".tox/",
    ".nox/",
    ".mypy_cache/",
    ".ruff_cache/",
    ".pytest_cache/",
    ".hypothesis/",
    "*.min.js",
    "*.min.css",
    "*.lock",
    "go.sum",
    "package-lock.json",
    "yarn.lock",
)
"""Contract.md D4, and the caches of Python tools."""

_BOM = b"\xef\xbb\xbf"
_LIMIT = 4 * 1024 * 1024


@dataclass(frozen=True)
class Pattern:
    """One line of an ignore file.

    Args:
        regex: Matches the whole path below the file's directory, or the whole name.
        negated: The line began with ``!``.
        directory_only: The line ended with ``/``.
        by_name: The line has no other slash: it is tried on the name alone.
    """

    regex: re.Pattern[bytes]
    negated: bool
    directory_only: bool
    by_name: bool


@dataclass(frozen=True)
class Rules:
    """The patterns of one directory.

    Args:
        base: The directory below the root, ending in ``/`` unless it is the root; or, for a
            directory above the root, the way down from it to the root, behind a ``/``.
        patterns: In the order of the files.
    """

    base: bytes
    patterns: tuple[Pattern, ...]

    def decide(self, path: bytes, is_directory: bool) -> bool | None:
        """Tell whether ``path`` is ignored (``True``), re-included (``False``) or not named.

        Args:
            path: Below the root, with ``/``.
            is_directory: Directory-only patterns count; a symlink is never a directory.
        """
        above = self.base.startswith(b"/")
        relative = self.base[1:] + path if above else path[len(self.base) :]
        name = path[path.rfind(b"/") + 1 :]
        if not (self._by_name.match(name) or self._by_path.match(relative)):
            return None
        for pattern in reversed(self.patterns):
            if (is_directory or not pattern.directory_only) and pattern.regex.match(
                name if pattern.by_name else relative
            ):
                return not pattern.negated
        return None

    @functools.cached_property
    def _by_name(self) -> re.Pattern[bytes]:
        return _any_of(pattern for pattern in self.patterns if pattern.by_name)

    @functools.cached_property
    def _by_path(self) -> re.Pattern[bytes]:
        return _any_of(pattern for pattern in self.patterns if not pattern.by_name)


def _any_of(patterns: Iterable[Pattern]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(pattern.regex.pattern for pattern in patterns) or b"(?!)")


def is_ignored(chain: Iterable[Rules], path: bytes, is_directory: bool) -> bool:
    """Tell whether the rules ignore ``path``; its parents are known not to be ignored.

    Args:
        chain: From the deepest directory to the shallowest.
        path: Below the root, with ``/``.
        is_directory: As in `Rules.decide`.
    """
    for rules in chain:
        verdict = rules.decide(path, is_directory)
        if verdict is not None:
            return verdict
    return False


def parse(content: bytes) -> tuple[Pattern, ...]:
    """Read the lines of an ignore file as git does."""
    lines = (line.removesuffix(b"\r") for line in content.removeprefix(_BOM).split(b"\n"))
    return tuple(pattern for line in lines if (pattern := _pattern(line)) is not None)


def _pattern(line: bytes) -> Pattern | None:
    if line.startswith(b"#"):
        return None
    line = _trim(line)
    negated = line.startswith(b"!")
    body = line[negated:]
    directory_only = body.endswith(b"/")
    body = body[: len(body) - directory_only]
    by_name = b"/" not in body
    regex = translate(body.removeprefix(b"/")) if body else None
    return None if regex is None else Pattern(regex, negated, directory_only, by_name)


def _trim(line: bytes) -> bytes:
    """Drop trailing spaces, but for one behind a backslash."""
    bare = line.rstrip(b" ")
    slashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if slashes % 2 else bare


def read_rules(directory: bytes, base: bytes, names: Iterable[bytes]) -> tuple[Rules | None, int]:
    """Read the ignore files of one directory.

    Args:
        directory: Its absolute path.
        base: As in `Rules`.
        names: What the directory holds.

    Returns:
        The rules, or ``None`` when there are none; and how many files could not be read.
    """
    present = set(names)
    files = [os.path.join(directory, name) for name in IGNORE_FILES if name in present]
    if b".git" in present:
        files.insert(0, os.path.join(_common_git_directory(directory), b"info", b"exclude"))
    patterns: list[Pattern] = []
    errors = 0
    for file in files:
        try:
            patterns.extend(parse(_read(file)))
        except FileNotFoundError:
            pass
        except OSError:
            errors += 1
    return (Rules(base, tuple(patterns)) if patterns else None), errors


def rules_above(root: bytes) -> tuple[Rules, ...]:
    """Read the rules between a root inside a repository and that repository's top.

    When they ignore the root itself, they are left out: it was asked for by name.

    Returns:
        From the deepest directory to the shallowest.
    """
    chain: list[Rules] = []
    directory, below = root, b""
    while not os.path.lexists(os.path.join(directory, b".git")):
        directory, name = os.path.split(directory)
        if not name:
            return ()
        below = name + b"/" + below
        rules, _ = read_rules(directory, b"/" + below, (*IGNORE_FILES, b".git"))
        chain.extend([rules] if rules else [])
    return () if _names_root(chain, below) else tuple(chain)


def _names_root(chain: list[Rules], below: bytes) -> bool:
    parts = below.split(b"/")[:-1]
    as_root = [Rules(below[: -len(rules.base) + 1], rules.patterns) for rules in chain]
    paths = [b"/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return any(
        is_ignored([r for r in as_root if path.startswith(r.base)], path, True) for path in paths
    )


def _common_git_directory(directory: bytes) -> bytes:
    """Give where ``info/exclude`` lies: worktrees and submodules have a ``.git`` file."""
    git = os.path.join(directory, b".git")
    try:
        content = _read(git)
    except OSError:
        return git
    git = os.path.join(directory, content.removeprefix(b"gitdir:").strip())
    try:
        return os.path.join(git, _read(os.path.join(git, b"commondir")).strip())
    except OSError:
        return git


def _read(path: bytes) -> bytes:
    """Read a small regular file; like git, through no symlink.

    Raises:
        FileNotFoundError: It is absent, or no regular file.
        OSError: It cannot be read or is over the limit.
    """
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise FileNotFoundError
    except NotADirectoryError as error:
        raise FileNotFoundError from error
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as handle:
        content = handle.read(_LIMIT + 1)
    if len(content) > _LIMIT:
        raise OSError("ignore file over the limit")
    return content
