"""Imports that do not say which module they import."""

import pytest

from codequarry.retrieval.structure.computed import Computed, computed_within
from codequarry.retrieval.structure.named import Named


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("import('./a')", []),
        ("import(`./a`)", []),
        ("require(\"a\"), require('./b')", []),
        ("import(/* webpackChunkName: 'a' */ './a')", []),
        ("// import(name)", []),
        ("function require(name) {}", []),
        ("import x from './a'", []),
        ("myrequire(name)", []),
        ("import(name)", [""]),
        ("require(\n  name)", [""]),
        ("import(`./pages/${name}.js`)", ["./pages/"]),
        ("import(`./page-${name}.js`)", ["./"]),
        ("import(`${name}/page.js`)", [""]),
        ("require('./locales/' + name)", ["./locales/"]),
        ("require('./de-' + name)", ["./"]),
        ("require.context('./pages', true)", ["./pages/"]),
        ("import.meta.glob('./pages/*.vue', {eager: true})", ["./pages/"]),
        ("import.meta.glob<Page>(['@/pages/**/a.ts'])", ["@/pages/"]),
        ("import.meta.globEager(\n  '../*.ts')", ["../"]),
        ("a = import(a)\nb = import(b)", ["", ""]),
    ],
)
def test_what_is_sure_of_it(text: str, folders: list[str]) -> None:
    """What names a module by a plain string is left out; of the others, the folder is told."""
    assert [one.folder for one in computed_within("p", "web/user.js", 1, text)] == folders


@pytest.mark.parametrize(
    ("folder", "path", "may"),
    [
        ("", "any/where.js", True),
        ("./", "web/a.js", True),
        ("./", "web/deep/a.js", True),
        ("./", "other/a.js", False),
        ("./pages/", "web/pages/a.js", True),
        ("./pages/", "web/pagesize/a.js", False),
        ("../", "other/a.js", True),
        ("../lib/", "lib/a.js", True),
        ("@/pages/", "src/pages/a.js", True),
        ("@/pages/", "src/pages/deep/a.js", True),
        ("@/pages/", "src/parts/a.js", False),
    ],
)
def test_which_files_it_may_mean(folder: str, path: str, may: bool) -> None:
    """Relative folders are read from the file; of others only the last part is compared."""
    line = Named("web/user.js", 1, "import", "")
    assert Computed(line, folder).may_mean(path) == may


def test_where_it_stands() -> None:
    """The line is counted from the chunk's first, and holds the call."""
    (one,) = computed_within("p", "a.js", 10, "const x = 1;\n  const y = await import(name);\n")
    assert (one.line.line, one.line.text) == (11, "  const y = await import(name);")
