import os
from pathlib import Path

import pytest

from codequarry.core.errors import ProjectError, StateError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory


@pytest.fixture
def registry(state: StateDirectory) -> Registry:
    return Registry(state)


def tree(parent: Path, name: str) -> Path:
    root = parent / name
    root.mkdir(parents=True)
    return root


def test_directory_names_the_project(registry: Registry, tmp_path: Path) -> None:
    """A project is called like its directory, cleaned of what a key may not hold."""
    assert registry.add(tree(tmp_path, "my app (2)")).name == "my-app-2"


def test_same_directory_name_twice(registry: Registry, tmp_path: Path) -> None:
    """Two trees with one directory name are two projects with two names."""
    first = registry.add(tree(tmp_path, "a/app"))
    second = registry.add(tree(tmp_path, "b/app"))
    assert first.name == "app"
    assert second.name == f"app-{second.producer_key[:6]}"


def test_adding_again_changes_nothing(registry: Registry, tmp_path: Path) -> None:
    """A tree keeps its name, also when it is reached through a symlink."""
    root = tree(tmp_path, "app")
    link = tmp_path / "link"
    link.symlink_to(root)
    assert registry.add(root) == registry.add(link)
    assert len(registry.all()) == 1


def test_taken_name_is_refused(registry: Registry, tmp_path: Path) -> None:
    """A name asked for must be free, and the error says whose it is."""
    root = tree(tmp_path, "one")
    registry.add(root, "app")
    with pytest.raises(ProjectError, match=str(root)):
        registry.add(tree(tmp_path, "two"), "app")
    with pytest.raises(ProjectError, match="registered as 'app'"):
        registry.add(root, "other")


@pytest.mark.parametrize("name", ["..", ".", "a/b", "", "x" * 101, "a\nb", "-x"])
def test_unusable_names(registry: Registry, tmp_path: Path, name: str) -> None:
    """A name is a partition key and a folder: nothing that climbs, breaks or hides."""
    with pytest.raises(ProjectError):
        registry.add(tree(tmp_path, "app"), name)


def test_roots_must_be_directories(registry: Registry, tmp_path: Path) -> None:
    """A missing path, a file and a path that is not UTF-8 are refused in one sentence."""
    (tmp_path / "file").write_text("x")
    os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    for root in ("absent", "file", os.fsdecode(b"caf\xe9")):
        with pytest.raises(ProjectError):
            registry.add(tmp_path / root)


def test_nearest_project_encloses(registry: Registry, tmp_path: Path) -> None:
    """A directory belongs to the nearest project above it, nested ones first."""
    outer, inner = tree(tmp_path, "outer"), tree(tmp_path, "outer/inner")
    registry.add(outer)
    registry.add(inner)
    deep = tree(inner, "deep/er")
    found = registry.enclosing(deep)
    assert found is not None
    assert found.root == inner
    assert registry.enclosing(tmp_path) is None


def test_removal(registry: Registry, tmp_path: Path) -> None:
    """A removed project is unknown, and the error lists what is registered."""
    registry.add(tree(tmp_path, "app"))
    registry.add(tree(tmp_path, "web"))
    registry.remove("app")
    with pytest.raises(ProjectError, match="registered: web"):
        registry.get("app")


def test_damaged_file(registry: Registry, state: StateDirectory) -> None:
    """A damaged registry is an error that names the file, not an empty registry."""
    state.prepare()
    state.registry.write_text("{")
    with pytest.raises(StateError, match=r"projects\.json"):
        registry.all()


def test_state_directory_is_never_inside_a_project(tmp_path: Path) -> None:
    """A tree that holds the state directory, or is it, is refused before anything is written."""
    for root in (tmp_path / "home", tmp_path):
        root.mkdir(exist_ok=True)
        with pytest.raises(ProjectError, match="CODEQUARRY_HOME"):
            Registry(StateDirectory(tmp_path / "home")).add(root)
    assert not any((tmp_path / "home").iterdir())
