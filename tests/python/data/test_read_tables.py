"""Parquet and CSV files, by whichever library is there."""

import gzip

import numpy as np
import polars as pl
import pytest
from data_cases import COLUMNS, USES, assert_holds_the_columns

import rankforest as rf
from rankforest import tables
from rankforest._data import table_readers
from rankforest.datasets import make_ranking

TABLE = COLUMNS | {"title": ["x", "NA", "z"]}
READING = USES | {"drop": ["title"]}


@pytest.fixture(params=list(table_readers.READERS))
def library(request, monkeypatch):
    """Leave one library to read tables."""
    kind = table_readers.READERS[request.param]
    monkeypatch.setattr(table_readers, "READERS", {request.param: kind})
    return request.param


@pytest.mark.usefixtures("library")
def test_every_library_reads_the_same_data_set(tmp_path):
    frame = pl.DataFrame(TABLE)
    frame.write_parquet(tmp_path / "a.parquet")
    assert_holds_the_columns(rf.read_parquet(tmp_path / "a.parquet", **READING))
    frame.write_csv(tmp_path / "a.csv")
    assert_holds_the_columns(rf.read_csv(tmp_path / "a.csv", **READING))
    frame.write_csv(tmp_path / "a.tsv", separator="\t")
    assert_holds_the_columns(rf.read_csv(tmp_path / "a.tsv", separator="\t", **READING))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    assert_holds_the_columns(rf.read_csv(tmp_path / "a.csv.gz", **READING))


@pytest.mark.usefixtures("library")
def test_values_survive_to_the_bit(tmp_path):
    data = make_ranking(n_queries=10, n_features=4, random_state=0)
    data.to_frame("polars").write_parquet(tmp_path / "a.parquet")
    data.to_frame("polars").write_csv(tmp_path / "a.csv")
    for again in (
        rf.read_parquet(tmp_path / "a.parquet", label="label", query="query_id"),
        rf.read_csv(tmp_path / "a.csv", label="label", query="query_id"),
    ):
        np.testing.assert_array_equal(again.X, data.X)
        assert again.query_ids.tolist() == data.query_ids.tolist()


@pytest.mark.usefixtures("library")
def test_columns_of_csv_are_numbers_whatever_the_first_lines_look_like(tmp_path):
    lines = [f"q{i // 10},{i % 3},7" for i in range(300_000)]
    (tmp_path / "a.csv").write_text("q,y,f\n" + "\n".join(lines) + "\nq1,0.5,0.25\n")
    data = rf.read_csv(tmp_path / "a.csv", label="y", query="q")
    assert (data.y[-1], data.X[-1, 0], data.X[0, 0]) == (0.5, 0.25, 7)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["7", "-3", "7"], [7, -3]),
        (["007", "3", "007"], ["007", "3"]),
        (["1", "x", "1"], ["1", "x"]),
    ],
)
def test_query_ids_of_csv_are_integers_if_all_are_written_so(tmp_path, ids, expected):
    (tmp_path / "a.csv").write_text("q,f\n" + "".join(f"{each},1\n" for each in ids))
    assert rf.read_csv(tmp_path / "a.csv", query="q").query_ids.tolist() == expected


@pytest.mark.usefixtures("library")
def test_what_says_nothing_in_csv_is_missing(tmp_path):
    (tmp_path / "a.csv").write_text("f,g\n,1\nNA,NULL\nnan,inf\n2,3\n")
    data = rf.read_csv(tmp_path / "a.csv")
    np.testing.assert_array_equal(data.X, [[np.nan, 1], [np.nan] * 2, [np.nan, np.inf], [2, 3]])


@pytest.mark.usefixtures("library")
def test_fields_that_are_no_numbers_are_named_with_their_line(tmp_path):
    (tmp_path / "a.csv").write_text('f,title,date\n1,"a\nb",1\n2,c,2020-01-01\n')
    with pytest.raises(ValueError, match="no numbers") as refusal:
        rf.read_csv(tmp_path / "a.csv")
    assert "'title' (line 3: 'a\\nb'), 'date' (line 4: '2020-01-01'); drop= leaves" in str(
        refusal.value
    )


