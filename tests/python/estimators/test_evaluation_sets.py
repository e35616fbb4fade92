"""Every form of `eval_set`, and what each mismatch is told."""

import itertools
import warnings

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import MART, CustomMetric, Dataset, RandomForest, evaluate


@pytest.fixture(scope="module")
def train():
    X, y, qid = make_data()
    return Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def arrays():
    return make_data(n_queries=8, seed=1)


@pytest.fixture(scope="module")
def others():
    return make_data(n_queries=5, n_documents=7, seed=2)


def fit(train, **arguments):
    return MART(n_estimators=3).fit(train, **arguments)


def last(model, name):
    return model.history_[name]["ndcg@10"][-1]


class TestForms:
    def test_all_of_them_measure_the_same(self, train, arrays):
        X, y, qid = arrays
        group = [10] * 8
        forms = [
            {"eval_set": Dataset(X, y, qid=qid)},
            {"eval_set": (X, y, qid)},
            {"eval_set": (X, y), "eval_qid": qid},
            {"eval_set": (X, y), "eval_qid": [qid]},
            {"eval_set": (X, y), "eval_group": group},
            {"eval_set": (X, y), "eval_group": [group]},
            {"eval_set": (X, y, qid, None)},
            {"eval_set": (X, y, qid, np.full(80, 2.0))},
            {"eval_set": (X, y, qid), "eval_sample_weight": np.full(8, 3.0)},
            {"eval_set": [(X, y)], "eval_qid": [qid], "eval_names": ["valid"]},
            {"eval_set": [(X, y)], "eval_qid": qid, "eval_names": ["valid"]},
            {"eval_set": [(X, y)], "eval_qid": list(map(str, qid)), "eval_names": ["valid"]},
            {"eval_set": [(X, y)], "eval_group": group, "eval_names": ["valid"]},
            {"eval_set": [[X, y]], "eval_qid": (qid,), "eval_names": ("valid",)},
            {"eval_set": [(X, y)], "eval_group": np.array([group]), "eval_names": ["valid"]},
            {"eval_set": {"valid": (X, y)}, "eval_qid": {"valid": qid}},
            {"eval_set": {"valid": (X, y)}, "eval_group": {"valid": group}},
        ]
        models = [fit(train, **form) for form in forms]
        assert len({last(model, "valid") for model in models}) == 1
        assert all(list(model.history_) == ["valid"] for model in models)

    def test_lists_pair_each_set_with_its_own_queries_and_weights(self, train, arrays, others):
        weights = np.linspace(0.1, 2.0, 5)
        held = Dataset(*arrays[:2], qid=arrays[2])
        model = fit(
            train,
            eval_set=[others[:2], held, arrays[:2]],
            eval_qid=[others[2], None, arrays[2]],
            eval_sample_weight=[weights, None, None],
        )
        assert list(model.history_) == ["valid_0", "valid_1", "valid_2"]
        X, y, qid = others
        weighted = evaluate((y, qid, weights[qid]), model.predict(X), "ndcg@10")["ndcg@10"]
        assert last(model, "valid_0") == weighted != evaluate((y, qid), model.predict(X), "ndcg@10")
        assert last(model, "valid_1") == last(model, "valid_2")

    def test_a_tuple_of_sets_is_a_list_of_them(self, train, arrays, others):
        X, y, qid = arrays
        held = Dataset(X, y, qid=qid)
        model = fit(train, eval_set=(others, held))
        assert model.history_ == fit(train, eval_set=[others, held]).history_
        assert fit(train, eval_set=((X, y),), eval_qid=[qid]).best_score_ == model.best_score_
        rows = tuple(map(tuple, X.tolist()))  # a tuple whose first member is a tuple of rows
        assert fit(train, eval_set=(rows, tuple(y), tuple(qid))).best_score_ == model.best_score_

    def test_weights_of_documents_reach_the_metrics(self, train, arrays):
        X, y, qid = arrays
        weights = np.random.default_rng(0).random(80)
        for form in (
            {"eval_set": (X, y, qid, weights)},
            {"eval_set": (X, y, qid), "eval_sample_weight": weights},
        ):
            model = fit(train, **form)
            expected = evaluate((y, qid, weights), model.predict(X), "ndcg@10")["ndcg@10"]
            assert last(model, "valid") == expected

    def test_queries_may_be_strings_in_any_order(self, train, arrays):
        X, y, qid = arrays
        order = np.random.default_rng(1).permutation(80)
        names = np.array([f"q{i}" for i in qid])[order]
        model = fit(train, eval_set=[(X[order], y[order])], eval_qid=[names])
        assert last(model, "valid_0") == last(fit(train, eval_set=arrays), "valid")

    def test_infinite_features_are_measured_as_they_are_scored(self, train, arrays):
        X, y, qid = arrays
        X = X.copy()
        X[::3, 0] = np.inf
        X[1::3, 1] = -np.inf
        model = fit(train, eval_set=(X, y, qid))
        assert last(model, "valid") == evaluate((y, qid), model.predict(X), "ndcg@10")["ndcg@10"]


