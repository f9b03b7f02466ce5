"""The cache of mentions: what it keeps, and that it never does harm."""

import logging
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.graph.asking import METHOD, Ask, asked, asks
from codequarry.graph.build import build_graph
from codequarry.graph.cache import Entry, MentionsCache, content_key
from codequarry.graph.gather import fill, key_of, sources_of
from codequarry.graph.packing import pack, unpack
from codequarry.graph.references import Mentions, Reference
from codequarry.sources.walk import inventory
from tests.graph.projects import lay_out, records_of

FILES = {"a.py": "def f():\n    g()\n", "b.py": "import a\n\ndef g():\n    a.f()\n"}


def _mentions(*names: str) -> Mentions:
    return Mentions([Reference(name, "x", "calls", 1) for name in names], [], [])


def _entry(key: bytes, *names: str) -> Entry:
    mentions = _mentions(*names)
    return Entry(key, pack(mentions), asked(mentions, "python"))


def _file(directory: Path) -> Path:
    (found,) = directory.glob("*.sqlite")
    return found


def test_contents_come_back(tmp_path: Path) -> None:
    """What one run wrote another reads, and only that."""
    first = MentionsCache(tmp_path, "p")
    first.write([_entry(b"1" * 16, "f"), _entry(b"2" * 16, "g")])
    first.close()
    second = MentionsCache(tmp_path, "p")
    found = second.read([b"1" * 16, b"3" * 16])
    assert {key: unpack(packed) for key, packed in found.items()} == {b"1" * 16: _mentions("f")}
    assert second.known(failed=True) == {b"1" * 16, b"2" * 16}
    assert MentionsCache(tmp_path, "q").known(failed=True) == set()


def test_failures_are_told_apart(tmp_path: Path) -> None:
    """A content that could not be parsed is known, and can be left out to be tried again."""
    cache = MentionsCache(tmp_path)
    cache.write([_entry(b"1" * 16), _entry(b"2" * 16)._replace(failure="timed out")])
    assert cache.known(failed=True) == {b"1" * 16, b"2" * 16}
    assert cache.known(failed=False) == {b"1" * 16}


_NAME = st.text(max_size=3)


@given(contents=st.lists(st.sets(_NAME, max_size=4), max_size=5), asking=st.sets(_NAME, max_size=4))
def test_who_asks_is_never_cleared(contents: list[set[str]], asking: set[str]) -> None:
    """A content that asks for a name is not among those that surely ask for none of the names."""
    cache = MentionsCache(None)
    cache.write([_entry(bytes([n]), *names) for n, names in enumerate(contents)])
    keys = {Ask(METHOD, name).key for name in asking}
    askers = {bytes([n]) for n, names in enumerate(contents) if _asked(names) & asking}
    assert cache.untouched(keys, ()) == [
        cache.known(failed=True) - askers,
        cache.known(failed=True),
    ]
    cache.close()


def _asked(names: set[str]) -> set[str]:
    return {ask.name for ask in asks(_mentions(*names), "python")}


def test_damaged_index_entry_is_not_cleared(tmp_path: Path) -> None:
    """A content whose list of names was damaged counts as asking for any name."""
    cache = MentionsCache(tmp_path)
    cache.write([_entry(b"1" * 16, "f"), _entry(b"2" * 16, "f")])
    with sqlite3.connect(_file(tmp_path)) as connection:
        connection.execute("UPDATE asked SET keys = x'0102030405060708' WHERE key = ?", [b"1" * 16])
    connection.close()
    assert cache.untouched([Ask(METHOD, "other").key]) == [{b"2" * 16}]


