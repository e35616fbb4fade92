"""What metrics say of scores, and of what cannot be measured."""

import copy
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import kendalltau
from sklearn.metrics import ndcg_score, roc_auc_score

from rankforest import Dataset, LambdaMART, Metric, _core, compare, evaluate
from rankforest.metrics import (
    MRR,
    P,
)

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"

OF_FEW_DOCUMENTS = pytest.mark.filterwarnings("ignore:.*is a query of its own:UserWarning")


@st.composite
def rankings(draw):
    """Grades, query ids and scores with many ties."""
    n = draw(st.integers(1, 25))
    y = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    qid = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    scores = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    return np.array(y, dtype=float), np.array(qid), np.array(scores, dtype=float)


@pytest.fixture
def judged():
    """Three queries, their rows mixed; query 5 is empty, query 3 has tied scores."""
    y = [2, 0, 1, 0, 0, 1]
    qid = [7, 5, 7, 5, 3, 3]
    scores = [0.1, 0.5, 0.9, 0.2, 0.4, 0.4]
    return y, qid, scores


@OF_FEW_DOCUMENTS
class TestEvaluate:
    def test_values_are_keyed_as_spelled(self, judged):
        y, qid, scores = judged
        values = evaluate((y, qid), scores, ["NDCG@1", "map(empty=0)", MRR, P @ 1])
        assert list(values) == ["NDCG@1", "map(empty=0)", "mrr", "p@1"]
        # Query 7 ranks grade 1 before 2; query 3 has one relevant document in a tie of two.
        assert values["NDCG@1"] == pytest.approx((1 / 3 + 1 / 2) / 2)
        assert values["map(empty=0)"] == pytest.approx((1 + 0 + 3 / 4) / 3)
        assert values["mrr"] == pytest.approx((1 + 3 / 4) / 2)
        assert values["p@1"] == pytest.approx((1 + 1 / 2) / 2)

    def test_one_metric_needs_no_list(self, judged):
        y, qid, scores = judged
        assert evaluate((y, qid), scores, "mrr") == evaluate((y, qid), scores, [MRR])

    def test_empty_queries_are_counted(self, judged):
        y, qid, scores = judged
        values = evaluate((y, qid), scores, ["ndcg", "ndcg(empty=1)", "map(threshold=2)", "rmse"])
        assert values.n_queries == 3
        assert values.n_empty == {
            "ndcg": 1,
            "ndcg(empty=1)": 1,
            "map(threshold=2)": 2,
            "rmse": 0,
        }

    def test_values_per_query_come_with_ids_in_order_of_appearance(self, judged):
        y, qid, scores = judged
        values = evaluate((y, qid), scores, ["ndcg@1", "p@1(empty=0.5)"], per_query=True)
        assert values["qid"].tolist() == [7, 5, 3]
        np.testing.assert_allclose(values["ndcg@1"], [1 / 3, np.nan, 1 / 2])
        np.testing.assert_allclose(values["p@1(empty=0.5)"], [1, 0.5, 0.5])

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    @pytest.mark.parametrize("kind", [int, str, object])
    def test_values_per_query_come_as_data_frames(self, judged, library, kind):
        y, qid, scores = judged
        ids = np.array(qid).astype(str) if kind is not int else np.array(qid)
        ids = ids.astype(object) if kind is object else ids
        names = ["ndcg@1", "p@1(empty=0.5)"]
        frame = evaluate((y, ids), scores, names, per_query=library)
        assert type(frame).__module__.split(".")[0] == library
        expected = evaluate((y, ids), scores, names, per_query=True)
        columns = {
            "pandas": lambda: frame.to_dict("list"),
            "polars": lambda: frame.to_dict(as_series=False),
            "pyarrow": lambda: dict(frame.to_pydict()),
        }[library]()
        assert list(columns) == ["qid", *names]
        assert list(columns["qid"]) == expected["qid"].tolist()
        for name in names:
            np.testing.assert_array_equal(np.array(columns[name]), expected[name])

    def test_a_metric_in_python_has_a_column_of_the_frame(self, judged):
        y, qid, scores = judged
        frame = evaluate((y, qid), scores, ["mrr", Share()], per_query="pandas")
        assert frame["share"].tolist() == [0, 1, 0.5]

    def test_query_ids_may_be_strings(self, judged):
        y, qid, scores = judged
        names = [f"q{i}" for i in qid]
        assert evaluate((y, names), scores, "ndcg") == evaluate((y, qid), scores, "ndcg")
        values = evaluate((y, names), scores, "ndcg", per_query=True)
        assert values["qid"].tolist() == ["q7", "q5", "q3"]

    @given(rankings())
    def test_linear_gain_is_scikit_learns_ndcg(self, ranking):
        y, _, scores = ranking
        if len(y) == 1 or not y.any():
            return
        one_query = np.zeros(len(y), dtype=int)
        for k in (1, 3, 100):
            ours = evaluate((y, one_query), scores, f"ndcg@{k}(gain=linear)")
            expected = ndcg_score([y], [scores], k=k)
            assert ours[f"ndcg@{k}(gain=linear)"] == pytest.approx(expected, abs=1e-12)

    @given(rankings())
    def test_kendalls_tau_is_scipys(self, ranking):
        y, _, scores = ranking
        found = evaluate((y, np.zeros(len(y), dtype=int)), scores, "kendalltau")["kendalltau"]
        if len(set(y)) == 1:
            assert math.isnan(found)
        elif len(set(scores)) == 1:
            assert found == 0
        else:
            assert found == pytest.approx(kendalltau(y, scores).statistic, abs=1e-12)

    @given(rankings())
    def test_auc_is_scikit_learns(self, ranking):
        y, _, scores = ranking
        one_query = np.zeros(len(y), dtype=int)
        if len(set(y > 0)) == 1:
            assert math.isnan(evaluate((y, one_query), scores, "auc")["auc"])
            return
        found = evaluate((y, one_query), scores, "auc")["auc"]
        assert found == pytest.approx(roc_auc_score(y > 0, scores), abs=1e-12)
        # scikit-learn scales partial areas, and draws lines through ties where we take means.
        distinct = np.argsort(np.argsort(scores, kind="stable"))
        low, high = 0.5 * 0.3**2, 0.3
        scaled = roc_auc_score(y > 0, distinct, max_fpr=0.3)
        area = evaluate((y, one_query), distinct, "auc(fpr=0;0.3)")["auc(fpr=0;0.3)"]
        assert area == pytest.approx((2 * scaled - 1) * (high - low) + low, abs=1e-12)

    @given(rankings())
    def test_pair_accuracy_is_auc_of_two_grades(self, ranking):
        y, qid, scores = ranking
        relevant = (y > 0).astype(float)
        values = evaluate((relevant, qid), scores, ["auc", "pairaccuracy"], per_query=True)
        np.testing.assert_allclose(values["auc"], values["pairaccuracy"], atol=1e-12)

    @given(rankings(), st.randoms(use_true_random=False))
    def test_neither_row_order_nor_query_ids_nor_threads_change_a_bit(self, ranking, random):
        y, qid, scores = ranking
        metrics = ["ndcg@3", "dcg", "meanndcg", "map", "err", "p@2", "mrr", "rmse", "recall@2"]
        metrics += ["rbp", "auc(threshold=2)", "pairaccuracy", "kendalltau"]
        values = evaluate((0.9 * y + 0.1, qid), scores, metrics, n_jobs=1)
        order = list(range(len(y)))
        random.shuffle(order)
        shuffled = evaluate(
            (0.9 * y[order] + 0.1, 40 - qid[order]), scores[order], metrics, n_jobs=2
        )
        np.testing.assert_equal(dict(shuffled), dict(values))

    @given(rankings())
    def test_better_ties_are_worth_more(self, ranking):
        y, qid, scores = ranking
        names = "ndcg@2 map err p@2 mrr meanndcg recall@2 rbp auc pairaccuracy"
        for name in names.split():
            ties = ("pessimistic", "input", "average", "optimistic")
            low, file_order, mean, high = (
                evaluate((y, qid), scores, f"{name}(ties={rule},empty=0)")[
                    f"{name}(ties={rule},empty=0)"
                ]
                for rule in ties
            )
            assert low <= file_order + 1e-12
            assert file_order <= high + 1e-12
            assert low - 1e-12 <= mean <= high + 1e-12
            assert 0 <= mean <= 1

    @given(rankings(), st.lists(st.floats(0, 2, width=32), min_size=25, max_size=25))
    def test_a_data_set_and_its_judgements_have_the_same_values(self, ranking, weights):
        y, qid, scores = ranking
        weight = np.array(weights[: len(y)]) + 0.25
        data = Dataset(np.arange(len(y)).reshape(-1, 1), y, qid=qid, weight=weight)
        metrics = ["ndcg@3", "map(ties=input)", "err(empty=1)", "p@2", "mrr", "rmse"]
        of_data = evaluate(data, scores, metrics)
        np.testing.assert_equal(dict(of_data), dict(evaluate((y, qid, weight), scores, metrics)))

    @pytest.mark.parametrize(
        ("weight", "message"),
        [
            ([0, 0, 0], "weight must not be zero everywhere"),
            ([1e-320, 0, 0], "must not all be below 1e-30 to measure; the largest is 9.99989e-321"),
        ],
    )
    def test_weights_that_leave_nothing_are_refused(self, weight, message):
        y, qid, scores = [1, 0, 1], [1, 1, 2], [1, 2, 3]
        with pytest.raises(ValueError, match=message):
            evaluate((y, qid, weight), scores, "map")

    def test_weights_of_a_data_set_are_refused_where_its_rows_have_none(self):
        data = Dataset([[1], [2], [3]], [1, 0, 1], qid=[1, 1, 2], weight=[0, 0, 1])
        with pytest.raises(ValueError, match="weights must not be 0 for every document"):
            evaluate(data.take([1]), [1, 2], "map")

    def test_weights_of_queries_are_in_the_order_of_their_first_documents(self, judged):
        y, qid, scores = judged
        of_queries = evaluate((y, qid, [3, 4, 1]), scores, ["map", "p@1(empty=1)"])
        of_documents = evaluate((y, qid, [3, 4, 3, 4, 1, 1]), scores, ["map", "p@1(empty=1)"])
        assert of_queries == of_documents
        # Query 7 ranks grade 1 first; query 5 counts 1; query 3 has half of a tie.
        assert of_queries["p@1(empty=1)"] == pytest.approx((3 * 1 + 4 * 1 + 1 * 0.5) / 8)

    def test_weights_count_for_empty_queries_too(self, judged):
        y, qid, scores = judged
        weight = [2, 6, 4, 2, 1, 1]  # queries 7, 5, 3 weigh 3, 4, 1
        values = evaluate((y, qid, weight), scores, ["p@1", "p@1(empty=1)"])
        assert values["p@1"] == pytest.approx((3 * 1 + 1 * 0.5) / 4)
        assert values["p@1(empty=1)"] == pytest.approx((3 * 1 + 4 + 1 * 0.5) / 8)

    def test_canonical_ties_do_not_depend_on_the_order_of_rows(self):
        X = np.random.default_rng(0).normal(size=(30, 2)).astype(np.float32)
        y = np.arange(30) % 3
        scores = np.zeros(30)
        forth = evaluate(Dataset(X, y, qid=y * 0), scores, "ndcg@5(ties=canonical)")
        back = evaluate(Dataset(X[::-1], y[::-1], qid=y * 0), scores, "ndcg@5(ties=canonical)")
        assert forth == back

    def test_a_model_scores_the_features_first(self):
        class Model:
            def predict(self, X):
                return X[:, 0]

        data = Dataset([[1], [3], [2]], [0, 1, 2], qid=[1, 1, 1])
        assert evaluate(data, Model(), "mrr(threshold=2)") == {"mrr(threshold=2)": 0.5}
        with pytest.raises(ValueError, match="a model needs features to score"):
            evaluate(([0, 1], [1, 1]), Model(), "mrr")

    def test_infinite_features_can_be_evaluated(self):
        data = Dataset([[np.inf], [0]], [0, 1], qid=[1, 1])
        assert evaluate(data, [0.0, 1.0], "mrr") == {"mrr": 1.0}

    def test_integer_and_boolean_scores_and_infinities_rank(self):
        assert evaluate(([0, 1], [1, 1]), [2, 1], "mrr")["mrr"] == 0.5
        assert evaluate(([0, 1], [1, 1]), [False, True], "mrr")["mrr"] == 1
        assert evaluate(([0, 1], [1, 1]), [-np.inf, np.inf], "mrr")["mrr"] == 1

    def test_the_mean_of_no_query_is_nan(self):
        values = evaluate(([0, 0], [1, 1]), [1, 2], "ndcg")
        assert math.isnan(values["ndcg"])
        assert values.n_empty == {"ndcg": 1}

    def test_an_evaluation_can_be_copied_and_pickled(self, judged):
        y, qid, scores = judged
        values = evaluate((y, qid), scores, "ndcg")
        for twin in (copy.deepcopy(values), pickle.loads(pickle.dumps(values))):
            assert twin == values
            assert twin.n_empty == values.n_empty


