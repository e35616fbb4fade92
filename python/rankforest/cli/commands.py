"""The pieces that the commands' click declarations are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import click

import rankforest
from rankforest.cli import files
from rankforest.cli.messages import speaking_of_options

# Keys of a context's `meta`.
_PROBLEMS = "rankforest.problems"
_REJECTED = "rankforest.rejected"
_FILES = "rankforest.files"

# The name of what `overwrite_option` makes.
_OVERWRITE = "overwrite"

# A hyphen at which no line ends.
_NO_BREAK = "\u2011"

HELP_OPTIONS = ["-h", "--help"]

# Heading of what has no heading of its own, such as --help.
_OTHER = "Other"


class Option(click.Option):
    """An option with a place in the help, whose error does not hide those of other options.

    Parameters
    ----------
    *declarations : str
        As for `click.Option`.
    section : str
        Heading of the help under which the option stands.
    **settings : object
        As for `click.Option`.
    """

    def __init__(self, *declarations: str, section: str = _OTHER, **settings: Any) -> None:
        super().__init__(declarations, **settings)
        self.section = section

    def section_in(self, _ctx: click.Context) -> str:
        """Return the heading under which the help shows the option."""
        return self.section

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Note an unusable value in the context; `Command` reports all of them together."""
        return _noting_problems(self, super().handle_parse_result, ctx, opts, args)


class Argument(click.Argument):
    """An argument whose error does not hide those of options."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Note an unusable value in the context; `Command` reports all of them together."""
        return _noting_problems(self, super().handle_parse_result, ctx, opts, args)


def _noting_problems(
    parameter: click.Parameter,
    parse: Callable[..., tuple[Any, list[str]]],
    ctx: click.Context,
    opts: Mapping[str, Any],
    args: list[str],
) -> tuple[Any, list[str]]:
    """Parse a parameter; note in the context its files, and what is wrong with it."""
    try:
        value, rest = parse(ctx, opts, args)
        _files_of(ctx).extend(_given_files(parameter, value))
        return value, rest
    except click.MissingParameter as error:
        if parameter.name not in rejected_names(ctx):
            problems_of(ctx).append(" ".join(error.format_message().split()))
    except click.BadParameter as error:
        problems_of(ctx).append(f"{_label(parameter)}: {error.message}")
        rejected_names(ctx).add(parameter.name)
    except click.UsageError as error:
        problems_of(ctx).append(error.format_message())
    return None, args


def _label(parameter: click.Parameter) -> str:
    """Return what messages call a parameter."""
    is_option = isinstance(parameter, click.Option)
    return parameter.opts[0] if is_option else str(parameter.name).upper()


def _given_files(parameter: click.Parameter, value: Any) -> Iterator[files.GivenFile]:
    """List the files that a parameter names: of type `click.Path`, or with a path of its own."""
    is_output = isinstance(parameter.type, click.Path) and not parameter.type.exists
    for each in value if isinstance(value, (list, tuple)) else [value]:
        path = each if isinstance(parameter.type, click.Path) else getattr(each, "path", None)
        if isinstance(path, str):
            may_exist = isinstance(parameter.type, files.ResumedFile)
            yield files.GivenFile(_label(parameter), path, is_output, may_exist)


