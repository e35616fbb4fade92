"""LETOR text out of compressed files and streams."""

import bz2
import gzip
import io
import lzma
import os

import numpy as np
import pytest

import rankforest as rf


class TestDamagedCompression:
    TEXT = b"".join(b"1 qid:%d 1:%d\n" % (i // 50, i) for i in range(20000))

    @pytest.mark.parametrize(
        ("suffix", "compress"),
        [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
    )
    def test_a_truncated_file_is_an_error_at_the_line_where_it_stops(
        self, tmp_path, suffix, compress
    ):
        path = tmp_path / f"data.txt{suffix}"
        path.write_bytes(compress(self.TEXT)[:-20])
        with pytest.raises(
            ValueError, match=r"data\.txt.*:\d+:\d+: found the end of the text"
        ) as e:
            rf.read_letor(path)
        assert "the compressed file is damaged" in str(e.value)

    def test_what_is_wrong_before_the_damage_comes_first(self, tmp_path):
        path = tmp_path / "data.txt.gz"
        path.write_bytes(gzip.compress(b"1 qid:1 1:x\n" + os.urandom(100).hex().encode())[:-9])
        with pytest.raises(ValueError, match=r":1:11: found 'x'"):
            rf.read_letor(path)

    @pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz"])
    def test_a_file_that_is_not_compressed_is_an_error(self, tmp_path, suffix):
        path = tmp_path / f"data.txt{suffix}"
        path.write_bytes(b"1 qid:1 1:1\n")
        with pytest.raises(ValueError, match=r"data\.txt.*:1:1: .*compressed file is damaged"):
            rf.read_letor(path)

    def test_a_flipped_bit_is_an_error(self, tmp_path):
        compressed = bytearray(gzip.compress(self.TEXT))
        compressed[-6] ^= 1  # of the checksum
        path = tmp_path / "data.txt.gz"
        path.write_bytes(compressed)
        with pytest.raises(ValueError, match=r"data\.txt\.gz:20001:1: .*damaged"):
            rf.read_letor(path)


class TestStreams:
    TEXT = b"1 qid:1 1:0.5 # a\n0 qid:1 2:1\n"

    def test_are_read_like_files_also_beside_them(self, tmp_path):
        (tmp_path / "data.txt").write_bytes(self.TEXT)
        expected = rf.read_letor(tmp_path / "data.txt")
        for data in (rf.read_letor(io.BytesIO(self.TEXT)), rf.read_letor([io.BytesIO(self.TEXT)])):
            np.testing.assert_array_equal(data.X, expected.X)
            assert data.document_ids.tolist() == ["a", ""]
        both = rf.read_letor([tmp_path / "data.txt", io.BytesIO(self.TEXT)])
        assert (both.n_documents, both.n_queries) == (4, 1)
        with (tmp_path / "data.txt").open("rb") as file:
            np.testing.assert_array_equal(rf.read_letor(file).X, expected.X)

    def test_are_named_in_messages_if_they_have_a_name(self, tmp_path):
        with pytest.raises(ValueError, match=r"^<stream>:1:11: "):
            rf.read_letor(io.BytesIO(b"1 qid:1 1:x\n"))
        (tmp_path / "bad.txt").write_bytes(b"1 qid:1 1:x\n")
        with (
            (tmp_path / "bad.txt").open("rb") as file,
            pytest.raises(ValueError, match=r"bad\.txt:1"),
        ):
            rf.read_letor(file)

    def test_of_text_are_refused(self):
        with pytest.raises(ValueError, match="a stream of LETOR text must be binary, got StringIO"):
            rf.read_letor(io.StringIO("1 qid:1 1:1\n"))
