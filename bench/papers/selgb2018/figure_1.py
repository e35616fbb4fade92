"""Figure 1: LambdaMART on lists of several lengths."""

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, cut, lambdamart, published

ALGORITHMS = {
    **{f"lambdamart-{documents}": cut(documents) for documents in (100, 500, 1000, 2500)},
    "lambdamart": lambdamart(),
}

TABLE = Table(
    title="SelGB 2018, figure 1: LambdaMART trained on lists that are cut",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=_layouts.curves,
    notes="The paper's finding: 100 documents are too few; of the others 500 is best, with no significant difference.",
)
