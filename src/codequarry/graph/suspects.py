"""Do files that mention a changed name keep their edges? Told from these mentions alone.

A common name is mentioned by thousands of files, of which nearly all mean another definition of it.
Resolving what bears such a name, and comparing with the stored edges, costs a small part of linking
the file anew.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

import polars as pl

from codequarry.graph.asking import names_behind
from codequarry.graph.cache import MentionsCache
from codequarry.graph.change import Change, Surroundings
from codequarry.graph.conventions import convention_of
from codequarry.graph.edges import Edge, edges_table
from codequarry.graph.gather import gather
from codequarry.graph.links import file_links
from codequarry.graph.references import INHERITS, Mentions
from codequarry.graph.sources import Source
from codequarry.graph.symbols import IS_FILE


class Narrowed(NamedTuple):
    """What of a file's mentions may lead to definitions of some names.

    Args:
        source: The file.
        mentions: The references that look up one of ``names``, and what tells what they mean.
        names: All names that these look up; no other reference of the file looks up any of them.
    """

    source: Source
    mentions: Mentions
    names: frozenset[str]


def with_moved_edges(
    suspects: Sequence[Source], names: Set[str], change: Change, cache: MentionsCache
) -> list[Source]:
    """Give the files of which an edge moves, and those of which that cannot be told.

    Args:
        suspects: Unchanged files whose imports mean the same files as before.
        names: The names whose definitions changed.
        change: The change.
        cache: The project's cache; it knows these files.
    """
    told: list[Narrowed] = []
    open_: set[str] = set()
    for source, mentions, _ in gather(suspects, cache, Counter(), retry=False):
        if mentions is None:
            open_.add(source.path)
        elif (found := narrowed(source, mentions, names)).mentions.references:
            told.append(found)
    # What an import takes from a file that defines it must not look as if it were passed on.
    taken = {what.imported for found in told for what in found.mentions.imports}
    wanted = frozenset(names).union(taken, *(found.names for found in told))
    around = change.around({found.source.path for found in told}, wanted)
    moved = open_ | _differing(told, around, change)
    return [source for source in suspects if source.path in moved]


def narrowed(source: Source, mentions: Mentions, names: Set[str]) -> Narrowed:
    """Reduce a file's mentions to what may lead to definitions of some names.

    Args:
        source: The file.
        mentions: All that it mentions.
        names: The names.
    """
    aliases: dict[str, set[str]] = defaultdict(set)
    for what in mentions.imports:
        if what.local and what.imported not in ("", "*"):
            aliases[what.local].update([what.imported, *names_behind(what)])
    meanings = {
        name: {name, *aliases.get(name, ())} for name in {ref.name for ref in mentions.references}
    }
    wanted, chosen = set(names), set[str]()
    while new := {n for n in meanings.keys() - chosen if not wanted.isdisjoint(meanings[n])}:
        chosen |= new
        wanted.update(*(meanings[name] for name in new))
    return Narrowed(source, _about(mentions, chosen, source.grammar), frozenset(wanted))


def _about(mentions: Mentions, names: Set[str], grammar: str) -> Mentions:
    """Keep the references of some names, and what tells what they mean."""
    chosen = [ref for ref in mentions.references if ref.name in names]
    if convention_of(grammar).sees_members or any(ref.receiver for ref in chosen):
        telling = [r for r in mentions.references if r.name in names or r.kind in INHERITS]
        return mentions._replace(references=telling if chosen else [])
    imports = [
        what
        for what in mentions.imports
        if what.imported == "*" or what.local.partition(".")[0] in names
    ]
    hiding = [(name, line) for name, line in mentions.locals if name in names]
    return Mentions(chosen, imports, hiding)


def _differing(told: Sequence[Narrowed], around: Surroundings, change: Change) -> set[str]:
    """Give the files whose edges to some names are not the stored ones."""
    made = edges_table(change.project, around.symbols, _edges(told, around))
    wanted = pl.DataFrame(
        [(found.source.path, name) for found in told for name in found.names],
        schema={"path": pl.String, "symbol": pl.String},
        orient="row",
    )
    old = _stored(wanted, around, change)
    new = pl.DataFrame(pl.from_arrow(made.select(["path", "edge_id"])))
    different = pl.concat([old.join(new, old.columns, "anti"), new.join(old, old.columns, "anti")])
    return set(different["path"].to_list())


def _edges(told: Sequence[Narrowed], around: Surroundings) -> Iterator[Edge]:
    nodes, met = around.nodes, Counter[str]()
    for (_, path, _, grammar, *_), mentions, names in told:
        for edge in file_links(nodes, around.layout, path, grammar, mentions, met):
            if nodes.names[edge.target] in names and nodes.files[edge.target] != edge.target:
                yield edge


def _stored(wanted: pl.DataFrame, around: Surroundings, change: Change) -> pl.DataFrame:
    """Give path and key of the stored edges from some files to symbols of some names."""
    nodes = (pl.DataFrame(pl.from_arrow(table)) for table in (around.symbols, change.before))
    named = pl.concat(
        table.filter(~IS_FILE & pl.col("symbol").is_in(wanted["symbol"].unique().implode())).select(
            pl.col("symbol_id").alias("target_id"), pl.col("symbol").cast(pl.String)
        )
        for table in nodes
    ).unique("target_id")
    stored = change.stored.edges("target_id", named["target_id"].to_list())
    edges = pl.DataFrame(pl.from_arrow(stored)).filter(pl.col("kind") != "contains")
    return (
        edges.with_columns(pl.col("path").cast(pl.String))
        .join(named, "target_id")
        .join(wanted, ["path", "symbol"], "semi")
        .select("path", "edge_id")
    )
