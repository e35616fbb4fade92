"""A model in the formats of other systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from rankforest._model.facts import Facts
from rankforest._support.paths import StrPath

if TYPE_CHECKING:
    from rankforest.exchange.exporting import ExportReport
    from rankforest.model import Model


class Exchange(Facts):
    """The part of a `Model` that other systems read."""

    def export(
        self,
        path: StrPath,
        format: str,
        *,
        verify: object = None,
        feature_names: Sequence[str] | None = None,
        feature_set: Sequence[str] | None = None,
        name: str = "rankforest",
        store: str | None = None,
        non_negative: bool = False,
    ) -> ExportReport:
        """Write the model for another system.

        Thresholds are moved to the operator and the width of the format so that no float32 changes
        its side. ``docs/exchange.md`` says of each format what it can hold and how far its scores
        are from `predict`.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete and checked.
        format : str
            Of trees "lightgbm", "xgboost-json", "xgboost-ubj", "ranklib", "quickrank", "solr",
            "elasticsearch-ranklib", "elasticsearch-xgboost" (OpenSearch, too), "vespa-xgboost",
            "vespa-lightgbm", "onnx" (needs the package onnx) or "treelite" (needs treelite: the
            bytes of its checkpoint); of linear models "solr-linear" or "elasticsearch-linear".
        verify : Dataset or array, optional
            Documents to score with the file before it gets its name: by LightGBM, XGBoost, ONNX
            Runtime or treelite where they are installed, else by an evaluator of the target's
            rules. At every threshold documents are added that stand on it, one ulp beside it, or
            lack the value.
        feature_names : sequence of str, optional
            What the system calls the columns; by default `feature_names`. Solr, Vespa,
            "elasticsearch-xgboost" and "elasticsearch-linear" need names.
        feature_set : sequence of str, optional
            The features of Elasticsearch's feature set, in its order: checked against the names,
            for "elasticsearch-ranklib" knows features by their positions in it.
        name : str, default="rankforest"
            What Solr and Elasticsearch call the model.
        store : str, optional
            Solr's feature store.
        non_negative : bool, default=False
            Whether to add a constant to all scores so that none is negative, which Elasticsearch
            refuses. It is `shift` of the report.

        Returns
        -------
        ExportReport
            With `notes` for whoever serves the file, and `parity` if `verify` was given.

        Raises
        ------
        ValueError
            If the format cannot say what the model does, or a score of the file differs by more
            than its width explains; then no file is written.
        ImportError
            If a package is missing; the message names it.
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> model = rf.MART(n_estimators=10).fit(data).model_
        >>> path = pathlib.Path(tempfile.mkdtemp(), "model.xml")
        >>> report = model.export(path, "quickrank", verify=data)
        >>> report.parity.largest_difference
        0.0
        """
        from rankforest.exchange.exporting import ExportOptions, export  # noqa: PLC0415 - rarely used

        options = ExportOptions(feature_names, feature_set, name, store, non_negative)
        return export(cast("Model", self), path, format, verify, options)

    def to_treelite(self) -> Any:
        """Make a `treelite.Model`, whose thresholds and leaves are in double.

        Returns
        -------
        treelite.Model

        Raises
        ------
        ValueError
            If a score is more than a sum over trees.
        ImportError
            If treelite is not installed.
        """
        from rankforest.exchange.from_model import forest_of  # noqa: PLC0415
        from rankforest.exchange.treelite_model import for_treelite, treelite_of  # noqa: PLC0415

        return treelite_of(for_treelite(forest_of(cast("Model", self), "treelite")))
