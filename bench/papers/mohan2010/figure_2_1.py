"""Figure 2.1: forests and boosting as they grow."""

from typing import Any

from bench.papers.declare import Table
from bench.papers.mohan2010 import METRICS, forest, gbrt, published, with_measures
from bench.papers.tree_curves import Curves

TREES = (10, 25, 50, 100, 200, 300, 400, 500, 600, 800, 1000)
#: Boosting is drawn beyond its best round, too.
WHOLE: dict[str, Any] = {"early_stopping_rounds": None}

CURVES = Curves(TREES, tuple(METRICS))
MEASURES = CURVES.spelled(METRICS)
ALGORITHMS = {
    "rf": forest(10_000),
    **{f"gbrt-{rate}": gbrt(learning_rate=rate, **WHOLE) for rate in (0.02, 0.05, 0.1, 0.2)},
}

TABLE = Table(
    title="Mohan 2010, figure 2.1: forests and boosting at several learning rates",
    paper=with_measures(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {}, len(MEASURES)),
    layout=CURVES,
    drawing=CURVES.draw,
    notes=(
        "The thesis draws Yahoo set 2, without figures to read off, and does not name its learning "
        "rates. Its finding: the forest of 10,000 trees is better than GBRT at each of them."
    ),
)
