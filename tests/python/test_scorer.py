"""The compiled scorer beside the reference, through the extension."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from estimator_cases import make_data
from hypothesis import given
from model_cases import codes_for, matrices, models

from rankforest import MART, RandomForest, _core


@cache
def instruction_sets():
    """Give what the processor has."""
    ensemble = MART(n_estimators=1).fit(*make_data()[:2]).model_._ensemble
    try:
        _core.CompiledScorer(ensemble, "avx2")
    except ValueError:
        return ("best", "scalar")
    return ("best", "scalar", "avx2")


class TestSameBits:
    @given(models, matrices)
    def test_as_the_reference_on_models_of_every_shape(self, model, X):
        ensemble = _core.Ensemble.from_arrays(model)
        X = np.tile(X, (20, 1))
        codes = codes_for(X)
        expected = ensemble.predict(X, codes, 1)
        for isa in instruction_sets():
            scores = _core.CompiledScorer(ensemble, isa).predict(X, codes, 1)
            np.testing.assert_array_equal(scores, expected, strict=True)

    @pytest.mark.parametrize("missing", [0.0, 0.2])
    @pytest.mark.parametrize(
        "estimator",
        [MART(n_estimators=200, missing="third"), RandomForest(n_estimators=20, random_state=1)],
        ids=["small trees", "large trees"],
    )
    def test_as_the_reference_on_trained_models(self, estimator, missing):
        X, y, qid = make_data(missing=missing)
        model = estimator.fit(X, y, qid=qid).model_
        X = np.tile(X, (6, 1))
        expected = model._ensemble.predict(X, None, 1)
        for n_rows in (1, 9, 70, len(X)):
            np.testing.assert_array_equal(model.predict(X[:n_rows]), expected[:n_rows])
            scores = model.predict(X[:n_rows], n_jobs=2)
            np.testing.assert_array_equal(scores, expected[:n_rows])

    def test_whatever_the_type_and_the_strides_of_the_features(self):
        X, y, qid = make_data()
        X = np.round(X * 8)
        model = MART(n_estimators=30).fit(X, y, qid=qid).model_
        expected = model._ensemble.predict(X, None, 1)
        wide = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
        for given_ in (X.astype(np.float64), X.astype(np.int64), X.astype(np.int16)):
            np.testing.assert_array_equal(model.predict(given_), expected)
        for given_ in (np.asfortranarray(X), wide[::2, ::3], wide[::2].copy()[:, ::3]):
            np.testing.assert_array_equal(model.predict(given_), expected)

    def test_from_many_threads_at_once(self):
        X, y, qid = make_data()
        model = MART(n_estimators=50).fit(X, y, qid=qid).model_
        expected = model._ensemble.predict(X, None, 1)
        fresh = model[:]  # not yet compiled
        with ThreadPoolExecutor(4) as pool:
            for scores in pool.map(lambda _: fresh.predict(X), range(40)):
                np.testing.assert_array_equal(scores, expected)


class TestInstructionSets:
    @pytest.fixture
    def ensemble(self):
        return MART(n_estimators=1).fit(*make_data()[:2]).model_._ensemble

    def test_an_unknown_one_is_refused(self, ensemble):
        with pytest.raises(ValueError, match=r"^isa: found 'neon', expected .*: scalar"):
            _core.CompiledScorer(ensemble, "neon")

    def test_the_environment_forces_one(self, ensemble, monkeypatch):
        monkeypatch.delenv("RANKFOREST_ISA", raising=False)
        best = _core.CompiledScorer(ensemble).isa
        assert best == instruction_sets()[-1]
        for isa in instruction_sets()[1:]:
            monkeypatch.setenv("RANKFOREST_ISA", isa)
            assert _core.CompiledScorer(ensemble).isa == isa
            assert _core.CompiledScorer(ensemble, "scalar").isa == "scalar"
        monkeypatch.setenv("RANKFOREST_ISA", "")
        assert _core.CompiledScorer(ensemble).isa == best

    def test_an_environment_that_names_none_is_refused(self, ensemble, monkeypatch):
        monkeypatch.setenv("RANKFOREST_ISA", "avx512")
        with pytest.raises(ValueError, match=r"^RANKFOREST_ISA: found 'avx512', exp"):
            _core.CompiledScorer(ensemble)
