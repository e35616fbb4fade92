"""Features that say where a document stands among the others of its query."""

import numpy as np
import pytest
from cli_cases import call
from scipy import stats

import rankforest as rf
from rankforest._model.notes import replaced
from rankforest.datasets import make_ranking

KINDS = ("zscore", "minmax", "rank")


def naive(values, kind):
    """One feature of one query, without missing values."""
    if kind == "rank":
        return [
            (sum(other < value for other in values) + sum(other == value for other in values) / 2)
            / len(values)
            for value in values
        ]
    low, high = min(values), max(values)
    if low == high:
        return [0.0] * len(values)
    if kind == "minmax":
        return [(value - low) / (high - low) for value in values]
    return stats.zscore(values).tolist()


@pytest.fixture
def data():
    return make_ranking(n_queries=25, random_state=3)


def test_values_of_a_query_by_hand():
    data = rf.Dataset([[1.0], [5.0], [3.0], [7.0], [3.0]], qid=["a", "b", "a", "b", "a"])
    added = data.with_query_features("zscore", "minmax", "rank")
    root = np.sqrt(8 / 9)  # of the mean square of 1, 3, 3 around 7/3
    np.testing.assert_allclose(
        added.X[:, 1], [-4 / 3 / root, -1, 2 / 3 / root, 1, 2 / 3 / root], rtol=1e-6
    )
    assert added.X[:, 2].tolist() == [0, 0, 1, 1, 1]
    np.testing.assert_allclose(added.X[:, 3], [1 / 6, 1 / 4, 2 / 3, 3 / 4, 2 / 3], rtol=1e-6)
    assert added.feature_names == ("0", "0:zscore", "0:minmax", "0:rank")


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_a_naive_loop_over_queries(data, kind):
    rounded = rf.Dataset(data.X.round(1), data.y, qid=data.qid)  # with ties
    added = rounded.with_query_features(kind).X[:, data.n_features :]
    for query in rounded.query_ids:
        rows = np.flatnonzero(rounded.qid == query)
        for feature in range(data.n_features):
            expected = naive(rounded.X[rows, feature].astype(float).tolist(), kind)
            np.testing.assert_allclose(added[rows, feature], expected, rtol=1e-5, atol=1e-6)


def test_missing_values_stay_missing_and_do_not_count():
    data = rf.Dataset([[1.0], [np.nan], [3.0]], qid=[1, 1, 1])
    alone = rf.Dataset([[1.0], [3.0]], qid=[1, 1]).with_query_features(*KINDS)
    added = data.with_query_features(*KINDS)
    assert np.isnan(added.X[1]).all()
    assert added.X[[0, 2]].tolist() == alone.X.tolist()


def test_infinity_counts_as_the_largest_number():
    added = rf.Dataset([[-np.inf], [0.0], [np.inf]], qid=[1, 1, 1]).with_query_features(*KINDS)
    np.testing.assert_allclose(added.X[:, 1], [-np.sqrt(1.5), 0, np.sqrt(1.5)], rtol=1e-6)
    assert added.X[:, 2].tolist() == [0, 0.5, 1]


def test_the_order_of_the_rows_changes_no_bit(data):
    order = np.random.default_rng(0).permutation(data.n_documents)
    added = data.with_query_features(*KINDS)
    assert (added.X[order] == data.take_rows(order).with_query_features(*KINDS).X).all()


def test_a_model_adds_the_features_it_was_trained_with(data, tmp_path):
    added = data.with_query_features("rank", "zscore")
    model = rf.LambdaMART(n_estimators=5, min_samples_leaf=2).fit(added, eval_set=data)
    scores = model.predict(added)
    assert (model.predict(data) == scores).all()
    assert model.history_["valid"]["ndcg@10"][-1] == model.score(added)
    model.model_.save(tmp_path / "m.rf")
    loaded = rf.load(tmp_path / "m.rf")
    assert loaded.query_features == ("rank", "zscore")
    assert (loaded.predict(data) == scores).all()
    with pytest.raises(ValueError, match=r"20 features, but Model is expecting 60"):
        loaded.predict(data.X)


