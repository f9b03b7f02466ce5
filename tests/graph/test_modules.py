"""Which files an import means."""

import pytest

from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound, bind

PATHS = (
    "a.h",
    "app.py",
    "app/__init__.py",
    "app/cli.py",
    "app/core/__init__.py",
    "app/core/x.py",
    "app/core/y.py",
    "crates/my-kit/src/deep/er.rs",
    "crates/my-kit/src/deep/mod.rs",
    "crates/my-kit/src/lib.rs",
    "inc/z/b.h",
    "lib/tool.rb",
    "py/src/pkg/__init__.py",
    "py/src/pkg/m.py",
    "py/tests/t.py",
    "src/main/java/c/d/E.java",
    "src/main/java/c/d/F.java",
    "src/main/kotlin/c/k/Fun.kt",
    "web/src/data.json",
    "web/src/main.ts",
    "web/src/ui/button.tsx",
    "web/src/ui/index.tsx",
)


def files(importer: str, grammar: str, module: str, imported: str = "", **more: bool) -> Bound:
    return bind(Layout(PATHS), importer, grammar, Import(module, imported, "", 1, **more))


@pytest.mark.parametrize(
    ("importer", "grammar", "module", "imported", "found", "name"),
    [
        ("app/core/x.py", "python", ".", "y", ["app/core/y.py"], ""),
        ("app/core/x.py", "python", ".y", "f", ["app/core/y.py"], "f"),
        ("app/core/x.py", "python", "..cli", "f", ["app/cli.py"], "f"),
        ("app/cli.py", "python", "app.core", "", ["app/core/__init__.py"], ""),
        ("app/cli.py", "python", "app.core", "x", ["app/core/x.py"], ""),
        ("app/core/x.py", "python", "cli", "", [], ""),
        ("app/core/x.py", "python", ".....far", "f", [], "f"),
        ("py/tests/t.py", "python", "pkg.m", "f", ["py/src/pkg/m.py"], "f"),
        ("web/src/main.ts", "typescript", "./ui", "a", ["web/src/ui/index.tsx"], "a"),
        ("web/src/main.ts", "typescript", "./ui/button.js", "a", ["web/src/ui/button.tsx"], "a"),
        ("web/src/main.ts", "typescript", "./data.json", "", ["web/src/data.json"], ""),
        ("web/src/ui/button.tsx", "tsx", "@/main", "a", ["web/src/main.ts"], "a"),
        ("web/src/ui/button.tsx", "tsx", "..", "a", [], "a"),
        ("web/src/ui/button.tsx", "tsx", "react", "a", [], "a"),
        ("crates/app/src/x.rs", "rust", "my_kit::deep", "er", ["crates/my-kit/src/deep/er.rs"], ""),
        (
            "crates/my-kit/src/deep/er.rs",
            "rust",
            "super",
            "f",
            ["crates/my-kit/src/deep/mod.rs"],
            "f",
        ),
        (
            "crates/my-kit/src/deep/er.rs",
            "rust",
            "crate::deep",
            "f",
            ["crates/my-kit/src/deep/mod.rs"],
            "f",
        ),
        ("crates/my-kit/src/lib.rs", "rust", "std::fmt", "Debug", [], "Debug"),
        ("X.java", "java", "c.d", "E", ["src/main/java/c/d/E.java"], "E"),
        (
            "X.java",
            "java",
            "c.d",
            "*",
            ["src/main/java/c/d/E.java", "src/main/java/c/d/F.java"],
            "*",
        ),
        ("X.java", "java", "c.d.E", "m", ["src/main/java/c/d/E.java"], "m"),
        ("X.kt", "kotlin", "c.k", "fun1", ["src/main/kotlin/c/k/Fun.kt"], "fun1"),
        ("inc/x.c", "c", '"z/b.h"', "", ["inc/z/b.h"], "*"),
        ("other/x.c", "c", "z/b.h", "", ["inc/z/b.h"], "*"),
        ("other/x.c", "c", "<z/b.h>", "", ["inc/z/b.h"], "*"),
        ("other/x.c", "c", "<a.h>", "", [], "*"),
        ("bin/run.rb", "ruby", "tool", "", ["lib/tool.rb"], "*"),
    ],
)
def test_bind(
    importer: str, grammar: str, module: str, imported: str, found: list[str], name: str
) -> None:
    """An import finds its files as the language would, and none outside of the project."""
    assert files(importer, grammar, module, imported) == Bound(tuple(found), name)


def test_go_module_path() -> None:
    """With a go.mod, an import below its module path is a folder, and any other is external."""
    layout = Layout(("svc/go.mod", "svc/main.go", "svc/db/a.go"), {"svc": "corp/svc"})
    inside = bind(layout, "svc/main.go", "go", Import("corp/svc/db", "", "db", 1))
    root = bind(layout, "svc/db/a.go", "go", Import("corp/svc", "", "svc", 1))
    outside = bind(layout, "svc/main.go", "go", Import("x.com/db", "", "db", 1))
    assert [inside.files, root.files, outside.files] == [("svc/db/a.go",), ("svc/main.go",), ()]
