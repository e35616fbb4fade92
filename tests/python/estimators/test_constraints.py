"""Constraints on features hold for every document and every value, in every trainer."""

import re

import numpy as np
import pytest
from cli_cases import call
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest._settings.constraints import constraints_of_columns, noted

DATA = rf.datasets.make_ranking(
    n_queries=40, n_features=6, missing_fraction=0.1, noise=1.0, random_state=1
)
NAMES = DATA.feature_names
#: Against what the features say, too.
DIRECTIONS = [1, -1, 1, 0, -1, 1]

TRAINERS = [
    rf.RandomForest(n_estimators=5),
    rf.RandomForest(n_estimators=5, tree_method="hist"),
    rf.RandomForest(n_estimators=5, criterion="entropy"),
    rf.RandomForest(n_estimators=3, criterion="listwise", max_depth=4),
    rf.RandomForest(n_estimators=5, criterion="random"),
    rf.ExtraTrees(n_estimators=5, missing="third"),
    rf.ExtraTrees(n_estimators=5, tree_method="hist"),
    rf.MART(n_estimators=8, missing="third"),
    rf.MART(n_estimators=8, tree_method="hist", max_features=3),
    rf.MART(n_estimators=5, grow_policy="oblivious", max_depth=5),
    rf.MART(n_estimators=5, grow_policy="oblivious", max_depth=5, tree_method="hist"),
    rf.IGBRT(forest=rf.RandomForest(n_estimators=3), n_estimators=4),
    rf.LambdaMART(n_estimators=8),
    rf.LambdaMART(n_estimators=8, tree_method="hist", leaf="mean"),
    rf.SelGB(n_estimators=6),
    rf.DART(n_estimators=8, drop_rate=0.5),
    rf.BROOF(n_estimators=4, max_iter=3),
    rf.BROOF(variant="absolute", n_estimators=4, max_iter=3, tree_method="hist"),
    rf.BaggedLambdaMART(n_bags=2, n_estimators=4, combine="mean"),
]


def steps_against(model, X, directions):
    """Return the largest step of a score against a direction, by sweeping each feature."""
    worst = 0.0
    grid = np.concatenate([[-np.inf], np.linspace(-6, 6, 49), [np.finfo(np.float32).max, np.inf]])
    for feature, direction in enumerate(directions):
        if direction == 0:
            continue
        low, high = np.nanmin(X[:, feature]), np.nanmax(X[:, feature])
        values = np.unique(np.concatenate([grid, np.linspace(low, high, 60)])).astype(np.float32)
        swept = np.repeat(X, len(values), axis=0)
        swept[:, feature] = np.tile(values, len(X))
        scores = model.predict(swept).reshape(len(X), -1)
        worst = max(worst, (-direction * np.diff(scores, axis=1)).max())
    return worst


def features_on_paths(model):
    """Return the set of features of each path of each tree."""
    paths = []
    for member in model._ensemble.to_arrays()["members"]:
        for group in member["groups"]:
            for tree in group["trees"]:
                stack = [(0, frozenset())] if len(tree["feature"]) else []
                while stack:
                    node, above = stack.pop()
                    path = above | {int(tree["feature"][node])}
                    children = {int(tree[side][node]) for side in ("left", "right", "missing")}
                    stack += [(child, path) for child in children if child >= 0]
                    paths += [path for child in children if child < 0]
    return paths


def documents(seed):
    rng = np.random.default_rng(seed)
    X = rng.permuted(DATA.X, axis=0)[:40]  # combinations that training did not see
    return np.ascontiguousarray(X)


