"""Halfspaces by their mistakes and margins, the perceptron, and balls."""
from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.utils._param_validation import Interval, StrOptions

from . import _core
from ._base import COMMON, Array, class_pair
from ._classifiers import Classifier, Linear, seed_of

RANDOM: dict[str, list[Any]] = {"random_state": ["random_state"]}
PASSES = [Interval(Integral, 1, None, closed="left"), None]


class Halfspaces(Linear):
    """What :class:`Halfspace` and :class:`Perceptron` share: the perceptron and pocket depend on the order of rows."""

    method: str

    def _table_for_fit(self, X: Any, y: Any, sample_weight: Any, options: dict[str, str]) -> _core.Data:
        if sample_weight is not None and self.method == "perceptron":
            raise ValueError(
                "the perceptron takes no sample_weight where rows are encoded or missing values filled; "
                "method='pocket' does"
            )
        return super()._table_for_fit(X, y, sample_weight, options)

    def _weighted(self, X: Any, y: Array, weights: Array | None) -> tuple[Any, Array, Array | None]:
        if self.method not in ("perceptron", "pocket"):
            return super()._weighted(X, y, weights)
        if weights is None or (weights == 1.0).all():
            return X, y, None
        index = sorted_rows(X, y)
        if self.method == "pocket":
            return X[index], y[index], weights[index]
        if (weights != np.floor(weights)).any():
            raise ValueError(
                "the perceptron takes whole numbers as sample_weight: a weight of k is k copies of the row"
            )
        index = np.repeat(index, weights[index].astype(np.int64))
        if len(index) == 0:
            raise ValueError("no row is left: all have weight 0")
        return X[index], y[index], None


