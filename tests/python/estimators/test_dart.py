"""DART and XDART: LambdaMART that drops trees while it trains."""

import numpy as np
import pytest
from cli_cases import call, write_files
from estimator_cases import make_data
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import rankforest as rf

SMALL = {"n_estimators": 20, "max_leaf_nodes": 6, "min_samples_leaf": 2}


@pytest.fixture(scope="module")
def data():
    X, y, qid = make_data(n_queries=60)
    return rf.Dataset(X, y, qid=qid).train_test_split(0.4)


def dart(**parameters):
    return rf.DART(**{**SMALL, "drop_rate": 0.3, **parameters})


def xdart(**parameters):
    return rf.XDART(**{**SMALL, "drop_rate": 0.3, **parameters})


def weights(model):
    (member,) = model._ensemble.to_arrays()["members"]
    return [group["weight"] for group in member["groups"] for _ in group["trees"]]


@pytest.mark.parametrize("parameters", [{"drop_rate": 0.0}, {"skip_drop": 1.0}])
def test_without_drops_it_is_lambdamart_to_the_bit(data, parameters):
    train, valid = data
    of = {"subsample": 0.7, "early_stopping_rounds": 3}
    expected = rf.LambdaMART(**SMALL, **of).fit(train, eval_set=valid)
    model = dart(**of, **parameters).fit(train, eval_set=valid)
    np.testing.assert_array_equal(model.predict(valid), expected.predict(valid))
    assert weights(model.model_) == weights(expected.model_)
    assert model.history_ == expected.history_


def test_dropped_trees_and_those_after_them_weigh_less(data):
    train, _ = data
    model = dart(learning_rate=0.5, drop_rate=1.0, n_estimators=3).fit(train)
    # The second round drops 1 tree of weight 1/2: 1 / 1.5 and 0.5 / 1.5; the third drops 2.
    np.testing.assert_allclose(
        weights(model.model_), [0.5 / 1.5 * 2 / 2.5, 0.5 / 1.5 * 2 / 2.5, 0.5 / 2.5], rtol=1e-15
    )
    forest = dart(
        learning_rate=0.5, drop_rate=1.0, n_estimators=3, drop_normalization="forest"
    ).fit(train)
    np.testing.assert_allclose(
        weights(forest.model_), [0.5 / 1.5 / 1.5, 0.5 / 1.5 / 1.5, 0.5 / 1.5], rtol=1e-15
    )


@pytest.mark.parametrize(
    "parameters",
    [{"drop_selection": "weighted"}, {"drop_normalization": "forest"}, {"one_drop": True},
     {"max_drop": 1}, {"skip_drop": 0.5}, {"drop_rate": 0.1}],
)  # fmt: skip
def test_each_parameter_changes_the_model(data, parameters):
    train, _ = data
    base = {"drop_rate": 0.05} if "one_drop" in parameters else {}
    assert dart(**base).fit(train).model_ != dart(**{**base, **parameters}).fit(train).model_


def test_what_is_measured_after_each_round_is_what_the_model_of_so_many_rounds_has(data):
    train, valid = data
    history = dart().fit(train, eval_set=valid).history_["valid"]["ndcg@10"]
    for rounds in (1, 2, 9, 20):
        model = dart(n_estimators=rounds).fit(train)
        assert (
            rf.evaluate(valid, model.predict(valid), ["ndcg@10"])["ndcg@10"] == history[rounds - 1]
        )


@pytest.mark.parametrize("estimator", [dart, xdart])
def test_early_stopping_gives_back_the_model_of_the_best_round(data, estimator):
    train, valid = data
    model = estimator(n_estimators=40, early_stopping_rounds=8).fit(train, eval_set=valid)
    values = model.history_["valid"]["ndcg@10"]
    best = int(np.argmax(values)) + 1
    assert model.best_iteration_ == best < len(values)
    assert model.score(valid) == model.best_score_ == max(values)
    again = estimator(n_estimators=best).fit(train, eval_set=valid)
    np.testing.assert_array_equal(model.predict(valid), again.predict(valid))


