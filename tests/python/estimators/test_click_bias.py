"""Trained on biased clicks, rankers that know of the bias rank better by the true grades."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from rankforest import LambdaMART, evaluate
from rankforest.datasets import make_ranking, simulate_clicks

SETTINGS = {
    "n_estimators": 60,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 100,
    "metric": "dcg@10",
    "pair_weighting": "product",
}

METRIC = "ndcg@10(empty=0)"


def trained(data, *, learns_positions=False, sample_weight=None):
    regularization = 0.0 if learns_positions else None
    model = LambdaMART(**SETTINGS, position_bias_regularization=regularization)
    if sample_weight is None:
        return model.fit(data)
    return model.fit(data.X, data.y, qid=data.qid, sample_weight=sample_weight)


@pytest.fixture(scope="module")
def ndcg():
    """NDCG@10 by the true grades on each test query, by how clicks were treated."""
    data = make_ranking(n_queries=1500, n_documents=10, random_state=1)
    train, test = data.train_test_split(0.8)  # many to test on: rankings differ by little
    first = LambdaMART(n_estimators=5, max_leaf_nodes=7).fit(train.take(train.query_ids[:20]))
    scores = first.predict(train) + np.random.default_rng(0).normal(size=train.n_documents)
    clicks = simulate_clicks(train, scores, "position", n_sessions=40)
    unbiased = simulate_clicks(train, scores, "position", n_sessions=40, eta=0.0)
    weights = np.where(clicks.data.y > 0, 1.0 / clicks.propensity, 1.0)
    models = {
        "as they are": trained(clicks.data),
        "effects of positions": trained(clicks.data, learns_positions=True),
        "inverse propensities": trained(clicks.data, sample_weight=weights),
        "without bias": trained(unbiased.data),
    }
    return {
        name: evaluate(test, model, [METRIC], per_query=True)[METRIC]
        for name, model in models.items()
    }


@pytest.mark.parametrize("remedy", ["effects of positions", "inverse propensities"])
def test_a_remedy_ranks_significantly_better_than_clicks_as_they_are(ndcg, remedy):
    result = ttest_rel(ndcg[remedy], ndcg["as they are"])
    assert result.statistic > 0
    assert result.pvalue < 0.001


@pytest.mark.parametrize("remedy", ["effects of positions", "inverse propensities"])
def test_a_remedy_comes_close_to_clicks_without_bias(ndcg, remedy):
    best = ndcg["without bias"].mean()
    lost = best - ndcg[remedy].mean()
    assert lost < 0.4 * (best - ndcg["as they are"].mean())
    assert lost < 0.01