class TestJudgements:
    """Ranked: grades 1, 0 of query "a" and 0 of "b"; judged besides: 2 of "a", 1 of "b"."""

    ranked = (([1, 0, 0], ["a", "a", "b"]), [2, 1, 1])
    judged = ([0, 2, 1, 1, 3], ["a", "a", "b", "a", "c"])

    def test_say_what_the_ideal_ranking_and_the_relevant_documents_are(self):
        names = ["ndcg(gain=linear)", "map(divisor=relevant)", "map(ideal=list)", "p@2"]
        values = evaluate(*self.ranked, names, judgements=self.judged, per_query=True)
        assert values["qid"].tolist() == ["a", "b"]
        np.testing.assert_allclose(values["ndcg(gain=linear)"], [1 / (2 + 1 / np.log2(3)), 0])
        np.testing.assert_allclose(values["map(divisor=relevant)"], [1 / 2, 0])
        np.testing.assert_allclose(values["map(ideal=list)"], [1, np.nan])
        np.testing.assert_allclose(values["p@2"], [1 / 2, 0])

    def test_leave_out_queries_that_they_do_not_name(self):
        values = evaluate(*self.ranked, "map(empty=1)", judgements=([1, 0], ["a", "a"]))
        assert values == {"map(empty=1)": 1.0}

    @given(rankings(), st.randoms(use_true_random=False))
    def test_of_the_ranked_documents_alone_change_no_bit(self, ranking, random):
        y, qid, scores = ranking
        order = list(range(len(y)))
        random.shuffle(order)
        metrics = ["ndcg@3", "map(empty=0)", "err", "p@2", "mrr", "meanndcg", "dcg", "rmse"]
        expected = evaluate((y, qid), scores, metrics)
        found = evaluate((y, qid), scores, metrics, judgements=(y[order], qid[order]))
        np.testing.assert_equal(dict(found), dict(expected))
        assert found.n_empty == expected.n_empty

    def test_may_be_a_data_set(self):
        data = Dataset([[1]] * 5, self.judged[0], qid=self.judged[1])
        name = "ndcg(gain=linear)"
        found = evaluate(*self.ranked, name, judgements=data)
        assert found == evaluate(*self.ranked, name, judgements=self.judged)

    @pytest.mark.parametrize(
        ("judgements", "message"),
        [
            (([1], ["c"]), "judgements must be of queries of data, such as 'a'; .* such as 'c'"),
            (([1, 2], ["a"]), "qid of judgements must have one value for each of the 2 documents"),
            (([0], ["a"]), "the judgements of the query of row 0 .* fewer documents of grade 1"),
            (([1, -1], ["a", "b"]), "grade of judgements -1 of row 1 .* must be a finite number"),
            ({"a": {"d1": 1}}, "judgements must be a tuple"),
        ],
    )
    def test_that_do_not_fit_are_refused(self, judgements, message):
        with pytest.raises(ValueError, match=message):
            evaluate(*self.ranked, "map", judgements=judgements)


