"""Work that goes on where it was stopped."""

import json
from functools import partial

import pytest

from bench.python import journal


def square(number):
    return {"number": number, "square": number * number}


def refuse(limit, number):
    if number > limit:
        raise ValueError(f"{number} is too large")
    return square(number)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.jsonl"


def test_a_file_that_is_not_there_has_no_results(path):
    assert list(journal.read(path)) == []


def test_results_are_appended_to_those_that_are_there(path):
    path.write_text('{"number": 0, "square": 0}\n')
    journal.complete([2, 3], square, path, jobs=2)
    assert sorted(r["square"] for r in journal.read(path)) == [0, 4, 9]


def test_a_line_that_was_cut_off_neither_counts_nor_spoils_the_next(path):
    path.write_text('{"number": 1, "square": 1}\n{"number": 2, "squ')
    journal.complete([3], square, path, jobs=1)
    assert [r["square"] for r in journal.read(path)] == [1, 9]
    assert path.read_text().splitlines()[-1] == json.dumps(square(3))


def test_a_failure_keeps_what_was_done_before_it_and_says_which_task_it_was(path, capsys):
    with pytest.raises(ValueError, match="7 is too large"):
        journal.complete([1, 7, 2], partial(refuse, 5), path, jobs=1)
    assert [r["number"] for r in journal.read(path)] == [1]
    assert capsys.readouterr().err == "1/3 1\nfailed: 7\n"


def test_a_failure_in_another_process_says_which_task_it_was_too(path, capsys):
    with pytest.raises(ValueError, match="7 is too large"):
        journal.complete([7], partial(refuse, 5), path, jobs=2)
    assert capsys.readouterr().err == "failed: 7\n"


def test_without_tasks_the_file_is_left_alone(path):
    journal.complete([], square, path, jobs=1)
    assert not path.exists()
