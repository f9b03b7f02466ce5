"""Code words: identifiers split where programmers split them, a column at a time.

Two kinds, for two readers. The *model's words* (`code_words`) are the plain ASCII parts the bundled
model was trained on. The *full-text words* (`fts_words`, `search_documents`, `query_words`) follow
retrieval.md 4.6: stemmed parts without stop words, a compound also whole and marked with ``=``,
and letters beyond ASCII kept.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import Stemmer

from codequarry.core.columns import Texts, map_blocks, strings, text_block

LONGEST_WORD = 64
"""Bytes of the longest full-text word; the full-text index drops longer ones."""

_STOP_WORD_LIST = """
    a about all also am an and any are as at be been being but by can could did do does doing for
    from had has have having how i if in into is it its just me my no nor not of on or our out over
    own shall should so some such than that the their them then there these they this those through
    to too us very was we were what when where which while who whom why will with would you your
    """
STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
"""English words that full text leaves out, question words included."""

_OTHER, _LOWER, _UPPER, _DIGIT = range(4)
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+")
_RUN = re.compile(r"[A-Za-z0-9_$\u0080-\U0010ffff]+")
# The same two patterns over a text's letter classes: U upper, l lower, o other letter, 9, _.
_CLASS_PART = re.compile("U+(?=Ul)|U?l+|U+|o+|9+")
_CLASS_IDENTIFIER = re.compile("[Ulo_][Ulo9_]*|9+")
_STEMMER = Stemmer.Stemmer("english")


def model_words(text: str) -> list[str]:
    """Give the words of one text as the bundled model knows them."""
    return [part.lower() for part in _PART.findall(text)]


def code_words(texts: pa.StringArray, limit: int) -> pa.ListArray:
    """Give each row's first ``limit`` words: `model_words`, without a Python step per word.

    Args:
        texts: One block of texts, without nulls.
        limit: Words kept of a row.

    Returns:
        list<string>, as long as ``texts``.
    """
    block = text_block(texts)
    kinds = np.frombuffer(block.data.translate(_KINDS), np.uint8)
    opens = np.frombuffer(_neighbours(kinds, block.offsets).translate(_OPENS), np.bool_)
    return _segments(block.data.lower(), block.offsets, opens, kinds != _OTHER, limit)


def fts_words(texts: Texts) -> pa.StringArray:
    """Give the full-text words of each row, joined by single spaces."""
    return _joined(map_blocks(_fts_block, texts))


def query_words(text: str) -> list[str]:
    """Give the full-text words of a query, made exactly as a document's."""
    return [word for run in _RUN.findall(text) for word in _expand(run).split()]


def search_documents(contents: Texts, paths: Texts, qualified_names: Texts) -> pa.StringArray:
    """Give what full text searches of each chunk (retrieval.md 4.2): equally long columns in.

    The content's words, then the file stem's twice, its last three directories' once, and the
    qualified name's twice.
    """
    path_words = _per_unique(paths, _path_words)
    name_words = _per_unique(qualified_names, _name_words)
    return _beside(_beside(fts_words(contents), path_words), name_words)


def _beside(left: pa.StringArray, right: pa.StringArray) -> pa.StringArray:
    """Join two columns by a space where both have words.

    Arrow's own ``null_handling="skip"`` would do, but drops rows that are null throughout (26.0.1).
    """
    lonely = pc.or_(pc.equal(left, ""), pc.equal(right, ""))
    return pc.binary_join_element_wise(left, right, pc.if_else(lonely, "", " "))


def _runs(texts: pa.StringArray) -> pa.ListArray:
    """Give each row's runs of word characters; every byte beyond ASCII counts as one."""
    block = text_block(texts)
    inside = np.frombuffer(block.data.translate(_RUN_BYTES), np.bool_)
    opens = np.empty_like(inside)
    opens[:1] = True
    np.not_equal(inside[1:], inside[:-1], out=opens[1:])
    return _segments(block.data, block.offsets, opens, inside)


