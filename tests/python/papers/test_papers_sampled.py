"""Models on samples of queries and out of pools, and how the tables of BL-MART lay them out."""

import json

import numpy as np
import pytest

from bench.papers import __main__ as program
from bench.papers import catalog, declare, sampled
from bench.papers.blmart2011 import table_5
from bench.papers.declare import Algorithm
from bench.papers.estimate import Estimate, Measured
from rankforest import BaggedLambdaMART, LambdaMART, write_letor
from rankforest.cli.run import run
from rankforest.datasets import make_ranking

SMALL = {"max_leaf_nodes": 4, "min_samples_leaf": 2, "max_features": 2}


@pytest.fixture(autouse=True)
def _pools(tmp_path, monkeypatch):
    monkeypatch.setattr(sampled, "POOLS", tmp_path / "pools")


@pytest.fixture(scope="module")
def data():
    return [make_ranking(20, 8, 4, n_grades=3, random_state=seed) for seed in (1, 2)]


def test_a_model_on_a_sample_is_trained_on_that_share_of_the_queries(data):
    train, valid = data
    model = sampled.OnSample(parameters=SMALL, n_estimators=5, fraction=0.5, random_state=3)
    drawn = np.random.RandomState(3).permutation(np.unique(train.qid))[:10]
    of_drawn = LambdaMART(n_estimators=5, random_state=3, **SMALL)
    of_drawn.fit(train.take_rows(np.isin(train.qid, drawn)))
    assert np.array_equal(model.fit(train, eval_set=valid).predict(valid), of_drawn.predict(valid))
    assert model.best_iteration_ == 5


def test_a_pool_is_trained_once_for_all_bags_of_it(data, monkeypatch):
    train, valid = data
    given = {"parameters": SMALL, "n_estimators": 5, "pool_size": 4}
    first = sampled.PooledBag(**given, n_bags=2, random_state=7).fit(train, eval_set=valid)
    pool = BaggedLambdaMART(n_bags=4, n_estimators=5, **SMALL).fit(train)
    assert first.model_ == pool.bag_of(2, random_state=7)
    (path,) = sampled.POOLS.glob("*.rf")

    def train_nothing(*_args, **_named):
        raise AssertionError

    monkeypatch.setattr(BaggedLambdaMART, "fit", train_nothing)
    again = sampled.PooledBag(**given, n_bags=3, random_state=1).fit(train, eval_set=valid)
    assert again.model_ == pool.bag_of(3, random_state=1)
    with pytest.raises(AssertionError):  # another pool
        sampled.PooledBag(**{**given, "n_estimators": 6}).fit(train, eval_set=valid)
    assert list(sampled.POOLS.glob("*.rf")) == [path]


def test_first_rounds_are_those_of_one_model(data):
    train, valid = data
    whole = LambdaMART(n_estimators=9, **SMALL).fit(train)
    for rounds in (2, 5):
        part = sampled.FirstRounds(parameters=SMALL, n_estimators=9, rounds=rounds)
        part.fit(train, eval_set=valid)
        assert np.array_equal(part.predict(valid), whole[:rounds].predict(valid))
    assert len(list(sampled.POOLS.glob("*.rf"))) == 1


def test_the_variance_is_that_over_the_seeds_of_a_fold_averaged_over_the_folds():
    # Fold 1: 0.1, 0.4, 0.4 of variance 0.03; fold 2: 0.3, 0.4, 0.5 of variance 0.01.
    means = {1: [0.1, 0.3], 2: [0.4, 0.4], 3: [0.4, 0.5]}
    estimate = Estimate.of({seed: [Measured(m, []) for m in of] for seed, of in means.items()})
    assert estimate.variance == pytest.approx(0.02)
    assert Estimate.of({1: [Measured(0.1, [])]}).variance is None


def test_variances_are_compared_with_those_of_single_models():
    table = table_5.TABLE
    measured = {
        ("mslr", "bl-mart", "map"): Estimate(0.37, None, (), 5e-7),
        ("mslr", "lambdamart-randomised", "map"): Estimate(0.36, None, (), 2e-6),
    }
    rows = [line.strip("| ").split(" | ") for line in table_5.layout(table, measured).splitlines()]
    assert rows[2][1:] == ["MAP", "lambdamart-randomised", "0.3600", "2.0", "+0%", "0.3665", "1.3"]
    assert rows[3][1:] == ["MAP", "bl-mart", "0.3700", "0.5", "-75%", "0.3690", "0.9"]


def test_an_algorithm_has_parameters_of_its_own_on_a_data_set():
    algorithm = Algorithm("MART", {"max_depth": 2}, by_data={"a": {"max_depth": 5}})
    assert algorithm.on("a").resolved()["max_depth"] == 5
    assert algorithm.on("b").resolved()["max_depth"] == 2


def test_the_tables_of_blmart_name_what_there_is():
    names = list(catalog.names()["blmart2011"])
    assert names == ["figure 2", "figure 4", "figure 2_train", "table 4", "table 5", "table claims"]
    for name in names:
        declare.check(catalog.load("blmart2011", name))


@pytest.mark.parametrize(
    "what", [("--table", "4"), ("--table", "5"), ("--figure", "2"), ("--figure", "4")]
)
def test_a_quick_run_of_each_trains_measures_and_shows(what, data, tmp_path, capsys):
    for name, each in zip(("train", "vali", "test"), [*data, data[1]], strict=True):
        (tmp_path / "mq2008" / "Fold1").mkdir(parents=True, exist_ok=True)
        write_letor(tmp_path / "mq2008" / "Fold1" / f"{name}.txt", each)
    results = tmp_path / "r.jsonl"
    arguments = ["blmart2011", *what, "--data", tmp_path, "--quick", "--results", results]
    assert run(program.main, list(map(str, arguments))) == 0
    shown = capsys.readouterr().out
    assert "| MQ2008 | NDCG@3 |" in shown
    assert len(results.read_text().splitlines()) >= 4
    assert all(json.loads(line)["rounds"] > 0 for line in results.read_text().splitlines())
