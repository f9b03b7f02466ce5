"""The exact-text cache."""

import hashlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.errors import EmbeddingError
from codequarry.embedding.cache import EmbeddingCache, embed_with_cache
from codequarry.embedding.house import HouseEmbedder
from codequarry.embedding.provider import Profile

PROFILE = Profile("test", "m", 4)
MODEL = HouseEmbedder()


def hashes(texts) -> pa.Array:
    return pa.array([hashlib.sha256(text.encode()).hexdigest() for text in texts], pa.string())


def unit(rows: int, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(rows, 4)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def database(directory: Path) -> Path:
    (path,) = (directory / "embeddings").glob("*.sqlite")
    return path


@pytest.fixture
def cache(tmp_path):
    """A fresh cache."""
    opened = EmbeddingCache(tmp_path, PROFILE)
    yield opened
    opened.close()


class CountingModel:
    """The bundled model, and what it was asked."""

    profile = MODEL.profile
    max_items = 2
    max_tokens = None

    def __init__(self, fail_after: int | None = None):
        self.seen: list[str] = []
        self.fail_after = fail_after

    def embed_documents(self, texts):
        if self.fail_after is not None and len(self.seen) >= self.fail_after:
            raise EmbeddingError("the server went away")
        self.seen += texts.to_pylist()
        return MODEL.embed_documents(texts)

    def embed_query(self, text):
        return MODEL.embed_query(text)

    def close(self):
        pass


def test_what_was_put_is_found_exactly(tmp_path, cache):
    """Vectors come back bit for bit, in the order asked, in this process and the next."""
    keys, vectors = hashes("abcdef"), unit(6)
    cache.put_many(keys, vectors)
    for opened in (cache, EmbeddingCache(tmp_path, PROFILE)):
        found = opened.get_many(pa.concat_arrays([hashes("xdaz"), keys]))
        assert found.found.tolist() == [False, True, True, False] + [True] * 6
        assert np.array_equal(found.vectors[1], vectors[3])
        assert np.array_equal(found.vectors[4:], vectors)
        assert not found.vectors[0].any()
        opened.close()


def test_more_keys_than_one_look_up(cache):
    """Look-ups in several parts keep their places."""
    texts = [str(i) for i in range(9000)]
    vectors = unit(9000)
    cache.put_many(hashes(texts[::2]), vectors[::2])
    found = cache.get_many(hashes(texts))
    assert found.found.tolist() == [True, False] * 4500
    assert np.array_equal(found.vectors[::2], vectors[::2])


@pytest.mark.parametrize(
    ("profile", "role"),
    [
        (Profile("test", "m2", 4), "document"),
        (Profile("test", "m", 4, "", "q: "), "document"),
        (PROFILE, "query"),
        (Profile("test", "m", 3), "document"),
    ],
)
def test_another_profile_or_role_finds_nothing(tmp_path, cache, profile, role):
    """Vectors of one model, template or role are never given for another (J-33)."""
    cache.put_many(hashes("a"), unit(1))
    other = EmbeddingCache(tmp_path, profile, role)
    assert other.get_many(hashes("a")).found.tolist() == [False]
    other.close()


def test_nothing_in_nothing_out(cache):
    """No hashes are no work."""
    cache.put_many(hashes(""), unit(0))
    assert cache.get_many(hashes("")).vectors.shape == (0, 4)


@pytest.mark.parametrize("rubbish", [b"", b"this is no database" * 1000])
def test_a_foreign_file_is_replaced(tmp_path, cache, rubbish, caplog):
    """A file that is no database is begun anew, with a warning unless it was just empty."""
    cache.close()
    database(tmp_path).write_bytes(rubbish)
    reopened = EmbeddingCache(tmp_path, PROFILE)
    assert ("damaged" in caplog.text) == bool(rubbish)
    reopened.put_many(hashes("a"), unit(1))
    assert reopened.get_many(hashes("a")).found.all()
    reopened.close()


def test_damaged_pages_are_never_served(tmp_path, cache, caplog):
    """A file with overwritten pages is dropped when that shows, and the cache works on."""
    texts = [str(i) for i in range(5000)]
    cache.put_many(hashes(texts), unit(5000))
    cache.close()
    path = database(tmp_path)
    raw = bytearray(path.read_bytes())
    raw[16384 * 2 :] = b"\xff" * (len(raw) - 16384 * 2)
    path.write_bytes(raw)
    reopened = EmbeddingCache(tmp_path, PROFILE)
    assert not reopened.get_many(hashes(texts)).found.any()
    assert "begun anew" in caplog.text
    reopened.put_many(hashes(texts), unit(5000))
    assert np.array_equal(reopened.get_many(hashes(texts)).vectors, unit(5000))
    assert database(tmp_path) != path
    reopened.close()


@pytest.mark.parametrize(
    "stored", [b"\0" * 15, np.full(4, np.nan, "<f4").tobytes(), np.full(4, 9, "<f4").tobytes()]
)
def test_an_unsound_vector_counts_as_absent(tmp_path, cache, stored):
    """A vector of another width, not finite or not of unit length is not given out."""
    cache.put_many(hashes("ab"), unit(2))
    with sqlite3.connect(database(tmp_path)) as connection:
        connection.execute(
            "UPDATE vectors SET vector = ? WHERE hash = ?", (stored, hashes("a")[0].as_py())
        )
    connection.close()
    assert cache.get_many(hashes("ab")).found.tolist() == [False, True]


def test_no_directory_means_no_cache(tmp_path, caplog):
    """Where nothing can be written, work goes on without the cache and says so."""
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    cache = EmbeddingCache(blocked, PROFILE)
    cache.put_many(hashes("a"), unit(1))
    assert not cache.usable
    assert not cache.get_many(hashes("a")).found.any()
    assert "without the embedding cache" in caplog.text


FULL_DISK = """
import resource, signal, sys
import numpy as np, pyarrow as pa
from pathlib import Path
from codequarry.embedding.cache import EmbeddingCache
from codequarry.embedding.provider import Profile
cache = EmbeddingCache(Path(sys.argv[1]), Profile("test", "m", 256))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
vectors = np.zeros((5000, 256), np.float32)
vectors[:, 0] = 1
cache.put_many(pa.array([f"{i:064x}" for i in range(5000)]), vectors)
print(cache.usable)
"""


def test_a_full_disk_means_no_cache(tmp_path):
    """A write that finds no room is a warning, and the file is whole afterwards."""
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == b"False\n"
    assert b"without the embedding cache" in done.stderr
    cache = EmbeddingCache(tmp_path, Profile("test", "m", 256))
    assert cache.usable
    assert not cache.get_many(pa.array([f"{i:064x}" for i in range(5000)])).found.any()
    cache.close()


WRITER = """
import sys
import numpy as np, pyarrow as pa
from pathlib import Path
from codequarry.embedding.cache import EmbeddingCache
from codequarry.embedding.provider import Profile
start = int(sys.argv[2])
for part in range(start, start + 2000, 100):
    cache = EmbeddingCache(Path(sys.argv[1]), Profile("test", "m", 4))
    numbers = np.arange(part, part + 100)
    vectors = np.stack([np.cos(numbers), np.sin(numbers), 0 * numbers, 0 * numbers], axis=1)
    cache.put_many(pa.array([f"{i:064x}" for i in numbers]), vectors.astype(np.float32))
    assert cache.usable
    cache.close()
"""


def test_processes_share_a_cache(tmp_path):
    """Two processes that open, write overlapping keys and close lose and break nothing."""
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), start], stderr=subprocess.PIPE
        )
        for start in ("0", "1000")
    ]
    notes = [writer.communicate()[1] for writer in writers]
    assert [(writer.returncode, note) for writer, note in zip(writers, notes, strict=True)] == [
        (0, b""),
        (0, b""),
    ]
    cache = EmbeddingCache(tmp_path, PROFILE)
    found = cache.get_many(pa.array([f"{i:064x}" for i in range(3000)]))
    assert found.found.all()
    expected = np.stack([np.cos(np.arange(3000)), np.sin(np.arange(3000))], axis=1)
    assert np.array_equal(found.vectors[:, :2], expected.astype(np.float32))
    cache.close()


