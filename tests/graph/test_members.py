"""Members behind receivers whose types are told, and the edges from tests."""

from pathlib import Path

import pytest

from tests.graph.projects import calls, graph_of, how, seen

_TWO = (
    "class A:\n    def go(self):\n        pass\n\n"
    "class B:\n    def go(self):\n        pass\n\n"
    "class Heir(A):\n    pass\n\n"
)


@pytest.mark.parametrize(
    "code",
    [
        "def f(x: A):\n    x.go()\n",
        "def f(x: 'A | None' = None):\n    x.go()\n",
        "def f():\n    x = A()\n    x.go()\n",
        "def f():\n    A().go()\n",
        "def f():\n    with A() as x:\n        x.go()\n",
        "def f():\n    y = A()\n    x = y\n    x.z = y\n    y.go()\n",
        "def make() -> A:\n    return 1\n\ndef f():\n    make().go()\n",
        "def f():\n    x = Heir()\n    x.go()\n",
    ],
)
def test_type_told(code: str, tmp_path: Path) -> None:
    """However the type of a receiver is told, its own method is meant."""
    graph = graph_of(tmp_path, {"m.py": _TWO + code})
    assert ("m.f", "m.A.go") in calls(graph)
    assert ("m.f", "m.B.go") not in calls(graph)
    assert how(graph, "m.f", "m.A.go")[0] == "receiver"


def test_two_types_tell_nothing(tmp_path: Path) -> None:
    """A variable that holds one type and then another is not guessed."""
    code = "def f():\n    x = A()\n    x = B()\n    x.go()\n"
    assert {to for _, to in calls(graph_of(tmp_path, {"m.py": _TWO + code}))} == {"m.A", "m.B"}


def test_foreign_types_have_no_members_of_ours(tmp_path: Path) -> None:
    """A method of a type from outside never binds to the one method of its name that we have."""
    files = {
        "m.py": "import x\n\ndef f(a: x.Thing):\n    a.spin()\n    b = open(1)\n    b.spin()\n",
        "n.py": "class Top:\n    def spin(self):\n        pass\n",
    }
    assert calls(graph_of(tmp_path, files)) == set()


def test_names_of_built_in_methods(tmp_path: Path) -> None:
    """``append`` on a thing of unknown type is a list's, and on one of ours it is ours."""
    code = (
        "class Log:\n    def append(self, x):\n        pass\n\n"
        "def unknown(x):\n    x.append(1)\n\n"
        "def told(x: Log):\n    x.append(1)\n"
    )
    assert calls(graph_of(tmp_path, {"m.py": code})) == {("m.told", "m.Log.append")}


def test_parameter_hides_module(tmp_path: Path) -> None:
    """A parameter that is named as an imported module is not the module."""
    files = {
        "a.py": "def run():\n    pass\n",
        "b.py": "import a\n\ndef f(a):\n    a.run()\n\ndef g():\n    a.run()\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("b.g", "a.run")}


def test_endless_chains_of_types(tmp_path: Path) -> None:
    """Types that are told by one another, and classes that inherit from themselves, end."""
    code = (
        "class C(C):\n    def go(self):\n        self.a = self.b\n        self.b = self.a\n"
        "        self.a.stop()\n        super().stop()\n"
    )
    assert calls(graph_of(tmp_path, {"m.py": code})) == set()


def test_default_export(tmp_path: Path) -> None:
    """What a module exports without a name is found by the module's own name."""
    files = {
        "disk-drive.ts": "export default class DiskDrive {\n  spin() {\n  }\n}\n",
        "b.ts": "import Any from './disk-drive';\nfunction f(x: Any) {\n  x.spin();\n}\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("f", "DiskDrive.spin")}


def test_tests_lead_to_their_subjects(tmp_path: Path) -> None:
    """A test's calls of other code, and the file it is named after, are what it tests."""
    files = {
        "shop/cart.py": "def add():\n    pass\n",
        "shop/other.py": "def use():\n    pass\n",
        "tests/test_cart.py": (
            "from shop.cart import add\nfrom shop import other\n\n"
            "def helper():\n    add()\n\ndef test_add():\n    helper()\n    add()\n"
        ),
    }
    found = {(edge.source, edge.target) for edge in seen(graph_of(tmp_path, files), "tests")}
    assert found == {
        ("tests/test_cart.py", "shop/cart.py"),
        ("test_cart.helper", "cart.add"),
        ("test_cart.test_add", "cart.add"),
    }
