"""Lay the packages that the questions are about, with pip, npm and apt-get."""

import ast
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

from codequarry.core.process import run
from evaluation.questions import Corpus

_C_LIKE = (
    ".js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .c .h .hpp .cc .cpp .cs .php .rb".split()
)
_SUFFIXES = {
    "none": {*_C_LIKE, ".py", ".pyi"},
    "strip_docstrings": {".py"},
    "strip_comment_lines": set(_C_LIKE),
}
_LEFT_OUT = {".git", "node_modules", "__pycache__", "dist", "build", ".venv", "vendor"}
_LEFT_OUT_OF_STDLIB = {"site-packages", "test", "idlelib", "lib2to3", "turtledemo"}
_LARGEST_STRIPPED = 1_000_000
_SECONDS = 600
_CLIENTS = {"npm": "npm", "deb": "apt-get", "pypi": sys.executable}


class NotLaid(Exception):
    """A corpus cannot be had on this machine."""


def lay(corpus: Corpus, target: Path) -> int:
    """Download a corpus, blank what its questions were made from, and write it to ``target``.

    Returns:
        The number of files.

    Raises:
        NotLaid: Its client is missing or failed, or it needs another Python.
    """
    with tempfile.TemporaryDirectory(prefix="codequarry-corpus-") as folder:
        source = _unpacked(corpus, Path(folder))
        laid = target.with_name(target.name + ".part")
        shutil.rmtree(laid, ignore_errors=True)
        number = 0
        for path in _files(corpus, source):
            text = _transformed(corpus, path)
            if text is not None:
                place = laid / path.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
                number += 1
        laid.rename(target)
    return number


def _unpacked(corpus: Corpus, folder: Path) -> Path:
    if corpus.kind == "stdlib":
        if not corpus.version.startswith(f"{sysconfig.get_python_version()}."):
            raise NotLaid(f"{corpus.name} needs Python {corpus.version}")
        return Path(sysconfig.get_path("stdlib"))
    if shutil.which(_CLIENTS[corpus.kind]) is None:
        raise NotLaid(f"{corpus.name} needs {_CLIENTS[corpus.kind]}")
    pinned = f"{corpus.name}{ {'pypi': '==', 'npm': '@', 'deb': '='}[corpus.kind] }{corpus.version}"
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    if corpus.kind == "pypi":
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        _do(folder, *pip, "--only-binary=:all:", "-d", ".", pinned)
        shutil.unpack_archive(next(folder.glob("*.whl")), unpacked, "zip")
    elif corpus.kind == "npm":
        _do(folder, "npm", "pack", "--silent", pinned)
        _do(folder, "tar", "xzf", next(folder.glob("*.tgz")).name, "-C", "unpacked")
    else:
        _do(folder, "apt-get", "download", "-q", pinned)
        _do(folder, "dpkg-deb", "-x", next(folder.glob("*.deb")).name, "unpacked")
    return unpacked / corpus.root


def _do(folder: Path, *argv: str) -> None:
    done = run(argv, folder, _SECONDS, stdout_limit=1 << 20)
    if done.returncode:
        raise NotLaid(f"{' '.join(argv)} failed")


def _files(corpus: Corpus, source: Path) -> Iterator[Path]:
    left_out = _LEFT_OUT | (_LEFT_OUT_OF_STDLIB if corpus.kind == "stdlib" else set())
    for folder, folders, names in os.walk(source):
        folders[:] = sorted(
            name for name in folders if name not in left_out and not _is_metadata(name)
        )
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix.lower() in _SUFFIXES[corpus.transform]:
                yield path


def _is_metadata(folder: str) -> bool:
    return folder.endswith((".dist-info", ".data"))


def _transformed(corpus: Corpus, path: Path) -> str | None:
    """Give a file's text with its questions blanked, or ``None`` when it is left out."""
    text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if corpus.transform == "strip_docstrings":
        is_pandas_test = corpus.name == "pandas" and "tests" in path.parts
        return None if is_pandas_test else without_docstrings(text)
    if corpus.transform == "strip_comment_lines":
        return without_comment_lines(text) if len(text) <= _LARGEST_STRIPPED else None
    return text


def without_docstrings(text: str) -> str | None:
    """Blank every docstring and keep every line's number; ``None`` when it is no Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) or not ast.get_docstring(node, clean=False):
            continue
        string = node.body[0]
        assert string.end_lineno is not None
        if not isinstance(node, ast.Module) and string.lineno == node.lineno:
            continue
        first, last = string.lineno - 1, string.end_lineno - 1
        before = lines[first][: string.col_offset]
        after = lines[last].encode()[string.end_col_offset :].decode()
        lines[first : last + 1] = [""] * (last + 1 - first)
        if not isinstance(node, ast.Module):
            lines[first] = before + ("pass" if len(node.body) == 1 else "") + after
    return "\n".join(lines)


def without_comment_lines(text: str) -> str:
    """Blank the lines that are comments and keep every line's number."""
    kept, inside = [], False
    for line in text.split("\n"):
        stripped = line.strip()
        if inside or stripped.startswith("/*"):
            inside = "*/" not in stripped
            kept.append("")
        else:
            kept.append("" if stripped.startswith("//") else line)
    return "\n".join(kept)
