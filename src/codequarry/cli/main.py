"""The ``codequarry`` command: its groups, and how errors reach a person."""

import _thread
import io
import os
import sys
import threading

import click

from codequarry import __version__
from codequarry.cli.batch import batch
from codequarry.cli.doctor import doctor
from codequarry.cli.engines import engines
from codequarry.cli.explore import explore
from codequarry.cli.graph import COMMANDS as GRAPH
from codequarry.cli.index import index
from codequarry.cli.investigate import investigate, similar
from codequarry.cli.ledger import ledger
from codequarry.cli.memory import memory
from codequarry.cli.overview import overview
from codequarry.cli.producer import producer
from codequarry.cli.projects import projects
from codequarry.cli.search import search
from codequarry.cli.serve import dev, serve
from codequarry.cli.status import status
from codequarry.core.errors import CodequarryError
from codequarry.core.text import harmless

DEBUG_VARIABLE = "CODEQUARRY_DEBUG"
_SOON = 0.05  # seconds


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="codequarry")
def cli() -> None:
    """Certified, searchable code indexes.

    \b
    codequarry index PATH          index a source tree (the current one by default)
    codequarry search "question"   ask it
    codequarry status              is the index right?

    State lies in CODEQUARRY_HOME, by default in your user data directory; a repository is never
    written to.
    """  # noqa: D301 - click needs the real character to keep the lines apart


ASKING = (search, explore, overview, *GRAPH, similar, investigate, batch, memory)
KEEPING = (index, status, ledger, projects, engines, producer, doctor, serve, dev)

for command in (*ASKING, *KEEPING):
    cli.add_command(command)


def main() -> None:
    """Run the command line; every expected failure is one sentence on stderr and exit 1."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and give its exit code."""
    _prepare_output()
    sys.unraisablehook = _keep_interrupts
    try:
        # Outside of its standalone mode, click gives a command's exit code back as a value.
        return int(cli.main(arguments, prog_name="codequarry", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except CodequarryError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        print("interrupted; what was published before still answers", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"the system refused: {error.strerror or error}; free space or permissions")
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE):
            raise
        return _fail(
            f"internal error ({type(error).__name__}); run again with {DEBUG_VARIABLE}=1 "
            "to see where, and report it"
        )


def _keep_interrupts(lost: "sys.UnraisableHookArgs") -> None:
    """Interrupt again: Ctrl-C within a destructor or a weak reference's callback would be lost."""
    if lost.exc_type is KeyboardInterrupt:
        # Later, since an interrupt raised before this hook returns would be lost as well.
        threading.Timer(_SOON, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(lost)


def _prepare_output() -> None:
    """Let no character and no closed descriptor be the end of an answer."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - it stays open as long as we run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(sentence: str) -> int:
    print(f"codequarry: {harmless(sentence)}", file=sys.stderr)
    return 1
