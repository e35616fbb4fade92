"""Every example in a docstring runs and shows what it says."""

import doctest
import importlib
import pkgutil

import pytest

import rankforest

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(rankforest.__path__, "rankforest.")
)


@pytest.mark.parametrize("name", ["rankforest", *MODULES])
def test_examples_run(name):
    module = importlib.import_module(name)
    failures, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failures == 0


@pytest.mark.parametrize("name", rankforest.__all__)
def test_what_users_construct_or_call_shows_an_example(name):
    thing = getattr(rankforest, name)
    if callable(thing) and thing.__module__ != "rankforest._core":
        assert any(test.examples for test in doctest.DocTestFinder().find(thing, name))
