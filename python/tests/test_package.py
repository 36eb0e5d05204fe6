"""The package itself: examples in docstrings, types, import, notebooks' tables."""
import doctest
import importlib
import os
import pkgutil
import subprocess
import sys

import numpy as np
import pytest

import linpred


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(linpred.__path__) if m.name != "_core"))
def test_examples_are_true(name, tree, monkeypatch):
    monkeypatch.chdir(tree)
    module = importlib.import_module(f"linpred.{name}")
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_example_of_the_package(tree):
    assert doctest.testmod(linpred).failed == 0


def test_every_public_name_has_a_docstring():
    for name in linpred.__all__:
        assert getattr(linpred, name).__doc__, name
        assert name in dir(linpred)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        linpred.nothing


def test_import_is_light():
    code = "import sys, linpred; print('sklearn' in sys.modules, 'numpy' in sys.modules, 'pandas' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "False", "False"]


def test_types(tree):
    pytest.importorskip("mypy")
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", f"{tree}/python/pyproject.toml", "--cache-dir", os.devnull,
         f"{tree}/python/linpred"],
        capture_output=True, text=True,
    )
    assert told.returncode == 0, told.stdout


def test_tables_for_notebooks(noisy):
    X, y, target = noisy
    for shown in (
        linpred.LinearRegression().fit(X, target),
        linpred.Halfspace().fit(X, y),
        linpred.Ball().fit(X[:20], y[:20]),
        linpred.separable(X, y),
        linpred.LinearRegression().fit(X, target).claims_,
    ):
        html = shown._repr_html_()
        assert "<table" in html and html.count("<table") == html.count("</table>")
        assert "proved" in html or "within tolerance" in html
    names = linpred.LinearRegression().fit(__import__("pandas").DataFrame(X, columns=["<b>", "&", "c"]), target)
    assert "&lt;b&gt;" in names._repr_html_()
    assert "LinearRegression()" in linpred.LinearRegression()._repr_html_()


def test_newer_scikit_learn_gets_its_tags():
    """The form of tags since 1.6, on stand-ins: the installed version may be older."""
    from types import SimpleNamespace

    class Base:
        def __sklearn_tags__(self):
            return SimpleNamespace(
                input_tags=SimpleNamespace(sparse=False, allow_nan=False),
                classifier_tags=SimpleNamespace(multi_class=True, poor_score=False),
                regressor_tags=None,
            )

    from linpred.compat import Tags

    class Model(Tags, Base):
        _binary_only = True
        missing = "mean"

    tags = Model().__sklearn_tags__()
    assert tags.input_tags.sparse and tags.input_tags.allow_nan and not tags.classifier_tags.multi_class


def test_witnesses_are_arrays(noisy):
    X, y, target = noisy
    claims = linpred.LeastAbsolute().fit(X, target).claims_
    support = claims["least_absolute"].witness
    assert support["rows"].dtype == np.int64 and support["multipliers"].dtype == np.float64
    assert len(support["rows"]) == len(support["multipliers"])
