"""Data files that are given to the reader of another kind."""

import gzip
import io
import os
import threading

import numpy as np
import polars as pl
import pytest

import rankforest as rf


@pytest.fixture
def files(tmp_path):
    """Write the same documents as every kind of file, and some that are none."""
    data = rf.datasets.make_ranking(n_queries=5, n_features=3, random_state=0)
    frame = data.to_frame("polars")
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    rf.write_letor(tmp_path / "a.txt", data)
    for name in ("a.csv", "a.txt"):
        packed = gzip.compress((tmp_path / name).read_bytes())
        (tmp_path / f"{name}.gz").write_bytes(packed)
        (tmp_path / f"packed_{name}").write_bytes(packed)
    np.save(tmp_path / "a.npy", data.X)
    (tmp_path / "empty").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("read", "name", "message"),
    [
        (rf.read_parquet, "a.csv", "a Parquet file, found text, such as CSV: read_csv reads that"),
        (rf.read_parquet, "a.csv.gz", "a Parquet file, found text, such as CSV"),
        (rf.read_parquet, "a.txt", "a Parquet file, found LETOR text: read_letor reads it"),
        (rf.read_parquet, "a.npy", "a Parquet file, found a NumPy array (.npy)"),
        (rf.read_parquet, "empty", "a Parquet file, found an empty file"),
        (rf.read_csv, "a.parquet", "a CSV file, found a Parquet file: read_parquet reads it"),
        (rf.read_csv, "a.txt", "a CSV file, found LETOR text: read_letor reads it"),
        (rf.read_csv, "a.txt.gz", "a CSV file, found LETOR text: read_letor reads it"),
        (rf.read_csv, "packed_a.csv", "a CSV file, found a gzip file: its name must end in .gz"),
        (rf.read_letor, "a.parquet", "LETOR text, found a Parquet file: read_parquet reads it"),
        (rf.read_letor, "packed_a.txt", "LETOR text, found a gzip file: its name must end in .gz"),
        (rf.read_letor, "a.npy", "LETOR text, found a NumPy array (.npy)"),
    ],
)
def test_the_file_is_named_with_what_it_is_and_what_reads_it(files, read, name, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 - what it says is the result
        read(files / name)
    assert str(error.value).startswith(f"{files / name}: expected {message}")


def test_csv_given_as_letor_text_is_told_by_its_name(files):
    with pytest.raises(
        ValueError, match=r"a\.csv:1:1: found 'label,.* grade.*; read_csv reads CSV$"
    ):
        rf.read_letor(files / "a.csv")


def test_packed_text_in_streams_and_pipes_must_be_unpacked_first(files):
    packed = (files / "a.txt.gz").read_bytes()
    message = "expected LETOR text, found a gzip file: unpack it first"
    with pytest.raises(ValueError, match=f"^<stream>: {message}"):
        rf.read_letor(io.BytesIO(packed))
    pipe = files / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(packed,))
    writer.start()
    with pytest.raises(ValueError, match=f"pipe: {message}"):
        rf.read_letor(pipe)
    writer.join()


def test_names_of_columns_that_look_like_other_kinds_are_names(tmp_path):
    for name in ("PAR1", "binf", "CBM1", "BZh"):
        pl.DataFrame({name: [1.0], "q": [1]}).write_csv(tmp_path / "a.csv")
        assert rf.read_csv(tmp_path / "a.csv", query="q").feature_names == (name,)


def test_text_of_another_encoding_names_the_file(tmp_path):
    (tmp_path / "a.csv").write_bytes("größe,q\n1,2\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"a\.csv: a CSV file must be UTF-8 text; .* byte 0xf6"):
        rf.read_csv(tmp_path / "a.csv")


@pytest.mark.parametrize("spelling", ["inf", "-inf", "+INF", "Infinity"])
def test_infinite_features_of_text_are_refused_with_the_remedy(tmp_path, spelling):
    (tmp_path / "a.txt").write_text(f"1 qid:1 1:{spelling}\n")
    with pytest.raises(ValueError, match=r":1:11: found .*write nan .* a large number"):
        rf.read_letor(tmp_path / "a.txt")
    (tmp_path / "a.txt").write_text(f"{spelling} qid:1 1:1\n")
    with pytest.raises(ValueError, match=r":1:1: found .*>= 0$"):
        rf.read_letor(tmp_path / "a.txt")


def test_grades_without_queries_ask_for_what_the_reader_takes(files):
    for read, name in ((rf.read_csv, "a.csv"), (rf.read_parquet, "a.parquet")):
        with pytest.raises(ValueError, match=r"query= must name .*left are 'query_id', ") as error:
            read(files / name, label="label")
        assert "group=" not in str(error.value)
