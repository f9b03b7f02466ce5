import subprocess
import sys

import pytest

from codequarry.sources.languages import language_of
from codequarry.syntax.grammars import GRAMMARS, grammar_of, load_language
from codequarry.syntax.parsing import parse
from codequarry.syntax.queries import symbol_query

EXTENSIONS = (
    *("py", "js", "ts", "tsx", "go", "rs", "java", "c", "cpp", "cs", "rb", "php", "kt", "swift"),
    *("scala", "sh", "lua", "sql", "md", "yaml", "toml", "json", "html", "css"),
)


def test_every_language_has_a_file_that_uses_it() -> None:
    """Each grammar is reached from some file name."""
    assert {grammar_of(f"file.{extension}") for extension in EXTENSIONS} == GRAMMARS


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_every_grammar_and_its_query_load(grammar: str) -> None:
    """The wheel imports, the query compiles against it, and the empty file parses."""
    assert load_language(grammar).node_kind_count > 0
    assert symbol_query(grammar).pattern_count > 0
    assert parse(b"", grammar) is not None


@pytest.mark.parametrize("path", ["a.vue", "README", "a.tfvars.json", "Gemfile"])
def test_other_files_have_no_grammar(path: str) -> None:
    """A language without a wheel has no grammar."""
    assert grammar_of(path) is None


def test_headers_are_read_as_cpp_and_stay_c() -> None:
    """The grammar of a header is C++, its language is the contract's."""
    assert grammar_of("include/A.H") == "cpp"
    assert language_of("include/a.h") == "c"


def test_grammars_load_one_by_one() -> None:
    """Loading one language imports no other wheel."""
    code = (
        "import sys; from codequarry.syntax.grammars import load_language; load_language('go'); "
        "print([m for m in sorted(sys.modules) if m.startswith('tree_sitter_') and '.' not in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tree_sitter_go']"
