"""What chapter 5 concludes."""

from functools import partial

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table, Values
from bench.papers.mohan2010 import METRICS, table_5_1, table_5_2, with_measures
from bench.papers.mohan2010._transfer import NOTES, SOURCES

_DATA = tuple(SOURCES)
_ADDED = ("top-0.1%", "top-1%", "top-10%", "top-100%")

CLAIMS = (
    Claim(
        "Documents of a source make it worse (section 5)",
        [("top-0%", name) for name in _ADDED],
        _DATA,
    ),
    Claim(
        "The source's score as a feature ranks better, other outputs do not (section 5)",
        [(name, "baseline") for name in ("Q", "P", "C", "QPC")],
        _DATA,
    ),
)

_WANTED = {name for claim in CLAIMS for pair in claim.pairs for name in pair}
_BOTH = {**table_5_1.ALGORITHMS, **table_5_2.ALGORITHMS}
ALGORITHMS = {name: each for name, each in _BOTH.items() if name in _WANTED}


def _published() -> dict[str, dict[str, Values]]:
    return {
        data: {
            name: tuple(values)[1:]
            for table in (table_5_1.TABLE, table_5_2.TABLE)
            for name, values in table.published[data].items()
            if name in ALGORITHMS
        }
        for data in SOURCES
    }


TABLE = Table(
    title="Mohan 2010: what chapter 5 concludes of transfer learning",
    paper=with_measures({name: METRICS[name] for name in ("err", "ndcg@10")}),
    algorithms=ALGORITHMS,
    published=_published(),
    layout=partial(claims.layout, CLAIMS),
    sources=SOURCES,
    notes=f"{claims.NOTES} {NOTES}",
)
