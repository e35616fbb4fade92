"""Figure 1: the boosting algorithms as the number of iterations increases."""

from bench.papers.broof2016 import (
    BASELINES,
    DATA,
    INSTANCES,
    METRICS,
    paper,
    published,
)
from bench.papers.declare import Algorithm, Table
from bench.papers.tree_curves import Curves

ITERATIONS = (1, 2, 5, 10, 20)
CURVES = Curves(ITERATIONS, ("ndcg@10",))
MEASURES = {name: CURVES.spelled({"ndcg@10": of["ndcg@10"]}) for name, of in METRICS.items()}


def _whole(algorithm: Algorithm) -> Algorithm:
    """Return an algorithm that keeps all rounds; there is nothing behind the last one drawn."""
    grows = {"max_iter": 20} if algorithm.estimator == "BROOF" else {"n_estimators": 20}
    parameters = {**algorithm.parameters, "early_stopping_rounds": None, **grows}
    return Algorithm(algorithm.estimator, parameters, algorithm.random, algorithm.by_data)


ALGORITHMS = {
    "broof-gradient": _whole(INSTANCES["broof-gradient"]),
    **{name: _whole(BASELINES[name]) for name in ("mart", "lambdamart", "rankboost")},
}

TABLE = Table(
    title="BROOF 2016, figure 1: convergence of the boosting algorithms",
    paper=paper(MEASURES),
    algorithms=ALGORITHMS,
    published=published(list(ALGORITHMS), n_measures=len(ITERATIONS), data=DATA),
    layout=CURVES,
    drawing=CURVES.draw,
    notes=(
        "An iteration of BROOF is a forest, of the others a tree. AdaRank, which the paper draws too, "
        "is linear and has no first rounds. The paper gives no values. Its finding: BROOF-gradient is "
        "better at the first iterations and converges to a higher asymptote; LambdaMART is slower."
    ),
)
