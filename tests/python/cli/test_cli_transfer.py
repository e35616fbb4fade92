"""`ltr-transfer`: what it writes, prints and refuses."""

import numpy as np
import pytest
from cli_cases import call, write_files

import rankforest as rf


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A target of 15 queries, and a source of 30."""
    return write_files(tmp_path_factory.mktemp("sets"))


def expected_of(source, target, fraction, **given):
    chosen = rf.transfer.select_source(source, target, fraction, **given)
    return rf.concat([target, chosen.data], queries="rename")


def test_the_file_has_the_target_and_what_python_selects(capsys, folder, tmp_path):
    given = ("--source", folder / "train.txt", "--target", folder / "valid.txt")
    output = tmp_path / "both.txt"
    ended = call(
        capsys, "ltr-transfer", *given, "--fraction", "0.2", "--n-folds", "3", "--random-state",
        "7", "--output", output,
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    source, target = (rf.read_letor(folder / f"{n}.txt") for n in ("train", "valid"))
    expected = expected_of(source, target, 0.2, n_folds=3, random_state=7)
    written = rf.read_letor(output, absent=0)
    np.testing.assert_array_equal(written.X, expected.X)
    assert written.y.tolist() == expected.y.tolist()
    assert written.qid.tolist() == expected.qid.tolist()
    n_added = expected.n_documents - target.n_documents
    assert ended.out == (
        f"{n_added} of {source.n_documents} documents added to {target.n_documents}, by 6 features "
        "that both have\n"
    )


def test_tables_are_matched_by_name_and_written_as_they_are_asked_for(capsys, folder, tmp_path):
    source, target = (rf.read_letor(folder / f"{n}.txt") for n in ("train", "valid"))
    source = rf.Dataset(source.X[:, [4, 1, 0]], source.y, qid=source.qid, feature_names=list("eba"))
    target = rf.Dataset(target.X, target.y, qid=target.qid, feature_names=list("abcdef"))
    for name, each in (("source", source), ("target", target)):
        each.to_frame("polars").write_csv(tmp_path / f"{name}.csv")
    ended = call(
        capsys, "ltr-transfer", "--source", tmp_path / "source.csv", "--target",
        tmp_path / "target.csv", "--label", "label", "--query", "query_id", "--fraction", "0.5",
        "--unit", "query", "--to", "parquet", "--output", tmp_path / "both.parquet",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    assert "by 3 features that both have" in ended.out
    written = rf.read_parquet(tmp_path / "both.parquet", label="label", query="query_id")
    expected = expected_of(source, target, 0.5, unit="query")
    assert written.feature_names == tuple("abcdef")
    np.testing.assert_array_equal(written.X, expected.X)
    assert np.isnan(written.X[-1, [2, 3, 5]]).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--fraction", "0"), "--fraction"),
        (("--fraction", "0.1", "--unit", "row"), "--unit"),
        (("--fraction", "0.1", "--n-folds", "1"), "--n-folds"),
        (("--fraction", "0.1", "--n-folds", "31"), "at most 30, the number of queries"),
        ((), "--fraction"),
    ],
)
def test_unusable_arguments_are_named(capsys, folder, tmp_path, given, message):
    ended = call(
        capsys, "ltr-transfer", "--source", folder / "train.txt", "--target",
        folder / "valid.txt", *given, "--output", tmp_path / "both.txt",
    )  # fmt: skip
    assert ended.status == 2
    assert message in ended.err
    assert not (tmp_path / "both.txt").exists()
