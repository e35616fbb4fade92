"""Figure 4: SelGB by the share of negatives."""

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, lambdamart, published, selgb

ALGORITHMS = {
    "lambdamart": lambdamart(),
    **{f"selgb-{share}": selgb(share) for share in (0.25, 0.5, 1, 2.5, 5, 10, 25)},
}

TABLE = Table(
    title="SelGB 2018, figure 4: SelGB by the share of negatives",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=_layouts.curves,
    notes="The paper's finding: 1 % is best, smaller shares are as good, larger ones come closer to LambdaMART.",
)
