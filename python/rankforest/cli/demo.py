"""Write the data of the demonstration: `python -m rankforest.cli.demo FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import rankforest
from rankforest.cli.commands import HELP_OPTIONS
from rankforest.cli.run import run

# Queries of each file.
_SIZES = {"train": 300, "valid": 100, "test": 100}


def _write(*, folder: Path) -> None:
    """Make one ranking problem and write its queries to three files."""
    folder.mkdir(parents=True, exist_ok=True)
    data = rankforest.datasets.make_ranking(n_queries=sum(_SIZES.values()), random_state=1)
    first = 0
    for name, size in _SIZES.items():
        queries = data.query_ids[first : first + size]
        rankforest.write_letor(folder / f"{name}.txt", data.take(queries))
        first += size
    click.echo(f"wrote {', '.join(f'{name}.txt' for name in _SIZES)} to {folder}", err=True)


command = click.Command(
    "rankforest.cli.demo",
    callback=_write,
    context_settings={"help_option_names": HELP_OPTIONS},
    help="Write seeded LETOR files train.txt, valid.txt and test.txt to FOLDER.",
    params=[click.Argument(["folder"], type=click.Path(file_okay=False, path_type=Path))],
)


if __name__ == "__main__":
    sys.exit(run(command))