class _HelpFormatter(click.HelpFormatter):
    """Never breaks a line inside the name of an option."""

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(_unbreakable(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **settings: Any) -> None:
        """Write terms with their explanations."""
        super().write_dl([(term, _unbreakable(text)) for term, text in rows], *args, **settings)

    def getvalue(self) -> str:
        """Return everything that was written."""
        return super().getvalue().replace(_NO_BREAK, "-")


def _unbreakable(text: str) -> str:
    return re.sub("--[a-z-]+", lambda match: match[0].replace("-", _NO_BREAK), text)


class _Context(click.Context):
    formatter_class = _HelpFormatter


class GivenOptions(dict[str, Any]):
    """The options that were given, by name, with those that have a value.

    Parameters
    ----------
    values : mapping of str to object
        The options with usable values.
    refused : iterable of str
        The names of the options whose values are unusable.
    """

    def __init__(self, values: Mapping[str, Any], refused: Iterable[str | None] = ()) -> None:
        super().__init__(values)
        self._refused = frozenset(refused)

    def has(self, name: str) -> bool:
        """Whether the user gave the option, be its value usable or not."""
        return self.get(name) not in (None, (), False) or name in self._refused


Check = Callable[[GivenOptions, list[str]], None]


class Command(click.Command):
    """A command that reports all unusable options at once and groups its help by section.

    Parameters
    ----------
    name : str
        What the user types.
    check : callable, optional
        Adds to a list of problems, one line each, what is unusable about the values of the
        options together. Those with unusable values are not among them, but `has` knows them.
    **settings : object
        As for `click.Command`.
    """

    context_class = _Context

    def __init__(self, name: str, *, check: Check | None = None, **settings: Any) -> None:
        context = {"max_content_width": 100, "help_option_names": HELP_OPTIONS}
        super().__init__(name, context_settings=context, **settings)
        self._check = check

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, then raise one error that names everything unusable, one line each."""
        was_empty = not args
        rest = super().parse_args(ctx, args)
        problems = problems_of(ctx)
        if self._check is not None:
            values = {k: v for k, v in ctx.params.items() if v is not None}
            self._check(GivenOptions(values, rejected_names(ctx)), problems)
        overwrite = ctx.params.pop(_OVERWRITE, True)
        files.note_problems(problems, _files_of(ctx), overwrite=overwrite is not False)
        if problems and was_empty:
            problems.append(f"see {ctx.info_name} --help")
        if problems:
            raise click.UsageError("\n".join(problems), ctx)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run, with the library's messages in the words of the command line."""
        with speaking_of_options(self.flags_in(ctx)):
            return super().invoke(ctx)

    def flags_in(self, _ctx: click.Context) -> dict[str, str]:
        """Return the option of each argument that the library's messages may name."""
        options = [each for each in self.params if isinstance(each, click.Option) and each.name]
        return {str(each.name): each.opts[0] for each in options}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one block for each section, in order of appearance."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                section = parameter.section_in(ctx) if isinstance(parameter, Option) else _OTHER
                sections.setdefault(section, []).append(record)
        for section, records in sections.items():
            with formatter.section(section):
                formatter.write_dl(records)


def problems_of(ctx: click.Context) -> list[str]:
    """Return what is unusable so far, one line each."""
    problems: list[str] = ctx.meta.setdefault(_PROBLEMS, [])
    return problems


def _files_of(ctx: click.Context) -> list[files.GivenFile]:
    """Return the files that the command line and the configuration file name."""
    given: list[files.GivenFile] = ctx.meta.setdefault(_FILES, [])
    return given


def rejected_names(ctx: click.Context) -> set[str | None]:
    """Return the options that have a value, here or in a file, which was refused."""
    names: set[str | None] = ctx.meta.setdefault(_REJECTED, set())
    return names


def overwrite_option() -> click.Option:
    """`--overwrite/--no-overwrite`, which `Command` itself obeys."""
    return Option(
        "--overwrite/--no-overwrite",
        section="Run",
        default=True,
        help="Whether a file that exists is replaced, which happens once the new one is complete. "
        "--no-overwrite stops the command before it starts.  [default: --overwrite]",
    )


def version_option() -> click.Option:
    """`--version`, which prints the program's name and the package's version."""

    def show(ctx: click.Context, _option: click.Parameter, given: bool) -> None:
        if given and not ctx.resilient_parsing:
            click.echo(f"{ctx.info_name} {rankforest.__version__}")
            ctx.exit()

    return Option(
        "--version",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=show,
        help="Show the version and exit.",
    )
