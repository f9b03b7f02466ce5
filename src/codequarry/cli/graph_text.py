"""Answers about the code graph, for a person."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

import click

from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.retrieval.structure.elsewhere import Elsewhere
    from codequarry.retrieval.structure.evidence import Evidence
    from codequarry.retrieval.structure.hotspots import Hotspot
    from codequarry.retrieval.structure.impact import Dependent, Impact
    from codequarry.retrieval.structure.neighbors import Neighborhood
    from codequarry.retrieval.structure.related import RelatedFiles
    from codequarry.retrieval.structure.symbols import Symbol

_ALL_KNOWN = {
    "complete": "all users are known",
    "lower_bound": "there may be more users",
    "unknown": "users could not be looked for",
}


def print_impact(found: "Impact", *, labelled: bool) -> None:
    """Print what a change reaches."""
    _head(found.symbol, labelled)
    within = counted(found.depth, "step")
    many = f"{found.direct:,} direct, {found.total:,} within {within}"
    click.echo(f"  dependents  {many}")
    tests = len(found.tests) + found.tests_omitted
    click.echo(f"  tests       {f'{tests:,}' if tests else 'none found'}")
    click.echo(f"  risk        {found.risk.value}")
    _print_evidence(found.evidence)
    _print_elsewhere(found.elsewhere)
    _print_dependents(found.dependents, found.omitted, labelled)
    if found.tests:
        click.echo("tests:")
        _print_dependents(found.tests, found.tests_omitted, labelled)


def print_neighborhood(found: "Neighborhood", *, labelled: bool) -> None:
    """Print what stands next to a symbol."""
    _head(found.symbol, labelled)
    if found.evidence is not None:
        _print_evidence(found.evidence)
    if found.elsewhere is not None:
        _print_elsewhere(found.elsewhere)
    if not found.neighbors:
        click.echo("  nothing found")
    for one in found.neighbors:
        arrow = "<-" if one.direction == "in" else "->"
        how = f"{one.kind}, {one.resolution} {one.confidence:.2f}"
        seen = "" if one.path == one.symbol.path else f"{one.path} "
        place = _place(one.symbol, labelled)
        click.echo(
            f"{one.depth:>2} {arrow} {place}  {_name(one.symbol)}  "
            f"({how}, {harmless(seen)}line {one.line})"
        )
    _print_omitted(found.omitted)
    if found.truncated:
        click.echo("   the walk met too many symbols and stopped")


def print_hotspots(spots: "Sequence[Hotspot]", *, labelled: bool) -> None:
    """Print hotspots, one a line."""
    if not spots:
        click.echo("no symbol has users", err=True)
    for spot in spots:
        shared = f", name shared by {spot.shared_name}" if spot.shared_name else ""
        asked = f", in {spot.query_frequency:,} searches" if spot.query_frequency else ""
        click.echo(
            f"{spot.effective_in_degree:>9.2f}  {_place(spot.symbol, labelled)}  "
            f"{_name(spot.symbol)}  ({counted(spot.in_degree, 'user')}{shared}{asked})"
        )


def print_related(found: "RelatedFiles", label: str) -> None:
    """Print related files, one a line, below a label that names their project or is empty."""
    if not found.files:
        click.echo("no file is known to belong with it", err=True)
    for one in found.files:
        click.echo(
            f"{one.confidence:.2f}  {harmless(f'{label}{one.path}')}  {harmless(one.reason)}"
        )
    _print_omitted(found.omitted)


def _head(symbol: "Symbol", labelled: bool) -> None:
    click.echo(f"{_place(symbol, labelled)}  {_name(symbol)}")


def _print_evidence(evidence: "Evidence") -> None:
    coverage = evidence.coverage.value
    click.echo(f"  evidence    {coverage}: {_ALL_KNOWN[coverage]}")
    for reason in evidence.reasons:
        click.echo(f"              {harmless(reason)}")
    for place in evidence.unresolved:
        click.echo(f"              {harmless(f'{place.path}:{place.line} {place.name}')}")


def _print_elsewhere(found: "Elsewhere") -> None:
    places = [f"{one.project}:{one.path}:{one.line} {one.name}" for one in found.places]
    if found.count > len(found.places):
        places.append(f"… {found.count - len(found.places):,} more")
    if found.left_out:
        few = "1 other project was" if found.left_out == 1 else f"{found.left_out} projects were"
        places.append(f"{few} not looked into")
    for title, place in zip_longest(["elsewhere"], places, fillvalue=""):
        if place:
            click.echo(f"  {title:<11} {harmless(place)}")


def _print_dependents(dependents: "Sequence[Dependent]", omitted: int, labelled: bool) -> None:
    for one in dependents:
        how = f"  ({one.kind})" if one.kind else ""
        click.echo(f"{one.depth:>2}  {_place(one.symbol, labelled)}  {_name(one.symbol)}{how}")
    _print_omitted(omitted)


def _print_omitted(omitted: int) -> None:
    if omitted:
        click.echo(f"    … {omitted:,} more; raise --limit")


def _place(symbol: "Symbol", labelled: bool) -> str:
    label = f"{symbol.project}:" if labelled else ""
    return harmless(f"{label}{symbol.path}:{symbol.start_line}")


def _name(symbol: "Symbol") -> str:
    return harmless(f"{symbol.fqn or symbol.symbol} {symbol.kind}")
