"""LETOR text: every spelling, every mistake, and what is written reads back."""

import bz2
import gzip
import lzma
import math
import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_letor import NaiveError, naive_read

import rankforest as rf
from rankforest.letor import _read_arrays, docid

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


def assert_reads_as(data, documents):
    assert data.grades.tolist() == [grade for grade, _, _, _ in documents]
    ids = [qid for _, qid, _, _ in documents]
    assert data.query_ids == list(dict.fromkeys(ids))
    assert [data.query_ids[code] for code in data.query_codes] == ids
    comments = [comment for _, _, _, comment in documents]
    assert (data.comments or [""] * len(documents)) == comments
    assert (data.comments is None) == (not any(comments))
    expected = np.zeros((len(documents), max(max(row, default=0) for _, _, row, _ in documents)))
    for values, (_, _, row, _) in zip(expected, documents, strict=True):
        for index, value in row.items():
            values[index - 1] = value
    assert data.features.dtype == np.float32
    np.testing.assert_array_equal(data.features, expected.astype(np.float32))


# --- text for hypothesis ---

blank = st.sampled_from([" ", " ", " ", "\t", "  ", " \t\r "])
reals = st.floats(width=32, allow_nan=False, allow_infinity=False)
value_texts = st.one_of(
    st.integers(-999, 999).map(str),
    reals.map(lambda x: f"{x:.6g}"),
    reals.map(repr),
    reals.map(lambda x: f"{x:.4e}".upper()),
    st.decimals(-100, 100, places=20).map(str),
    st.sampled_from(["nan", "-NaN", "NULL", "1.", ".5", "+3", "-0", "1e-300", "00012"]),
)
ids = st.one_of(
    st.integers(-3, 3).map(str),
    st.integers(0, 2**70).map(str),
    st.text("abc:é-", min_size=1, max_size=4),
)
grade_texts = st.sampled_from(["0", "1", "+2", "3.0", "4e0", "0.25", "1e300"])


@st.composite
def lines(draw, smallest=1):
    indices = draw(st.lists(st.integers(smallest, 30), max_size=8, unique=True))
    if draw(st.integers(0, 3)):
        indices.sort()
    parts = [draw(st.sampled_from(["", "", " "])), draw(grade_texts), draw(blank)]
    parts += ["qid:", draw(ids)]
    for index in indices:
        parts += [draw(blank), str(index), ":", draw(value_texts)]
    parts.append(
        draw(st.sampled_from(["", "", " ", "\t", "#", " # docid = X7", "#é: 1:1 ", " ##"]))
    )
    parts.append(draw(st.sampled_from(["\n", "\n", "\r\n", " \r\n", "\n\n", "\n# 1 qid:1\n"])))
    return "".join(parts)


