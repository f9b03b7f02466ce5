"""What a reader's version depends on."""

import shutil
import subprocess
import sys
from pathlib import Path

import codequarry

ASK = """
from codequarry.syntax.versions import reader_version
for package in ("codequarry.graph", "codequarry.producers.builtin"):
    print(reader_version(package).hex())
print(reader_version("codequarry.retrieval.lexical.sql", "sqlglot").hex())
"""


def versions(source: Path) -> list[str]:
    """Give the versions that a copy of our code tells."""
    argv = [sys.executable, "-c", ASK]
    environment = {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_a_changed_file_of_ours_changes_it(tmp_path: Path) -> None:
    """Whatever module or query of the reader, or of the parsers, says something else, it counts."""
    here = Path(codequarry.__file__).parent
    copied = shutil.copytree(here, tmp_path / "codequarry", ignore=shutil.ignore_patterns("data"))
    before = versions(tmp_path)
    assert before == versions(tmp_path)
    changes = {
        "graph/queries/python.scm": [True, False, False],
        "producers/builtin/names.py": [False, True, False],
        "retrieval/lexical/sql/tsql.py": [False, False, True],
        "syntax/queries/sql.scm": [True, True, True],
        "core/words.py": [False, False, False],
    }
    for path, changed in changes.items():
        with (copied / path).open("a") as handle:
            handle.write("\n")
        after = versions(tmp_path)
        assert [one != other for one, other in zip(before, after, strict=True)] == changed, path
        before = after
