"""The pieces that the commands' click declarations are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

import rankforest

# Keys of a context's `meta`.
_PROBLEMS = "rankforest.problems"
_REJECTED = "rankforest.rejected"

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
    """Parse a parameter, and note in the context what is wrong with it."""
    try:
        return parse(ctx, opts, args)
    except click.MissingParameter as error:
        if parameter.name not in rejected_names(ctx):
            problems_of(ctx).append(" ".join(error.format_message().split()))
    except click.BadParameter as error:
        is_option = isinstance(parameter, click.Option)
        label = parameter.opts[0] if is_option else str(parameter.name).upper()
        problems_of(ctx).append(f"{label}: {error.message}")
    except click.UsageError as error:
        problems_of(ctx).append(error.format_message())
    return None, args


Check = Callable[[Mapping[str, Any], list[str]], None]


class Command(click.Command):
    """A command that reports all unusable options at once and groups its help by section.

    Parameters
    ----------
    name : str
        What the user types.
    check : callable, optional
        Adds to a list of problems, one line each, what is unusable about the values of the
        options together. Options with unusable values are not among them.
    **settings : object
        As for `click.Command`.
    """

    def __init__(self, name: str, *, check: Check | None = None, **settings: Any) -> None:
        super().__init__(name, context_settings={"max_content_width": 100}, **settings)
        self._check = check

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, then raise one error that names everything unusable, one line each."""
        was_empty = not args
        rest = super().parse_args(ctx, args)
        problems = problems_of(ctx)
        if self._check is not None:
            self._check({k: v for k, v in ctx.params.items() if v is not None}, problems)
        if problems and was_empty:
            problems.append(f"see {ctx.info_name} --help")
        if problems:
            raise click.UsageError("\n".join(problems), ctx)
        return rest

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


def rejected_names(ctx: click.Context) -> set[str | None]:
    """Return the options that have a value elsewhere which was refused already."""
    names: set[str | None] = ctx.meta.setdefault(_REJECTED, set())
    return names


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
