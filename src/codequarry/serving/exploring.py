"""``code_explore``: bounded packets of what answers a question."""

from typing import Any

import msgspec

from codequarry.retrieval.lexical.explore import ExploreQuery, explore
from codequarry.serving.arguments import ExploreArguments
from codequarry.serving.deployment import Deployment
from codequarry.serving.tools import Tool


class ExploreAnswer(msgspec.Struct, frozen=True):
    """What was found in a few sentences, and the packets as docs/vectorless.md describes them."""

    summary: list[str]
    exploration: dict[str, Any]


def code_explore(deployment: Deployment, given: ExploreArguments) -> ExploreAnswer:
    """Explore a question.

    Raises:
        CodequarryError: The question or the index is not usable.
    """
    query = ExploreQuery(given.query, limit=given.limit, include_source=given.source)
    projects = deployment.chosen(given.projects)
    found = explore(deployment.reader(), query, projects, deployment.state)
    return ExploreAnswer(found.summary, msgspec.to_builtins(found))


EXPLORE = Tool(
    "code_explore",
    "Explore an unknown area: where to begin, what stands around it, tests, and what it reaches.",
    ExploreArguments,
    ExploreAnswer,
    code_explore,
    lambda answer: answer.summary,
)
