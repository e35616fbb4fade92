import csv
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_cases import codes_for, matrices, models, naive_scores

import rankforest as rf
from rankforest import _core
from rankforest.model_file import read_model, write_model, write_model_json
from rankforest.model_json import canonical_json, from_json, to_json

FROZEN = Path(__file__).resolve().parents[2] / "models" / "v1"
TABLES = {
    "scores.tsv": ("sum", "minmax", "borda"),
    "blend_scores.tsv": ("blend",),
    "section_scores.tsv": ("exits", "linear", "ordinal"),
}
NAMES = [name for names in TABLES.values() for name in names]
FORMS = [FROZEN / f"{name}{form}" for name in NAMES for form in (".rf", ".json")]

INFO = _core.ModelInfo(
    feature_names=["bm25", 'caf\u00e9 "x"\n', "\U0001f332"],
    absent_is_nan=True,
    index_base=0,
    algorithm="lambdamart",
    parameters_json=canonical_json({"learning_rate": 0.1, "max_depth": None}),
    summary_json=canonical_json({"n_documents": 3}),
    unknown=[("NEW1", b"\x00\xff")],
)


def frozen_table(name):
    table = next(table for table, names in TABLES.items() if name in names)
    with (FROZEN / table).open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    X = np.array([[float.fromhex(row[f"x{c}"]) for c in range(3)] for row in rows], np.float32)
    codes = np.array([int(row["query"]) for row in rows], np.uint32)
    return X, codes, rows


def small():
    """Give one tree of one split, as arrays."""
    tree = {
        "feature": np.array([1], np.uint32),
        "threshold": np.array([0.5], np.float32),
        "left": np.array([-1], np.int32),
        "right": np.array([-2], np.int32),
        "missing": np.array([-2], np.int32),
        "gain": np.array([2.0], np.float32),
        "leaf": np.array([1.0, 3.0], np.float32),
    }
    group = {"weight": 0.5, "reduction": "sum", "trees_per_round": 1, "trees": [tree]}
    return {
        "combine": "sum",
        "n_features": 3,
        "members": [{"base": 0.25, "groups": [group]}],
    }


def small_json():
    return json.loads(to_json(_core.Ensemble.from_arrays(small()), INFO))


class TestFrozenFiles:
    @pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
    def test_they_score_to_the_same_bits_for_ever(self, path):
        X, codes, rows = frozen_table(path.stem)
        ensemble, _ = read_model(path)
        expected = [float.fromhex(row[path.stem]) for row in rows]
        assert ensemble.predict(X, codes, 1).tolist() == expected
        assert ensemble.predict(X, codes, 2).tolist() == expected

    @pytest.mark.parametrize("name", NAMES)
    def test_both_forms_are_written_again_byte_for_byte(self, name, tmp_path):
        for form in (".rf", ".json"):
            model = read_model(FROZEN / f"{name}{form}")
            write_model(tmp_path / "model", *model)
            assert (tmp_path / "model").read_bytes() == (FROZEN / f"{name}.rf").read_bytes()
            write_model_json(tmp_path / "model", *model)
            assert (tmp_path / "model").read_bytes() == (FROZEN / f"{name}.json").read_bytes()


