"""Make a data set of what there is: train.txt, vali.txt and test.txt of whole queries.

The sample of MSLR has no validation set and cuts the last query of each file off:
its training queries are divided, and its test file is the test set. Of Yahoo's set 1 the first
queries are taken, until there are as many documents as in set 2 (chapter 6).
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

import rankforest
from rankforest import Dataset

#: Documents of set 2 for training, validation and test (table 1.1, and the competition's site).
SIZES = {"train": 34_815, "valid": 34_881, "test": 103_174}


def sample(folder: Path) -> dict[str, Dataset]:
    """Return the parts of the MSLR sample, without its last, incomplete queries."""
    train, test = (
        rankforest.read_letor(folder / f"msn1.fold1.{part}.5k.txt") for part in ("train", "test")
    )
    train, test = (each.take(each.query_ids[:-1]) for each in (train, test))
    n_train = round(0.75 * train.n_queries)
    ids = train.query_ids
    return {"train": train.take(ids[:n_train]), "valid": train.take(ids[n_train:]), "test": test}


def first_documents(data: Dataset, count: int) -> Dataset:
    """Return the first queries, up to so many documents, at least one."""
    ends = np.cumsum(np.bincount(data.query_codes))
    n_queries = max(1, int(np.searchsorted(ends, count, side="right")))
    return data.take(data.query_ids[:n_queries])


def part_of_set1(folder: Path) -> dict[str, Dataset]:
    """Return as many documents of Yahoo's set 1 as set 2 has."""
    return {
        part: first_documents(rankforest.read_letor(folder / f"set1.{part}.txt"), size)
        for part, size in SIZES.items()
    }


@click.command(help=__doc__)
@click.argument("kind", type=click.Choice(["sample", "set1"]))
@click.argument("source", type=click.Path(file_okay=False, exists=True, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(*, kind: str, source: Path, folder: Path) -> None:
    parts = sample(source) if kind == "sample" else part_of_set1(source)
    folder.mkdir(parents=True, exist_ok=True)
    for part, data in parts.items():
        rankforest.write_letor(folder / f"{'vali' if part == 'valid' else part}.txt", data)
        click.echo(f"{part}: {data!r}", err=True)


if __name__ == "__main__":
    main()
