"""Trained models by themselves."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

import rankforest as rf
from rankforest import MART, Dataset, LambdaMART, Model, RandomForest, _core

FROZEN = Path(__file__).resolve().parents[2] / "models" / "v1"


@pytest.fixture(scope="module")
def data():
    return make_data()


@pytest.fixture(scope="module")
def model(data):
    X, y, qid = data
    return clone(ESTIMATORS["igbrt"]).fit(X, y, qid=qid).model_


class TestFiles:
    def test_a_thousand_trees_score_the_same_bits_after_a_file(self, tmp_path):
        X, y, qid = make_data(missing=0.2)
        trained = MART(n_estimators=1000, max_depth=2, missing="third").fit(X, y, qid=qid).model_
        trained.save(tmp_path / "m.rf")
        loaded = rf.load(tmp_path / "m.rf")
        assert loaded.n_trees == 1000
        np.testing.assert_array_equal(loaded.predict(X), trained.predict(X))

    @pytest.mark.parametrize("write", [Model.save, Model.save_json])
    def test_both_forms_of_a_file_give_the_model_back(self, model, tmp_path, write):
        write(model, tmp_path / "file")
        assert rf.load(tmp_path / "file") == model

    def test_a_file_of_something_else_is_refused_with_its_path(self, tmp_path):
        path = tmp_path / "m.rf"
        path.write_text("<ensemble>\n")
        with pytest.raises(ValueError, match=r"m\.rf: neither a rankforest model"):
            rf.load(path)
        with pytest.raises(FileNotFoundError, match=r"gone\.rf"):
            rf.load(tmp_path / "gone.rf")

    def test_a_damaged_byte_is_refused(self, model):
        damaged = bytearray(model.to_bytes())
        damaged[len(damaged) // 2] ^= 1
        with pytest.raises(ValueError, match="checksum"):
            Model.from_bytes(bytes(damaged))

    @pytest.mark.parametrize("text", ["[1]", "{", '"a"', "3"])
    def test_parameters_that_are_no_object_are_told_when_looked_at(self, model, text):
        odd = Model(model._ensemble, _core.ModelInfo(parameters_json=text))
        with pytest.raises(ValueError, match="the model's parameters"):
            odd.parameters  # noqa: B018

    def test_names_of_features_keep_every_character(self, data, tmp_path):
        X, y, qid = data
        names = ["BM25 (title)", "länge", 'a"b,{}', "\t", "文書"]
        trained = MART(n_estimators=2).fit(Dataset(X, y, qid=qid, feature_names=names))
        trained.save(tmp_path / "m.rf")
        assert rf.load(tmp_path / "m.rf").feature_names == tuple(names)
        trained.model_.save_json(tmp_path / "m.json")
        assert rf.load(tmp_path / "m.json").feature_names == tuple(names)


class TestValues:
    def test_it_says_what_it_is(self, model):
        assert repr(model) == "Model(igbrt, 9 rounds, 9 trees, 5 features)"
        assert (model.algorithm, model.n_rounds, model.n_trees, model.n_features) == (
            "igbrt",
            9,
            9,
            5,
        )
        assert model.feature_names is None
        assert model.parameters["forest"]["n_estimators"] == 4
        assert model.data_summary == {
            "n_documents": 120,
            "n_queries": 12,
            "lowest_grade": 0.0,
            "highest_grade": 2.0,
        }
        assert json.dumps(model.parameters)

    def test_equal_models_are_equal_values(self, model, data):
        X, y, qid = data
        same = clone(ESTIMATORS["igbrt"]).fit(X, y, qid=qid).model_
        other = clone(ESTIMATORS["igbrt"]).set_params(random_state=1).fit(X, y, qid=qid).model_
        assert model == same
        assert hash(model) == hash(same)
        assert model != other
        assert model != "model"
        assert pickle.loads(pickle.dumps(model)) == model

    def test_a_custom_objective_leaves_its_trace(self, data):
        X, y, qid = data

        def objective(grades, scores, offsets, rows):
            return scores - grades, np.ones_like(scores)

        trained = MART(n_estimators=2, objective=objective).fit(X, y, qid=qid)
        assert trained.model_.parameters["objective"] == "custom"


class TestScoring:
    def test_threads_share_a_model(self, model, data):
        X = data[0]
        expected = model.predict(X, n_jobs=1)
        with ThreadPoolExecutor(4) as pool:
            for scores in pool.map(lambda _: model.predict(X, n_jobs=2), range(32)):
                np.testing.assert_array_equal(scores, expected)

    def test_all_forms_of_features_score_the_same(self, model, data):
        pd = pytest.importorskip("pandas")
        pl = pytest.importorskip("polars")
        pa = pytest.importorskip("pyarrow")
        sparse = pytest.importorskip("scipy.sparse")
        X = data[0]
        columns = {f"f{i}": X[:, i] for i in range(5)}
        expected = model.predict(X)
        for form in (
            X.tolist(),
            X.astype(np.float64),
            np.asfortranarray(X),
            np.hstack([X, X])[:, :5],
            sparse.csr_array(X),
            pd.DataFrame(columns),
            pl.DataFrame(columns),
            pa.table(columns),
            Dataset(X, qid=np.zeros(len(X), dtype=int)),
        ):
            np.testing.assert_array_equal(model.predict(form), expected)

    def test_no_documents_have_no_scores(self, model):
        assert model.predict(np.empty((0, 5))).shape == (0,)

    @pytest.mark.parametrize("combine", ["minmax", "borda"])
    def test_members_combined_per_query_need_the_queries(self, combine):
        rows = (FROZEN / "scores.tsv").read_text().splitlines()
        header, *values = [row.split("\t") for row in rows]
        qid = [int(row[0]) for row in values]
        X = np.array([[float.fromhex(cell) for cell in row[1:4]] for row in values], np.float32)
        scores = [float.fromhex(row[header.index(combine)]) for row in values]
        frozen = rf.load(FROZEN / f"{combine}.rf")
        np.testing.assert_array_equal(frozen.predict(X, qid), scores)
        np.testing.assert_array_equal(frozen.predict(Dataset(X, qid=qid)), scores)
        with pytest.raises(ValueError, match="needs qid"):
            frozen.predict(X)
        with pytest.raises(ValueError, match="each of the 10 rows of X; it has 9"):
            frozen.predict(X, qid[:-1])
        with pytest.raises(ValueError, match="Dataset brings its own"):
            frozen.predict(Dataset(X, qid=qid), qid)


class TestText:
    @pytest.fixture
    def text(self, tmp_path):
        """Twenty queries; feature 3 is the last one, and rows of grade 0 do not mention it."""
        rng = np.random.default_rng(0)
        lines = []
        for document in range(200):
            grade = int(rng.integers(2))
            third = f" 3:{rng.uniform(1, 2):.3f}" if grade else ""
            lines.append(f"{grade} qid:{document // 10} 1:{rng.random():.3f} 2:1{third}\n")
        (tmp_path / "train.txt").write_text("".join(lines))
        (tmp_path / "short.txt").write_text("0 qid:1 1:0.5 2:1\n0 qid:1 1:0.25 2:1\n")
        return tmp_path

    @pytest.mark.parametrize("absent", [0, "nan"])
    def test_features_that_it_does_not_mention_are_filled_in(self, text, absent):
        train = rf.read_letor(text / "train.txt", absent=absent)
        short = rf.read_letor(text / "short.txt", absent=absent)
        assert short.n_features == 2
        filled = np.hstack([short.X, np.full((2, 1), float(absent), dtype=np.float32)])
        for estimator in (MART(n_estimators=5), LambdaMART(n_estimators=5, min_samples_leaf=5)):
            trained = estimator.fit(train, eval_set={"train": train, "short": short})
            np.testing.assert_array_equal(trained.predict(short), trained.predict(filled))
            taken = short.take_rows([1])
            np.testing.assert_array_equal(trained.predict(taken), trained.predict(filled[1:]))
            with pytest.raises(ValueError, match=r"X has 2 features, but .* 3 features"):
                trained.predict(short.X)

    @pytest.mark.parametrize("zero_based", [True, False])
    @pytest.mark.parametrize("absent", [0, "nan"])
    def test_the_model_remembers_how_it_was_read(self, text, zero_based, absent):
        train = rf.read_letor(text / "train.txt", zero_based=zero_based, absent=absent)
        trained = Model.from_bytes(RandomForest(n_estimators=2).fit(train).model_.to_bytes())
        assert trained.zero_based == zero_based
        assert np.isnan(trained.absent) == (absent == "nan")

    def test_more_features_than_the_model_has_are_refused(self, text):
        with pytest.warns(UserWarning, match="constant"):
            trained = MART(n_estimators=2).fit(rf.read_letor(text / "short.txt"))
        with pytest.raises(ValueError, match=r"X has 3 features, but .* 2 features"):
            trained.predict(rf.read_letor(text / "train.txt"))