class TestMismatches:
    """Each error names the set or the argument, what it holds and what was expected."""

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (lambda X, y, q: {"eval_set": (X, y)}, r"'valid': it has no queries: pass eval_qid or"),
            (lambda X, y, q: {"eval_set": [(X, y)]}, r"'valid_0': it has no queries"),
            (
                lambda X, y, q: {"eval_set": [(X, y)], "eval_qid": [q], "eval_group": [[80]]},
                r"'valid_0': queries must be given by eval_qid or by eval_group, got both",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q)], "eval_qid": [q]},
                r"'valid_0': eval_qid: the tuple \(X, y, qid\) has its queries",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q)], "eval_group": [[80]]},
                r"'valid_0': eval_group: the tuple \(X, y, qid\) has its queries",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q, y)], "eval_sample_weight": [y]},
                r"'valid_0': eval_sample_weight: the tuple has its weights",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y), (X, y)], "eval_qid": [q]},
                r"eval_qid must have one entry for each of the 2 sets of eval_set; it has 1",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y), (X, y)], "eval_group": [40, 40]},
                r"eval_group must be a list with one array for each set of eval_set, got a list of",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y), (X, y)], "eval_qid": q},
                r"eval_qid must be a list with one array for each set .*, got an ndarray of numbers",
            ),
            (
                lambda X, y, q: {"eval_set": {"a": (X, y)}, "eval_qid": [q]},
                r"eval_qid must be a dict by the names of eval_set, got a list",
            ),
            (
                lambda X, y, q: {"eval_set": {"a": (X, y)}, "eval_qid": {"b": q}},
                r"eval_qid names 'b', which is no set of eval_set",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q)], "eval_names": ["a", "b"]},
                r"eval_names must name each of the 1 sets of eval_set, got 2",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q)] * 2, "eval_names": ["a", "a"]},
                r"eval_names must be different; 'a' occurs twice",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y, q)], "eval_names": [1]},
                r"eval_names must be non-empty strings, got 1",
            ),
            (
                lambda X, y, q: {"eval_set": {"a": (X, y, q)}, "eval_names": ["a"]},
                r"eval_names: the keys of eval_set name its sets",
            ),
            (
                lambda X, y, q: {"eval_qid": [q], "eval_names": ["a"]},
                r"eval_qid, eval_names describe an eval_set, and fit got none",
            ),
            (
                lambda X, y, q: {"eval_set": [Dataset(X, y, qid=q)], "eval_qid": [q]},
                r"'valid_0': eval_set: a Dataset brings its own eval_qid; leave them out",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y)], "eval_group": [[40, 41]]},
                r"'valid_0': group must add up to the 80 rows of X; its 2 sizes add up to 81",
            ),
            (
                lambda X, y, q: {"eval_set": [(X, y)], "eval_qid": [q[:-1]]},
                r"'valid_0': qid must name the query of each of the 80 rows of X; it has 79",
            ),
            (
                lambda X, y, q: {"eval_set": (X, y, q), "eval_sample_weight": [1.0, 2.0, 3.0]},
                r"'valid': weight must have one value for each of the 80 documents or 8 queries",
            ),
            (
                lambda X, y, q: {"eval_set": [X, y]},
                r"'valid_0': a set must be a Dataset or a tuple \(X, y\), .*, got an ndarray",
            ),
            (
                lambda X, y, q: {"eval_X": X, "eval_qid": [q]},
                r"eval_X and eval_y belong together; eval_y is missing",
            ),
            (
                lambda X, y, q: {"eval_X": (X, X), "eval_y": y, "eval_qid": [q, q]},
                r"eval_X and eval_y must have as many sets; they have 2 and 1",
            ),
            (
                lambda X, y, q: {"eval_X": X, "eval_y": y, "eval_set": (X, y, q)},
                r"eval_set, or eval_X and eval_y: give one of the two",
            ),
            (lambda X, y, q: {"eval_set": (X,)}, r"'valid': a set must be .*, got a tuple of 1"),
            (lambda X, y, q: {"eval_set": (X, None, q)}, r"'valid': it has no grades y"),
            (
                lambda X, y, q: {"eval_set": Dataset(X, qid=q)},
                r"'valid': it has no grades y",
            ),
        ],
    )
    def test_is_explained(self, train, arrays, arguments, complaint):
        with pytest.raises(ValueError, match=complaint):
            fit(train, **arguments(*arrays))


