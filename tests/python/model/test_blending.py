"""Blends of models: by definition, in files and JSON, and weights that are searched."""

import json
import pickle
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

import rankforest as rf
from rankforest import _core
from rankforest.blending import blend
from rankforest.line_search import LineSearch

COMBINATIONS = ["minmax", "borda", "zscore", "sum"]


@pytest.fixture(scope="module")
def data():
    """Queries of 1 to 15 documents, those of one feature value included."""
    return rf.datasets.make_ranking(
        n_queries=90, n_documents=(1, 15), n_features=6, n_grades=3, random_state=5
    )


@pytest.fixture(scope="module")
def parts(data):
    train = data.take(data.query_ids[:50])
    forest = rf.RandomForest(n_estimators=8, random_state=1).fit(train)
    boosted = rf.LambdaMART(n_estimators=12, min_samples_leaf=2, random_state=2).fit(train)
    shallow = rf.MART(n_estimators=5, max_depth=1).fit(train)
    return [forest.model_, boosted.model_, shallow.model_]


def scaled(scores, qid, combine):
    """Bring scores to a common scale, query by query, by definition."""
    result = np.array(scores, float)
    for query in np.unique(qid):
        s = np.asarray(scores)[qid == query]
        if combine == "minmax":
            spread = s.max() - s.min()
            result[qid == query] = (s - s.min()) / spread if spread > 0 else 0.5
        elif combine == "borda":
            below = (s[:, None] > s[None, :]).sum(axis=1)
            result[qid == query] = below + ((s[:, None] == s[None, :]).sum(axis=1) - 1) / 2
        elif combine == "zscore":
            result[qid == query] = (s - s.mean()) / s.std() if np.ptp(s) > 0 else 0.0
    return result


def by_definition(models, data, weights, combine):
    total = sum(
        w * scaled(m.predict(data), data.query_codes, combine)
        for m, w in zip(models, weights, strict=True)
    )
    return total / sum(weights) if combine in {"minmax", "zscore"} else total


class TestScores:
    @pytest.mark.parametrize("combine", COMBINATIONS)
    @pytest.mark.parametrize("weights", [None, [1, 2, 0.25], [0, 1, 3]])
    def test_a_blend_scores_as_numpy_says(self, data, parts, combine, weights):
        blended = blend(parts, weights=weights, combine=combine)
        expected = by_definition(parts, data, weights or [1, 1, 1], combine)
        np.testing.assert_allclose(blended.predict(data), expected, rtol=1e-6, atol=1e-12)
        assert (
            blended.predict(data)
            == blended._ensemble.predict(data.X, np.ascontiguousarray(data.query_codes), 1)
        ).all()

    @pytest.mark.parametrize("combine", COMBINATIONS)
    def test_blends_nest(self, data, parts, combine):
        bag = blend(parts[:2], combine="minmax")
        nested = blend([bag, parts[2]], weights=[3, 1], combine=combine)
        expected = by_definition([bag, parts[2]], data, [3, 1], combine)
        np.testing.assert_allclose(nested.predict(data), expected, rtol=1e-9, atol=1e-12)

    def test_a_query_of_one_document_has_a_score(self, data, parts):
        for combine, score in [("minmax", 0.5), ("borda", 0.0), ("zscore", 0.0)]:
            blended = blend(parts, weights=[1, 2, 3], combine=combine)
            assert blended.predict(data.X[:1], [7]).tolist() == [score]

    def test_equal_weights_are_as_good_as_none(self, parts):
        assert blend(parts, weights=[2, 2, 2]) == blend(parts)
        assert "blends" not in blend(parts)._ensemble.to_arrays()

    def test_staged_scores_are_those_of_the_first_rounds(self, data, parts):
        blended = blend(parts, weights=[1, 2, 3], combine="zscore")
        stages = list(blended.staged_predict(data))
        assert len(stages) == blended.n_rounds == 12
        for k in (1, 5, 12):
            np.testing.assert_array_equal(stages[k - 1], blended[:k].predict(data))
            expected = by_definition([m[:k] for m in parts], data, [1, 2, 3], "zscore")
            np.testing.assert_allclose(stages[k - 1], expected, rtol=1e-9, atol=1e-12)

    def test_only_a_sum_of_sums_is_scored_in_part(self, data, parts):
        total = blend(parts, weights=[1, 2, 3], combine="sum")
        within = total.predict_within(data, early_exit=rf.EarlyExit(every=2, fraction=0.3))
        assert within.n_evaluations < total.n_trees * data.n_documents
        nested = blend([blend(parts), parts[0]], weights=[1, 2], combine="sum")
        with pytest.raises(ValueError, match="cannot be scored in part"):
            nested.predict_within(data, early_exit=rf.EarlyExit(every=2, fraction=0.3))
        with pytest.raises(ValueError, match="it needs qid"):
            nested.predict(data.X)


