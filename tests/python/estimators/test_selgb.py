"""SelGB: what it trains on, round by round, and that it is an estimator like the others."""

import math
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import rankforest as rf
from rankforest import LambdaMART, SelGB
from rankforest.datasets import make_long_lists

KINDS = ["top", "random", "gradient", "mixed", "adaptive", "fixed_random", "fixed_feature"]
SMALL = {"n_estimators": 8, "max_leaf_nodes": 7, "min_samples_leaf": 2, "learning_rate": 0.3}


@pytest.fixture(scope="module")
def data():
    return make_long_lists(
        12, (20, 150), 8, positive_fraction=0.05, hard_fraction=0.3, random_state=4
    )


def small(**parameters):
    if parameters.get("selection") == "fixed_feature":
        parameters.setdefault("base_feature", "bm25")
    return SelGB(**{**SMALL, "negative_fraction": 0.1, **parameters})


def queries(data):
    """Yield the rows of the positives and of the negatives of each query."""
    for query in range(data.n_queries):
        rows = np.flatnonzero(data.query_codes == query)
        yield rows[data.y[rows] > 0], rows[data.y[rows] <= 0]


def highest(data, keys, fraction):
    """Sort the negatives of each query and take the share, rounded up."""
    kept = []
    for positives, negatives in queries(data):
        order = negatives[np.argsort(-keys[negatives], kind="stable")]
        kept += [*positives, *order[: math.ceil(fraction * len(negatives) - 1e-9)]]
    return np.sort(kept)


def adaptive(data, scores, fraction):
    """Give each query what it wants, up to the largest limit that keeps the total."""
    wanted, budget = [], 0
    for positives, negatives in queries(data):
        last = scores[positives].min() if len(positives) else np.inf
        above = 1 + int((scores[negatives] > last).sum())
        wanted.append(min(len(negatives), above))
        budget += math.ceil(fraction * len(negatives) - 1e-9)
    fits = [level for level in range(1, 200) if sum(min(w, level) for w in wanted) <= budget]
    limit = max(fits, default=1)
    kept = []
    for (positives, negatives), want in zip(queries(data), wanted, strict=True):
        order = negatives[np.argsort(-scores[negatives], kind="stable")]
        kept += [*positives, *order[: min(want, limit)]]
    return np.sort(kept)


class TestWhatTreesAreTrainedOn:
    @pytest.mark.parametrize("kind", ["top", "adaptive", "fixed_feature"])
    @pytest.mark.parametrize("every", [1, 3])
    def test_each_tree_is_lambdamarts_on_the_documents_that_a_naive_selection_takes(
        self, data, kind, every
    ):
        # Different scores for all: ties go by an order of the documents that are there.
        start = np.random.default_rng(5).permutation(data.n_documents) / data.n_documents
        bm25 = data.X[:, 0].astype(float)
        model = small(selection=kind, reselect_every=every).fit(data, init_score=start).model_
        rows = np.arange(data.n_documents)
        for number in range(1, 9):
            before = model[: number - 1] if number > 1 else None
            scores = start + (0.0 if before is None else before.predict(data))
            if kind == "fixed_feature":
                rows = highest(data, bm25, 0.1)
            elif number > 1 and number % every == 0:
                rows = (adaptive if kind == "adaptive" else highest)(data, scores, 0.1)
            chosen = np.zeros(data.n_documents, dtype=bool)
            chosen[rows] = True
            one_more = LambdaMART(**{**SMALL, "n_estimators": 1}).fit(
                data.take_rows(chosen), init_model=before, init_score=start[chosen]
            )
            np.testing.assert_array_equal(
                one_more.model_.predict(data), model[:number].predict(data), err_msg=f"{number}"
            )

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "adaptive"])
    @pytest.mark.parametrize("method", ["exact", "hist"])
    def test_all_negatives_make_it_lambdamart(self, data, kind, method):
        expected = LambdaMART(**SMALL, tree_method=method).fit(data)
        ours = small(selection=kind, negative_fraction=1.0, tree_method=method).fit(data)
        np.testing.assert_array_equal(ours.predict(data), expected.predict(data))

    def test_kinds_differ_and_keep_to_their_seed(self, data):
        made = {kind: small(selection=kind).fit(data).predict(data).tobytes() for kind in KINDS}
        assert len(set(made.values())) == len(KINDS)
        for kind in KINDS:
            other = small(selection=kind, random_state=1).fit(data).predict(data).tobytes()
            is_drawn = kind in ("random", "mixed", "fixed_random")
            assert (other != made[kind]) == is_drawn, kind

    def test_a_first_selection_after_the_last_round_leaves_lambdamart(self, data):
        ours = small(reselect_every=9).fit(data)
        np.testing.assert_array_equal(
            ours.predict(data), LambdaMART(**SMALL).fit(data).predict(data)
        )

    def test_the_share_of_queries_is_drawn_before_negatives_are_selected(self, data):
        whole = small().fit(data).predict(data)
        half = small(subsample=0.5).fit(data).predict(data)
        assert (whole != half).any()
        all_negatives = small(subsample=0.5, negative_fraction=1.0).fit(data)
        assert (all_negatives.predict(data) != LambdaMART(**SMALL).fit(data).predict(data)).any()

    @pytest.mark.parametrize("kind", KINDS)
    def test_threads_and_the_order_of_rows_change_nothing(self, data, kind):
        order = np.random.default_rng(0).permutation(data.n_documents)
        model = small(selection=kind, n_jobs=1).fit(data)
        shuffled = rf.Dataset(
            data.X[order], data.y[order], qid=data.qid[order], feature_names=data.feature_names
        )
        again = small(selection=kind, n_jobs=2).fit(shuffled)
        np.testing.assert_array_equal(again.predict(data), model.predict(data))


