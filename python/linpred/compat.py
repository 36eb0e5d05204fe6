"""What differs between versions of scikit-learn. No other file asks for its version.

Since 1.6 data is validated by a function, and tags are a dataclass that ``__sklearn_tags__`` returns.
"""
from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # before 1.6
    _validate_data = None

try:
    from sklearn.utils.validation import _check_feature_names as _check_names
except ImportError:
    _check_names = None

# `force_all_finite` was renamed in 1.6.
_FINITE = "ensure_all_finite" if _validate_data else "force_all_finite"


def validate(estimator: BaseEstimator, X: Any, y: Any = None, *, reset: bool, **check: Any) -> Any:
    """Checks X, and y if there is one, as scikit-learn does, and remembers its columns if `reset`.

    Whether values are finite is not asked: the library looks at all of them anyway.
    """
    check[_FINITE] = False
    arguments = {} if y is None else {"y": y}
    if _validate_data:
        return _validate_data(estimator, X, reset=reset, **arguments, **check)
    return estimator._validate_data(X, reset=reset, **arguments, **check)


def check_names(estimator: BaseEstimator, X: Any, *, reset: bool) -> None:
    """Checks, or remembers, the names of the columns of a frame."""
    if _check_names:
        _check_names(estimator, X, reset=reset)
    else:
        estimator._check_feature_names(X, reset=reset)


class Tags:
    """Tags of an estimator in both forms. A subclass says what differs from the usual."""

    _binary_only = False
    _poor_score = False
    _requires_fit = True

    def _more_tags(self) -> dict[str, Any]:  # before 1.6
        return {
            "binary_only": self._binary_only,
            "poor_score": self._poor_score,
            "allow_nan": getattr(self, "missing", "fail") != "fail",
        }

    def __sklearn_tags__(self) -> Any:  # from 1.6 on
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = getattr(self, "missing", "fail") != "fail"
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_class = not self._binary_only
            tags.classifier_tags.poor_score = self._poor_score
        if tags.regressor_tags is not None:
            tags.regressor_tags.poor_score = self._poor_score
        return tags
