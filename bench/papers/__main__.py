"""Train what a table of a paper compares, and print ours beside the paper's.

Every algorithm of the table trains on each fold with each seed, on one thread. The results go to a
file of JSON lines, one for each model, and a run that was stopped goes on from there. The table is
Markdown.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bench.papers import catalog, declare, folds, report, runs
from rankforest.cli.run import run

#: With a name where the folder's own does not say it.
Place = tuple[str | None, Path]


def _places(_ctx: click.Context, _option: click.Parameter, values: tuple[str, ...]) -> list[Place]:
    """Take `KEY=FOLDER` apart; a folder may have = in its name if it exists."""
    places: list[Place] = []
    for value in values:
        key, equals, path = value.partition("=")
        named = bool(equals) and not Path(value).exists()
        places.append((key, Path(path)) if named else (None, Path(value)))
    return places


def _find(table: declare.Table, places: list[Place]) -> dict[str, list[folds.Fold]]:
    """Return the folds of the table's data sets, in the table's order."""
    found: dict[str, list[folds.Fold]] = {}
    for key, path in places:
        if key is None:
            found = {**folds.find_below(path, table.data), **found}
        elif key in table.data:
            found[key] = folds.find_at(path, key, table.data[key])
        else:
            raise ValueError("--data: " + declare.unknown("data set", key, table.data))
    if not found:
        raise ValueError(
            f"--data: no data set of the table lies in or below {', '.join(str(p) for _, p in places)}: "
            f"there is no folder named {', '.join(table.data)} that holds {folds.FOLDS}"
        )
    for target, source in table.sources.items():
        if target in found and source not in found:
            raise ValueError(
                f"--data: {target} is compared with what {source} adds to it, which was not found"
            )
    return {key: found[key] for key in table.data if key in found}


@click.command(
    "bench.papers", help=__doc__, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.argument("paper")
@click.option("--table", metavar="N", help="Number of a table of the paper.")
@click.option("--figure", metavar="N", help="Number of a figure of the paper, in place of a table.")
@click.option(
    "--data",
    "places",
    multiple=True,
    required=True,
    callback=_places,
    metavar="[KEY=]FOLDER",
    help="Where data sets lie, in folders of their names; or KEY=FOLDER, where one does, such as "
    "mslr=MSLR-WEB10K. May be given several times.",
)
@click.option("--seeds", type=click.IntRange(1), default=5, show_default=True, help="How many.")
@click.option(
    "--only",
    multiple=True,
    metavar="ALGORITHM",
    help="An algorithm of the table, and no others. May be given several times.",
)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--trees",
    type=click.IntRange(1),
    help="Most trees of a model, and iterations of forests; as many as the paper's without.",
)
@click.option("--quick", is_flag=True, help="The first fold, one seed and few trees.")
@click.option(
    "--trained", is_flag=True, help="Train nothing: show the seeds of which every fold is done."
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    default="papers.jsonl",
    show_default=True,
    help="The file of JSON lines; several tables may share it.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="In place of stdout."
)
@click.option(
    "--draw",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.png",
    help="Where to draw a figure, or a table that varies one thing. Needs matplotlib.",
)
def main(
    *,
    paper: str,
    table: str | None,
    figure: str | None,
    places: list[Place],
    seeds: int,
    only: tuple[str, ...],
    jobs: int,
    trees: int | None,
    quick: bool,
    trained: bool,
    results: Path,
    output: Path | None,
    draw: Path | None,
) -> None:
    if (table is None) == (figure is None):
        raise click.UsageError("give either --table or --figure")
    chosen = catalog.load(paper, f"table {table}" if figure is None else f"figure {figure}")
    declare.check(chosen)
    if draw is not None and chosen.axis is None and chosen.drawing is None:
        raise click.UsageError(
            "--draw is for what varies one thing, and this table compares several"
        )
    for file in filter(None, (results, output, draw)):
        if not file.absolute().parent.is_dir():
            raise click.UsageError(f"there is no folder for {file}")
    for name in only:
        if name not in chosen.algorithms:
            raise ValueError("--only: " + declare.unknown("algorithm", name, chosen.algorithms))
    wanted = [
        task
        for task in runs.tasks(chosen, _find(chosen, places), seeds, quick=quick, trees=trees)
        if not only or task.algorithm in only
    ]
    if not wanted:
        raise ValueError(f"--only: {', '.join(only)} runs on none of the data sets at hand")
    if trained:
        wanted, measured = runs.trained(wanted, results)
    else:
        measured = runs.complete(wanted, results, jobs)
    text = report.markdown(chosen, wanted, measured, quick=quick)
    if draw is not None:
        from bench.papers import figures  # matplotlib is optional

        drawing = chosen.drawing or figures.draw
        drawing(chosen, report.estimates(chosen, wanted, measured), draw)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run(main))
