"""`ltr-convert`: write a model in another form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

import rankforest
from rankforest.cli import files
from rankforest.cli.commands import Command, Option, overwrite_option, version_option
from rankforest.cli.models import model_option, output_option
from rankforest.cli.run import run
from rankforest.model_cpp import check_namespace, to_cpp
from rankforest.model_json import to_json

_SECTION = "Models"
_FORMS = ("rankforest", "json", "c++")
_DEFAULT_NAMESPACE = "ranker"

_HELP = """Write a model in another form.

Reads a model file, its JSON form or LightGBM's text; the content tells which. Writes one of

\b
  rankforest  a model file (.rf)
  json        the same model as JSON, for people and other programs
  c++         a C++17 header that scores by this model and needs nothing else. Its
              Score() returns exactly the same scores; its SelfTest() checks that."""

_EPILOG = """\b
Examples:
  ltr-convert --model lightgbm.txt --to rankforest --output m.rf
  ltr-convert --model m.rf --to json > m.json
  ltr-convert --model m.rf --to c++ --namespace my_ranker --output my_ranker.hpp

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input. The output file
appears whole or not at all."""


class _FormType(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """One of the forms that can be written."""

    name = "form"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in _FORMS:
            known = ", ".join(_FORMS)
            self.fail(f"models cannot be written as {value!r}; expected one of {known}", param, ctx)
        return str(value)


def _convert(*, model: str, to: str, output: str, namespace: str | None) -> None:
    """Read and write."""
    read = rankforest.load(model)
    if to == "rankforest":
        read.save(output)
        return
    if to == "json":
        text = to_json(read._ensemble, read._info)
    else:
        text = to_cpp(read._ensemble, read._info, namespace or _DEFAULT_NAMESPACE)
    with files.text_output(output) as file:
        file.write(text)


def _check(given: Mapping[str, Any], problems: list[str]) -> None:
    to = given.get("to")
    if to == "rankforest" and given.get("output") == files.DASH:
        problems.append("--output: a model file is not text, and not for stdout; name a file")
    if "namespace" in given:
        if to not in {None, "c++"}:
            problems.append(f"--namespace: is for --to c++, got --to {to}")
        try:
            check_namespace(given["namespace"])
        except ValueError as error:
            problems.append(f"--namespace: {error}")


command = Command(
    "ltr-convert",
    callback=_convert,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        model_option(section=_SECTION),
        Option(
            "--to",
            section=_SECTION,
            type=_FormType(),
            required=True,
            metavar="|".join(_FORMS),
            help="The form to write.",
        ),
        output_option(section=_SECTION),
        Option(
            "--namespace",
            section=_SECTION,
            metavar="NAME",
            help=f"The namespace of the C++ header.  [default: {_DEFAULT_NAMESPACE}]",
        ),
        overwrite_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-convert` on the process's arguments."""
    return run(command)
