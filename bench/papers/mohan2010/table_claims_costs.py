"""What chapter 6 concludes."""

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table
from bench.papers.estimate import Estimate, Estimates
from bench.papers.mohan2010 import table_6_1
from bench.papers.mohan2010._costs import EXITS, RELEVANT

_KINDS = ("rf", "sgbrt")


def _name(kind: str, weight: int, percent: int) -> str:
    return f"{kind}, lambda={weight}, exits={percent}%"


_DATA = tuple(RELEVANT)
CLAIMS = (
    Claim(
        "Costs in training do not lower the precision of forests, and a little that of SGBRT (6.3)",
        [(_name(kind, 1, 0), _name(kind, 0, 0)) for kind in _KINDS],
        _DATA,
    ),
    Claim(
        "Exits do not lower the precision (section 6.3)",
        [
            (_name(kind, weight, percent), _name(kind, weight, 0))
            for kind in _KINDS
            for weight in (0, 1)
            for percent in (5, 20)
        ],
        _DATA,
    ),
    Claim(
        "SGBRT has a higher precision than forests (section 6.3.3)",
        [(_name("sgbrt", weight, 0), _name("rf", weight, 0)) for weight in (0, 1)],
        _DATA,
    ),
)


def layout(table: Table, measured: Estimates) -> str:
    """Lay out the costs side by side, the partial AUC by exits, then the claims on precision."""
    precision = {what: of for what, of in measured.items() if what[2] == "p@5"}
    return "\n\n".join(
        [
            "**Lambda = 1 costs a fifth or less at equal precision and AUC (section 6.3)**",
            _costs(table, measured),
            "**Exits lower the partial AUC (section 6.3)**",
            _exits(table, measured),
            claims.layout(CLAIMS, table, precision),
        ]
    )


def _costs(table: Table, measured: Estimates) -> str:
    head = ["data", "kind", "measure", "lambda=0", "lambda=1", "cost 0", "cost 1", "times less"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for data in dict.fromkeys(data for data, _, _ in measured):
        for kind in _KINDS:
            for measure in table_6_1.NAMES:
                names = [_name(kind, weight, 0) for weight in (0, 1)]
                if any((data, name, measure) not in measured for name in names):
                    continue
                values = [measured[data, name, measure] for name in names]
                costs = [measured[data, name, f"cost of {measure}"].mean for name in names]
                cells = [table.data[data].title, kind, measure.upper(), *map(_precise, values)]
                cells += [f"{cost:.0f}" for cost in costs]
                lines.append(f"| {' | '.join([*cells, f'{costs[0] / costs[1]:.1f}'])} |")
    return "\n".join(lines)


def _exits(table: Table, measured: Estimates) -> str:
    head = ["data", "kind", "lambda", *(f"PAUC, exits {percent} %" for percent in EXITS)]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for data in dict.fromkeys(data for data, _, _ in measured):
        for kind in _KINDS:
            for weight in (0, 1):
                names = [_name(kind, weight, percent) for percent in EXITS]
                if any((data, name, "pauc") not in measured for name in names):
                    continue
                cells = [table.data[data].title, kind, str(weight)]
                cells += [_precise(measured[data, name, "pauc"]) for name in names]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _precise(value: Estimate) -> str:
    error = "" if value.error is None else f" ± {value.error:.5f}"
    return f"{value.mean:.5f}{error}"


TABLE = Table(
    title="Mohan 2010: what chapter 6 concludes of costs and exits",
    paper=table_6_1.TABLE.paper,
    algorithms=table_6_1.ALGORITHMS,
    published=table_6_1.TABLE.published,
    layout=layout,
    notes=f"{claims.NOTES} {table_6_1.TABLE.notes}",
)
