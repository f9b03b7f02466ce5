"""What is embedded of a chunk: a header of words, then docstring, signature, source (D2).

The header is the document template of the chunk profile: the words of the file's path and of the
symbol's qualified name, which the source alone does not hold (retrieval.md 4.3).
"""

import functools
import re

from codequarry.core.text import cut, is_blank

EMBEDDING_BYTES = 4096
DOCSTRING_BYTES = 1024
SIGNATURE_BYTES = 512
HEADER_BYTES = 384

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|[0-9]+")


def split_words(text: str) -> str:
    """Split names at case, digits and punctuation; lower-cased, joined by spaces."""
    return " ".join(_WORD.findall(text)).lower()


def path_words(path: str) -> str:
    """Give the words of the last three directories and of the file name without its suffix."""
    parts = path.split("/")
    name = parts.pop()
    stem = name.rpartition(".")[0] or name
    return split_words("/".join([*parts[-3:], stem]))


@functools.lru_cache(maxsize=4096)
def header(place: str, kind: str = "", name: str = "") -> str:
    """Word the first line of an embedding text: path, kind, qualified name.

    Args:
        place: What `path_words` gave.
        kind: Of the owning record, or empty.
        name: Qualified, of the owning record, or empty.

    Returns:
        At most `HEADER_BYTES` of UTF-8; possibly empty.
    """
    words = " ".join(part for part in (place, split_words(kind), split_words(name)) if part)
    return cut(words, HEADER_BYTES)


def prologue(docstring: str, signature: str) -> str:
    """Join what stands before the source, each part with its blank line; blank parts are left out.

    Its length is what D1.5 takes off the piece's budget.
    """
    parts = (cut(docstring, DOCSTRING_BYTES), cut(signature, SIGNATURE_BYTES))
    return "".join(f"{part}\n\n" for part in parts if not is_blank(part.encode()))


def source_budget(prologue_text: str) -> int:
    """Give the most source bytes that fit behind a prologue (D1.5)."""
    return max(1, EMBEDDING_BYTES - len(prologue_text.encode()))


def embedding_text(heading: str, prologue_text: str, source: str) -> str:
    """Compose the text of one chunk: at most 4096 bytes, cut on a rune (D2).

    Args:
        heading: One line, or empty for the bare layout of the contract.
        prologue_text: What `prologue` gave, or empty.
        source: The piece.
    """
    start = f"{heading}\n" if heading else ""
    return cut(f"{start}{prologue_text}{source}", EMBEDDING_BYTES)
