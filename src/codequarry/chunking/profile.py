"""What decides what a chunk holds; light to import, as a status compares profiles only."""

from typing import Final

PIECE_BYTES: Final = 4096
"""A piece of a declaration is cut above it."""

WINDOW_LINES: Final = 25
WINDOW_BYTES: Final = 2048
"""Of the windows that lines without an owner are cut into."""

LOCAL_VERSION: Final = "blocks1+windows1"
"""The local chunker's version; a change of what it cuts needs a new one."""

TEMPLATE: Final = "path3+kind+name"
"""The header's version; a change of `text.path_words` or `text.header` needs a new one."""

CHUNK_PROFILE: Final = (
    f"codequarry-chunks-v1:piece={PIECE_BYTES},window={WINDOW_LINES}x{WINDOW_BYTES}"
    f",text={TEMPLATE},local={LOCAL_VERSION}"
)
"""Names everything that decides what a chunk holds; a new value re-chunks every file (J-07)."""
