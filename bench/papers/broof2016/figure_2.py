"""Figure 2: learning curves, on 10 % to 100 % of the training queries."""

from typing import Any

from bench.papers.broof2016 import BASELINES, DATA, INSTANCES, PAPER, published
from bench.papers.declare import Algorithm, Axis, Table

SHARES = tuple(range(10, 101, 10))
NAMES = ("broof-gradient", "broof-absolute", "rf", "mart", "lambdamart")


def _on(share: int, algorithm: Algorithm) -> Algorithm:
    """Return an algorithm on a share of the training queries."""

    def split(parameters: dict[str, Any]) -> dict[str, Any]:
        own = {k: v for k, v in parameters.items() if k != "n_estimators"}
        return {"n_estimators": parameters["n_estimators"], "parameters": own}

    of_set = {
        data: split({**algorithm.parameters, **algorithm.by_data.get(data, {})}) for data in DATA
    }
    given = {"estimator": algorithm.estimator, "fraction": share / 100}
    return Algorithm("OnSample", given, by_data=of_set)


_ALL = {**BASELINES, **INSTANCES}
ALGORITHMS = {f"{name}-{share}%": _on(share, _ALL[name]) for name in NAMES for share in SHARES}

TABLE = Table(
    title="BROOF 2016, figure 2: learning curves",
    paper=PAPER,
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), data=DATA),
    axis=Axis(
        "share of the training queries, %",
        {f"{name}-{share}%": str(share) for name in NAMES for share in SHARES},
        {f"{name}-{share}%": float(share) for name in NAMES for share in SHARES},
        {f"{name}-{share}%": name for name in NAMES for share in SHARES},
    ),
    notes=(
        "Whole queries are drawn, without replacement; the paper speaks of examples. It gives no values. "
        "Its findings: with 20 % to 30 % of the training set BROOF-gradient is better than all others "
        "with the whole of it; BROOF-absolute is as good as the baselines with 10 %."
    ),
)
