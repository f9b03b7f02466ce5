import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.related import related_files
from codequarry.retrieval.structure.view import GraphView


def test_users_uses_and_tests(town: GraphView) -> None:
    """Each file stands there once, for its best reason, surest first."""
    found = related_files(town, "town", "town/money.py")
    assert [(one.path, one.reason) for one in found.files] == [
        ("tests/test_money.py", "test"),
        ("town/shop.py", "caller"),
    ]
    back = related_files(town, "town", "town/shop.py")
    assert [(one.path, one.reason) for one in back.files] == [("town/money.py", "callee")]


def test_limit(town: GraphView) -> None:
    """What the limit leaves out is counted."""
    found = related_files(town, "town", "town/money.py", limit=1)
    assert (len(found.files), found.omitted) == (1, 1)


def test_nothing_related(town: GraphView) -> None:
    """A file that stands alone has none; a file that is not indexed is an error."""
    assert related_files(town, "town", "many/part00.py").files == ()
    with pytest.raises(UsageError, match="is indexed"):
        related_files(town, "town", "nobody.py")
