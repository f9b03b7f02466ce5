"""producers.paths: what may name a file (contract.md R2, J-09)."""

import pytest

from codequarry.core.errors import ProducerError
from codequarry.producers.paths import can_travel, is_clean, normalise_filter

UNCLEAN = ["", ".", "..", "../a", "/a", "//a", "a/", "a//b", "./a", "a/./b", "a/../b", "a/.."]
UNCERTAIN = [" a", "a ", "a\nb", "a\r", "a\\b", "a\0b", "\ud800", "\u00a0a"]


@pytest.mark.parametrize("path", UNCLEAN)
def test_unclean(path: str) -> None:
    """A path that leaves the project or is not in clean form names nothing."""
    assert not is_clean(path)
    assert not can_travel(path)


@pytest.mark.parametrize("path", ["a", "a/b.py", "..a", ".../x", "a b", "ü/é.go", "a,b"])
def test_clean(path: str) -> None:
    """Ordinary paths are clean and travel in a filter."""
    assert is_clean(path)
    assert can_travel(path)


@pytest.mark.parametrize("path", UNCERTAIN)
def test_clean_paths_that_two_peers_may_read_differently(path: str) -> None:
    """Blanks at the ends, line ends and backslashes do not travel."""
    assert is_clean(path)
    assert not can_travel(path)
    with pytest.raises(ProducerError, match="full export"):
        normalise_filter(["ok.py", path])


def test_filter_is_sorted_by_bytes_and_distinct() -> None:
    """The filter's order is that of its fingerprint."""
    given = ["b", "a", "\U0001f600", "\uffee", "b", "Z"]
    assert normalise_filter(given) == ("Z", "a", "b", "\uffee", "\U0001f600")


def test_an_empty_filter_is_refused() -> None:
    """Nothing to ask for would be answered with the whole index (A2)."""
    with pytest.raises(ProducerError, match="at least one path"):
        normalise_filter([])
