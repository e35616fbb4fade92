"""`ltr-convert`: write a model or data in another form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

import rankforest
from rankforest.cli import files
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.convert_data import DATA_FORMS, convert_data, note_data_problems
from rankforest.cli.convert_exchange import (
    EXCHANGE_FORMS,
    convert_for_system,
    exchange_options,
    note_exchange_problems,
)
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options, unwrapped
from rankforest.cli.models import model_option, output_option
from rankforest.cli.run import run
from rankforest.model_cpp import check_namespace, to_cpp
from rankforest.model_json import to_json

_SECTION = "What to write"
_MODEL_FORMS = ("rankforest", "json", "c++", *EXCHANGE_FORMS)
_FORMS = (*_MODEL_FORMS, *DATA_FORMS)
_DEFAULT_NAMESPACE = "ranker"

_HELP = """Write a model or data in another form.

Reads a model file, its JSON form, or a model of LightGBM (text), XGBoost (JSON, UBJSON), CatBoost
(JSON, cbm), RankLib, QuickRank, jforests or Solr (trees); the content tells which. Writes one of

\b
  rankforest  a model file (.rf)
  json        the same model as JSON, for people and other programs
  c++         a C++17 header that scores by this model and needs nothing else. Its
              Score() returns exactly the same scores; its SelfTest() checks that.
  lightgbm, xgboost-json, xgboost-ubj, ranklib, quickrank, solr, elasticsearch-ranklib,
  elasticsearch-xgboost (OpenSearch, too), vespa-xgboost, vespa-lightgbm, onnx, treelite
              the trees for another system; --verify scores data with what is written
  solr-linear, elasticsearch-linear (OpenSearch, too)
              the weights of ranksvm, coordinate_ascent or adarank

Reads data, LETOR text or a table by the name of the file, and writes one of

\b
  letor       LETOR text, also called SVMlight or LIBSVM text
  parquet     a Parquet file of the columns label, query_id, weight, document_id and position,
              as far as the data has them, and of the features
  csv         the same as CSV"""

_EPILOG = """\b
Examples:
  ltr-convert --model lightgbm.txt --to rankforest --output m.rf
  ltr-convert --model m.rf --to json > m.json
  ltr-convert --data train.txt --to parquet --output train.parquet
  ltr-convert --data x.parquet --label y --query query_id --to letor > x.txt
  ltr-convert --model m.rf --to c++ --namespace my_ranker --output my_ranker.hpp
  ltr-convert --model m.rf --to xgboost-json --verify test.txt --output m.json

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input. The output file
appears whole or not at all."""


class _FormType(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """One of the forms that can be written."""

    name = "form"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in _FORMS:
            known = ", ".join(_FORMS)
            self.fail(f"nothing is written as {value!r}; expected one of {known}", param, ctx)
        return str(value)


def _convert(
    *,
    model: str | None,
    data: Sequence[str],
    to: str,
    output: str,
    namespace: str | None,
    **options: Any,
) -> None:
    """Read and write."""
    if model is None:
        convert_data(data, to, output, unwrapped(options))
        return
    given = unwrapped(options)
    read = rankforest.load(model, n_features=given.get("n_features"))
    if to == "rankforest":
        read.save(output)
        return
    if to in EXCHANGE_FORMS:
        convert_for_system(read, to, output, given)
        return
    if to == "json":
        text = to_json(read._ensemble, read._info)
    else:
        text = to_cpp(read._ensemble, read._info, namespace or _DEFAULT_NAMESPACE)
    with files.text_output(output) as file:
        file.write(text)


def _check(given: GivenOptions, problems: list[str]) -> None:
    to = given.get("to")
    if given.has("data"):
        note_data_problems(given, problems)
    elif not given.has("model") and not problems:
        problems.append("--model or --data must say what to convert")
    elif to in DATA_FORMS:
        problems.append(f"--to {to} is for --data; models are written as {', '.join(_MODEL_FORMS)}")
    elif to == "rankforest" and given.get("output") == files.DASH:
        problems.append("--output: a model file is not text, and not for stdout; name a file")
    note_exchange_problems(given, problems)
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
        model_option(section="What to convert", required=False),
        data_option("data", "LETOR text, Parquet or CSV to convert.", section="What to convert"),
        Option(
            "--to",
            section=_SECTION,
            type=_FormType(),
            required=True,
            metavar="|".join(_FORMS),
            help="The form to write.",
        ),
        output_option(section=_SECTION, note=" rankforest and parquet need a file."),
        Option(
            "--namespace",
            section=_SECTION,
            metavar="NAME",
            help=f"The namespace of the C++ header.  [default: {_DEFAULT_NAMESPACE}]",
        ),
        *exchange_options(),
        *reading_options(zero_based="false", absent="0", n_features="the highest index"),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-convert` on the process's arguments."""
    return run(command)
