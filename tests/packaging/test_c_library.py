"""The C library, built as its users build it, from Python's ctypes and from C99."""

import ctypes
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import rankforest as rf
from rankforest import _core

SOURCE = Path(__file__).resolve().parents[2]
HEADER = SOURCE / "bindings" / "c" / "rankforest_c.h"
C_COMPILER = os.environ.get("CC", "gcc")
OK, INVALID, UNREADABLE = 0, 1, 2

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(
        shutil.which(C_COMPILER) is None or shutil.which(os.environ.get("CXX", "g++")) is None,
        reason="needs compilers for C and C++",
    ),
]


def run(*command: object, text: str = "", **environment: str) -> str:
    """Run a command and return what it printed; its output is in the failure otherwise."""
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        input=text,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    assert done.returncode == 0, (
        f"{done.args} exited {done.returncode}:\n{done.stdout}{done.stderr}"
    )
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Give a prefix that the library and its header are installed into."""
    build, prefix = tmp_path_factory.mktemp("build"), tmp_path_factory.mktemp("prefix")
    options = [f"-DRANKFOREST_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES")]
    options += ["-DRANKFOREST_BUILD_C=ON", "-DRANKFOREST_WERROR=ON", "-DCMAKE_INSTALL_LIBDIR=lib"]
    run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build, *options)
    run("cmake", "--build", build, "--target", "rankforest_c")
    run("cmake", "--install", build, "--prefix", prefix, "--component", "c")
    return prefix


class Library:
    """The functions of the header, with their types."""

    def __init__(self, path: Path) -> None:
        functions = ctypes.CDLL(os.fspath(path))
        size, pointer, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
        out = ctypes.POINTER(pointer)
        self.version = functions.rankforest_version
        self.version.restype = text
        self.load_ = functions.rankforest_load
        self.load_.argtypes = [text, out, text, size]
        self.load_memory_ = functions.rankforest_load_memory
        self.load_memory_.argtypes = [pointer, size, out, text, size]
        self.free = functions.rankforest_free
        self.free.argtypes, self.free.restype = [pointer], None
        self.n_features = functions.rankforest_n_features
        self.n_features.argtypes, self.n_features.restype = [pointer], size
        self.score_ = functions.rankforest_score
        self.score_.argtypes = [pointer, pointer, size, size, pointer, text, size]

    def load(self, path, size=300):
        """Return status, scorer and error."""
        scorer, error = ctypes.c_void_p(1), ctypes.create_string_buffer(b"?", size)
        status = self.load_(os.fsencode(path), scorer, error, size)
        return status, scorer, error.value.decode()

    def load_memory(self, data):
        scorer, error = ctypes.c_void_p(1), ctypes.create_string_buffer(300)
        status = self.load_memory_(data, len(data), scorer, error, 300)
        return status, scorer, error.value.decode()

    def score(self, scorer, X, stride=None):
        """Return status, scores and error."""
        scores = np.full(len(X), np.nan)
        error = ctypes.create_string_buffer(b"?", 300)
        stride = X.strides[0] // X.itemsize if stride is None else stride
        status = self.score_(scorer, X.ctypes.data, len(X), stride, scores.ctypes.data, error, 300)
        return status, scores, error.value.decode()


@pytest.fixture(scope="module")
def library(prefix):
    return Library(prefix / "lib" / "librankforest_c.so")


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


def test_nothing_else_is_visible(prefix):
    lines = run("nm", "-D", "--defined-only", prefix / "lib" / "librankforest_c.so").splitlines()
    names = {line.split()[-1] for line in lines}
    assert names == {
        f"rankforest_{name}"
        for name in ("free", "load", "load_memory", "n_features", "score", "version")
    }


def test_no_openmp_comes_along(prefix):
    needed = run("readelf", "--dynamic", prefix / "lib" / "librankforest_c.so")
    assert "libstdc++" in needed
    assert "libgomp" not in needed


@pytest.mark.parametrize("isa", ["", "scalar"])
def test_a_program_in_c_scores_to_the_bits_of_python(prefix, tmp_path, model, documents, isa):
    model.save(tmp_path / "m.rf")
    program = tmp_path / "program"
    source = Path(__file__).with_name("c_consumer") / "main.c"
    options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{prefix}/include"]
    rpath = f"-Wl,-rpath,{prefix}/lib"
    run(C_COMPILER, *options, source, "-o", program, f"-L{prefix}/lib", "-lrankforest_c", rpath)
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
        assert error.startswith("not a rankforest model file")

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
        library.free(scorer)


def test_the_python_extension_and_the_library_share_a_process(library, model, documents):
    _, scorer, _ = library.load_memory(model.to_bytes())
    expected = _core.CompiledScorer(model._ensemble).predict(documents, None, 2)
    assert library.score(scorer, documents)[1].tolist() == expected.tolist()
    library.free(scorer)
