"""Figure 2.3: IGBRT as it grows, beside the forest that it starts from."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import forest, igbrt, published, with_measures
from bench.papers.mohan2010.figure_2_1 import CURVES, MEASURES, WHOLE

ALGORITHMS = {
    "rf": forest(10_000),
    **{f"igbrt-{rate}": igbrt(1000, learning_rate=rate, **WHOLE) for rate in (0.01, 0.05, 0.1)},
}

TABLE = Table(
    title="Mohan 2010, figure 2.3: IGBRT at several learning rates",
    paper=with_measures(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {}, len(MEASURES)),
    layout=CURVES,
    drawing=CURVES.draw,
    notes=(
        "Trees of IGBRT are those behind its forest of 10,000. The thesis draws Yahoo set 2, without "
        "figures to read off, and names a learning rate of 0.1 alone. Its finding: IGBRT is better "
        "than the forest at each, but for ERR at 0.1 in between."
    ),
)
