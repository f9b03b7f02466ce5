"""``make eval``: lay the packages, index each, ask the labelled questions, write the table."""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from codequarry.core.process import run
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.index.ledger import published
from codequarry.index.reader import Reader
from codequarry.index.store import Store
from codequarry.retrieval.model import configured_model
from evaluation import report
from evaluation.corpora import NotLaid, lay
from evaluation.questions import SETS, Corpus, corpora, project_of, questions
from evaluation.systems import SYSTEMS, Deployment, answer

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "retrieval.md"
SCRATCH = Path(tempfile.gettempdir()) / "codequarry-evaluation"
_INDEX_SECONDS = 1800


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=SCRATCH, show_default=True)
@click.option("--set", "names", type=click.Choice(SETS), multiple=True, help="By default all.")
@click.option("--keep", is_flag=True, help="Ask the indexes of the last run, where they are.")
@click.option("--write", is_flag=True, help="Write the table to docs/retrieval.md.")
def main(folder: Path, names: Sequence[str], keep: bool, write: bool) -> None:
    """Score every way of searching on the development sets."""
    if write and names:
        raise click.UsageError("--write takes the whole table: leave --set out")
    sets = names or SETS
    home = (folder / "home").resolve()
    os.environ[HOME_VARIABLE] = str(home)
    if not keep:
        shutil.rmtree(home, ignore_errors=True)
    wanted = {key: corpus for key, corpus in corpora().items() if key.split("/")[0] in sets}
    left_out = [key for key, corpus in wanted.items() if not _ready(folder, home, key, corpus)]
    state = StateDirectory(home)
    deployment = Deployment(Reader(state), state, configured_model())
    runs = {}
    for name in sets:
        asked = [question for question in questions(name) if question.corpus not in left_out]
        if asked:
            for ask in SYSTEMS.values():
                answer(ask, asked[:20], deployment)  # open files, fill caches
            runs[name] = {system: answer(ask, asked, deployment) for system, ask in SYSTEMS.items()}
    lines = list(report.lines(runs, left_out))
    click.echo("\n".join(lines))
    if write:
        report.write(DOCUMENT, lines)


def _ready(folder: Path, home: Path, key: str, corpus: Corpus) -> bool:
    """Have a corpus laid and indexed; tell whether it could be had."""
    target = folder / "corpora" / key
    if not target.is_dir():
        try:
            click.echo(f"{key}: {lay(corpus, target)} files", err=True)
        except NotLaid as error:
            click.echo(f"{key} left out: {error}", err=True)
            return False
    name = project_of(key)
    if name not in published(Store(StateDirectory(home))).entries:
        command = Path(sys.executable).with_name("codequarry")
        argv: list[str | Path] = [command, "index", target, "--name", name, "--format", "json"]
        done = run(argv, folder, _INDEX_SECONDS, stdout_limit=1 << 20)
        if done.returncode:
            raise click.ClickException(f"{key}: {done.stderr.decode(errors='replace')}")
    return True


if __name__ == "__main__":
    main()
