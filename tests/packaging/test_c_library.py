"""The C library, built as its users build it, from Python's ctypes and from C99."""

import ctypes
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from c_library import Library, Limits, Ranked
from packaging_cases import C_COMPILER, COMPILES_C, run

import rankforest as rf
from rankforest import _core

SOURCE = Path(__file__).resolve().parents[2]
HEADER = SOURCE / "bindings" / "c" / "rankforest_c.h"
OK, INVALID, UNREADABLE = 0, 1, 2

pytestmark = COMPILES_C


@pytest.fixture(scope="module")
def library(c_prefix):
    return Library(c_prefix / "lib" / "librankforest_c.so")


@pytest.fixture(scope="module")
def model():
    data = rf.datasets.make_ranking(n_queries=30, n_features=5, random_state=4)
    return rf.MART(n_estimators=50).fit(data).model_


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(150, 5)).astype(np.float32)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X


def test_the_header_is_c99_and_cpp(tmp_path):
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Wstrict-prototypes", "-Werror", "-fsyntax-only"]
    source = tmp_path / "includes.c"
    source.write_text('#include "rankforest_c.h"\n#include "rankforest_c.h"\nint unused;\n')
    run(C_COMPILER, "-std=c99", *strict, f"-I{HEADER.parent}", source)
    strict.remove("-Wstrict-prototypes")
    run(os.environ.get("CXX", "g++"), "-x", "c++", *strict, f"-I{HEADER.parent}", source)


def declared() -> set[str]:
    """Name the functions of the header."""
    code = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    return set(re.findall(r"\b(rankforest_\w+)\(", code))


def test_nothing_else_is_visible(c_prefix):
    lines = run("nm", "-D", "--defined-only", c_prefix / "lib" / "librankforest_c.so").splitlines()
    assert {line.split()[-1] for line in lines} == declared()


def test_functions_are_only_added():
    # What a release had stays: add to this list, never take away.
    functions = {
        "check_features feature_name free load load_memory n_features n_rounds n_trees score",
        "score_within top version",
        "needs_queries",
    }
    assert {f"rankforest_{name}" for names in functions for name in names.split()} <= declared()


def test_structures_have_the_layout_that_other_languages_count_on(tmp_path):
    source = tmp_path / "layout.c"
    fields = [name for name, *_ in Limits._fields_]
    offsets = "".join(f' printf("%zu ", offsetof(rankforest_limits, {name}));' for name in fields)
    source.write_text(
        '#include <stdio.h>\n#include "rankforest_c.h"\n'
        f"int main(void) {{{offsets}"
        ' printf("%zu %zu", sizeof(rankforest_limits), sizeof(rankforest_ranked)); return 0; }\n'
    )
    run(C_COMPILER, "-std=c99", f"-I{HEADER.parent}", source, "-o", tmp_path / "layout")
    expected = [getattr(Limits, name).offset for name in fields]
    expected += [ctypes.sizeof(Limits), ctypes.sizeof(Ranked)]
    assert [int(number) for number in run(tmp_path / "layout").split()] == expected


def test_no_openmp_comes_along(c_prefix):
    needed = run("readelf", "--dynamic", c_prefix / "lib" / "librankforest_c.so")
    assert "libstdc++" in needed
    assert "libgomp" not in needed


@pytest.mark.parametrize("isa", ["", "scalar"])
def test_a_program_in_c_scores_to_the_bits_of_python(c_prefix, tmp_path, model, documents, isa):
    model.save(tmp_path / "m.rf")
    program = tmp_path / "program"
    source = Path(__file__).with_name("c_consumer") / "main.c"
    options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{c_prefix}/include"]
    rpath = f"-Wl,-rpath,{c_prefix}/lib"
    run(C_COMPILER, *options, source, "-o", program, f"-L{c_prefix}/lib", "-lrankforest_c", rpath)
    rows = "".join(" ".join(map(str, row)) + "\n" for row in documents.tolist())
    out = run(program, tmp_path / "m.rf", text=rows, RANKFOREST_ISA=isa)
    assert [float.fromhex(line) for line in out.split()] == model.predict(documents).tolist()


