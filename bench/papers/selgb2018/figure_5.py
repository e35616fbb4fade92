"""Figure 5: how often SelGB selects."""

from bench.papers.declare import Table
from bench.papers.selgb2018 import PAPER, _layouts, published, selgb

ALGORITHMS = {
    "selgb-1": selgb(1),
    **{f"selgb-1-every-{n}": selgb(1, reselect_every=n) for n in (10, 50, 100)},
}

TABLE = Table(
    title="SelGB 2018, figure 5: SelGB by the rounds between two selections",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(ALGORITHMS),
    layout=_layouts.curves,
    notes="The paper's finding: 1 and 10 are best; from 50 on models overfit between selections.",
)
