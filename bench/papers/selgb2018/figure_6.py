"""Figure 6: for which lists SelGB is better."""

from functools import partial

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, cut, published, selgb

ALGORITHMS = {"selgb-1": selgb(1), "lambdamart-500": cut(500)}

TABLE = Table(
    title="SelGB 2018, figure 6: SelGB over LambdaMART on cut lists, by the length of the list",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=partial(_layouts.by_list_size, "selgb-1", "lambdamart-500"),
    notes="The paper's finding: the longer the list, the larger the gain; some 0.05 near 5,000 documents.",
)
