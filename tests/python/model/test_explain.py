"""Shapley values add up to scores, equal their definition, and those of other systems."""

import csv
import io
import itertools
import math

import lightgbm
import numpy as np
import pytest
from cli_cases import call
from hypothesis import given
from hypothesis import strategies as st
from model_cases import N_FEATURES, models

import rankforest as rf
from rankforest import _core

DATA = rf.datasets.make_ranking(n_queries=40, n_features=6, missing_fraction=0.2, random_state=1)


def with_counts(arrays, draw):
    """Give every leaf of a model in arrays some documents."""
    for member in arrays["members"]:
        for group in member["groups"]:
            for tree in group["trees"]:
                counts = draw(
                    st.lists(
                        st.integers(0, 9), min_size=len(tree["leaf"]), max_size=len(tree["leaf"])
                    )
                )
                tree["count"] = np.array(counts, dtype=np.uint32)
    return arrays


def documents_below(tree, child):
    if child < 0:
        return int(tree["count"][~child])
    return sum(documents_below(tree, below) for below in children_of(tree, child))


def children_of(tree, node):
    return list(dict.fromkeys(int(tree[side][node]) for side in ("left", "right", "missing")))


def next_of(tree, node, x):
    if x <= tree["threshold"][node]:
        return int(tree["left"][node])
    return int(tree["right" if x > tree["threshold"][node] else "missing"][node])


def expected_value(tree, x, known, child):
    """What a tree is expected to give where only the features in `known` are known."""
    if child < 0:
        return float(tree["leaf"][~child])
    feature = int(tree["feature"][child])
    if feature in known:
        return expected_value(tree, x, known, next_of(tree, child, x[feature]))
    children = children_of(tree, child)
    total = documents_below(tree, child)
    shares = [
        documents_below(tree, below) / total if total else 1 / len(children) for below in children
    ]
    values = [expected_value(tree, x, known, below) for below in children]
    return sum(share * value for share, value in zip(shares, values, strict=True))


def shapley(value_of, n):
    """Shapley values by their definition."""
    values = np.zeros(n)
    for feature in range(n):
        others = [f for f in range(n) if f != feature]
        for size in range(n):
            weight = math.factorial(size) * math.factorial(n - size - 1) / math.factorial(n)
            for known in itertools.combinations(others, size):
                values[feature] += weight * (value_of({*known, feature}) - value_of({*known}))
    return values


def each_tree(arrays):
    for member in arrays["members"]:
        for group in member["groups"]:
            weight = group["weight"]
            if group["reduction"] == "mean":
                weight /= len(group["trees"])
            for tree in group["trees"]:
                yield weight, tree


class TestDefinition:
    @given(data=st.data())
    def test_values_by_counts_equal_the_definition(self, data):
        arrays = with_counts(data.draw(models) | {"combine": "sum"}, data.draw)
        x = data.draw(
            st.lists(
                st.floats(-5, 5, width=32) | st.just(np.nan),
                min_size=N_FEATURES,
                max_size=N_FEATURES,
            )
        )
        row = np.array([x], dtype=np.float32)
        values, base = _core.explain(
            _core.Ensemble.from_arrays(arrays), row, background=None, n_jobs=1
        )

        def value_of(known):
            return sum(
                weight * expected_value(tree, row[0], known, 0 if len(tree["feature"]) else -1)
                for weight, tree in each_tree(arrays)
            )

        bases = sum(member["base"] for member in arrays["members"])
        size = float(sum(abs(w) * np.abs(tree["leaf"]).max() for w, tree in each_tree(arrays)))
        tolerance = 1e-9 + 1e-6 * size  # contributions are rounded to float32
        assert values[0] == pytest.approx(shapley(value_of, N_FEATURES), abs=tolerance)
        assert base == pytest.approx(bases + value_of(set()), abs=tolerance)