class TestScores:
    @given(models, matrices)
    def test_are_those_of_the_definition(self, model, X):
        codes = codes_for(X)
        scores = _core.Ensemble.from_arrays(model).predict(X, codes, 1)
        assert scores.dtype == np.float64
        assert scores.tolist() == naive_scores(model, X, codes)

    @given(models, matrices)
    def test_after_each_round_are_those_of_the_prefix(self, model, X):
        ensemble = _core.Ensemble.from_arrays(model)
        codes = codes_for(X)
        for every in (1, 2):
            stages = list(ensemble.staged(X, codes, 1, every))
            rounds = [*range(every, ensemble.n_rounds, every), ensemble.n_rounds]
            assert len(stages) == (len(rounds) if ensemble.n_rounds else 0)
            for k, scores in zip(rounds, stages, strict=False):
                prefix = ensemble.prefix(k)
                assert prefix.n_rounds == k
                assert scores.tolist() == prefix.predict(X, codes, 1).tolist()

    def test_rows_may_be_apart(self):
        ensemble = _core.Ensemble.from_arrays(small())
        wide = np.arange(24, dtype=np.float32).reshape(4, 6) % 2
        expected = ensemble.predict(wide.copy(), None, 1).tolist()
        assert ensemble.predict(wide[:, :3], None, 1).tolist() == expected
        assert ensemble.predict(wide[::2], None, 1).tolist() == expected[::2]

    def test_inputs_that_do_not_fit_are_refused(self):
        ensemble = _core.Ensemble.from_arrays(small())
        with pytest.raises(ValueError, match="the features have 2 columns; the model needs 3"):
            ensemble.predict(np.zeros((1, 2), np.float32), None, 1)
        with pytest.raises(ValueError, match="two-dimensional array of contiguous rows"):
            ensemble.predict(np.zeros((3, 3), np.float32).T[:, ::2], None, 1)
        with pytest.raises(TypeError):
            ensemble.predict(np.zeros((1, 3)), None, 1)
        with pytest.raises(ValueError, match="n_jobs"):
            ensemble.predict(np.zeros((1, 3), np.float32), None, 0)
        with pytest.raises(ValueError, match="every must be >= 1"):
            ensemble.staged(np.zeros((1, 3), np.float32), None, 1, 0)
        minmax = _core.Ensemble.from_arrays(small() | {"combine": "minmax"})
        with pytest.raises(ValueError, match="a query code for each of 1 rows; got 0"):
            minmax.predict(np.zeros((1, 3), np.float32), None, 1)

    def test_staged_scores_outlive_what_made_them(self):
        stages = _core.Ensemble.from_arrays(small()).staged(np.ones((2, 3), np.float32), None, 1)
        assert [scores.tolist() for scores in stages] == [[1.75, 1.75]]


class TestEnsemble:
    @given(models)
    def test_arrays_come_back_as_they_were(self, model):
        ensemble = _core.Ensemble.from_arrays(model)
        np.testing.assert_equal(ensemble.to_arrays(), model)
        assert _core.Ensemble.from_arrays(ensemble.to_arrays()) == ensemble

    @given(models)
    def test_pickles_and_compares(self, model):
        ensemble = _core.Ensemble.from_arrays(model)
        assert pickle.loads(pickle.dumps(ensemble)) == ensemble
        model["members"][0]["base"] += 1.0
        assert _core.Ensemble.from_arrays(model) != ensemble

    def test_importances_weigh_gains_and_count_splits(self):
        ensemble = _core.Ensemble.from_arrays(small())
        assert ensemble.importances("gain").tolist() == [0.0, 1.0, 0.0]
        assert ensemble.importances("split").tolist() == [0.0, 1.0, 0.0]
        with pytest.raises(ValueError, match="kind must be gain or split, got cover"):
            ensemble.importances("cover")

    def test_arrays_that_are_no_ensemble_are_refused_with_the_place(self):
        model = small()
        model["members"][0]["groups"][0]["trees"][0]["left"][0] = 0
        with pytest.raises(
            ValueError, match="member 0: group 0: tree 0: node 0: a child is node 0"
        ):
            _core.Ensemble.from_arrays(model)
        with pytest.raises(ValueError, match="combine must be one of sum, minmax, borda, got max"):
            _core.Ensemble.from_arrays(small() | {"combine": "max"})
        model = small()
        tree = model["members"][0]["groups"][0]["trees"][0]
        tree["threshold"] = np.zeros(2, np.float32)
        with pytest.raises(ValueError, match="threshold has 2 values, feature has 1"):
            _core.Ensemble.from_arrays(model)
        tree["threshold"] = np.zeros(1)
        with pytest.raises(TypeError, match="threshold must be an array of float32"):
            _core.Ensemble.from_arrays(model)


