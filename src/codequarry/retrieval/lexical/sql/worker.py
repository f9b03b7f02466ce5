"""What a worker process runs; it loads the parsers, and nothing of the index."""

from codequarry.retrieval.lexical.sql.facts import Script

Item = tuple[tuple[str, str], str]
"""A script's project and path, and its text."""


def read_item(item: Item) -> Script:
    """Read one script."""
    from codequarry.retrieval.lexical.sql.reading import read_script

    return read_script(item[1])


def size_of(item: Item) -> int:
    """Give how much work an item is."""
    return len(item[1])
