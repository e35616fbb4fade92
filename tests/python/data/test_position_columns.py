"""Where documents were shown, out of files and data frames, and on through all that is done with data."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pytest
from cli_cases import call

import rankforest as rf
from rankforest import Dataset, LambdaMART
from rankforest.datasets import make_ranking, simulate_clicks

TRAINING = ("--algorithm", "lambdamart", "--n-estimators", 5, "--min-samples-leaf", 2, "--quiet")
COLUMNS = {"y": [1, 0, 1, 0], "q": ["a", "a", "b", "b"], "f": [1.5, 2.0, 3.0, 0.5]}
USES = {"label": "y", "query": "q"}


@pytest.fixture(scope="module")
def data():
    """Clicks that were seen at positions."""
    shown = make_ranking(n_queries=15, n_documents=6, n_features=4, random_state=2)
    return simulate_clicks(shown, shown.X[:, 0], n_sessions=4).data


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    """The clicks as text with a file of positions beside it, as Parquet and as CSV."""
    folder = tmp_path_factory.mktemp("clicks")
    rf.write_letor(folder / "train.txt", data._with(position=None))
    (folder / "positions.txt").write_text("".join(f"{each}\n" for each in data.position))
    frame = data.to_frame("polars")
    frame.write_parquet(folder / "train.parquet")
    frame.write_csv(folder / "train.csv")
    return folder


def trained(data, **settings):
    return LambdaMART(n_estimators=5, min_samples_leaf=2, **settings).fit(data)


class TestFrames:
    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_keep_positions_there_and_back(self, data, library):
        frame = data.to_frame(library, position="shown_at")
        again = Dataset.from_frame(
            frame, label="label", query="query_id", position="shown_at", drop=[]
        )
        np.testing.assert_array_equal(again.position, data.position)
        assert again.feature_names == data.feature_labels
        assert trained(again).model_._ensemble == trained(data).model_._ensemble

    def test_without_positions_have_no_column_of_them(self):
        plain = make_ranking(n_queries=3)
        assert "position" not in plain.to_frame().columns
        assert (
            Dataset.from_frame(plain.to_frame(), label="label", query="query_id").position is None
        )

    def test_need_different_names(self, data):
        with pytest.raises(ValueError, match="label, query, weight, id and position must differ"):
            data.to_frame(position="label")
        with pytest.raises(
            ValueError, match="choose another for label=, query=, weight=, id= or po"
        ):
            data.to_frame(position=data.feature_labels[0])

    def test_give_positions_to_fit_and_leave_them_out_of_scores(self, data):
        frame = data.to_frame(position="shown_at")
        model = LambdaMART(n_estimators=5, min_samples_leaf=2)
        model.fit(frame, y="label", qid="query_id", position="shown_at")
        np.testing.assert_array_equal(model.position_bias_, trained(data).position_bias_)
        assert model.frame_columns_.position == "shown_at"
        np.testing.assert_array_equal(model.predict(frame), trained(data).predict(data))
        np.testing.assert_array_equal(
            model.predict(frame.drop(columns="shown_at")), model.predict(frame)
        )

    def test_that_fit_gets_must_have_the_column(self, data):
        with pytest.raises(ValueError, match="position='shown' is no column"):
            LambdaMART().fit(data.to_frame(), y="label", qid="query_id", position="shown")
        with pytest.raises(
            ValueError, match="position='shown': names of columns need a data frame"
        ):
            LambdaMART().fit(data._with(position=None), position="shown")


class TestParts:
    def test_of_data_keep_positions(self, data):
        for _, test in data.folds(3):
            np.testing.assert_array_equal(test.position, data.position[test.rows])
        taken = data.take(data.query_ids[2:5])
        np.testing.assert_array_equal(taken.position, data.position[taken.rows])
        wide = data.with_query_features("rank")
        np.testing.assert_array_equal(wide.position, data.position)


class TestTables:
    @pytest.mark.parametrize("name", ["train.parquet", "train.csv"])
    def test_have_positions_in_a_column(self, data, folder, name):
        read = rf.read_csv if name.endswith("csv") else rf.read_parquet
        again = read(folder / name, label="label", query="query_id", position="position")
        np.testing.assert_array_equal(again.position, data.position)
        assert again.n_features == data.n_features
        both = read([folder / name] * 2, label="label", query="query_id", position="position")
        np.testing.assert_array_equal(both.position, np.tile(data.position, 2))

    @pytest.mark.parametrize(
        ("positions", "message"),
        [
            ([1, 0, 1, 2], r"from 1 to 10000; that of row 1 \(counted from 0\) is 0"),
            ([1, 2, -1, 2], r"that of row 2 \(counted from 0\) is -1"),
            ([1, 2, 1, 1.5], r"that of row 3 \(counted from 0\) is 1.5"),
            ([1, np.nan, 1, 2], "row 1 .*(is nan|has none)"),
            ([1, np.inf, 1, 2], r"that of row 1 \(counted from 0\) is inf"),
            ([1, 10001, 1, 2], r"that of row 1 \(counted from 0\) is 10001"),
            (["1", "x", "1", "2"], "position|'p'"),
        ],
    )
    def test_of_other_numbers_are_refused_with_the_row(self, tmp_path, positions, message):
        frame = pd.DataFrame(COLUMNS | {"p": positions})
        with pytest.raises(ValueError, match=message):
            Dataset.from_frame(frame, **USES, position="p")
        frame.to_csv(tmp_path / "a.csv", index=False)
        with pytest.raises(ValueError, match=message) as error:
            rf.read_csv(tmp_path / "a.csv", **USES, position="p")
        assert str(error.value).startswith(str(tmp_path / "a.csv"))

    def test_must_have_the_column(self, folder):
        with pytest.raises(
            ValueError, match=r"position=.positoin. is no column .did you mean 'positi"
        ):
            rf.read_csv(folder / "train.csv", position="positoin")
        with pytest.raises(ValueError, match="cannot be both label and position"):
            Dataset.from_frame(pl.DataFrame(COLUMNS), **USES, position="y")


class TestText:
    def test_has_positions_in_a_file_beside_it_or_an_array(self, data, folder, tmp_path):
        compressed = tmp_path / "positions.gz"
        compressed.write_bytes(gzip.compress((folder / "positions.txt").read_bytes() + b"\n\n"))
        for given in (folder / "positions.txt", str(compressed), data.position.tolist()):
            again = rf.read_letor(folder / "train.txt", position=given)
            np.testing.assert_array_equal(again.position, data.position)
        both = rf.read_letor([folder / "train.txt"] * 2, position=np.tile(data.position, 2))
        assert both.n_documents == 2 * data.n_documents

    @pytest.mark.parametrize(
        ("line", "found"),
        [
            ("0", "'0'"), ("-1", "'-1'"), ("1.5", "'1.5'"), ("nan", "'nan'"), ("x", "'x'"),
            ("1 2", "'1 2'"), ("10001", "'10001'"), ("9" * 400, "'999"), ("", "a blank line"),
        ],
    )  # fmt: skip
    def test_with_other_lines_is_refused_with_the_line(self, folder, tmp_path, line, found):
        path = tmp_path / "p"
        path.write_text(f"1\n2\n{line}\n4\n")
        with pytest.raises(ValueError, match="must be a position, a whole number") as error:
            rf.read_letor(folder / "train.txt", position=path)
        assert str(error.value).startswith(f"{path}:3: ")
        assert found in str(error.value)

    def test_with_fewer_or_more_is_refused(self, data, folder, tmp_path):
        path = tmp_path / "p"
        path.write_text("1\n2\n")
        with pytest.raises(
            ValueError, match=f"{path}: must have a position for each of the {len(data.y)}"
        ):
            rf.read_letor(folder / "train.txt", position=path)
        with pytest.raises(ValueError, match="position must have one value for each"):
            rf.read_letor(folder / "train.txt", position=[1, 2])

    def test_is_not_written_without_them(self, data, tmp_path):
        with pytest.raises(ValueError, match="position cannot be written: LETOR text has no place"):
            rf.write_letor(tmp_path / "a.txt", data)


class TestCommands:
    def test_learn_from_a_column_or_a_file(self, capsys, data, folder, tmp_path):
        tables = ("--label", "label", "--query", "query_id", "--position", "position")
        expected = trained(data._with(feature_names=None)).model_
        for name, given in {
            "train.txt": ("--position-file", folder / "positions.txt"),
            "train.parquet": tables,
            "train.csv": tables,
        }.items():
            path = tmp_path / "m.rf"
            ended = call(
                capsys, "ltr-train", *TRAINING, "--train", folder / name, *given, "--model", path
            )
            assert ended.status == 0, ended.err
            model = rf.load(path)
            assert model._ensemble == expected._ensemble
            assert model.parameters["position_bias"] == expected.parameters["position_bias"]

    def test_take_the_regularization(self, capsys, folder, tmp_path):
        given = ("--position-file", folder / "positions.txt", "--train", folder / "train.txt")
        found = {}
        for value in ("0.5", "none"):
            ended = call(
                capsys, "ltr-train", *TRAINING, "--position-bias-regularization", value, *given,
                "--model", tmp_path / "m.rf",
            )  # fmt: skip
            found[value] = ended.err
        assert rf.load(tmp_path / "m.rf").parameters["position_bias_regularization"] == 0.5
        assert found["0.5"] == ""
        assert "position is for lambdamart with a --position-bias-regularization" in found["none"]

    def test_go_on_from_a_checkpoint(self, capsys, folder, tmp_path):
        given = ("--position-file", folder / "positions.txt", "--train", folder / "train.txt")
        for name in ("a.rf", "b.rf"):
            ended = call(
                capsys, "ltr-train", *TRAINING, *given, "--checkpoint", tmp_path / "ck",
                "--checkpoint-every", 2, "--model", tmp_path / name,
            )  # fmt: skip
            assert ended.status == 0, ended.err
        assert (tmp_path / "a.rf").read_bytes() == (tmp_path / "b.rf").read_bytes()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--position-file", "P", "--algorithm", "mart"), "is for lambdamart, not for mart"),
            (("--position-file", "P", "--position", "p"), "both say where documents were shown"),
            (("--position", "p"), "--position is for Parquet and CSV files"),
            (("--position-file", "SHORT"), "must have a position for each of the"),
            (("--position-file", "BAD"), ":2: must be a position"),
            (("--position-file", "GONE"), "GONE"),
        ],
    )
    def test_refuse_what_does_not_fit(self, capsys, folder, tmp_path, arguments, message):
        (tmp_path / "SHORT").write_text("1\n")
        (tmp_path / "BAD").write_text("1\n0\n")
        files = {"P": folder / "positions.txt"}
        given = [files.get(each, each) for each in arguments]
        given = [tmp_path / each if each in ("SHORT", "BAD", "GONE") else each for each in given]
        ended = call(
            capsys, "ltr-train", *TRAINING, *given, "--train", folder / "train.txt",
            "--model", tmp_path / "m.rf",
        )  # fmt: skip
        assert ended.status == 2
        assert message in ended.err
        assert not (tmp_path / "m.rf").exists()

    def test_convert_and_score_tables_with_a_column_of_positions(
        self, capsys, data, folder, tmp_path
    ):
        tables = ("--label", "label", "--query", "query_id", "--position", "position")
        ended = call(
            capsys, "ltr-convert", "--data", folder / "train.csv", *tables, "--to", "parquet",
            "--output", tmp_path / "again.parquet",
        )  # fmt: skip
        assert ended.status == 0, ended.err
        again = pl.read_parquet(tmp_path / "again.parquet")
        assert again["position"].to_list() == data.position.tolist()
        assert again.columns == data.to_frame("polars").columns