def _neighbours(kinds: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> bytes:
    """Pack the kinds before, at and after each byte into one; rows do not see each other."""
    before, after = np.zeros_like(kinds), np.zeros_like(kinds)
    before[1:] = kinds[:-1]
    after[:-1] = kinds[1:]
    edges = offsets[(offsets > 0) & (offsets < len(kinds))]
    before[edges] = _OTHER
    after[edges - 1] = _OTHER
    return (before << 4 | kinds << 2 | after).tobytes()


def _segments(
    data: bytes,
    offsets: npt.NDArray[np.int64],
    opens: npt.NDArray[np.bool_],
    inside: npt.NDArray[np.bool_],
    limit: int | None = None,
) -> pa.ListArray:
    """Cut rows into segments and keep those made of word characters.

    Args:
        data: UTF-8 of all rows.
        offsets: Row boundaries in ``data``.
        opens: Per byte: a segment begins here. Row starts always begin one.
        inside: Per byte: it belongs to a word.
        limit: Segments kept of a row, or all.
    """
    opens = opens.copy()
    opens[offsets[offsets < len(data)]] = True
    starts = np.flatnonzero(opens)
    is_word = inside[starts]
    counted = np.concatenate(([0], np.cumsum(is_word)))
    bounds = counted[np.searchsorted(starts, offsets)]
    if limit is not None:
        row_of_start = np.searchsorted(offsets, starts, side="right") - 1
        is_word &= counted[:-1] - bounds[row_of_start] < limit
        bounds = np.concatenate(([0], np.cumsum(np.minimum(np.diff(bounds), limit))))
    every = pa.StringArray.from_buffers(
        len(starts),
        pa.py_buffer(np.append(starts, len(data)).astype(np.int32)),
        pa.py_buffer(data),
    )
    return pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), every.filter(pa.array(is_word)))


def _joined(blocks: list[pa.StringArray]) -> pa.StringArray:
    return pa.concat_arrays(blocks) if blocks else pa.array([], pa.string())


def _per_unique(texts: Texts, build: Callable[[str], str]) -> pa.StringArray:
    encoded = strings(texts).dictionary_encode()
    built = pa.array([build(value) for value in encoded.dictionary.to_pylist()], pa.string())
    return built.take(encoded.indices)


def _path_words(path: str) -> str:
    *directories, name = path.split("/")
    stem = " ".join(query_words(name.rpartition(".")[0] or name))
    return " ".join([stem, stem, *query_words("/".join(directories[-3:]))]).strip()


def _name_words(qualified_name: str) -> str:
    words = query_words(qualified_name)
    return " ".join(words + words)


def _fts_block(texts: pa.StringArray) -> pa.StringArray:
    runs = _runs(texts)
    encoded = runs.values.dictionary_encode()
    expanded = [_expand(run) for run in encoded.dictionary.to_pylist()]
    codes = encoded.indices.to_numpy()
    kept = np.array([bool(words) for words in expanded], np.bool_)[codes]
    offsets = np.concatenate(([0], np.cumsum(kept)))[runs.offsets.to_numpy()]
    words = pa.array(expanded, pa.string()).take(pa.array(codes[kept]))
    return pc.binary_join(pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), words), " ")


@lru_cache(maxsize=1 << 17)
def _expand(run: str) -> str:
    """Give the full-text words of one run of word characters, joined by spaces."""
    words: list[str] = []
    for parts in _ascii_parts(run) if run.isascii() else _unicode_parts(run):
        words += [_STEMMER.stemWord(part) for part in parts if part not in STOP_WORDS]
        if len(parts) > 1:
            words.append("=" + "".join(parts))
    return " ".join(word for word in words if len(word.encode()) <= LONGEST_WORD)


def _ascii_parts(run: str) -> list[list[str]]:
    return [model_words(name) for name in _IDENTIFIER.findall(run)]


def _unicode_parts(run: str) -> list[list[str]]:
    text = unicodedata.normalize("NFKC", run)
    classes = _letter_classes(text)
    found = []
    for name in _CLASS_IDENTIFIER.finditer(classes):
        spans = _CLASS_PART.finditer(classes, name.start(), name.end())
        parts = [text[span.start() : span.end()].casefold() for span in spans]
        found.append([unicodedata.normalize("NFKC", part) for part in parts])
    return found


def _letter_classes(text: str) -> str:
    classes: list[str] = []
    for character in text:
        if character in "_$":
            classes.append("_")
        elif character.isupper() or character.istitle():
            classes.append("U")
        elif character.islower():
            classes.append("l")
        elif character.isdecimal():
            classes.append("9")
        elif character.isalnum():
            classes.append("o")
        elif unicodedata.category(character).startswith("M") and classes:
            classes.append(classes[-1])
        else:
            classes.append(" ")
    return "".join(classes)


def _kind_of(byte: int) -> int:
    character = chr(byte)
    if "a" <= character <= "z":
        return _LOWER
    if "A" <= character <= "Z":
        return _UPPER
    return _DIGIT if "0" <= character <= "9" else _OTHER


def _opens(code: int) -> bool:
    """Tell whether a part begins at a byte, from the kinds before, at and after it."""
    before, here, after = code >> 4 & 3, code >> 2 & 3, code & 3
    if before == here == _UPPER:
        return after == _LOWER
    return before != here and (before, here) != (_UPPER, _LOWER)


_KINDS = bytes(_kind_of(byte) for byte in range(256))
_OPENS = bytes(_opens(code) for code in range(256))
_RUN_BYTES = bytes(b >= 0x80 or _RUN.match(chr(b)) is not None for b in range(256))
