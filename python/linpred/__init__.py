"""linpred: linear predictors that prove their answers.

Estimators for scikit-learn's users, on the library ``liblinpred``. Every fit comes with claims, each with a verdict and
what proves it.

>>> from linpred import LinearRegression
>>> model = LinearRegression().fit([[1.0], [2.0], [3.0], [4.0]], [2.0, 4.0, 5.0, 8.0])
>>> print(model.claims_["least_squares"].verdict)
within_tolerance
"""
from __future__ import annotations

import atexit
import importlib
from typing import TYPE_CHECKING, Any

from . import _core
from ._data import Data, DataWarning, read
from ._errors import InputError, InternalError, NoMinimiser, Refuted

if TYPE_CHECKING:
    from ._claims import Claim, Claims, Separation
    from ._classifiers import LogisticRegression, NoMinimiserWarning
    from ._functions import load, save, separable, verify
    from ._halfspaces import Ball, Halfspace, Perceptron
    from ._plot import Picture, plot
    from ._regressors import LeastAbsolute, LinearRegression, QuantileRegressor

__version__ = _core.version()
atexit.register(_core.wait)

# What needs scikit-learn is imported when it is first asked for.
_LATER = {
    "Claim": "_claims",
    "Claims": "_claims",
    "Separation": "_claims",
    "LogisticRegression": "_classifiers",
    "NoMinimiserWarning": "_classifiers",
    "load": "_functions",
    "Picture": "_plot",
    "plot": "_plot",
    "save": "_functions",
    "separable": "_functions",
    "verify": "_functions",
    "Ball": "_halfspaces",
    "Halfspace": "_halfspaces",
    "Perceptron": "_halfspaces",
    "LeastAbsolute": "_regressors",
    "LinearRegression": "_regressors",
    "QuantileRegressor": "_regressors",
}

__all__ = [
    "Ball",
    "Claim",
    "Claims",
    "Data",
    "DataWarning",
    "Halfspace",
    "InputError",
    "InternalError",
    "LeastAbsolute",
    "LinearRegression",
    "LogisticRegression",
    "NoMinimiser",
    "NoMinimiserWarning",
    "Perceptron",
    "Picture",
    "QuantileRegressor",
    "Refuted",
    "Separation",
    "load",
    "plot",
    "read",
    "save",
    "separable",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'linpred' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