class TestOddQueries:
    """The third member of a tuple is queries, and weights in its place are noticed."""

    def test_fractions_are_no_queries(self, train, arrays):
        X, y, _ = arrays
        weights = np.random.default_rng(0).random(80)
        with pytest.raises(ValueError, match=r"'valid': the third member .* fractions\. Weights"):
            fit(train, eval_set=(X, y, weights))

    def test_one_number_throughout_is_warned_of(self, train, arrays):
        X, y, _ = arrays
        with pytest.warns(
            UserWarning, match=r"'valid': all of its 80 documents are of one query\."
        ):
            fit(train, eval_set=(X, y, np.ones(80)))

    @pytest.mark.parametrize("form", ["tuple", "list"])
    def test_one_document_a_query_is_warned_of(self, train, arrays, form):
        X, y, _ = arrays
        each = np.arange(80)
        forms = {
            "tuple": {"eval_set": (X, y, each)},
            "list": {"eval_set": [(X, y)], "eval_qid": [each]},
        }
        with pytest.warns(UserWarning, match="each of its 80 documents is a query of its own"):
            fit(train, **forms[form])

    def test_one_query_on_purpose_is_fine(self, train, arrays):
        X, y, _ = arrays
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fit(train, eval_set=(X, y), eval_group=[80])
            fit(train, eval_set=(X, y, ["q"] * 80))
            fit(train, eval_set=(X[:1], y[:1], [3]))


def test_trees_are_weighed_by_the_last_set_that_is_not_the_training_data(train, arrays, others):
    forest = RandomForest(n_estimators=5, max_features=2, tree_weights="expected_ndcg")
    sets = {"a": others, "b": arrays, "train": train}
    alone = forest.fit(train, eval_set=sets["b"]).model_
    by_others = forest.fit(train, eval_set=others).model_
    assert alone != by_others
    for order in itertools.permutations(["a", "b", "train"]):
        watched = {name: sets[name] for name in order}
        forest.fit(train, eval_set=watched)
        held_out = [name for name in order if name != "train"][-1]
        assert forest.deciding_set_ == held_out
        assert forest.model_ == (alone if held_out == "b" else by_others)


def test_score_is_the_first_metric_with_the_sign_that_makes_more_better(train, arrays):
    X, y, qid = arrays
    worst = CustomMetric("worst", lambda y, s, o: float(np.abs(y - s).max()), maximize=False)
    best = CustomMetric("best", lambda y, s, o: -float(np.abs(y - s).max()))
    cases = [("map", 1), ("ndcg@10", 1), ("rmse", -1), (["err", "rmse"], 1), (worst, -1), (best, 1)]
    for metric, sign in cases:
        model = MART(n_estimators=3, metric=metric).fit(train, eval_set=arrays)
        first = next(iter(model.history_["valid"].values()))[-1]
        assert model.best_score_ == first
        assert model.score(X, y, qid) == sign * first
        assert model.score(Dataset(X, y, qid=qid)) == sign * first


def test_score_leaves_out_empty_queries_as_training_does(train):
    X, y, qid = make_data(n_queries=4, seed=5)
    y[qid == 2] = 0
    model = MART(n_estimators=3).fit(train, eval_set=(X, y, qid))
    scores = model.predict(X)
    kept = qid != 2
    expected = evaluate((y[kept], qid[kept]), scores[kept], "ndcg@10")["ndcg@10"]
    assert model.score(X, y, qid) == model.best_score_ == expected
    textbook = evaluate((y, qid), scores, "ndcg@10(empty=0)")["ndcg@10(empty=0)"]
    assert textbook == pytest.approx(0.75 * expected)
