"""Options from a TOML file mean what they mean on the command line."""

import click
import pytest

from rankforest._settings.parameters import NONE, integer
from rankforest.cli.commands import Command, Option
from rankforest.cli.config import config_option
from rankforest.cli.run import run
from rankforest.cli.values import Value


@pytest.fixture
def try_config(tmp_path, capsys):
    """Run a command with some options; returns their values, or what it says about them."""

    def attempt(toml, *arguments):
        path = tmp_path / "run.toml"
        path.write_text(toml)
        got = {}
        command = Command(
            "ltr-try",
            callback=lambda **values: got.update(values),
            params=[
                Option("--max-depth", type=Value(integer(1) | NONE, "INT|none")),
                Option("--forest-max-depth", type=Value(integer(1), "INT")),
                Option("--algorithm", type=click.Choice(["mart", "igbrt"]), required=True),
                Option("--train", type=click.Path(), multiple=True),
                Option("--bootstrap/--no-bootstrap", default=None),
                Option("--quiet", is_flag=True),
                config_option(),
            ],
        )
        status = run(command, ["--config", str(path), *arguments])
        errors = capsys.readouterr().err.replace(str(path), "run.toml")
        assert (status == 2) == bool(errors)
        return errors.splitlines() or got

    return attempt


def test_keys_may_have_dashes_or_underscores(try_config):
    got = try_config('algorithm = "mart"\nmax-depth = 3\nforest_max_depth = 4\n')
    assert (got["max_depth"].value, got["forest_max_depth"].value) == (3, 4)


def test_a_table_is_a_prefix(try_config):
    got = try_config('algorithm = "igbrt"\n[forest]\nmax_depth = 4\n')
    assert got["forest_max_depth"].value == 4


def test_the_command_line_wins(try_config):
    got = try_config('algorithm = "mart"\nmax_depth = 3\ntrain = ["a", "b"]', "--max-depth", "5")
    assert got["max_depth"].value == 5
    got = try_config('algorithm = "mart"\ntrain = ["a", "b"]', "--train", "c")
    assert got["train"] == ("c",)


def test_none_is_a_value_of_its_own(try_config):
    assert try_config('algorithm = "mart"\nmax_depth = "none"')["max_depth"].value is None
    assert try_config('algorithm = "mart"')["max_depth"] is None


def test_an_option_that_may_be_repeated_takes_one_value_or_a_list(try_config):
    assert try_config('algorithm = "mart"\ntrain = "a"')["train"] == ("a",)
    assert try_config('algorithm = "mart"\ntrain = ["a", "b"]')["train"] == ("a", "b")


@pytest.mark.parametrize(("text", "value"), [("true", True), ("false", False)])
def test_flags_are_true_or_false(try_config, text, value):
    got = try_config(f'algorithm = "mart"\nbootstrap = {text}\nquiet = {text}')
    assert (got["bootstrap"], got["quiet"]) == (value, value)


def test_an_unknown_key_is_refused_with_what_was_meant(try_config):
    assert try_config('algorithm = "mart"\nmax_dpeth = 3') == [
        "ltr-try: run.toml: unknown key 'max_dpeth'; did you mean max_depth?"
    ]


def test_a_key_that_resembles_nothing_is_refused(try_config):
    assert try_config('algorithm = "mart"\nzzz = 3') == ["ltr-try: run.toml: unknown key 'zzz'"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("max_depth = 0", "max_depth: must be an integer >= 1 or none, got 0"),
        ("max_depth = true", "max_depth: must be an integer >= 1 or none, got True"),
        ("max_depth = 2.5", "max_depth: must be an integer >= 1 or none, got 2.5"),
        ("max_depth = [1]", "max_depth: takes one value, got [1]"),
        ('bootstrap = "yes"', "bootstrap: must be true or false, got 'yes'"),
        ("train = 5", "train: must be text, got 5"),
    ],
)
def test_an_unusable_value_is_refused_with_its_key(try_config, line, message):
    assert try_config(f'algorithm = "mart"\n{line}') == [f"ltr-try: run.toml: {message}"]


def test_everything_unusable_is_reported_at_once(try_config):
    lines = try_config('algorithm = "martt"\nmax_depth = 0\nzzz = 1', "--forest-max-depth", "x")
    assert len(lines) == 4
    assert "'martt' is not one of 'mart', 'igbrt'" in lines[0]
    assert "max_depth" in lines[1]
    assert "zzz" in lines[2]
    assert "--forest-max-depth" in lines[3]


def test_what_is_no_toml_is_refused_with_its_place(try_config):
    (line,) = [x for x in try_config("max_depth = = 3") if "run.toml" in x]
    assert "line 1, column 13" in line


def test_a_required_option_may_stand_in_the_file(try_config):
    assert try_config("algorithm = 'mart'")["algorithm"] == "mart"
    assert try_config("max_depth = 1") == [
        "ltr-try: Missing option '--algorithm'. Choose from: mart, igbrt"
    ]