class TestDirections:
    @pytest.mark.parametrize("trainer", TRAINERS, ids=str)
    def test_no_value_of_a_feature_scores_against_its_direction(self, trainer):
        free = trainer.set_params(monotonic_cst=None).fit(DATA).model_
        bound = trainer.set_params(monotonic_cst=DIRECTIONS).fit(DATA).model_
        trainer.set_params(monotonic_cst=None)
        X = documents(2)
        assert steps_against(free, X, DIRECTIONS) > 0
        assert steps_against(bound, X, DIRECTIONS) <= 0
        assert bound.feature_importances("split").any()

    def test_names_and_places_say_the_same(self):
        by_place = rf.MART(n_estimators=5, monotonic_cst=np.array([1, 0, 0, 0, -1, 0])).fit(DATA)
        by_name = rf.MART(n_estimators=5, monotonic_cst={NAMES[0]: 1, NAMES[4]: -1}).fit(DATA)
        assert by_place.model_._ensemble == by_name.model_._ensemble

    def test_threads_and_no_constraint_change_no_bit(self):
        plain = rf.LambdaMART(n_estimators=5).fit(DATA).model_
        zeros = rf.LambdaMART(n_estimators=5, monotonic_cst=[0] * 6).fit(DATA).model_
        assert zeros._ensemble == plain._ensemble
        assert "monotonic_cst" not in plain.parameters
        one, two = (
            rf.LambdaMART(n_estimators=5, monotonic_cst=DIRECTIONS, n_jobs=n).fit(DATA).model_
            for n in (1, 2)
        )
        assert one == two

    @pytest.mark.parametrize(
        "trainer",
        [rf.LambdaMART(n_estimators=6), rf.RandomForest(n_estimators=4), rf.MART(n_estimators=6)],
        ids=str,
    )
    def test_refitted_leaves_keep_to_the_directions(self, trainer):
        model = trainer.set_params(monotonic_cst=DIRECTIONS).fit(DATA).model_
        trainer.set_params(monotonic_cst=None)
        other = rf.datasets.make_ranking(n_queries=20, n_features=6, noise=2.0, random_state=9)
        for decay in (0.0, 0.5):
            refitted = model.refit_leaves(other, decay=decay)
            assert steps_against(refitted, documents(3), DIRECTIONS) <= 0
        assert refitted.parameters["monotonic_cst"] == DIRECTIONS

    def test_refitting_to_the_training_data_gives_the_same_bits(self):
        model = rf.LambdaMART(n_estimators=6, monotonic_cst=DIRECTIONS).fit(DATA).model_
        assert model.refit_leaves(DATA, decay=0.0)._ensemble == model._ensemble

    def test_more_rounds_keep_to_them_as_well(self):
        estimator = rf.MART(n_estimators=4, monotonic_cst=DIRECTIONS, warm_start=True).fit(DATA)
        longer = estimator.set_params(n_estimators=8).fit(DATA).model_
        assert longer == rf.MART(n_estimators=8, monotonic_cst=DIRECTIONS).fit(DATA).model_


class TestInteractions:
    @pytest.mark.parametrize("trainer", TRAINERS, ids=str)
    def test_a_path_stays_in_one_set(self, trainer):
        sets = [[0, 1, 2], [2, 3]]
        model = trainer.set_params(interaction_cst=sets).fit(DATA).model_
        trainer.set_params(interaction_cst=None)
        allowed = [*map(set, sets), {4, 5}]
        paths = features_on_paths(model)
        assert paths
        assert all(any(path <= each for each in allowed) for path in paths)

    def test_without_interactions_a_model_is_a_sum_of_one_feature_each(self):
        model = rf.MART(n_estimators=9, interaction_cst="no_interactions").fit(DATA).model_
        assert {len(path) for path in features_on_paths(model)} == {1}

    def test_pairs_are_at_most_two_features(self):
        model = rf.MART(n_estimators=9, max_depth=5, interaction_cst="pairwise").fit(DATA).model_
        assert max(len(path) for path in features_on_paths(model)) == 2


class TestFeaturesUsed:
    @pytest.mark.parametrize(
        "trainer", [t for t in TRAINERS if not isinstance(t, rf.BaggedLambdaMART)], ids=str
    )
    def test_a_model_asks_for_no_more_features(self, trainer):
        model = trainer.set_params(max_features_used=2).fit(DATA).model_
        trainer.set_params(max_features_used=None)
        assert (model.feature_importances("split") > 0).sum() == 2

    def test_a_limit_that_is_not_reached_changes_no_tree(self):
        plain = rf.MART(n_estimators=5).fit(DATA).model_
        limited = rf.MART(n_estimators=5, max_features_used=6).fit(DATA).model_
        assert limited._ensemble == plain._ensemble


class TestWeights:
    @pytest.mark.parametrize(
        "trainer",
        [
            rf.RandomForest(n_estimators=5, max_features=2),
            rf.RandomForest(n_estimators=5, max_features=2, tree_method="hist"),
            rf.RandomForest(n_estimators=5, max_features=2, criterion="entropy"),
            rf.MART(n_estimators=5, max_features=2, grow_policy="oblivious", max_depth=3),
        ],
        ids=str,
    )
    def test_features_without_weight_are_never_asked_for(self, trainer):
        trainer.set_params(feature_weights={NAMES[0]: 0, NAMES[3]: 0})
        used = trainer.fit(DATA).model_.feature_importances("split") > 0
        assert used.tolist() == [False, True, True, False, True, True]

    def test_heavy_features_are_asked_for_more_often(self):
        weights = [1, 1, 1, 20, 1, 1]
        forest = rf.RandomForest(n_estimators=20, max_features=1)
        plain = forest.fit(DATA).model_.feature_importances("split")
        heavy = forest.set_params(feature_weights=weights).fit(DATA)
        shares = heavy.model_.feature_importances("split")
        assert shares[3] / shares.sum() > 2 * plain[3] / plain.sum()