class Halfspace(Halfspaces):
    """A halfspace: of largest margin where the rows are separable, else with few mistakes, or provably the fewest.

    Parameters
    ----------
    method : {'auto', 'margin', 'exact', 'perceptron', 'pocket'}, default='auto'
        'auto': the largest margin if separable, else pocket and local search. 'margin': the largest margin. 'exact':
        the fewest mistakes, proved; where there are none, also the largest margin. 'perceptron' and 'pocket' are those
        of :class:`Perceptron`, which has more to say about them. (:func:`separable` asks only whether a hyperplane
        separates the rows.)
    fit_intercept : bool, default=True
        Whether there is an intercept.
    norm : {'with-intercept', 'without-intercept'}, default='with-intercept'
        Methods 'auto', 'margin' and 'exact': whether the margin counts the intercept in the norm, or is the usual
        distance.
    cost : dict, optional
        Method 'exact': what a mistake on a row of each class costs.
    max_iter : int, optional
        Methods 'auto', 'perceptron' and 'pocket': stop after so many passes of the perceptron.
    random_state : int or RandomState, optional
        For what is random. None is a seed too: the same run gives the same answer.
    missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    coef_ : array of shape (1, n)
        The coefficients w.
    intercept_ : array of shape (1,)
        The intercept b.
    classes_ : array
        The two classes; the second has scores of 0 or more.
    claims_ : Claims
        What the fit claims, with verdicts and witnesses.
    figures_ : dict
        What is known of the fit in numbers, such as ``margin``, ``errors`` and ``lower_bound``.

    Examples
    --------
    >>> import numpy as np
    >>> from linpred import Halfspace
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    >>> model = Halfspace("exact").fit(X, [0, 0, 1, 1])
    >>> model.figures_["errors"], model.figures_["lower_bound"]
    (1.0, 1.0)
    >>> model.claims_["fewest_errors"].verdict
    'proved'
    """

    _task = "halfspace"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        **RANDOM,
        "method": [StrOptions({"auto", "margin", "exact", "perceptron", "pocket"})],
        "fit_intercept": ["boolean"],
        "norm": [StrOptions({"with-intercept", "without-intercept"})],
        "cost": [dict, None],
        "max_iter": PASSES,
    }

    def __init__(
        self,
        method: str = "auto",
        *,
        fit_intercept: bool = True,
        norm: str = "with-intercept",
        cost: Any = None,
        max_iter: int | None = None,
        random_state: Any = None,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.method = method
        self.fit_intercept = fit_intercept
        self.norm = norm
        self.cost = cost
        self.max_iter = max_iter
        self.random_state = random_state
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        cost = class_pair(self.cost, self.classes_, "cost") if isinstance(self.cost, Mapping) else None
        return {
            "method": None if self.method == "auto" else self.method,
            "no-intercept": None if self.fit_intercept else True,
            "norm": None if self.norm == "with-intercept" else self.norm,
            "cost": cost,
            "max-passes": self.max_iter,
            "seed": seed_of(self.random_state) if self.method in ("auto", "exact") else None,
        }

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        super()._take(info, figures)
        self.n_iter_ = max(1, int(figures.get("passes", 1)))
        self.separable_ = {"separated": True, "undecided": None}.get(info["separation"], False)


class Perceptron(Halfspaces):
    """The perceptron, whose run is that of exact arithmetic, or pocket, which keeps the best weights of the run.

    Parameters
    ----------
    method : {'perceptron', 'pocket'}, default='perceptron'
        The perceptron itself, or pocket.
    fit_intercept : bool, default=True
        Whether there is an intercept.
    order : {'cyclic', 'first', 'random', 'worst'}, default='cyclic'
        In which order rows are visited.
    mistake : {'margin', 'sign'}, default='margin'
        What is a mistake: y<w,x> <= 0, or sign(<w,x>) != y.
    standardize : bool, default=False
        Fit on columns of mean 0 and standard deviation 1; the answer is in the units of X.
    bound : bool, default=False
        Report the bound on the number of updates, (R B)².
    max_iter : int, default=1000
        Stop after so many passes over the rows.
    random_state : int or RandomState, optional
        For ``order='random'``. None is a seed too.
    missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    coef_, intercept_, classes_, claims_, figures_
        As of :class:`Halfspace`.
    n_iter_ : int
        Passes over the rows.
    n_updates_ : int
        Updates of the weights.

    Notes
    -----
    The run depends on the order of the rows. Weights of rows must be whole numbers (of pocket, any): a weight of k is k
    copies of the row. Rows with weights are sorted first, by what they hold, so that their order does not matter.

    Examples
    --------
    >>> from linpred import Perceptron
    >>> model = Perceptron().fit([[2.0, 1.0], [1.0, 3.0], [-1.0, -2.0], [-3.0, 0.5]], [1, 1, 0, 0])
    >>> model.predict([[1.0, 1.0], [-1.0, -1.0]])
    array([1, 0])
    >>> model.n_updates_
    1
    """

    _task = "halfspace"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        **RANDOM,
        "method": [StrOptions({"perceptron", "pocket"})],
        "fit_intercept": ["boolean"],
        "order": [StrOptions({"cyclic", "first", "random", "worst"})],
        "mistake": [StrOptions({"margin", "sign"})],
        "standardize": ["boolean"],
        "bound": ["boolean"],
        "max_iter": PASSES[:1],
    }

    def __init__(
        self,
        method: str = "perceptron",
        *,
        fit_intercept: bool = True,
        order: str = "cyclic",
        mistake: str = "margin",
        standardize: bool = False,
        bound: bool = False,
        max_iter: int = 1000,
        random_state: Any = None,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.method = method
        self.fit_intercept = fit_intercept
        self.order = order
        self.mistake = mistake
        self.standardize = standardize
        self.bound = bound
        self.max_iter = max_iter
        self.random_state = random_state
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        return {
            "method": self.method,
            "no-intercept": None if self.fit_intercept else True,
            "order": None if self.order == "cyclic" else self.order,
            "mistake": None if self.mistake == "margin" else self.mistake,
            "standardize": True if self.standardize else None,
            "bound": True if self.bound else None,
            "max-passes": self.max_iter,
            "seed": seed_of(self.random_state) if self.order == "random" else None,
        }

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        super()._take(info, figures)
        self.n_iter_ = max(1, int(figures.get("passes", 1)))
        self.n_updates_ = int(figures.get("updates", 0))


def sorted_rows(X: Any, y: Array) -> Array:
    """The rows in the order of what they hold: by the first column, then the second, …, and by y."""
    dense = X.toarray() if issparse(X) else X
    return np.asarray(np.lexsort([y, *(dense[:, j] for j in range(dense.shape[1] - 1, -1, -1))]))


class Ball(Classifier):
    """A ball with one class inside, or proof that there is none; then one with few mistakes.

    Parameters
    ----------
    method : {'auto', 'pocket', 'lp', 'exact'}, default='auto'
        'auto': lp, and where there is no such ball pocket. 'exact': the fewest mistakes, proved.
    outside : bool, default=False
        Whether ``classes_[1]`` is outside the ball.
    max_iter : int, optional
        Methods 'auto' and 'pocket': stop after so many passes.
    random_state : int or RandomState, optional
        For what is random. None is a seed too.
    missing, max_seconds, proof, n_jobs, verbose
        As of :class:`LinearRegression`.

    Attributes
    ----------
    centre_ : array
        The centre of the ball.
    radius_ : float
        Its radius; NaN if the ball is empty.
    classes_, claims_, figures_
        As of :class:`Halfspace`.

    Examples
    --------
    >>> from linpred import Ball
    >>> model = Ball().fit([[0.0], [1.0], [5.0], [-4.0]], ["in", "in", "far", "far"])
    >>> model.predict([[0.5], [9.0]])
    array(['in', 'far'], dtype='<U3')
    """

    _task = "ball"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        **RANDOM,
        "method": [StrOptions({"auto", "pocket", "lp", "exact"})],
        "outside": ["boolean"],
        "max_iter": PASSES,
    }

    def __init__(
        self,
        method: str = "auto",
        *,
        outside: bool = False,
        max_iter: int | None = None,
        random_state: Any = None,
        missing: str = "fail",
        max_seconds: float | None = None,
        proof: bool = True,
        n_jobs: int | None = None,
        verbose: Any = False,
    ):
        self.method = method
        self.outside = outside
        self.max_iter = max_iter
        self.random_state = random_state
        self.missing = missing
        self.max_seconds = max_seconds
        self.proof = proof
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _given(self) -> dict[str, Any]:
        return {
            "method": None if self.method == "auto" else self.method,
            "outside": True if self.outside else None,
            "max-passes": self.max_iter,
            "seed": seed_of(self.random_state) if self.method in ("auto", "exact") else None,
        }

    def _take(self, info: dict[str, Any], figures: dict[str, Any]) -> None:
        self.centre_ = self._coefficients()
        squared = info["radius_squared"]
        self.radius_ = float(np.sqrt(squared)) if squared > 0 else float("nan")
        self.n_iter_ = max(1, int(figures.get("passes", 1)))
