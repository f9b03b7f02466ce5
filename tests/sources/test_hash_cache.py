import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.sources.hash_cache import (
    GRANULARITY_NS,
    StatusHashes,
    cache_path,
    remembered,
)
from codequarry.sources.walk import Inventory, inventory

SECOND = 1_000_000_000


def later() -> int:
    """Give a time at which files written just now are old enough to be trusted."""
    return time.time_ns() + 10 * SECOND


def scan(root: Path, cache: Path, *, fresh: bool = False) -> tuple[Inventory, StatusHashes]:
    hashes = StatusHashes(cache, fresh=fresh, now=later)
    found = inventory(root, None, hashes)
    hashes.save()
    return found, hashes


class Counting(StatusHashes):
    """Counts the files that had to be read."""

    read = 0

    def learn(self, os_path: bytes, status: os.stat_result, sha256: str) -> None:
        self.read += 1
        super().learn(os_path, status, sha256)


def files_read(root: Path, cache: Path, **options: Any) -> int:
    hashes = Counting(cache, **{"now": later, **options})
    inventory(root, None, hashes)
    hashes.save()
    return hashes.read


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "deep").mkdir(parents=True)
    for name in ("a.py", "b.py", "deep/c.py", "deep/d d.py"):
        (root / name).write_bytes(name.encode())
    return root


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "home" / "hashes.arrow"


def test_unchanged_files_are_not_read(tree: Path, cache: Path) -> None:
    """A second scan reads nothing, gives the same inventory, and leaves the cache as it is."""
    assert files_read(tree, cache) == 4
    before = cache.stat()
    assert files_read(tree, cache) == 0
    assert scan(tree, cache)[0].files.equals(inventory(tree).files)
    assert cache.stat().st_ino == before.st_ino


def test_only_the_changed_file_is_read(tree: Path, cache: Path) -> None:
    """A scan after one edit reads one file; a deleted file is forgotten."""
    files_read(tree, cache)
    (tree / "a.py").write_bytes(b"another")
    (tree / "b.py").unlink()
    assert files_read(tree, cache) == 1
    (tree / "b.py").write_bytes(b"b.py")
    assert files_read(tree, cache) == 1


def test_young_files_are_not_trusted(tree: Path, cache: Path) -> None:
    """A file that changed within the clock's granularity before a scan is read by the next one."""
    assert files_read(tree, cache, now=time.time_ns) == 4
    assert files_read(tree, cache) == 4
    assert files_read(tree, cache) == 0


def test_fresh_reads_all_and_still_learns(tree: Path, cache: Path) -> None:
    """A fresh scan reads every file, heals a wrong entry, and serves the scan after it."""
    assert files_read(tree, cache, fresh=True) == 4
    status = (tree / "a.py").stat()
    liar = StatusHashes(cache, now=later)
    inventory(tree, None, liar)
    liar.learn(b"a.py", status, "0" * 64)
    liar.save()
    assert not scan(tree, cache)[0].files.equals(inventory(tree).files)
    assert files_read(tree, cache, fresh=True) == 4
    assert files_read(tree, cache) == 0
    assert scan(tree, cache)[0].files.equals(inventory(tree).files)


def test_files_judged_unfit_are_judged_again(tree: Path, cache: Path) -> None:
    """Binary, blank and secret files are never remembered as eligible."""
    (tree / "a.py").write_bytes(b"\0\0")
    (tree / "b.py").write_bytes(b"  \n")
    (tree / "deep" / "c.py").write_bytes(b"-----BEGIN PRIVATE KEY-----\n")
    for _ in range(2):
        found, _hashes = scan(tree, cache)
        assert found.files["path"].to_pylist() == ["deep/d d.py"]
        assert found.skipped["reason"].to_pylist() == ["binary", "blank", "secret"]


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "garbage", "version", "directory"])
def test_damaged_cache_is_no_cache(tree: Path, cache: Path, damage: str) -> None:
    """Whatever happens to the cache file, the inventory is right, and the next scan may use it."""
    files_read(tree, cache)
    raw = bytearray(cache.read_bytes())
    if damage == "directory":
        cache.unlink()
        cache.mkdir()
    elif damage == "version":
        from codequarry.sources import hash_cache

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hash_cache, "_VERSION", {b"codequarry": b"0", b"hash_cache": b"1"})
            files_read(tree, cache, fresh=True)
            files_read(tree, cache)
            assert cache.read_bytes() != raw
    else:
        raw[-40] ^= damage == "flipped"
        written = {
            "cut": bytes(raw[:-9]),
            "flipped": bytes(raw),
            "empty": b"",
            "garbage": b"x" * 99,
        }
        cache.write_bytes(written[damage])
    assert files_read(tree, cache) == 4
    assert scan(tree, cache)[0].files.equals(inventory(tree).files)