class TestModelFile:
    @given(models)
    @settings(max_examples=30)
    def test_holds_a_model_and_its_information(self, model):
        ensemble = _core.Ensemble.from_arrays(model)
        again, info = _core.Ensemble.from_bytes(ensemble.to_bytes(INFO))
        assert again == ensemble
        assert info == INFO
        assert info.unknown == [("NEW1", b"\x00\xff")]

    def test_a_thousand_trees_save_load_and_score_to_the_same_bits(self, tmp_path):
        model = small()
        group = model["members"][0]["groups"][0]
        rng = np.random.default_rng(0)
        group["trees"] = [
            group["trees"][0] | {"threshold": t, "leaf": v}
            for t, v in zip(
                rng.normal(size=(1000, 1)).astype(np.float32),
                rng.normal(size=(1000, 2)).astype(np.float32),
                strict=True,
            )
        ]
        ensemble = _core.Ensemble.from_arrays(model)
        write_model(tmp_path / "m.rf", ensemble, INFO)
        again, info = read_model(tmp_path / "m.rf", n_jobs=2)
        X = rng.normal(size=(50, 3)).astype(np.float32)
        assert again == ensemble
        assert again.predict(X, None, 1).tolist() == ensemble.predict(X, None, 2).tolist()
        assert again.to_bytes(info) == (tmp_path / "m.rf").read_bytes()

    @given(st.data())
    def test_damage_is_refused(self, data):
        content = bytearray(_core.Ensemble.from_arrays(small()).to_bytes(INFO))
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] ^= data.draw(st.integers(1, 255))
        with pytest.raises(ValueError, match="model file"):
            _core.Ensemble.from_bytes(bytes(content))

    def test_information_that_does_not_belong_to_the_model_is_refused(self, tmp_path):
        ensemble = _core.Ensemble.from_arrays(small())
        path = tmp_path / "m.rf"
        path.write_bytes(b"old")
        with pytest.raises(ValueError, match="the model has 1 feature names for 3 features"):
            write_model(path, ensemble, _core.ModelInfo(feature_names=["one"]))
        with pytest.raises(ValueError, match="the index base is 2, expected 0 or 1"):
            write_model(path, ensemble, _core.ModelInfo(index_base=2))
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_files_that_cannot_be_read_or_written_are_os_errors(self, tmp_path):
        ensemble = _core.Ensemble.from_arrays(small())
        with pytest.raises(FileNotFoundError):
            read_model(tmp_path / "none.rf")
        with pytest.raises(IsADirectoryError):
            read_model(tmp_path)
        for write in (write_model, write_model_json):
            with pytest.raises(FileNotFoundError):
                write(tmp_path / "none" / "m.rf", ensemble, INFO)
            with pytest.raises(IsADirectoryError):
                write(tmp_path, ensemble, INFO)

    def test_names_of_files_may_hold_any_character(self, tmp_path):
        path = tmp_path / "caf\u00e9 \U0001f332.rf"
        ensemble = _core.Ensemble.from_arrays(small())
        write_model(path, ensemble, INFO)
        assert read_model(str(path)) == (ensemble, INFO)

    @pytest.mark.parametrize(
        ("content", "complaint"),
        [
            (b"", "the file is empty, expected a model"),
            (b"## Notes\n", r"it starts with b'## Notes\\n'"),
            (b"tree\nversion=v5\n", r"line 2: version: found 'v5', expected v2, v3 or v4"),
            (b"\x89RFM\r\n\x1a\n", "the model file is damaged: it ends within the header"),
            (b"\x89RFM\n\x1a\n", "this is a rankforest model file that a transfer as text has"),
            (b'{"trees": {}}', 'not the JSON form of a rankforest model: "format" is not'),
            (b'{"format": ', "not valid JSON"),
            (b'{"format": "\xff"}', "can't decode byte"),
            (b'{"a":' + b"[" * 100_000, "nested too deeply"),
            (b'{"format": "rankforest model", "version": 2}', "has version 2"),
        ],
    )
    def test_other_content_is_refused_with_the_path(self, tmp_path, content, complaint):
        path = tmp_path / "model"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=complaint) as error:
            read_model(path)
        assert str(error.value).startswith(str(path))