@pytest.mark.parametrize("estimator", [dart, xdart])
def test_rows_and_threads_change_no_bit(data, estimator):
    train, valid = data
    model = estimator().fit(train, eval_set=valid)
    rows = np.random.default_rng(0).permutation(train.n_documents)
    turned = rf.Dataset(train.X[rows], train.y[rows], qid=train.qid[rows])
    other = estimator(n_jobs=3).fit(turned, eval_set=valid)
    np.testing.assert_array_equal(other.predict(valid), model.predict(valid))


def test_warm_start_goes_on_as_if_it_had_never_paused(data):
    train, _ = data
    model = dart(n_estimators=9, warm_start=True).fit(train)
    model.set_params(n_estimators=20).fit(train)
    assert model.model_ == dart().fit(train).model_


def test_stages_that_would_lie_are_refused(data):
    train, valid = data
    with pytest.raises(NotFittedError):
        dart().staged_predict(valid)
    model = dart().fit(train)
    with pytest.raises(ValueError, match="later rounds changed the weights"):
        model[:3]
    with pytest.raises(ValueError, match=r"model_\.staged_predict has the first k trees"):
        model.staged_predict(valid)
    *_, last = model.model_.staged_predict(valid)
    np.testing.assert_array_equal(last, model.predict(valid))


class TestXDart:
    def test_it_drops_trees_for_good(self, data):
        train, valid = data
        model = xdart().fit(train, eval_set=valid)
        assert model.best_iteration_ == 20
        assert model.model_.n_trees < 20
        assert clone(model).fit(train, eval_set=valid).model_ == model.model_

    def test_it_needs_a_set_to_decide_on(self, data):
        train, _ = data
        with pytest.raises(ValueError, match="needs eval_set or validation_fraction"):
            xdart().fit(train)
        assert xdart(validation_fraction=0.3).fit(train).deciding_set_ == "validation"

    def test_it_starts_afresh(self, data):
        train, valid = data
        with pytest.raises(ValueError, match="warm_start must be False"):
            xdart(warm_start=True).fit(train, eval_set=valid)
        start = rf.LambdaMART(**SMALL).fit(train)
        with pytest.raises(ValueError, match="X-DART starts afresh"):
            xdart().fit(train, eval_set=valid, init_model=start)


def test_dart_goes_on_from_sums_of_trees_alone(data):
    train, _ = data
    start = rf.LambdaMART(**SMALL).fit(train)
    assert dart().fit(train, init_model=start).model_.n_rounds == 40
    forest = rf.RandomForest(n_estimators=3).fit(train)
    with pytest.raises(ValueError, match="adds up single trees"):
        dart().fit(train, init_model=forest)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"drop_rate": 1.1}, r"drop_rate must be in \[0, 1\], got 1.1"),
        ({"skip_drop": -0.1}, r"skip_drop must be in \[0, 1\]"),
        ({"max_drop": 0}, "max_drop must be an integer >= 1 or None"),
        ({"drop_selection": "any"}, '"uniform" or "weighted"'),
        ({"drop_normalization": "any"}, '"tree" or "forest"'),
    ],
)
def test_unusable_parameters_are_refused(data, parameters, message):
    with pytest.raises(ValueError, match=message):
        dart(**parameters).fit(data[0])


@pytest.mark.parametrize("algorithm", ["dart", "xdart"])
def test_the_command_trains_them(capsys, tmp_path, algorithm):
    files = write_files(tmp_path)
    path = tmp_path / "m.rf"
    ended = call(
        capsys, "ltr-train", "--algorithm", algorithm, "--train", files / "train.txt",
        "--valid", files / "valid.txt", "--model", path, "--n-estimators", 6,
        "--drop-rate", 0.5, "--max-drop", "none", "--min-samples-leaf", 2, "--n-jobs", 1,
    )  # fmt: skip
    assert ended.status == 0, ended.err
    train, valid = (rf.read_letor(files / f"{name}.txt") for name in ("train", "valid"))
    estimator = {"dart": rf.DART, "xdart": rf.XDART}[algorithm]
    expected = estimator(n_estimators=6, drop_rate=0.5, max_drop=None, min_samples_leaf=2)
    np.testing.assert_array_equal(
        rf.load(path).predict(valid), expected.fit(train, eval_set=valid).predict(valid)
    )
