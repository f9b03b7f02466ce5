"""``make train``: fetch the packages, build the pairs, train, quantise, score."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

import click
import pyarrow as pa

from codequarry.core.errors import CodequarryError
from training.bags import Bagger
from training.batches import Schedule
from training.examples import gather, plain
from training.fetch import fetch
from training.packages import REGISTRIES, Package, load_packages
from training.quantise import digest_of, save_weights
from training.score import asked_queries, figures
from training.unpack import unpack
from training.vocabulary import choose_words


@click.command()
@click.option(
    "--work",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Where archives, sources and weights lie; archives of earlier runs are used again.",
)
@click.option("--epochs", type=click.IntRange(min=1), default=Schedule.epochs, show_default=True)
@click.option(
    "--corpora",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Score against these corpora, as `make eval` lays them.",
)
def main(work: Path, epochs: int, corpora: Path | None) -> None:
    """Make the house model anew; the weights are written to WORK/model."""
    try:
        model = train(work.resolve(), Schedule(epochs=epochs))
    except CodequarryError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"weights {digest_of(model)} in {model}")
    if corpora is not None:
        for line in figures(model, corpora.resolve()):
            click.echo(line)


def train(work: Path, schedule: Schedule) -> Path:
    """Make the model's files and give their directory."""
    from training.fit import fit  # torch: seconds

    clock = _Clock()
    packages = load_packages()
    _lay(packages, work)
    sources = [(_source(work, package), package.budget) for package in packages]
    clock.tell(f"{len(sources)} packages")
    pairs = gather(sources, frozenset(map(plain, asked_queries())))
    clock.tell(f"{pairs.num_rows} pairs")
    words = choose_words(_texts(pairs, ("query", "document")))
    bagger = Bagger(words, work / "untrained")
    queries, documents = bagger.bags(pairs["query"]), bagger.bags(pairs["document"])
    clock.tell(f"{len(words)} words")
    model = work / "model"
    save_weights(fit(queries, documents, words, schedule), model)
    clock.tell(f"{schedule.epochs} epochs")
    return model


def _lay(packages: Sequence[Package], work: Path) -> None:
    """Fetch and unpack packages, the registries side by side.

    One registry's packages follow each other, as two of its clients may share a cache.
    """

    def lay(registry: str) -> None:
        for package in packages:
            if package.registry == registry:
                unpack(fetch(package, work / "archives"), _source(work, package))

    with ThreadPoolExecutor(len(REGISTRIES)) as pool:
        list(pool.map(lay, REGISTRIES))


def _source(work: Path, package: Package) -> Path:
    # Another version is another lesson, so it is unpacked beside the old one.
    return work / "source" / f"{package.folder}-{package.sha256[:12]}"


def _texts(pairs: pa.Table, columns: Sequence[str]) -> pa.ChunkedArray:
    return pa.chunked_array([chunk for name in columns for chunk in pairs[name].chunks])


class _Clock:
    def __init__(self) -> None:
        self._last = monotonic()

    def tell(self, what: str) -> None:
        now = monotonic()
        click.echo(f"{what} in {now - self._last:.0f} s", err=True)
        self._last = now


if __name__ == "__main__":
    main()
