"""``codequarry-vecgrep``: the arguments that codemap gives its search backend (contract.md A12).

A translation and nothing more: each call becomes one of ``codequarry search``, ``status`` or
``memory``. codemap reads stdout only after exit code 0.
"""

import posixpath
import sys
from collections.abc import Sequence

import click

from codequarry import __version__
from codequarry.cli.memory import UNAVAILABLE, memory
from codequarry.cli.search import search as our_search
from codequarry.cli.status import status as our_status
from codequarry.core.errors import UsageError

_MODES = ("hybrid", "semantic", "keyword")
_INTERRUPTED = 130


@click.group(hidden=True)
def vecgrep() -> None:
    """Answer as codemap's semantic backend."""


vecgrep.add_command(memory)


@vecgrep.command()
@click.argument("query", nargs=-1, required=True)
@click.option("-n", "--limit", type=int, default=10)
@click.option(
    "-f",
    "--format",
    "output",
    type=click.Choice(["default", "json", "compact", "json-envelope"]),
    default="default",
)
@click.option("-l", "--lang", "--languages", "languages", multiple=True, metavar="A,B")
@click.option("-t", "--type", "--types", "kinds", multiple=True, metavar="A,B")
@click.option("--file", "pattern", default="", metavar="GLOB")
@click.option("--dir", "directory", default="")
@click.option("--lines", metavar="A-B")
@click.option("-m", "--mode", default="hybrid", help="Unknown ones mean hybrid.")
@click.option("--explain", is_flag=True)
@click.option("--scope-files", metavar="A,B")
@click.option("--symbol")
@click.option("--min-score", type=float, default=0.0)
def search(
    query: tuple[str, ...],
    limit: int,
    output: str,
    languages: tuple[str, ...],
    kinds: tuple[str, ...],
    pattern: str,
    directory: str,
    lines: str | None,
    mode: str,
    explain: bool,
    scope_files: str | None,
    symbol: str | None,
    min_score: float,
) -> None:
    """Search the project around here, or all (contract.md F7)."""
    if pattern and directory:
        raise UsageError("--file and --dir were both given", "use one: --file DIR/GLOB")
    folder = posixpath.normpath(directory).strip("/")
    asked = [
        *("--format", "text" if output == "default" else output),
        *("--limit", str(limit)),
        *("--mode", mode if mode in _MODES else "hybrid"),
        *("--min-score", str(min_score)),
        *_each("--language", languages),
        *_each("--kind", kinds),
        # A leading slash anchors the glob: vecgrep's patterns are over the whole path.
        *(("--path", f"/{pattern.lstrip('/')}") if pattern else ()),
        *(("--path", f"/{folder}/**") if folder not in ("", ".") else ()),
        *(("--explain",) if explain else ()),
        *_scope(symbol, scope_files),
        *(("--lines", lines) if lines is not None else ()),
    ]
    _run(our_search, [*asked, "--", *query])


@vecgrep.command()
@click.option("-f", "--format", "output", type=click.Choice(["default", "json"]), default="default")
@click.option("--lightweight", is_flag=True, help="Ours always is.")
def status(output: str, lightweight: bool) -> None:
    """Tell whether the index around here is right (contract.md E10)."""
    _run(our_status, ["--format", "json" if output == "json" else "text"])


@vecgrep.command()
def version() -> None:
    """Print the version."""
    click.echo(f"codequarry-vecgrep {__version__}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a failure is one sentence on stderr and exit 1.

    The one other code is 3: a recall whose embedding provider cannot be reached (contract.md G5).
    """
    from codequarry.cli.main import cli, run

    cli.add_command(vecgrep)
    code = run(["vecgrep", *(sys.argv[1:] if arguments is None else arguments)])
    sys.exit(code if code in (0, UNAVAILABLE, _INTERRUPTED) else 1)


def _run(command: click.Command, arguments: list[str]) -> None:
    """Run one of our commands as if its own arguments had been given."""
    asking = click.get_current_context()
    with command.make_context(command.name, arguments, parent=asking) as context:
        command.invoke(context)


def _each(option: str, values: tuple[str, ...]) -> list[str]:
    given = [part.strip() for value in values for part in value.split(",")]
    return [word for value in given if value for word in (option, value)]


def _scope(symbol: str | None, files: str | None) -> list[str]:
    """Give the scope; files go before a symbol (contract.md F6)."""
    if files:
        return ["--scope-files", files]
    return ["--symbol", symbol] if symbol else []
