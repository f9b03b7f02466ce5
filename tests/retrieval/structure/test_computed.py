"""Imports that do not say which module they import."""

from pathlib import Path

import pytest

from codequarry.retrieval.structure.computed import Computed, computed_imports, computed_within
from codequarry.retrieval.structure.named import Named
from tests.retrieval.structure.test_evidence import indexed


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
        ("import.meta.glob(['./a/*.js', /* b */ './b/*.js', '!./c/*.js'])", ["./a/", "./b/"]),
        ("import.meta.glob('./a/*.js', { as: 'url' })", ["./a/"]),
        ("import.meta.glob('./[ab]/*.js')", ["./"]),
        ("import.meta.glob(patterns)", [""]),
        ("import.meta.webpackContext('./pages')", ["./pages/"]),
        ("a = import(a)\nb = import(b)", ["", ""]),
        ("n ? import(`./a/${n}`) : import(`./b/${n}`)", ["./a/", "./b/"]),
        ("import(\n/* a: '1' */\n/** b: 2 */\n`./${n}`)", ["./"]),
        ("import(\n  // eslint\n  `./${n}`)", ["./"]),
        ("import('./'.concat(n))", ["./"]),
        ("import('./a' === n ? './b' : './c')", [""]),
        ("import('./a/b' as any)", ["./a/"]),
        ("require (name)", [""]),
        ("/* import */ const m = await import(name)", [""]),
        ("require('./a', done), require(), import(\"./a\" /* b */)", []),
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


@pytest.mark.parametrize(
    "text",
    [
        "await import(name)",
        "import(\n  /* a */\n  `./${n}`)",
        "import('./a' as any)",
        "import('./'.concat(n))",
        "require (name)",
        "import.meta.webpackContext('./a')",
        "require.context ('./a')",
    ],
)
def test_the_store_selects_it(tmp_path: Path, text: str) -> None:
    """The coarse pattern of the store finds what is read more closely then."""
    view = indexed(tmp_path, {"a.js": f"function go(name, n) {{\n  return {text};\n}}\n".encode()})
    (one,) = computed_imports(view, "tree", {"javascript"})
    assert (one.line.path, one.line.line) == ("a.js", 2)