class TestOtherSystems:
    def test_values_are_those_of_lightgbm(self, tmp_path):
        settings = {
            "objective": "lambdarank",
            "num_leaves": 12,
            "verbose": -1,
            "min_data_in_leaf": 5,
        }
        train = lightgbm.Dataset(DATA.X, DATA.y, group=np.bincount(DATA.query_codes))
        booster = lightgbm.train(settings, train, 20)
        path = tmp_path / "m.txt"
        booster.save_model(path)
        theirs = booster.predict(DATA.X, pred_contrib=True)
        explained = rf.load(path).explain(DATA.X)
        assert explained.values == pytest.approx(theirs[:, :-1], abs=1e-5)
        assert explained.base_values == pytest.approx(theirs[:, -1], abs=1e-5)

    @pytest.mark.parametrize(
        "estimator",
        [
            rf.LambdaMART(n_estimators=10),
            rf.RandomForest(n_estimators=5, max_leaf_nodes=40),
            rf.MART(n_estimators=5, missing="third"),
        ],
        ids=str,
    )
    def test_what_is_exported_is_explained_alike(self, estimator, tmp_path):
        model = estimator.fit(DATA).model_
        ours = model.explain(DATA.X)
        model.export(tmp_path / "m.txt", "lightgbm")
        booster = lightgbm.Booster(model_file=str(tmp_path / "m.txt"))
        theirs = booster.predict(DATA.X, pred_contrib=True)
        assert ours.values == pytest.approx(theirs[:, :-1], abs=1e-5)
        xgboost = pytest.importorskip("xgboost")
        model.export(tmp_path / "m.json", "xgboost-json")
        booster = xgboost.Booster(model_file=str(tmp_path / "m.json"))
        theirs = booster.predict(
            xgboost.DMatrix(DATA.X), pred_contribs=True, validate_features=False
        )
        assert ours.values == pytest.approx(theirs[:, :-1], abs=1e-5)
        assert ours.base_values == pytest.approx(theirs[:, -1], abs=1e-5)

    def test_shap_explains_what_is_exported_alike(self, tmp_path):
        shap = pytest.importorskip("shap")
        model = rf.LambdaMART(n_estimators=10, missing="third").fit(DATA).model_
        model.export(tmp_path / "m.txt", "lightgbm")
        booster = lightgbm.Booster(model_file=str(tmp_path / "m.txt"))
        theirs = shap.TreeExplainer(booster).shap_values(DATA.X)
        assert model.explain(DATA.X).values == pytest.approx(theirs, abs=1e-5)

    def test_values_are_those_of_shap(self):
        shap = pytest.importorskip("shap")
        forest = rf.RandomForest(n_estimators=5, max_depth=4, bootstrap=False)
        data = rf.datasets.make_ranking(n_queries=30, n_features=5, random_state=2)
        model = forest.fit(data).model_
        background = data.X[:20]
        theirs = shap.explainers.Exact(model.predict, background)(data.X[:10])
        ours = model.explain(data.X[:10], background=background)
        assert ours.values == pytest.approx(theirs.values, abs=1e-5)
        assert isinstance(ours.to_shap(), shap.Explanation)


ESTIMATORS = [
    rf.RandomForest(n_estimators=4, bootstrap=False),
    rf.RandomForest(n_estimators=4, bootstrap=False, tree_method="hist", max_features=2),
    rf.RandomForest(n_estimators=3, bootstrap=False, criterion="entropy"),
    rf.ExtraTrees(n_estimators=4, missing="third"),
    rf.MART(n_estimators=4, missing="third"),
    rf.MART(n_estimators=4, tree_method="hist"),
    rf.MART(n_estimators=4, grow_policy="oblivious", min_samples_leaf=30, max_depth=5),
    rf.MART(n_estimators=4, grow_policy="oblivious", tree_method="hist", max_depth=5),
    rf.LambdaMART(n_estimators=4),
    rf.RankBoost(n_estimators=4),
]


class TestCounts:
    @pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
    def test_training_counts_the_documents_of_leaves(self, estimator):
        model = estimator.fit(DATA).model_
        assert model.with_node_counts(DATA) == model

    def test_a_bootstrap_counts_what_it_drew(self):
        model = rf.RandomForest(n_estimators=3).fit(DATA).model_
        frame = model.trees_to_frame()
        roots = frame[frame["node"] == "0"]["documents"]
        assert roots.tolist() == [DATA.n_documents] * 3

    def test_counts_are_no_part_of_a_score(self):
        model = rf.MART(n_estimators=4).fit(DATA).model_
        other = model.with_node_counts(DATA.X[:5])
        assert other != model
        assert other.predict(DATA).tolist() == model.predict(DATA).tolist()

    def test_counts_survive_files_and_json(self, tmp_path):
        model = rf.MART(n_estimators=4).fit(DATA).model_
        model.save_json(tmp_path / "m.json")
        assert rf.load(tmp_path / "m.json") == model
        assert rf.Model.from_bytes(model.to_bytes()).explain(DATA).values.tolist() == (
            model.explain(DATA).values.tolist()
        )

    def test_a_model_without_counts_says_so_and_can_be_given_some(self):
        arrays = rf.MART(n_estimators=4).fit(DATA).model_._ensemble.to_arrays()
        for _, tree in each_tree(arrays):
            del tree["count"]
        model = rf.Model(_core.Ensemble.from_arrays(arrays), _core.ModelInfo())
        with pytest.raises(ValueError, match=r"with_node_counts\(X\)"):
            model.explain(DATA.X)
        assert model.explain(DATA.X, background=DATA.X[:3]).values.shape == DATA.X.shape
        assert model.with_node_counts(DATA.X).explain(DATA.X).values.shape == DATA.X.shape


