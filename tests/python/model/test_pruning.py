"""Pruning: which trees go, what is left, and what the curve says."""

import numpy as np
import pytest

import rankforest as rf
from rankforest import _core
from rankforest.line_search import LineSearch
from rankforest.pruning import prune

METHODS = ["quality_loss", "score_loss", "low_weight", "last", "skip", "random"]


@pytest.fixture(scope="module")
def data():
    return rf.datasets.make_ranking(n_queries=120, n_features=8, random_state=3)


@pytest.fixture(scope="module")
def valid(data):
    return data.take(data.query_ids[60:])


@pytest.fixture(scope="module")
def model(data):
    train = data.take(data.query_ids[:60])
    return rf.LambdaMART(n_estimators=40, max_leaf_nodes=8, random_state=1).fit(train).model_


def ndcg(valid, model):
    return rf.evaluate(valid, model, "ndcg@10")["ndcg@10"]


def kept_trees(whole, pruned):
    """Name the trees of the whole model that are left, by their arrays."""

    def trees(model):
        [member] = model._ensemble.to_arrays()["members"]
        return [
            b"".join(tree[name].tobytes() for name in sorted(tree))
            for group in member["groups"]
            for tree in group["trees"]
        ]

    return [trees(whole).index(tree) for tree in trees(pruned)]


class TestTrees:
    def test_keeping_all_trees_keeps_the_model(self, model, valid):
        assert prune(model, valid, n_trees=40).model == model
        ones = np.ones(40)
        assert _core.reweighted(model._ensemble, ones) == model._ensemble

    @pytest.mark.parametrize("method", METHODS)
    def test_as_many_trees_are_left_as_asked_for(self, model, valid, method):
        pruned = prune(model, valid, method=method, n_trees=13, line_search=False)
        assert pruned.model.n_trees == 13
        assert prune(model, valid, method=method, fraction=0.25).model.n_trees <= 30

    def test_the_last_trees_go_first(self, model, valid):
        pruned = prune(model, valid, method="last", n_trees=25, line_search=False)
        assert pruned.model._ensemble == model[:25]._ensemble

    def test_skipping_keeps_trees_at_equal_distances(self, model, valid):
        pruned = prune(model, valid, method="skip", n_trees=10, line_search=False)
        assert kept_trees(model, pruned.model) == list(range(0, 40, 4))

    def test_quality_loss_keeps_those_without_which_the_metric_falls_most(self, model, valid):
        pruned = prune(model, valid, method="quality_loss", n_trees=30, line_search=False)
        losses = []
        for j in range(40):
            weights = np.ones(40)
            weights[j] = 0
            without = rf.Model(_core.reweighted(model._ensemble, weights), model._info)
            losses.append(ndcg(valid, model) - ndcg(valid, without))
        rounded = np.round(losses, 12)
        kept = kept_trees(model, pruned.model)
        gone = sorted(set(range(40)) - set(kept))
        assert rounded[kept].min() >= rounded[gone].max()

    def test_score_loss_keeps_those_that_move_scores_most(self, model, valid):
        pruned = prune(model, valid, method="score_loss", n_trees=30, line_search=False)
        columns = []
        for j in range(40):
            only = np.zeros(40)
            only[j] = 1
            alone = _core.reweighted(model._ensemble, only)
            columns.append(np.abs(alone.predict(valid.X, None, 1)))
        shares = (np.array(columns) / np.sum(columns, axis=0)).mean(axis=1)
        expected = np.sort(np.argsort(-shares)[:30])
        assert kept_trees(model, pruned.model) == expected.tolist()

    def test_low_weight_keeps_those_of_the_largest_weights(self, model, valid):
        search = LineSearch(max_iterations=1)
        pruned = prune(model, valid, method="low_weight", n_trees=30, line_search=search)
        trees = _core.WeightedTrees(model._ensemble, valid._core, rf.Metric("ndcg@10"), 1)
        trees.search(search._checked(), list(range(40)))
        expected = np.sort(np.argsort(-trees.weights, kind="stable")[:30])
        kept = kept_trees(model, pruned.model)
        assert len(set(kept) - set(expected)) == 0  # a weight may fall to 0 in the second search

    def test_random_goes_by_the_seed(self, model, valid):
        def kept(seed):
            pruned = prune(
                model, valid, method="random", n_trees=20, line_search=False, random_state=seed
            )
            return kept_trees(model, pruned.model)

        assert kept(1) == kept(1) != kept(2)


