"""Weights of documents, queries and pairs, and grades too far apart for what they train."""

import warnings

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import (
    IGBRT,
    MART,
    Dataset,
    ExtraTrees,
    LambdaMART,
    RandomForest,
    evaluate,
    permutation_importance,
)


def small_lambdamart(**params):
    return LambdaMART(**{"n_estimators": 7, "max_leaf_nodes": 7, "min_samples_leaf": 2, **params})


@pytest.fixture(scope="module")
def data():
    return make_data()


@pytest.fixture(scope="module")
def weights():
    return np.random.default_rng(5).uniform(0.0, 3.0, size=len(make_data()[0]))


def scores_of(model, data, **fit):
    X, y, qid = data
    return model.fit(X, y, qid=qid, **fit).predict(X)


class TestPairsOfWeightedDocuments:
    @pytest.mark.parametrize("norm", ["none", "log", "gap", "gap_log"])
    @pytest.mark.parametrize("weighting", ["mean", "product"])
    def test_weigh_what_a_function_would_make_of_the_weights(self, data, weights, weighting, norm):
        def by_hand(grades_better, grades_worse, better, worse):
            if weighting == "product":
                return weights[better] * weights[worse]
            return (weights[better] + weights[worse]) / 2.0

        named = small_lambdamart(pair_weighting=weighting, lambda_norm=norm)
        custom = small_lambdamart(pair_weighting=by_hand, lambda_norm=norm)
        np.testing.assert_array_equal(
            scores_of(named, data, sample_weight=weights), scores_of(custom, data)
        )

    def test_are_another_model_under_each_weighting(self, data, weights):
        mean = scores_of(small_lambdamart(), data, sample_weight=weights)
        product = scores_of(small_lambdamart(pair_weighting="product"), data, sample_weight=weights)
        assert not np.array_equal(mean, product)
        assert not np.array_equal(mean, scores_of(small_lambdamart(), data))

    @pytest.mark.parametrize("leaf", ["newton", "mean"])
    def test_of_one_weight_count_as_their_query(self, data, leaf):
        of_query = np.random.default_rng(1).uniform(0.5, 2.0, size=12)
        by_query = scores_of(small_lambdamart(leaf=leaf), data, sample_weight=of_query)
        by_document = scores_of(small_lambdamart(leaf=leaf), data, sample_weight=of_query[data[2]])
        np.testing.assert_array_equal(by_query, by_document)

    @pytest.mark.parametrize("weighting", ["mean", "product"])
    def test_give_a_model_its_own_leaves_when_they_are_refitted(self, data, weights, weighting):
        X, y, qid = data
        model = small_lambdamart(pair_weighting=weighting).fit(X, y, qid=qid, sample_weight=weights)
        refitted = model.model_.refit_leaves(X, y, qid=qid, sample_weight=weights, decay=0.0)
        np.testing.assert_array_equal(refitted.predict(X), model.predict(X))

    @pytest.mark.parametrize("weighting", ["mean", "product"])
    def test_of_weight_one_are_those_of_no_weights(self, data, weighting):
        model = small_lambdamart(pair_weighting=weighting)
        ones = np.ones(len(data[0]))
        np.testing.assert_array_equal(
            scores_of(model, data, sample_weight=ones), scores_of(model, data)
        )

    def test_of_weight_zero_say_nothing_under_product(self, data):
        X, y, qid = data
        keep = qid < 6
        weightless = np.where(keep, 1.0, 0.0)
        # Their documents take part in leaves, but not in what these say.
        model = small_lambdamart(pair_weighting="product", n_estimators=1, max_leaf_nodes=2)
        one = scores_of(model, (X, y, qid), sample_weight=weightless)
        other = scores_of(model, (X, np.where(keep, y, 2 - y), qid), sample_weight=weightless)
        np.testing.assert_array_equal(one, other)
        assert len(np.unique(one)) == 2

    def test_give_the_same_bits_on_any_number_of_threads_and_in_any_order(self, data, weights):
        X, y, qid = data
        expected = scores_of(small_lambdamart(n_jobs=1), data, sample_weight=weights)
        np.testing.assert_array_equal(
            scores_of(small_lambdamart(n_jobs=3), data, sample_weight=weights), expected
        )
        order = np.random.default_rng(2).permutation(len(X))
        shuffled = scores_of(
            small_lambdamart(), (X[order], y[order], qid[order]), sample_weight=weights[order]
        )
        np.testing.assert_array_equal(shuffled, expected[order])


