"""Figure 2.2: kSGBRT as it grows, by the number of features that each split sees."""

from bench.papers.declare import Table
from bench.papers.mohan2010 import gbrt, published, with_measures
from bench.papers.mohan2010.figure_2_1 import CURVES, MEASURES, WHOLE

COUNTS = (20, 40, 60, 80, 100)
ALGORITHMS = {
    "gbrt": gbrt(**WHOLE),
    **{f"k={k}": gbrt(max_features=k / 700, **WHOLE) for k in COUNTS},
}

TABLE = Table(
    title="Mohan 2010, figure 2.2: kSGBRT as it grows",
    paper=with_measures(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {}, len(MEASURES)),
    layout=CURVES,
    drawing=CURVES.draw,
    notes=(
        "k of Yahoo's 700 features, or the same share of those of another set. The thesis's finding: "
        "GBRT overfits after 500 trees, kSGBRT with k >= 40 does not."
    ),
)
