"""Code words: column forms equal plain ones; full text follows retrieval.md 4.6."""

import re

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.columns import BLOCK_ROWS, map_blocks, strings, text_block
from codequarry.core.words import (
    LONGEST_WORD,
    STOP_WORDS,
    code_words,
    fts_words,
    model_words,
    query_words,
    search_documents,
)

CODE = st.text(st.sampled_from(list("abzABZ019_$ .(\n\té日ßÜ—")), max_size=60)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
ROWS = st.lists(CODE | ANY_TEXT, max_size=8)

TOKEN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+")
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def trained_words(text: str) -> list[str]:
    """The words as the training run made them: tokens, then their parts."""
    out: list[str] = []
    for token in TOKEN.findall(text):
        pieces = [piece for piece in token.replace("$", "_").split("_") if piece]
        parts = [part.lower() for piece in pieces for part in CAMEL.findall(piece)]
        low = token.lower().strip("_$")
        if len(parts) > 1:
            out += parts
        elif low:
            out.append(parts[0] if parts else low)
    return out


@given(ROWS)
@settings(max_examples=300)
def test_a_column_has_the_words_the_model_was_trained_on(rows):
    """The vectorised words, and the plain ones, are those of the training run."""
    assert code_words(pa.array(rows, pa.string()), 1000).to_pylist() == [
        trained_words(row) for row in rows
    ]
    assert [model_words(row) for row in rows] == [trained_words(row) for row in rows]


@given(ROWS, st.integers(0, 5))
def test_the_limit_counts_words_of_each_row(rows, limit):
    """A limit keeps each row's first words and touches no other row."""
    assert code_words(pa.array(rows, pa.string()), limit).to_pylist() == [
        trained_words(row)[:limit] for row in rows
    ]


@given(ROWS)
@settings(max_examples=300)
def test_documents_and_queries_have_the_same_full_text_words(rows):
    """What a document is indexed under is what a query for it looks up."""
    assert fts_words(rows).to_pylist() == [" ".join(query_words(row)) for row in rows]


@given(ANY_TEXT | CODE)
def test_full_text_words_are_fit_for_a_whitespace_tokenizer(text):
    """No word is empty, holds white space or is longer than the index keeps."""
    for word in query_words(text):
        assert word.split() == [word]
        assert len(word.encode()) <= LONGEST_WORD


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("getUserById", ["get", "user", "id", "=getuserbyid"]),
        ("get_user_by_id", ["get", "user", "id", "=getuserbyid"]),
        ("HTTPServer2", ["http", "server", "2", "=httpserver2"]),
        ("retries", ["retri"]),
        ("where is what, how does it", []),
        ("123abc", ["123", "abc"]),
        ("Größe", ["grösse"]),
        ("éclairCount", ["éclair", "count", "=éclaircount"]),
        ("e\u0301te\u0301", ["été"]),
        ("\ufb01le", ["file"]),
        ("日本語", ["日本語"]),
        ("हिन्दी", ["हिन्दी"]),
        ("“quoted”—dash", ["quot", "dash"]),
        ("\udcff broken", ["broken"]),
        ("x" * 65, []),
    ],
)
def test_query_words(text, words):
    """Identifiers split and stem, stop words go, compounds stay whole, other scripts are kept."""
    assert query_words(text) == words


def test_stop_words_hold_the_question_words():
    """Questions lose the words that say nothing of code."""
    assert {"where", "what", "how", "does"} <= STOP_WORDS
    assert all(word == word.lower() for word in STOP_WORDS)


def test_search_documents_weigh_path_and_name():
    """Stem twice, last three directories once, qualified name twice; no stray space."""
    column = search_documents(
        ["retry loop", "", ""],
        ["a/b/c/d/http_client.py", ".gitignore", ""],
        ["Client.send", "", ""],
    )
    assert column.to_pylist() == [
        "retri loop http client =httpclient http client =httpclient b c d client send client send",
        "gitignor gitignor",
        "",
    ]


@given(st.lists(ANY_TEXT, max_size=5), st.lists(ANY_TEXT, min_size=1, max_size=5))
def test_slices_and_chunks_read_as_their_own_text(before, rows):
    """An offset into a larger array, a chunked array and a large array change nothing."""
    whole = pa.array(before + rows, pa.string())
    sliced = whole.slice(len(before))
    block = text_block(sliced)
    assert [
        block.data[a:b].decode() for a, b in zip(block.offsets, block.offsets[1:], strict=False)
    ] == rows
    assert fts_words(sliced) == fts_words(rows)
    assert fts_words(pa.chunked_array([sliced, sliced])) == fts_words(rows + rows)
    assert strings(sliced.cast(pa.large_string())) == pa.array(rows, pa.string())


def test_nulls_are_empty():
    """A null row has no words and keeps its place."""
    assert fts_words(pa.array(["one", None, "two"])).to_pylist() == ["one", "", "two"]


def test_blocks_keep_row_order():
    """Results of threads come back in the order of the rows, whatever the block."""
    rows = [f"word{i}" for i in range(BLOCK_ROWS + 3)]
    assert fts_words(rows).to_pylist() == [" ".join(query_words(row)) for row in rows]
    assert [len(block) for block in map_blocks(lambda block: block, rows, 1000)] == [1000, 1000, 51]
    assert fts_words([]).to_pylist() == []