class TestWeights:
    def test_new_weights_are_better_on_the_data_that_they_were_searched_on(self, model, valid):
        old = prune(model, valid, n_trees=15, line_search=False)
        new = prune(model, valid, n_trees=15)
        assert ndcg(valid, new.model) > ndcg(valid, old.model)

    def test_without_a_lowest_weight_trees_may_be_subtracted(self, model, valid, tmp_path):
        def least_weight(pruned):
            groups = pruned._ensemble.to_arrays()["members"][0]["groups"]
            return min(group["weight"] for group in groups)

        upside_down = valid._with(y=valid.y.max() - valid.y)
        free = LineSearch(max_iterations=1, window=2.0, lowest=-np.inf)
        pruned = prune(model, upside_down, n_trees=15, line_search=free).model
        assert least_weight(pruned) < 0
        assert least_weight(prune(model, upside_down, n_trees=15).model) > 0
        pruned.save(tmp_path / "m.rf")
        np.testing.assert_array_equal(
            rf.load(tmp_path / "m.rf").predict(valid), pruned.predict(valid)
        )

    def test_threads_change_nothing(self, model, valid):
        one = prune(model, valid, n_trees=15, n_jobs=1)
        assert prune(model, valid, n_trees=15, n_jobs=3).model == one.model

    def test_a_pruned_model_is_saved_and_says_what_was_done(self, model, valid, tmp_path):
        pruned = prune(model, valid, n_trees=15).model
        pruned.save(tmp_path / "m.rf")
        again = rf.load(tmp_path / "m.rf")
        np.testing.assert_array_equal(again.predict(valid), pruned.predict(valid))
        assert again.parameters["pruning"] == {
            "method": "score_loss",
            "metric": "ndcg@10",
            "n_trees": 15,
        }

    def test_forests_and_weighted_groups_are_pruned(self, data, valid):
        forest = rf.RandomForest(n_estimators=20, random_state=0).fit(data)
        pruned = prune(forest, valid, n_trees=8, line_search=False).model
        assert pruned.n_trees == 8


class TestCurve:
    def test_the_whole_model_stands_first(self, model, valid):
        found = prune(model, valid, n_trees=10, sizes=[30, 20, 10])
        assert [size.n_trees for size in found.curve] == [40, 30, 20, 10]
        whole = found.curve[0]
        assert whole.metric == whole.metric_reweighted == pytest.approx(ndcg(valid, model))
        assert whole.p_value == 1.0
        assert all(size.microseconds > 0 for size in found.curve)

    def test_without_line_search_both_figures_are_one(self, model, valid):
        found = prune(model, valid, n_trees=10, line_search=False)
        assert found.curve[-1].metric == found.curve[-1].metric_reweighted

    def test_queries_are_judged_by_what_the_others_chose(self, model, valid):
        found = prune(model, valid, method="last", sizes=[20], n_trees=20, line_search=False)
        assert found.curve[1].metric == pytest.approx(ndcg(valid, model[:20]))

    def test_no_more_is_lost_than_allowed(self, model, valid):
        found = prune(model, valid, max_loss=0.01)
        kept = next(s for s in found.curve if s.n_trees <= found.model.n_trees or s.p_value == 1)
        sizes = {size.n_trees: size for size in found.curve}
        assert found.curve[0].n_trees == 40
        if found.model.n_trees in sizes:
            assert found.whole - sizes[found.model.n_trees].metric_reweighted <= 0.01
        assert kept.n_trees <= 40

    def test_any_loss_is_allowed_where_the_bound_is_large(self, model, valid):
        found = prune(model, valid, max_loss=1.0, sizes=[2, 1], line_search=False)
        assert found.model.n_trees == 1

    def test_it_prints_and_becomes_a_frame_and_a_plot(self, model, valid):
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("Agg")
        found = prune(model, valid, n_trees=10, line_search=False)
        assert "kept 10 of 40 trees by score_loss" in str(found)
        frame = found.to_frame()
        assert list(frame["n_trees"]) == [40, 10]
        ax = found.plot()
        assert ax.get_ylabel() == "ndcg@10"
        matplotlib.pyplot.close(ax.figure)


class TestArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"n_trees": 0}, r"n_trees must be in \[1, 40\], got 0"),
            ({"n_trees": 41}, r"n_trees must be in \[1, 40\], got 41"),
            ({"fraction": 1.0}, r"fraction must be in \(0, 1\), got 1.0"),
            ({"max_loss": -1.0}, "max_loss must be >= 0, got -1.0"),
            ({"fraction": 0.5, "n_trees": 3}, "only one can be given"),
            ({"method": "best"}, "method must be one of quality_loss, score_loss"),
            ({"metric": "rmse"}, "metric must be a metric of rankings"),
            ({"sizes": [50]}, r"sizes must be in \[1, 40\], got 50"),
        ],
    )
    def test_what_cannot_be_done_is_refused(self, model, valid, arguments, message):
        with pytest.raises(ValueError, match=message):
            prune(model, valid, **arguments)

    def test_a_model_that_combines_within_queries_is_refused(self, model, valid):
        with pytest.raises(ValueError, match="only the trees of a model that sums"):
            prune(rf.blend([model, model]), valid)

    def test_data_of_other_columns_is_refused(self, model, data):
        narrow = rf.Dataset(data.X[:, :3], data.y, qid=data.qid)
        with pytest.raises(ValueError, match="X has 3 features, but Model is expecting 8"):
            prune(model, narrow)


def test_queries_count_by_their_weights_as_they_do_in_the_metric():
    data = rf.datasets.make_ranking(n_queries=30, random_state=5)
    weight = 1.0 + data.query_codes % 4
    weighted = rf.Dataset(data.X, data.y, qid=data.qid, weight=weight)
    model = rf.MART(n_estimators=8).fit(weighted).model_
    found = rf.prune(model, weighted, n_trees=4, metric="map")
    assert found.curve[0].n_trees == 8
    expected = rf.evaluate(weighted, model, "map")["map"]
    assert found.curve[0].metric == pytest.approx(expected, rel=1e-12)
    assert expected != pytest.approx(rf.evaluate(data, model, "map")["map"], rel=1e-6)
