"""Regressions: least squares, least absolute deviations, quantiles."""
from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import RegressorMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _core, _rows
from ._base import COMMON, UNIT, Array, Estimator
from ._data import Data, threads

if TYPE_CHECKING:
    import pandas as pd

REGRESSION: dict[str, list[Any]] = {
    **COMMON,
    "fit_intercept": ["boolean"],
    "degree": [Interval(Integral, 1, 100, closed="both")],
}


class Regression(RegressorMixin, Estimator):
    """What regressions share."""

    _task = "regression"
    _regression = True

    def _encoding(self) -> dict[str, str]:
        return {} if self.degree == 1 else {"degree": str(self.degree)}

    def _begin(self, X: Any) -> None:
        if isinstance(X, Data) and X.degree != self.degree:
            raise ValueError(f"powers are made when a file is read: read it with degree={self.degree}")

    def _targets(self, y: Any, weights: Array | None) -> tuple[Array, str | None, str | None]:
        return _rows.vector(y), None, None

    def _target_column(self, y: Any, name: str, weights: Array | None) -> tuple[_rows.Column, str | None]:
        y = _rows.vector(column_or_1d(y, warn=True))
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity; what is to be predicted is never made up")
        return (name, y, None), None

    def _validated(self, X: Any, y: Any) -> tuple[Any, Any]:
        if self.degree > 1 and issparse(X):
            raise TypeError("sparse data is not supported with degree > 1; X.toarray() makes it dense")
        return super()._validated(X, y)

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        self.coef_ = self._coefficients()
        self.intercept_ = info["intercept"]

    def predict(self, X: Any) -> Array:
        """Predict targets.

        Parameters
        ----------
        X : array, sparse matrix, data frame or linpred.Data
            The rows.

        Returns
        -------
        array
            A prediction for each row; NaN where ``missing='drop'`` leaves a row out.
        """
        return self._scores(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """R² of the predictions, 1 - Σ(y-prediction)²/Σ(y-mean)²."""
        if isinstance(X, Data) and y is None:
            from sklearn.metrics import r2_score

            return float(r2_score(X.labels(), self.predict(X)[X._arrays()[2] - 1]))
        return float(super().score(X, y, sample_weight))


class LinearRegression(Regression):
    """Least squares, ordinary or with a penalty, with standard errors and a proof of every digit.

    The objective is mean((y - <w,x> - b)²) + (l2/2)||w||²; the intercept is never penalised.

    Parameters
    ----------
    l2 : float, default=0.0
        The penalty. ``sklearn.linear_model.Ridge(alpha)`` is ``l2 = 2 alpha / n``.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    degree : int, default=1
        Fit powers of every column up to this one, formed in twice the precision of doubles.
    confidence : float, default=0.95
        The level of confidence intervals.
    missing : {'fail', 'drop', 'mean'}, default='fail'
        What to do about missing values (NaN): stop, leave the row out, or take the column's mean.
    max_seconds : float, optional
        Stop after so many seconds.
    proof : bool, default=True
        Whether to check the claims of the fit. Without it ``claims_`` have no verdicts.
    n_jobs : int, optional
        Threads; None or -1: one for each processor. Their number changes no bit of the answer.
    verbose : bool or callable, default=False
        Show progress, or call a function with (stage, updates, passes, errors, seconds).

    Attributes
    ----------
    coef_ : array
        The coefficients w.
    intercept_ : float
        The intercept b.
    claims_ : Claims
        What the fit claims, with verdicts and witnesses.
    figures_ : dict
        What is known of the fit in numbers, such as ``r_squared``.

    Examples
    --------
    >>> import numpy as np
    >>> from linpred import LinearRegression
    >>> X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([2.0, 4.0, 3.0, 6.0])
    >>> model = LinearRegression().fit(X, y)
    >>> model.coef_.round(6), round(model.intercept_, 6)
    (array([1.1]), 1.0)
    >>> model.verdict_
    'within_tolerance'
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **REGRESSION,
        "l2": [Interval(Real, 0, None, closed="left")],
        "confidence": [UNIT],
    }

    def __init__(
        self,
        l2: float = 0.0,
        *,
        fit_intercept: bool = True,
        degree: int = 1,
        confidence: float = 0.95,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.l2 = l2
        self.fit_intercept = fit_intercept
        self.degree = degree
        self.confidence = confidence
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        return {
            "l2": self.l2 or None,
            "no-intercept": None if self.fit_intercept else True,
            "degree": None if self.degree == 1 else self.degree,
            "confidence": None if self.confidence == 0.95 else self.confidence,
        }

    def predict(self, X: Any, interval: bool = False, confidence: float | None = None) -> Any:
        """Predict targets, if asked for with the interval in which a new target lies.

        Parameters
        ----------
        X : array, sparse matrix, data frame or linpred.Data
            The rows.
        interval : bool, default=False
            Whether to give prediction intervals, which hold if errors are normal with one variance.
        confidence : float, optional
            Their level; by default that of the fit.

        Returns
        -------
        array, or (array, array)
            A prediction for each row; with `interval` also an array of shape (rows, 2), from and to. They are -inf and
            inf for a row whose prediction the training data do not determine.
        """
        if not interval:
            return self._scores(X)
        check_is_fitted(self)
        data = self._data_for(X)
        rows = data.shape()["rows_in_file"]
        low, high, scores = np.empty(rows), np.empty(rows), np.empty(rows)
        jobs = int(threads(self.n_jobs))
        level = self._result.info()["confidence"] if confidence is None else float(confidence)
        _core.interval(self._result, data, jobs, level, low, high)
        _core.score(self._result, data, jobs, scores)
        return scores, np.column_stack([low, high])

    def conf_int(self, confidence: float | None = None) -> pd.DataFrame:
        """Confidence intervals of the coefficients, the intercept last.

        Parameters
        ----------
        confidence : float, optional
            Their level; by default that of the fit.

        Returns
        -------
        pandas.DataFrame
            Columns ``low`` and ``high``; NaN where a coefficient cannot be estimated.
        """
        return intervals(self, confidence)


def intervals(model: Any, confidence: float | None) -> pd.DataFrame:
    """Intervals of the coefficients at a level; where it is not that of the fit, by the quantile of t or the normal."""
    table = model.coefficients_
    reason = model._result.info()["no_standard_errors"]
    if table["standard_error"].isna().all():
        raise ValueError(reason or "this model has no standard errors")
    level = model._result.info()["confidence"]
    if confidence is None or confidence == level:
        return table[["low", "high"]]
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence!r}")
    from scipy import stats

    half = (1 + confidence) / 2
    freedom = model.figures_.get("degrees_of_freedom")
    quantile = stats.t.ppf(half, freedom) if model._regression else stats.norm.ppf(half)
    width = quantile * table["standard_error"]
    import pandas as pd

    return pd.DataFrame({"low": table["value"] - width, "high": table["value"] + width})


class QuantileRegressor(Regression):
    """The linear function below which a given share of the targets lies, at an optimal vertex, with its duals.

    The loss is the mean of 2q(y-f) where y is above the fit f and of 2(1-q)(f-y) below; at q = 1/2 it is mean|y-f|.

    Parameters
    ----------
    quantile : float, default=0.5
        The quantile q, between 0 and 1.
    fit_intercept, degree, missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    coef_, intercept_, claims_, figures_
        As of :class:`LinearRegression`.

    Examples
    --------
    >>> import numpy as np
    >>> from linpred import QuantileRegressor
    >>> X, y = np.arange(5.0).reshape(-1, 1), np.array([0.0, 1.0, 2.0, 3.0, 40.0])
    >>> QuantileRegressor(0.5).fit(X, y).coef_
    array([1.])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {**REGRESSION, "quantile": [UNIT]}

    def __init__(
        self,
        quantile: float = 0.5,
        *,
        fit_intercept: bool = True,
        degree: int = 1,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.quantile = quantile
        self.fit_intercept = fit_intercept
        self.degree = degree
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        quantile = getattr(self, "quantile", 0.5)
        return {
            "loss": "absolute",
            "quantile": None if quantile == 0.5 else quantile,
            "no-intercept": None if self.fit_intercept else True,
            "degree": None if self.degree == 1 else self.degree,
        }


class LeastAbsolute(QuantileRegressor):
    """Least absolute deviations: the linear function with the least mean of |y - f|.

    Parameters
    ----------
    fit_intercept, degree, missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    coef_, intercept_, claims_, figures_
        As of :class:`LinearRegression`.

    Examples
    --------
    >>> import numpy as np
    >>> from linpred import LeastAbsolute
    >>> X, y = np.arange(5.0).reshape(-1, 1), np.array([0.0, 1.0, 2.0, 3.0, 40.0])
    >>> LeastAbsolute().fit(X, y).predict([[10.0]])
    array([10.])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = REGRESSION

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        degree: int = 1,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.fit_intercept = fit_intercept
        self.degree = degree
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose
