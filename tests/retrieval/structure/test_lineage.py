"""Ordinary types: nobody calls their methods in silence. The others are in `tricks_silent`."""

from typing import Final

import pytest

from codequarry.retrieval.structure.evidence import Coverage, evidence_of
from codequarry.retrieval.structure.lineage import called_from_outside, found_by_base
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.test_evidence import indexed

ORDINARY: Final = {
    "a.py": (
        b"class Base:\n    pass\n\n\nclass Heir(Base):\n    def plain_py(self):\n        return 1\n"
        b"\n\nclass Wrong(ValueError, metaclass=ABCMeta):\n    def plain_error(self):\n"
        b"        return 1\n"
        b"\n\ndef plain_function(override):\n    return 1\n"
        b"\n\nclass Other:\n    pass\n\n\nHEIRS = Other.__subclasses__()\n"
        b"# x.__subclasses__() is asked nowhere\nNAME = '__subclasses__'\n"
    ),
    "a.rs": (
        b"pub trait Local {\n    fn of_local(&self);\n}\n\npub struct S;\n\n"
        b"impl outside::Thing for S {\n    fn thingy(&self) {}\n}\n\n"
        b"impl S {\n    fn plain_rs(&self) {}\n}\n\n"
        b"impl<T> Local for Vec<T>\nwhere\n    T: Copy,\n{\n    fn of_local(&self) {}\n}\n"
    ),
    "a.swift": (
        b"class Ctl {\n}\n\nextension Ctl: Outside {\n    func tapped() {\n    }\n}\n\n"
        b"extension Ctl {\n    func plainSwift() {\n    }\n}\n"
    ),
    "a.rb": (
        b"module Own\n  def plain_own\n    1\n  end\nend\n\n"
        b"class Job\n  include Own, Comparable\n\n  def plain_rb\n    1\n  end\nend\n"
    ),
    "A.java": (
        b"interface Has {\n    int plainJava();\n}\n\nclass A implements Has {\n    @Override\n"
        b"    public int plainJava() {\n        return 1;\n    }\n}\n"
    ),
    "a.kt": (
        b"open class Low {\n    open fun plainKotlin() {\n    }\n}\n\n"
        b"class High : Low() {\n    override fun plainKotlin() {\n    }\n}\n"
    ),
    "a.cs": b"namespace A;\npartial class P {\n    void PlainSharp(int e) {\n    }\n}\n",
    "b.cs": b"namespace A;\npartial class P : IDisposable {\n}\n",
    "a.cpp": b"class W {\n    void plainCpp(int e);\n};\n\nvoid W::plainCpp(int e) {\n}\n",
}


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """The graph of the ordinary types."""
    return indexed(tmp_path_factory.mktemp("ordinary"), ORDINARY)


def test_methods(ordinary: GraphView) -> None:
    """Only the methods of an ``impl`` and an extension of a base from outside may be called."""
    methods = ordinary.symbols("kind = 'method'")
    called = called_from_outside(ordinary, methods)
    assert {method.symbol for method in called} == {"thingy", "tapped"}
    assert len(methods) > 12


def test_types(ordinary: GraphView) -> None:
    """A base that asks nobody for its heirs finds none; nor do those that only others ask for."""
    assert found_by_base(ordinary, ordinary.symbols("kind != 'file'")) == ()


@pytest.mark.parametrize(
    "name",
    [
        "plain_py",
        "plain_error",
        "plain_function",
        "plain_rs",
        "plainSwift",
        "plain_rb",
        "PlainSharp",
        "Heir",
    ],
)
def test_nobody_uses_them(ordinary: GraphView, name: str) -> None:
    """Their users, none, are all known."""
    assert evidence_of(ordinary, [look_up(ordinary, name).one()]).coverage is Coverage.COMPLETE