class TestDocumentIds:
    def test_break_ties_in_descending_order_of_bytes(self):
        y, qid, scores = [3, 2, 1, 0], [1] * 4, [7] * 4
        # Bytes: "10" < "9" < "d" < "\u00e9".
        for ids, first in (
            (["d", "9", "10", "\u00e9"], 0),
            ([9, 10, 1, 8], 3),
            ([b"x", b"y", b"\xff", b"z"], 1),
        ):
            values = evaluate((y, qid), scores, "dcg@1(gain=linear,ties=docno)", document_ids=ids)
            assert values["dcg@1(gain=linear,ties=docno)"] == first

    def test_are_those_of_the_data_set_by_default(self):
        data = Dataset([[0], [0]], [1, 0], qid=[1, 1], document_ids=["a", "b"])
        assert evaluate(data, [1, 1], "mrr(preset=trec_eval)")["mrr(preset=trec_eval)"] == 0.5
        found = evaluate(data, [1, 1], "mrr(ties=docno)", document_ids=["b", "a"])
        assert found["mrr(ties=docno)"] == 1.0

    @OF_FEW_DOCUMENTS
    @given(rankings())
    def test_that_ascend_or_descend_with_rows_are_ties_by_rows(self, ranking):
        y, qid, scores = ranking
        ids = [f"{i:04}" for i in range(len(y))]
        for ordered, rule in ((ids, "reversed"), (ids[::-1], "input")):
            by_id = evaluate((y, qid), scores, "ndcg(ties=docno)", document_ids=ordered)
            by_row = evaluate((y, qid), scores, f"ndcg(ties={rule})")
            np.testing.assert_equal(list(by_id.values()), list(by_row.values()))

    def test_are_asked_for_and_counted(self):
        with pytest.raises(ValueError, match=r"by their ids \(ties=docno\).*document_ids="):
            evaluate(([1, 0], [1, 1]), [1, 1], "map(preset=trec_eval)")
        with pytest.raises(ValueError, match="document_ids must have one value for each of the 2"):
            evaluate(([1, 0], [1, 1]), [1, 1], "map(ties=docno)", document_ids=["a"])


