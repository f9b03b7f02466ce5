"""What a client can read without a tool: the overview of each indexed project."""

from urllib.parse import quote, unquote

import mcp_types as types
import msgspec

from codequarry.core.errors import IndexMissing, UsageError
from codequarry.retrieval.structure.overview import overview_of
from codequarry.retrieval.structure.view import GraphView
from codequarry.serving.deployment import Deployment

MIME_TYPE = "application/json"
_OVERVIEW = "codequarry://overview/"


def listed(deployment: Deployment) -> list[types.Resource]:
    """Give a resource for each indexed project; none while nothing is indexed."""
    try:
        names = sorted(deployment.reader().published.entries)
    except IndexMissing:
        return []
    return [
        types.Resource(
            name=f"overview of {name}", uri=_OVERVIEW + quote(name, safe=""), mime_type=MIME_TYPE
        )
        for name in names
    ]


def read(deployment: Deployment, uri: str) -> str:
    """Give the overview that an address names, as JSON (docs/overview.md).

    Raises:
        UsageError: The address is none of ours.
        IndexMissing: The project was never indexed.
    """
    if not uri.startswith(_OVERVIEW):
        raise UsageError(f"{uri[:100]!r} is no resource of ours", "list the resources for theirs")
    name = unquote(uri.removeprefix(_OVERVIEW))
    view = GraphView(deployment.reader(), deployment.state, [name])
    return msgspec.json.encode(overview_of(view, name)).decode()
