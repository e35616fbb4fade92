"""What chapters 2 to 4 conclude."""

from functools import partial

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table, Values
from bench.papers.mohan2010 import (
    DATA,
    METRICS,
    table_2_1,
    table_2_2,
    table_2_3,
    table_2_4,
    table_3_1,
    table_3_3,
    table_4_2,
    with_measures,
)

_KINDS = ("gbrt", "sgbrt", "ksgbrt", "nksgbrt", "rf", "igbrt")
_TABLES = (table_2_1, table_2_2, table_2_4, table_3_1, table_3_3, table_4_2)

CLAIMS = (
    Claim(
        "Random forests rank better than GBRT (sections 2.3 and 4.2)",
        [("rf-r", "gbrt-r"), ("rf-c", "gbrt-c")],
        DATA,
    ),
    Claim(
        "IGBRT reliably ranks better than random forests (section 4.2)",
        [("igbrt-r", "rf-r"), ("igbrt-c", "rf-c")],
        DATA,
    ),
    Claim(
        "Classification tends to rank better than regression (section 4.2)",
        [(f"{kind}-c", f"{kind}-r") for kind in _KINDS],
        DATA,
    ),
    Claim(
        "IGBRT ranks best (section 4.2)",
        [(f"igbrt-{of}", f"{kind}-{of}") for of in "rc" for kind in _KINDS[:4]],
        DATA,
    ),
    Claim(
        "SGBRT ranks better than k-SGBRT on most sets (section 4.2)",
        [(f"sgbrt-{of}", f"ksgbrt-{of}") for of in "rc"],
        DATA,
    ),
    Claim(
        "A fifth of the documents for each tree are as good as all, half of them better (table 2.2)",
        [("s=0.2", "s=1.0"), ("s=0.5", "s=1.0")],
        DATA,
    ),
    Claim(
        "14 % of the features for each split are as good as all (section 2.3.2)",
        [("k=100", "k=700")],
        DATA,
    ),
    Claim(
        "Averaging five models or more ranks better than one, and than GBRT (section 2.3.3)",
        [("k=40, b=5", "k=40, b=1"), ("k=40, b=20", "k=40, b=1"), ("k=40, b=20", "k=700")],
        DATA,
    ),
    Claim(
        "0 stands best for what is missing (section 2.2)",
        [("0", name) for name in table_2_1.ALGORITHMS if name != "0"],
        DATA,
    ),
    Claim(
        "Expected relevance ranks better than squares and powers (section 3.2)",
        [("F(c)=c", "F(c)=c^2"), ("F(c)=c", "F(c)=2^c")],
        DATA,
    ),
    Claim(
        "Weights by least squares rank no better than expected relevance (section 3.2)",
        [(name, "expected relevance") for name in ("training", "validation", "training+val")],
        DATA,
    ),
)

_MEASURES = {name: METRICS[name] for name in ("err", "ndcg@10")}
_KSGBRT = {name: table_2_3.ALGORITHMS[name] for name in ("k=100", table_2_3.ALL)}
_WANTED = {name for claim in CLAIMS for pair in claim.pairs for name in pair}
ALGORITHMS = {
    name: each
    for of in (*(table.ALGORITHMS for table in _TABLES), _KSGBRT)
    for name, each in of.items()
    if name in _WANTED
}


def _published() -> dict[str, dict[str, Values]]:
    """Return the values of all tables, without RMSE and seconds."""
    tables = [*(table.TABLE for table in _TABLES), table_2_3.TABLE]
    return {
        data: {
            name: tuple(values)[1:3]
            for table in tables
            for name, values in table.published[data].items()
            if name in ALGORITHMS
        }
        for data in DATA
    }


TABLE = Table(
    title="Mohan 2010: what chapters 2 to 4 conclude",
    paper=with_measures(_MEASURES),
    algorithms=ALGORITHMS,
    published=_published(),
    layout=partial(claims.layout, CLAIMS),
    notes=f"{claims.NOTES} {table_4_2.TABLE.notes}",
)
