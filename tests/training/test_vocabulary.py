"""The choice of words, and texts as bags of them."""

import numpy as np
import pyarrow as pa

from training.bags import Bagger
from training.vocabulary import choose_words


def test_words_of_the_most_texts_come_first():
    """A text counts a word once; equal counts stand in byte order; the size is kept."""
    texts = pa.chunked_array([["openFile open open", "open zeta"], ["file_path"]])
    assert choose_words(texts) == ("file", "open", "path", "zeta")
    assert choose_words(texts, 3) == ("file", "open", "path")
    assert choose_words(pa.chunked_array([[]], pa.string())) == ()


def test_a_bag_counts_pieces_of_unknown_words_half(tmp_path):
    """Bags follow the loader: whole words count one, pieces a half, strangers nothing."""
    bagger = Bagger(("open", "file"), tmp_path)
    bags = bagger.bags(pa.chunked_array([["open openfile", ""], ["zzz file"]]))
    assert bags.offsets.tolist() == [0, 2, 2, 3]
    assert bags.ids.tolist() == [0, 1, 1]
    np.testing.assert_array_equal(bags.counts, np.float32([1.5, 0.5, 1]))
