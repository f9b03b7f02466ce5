"""``codequarry producer``: the built-in producer as a command, in codemap's contract."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from codequarry.core.state import StateDirectory


@click.group()
@click.option(
    "-C", "--directory", type=click.Path(path_type=Path), help="Act on this directory instead."
)
@click.pass_context
def producer(context: click.Context, directory: Path | None) -> None:
    """Tell the symbols of a project, in the public contract of codemap.

    A consumer of that contract can run these commands in place of `codemap`: pages and manifest
    on stdout, failures as an envelope on stdout with codemap's exit codes.
    """
    context.obj = directory or Path.cwd()


@producer.command("export-symbols")
@click.option("--json", "as_json", is_flag=True, help="Accepted for compatibility; always on.")
@click.option("--offset", type=int, default=0, show_default=True)
@click.option("--limit", type=int, default=1000, show_default=True)
@click.option("--max-content-bytes", type=int, default=16384, show_default=True)
@click.option("--files", multiple=True, help="Only these files, comma-separated; repeatable.")
@click.option("--files-from", help="Only the files listed there, one a line; - is stdin.")
@click.pass_obj
def export_symbols(
    directory: Path,
    as_json: bool,
    offset: int,
    limit: int,
    max_content_bytes: int,
    files: tuple[str, ...],
    files_from: str | None,
) -> None:
    """Print one page of symbol records (contract v1; v2 with a file filter)."""
    from codequarry.core.errors import UsageError
    from codequarry.producers.builtin import command

    def page() -> bytes:
        listing: bytes | None = None
        if files_from == "-":
            listing = sys.stdin.buffer.read()
        elif files_from is not None:
            try:
                listing = Path(files_from).read_bytes()
            except OSError as error:
                raise UsageError(
                    f"cannot read {files_from}: {error.strerror}", "give a readable list of paths"
                ) from error
        state, roots = _deployment()
        return command.export_symbols(
            directory,
            state,
            roots,
            offset,
            limit,
            max_content_bytes,
            command.filter_entries(files, listing),
        )

    _answer(page)


@producer.command("structural-manifest")
@click.option("--json", "as_json", is_flag=True, help="Accepted for compatibility; always on.")
@click.pass_obj
def structural_manifest(directory: Path, as_json: bool) -> None:
    """Print the manifest: fingerprint, freshness, and what the last refresh changed."""
    from codequarry.producers.builtin import command

    def manifest() -> bytes:
        state, roots = _deployment()
        return command.structural_manifest(directory, state, roots)

    _answer(manifest)


def _deployment() -> tuple["StateDirectory", dict[str, Path]]:
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory

    state = StateDirectory.locate()
    return state, {project.name: project.root for project in Registry(state).all()}


def _answer(make: Callable[[], bytes]) -> None:
    from codequarry.core.errors import CodequarryError
    from codequarry.producers.builtin import command

    try:
        body, code = make(), 0
    except CodequarryError as error:
        body, code = command.failure(error)
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()
    raise click.exceptions.Exit(code)
