"""Which unchanged files a change moves an edge of: each way in which files hang on each other."""

from pathlib import Path

import pytest

from codequarry.graph import delta
from tests.graph.deltas import BOX, USER, checked

MOVES = {
    "imported under another name": (
        {"m.py": "from a import f as g\n\ndef u():\n    g()\n", "a.py": "x = 1\n"},
        {"a.py": "def f():\n    pass\n"},
    ),
    "imported as the default": (
        {"m.js": "import f from './a';\nfunction u() {\n  f();\n}\n", "a.js": "let x = 1;\n"},
        {"a.js": "export function f() {\n}\n"},
    ),
    "the default, declared elsewhere in its file": (
        {
            "m.js": "import g from './a';\nfunction u() {\n  g();\n}\n",
            "a.js": "function f() {\n}\nfunction h() {\n}\nexport default f;\n",
        },
        {"a.js": "function f() {\n}\nfunction h() {\n}\nexport default h;\n"},
    ),
    "the whole of a module": (
        {
            "m.js": "const g = require('./a');\nfunction u() {\n  g();\n}\n",
            "a.js": "function f() {\n}\nexports.f = f;\n",
        },
        {"a.js": "function f() {\n}\nmodule.exports = f;\n"},
    ),
    "a member of the default": (
        {
            "m.ts": "import G from './a';\nnew G().get();\n",
            "a.ts": "class A {\n  get() {}\n}\nclass B {\n  get() {}\n}\nexport default A;\n",
        },
        {"a.ts": "class A {\n  get() {}\n}\nclass B {\n  get() {}\n}\nexport default B;\n"},
    ),
    "behind a module": (
        {"m.py": "import a\n\ndef u():\n    a.get()\n", "a.py": "x = 1\n"},
        {"a.py": "def get():\n    pass\n"},
    ),
    "passed on by a package": (
        {
            "m.py": "from pkg import get\n\ndef u():\n    get()\n",
            "pkg/__init__.py": "from .deep import get\n",
            "pkg/deep.py": "x = 1\n",
        },
        {"pkg/deep.py": "def get():\n    pass\n"},
    ),
    "a member behind an imported type": (
        {"m.py": "from a import A\n\ndef u():\n    A.get()\n", "a.py": "class A:\n    x = 1\n"},
        {"a.py": "class A:\n    def get(self):\n        pass\n"},
    ),
    "a member behind the alias of a type in a namespace": (
        {
            "m.cs": "using X = N.A;\nclass M {\n  void U() { X.Get(); }\n}\n",
            "z.cs": "namespace N {\n  class A { }\n}\n",
        },
        {"z.cs": "namespace N {\n  class A { void Get() { } }\n}\n"},
    ),
    "a member of a type that is named outright": (
        {"M.java": "class M {\n  void u() { A.get(); }\n}\n", "A.java": "class A {\n}\n"},
        {"A.java": "class A {\n  void get() { }\n}\n"},
    ),
    "in the folder": (
        {"m.go": "package p\n\nfunc u() {\n\tf()\n}\n", "a.go": "package p\n"},
        {"a.go": "package p\n\nfunc f() {\n}\n"},
    ),
    "anywhere": (
        {"m.c": "void u() {\n  f();\n}\n", "a.c": "int x;\n"},
        {"a.c": "void f() {\n}\n"},
    ),
    "by a star": (
        {"m.py": "from a import *\n\ndef u():\n    f()\n", "a.py": "x = 1\n"},
        {"a.py": "def f():\n    pass\n"},
    ),
    "one method of two is left": (
        {"m.py": USER, "box.py": BOX, "crate.py": BOX.replace("Box", "Crate")},
        {"crate.py": "x = 1\n"},
    ),
    "a method becomes a function of a type that is none": (
        {"m.py": "def u(x):\n    x.open_lid()\n", "a.py": BOX},
        {"a.py": "def open_lid():\n    pass\n"},
    ),
}


@pytest.mark.parametrize("few", [delta.FEW, 0])
@pytest.mark.parametrize("name", MOVES)
def test_every_way_to_mean_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, few: int
) -> None:
    """However a name is looked up, who mentions it follows when its definitions change."""
    monkeypatch.setattr(delta, "FEW", few)
    start, change = MOVES[name]
    (user,) = (path for path in start if path.lower().startswith("m."))
    assert user in checked(tmp_path / "there", start, change).edge_paths
    assert (
        user
        in checked(
            tmp_path / "back", {**start, **change}, {path: start[path] for path in change}
        ).edge_paths
    )