def test_the_environment_may_only_name_what_there_is(library, tmp_path, model, monkeypatch):
    model.save(tmp_path / "m.rf")
    monkeypatch.setenv("RANKFOREST_ISA", "mmx")
    status, scorer, error = library.load(tmp_path / "m.rf")
    assert (status, scorer.value) == (INVALID, None)
    assert error.startswith("RANKFOREST_ISA: found 'mmx', expected what this processor has")


class TestCalls:
    def test_version_and_features(self, library, model):
        _, scorer, _ = library.load_memory(model.to_bytes())
        assert library.version().decode() == rf.__version__
        assert library.n_features(scorer) == 5
        assert library.n_features(None) == 0
        assert library.n_trees(scorer) == model.n_trees == 50
        assert library.n_rounds(scorer) == 50
        assert (library.n_trees(None), library.n_rounds(None)) == (0, 0)
        library.free(scorer)
        library.free(None)

    def test_scores_are_those_of_python_from_a_file_and_from_memory(
        self, library, tmp_path, model, documents
    ):
        model.save(tmp_path / "m.rf")
        for status, scorer, error in (
            library.load(tmp_path / "m.rf"),
            library.load_memory(model.to_bytes()),
        ):
            assert (status, error) == (OK, "")
            for n in (0, 1, 9, 150):
                done, scores, message = library.score(scorer, documents[:n])
                assert (done, message) == (OK, "")
                assert scores.tolist() == model.predict(documents[:n]).tolist()
            library.free(scorer)

    @pytest.mark.parametrize("missing", [-2.5, "mean"])
    def test_missing_values_go_where_their_fills_go(self, library, documents, missing):
        data = rf.datasets.make_ranking(
            n_queries=30, n_features=5, missing_fraction=0.3, random_state=4
        )
        model = rf.MART(n_estimators=50, missing=missing).fit(data).model_
        _, scorer, _ = library.load_memory(model.to_bytes())
        filled = np.where(np.isnan(documents), model.fill_values, documents)
        scores = library.score(scorer, documents)[1].tolist()
        assert scores == library.score(scorer, filled)[1].tolist() == model.predict(filled).tolist()
        library.free(scorer)

    def test_rows_may_be_apart(self, library, model, documents):
        _, scorer, _ = library.load_memory(model.to_bytes())
        wide = np.full((150, 9), np.nan, dtype=np.float32)
        wide[:, :5] = documents
        assert library.score(scorer, wide)[1].tolist() == model.predict(documents).tolist()
        library.free(scorer)

    def test_documents_are_one_query_where_members_are_combined_within_queries(self, library):
        frozen = SOURCE / "tests" / "models" / "v1" / "borda.rf"
        _, scorer, _ = library.load(frozen)
        X = np.random.default_rng(3).normal(size=(20, 3)).astype(np.float32)
        expected = rf.load(frozen).predict(X, qid=np.zeros(20, dtype=int))
        assert library.score(scorer, X)[1].tolist() == expected.tolist()
        library.free(scorer)

    def test_lightgbms_text_is_read(self, library):
        text = (
            b"tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=0\n"
            b"feature_names=f\n\nTree=0\nnum_leaves=1\nleaf_value=0.5\n\nend of trees\n"
        )
        status, scorer, _ = library.load_memory(text)
        assert status == OK
        assert library.score(scorer, np.zeros((2, 1), np.float32))[1].tolist() == [0.5, 0.5]
        library.free(scorer)

    def test_from_many_threads_at_once(self, library, model, documents):
        _, scorer, _ = library.load_memory(model.to_bytes())
        expected = model.predict(documents).tolist()

        def call(number):
            if number % 2:
                return library.load(f"gone-{number}.rf")[2]
            return library.score(scorer, documents)[1].tolist()

        with ThreadPoolExecutor(4) as pool:
            for number, result in enumerate(pool.map(call, range(60))):
                if number % 2:
                    assert f"gone-{number}.rf" in result
                else:
                    assert result == expected
        library.free(scorer)


@pytest.fixture(scope="module")
def nameless(library):
    """Give a scorer of a model that was trained on an array, without feature names."""
    X = np.random.default_rng(5).normal(size=(40, 5)).astype(np.float32)
    trained = rf.MART(n_estimators=2).fit(X, np.arange(40) % 3, qid=np.repeat(np.arange(8), 5))
    _, scorer, _ = library.load_memory(trained.model_.to_bytes())
    yield scorer
    library.free(scorer)


