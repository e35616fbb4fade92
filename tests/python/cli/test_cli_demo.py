"""The demonstration's files are seeded LETOR text that the commands can read."""

from rankforest import read_letor
from rankforest.cli.demo import command
from rankforest.cli.run import run


def test_the_files_are_the_same_every_time_and_share_no_query(tmp_path):
    for folder in ("a", "b"):
        assert run(command, [str(tmp_path / folder)]) == 0
    queries = set()
    for name, n_queries in (("train", 300), ("valid", 100), ("test", 100)):
        first, second = (tmp_path / folder / f"{name}.txt" for folder in ("a", "b"))
        assert first.read_bytes() == second.read_bytes()
        ids = set(read_letor(first).query_ids.tolist())
        assert len(ids) == n_queries
        assert not ids & queries
        queries |= ids