class TestArguments:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"monotonic_cst": [1, 2, 0, 0, 0, 0]}, "monotonic_cst must be None, or -1, 0 or 1"),
            ({"monotonic_cst": {0: 1}}, "monotonic_cst must be"),
            ({"monotonic_cst": [1, 0]}, "monotonic_cst must have a value for each of the 6"),
            ({"monotonic_cst": {"x": 1}}, "monotonic_cst names the feature 'x', which the data"),
            ({"interaction_cst": [[]]}, "interaction_cst must be"),
            ({"interaction_cst": [[0, 9]]}, "interaction_cst names the feature 9"),
            ({"interaction_cst": 3}, "interaction_cst must be"),
            ({"max_features_used": 0}, "max_features_used must be an integer >= 1"),
            ({"feature_weights": [1] * 6}, "feature_weights weigh what max_features draws"),
            ({"feature_weights": [-1] * 6, "max_features": 2}, "feature_weights must be"),
            ({"feature_weights": [0] * 6, "max_features": 2}, "feature_weights must not all be 0"),
            (
                {"ordinal": True, "monotonic_cst": [1] * 6, "max_features_used": 2},
                "max_features_used does not go with ordinal=True",
            ),
        ],
    )
    def test_unusable_ones_are_named(self, parameters, message):
        with pytest.raises(ValueError, match=re.escape(message)):
            rf.MART(n_estimators=2, **parameters).fit(DATA)

    def test_a_forest_that_is_boosted_has_none_of_its_own(self):
        forest = rf.RandomForest(n_estimators=2, monotonic_cst=[1] * 6)
        with pytest.raises(ValueError, match="the forest and what boosts it keep to the same"):
            rf.IGBRT(forest=forest, n_estimators=2).fit(DATA)

    @given(st.permutations(range(4)), st.integers(0, 4))
    def test_features_in_no_set_make_one_more(self, order, n):
        settings = {"interaction_cst": [order[:n]]} if n else {"interaction_cst": None}
        found = constraints_of_columns(settings, 4, "abcd")
        if not n:
            assert found is None
        elif n == 4:
            assert found == {"interactions": [order]}
        else:
            assert found == {"interactions": [order[:n], sorted(order[n:])]}

    def test_models_remember_what_there_is(self):
        assert noted({"monotonic_cst": None, "max_features_used": 3, "a": 1}) == {
            "max_features_used": 3,
            "a": 1,
        }


class TestCommand:
    def test_text_says_what_python_says(self, capsys, tmp_path):
        data = rf.Dataset(np.nan_to_num(DATA.X), DATA.y, qid=DATA.qid)
        rf.write_letor(tmp_path / "d.txt", data)
        arguments = ("ltr-train", "--algorithm", "mart", "--train", tmp_path / "d.txt")
        arguments += ("--n-estimators", 5, "--max-features", 3, "--model", tmp_path / "m.rf")
        ended = call(
            capsys, *arguments, "--monotonic-cst", "1:1,2:-1", "--interaction-cst", "1,2,3;3,4",
            "--max-features-used", 4, "--feature-weights", "5:0",
        )  # fmt: skip
        assert ended.status == 0, ended.err
        expected = rf.MART(
            n_estimators=5, max_features=3, monotonic_cst={"1": 1, "2": -1},
            interaction_cst=[["1", "2", "3"], ["3", "4"]], max_features_used=4,
            feature_weights={"5": 0.0},
        ).fit(rf.read_letor(tmp_path / "d.txt"))  # fmt: skip
        assert rf.load(tmp_path / "m.rf") == expected.model_

    def test_a_configuration_file_takes_the_same_text(self, capsys, tmp_path):
        data = rf.Dataset(np.nan_to_num(DATA.X), DATA.y, qid=DATA.qid)
        rf.write_letor(tmp_path / "d.txt", data)
        (tmp_path / "c.toml").write_text(
            'algorithm = "mart"\nn-estimators = 3\nmonotonic-cst = "1:1"\nmax-features-used = 2\n'
        )
        ended = call(
            capsys, "ltr-train", "--config", tmp_path / "c.toml", "--train", tmp_path / "d.txt",
            "--model", tmp_path / "m.rf",
        )  # fmt: skip
        assert ended.status == 0, ended.err
        assert rf.load(tmp_path / "m.rf").parameters["monotonic_cst"] == {"1": 1}

    def test_text_that_says_nothing_is_refused(self, capsys, tmp_path):
        ended = call(
            capsys, "ltr-train", "--algorithm", "mart", "--train", tmp_path / "none.txt",
            "--model", tmp_path / "m.rf", "--monotonic-cst", "a:2",
        )  # fmt: skip
        assert ended.status == 2
        assert "--monotonic-cst" in ended.err
