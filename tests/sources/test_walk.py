"""The inventory, over real files of every sort."""

import contextlib
import hashlib
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.core.errors import ProjectError
from codequarry.schemas.tables import SKIPPED, SNAPSHOT
from codequarry.sources.walk import Inventory, WalkOptions, inventory


def skipped(found: Inventory) -> dict[str, str]:
    return {row["path"]: row["reason"] for row in found.skipped.to_pylist()}


def paths(found: Inventory) -> list[str]:
    listed: list[str] = found.files["path"].to_pylist()
    return listed


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Drop root for a while, so that permissions count."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A directory that any user may enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_row_of_a_file_states_its_bytes(tmp_path: Path) -> None:
    """Size and hash are those of the raw file; the tables have the declared schemas."""
    content = b"def f():\r\n    return '\xff'\n" + b" " * 9000
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_bytes(b"#" * 8192 + content)
    found = inventory(tmp_path)
    assert found.files.schema.equals(SNAPSHOT)
    assert found.skipped.schema.equals(SKIPPED)
    assert found.files.to_pylist() == [
        {
            "path": "src/a.py",
            "os_path": b"src/a.py",
            "size": 8192 + len(content),
            "sha256": hashlib.sha256(b"#" * 8192 + content).hexdigest(),
            "language": "python",
        }
    ]


def test_order_is_bytewise(tmp_path: Path) -> None:
    """Paths ascend by their bytes: not by letters, folders or code units."""
    for name in ("b", "a.b", "a/b", "B", "\U0001f600", "\uffee", "a-b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    expected = ["B", "a-b", "a.b", "a/b", "b", "\uffee", "\U0001f600"]
    assert paths(inventory(tmp_path)) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "blank"),
        (b" \t\r\n\xe2\x80\xa8\xc2\xa0", "blank"),
        (b" " * 3_000_000, "too_large"),
        (b"x" * (1024 * 1024 + 1), "too_large"),
        (b"x" * 1024 * 1024, None),
        (b"\x1c", None),
        (b"text\0", "binary"),
        (b"x" * 8192 + b"\0", None),
        (b"\xff\xfe", "binary"),
        (b"x" * 8190 + b"\xe2\x82", "binary"),
        (b"x" * 8190 + b"\xe2\x82\xac", None),
        (b"x" * 8191 + b"\xe2\x28\xa1", None),
        (b"x" * 8190 + b"\xe2\x28\xa1", "binary"),
        (b"x" * 8192 + b"\xff", None),
        (b"-----BEGIN RSA PRIVATE KEY-----\nMII", "secret"),
        (b"'-----BEGIN PRIVATE KEY-----'", None),
    ],
)
def test_content_decides(tmp_path: Path, content: bytes, reason: str | None) -> None:
    """NUL or invalid UTF-8 in the first 8192 bytes is binary; a rune cut there is not (J-18)."""
    (tmp_path / "f.py").write_bytes(content)
    found = inventory(tmp_path)
    assert skipped(found) == ({"f.py": reason} if reason else {})
    assert paths(found) == ([] if reason else ["f.py"])


def test_large_blank_file_is_blank_when_allowed(tmp_path: Path) -> None:
    """With a larger limit a file is streamed, and judged as a whole."""
    (tmp_path / "blank").write_bytes(b" " * 3_000_000)
    (tmp_path / "late").write_bytes(b" " * 3_000_000 + b"x")
    found = inventory(tmp_path, WalkOptions(max_file_size=4_000_000))
    assert skipped(found) == {"blank": "blank"}
    digest = hashlib.sha256(b" " * 3_000_000 + b"x").hexdigest()
    assert found.files["sha256"].to_pylist() == [digest]


def test_sparse_giant_is_not_read(tmp_path: Path) -> None:
    """A file of 300 GB is skipped by its size alone."""
    with open(tmp_path / "giant.py", "wb") as handle:
        handle.truncate(300 * 1024**3)
    assert skipped(inventory(tmp_path)) == {"giant.py": "too_large"}


def test_special_files_are_never_opened(tmp_path: Path) -> None:
    """A FIFO, a socket and a link to a device are skipped, and the call does not block."""
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "null").symlink_to(os.devnull)
    (tmp_path / "to_pipe").symlink_to("pipe.py")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(tmp_path)
        try:
            server.bind("sock")
        finally:
            os.chdir(here)
        found = inventory(tmp_path)
    assert skipped(found) == {
        "pipe.py": "not_regular",
        "null": "symlink_outside",
        "sock": "not_regular",
        "to_pipe": "not_regular",
    }


