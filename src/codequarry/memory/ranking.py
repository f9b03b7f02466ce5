"""The formulas of contract.md G3, over whole columns."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.float64]

HALF_LIFE_HOURS = 720.0
IMPORTANCE_SHARE = 0.25
LARGEST_LIFT = 0.25
HALF_LIFT_COUNT = 5.0


def scores(similarity: Numbers, age_hours: Numbers, importance: Numbers) -> Numbers:
    """Give the score of each memory: similarity, halved every 720 hours, lifted by importance.

    Args:
        similarity: float64 (n,): cosine to the question.
        age_hours: float64 (n,): since creation; a clock that went backwards counts as none.
        importance: float64 (n,): 0 to 1.
    """
    decay = np.exp2(-np.maximum(age_hours, 0) / HALF_LIFE_HOURS)
    return np.asarray(similarity * decay * (1 + IMPORTANCE_SHARE * importance))


def lifts(access_count: Numbers, idle_hours: Numbers) -> Numbers:
    """Give by how much use raises a memory's place: at most a quarter, halved every 720 hours.

    Args:
        access_count: float64 (n,): recalls that returned it.
        idle_hours: float64 (n,): since the last of them; without any it does not count.
    """
    decay = np.exp2(-np.maximum(idle_hours, 0) / HALF_LIFE_HOURS)
    return np.asarray(LARGEST_LIFT * access_count / (access_count + HALF_LIFT_COUNT) * decay)


def nearest(similarity: Numbers, ids: npt.NDArray[np.int64], limit: int) -> npt.NDArray[np.int64]:
    """Give the positions of the ``limit`` largest values, equal ones by ascending id."""
    return np.lexsort((ids, -similarity))[:limit]