class TestJson:
    @given(models)
    def test_gives_the_same_bytes_back(self, model):
        ensemble = _core.Ensemble.from_arrays(model)
        text = to_json(ensemble, INFO)
        again, info = from_json(text)
        assert again.to_bytes(info) == ensemble.to_bytes(INFO)
        assert to_json(again, info) == text

    def test_float32_are_the_shortest_decimals_that_read_back(self):
        bits = np.random.default_rng(0).integers(0, 2**32, 20_000, dtype=np.uint32)
        values = bits.view(np.float32)
        values = values[np.isfinite(values)]
        n = len(values)
        model = small()
        model["members"][0]["groups"][0]["trees"][0] = {  # each left child is the next node
            "feature": np.zeros(n, np.uint32),
            "threshold": values,
            "left": np.array([*range(1, n), -1], np.int32),
            "right": np.arange(-n - 1, -1, dtype=np.int32),
            "missing": np.arange(-n - 1, -1, dtype=np.int32),
            "gain": np.zeros(0, np.float32),
            "leaf": np.zeros(n + 1, np.float32),
        }
        ensemble = _core.Ensemble.from_arrays(model)
        text = to_json(ensemble, INFO)
        assert from_json(text)[0].to_bytes(INFO) == ensemble.to_bytes(INFO)
        nodes = json.loads(text, parse_float=Decimal)["members"][0]["groups"][0]["trees"][0][
            "nodes"
        ]
        for node, value in zip(nodes, values, strict=True):
            n_digits = len(node["threshold"].normalize().as_tuple().digits)
            assert n_digits <= 9
            assert n_digits == 1 or np.float32(f"{value:.{n_digits - 2}e}") != value

    def test_a_byte_order_mark_and_other_layouts_are_read(self, tmp_path):
        ensemble = _core.Ensemble.from_arrays(small())
        for indent, mark in ((None, b""), (4, b"\xef\xbb\xbf \n")):
            text = json.dumps(small_json(), indent=indent)
            (tmp_path / "m.json").write_bytes(mark.strip() + text.encode())
            assert read_model(tmp_path / "m.json") == (ensemble, INFO)

    def test_parameters_and_summary_may_be_unknown(self):
        ensemble = _core.Ensemble.from_arrays(small())
        assert from_json(to_json(ensemble, _core.ModelInfo())) == (ensemble, _core.ModelInfo())

    def test_parameters_that_are_not_json_are_refused(self):
        ensemble = _core.Ensemble.from_arrays(small())
        for text in ("{", "NaN"):
            with pytest.raises(ValueError, match="parameters: not valid JSON"):
                to_json(ensemble, _core.ModelInfo(parameters_json=text))
        with pytest.raises(ValueError, match="Out of range float"):
            canonical_json({"learning_rate": float("nan")})

    @pytest.mark.parametrize(
        ("path", "value", "complaint"),
        [
            ("algorithm", None, r"^algorithm: expected str, got null$"),
            ("parameters", [], r"^parameters: expected dict or null, got \[\]$"),
            ("feature_names", ["a", 1, "c"], r"^feature_names\[1\]: expected str, got 1$"),
            ("feature_names", ["a"], "^the model has 1 feature names for 3 features$"),
            ("absent", "inf", '^absent: expected "zero" or "nan", got "inf"$'),
            ("index_base", True, "^index_base: expected int, got true$"),
            ("index_base", 7, "^the index base is 7, expected 0 or 1$"),
            (
                "unknown_sections",
                {"NEW1": "A"},
                '^unknown_sections.NEW1: expected base64, got "A"$',
            ),
            ("unknown_sections", {"NEW1": 3}, "^unknown_sections.NEW1: expected base64, got 3$"),
            ("unknown_sections", {"TREE": ""}, "two sections TREE"),
            ("combine", "max", "combine must be one of sum, minmax, borda, got max"),
            (
                "n_features",
                2**32,
                r"^n_features: expected a number in \[0, 2\^32\), got 4294967296$",
            ),
            ("n_features", 1, "node 0: the feature is 1, expected one of the model's 1"),
            ("members", {}, "^members: expected list, got {}$"),
            ("members", [], "the model has no member"),
            ("members.0", 3, r"^members\[0\]: expected an object, got 3$"),
            ("members.0.base", "0", r'^members\[0\]\.base: expected int or float, got "0"$'),
            ("members.0.base", 10**400, r"^members\[0\]\.base: expected a finite number, got 1000"),
            ("members.0.surplus", 1, r"^members\[0\]\.surplus: unknown key$"),
            ("surplus", 1, "^surplus: unknown key$"),
            ("members.0.groups.0.reduction", "max", "reduction must be one of sum, mean, got max"),
            ("members.0.groups.0.trees_per_round", 0, "has 1 trees in rounds of 0"),
            ("members.0.groups.0.trees_per_round", -1, r"trees_per_round: expected a number in"),
            (
                "members.0.groups.0.trees.0.nodes.0",
                {},
                r"nodes\[0\]: expected an object with the keys",
            ),
            ("members.0.groups.0.trees.0.nodes.0.more", 1, r"nodes\[0\]: expected an object with"),
            ("members.0.groups.0.trees.0.nodes.0.left", 0, "node 0: a child is node 0"),
            (
                "members.0.groups.0.trees.0.nodes.0.left",
                -1.0,
                r"nodes\.left\[0\]: expected a whole",
            ),
            (
                "members.0.groups.0.trees.0.nodes.0.left",
                2**31,
                r"nodes\.left: a number does not fit",
            ),
            (
                "members.0.groups.0.trees.0.nodes.0.feature",
                -1,
                "feature: a number does not fit uint32",
            ),
            (
                "members.0.groups.0.trees.0.nodes.0.threshold",
                1e39,
                r'threshold\[0\]: expected a float32 or "inf", got 1e\+39',
            ),
            ("members.0.groups.0.trees.0.nodes.0.threshold", "-inf", "expected a number"),
            (
                "members.0.groups.0.trees.0.nodes.0.threshold",
                None,
                r"threshold\[0\]: expected a num",
            ),
            ("members.0.groups.0.trees.0.leaves", [1.0], "a child is leaf 1, expected leaf 1 of 1"),
            ("members.0.groups.0.trees.0.leaves", [1.0, 1e300], "leaf 1: weight x value is inf"),
        ],
    )
    def test_what_is_wrong_is_named(self, path, value, complaint):
        model = small_json()
        *parents, last = path.split(".")
        place = model
        for key in parents:
            place = place[int(key) if key.isdigit() else key]
        place[int(last) if last.isdigit() else last] = value
        with pytest.raises(ValueError, match=complaint):
            from_json(json.dumps(model))

    @pytest.mark.parametrize("key", sorted({*small_json()} - {"format", "version"}))
    def test_every_key_is_needed(self, key):
        model = small_json()
        del model[key]
        with pytest.raises(ValueError, match=f"^{key}: missing$"):
            from_json(json.dumps(model))

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
    def test_numbers_that_json_does_not_have_are_refused(self, number):
        text = to_json(_core.Ensemble.from_arrays(small()), INFO).replace("0.25", number)
        with pytest.raises(ValueError, match=f"{number} is not a JSON number"):
            from_json(text)

    @pytest.mark.parametrize("place", ["algorithm", "combine", "feature_names", "parameters"])
    def test_half_a_character_is_no_text(self, place):
        model = small_json()
        model[place] = {
            "feature_names": ["a", "\ud800", "c"],
            "parameters": {"\udfff": 1},
        }.get(place, "\ud800")
        with pytest.raises(ValueError, match="surrogates not allowed"):
            from_json(json.dumps(model))

    def test_two_halves_are_a_character(self):
        model = small_json()
        model["algorithm"] = "\U0001f332"
        assert "\\ud83c" in json.dumps(model)
        assert from_json(json.dumps(model))[1].algorithm == "\U0001f332"


