"""The linear rankers, and linear parts of models."""

import itertools

import numpy as np
import pytest
from estimator_cases import make_data
from sklearn.base import clone
from sklearn.svm import LinearSVC

import rankforest as rf
from rankforest import AdaRank, CoordinateAscent, RankSVM

LINEAR = {
    "ranksvm": RankSVM(C=0.1),
    "coordinate_ascent": CoordinateAscent(n_restarts=2, max_iterations=4),
    "adarank": AdaRank(n_estimators=20),
}
KINDS = ("sum", "minmax", "zscore")


def each(**parameters):
    return [clone(estimator).set_params(**parameters) for estimator in LINEAR.values()]


def pairs_of(X, y, qid):
    """Differences better - worse of all pairs of all queries."""
    X = X.astype(np.float64)
    rows = []
    for query in np.unique(qid):
        (own,) = np.nonzero(qid == query)
        rows += [X[i] - X[j] for i, j in itertools.product(own, own) if y[i] > y[j]]
    return np.array(rows)


def naive_sum(X, coef):
    """What a linear part adds, as the definition says: in eight lanes."""
    largest = np.finfo(np.float32).max
    values = np.where(np.isnan(X), 0, np.clip(X, -largest, largest)).astype(np.float64)
    terms = np.flatnonzero(coef)
    lanes = np.zeros((8, len(X)))
    for i, f in enumerate(terms):
        lanes[i % 8] += np.float64(coef[f]) * values[:, f]
    for half in (4, 2, 1):
        lanes = lanes[:half] + lanes[half : 2 * half]
    return lanes[0]


@pytest.mark.parametrize("C", [0.003, 0.1, 5.0])
def test_the_objective_is_that_of_a_support_vector_machine_on_explicit_pairs(C):
    X, y, qid = make_data(n_queries=8, n_documents=9, seed=3)
    ours = RankSVM(C=C, tolerance=1e-12).fit(X, y, qid=qid)
    pairs = pairs_of(X, y, qid)
    signs = np.where(np.arange(len(pairs)) % 2 == 0, 1.0, -1.0)
    naive = LinearSVC(C=C, loss="squared_hinge", fit_intercept=False, tol=1e-10, max_iter=10**6)
    naive.fit(pairs * signs[:, np.newaxis], signs)

    def objective(w):
        return 0.5 * w @ w + C * np.sum(np.maximum(0.0, 1.0 - pairs @ w) ** 2)

    theirs = objective(naive.coef_[0])
    assert ours.objective_ == pytest.approx(objective(ours.coef_.astype(np.float64)), rel=1e-10)
    assert abs(ours.objective_ - theirs) <= 1e-6 * theirs
    np.testing.assert_allclose(ours.coef_, naive.coef_[0], atol=1e-3)


def test_pairs_count_by_the_weight_of_their_query():
    X, y, qid = make_data(n_queries=6, seed=5)
    twice = np.isin(qid, [0, 3])
    rows = np.concatenate([np.arange(len(X)), np.flatnonzero(twice)])
    copies = np.concatenate([qid, qid[twice] + 100])
    repeated = RankSVM(C=0.1, tolerance=1e-12).fit(X[rows], y[rows], qid=copies)
    weights = np.where(np.isin(np.arange(6), [0, 3]), 2.0, 1.0)
    weighted = RankSVM(C=0.1, tolerance=1e-12).fit(X, y, qid=qid, sample_weight=weights)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-4, atol=1e-6)
    assert weighted.objective_ == pytest.approx(repeated.objective_)


@pytest.mark.parametrize("name", LINEAR)
def test_scores_are_the_weighted_sum_of_the_features(name):
    X, y, qid = make_data(missing=0.1)
    ranker = clone(LINEAR[name]).fit(X, y, qid=qid)
    X[0, 0], X[1, 1] = np.inf, -np.inf
    assert ranker.predict(X).tolist() == naive_sum(X, ranker.coef_).tolist()
    assert ranker.model_.n_trees == 0
    assert ranker.score(X[2:], y[2:], qid[2:]) > 0.5
    assert "linear" in repr(ranker.model_)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("kind", KINDS)
def test_features_are_normalised_in_training_and_in_scoring(name, kind):
    X, y, qid = make_data(missing=0.05)
    normal = rf.QueryNormalizer(kind).fit_transform(X, qid=qid)
    inside = clone(LINEAR[name]).set_params(query_normalization=kind).fit(X, y, qid=qid)
    outside = clone(LINEAR[name]).fit(normal, y, qid=qid)
    assert inside.coef_.tolist() == outside.coef_.tolist()
    assert inside.predict(X, qid).tolist() == outside.predict(normal).tolist()
    with pytest.raises(ValueError, match="it needs qid"):
        inside.predict(X)
    assert inside.model_.parameters["query_normalization"] == kind


