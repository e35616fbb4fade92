"""The thesis's experiments: what trains them, and how its tables measure and lay them out."""

import json
from dataclasses import replace

import numpy as np
import pytest

import rankforest as rf
from bench.papers import __main__ as program
from bench.papers import catalog, declare, folds, measures, report, runs
from bench.papers.cost_aware import CostAware, costs_of
from bench.papers.declare import Algorithm, DataSet, Paper, Table
from bench.papers.estimate import Estimate
from bench.papers.mohan2010 import _letor_features, make_data, table_2_3, table_3_2, table_6_1
from bench.papers.pointwise import PointWise, weights_of
from bench.papers.transferred import Transferred
from bench.papers.tree_curves import Curves
from rankforest.cli.run import run
from rankforest.datasets import make_ranking
from rankforest.transfer import SourceFeatures, select_source, shared_features, with_features

NAMES = list(catalog.names()["mohan2010"])


@pytest.fixture(scope="module")
def data():
    return [make_ranking(20, 8, 6, n_grades=3, random_state=seed) for seed in (1, 2, 3)]


def test_all_tables_and_figures_of_the_thesis_with_algorithms_are_there():
    assert [
        *(f"figure {number}" for number in ("2_1", "2_2", "2_3", "6_1", "6_2")),
        *(f"table {n}" for n in ("2_1", "2_2", "2_3", "2_4", "3_1", "3_2", "3_3")),
        *(f"table {n}" for n in ("4_2", "5_1", "5_2", "6_1")),
        *(f"table {n}" for n in ("claims", "claims_costs", "claims_transfer")),
    ] == NAMES


class TestPointWise:
    def test_it_is_the_estimator_of_the_name(self, data):
        train, valid, test = data
        given = {"parameters": {"max_depth": 2}, "n_estimators": 7, "random_state": 3}
        model = PointWise(estimator="MART", **given).fit(train, eval_set=valid)
        own = rf.MART(n_estimators=7, max_depth=2, random_state=3).fit(train)
        assert np.array_equal(model.predict(test), own.predict(test))
        assert model.best_iteration_ == 7

    def test_several_are_averaged_on_all_queries(self, data):
        train, valid, test = data
        model = PointWise(parameters={"max_features": 2}, n_estimators=4, n_bags=3)
        model.fit(train, eval_set=valid)
        members = [
            rf.MART(n_estimators=4, max_features=2, random_state=member.random_state)
            for member in model.estimator_.members_
        ]
        assert len({each.random_state for each in members}) == 3
        mean = np.mean([each.fit(train).predict(test) for each in members], axis=0)
        np.testing.assert_allclose(model.predict(test), mean, rtol=1e-6)

    def test_trees_of_boosting_behind_a_forest_are_counted_from_its_end(self, data):
        train, valid, test = data
        model = PointWise(estimator="IGBRT", n_estimators=6, forest_trees=5)
        model.fit(train, eval_set=valid)
        forest = rf.RandomForest(n_estimators=5, max_features=0.1)
        own = rf.IGBRT(n_estimators=6, forest=forest).fit(train).model_
        assert np.array_equal(model.predict(test), own.predict(test))
        found = measures.measure("2 trees: rmse", model, {"measured": test}, 0.0).mean
        assert found == rf.evaluate(test, own[:7].predict(test), "rmse")["rmse"]

    def test_zeros_are_missing_where_that_is_said(self, data):
        train, valid, test = (
            rf.Dataset(np.maximum(each.X, 0), each.y, qid=each.qid) for each in data
        )
        own = [rf.Dataset(each.X, each.y, qid=each.qid, missing=0) for each in (train, test)]
        for missing in ("mean", "third"):
            given = {"missing": missing, "max_features": 2}
            model = PointWise(
                estimator="RandomForest", parameters=given, n_estimators=5, zero_is_missing=True
            ).fit(train, eval_set=valid)
            forest = rf.RandomForest(n_estimators=5, **given).fit(own[0])
            assert np.array_equal(model.predict(test), forest.predict(own[1]))

    def test_what_is_missing_is_predicted_by_a_filler_of_the_training_data(self, data):
        train, valid, test = (
            rf.Dataset(np.where(each.X > 1, np.nan, each.X), each.y, qid=each.qid) for each in data
        )
        model = PointWise(estimator="RandomForest", n_estimators=3, predict_missing=True)
        model.fit(train, eval_set=valid)
        filler = rf.MissingFiller(random_state=0).fit(train)
        forest = rf.RandomForest(n_estimators=3).fit(filler.transform(train))
        assert np.array_equal(model.predict(test), forest.predict(filler.transform(test)))

    def test_weights_of_classification_are_found_again(self, data):
        train, valid, _ = data
        expected = {"expected": (-1, -1, 2), "square": (-1, -3, 4), "exp2": (-1, -2, 4)}
        for scoring, weights in expected.items():
            model = PointWise(
                estimator="RandomForest",
                parameters={"ordinal": True, "ordinal_scoring": scoring},
                n_estimators=5,
            ).fit(train, eval_set=valid)
            np.testing.assert_allclose(weights_of(model.model_, train), weights, atol=1e-4)
            third, fourth = (
                measures.measure(f"weight {i}", model, {"measured": valid}, 0.0).mean
                for i in (2, 3)
            )
            assert third == pytest.approx(weights[2], abs=1e-4)
            assert np.isnan(fourth)


