"""Options from a TOML file."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from rankforest._support.wording import nearest
from rankforest.cli.commands import Option, problems_of, rejected_names
from rankforest.cli.files import InputFile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def config_option() -> click.Option:
    """`--config FILE`: the file's values hold for every option that the command line leaves out."""
    return Option(
        "--config",
        section="Run",
        type=InputFile(),
        is_eager=True,
        expose_value=False,
        callback=_apply,
        help="TOML file that sets any of these options, with dashes or underscores, such as "
        "'max-depth = 6' or 'metric = [\"ndcg@10\", \"map\"]'. An option on the command line wins.",
    )


def _apply(ctx: click.Context, _option: click.Parameter, path: str | None) -> str | None:
    """Make the file's values the defaults, and return its path."""
    if path is not None and not ctx.resilient_parsing:
        try:
            table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            problems_of(ctx).append(f"{path}: {error}")
        else:
            _set_defaults(ctx, path, table)
    return path


def _set_defaults(ctx: click.Context, path: str, table: Mapping[str, Any]) -> None:
    options = {
        parameter.name: parameter
        for parameter in ctx.command.get_params(ctx)
        if isinstance(parameter, click.Option) and parameter.expose_value and parameter.name
    }
    ctx.default_map = {}
    for key, value in _flat(table):
        name = key.replace("-", "_").replace(".", "_")
        if name not in options:
            problems_of(ctx).append(f"{path}: {_unknown(key, list(options))}")
            continue
        try:
            ctx.default_map[name] = _checked(options[name], value, ctx)
        except click.BadParameter as error:
            problems_of(ctx).append(f"{path}: {key}: {error.message}")
            rejected_names(ctx).add(name)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Keys and values; those of a table inside the table have its name as a prefix."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _unknown(key: str, names: list[str]) -> str:
    near = nearest(key.replace("-", "_").replace(".", "_"), names)
    hint = "" if near is None else f"; did you mean {near}?"
    return f"unknown key {key!r}{hint}"


def _checked(option: click.Option, value: Any, ctx: click.Context) -> Any:
    """Return the value in the form that `default_map` takes, if the option can take it."""
    if option.is_flag and not isinstance(value, bool):
        raise click.BadParameter(f"must be true or false, got {value!r}")
    if isinstance(option.type, (click.Path, click.Choice)):
        for item in value if isinstance(value, list) else [value]:
            if not isinstance(item, str):
                raise click.BadParameter(f"must be text, got {item!r}")
    if option.multiple:
        value = value if isinstance(value, list) else [value]
    elif isinstance(value, list):
        raise click.BadParameter(f"takes one value, got {value!r}")
    option.type_cast_value(ctx, value)
    return value