class TestSums:
    @pytest.mark.parametrize("background", [None, DATA.X[::50]], ids=["counts", "background"])
    @pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
    def test_values_add_up_to_the_score(self, estimator, background):
        model = estimator.fit(DATA).model_
        explained = model.explain(DATA, background=background)
        sums = explained.base_values + explained.values.sum(axis=1)
        assert sums == pytest.approx(model.predict(DATA), abs=1e-6)

    def test_a_feature_that_no_split_asks_for_adds_nothing(self):
        X = np.hstack([DATA.X, np.zeros((DATA.n_documents, 1), dtype=np.float32)])
        model = rf.MART(n_estimators=4).fit(X, DATA.y, qid=DATA.qid).model_
        assert not model.explain(X).values[:, -1].any()
        assert not model.explain(X, background=X[:9]).values[:, -1].any()

    def test_the_number_of_threads_changes_nothing(self):
        model = rf.MART(n_estimators=9).fit(DATA).model_
        one, three = (model.explain(DATA, n_jobs=n_jobs).values for n_jobs in (1, 3))
        assert one.tolist() == three.tolist()

    def test_linear_models_are_explained_against_documents(self):
        model = rf.RankSVM().fit(DATA).model_
        explained = model.explain(DATA, background=DATA)
        sums = explained.base_values + explained.values.sum(axis=1)
        assert sums == pytest.approx(model.predict(DATA), abs=1e-6)
        with pytest.raises(ValueError, match="linear part"):
            model.explain(DATA)


class TestRefusals:
    def test_combinations_within_queries_are_refused(self):
        bag = rf.BaggedLambdaMART(n_bags=2, n_estimators=2).fit(DATA).model_
        with pytest.raises(ValueError, match="combines scores of its members within queries"):
            bag.explain(DATA)

    def test_exits_are_refused(self):
        model = rf.MART(n_estimators=4).fit(DATA).model_
        with pytest.raises(ValueError, match="explain it without exits"):
            model.with_exits(rf.ExitSchedule([(2, 0.5)])).explain(DATA)

    def test_features_normalised_within_queries_are_refused(self):
        model = rf.RankSVM(query_normalization="zscore").fit(DATA).model_
        with pytest.raises(ValueError, match="normalises features within queries"):
            model.explain(DATA, background=DATA)

    def test_an_empty_background_is_refused(self):
        model = rf.MART(n_estimators=2).fit(DATA).model_
        with pytest.raises(ValueError, match="background must have at least one document"):
            model.explain(DATA, background=DATA.X[:0])

    def test_other_columns_are_refused(self):
        model = rf.MART(n_estimators=2).fit(DATA).model_
        for method in (model.explain, model.apply, model.with_node_counts):
            with pytest.raises(ValueError, match="features"):
                method(DATA.X[:, :3])


class TestOrder:
    MODEL = rf.LambdaMART(n_estimators=9).fit(DATA).model_

    def test_differences_add_up_to_the_difference_of_scores(self):
        query = DATA.query_ids[3]
        scores = self.MODEL.predict(DATA)[DATA.query_codes == 3]
        best, worst = int(scores.argmax()), int(scores.argmin())
        why = rf.explain_order(self.MODEL, DATA, query, best, worst)
        assert why["difference"].sum() == pytest.approx(scores[best] - scores[worst], abs=1e-6)
        sizes = why["difference"].abs().tolist()
        assert sizes == sorted(sizes, reverse=True)
        row = why[why["feature"] == DATA.feature_names[2]]
        value = DATA.X[DATA.query_codes == 3][best, 2]
        assert row["above"].tolist() == pytest.approx([value], nan_ok=True)

    def test_documents_are_known_by_their_ids(self):
        named = rf.Dataset(
            DATA.X, DATA.y, qid=DATA.qid, feature_names=DATA.feature_names,
            document_ids=[f"d{i}" for i in range(DATA.n_documents)],
        )  # fmt: skip
        by_name = rf.explain_order(self.MODEL, named, DATA.query_ids[0], "d1", "d0")
        assert by_name.equals(rf.explain_order(self.MODEL, DATA, DATA.query_ids[0], 1, 0))
        with pytest.raises(ValueError, match="above must be one of the query's document_ids"):
            rf.explain_order(self.MODEL, named, DATA.query_ids[0], "x", "d0")

    def test_query_features_are_those_of_the_whole_query(self):
        data = DATA.with_query_features("rank")
        model = rf.MART(n_estimators=5).fit(data).model_
        scores = model.predict(DATA)
        why = rf.explain_order(model, DATA, DATA.query_ids[0], 0, 1)
        assert why["difference"].sum() == pytest.approx(scores[0] - scores[1], abs=1e-6)

    def test_bad_arguments_are_named(self):
        query = DATA.query_ids[0]
        with pytest.raises(ValueError, match="query: "):
            rf.explain_order(self.MODEL, DATA, "no such", 0, 1)
        with pytest.raises(ValueError, match="below must be the place of a document"):
            rf.explain_order(self.MODEL, DATA, query, 0, 10**6)
        with pytest.raises(ValueError, match="two documents"):
            rf.explain_order(self.MODEL, DATA, query, 0, 0)
        with pytest.raises(TypeError, match="data must be a Dataset"):
            rf.explain_order(self.MODEL, DATA.X, query, 0, 1)


