import math

import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.bounds import checked_limit, checked_share, clamped_depth


def test_depth_is_clamped_above_only() -> None:
    """A huge depth becomes the largest; a depth below 1 is an error."""
    assert [clamped_depth(depth) for depth in (1, 10, 11, 10**18)] == [1, 10, 10, 10]
    for depth in (0, -1, -(10**18), 1.5, math.nan, math.inf, -math.inf):
        with pytest.raises(UsageError, match="depth"):
            clamped_depth(depth)


def test_limit_is_never_clamped() -> None:
    """A limit beyond the bounds is an error, so that nothing is omitted in silence."""
    assert [checked_limit(limit) for limit in (1, 1000)] == [1, 1000]
    for limit in (0, -5, 1001, 10**18, math.nan, math.inf, 2.5):
        with pytest.raises(UsageError, match="limit"):
            checked_limit(limit)


def test_share() -> None:
    """A share is from 0 to 1, both included; NaN is none."""
    assert [checked_share("weight", share) for share in (0, 0.5, 1)] == [0.0, 0.5, 1.0]
    for share in (-0.1, 1.1, math.nan, math.inf):
        with pytest.raises(UsageError, match="weight"):
            checked_share("weight", share)