def test_unwritable_place_is_no_error(tree: Path, tmp_path: Path) -> None:
    """Where no cache can be written, scanning works without one."""
    (tmp_path / "file").write_bytes(b"")
    assert files_read(tree, tmp_path / "file" / "hashes.arrow") == 4
    assert files_read(tree, tmp_path / "file" / "hashes.arrow") == 4


def test_failed_scan_saves_nothing(tree: Path, state: StateDirectory) -> None:
    """An exception during the scan leaves the cache of the last whole scan."""
    path = cache_path(state, tree)
    files_read(tree, path)
    before = path.read_bytes()
    with pytest.raises(NotADirectoryError), remembered(state, tree):
        os.listdir(tree / "a.py")
    assert path.read_bytes() == before


OLD = {"st_size": 4, "st_mtime_ns": 20 * SECOND, "st_ctime_ns": 30 * SECOND, "st_ino": 7}


def seen_at(cache: Path, started: int, ended: int | None = None) -> str | None:
    """Scan one file, status `OLD`, at a given time; give what was known of it before."""
    times = iter([started, ended or started])
    hashes = StatusHashes(cache, now=lambda: next(times) * SECOND)
    known = hashes.known(b"a.py", SimpleNamespace(**OLD))
    if known is None:
        hashes.learn(b"a.py", SimpleNamespace(**OLD), "ab" * 32)
    hashes.save()
    return known


@pytest.mark.parametrize("field", sorted(OLD))
def test_every_part_of_a_status_counts(cache: Path, field: str) -> None:
    """A file is another one when its size, mtime, ctime or inode is another, even by one."""
    seen_at(cache, 100)
    other = SimpleNamespace(**{**OLD, field: OLD[field] + 1})
    hashes = StatusHashes(cache, now=later)
    assert hashes.known(b"a.py", other) is None
    assert hashes.known(b"b.py", SimpleNamespace(**OLD)) is None
    assert hashes.known(b"a.py", SimpleNamespace(**OLD)) == "ab" * 32


@pytest.mark.parametrize(("started", "trusted"), [(31, False), (32, True), (29, False)])
def test_granularity_is_two_seconds(cache: Path, started: int, trusted: bool) -> None:
    """A status two seconds older than the scan is trusted; a younger or a later one is not."""
    seen_at(cache, started)
    assert (seen_at(cache, 200) is not None) is trusted


def test_clock_put_back_between_scans(cache: Path) -> None:
    """When the clock was put back, all is forgotten for good, also once it has caught up."""
    seen_at(cache, 100)
    assert seen_at(cache, 31) is None
    assert seen_at(cache, 110) is None
    assert seen_at(cache, 111) is not None


def test_clock_put_back_during_a_scan(cache: Path) -> None:
    """What was learned while the clock was put back is not kept, nor what was known before."""
    seen_at(cache, 100, 40)
    assert seen_at(cache, 110) is None
    assert seen_at(cache, 120, 40) is not None
    assert seen_at(cache, 130) is None


def test_threads_share_a_cache(tmp_path: Path) -> None:
    """Entries learned from many threads at once are all kept."""
    status = tmp_path.stat()
    hashes = StatusHashes(tmp_path / "hashes.arrow", now=later)

    def learn(start: int) -> None:
        for number in range(start, 4000, 4):
            hashes.learn(b"%d" % number, status, sha256_hex(str(number)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, range(4)))
    hashes.save()
    again = StatusHashes(tmp_path / "hashes.arrow", now=later)
    known = [again.known(b"%d" % number, status) for number in range(4000)]
    assert known == [sha256_hex(str(number)) for number in range(4000)]


NAMES = ("a.py", "b.py", "c.py", "sub/a.py", "sub/\xff.py")
CONTENTS = (b"aaaa", b"bbbb", b"cccc", b"dd", b"\0\0\0\0", b"    ")
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["write", "rewrite", "replace", "link", "symlink", "unlink", "scan"]),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from(CONTENTS),
        st.booleans(),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(edits=EDITS)
def test_cache_changes_no_inventory(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str, str, bytes, bool]]
) -> None:
    """After any edits, mtimes kept or not, a scan with the cache equals one without."""
    folder = tmp_path_factory.mktemp("edits")
    root, cache = folder / "root", folder / "hashes.arrow"
    (root / "sub").mkdir(parents=True)
    for name in NAMES[:3]:
        (root / name).write_bytes(b"aaaa")
    for kind, name, other, content, keep_mtime in edits:
        edit(root, kind, root / name, root / other, content, keep_mtime)
        if kind == "scan":
            scan(root, cache)
    with_cache, without = scan(root, cache)[0], inventory(root)
    assert with_cache.files.equals(without.files)
    assert with_cache.skipped.equals(without.skipped)