def test_symlinks_are_followed_to_files_inside_only(tmp_path: Path) -> None:
    """A link to a file of the project counts; every other link is skipped with its reason."""
    root = tmp_path / "root"
    (root / "dir").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"token")
    (root / "dir" / "real.py").write_bytes(b"x = 1\n")
    (root / ".env").write_bytes(b"TOKEN=1")
    (tmp_path / "root2").write_bytes(b"outside")
    for name, target in {
        "inside.py": "dir/real.py",
        "twice.py": "inside.py",
        "folder": "dir",
        "outside": "../root2",
        "absolute": str(tmp_path / "root2"),
        "nowhere": "missing",
        "through": "dir/real.py/x",
        "self": "self",
        "ping": "pong",
        "pong": "ping",
        "up": "..",
        "config": ".git/config",
        "settings": ".env",
    }.items():
        (root / name).symlink_to(target)
    found = inventory(root)
    assert paths(found) == ["dir/real.py", "inside.py", "twice.py"]
    assert len(set(found.files["sha256"].to_pylist())) == 1
    assert skipped(found) == {
        ".env": "secret",
        "absolute": "symlink_outside",
        "config": "symlink_outside",
        "folder": "symlink_directory",
        "nowhere": "symlink_dangling",
        "outside": "symlink_outside",
        "ping": "symlink_loop",
        "pong": "symlink_loop",
        "self": "symlink_loop",
        "settings": "secret",
        "through": "symlink_dangling",
        "up": "symlink_outside",
    }


SECRETS = ".env .env.local prod.env key.pem server.KEY id_rsa id_ed25519 .netrc .npmrc secrets.yml"
NO_SECRETS = ".env.example id_rsa.pub keys.py environment.py secrets.py monkey .envrc"


def test_secrets_are_told_by_name(tmp_path: Path) -> None:
    """Files that well-knownly hold secrets are listed as skipped; their like are indexed."""
    for name in f"{SECRETS} {NO_SECRETS}".split():
        (tmp_path / name).write_bytes(b"x")
    found = inventory(tmp_path)
    assert skipped(found) == dict.fromkeys(SECRETS.split(), "secret")
    assert sorted(paths(found)) == sorted(NO_SECRETS.split())