@pytest.mark.parametrize("name", LINEAR)
def test_neither_threads_nor_row_order_nor_query_names_change_a_bit(name):
    X, y, qid = make_data(missing=0.1)
    expected = clone(LINEAR[name]).fit(X, y, qid=qid)
    order = np.random.default_rng(1).permutation(len(X))
    names = np.array([f"q{50 - i}" for i in qid])[order]
    again = clone(LINEAR[name]).set_params(n_jobs=3).fit(X[order], y[order], qid=names)
    assert again.coef_.tolist() == expected.coef_.tolist()
    assert again.model_._ensemble == expected.model_._ensemble


@pytest.mark.parametrize("kind", [None, "zscore"])
@pytest.mark.parametrize("name", LINEAR)
def test_a_model_is_the_same_after_every_way_to_keep_it(name, kind, tmp_path):
    X, y, qid = make_data(missing=0.1)
    ranker = clone(LINEAR[name]).set_params(query_normalization=kind).fit(X, y, qid=qid)
    expected = ranker.predict(X, qid)
    ranker.save(tmp_path / "model.rf")
    ranker.model_.save_json(tmp_path / "model.json")
    for path in ("model.rf", "model.json"):
        read = rf.load(tmp_path / path)
        assert read == ranker.model_
        assert read.predict(X, qid).tolist() == expected.tolist()
        assert read.coef.tolist() == [ranker.coef_.tolist()]
    reference = ranker.model_._ensemble.predict(X, qid.astype(np.uint32), 1)
    assert reference.tolist() == expected.tolist()


def test_a_json_form_whose_linear_part_is_wrong_is_refused_with_the_place(tmp_path):
    X, y, qid = make_data()
    path = tmp_path / "model.json"
    RankSVM().fit(X, y, qid=qid).model_.save_json(path)
    text = path.read_text()
    for old, new, message in [
        ('"features": [0', '"features": [9', "the feature is 9"),
        ('"normalization": "none"', '"normalization": "rank"', "normalization must be one of"),
        ('"weights": [', '"weights": [1.0, ', "weight has 6 values, feature has 5"),
        ('"weights": [', '"weigths": [', r"members\[0\].linear.weights: missing"),
    ]:
        path.write_text(text.replace(old, new))
        with pytest.raises(ValueError, match=message):
            rf.load(path)


def test_early_stopping_keeps_the_best_round_of_the_evaluation_set():
    train, valid = rf.datasets.make_ranking(n_queries=80, random_state=2).train_test_split(0.5)
    for ranker in each(early_stopping_rounds=2):
        ranker.fit(train, eval_set=valid)
        values = ranker.history_["valid"]["ndcg@10"]
        assert ranker.best_iteration_ == 1 + int(np.argmax(values))
        assert ranker.best_score_ == max(values)
        scores = ranker.predict(valid)
        assert rf.evaluate(valid, scores, "ndcg@10")["ndcg@10"] == pytest.approx(max(values))


def test_what_a_linear_model_has_not_is_said():
    X, y, qid = make_data()
    ranker = RankSVM().fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="it has weights, coef_, in place of"):
        ranker.feature_importances()
    with pytest.raises(AttributeError, match="it has weights, coef_, in place of"):
        _ = ranker.feature_importances_
    with pytest.raises(ValueError, match="keeps the weights of one round alone"):
        ranker[:1]
    with pytest.raises(ValueError, match="keeps the weights of one round alone"):
        ranker.staged_predict(X)
    with pytest.raises(ValueError, match="has a linear part, whose features have weights"):
        ranker.model_.feature_importances()
    data = rf.Dataset(X, y, qid=qid)
    with pytest.raises(ValueError, match="linear part"):
        rf.prune(ranker, data)
    with pytest.raises(ValueError, match="refit_leaves"):
        ranker.model_.refit_leaves(data)
    with pytest.raises(ValueError, match="init_model: boosting cannot go on from"):
        rf.MART(n_estimators=2).fit(X, y, init_model=ranker)
    with pytest.raises(ValueError, match="init_model: only MART"):
        RankSVM().fit(X, y, qid=qid, init_model=rf.MART(n_estimators=2).fit(X, y))


def test_linear_models_blend_and_bag_with_trees(tmp_path):
    X, y, qid = make_data(missing=0.1)
    data = rf.Dataset(X, y, qid=qid)
    linear = RankSVM(C=0.1).fit(data)
    normal = RankSVM(C=0.1, query_normalization="minmax").fit(data)
    trees = rf.MART(n_estimators=5).fit(data)
    both = rf.blend([linear, trees], weights=[2.0, 0.5], combine="sum")
    expected = 2.0 * linear.predict(data) + 0.5 * trees.predict(data)
    np.testing.assert_allclose(both.predict(data), expected, rtol=1e-5, atol=1e-6)
    for models in ([normal, trees], [normal, linear]):
        blend = rf.blend(models, weights=[1.0, 1.0], combine="zscore")
        blend.save(tmp_path / "blend.rf")
        again = rf.load(tmp_path / "blend.rf").predict(data)
        assert again.tolist() == blend.predict(data).tolist()
    bag = rf.Bagging(RankSVM(C=0.1), n_bags=3, combine="mean").fit(data, eval_set=data)
    assert bag.model_.coef.shape == (3, 5)
    np.testing.assert_allclose(
        bag.predict(data), naive_sum(X, bag.model_.coef.sum(axis=0)), rtol=1e-5, atol=1e-6
    )
    scores = bag.predict(data)
    measured = rf.evaluate(data, scores, "ndcg@10")["ndcg@10"]
    assert bag.best_score_ == pytest.approx(measured, abs=1e-6)


