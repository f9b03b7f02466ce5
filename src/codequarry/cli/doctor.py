"""``codequarry doctor``: what is installed, what would run, what is wrong and how to mend it."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import click

from codequarry.cli.options import output_format
from codequarry.core.text import counted


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


@click.command()
@output_format
def doctor(output: str) -> None:
    """Check this installation; exits 1 when something is wrong."""
    findings = [_guarded(name, look) for name, look in LOOKS.items()]
    if output == "json":
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            mark = click.style("ok  ", fg="green") if finding.ok else click.style("bad ", fg="red")
            click.echo(f"{mark} {finding.name:<11} {finding.detail}")
            if finding.remedy:
                click.echo(f"     {'':<11} → {finding.remedy}")
    if not all(finding.ok for finding in findings):
        raise click.exceptions.Exit(1)


def _guarded(name: str, look: Callable[[], tuple[str, str]]) -> Finding:
    from codequarry.core.errors import CodequarryError

    try:
        detail, remedy = look()
    except CodequarryError as error:
        return Finding(name, False, error.message, error.remedy)
    except ImportError as error:
        return Finding(name, False, str(error), "install codequarry with its constraints.txt")
    except Exception as error:  # the other findings are worth more than this one's cause
        return Finding(name, False, f"failed ({type(error).__name__})", "report this")
    return Finding(name, True, detail, remedy)


def _python() -> tuple[str, str]:
    from codequarry import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    return f"codequarry {__version__} on Python {version}", ""


def _packages() -> tuple[str, str]:
    from importlib.metadata import version

    names = ("dagster", "lancedb", "polars", "pyarrow", "pandera", "tree-sitter")
    return ", ".join(f"{name} {version(name)}" for name in names), ""


def _state() -> tuple[str, str]:
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory

    state = StateDirectory.locate()
    state.prepare()
    return f"{state.home}, {counted(len(Registry(state).all()), 'project')}", ""


def _producer() -> tuple[str, str]:
    from codequarry.producers.codemap import BINARY_VARIABLE, locate
    from codequarry.producers.selection import (
        SETTING_VARIABLE,
        ProducerSetting,
        StructuralMode,
        choose,
    )

    environment: Mapping[str, str] = os.environ
    setting = ProducerSetting.parse(environment.get(SETTING_VARIABLE))
    binary = locate(environment.get(BINARY_VARIABLE), environment)
    choice = choose(StructuralMode.AUTO, setting, binary)
    order = ", then ".join(kind.value for kind in choice.producers) or "none"
    if binary is None and setting is not ProducerSetting.BUILTIN:
        return (
            f"{order}; codemap was not found",
            "nothing to mend: the built-in producer serves; to use codemap, put it on PATH or set "
            f"{BINARY_VARIABLE}",
        )
    return f"{order} ({binary})" if binary else order, ""


def _model() -> tuple[str, str]:
    from codequarry.embedding.settings import EmbeddingSettings, make_embedder

    embedder = make_embedder(EmbeddingSettings.from_environment())
    return f"{embedder.profile.profile_id}, made ready in this process", ""


def _grammars() -> tuple[str, str]:
    from codequarry.syntax.grammars import GRAMMARS, load_language

    for grammar in sorted(GRAMMARS):
        load_language(grammar)
    return f"{len(GRAMMARS)} tree-sitter grammars load", ""


def _ledger() -> tuple[str, str]:
    from codequarry.core.state import StateDirectory

    state = StateDirectory.locate()
    if not state.lance.is_dir():
        return "empty: nothing was indexed yet", "run `codequarry index PATH`"
    from codequarry.index.ledger import read
    from codequarry.index.store import Store
    from codequarry.receipts.ledger import require_chain

    entries = read(Store(state))
    require_chain(entries)
    return f"{counted(len(entries), 'entry', 'entries')}, the chain holds", ""


def _engines() -> tuple[str, str]:
    from codequarry.core.errors import EngineUnavailable
    from codequarry.core.state import StateDirectory
    from codequarry.engines.deployment import engines_of

    found = engines_of(StateDirectory.locate())
    configured = [name for name, own in found.settings.engines.items() if own.enabled]
    if not configured:
        return "none is configured", ""
    broken = [entry for entry in found.registry.unavailable_entries() if entry.id in configured]
    if broken:
        raise EngineUnavailable(
            f"{len(broken)} of {len(configured)} configured engines cannot be used: "
            + "; ".join(f"{entry.id}: {entry.hint}" for entry in broken),
            "run `codequarry engines list`",
        )
    return f"{len(configured)} configured, each found", ""


LOOKS: Mapping[str, Callable[[], tuple[str, str]]] = {
    "python": _python,
    "packages": _packages,
    "state": _state,
    "producer": _producer,
    "model": _model,
    "grammars": _grammars,
    "ledger": _ledger,
    "engines": _engines,
}
