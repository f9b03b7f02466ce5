"""The pinned packages, and how they are fetched."""

import hashlib

import msgspec
import pytest

from codequarry.core.errors import UsageError
from evaluation.questions import corpora
from training.fetch import command_of, fetch
from training.packages import Package, load_packages


def test_the_list_is_sound():
    """Every package is pinned, hashed and permissively licensed, and none is an evaluation's."""
    packages = load_packages()
    assert len(packages) > 100
    assert all(len(package.sha256) == 64 and package.version for package in packages)
    measured = {corpus.name for corpus in corpora().values()}
    assert measured.isdisjoint(package.name for package in packages)


@pytest.mark.parametrize(
    "change", [{"licence": "GPL-3.0-only"}, {"registry": "somewhere"}, {"version": 1}, {"more": 1}]
)
def test_a_wrong_entry_is_refused(tmp_path, change):
    """A licence that is not permissive, an unknown registry or a malformed entry ends the run."""
    entry = msgspec.to_builtins(Package("npm", "a", "1", "MIT", "0" * 64, 1))
    path = tmp_path / "packages.json"
    path.write_bytes(msgspec.json.encode([entry | change]))
    with pytest.raises(UsageError):
        load_packages(path)


def test_a_package_stands_there_once(tmp_path):
    """Two entries of one name are refused."""
    path = tmp_path / "packages.json"
    path.write_bytes(msgspec.json.encode([Package("npm", "a", "1", "MIT", "0" * 64, 1)] * 2))
    with pytest.raises(UsageError, match="twice"):
        load_packages(path)


def test_other_bytes_than_pinned_are_refused(tmp_path):
    """A cached archive is taken when its hash is the pinned one, and refused otherwise."""
    good = Package("pypi", "a", "1", "MIT", hashlib.sha256(b"wheel").hexdigest(), 1)
    archive = tmp_path / "pypi-a-1.whl"
    archive.write_bytes(b"wheel")
    assert fetch(good, tmp_path) == archive
    archive.write_bytes(b"other")
    with pytest.raises(UsageError, match="pinned"):
        fetch(good, tmp_path)


def test_each_registry_has_its_own_client(tmp_path):
    """A client is called by argument list, with the exact version and no address."""
    for registry, client in {"npm": "npm", "debian": "apt-get", "maven": "mvn"}.items():
        argv = command_of(Package(registry, "g:a", "1.2", "MIT", "", 1), tmp_path)
        assert argv[0] == client
        assert any("1.2" in argument for argument in argv)
        assert not any("://" in argument for argument in argv)
    assert "a==1.2" in command_of(Package("pypi", "a", "1.2", "MIT", "", 1), tmp_path)


def test_a_wheel_is_found_by_either_name_of_its_platform(tmp_path):
    """pip is told both spellings of one platform: some wheels bear the old one alone."""
    argv = command_of(Package("pypi", "a", "1.2", "MIT", "", 1), tmp_path)
    assert {"--platform=manylinux_2_17_x86_64", "--platform=manylinux2014_x86_64"} <= set(argv)
