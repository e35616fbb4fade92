"""What section 4.1 concludes."""

from functools import partial

from bench.papers import claims
from bench.papers.blmart2011 import PAPER, TUNED, table_4
from bench.papers.claims import Claim
from bench.papers.declare import Table

CLAIMS = (
    Claim(
        "BL-MART ranks better than LambdaMART",
        [("bl-mart", "lambdamart"), ("bl-mart-overfitting", "lambdamart")],
        tuple(TUNED),
    ),
    Claim(
        "BL-MART ranks better than LambdaMART with randomisation",
        [
            ("bl-mart", "lambdamart-randomised"),
            ("bl-mart-overfitting", "lambdamart-randomised"),
        ],
        tuple(TUNED),
    ),
    Claim(
        "Randomisation makes LambdaMART better",
        [("lambdamart-randomised", "lambdamart")],
        tuple(TUNED),
    ),
    Claim(
        "Bags of overfitted models are better, but on MSLR",
        [("bl-mart-overfitting", "bl-mart")],
        tuple(TUNED),
    ),
)

TABLE = Table(
    title="BL-MART 2011: what it concludes of bags",
    paper=PAPER,
    algorithms=table_4.ALGORITHMS,
    published=table_4.TABLE.published,
    layout=partial(claims.layout, CLAIMS),
    notes=f"{claims.NOTES} {table_4.TABLE.notes}",
)