def edit(root: Path, kind: str, path: Path, other: Path, content: bytes, keep_mtime: bool) -> None:
    before = os.lstat(path) if os.path.lexists(path) else None
    regular = before is not None and stat.S_ISREG(before.st_mode)
    if kind == "unlink" and before:
        path.unlink()
    elif kind == "write" and (regular or before is None):
        path.write_bytes(content)
    elif kind == "rewrite" and regular:
        with path.open("r+b") as handle:  # the same size, in place
            handle.write(content[:4].ljust(before.st_size, b"x")[: before.st_size])
    elif kind == "replace" and other.is_file() and other != path:
        os.replace(other, path)
    elif (
        kind in ("link", "symlink")
        and other.is_file()
        and os.path.realpath(other) != os.path.realpath(path)
    ):
        path.unlink(missing_ok=True)
        if kind == "link":
            os.link(os.path.realpath(other), path)
        else:
            path.symlink_to(other)
    if regular and kind in ("write", "rewrite"):
        mtime = before.st_mtime_ns if keep_mtime else time.time_ns()
        # A real clock is never asked to tell changes within one tick apart; the model below is.
        while os.utime(path, ns=(mtime, mtime)) or path.stat().st_ctime_ns == before.st_ctime_ns:
            pass


class Clocks(RuleBasedStateMachine):
    """A file system with coarse time stamps and a clock that jumps, in place of a real one."""

    @initialize(granule=st.sampled_from([1, SECOND // 250, SECOND, GRANULARITY_NS]))
    def plant(self, granule: int) -> None:
        self.granule = granule
        self.clock = 100 * SECOND
        self.inodes: dict[int, SimpleNamespace] = {}
        self.paths: dict[bytes, int] = {}
        self.cache = Path(os.environ["HASH_CACHE_MODEL"])
        self.cache.unlink(missing_ok=True)
        self.unseen_jump = 0

    def stamp(self) -> int:
        return self.clock // self.granule * self.granule

    @rule(path=st.sampled_from([b"a", b"b"]), content=st.sampled_from("xy"), keep=st.booleans())
    def write(self, path: bytes, content: str, keep: bool) -> None:
        inode = self.paths.setdefault(path, len(self.inodes))
        old = self.inodes.get(inode)
        mtime = old.st_mtime_ns if old and keep else self.stamp()
        self.inodes[inode] = SimpleNamespace(
            st_size=1, st_mtime_ns=mtime, st_ctime_ns=self.stamp(), st_ino=inode, content=content
        )

    @rule(source=st.sampled_from([b"a", b"b"]), place=st.sampled_from([b"a", b"b"]))
    def rename(self, source: bytes, place: bytes) -> None:
        if source in self.paths and source != place:
            self.paths[place] = self.paths.pop(source)

    @rule(source=st.sampled_from([b"a", b"b"]), place=st.sampled_from([b"a", b"b"]))
    def link(self, source: bytes, place: bytes) -> None:
        if source in self.paths:
            self.paths[place] = self.paths[source]

    @rule(path=st.sampled_from([b"a", b"b"]))
    def unlink(self, path: bytes) -> None:
        self.paths.pop(path, None)

    @rule(ns=st.sampled_from([1, SECOND, 5 * SECOND]))
    def pass_time(self, ns: int) -> None:
        if self.clock < self.unseen_jump <= self.clock + ns:
            self.scan()  # a clock put back and forth between two scans cannot be noticed
        self.clock += ns

    @precondition(lambda self: not self.unseen_jump)
    @rule(ns=st.sampled_from([1, SECOND, 3 * SECOND, 60 * SECOND]))
    def put_clock_back(self, ns: int) -> None:
        self.unseen_jump = self.clock
        self.clock -= ns

    @rule(torn=st.booleans(), back=st.sampled_from([0, 0, 3 * SECOND]))
    def scan_torn(self, torn: bool, back: int) -> None:
        self.scan(torn, back)

    def scan(self, torn: bool = False, back: int = 0) -> None:
        hashes = StatusHashes(self.cache, now=lambda: self.clock)
        for path, inode in sorted(self.paths.items()):
            status = self.inodes[inode]
            known = hashes.known(path, status)
            assert known in (None, sha256_hex(status.content))
            if known is None:
                if torn:  # an editor writes between our look at the status and our reading
                    self.write(path, "t", True)
                hashes.learn(path, status, sha256_hex(self.inodes[inode].content))
        self.unseen_jump = 0
        self.clock -= back
        hashes.save()

    @invariant()
    def known_is_true(self) -> None:
        if getattr(self, "paths", None) and not self.unseen_jump:
            hashes = StatusHashes(self.cache, now=lambda: self.clock)
            for path, inode in self.paths.items():
                status = self.inodes[inode]
                assert hashes.known(path, status) in (None, sha256_hex(status.content))


def test_clock_jumps_and_coarse_stamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With any granularity up to two seconds and a clock put back, no wrong hash is ever known."""
    from hypothesis.stateful import run_state_machine_as_test

    monkeypatch.setenv("HASH_CACHE_MODEL", str(tmp_path / "model.arrow"))
    run_state_machine_as_test(
        Clocks, settings=settings(max_examples=100, stateful_step_count=40, deadline=None)
    )