class Share:
    """A metric in Python: the share of documents whose score is at least their grade."""

    name = "share"

    def __init__(self):
        self.calls = []

    def __call__(self, grades, scores, offsets):
        self.calls.append((grades.tolist(), offsets.tolist()))
        return float(np.mean(scores >= grades))


class TestMetricsInPython:
    def test_are_called_with_the_rows_of_each_query_together(self, judged):
        y, qid, scores = judged
        share = Share()
        assert evaluate((y, qid), scores, [share, "mrr"])["share"] == pytest.approx(0.5)
        assert share.calls == [([2, 1, 0, 0, 0, 1], [0, 2, 4, 6])]

    def test_are_called_with_each_query_alone(self, judged):
        y, qid, scores = judged
        for data in ((y, qid), Dataset(np.arange(6).reshape(-1, 1), y, qid=qid)):
            share = Share()
            values = evaluate(data, scores, share, per_query=True)
            np.testing.assert_array_equal(values["share"], [0, 1, 0.5])
            assert [offsets for _, offsets in share.calls] == [[0, 2]] * 3

    def test_see_a_data_set_in_an_order_that_rows_do_not_change(self, judged):
        y, qid, scores = map(np.array, judged)
        X = np.arange(6).reshape(-1, 1)
        forth, back = Share(), Share()
        evaluate(Dataset(X, y, qid=qid), scores, forth)
        evaluate(Dataset(X[::-1], y[::-1], qid=qid[::-1]), scores[::-1], back)
        assert forth.calls == back.calls