class TestFiles:
    @pytest.fixture
    def blended(self, parts):
        return blend([blend(parts[:2]), parts[2]], weights=[1, 0.3], combine="zscore")

    def test_a_saved_blend_is_the_same(self, blended, data, tmp_path):
        for save in (blended.save, blended.save_json):
            save(tmp_path / "m")
            again = rf.load(tmp_path / "m")
            assert again == blended
            np.testing.assert_array_equal(again.predict(data), blended.predict(data))

    def test_the_json_form_says_how_columns_are_combined(self, blended, tmp_path):
        blended.save_json(tmp_path / "m.json")
        model = json.loads((tmp_path / "m.json").read_text())
        assert "combine" not in model
        assert model["blends"] == [
            {
                "combine": "minmax",
                "terms": [{"column": 0, "weight": 1.0}, {"column": 1, "weight": 1.0}],
            },
            {
                "combine": "zscore",
                "terms": [{"column": 3, "weight": 1.0}, {"column": 2, "weight": 0.3}],
            },
        ]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda b: b.clear(), "there are no blends"),
            (lambda b: b[0].update(combine="best"), "must be one of sum, minmax, borda, zscore"),
            (lambda b: b[0]["terms"][0].update(column=5), "column is 5, expected one of the 3"),
            (lambda b: b[1]["terms"][0].update(weight=-1), "weight is -1, expected a finite"),
            (lambda b: b[1]["terms"][0].update(share=1), r"blends\[1\].terms\[0\].share: unknown"),
            (lambda b: b[1].update(extra=1), r"blends\[1\].extra: unknown key"),
            (lambda b: b.pop(), "column 2 is a term of 0 blends"),
        ],
    )
    def test_a_blend_that_cannot_be_is_refused(self, blended, tmp_path, change, message):
        blended.save_json(tmp_path / "m.json")
        model = json.loads((tmp_path / "m.json").read_text())
        change(model["blends"])
        (tmp_path / "m.json").write_text(json.dumps(model))
        with pytest.raises(ValueError, match=message):
            rf.load(tmp_path / "m.json")

    def test_a_blend_pickles(self, blended):
        assert pickle.loads(pickle.dumps(blended)) == blended


class TestSearch:
    def test_found_weights_are_at_least_as_good_on_the_data(self, data, parts):
        valid = data.take(data.query_ids[50:])
        for combine in COMBINATIONS:
            found = blend(parts, valid, combine=combine, metric="ndcg@5")
            history = found.parameters["history"]
            equal = rf.evaluate(valid, blend(parts, combine=combine), "ndcg@5")["ndcg@5"]
            best = rf.evaluate(valid, found, "ndcg@5")["ndcg@5"]
            assert history[0] == pytest.approx(equal, abs=1e-12)
            assert history[-1] == pytest.approx(best, abs=1e-9)
            assert best >= equal

    def test_one_line_is_searched_as_by_brute_force(self, data, parts):
        valid = data.take(data.query_ids[50:])
        search = LineSearch(max_iterations=1, n_points=21, window=1.0)
        found = blend(parts[:2], valid, metric="map", line_search=search).parameters["weights"]
        grid = np.linspace(0, 2, 21)

        def value(weights):
            return rf.evaluate(valid, blend(parts[:2], weights=weights), "map")["map"]

        first = max((value([w, 1.0]) for w in grid), default=0)
        assert value([found[0], 1.0]) == pytest.approx(first, abs=1e-12)
        second = max(value([found[0], w]) for w in grid if found[0] + w > 0)
        assert value(found) == pytest.approx(second, abs=1e-12)

    @pytest.fixture
    def good_and_bad(self, data):
        valid = data.take(data.query_ids[50:])
        noise = valid._with(y=np.random.default_rng(0).permutation(valid.y))
        return [rf.MART(n_estimators=30).fit(each) for each in (valid, noise)], valid

    def test_a_useless_model_is_left_out(self, good_and_bad):
        found = blend(*good_and_bad, metric="ndcg@10")
        assert found.parameters["weights"][1] < found.parameters["weights"][0]

    def test_no_weight_is_moved_below_the_lowest(self, good_and_bad):
        def weight_of_bad(lowest):
            found = blend(*good_and_bad, line_search=LineSearch(n_points=21, lowest=lowest))
            return found.parameters["weights"][1]

        assert weight_of_bad(0.0) < 0.9 <= weight_of_bad(0.9)

    def test_threads_change_nothing(self, data, parts):
        one = blend(parts, data, combine="zscore", n_jobs=1)
        assert blend(parts, data, combine="zscore", n_jobs=3) == one

    def test_python_and_cpp_have_the_same_defaults(self):
        assert asdict(LineSearch()) == _core.LineSearch.defaults()