@pytest.mark.usefixtures("library")
def test_several_files_are_one_data_set(tmp_path):
    pl.DataFrame({"q": [1, 2], "f": [1, 2]}).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame({"q": [2, 3], "f": [0.5, 3]}).write_parquet(tmp_path / "b.parquet")
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    data = rf.read_parquet(paths, query="q")
    assert data.qid.tolist() == [1, 2, 2, 3]
    assert data.X.tolist() == [[1], [2], [0.5], [3]]
    pl.DataFrame({"q": [2], "g": [0.5]}).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"lacks a feature 'f'|has a feature 'f'"):
        rf.read_parquet(paths, query="q")


@pytest.mark.usefixtures("library")
def test_unknown_columns_are_named_with_the_file(tmp_path):
    pl.DataFrame(TABLE).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame(TABLE).write_csv(tmp_path / "a.csv")
    for read, name in ((rf.read_parquet, "a.parquet"), (rf.read_csv, "a.csv")):
        with pytest.raises(ValueError, match=rf"{name}: label='Y' is no column .*'y'"):
            read(tmp_path / name, label="Y", query="q")


@pytest.mark.usefixtures("library")
def test_the_index_that_pandas_writes_is_no_feature(tmp_path):
    frame = pl.DataFrame({"f": [1, 2], "q": [1, 1]}).to_pandas()
    frame.index = [5, 7]
    frame.to_parquet(tmp_path / "a.parquet")
    assert rf.read_parquet(tmp_path / "a.parquet", query="q").feature_names == ("f",)


def test_a_string_alone_is_the_name_of_one_column(tmp_path):
    frame = pl.DataFrame({"a": [1.0], "b": [2.0], "ab": [3.0]})
    frame.write_csv(tmp_path / "a.csv")
    frame.write_parquet(tmp_path / "a.parquet")
    for read, name in ((rf.read_csv, "a.csv"), (rf.read_parquet, "a.parquet")):
        assert read(tmp_path / name, features="ab").X.tolist() == [[3]]
        assert read(tmp_path / name, drop="ab").feature_names == ("a", "b")


def test_the_index_of_a_frame_is_refused_unless_dropped_or_chosen(tmp_path):
    path = tmp_path / "a.csv"
    pl.DataFrame({"a": [1.0, 2.0], "q": [1, 1]}).to_pandas().to_csv(path)
    with pytest.raises(
        ValueError, match=r"a.csv: column '' has no name .* drop=\"\", .*index=False"
    ):
        rf.read_csv(path, query="q")
    assert rf.read_csv(path, query="q", drop="").feature_names == ("a",)
    assert rf.read_csv(path, query="q", features=["a", ""]).X.tolist() == [[1, 0], [2, 1]]


def test_headers_that_do_not_name_columns_are_refused(tmp_path):
    for text, message in (("a,b,a\n1,2,3\n", "'a' occurs twice"), ("", "it is empty")):
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(ValueError, match=f"a.csv: .*{message}"):
            rf.read_csv(tmp_path / "a.csv")


def test_unusable_arguments_are_refused(tmp_path):
    with pytest.raises(ValueError, match="separator must be one character"):
        rf.read_csv(tmp_path / "a.csv", separator=", ")
    with pytest.raises(ValueError, match="at least one file"):
        rf.read_parquet([])
    with pytest.raises(FileNotFoundError):
        rf.read_parquet(tmp_path / "none.parquet")
    with pytest.raises(FileNotFoundError):
        rf.read_csv(tmp_path / "none.csv")


def test_without_a_library_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(table_readers, "READERS", {})
    for read in (tables.read_parquet, tables.read_csv):
        with pytest.raises(ImportError, match="need pyarrow, polars or pandas"):
            read(tmp_path / "a")
