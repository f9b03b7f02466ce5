import gc
import subprocess
import sys

import pytest

from codequarry.core.memory import uncollected


def test_settled_heap_is_left_out_of_later_searches() -> None:
    """After `settle_heap` what was imported is frozen, and a search needs 100,000 new objects."""
    program = (
        "import gc; from codequarry.core.memory import settle_heap; settle_heap();"
        "print(gc.get_freeze_count() > 1000, gc.get_threshold()[0], gc.isenabled())"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed.split() == ["True", "100000", "True"]


def test_pauses_nest_and_end_with_an_error() -> None:
    """`uncollected` pauses the search for cycles, and nothing that happens inside keeps it off."""

    @uncollected()
    def fail() -> None:
        with uncollected():
            pass
        raise ValueError(gc.isenabled())

    with pytest.raises(ValueError, match="False"):
        fail()
    assert gc.isenabled()
