import pytest

from codequarry.retrieval.structure.manifests import scripts_of


@pytest.mark.parametrize(
    ("manifest", "text", "expected"),
    [
        ("pyproject.toml", '[project.scripts]\nshop = "shop.cli:main"', {"shop": "shop.cli:main"}),
        ("pyproject.toml", '[project.gui-scripts]\nwin = "shop:win"', {"win": "shop:win"}),
        ("pyproject.toml", '[tool.poetry.scripts]\nshop = "shop:run"', {"shop": "shop:run"}),
        ("pyproject.toml", "[tool.poetry.scripts]\nshop = {reference = 1}", {"shop": ""}),
        ("pyproject.toml", "[tool.ruff]\nline-length = 100", {}),
        ("package.json", '{"bin": {"a": "a.js", "b": "b.js"}}', {"a": "a.js", "b": "b.js"}),
        ("package.json", '{"name": "@scope/tool", "bin": "cli.js"}', {"tool": "cli.js"}),
        ("package.json", '{"bin": "cli.js"}', {}),
        ("Cargo.toml", '[[bin]]\nname = "tool"\npath = "src/t.rs"', {"tool": "src/t.rs"}),
        ("go.mod", "module example.org/shop", {}),
    ],
)
def test_declared(manifest: str, text: str, expected: dict[str, str]) -> None:
    """Each manifest declares its commands in its own way."""
    assert scripts_of(manifest, text) == expected


@pytest.mark.parametrize("manifest", ["pyproject.toml", "package.json", "Cargo.toml"])
@pytest.mark.parametrize(
    "text",
    ["", "[", "{", "[project]\nscripts = 3", '{"bin": 3}', "bin = 3", "a = " + "[" * 5000, "\0"],
)
def test_broken_manifests_declare_nothing(manifest: str, text: str) -> None:
    """A manifest that cannot be read is no error."""
    assert scripts_of(manifest, text) == {}
