"""Names that the fronts of packages pass on, in a whole build and in deltas."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from codequarry.graph.fronts import Passed, is_front, passed_on
from tests.graph.deltas import checked
from tests.graph.projects import calls, graph_of, how

PYTHON = {
    "app.py": "from pkg import g\n\ndef go():\n    g()\n",
    "pkg/__init__.py": "from .m import f as g\n",
    "pkg/m.py": "def f():\n    pass\n",
}
SCRIPT = {
    "app.ts": "import { g, X } from './ui';\n\nfunction go() {\n  g();\n  X();\n}\n",
    "ui/index.ts": "export { f as g } from './m';\nexport { default as X } from './n';\n",
    "ui/m.ts": "export function f() {}\n",
    "ui/n.ts": "export default function h() {}\nfunction k() {}\n",
}
RUST = {
    "src/lib.rs": "mod a;\nmod app;\npub use a::f as g;\n",
    "src/a.rs": "pub fn f() {}\n",
    "src/app.rs": "use crate::g;\n\nfn go() {\n    g();\n}\n",
}


def test_fronts() -> None:
    """A front is what one imports by naming its folder."""
    names = (
        "pkg/__init__.py",
        "index.js",
        "ui/index.d.ts",
        "ui/index.mjs",
        "src/lib.rs",
        "a/mod.rs",
    )
    assert all(map(is_front, names))
    assert not any(map(is_front, ("pkg/init.py", "ui/index.css", "my_index.js", "a/model.rs")))


@pytest.mark.parametrize(
    ("path", "text", "passed"),
    [
        ("__init__.py", "from .m import f as g, h\n", {"g": (".m", "f"), "h": (".m", "h")}),
        ("__init__.py", "from .m import (  # all\n    f as g,\n)\n", {"g": (".m", "f")}),
        ("__init__.py", "from .m import f \\\n    as g\n", {"g": (".m", "f")}),
        ("__init__.py", "from .m import *\nimport os as g\n", {}),
        ("__init__.py", "from .m import ()\nfrom .m import g\n", {"g": (".m", "g")}),
        ("__init__.py", "def x():\n    from .m import f as g\n", {}),
        ("__init__.py", "from .m import g\nfrom .n import g\n", {}),
        (
            "index.ts",
            "export { f as g, type T } from './m';",
            {"g": ("./m", "f"), "T": ("./m", "T")},
        ),
        ("index.ts", "export {\n  // a, b\n  f as g, /* h */\n} from './m';", {"g": ("./m", "f")}),
        ("index.ts", "export { default as X } from './m';", {"X": ("./m", "default")}),
        ("index.js", "import { f } from './m';\nexport { f as g };", {"g": ("./m", "f")}),
        ("index.js", "export { f as g };", {"g": ("", "f")}),
        ("index.js", "export * from './m';\nexport * as n from './m';", {}),
        ("lib.rs", "pub use a::{f as g, h};", {"g": ("a", "f"), "h": ("a", "h")}),
        ("lib.rs", "pub(crate) use a::f;\nuse a::k;", {"f": ("a", "f")}),
    ],
)
def test_what_is_passed_on(path: str, text: str, passed: Mapping[str, tuple[str, str]]) -> None:
    """Each way to pass a name on is read, and two meanings of one name are none."""
    assert passed_on(path, text) == {name: Passed(*what) for name, what in passed.items()}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (PYTHON, {("app.go", "m.f")}),
        (
            {**PYTHON, "app.py": "import pkg\n\ndef go():\n    pkg.g()\n"},
            {("app.go", "m.f")},
        ),
        (
            {
                **PYTHON,
                "pkg/__init__.py": "from .sub import h as g\n",
                "pkg/sub/__init__.py": "from ..m import f as h\n",
                "pkg/sub/m.py": "def f():\n    pass\n",
            },
            {("app.go", "m.f")},
        ),
        (SCRIPT, {("go", "f"), ("go", "h")}),
        (RUST, {("go", "f")}),
    ],
)
def test_calls_under_another_name(
    tmp_path: Path, files: Mapping[str, str], found: set[tuple[str, str]]
) -> None:
    """A call of a name that a front passes on leads to what bears another name behind it."""
    assert calls(graph_of(tmp_path, files)) == found


def test_types_under_another_name(tmp_path: Path) -> None:
    """A method is found in the class that a front passes on under another name."""
    files = {
        "app.py": "from pkg import Till\n\ndef go(t: Till):\n    t.add()\n",
        "pkg/__init__.py": "from .m import Box as Till\n",
        "pkg/m.py": "class Box:\n    def add(self):\n        pass\n",
        "pkg/n.py": "class Pot:\n    def add(self):\n        pass\n",
    }
    graph = graph_of(tmp_path, files)
    assert how(graph, "app.go", "m.Box.add") == ("receiver", 0.9)


def test_circles_end(tmp_path: Path) -> None:
    """Fronts that pass a name on to each other lead nowhere."""
    files = {
        "app.py": PYTHON["app.py"],
        "pkg/__init__.py": "from .sub import g\n",
        "pkg/sub/__init__.py": "from .. import g\n",
    }
    assert calls(graph_of(tmp_path, files)) == set()


def test_own_definitions_come_first(tmp_path: Path) -> None:
    """What a front defines itself it does not pass on."""
    front = "from .m import f as g\n\ndef g():\n    pass\n"
    graph = graph_of(tmp_path, {**PYTHON, "pkg/__init__.py": front})
    assert calls(graph) == {("app.go", "pkg.g")}


CHANGES: list[tuple[Mapping[str, str], Mapping[str, str | None]]] = [
    (PYTHON, {"pkg/__init__.py": "from .m import f\n"}),
    (PYTHON, {"pkg/__init__.py": "from .n import f as g\n", "pkg/n.py": PYTHON["pkg/m.py"]}),
    (PYTHON, {"pkg/m.py": "def other():\n    pass\n"}),
    (PYTHON, {"pkg/m.py": None}),
    ({**PYTHON, "pkg/m.py": "x = 1\n"}, {"pkg/m.py": PYTHON["pkg/m.py"]}),
    (
        {path: PYTHON[path] for path in ("app.py", "pkg/__init__.py")},
        {"pkg/m.py": PYTHON["pkg/m.py"]},
    ),
    (
        {
            "app.py": "from pkg import Till\n\ndef go(t: Till):\n    t.add()\n",
            "pkg/__init__.py": "from .m import Box as Till\n",
            "pkg/m.py": "class Box:\n    pass\n",
            "pkg/n.py": "class Pot:\n    def add(self):\n        pass\n\nclass Pan:\n"
            "    def add(self):\n        pass\n",
        },
        {"pkg/m.py": "class Box:\n    def add(self):\n        pass\n"},
    ),
    (
        {
            **PYTHON,
            "pkg/__init__.py": "from .sub import h as g\n",
            "pkg/sub/__init__.py": "from ..m import f as h\n",
        },
        {"pkg/sub/__init__.py": "from ..m import f\n"},
    ),
    (SCRIPT, {"ui/index.ts": "export { f } from './m';\n"}),
    (SCRIPT, {"ui/m.ts": "export function f2() {}\n"}),
    (SCRIPT, {"ui/n.ts": "export default k;\nfunction h() {}\nfunction k() {}\n"}),
    (RUST, {"src/a.rs": "pub fn f2() {}\n"}),
    (RUST, {"src/lib.rs": "mod a;\nmod app;\n"}),
]


@pytest.mark.parametrize("change", CHANGES)
def test_deltas(tmp_path: Path, change: tuple[Mapping[str, str], Mapping[str, str | None]]) -> None:
    """A change of a front, or behind one, moves the edges of who imports the front."""
    delta = checked(tmp_path, *change)
    user = next(path for path in change[0] if path.rpartition("/")[2].startswith("app."))
    assert user in delta.edge_paths


def test_a_body_touches_nobody(tmp_path: Path) -> None:
    """What only changes inside of a definition concerns nobody beyond the front."""
    delta = checked(tmp_path, PYTHON, {"pkg/m.py": "def f():\n    return 1\n"})
    assert delta.affected == 0
