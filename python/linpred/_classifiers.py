"""Classifiers of two classes: logistic regression, halfspaces, the perceptron, balls."""
from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, check_random_state, column_or_1d

from . import _rows
from ._base import COMMON, UNIT, Array, Estimator, class_pair
from ._data import Data, typed_labels
from ._errors import NoMinimiser
from ._regressors import intervals

if TYPE_CHECKING:
    import pandas as pd


class NoMinimiserWarning(ConvergenceWarning):
    """The logistic loss has no minimum on these rows; the message has the direction along which it falls for ever."""


def seed_of(random_state: Any) -> int | None:
    """The seed for a random_state; None keeps linpred's own, which is always the same."""
    if random_state is None or isinstance(random_state, Integral):
        return None if random_state is None else int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def two_classes(y: Array) -> tuple[Array, Array] | None:
    """The two classes in order, and for each label whether it is the second; None where this takes a closer look.

    Sorting all labels, as scikit-learn does several times, would take longer than a step of a fit.
    """
    if y.dtype.kind not in "biufU" or len(y) == 0:
        return None
    others = y != y[0]
    other = y[int(others.argmax())]
    is_other = y == other
    if not others.any() or not np.array_equal(is_other, others):
        return None  # one class, or more than two
    classes = np.unique(np.array([y[0], other], dtype=y.dtype))
    if y.dtype.kind == "f" and not all(float(label).is_integer() for label in classes):
        return None  # such targets are real numbers
    return classes, is_other if classes[1] == other else ~is_other