def test_names_of_any_bytes_are_kept(tmp_path: Path) -> None:
    """Newlines, quotes and broken UTF-8 stay in os_path; path spells the broken bytes out."""
    names = [b"a\nb", b"q'\"", b" space ", b"caf\xe9.py", b"back\\slash", b"\xf0\x9f\x98"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(b"x")
    rows = inventory(tmp_path).files.to_pylist()
    assert {row["os_path"]: row["path"] for row in rows} == {
        b"a\nb": "a\nb",
        b"q'\"": "q'\"",
        b" space ": " space ",
        b"caf\xe9.py": "caf\\xe9.py",
        b"back\\slash": "back\\slash",
        b"\xf0\x9f\x98": "\\xf0\\x9f\\x98",
    }
    assert {row["language"] for row in rows if row["path"].endswith(".py")} == {"python"}


def test_spelt_out_name_yields_to_a_real_one(tmp_path: Path) -> None:
    """Of two files with one path the one whose name is text is kept, the other is listed."""
    base = os.fsencode(tmp_path)
    Path(os.fsdecode(base + b"/a\xff")).write_bytes(b"raw")
    Path(os.fsdecode(base + b"/a\\xff")).write_bytes(b"text")
    found = inventory(tmp_path)
    assert found.files["os_path"].to_pylist() == [b"a\\xff"]
    assert skipped(found) == {"a\\xff": "name_collision"}


def test_unreadable_is_counted_or_listed(open_path: Path) -> None:
    """An unreadable file is skipped; an unreadable directory is an error, and listed."""
    for name in ("closed/a.py", "ok.py", "shut.py"):
        (open_path / name).parent.mkdir(exist_ok=True)
        (open_path / name).write_bytes(b"x")
    (open_path / "closed").chmod(0)
    (open_path / "shut.py").chmod(0)
    with unprivileged():
        found = inventory(open_path)
    (open_path / "closed").chmod(0o755)
    assert paths(found) == ["ok.py"]
    assert skipped(found) == {"closed": "unreadable", "shut.py": "unreadable"}
    assert found.errors == 1


def test_unreadable_ignore_file_is_an_error(open_path: Path) -> None:
    """Rules that cannot be read are counted: what they name might be indexed."""
    (open_path / ".gitignore").write_bytes(b"*.x\n")
    (open_path / ".gitignore").chmod(0)
    with unprivileged():
        found = inventory(open_path)
    assert found.errors == 1


def test_nested_repositories_are_part_of_the_project(tmp_path: Path) -> None:
    """A nested repository and a submodule are walked; one never checked out is listed."""
    for name, content in {
        ".gitmodules": b'[submodule "x"]\n\tpath = mods/x\n\turl = u\n[submodule]\n\tpath = y\n',
        "mods/x/.git": b"gitdir: ../../.git/modules/x\n",
        "mods/x/a.py": b"x",
        "nested/.git/HEAD": b"ref",
        "nested/.gitignore": b"hidden.py\n",
        "nested/hidden.py": b"x",
        "nested/b.py": b"x",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    found = inventory(tmp_path)
    assert paths(found) == [".gitmodules", "mods/x/a.py", "nested/.gitignore", "nested/b.py"]
    assert skipped(found) == {"y": "submodule_absent"}


def test_roots_that_cannot_be_walked_say_so(tmp_path: Path) -> None:
    """A missing root and a file are errors with a remedy; an empty tree is an empty inventory."""
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    for name in ("missing", "file"):
        with pytest.raises(ProjectError) as caught:
            inventory(tmp_path / name)
        assert caught.value.remedy
    found = inventory(tmp_path / "empty")
    assert (found.files.num_rows, found.skipped.num_rows, found.errors) == (0, 0, 0)


def test_closed_root_says_so(open_path: Path) -> None:
    """A root without permission is an error, not an empty project."""
    open_path.chmod(0)
    with unprivileged(), pytest.raises(ProjectError):
        inventory(open_path)
    open_path.chmod(0o755)


def test_extra_patterns_override_every_file(tmp_path: Path) -> None:
    """What is ignored for one run cannot be re-included by the tree."""
    (tmp_path / ".codequarryignore").write_bytes(b"!a.py\n")
    (tmp_path / "a.py").write_bytes(b"x")
    found = inventory(tmp_path, WalkOptions(extra_ignore=("*.py",)))
    assert paths(found) == [".codequarryignore"]


class Remembered:
    """A hash cache that answers what it was told."""

    def __init__(self) -> None:
        self.told: dict[bytes, str] = {}

    def known(self, os_path: bytes, status: os.stat_result) -> str | None:
        return self.told.get(os_path)

    def learn(self, os_path: bytes, status: os.stat_result, sha256: str) -> None:
        self.told[os_path] = sha256


def test_known_hashes_save_the_reading(tmp_path: Path) -> None:
    """The cache learns eligible files only, and what it knows is taken without reading."""
    (tmp_path / "a.py").write_bytes(b"x")
    (tmp_path / "b.py").write_bytes(b"\0")
    hashes = Remembered()
    first = inventory(tmp_path, hashes=hashes)
    assert hashes.told == {b"a.py": hashlib.sha256(b"x").hexdigest()}
    (tmp_path / "a.py").write_bytes(b"y")
    assert inventory(tmp_path, hashes=hashes).files.equals(first.files)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(names=st.sets(st.binary(min_size=1, max_size=4), max_size=8))
def test_every_file_is_in_one_table(
    tmp_path_factory: pytest.TempPathFactory, names: set[bytes]
) -> None:
    """Whatever its name, a file is either in the snapshot or listed as skipped, once."""
    root = tmp_path_factory.mktemp("tree")
    names = {n for n in names if not {*b"/\0"} & {*n} and n not in (b".", b"..", b".git")}
    for name in names:
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(b"x")
    found = inventory(root, WalkOptions(ignore=()))
    rows = found.files.to_pylist()
    assert [row["path"] for row in rows] == sorted(
        {row["path"] for row in rows}, key=lambda path: path.encode()
    )
    assert len(rows) + found.skipped.num_rows == len(names)


def test_an_image_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first bytes give away costs no more than these, every time the tree is looked at."""
    (tmp_path / "a.png").write_bytes(b"\x89PNG\0" + bytes(900_000))
    taken: list[int] = []
    real = os.read

    def counting(descriptor: int, size: int) -> bytes:
        found = real(descriptor, size)
        taken.append(len(found))
        return found

    monkeypatch.setattr(os, "read", counting)
    assert inventory(tmp_path).skipped["reason"].to_pylist() == ["binary"]
    assert sum(taken) < 20_000
