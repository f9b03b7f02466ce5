"""How far a new or a vanished file reaches."""

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.graph.asking import import_words, word_key
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import bind
from codequarry.graph.reach import reach_of
from codequarry.syntax.grammars import grammar_of

_PARTS = ("a", "b", "a-b", "a_b", "src", "lib", "__init__", "index", "mod", "x.y")
_NAMES = ("a", "b", "a-b", "__init__", "index", "mod", "lib", "main", "src", "")
_ENDINGS = (
    *("py", "pyi", "ts", "d.ts", "js", "go", "rs", "java", "kt", "scala"),
    *("php", "c", "h", "cpp", "lua", "rb", "sh", "swift"),
)
_STARTS = ("", "", "", ".", "..", "./", "../", "@/", "crate::", "super::", "self::", "<")
_GO_MODULES = st.dictionaries(
    st.sampled_from(["", "a", "a/b"]), st.sampled_from(["example.com/m", "m", "a/b"]), max_size=2
)


class _Case(NamedTuple):
    others: set[str]
    importer: str
    path: str
    what: Import


@st.composite
def _cases(draw: st.DrawFn) -> _Case:
    """Give files of one ending, and an import made of the parts of their paths."""
    pick = lambda among: draw(st.sampled_from(among))  # noqa: E731
    ending = pick(_ENDINGS)
    paths = [
        "/".join([*draw(st.lists(st.sampled_from(_PARTS), max_size=3)), f"{pick(_NAMES)}.{ending}"])
        for _ in range(draw(st.integers(2, 6)))
    ]
    near = [*pick(paths).removesuffix(f".{ending}").split("/"), "a", "..", "m"]
    parts = draw(st.lists(st.sampled_from(near), max_size=3))
    module = pick(_STARTS) + pick("/.\\").join(parts) + pick(["", "", ".h", ".js", "/"])
    imported = pick(["", "*", "a", "b", "A", "a_b"])
    what = Import(module.replace(".", "::") if ending == "rs" else module, imported, "x", 1, False)
    return _Case(set(paths[2:]), paths[0], paths[1], what)


@settings(max_examples=800, deadline=None)
@given(case=_cases(), modules=_GO_MODULES)
def test_every_import_that_is_bound_otherwise_is_reached(
    case: _Case, modules: dict[str, str]
) -> None:
    """When a file more or less changes what an import means, the import is reached."""
    others, importer, path, what = case
    grammar = grammar_of(importer)
    assert grammar is not None
    if path == importer:
        return
    without = {*others, importer} - {path}
    before, after = (
        Layout(tuple(sorted(paths, key=str.encode)), modules)
        for paths in (without, {*without, path})
    )
    if bind(before, importer, grammar, what) != bind(after, importer, grammar, what):
        reach = reach_of([path], modules.values())
        words = {word_key(word) for word in import_words(what)}
        assert words & reach.keys or reach.covers(importer, grammar)
