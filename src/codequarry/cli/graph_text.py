"""Answers about the code graph, for a person."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from codequarry.core.text import harmless

if TYPE_CHECKING:
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
    many = f"{found.direct:,} direct, {found.total:,} within {found.depth} steps"
    click.echo(f"  dependents  {many}")
    tests = len(found.tests) + found.tests_omitted
    click.echo(f"  tests       {f'{tests:,}' if tests else 'none found'}")
    click.echo(f"  risk        {found.risk.value}")
    _print_evidence(found.evidence)
    _print_dependents(found.dependents, found.omitted, labelled)
    if found.tests:
        click.echo("tests:")
        _print_dependents(found.tests, found.tests_omitted, labelled)


def print_neighborhood(found: "Neighborhood", *, labelled: bool) -> None:
    """Print what stands next to a symbol."""
    _head(found.symbol, labelled)
    if found.evidence is not None:
        _print_evidence(found.evidence)
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
            f"{_name(spot.symbol)}  ({spot.in_degree:,} users{shared}{asked})"
        )


def print_related(found: "RelatedFiles") -> None:
    """Print related files, one a line."""
    if not found.files:
        click.echo("no file is known to belong with it", err=True)
    for one in found.files:
        click.echo(f"{one.confidence:.2f}  {harmless(one.path)}  {harmless(one.reason)}")
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
