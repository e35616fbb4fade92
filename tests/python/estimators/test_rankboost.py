"""RankBoost as an estimator."""

import itertools

import numpy as np
import pytest
from estimator_cases import make_data

import rankforest as rf
from rankforest import RankBoost


def naive_rankboost(X, y, qid, n_rounds):
    """Weights of explicit pairs, all thresholds; returns the scores and the gains."""
    pairs = [
        (i, j)
        for query in np.unique(qid)
        for i, j in itertools.product(np.flatnonzero(qid == query), repeat=2)
        if y[i] > y[j]
    ]
    better, worse = np.array(pairs).T
    weights = np.full(len(pairs), 1.0 / len(pairs))
    scores, gains = np.zeros(len(X)), []
    for _ in range(n_rounds):
        best, above = 0.0, None
        for f in range(X.shape[1]):
            values = np.unique(X[:, f])
            for threshold in (values[:-1] + values[1:]) / 2:
                h = (X[:, f] > threshold).astype(float)
                r = np.sum(weights * (h[better] - h[worse]))
                if abs(r) > abs(best) + 1e-12:
                    best, above = r, h
        alpha = 0.5 * np.log((1 + best) / (1 - best))
        scores += alpha * above
        gains.append(abs(best))
        weights *= np.exp(alpha * (above[worse] - above[better]))
        weights /= weights.sum()
    return scores, gains


@pytest.mark.parametrize("n_grades", [2, 3])
def test_scores_are_those_of_explicit_pairs(n_grades):
    X, y, qid = make_data(n_queries=6, n_documents=8, n_features=3, seed=4)
    y = np.minimum(y, n_grades - 1)
    ranker = RankBoost(n_estimators=8).fit(X, y, qid=qid)
    scores, gains = naive_rankboost(X, y, qid, 8)
    np.testing.assert_allclose(ranker.predict(X), scores, rtol=1e-5, atol=1e-6)
    arrays = ranker.model_._ensemble.to_arrays()["members"][0]["groups"][0]["trees"]
    np.testing.assert_allclose([tree["gain"][0] for tree in arrays], gains, rtol=1e-5)


def test_a_model_is_trees_like_any_other_and_grows():
    X, y, qid = make_data(missing=0.1)
    whole = RankBoost(n_estimators=12).fit(X, y, qid=qid)
    part = RankBoost(n_estimators=5, warm_start=True).fit(X, y, qid=qid)
    part.set_params(n_estimators=12).fit(X, y, qid=qid)
    assert part.model_._ensemble == whole.model_._ensemble
    assert whole[:5].model_.n_trees == 5
    assert whole.feature_importances_.argmax() == 0
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = RankBoost(n_estimators=12, n_jobs=3).fit(X[order], y[order], qid=qid[order])
    assert shuffled.model_._ensemble == whole.model_._ensemble


def test_early_stopping_keeps_the_best_round():
    train, valid = rf.datasets.make_ranking(n_queries=80, random_state=2).train_test_split(0.5)
    ranker = RankBoost(n_estimators=40, early_stopping_rounds=5).fit(train, eval_set=valid)
    values = ranker.history_["valid"]["ndcg@10"]
    assert ranker.best_iteration_ == 1 + int(np.argmax(values)) == ranker.model_.n_trees


def test_what_it_cannot_do_is_said():
    X, y, qid = make_data()
    with pytest.raises(ValueError, match="learns from pairs of documents"):
        RankBoost().fit(X, y)
    with pytest.raises(ValueError, match="n_thresholds must be an integer >= 1 or None, got 0"):
        RankBoost(n_thresholds=0).fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="init_score: only MART"):
        RankBoost().fit(X, y, qid=qid, init_score=np.zeros(len(X)))
    with pytest.warns(UserWarning, match="no threshold puts more pairs in order"):
        RankBoost().fit(np.ones_like(X), y, qid=qid)
