"""Short ways to index and search a tree in this process."""

from pathlib import Path

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.pipelines.launch import Options, Outcome, index_project
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.query import Filters, Query
from codequarry.retrieval.search import Hit
from codequarry.retrieval.search import search as answer_of


def index(state: StateDirectory, root: Path, *, name: str | None = None,
          full: bool = False, structural_chunks: str = "auto") -> Outcome:  # fmt: skip
    """Index a tree in this process."""
    project = Registry(state).add(root, name)
    return index_project(state, project, Options(full, structural_chunks))


def search(state: StateDirectory, text: str, *projects: str, filters: Filters | None = None,
           mode: str = "hybrid", limit: int = 10) -> tuple[Hit, ...]:  # fmt: skip
    """Search the published index."""
    query = Query(text, mode, limit, filters or Filters())
    return answer_of(Reader(state), query, projects or None, configured_model()).hits


def names(hits: tuple[Hit, ...]) -> list[str]:
    """Give the bare last part of each hit's symbol, or its path."""
    return [hit.symbol_name.rpartition(".")[2] or hit.path for hit in hits]
