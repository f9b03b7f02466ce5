"""Paths as engines write them, made ours: project-relative, ``/``, NFC, inside the project."""

import posixpath
import re
import unicodedata
from pathlib import PurePosixPath

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"^[A-Za-z]:")
_LONGEST = 4096


def project_path(written: str, roots: tuple[str, ...]) -> str | None:
    """Give the project-relative path, or ``None`` for one outside of the project.

    Args:
        written: As the engine wrote it: relative, absolute, ``file://``, with either slash.
        roots: Absolute paths that mean the project's root, such as its root and the copy that the
            engine indexed.
    """
    text = written.removeprefix("file://")
    if not text or len(text) > _LONGEST or _CONTROL.search(text):
        return None
    if "\\" in text and "/" not in text.replace("\\\\", ""):
        text = text.replace("\\", "/")
    text = posixpath.normpath(text)
    for root in roots:
        plain = posixpath.normpath(root.replace("\\", "/"))
        if text.startswith(plain + "/"):
            text = text[len(plain) + 1 :]
            break
    if text.startswith(("/", "../")) or text in (".", "..") or _DRIVE.match(text):
        return None
    return unicodedata.normalize("NFC", text)


def base_name(path: str) -> str:
    """Give the last part of a path."""
    return PurePosixPath(path).name