class TestBadArguments:
    @pytest.mark.parametrize(
        ("data", "scores", "metrics", "message"),
        [
            (([0, 1], [1, 1]), [1, 2], "foo", 'metric "foo": unknown name'),
            (([0, 1], [1, 1]), [1, 2], [], "metrics must name at least one metric"),
            (([0, 1], [1, 1]), [1, 2], [3], "metrics must be spellings .* got 3"),
            (([0, 1], [1, 1]), [1], "map", "scores must have one value for each of the 2 doc"),
            (([0, 1], [1, 1]), [1, np.nan], "map", "the score of row 1 .* is NaN"),
            (([0, 1], [1, 1]), ["a", "b"], "map", "scores must hold numbers; its dtype is <U1"),
            (([0, 1], [1, 1]), [[1, 2]], "map", "scores must be one-dimensional"),
            (([0, -1], [1, 1]), [1, 2], "map", "grade -1 of row 1 .* must be a finite number >= 0"),
            (([0, 1], [1]), [1, 2], "map", "qid must have one value for each of the 2 doc"),
            (([0, 1], [1, 1], [1, 1, 1]), [1, 2], "map", "weight must have one value for each"),
            (
                ([0, 1], [1, 1], [1, -1]),
                [1, 2],
                "map",
                "weight must be finite and >= 0; that of row 1 .* is -1",
            ),
            (
                ([0, 1], [1, 1], [1, 2e30]),
                [1, 2],
                "map",
                "weight must be from 0 to 1e30; that of row 1 .* is 2e",
            ),
            (([], []), [], "map", "y must have at least one grade"),
            (([0, 1],), [1, 2], "map", "data must be a Dataset or a tuple .* got a tuple of 1"),
            ([0, 1], [1, 2], "map", "data must be a Dataset or a tuple .* got a list"),
            (([0, 5], [1, 1]), [1, 2], "err", "grade 5 of row 1 .* must be at most gmax=4"),
            (([0, 1024], [1, 1]), [1, 2], "ndcg", "grade 1024 of row 1 .* must be at most 1023"),
            (
                ([3, 0], [1, 1]),
                [1, 2],
                "ndcg(preset=letor4)",
                "grade 3 of row 0 .* must be a whole",
            ),
            (([0, 1], [1, 1]), [1, 2], "map(ties=canonical)", "ties=canonical needs a data set"),
        ],
    )
    def test_are_named_with_what_was_expected(self, data, scores, metrics, message):
        with pytest.raises(ValueError, match=message):
            evaluate(data, scores, metrics)

    def test_a_path_a_function_and_a_number_are_no_scores(self):
        data = ([0, 1], [1, 1])
        for scores, got in (
            ("m.rf", r"got a str; rankforest\.load\('m\.rf'\) gives a model"),
            (Path("m.rf"), r"got a PosixPath; rankforest\.load\('m\.rf'\)"),
            (lambda X: X, "got a function"),
            (3, "got an int"),
            (None, "got a NoneType"),
            (LambdaMART, "got the class LambdaMART, which is to be fitted first"),
        ):
            expected = f"scores must be one number for each document, or a model .* {got}"
            with pytest.raises(ValueError, match=expected):
                evaluate(data, scores, "map")
            with pytest.raises(ValueError, match=f"system 'b': {expected}"):
                compare(data, {"a": [1, 2], "b": scores}, "map")

    @pytest.mark.parametrize("kind", [np.array, pd.DataFrame, csr_matrix, np.ndarray.tolist])
    def test_features_beside_grades_are_noticed(self, kind):
        X = kind(np.eye(2))
        with pytest.raises(ValueError, match=r"shape of its first member is \(2, 2\), as of feat"):
            evaluate((X, [0, 1], [1, 1]), [1, 2], "map")

    def test_an_unknown_form_of_results_is_refused(self):
        with pytest.raises(ValueError, match="per_query must be True, False or one of pandas, pol"):
            evaluate(([0, 1], [1, 1]), [1, 2], "map", per_query="frame")

    def test_a_data_set_without_grades_cannot_be_measured(self):
        with pytest.raises(ValueError, match="data has no grades y"):
            evaluate(Dataset([[1], [2]], qid=[1, 1]), [1, 2], "map")

    def test_the_core_refuses_arrays_of_other_lengths(self):
        def call(**arguments):
            two = np.zeros(2)
            given = dict.fromkeys(["canonical_ranks", "docno_ranks", "pool_grades", "pool_codes"])
            given |= {"grades": two, "scores": two, "weights": None, "n_jobs": 1}
            given |= {"query_codes": np.zeros(2, dtype=np.uint32), **arguments}
            return _core.evaluate([Metric("map")], **given)

        assert call()[0].n_empty == 1
        with pytest.raises(ValueError, match="weights has 0 values, grades has 2"):
            call(weights=np.zeros(0))
        with pytest.raises(ValueError, match="scores must have one value"):
            call(scores=np.zeros(1))
        with pytest.raises(ValueError, match="docno_ranks has 1 values, grades has 2"):
            call(docno_ranks=np.zeros(1, dtype=np.uint32))
        with pytest.raises(ValueError, match="query codes of the judgements"):
            call(pool_grades=np.zeros(3))


@pytest.mark.skipif(not SHARED.exists(), reason="the LETOR files are not beside the repository")
def test_letor4_figures_of_mq2008_fall_where_the_published_ones_do():
    """LightGBM's scores of fold 1, whose published baselines are between 0.208 and 0.218."""
    y, qid = [], []
    for line in (SHARED / "mq2008" / "S5.txt").read_text().splitlines():
        grade, query = line.split(maxsplit=2)[:2]
        y.append(int(grade))
        qid.append(query.removeprefix("qid:"))
    scores = np.loadtxt(SHARED / "models" / "lightgbm_mq2008_lambdarank.fold1_test_scores.txt")
    names = ["ndcg@5", "ndcg@8", "ndcg@9", "ndcg@10", "meanndcg", "p@10", "map"]
    values = evaluate((y, qid), scores, [f"{name}(preset=letor4)" for name in names])
    # The median of the five published baselines for each.
    published = [0.4709, 0.4343, 0.2087, 0.2139, 0.4770, 0.2359, 0.4627]
    np.testing.assert_allclose(list(values.values()), published, atol=0.02)
