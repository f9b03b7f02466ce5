from pathlib import Path

import pytest

from codequarry.producers.builtin.extract import extract
from codequarry.syntax.grammars import GRAMMARS, grammar_of

CASES = sorted(Path(__file__).with_name("languages").glob("*.txt"))
CUT = "---- 8< ----\n"


def read(case: Path) -> tuple[str, bytes, str]:
    head, _, expected = case.read_bytes().decode().partition(CUT)
    path, _, source = head.partition("\n")
    return path, source.encode(), expected


def listing(path: str, source: bytes) -> str:
    symbols = extract(path, source)
    assert symbols is not None
    return "".join(
        f"{one.start_line}-{one.end_line} {one.kind} {one.symbol!r} {one.fqn!r} {one.language}\n"
        f"    {one.signature!r} {one.docstring!r}\n"
        for one in symbols
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_file_of_each_language_gives_these_symbols(case: Path) -> None:
    """Lines, kinds, names, signatures and documentation are those of the listing."""
    path, source, expected = read(case)
    assert listing(path, source) == expected


def test_every_grammar_has_a_case() -> None:
    """No grammar is without a listing."""
    assert {grammar_of(read(case)[0]) for case in CASES} == GRAMMARS


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_crlf_changes_no_symbol(case: Path) -> None:
    """With CRLF line ends the same symbols stand on the same lines."""
    path, source, expected = read(case)
    names = [line.split(" ")[:2] for line in expected.split("\n") if line[:1].isdigit()]
    changed = listing(path, source.replace(b"\n", b"\r\n")).split("\n")
    assert [line.split(" ")[:2] for line in changed if line[:1].isdigit()] == names