class TestTrees:
    MODEL = rf.MART(n_estimators=3, missing="third").fit(DATA).model_

    def test_leaves_have_the_numbers_of_the_frame(self):
        leaves = self.MODEL.apply(DATA)
        frame = self.MODEL.trees_to_frame()
        assert leaves.shape == (DATA.n_documents, 3)
        for tree in range(3):
            rows = frame[frame["tree"] == tree].set_index("node")
            values = [rows.loc[f"leaf {leaf}", "value"] for leaf in leaves[:, tree]]
            counts = np.bincount(leaves[:, tree])
            assert [
                rows.loc[f"leaf {i}", "documents"] for i in range(len(counts))
            ] == counts.tolist()
            assert len(set(values)) > 1
        base = sum(m["base"] for m in self.MODEL._ensemble.to_arrays()["members"])
        sums = base + sum(
            frame[frame["tree"] == tree].set_index("node").loc[
                [f"leaf {leaf}" for leaf in leaves[:, tree]], "value"
            ].to_numpy()
            for tree in range(3)
        )  # fmt: skip
        assert sums == pytest.approx(self.MODEL.predict(DATA), abs=1e-12)

    def test_the_frame_follows_the_children(self):
        frame = self.MODEL.trees_to_frame()
        rows = frame[frame["tree"] == 0].set_index("node")
        root = rows.loc["0"]
        children = {root["left"], root["right"], root["missing"]}
        assert rows.loc[list(children), "documents"].sum() == root["documents"]
        assert root["feature"] in DATA.feature_names
        assert math.isnan(root["value"])

    @pytest.mark.parametrize("library", ["polars", "pyarrow"])
    def test_other_libraries_frames_hold_the_same(self, library):
        frame = self.MODEL.trees_to_frame(library)
        expected = self.MODEL.trees_to_frame()
        column = frame["threshold"].to_pylist() if library == "pyarrow" else frame["threshold"]
        assert np.array(column, dtype=float) == pytest.approx(expected["threshold"], nan_ok=True)


class TestCommand:
    def test_a_query_is_explained_best_document_first(self, capsys, tmp_path):
        model = rf.MART(n_estimators=9).fit(DATA).model_
        model.save(tmp_path / "m.rf")
        rf.write_letor(tmp_path / "d.txt", rf.Dataset(np.nan_to_num(DATA.X), DATA.y, qid=DATA.qid))
        data = rf.read_letor(tmp_path / "d.txt")
        query = data.query_ids[5]
        ended = call(
            capsys, "ltr-score", "--model", tmp_path / "m.rf", "--data", tmp_path / "d.txt",
            "--explain", query,
        )  # fmt: skip
        assert (ended.status, ended.err) == (0, "")
        rows = list(csv.DictReader(io.StringIO(ended.out)))
        scores = np.sort(model.predict(data)[data.query_codes == 5])[::-1]
        assert [float(row["score"]) for row in rows] == scores.tolist()
        names = DATA.feature_names
        for row in rows:
            total = float(row["expected"]) + sum(float(row[name]) for name in names)
            assert total == pytest.approx(float(row["score"]), abs=1e-6)

    def test_unknown_queries_and_other_outputs_are_refused(self, capsys, tmp_path):
        rf.MART(n_estimators=2).fit(DATA).save(tmp_path / "m.rf")
        rf.write_letor(tmp_path / "d.txt", rf.Dataset(np.nan_to_num(DATA.X), DATA.y, qid=DATA.qid))
        arguments = ("ltr-score", "--model", tmp_path / "m.rf", "--data", tmp_path / "d.txt")
        ended = call(capsys, *arguments, "--explain", "none")
        assert ended.status == 2
        assert "--explain: the data has no query 'none'" in ended.err
        ended = call(capsys, *arguments, "--explain", "1", "--trec-run", "a")
        assert "--explain does not go with --trec-run" in ended.err
