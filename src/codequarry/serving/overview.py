"""``code_overview``: a project at a glance."""

from typing import Any

import msgspec

from codequarry.retrieval.structure.overview import overview_of
from codequarry.retrieval.structure.view import GraphView
from codequarry.serving.arguments import OverviewArguments
from codequarry.serving.deployment import Deployment
from codequarry.serving.tools import Tool

LIMIT = 8
DEPTH = 2


class OverviewAnswer(msgspec.Struct, frozen=True):
    """The project in a few sentences, and the whole as docs/overview.md describes it."""

    summary: list[str]
    overview: dict[str, Any]


def code_overview(deployment: Deployment, given: OverviewArguments) -> OverviewAnswer:
    """Give one project at a glance.

    Raises:
        CodequarryError: No one project is meant, or it is not indexed.
    """
    project = deployment.one(given.project)
    view = GraphView(deployment.reader(), deployment.state, [project])
    found = msgspec.to_builtins(overview_of(view, project, LIMIT, DEPTH))
    return OverviewAnswer(found.pop("summary"), found)


OVERVIEW = Tool(
    "code_overview",
    "Get to know a project: languages, folders, entry points, hubs, and clusters of files.",
    OverviewArguments,
    OverviewAnswer,
    code_overview,
    lambda answer: answer.summary,
)
