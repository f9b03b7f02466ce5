"""Whole searches over published indexes: what must hold of every answer."""

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.core.errors import EmbeddingError, IndexStateError, UsageError
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.index.ledger import append, read
from codequarry.index.reader import Reader
from codequarry.index.store import Store
from codequarry.retrieval.candidates import find
from codequarry.retrieval.query import (
    GLOB_CHARACTERS,
    MAX_GLOBS,
    MODES,
    Filters,
    Query,
    where,
)
from codequarry.retrieval.search import Hit, QueryVector, search
from tests.retrieval.published import Piece, house, publish

NAMES = ("open_socket", "parse_header", "OrderedMap", "retry_request", "größe_lesen", "close")
BODY = "    first = 1\n    second = 2\n    third = 3\n    return {}\n"


def pieces() -> list[Piece]:
    """Give twelve files: each name's definition, users of it, and a test of it."""
    made = []
    for number, name in enumerate(NAMES):
        body = BODY.format(name)
        module, call = f"part_{number}", f"    {name}()\n"
        source, test = f"src/{module}.py", f"tests/test_{module}.py"
        used, tested = (
            f"def use_{name}():\n{body}{call * 5}",
            f"def test_{name}():\n{body}{call * 9}",
        )
        made += [
            Piece(source, f"def {name}():\n{body}", f"{module}.{name}"),
            Piece(source, used, f"{module}.use_{name}", line=20),
            Piece(test, tested, f"test_{module}.test_{name}"),
        ]
    made.append(Piece("src/same.py", "def twin():\n" + BODY, "same.twin"))
    made += [Piece(f"copy/{n:03}.py", "def twin():\n" + BODY, "same.twin") for n in range(150)]
    return made


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> StateDirectory:
    """Two projects, ``one`` and ``two``, of the same files."""
    state = StateDirectory(tmp_path_factory.mktemp("search") / "home")
    publish(state, {"one": pieces(), "two": pieces()[:9]})
    return state


@pytest.fixture(scope="module")
def reader(home: StateDirectory) -> Reader:
    """The published state."""
    return Reader(home)


@pytest.fixture(scope="module")
def model() -> QueryVector:
    """The bundled model."""
    return house()


def ask(reader: Reader, query: Query, *projects: str) -> tuple[Hit, ...]:
    """Search with the bundled model."""
    return search(reader, query, projects or None, house()).hits


def shown(hits: tuple[Hit, ...]) -> list[tuple[object, ...]]:
    """Give everything of hits that a person sees."""
    return [(h.project, h.path, h.start_line, h.score, h.reasons, h.content) for h in hits]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", MODES)
def test_identifier_finds_its_definition(reader: Reader, name: str, mode: str) -> None:
    """A question that is a name has its definition first, not its users or tests."""
    first = ask(reader, Query(name, mode), "one")[0]
    assert first.symbol_name.rpartition(".")[2] == name
    assert "has exactly this name" in first.reasons


def test_implementation_stands_above_its_test(reader: Reader) -> None:
    """A test ranks below what it tests unless the question says test."""
    paths = [hit.path for hit in ask(reader, Query("parse the header"), "one")]
    assert paths.index("src/part_1.py") < paths.index("tests/test_part_1.py")
    assert ask(reader, Query("test that parses the header"), "one")[0].path.startswith("tests/")


def test_allowed_paths(reader: Reader) -> None:
    """Only listed paths answer, also from a list of thousands, and names in it are data."""
    many = tuple(f"no/such_{n}.py" for n in range(5_000))
    filters = Filters(paths=(*many, "src/part_0.py", "x' OR '1'='1"))
    hits = ask(reader, Query("open socket", limit=50, filters=filters), "one")
    assert {hit.path for hit in hits} == {"src/part_0.py"}
    assert not ask(reader, Query("open socket", filters=Filters(paths=many)), "one")


def test_hits_carry_reasons_and_components(reader: Reader) -> None:
    """Each hit says in numbers and in words why it is there."""
    hits = ask(reader, Query("parse the header", limit=50), "one")
    by_path = {hit.path: hit for hit in reversed(hits)}
    assert "name matches 2 of 2 words" in by_path["src/part_1.py"].reasons
    assert "test file" in by_path["tests/test_part_1.py"].reasons
    for hit in hits:
        assert set(hit.components) == {"text", "vector", "names", "exact", "factor", "coherence"}
        assert hit.reasons or not hit.score


