"""`--space`: the name of a search space, or a TOML file that has one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from rankforest._settings.parameters import RULES
from rankforest.cli.files import InputFile
from rankforest.cli.parameters import NESTED
from rankforest.cli.values import Value
from rankforest.tuning.grids import DEFAULT, GRIDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class SpaceFile:
    """The space that a file holds."""

    path: str
    space: dict[str, object]


class SpaceType(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """A name, or a file."""

    name = "space"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | SpaceFile:
        """Return the name, or what the file holds."""
        names = (DEFAULT, *GRIDS)
        if isinstance(value, SpaceFile):
            return value
        if value in names:
            return str(value)
        if not Path(value).exists() and Path(value).suffix != ".toml":
            self.fail(f"must be {', '.join(names)} or a TOML file, got {value!r}", param, ctx)
        path = InputFile().convert(value, param, ctx)
        try:
            table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
            return SpaceFile(path, dict(_entries(table, param, ctx)))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            return self.fail(f"{path}: {error}", param, ctx)


def _entries(
    table: Mapping[str, Any],
    param: click.Parameter | None,
    ctx: click.Context | None,
    owner: str = "",
) -> Iterator[tuple[str, object]]:
    """Give each parameter as `rankforest.tune` calls it, with its values in plain form."""
    for key, values in table.items():
        name = key.replace("-", "_")
        if name in NESTED and isinstance(values, dict) and not owner:
            yield from _entries(values, param, ctx, f"{name}__")
            continue
        for inner in () if owner else NESTED:
            if name.startswith(f"{inner}_"):
                name = f"{inner}__{name.removeprefix(f'{inner}_')}"
        rule = RULES.get(name.rpartition("__")[2])
        if rule is not None and isinstance(values, list):
            try:
                values = [Value(rule, "").convert(each, None, None).value for each in values]  # noqa: PLW2901
            except click.BadParameter as error:
                raise click.BadParameter(f"{key}: {error.message}", ctx, param) from None
        yield owner + name, values
