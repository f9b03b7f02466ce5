import random

from codequarry.retrieval.structure.key_files import key_files_of

EXPECTED = [
    ("README.md", "document"),
    ("Makefile", "build"),
    ("pyproject.toml", "build"),
    ("Dockerfile", "configuration"),
    ("web/readme", "document"),
    ("web/App.csproj", "build"),
    ("web/vite.config.ts", "configuration"),
    (".github/workflows/ci.yml", "configuration"),
]


def test_roles_and_order() -> None:
    """Shallow ones first, then documents, build, configuration; other files are none."""
    paths = [path for path, _ in EXPECTED]
    paths += ["src/readme_parser.py", "src/main.py", "Makefile.py", "package.jsonc"]
    random.Random(2).shuffle(paths)
    assert [(one.path, one.role) for one in key_files_of(paths)] == EXPECTED
