"""The labelled questions and the packages they are about."""

from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data"
SETS = ("where", "docstring", "commit", "doccomment")


class Target(msgspec.Struct, frozen=True):
    """A file that answers, and the line where the function that answers begins, if known."""

    path: str
    line: int = 0


class Question(msgspec.Struct, frozen=True):
    """One row of a set."""

    id: str
    corpus: str
    query: str
    relevant: tuple[Target, ...]
    secondary: tuple[Target, ...] = ()


class Corpus(msgspec.Struct, frozen=True):
    """A package, its exact version, and what is blanked in its files.

    Args:
        kind: ``pypi``, ``npm``, ``deb`` or ``stdlib``.
        root: The folder of the unpacked package that paths are relative to.
        transform: ``none``, ``strip_docstrings`` or ``strip_comment_lines``.
    """

    kind: str
    name: str
    version: str
    root: str
    transform: str


def questions(name: str) -> list[Question]:
    """Give the questions of a set, in the file's order."""
    rows = (DATA / f"{name}.dev.jsonl").read_bytes().split(b"\n")
    return [msgspec.json.decode(row, type=Question) for row in rows if row]


def corpora() -> dict[str, Corpus]:
    """Give every corpus by its key, ``<set>/<name>``."""
    return msgspec.json.decode((DATA / "corpora.json").read_bytes(), type=dict[str, Corpus])


def project_of(corpus: str) -> str:
    """Give the name of the project that a corpus is indexed as."""
    return corpus.replace("/", "-").replace("@", "-")