class TestTransferred:
    """The source has the first five features, the target the last five, by their own names."""

    @pytest.fixture
    def sets(self, data):
        train, valid, source = data
        target = [rf.Dataset(each.X[:, 1:], each.y, qid=each.qid) for each in (train, valid)]
        return [*target, rf.Dataset(source.X[:, :5], source.y, qid=source.qid)]

    GIVEN = {"names": {"source": "abcde", "target": "bcdef"}, "n_estimators": 5}  # noqa: RUF012

    def test_documents_are_added_by_the_features_of_both(self, sets):
        train, valid, source = sets
        named = [
            each._with(feature_names=tuple(names))
            for each, names in ((train, "bcdef"), (source, "abcde"))
        ]
        shared = shared_features(named[1], named[0])
        assert shared == tuple("bcde")
        chosen = select_source(named[1], named[0], 0.25)
        both = rf.concat(
            [with_features(named[0], shared), with_features(chosen.data, shared)], queries="rename"
        )
        for percent, data in ((25.0, both), (0.0, with_features(named[0], shared))):
            model = Transferred(**self.GIVEN, percent=percent)
            model.fit(train, eval_set=valid, source=source)
            own = rf.RandomForest(n_estimators=5).fit(data)
            scores = own.predict(with_features(valid._with(feature_names=tuple("bcdef")), shared))
            assert np.array_equal(model.predict(valid), scores)

    @pytest.mark.parametrize("kinds", ["Q", "QPC"])
    def test_what_a_forest_of_the_source_says_is_added(self, sets, kinds):
        train, valid, source = sets
        model = Transferred(**self.GIVEN, kinds=kinds, source_trees=4, only_shared=False)
        model.fit(train, eval_set=valid, source=source)
        of_source = rf.RandomForest(n_estimators=4, ordinal=kinds != "Q").fit(
            with_features(source._with(feature_names=tuple("abcde")), list("bcde"))
        )
        named = [each._with(feature_names=tuple("bcdef")) for each in (train, valid)]
        added = SourceFeatures(of_source, kinds).fit(named[0])
        own = rf.RandomForest(n_estimators=5).fit(added.transform(named[0]))
        assert np.array_equal(model.predict(valid), own.predict(added.transform(named[1])))

    def test_the_source_is_scaled_within_its_queries_and_its_grades_by_a_factor(self, sets):
        train, valid, source = sets
        scaled = source.with_query_features("minmax").X[:, 5:]
        same = rf.Dataset(scaled, source.y / 2, qid=source.qid)
        models = [
            Transferred(**self.GIVEN, percent=100.0, **more).fit(train, eval_set=valid, source=of)
            for of, more in ((source, {"query_level": True, "grade_scale": 0.5}), (same, {}))
        ]
        assert np.array_equal(*(each.predict(valid) for each in models))


def test_45_features_of_letor_4_are_also_those_of_mslr():
    letor, mslr = _letor_features.LETOR4, _letor_features.MSLR
    assert (len(letor), len(set(letor))) == (46, 46)
    assert (len(mslr), len(set(mslr))) == (136, 136)
    assert set(letor) - set(mslr) == {"child pages"}
    # As in the publishers' lists, counted from 1.
    assert [letor.index(name) + 1 for name in ("bm25 body", "lmir.jm whole")] == [21, 40]
    assert [mslr.index(name) + 1 for name in ("bm25 body", "tf*idf body")] == [106, 71]


