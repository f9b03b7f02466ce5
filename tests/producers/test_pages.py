"""producers.pages: decoding (contract.md B0) and rules P1 to P10 (B2)."""

import copy
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.errors import ExportChanged, ExportRejected
from codequarry.producers.pages import _EXACT, ReceivedPage, check_page, decode_page
from codequarry.producers.protocol import PageRequest
from codequarry.schemas import documents
from tests.producers.exporting import Document, TreeProducer, make_tree, printed

REQUEST = PageRequest(0, 2, 100)
LAST = PageRequest(2, 2, 100)
FILTERED = PageRequest(0, 2, 100, ("pkg/b.py",))


@pytest.fixture
def producer(tmp_path: Path) -> TreeProducer:
    return TreeProducer(make_tree(tmp_path))


def check(producer: TreeProducer, request: PageRequest, first: Document, page: Document) -> None:
    opening = None if page is first else decode_page(printed(first))
    check_page(decode_page(printed(page)), request, opening, producer.key)


@pytest.mark.parametrize("request_", [REQUEST, LAST, FILTERED])
def test_honest_pages_pass(producer: TreeProducer, request_: PageRequest) -> None:
    """First, last and filtered pages of an honest producer break no rule."""
    first = producer.document(PageRequest(0, 2, 100, request_.files))
    check(producer, request_, first, producer.document(request_))


def put(**values: object) -> Callable[[Document], None]:
    return lambda page: page.update(values)


BREACHES = [
    ("P2", REQUEST, put(schema_version=2)),
    ("P2", REQUEST, put(schema_version=0)),
    ("P2", FILTERED, put(schema_version=1)),
    ("P3", REQUEST, put(project="")),
    ("P3", REQUEST, put(project_key="0" * 12)),
    ("P3", REQUEST, lambda page: page.update(project_key=page["project_key"].upper() + "A")),
    ("P4", REQUEST, put(index_fingerprint="A" * 64)),
    ("P4", REQUEST, put(index_fingerprint="a" * 63)),
    ("P5", LAST, put(project="other")),
    ("P5", LAST, put(index_fingerprint="c" * 64)),
    ("P5", LAST, put(total_records=5)),
    ("P6", REQUEST, put(offset=1)),
    ("P6", REQUEST, put(limit=3)),
    ("P6", REQUEST, put(max_content_bytes=99)),
    ("P7", REQUEST, put(total_records=-1)),
    ("P7", REQUEST, put(returned_records=1)),
    ("P7", REQUEST, lambda page: page["records"].pop()),
    ("P7", REQUEST, lambda page: page.update(returned_records=4, records=page["records"] * 2)),
    ("P8", LAST, put(next_offset=4)),
    ("P8", REQUEST, put(complete=True)),
    ("P8", REQUEST, lambda page: page.update(complete=True, next_offset=0)),
    ("P9", REQUEST, put(next_offset=1)),
    ("P9", REQUEST, put(next_offset=0)),
    ("P9", REQUEST, put(total_records=2)),
    ("P9", REQUEST, put(returned_records=0, records=[], next_offset=0)),
    ("P9", LAST, put(complete=False, next_offset=4)),
    ("P10", FILTERED, put(files_filter_fingerprint="d" * 64)),
    ("P10", FILTERED, lambda page: page.pop("files_filter_fingerprint")),
    ("P10", FILTERED, lambda page: page["records"][1].update(file="a.py")),
]


