"""The objectives of LambdaMART that have a name."""

import pickle

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.base import clone

import rankforest as rf
from rankforest._settings.parameters import OBJECTIVES
from rankforest.cli.train import command
from rankforest.estimators.objectives import OPTIONS

DRAWN = ("yetirank", "yetiloss", "xe_ndcg")


@pytest.fixture(scope="module")
def data():
    return rf.datasets.make_ranking(n_queries=60, random_state=3).train_test_split(0.5)


def small(objective, **parameters):
    given = {"n_estimators": 8, "max_leaf_nodes": 6, **parameters}
    return rf.LambdaMART(objective=objective, **given)


def scores_of(model, data):
    train, test = data
    return model.fit(train).predict(test).tolist()


def test_every_name_says_which_options_it_has():
    assert tuple(OPTIONS) == OBJECTIVES
    names = set(rf.LambdaMART().get_params())
    assert frozenset().union(*OPTIONS.values()) <= names


def test_each_objective_is_a_model_of_its_own_that_ranks(data):
    found = {name: small(name, n_estimators=40).fit(data[0]) for name in OBJECTIVES}
    scores = {tuple(model.predict(data[1])) for model in found.values()}
    assert len(scores) == len(OBJECTIVES)
    chance = rf.evaluate(data[1], np.zeros(data[1].n_documents), ["ndcg@10"])["ndcg@10"]
    for name, model in found.items():
        assert model.score(data[1]) > chance + 0.1, name


@pytest.mark.parametrize("name", OBJECTIVES)
def test_threads_copies_and_files_change_no_bit(data, name, tmp_path):
    model = small(name, n_jobs=1)
    scores = scores_of(model, data)
    assert scores_of(clone(model).set_params(n_jobs=3), data) == scores
    assert pickle.loads(pickle.dumps(model)).predict(data[1]).tolist() == scores
    model.model_.save(tmp_path / "model.rf")
    assert rf.load(tmp_path / "model.rf").predict(data[1]).tolist() == scores


@pytest.mark.parametrize("name", DRAWN)
def test_neither_the_order_of_rows_nor_the_names_of_queries_change_a_model(data, name):
    train, test = data
    order = np.random.default_rng(5).permutation(train.n_documents)
    renamed = [f"query {q * 7 % 101}" for q in np.asarray(train.qid)[order]]
    shuffled = rf.Dataset(np.asarray(train.X)[order], np.asarray(train.y)[order], qid=renamed)
    assert scores_of(small(name), (shuffled, test)) == scores_of(small(name), data)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_only_drawn_gradients_depend_on_the_seed(data, name):
    first, second = (scores_of(small(name, random_state=seed), data) for seed in (1, 2))
    assert (first == second) is (name not in DRAWN)


def test_none_is_the_default_and_is_recorded_as_ever(data):
    train, _ = data
    default = small("lambdarank").fit(train).model_
    assert small(None, n_permutations=3, noise=0.5, decay=0.5, mu=1.0).fit(train).model_ == default
    assert not {"objective", "n_permutations", "noise", "decay", "mu"} & set(default.parameters)


@pytest.mark.parametrize("name", OBJECTIVES[1:])
def test_a_model_records_the_options_that_it_depends_on(data, name):
    given = {"n_permutations": 3, "noise": 0.5, "decay": 0.5, "mu": 1.0}
    parameters = small(name, **given).fit(data[0]).model_.parameters
    assert parameters["objective"] == name
    recorded = {option: parameters[option] for option in given if option in parameters}
    assert recorded == {option: given[option] for option in OPTIONS[name]}


@pytest.mark.parametrize(
    ("name", "option", "other"),
    [
        ("yetirank", "n_permutations", 2),
        ("yetirank", "noise", 0.25),
        ("yetirank", "decay", 0.5),
        ("yetirank", "truncation", 2),
        ("yetiloss", "n_permutations", 2),
        ("yetiloss", "metric", "map"),
        ("yetiloss", "metric", "mrr"),
        ("yetiloss", "metric", "err(gmax=4)"),
        ("ndcg_loss2++", "mu", 1.0),
        ("ndcg_loss2++", "sigma", 2.0),
        ("xe_ndcg", "leaf", "mean"),
    ],
)
def test_options_change_a_model(data, name, option, other):
    assert scores_of(small(name, **{option: other}), data) != scores_of(small(name), data)


@pytest.mark.parametrize("name", DRAWN)
def test_training_goes_on_as_if_it_had_not_stopped(data, name):
    train, _ = data
    model = small(name, warm_start=True).set_params(n_estimators=3).fit(train)
    model.set_params(n_estimators=8).fit(train)
    assert model.model_ == small(name).fit(train).model_


@pytest.mark.parametrize("name", OBJECTIVES)
def test_refitting_to_the_training_data_gives_the_model_back(data, name):
    train, test = data
    model = small(name, random_state=9).fit(train).model_
    same = model.refit_leaves(train, decay=0.0)
    assert same.predict(test).tolist() == model.predict(test).tolist()


def test_weights_of_queries_count(data):
    train, test = data
    weights = np.where(np.asarray(train.qid) % 2 == 0, 1.0, 3.0)
    weighted = rf.Dataset(train.X, train.y, qid=train.qid, weight=weights)
    for name in OBJECTIVES:
        assert scores_of(small(name), (weighted, test)) != scores_of(small(name), data)


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        (rf.LambdaMART(objective="ndcg"), 'objective must be "lambdarank" or "yetirank"'),
        (rf.MART(objective="yetirank"), "objective must be a callable or None, got 'yetirank'"),
        (small("yetirank", n_permutations=0), "n_permutations must be an integer >= 1"),
        (small("yetirank", noise=-1.0), "noise must be >= 0"),
        (small("yetirank", decay=0.0), r"decay must be in \(0, 1\]"),
        (small("ndcg_loss2++", mu=-1.0), "mu must be >= 0"),
        (small("ndcg_loss2++", metric="map"), "metric must be ndcg or dcg for objective="),
        (small("yetiloss", metric="rmse"), "metric=rmse has no change under a swap"),
        (small("xe_ndcg", pair_weighting=lambda *_: 1), "has no pairs that pair_weighting"),
    ],
)
def test_what_does_not_fit_is_refused(data, model, complaint):
    with pytest.raises(ValueError, match=complaint):
        model.fit(data[0])


def test_any_metric_will_do_where_it_weighs_no_pairs(data):
    for name in ("yetirank", "xe_ndcg"):
        small(name, metric="rmse").fit(data[0])


def test_the_command_line_takes_the_names(data, tmp_path):
    train, test = data
    rf.write_letor(tmp_path / "train.txt", train)
    text = rf.read_letor(tmp_path / "train.txt")
    ended = CliRunner().invoke(
        command,
        [
            "--algorithm", "lambdamart", "--objective", "yetirank", "--n-permutations", "4",
            "--n-estimators", "8", "--max-leaf-nodes", "6",
            "--train", str(tmp_path / "train.txt"), "--model", str(tmp_path / "model.rf"),
        ],
    )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    expected = scores_of(small("yetirank", n_permutations=4), (text, test))
    assert rf.load(tmp_path / "model.rf").predict(test).tolist() == expected


def test_the_command_line_refuses_a_ranking_objective_of_mart(tmp_path):
    ended = CliRunner().invoke(
        command,
        ["--algorithm", "mart", "--objective", "yetirank", "--train", "a", "--model", "b"],
    )
    assert ended.exit_code == 2
    assert "objective" in ended.output