class TestCostAware:
    def test_costs_are_of_five_groups(self):
        assert costs_of(7).tolist() == [1, 3, 9, 27, 81, 1, 3]

    def test_a_document_costs_its_trees_and_their_features_once(self, data):
        train, valid, test = data
        model = CostAware(
            parameters={"max_depth": 2}, n_estimators=6, relevant_from=2, n_jobs=1
        ).fit(train, eval_set=valid)
        binary = rf.Dataset(train.X, train.y >= 2, qid=train.qid)
        whole = rf.MART(n_estimators=6, max_depth=2).fit(binary).model_
        for trees in (1, 3, 6):
            first = model.first(test, trees)
            used = np.flatnonzero(whole[:trees].feature_importances("split"))
            assert first.cost == pytest.approx(trees + costs_of(6)[used].sum())
            assert np.array_equal(first.scores, whole[:trees].predict(test))

    def test_the_lowest_of_the_whole_set_exit_with_the_score_that_they_have(self, data):
        train, valid, test = data
        given = {"parameters": {"max_depth": 2}, "n_estimators": 4, "exit_every": 2}
        model = CostAware(**given, relevant_from=1, exit_percent=25, n_jobs=1)
        model.fit(train, eval_set=valid)
        found = model.first(test, 4)
        half, whole = model.model_[:2].predict(test), model.model_.predict(test)
        n_leaving = test.n_documents // 4
        cut = np.sort(half)[n_leaving]  # those that tie with it stay
        leaves = half < cut
        assert 0 < leaves.sum() <= n_leaving
        assert np.array_equal(found.scores, np.where(leaves, half, whole))
        everybody = CostAware(**given, relevant_from=1, n_jobs=1).fit(train, eval_set=valid)
        assert found.cost < everybody.first(test, 4).cost

    def test_the_best_size_is_that_of_the_validation_set(self, data):
        train, valid, test = data
        model = CostAware(n_estimators=12, relevant_from=1, n_jobs=1).fit(train, eval_set=valid)
        assert model.sizes == [1, 2, 5, 10, 12]
        sets = {"valid": valid, "measured": test}
        for metric in ("p@5", "pooled: auc"):

            def of(size, each, metric=metric):
                scores = model.first(each, size).scores
                return measures.evaluated(each, scores, metric).mean

            best = max(model.sizes, key=lambda size: of(size, valid))
            assert measures.measure(f"best: {metric}", model, sets, 0.0).mean == of(best, test)
            cost = measures.measure(f"cost at best: {metric}", model, sets, 0.0).mean
            assert cost == model.first(test, best).cost

    def test_pooled_auc_is_the_share_of_all_pairs_in_the_right_order(self, data):
        _, _, test = data
        scores = test.X[:, 0].round(1).astype(float)
        found = measures.evaluated(test, scores, "pooled: auc").mean
        good, bad = scores[test.y > 0], scores[test.y == 0]
        pairs = np.sign(good[:, None] - bad[None, :])
        assert found == pytest.approx((pairs.mean() + 1) / 2)


class TestFramework:
    def test_a_prefix_tells_sets_of_one_folder_apart(self, tmp_path, data):
        for name in ("set1.train", "set1.valid", "set1.test", "set2.train", "set2.valid"):
            rf.write_letor(tmp_path / f"{name}.txt", data[0])
        paper = catalog.load("mohan2010", "table 2_2").paper
        (fold,) = folds.find_at(tmp_path, "yahoo1", paper.data["yahoo1"])
        assert fold.train[0].name == "set1.train.txt"
        with pytest.raises(ValueError, match="yahoo2"):
            folds.find_at(tmp_path, "yahoo2", paper.data["yahoo2"])
        rf.write_letor(tmp_path / "set2.test.txt", data[0])
        (fold,) = folds.find_at(tmp_path, "yahoo2", paper.data["yahoo2"])
        assert [each[0].name for each in (fold.train, fold.valid, fold.test)] == [
            "set2.train.txt",
            "set2.valid.txt",
            "set2.test.txt",
        ]

    def test_a_target_needs_its_source_and_depends_on_what_is_in_it(self, tmp_path, data):
        for name in ("target", "source"):
            (tmp_path / name).mkdir()
            for part, each in zip(("train", "vali", "test"), data, strict=True):
                rf.write_letor(tmp_path / name / f"{part}.txt", each)
        table = Table(
            title="Doe 2020, table 1",
            paper=Paper("Doe", {k: DataSet(k, {"map": "map"}) for k in ("target", "source")}, ""),
            algorithms={"more": Algorithm("Transferred", {"n_estimators": 2, "percent": 10.0})},
            published={"target": {"more": (None,)}},
            sources={"target": "source"},
        )
        declare.check(table)
        found = program._find(table, [(None, tmp_path)])
        (task,) = runs.tasks(table, found, 1)
        assert task.identity["source"] == found["source"][0].digest()
        done = runs.complete([task], tmp_path / "r.jsonl", 1)
        assert 0 < done[task.key]["map"].mean < 1
        assert "Not at hand" not in report.markdown(table, [task], done)
        with pytest.raises(ValueError, match="what source adds to it, which was not found"):
            program._find(table, [("target", tmp_path / "target")])

    def test_curves_have_a_column_for_each_size(self):
        curves = Curves((1, 10), ("map",), cost="cost")
        spelled = curves.spelled({"map": "map", "cost": "cost"})
        assert spelled == {
            "map 1 trees": "1 trees: map",
            "map 10 trees": "10 trees: map",
            "cost 1 trees": "1 trees: cost",
            "cost 10 trees": "10 trees: cost",
        }
        table = Table(
            title="t",
            paper=Paper("p", {"tiny": DataSet("Tiny", spelled)}, ""),
            algorithms={"a": Algorithm("CostAware", {})},
            published={"tiny": {"a": (None,) * 4}},
            layout=curves,
        )
        declare.check(table)
        values = {"map 1 trees": 0.5, "map 10 trees": 0.75, "cost 1 trees": 4, "cost 10 trees": 31}
        measured = {("tiny", "a", name): Estimate(value, None) for name, value in values.items()}
        assert curves(table, measured).splitlines()[-1] == (
            "| Tiny | MAP | a | 0.5000 \\ 4 | 0.7500 \\ 31 |"
        )
        assert "| 0.5000 | 0.7500 |" in replace(curves, cost=None)(table, measured)


