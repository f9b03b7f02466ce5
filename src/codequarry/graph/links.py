"""The edges of one file: what holds what, what it imports, and what its code refers to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from codequarry.core.roles import is_named_after, is_test
from codequarry.graph.edges import Edge
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound
from codequarry.graph.nodes import Nodes
from codequarry.graph.references import INHERITS, Mentions, Reference
from codequarry.graph.resolve import resolve
from codequarry.graph.scope import Scope, open_scope, subject_of
from codequarry.graph.spans import OUTSIDE
from codequarry.graph.targets import EXACT, IMPORT, Miss, Target

PACKAGE_FILES = 64
"""Files of one imported package that get an edge, at most."""

TESTS = "tests"
"""The edge from a test to what it tests, beside the call or the import that tells it."""

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
    scope, bound = open_scope(nodes, layout, path, grammar, mentions)
    yield from _imports(scope, path, bound, met)
    yield from _references(scope, path, mentions.references, met)


def _imports(
    scope: Scope, path: str, bound: Iterable[tuple[Import, Bound]], met: Counter[str]
) -> Iterator[Edge]:
    for what, meaning in bound:
        met["imports"] += 1
        met["imports_external"] += not meaning.files
        for target in scope.rows_of(meaning.files[:PACKAGE_FILES]):
            if target == scope.file:
                continue
            told = (scope.file, target, path, what.line, IMPORT, _IMPORT_CONFIDENCE)
            yield Edge("imports", *told)
            if is_test(path) and is_named_after(path, scope.nodes.paths[target]):
                yield Edge(TESTS, *told)


def _references(
    scope: Scope, path: str, references: Sequence[Reference], met: Counter[str]
) -> Iterator[Edge]:
    owners = scope.nodes.around(scope.file, [reference.line for reference in references])
    in_test = is_test(path)
    answers: dict[tuple[int, str, str, str, str], str] = {}
    for reference, around in zip(references, owners, strict=True):
        is_heir = reference.kind in INHERITS
        owner = subject_of(scope, reference, around) if is_heir else around
        key = (owner, reference.name, reference.receiver, reference.kind, reference.subject)
        if key not in answers:
            answer = resolve(scope, reference, owner)
            answers[key] = answer.value if isinstance(answer, Miss) else "resolved"
            if isinstance(answer, Target) and _is_telling(reference, owner, answer):
                told = (owner, answer.row, path, reference.line, *answer[1:])
                yield Edge(reference.kind, *told)
                if in_test and reference.kind == "calls" and not _is_test(scope, answer):
                    yield Edge(TESTS, *told)
        met[answers[key]] += 1
    met["references"] += len(references)


def _is_test(scope: Scope, target: Target) -> bool:
    return is_test(scope.nodes.paths[target.row])


def _is_telling(reference: Reference, owner: int, target: Target) -> bool:
    # Code that calls itself is worth an edge; a type that names itself is not.
    return reference.kind == "calls" or target.row != owner