class TestImportances:
    def test_members_on_a_common_scale_have_the_share_of_their_weight(self, parts):
        shares = [each.feature_importances() / each.feature_importances().sum() for each in parts]
        for combine in ("minmax", "borda", "zscore"):
            found = blend(parts, weights=[1, 2, 5], combine=combine).feature_importances()
            np.testing.assert_allclose(found, np.average(shares, axis=0, weights=[1, 2, 5]))
            equal = blend(parts, combine=combine).feature_importances()
            np.testing.assert_allclose(equal, np.mean(shares, axis=0))

    def test_of_a_sum_gains_are_multiplied_by_weights(self, parts):
        found = blend(parts, weights=[1, 2, 5], combine="sum").feature_importances()
        gains = [w * m.feature_importances() for w, m in zip([1, 2, 5], parts, strict=True)]
        np.testing.assert_allclose(found, np.sum(gains, axis=0))

    def test_split_counts_know_no_weights(self, parts):
        found = blend(parts, weights=[1, 2, 5]).feature_importances("split")
        expected = np.sum([each.feature_importances("split") for each in parts], axis=0)
        np.testing.assert_array_equal(found, expected)


class TestFeatures:
    def frames(self, data):
        frame = pd.DataFrame(data.X, columns=list("abcdef"))
        return frame, data.y, data.qid

    def test_features_are_matched_by_name(self, data):
        X, y, qid = self.frames(data)
        first = rf.MART(n_estimators=4).fit(X[list("abcd")], y, qid=qid).model_
        second = rf.MART(n_estimators=4).fit(X[list("fedc")], y, qid=qid).model_
        blended = blend([first, second], weights=[1, 2])
        assert blended.feature_names == ("a", "b", "c", "d", "f", "e")
        expected = (
            scaled(first.predict(X), data.query_codes, "minmax")
            + 2 * scaled(second.predict(X), data.query_codes, "minmax")
        ) / 3
        np.testing.assert_allclose(blended.predict(X, qid), expected, rtol=1e-12)

    def test_models_of_other_columns_are_refused(self, data):
        X, y, qid = self.frames(data)
        named = rf.MART(n_estimators=2).fit(X, y, qid=qid)
        wide = rf.MART(n_estimators=2).fit(data.X, y, qid=qid)
        narrow = rf.MART(n_estimators=2).fit(data.X[:, :3], y, qid=qid)
        assert blend([named, wide]).feature_names == tuple("abcdef")
        with pytest.raises(ValueError, match=r"models\[1\] has 3 features where another has 6"):
            blend([wide, narrow])
        with pytest.raises(ValueError, match="trained on the same columns"):
            blend([named, narrow])

    def test_models_of_another_missing_number_are_refused(self, data):
        plain = rf.MART(n_estimators=2).fit(data)
        odd = rf.MART(n_estimators=2).fit(rf.Dataset(data.X, data.y, qid=data.qid, missing=-1))
        with pytest.raises(ValueError, match="number that means missing, is None in models"):
            blend([plain, odd])


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"weights": [1]}, "weights must have one for each of the 3 models"),
            ({"weights": [1, -1, 1]}, "weights must be finite numbers >= 0, got -1"),
            ({"weights": [1, float("nan"), 1]}, "weights must be finite numbers >= 0, got nan"),
            ({"weights": [0, 0, 0]}, "weights must not all be 0"),
            ({"combine": "mean"}, "combine must be one of minmax, borda, zscore, sum, got 'mean'"),
        ],
    )
    def test_what_makes_no_blend_is_refused(self, parts, arguments, message):
        with pytest.raises(ValueError, match=message):
            blend(parts, **arguments)

    def test_no_models_and_no_model_are_refused(self, data):
        with pytest.raises(ValueError, match="at least one model"):
            blend([])
        with pytest.raises(TypeError, match="each of models must be a Model"):
            blend([data])

    def test_a_search_needs_a_metric_of_rankings_and_grades(self, data, parts):
        with pytest.raises(ValueError, match="metric must be a metric of rankings"):
            blend(parts, data, metric="rmse")
        with pytest.raises(TypeError, match="data must be a Dataset, got ndarray"):
            blend(parts, data.X)
        with pytest.raises(ValueError, match="LineSearch: n_points must be an integer >= 2, got 1"):
            blend(parts, data, line_search=LineSearch(n_points=1))
        for lowest in (np.inf, np.nan, "0", True):
            with pytest.raises(ValueError, match="lowest must be a number below infinity, got"):
                blend(parts, data, line_search=LineSearch(lowest=lowest))
        with pytest.raises(ValueError, match=r"lowest must be >= 0, got -0\.5"):
            blend(parts, data, line_search=LineSearch(lowest=-0.5))
