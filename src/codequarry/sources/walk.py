"""The inventory of a source tree: its eligible files, and what was left out and why.

A nested repository, submodules included, is part of the project that holds it, unless an ignore
rule names its directory; its own rules count inside it. ``.git`` is never entered or listed. What
an ignore rule names is not listed either. A submodule that was never checked out is listed.
"""

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.errors import ProjectError
from codequarry.core.memory import uncollected
from codequarry.schemas.tables import SKIPPED, SNAPSHOT
from codequarry.sources.eligibility import (
    MAX_FILE_SIZE,
    UNREAD,
    Eligible,
    HashCache,
    SkipReason,
    examine,
    is_secret_name,
    recall,
)
from codequarry.sources.ignore import (
    DEFAULT_PATTERNS,
    Rules,
    is_ignored,
    parse,
    read_rules,
    rules_above,
)
from codequarry.sources.languages import UNKNOWN, language_of

_BATCH = 64
_SUBMODULE = re.compile(rb"^[ \t]*+path[ \t]*+=([^\n]*+)", re.MULTILINE)


@dataclass(frozen=True)
class WalkOptions:
    """What is eligible.

    Args:
        ignore: Patterns that every ignore file of the tree may override.
        extra_ignore: Patterns that override every ignore file.
        max_file_size: In bytes; larger files are skipped.
        threads: Files read at a time.
    """

    ignore: tuple[str, ...] = DEFAULT_PATTERNS
    extra_ignore: tuple[str, ...] = ()
    max_file_size: int = MAX_FILE_SIZE
    threads: int = 2


@dataclass(frozen=True)
class Inventory:
    """What a tree holds.

    Args:
        files: Table `SNAPSHOT`.
        skipped: Table `SKIPPED`, ascending by the bytes of ``path``.
        errors: Directories and ignore files that could not be read.
    """

    files: pa.Table
    skipped: pa.Table
    errors: int


@dataclass
class _Found:
    """What the walk gathers: candidates by their path below the root, with what to open."""

    files: list[tuple[bytes, bytes]] = field(default_factory=list)
    skipped: list[tuple[bytes, SkipReason]] = field(default_factory=list)
    errors: int = 0


@uncollected()
def inventory(
    root: Path, options: WalkOptions | None = None, hashes: HashCache | None = None
) -> Inventory:
    r"""Take the inventory of ``root`` (contract.md D4).

    A name that is not UTF-8 stands in ``path`` with its broken bytes written ``\xNN``; ``os_path``
    holds the raw bytes.

    Args:
        root: The project's directory.
        options: What is eligible.
        hashes: Saves the reading of unchanged files.

    Raises:
        ProjectError: ``root`` does not exist, is no directory, or cannot be listed.
    """
    options = options or WalkOptions()
    base = _checked_root(root)
    found = _Found()
    _walk(base, options, found)
    eligible = _examine_all(found, options, hashes)
    return _tables(eligible, found)


def _checked_root(root: Path) -> bytes:
    base = os.path.realpath(os.fsencode(root))
    try:
        os.scandir(base).close()
    except FileNotFoundError:
        raise ProjectError(f"there is no directory {root}", "check the path") from None
    except NotADirectoryError:
        remedy = "give the directory that holds it"
        raise ProjectError(f"{root} is not a directory", remedy) from None
    except OSError as error:
        message = f"the directory {root} cannot be read: {error.strerror}"
        raise ProjectError(message, "give this user the permission") from error
    return base


def _walk(root: bytes, options: WalkOptions, found: _Found) -> None:
    prefix = root.rstrip(b"/") + b"/"
    first = _given(options.extra_ignore)
    last = (*rules_above(root), *_given(options.ignore))
    stack: list[tuple[bytes, tuple[Rules, ...]]] = [(b"", ())]
    while stack:
        below, inherited = stack.pop()
        try:
            with os.scandir(prefix + below) as listing:
                entries = list(listing)
        except FileNotFoundError:
            continue
        except OSError:
            found.errors += 1
            found.skipped.append((below.rstrip(b"/"), SkipReason.UNREADABLE))
            continue
        names = [entry.name for entry in entries]
        rules, errors = read_rules(prefix + below, below, names)
        found.errors += errors
        inherited = (rules, *inherited) if rules else inherited
        chain = (*first, *inherited, *last)
        stack.extend((child, inherited) for child in _sort(prefix, below, entries, chain, found))
        if b".gitmodules" in names:
            absent = _absent_submodules(prefix + below)
            kept = (path for path in absent if not is_ignored(chain, below + path, True))
            found.skipped.extend((below + path, SkipReason.SUBMODULE_ABSENT) for path in kept)


def _given(patterns: Sequence[str]) -> tuple[Rules, ...]:
    return (Rules(b"", parse("\n".join(patterns).encode())),) if patterns else ()


def _sort(
    prefix: bytes,
    below: bytes,
    entries: Iterable[os.DirEntry[bytes]],
    chain: tuple[Rules, ...],
    found: _Found,
) -> Iterator[bytes]:
    """Put a directory's files where they belong and give the directories to enter."""
    for entry in entries:
        path = below + entry.name
        is_directory = entry.is_dir(follow_symlinks=False)
        if entry.name == b".git" or is_ignored(chain, path, is_directory):
            continue
        if is_directory:
            yield path + b"/"
        elif is_secret_name(entry.name):
            found.skipped.append((path, SkipReason.SECRET))
        elif entry.is_symlink():
            target = _resolve(prefix, prefix + path)
            if isinstance(target, SkipReason):
                found.skipped.append((path, target))
            else:
                found.files.append((path, target))
        elif entry.is_file(follow_symlinks=False):
            found.files.append((path, prefix + path))
        else:
            found.skipped.append((path, SkipReason.NOT_REGULAR))


