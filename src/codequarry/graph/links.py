"""The edges of one file: what holds what, what it imports, and what its code refers to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from codequarry.graph.edges import Edge
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound
from codequarry.graph.nodes import CLASSES, Nodes
from codequarry.graph.references import Mentions, Reference
from codequarry.graph.resolve import EXACT, IMPORT, Miss, Target, resolve
from codequarry.graph.scope import Scope, open_scope
from codequarry.graph.spans import OUTSIDE

PACKAGE_FILES = 64
"""Files of one imported package that get an edge, at most."""

_IMPORT_CONFIDENCE = 0.95


def containment(nodes: Nodes) -> Iterator[Edge]:
    """Give the edge from each symbol's narrowest holder, a file or another symbol, to it."""
    for row, parent in enumerate(nodes.parents):
        if parent != OUTSIDE:
            yield Edge("contains", parent, row, nodes.paths[row], nodes.lines[row], EXACT, 1.0)


def file_links(
    nodes: Nodes,
    layout: Layout,
    path: str,
    grammar: str,
    mentions: Mentions,
    met: Counter[str],
) -> Iterator[Edge]:
    """Give the edges that one file's imports and references make.

    Args:
        nodes: The project's nodes.
        layout: The project's files.
        path: The file.
        grammar: Its grammar.
        mentions: What it mentions.
        met: Counts to add to; the keys are those of `codequarry.graph.build.Counts`.
    """
    scope, bound = open_scope(nodes, layout, path, grammar, mentions.imports, mentions.locals)
    yield from _imports(scope, path, bound, met)
    yield from _references(scope, path, mentions.references, met)


def _imports(
    scope: Scope, path: str, bound: Iterable[tuple[Import, Bound]], met: Counter[str]
) -> Iterator[Edge]:
    for what, meaning in bound:
        met["imports"] += 1
        met["imports_external"] += not meaning.files
        for target in scope.rows_of(meaning.files[:PACKAGE_FILES]):
            if target != scope.file:
                yield Edge(
                    "imports", scope.file, target, path, what.line, IMPORT, _IMPORT_CONFIDENCE
                )


def _references(
    scope: Scope, path: str, references: Sequence[Reference], met: Counter[str]
) -> Iterator[Edge]:
    owners = scope.nodes.around(scope.file, [reference.line for reference in references])
    answers: dict[tuple[int, str, str, str, str], str] = {}
    for reference, around in zip(references, owners, strict=True):
        owner = _source(scope, reference, around)
        key = (owner, reference.name, reference.receiver, reference.kind, reference.subject)
        if key not in answers:
            answer = resolve(scope, reference, owner)
            answers[key] = answer.value if isinstance(answer, Miss) else "resolved"
            if isinstance(answer, Target) and _is_telling(reference, owner, answer):
                row, resolution, confidence = answer
                kind = reference.kind
                yield Edge(kind, owner, row, path, reference.line, resolution, confidence)
        met[answers[key]] += 1
    met["references"] += len(references)


def _source(scope: Scope, reference: Reference, around: int) -> int:
    """Give who refers: the code around, or, where something is inherited, the type that does."""
    nodes = scope.nodes
    if reference.kind not in ("extends", "implements"):
        return around
    named = (row for row in scope.local(reference.subject) if nodes.kinds[row] in CLASSES)
    enclosing = (row for row in nodes.chain(around) if nodes.kinds[row] in CLASSES)
    return next(named, next(enclosing, around))


def _is_telling(reference: Reference, owner: int, target: Target) -> bool:
    # Code that calls itself is worth an edge; a type that names itself is not.
    return reference.kind == "calls" or target.row != owner
