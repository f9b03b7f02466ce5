"""Why a hit stands where it does, in words; they quote nothing that was indexed."""

from codequarry.retrieval.signals import Signals
from codequarry.retrieval.wordmatch import Match


def reasons(found: Signals, row: int) -> tuple[str, ...]:
    """Word the signals of one candidate, the strongest kinds first.

    Args:
        found: The signals of all candidates.
        row: The candidate's position.
    """
    flagged = [
        (found.exact[row] == 2, "is what the qualified name names"),
        (found.exact[row] == 1, "has exactly this name"),
        (found.mentioned[row], "its name stands in the question"),
    ]
    said = [text for holds, text in flagged if holds]
    fields = (
        ("name", found.name),
        ("class or module", found.container),
        ("file name", found.stem),
        ("folder", found.directory),
    )
    for field, match in fields:
        number = _matched(match, row)
        if number:
            said.append(f"{field} matches {number} of {match.credit.shape[1]} words")
    if found.text[row] > 0:
        said.append("full text matches")
    if found.vector[row] > 0 and not found.text[row] > 0:
        said.append("similar in meaning only")
    against = [
        (found.is_test[row], "test file"),
        (found.is_example[row], "example, document or benchmark"),
        (found.is_generated[row], "generated file"),
        (found.is_secondary[row], "declaration, built copy, older version or deprecated"),
        (found.is_class[row], "head of a class"),
        (found.is_block[row], "not a function"),
        (found.is_gap[row], "text between symbols"),
        (found.is_brief[row], "a few lines only"),
    ]
    return (*said, *(text for holds, text in against if holds))


def _matched(match: Match, row: int) -> int:
    return int((match.credit[row] > 0).sum())
