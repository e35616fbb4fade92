"""A search space is what users write, and every mistake in it is named."""

import numpy as np
import optuna
import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

import rankforest as rf
from rankforest._settings.parameters import Problems
from rankforest.tuning.grids import GRIDS
from rankforest.tuning.proposals import Proposer, grid_of
from rankforest.tuning.spaces import parse_space


def parsed(space, estimator=None):
    problems = Problems("tune")
    found = parse_space(rf.LambdaMART() if estimator is None else estimator, space, problems)
    problems.raise_if_any()
    return found


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ([0.1, 0.3], CategoricalDistribution([0.1, 0.3])),
        (np.array([0.1, 0.3]), CategoricalDistribution([0.1, 0.3])),
        ((0.1, 0.3), FloatDistribution(0.1, 0.3)),
        ((np.float64(0.1), 1), FloatDistribution(0.1, 1.0)),
        ((0.01, 0.3, "log"), FloatDistribution(0.01, 0.3, log=True)),
        ({"low": 0.1, "high": 0.3, "step": 0.1}, FloatDistribution(0.1, 0.3, step=0.1)),
        (FloatDistribution(0.2, 0.4), FloatDistribution(0.2, 0.4)),
    ],
)
def test_each_form_of_values_becomes_a_distribution(written, meant):
    assert parsed({"learning_rate": written}) == {"learning_rate": meant}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ((2, 30), IntDistribution(2, 30)),
        ((2, 30, "log"), IntDistribution(2, 30, log=True)),
        ({"low": 2, "high": 30, "log": False, "step": 4}, IntDistribution(2, 30, step=4)),
        ([None, 4], CategoricalDistribution([None, 4])),
        (range(3, 6), CategoricalDistribution([3, 4, 5])),
    ],
)
def test_integers_stay_integers(written, meant):
    assert parsed({"max_leaf_nodes": written}) == {"max_leaf_nodes": meant}


def test_the_grids_of_the_paper_have_as_many_points_as_it_says():
    assert len(parsed("blmart")) == len(parsed("blmart_large")) == 5
    sizes = {
        name: np.prod([len(axis) for axis in grid_of(parsed(name))])
        for name in ("blmart", "blmart_large")
    }
    assert sizes == {"blmart": 1008, "blmart_large": 162}
    assert GRIDS["blmart"]["min_samples_leaf"] == [0.0012, 0.0025, 0.005]  # 0.12, 0.25, 0.5 percent


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in rf.__all__
        if hasattr(getattr(rf, name), "predict") and name not in {"Bagging", "Model"}
    ],
)
def test_every_estimator_has_a_default_space(name):
    estimator = getattr(rf, name)()
    space = parsed("default", estimator)
    if "max_features" not in estimator.get_params():  # not of trees whose growth has parameters
        assert space
        assert set(space) <= {"C", "query_normalization", "max_repeats", "n_points", "n_thresholds"}
        return
    assert {"max_features", "min_samples_leaf"} <= set(space)
    boosts = "learning_rate" in estimator.get_params()
    assert boosts == ("learning_rate" in space)
    size = {"max_leaf_nodes", "max_depth"} & set(space)
    assert len(size) == (1 if boosts else 0)


def test_a_bag_of_any_estimator_has_the_spaces_that_name_its_parameters():
    space = {"estimator__learning_rate": (0.1, 0.3), "n_bags": [2, 3]}
    assert list(parsed(space, rf.Bagging())) == list(space)


def test_the_default_space_of_a_bag_of_any_estimator_is_that_of_its_members():
    for member in (rf.LambdaMART(), rf.MART(max_features=0.5), rf.RandomForest()):
        own = parsed("default", member)
        bagged = parsed("default", rf.Bagging(member))
        assert bagged == {f"estimator__{name}": each for name, each in own.items()}
    assert parsed("default", rf.Bagging()) == parsed("default", rf.Bagging(rf.LambdaMART()))


def test_objectives_may_be_searched_by_name():
    names = ["lambdarank", "yetirank"]
    assert parsed({"objective": names}) == {"objective": CategoricalDistribution(names)}


def test_a_parameter_may_be_what_its_own_estimator_allows():
    space = {"learning_rate": [None, 0.5]}  # None leaves it to BROOF's variant
    assert parsed(space, rf.BROOF()) == {"learning_rate": CategoricalDistribution([None, 0.5])}
    inside = {f"estimator__{name}": values for name, values in space.items()}
    bag = rf.Bagging(rf.BROOF())
    assert parsed(inside, bag) == {"estimator__learning_rate": CategoricalDistribution([None, 0.5])}
    with pytest.raises(ValueError, match="learning_rate must be in"):
        parsed(space, rf.MART())


