"""The files that belong with one: its users, what it uses, its tests, what changes with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from codequarry.core.errors import UsageError
from codequarry.graph.symbols import FILE_KIND
from codequarry.index.store import among, of_project, quote
from codequarry.retrieval.structure.bounds import checked_limit
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_CONFIDENCE: Final = {"test": 1.0, "caller": 0.9, "importer": 0.8, "callee": 0.7, "import": 0.6}
_LINKS: Final = ("calls", "extends", "implements", "imports", "references")


@dataclass(frozen=True)
class RelatedFile:
    """One file that belongs with another.

    Args:
        path: The file.
        reason: ``test``, ``caller``, ``importer``, ``callee``, ``import`` or ``coupled``; a
            peer may say others.
        confidence: How surely it belongs there, 0 to 1.
    """

    path: str
    reason: str
    confidence: float

    @property
    def order(self) -> tuple[float, bytes, bytes]:
        """Confidence, falling; then path and reason (contract.md A8)."""
        return (-self.confidence, self.path.encode(), self.reason.encode())


@dataclass(frozen=True)
class RelatedFiles:
    """The files that belong with one.

    Args:
        path: The file.
        files: In their order.
        omitted: How many more there are.
        source: ``codequarry`` or ``codemap``.
        note: Which of the two answered and why.
    """

    path: str
    files: tuple[RelatedFile, ...]
    omitted: int
    source: str = "codequarry"
    note: str = ""


def related_files(
    view: GraphView,
    project: str,
    path: str,
    limit: float = 10,
    coupled: Mapping[str, float] | None = None,
) -> RelatedFiles:
    """Tell which files use a file, are used by it, or test it; each once, for its best reason.

    Args:
        view: The graph.
        project: The project.
        path: The file.
        limit: Files to give, 1 to `bounds.MAX_LIMIT`.
        coupled: Files that changed with it, and how strongly; those that are indexed count half of
            that, so that no history stands above an edge.

    Raises:
        UsageError: The limit is none, or no indexed file has that path.
        IndexMissing: No graph was published.
    """
    most = checked_limit(limit)
    inside = view.symbols(f"{of_project(project)} AND path = {quote(path)}")
    if not inside:
        raise UsageError(
            f"no file {path[:200]!r} is indexed in {project!r}",
            "give its path below the project's root",
        )
    ids = [symbol.symbol_id for symbol in inside]
    users = view.edges(ids, "in", _LINKS)
    used = view.edges(ids, "out", _LINKS)
    pairs = [
        *_ends(view, users["source_id"].to_pylist(), users["kind"].to_pylist(), inward=True),
        *_ends(view, used["target_id"].to_pylist(), used["kind"].to_pylist(), inward=False),
    ]
    best: dict[str, RelatedFile] = {}
    for symbol, reason in pairs:
        file = RelatedFile(symbol.path, reason, _CONFIDENCE[reason])
        if symbol.path != path and file.order < best.get(symbol.path, _LAST).order:
            best[symbol.path] = file
    for other in _indexed(view, project, coupled or {}):
        file = RelatedFile(other, "coupled", round((coupled or {})[other] / 2, 3))
        best.setdefault(other, file)
    files = sorted(best.values(), key=lambda file: file.order)
    return RelatedFiles(path, tuple(files[:most]), max(len(files) - most, 0))


_LAST = RelatedFile("", "", -1.0)


def _indexed(view: GraphView, project: str, paths: Iterable[str]) -> list[str]:
    wanted = list(paths)
    if not wanted:
        return []
    where = f"{of_project(project)} AND kind = {quote(FILE_KIND)} AND {among('path', wanted)}"
    held: list[str] = view.symbol_rows(where, ["path"])["path"].to_pylist()
    return held


def _ends(
    view: GraphView, ids: list[int], kinds: list[str], *, inward: bool
) -> Iterable[tuple[Symbol, str]]:
    symbols = view.by_ids(ids)
    for key, kind in zip(ids, kinds, strict=True):
        if key not in symbols:
            continue
        symbol, imports = symbols[key], kind == "imports"
        if inward:
            reason = "test" if symbol.is_test else "importer" if imports else "caller"
        else:
            reason = "import" if imports else "callee"
        yield symbol, reason
