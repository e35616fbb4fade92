"""What sections 5 and 6 conclude of forests on small to moderate data sets."""

from functools import partial

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table, Values
from bench.papers.ibrahim2020 import PAPER, table_4, table_5, table_8, table_9, table_10

SMALL = tuple(table_10.TABLE.published)
#: Of more than two grades.
GRADED = ("mq2007", "mq2008", "ohsumed")

#: Table 8 calls what tables 3 and 10 call rf-point-classification rf-point; table 9 does so too, with
#: values of its own.
_TABLES = (table_8.TABLE, table_9.TABLE, table_4.TABLE, table_5.TABLE, table_10.TABLE)

CLAIMS = (
    Claim(
        "Few queries for each tree (S %) rank better than 63.2 % of them (section 6.4)",
        [(f"{name}-s{share}", name) for name in table_10.SUBSAMPLED for share in table_10.SHARES],
        SMALL,
    ),
    Claim(
        "Classification ranks better than regression on small data sets (section 5.1)",
        [("rf-point-classification", "rf-point-regression")],
        SMALL,
    ),
    Claim(
        "Listwise splits rank better than point-wise ones where relevance is graded (section 6.4)",
        [
            ("rf-list", "rf-point-classification"),
            *((f"rf-list-s{share}", f"rf-point-classification-s{share}") for share in (10, 6)),
        ],
        GRADED,
    ),
    Claim(
        "Random splits rank slightly worse than point-wise ones, or as well (section 6.4)",
        [("rf-point-classification", "rf-rand")],
        SMALL,
    ),
    Claim(
        "Pairwise splits rank slightly better than point-wise ones on four of six (section 5.5)",
        [("rf-pair", "rf-point")],
        SMALL,
    ),
    Claim(
        "Weighting pairs by the difference of their grades improves little (section 5.5)",
        [("rf-pair-weighted", "rf-pair")],
        GRADED,
    ),
    Claim(
        "Grades rank marginally better than mapped relevance on small data sets (section 5.2)",
        [(name, f"{name}-mapped") for name in ("rf-point-regression", "rf-point-classification")],
        GRADED,
    ),
    Claim(
        "Weighting trees by their expected NDCG makes no difference (section 5.4)",
        [("rf-point-weighted", "rf-point-classification")],
        SMALL,
    ),
)


def _published() -> dict[str, dict[str, Values]]:
    """Return all values of the tables; of a name that several have, the last one's."""
    return {
        data: {name: each for of in _TABLES for name, each in of.published[data].items()}
        for data in SMALL
    }


TABLE = Table(
    title="Ibrahim 2020: what it concludes of forests on small to moderate data sets",
    paper=PAPER,
    algorithms={name: each for of in _TABLES for name, each in of.algorithms.items()},
    published=_published(),
    layout=partial(claims.layout, CLAIMS),
    notes=f"{claims.NOTES} {table_10.TABLE.notes}",
)