texts = st.lists(lines(), min_size=1, max_size=8).map("".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder that the examples of one test share."""
    return tmp_path_factory.mktemp("letor")


def read(folder, *parts, **options):
    """Read texts as the files a.txt, b.txt, ..."""
    paths = []
    for letter, text in zip("abcdef", parts, strict=False):
        paths.append(folder / f"{letter}.txt")
        paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
    return _read_arrays(paths, **options)


def same(a, b):
    """Compare everything two readings gave, bit by bit."""
    return (
        a.features.tobytes() == b.features.tobytes()
        and a.features.shape == b.features.shape
        and a.grades.tobytes() == b.grades.tobytes()
        and a.query_codes.tolist() == b.query_codes.tolist()
        and a.query_ids == b.query_ids
        and a.comments == b.comments
        and a.zero_based == b.zero_based
    )


class TestReadsWhatANaiveReaderReads:
    @given(texts, st.integers(1, 3), st.integers(1, 300), st.booleans())
    def test_on_every_valid_text(self, folder, text, n_jobs, chunk_bytes, mark):
        encoded = b"\xef\xbb\xbf" * mark + text.encode()
        data = read(folder, encoded, n_jobs=n_jobs, chunk_bytes=chunk_bytes)
        assert_reads_as(data, naive_read(encoded))

    @settings(max_examples=200)
    @given(st.data())
    def test_and_refuses_the_lines_that_it_refuses(self, folder, data):
        text = bytearray(data.draw(texts).encode())
        for _ in range(data.draw(st.integers(1, 3))):
            place = data.draw(st.integers(0, len(text)))
            n_removed = data.draw(st.integers(0, 2))
            junk = data.draw(st.text("0123456789:. \t\r\n#-+eqidnaNUL\0\v\x7f", max_size=3))
            text[place : place + n_removed] = junk.encode()
        chunk_bytes = data.draw(st.integers(1, 300))
        try:
            documents = naive_read(bytes(text))
        except NaiveError as error:
            with pytest.raises(
                ValueError, match=rf"a\.txt:{error.args[0]}:\d+: found .*, expected"
            ):
                read(folder, bytes(text), n_jobs=2, chunk_bytes=chunk_bytes)
        else:
            assert_reads_as(read(folder, bytes(text), chunk_bytes=chunk_bytes), documents)

    @pytest.mark.parametrize(
        "name",
        [
            "mslr_sample/msn1.fold1.train.5k.txt",
            "mslr_sample/msn1.fold1.test.5k.txt",
            "mq2008/S1.txt",
            "ohsumed/null_values_fold1_test.txt",
        ],
    )
    def test_on_real_files(self, name):
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"no {path}: this file may not be part of the repository")
        assert_reads_as(_read_arrays(path), naive_read(path.read_bytes()))


class TestTheResultDoesNotDependOn:
    @given(texts, st.integers(2, 5), st.integers(1, 100))
    def test_threads_and_chunks(self, folder, text, n_jobs, chunk_bytes):
        expected = read(folder, text, n_jobs=1)
        assert same(expected, read(folder, text, n_jobs=n_jobs, chunk_bytes=chunk_bytes))

    @given(texts)
    def test_the_kind_of_line_break(self, folder, text):
        unix = text.replace("\r", "")
        assert same(read(folder, unix), read(folder, unix.replace("\n", "\r\n")))

    @given(texts, texts)
    def test_a_split_into_files(self, folder, first, second):
        assert same(read(folder, first, second), read(folder, first + second))

    @pytest.mark.parametrize(
        ("suffix", "compress"),
        [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
    )
    def test_compression(self, tmp_path, suffix, compress):
        text = b"".join(
            b"%d qid:%d 1:%d 3:0.5 # d%d\n" % (i % 3, i // 9, i, i) for i in range(9999)
        )
        path = tmp_path / f"data.txt{suffix}"
        path.write_bytes(compress(text[:50]) + compress(text[50:]))  # two members make one text
        assert same(_read_arrays(path), read(tmp_path, text))


MISTAKES = [
    (b"1 1:5", "1:3: found '1:5', expected qid:ID after the grade"),
    (b"1 qid:1 3:1 3:1", "1:13: found '3:1', expected each index once on a line"),
    (b"1 qid:1 3:1 1:1 3:1", "1:17: found '3:1', expected each index once on a line"),
    (b"1 qid:1 -3:1", "1:9: found '-3:1', expected an index >= 1"),
    (b"1 qid:1 0:1", "1:9: found '0:1', expected an index >= 1"),
    (b"1 qid:1 63: .5", "1:12: found a blank, expected a number right after the colon"),
    (b"1 qid:1 63", "1:9: found '63', expected INDEX:VALUE"),
    (b"1 qid:1 1:cat", "1:11: found 'cat', expected a number"),
    (b"1 qid:1 1:inf", "1:11: found 'inf', expected a finite number within float32"),
    (b"1 qid:1 1:1e39", "1:11: found '1e39', expected a finite number within float32"),
    (b"1 qid:1 1:1\0", "1:12: found '\\\\x00', expected INDEX:VALUE"),
    (b"1 qid:1 1:1 #\0", "1:14: found '\\\\x00', expected text without NUL bytes"),
    (b"", "1:1: found the end of the text, expected at least one document"),
    (b"-1 qid:1", "1:1: found '-1', expected a grade: a finite number >= 0"),
    (b"x qid:1", "1:1: found 'x', expected a grade: a finite number >= 0"),
    (b"1 qid:1 7000000000:1", "1:9: found '7000000000:1', expected an index <= 1048576"),
    (b"\xff\xfe1\0", "1:1: found '\\\\xff\\\\xfe1', expected a grade"),
]


class TestMistakes:
    @pytest.mark.parametrize(("text", "message"), MISTAKES)
    def test_are_named_with_file_line_and_column(self, tmp_path, text, message):
        with pytest.raises(ValueError, match=f"^{re.escape(str(tmp_path))}/a.txt:{message}"):
            read(tmp_path, text)

    def test_the_first_of_several_is_named(self, tmp_path):
        good = b"".join(b"1 qid:%d 1:1\n" % i for i in range(5000))
        for n_jobs in (1, 2, 5):
            with pytest.raises(ValueError, match=r"b\.txt:5001:5: found 'qid:'"):
                read(tmp_path, good, good + b"1   qid: 1:1\n" + good + b"x", b"", n_jobs=n_jobs)

    def test_a_larger_index_than_n_features(self, tmp_path):
        with pytest.raises(ValueError, match=r"1:9: found '47:1', .* <= 46 \(n_features=46\)"):
            read(tmp_path, b"1 qid:1 47:1", n_features=46)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"zero_based": "yes"}, "zero_based must be True, False or 'auto', got 'yes'"),
            ({"zero_based": 1}, "zero_based must be True, False or 'auto', got 1"),
            ({"absent": 1}, "absent must be 0 or 'nan', got 1"),
            ({"absent": "0"}, "absent must be 0 or 'nan', got '0'"),
            ({"n_features": 0}, "n_features must be an integer >= 1 or None, got 0"),
            ({"n_features": 1.5}, "n_features must be an integer >= 1 or None, got 1.5"),
            ({"n_features": 2**32}, "n_features must be below 2\\*\\*32, got 4294967296"),
            ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0"),
        ],
    )
    def test_in_options(self, tmp_path, options, message):
        with pytest.raises(ValueError, match=message):
            read(tmp_path, b"1 qid:1 1:1", **options)

    def test_files_that_cannot_be_read_are_os_errors(self, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"absent\.txt"):
            rf.read_letor(tmp_path / "absent.txt")
        with pytest.raises(FileNotFoundError, match=r"absent\.txt\.gz"):
            rf.read_letor(tmp_path / "absent.txt.gz")
        with pytest.raises(IsADirectoryError):
            rf.read_letor(tmp_path)
        with pytest.raises(ValueError, match="at least one file"):
            rf.read_letor([])

    def test_file_names_may_be_any_bytes(self, tmp_path):
        path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xc3\xa9.txt")
        Path(path).write_text("1 qid:1 1:x")
        with pytest.raises(ValueError, match=r"\\udcffé\.txt:1:11: found 'x'"):
            rf.read_letor(path)
        with pytest.raises(FileNotFoundError) as caught:
            rf.read_letor(path + "\udcff")
        assert caught.value.filename == path + "\udcff"


class TestIndexBase:
    @given(st.lists(lines(smallest=0), min_size=1, max_size=4))
    def test_auto_is_the_base_that_fits(self, folder, parts):
        found = read(folder, *parts, zero_based="auto")
        tokens = [token for part in parts for token in part.partition("#")[0].split()]
        assert found.zero_based == any(token.startswith("0:") for token in tokens)
        assert same(found, read(folder, *parts, zero_based=found.zero_based))

    def test_auto_looks_at_all_files_together_and_says_what_it_found(self, tmp_path):
        (tmp_path / "a").write_text("1 qid:1 2:5\n")
        (tmp_path / "b").write_text("1 qid:1 1:8 0:7\n")
        with pytest.warns(UserWarning, match="index 0 occurs, so the first feature has index 0"):
            data = rf.read_letor([tmp_path / "a", tmp_path / "b"], zero_based="auto")
        assert data.X.tolist() == [[0, 0, 5], [7, 8, 0]]
        with pytest.warns(UserWarning, match="index 0 does not occur, so .* has index 1"):
            data = rf.read_letor(tmp_path / "a", zero_based="auto")
        assert data.X.tolist() == [[0, 5]]

    def test_is_one_unless_told_otherwise(self, tmp_path):
        (tmp_path / "a").write_text("1 qid:1 2:5\n")
        assert rf.read_letor(tmp_path / "a").X.tolist() == [[0, 5]]
        assert rf.read_letor(tmp_path / "a", zero_based=True).X.tolist() == [[0, 0, 5]]


class TestDataset:
    def test_has_what_the_text_says(self, tmp_path):
        path = tmp_path / "data.txt"
        path.write_text(
            "2 qid:7 1:0.5 3:1 #docid = GX1 inc = 1 prob = 0.5\n0.5 qid:-3 2:nan\n0 qid:7\n"
        )
        data = rf.read_letor(str(path), n_features=4)
        np.testing.assert_array_equal(data.X, [[0.5, 0, 1, 0], [0, np.nan, 0, 0], [0, 0, 0, 0]])
        assert data.X.dtype == np.float32
        assert data.y.tolist() == [2, 0.5, 0]
        assert data.query_ids.tolist() == [7, -3]
        assert data.qid.tolist() == [7, -3, 7]
        assert data.document_ids.tolist() == ["docid = GX1 inc = 1 prob = 0.5", "", ""]
        assert data.weight is None

    @pytest.mark.parametrize("absent", ["nan", math.nan, np.float32("nan")])
    def test_absent_features_may_be_missing(self, tmp_path, absent):
        (tmp_path / "a").write_text("1 qid:1 2:0\n")
        X = rf.read_letor(tmp_path / "a", absent=absent, n_features=3).X
        np.testing.assert_array_equal(X, [[np.nan, 0, np.nan]])

    @pytest.mark.parametrize(
        ("ids", "expected"),
        [
            (["7", "-3", "0"], np.array([7, -3, 0])),
            (["7", "9223372036854775808"], np.array([7, 2**63], dtype=object)),
            (["7", "07"], np.array(["7", "07"], dtype=object)),
            (["7", "-0"], np.array(["7", "-0"], dtype=object)),
            (["q1", "7"], np.array(["q1", "7"], dtype=object)),
            (["9" * 5000, "1"], np.array(["9" * 5000, "1"], dtype=object)),
        ],
    )
    def test_ids_are_integers_where_that_loses_nothing(self, tmp_path, ids, expected):
        (tmp_path / "a").write_text("".join(f"1 qid:{each} 1:1\n" for each in ids))
        query_ids = rf.read_letor(tmp_path / "a").query_ids
        assert query_ids.dtype == expected.dtype
        assert query_ids.tolist() == expected.tolist()

    def test_group_sizes_stand_in_for_qid(self, tmp_path):
        (tmp_path / "a").write_text("1 1:1\n0 1:2\n2 1:3\n")
        data = rf.read_letor(tmp_path / "a", group=[1, 2])
        assert data.query_codes.tolist() == [0, 1, 1]
        assert data.X.tolist() == [[1], [2], [3]]
        with pytest.raises(ValueError, match="group must add up to the 3 rows"):
            rf.read_letor(tmp_path / "a", group=[1, 1])
        with pytest.raises(ValueError, match="a:1:3: found '1:1', expected qid:ID"):
            rf.read_letor(tmp_path / "a")
        (tmp_path / "a").write_text("1 qid:1 1:1\n")
        with pytest.raises(ValueError, match="group is for text without qid"):
            rf.read_letor(tmp_path / "a", group=[1])

    def test_text_without_features_needs_their_number(self, tmp_path):
        (tmp_path / "a").write_text("1 qid:1\n0 qid:1\n")
        with pytest.raises(ValueError, match="no feature on any line; n_features="):
            rf.read_letor(tmp_path / "a")
        assert rf.read_letor(tmp_path / "a", n_features=2).X.tolist() == [[0, 0], [0, 0]]

    def test_pickles(self, tmp_path):
        (tmp_path / "a").write_text("1 qid:1 1:1 #x\n0 qid:1 2:5\n")
        data = rf.read_letor(tmp_path / "a")
        again = pickle.loads(pickle.dumps(data))
        np.testing.assert_array_equal(again.X, data.X)
        assert again.document_ids.tolist() == ["x", ""]

    def test_of_a_real_file_with_group_sizes(self):
        path = SHARED / "lightgbm_example" / "rank.train"
        if not path.exists():
            pytest.skip(f"no {path}: this file may not be part of the repository")
        sizes = np.loadtxt(path.with_suffix(".train.query"), dtype=int)
        data = rf.read_letor(path, group=sizes)
        assert (data.n_documents, data.n_queries, data.n_features) == (3005, 201, 300)


class TestWriting:
    @given(st.data())
    def test_gives_back_the_same_bits(self, folder, data):
        n, m = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 4))
        bits = st.lists(st.integers(0, 2**32 - 1), min_size=n * m, max_size=n * m)
        X = np.array(data.draw(bits), dtype=np.uint32).view(np.float32).reshape(n, m)
        X = np.where(np.isinf(X) | np.isnan(X), np.float32(np.nan), X)
        grade = st.floats(0, allow_infinity=False, allow_nan=False)
        y = data.draw(st.lists(grade, min_size=n, max_size=n))
        one_id = st.one_of(
            st.integers(-(2**63), 2**63 - 1), st.text("xyzé:", min_size=1, max_size=3)
        )
        kind = data.draw(st.sampled_from([int, str]))
        qid = data.draw(
            st.lists(one_id.filter(lambda q: isinstance(q, kind)), min_size=n, max_size=n)
        )
        names = data.draw(
            st.none() | st.lists(st.text("ab= #é", max_size=5), min_size=n, max_size=n)
        )
        names = names and [name.strip() for name in names]
        zero_based = data.draw(st.booleans())

        written = rf.Dataset(X, y, qid=qid, document_ids=names)
        rf.write_letor(folder / "f", written, zero_based=zero_based)
        found = rf.read_letor(folder / "f", zero_based=zero_based)

        assert found.X.tobytes() == written.X.tobytes()
        assert found.y.tobytes() == written.y.tobytes()
        assert found.query_ids.tolist() == written.query_ids.tolist()
        assert found.query_codes.tolist() == written.query_codes.tolist()
        if names is None or not any(names):
            assert found.document_ids is None
        else:
            assert found.document_ids.tolist() == names

    def test_looks_like_letor(self, tmp_path):
        data = rf.Dataset([[0.1, 0], [np.nan, 2e20]], [2, 0.5], qid=["b", "a"], document_ids=[8, 9])
        rf.write_letor(tmp_path / "f", data, n_jobs=2)
        expected = "2 qid:b 1:0.1 2:0 #8\n0.5 qid:a 1:nan 2:2e+20 #9\n"
        assert (tmp_path / "f").read_text() == expected
        rf.write_letor(str(tmp_path / "f"), data, document_ids=False, zero_based=True)
        expected = "2 qid:b 0:0.1 1:0\n0.5 qid:a 0:nan 1:2e+20\n"
        assert (tmp_path / "f").read_text() == expected

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"y": None}, "y is missing"),
            ({"weight": [1, 2]}, "weight cannot be written"),
            ({"X": [[1], [np.inf]]}, "feature 0 of row 1 is infinite.*write NaN or a large number"),
            ({"qid": ["a", "b c"]}, "query id 'b c' cannot be written"),
            ({"qid": ["a", "b#"]}, "query id 'b#' cannot be written"),
            ({"document_ids": ["a", "b\nc"]}, "comment .* of row 1 cannot be written"),
            ({"document_ids": [" a", "b"]}, "comment ' a' of row 0 cannot be written"),
        ],
    )
    def test_refuses_what_text_cannot_say_and_leaves_the_old_file(self, tmp_path, options, message):
        parts = {"X": [[1], [2]], "y": [1, 0], "qid": [1, 2]} | options
        X, y = parts.pop("X"), parts.pop("y")
        (tmp_path / "f").write_text("old")
        with pytest.raises(ValueError, match=message):
            rf.write_letor(tmp_path / "f", rf.Dataset(X, y, **parts))
        assert (tmp_path / "f").read_text() == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["f"]

    def test_where_it_cannot_is_an_os_error(self, tmp_path):
        data = rf.Dataset([[1]], [1], qid=[1])
        with pytest.raises(FileNotFoundError):
            rf.write_letor(tmp_path / "absent" / "f", data)
        with pytest.raises(IsADirectoryError):
            rf.write_letor(tmp_path, data)
        if Path("/dev/full").exists():
            with pytest.raises(OSError, match="No space left"):
                rf.write_letor("/dev/full", data)


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("docid = GX008-86-4444840 inc = 1 prob = 0.086622", "GX008-86-4444840"),
        ("docid = 57950", "57950"),
        ("docid=7", "7"),
        ("my document", "my document"),
        ("docid =", "docid ="),
        ("", ""),
    ],
)
def test_docid_is_the_name_in_a_comment(comment, expected):
    assert docid(comment) == expected
