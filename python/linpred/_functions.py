"""separable, verify, load, save: what works on files, or without an estimator."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from . import _core
from ._base import Estimator
from ._claims import Claims, Separation, claims_of
from ._classifiers import LogisticRegression
from ._data import Data, threads, typed_labels
from ._halfspaces import Ball, Halfspace, Perceptron
from ._regressors import LeastAbsolute, LinearRegression, QuantileRegressor


def separable(
    X: Any, y: Any = None, *, fit_intercept: bool = True, max_seconds: float | None = None, n_jobs: int | None = None
) -> Separation:
    """Whether a hyperplane separates two classes, with proof.

    Parameters
    ----------
    X : array, sparse matrix, data frame or linpred.Data
        The rows.
    y : array, optional
        Labels of two classes; left out if X is a linpred.Data.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    max_seconds : float, optional
        Stop after so many seconds.
    n_jobs : int, optional
        Threads; None or -1: one for each processor.

    Returns
    -------
    Separation
        True if a hyperplane separates the classes. If not, ``rows`` and ``weights`` prove it: with y = -1 and +1 the
        sum of weight * y * (x, 1) over these rows is exactly 0.

    Examples
    --------
    >>> import linpred
    >>> answer = linpred.separable([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])
    >>> answer
    Separation(separable=False, rows=[1, 2, 3], weights=[1, 2, 1])
    >>> bool(answer)
    False
    """
    asker = Halfspace(fit_intercept=fit_intercept, max_seconds=max_seconds, n_jobs=n_jobs)
    options = {"task": "halfspace", "threads": threads(n_jobs)}
    data = asker._data_for_fit(X, y, None, options)
    asked = {"threads": options["threads"]}
    if not fit_intercept:
        asked["no-intercept"] = "yes"
    if max_seconds is not None:
        asked["max-seconds"] = repr(float(max_seconds))
    result = _core.separation(data, asked, None)
    claims = claims_of(result, _core.verify(result, data, int(options["threads"])))
    return _separation(result, claims)


def _separation(result: _core.Result, claims: Claims) -> Separation:
    info = result.info()
    answer = {"separated": True, "undecided": None}.get(info["separation"], False)
    combination: dict[str, Any] = next((c.witness for c in claims if c.kind == "inseparable"), {})
    if answer is False and not combination:
        combination = next((c.witness for c in claims if c.kind == "overlapping"), {})
    proofs = [c.witness for c in claims if c.kind in ("separates", "no_minimiser")]
    direction: list[int] = proofs[0].get("integers", []) if proofs else []
    return Separation(
        separable=answer,
        kind=info["separation"],
        rows=combination.get("rows", np.empty(0, dtype=np.int64)),
        weights=combination.get("integers", []),
        coef=np.frombuffer(result.coefficients(), dtype=np.float64).copy(),
        intercept=info["intercept"],
        direction=direction,
        claims=claims,
    )


def load(path: str | os.PathLike[str], *, accept_edited: bool = False) -> Any:
    """Read a model file, written by the program or by :func:`save`.

    Parameters
    ----------
    path : str or path
        The file.
    accept_edited : bool, default=False
        Do not insist on the checksum.

    Returns
    -------
    estimator
        A fitted estimator of the model's kind. Its claims have no verdicts until :func:`verify` checks them.
    """
    return model_of(_core.result_load(os.fspath(path), accept_edited))


def model_of(result: _core.Result) -> Any:
    """A fitted estimator that holds the result."""
    info = result.info()
    model = _estimator(result, info)
    document = json.loads(result.to_text())
    columns = document["recipe"]["columns"]
    named = isinstance(columns, list)
    model.n_features_in_ = len(columns) if named else columns
    names = [column["name"] for column in columns] if named else []
    if names != [f"x{j + 1}" for j in range(len(names))]:
        model.feature_names_in_ = np.asarray(names, dtype=object)
    if info["positive"] is not None:
        model.classes_ = np.asarray(typed_labels([info["negative"], info["positive"]]))
    encoded = named and any(c["type"] == "text" or c.get("days") or c.get("mean") is not None for c in columns)
    model._data_features = _features_of(columns) if named else [f"x{j + 1}" for j in range(columns)]
    if document["recipe"]["missing"] != "fail":
        model.missing = document["recipe"]["missing"]
        encoded = True
    model._finish(result, None, bool(encoded))
    return model


def _features_of(columns: list[dict[str, Any]]) -> list[str]:
    names: list[str] = []
    for column in columns:
        if column["type"] == "text":
            names += [f"{column['name']}={level}" for level in column["levels"][1:]]
        else:
            names.append(column["name"])
    return names


def _estimator(result: _core.Result, info: dict[str, Any]) -> Any:
    """An estimator with the parameters of the fit, as far as the file tells them."""

    def number(flag: str, usual: float) -> float:
        text = result.option(flag)
        return usual if text is None else float(text)

    intercept = bool(info["has_intercept"])
    if info["task"] == "regression":
        if not info["absolute"]:
            return LinearRegression(
                number("l2", 0.0), fit_intercept=intercept, degree=info["degree"], confidence=info["confidence"]
            )
        if info["quantile"] == 0.5:
            return LeastAbsolute(fit_intercept=intercept, degree=info["degree"])
        return QuantileRegressor(info["quantile"], fit_intercept=intercept, degree=info["degree"])
    method = result.option("method") or "auto"
    if info["task"] == "logistic":
        return LogisticRegression(
            number("l2", 0.0), fit_intercept=intercept, method=method, tolerance=number("tolerance", 1e-8),
            confidence=info["confidence"],
        )
    if info["task"] == "ball":
        return Ball(method, outside=info["inside"] < 0)
    if method in ("perceptron", "pocket"):
        return Perceptron(method, fit_intercept=intercept)
    return Halfspace(method if method in ("margin", "exact") else "auto", fit_intercept=intercept)


def save(model: Estimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, which the program ``linpred`` reads too."""
    model.save(path)


def verify(
    model: Any, X: Any, y: Any = None, sample_weight: Any = None, *, n_jobs: int | None = None
) -> Claims:
    """Check every claim of a model against rows, by code that shares no decision with the fits.

    Parameters
    ----------
    model : str, path or fitted estimator
        A model file or a model.
    X : array, sparse matrix, data frame, linpred.Data, or path of a data file
        The rows of the fit.
    y, sample_weight : array, optional
        Labels or targets, and weights; left out if X is a file or a linpred.Data.
    n_jobs : int, optional
        Threads; None or -1: one for each processor.

    Returns
    -------
    Claims
        With a verdict for each claim; ``verdict`` is that of the whole.

    Examples
    --------
    >>> import linpred
    >>> X, y = [[1.0], [2.0], [3.0]], [1.0, 2.5, 3.0]
    >>> linpred.verify(linpred.LinearRegression().fit(X, y), X, y).verdict
    'within_tolerance'
    """
    fitted = load(model) if isinstance(model, (str, os.PathLike)) else model
    fitted.n_jobs, before = n_jobs, fitted.n_jobs
    try:
        if isinstance(X, (str, os.PathLike)):
            options = {"threads": threads(n_jobs)}
            X = Data(_core.data_load(os.fspath(X), options, fitted._result, True), os.fspath(X))
        claims: Claims = fitted.verify(X, y, sample_weight)
        return claims
    finally:
        fitted.n_jobs = before