@pytest.fixture(scope="module")
def named(library):
    """Give a scorer of a model with feature names."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 3)).astype(np.float32), rng.integers(0, 3, 40)
    names = ["bm25", "caf\u00e9", "age"]
    data = rf.Dataset(X, y, qid=np.repeat(np.arange(8), 5), feature_names=names)
    _, scorer, _ = library.load_memory(rf.MART(n_estimators=2).fit(data).model_.to_bytes())
    yield scorer
    library.free(scorer)


class TestFeatureNames:
    def test_are_those_of_training(self, library, named, nameless):
        names = [library.feature_name(named, f) for f in range(4)]
        assert names == [b"bm25", "caf\u00e9".encode(), b"age", None]
        assert library.feature_name(None, 0) is None
        assert library.feature_name(nameless, 0) is None

    def test_of_the_caller_are_checked(self, library, named):
        assert library.check_features(named, [b"bm25", "caf\u00e9".encode(), b"age"]) == (OK, "")

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            ([b"bm25", b"age", b"age"], r"feature 1 is 'age', expected 'caf\xc3\xa9'"),
            (
                [b"bm25"],
                r"1 names are given, expected 3; the first that is missing is 'caf\xc3\xa9'",
            ),
            ([b"bm25", "caf\u00e9".encode(), b"age", b"x"], "4 names are given, expected 3"),
            ([], "0 names are given, expected 3; the first that is missing is 'bm25'"),
            ([b"bm25", None, b"age"], "the name of feature 1 is null"),
        ],
    )
    def test_errors_name_the_first_difference(self, library, named, names, message):
        assert library.check_features(named, names) == (INVALID, message)

    def test_cannot_be_checked_where_the_model_has_none(self, library, nameless):
        status, error = library.check_features(nameless, [b"a"] * 5)
        assert status == INVALID
        assert error.startswith("the model was trained without feature names, expected 5 features")


@pytest.fixture(scope="module")
def scorer(library, model):
    _, scorer, _ = library.load_memory(model.to_bytes())
    yield scorer
    library.free(scorer)


class TestTop:
    @pytest.mark.parametrize("k", [0, 1, 10, 149, 150, 400])
    def test_are_the_best_by_score_and_then_by_place(self, library, scorer, model, documents, k):
        X = np.repeat(documents[:75], 2, axis=0)  # every score twice
        expected = model.predict(X)
        order = np.argsort(-expected, kind="stable")[:k]
        status, found, error = library.top(scorer, X, k)
        assert (status, error) == (OK, "")
        assert found == [(d, expected[d]) for d in order.tolist()]

    def test_of_no_documents_are_none(self, library, scorer, documents):
        assert library.top(scorer, documents[:0], 5) == (OK, [], "")

    def test_models_that_combine_within_queries_have_none(self, library):
        _, borda, _ = library.load(SOURCE / "tests" / "models" / "v1" / "borda.rf")
        status, found, error = library.top(borda, np.zeros((4, 3), np.float32), 2)
        assert (status, found) == (INVALID, [])
        assert "cannot be scored in part" in error
        library.free(borda)


class TestLimits:
    def test_none_gives_the_scores_of_all_trees(self, library, scorer, model, documents):
        status, scores, rounds, cost, error = library.score_within(scorer, documents, Limits())
        assert (status, error, cost) == (OK, "", 0.0)
        assert scores.tolist() == model.predict(documents).tolist()
        assert rounds.tolist() == [50] * 150

    def test_a_budget_ends_before_the_round_that_costs_too_much(
        self, library, scorer, model, documents
    ):
        # 150 documents, one tree a round: 7 rounds cost 1,050 and 8 cost 1,200.
        limits = Limits(has_budget=1, budget=1199.0, tree_cost=1.0)
        status, scores, rounds, cost, _ = library.score_within(scorer, documents, limits)
        assert (status, cost, set(rounds.tolist())) == (OK, 1050.0, {7})
        expected = model._ensemble.prefix(7).predict(documents, None, 1)
        assert scores.tolist() == expected.tolist()

    def test_features_cost_what_the_caller_says(self, library, scorer, model, documents):
        costs = np.arange(1.0, 6.0)
        limits = Limits(feature_costs=costs.ctypes.data, has_budget=1, budget=1e9)
        _, _, _, cost, _ = library.score_within(scorer, documents, limits)
        used = [f for f, n in enumerate(model._ensemble.importances("split")) if n > 0]
        assert cost == 150 * costs[used].sum()

    @pytest.mark.parametrize("demote", [0, 1])
    def test_early_exit_is_that_of_python(self, library, scorer, model, documents, demote):
        limits = Limits(exit_every=10, exit_fraction=0.3, exit_demote=demote, tree_cost=1.0)
        status, scores, rounds, cost, _ = library.score_within(scorer, documents, limits)
        theirs = rf.EarlyExit(every=10, fraction=0.3, demote=bool(demote))
        expected = model.predict_within(
            documents, qid=np.zeros(150, dtype=int), early_exit=theirs, tree_cost=1.0
        )
        assert status == OK
        assert scores.tolist() == expected.scores.tolist()
        assert rounds.tolist() == expected.rounds.tolist()
        assert cost == expected.cost == rounds.sum()

    def test_the_caller_may_end_it(self, library, scorer, documents):
        asked = []
        stop = Limits._fields_[-2][1](lambda context: asked.append(context) or len(asked) > 2)
        status, _, rounds, _, _ = library.score_within(
            scorer, documents, Limits(should_stop=stop, context=77)
        )
        assert (status, asked) == (OK, [77, 77, 77])
        assert set(rounds.tolist()) == {32}

    def test_rounds_and_cost_need_no_place(self, library, scorer, model, documents):
        scores = np.zeros(150)
        arguments = (ctypes.byref(Limits()), documents.ctypes.data, 150, 5, scores.ctypes.data)
        assert library.score_within_(scorer, *arguments, None, None, None, 0) == OK
        assert scores.tolist() == model.predict(documents).tolist()

    def test_no_documents_are_scored_at_no_cost(self, library, scorer, documents):
        status, _, _, cost, _ = library.score_within(scorer, documents[:0], Limits(tree_cost=1.0))
        assert (status, cost) == (OK, 0.0)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"size": 0}, "limits.size is 0, expected sizeof(rankforest_limits)"),
            ({"size": 2**63}, f"limits.size is {2**63}, expected sizeof(rankforest_limits)"),
            ({"exit_every": 1, "exit_fraction": 1.0}, "fraction must be in [0, 1), got 1"),
            ({"exit_every": 1, "exit_fraction": float("nan")}, "fraction must be in [0, 1)"),
            ({"exit_demote": 2}, "limits.exit_demote must be 0 or 1"),
            ({"has_budget": 7}, "limits.has_budget must be 0 or 1"),
            ({"reserved": 1}, "limits.reserved must be 0"),
            ({"has_budget": 1, "budget": 9.0}, "limits.budget is set but nothing has a cost"),
            ({"has_budget": 1, "budget": -1.0, "tree_cost": 1.0}, "budget must be >= 0, got -1"),
            ({"tree_cost": float("inf")}, "the cost of a tree must be finite and >= 0, got inf"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, library, scorer, documents, fields, message):
        status, _, _, _, error = library.score_within(scorer, documents, Limits(**fields))
        assert status == INVALID
        assert error.startswith(message)

    def test_a_later_header_may_have_more_fields_as_long_as_they_are_zero(
        self, library, scorer, documents
    ):
        class Later(Limits):
            _fields_ = (("new", ctypes.c_uint64),)

        size = ctypes.sizeof(Later)
        assert library.score_within(scorer, documents, Later(size=size))[0] == OK
        status, _, _, _, error = library.score_within(scorer, documents, Later(size=size, new=1))
        assert status == INVALID
        assert error == "limits has fields that this version of the library does not know"


class TestErrors:
    def test_a_file_that_is_not_there(self, library, tmp_path):
        status, scorer, error = library.load(tmp_path / "gone.rf")
        assert (status, scorer.value) == (UNREADABLE, None)
        assert str(tmp_path / "gone.rf") in error

    def test_a_damaged_model(self, library, tmp_path, model):
        (tmp_path / "m.rf").write_bytes(model.to_bytes()[:-8])
        status, scorer, error = library.load(tmp_path / "m.rf")
        assert (status, scorer.value) == (INVALID, None)
        assert error.startswith(f"{tmp_path / 'm.rf'}: the model file is damaged")
        status, scorer, error = library.load_memory(b"")
        assert (status, scorer.value) == (INVALID, None)
        assert error == "the file is empty, expected a model"

    def test_a_model_of_another_system_is_named(self, library, tmp_path):
        (tmp_path / "m.cbm").write_bytes(b"CBM10%")
        status, scorer, error = library.load(tmp_path / "m.cbm")
        assert (status, scorer.value) == (INVALID, None)
        assert error.startswith(f"{tmp_path / 'm.cbm'}: this is a CatBoost model (.cbm), which")

    def test_a_model_of_levels_is_refused_with_what_to_save(self, library, tmp_path):
        rows = [["a", 1.0], ["b", 2.0], ["a", 3.0], ["b", 1.0]]
        model = rf.MART(n_estimators=2, categorical_features=[0]).fit(rows, [0, 1, 0, 2]).model_
        model.save(tmp_path / "m.rf")
        status, scorer, error = library.load(tmp_path / "m.rf")
        assert (status, scorer.value) == (INVALID, None)
        assert "the model has categorical features, such as 0, which only the Python" in error
        assert "Model.without_categories" in error
        model.without_categories().save(tmp_path / "m.rf")
        assert library.load(tmp_path / "m.rf")[0] == OK

    def test_a_message_is_cut_to_the_callers_memory_between_characters(self, library, tmp_path):
        whole = library.load(tmp_path / "gone\u00e9.rf")[2]
        encoded = whole.encode()
        for size in range(1, len(encoded) + 3):
            error = library.load(tmp_path / "gone\u00e9.rf", size)[2]  # decodes
            assert whole.startswith(error)
            assert min(len(encoded), size - 1) - len(error.encode()) in {0, 1}
        assert library.load_(b"gone.rf", ctypes.c_void_p(), None, 0) == UNREADABLE

    def test_null_pointers_are_refused_by_name(self, library, model, documents):
        _, scorer, _ = library.load_memory(model.to_bytes())
        memory = np.zeros(9)
        X, scores, out = documents.ctypes.data, memory.ctypes.data, ctypes.c_void_p()

        def message(function, *arguments):
            text = ctypes.create_string_buffer(200)
            assert function(*arguments, text, 200) == INVALID
            return text.value.decode().partition(",")[0]

        assert message(library.load_, None, out) == "path is null"
        assert message(library.load_, b"m.rf", None) == "scorer is null"
        assert message(library.load_memory_, None, 5, out) == "bytes is null"
        assert message(library.score_, None, X, 9, 5, scores) == "scorer is null"
        assert message(library.score_, scorer, None, 9, 5, scores) == "features is null"
        assert message(library.score_, scorer, X, 9, 5, None) == "scores is null"
        assert message(library.score_, scorer, X, 9, 4, scores) == "row_stride is 4"
        assert message(library.check_features_, None, None, 0) == "scorer is null"
        assert message(library.check_features_, scorer, None, 1) == "names is null"
        n, best = ctypes.c_size_t(), (Ranked * 3)()
        assert message(library.top_, None, X, 9, 5, 3, best, n) == "scorer is null"
        assert message(library.top_, scorer, None, 9, 5, 3, best, n) == "features is null"
        assert message(library.top_, scorer, X, 9, 4, 3, best, n) == "row_stride is 4"
        assert message(library.top_, scorer, X, 9, 5, 3, None, n) == "best is null"
        assert message(library.top_, scorer, X, 9, 5, 3, best, None) == "n_found is null"
        limits, rest = ctypes.byref(Limits()), (None, None)
        within = library.score_within_
        assert message(within, None, limits, X, 9, 5, scores, *rest) == "scorer is null"
        assert message(within, scorer, None, X, 9, 5, scores, *rest) == "limits is null"
        assert message(within, scorer, limits, None, 9, 5, scores, *rest) == "features is null"
        assert message(within, scorer, limits, X, 9, 4, scores, *rest) == "row_stride is 4"
        assert message(within, scorer, limits, X, 9, 5, None, *rest) == "scores is null"
        library.free(scorer)


def test_the_python_extension_and_the_library_share_a_process(library, model, documents):
    _, scorer, _ = library.load_memory(model.to_bytes())
    expected = _core.CompiledScorer(model._ensemble).predict(documents, None, 2)
    assert library.score(scorer, documents)[1].tolist() == expected.tolist()
    library.free(scorer)