def test_the_default_space_leaves_out_what_has_a_value_already():
    whole, rest = parsed("default"), parsed("default", rf.LambdaMART(learning_rate=0.03))
    assert set(whole) - set(rest) == {"learning_rate"}
    values = {"max_features": 0.5, "min_samples_leaf": 2, "subsample": 0.5}
    with pytest.raises(ValueError, match="all of it is given other values; give a dict"):
        parsed("default", rf.RandomForest(**values))


def test_a_class_of_ones_own_has_the_space_of_the_class_it_comes_from():
    class Mine(rf.MART):
        pass

    assert parsed("default", Mine()) == parsed("default", rf.MART())


def test_parameters_of_an_estimator_inside_have_two_underscores():
    assert list(parsed({"forest__max_depth": [3, None]}, rf.IGBRT())) == ["forest__max_depth"]


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({}, "space must name at least one parameter, got an empty dict"),
        (5, "space must be a dict or a name, got 5"),
        ("blmrt", (r"space must be a dict or one of 'default', 'blmart', 'blmart_large', got 'blmrt'; "
                  r"did you mean 'blmart'\?")),
        ({"lerning_rate": [0.1]}, (r"space: LambdaMART has no parameter 'lerning_rate'; did you mean "
                                  r"'learning_rate'\?")),
        ({"forest__max_depth": [1]}, "space: LambdaMART has no parameter 'forest__max_depth'"),
        ({"learning_rate": []}, r"space\['learning_rate'\] must have at least one choice"),
        ({"learning_rate": 0.1}, r"space\['learning_rate'\] must be a list of choices, .* got 0.1"),
        ({"learning_rate": (0.1,)}, r"space\['learning_rate'\] must be a list of choices"),
        ({"learning_rate": (0.1, 0.2, "lgo")}, r"space\['learning_rate'\] must be a list of choices"),
        ({"learning_rate": ("a", "b")}, "a range must be of numbers, got 'a' to 'b'; choices are a list"),
        ({"learning_rate": (0.3, 0.1)}, r"space\['learning_rate'\]: .*low.*high"),
        ({"learning_rate": (0.1, 3.0)}, r"space: learning_rate must be in \(0, 1\], got 3.0"),
        ({"learning_rate": [0.1, "big"]}, r"space: learning_rate must be in \(0, 1\], got 'big'"),
        ({"learning_rate": [0.1, 0.1]}, "has two equal choices, 0.1"),
        ({"max_features": [1, 1.0]}, "has two equal choices, 1.0"),
        ({"max_depth": [(1, 2)]}, r"a choice must be a number, text, True, False or None, got \(1, 2\)"),
        ({"learning_rate": {"low": 0.1}}, 'must have "low" and "high"'),
        ({"learning_rate": {"low": 0.1, "high": 1.0, "log": "yes"}}, '"log" must be True or False'),
        ({"random_state": [1, 2]}, "'random_state' cannot be searched"),
        ({"metric": ["map"]}, "'metric' cannot be searched"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(space, message):
    with pytest.raises(ValueError, match=message):
        parsed(space)


def test_all_mistakes_are_named_at_once():
    with pytest.raises(ValueError, match="2 arguments are unusable") as caught:
        parsed({"lerning_rate": [0.1], "max_depth": (0, 3)})
    assert "max_depth must be an integer >= 1" in str(caught.value)


def proposer(space, sampler, seed=0):
    return Proposer(parsed(space), sampler, None, True, seed)


def test_a_grid_has_each_point_once_in_an_order_that_the_seed_decides():
    space = {"max_leaf_nodes": [2, 4, 7], "max_depth": (1, 3), "learning_rate": [0.1, 0.2]}
    orders = []
    for seed in (0, 0, 1):
        grid = proposer(space, "grid", seed)
        orders.append([tuple(sorted(grid.trial(i, {}, None).params.items())) for i in range(18)])
    assert orders[0] == orders[1] != orders[2]
    assert len(set(orders[0])) == grid.n_points == 18
    assert set(orders[0]) == set(orders[2])


def test_a_grid_over_a_step_reaches_its_end():
    axes = grid_of(parsed({"subsample": {"low": 0.25, "high": 1.0, "step": 0.25}}))
    assert axes == [[0.25, 0.5, 0.75, 1.0]]


def test_a_grid_needs_choices():
    with pytest.raises(ValueError, match=r"the range from 0.1 to 0.3; give a list"):
        grid_of(parsed({"learning_rate": (0.1, 0.3)}))


def test_random_parameters_depend_on_seed_and_number_alone():
    space = {"learning_rate": (0.1, 0.3), "max_depth": [2, 3, None]}
    quiet = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    drawn = [proposer(space, "random", seed).trial(7, {}, None).params for seed in (0, 0, 1)]
    optuna.logging.set_verbosity(quiet)
    assert drawn[0] == drawn[1] != drawn[2]
