"""scikit-learn's own checks, all of them, for every estimator and every method of it."""
import warnings

import pytest
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_estimator,
    check_param_validation,
)

from linpred import (
    Ball,
    Halfspace,
    LeastAbsolute,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    QuantileRegressor,
)

# The fewest mistakes of some of the checks' data take hours to prove: the search is stopped, and keeps its best.
ESTIMATORS = [
    LinearRegression(),
    LinearRegression(l2=0.01),
    LinearRegression(fit_intercept=False),
    LinearRegression(degree=2),
    LinearRegression(missing="mean"),
    LinearRegression(missing="drop"),
    LinearRegression(proof=False),
    LeastAbsolute(),
    QuantileRegressor(0.3),
    LogisticRegression(),
    LogisticRegression(1e-3),
    LogisticRegression(method="newton"),
    LogisticRegression(method="newton-cg"),
    LogisticRegression(1e-3, method="newton-cg"),
    LogisticRegression(missing="mean"),
    Halfspace(),
    Halfspace("margin"),
    Halfspace("exact", max_seconds=0.5),
    Halfspace("perceptron"),
    Halfspace("pocket"),
    Perceptron(),
    Perceptron("pocket"),
    Ball(),
    Ball("pocket"),
    Ball("lp"),
    Ball("exact", max_seconds=0.5),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_check_estimator(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(estimator)
        check_dataframe_column_names_consistency(type(estimator).__name__, estimator)
        check_param_validation(type(estimator).__name__, estimator)
