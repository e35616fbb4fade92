"""The data profile of a model, and which features have moved since."""

import re

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

import rankforest as rf


def trained(X, **fit):
    """Fit a quick model on features whose grades do not matter."""
    y = (np.arange(len(X)) % 3).astype(float)
    return rf.MART(n_estimators=1, max_depth=1).fit(X, y, **fit)


def documents(n, seed, missing=0.1):
    """Draw features of several kinds: smooth, whole, nearly always 0, and often missing."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(size=n),
            rng.integers(0, 4, size=n),
            np.where(rng.random(n) < 0.95, 0.0, rng.random(n)),
            rng.exponential(size=n),
        ]
    ).astype(np.float32)
    X[rng.random(n) < missing, 3] = np.nan
    return X


def naive_psi(before, now):
    """Compute the index of one column by its definition, with the deciles of `before`."""
    present = before[~np.isnan(before)]
    edges = np.unique(np.quantile(present, np.arange(1, 10) / 10, method="inverted_cdf"))

    def shares(values, keep):
        bins = np.searchsorted(edges, values[~np.isnan(values)], side="left")
        counts = np.append(np.bincount(bins, minlength=len(edges) + 1), np.isnan(values).sum())
        counts = counts[keep] + 0.5 if keep is not None else counts
        return counts / counts.sum() if keep is not None else counts

    keep = (shares(before, None) + shares(now, None)) > 0
    e, a = shares(before, keep), shares(now, keep)
    return ((a - e) * np.log(a / e)).sum()


class TestProfile:
    def test_it_is_what_numpy_says(self):
        X = documents(3000, 1)
        profile = trained(X).model_.profile
        assert profile.n_documents == 3000
        assert profile.feature_names == ("0", "1", "2", "3")
        np.testing.assert_array_equal(profile.missing, np.isnan(X).mean(axis=0))
        np.testing.assert_array_equal(profile.least, np.nanmin(X, axis=0))
        np.testing.assert_array_equal(profile.largest, np.nanmax(X, axis=0))
        for f in range(4):
            values = X[~np.isnan(X[:, f]), f]
            expected = np.quantile(values, np.arange(1, 10) / 10, method="inverted_cdf")
            np.testing.assert_array_equal(profile.deciles[f], expected)

    def test_deciles_of_much_data_are_nearly_right(self):
        X = documents(40000, 2, missing=0.0)[:, [0]]
        ranks = np.searchsorted(np.sort(X[:, 0]), trained(X).model_.profile.deciles[0]) / len(X)
        np.testing.assert_allclose(ranks, np.arange(1, 10) / 10, atol=0.02)

    @pytest.mark.parametrize("name", ESTIMATORS)
    def test_every_estimator_writes_one(self, name):
        X, y, qid = make_data(missing=0.2)
        model = clone(ESTIMATORS[name]).fit(X, y, qid=qid).model_
        np.testing.assert_array_equal(model.profile.missing, np.isnan(X).mean(axis=0))

    def test_every_form_keeps_it(self, tmp_path):
        X = np.column_stack([documents(50, 3), np.full(50, np.nan, dtype=np.float32)])
        model = trained(X).model_
        model.save(tmp_path / "m.rf")
        model.save_json(tmp_path / "m.json")
        for copy in (rf.load(tmp_path / "m.rf"), rf.load(tmp_path / "m.json"), model[:1]):
            assert copy._info.profile == model._info.profile
            assert copy == model

    def test_it_depends_on_neither_rows_nor_weights_nor_threads(self):
        X = documents(500, 4)
        order = np.random.default_rng(0).permutation(len(X))
        profile = trained(X).model_._info.profile
        assert trained(X[order]).model_._info.profile == profile
        weight = np.random.default_rng(1).random(len(X))
        assert trained(X, sample_weight=weight).model_._info.profile == profile
        assert rf._core.DataProfile.of(rf.Dataset(X, np.ones(500), group=[500])._core, 2) == profile

    def test_without_it_scores_are_the_same_and_the_file_says_less(self):
        X = documents(200, 5)
        model = trained(X).model_
        bare = model.without_profile()
        assert bare.profile is None
        assert (bare.predict(X) == model.predict(X)).all()
        assert b"PROF" in model.to_bytes()
        assert b"PROF" not in bare.to_bytes()
        assert bare.parameters == model.parameters

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_it_becomes_a_frame(self, library):
        pytest.importorskip(library)
        data = rf.Dataset(documents(200, 6), np.ones(200), group=[200], feature_names=list("abcd"))
        profile = rf._core.DataProfile.of(data._core, 1)
        model = rf.Model(
            trained(data.X).model_._ensemble,
            rf._core.ModelInfo(feature_names=list("abcd"), profile=profile),
        )
        frame = model.profile.to_frame(library)
        names = frame.column_names if library == "pyarrow" else list(frame.columns)
        deciles = [f"p{p}" for p in range(10, 100, 10)]
        assert names == ["feature", "missing", "least", *deciles, "largest"]
        assert list(map(str, list(frame["feature"]))) == list("abcd")

    def test_infinities_are_the_largest_numbers_as_in_training(self):
        X = documents(100, 22)
        X[:3, 0] = [np.inf, -np.inf, np.nan]
        estimator = trained(X)
        most = float(np.finfo(np.float32).max)
        profile = rf.Model.from_bytes(estimator.model_.to_bytes()).profile
        assert (profile.least[0], profile.largest[0]) == (-most, most)
        np.testing.assert_array_equal(rf.drift(estimator, X).outside, 0.0)

    def test_repr_is_short(self):
        assert repr(trained(documents(200, 6)).model_.profile) == (
            "DataProfile(200 documents, 4 features)"
        )

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"features": 3}, "data_profile.features: expected list"),
            ({"n_documents": -1}, r"data_profile.n_documents: expected a number in \[0, 2\^64\)"),
            ({"extra": 1}, "data_profile: expected an object with n_documents and features"),
            ({"n_documents": 99}, "the data profile of feature 0: counts and missing values must"),
        ],
    )
    def test_json_that_cannot_be_is_refused_with_its_place(self, change, message, tmp_path):
        import json  # noqa: PLC0415

        trained(documents(50, 7)).model_.save_json(tmp_path / "m.json")
        form = json.loads((tmp_path / "m.json").read_text())
        form["data_profile"].update(change)
        (tmp_path / "m.json").write_text(json.dumps(form))
        with pytest.raises(ValueError, match=message):
            rf.load(tmp_path / "m.json")


class TestDrift:
    def test_the_index_is_that_of_the_definition(self):
        X = documents(3000, 8)
        model = trained(X)
        for now in (documents(500, 9), documents(400, 10, missing=0.5) * 2, X[:1]):
            drift = rf.drift(model, now)
            by_name = dict(zip(drift.feature_names, drift.psi, strict=True))
            for f in range(4):
                assert by_name[str(f)] == pytest.approx(naive_psi(X[:, f], now[:, f]), abs=1e-12)

    def test_two_bins_by_hand(self):
        X = np.repeat([[0.0], [1.0]], [95, 5], axis=0).astype(np.float32)
        drift = rf.drift(trained(X), np.repeat([[0.0], [1.0]], [50, 50], axis=0))
        e, a = np.array([95.5, 5.5]) / 101, np.array([50.5, 50.5]) / 101
        assert drift.psi[0] == pytest.approx(((a - e) * np.log(a / e)).sum())
        assert drift.noise[0] == pytest.approx(6.6349 * 2 / 100, rel=1e-4)  # chi-square, 1 free

    def test_the_training_data_has_not_moved(self):
        X = documents(1000, 11)
        drift = rf.drift(trained(X), X)
        np.testing.assert_array_equal(drift.psi, 0.0)
        np.testing.assert_array_equal(drift.outside, 0.0)
        np.testing.assert_array_equal(drift.missing_now, drift.missing_before)
        assert drift.moved == ()

    def test_features_that_moved_are_found_and_no_others(self):
        model = trained(documents(5000, 12))
        now = documents(2000, 13)
        assert rf.drift(model, now).moved == ()
        now[:, 0] += 1
        now[:400, 3] = np.nan
        drift = rf.drift(model, now)
        assert drift.moved == ("0", "3")
        assert drift.feature_names[:2] == ("0", "3")
        assert drift.missing_before[1] == pytest.approx(0.1, abs=0.02)
        assert drift.missing_now[1] > 0.25
        assert rf.drift(model, now, threshold=10).moved == ()

    def test_few_documents_are_noise(self):
        model = trained(documents(5000, 14))
        beyond = [
            rf.drift(model, documents(30, seed)).psi > rf.drift(model, documents(30, seed)).noise
            for seed in range(100, 200)
        ]
        assert np.mean(beyond) < 0.03  # once in a hundred, by its definition
        large = [(rf.drift(model, documents(30, seed)).psi > 0.2).any() for seed in range(100, 200)]
        assert np.mean(large) > 0.5  # what the noise is there for

    def test_values_outside_are_counted_infinities_too(self):
        X = documents(300, 15)
        now = X[:4].copy()
        now[:, 0] = [np.inf, -np.inf, X[:, 0].max() + 1, X[:, 0].min()]
        drift = rf.drift(trained(X), now)
        assert drift.outside[drift.feature_names.index("0")] == 0.75

    def test_frames_data_sets_and_models_do(self):
        pandas = pytest.importorskip("pandas")
        X = pandas.DataFrame(documents(300, 16), columns=list("abcd"))
        estimator = trained(X)
        expected = rf.drift(estimator, X[:100]).psi
        data = rf.Dataset(X[:100], group=[100])
        for model in (
            estimator,
            estimator.model_,
            rf.Model.from_bytes(estimator.model_.to_bytes()),
        ):
            np.testing.assert_array_equal(rf.drift(model, data, n_jobs=2).psi, expected)
        assert set(rf.drift(estimator, data).feature_names) == set("abcd")
        others = X[:100].assign(query="q")[["query", "b", "a", "c", "d"]]
        np.testing.assert_array_equal(rf.drift(estimator, others).psi, expected)
        with pytest.raises(ValueError, match="yet now missing:\n- b\n"):
            rf.drift(estimator, others.drop(columns="b"))

    def test_a_path_is_that_of_a_model_and_no_array_is_printed(self, tmp_path):
        X = documents(300, 20)
        estimator = trained(X)
        estimator.save(tmp_path / "m.rf")
        for path in (tmp_path / "m.rf", str(tmp_path / "m.rf")):
            np.testing.assert_array_equal(rf.drift(path, X).psi, rf.drift(estimator, X).psi)
        for wrong, kind in ((X, "ndarray"), (clone(estimator), "unfitted MART")):
            with pytest.raises(TypeError, match=rf"got {kind}$"):
                rf.drift(wrong, X)

    def test_it_prints_a_table_and_a_short_repr(self):
        model = trained(documents(500, 17))
        now = documents(400, 18)
        now[:, 1] = 3
        drift = rf.drift(model, now)
        lines = str(drift).splitlines()
        assert lines[0].split() == [
            "feature",
            "PSI",
            "missing",
            "before",
            "missing",
            "now",
            "outside",
        ]
        assert re.match(r"1 +\d\.\d{3} +0\.0 % +0\.0 % +0\.0 % +moved$", lines[1])
        assert len(lines) == 5
        assert "<p>Drift(1 of 4 features moved, 400 documents)</p>" in drift._repr_html_()
        assert drift._repr_html_().count("<tr>") == 5
        assert repr(drift) == "Drift(1 of 4 features moved, 400 documents)"

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_it_becomes_a_frame(self, library):
        pytest.importorskip(library)
        frame = rf.drift(trained(documents(200, 19)), documents(200, 20)).to_frame(library)
        names = frame.column_names if library == "pyarrow" else list(frame.columns)
        assert names == [
            "feature", "psi", "noise", "missing_before", "missing_now", "outside", "moved",
        ]  # fmt: skip

    def test_unusable_arguments_are_named(self):
        model = trained(documents(100, 21))
        with pytest.raises(ValueError, match="has no data profile to compare with"):
            rf.drift(model.model_.without_profile(), documents(10, 1))
        with pytest.raises(
            TypeError, match=r"^model must be .* the path of a model file, got int$"
        ):
            rf.drift(3, documents(10, 1))
        with pytest.raises(ValueError, match=r"threshold must be >= 0, got -1"):
            rf.drift(model, documents(10, 1), threshold=-1)
        with pytest.raises(ValueError, match="X has 3 features, but Model is expecting 4"):
            rf.drift(model, documents(10, 1)[:, :3])
        with pytest.raises(ValueError, match="X must have at least one document"):
            rf.drift(model, np.empty((0, 4)))


@pytest.mark.parametrize(("first", "labels"), [(1, ["1", "2", "3"]), (0, ["0", "1", "2"])])
def test_every_report_numbers_features_as_the_text_does_that_a_model_was_trained_on(
    tmp_path, first, labels
):
    X, y, qid = make_data(n_features=3)
    path = tmp_path / "train.txt"
    rf.write_letor(path, rf.Dataset(X, y, qid=qid), zero_based=first == 0)
    text = rf.read_letor(path, zero_based=first == 0)
    forest = rf.RandomForest(n_estimators=5).fit(text)
    model = rf.Model.from_bytes(forest.model_.to_bytes())
    assert list(model.profile.to_frame().feature) == labels
    for data in (text, X):
        assert sorted(rf.drift(model, data).feature_names) == labels
    for data in (text, (X, y, qid)):
        assert list(rf.permutation_importance(model, data).feature_names) == labels
    assert list(rf.out_of_bag_importance(forest, text).feature_names) == labels


def test_columns_of_arrays_count_from_0_in_every_report(tmp_path):
    X, y, qid = make_data(n_features=3)
    rf.write_letor(tmp_path / "a.txt", rf.Dataset(X, y, qid=qid))
    text = rf.read_letor(tmp_path / "a.txt")
    model = rf.MART(n_estimators=2).fit(X, y, qid=qid).model_
    labels = ["0", "1", "2"]
    assert list(model.profile.feature_names) == labels
    assert sorted(rf.drift(model, text).feature_names) == labels
    assert list(rf.permutation_importance(model, text).feature_names) == labels
