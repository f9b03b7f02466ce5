"""How far a new or a vanished file reaches."""

from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.graph.asking import import_words, word_key
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import bind
from codequarry.graph.reach import reach_of
from codequarry.syntax.grammars import grammar_of

_PARTS = st.sampled_from(["a", "b", "a-b", "a_b", "src", "lib", "__init__", "index", "mod", "x.y"])
_ENDINGS = ["py", "pyi", "ts", "d.ts", "js", "go", "rs", "java", "kt", "scala"]
_ENDINGS += ["php", "c", "h", "cpp", "lua", "rb", "sh", "swift", "txt"]
_NAMES = st.builds(
    "{}.{}".format,
    st.sampled_from(["a", "b", "a-b", "__init__", "index", "mod", "lib", "main", "src", ""]),
    st.sampled_from(_ENDINGS),
)
_PATHS = st.builds(
    lambda folders, name: "/".join([*folders, name]), st.lists(_PARTS, max_size=3), _NAMES
)
_MODULES = st.builds(
    lambda start, separator, parts, end: start + separator.join(parts) + end,
    st.sampled_from(["", "", ".", "..", "./", "../", "@/", "crate::", "super::", "self::", "<"]),
    st.sampled_from(["/", ".", "::", "\\"]),
    st.lists(st.one_of(_PARTS, st.sampled_from(["..", ".", "example.com", "m"])), max_size=3),
    st.sampled_from(["", "", "", ".h", ".js", "/", ".py"]),
)
_IMPORTED = st.sampled_from(["", "*", "a", "b", "A", "a_b"])
_GO_MODULES = st.dictionaries(
    st.sampled_from(["", "a", "a/b"]), st.sampled_from(["example.com/m", "m", "a/b"]), max_size=2
)


@settings(max_examples=4000, deadline=None)
@given(
    others=st.sets(_PATHS, max_size=6),
    importer=_PATHS,
    path=_PATHS,
    modules=_GO_MODULES,
    what=st.builds(Import, _MODULES, _IMPORTED, st.just("x"), st.just(1), st.booleans()),
)
def test_every_import_that_is_bound_otherwise_is_reached(
    others: set[str], importer: str, path: str, modules: dict[str, str], what: Import
) -> None:
    """When a file more or less changes what an import means, the import is reached."""
    grammar = grammar_of(importer)
    if grammar is None or path == importer:
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