def test_permutation_importance_asks_the_features_that_have_weights():
    X, y, qid = make_data()
    X[:, 4] = 0.0
    data = rf.Dataset(X, y, qid=qid)
    found = rf.permutation_importance(RankSVM().fit(data), data, n_repeats=2)
    assert found.importances_mean[0] > found.importances_mean[4] == 0.0


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (RankSVM(C=0.0), "C must be > 0, got 0.0"),
        (RankSVM(query_normalization="rank"), 'query_normalization must be "sum" or "minmax"'),
        (CoordinateAscent(n_points=1), "n_points must be an integer >= 2, got 1"),
        (CoordinateAscent(steps="odd"), 'steps must be "doubling" or "even", got \'odd\''),
        (CoordinateAscent(metric="rmse"), "metric must be one of which more is better, got 'rmse'"),
        (AdaRank(max_repeats=0), "max_repeats must be an integer >= 1 or None, got 0"),
        (AdaRank(metric="dcg@10"), "metric must have values from 0 to 1 for AdaRank"),
        (RankSVM(early_stopping_rounds=3), "early_stopping_rounds needs eval_set"),
    ],
)
def test_an_unusable_parameter_is_named_with_its_value(estimator, message):
    X, y, qid = make_data()
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, y, qid=qid)


@pytest.mark.parametrize("name", LINEAR)
def test_data_that_nothing_can_be_learned_from_is_refused(name):
    X, y, qid = make_data()
    with pytest.raises(ValueError, match="learns from"):
        clone(LINEAR[name]).fit(X, y)
    with pytest.raises(ValueError, match="learns from pairs of documents"):
        clone(LINEAR[name]).fit(X, np.zeros_like(y), qid=qid)


def test_coordinate_ascent_does_not_change_where_a_feature_is_doubled():
    X, y, qid = make_data()
    ranker = CoordinateAscent(n_restarts=2, max_iterations=5).fit(X, y, qid=qid)
    doubled = X.copy()
    doubled[:, 1] *= 2
    again = CoordinateAscent(n_restarts=2, max_iterations=5).fit(doubled, y, qid=qid)
    assert (again.coef_ * [1, 2, 1, 1, 1]).tolist() == ranker.coef_.tolist()


def test_the_c_plus_plus_form_is_refused_where_scores_depend_on_queries(tmp_path):
    X, y, qid = make_data()
    ranker = RankSVM(query_normalization="sum").fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="normalises features within queries"):
        ranker.model_.save_cpp(tmp_path / "model.hpp")


def test_documents_of_a_blend_with_a_linear_part_exit_with_its_share_of_the_score():
    X, y, qid = make_data(missing=0.1)
    data = rf.Dataset(X, y, qid=qid)
    trees = rf.MART(n_estimators=8).fit(data).model_
    linear = RankSVM(C=0.1).fit(data).model_
    blend = rf.blend([trees, linear], weights=[1.0, 2.0], combine="sum")
    fast = blend.with_exits(rf.ExitSchedule([(3, 0.5)]))
    expected = blend.predict(data)
    early = blend[:3].predict(data)
    for query in np.unique(qid):
        (own,) = np.nonzero(qid == query)
        lowest = np.sort(early[own])[len(own) // 2]
        leave = own[early[own] < lowest]
        expected[leave] = early[leave]
    assert fast.predict(data).tolist() == expected.tolist()
    assert rf.Model.from_bytes(fast.to_bytes()).predict(data).tolist() == expected.tolist()
    # The features of the linear part are paid for by all, and those of trees are among them.
    costs = rf.FeatureCosts([1.0, 2.0, 4.0, 8.0, 16.0], tree_cost=0.0)
    assert (linear.coef != 0).all()
    within = fast.predict_within(data, feature_costs=costs)
    assert within.cost == 31.0 * len(X)
    assert within.scores.tolist() == expected.tolist()
    assert rf.scoring_cost(fast, data, costs=costs).per_document == 31.0


def test_a_model_that_normalises_features_within_queries_is_not_scored_in_part():
    X, y, qid = make_data()
    data = rf.Dataset(X, y, qid=qid)
    trees = rf.MART(n_estimators=8).fit(data).model_
    linear = RankSVM(query_normalization="zscore").fit(data).model_
    blend = rf.blend([trees, linear], weights=[1.0, 2.0], combine="sum")
    with pytest.raises(ValueError, match="normalizes features within queries"):
        blend.with_exits(rf.ExitSchedule([(3, 0.5)]))
    for ask in (blend.predict_within, lambda given: blend.top_k(given, 2)):
        with pytest.raises(ValueError, match="cannot be scored in part"):
            ask(data)
    assert rf.scoring_cost(blend, data).per_document == 8.0