def test_order_of_writing_does_not_matter(tmp_path: Path, reader: Reader) -> None:
    """A shuffled walk gives the same answers, also where hundreds of chunks tie."""
    state = StateDirectory(tmp_path / "home")
    shuffled = pieces()
    random.Random(7).shuffle(shuffled)
    publish(state, {"two": pieces()[8::-1], "one": shuffled})
    other = Reader(state)
    for text in (*NAMES, "parse the header", "twin", "retry request twin", "return first third"):
        query = Query(text, limit=50)
        assert shown(ask(reader, query, "one")) == shown(ask(other, query, "one")), text


def test_another_process_answers_the_same(home: StateDirectory, tmp_path: Path) -> None:
    """Another working directory, another locale and hash seed, a cold process: the same answer."""
    program = (
        "import json, sys\n"
        "from codequarry.core.state import StateDirectory\n"
        "from codequarry.index.reader import Reader\n"
        "from tests.retrieval.test_search import ask, shown, Query\n"
        "reader = Reader(StateDirectory.locate())\n"
        "print(json.dumps([shown(ask(reader, Query(t, limit=20))) for t in sys.argv[1:]]))\n"
    )
    root = Path(__file__).parents[2]
    asked = ["parse the header", "größe_lesen", "retry_request"]
    answers = []
    for folder, locale, seed in ((root, "C", "1"), (tmp_path, "C.UTF-8", "2")):
        changed = {HOME_VARIABLE: str(home.home), "LC_ALL": locale, "PYTHONHASHSEED": seed}
        environment = os.environ | changed | {"PYTHONPATH": str(root), "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, "-c", program, *asked],
            cwd=folder, env=environment, capture_output=True, check=True,
        )  # fmt: skip
        answers.append(json.loads(done.stdout))
    reader = Reader(home)
    warm = [shown(ask(reader, Query(text, limit=20))) for text in asked]
    assert answers[0] == answers[1] == json.loads(json.dumps(warm))


HARD = (
    "the of and",
    "!!!",
    "-x --help",
    '"parse header" AND NOT title:(a OR b)^2 ~',
    "x' OR '1'='1",
    "a\x00b\x07\x1b[31m",
    "parse " * 10_000,
    "\ud800 lone",
    "（全角） 検索",
    "=parseheader",
    "*",
    "path:/etc/passwd",
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
def test_hard_questions(reader: Reader, text: str, mode: str) -> None:
    """Whatever is asked is plain text: an answer, perhaps empty, and finite scores."""
    for hit in ask(reader, Query(text, mode), "one", "two"):
        assert 0 <= hit.score <= 1


@pytest.mark.parametrize("limit", [0, -1, 10**9, float("nan"), 2.5, True])
def test_wrong_limits(limit: float) -> None:
    """A limit that is no whole number from 1 to 1,000 is refused."""
    with pytest.raises(UsageError):
        Query("alpha", limit=limit)  # type: ignore[arg-type]


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(min_size=1, max_size=40).filter(str.strip), mode=st.sampled_from(MODES))
def test_any_text_answers_in_a_total_order(reader: Reader, text: str, mode: str) -> None:
    """Any question at all gives falling scores, no chunk twice, and the same answer again."""
    hits = ask(reader, Query(text, mode, limit=30))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({(hit.project, hit.chunk_id) for hit in hits}) == len(hits)
    assert shown(hits) == shown(ask(reader, Query(text, mode, limit=30)))


def test_index_of_another_profile(reader: Reader, model: QueryVector) -> None:
    """With another model configured, text still answers, and semantic names the remedy."""
    other = QueryVector("another:profile", model.embed)
    assert search(reader, Query("parse header", "keyword"), ("one",), other).hits
    answer = search(reader, Query("parse header"), ("one",), other)
    assert answer.hits
    assert "answered by text alone" in answer.warnings[0]
    with pytest.raises(EmbeddingError, match="configure") as caught:
        search(reader, Query("parse header", "semantic"), ("one",), other)
    assert "index --full" in str(caught.value.remedy)


def test_projects_of_several_models(tmp_path: Path, model: QueryVector) -> None:
    """By meaning, projects of the configured model answer; the others are named and left out."""
    state = StateDirectory(tmp_path / "home")
    publish(state, {"one": pieces()[:3], "two": pieces()[:3]})
    store = Store(state)
    last = read(store)[-1]
    other = replace(last, sequence=last.sequence + 1, embedding_profile="another:profile")
    append(store, other.sealed())
    reader = Reader(state)
    answer = search(reader, Query("open socket", "semantic"), None, model)
    assert {hit.project for hit in answer.hits} == {"one"}
    assert answer.warnings == ("left out, for their embedding profile is another: two",)
    hybrid = search(reader, Query("open socket"), None, model)
    assert {hit.project for hit in hybrid.hits} == {"one", "two"}
    with pytest.raises(EmbeddingError, match="configure"):
        search(reader, Query("open socket", "semantic"), ("two",), model)


