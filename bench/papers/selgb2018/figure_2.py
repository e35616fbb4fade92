"""Figure 2: stochastic gradient boosting."""

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, lambdamart, published, sgb

ALGORITHMS = {
    "lambdamart": lambdamart(),
    **{f"sgb-{share}": sgb(share) for share in (1, 2.5, 5, 10, 25)},
}

TABLE = Table(
    title="SelGB 2018, figure 2: SGB by the share of documents",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=_layouts.curves,
    notes="The paper's finding: none is as good as LambdaMART; the largest share is the best.",
)
