"""The file filter of a v2 export (contract.md A2)."""

import posixpath
from collections.abc import Iterable

from codequarry.core.text import ascending

_GO_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def trimmed(text: str) -> str:
    """Strip what Go's ``strings.TrimSpace`` strips; Python's own strips four controls more."""
    return text.strip(_GO_SPACE)


def normalised(files: Iterable[str]) -> tuple[str, ...]:
    """Trim, drop blanks, turn backslashes, clean, de-duplicate and sort by bytes.

    An entry that cleans to ``.`` stays as it was written.
    """
    paths = set()
    for entry in files:
        path = trimmed(entry).replace("\\", "/")
        if path:
            clean = _clean(path)
            paths.add(path if clean == "." else clean)
    return ascending(paths)


def _clean(path: str) -> str:
    """Clean as Go's ``path.Clean`` does, which keeps no second leading slash."""
    clean = posixpath.normpath(path)
    return clean[1:] if clean.startswith("//") else clean
