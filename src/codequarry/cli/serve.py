"""``codequarry serve`` for agents, and ``codequarry dev``: the Dagster UI on this deployment."""

import os
import shutil
import sys
from pathlib import Path

import click


@click.command()
@click.option(
    "-w",
    "--workspace",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A workspace.yaml; by default codequarry's own code location.",
)
@click.option("-p", "--port", type=int, default=3000, show_default=True)
def dev(workspace: Path | None, port: int) -> None:
    """Start the Dagster UI: runs, checks, receipts, backfills."""
    from codequarry.core.errors import UsageError
    from codequarry.core.state import StateDirectory
    from codequarry.pipelines.launch import instance_of

    instance_of(StateDirectory.locate()).dispose()
    beside = Path(sys.executable).with_name("dagster")
    program = str(beside) if beside.exists() else shutil.which("dagster")
    if program is None or shutil.which("dagster-webserver", path=str(beside.parent)) is None:
        raise UsageError(
            "the Dagster UI is not installed", "install it with `pip install 'codequarry[ui]'`"
        )
    source = ["-w", str(workspace)] if workspace else ["-m", "codequarry.pipelines.definitions"]
    os.execv(program, [program, "dev", *source, "--port", str(port)])  # noqa: S606


@click.group()
def serve() -> None:
    """Serve this deployment to agents and tools."""


@serve.command()
@click.option(
    "-t",
    "--transport",
    type=click.Choice(["stdio", "http"]),
    default="stdio",
    show_default=True,
    help="One client over stdin and stdout, or many over streamable HTTP.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address for http.")
@click.option("--port", type=click.IntRange(0, 65_535), default=7420, show_default=True)
def mcp(transport: str, host: str, port: int) -> None:
    """Serve the tools of codequarry over MCP."""
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.state import StateDirectory
    from codequarry.serving.start import TOKEN_VARIABLE, start_http, start_stdio

    state = StateDirectory.locate()
    if transport == "stdio":
        start_stdio(state, Path.cwd())
    else:
        start_http(state, Path.cwd(), host, port, os.environ.get(TOKEN_VARIABLE, ""))