@pytest.mark.parametrize(("rule", "request_", "corrupt"), BREACHES)
def test_one_corruption_breaks_one_rule(
    producer: TreeProducer, rule: str, request_: PageRequest, corrupt: Callable[[Document], None]
) -> None:
    """Each breach of P2 to P10 rejects the export and names its rule."""
    first = producer.document(PageRequest(0, 2, 100, request_.files))
    page = producer.document(request_) if request_.offset else first
    corrupt(page)
    with pytest.raises(ExportRejected) as caught:
        check(producer, request_, first, page)
    assert caught.value.rule == rule
    assert isinstance(caught.value, ExportChanged) == (rule == "P5")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"{} {}",
        b'{"offset": 1.0}',
        b'{"offset": 1e2}',
        b'{"offset": "1"}',
        b'{"offset": true}',
        b'{"offset": 9223372036854775808}',
        b'{"records": {}}',
        b'{"records": [1]}',
        b'{"records": [{"ordinal": 1.5}]}',
        b'{"complete": 1}',
        b'{"project": NaN}',
        b'{"project": "a\nb"}',
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b'{"x":' * 100_000,
        b"\x00\xff{]" * 1000,
    ],
)
def test_p1(raw: bytes) -> None:
    """P1: what Go would not decode is rejected, and the message holds nothing of it."""
    with pytest.raises(ExportRejected) as caught:
        decode_page(raw)
    assert caught.value.rule == "P1"
    assert "NaN" not in str(caught.value)


LENIENT = [
    (b"{}", {}),
    (b' \t\r\n{"offset":3}\n\n', {"offset": 3}),
    (b'{"Offset":3,"LIMIT":4}', {"offset": 3, "limit": 4}),
    (b'{"offset":3,"OFFSET":4}', {"offset": 4}),
    (b'{"offset":3,"offset":null}', {"offset": 3}),
    (b'{"offset":null,"project":null,"records":null,"complete":null}', {}),
    (b'{"unknown":{"a":[1,2,{"b":null}]},"offset":1}', {"offset": 1}),
    (b'{"project":"\xff\xfe"}', {"project": "\ufffd\ufffd"}),
    (b'{"project":"\\ud800x"}', {"project": "\ufffdx"}),
    (b'{"project":"\\ud83d\\ude00"}', {"project": "\U0001f600"}),
    (b'{"project":"\\\\ud800","x":1}', {"project": "\\ud800"}),
    (b'{"project":"\\ud800\\ud83d\\ude00","x":1}', {"project": "\ufffd\U0001f600"}),
    (b'{"offset":-0}', {"offset": 0}),
]


@pytest.mark.parametrize(("raw", "expected"), LENIENT)
def test_leniency(raw: bytes, expected: dict[str, object]) -> None:
    """B0: unknown keys, case, nulls, duplicates, missing keys and broken UTF-8 as Go has them."""
    wanted = ReceivedPage(**expected)  # type: ignore[arg-type]
    assert msgspec.to_builtins(decode_page(raw)) == msgspec.to_builtins(wanted)


def test_lenient_records() -> None:
    """Records are read by the same rules as pages."""
    raw = b'{"records":[{"File":"a","ordinal":null,"future":[]},{}]}'
    first, second = decode_page(raw).records
    assert (first.file, first.ordinal, second.file) == ("a", 0, "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
NAMES = st.sampled_from([*ReceivedPage.__struct_fields__, "Offset", "ordinal", "file", "extra"])
OBJECTS = st.dictionaries(NAMES, JSON | st.lists(st.dictionaries(NAMES, JSON)), max_size=5)


@settings(deadline=None)
@given(OBJECTS)
def test_what_the_fast_path_accepts_the_lenient_path_reads_alike(document: Document) -> None:
    """Fast acceptance implies lenient acceptance of the same values."""
    raw = json.dumps(document).encode()
    try:
        fast = _EXACT.decode(raw)
    except msgspec.DecodeError:
        return
    lenient = documents.leniently(raw, ReceivedPage)
    assert msgspec.to_builtins(fast) == msgspec.to_builtins(lenient)


def test_honest_pages_take_the_fast_path(producer: TreeProducer) -> None:
    """Every field of the contract is known to the strict decoder."""
    raw = printed(producer.document(FILTERED))
    assert msgspec.to_builtins(_EXACT.decode(raw)) == msgspec.to_builtins(
        documents.leniently(raw, ReceivedPage)
    )
    page = copy.deepcopy(producer.document(FILTERED))
    every = {name: page.get(name, 0) for name in documents.Page.__struct_fields__}
    assert set(every) == set(ReceivedPage.__struct_fields__)
