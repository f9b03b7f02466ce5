"""Several questions at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from codequarry.core.errors import CodequarryError, UsageError
from codequarry.index.reader import Reader
from codequarry.retrieval.query import Filters, Query
from codequarry.retrieval.search import Hit, QueryVector, search
from codequarry.retrieval.structure.bounds import checked_limit

MAX_QUERIES = 50


@dataclass(frozen=True)
class Answered:
    """What came of one question.

    Args:
        text: The question.
        hits: Its hits, best first.
        warnings: What the asker should know.
        failure: Why it could not be answered, or empty.
        repeated: How many more hits were shown for a question before.
    """

    text: str
    hits: tuple[Hit, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str = ""
    repeated: int = 0


def batch(
    reader: Reader,
    questions: Sequence[str],
    projects: Iterable[str] | None,
    model: QueryVector | None,
    limit: int = 3,
    mode: str = "hybrid",
    filters: Filters | None = None,
    deduplicate: bool = True,
) -> tuple[Answered, ...]:
    """Answer questions in their order; one that fails says so and stops no other.

    Args:
        reader: The published state.
        questions: At most `MAX_QUERIES`.
        projects: Which projects to search; all when ``None``.
        model: Makes the vectors.
        limit: Hits of each question.
        mode: The mode of each.
        filters: The filters of each.
        deduplicate: Whether a chunk is shown only for the first question that found it.

    Raises:
        UsageError: There is no question, or there are too many; or the limit is none.
    """
    if not 1 <= len(questions) <= MAX_QUERIES:
        raise UsageError(f"{len(questions)} questions were given", f"give 1 to {MAX_QUERIES}")
    most = checked_limit(limit)
    wanted = None if projects is None else tuple(projects)
    shown: set[int] = set()
    answers = []
    for text in questions:
        answer = _answered(reader, text, wanted, model, most, mode, filters or Filters())
        fresh = tuple(hit for hit in answer.hits if hit.chunk_id not in shown)
        shown.update(hit.chunk_id for hit in fresh if deduplicate)
        answers.append(replace(answer, hits=fresh, repeated=len(answer.hits) - len(fresh)))
    return tuple(answers)


def _answered(
    reader: Reader,
    text: str,
    projects: tuple[str, ...] | None,
    model: QueryVector | None,
    limit: int,
    mode: str,
    filters: Filters,
) -> Answered:
    try:
        answer = search(reader, Query(text, mode, limit, filters), projects, model)
    except CodequarryError as error:
        return Answered(text, failure=str(error))
    return Answered(text, answer.hits, answer.warnings)