class TestAFunctionThatWeighsPairs:
    def test_sees_every_pair_of_different_grades_once(self, data):
        X, y, qid = data
        seen = []

        def weigh(grades_better, grades_worse, better, worse):
            np.testing.assert_array_equal(grades_better, y[better])
            np.testing.assert_array_equal(grades_worse, y[worse])
            assert len(np.unique(qid[better])) == 1
            seen.extend(zip(better.tolist(), worse.tolist(), strict=True))
            return np.ones(len(better))

        small_lambdamart(pair_weighting=weigh).fit(X, y, qid=qid)
        expected = {
            (i, j) for i in range(len(y)) for j in range(len(y)) if qid[i] == qid[j] and y[i] > y[j]
        }
        assert len(seen) == len(expected)  # asked once, not in every round
        assert set(seen) == expected

    def test_sees_the_callers_rows_where_queries_are_held_out(self, data):
        X, y, qid = data
        queries = set()

        def weigh(grades_better, grades_worse, better, worse):
            np.testing.assert_array_equal(grades_better, y[better])
            np.testing.assert_array_equal(grades_worse, y[worse])
            queries.update(qid[better].tolist())
            return np.ones(len(better))

        model = small_lambdamart(pair_weighting=weigh, validation_fraction=0.25)
        model.fit(X, y, qid=qid)
        assert 0 < len(queries) <= 9

    def test_changes_no_bit_where_all_pairs_weigh_one(self, data):
        one = small_lambdamart(pair_weighting=lambda better, *_: np.ones(len(better)))
        np.testing.assert_array_equal(scores_of(one, data), scores_of(small_lambdamart(), data))

    def test_multiplies_the_mean_weight_of_the_documents(self, data, weights):
        def twice(better, *_):
            return np.full(len(better), 2.0)

        def by_hand(grades_better, grades_worse, better, worse):
            return (weights[better] + weights[worse]) / 2.0 * 2.0

        np.testing.assert_array_equal(
            scores_of(small_lambdamart(pair_weighting=twice), data, sample_weight=weights),
            scores_of(small_lambdamart(pair_weighting=by_hand), data),
        )

    def test_that_sees_one_query_only_trains_on_it_alone(self, data):
        X, y, qid = data

        def only_the_first(grades_better, grades_worse, better, worse):
            return (qid[better] == 0).astype(float)

        grades = y.copy()
        model = small_lambdamart(pair_weighting=only_the_first, n_estimators=1, max_leaf_nodes=2)
        one = scores_of(model, (X, grades, qid))
        grades[qid > 0] = (2 - y)[qid > 0]
        np.testing.assert_array_equal(scores_of(model, (X, grades, qid)), one)

    def test_is_remembered_as_the_callers_own(self, data):
        model = small_lambdamart(pair_weighting=lambda better, *_: np.ones(len(better)))
        scores_of(model, data)
        assert model.model_.parameters["pair_weighting"] == "custom"

    def test_keeps_leaves_from_being_refitted_without_it(self, data):
        X, y, qid = data
        model = small_lambdamart(pair_weighting=lambda better, *_: np.ones(len(better)))
        fitted = model.fit(X, y, qid=qid).model_
        with pytest.raises(ValueError, match=r"function that weighs pairs \(pair_weighting\)"):
            fitted.refit_leaves(X, y, qid=qid)

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            (lambda better: 1.0, r"weights of shape \(\d+,\), one for each pair it got"),
            (lambda better: -better, r"weights from 0 to 1e30; that of rows \d+ and \d+ .* is -"),
            (lambda better: better * np.nan, "weights from 0 to 1e30; .* is nan"),
            (lambda better: better * 1e31, r"weights from 0 to 1e30; .* is .*e\+31"),
            (lambda better: "heavy", "must return numbers as weights, got 'heavy'"),
        ],
    )
    def test_must_answer_with_a_weight_for_each_pair(self, data, answer, message):
        model = small_lambdamart(pair_weighting=lambda better, *_: answer(better))
        with pytest.raises(ValueError, match=f"pair_weighting must return .*{message}|{message}"):
            scores_of(model, data)

    def test_passes_its_own_errors_on(self, data):
        def fails(*_):
            raise KeyError("no such click")

        with pytest.raises(KeyError, match="no such click"):
            scores_of(small_lambdamart(pair_weighting=fails), data)

    def test_is_refused_beside_an_objective(self, data):
        model = small_lambdamart(
            pair_weighting=lambda *_: 1, objective=lambda scores, *_: (scores, scores)
        )
        with pytest.raises(ValueError, match="leave it or objective out"):
            scores_of(model, data)


