"""core.hashing: the golden vectors of contract.md C1 to C8."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from codequarry.core import hashing

KEY = "0123456789ab"
TESTDATA = [
    *("pkg/target.go", 3, 3, "Target", "fixture.Target", "function", "go"),
    *("func Target() string", "Target returns a stable fixture value.", "b" * 64),
]
CONTENT_HASH = "a1fa56715b32d638dce3e69bb50847a758e5ae3afef3b87997e473f9ff4fa613"
WORKED = [*TESTDATA[:1], 4, 4, *TESTDATA[3:-1], CONTENT_HASH]
SOURCE = (
    b"package fixture\n\n// Target returns a stable fixture value.\n"
    b'func Target() string { return "ok" }\n'
)


def columns(*rows: Sequence[object]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


plain_tmp = pytest.mark.skipif(os.path.realpath("/tmp") != "/tmp", reason="/tmp is a link here")


@plain_tmp
def test_key_a() -> None:
    """C1: the producer's key of a directory that is no link."""
    assert hashing.producer_key(Path("/tmp/demo")) == "45e78582e898"


@plain_tmp
def test_key_b() -> None:
    """C5: the evidence key of the same directory."""
    expected = "84a8cd7d7a26dbdf6a21211d423355ec1989088651da3ce8fb577dc9d95ffae4"
    assert hashing.evidence_key(Path("/tmp/demo")) == expected


def test_both_keys_follow_symbolic_links(tmp_path: Path) -> None:
    """A project opened through a link has the keys of its real directory (J-34)."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    assert hashing.producer_key(link) == hashing.producer_key(real)
    assert hashing.evidence_key(link) == hashing.evidence_key(real)


@pytest.mark.parametrize(
    ("key", "rows", "expected"),
    [
        (KEY, [TESTDATA], "42b21d9ac2b7dc180d0d780967732502790294c0a0a83e4eb01c2d8a9e1dba3d"),
        (KEY, [], "5b08d5a3156ab078140f47505c302c6799c361ba63b1064a43423c375773e733"),
        (
            "45e78582e898",
            [WORKED],
            "a0257de92b92089d2ce792a05ca26bc3117f21ab0e59e71f6d695d6f8bacb687",
        ),
    ],
)
def test_index_fingerprint(key: str, rows: list[list[object]], expected: str) -> None:
    """C2: the record of the contract's test data, an empty index, the worked example of C7."""
    given = columns(*rows) if rows else [[] for _ in range(10)]
    assert hashing.index_fingerprint(key, given) == expected


def test_index_fingerprint_in_pieces() -> None:
    """Records added batch by batch give the fingerprint of all of them."""
    digest = hashing.FingerprintDigest(KEY)
    digest.update(columns(TESTDATA))
    digest.update([[] for _ in range(10)])
    digest.update(columns(WORKED, TESTDATA))
    whole = hashing.index_fingerprint(KEY, columns(TESTDATA, WORKED, TESTDATA))
    assert digest.hexdigest() == whole


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["b.go", "a.go"], "a59157bd97237dabdaf4caf0799d2e8ca53c50d22e34c195e8bdd88086f8ed5d"),
        (["a.go", "a.go"], "713a3a362297d727a45542772055d30d85ed4baae3c9f752c1bf14731c49e16b"),
        (["pkg/target.go"], "f1f48a59a7c159e4660181293bdee4d09742ff5ba429065bcd632176680fc6b1"),
    ],
)
def test_filter_fingerprint(paths: list[str], expected: str) -> None:
    """C4: paths are sorted and distinct before they are hashed."""
    assert hashing.filter_fingerprint(paths) == expected


def test_file_and_content_hash() -> None:
    """C3, C6, C7: the worked example's file and its symbol's line."""
    expected = "547206f0a9cd71323c526e81e3f1434be73ef559869faa43961b00739cb6570b"
    assert hashing.sha256_hex(SOURCE) == expected
    assert hashing.sha256_hex(SOURCE.split(b"\n")[3]) == CONTENT_HASH
    assert hashing.sha256_hex("") == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


def test_profile_and_structural_file_hash() -> None:
    """C8: the worked example's v4 hashes, and the profile of the contract's test data."""
    profile = hashing.profile_hash([[*WORKED, CONTENT_HASH]])
    assert profile == "b75d04165d6f76b642257a7557bb7959834906569914a9463979b62d2b36be9a"
    assert hashing.structural_file_hash(hashing.sha256_hex(SOURCE), profile) == (
        "964f1518b37e7a837330c05df9e28dff2921cfdfd007bdc5b9fef0b446df653f"
    )
    assert hashing.profile_hash([[*TESTDATA, CONTENT_HASH]]) == (
        "f88f8f9e3939502601e194f14ef135af05060f75d763c59769ec18c433a94bb4"
    )


def test_file_is_hashed_as_its_bytes(tmp_path: Path) -> None:
    """A file's hash is that of its raw bytes, whatever they are."""
    raw = bytes(range(256)) * 5000
    (tmp_path / "f").write_bytes(raw)
    assert hashing.sha256_file(tmp_path / "f") == hashing.sha256_hex(raw)


@pytest.mark.parametrize("value", ["A" * 12, "a" * 11, "a" * 13, "g" * 12, "a" * 11 + "\n", 12])
def test_is_hex_refuses(value: object) -> None:
    """Only the exact number of lower-case digits counts."""
    assert hashing.is_hex("0123456789ab", 12)
    assert not hashing.is_hex(value, 12)