class TestEstimator:
    @pytest.mark.parametrize("kind", KINDS)
    def test_clones_and_pickles_train_and_score_the_same(self, data, kind):
        model = small(selection=kind).fit(data)
        np.testing.assert_array_equal(clone(model).fit(data).predict(data), model.predict(data))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict(data), model.predict(data))
        assert again.model_.algorithm == "selgb"
        assert again.model_.parameters["negative_fraction"] == 0.1

    @pytest.mark.parametrize("kind", KINDS)
    def test_warm_starts_and_initial_models_go_on_between_selections(self, data, kind):
        at_once = small(selection=kind, reselect_every=3).fit(data).model_
        warm = small(selection=kind, reselect_every=3, n_estimators=4, warm_start=True).fit(data)
        warm.set_params(n_estimators=8).fit(data)
        assert warm.model_ == at_once
        second = small(selection=kind, reselect_every=3, n_estimators=4)
        second.fit(data, init_model=at_once[:4])
        np.testing.assert_array_equal(second.predict(data), at_once.predict(data))

    def test_early_stopping_weights_and_callbacks_work_as_elsewhere(self, data):
        train, valid = data.train_test_split(0.5)
        seen = []
        model = small(n_estimators=60, early_stopping_rounds=5, callbacks=seen.append)
        model.fit(train, eval_set=valid)
        assert len(seen) == model.best_iteration_ + 5 or len(seen) == 60
        assert model.score(valid) == pytest.approx(model.best_score_)
        weights = np.where(train.y > 0, 2.0, 1.0)
        weighted = small().fit(train.X, train.y, qid=train.qid, sample_weight=weights)
        assert (weighted.predict(train) != small().fit(train).predict(train)).any()

    def test_leaves_are_refitted_to_all_documents_as_those_of_lambdamart(self, data):
        refitted = small().fit(data).model_.refit_leaves(data, decay=0.5)
        assert refitted.parameters["refit_leaves"] == [0.5]

    def test_the_base_feature_is_a_column_or_its_name(self, data):
        by_name = small(selection="fixed_feature", base_feature="match_1").fit(data).model_
        column = data.feature_names.index("match_1")
        assert by_name == small(selection="fixed_feature", base_feature=column).fit(data).model_
        assert by_name.parameters["base_feature"] == column

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"negative_fraction": 0.0}, r"negative_fraction must be in \(0, 1\], got 0.0"),
            ({"negative_fraction": 1.5}, r"negative_fraction must be in \(0, 1\]"),
            ({"reselect_every": 0}, r"reselect_every must be an integer >= 1, got 0"),
            ({"selection": "best"}, r'selection must be "top" or "random" or .*, got \'best\''),
            ({"top_share": -0.1}, r"top_share must be in \[0, 1\], got -0.1"),
            ({"base_feature": -1}, r"base_feature must be an integer >= 0 or the name"),
            ({"selection": "fixed_feature", "base_feature": None}, r"needs a base_feature"),
            ({"base_feature": 8}, r"base_feature must be below the number of features, 8, got 8"),
            ({"base_feature": "bm26"}, r"base_feature='bm26' is no feature .* it has 'bm25'"),
        ],
    )
    def test_unusable_parameters_are_named(self, data, parameters, message):
        with pytest.raises(ValueError, match=message):
            SelGB(**SMALL, **parameters).fit(data)

    def test_a_function_as_objective_is_refused_for_it_gets_whole_queries(self, data):
        with pytest.raises(ValueError, match=r"objective must be a name: a function gets whole"):
            SelGB(**SMALL, objective=lambda *_: None).fit(data)