class Classifier(ClassifierMixin, Estimator):
    """What classifiers of two classes share."""

    _binary_only = True

    def _find_classes(self, y: Any, weights: Array | None) -> Array:
        """Sets classes_; returns for each label whether it is the second class. Rows of weight 0 do not count."""
        y = column_or_1d(y, warn=True)
        pair = two_classes(y) if weights is None else None
        if pair is not None:
            self.classes_, second = pair
            return second
        check_classification_targets(y)
        kind = type_of_target(y, input_name="y")
        counted = y if weights is None else y[weights != 0]
        self.classes_ = np.unique(counted)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}. It has "
                f"{len(self.classes_)} classes; take one against the rest with y == {self.classes_[0]!r}, or "
                "sklearn.multiclass.OneVsRestClassifier"
            )
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class alone, {list(self.classes_)}, but two classes are needed")
        return np.asarray(y == self.classes_[1])

    def _targets(self, y: Any, weights: Array | None) -> tuple[Array, str | None, str | None]:
        # Labels of new rows have the classes of the fit.
        second = self._known_classes(y) if hasattr(self, "_result") else self._find_classes(y, weights)
        negative, positive = (str(label) for label in self.classes_.tolist())
        return np.where(second, 1.0, -1.0), negative, positive

    def _known_classes(self, y: Any) -> Array:
        y = column_or_1d(y)
        strange = ~np.isin(y, self.classes_)
        if strange.any():
            raise ValueError(f"y has the label {y[strange][0]!r}, which is none of the classes {list(self.classes_)}")
        return np.asarray(y == self.classes_[1])

    def _target_column(self, y: Any, name: str, weights: Array | None) -> tuple[_rows.Column, str | None]:
        second = self._known_classes(y) if hasattr(self, "_result") else self._find_classes(y, weights)
        index = second.astype(int)
        labels = self.classes_.tolist()
        if self.classes_.dtype.kind in "iuf":
            return (name, _rows.vector(self.classes_[index]), None), str(labels[1])
        return (name, _rows.vector(index), [str(label) for label in labels]), str(labels[1])

    def _begin(self, X: Any) -> None:
        self.__dict__.pop("_result", None)  # the classes are found anew
        if isinstance(X, Data) and X.classes is not None:
            self.classes_ = np.asarray(typed_labels(X.classes))

    def decision_function(self, X: Any) -> Array:
        """A score for each row. Above 0, and at 0 itself, it means ``classes_[1]``; below 0 ``classes_[0]``.

        (A score of exactly 0 is on the boundary; linpred counts it as +1, scikit-learn's own models as -1.)
        """
        return self._scores(X)

    def predict(self, X: Any) -> Array:
        """A class for each row: ``classes_[1]`` where the score is 0 or more."""
        scores = self._scores(X)
        if np.isnan(scores).any():
            row = int(np.flatnonzero(np.isnan(scores))[0])
            raise ValueError(
                f"row {row} has a missing value and no class; decision_function gives NaN for it, or choose "
                "missing='mean'"
            )
        return np.asarray(self.classes_[(scores >= 0).astype(int)])

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The share of rows whose class is predicted right."""
        if isinstance(X, Data) and y is None:
            return float(np.mean(self.predict(X)[X._arrays()[2] - 1] == X.labels()))
        return float(super().score(X, y, sample_weight))


class Linear(Classifier):
    """Classifiers with a coefficient for each feature."""

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        self.coef_ = self._coefficients()[None, :]
        self.intercept_ = np.array([info["intercept"]])


class LogisticRegression(Linear):
    """Maximum likelihood, or with a penalty, to a proved gap; says when no minimum exists.

    The objective is mean(log(1 + exp(-y(<w,x>+b)))) + (l2/2)||w||²; the intercept is never penalised.

    Parameters
    ----------
    l2 : float, default=0.0
        The penalty. ``sklearn.linear_model.LogisticRegression(C=C)`` is ``l2 = 1/(C n)``.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    method : {'auto', 'newton', 'newton-cg'}, default='auto'
        How to minimise; 'auto' chooses by the number of features.
    tolerance : float, default=1e-8
        The relative gap of the objective that must be proved.
    class_weight : dict or 'balanced', optional
        What multiplies the weights of the rows of each class.
    no_minimiser : {'warn', 'raise'}, default='warn'
        Where the loss has no minimum: warn with a :class:`NoMinimiserWarning` and keep the direction along which the
        loss falls for ever as coefficients, or raise :class:`NoMinimiser`.
    confidence : float, default=0.95
        The level of confidence intervals.
    missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    coef_ : array of shape (1, n)
        The coefficients w.
    intercept_ : array of shape (1,)
        The intercept b.
    classes_ : array
        The two classes; the second has positive scores.
    direction_ : dict or None
        Where no minimum exists: an integer for each column, by name.
    finite_part_ : dict or None
        There, if it is proved: the coefficients that minimise the loss of the rows that no direction settles, by name.
        Along ``direction_`` from them the loss falls to ``figures_["infimum"]``.
    claims_ : Claims
        What the fit claims, with verdicts and witnesses.
    figures_ : dict
        What is known of the fit in numbers, such as ``deviance``.
    n_iter_ : int
        Steps of the method.

    Examples
    --------
    >>> import numpy as np
    >>> from linpred import LogisticRegression
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
    >>> model = LogisticRegression().fit(X, ["no", "no", "yes", "no", "yes", "yes"])
    >>> model.predict([[1.5], [5.5]])
    array(['no', 'yes'], dtype='<U3')
    >>> model.claims_["logistic_optimum"].verdict
    'proved'
    """

    _task = "logistic"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "l2": [Interval(Real, 0, None, closed="left")],
        "fit_intercept": ["boolean"],
        "method": [StrOptions({"auto", "newton", "newton-cg"})],
        "tolerance": [Interval(Real, 1e-14, 0.1, closed="both")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "no_minimiser": [StrOptions({"warn", "raise"})],
        "confidence": [UNIT],
    }

    def __init__(
        self,
        l2: float = 0.0,
        *,
        fit_intercept: bool = True,
        method: str = "auto",
        tolerance: float = 1e-8,
        class_weight: Any = None,
        no_minimiser: str = "warn",
        confidence: float = 0.95,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.l2 = l2
        self.fit_intercept = fit_intercept
        self.method = method
        self.tolerance = tolerance
        self.class_weight = class_weight
        self.no_minimiser = no_minimiser
        self.confidence = confidence
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        weights = self.class_weight
        if isinstance(weights, Mapping):
            weights = class_pair(weights, self.classes_, "class_weight")
        return {
            "l2": self.l2 or None,
            "no-intercept": None if self.fit_intercept else True,
            "method": None if self.method == "auto" else self.method,
            "tolerance": None if self.tolerance == 1e-8 else self.tolerance,
            "class-weights": weights,
            "confidence": None if self.confidence == 0.95 else self.confidence,
        }

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        super()._take(info, figures)
        self.n_iter_ = max(1, int(figures.get("iterations", 1)))
        self.direction_: dict[str, int] | None = None
        self.finite_part_: dict[str, float] | None = None
        if info["outcome"] == "no_minimiser":
            self._take_direction(info["has_intercept"])
            numbers = next((c["numbers"] for c in self._result.claims() if c["kind"] == "finite_part"), None)
            if numbers is not None:
                self.finite_part_ = {n: float(v) for n, v in zip([*self._result.features(), "(intercept)"], numbers)}

    def _take_direction(self, has_intercept: bool) -> None:
        integers = next(c["integers"] for c in self._result.claims() if c["kind"] == "no_minimiser")
        names = [*self._result.features(), "(intercept)"]
        if len(integers) < len(names):  # through the origin
            integers = [*integers, 0]
        self.direction_ = {name: int(v) for name, v in zip(names, integers) if has_intercept or name != "(intercept)"}
        # Integers may be longer than a double: a power of two, which changes no bit of a ratio, makes them fit.
        shift = max(0, max(abs(v) for v in integers).bit_length() - 1000)
        scaled = np.array([float(v >> shift) if v >= 0 else -float(-v >> shift) for v in integers])
        self.coef_ = scaled[None, :-1].copy()
        self.intercept_ = scaled[-1:].copy()

    def _warn(self) -> None:
        if self.direction_ is None:
            super()._warn()
            return
        shown = ", ".join(f"{name}: {value}" for name, value in list(self.direction_.items())[:8] if value)
        more = ", …" if len(self.direction_) > 8 else ""
        message = f"{self.reason_}; the direction is {{{shown}{more}}}"
        if self.no_minimiser == "raise":
            error = NoMinimiser(message)
            error.direction = self.direction_
            del self._result
            raise error
        warnings.warn(message, NoMinimiserWarning, stacklevel=3)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        if self.direction_ is None:
            return super()._scores(X)
        data = self._data_for(X)
        shape = data.shape()
        values, labels = np.empty((shape["rows"], shape["columns"])), np.empty(shape["rows"])
        rows = np.empty(shape["rows"], dtype=np.int64)
        data.fill(values, labels, rows)
        out = np.full(shape["rows_in_file"], math.nan)
        out[rows - 1] = values @ self.coef_[0] + self.intercept_[0]
        return out

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, 1/(1+exp(-score)) for the second."""
        scores = self._scores(X)
        with np.errstate(over="ignore"):
            positive = 1.0 / (1.0 + np.exp(-scores))
            negative = 1.0 / (1.0 + np.exp(scores))
        return np.column_stack([negative, positive])

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the probability of each class, right to the last digits also where it is tiny."""
        scores = self._scores(X)
        return np.column_stack([-np.logaddexp(0.0, scores), -np.logaddexp(0.0, -scores)])

    def conf_int(self, confidence: float | None = None) -> pd.DataFrame:
        """Confidence intervals of the coefficients, the intercept last: a frame with columns ``low`` and ``high``."""
        return intervals(self, confidence)

    def save(self, path: Any) -> None:
        """Write the model file, which the program ``linpred`` reads too."""
        check_is_fitted(self)
        if self.direction_ is not None:
            raise NoMinimiser("there is nothing to write without a minimum; a penalty gives one: l2=0.01")
        super().save(path)
