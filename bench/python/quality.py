"""Compare the quality of our ensembles with that of other systems on MQ2008 and OHSUMED.

Every system trains on each fold at the settings of `quality_systems.py`; all scores are measured
by rankforest's metrics. Results go to a file of JSON lines, one for each model, and a run that
was interrupted goes on from there. The table on stdout is Markdown.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path

import click
import journal
import quality_systems
from quality_systems import SYSTEMS, Fold

import rankforest

# Textbook NDCG, and the two measures of the script that the data set's publishers evaluate with.
MEASURES: Mapping[str, tuple[str, ...]] = {
    "mq2008": ("ndcg@10(empty=0)", "ndcg@10(preset=letor4)", "map(preset=letor4)"),
    "ohsumed": ("ndcg@10(empty=0)", "ndcg@10(preset=letor3)", "map(preset=letor3)"),
}
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "mq2008": ("MQ2008 NDCG@10", "letor4 NDCG@10", "MAP"),
    "ohsumed": ("OHSUMED NDCG@10", "letor3 NDCG@10", "MAP"),
}


@dataclass(frozen=True, order=True)
class Run:
    """One model: what is trained on what."""

    data: str
    fold: int
    seed: int
    system: str


Results = dict[Run, dict[str, float]]


def execute(folder: Path, run: Run) -> dict[str, object]:
    """Train and measure one model, on one thread."""
    fold = _load(folder / run.data / f"Fold{run.fold}")
    system = SYSTEMS[run.system]
    start = time.perf_counter()
    outcome = system.train(fold, run.seed, 1)
    seconds = time.perf_counter() - start
    values = rankforest.evaluate(fold.test, outcome.scores, list(MEASURES[run.data]))
    return asdict(run) | {
        "version": system.version,
        "rounds": outcome.rounds,
        "seconds": round(seconds, 3),
        "metrics": {name: float(values[name]) for name in MEASURES[run.data]},
    }


@lru_cache(maxsize=1)
def _load(folder: Path) -> Fold:
    return Fold(
        *(rankforest.read_letor(folder / f"{part}.txt") for part in ("train", "vali", "test"))
    )


def wanted_runs(systems: Iterable[str], folds: Iterable[int], seeds: int) -> Iterator[Run]:
    """Every model of the comparison; a system without randomness needs one seed."""
    for data in MEASURES:
        for fold in folds:
            for system in systems:
                for seed in range(1, (seeds if SYSTEMS[system].random else 1) + 1):
                    yield Run(data, fold, seed, system)


def read_results(path: Path) -> Results:
    """Read what earlier runs have written."""
    return {
        Run(record["data"], record["fold"], record["seed"], record["system"]): record["metrics"]
        for record in journal.read(path)
    }


def table(results: Mapping[Run, Mapping[str, float]], systems: Iterable[str]) -> str:
    """Lay out means over folds and seeds, with their standard errors over the seeds."""
    columns = [heading for headings in HEADINGS.values() for heading in headings]
    lines = ["| system | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for system in systems:
        cells = [
            _cell(results, system, data, name) for data, names in MEASURES.items() for name in names
        ]
        lines.append(f"| {SYSTEMS[system].label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(results: Mapping[Run, Mapping[str, float]], system: str, data: str, measure: str) -> str:
    by_seed = defaultdict(list)
    for run, values in results.items():
        if (run.system, run.data) == (system, data):
            by_seed[run.seed].append(values[measure])
    means = [statistics.fmean(values) for values in by_seed.values()]
    if not means:
        return "-"
    mean = f"{statistics.fmean(means):.4f}"
    if len(means) < 2:
        return mean
    return f"{mean} ± {statistics.stdev(means) / len(means) ** 0.5:.4f}"


def notes(systems: Iterable[str], folds: list[int], seeds: int) -> str:
    """Say what a reader needs to know to judge the table."""
    chosen = [SYSTEMS[name] for name in systems]
    versions = sorted({f"{system.distribution} {system.version}" for system in chosen})
    fixed = [system.label for system in chosen if not system.random]
    over = f"{len(folds)} folds" if len(folds) > 1 else f"fold {folds[0]}"
    error = f", ± the standard error over {seeds} seeds" if seeds > 1 else ", one seed"
    text = f"Means over {over}{error}. {quality_systems.SETTINGS} {', '.join(versions)}."
    if fixed:
        text += (
            f"\n\nNothing is drawn at random at these settings in {', '.join(fixed)}: every seed "
            "gives the same model, so there is no error over seeds."
        )
    return text


def _numbers(_ctx: click.Context, _option: click.Parameter, text: str) -> list[int]:
    try:
        return sorted({int(part) for part in text.split(",")})
    except ValueError:
        raise click.BadParameter(
            f"must be numbers with commas between them, got {text!r}"
        ) from None


def _systems(_ctx: click.Context, _option: click.Parameter, text: str | None) -> list[str]:
    names = text.split(",") if text else list(SYSTEMS)
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown:
        raise click.BadParameter(f"unknown {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
    return names


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--folds", callback=_numbers, default="1,2,3,4,5", show_default=True)
@click.option("--seeds", type=click.IntRange(1), default=5, show_default=True, help="How many.")
@click.option("--only", "systems", callback=_systems, help="Systems, with commas between them.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--quick", is_flag=True, help="Fold 1 and one seed.")
@click.option(
    "--results",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default="quality.jsonl",
    show_default=True,
    help="The file of JSON lines.",
)
def main(  # noqa: PLR0917  # click calls it by name
    folder: Path,
    folds: list[int],
    seeds: int,
    systems: list[str],
    jobs: int,
    quick: bool,
    path: Path,
) -> None:
    if quick:
        folds, seeds = folds[:1], 1
    missing = [name for name in systems if not SYSTEMS[name].installed]
    for name in missing:
        click.echo(f"{SYSTEMS[name].distribution} is not installed: {name} is left out", err=True)
    systems = [name for name in systems if name not in missing]
    wanted = list(wanted_runs(systems, folds, seeds))
    results = read_results(path)
    missing_runs = [run for run in wanted if run not in results]
    journal.complete(missing_runs, partial(execute, folder), path, jobs)
    results = read_results(path)
    click.echo(table({run: results[run] for run in wanted}, systems))
    click.echo(f"\n{notes(systems, folds, seeds)}")


if __name__ == "__main__":
    main()