class TestExtremeWeights:
    @pytest.mark.parametrize("model", [MART(), RandomForest(), LambdaMART()])
    def test_too_large_for_products_are_refused(self, model):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match=r"weight must be from 0 to 1e30; that of row 0 "):
            model.fit(X, y, qid=qid, sample_weight=np.full(len(X), 1.7e308))

    def test_too_large_to_average_are_refused_by_evaluate(self):
        with pytest.raises(
            ValueError, match=r"weight must be from 0 to 1e30; that of row 0 .* is 1e\+308"
        ):
            evaluate(([1, 0], ["a", "a"], [1e308, 1e308]), [1, 2], "ndcg")

    def test_at_the_bound_change_no_split(self):
        X, y, qid = make_data()
        heavy = np.full(len(X), 1e30)
        plain = MART(n_estimators=5).fit(X, y, qid=qid).predict(X)
        weighted = MART(n_estimators=5).fit(X, y, qid=qid, sample_weight=heavy).predict(X)
        np.testing.assert_allclose(weighted, plain, rtol=1e-6)
        value = evaluate((y, qid, heavy), X[:, 0], "ndcg")["ndcg"]
        assert value == evaluate((y, qid), X[:, 0], "ndcg")["ndcg"]

    def test_too_small_for_products_are_refused(self):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match=r"must not all be below 1e-30 .* largest is 1e-200"):
            MART().fit(X, y, qid=qid, sample_weight=np.full(len(X), 1e-200))

    @pytest.mark.parametrize("model", [MART(), RandomForest(), IGBRT(), LambdaMART()])
    def test_that_are_all_zero_after_rows_were_taken_are_named(self, model):
        X, y, qid = make_data()
        data = Dataset(X, y, qid=qid, weight=(qid == 0).astype(float))
        with pytest.raises(ValueError, match="weights must not be 0 for every document"):
            model.fit(data.take_rows(qid > 0))

    def test_that_leave_one_grade_are_named_as_what_keeps_trees_from_splitting(self):
        X, y, qid = make_data()
        with pytest.warns(UserWarning, match="every document whose weight is not 0 has grade 1"):
            MART(n_estimators=2).fit(X, y, qid=qid, sample_weight=(y == 1).astype(float))


class TestForestsOfWeightlessDocuments:
    def test_a_tree_that_drew_none_with_a_weight_votes_like_the_others(self):
        X, y, qid = make_data()
        weights = np.zeros(len(y))
        weights[3] = 1.0
        y[3] = 2.0
        with pytest.warns(UserWarning, match="every document whose weight is not 0 has grade 2"):
            forest = RandomForest(n_estimators=20).fit(X, y, qid=qid, sample_weight=weights)
        np.testing.assert_allclose(forest.predict(X), np.full(len(y), 2.0), rtol=1e-6)

    @pytest.mark.parametrize(
        "forest",
        [
            RandomForest(n_estimators=10),
            RandomForest(n_estimators=10, missing="third"),
            RandomForest(n_estimators=10, criterion="entropy"),
            RandomForest(n_estimators=10, criterion="pairwise"),
            RandomForest(n_estimators=10, criterion="random"),
            ExtraTrees(n_estimators=10),
            ExtraTrees(n_estimators=10, criterion="random"),
        ],
        ids=str,
    )
    def test_leaves_without_weight_stay_in_the_range_of_the_grades_with_one(self, forest):
        X, y, qid = make_data(n_queries=20, missing=0.1)
        weights = (qid % 4 == 0).astype(float)
        X[weights > 0.0] = np.nan_to_num(X[weights > 0.0])  # NaN among weightless documents only
        y = np.where(weights > 0.0, 2.0 + (y > 0), 0.0)
        scores = forest.fit(X, y, qid=qid, sample_weight=weights).predict(X)
        assert scores.min() > 2.0 - 1e-6
        assert scores.max() < 3.0 + 1e-6
        assert len(np.unique(scores)) > 2


