"""Names that could mean more than one thing."""

from pathlib import Path

import pytest

from tests.graph.projects import calls, graph_of, how, imports


def test_inner_function_shadows_outer(tmp_path: Path) -> None:
    """A nested function wins over a module's function of the same name, only where it is seen."""
    code = (
        "def helper():\n    pass\n\n"
        "def outer():\n    def helper():\n        pass\n    helper()\n\n"
        "def other():\n    helper()\n"
    )
    graph = graph_of(tmp_path, {"m.py": code})
    assert calls(graph) == {("m.outer", "m.outer.helper"), ("m.other", "m.helper")}


def test_local_variable_hides_function(tmp_path: Path) -> None:
    """A call of a parameter or a local variable never binds to a function of its name."""
    files = {
        "m.py": (
            "def hook():\n    pass\n\n"
            "def run(hook):\n    hook()\n\n"
            "def set_up():\n    hook = make()\n    hook()\n\n"
            "def plain():\n    hook()\n"
        ),
        "n.js": "function hook() {\n}\nfunction run(hook) {\n  hook();\n}\n",
        "o.go": "package o\n\nfunc hook() {\n}\n\nfunc run() {\n\thook := 1\n\thook()\n}\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("m.plain", "m.hook")}


def test_local_definition_shadows_import(tmp_path: Path) -> None:
    """A file's own function wins over an imported one of the same name."""
    files = {
        "a.py": "def work():\n    pass\n",
        "b.py": "from a import work\n\ndef run():\n    def work():\n        pass\n    work()\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("b.run", "b.run.work")}


def test_self_means_the_enclosing_type(tmp_path: Path) -> None:
    """Of two methods of one name, ``self`` picks the one of its own class."""
    code = (
        "class A:\n    def go(self):\n        self.step()\n\n    def step(self):\n        pass\n\n"
        "class B:\n    def go(self):\n        self.step()\n\n    def step(self):\n        pass\n"
    )
    graph = graph_of(tmp_path, {"m.py": code})
    assert calls(graph) == {("m.A.go", "m.A.step"), ("m.B.go", "m.B.step")}


def test_same_named_methods_stay_ambiguous(tmp_path: Path) -> None:
    """A method that two types have is not guessed on a receiver of unknown type."""
    files = {
        "a.py": "class A:\n    def ship(self):\n        pass\n",
        "b.py": "class B:\n    def ship(self):\n        pass\n",
        "c.py": "def run(thing):\n    thing.ship()\n",
    }
    graph = graph_of(tmp_path, files)
    assert calls(graph) == set()
    assert graph.counts.ambiguous == 1


def test_only_method_of_a_name(tmp_path: Path) -> None:
    """The one method of a name is a guess by name, of low confidence."""
    files = {
        "a.py": "class A:\n    def ship(self):\n        pass\n",
        "c.py": "def run(thing):\n    thing.ship()\n",
    }
    graph = graph_of(tmp_path, files)
    assert how(graph, "c.run", "a.A.ship") == ("name", 0.7)


def test_bare_name_is_no_method(tmp_path: Path) -> None:
    """Where methods need a receiver, a bare call means the module's function."""
    code = "def get(x):\n    pass\n\nclass A:\n    def get(self):\n        return get(1)\n"
    assert calls(graph_of(tmp_path, {"m.py": code})) == {("m.A.get", "m.get")}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("m.py", "class A:\n    def append(self):\n        pass\n\ndef f(x):\n    x.append()\n"),
        ("m.js", "class A {\n  push() {\n  }\n}\nfunction f(x) {\n  x.push();\n}\n"),
        ("m.rs", "impl A {\n  fn unwrap(&self) {\n  }\n}\nfn f(x: B) {\n  x.unwrap();\n}\n"),
        ("M.java", "class A {\n  void add() {\n  }\n  void f(B x) {\n    x.add();\n  }\n}\n"),
        ("m.rb", "class A\n  def each\n  end\nend\ndef f(x)\n  x.each\nend\n"),
    ],
)
def test_builtin_methods_never_bind(path: str, code: str, tmp_path: Path) -> None:
    """A method that the language's own types have never binds by its name alone."""
    assert calls(graph_of(tmp_path, {path: code})) == set()


