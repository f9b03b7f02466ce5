"""Weights as files."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from codequarry.embedding.house import DIMENSIONS, HouseEmbedder
from training.quantise import Weights, digest_of, quantise, save_weights

FINITE = st.floats(-100, 100, width=32)


@given(hnp.arrays(np.float32, st.tuples(st.integers(0, 5), st.integers(1, 8)), elements=FINITE))
def test_no_number_is_off_by_more_than_half_a_step(rows):
    """Integers times scale give the row back to half a scale; they never overflow."""
    integers, scales = quantise(rows)
    assert integers.dtype == np.int8
    assert np.all(np.abs(integers.astype(int)) <= 127)
    error = np.abs(integers * scales[:, None].astype(np.float64) - rows)
    assert np.all(error <= scales[:, None] * 0.5001 + 1e-6)


def _weights():
    random = np.random.default_rng(1)
    words = ("open", "file", "read")
    rows = random.normal(size=(3, DIMENSIONS)).astype(np.float32)
    return Weights(words, rows, np.array([1, 0.5, 2], np.float32), np.ones(3, np.float32))


def test_the_loader_reads_what_was_saved(tmp_path):
    """A text's vector is the weighted sum of the rows, at unit length."""
    weights = _weights()
    save_weights(weights, tmp_path)
    expected = np.log1p(2) * weights.rows[0] + 0.5 * np.log1p(1) * weights.rows[1]
    found = HouseEmbedder(tmp_path).embed_query("open file open")
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected), atol=0.01)


def test_the_digest_tells_files_apart(tmp_path):
    """The same weights give the same digest, others another."""
    for name in ("one", "two"):
        save_weights(_weights(), tmp_path / name)
    assert digest_of(tmp_path / "one") == digest_of(tmp_path / "two")
    weights = _weights()
    weights.query[0] = 3
    save_weights(weights, tmp_path / "two")
    assert digest_of(tmp_path / "one") != digest_of(tmp_path / "two")
