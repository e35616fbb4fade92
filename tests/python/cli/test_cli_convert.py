"""`ltr-convert` writes a model in the forms that there are."""

import pytest
from cli_cases import COMMANDS, call, names_in, write_files

import rankforest as rf
from rankforest import _core
from rankforest.cli.run import run
from rankforest.model_cpp import to_cpp
from rankforest.model_json import to_json


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    rf.MART(n_estimators=5).fit(rf.read_letor(folder / "train.txt")).save(folder / "m.rf")
    return folder


def convert(capsys, *arguments):
    return call(capsys, "ltr-convert", *arguments)


def test_every_form_of_a_model_file_gives_the_others(capsys, files, tmp_path):
    model = rf.load(files / "m.rf")
    ended = convert(capsys, "--model", files / "m.rf", "--to", "json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.out == to_json(model._ensemble, model._info)
    (tmp_path / "m.json").write_text(ended.out)
    convert(
        capsys, "--model", tmp_path / "m.json", "--to", "rankforest", "--output", tmp_path / "m.rf"
    )
    assert (tmp_path / "m.rf").read_bytes() == (files / "m.rf").read_bytes()


def test_the_header_is_that_of_python(capsys, files, tmp_path):
    model = rf.load(files / "m.rf")
    ended = convert(capsys, "--model", files / "m.rf", "--to", "c++")
    assert ended.out == to_cpp(model._ensemble, model._info)
    path = tmp_path / "mine.hpp"
    convert(
        capsys, "--model", files / "m.rf", "--to", "c++", "--namespace", "a::b", "--output", path
    )
    model.save_cpp(tmp_path / "theirs.hpp", namespace="a::b")
    assert path.read_text() == (tmp_path / "theirs.hpp").read_text()
    assert "namespace a::b {" in path.read_text()


def test_lightgbms_text_becomes_a_model_file(capsys, tmp_path):
    (tmp_path / "m.txt").write_text(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=0\n"
        "feature_names=f\n\nTree=0\nnum_leaves=1\nleaf_value=0.5\n\nend of trees\n"
    )
    ended = convert(
        capsys, "--model", tmp_path / "m.txt", "--to", "rankforest", "--output", tmp_path / "m.rf"
    )
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert rf.load(tmp_path / "m.rf").predict([[1.0], [2.0]]).tolist() == [0.5, 0.5]
    assert rf.load(tmp_path / "m.rf") == rf.load(tmp_path / "m.txt")


@pytest.mark.parametrize("form", ["LightGBM", "xgboost", "pmml", "C++"])
def test_a_form_that_is_not_there_is_refused_by_name(capsys, files, form):
    ended = convert(capsys, "--model", files / "m.rf", "--to", form)
    assert ended.status == 2
    assert ended.err == (
        f"ltr-convert: --to: nothing is written as '{form}'; expected one of rankforest, json, "
        "c++, lightgbm, xgboost-json, xgboost-ubj, ranklib, quickrank, solr, "
        "elasticsearch-ranklib, elasticsearch-xgboost, vespa-xgboost, vespa-lightgbm, onnx, "
        "treelite, solr-linear, elasticsearch-linear, letor, parquet, csv\n"
    )


@pytest.mark.parametrize("start", ["## LambdaMART\n", '{"learner": {}}', "<ranker>\n"])
def test_a_model_that_cannot_be_read_is_refused(capsys, tmp_path, start):
    (tmp_path / "m").write_text(start)
    ended = convert(capsys, "--model", tmp_path / "m", "--to", "json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"ltr-convert: {tmp_path / 'm'}: ")


def test_everything_unusable_is_reported_at_once(capsys, files, tmp_path):
    ended = convert(
        capsys, "--model", tmp_path / "no.rf", "--to", "rankforest", "--namespace", "class"
    )
    assert ended.status == 2
    lines = ended.err.splitlines()
    assert len(lines) == 4
    for part in ("--model", "--output: a model file is not text", "is for --to c++", "'class'"):
        assert any(part in line for line in lines)
    ended = convert(
        capsys, "--model", files / "m.rf", "--to", "c++", "--output", tmp_path / "no" / "m.hpp"
    )
    assert ended.status == 2
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("form", ["csv", "letor"])
def test_data_as_text_goes_to_stdout_as_to_a_file(capfdbinary, tmp_path, form):
    source = write_files(tmp_path) / "train.txt"
    uses = ()
    if form == "letor":
        rf.read_letor(source).to_frame("polars").write_csv(tmp_path / "train.csv")
        source, uses = tmp_path / "train.csv", ("--label", "label", "--query", "query_id")
    given = [str(each) for each in ("--data", source, "--to", form, *uses)]
    assert run(COMMANDS["ltr-convert"], [*given, "--output", str(tmp_path / "out")]) == 0
    capfdbinary.readouterr()
    assert run(COMMANDS["ltr-convert"], given) == 0
    out, err = capfdbinary.readouterr()
    assert (out, err) == ((tmp_path / "out").read_bytes(), b"")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("parquet", "--output: Parquet is not text, and not for stdout; name a file"),
        ("json", "--to json is for models; data is written as letor, parquet, csv"),
        ("rankforest", "--to rankforest is for models; data is written as letor, parquet, csv"),
    ],
)
def test_what_data_cannot_become_is_the_only_complaint(capsys, tmp_path, form, message):
    ended = convert(capsys, "--data", write_files(tmp_path) / "train.txt", "--to", form)
    assert (ended.status, ended.err) == (2, f"ltr-convert: {message}\n")


class TestHeader:
    """What the text says; `tests/packaging` compiles it."""

    @pytest.mark.parametrize(
        "name", ["", "1a", "a b", "a::", "a:b", "a;", "for", "a::class", "std"]
    )
    def test_a_namespace_that_cpp_does_not_take_is_refused(self, files, name):
        model = rf.load(files / "m.rf")
        with pytest.raises(ValueError, match=r"^a namespace (must|cannot) be"):
            to_cpp(model._ensemble, model._info, name)

    @pytest.mark.parametrize("combine", ["minmax", "borda"])
    def test_a_model_that_needs_whole_queries_is_refused(self, combine):
        ensemble = _core.Ensemble.from_arrays(
            {"combine": combine, "n_features": 1, "members": [{"base": 0.0, "groups": []}]}
        )
        with pytest.raises(ValueError, match=f"within queries \\({combine}\\); only one that sums"):
            to_cpp(ensemble, _core.ModelInfo())

    def test_it_is_a_function_of_the_model(self, files):
        first, second = rf.load(files / "m.rf"), rf.load(files / "m.rf")
        text = to_cpp(first._ensemble, first._info)
        assert text == to_cpp(second._ensemble, second._info)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 100
