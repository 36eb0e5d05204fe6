"""What all estimators share: from X and y to rows, from rows to a fit, its check, and its predictions."""
from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core, _rows
from ._claims import Claims, claims_of
from ._data import Data, DataWarning, threads
from ._errors import Refuted, in_python
from ._progress import Line, listener
from ._summary import summary_html, summary_text
from .compat import Tags, check_names, validate

if TYPE_CHECKING:
    import pandas as pd

Array = np.ndarray[Any, Any]
Self = TypeVar("Self", bound="Estimator")

MISSING = [StrOptions({"fail", "drop", "mean"})]
COMMON: dict[str, list[Any]] = {
    "missing": MISSING,
    "max_seconds": [Interval(Real, 0, None, closed="left"), None],
    "proof": ["boolean"],
    "n_jobs": [Integral, None],
    "verbose": ["boolean", callable],
}
UNIT = Interval(Real, 0, 1, closed="neither")


def option(value: Any) -> str:
    """A value of a parameter as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return repr(float(value)) if isinstance(value, Real) and not isinstance(value, Integral) else str(value)


class Estimator(Tags, BaseEstimator):
    """The common part. A subclass names its task, its options, and what y is."""

    _task: ClassVar[str]
    _regression: ClassVar[bool] = False
    _parameter_constraints: ClassVar[dict[str, Any]] = COMMON

    # ---- what a subclass says ----------------------------------------------------------------------------------------

    def _given(self) -> dict[str, Any]:
        """Parameters that differ from the library's defaults, by the names of its options."""
        raise NotImplementedError

    def _encoding(self) -> dict[str, str]:
        """Options that matter when a table is encoded."""
        return {}

    def _begin(self, X: Any) -> None:
        """Comes first in a fit."""

    def _targets(self, y: Any, weights: Array | None) -> tuple[Array, str | None, str | None]:
        """Targets as doubles, and the texts of the labels -1 and +1."""
        raise NotImplementedError

    def _target_column(self, y: Any, name: str, weights: Array | None) -> tuple[_rows.Column, str | None]:
        """y as a column of a table, and the label that counts as +1."""
        raise NotImplementedError

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        """Sets the attributes that the result gives."""
        raise NotImplementedError

    # ---- rows --------------------------------------------------------------------------------------------------------

    def _needs_table(self, X: Any) -> bool:
        """Whether rows must be encoded: text, categories, dates, or missing values that are allowed for."""
        if _rows.is_frame(X) and not _rows.is_plain(X):
            return True
        return bool(self.missing != "fail" and not issparse(X))

    def _check_columns(self, X: Any, reset: bool) -> None:
        """Checks or remembers the columns of a frame that becomes a table."""
        check_names(self, X, reset=reset)
        if X.shape[0] < 1 or X.shape[1] < 1:
            raise ValueError(
                f"Found array with {X.shape[0]} sample(s) and {X.shape[1]} feature(s) (shape={X.shape}) while a "
                "minimum of 1 is required."
            )
        if reset:
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input."
            )

    def _validated(self, X: Any, y: Any) -> tuple[Any, Any]:
        return validate(  # type: ignore[no-any-return]
            self, X, y, reset=True, accept_sparse="csr", dtype=np.float64, y_numeric=self._regression
        )

    def _table_for_fit(self, X: Any, y: Any, sample_weight: Any, options: dict[str, str]) -> _core.Data:
        name = getattr(y, "name", None)
        if _rows.is_frame(X):
            self._check_columns(X, True)
            if len(y) != X.shape[0]:
                raise ValueError(
                    f"Found input variables with inconsistent numbers of samples: [{X.shape[0]}, {len(y)}]"
                )
        else:
            X, y = self._validated(X, y)
        columns, dates = _rows.columns_of(X)
        target = _rows.free_name(columns, str(name or "y"))
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, np.empty((X.shape[0], 1)), dtype=np.float64)
        column, positive = self._target_column(y, target, weights)
        columns.append(column)
        options["target"] = target
        if positive is not None:
            options["positive"] = positive
        if weights is not None:
            named = _rows.free_name(columns, "sample_weight")
            columns.append((named, _rows.vector(weights), None))
            options["weights"] = named
        if dates:
            options["date"] = _rows.listed(dates)
        options["missing"] = self.missing
        return _core.data_from_table("X", X.shape[0], columns, options, None, True)

    def _matrix_for_fit(self, X: Any, y: Any, sample_weight: Any) -> _core.Data:
        names = _rows.names_of(X)
        target = getattr(y, "name", None)
        X, y = self._validated(X, y)
        weights = None
        if sample_weight is not None:
            weights = _rows.vector(_check_sample_weight(sample_weight, X, dtype=np.float64))
        targets, negative, positive = self._targets(y, weights)
        X, targets, weights = self._weighted(X, targets, weights)
        target = str(target) if target and names and str(target) not in names else None
        return _rows.from_matrix(X, targets, weights, (names, target, negative, positive))

    def _weighted(self, X: Any, y: Array, weights: Array | None) -> tuple[Any, Array, Array | None]:
        """Rows with their weights, as the learner takes them."""
        return X, y, weights

    def _data_for_fit(self, X: Any, y: Any, sample_weight: Any, options: dict[str, str]) -> _core.Data:
        if isinstance(X, Data):
            if y is not None or sample_weight is not None:
                raise ValueError("labels and weights of a linpred.Data come from its file; give X alone")
            if (X.task == "regression") != self._regression:
                wanted = "regression" if self._regression else "classification"
                raise ValueError(f"{X!r} was read for {X.task}; read it with task={wanted!r}")
            self.n_features_in_ = X.shape[1]
            self.feature_names_in_ = np.asarray(X.features, dtype=object)
            return X._core
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        if self._needs_table(X):
            return self._table_for_fit(X, y, sample_weight, options)
        return self._matrix_for_fit(X, y, sample_weight)

    def _data_for(self, X: Any, targets: Any = None, sample_weight: Any = None) -> _core.Data:
        """New rows, to be scored, or to be verified if there are targets."""
        if isinstance(X, Data):
            if X.features != self._data_features:
                raise ValueError(f"{X!r} has other features than the fit; read it with linpred.read(path, like=model)")
            return X._core
        weights = None if sample_weight is None else _rows.vector(sample_weight)
        if self._by_table:
            if _rows.is_frame(X):
                self._check_columns(X, False)
            else:
                X = validate(self, X, reset=False, dtype=np.float64)
            columns, _ = _rows.columns_of(X)
            if hasattr(self, "feature_names_in_") and not _rows.is_frame(X):
                columns = [(str(name), v, levels) for name, (_, v, levels) in zip(self.feature_names_in_, columns)]
            if targets is not None:
                info = self._result.info()
                columns.append(self._target_column(targets, info["target"], weights)[0])
                if info["weights"] is not None and weights is not None:
                    columns.append((info["weights"], weights, None))
            return _core.data_from_table("X", X.shape[0], columns, {}, self._result, targets is not None)
        X = validate(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        y = None
        if targets is not None:
            y = self._targets(np.asarray(targets), weights)[0]
            X, y, weights = self._weighted(X, y, weights)
        return _rows.from_matrix(X, y, weights, (None, None, None, None))

    # ---- the fit -----------------------------------------------------------------------------------------------------

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the model, and check what it claims.

        Parameters
        ----------
        X : array, sparse matrix, data frame or linpred.Data
            The rows. C-order arrays of float64 are not copied. Text and categories of a frame become indicators.
        y : array, optional
            Labels or targets; left out if X is a linpred.Data.
        sample_weight : array, optional
            A weight of k counts as k copies of the row.

        Returns
        -------
        self
        """
        self._validate_params()
        self._begin(X)
        options = {"task": self._task, "threads": threads(self.n_jobs), **self._encoding()}
        data = self._data_for_fit(X, y, sample_weight, options)
        options.update({name: option(value) for name, value in self._given().items() if value is not None})
        if self.max_seconds is not None:
            options["max-seconds"] = option(self.max_seconds)
        for _, sentence, *_ in data.warnings():
            warnings.warn(in_python(sentence), DataWarning, stacklevel=2)
        progress = listener(self.verbose)
        try:
            result = self._fitted(data, options, progress)
        finally:
            if isinstance(progress, Line):
                progress.end()
        check = _core.verify(result, data, int(options["threads"])) if self.proof else None
        if check and check["verdict"] == "refuted":
            raise Refuted(
                f"the check of this fit refutes it, which is a fault of linpred: {check['summary']}; please report it "
                "with the data"
            )
        self._data_features = data.features()
        self._finish(result, check, "target" in options or isinstance(X, Data))
        self._warn()
        return self

    def _fitted(self, data: _core.Data, options: dict[str, str], progress: Any) -> _core.Result:
        return _core.fit(data, options, progress)

    def _finish(self, result: _core.Result, check: dict[str, Any] | None, by_table: bool) -> None:
        """Sets the attributes of a fitted model."""
        info, figures = result.info(), result.figures()
        self._result = result
        self._by_table = by_table
        self._check = check
        self.outcome_ = info["outcome"]
        self.reason_ = in_python(info["reason"] or "")
        self.figures_ = figures
        self._take(info, figures)

    def _warn(self) -> None:
        """Says what the user must know of how the fit ended."""
        if self.outcome_ in ("limit_reached", "stopped") and self._result.info()["method"] != "pocket":
            warnings.warn(f"{type(self).__name__}: {self.reason_}", ConvergenceWarning, stacklevel=3)

    # ---- what a fitted model says ------------------------------------------------------------------------------------

    @property
    def claims_(self) -> Claims:
        """What the fit claims, with verdicts and witnesses."""
        check_is_fitted(self)
        return claims_of(self._result, self._check)

    @property
    def verdict_(self) -> str | None:
        """The verdict of the whole; None without ``proof``."""
        check_is_fitted(self)
        return self._check["verdict"] if self._check else None

    @property
    def coefficients_(self) -> pd.DataFrame:
        """A frame with a row for each coefficient, the intercept last: value, standard error, t, p, interval."""
        import pandas as pd

        check_is_fitted(self)
        head = ["name", "value", "standard_error", "t", "p", "low", "high"]
        return pd.DataFrame(self._result.table(), columns=head).set_index("name")

    def summary(self) -> str:
        """The fit as text: the table that the program prints, with the verdict on each claim."""
        check_is_fitted(self)
        return summary_text(self)

    def _repr_html_(self) -> str:
        if not hasattr(self, "_result"):
            return f"<pre>{self!r}</pre>"
        return summary_html(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, which the program ``linpred`` reads too."""
        check_is_fitted(self)
        self._result.save(os.fspath(path))

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None) -> Claims:
        """Check every claim of the model against the rows of the fit.

        Returns
        -------
        Claims
            With a verdict for each claim. On other rows nothing is more than partly proved.
        """
        check_is_fitted(self)
        data = self._data_for(X, y, sample_weight)
        return claims_of(self._result, _core.verify(self._result, data, int(threads(self.n_jobs))))

    def plot(self, X: Any, y: Any = None, sample_weight: Any = None, *, kind: str | None = None, **options: Any) -> Any:
        """Draw the model over rows: see :func:`linpred.plot`."""
        from ._plot import plot

        return plot(self, X, y, sample_weight, kind=kind, **options)

    # ---- predictions -------------------------------------------------------------------------------------------------

    def _scores(self, X: Any) -> Array:
        """A score for each row; NaN for a row that was left out because a value is missing."""
        check_is_fitted(self)
        data = self._data_for(X)
        out: Array = np.empty(data.shape()["rows_in_file"])
        _core.score(self._result, data, int(threads(self.n_jobs)), out)
        return out

    def _coefficients(self) -> Array:
        return np.frombuffer(self._result.coefficients(), dtype=np.float64).copy()


def class_pair(weights: Mapping[Any, float], classes: Array, what: str) -> str:
    """Weights of the two classes as the library reads them, A:B."""
    unknown = [label for label in weights if label not in list(classes)]
    if unknown:
        raise ValueError(f"{what} names {unknown[0]!r}, which is no class; the classes are {list(classes)}")
    return ":".join(repr(float(weights.get(label, 1.0))) for label in classes)
