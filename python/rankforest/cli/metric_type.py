"""Metrics on the command line."""

from __future__ import annotations

from typing import Any

import click

from rankforest import _core

# What the reports show where no metric is asked for: the usual ones, and how much of NDCG@10 hangs
# on the value that queries without a relevant document have.
REPORTED = ("ndcg@5", "ndcg@10", "ndcg@10(empty=0)", "ndcg@10(empty=1)", "map", "mrr")

GRAMMAR = (
    "A metric is spelled NAME[@K][(KEY=VALUE,...)], such as ndcg@10, map, err@20, p@5 or "
    "'ndcg@10(gain=linear,empty=0)'."
)


class _Metric(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """The spelling of a metric that exists."""

    name = "metric"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            _core.Metric.parse(value)
        except (TypeError, ValueError) as error:
            self.fail(str(error), param, ctx)
        return str(value)


METRIC = _Metric()
