"""The bundled model equals its rule, written in plain Python, now and when it was frozen."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.columns import BLOCK_ROWS
from codequarry.core.errors import EmbeddingError
from codequarry.core.words import model_words
from codequarry.embedding import house
from codequarry.embedding.house import HouseEmbedder

DATA = Path(house.__file__).parent / "data"
FROZEN = np.load(Path(__file__).parent / "house_vectors.npz")
TEXTS = json.loads(str(FROZEN["texts"]))
MODEL = HouseEmbedder()


class SlowModel:
    """The rule in plain Python: one word, one piece, one text at a time."""

    def __init__(self):
        self.rows = np.load(DATA / "rows.npy").astype(np.float32)
        self.rows *= np.load(DATA / "scales.npy")[:, None]
        words = (DATA / "vocabulary.txt").read_text("utf-8").split("\n")
        self.index = {word: row for row, word in enumerate(words)}

    def pieces(self, word):
        if word in self.index:
            return [(self.index[word], 1.0)]
        found, at = [], 0
        while at < len(word) and len(found) < 4:
            ends = range(min(len(word), at + 16), at + 2, -1)
            end = next((e for e in ends if word[at:e] in self.index), None)
            if end is None:
                at += 1
            else:
                found.append((self.index[word[at:end]], 0.5))
                at = end
        return found

    def vector(self, text, weights):
        counts = defaultdict(float)
        for word, times in Counter(model_words(text)[:400]).items():
            for row, share in self.pieces(word):
                counts[row] += times * share
        total = np.zeros(256, np.float32)
        for row, count in counts.items():
            total += np.float32(np.log1p(count) * weights[row]) * self.rows[row]
        norm = np.linalg.norm(total)
        return total / norm if norm else total


SLOW = SlowModel()
DOCUMENT_WEIGHTS = np.load(DATA / "document_weights.npy").astype(np.float32)
QUERY_WEIGHTS = np.load(DATA / "query_weights.npy").astype(np.float32)

KNOWN = st.sampled_from(sorted(SLOW.index)[:: len(SLOW.index) // 200])
UNKNOWN = st.text("abcdefgrstxyzABX0189_$", max_size=30)
GLUE = st.sampled_from([" ", "", "\n", "_", ".", "(", "é", "日", "$"])
CODE = st.lists(st.tuples(KNOWN | UNKNOWN, GLUE), max_size=30).map(
    lambda pairs: "".join(word + glue for word, glue in pairs)
)


def test_frozen_vectors():
    """Documents and queries equal vectors that the training run's loader made, to 1e-6."""
    assert np.abs(MODEL.embed_documents(TEXTS) - FROZEN["documents"]).max() < 1e-6
    queries = np.stack([MODEL.embed_query(text) for text in TEXTS])
    assert np.abs(queries - FROZEN["queries"]).max() < 1e-6


@given(st.lists(CODE, min_size=1, max_size=6))
@settings(deadline=None)
def test_equals_the_plain_rule(texts):
    """On code-like text a batch equals the plain rule, text by text, to 1e-6."""
    expected = np.stack([SLOW.vector(text, DOCUMENT_WEIGHTS) for text in texts])
    assert np.abs(MODEL.embed_documents(texts) - expected).max() < 1e-6
    query = SLOW.vector(texts[0], QUERY_WEIGHTS)
    assert np.abs(MODEL.embed_query(texts[0]) - query).max() < 1e-6


@given(st.lists(CODE, min_size=1, max_size=6))
@settings(deadline=None)
def test_vectors_have_unit_length_or_are_zero(texts):
    """A text has length one, or no known word at all and length zero."""
    norms = np.linalg.norm(MODEL.embed_documents(texts), axis=1)
    assert ((np.abs(norms - 1) < 1e-5) | (norms == 0)).all()


def test_a_text_is_embedded_alike_in_any_company():
    """Neither blocks, threads nor neighbours change a vector by more than rounding."""
    texts = (TEXTS * (BLOCK_ROWS // len(TEXTS) + 2))[: BLOCK_ROWS + 5]
    vectors = MODEL.embed_documents(pa.array(texts))
    assert vectors.shape == (BLOCK_ROWS + 5, 256)
    assert vectors.dtype == np.float32
    expected = np.resize(FROZEN["documents"], vectors.shape)
    assert np.abs(vectors - expected).max() < 1e-6


def test_word_limit():
    """Words beyond the four hundredth change nothing, the four hundredth does."""
    start = "token " * 399
    short, long = MODEL.embed_documents([start + "cache", start + "cache socket"])
    assert np.array_equal(short, long)
    assert not np.allclose(short, MODEL.embed_documents([start])[0])


def test_nothing_to_embed():
    """No rows give a matrix of no rows."""
    assert MODEL.embed_documents([]).shape == (0, 256)


def test_the_name_stands_for_the_weights():
    """Other weights need another model name: vectors in stores are told apart by it."""
    digest = hashlib.sha256()
    for name in ("rows", "scales", "query_weights", "document_weights"):
        digest.update((DATA / f"{name}.npy").read_bytes())
    digest.update((DATA / "vocabulary.txt").read_bytes())
    assert (MODEL.profile.profile_id, digest.hexdigest()) == (
        "house:code-words-v2:256:cosine",
        "5797cb6cb2337cb92edceed301394e0c82970fdeebf9e940322eac3b85a8fa18",
    )


@pytest.mark.parametrize("damage", ["missing", "cut", "other"])
def test_damaged_data_is_named(tmp_path, damage):
    """A missing, cut or foreign file is an error that says to reinstall."""
    for path in DATA.iterdir():
        shutil.copyfile(path, tmp_path / path.name)
    rows = tmp_path / "rows.npy"
    if damage == "missing":
        rows.unlink()
    elif damage == "cut":
        rows.write_bytes(rows.read_bytes()[:1000])
    else:
        np.save(rows, np.zeros((3, 256), np.int8))
    with pytest.raises(EmbeddingError, match="reinstall"):
        HouseEmbedder(tmp_path)


def test_a_vocabulary_of_another_length_is_refused(tmp_path):
    """Words and rows must correspond."""
    for path in DATA.iterdir():
        shutil.copyfile(path, tmp_path / path.name)
    (tmp_path / "vocabulary.txt").write_text("one\ntwo", "utf-8")
    with pytest.raises(EmbeddingError, match="reinstall"):
        HouseEmbedder(tmp_path).embed_query("one")


def test_a_query_needs_no_http_client_and_no_polars():
    """Settings and the bundled model import neither httpx nor tenacity, polars or pandera."""
    program = (
        "import sys\n"
        "from codequarry.embedding.settings import EmbeddingSettings, make_embedder\n"
        "make_embedder(EmbeddingSettings.from_environment({})).embed_query('retry')\n"
        "heavy = ('httpx', 'tenacity', 'polars', 'pandera', 'dagster')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"[]\n"
