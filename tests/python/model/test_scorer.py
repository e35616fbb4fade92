"""The compiled scorer beside the reference, through the extension."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from estimator_cases import make_data
from hypothesis import given
from hypothesis import strategies as st
from model_cases import codes_for, matrices, models

from rankforest import MART, Model, RandomForest, _core
from rankforest._data.features import as_features

#: Whether a value is infinite, or NaN.
ABOVE_ALL = Model(
    _core.Ensemble.from_arrays(
        {
            "combine": "sum",
            "n_features": 1,
            "members": [{"base": 0.0, "groups": [{
                "weight": 1.0, "reduction": "sum", "trees_per_round": 1,
                "trees": [{
                    "feature": np.zeros(1, np.uint32),
                    "threshold": np.array([np.finfo(np.float32).max]),
                    "gain": np.ones(1, np.float32),
                    "left": np.array([-1], np.int32),
                    "right": np.array([-2], np.int32),
                    "missing": np.array([-3], np.int32),
                    "leaf": np.array([0, 1, 2], np.float32),
                }],
            }]}],
        }
    ),
    _core.ModelInfo(),
)  # fmt: skip

KNOWN = ("scalar", "avx2", "avx512")


@cache
def instruction_sets():
    """Give what the processor has of those known, best last."""
    ensemble = MART(n_estimators=1).fit(*make_data()[:2]).model_._ensemble
    available = []
    for isa in KNOWN:
        with suppress(ValueError):
            available.append(_core.CompiledScorer(ensemble, isa).isa)
    return tuple(available)


class TestSameBits:
    @given(models, matrices)
    def test_as_the_reference_on_models_of_every_shape(self, model, X):
        ensemble = _core.Ensemble.from_arrays(model)
        X = np.tile(X, (20, 1))
        codes = codes_for(X)
        expected = ensemble.predict(X, codes, 1)
        for isa in ("best", *instruction_sets()):
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

    @pytest.mark.parametrize("isa", KNOWN)
    def test_the_environment_forces_one(self, ensemble, monkeypatch, isa):
        if isa not in instruction_sets():
            pytest.skip(f"this processor has no {isa}: no test scores with it")
        monkeypatch.setenv("RANKFOREST_ISA", isa)
        assert _core.CompiledScorer(ensemble).isa == isa
        assert _core.CompiledScorer(ensemble, "scalar").isa == "scalar"

    def test_without_the_environment_the_best_is_taken(self, ensemble, monkeypatch):
        monkeypatch.delenv("RANKFOREST_ISA", raising=False)
        assert _core.CompiledScorer(ensemble).isa == instruction_sets()[-1]
        monkeypatch.setenv("RANKFOREST_ISA", "")
        assert _core.CompiledScorer(ensemble).isa == instruction_sets()[-1]

    def test_an_environment_that_names_none_is_refused(self, ensemble, monkeypatch):
        expected = ", ".join(instruction_sets())
        for isa in ("mmx", *set(KNOWN).difference(instruction_sets())):
            monkeypatch.setenv("RANKFOREST_ISA", isa)
            with pytest.raises(ValueError, match=rf"^RANKFOREST_ISA: found '{isa}'.*: {expected}$"):
                _core.CompiledScorer(ensemble)


class TestAtOnce:
    """`predict_few` gives what `predict` would, or nothing."""

    X, y, qid = make_data()

    @pytest.fixture
    def model(self):
        return MART(n_estimators=30).fit(self.X, self.y, qid=self.qid).model_

    @pytest.fixture
    def few(self, model):
        return _core.CompiledScorer(model._ensemble).predict_few

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("rows", [slice(1), slice(5, 12), slice(3, 40, 4)])
    def test_rows_that_can_be_read_in_place_are_scored(self, model, few, dtype, rows):
        X = self.X.astype(dtype)
        expected = model._ensemble.predict(self.X, None, 1)[rows]
        np.testing.assert_array_equal(few(X[rows], 12), expected, strict=True)
        np.testing.assert_array_equal(model.predict(X[rows]), expected, strict=True)

    @pytest.mark.parametrize(
        "change",
        {
            "nested lists": np.ndarray.tolist,
            "masked": np.ma.asarray,
            "a matrix": lambda X: X.view(np.matrix),
            "integers": lambda X: X.astype(np.int32),
            "half floats": lambda X: X.astype(np.float16),
            "the other byte order": lambda X: X.astype(X.dtype.newbyteorder()),
            "not aligned": lambda X: (
                np.frombuffer(b"?" + X.tobytes(), np.uint8)[1:].view(X.dtype).reshape(X.shape)
            ),
            "columns apart": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
            "columns first": np.asfortranarray,
            "rows backwards": lambda X: X[::-1],
            "one row as a vector": lambda X: X[0],
            "no rows": lambda X: X[:0],
            "a column too few": lambda X: X[:, :-1].copy(),
            "a column too many": lambda X: np.hstack([X, X[:, :1]]),
            "too many rows": lambda X: np.vstack([X, X]),
        }.items(),
        ids=lambda change: change[0],
    )
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_everything_else_is_left_to_those_who_look_closer(self, few, dtype, change):
        X = self.X[:8].astype(dtype)
        assert few(X, 8) is not None
        assert few(change[1](X), 8) is None

    def test_what_looks_closer_says_what_is_wrong(self, model):
        X = self.X[:2].astype(np.float64)
        with pytest.raises(ValueError, match=r"X has 1 features, but Model is expecting \d+"):
            model.predict(X[:, :1].copy())
        X[1, 2] = 3.5e38
        with pytest.raises(ValueError, match=r"float32.*row 1, column 2 .* is 3.5e\+38"):
            model.predict(X)
        with pytest.raises(ValueError, match="n_jobs must be None or an integer other than 0"):
            model.predict(X, n_jobs=True)

    @given(models, matrices)
    def test_sums_alone_as_the_reference(self, model, X):
        ensemble = _core.Ensemble.from_arrays(model)
        few = _core.CompiledScorer(ensemble).predict_few
        for given_ in (X, X.astype(np.float64)):
            if model["combine"] != "sum" or len(X) == 0:
                assert few(given_, 6) is None
            else:
                np.testing.assert_array_equal(few(given_, 6), ensemble.predict(X, None, 1))

    def test_wide_numbers_beside_thresholds_are_rounded_as_elsewhere(self, model, few):
        thresholds = self.X[:200, 0].astype(np.float64)
        quarters = np.spacing(self.X[:200, 0]).astype(np.float64) / 4
        for k in range(-6, 7):
            X = self.X[:200].astype(np.float64)
            X[:, 0] = thresholds + k * quarters
            expected = model._ensemble.predict(X.astype(np.float32), None, 1)
            np.testing.assert_array_equal(few(X, 200), expected)

    @given(
        st.floats()
        | st.floats(3.4028234e38, 3.4028237e38)
        | st.sampled_from([np.inf, -np.inf, np.nan, 1e39, -1e39])
    )
    def test_very_large_numbers_are_taken_or_refused_as_elsewhere(self, value):
        X = np.array([[value]])
        try:
            expected = as_features(X)[0]
        except ValueError as error:
            with pytest.raises(ValueError, match=f"^{re.escape(str(error))}$"):
                ABOVE_ALL.predict(X)
        else:
            np.testing.assert_array_equal(ABOVE_ALL.predict(X), ABOVE_ALL.predict(expected))