class TestSaving:
    """What is left, and who may read it, whatever happens."""

    def test_nothing_that_killed_runs_left_is_in_the_way(self, tmp_path):
        for i in range(1000):
            (tmp_path / f"x.rf.tmp{i}").touch()
        write_model(tmp_path / "x.rf", _core.Ensemble.from_arrays(small()), INFO)
        assert rf.load(tmp_path / "x.rf").n_features == 3

    def test_a_secret_model_stays_one(self, tmp_path):
        path = tmp_path / "secret.rf"
        path.touch(mode=0o600)
        write_model(path, _core.Ensemble.from_arrays(small()), INFO)
        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("write", [write_model, write_model_json])
    def test_a_link_to_a_file_that_is_not_there_yet_stays_a_link(self, tmp_path, write):
        link = tmp_path / "link.rf"
        link.symlink_to("there.rf")
        write(link, _core.Ensemble.from_arrays(small()), INFO)
        assert link.is_symlink()
        assert rf.load(tmp_path / "there.rf").n_features == 3

    def test_threads_write_one_path(self, tmp_path):
        ensemble = _core.Ensemble.from_arrays(small())
        with ThreadPoolExecutor(4) as threads:
            list(
                threads.map(
                    lambda path: write_model(path, ensemble, INFO), [tmp_path / "x.rf"] * 200
                )
            )
        assert [path.name for path in tmp_path.iterdir()] == ["x.rf"]


def test_the_model_of_an_estimator_is_the_same_in_both_forms(tmp_path):
    data = rf.datasets.make_ranking(n_queries=20, random_state=0)
    model = rf.LambdaMART(n_estimators=3, min_samples_leaf=5).fit(data).model_
    model.save(tmp_path / "model.rf")
    model.save_json(tmp_path / "model.json")
    assert rf.load(tmp_path / "model.rf") == model
    assert rf.load(tmp_path / "model.json") == model