def test_damaged_mentions_are_parsed_again(tmp_path: Path) -> None:
    """Packed mentions that were cut or changed are no mentions, and the graph is still whole."""
    packed = pack(_mentions("f"))
    assert unpack(packed[:-1]) is None
    assert unpack(packed[:-2] + b"xx") is None
    assert unpack(b"") is None
    root, state = tmp_path / "root", tmp_path / "state"
    lay_out(root, FILES)
    snapshot = inventory(root).files
    cache = MentionsCache(state, "p")
    first = build_graph(root, "p", snapshot, records_of(root, snapshot), cache)
    with sqlite3.connect(_file(state)) as connection:
        connection.execute("UPDATE mentions SET packed = x'00'")
    connection.close()
    second = build_graph(root, "p", snapshot, records_of(root, snapshot), cache)
    assert second.edges.equals(first.edges)
    assert second.counts == first.counts


@pytest.mark.parametrize("damage", [b"", b"not a database" * 100, None])
def test_a_damaged_file_is_begun_anew(
    tmp_path: Path, damage: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that is no database, or has torn pages, is replaced by one that works."""
    cache = MentionsCache(tmp_path, "p")
    cache.write([_entry(bytes([n]) * 16, *map(str, range(99))) for n in range(200)])
    cache.close()
    file = _file(tmp_path)
    raw = file.read_bytes()
    file.write_bytes(raw[:8192] + b"\xff" * (len(raw) - 8192) if damage is None else damage)
    with caplog.at_level(logging.WARNING):
        broken = MentionsCache(tmp_path, "p")
        broken.known(failed=True)
        broken.read([bytes([n]) * 16 for n in range(200)])
        broken.untouched([1])
        broken.write([_entry(b"x" * 16, "f")])
        broken.write([_entry(b"x" * 16, "f")])
    broken.close()
    assert ("damaged" in caplog.text) == (damage != b"")
    assert b"x" * 16 in MentionsCache(tmp_path, "p").known(failed=True)


def test_without_a_directory_work_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where no file can be made, a temporary cache stands in for the run."""
    (tmp_path / "file").write_bytes(b"")
    cache = MentionsCache(tmp_path / "file" / "graph", "p")
    cache.write([_entry(b"1" * 16, "f")])
    assert cache.known(failed=True) == {b"1" * 16}
    assert "working without" in caplog.text


def test_several_writers_at_once(tmp_path: Path) -> None:
    """Writers of one cache wait for each other, and all that they write is kept."""

    def write(number: int) -> None:
        cache = MentionsCache(tmp_path, "p")
        for turn in range(20):
            cache.write([_entry(bytes([number, turn]) * 8, "f")])
        cache.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(MentionsCache(tmp_path, "p").known(failed=True)) == 80


def test_old_contents_are_forgotten(tmp_path: Path) -> None:
    """Contents that no file has any more go once they are many, and never those in use."""
    cache = MentionsCache(tmp_path)
    keys = [number.to_bytes(16, "big") for number in range(1100)]
    cache.write([_entry(key) for key in keys])
    cache.prune(set(keys[:25]))
    assert len(cache.known(failed=True)) == 1100
    cache.prune(set(keys[:24]))
    assert cache.known(failed=True) == set(keys[:24])
    assert set(cache.read(keys)) == set(keys[:24])


def test_a_content_is_parsed_once(tmp_path: Path) -> None:
    """Files of one content share an entry; a file that is no longer the snapshot's has none."""
    lay_out(tmp_path, {"a.py": "f()\n", "b.py": "f()\n", "c.py": "g()\n"})
    sources = sources_of(tmp_path, inventory(tmp_path).files)
    cache = MentionsCache(None)
    lay_out(tmp_path, {"c.py": "changed()\n"})
    fill(sources, cache)
    assert cache.known(failed=True) == {key_of(sources[0], cache)}


def test_keys_tell_contents_apart() -> None:
    """A key covers extractor, grammar and hash; an unknown hash has none."""
    one, two = "1" * 64, "2" * 64
    keys = {content_key(*parts) for parts in [(b"x", "c", one), (b"y", "c", one), (b"x", "d", one)]}
    assert len({*keys, content_key(b"x", "c", two)}) == 4
    assert content_key(b"x", "c", "") == b""