class TestGradesFarApart:
    @pytest.mark.parametrize("metric", ["ndcg@10", "dcg", "meanndcg"])
    def test_are_warned_of_where_gains_are_exponential(self, metric):
        X, y, qid = make_data()
        message = r"grade 100 counts 2\^50 times as much as one of grade 50.*gain=linear"
        with pytest.warns(UserWarning, match=message):
            evaluate((50.0 * y, qid), X[:, 0], metric)

    def test_are_warned_of_before_training(self):
        X, y, qid = make_data()
        with pytest.warns(UserWarning, match=r"LambdaMART: .*Use 'ndcg@10\(gain=linear\)'"):
            small_lambdamart().fit(X, 50.0 * y, qid=qid)

    @pytest.mark.parametrize(
        ("model", "what"),
        [
            (RandomForest(relevance="exp2"), 'relevance="exp2".* Use relevance="grade"'),
            (ExtraTrees(criterion="listwise"), 'criterion="listwise".* Use criterion="pairwise"'),
            (IGBRT(forest=RandomForest(relevance="exp2")), 'forest.relevance="exp2"'),
        ],
        ids=["relevance", "criterion", "forest"],
    )
    def test_are_warned_of_where_trees_learn_exponential_gains(self, model, what):
        X, y, qid = make_data()
        with pytest.warns(UserWarning, match=f"what {what}") as caught:
            model.set_params(n_estimators=2).fit(X, 50.0 * y, qid=qid)
        assert len(caught) == 1
        assert caught[0].filename == __file__

    def test_are_warned_of_in_the_set_that_stops_training(self):
        X, y, qid = make_data()
        model = small_lambdamart(early_stopping_rounds=2)
        with pytest.warns(UserWarning, match="LambdaMART: evaluation set 'valid': the gain") as one:
            model.fit(X, y, qid=qid, eval_set=(X, 50.0 * y, qid))
        assert len(one) == 1
        assert one[0].filename == __file__

    def test_are_warned_of_in_the_set_that_weighs_trees(self):
        X, y, qid = make_data()
        forest = RandomForest(n_estimators=2, tree_weights="expected_ndcg", metric="map")
        with pytest.warns(UserWarning, match="set 'valid': what tree_weights=\"expected_ndcg\""):
            forest.fit(X, y, qid=qid, eval_set=(X, 50.0 * y, qid))

    def test_are_warned_of_by_importance(self):
        X, y, qid = make_data()
        model = MART(n_estimators=2).fit(X, y, qid=qid)
        with pytest.warns(UserWarning, match="permutation_importance: the gain of ndcg@10"):
            permutation_importance(model, (X, 50.0 * y, qid))

    @pytest.mark.parametrize("metric", ["ndcg@10(gain=linear)", "map", "mrr"])
    def test_are_nothing_to_warn_of_under_other_gains(self, metric):
        X, y, qid = make_data()
        small_lambdamart(metric=metric).fit(X, 50.0 * y, qid=qid)
        evaluate((50.0 * y, qid), X[:, 0], metric)

    def test_are_nothing_to_warn_of_without_gains(self):
        X, y, qid = make_data()
        RandomForest(n_estimators=2).fit(X, 50.0 * y, qid=qid)
        MART(n_estimators=2).fit(X, 50.0 * y, qid=qid)

    @pytest.mark.parametrize("grades", [[0, 1, 20], [0, 25, 25], [0, 5, 25]])
    def test_up_to_twenty_are_fine_and_one_positive_grade_always_is(self, grades):
        X, y, qid = make_data()
        evaluate((np.asarray(grades, dtype=float)[y.astype(int)], qid), X[:, 0], "ndcg")


class TestGradesBeyondFloat32:
    @pytest.mark.parametrize("model", [RandomForest, ExtraTrees, MART, IGBRT])
    def test_are_refused_where_trees_predict_them(self, model):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match=r"grades must be at most 3.4e38.* largest is 2e\+39"):
            model(n_estimators=2).fit(X, 1e39 * y, qid=qid)

    @pytest.mark.parametrize("forest", [RandomForest, ExtraTrees, IGBRT])
    def test_steps_are_warned_of(self, forest):
        X, y, qid = make_data()
        message = "float32, which has 0 steps between the grades 1000000000 and 1000000002: subtr"
        with pytest.warns(UserWarning, match=message):
            forest(n_estimators=2).fit(X, y + 1e9, qid=qid)

    def test_steps_are_many_where_the_grades_begin_near_zero_or_boosting_adds_the_mean(self):
        X, y, qid = make_data()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            RandomForest(n_estimators=2).fit(X, 1e30 * y, qid=qid)
            RandomForest(n_estimators=2).fit(X, y + 1000.0, qid=qid)
            scores = MART(n_estimators=20).fit(X, y + 1e9, qid=qid).predict(X)
        shifted = MART(n_estimators=20).fit(X, y, qid=qid).predict(X)
        np.testing.assert_allclose(scores - 1e9, shifted, atol=1e-4)
