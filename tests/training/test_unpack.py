"""Source files out of archives."""

import io
import tarfile
import zipfile

import pytest

from codequarry.core.errors import UsageError
from training.unpack import LARGEST_FILE, is_wanted, unpack


def _names(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def test_a_wheel_gives_its_source_files(tmp_path):
    """Source of known languages is written; other files, other projects and tests are not."""
    archive = tmp_path / "a.whl"
    with zipfile.ZipFile(archive, "w") as bundle:
        for name in ("a/b.py", "a/b.so", "a/_vendor/c.py", "a/tests/d.py", "a/x.min.js", "e.rb"):
            bundle.writestr(name, "1\n")
    unpack(archive, tmp_path / "out")
    assert _names(tmp_path / "out") == ["a/b.py", "e.rb"]


def test_hostile_members_write_nothing_outside(tmp_path):
    """Paths that leave the directory, links and devices are left out."""
    archive = tmp_path / "a.tgz"
    with tarfile.open(archive, "w:gz") as bundle:
        for name in ("../up.py", "/abs.py", "a/../../up.py", "./ok.py"):
            entry = tarfile.TarInfo(name)
            entry.size = 2
            bundle.addfile(entry, io.BytesIO(b"1\n"))
        for kind, name in ((tarfile.SYMTYPE, "link.py"), (tarfile.FIFOTYPE, "fifo.py")):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            bundle.addfile(entry)
    unpack(archive, tmp_path / "deep" / "out")
    assert _names(tmp_path / "deep") == ["out/ok.py"]


def test_a_huge_member_is_left_out():
    """What is over the limit is not source that a person wrote."""
    assert is_wanted("a.go", LARGEST_FILE)
    assert not is_wanted("a.go", LARGEST_FILE + 1)


@pytest.mark.parametrize("name", ["a.whl", "a.tgz", "a.rar"])
def test_a_damaged_archive_is_named(tmp_path, name):
    """No half-unpacked directory stays, and the error names the archive."""
    archive = tmp_path / name
    archive.write_bytes(b"no archive")
    with pytest.raises(UsageError, match=name):
        unpack(archive, tmp_path / "out")
    assert _names(tmp_path) == [name]
