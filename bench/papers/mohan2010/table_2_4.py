"""Table 2.4: averaged kSGBRT, by features and by the number of models."""

from bench.papers.declare import Axis, Table
from bench.papers.mohan2010 import PAPER, gbrt, published

COUNTS = (10, 20, 40)
RUNS = (1, 2, 5, 10, 20, 40, 80, 100)
_NAMES = {f"k={k}, b={b}": (k, b) for k in COUNTS for b in RUNS}

ALGORITHMS = {name: gbrt(n_bags=b, max_features=k / 700) for name, (k, b) in _NAMES.items()}

#: RMSE, ERR, NDCG@10 on the test set, k after k.
_ROWS = (
    (0.64558, 0.45729, 0.76237),
    (0.64015, 0.45892, 0.76519),
    (0.63915, 0.45971, 0.76664),
    (0.63850, 0.46043, 0.76795),
    (0.63826, 0.46052, 0.76856),
    (0.63806, 0.46014, 0.76818),
    (0.64044, 0.46032, 0.76682),
    (0.64182, 0.46063, 0.76653),
    (0.64120, 0.45851, 0.76469),
    (0.63953, 0.45963, 0.76612),
    (0.63804, 0.46001, 0.76823),
    (0.63754, 0.46005, 0.76758),
    (0.63728, 0.46043, 0.76843),
    (0.63743, 0.46023, 0.76793),
    (0.64011, 0.46096, 0.76669),
    (0.64120, 0.46054, 0.76580),
    (0.64112, 0.45747, 0.76562),
    (0.63914, 0.45872, 0.76725),
    (0.63738, 0.45935, 0.76852),
    (0.63670, 0.45983, 0.76843),
    (0.63675, 0.45960, 0.76907),
    (0.63779, 0.45984, 0.76837),
    (0.64112, 0.46071, 0.76731),
    (0.64239, 0.46048, 0.76668),
)

TABLE = Table(
    title="Mohan 2010, table 2.4: averaged kSGBRT",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), {"yahoo2": dict(zip(ALGORITHMS, _ROWS, strict=True))}),
    axis=Axis(
        "models",
        {name: str(b) for name, (_, b) in _NAMES.items()},
        {name: float(b) for name, (_, b) in _NAMES.items()},
        {name: f"k={k}" for name, (k, _) in _NAMES.items()},
    ),
    notes=(
        "The mean of b models of 1,000 trees at most, each of which keeps its own best rounds; k of "
        "Yahoo's 700 features, or the same share of those of another set. The thesis's finding: "
        "averaging helps from five models on, and k = 40 with b = 20 is better than GBRT."
    ),
)
