"""Scores of engines, brought to 0 to 1 (engines.md 4.2, rule 9)."""

import math
from collections.abc import Sequence

from codequarry.engines.types import ScoreKind

_OFFSET = 60


def normalised(
    native: Sequence[float | None], kind: ScoreKind
) -> tuple[tuple[float, ...], ScoreKind, bool]:
    """Bring one answer's scores to 0 to 1.

    ``calibrated`` scores stay, ``within_set`` ones are divided by the largest, and for
    ``rank_only``, or where any is missing, the rank decides: ``1/(60+rank)``, scaled so that rank
    1 is 1.

    Args:
        native: As the engine gave them, best first.
        kind: What they mean.

    Returns:
        The scores, what they now mean, and whether one was NaN, infinite, negative or (calibrated)
        above 1; NaN, infinite and negative ones count as 0.
    """
    if kind == "rank_only" or any(score is None for score in native):
        ranks = range(1, len(native) + 1)
        return tuple((_OFFSET + 1) / (_OFFSET + rank) for rank in ranks), "rank_only", False
    given = [score for score in native if score is not None]
    sound = [score if math.isfinite(score) and score >= 0 else 0.0 for score in given]
    spoiled = any(kept != score for kept, score in zip(sound, given, strict=True))
    if kind == "within_set":
        top = max(sound, default=0.0)
        return tuple(score / top if top > 0 else 0.0 for score in sound), kind, spoiled
    spoiled = spoiled or any(score > 1 for score in sound)
    return tuple(min(score, 1.0) for score in sound), kind, spoiled
