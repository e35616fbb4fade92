"""What section 5 concludes."""

from functools import partial

from bench.papers import claims
from bench.papers.claims import Claim
from bench.papers.declare import Table
from bench.papers.selgb2018 import (
    DATA,
    PAPER,
    _layouts,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    published,
    table_2,
)

ALGORITHMS = {
    name: each
    for of in (figure_1, figure_2, figure_3, figure_4, figure_5, table_2)
    for name, each in of.ALGORITHMS.items()
}

CLAIMS = (
    Claim(
        "SelGB ranks better than LambdaMART on cut lists and on all documents (section 5.4)",
        [("selgb-1", "lambdamart-500"), ("selgb-1", "lambdamart")],
        DATA,
    ),
    Claim(
        "1 % of the negatives is as good as fewer, and better than more (section 5.4.1)",
        [("selgb-1", f"selgb-{share}") for share in (0.25, 0.5, 2.5, 5, 10, 25)],
        DATA,
    ),
    Claim(
        "Selecting in each round is as good as every 10 rounds, and better than less often (5.4.1)",
        [("selgb-1", f"selgb-1-every-{n}") for n in (10, 50, 100)],
        DATA,
    ),
    Claim(
        "100 documents a query are too few; more than 500 are no better (section 5.2)",
        [("lambdamart-500", f"lambdamart-{n}") for n in (100, 1000, 2500)],
        DATA,
    ),
    Claim(
        "Stochastic gradient boosting ranks worse than LambdaMART (section 5.3)",
        [("lambdamart", f"sgb-{share}") for share in (1, 25)],
        DATA,
    ),
    Claim(
        "Negatives at random rank better than documents at random (section 5.3)",
        [(f"negsgb-{share}", f"sgb-{share}") for share in (1, 25)],
        DATA,
    ),
    Claim(
        "Chosen negatives rank better than random ones and than those chosen once (section 5.4.2)",
        [("selgb-1", name) for name in ("negsgb-1", "fixed-feature-1", "fixed-random-1")],
        DATA,
    ),
    Claim(
        "Gradients, a mixture or an adaptive share rank better than the top (section 6, future work)",
        [(name, "selgb-1") for name in ("gradient-1", "mixed-1", "adaptive-1")],
        DATA,
    ),
)

TABLE = Table(
    title="SelGB 2018: what it concludes",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=partial(_layouts.claims_of, CLAIMS),
    notes=claims.NOTES,
)