def test_model_that_fails(reader: Reader, model: QueryVector) -> None:
    """A model that cannot embed now costs the vectors, not the answer."""

    def fail(_: str) -> None:
        raise EmbeddingError("the model is not there", "start it")

    broken = QueryVector(model.profile_id, fail)  # type: ignore[arg-type]
    answer = search(reader, Query("parse header"), ("one",), broken)
    assert answer.hits[0].path == "src/part_1.py"
    assert "the model is not there" in answer.warnings[0]


def test_readers_keep_their_version(tmp_path: Path) -> None:
    """While a project is written anew, an open reader still answers from what was published."""
    state = StateDirectory(tmp_path / "home")
    publish(state, {"one": pieces()[:6]})
    before = Reader(state)
    expected = shown(ask(before, Query("open_socket")))
    publish(state, {"one": pieces()[6:9]})
    assert shown(ask(before, Query("open_socket"))) == expected
    assert ask(Reader(state), Query("open_socket", "keyword"))[:1] != expected[:1]


def test_index_of_another_version(tmp_path: Path) -> None:
    """A table without the columns of this version is refused with the remedy, not with a fault."""
    state = StateDirectory(tmp_path / "home")
    publish(state, {"one": pieces()[:2]})
    store = Store(state)
    last = read(store)[-1]
    table = store.open(Reader(state).groups()[0].table_name)
    table.drop_columns(["card"])
    versions = json.dumps({table.name: table.version})
    append(store, replace(last, sequence=last.sequence + 1, versions=versions).sealed())
    with pytest.raises(IndexStateError, match="another version") as caught:
        ask(Reader(state), Query("open_socket"))
    assert "index again" in str(caught.value.remedy)


def test_everything_is_asked_as_its_projects_are(reader: Reader) -> None:
    """Naming every project of a table, or none, is the same question; one project is another."""
    every, both = reader.groups(None), reader.groups(("two", "one"))
    assert every == both
    assert [group.is_whole for group in every] == [True]
    assert [group.is_whole for group in reader.groups(("one",))] == [False]


def test_filters_come_before_the_cut(tmp_path: Path) -> None:
    """A file that hundreds of equals stand before is found when only it may answer (J-16)."""
    state = StateDirectory(tmp_path / "home")
    paths = [f"copy/{n:03}.py" for n in range(260)]
    publish(state, {"one": [Piece(path, "def twin():\n" + BODY, "same.twin") for path in paths]})
    reader, text = Reader(state), "return first third second"
    for mode in MODES:
        wide = {hit.path for hit in ask(reader, Query(text, mode, limit=300))}
        last = max(set(paths) - wide)
        (hit,) = ask(reader, Query(text, mode, filters=Filters(paths=(last,))))
        assert hit.path == last


def test_a_name_of_many(reader: Reader) -> None:
    """Of more definitions of one name than are ranked, the first by place are candidates."""
    group = reader.groups(("one",))[0]
    table = reader.table(group.table_name)
    found = find(table, where(("one",), Filters()), [], None, ("twin",))
    assert len(found.cards) == 100
    assert [card.path for card in found.cards] == [f"copy/{n:03}.py" for n in range(100)]


@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
def test_words_that_the_model_does_not_know(reader: Reader, model: QueryVector, mode: str) -> None:
    """A question without a vector is told apart from one without an answer; it is told once."""
    for text in ("日本語", "???"):
        answer = search(reader, Query(text, mode), None, model)
        assert answer.hits == ()
        assert [("knows no word" in warning) for warning in answer.warnings] == [True]
    assert search(reader, Query("open socket", mode), None, model).warnings == ()


@pytest.mark.parametrize("piece", ["?", "*", "**/", "é", "[", "a*?"])
def test_the_longest_globs(reader: Reader, piece: str) -> None:
    """As many and as long path patterns as are accepted are still answered."""
    glob = (piece * GLOB_CHARACTERS)[:GLOB_CHARACTERS]
    filters = Filters(globs=(*[glob] * (MAX_GLOBS - 1), "src/*.py"))
    assert search(reader, Query("open_socket", "keyword", filters=filters), None, None).hits