def _resolve(prefix: bytes, link: bytes) -> bytes | SkipReason:
    """Follow a symlink to a regular file of the project that is no secret."""
    try:
        target = os.path.realpath(link, strict=True)
        mode = os.stat(target).st_mode
    except OSError as error:
        loops = error.errno == errno.ELOOP
        denied = error.errno in (errno.EACCES, errno.EPERM)
        if denied:
            return SkipReason.UNREADABLE
        return SkipReason.SYMLINK_LOOP if loops else SkipReason.SYMLINK_DANGLING
    inside = target[len(prefix) :].split(b"/")
    if not (target + b"/").startswith(prefix) or b".git" in inside:
        return SkipReason.SYMLINK_OUTSIDE
    if stat.S_ISDIR(mode):
        return SkipReason.SYMLINK_DIRECTORY
    if not stat.S_ISREG(mode):
        return SkipReason.NOT_REGULAR
    return SkipReason.SECRET if is_secret_name(inside[-1]) else target


def _absent_submodules(directory: bytes) -> Iterator[bytes]:
    try:
        descriptor = os.open(directory + b".gitmodules", os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as handle:
            content = handle.read(MAX_FILE_SIZE)
    except OSError:
        return
    for match in _SUBMODULE.finditer(content):
        path = os.path.normpath(match[1].strip(b' \t\r"'))
        if path.startswith((b"/", b"..")):
            continue
        try:
            empty = not os.listdir(directory + path)
        except FileNotFoundError:
            empty = True
        except OSError:
            continue
        if empty:
            yield path


def _examine_all(
    found: _Found, options: WalkOptions, hashes: HashCache | None
) -> list[tuple[bytes, Eligible]]:
    """Judge the candidates: by what is remembered of them, else by reading them."""
    eligible: list[tuple[bytes, Eligible]] = []
    unknown = found.files
    if hashes is not None:
        unknown = []
        for path, real in found.files:
            known = recall(real, path, options.max_file_size, hashes)
            if known is None:
                unknown.append((path, real))
            else:
                eligible.append((path, known))
    for path, result in _read_all(unknown, options, hashes):
        if isinstance(result, SkipReason):
            found.skipped.append((path, result))
        elif result is not None:
            eligible.append((path, result))
    return eligible


def _read_all(
    files: list[tuple[bytes, bytes]], options: WalkOptions, hashes: HashCache | None
) -> Iterator[tuple[bytes, Eligible | SkipReason | None]]:
    """Read files in threads; hashing releases the interpreter's lock."""

    def examine_some(start: int) -> list[tuple[bytes, Eligible | SkipReason | None]]:
        some = files[start : start + _BATCH]
        return [(path, examine(real, path, options.max_file_size, hashes)) for path, real in some]

    with ThreadPoolExecutor(max(1, options.threads)) as pool:
        for batch in pool.map(examine_some, range(0, len(files), _BATCH)):
            yield from batch


def _tables(eligible: list[tuple[bytes, Eligible]], found: _Found) -> Inventory:
    taken = _named(eligible, found)
    os_paths, files = zip(*taken.values(), strict=True) if taken else ((), ())
    sizes, hashes = zip(*files, strict=True) if files else ((), ())
    languages = [language_of(path) for path in taken]
    columns = (list(taken), os_paths, sizes, hashes, languages)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, SNAPSHOT.types, strict=True)]
    # Arrow compares strings by their bytes.
    table = pa.table(arrays, schema=SNAPSHOT).sort_by("path")
    left = sorted(((display(path), reason) for path, reason in found.skipped), key=_by_bytes)
    skipped = {"path": [path for path, _ in left], "reason": [str(reason) for _, reason in left]}
    return Inventory(table, pa.table(skipped, schema=SKIPPED), found.errors)


def _named(
    eligible: list[tuple[bytes, Eligible]], found: _Found
) -> dict[str, tuple[bytes, Eligible]]:
    """Give the files by their path as text; of two that are spelt alike, one is skipped."""
    named = {display(item[0]): item for item in eligible}
    if len(named) == len(eligible):
        return named
    # Names that are UTF-8 come first, so that no spelt-out name takes the place of a real one.
    broken = [item for item in eligible if not _is_utf8(item[0])]
    named = {display(item[0]): item for item in eligible if _is_utf8(item[0])}
    for item in sorted(broken, key=itemgetter(0)):
        if named.setdefault(display(item[0]), item) is not item:
            found.skipped.append((item[0], SkipReason.NAME_COLLISION))
    return named


def display(os_path: bytes) -> str:
    r"""Spell a path as text: UTF-8, any broken byte as ``\xNN``."""
    return os_path.decode("utf-8", "backslashreplace")


def _is_utf8(name: bytes) -> bool:
    return display(name).encode() == name


def _by_bytes(row: tuple[str, SkipReason]) -> tuple[bytes, str]:
    return row[0].encode(), row[1]


def unread_files(skipped: pa.Table) -> dict[str, int]:
    """Give each language to the number of its files that were left out and may hold code.

    Args:
        skipped: Table `SKIPPED`.
    """
    left_out = skipped.filter(pc.is_in(skipped["reason"], pa.array(sorted(UNREAD))))
    languages = Counter(map(language_of, left_out["path"].to_pylist()))
    return {name: languages[name] for name in sorted(languages) if name != UNKNOWN}