class TestMakeData:
    def test_the_first_whole_queries_are_taken(self, data):
        assert make_data.first_documents(data[0], 20).n_queries == 2
        assert make_data.first_documents(data[0], 16).n_queries == 2
        assert make_data.first_documents(data[0], 3).n_queries == 1

    def test_the_sample_is_divided_without_its_cut_queries(self, data, tmp_path):
        for part, each in zip(("train", "test"), data, strict=False):
            rf.write_letor(tmp_path / f"msn1.fold1.{part}.5k.txt", each)
        parts = make_data.sample(tmp_path)
        assert [parts[name].n_queries for name in ("train", "valid", "test")] == [14, 5, 19]
        ids = [*parts["train"].query_ids, *parts["valid"].query_ids]
        assert ids == rf.read_letor(tmp_path / "msn1.fold1.train.5k.txt").query_ids[:-1].tolist()


def test_times_are_shown_as_shares_of_that_with_all_features():
    table = table_2_3.TABLE
    measured = {
        ("yahoo2", name, measure): Estimate(value, None)
        for name, seconds in (("k=10", 2.0), ("k=700", 8.0))
        for measure, value in zip(
            table.data["yahoo2"].measures, (0.6, 0.4, 0.7, seconds), strict=True
        )
    }
    rows = table_2_3.layout(table, measured).splitlines()
    cells = rows[2].strip("| ").split(" | ")
    assert cells[5:7] == ["2.00", "0.25"]
    assert cells[-2:] == ["65", "0.14"]


def test_weights_that_a_set_of_few_grades_does_not_have_are_left_out():
    values = (-1.0, -1.1, 2.0, float("nan"), float("nan"))
    measured = {
        ("mq2008", "training", measure): Estimate(value, None)
        for measure, value in zip(table_3_2.MEASURES, values, strict=True)
    }
    row = table_3_2.layout(table_3_2.TABLE, measured).splitlines()[-1]
    assert row.startswith("| MQ2008 | training | -1.0000 | -1.1000 | 2.0000 | - | - | - |")


def test_the_values_of_the_thesis_stand_with_their_costs():
    published = table_6_1.TABLE.published["yahoo1"]
    assert published["rf, lambda=1, exits=20%"][:2] == (0.24927, 3494.8)
    assert published["sgbrt, lambda=1, exits=0%"] == (0.26133, 1297, 0.00834, 1080, 0.78317, 1609)
    assert published["sgbrt, lambda=1, exits=20%"] == (None,) * 6


@pytest.mark.filterwarnings("ignore:.*the model is constant")
@pytest.mark.parametrize("name", NAMES)
def test_a_quick_run_of_each_trains_measures_and_shows(name, data, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(runs, "QUICK_TREES", 3)
    for folder in ("mq2008", "mslr-sample"):
        width = 46 if folder == "mq2008" else 136
        place = tmp_path / folder
        place.mkdir()
        for part, each in zip(("train", "vali", "test"), data, strict=True):
            wide = rf.Dataset(np.resize(each.X, (len(each.X), width)), each.y, qid=each.qid)
            rf.write_letor(place / f"{part}.txt", wide)
    kind, number = name.split(" ")
    results = tmp_path / "r.jsonl"
    given = ["mohan2010", f"--{kind}", number, "--data", tmp_path, "--quick", "--results", results]
    if kind == "figure":
        pytest.importorskip("matplotlib")
        given += ["--draw", tmp_path / "figure.png"]
    assert run(program.main, list(map(str, given))) == 0
    assert "| MQ2008 |" in capsys.readouterr().out
    assert (kind == "figure") == (tmp_path / "figure.png").exists()
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert lines
    assert all(line["rounds"] > 0 for line in lines)
