"""Documents with categorical features, for the tests of these."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from rankforest import (
    BROOF,
    DART,
    IGBRT,
    MART,
    XDART,
    AdaRank,
    BaggedLambdaMART,
    CoordinateAscent,
    ExtraTrees,
    LambdaMART,
    RandomForest,
    RankBoost,
    RankSVM,
    SelGB,
)

CATEGORICAL = ["site", "shop"]

#: One quick estimator of each algorithm.
RANKERS = {
    "random_forest": RandomForest(n_estimators=5),
    "extra_trees": ExtraTrees(n_estimators=5),
    "mart": MART(n_estimators=5),
    "igbrt": IGBRT(n_estimators=4, forest=RandomForest(n_estimators=3)),
    "lambdamart": LambdaMART(n_estimators=5, max_leaf_nodes=7, min_samples_leaf=2),
    "selgb": SelGB(n_estimators=5, negative_fraction=0.5, min_samples_leaf=2),
    "dart": DART(n_estimators=5, min_samples_leaf=2),
    "xdart": XDART(n_estimators=5, min_samples_leaf=2),
    "broof": BROOF(n_estimators=3, max_iter=3),
    "bagged_lambdamart": BaggedLambdaMART(
        n_estimators=3, n_bags=2, combine="mean", min_samples_leaf=2
    ),
    "rankboost": RankBoost(n_estimators=5),
    "adarank": AdaRank(n_estimators=5),
    "coordinate_ascent": CoordinateAscent(max_iterations=3),
    "ranksvm": RankSVM(),
}


def make_frame(n_queries=20, n_documents=8, seed=0, missing=0.1):
    """A pandas frame of texts, whole numbers and a number, grades 0 to 2 and query ids."""
    rng = np.random.default_rng(seed)
    n = n_queries * n_documents
    site, shop = rng.integers(0, 6, n), rng.integers(0, 4, n)
    price = rng.normal(size=n)
    effects = np.array([1.5, -1.0, 0.5, -0.5, 0.0, 2.0])
    signal = effects[site] + 0.7 * (shop == 2) + 0.3 * price + 0.3 * rng.normal(size=n)
    texts = np.array(["a.com", "b.org", "ä ö.de", "", "x\ny", "日本"], dtype=object)[site]
    texts[rng.random(n) < missing] = None
    return pd.DataFrame(
        {
            "site": texts,
            "price": price,
            "shop": np.array([7, -3, 2**40, 11])[shop],
            "grade": np.digitize(signal, [0.2, 1.2]).astype(float),
            "query": np.repeat(np.arange(n_queries), n_documents),
        }
    )


def forms_of(frame):
    """The same frame by the libraries and types in which users hold categories."""
    categories = frame.assign(site=frame["site"].astype("category"))
    reordered = categories.assign(
        site=categories["site"].cat.set_categories(
            [*categories["site"].cat.categories[::-1], "nobody's"]
        )
    )
    polars = pl.from_pandas(frame)
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    place = arrow.schema.get_field_index("site")
    levels = polars["site"].drop_nulls().unique().sort().to_list()
    return {
        "pandas object": frame.assign(site=frame["site"].astype(object)),
        "pandas string": frame.assign(site=frame["site"].astype("string")),
        "pandas category": categories,
        "pandas category, other order and unused": reordered,
        "polars string": polars,
        "polars categorical": polars.with_columns(pl.col("site").cast(pl.Categorical)),
        "polars enum": polars.with_columns(pl.col("site").cast(pl.Enum([*levels, "nobody's"]))),
        "arrow string": arrow,
        "arrow dictionary": arrow.set_column(
            place, "site", arrow.column("site").dictionary_encode()
        ),
    }
