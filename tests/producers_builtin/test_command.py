import json
from pathlib import Path

import pytest

from codequarry.core.errors import CodequarryError, ProducerError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.producers.builtin.command import (
    export_symbols,
    failure,
    filter_entries,
    project_at,
    structural_manifest,
)
from tests.producers_builtin.building import write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", {"a.py": b"X = 1\n", "sub/b.py": b"Y = 1\n"})


@pytest.fixture
def state(tmp_path: Path) -> StateDirectory:
    return StateDirectory(tmp_path / "state")


def total(raw: bytes) -> int:
    return int(json.loads(raw)["total_records"])


def test_flags_default_and_have_bounds(root: Path, state: StateDirectory) -> None:
    """Zero means the default, which is echoed; beyond the bounds is an error (A1)."""
    one = json.loads(export_symbols(root, state, {}))
    assert (one["offset"], one["limit"], one["max_content_bytes"]) == (0, 1000, 16_384)
    one = json.loads(export_symbols(root, state, {}, 0, 5000, 262_144))
    assert (one["limit"], one["max_content_bytes"]) == (5000, 262_144)
    for numbers in ((-1, 0, 0), (0, -1, 0), (0, 5001, 0), (0, 0, -1), (0, 0, 262_145)):
        with pytest.raises(UsageError):
            export_symbols(root, state, {}, *numbers)


def test_only_the_first_whole_page_refreshes(root: Path, state: StateDirectory) -> None:
    """Later pages, filtered pages and the manifest read the index as it stands."""
    assert total(export_symbols(root, state, {})) == 2
    write(root, {"c.py": b"Z = 1\n"})
    assert total(export_symbols(root, state, {}, offset=1)) == 2
    assert total(export_symbols(root, state, {}, files=["c.py"])) == 0
    assert json.loads(structural_manifest(root, state, {}))["freshness"]["new"] == 1
    assert total(export_symbols(root, state, {})) == 3


def test_a_page_of_nothing_indexed_makes_the_index(root: Path, state: StateDirectory) -> None:
    """Without an index even a filtered page makes one; so does one that is damaged."""
    assert total(export_symbols(root, state, {}, files=["a.py"])) == 1
    (index,) = state.producer.glob("*/index.arrow")
    index.write_bytes(b"junk")
    assert total(export_symbols(root, state, {}, offset=1)) == 2


def test_the_nearest_registered_ancestor_is_the_project(
    root: Path, state: StateDirectory, tmp_path: Path
) -> None:
    """From a subdirectory the export is that of the registered root, under its name."""
    projects = {"outer": tmp_path, "shop-1": root}
    assert project_at(root / "sub", projects) == ("shop-1", root)
    assert project_at(root / "sub", {}) == ("sub", root / "sub")
    one = json.loads(export_symbols(root / "sub", state, projects))
    assert (one["project"], one["total_records"]) == ("shop-1", 2)


def test_filter_lists_are_read_from_flags_and_file() -> None:
    """Commas separate, lines separate, blanks are dropped; a comma in a line is a name's."""
    assert filter_entries(["a.py,b.py", "c.py"], b" d.py \n\n e,f.py\r\n") == [
        "a.py",
        "b.py",
        "c.py",
        "d.py",
        "e,f.py",
    ]
    assert filter_entries([], None) == []


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (ProducerError("m", "h", "not_indexed"), "not_indexed", 2),
        (ProducerError("m", "h", "index_missing"), "index_missing", 3),
        (ProducerError("m", "h", "index_corrupt"), "index_corrupt", 4),
        (ProducerError("m", "h", "not_a_repo"), "not_a_repo", 5),
        (ProducerError("m", "h", "operational"), "operational", 1),
        (ProducerError("m", "h", "P6"), "operational", 1),
        (UsageError("m", "h"), "operational", 1),
    ],
)
def test_failures_have_the_contracts_codes(error: CodequarryError, code: str, status: int) -> None:
    """Envelope and exit code are those of A0.1."""
    raw, exit_code = failure(error)
    assert json.loads(raw) == {"ok": False, "error": "m", "code": code, "hint": "h"}
    assert exit_code == status


def test_an_envelope_without_a_hint_omits_it() -> None:
    """The layout is Go's, and an absent remedy leaves no key."""
    raw, _ = failure(ProducerError("project demo is gone"))
    assert raw == (
        b'{\n  "ok": false,\n  "error": "project demo is gone",\n  "code": "operational"\n}\n'
    )


def test_a_manifest_of_nothing_indexed_is_missing(root: Path, state: StateDirectory) -> None:
    """The manifest makes no index of its own."""
    with pytest.raises(ProducerError) as caught:
        structural_manifest(root, state, {})
    assert failure(caught.value)[1] == 3