CS_USER = "using A.B;\nclass User {\n  void Run() { new Thing(); Thing.Make(); }\n}\n"


@pytest.mark.parametrize("home", ["A.B", "A.C", "A"])
def test_namespaces_move(tmp_path: Path, home: str) -> None:
    """A type that moves to another namespace is lost, or found, by who imports the namespace."""
    thing = "namespace {} {{\n  class Extra {{ }}\n  class Thing {{ void Make() {{ }} }}\n}}\n"
    start = {"User.cs": CS_USER, "T.cs": thing.format("A.B"), "U.cs": thing.format("Z.Y")}
    checked(tmp_path, start, {"T.cs": thing.format(home)})
    checked(tmp_path / "back", {**start, "T.cs": thing.format(home)}, {"T.cs": thing.format("A.B")})


def test_namespace_edge_of_imports(tmp_path: Path) -> None:
    """A file that joins a namespace gets an edge from who imports it, though no name is shared."""
    start = {"User.cs": CS_USER, "T.cs": "class Alone { }\n"}
    moved = checked(tmp_path, start, {"T.cs": "namespace A.B {\n  class Alone { }\n}\n"})
    assert "User.cs" in moved.edge_paths


@pytest.mark.parametrize("name", ["example.com/m", "example.com/other", None])
def test_go_module_file_moves_imports(tmp_path: Path, name: str | None) -> None:
    """A changed, new or vanished ``go.mod`` binds the imports of every Go file anew."""
    start = {
        "go.mod": "module example.com/z\n",
        "srv/a.go": "package srv\n\nfunc Serve() {\n}\n",
        "main.go": 'package main\n\nimport "example.com/m/srv"\n\nfunc f() {\n\tsrv.Serve()\n}\n',
    }
    moved = checked(tmp_path, start, {"go.mod": name and f"module {name}\n"})
    assert ("main.go" in moved.edge_paths) == (name != "example.com/other")


IMPORTS = [
    ({"m.py": "import a\n"}, "a.py", "x = 1\n"),
    ({"pkg/m.py": "from . import x\n"}, "pkg/__init__.py", "x = 1\n"),
    ({"pkg/m.py": "from . import x\n"}, "pkg.py", "y = 1\n"),
    (
        {"pkg/m.py": "import a\n", "pkg/a.py": "x = 1\n", "a.py": "x = 1\n"},
        "pkg/__init__.py",
        "x = 1\n",
    ),
    ({"ui/m.ts": "import x from '.';\n"}, "ui/index.ts", "let y = 1;\n"),
    ({"ui/m.ts": "import x from './a.js';\n"}, "ui/a.ts", "let y = 1;\n"),
    ({"c/src/m.rs": "use crate::Foo;\n"}, "c/src/lib.rs", "// empty\n"),
    ({"d/src/m.rs": "use my_c::Foo;\n"}, "my-c/src/lib.rs", "// empty\n"),
    ({"M.java": "import org.a.*;\n"}, "org/a/T.java", "class T { }\n"),
    ({"m.go": 'package m\n\nimport "x.org/y/srv"\n'}, "srv/a.go", "package srv\n"),
    (
        {"go.mod": "module x.org/y\n", "s/m.go": 'package s\n\nimport "x.org/y"\n'},
        "a.go",
        "package y\n",
    ),
    ({"m.c": '#include "inc/a.h"\n'}, "inc/a.h", "void f();\n"),
    ({"m.php": "<?php\nuse App\\Item;\n"}, "src/Item.php", "<?php\n"),
    ({"m.rb": "require 'tools'\n"}, "lib/tools.rb", "x = 1\n"),
]


@pytest.mark.parametrize(("start", "path", "content"), IMPORTS)
def test_files_come_and_go(tmp_path: Path, start: dict[str, str], path: str, content: str) -> None:
    """A file that imports mean only once it exists moves the importer's edges, both ways."""
    importer = next(name for name in start if "m." in name.lower() and name != "go.mod")
    came = checked(tmp_path / "came", start, {path: content})
    went = checked(tmp_path / "went", {**start, path: content}, {path: None})
    assert importer in came.edge_paths
    assert importer in went.edge_paths
