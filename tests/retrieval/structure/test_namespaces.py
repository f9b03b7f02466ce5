"""Modules that are looked through as a whole."""

import pytest

from codequarry.retrieval.structure.computed import computed_imports
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.namespaces import looked_through
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.test_evidence import indexed

THROUGH = {
    "values": ("js", "import * as all from './tools';\nuse(Object.assign({}, all));"),
    "in": ("js", "import * as all from './tools.js';\nfor (const k in all) {}"),
    "spread": ("js", "const all = require('./tools');\nmodule.exports = { ...all };"),
    "key": ("js", "const all = await import('./tools');\nall[name]();"),
    "template": ("js", "import * as all from './tools';\nall[`a${name}`]();"),
    "computed": ("js", "const t = 'tools';\nconst m = await import(`./${t}.js`); use({ ...m });"),
    "vars": ("py", "from . import tools\nprint(vars(tools))"),
    "dict": ("py", "from . import tools as t\nfind = t.__dict__"),
    "globals": ("py", "from .tools import *\nfind = globals()[name]"),
    "getattr": ("py", "from . import tools\nfind = getattr(tools, name)"),
    "braced": ("py", "from . import (a, tools as t, b)\nfind = getattr(t, name)"),
}
NAMED = {
    "others": ("js", "import { other } from './tools';\nfor (const k in all) {}"),
    "text": ("js", "import * as all from './tools';\nall['other'](); use(x[all.other]);"),
    "comment": ("js", "import * as all from './tools';\n// Object.values(all)"),
    "rest": ("js", "import { other } from './tools';\nuse({ ...rest }, xs[0]);"),
    "anything": ("js", "const m = require(path.join(x, y));\nuse({ ...m });"),
    "asked": ("py", "from . import tools\ngetattr(tools, 'other')"),
    "inside": ("py", "from .tools import other\nfind = globals()[name]"),
    "variable": ("py", "from .tools import other\ngetattr(tools, name)"),
    "member": ("py", "from . import tools\nvars(tools.other)"),
}
TOOL = {
    "js": "export function tool(x) {\n  return x;\n}\n",
    "py": "def tool(x):\n    return x\n",
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """Each case in a folder of its own, with a module that it imports."""
    tree = {}
    for name, (extension, text) in {**THROUGH, **NAMED}.items():
        tree[f"{name}/tools.{extension}"] = TOOL[extension].encode()
        tree[f"{name}/user.{extension}"] = text.encode()
    return indexed(tmp_path_factory.mktemp("modules"), tree)


def found(view: GraphView, name: str) -> list[tuple[str, int, str]]:
    extension = {**THROUGH, **NAMED}[name][0]
    tool = look_up(view, f"{name}/tools.{extension}:1").one()
    languages = {"javascript", "python"}
    lines, is_all = looked_through(
        view, [tool], lambda: computed_imports(view, tool.project, languages)
    )
    assert is_all
    return [(line.path.partition(".")[0], line.line, line.name) for line in lines]


@pytest.mark.parametrize("name", THROUGH)
def test_what_looks_through(modules: GraphView, name: str) -> None:
    """Whatever asks a module for all that it has, or for a name that is no text, is told."""
    assert found(modules, name) == [(f"{name}/user", 2, "tool")]


@pytest.mark.parametrize("name", NAMED)
def test_what_says_the_name(modules: GraphView, name: str) -> None:
    """Who names what it takes of a module is no such line."""
    assert found(modules, name) == []