def test_external_import_never_binds(tmp_path: Path) -> None:
    """What comes from outside of the project is counted, and binds to no namesake inside."""
    files = {
        "a.py": "def dumps(x):\n    pass\n",
        "b.py": "import json\nfrom yaml import dumps\n\njson.dumps(1)\ndumps(2)\n",
    }
    graph = graph_of(tmp_path, files)
    assert calls(graph) == set()
    assert (graph.counts.external, graph.counts.imports_external) == (2, 2)


def test_cyclic_imports(tmp_path: Path) -> None:
    """Files that import each other both resolve."""
    files = {
        "a.py": "import b\n\ndef f():\n    b.g()\n",
        "b.py": "import a\n\ndef g():\n    a.f()\n",
    }
    graph = graph_of(tmp_path, files)
    assert calls(graph) == {("a.f", "b.g"), ("b.g", "a.f")}
    assert imports(graph) == {("a.py", "b.py"), ("b.py", "a.py")}


def test_reexport_is_followed_below_the_package(tmp_path: Path) -> None:
    """A name that a package passes on is found in the package's own folder first."""
    files = {
        "pkg/__init__.py": "from .impl import work\n",
        "pkg/impl.py": "def work():\n    pass\n",
        "other.py": "def work():\n    pass\n",
        "use.py": "from pkg import work\nimport pkg\n\ndef f():\n    work()\n    pkg.work()\n",
    }
    graph = graph_of(tmp_path, files)
    assert calls(graph) == {("use.f", "impl.work")}
    assert how(graph, "use.f", "impl.work") == ("import", 0.95)


def test_star_import(tmp_path: Path) -> None:
    """A star import makes the other module's functions visible by bare name."""
    files = {"a.py": "def f():\n    pass\n", "b.py": "from a import *\n\ndef g():\n    f()\n"}
    assert calls(graph_of(tmp_path, files)) == {("b.g", "a.f")}


def test_import_of_a_dotted_module(tmp_path: Path) -> None:
    """``import a.b`` makes both ``a.b.f`` and ``a.g`` known."""
    files = {
        "a/__init__.py": "def g():\n    pass\n",
        "a/b.py": "def f():\n    pass\n",
        "c.py": "import a.b\n\ndef h():\n    a.b.f()\n    a.g()\n",
    }
    assert calls(graph_of(tmp_path, files)) == {("c.h", "b.f"), ("c.h", "a.g")}


def test_overloads_share_the_confidence(tmp_path: Path) -> None:
    """Of several definitions in one scope the first stands for all, with less confidence."""
    code = "class A {\n  void f(int x) {}\n  void f(long x) {}\n  void g() {\n    f(1);\n  }\n}\n"
    graph = graph_of(tmp_path, {"A.java": code})
    assert how(graph, "A.g", "A.f") == ("exact", 0.475)


def test_one_edge_a_pair(tmp_path: Path) -> None:
    """Many calls between two symbols are one edge, at the first line; recursion is one too."""
    code = "def f():\n    pass\n\ndef g():\n    f()\n    f()\n    g()\n"
    graph = graph_of(tmp_path, {"m.py": code})
    lines = {
        (row["kind"], row["line"]) for row in graph.edges.to_pylist() if row["kind"] == "calls"
    }
    assert lines == {("calls", 5), ("calls", 7)}
    assert (graph.counts.references, graph.counts.resolved) == (3, 3)


def test_languages_do_not_mix(tmp_path: Path) -> None:
    """A name never binds to a symbol of another language."""
    files = {"a.rb": "def only_here\nend\n", "b.php": "<?php\nfunction f()\n{\n  only_here();\n}\n"}
    assert calls(graph_of(tmp_path, files)) == set()
