"""Files that mention a changed name and keep their edges are told without linking them."""

from pathlib import Path

import pytest

from codequarry.graph.sources import Source
from codequarry.graph.suspects import narrowed
from tests.graph.deltas import BOX, checked
from tests.graph.test_references import mentions

MANY = 120
LOG = "def emit(value):\n    return value\n"


def _users(text: str, suffix: str = "py") -> dict[str, str]:
    return {f"user_{n}.{suffix}": text.format(n=n) for n in range(MANY)}


KEPT = {
    "bound to another file": (
        {"log.py": LOG, **_users("from log import emit\n\ndef u{n}():\n    emit({n})\n")},
        {"other.py": LOG},
    ),
    "from outside of the project": (
        {**_users("import os\n\ndef u{n}():\n    os.emit({n})\n"), "other.py": "x = 1\n"},
        {"other.py": LOG},
    ),
    "ambiguous before and after": (
        {"a.c": "void emit() {\n}\n", "b.c": "void emit() {\n}\n"}
        | _users("void u{n}() {{\n  emit();\n}}\n", "c"),
        {"d.c": "void emit() {\n}\n"},
    ),
    "under another name": (
        {"log.py": LOG, **_users("from log import emit as say\n\ndef u{n}():\n    say({n})\n")},
        {"other.py": LOG},
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_who_means_another_is_not_linked(tmp_path: Path, name: str) -> None:
    """A common name defined once more links nobody anew who surely means another definition."""
    start, change = KEPT[name]
    delta = checked(tmp_path, start, change)
    assert (delta.affected, delta.edge_paths) == (0, tuple(change))


def test_only_whose_edges_move_are_linked(tmp_path: Path) -> None:
    """Of many that mention a name, those that mean the changed definition are linked anew."""
    start = {
        "log.py": LOG,
        "near.py": LOG,
        **_users("from log import emit\n\ndef u{n}():\n    emit({n})\n"),
        "close.py": "from near import emit\n\ndef c():\n    emit(1)\n",
    }
    delta = checked(tmp_path, start, {"near.py": LOG.replace("emit", "say")})
    assert (delta.affected, delta.edge_paths) == (1, ("close.py", "near.py"))


def test_first_mention_of_an_edge_counts(tmp_path: Path) -> None:
    """Where two names lead to one definition, both are looked at, so its edge keeps its line."""
    text = "from log import emit, emit as say\n\ndef u{n}():\n    say(1)\n    emit(2)\n"
    delta = checked(tmp_path, {"log.py": LOG, **_users(text)}, {"other.py": "def say():\n    0\n"})
    assert delta.edge_paths == ("other.py",)


def test_members_that_become_ambiguous(tmp_path: Path) -> None:
    """A second method of a name moves the edge of everybody who knows no receiver of it."""
    users = _users("def u{n}(x):\n    x.open_lid()\n")
    delta = checked(tmp_path, {"box.py": BOX, **users}, {"crate.py": BOX.replace("Box", "Crate")})
    assert delta.affected == MANY


def test_narrowed_keeps_what_leads_to_the_names() -> None:
    """References of the names and of their aliases stay, with the imports that bind them."""
    code = (
        "from a import f as g\nfrom b import h\n\ndef u(k):\n    g()\n    f()\n    h()\n    k()\n"
    )
    source = Source("", "m.py", b"m.py", "python", len(code), "")
    found = narrowed(source, mentions("python", code), {"f"})
    assert [ref.name for ref in found.mentions.references] == ["g", "f"]
    assert [what.local for what in found.mentions.imports] == ["g"]
    assert found.names == {"f", "g"}
