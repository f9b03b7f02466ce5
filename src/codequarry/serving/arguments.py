"""What the tools take. Names and descriptions are all that an agent sees, so they are short."""

from typing import Annotated, Literal

import msgspec

Mode = Literal["hybrid", "semantic", "keyword", "symbol", "path", "text", "graph", "sql"]

Projects = Annotated[
    list[str], msgspec.Meta(description="Default: the one around the server, else all")
]
Project = Annotated[str, msgspec.Meta(description="Default: the one around the server")]
Symbol = Annotated[
    str,
    msgspec.Meta(
        description="Name, qualified name, path:line or path::name", min_length=1, max_length=16_384
    ),
]
Limit = Annotated[int, msgspec.Meta(ge=1, le=100)]
Depth = Annotated[int, msgspec.Meta(ge=1, le=10)]


class _Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of a tool; one that is not known is an error, not a silence."""


class SearchArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_search``."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]
    projects: Projects = []
    mode: Mode = "hybrid"
    limit: Limit = 10
    languages: list[str] = []
    globs: Annotated[list[str], msgspec.Meta(description="Path globs, such as src/**/*.py")] = []
    kinds: list[str] = []
    symbol: Annotated[str, msgspec.Meta(description="Only files this symbol's change reaches")] = ""
    freshness: Annotated[
        Literal["ignore", "warn", "error"],
        msgspec.Meta(description="Look at the trees first; error refuses a stale index"),
    ] = "ignore"


class ExploreArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_explore``."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]
    projects: Projects = []
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 5
    source: bool = False


class ContextArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_context``."""

    symbol: Symbol
    project: Project = ""
    limit: Limit = 20


class ImpactArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_impact``."""

    symbol: Symbol
    project: Project = ""
    depth: Depth = 3
    limit: Limit = 50


class StatusArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_status``."""

    projects: Projects = []


class OverviewArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``code_overview``."""

    project: Project = ""


class RememberArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``memory_remember``."""

    content: Annotated[str, msgspec.Meta(min_length=1)]
    tags: list[str] = []
    importance: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.5
    ttl_hours: Annotated[float, msgspec.Meta(ge=0, description="0 keeps it for good")] = 0
    allow_duplicate: bool = False


class RecallArguments(_Arguments, frozen=True, kw_only=True):
    """Arguments of ``memory_recall``."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]
    tags: Annotated[list[str], msgspec.Meta(description="All of them, exactly")] = []
    min_importance: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0
    limit: Limit = 10
