"""Figure 3: negatives at random."""

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, lambdamart, negsgb, published

ALGORITHMS = {
    "lambdamart": lambdamart(),
    **{f"negsgb-{share}": negsgb(share) for share in (1, 2.5, 5, 10, 25)},
}

TABLE = Table(
    title="SelGB 2018, figure 3: NegSGB by the share of negatives",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=_layouts.curves,
    notes="The paper's finding: better than SGB, with few trees better than LambdaMART, with all of them as good at most.",
)