def test_text_with_fewer_columns_gets_its_own_first(data, tmp_path):
    rf.write_letor(tmp_path / "wide.txt", data)
    narrow = rf.Dataset(data.X[:, :-2], data.y, qid=data.qid)
    rf.write_letor(tmp_path / "narrow.txt", narrow)
    zeros = data.X.copy()
    zeros[:, -2:] = 0
    model = rf.MART(n_estimators=5).fit(
        rf.read_letor(tmp_path / "wide.txt").with_query_features("zscore")
    )
    padded = rf.Dataset(
        zeros, qid=data.qid, feature_names=[str(1 + j) for j in range(data.n_features)]
    )
    scores = model.predict(rf.read_letor(tmp_path / "narrow.txt"))
    assert (scores == model.predict(padded)).all()


def test_a_model_without_them_takes_data_as_it_is(data):
    model = rf.MART(n_estimators=2).fit(data)
    assert model.model_.query_features == ()
    assert "query_features" not in model.model_.parameters


def test_parts_and_sums_of_data_keep_the_features(data):
    added = data.with_query_features("minmax")
    part, rest = added.train_test_split(0.4)
    assert part.query_features == rest.query_features == ("minmax",)
    assert rf.concat([part, rest]).query_features == ("minmax",)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ((), r"kinds must be out of 'zscore', 'minmax', 'rank', got none"),
        (("zcore",), r"kinds must be out of .*, got 'zcore'"),
        (("rank", "rank"), r"kinds must be different, got 'rank' twice"),
    ],
)
def test_unusable_kinds_are_named(data, kinds, message):
    with pytest.raises(ValueError, match=message):
        data.with_query_features(*kinds)


def test_they_are_added_once(data):
    with pytest.raises(ValueError, match=r"has query features already: 'rank'"):
        data.with_query_features("rank").with_query_features("zscore")


def test_the_command_line_trains_and_scores_the_same_model(data, tmp_path, capsys):
    rf.write_letor(tmp_path / "d.txt", data)
    text = rf.read_letor(tmp_path / "d.txt")
    model = rf.MART(n_estimators=3).fit(text.with_query_features("zscore", "rank"))
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--n-estimators", 3, "--train",
        tmp_path / "d.txt", "--query-features", "zscore", "--query-features", "rank", "--model",
        tmp_path / "m.rf", "--quiet",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert rf.load(tmp_path / "m.rf") == model.model_
    ended = call(capsys, "ltr-score", "--data", tmp_path / "d.txt", "--model", tmp_path / "m.rf")
    np.testing.assert_allclose(np.array(ended.out.split(), float), model.predict(text))


@pytest.mark.parametrize(
    "derive",
    [
        lambda model, data: rf.blend([model, model[:2]]),
        lambda model, data: rf.blend([model, model[:2]], data),
        lambda model, data: rf.blend([model, rf.MART(n_estimators=3).fit(data)]),
        lambda model, data: rf.prune(model, data, n_trees=3).model,
        lambda model, data: model[:3],
        lambda model, data: model.refit_leaves(data),
        lambda model, data: rf.MART(n_estimators=2).fit(data, init_model=model).model_,
        lambda model, data: rf.Model.from_bytes(model.to_bytes()),
    ],
    ids=["blend", "search", "with raw", "prune", "prefix", "refit", "retrain", "bytes"],
)
def test_what_is_made_of_a_model_adds_them_too(data, tmp_path, derive):
    rf.write_letor(tmp_path / "d.txt", data)
    text = rf.read_letor(tmp_path / "d.txt")
    added = text.with_query_features("rank", "zscore")
    made = derive(rf.MART(n_estimators=6).fit(added).model_, text)
    assert made.query_features == ("rank", "zscore")
    assert (made.predict(text) == made.predict(added)).all()


def test_a_blend_of_other_query_features_is_refused(data):
    rank = rf.MART(n_estimators=2).fit(data.with_query_features("rank"))
    zscore = rf.MART(n_estimators=2).fit(data.with_query_features("zscore"))
    with pytest.raises(ValueError, match=r"must be trained with the same query features"):
        rf.blend([rank, zscore])


@pytest.mark.parametrize("kinds", ["5", '"rank"', '["rang"]', '["rank", "zscore"]', "[]"])
def test_a_model_with_unusable_query_features_is_an_error(data, kinds):
    model = rf.MART(n_estimators=2).fit(data.with_query_features("rank")).model_
    info = replaced(model._info, parameters_json=f'{{"query_features": {kinds}}}')
    with pytest.raises(ValueError, match="the model's query features"):
        rf.Model(model._ensemble, info).predict(data)
