"""A small project with programs in several languages, indexed once and then only read."""

from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from tests.e2e.planting import write

MAIN = b"import os\n\n\ndef run():\n    return 0\n\n\nif __name__ == '__main__':\n    run()\n"
PROGRAMS = {
    "README.md": b"# Programs\n",
    "pyproject.toml": b'[project]\nname = "tool"\n\n[project.scripts]\ntool = "tool.cli:main"\n',
    "web/package.json": b'{"name": "web", "bin": {"web": "web.js"}}\n',
    "web/long/package.json": b'{"bin": {"%s": "%s"}}\n' % (b"l" * 999, "é".encode() * 999),
    "tool/cli.py": b"from tool.work import work\n\n\ndef main():\n    return work()\n",
    "tool/work.py": b"def work():\n    return 1\n",
    "tool/__main__.py": b"from tool.cli import main\n\nmain()\n",
    "scripts/clean.py": MAIN,
    "scripts/quoted.py": b"def text():\n    return \"if __name__ == '__main__':\"\n",
    "scripts/\x1b[31m.py": MAIN,
    "tests/test_run.py": MAIN,
    "cmd/serve/main.go": b"package main\n\nfunc main() {\n\tprintln(1)\n}\n",
    "lib/main.go": b"package lib\n\nfunc main() {\n\tprintln(1)\n}\n",
    "rs/src/main.rs": b"fn main() {\n    println!();\n}\n",
    "rs/src/other.rs": b"fn main() {\n    println!();\n}\n",
    "c/start.c": b"int main(void) {\n    return 0;\n}\n",
    "jv/App.java": b"class App {\n    public static void main(String[] args) {\n    }\n}\n",
    "jv/No.java": b"class No {\n    void main() {\n    }\n}\n",
}

_MADE: list[Path] = []


def indexed(factory: pytest.TempPathFactory) -> Path:
    """Index it, once a session; give the folder that holds everything."""
    if not _MADE:
        _MADE.append(_index(factory.mktemp("programs")))
    return _MADE[0]


def _index(folder: Path) -> Path:
    from codequarry.pipelines.launch import Options, index_project

    project = Registry(state_of(folder)).add(write(folder / "programs", PROGRAMS))
    index_project(state_of(folder), project, Options())
    return folder


def state_of(folder: Path) -> StateDirectory:
    """Give the deployment of `indexed`."""
    return StateDirectory(folder / "home")