@given(st.lists(st.sampled_from(["parse json", "open socket", "retry", "", "{}"]), max_size=12))
@settings(deadline=None, max_examples=40)
def test_each_distinct_text_is_embedded_once(tmp_path_factory, texts):
    """Equal rows share one embedding; a second run embeds nothing and gives the same matrix."""
    cache = EmbeddingCache(tmp_path_factory.mktemp("cache"), MODEL.profile)
    first, second = CountingModel(), CountingModel()
    fresh = embed_with_cache(first, cache, texts, hashes(texts))
    again = embed_with_cache(second, cache, texts, hashes(texts))
    cache.close()
    assert sorted(first.seen) == sorted(set(texts))
    assert (fresh.embedded, fresh.reused) == (len(set(texts)), len(texts) - len(set(texts)))
    assert (second.seen, again.embedded, again.reused) == ([], 0, len(texts))
    assert np.array_equal(fresh.vectors, again.vectors)
    assert np.allclose(fresh.vectors, MODEL.embed_documents(texts), atol=1e-6)


def test_without_a_cache():
    """No cache changes the cost, not the vectors."""
    texts = pa.chunked_array([["parse json", "retry"], ["retry"]])
    result = embed_with_cache(MODEL, None, texts, hashes(texts.to_pylist()))
    assert (result.embedded, result.reused) == (2, 1)
    assert np.allclose(result.vectors, MODEL.embed_documents(texts), atol=1e-6)
    assert result.column.type == pa.list_(pa.float32(), 256)
    assert result.column[2].as_py() == result.vectors[2].tolist()


def test_work_before_a_failure_is_kept(tmp_path):
    """A provider that dies half-way leaves what it did in the cache."""
    cache = EmbeddingCache(tmp_path, MODEL.profile)
    texts = [f"word{i} cache" for i in range(100)]
    with pytest.raises(EmbeddingError):
        embed_with_cache(CountingModel(fail_after=60), cache, texts, hashes(texts))
    kept = int(cache.get_many(hashes(texts)).found.sum())
    result = embed_with_cache(CountingModel(), cache, texts, hashes(texts))
    cache.close()
    assert kept >= 60
    assert (result.embedded, result.reused) == (100 - kept, kept)
