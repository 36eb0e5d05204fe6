"""Models in the hands of scikit-learn: pipelines, searches, copies, calibration."""
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from linpred import Ball, Halfspace, LinearRegression, LogisticRegression, NoMinimiserWarning, Perceptron


def test_pipeline_and_search(noisy):
    X, y, target = noisy
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert pipeline.fit(X, y).score(X, y) > 0.8
    search = GridSearchCV(LogisticRegression(), {"l2": [0.0, 0.01, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.8
    assert cross_val_score(LinearRegression(), X, target, cv=4).mean() > 0.5
    frame = make_pipeline(PolynomialFeatures(2), LinearRegression()).set_output(transform="pandas").fit(X, target)
    assert "x0 x1" in frame[-1].coefficients_.index


def test_three_classes_against_the_rest():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    assert OneVsRestClassifier(Halfspace()).fit(X, y).score(X, y) > 0.7
    with pytest.raises(ValueError, match="Only binary classification.*OneVsRest"):
        Halfspace().fit(X, y)


@pytest.mark.parametrize("model", [LinearRegression(), LogisticRegression(), Perceptron("pocket"), Ball()], ids=repr)
def test_copies_predict_the_same_bits(model, noisy, tmp_path):
    X, y, target = noisy
    model.fit(X, target if isinstance(model, LinearRegression) else y)
    expected = model._scores(X)
    joblib.dump(model, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
        assert (copy._scores(X) == expected).all()
        assert copy.claims_ == model.claims_ and copy.verdict_ == model.verdict_
    with pytest.raises(NotFittedError):
        clone(model).predict(X)


def test_calibration(noisy):
    X, y, _ = noisy
    for model in (Halfspace(), LogisticRegression()):
        calibrated = CalibratedClassifierCV(model, cv=3).fit(X, y)
        assert np.mean(calibrated.predict(X) == y) > 0.8


def test_parallel_search_with_processes(noisy):
    X, y, _ = noisy
    scores = cross_val_score(LogisticRegression(0.01, n_jobs=1), X, y, cv=2, n_jobs=2)
    assert scores.min() > 0.7


def test_inputs_of_every_kind_give_the_same_bits(noisy):
    from scipy import sparse

    X, y, target = noisy
    X = np.round(X * 8) / 8
    expected = LinearRegression().fit(X, target)
    for other in (np.asfortranarray(X), X.astype(np.float32), X.tolist(), X[:, ::-1][:, ::-1]):
        assert (LinearRegression().fit(other, target).coef_ == expected.coef_).all()
    whole = np.round(X)
    for kind in (np.int64, np.int8, np.float32):
        narrow, wide = (LinearRegression().fit(rows, target) for rows in (whole.astype(kind), whole))
        assert (narrow.coef_ == wide.coef_).all()
    for make in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix):
        np.testing.assert_allclose(LinearRegression().fit(make(X), target).coef_, expected.coef_, rtol=1e-12)
        assert (Perceptron().fit(make(X), X[:, 0] > 1).coef_ == Perceptron().fit(X, X[:, 0] > 1).coef_).all()


def test_wrong_input_has_our_sentence(noisy):
    X, y, target = noisy
    bad = X.copy()
    bad[3, 1] = np.nan
    with pytest.raises(ValueError, match="row 4, column 2 is not a finite number: it is NaN or inf"):
        LinearRegression().fit(bad, target)
    with pytest.raises(ValueError, match="one class"):
        Halfspace().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="negative"):
        LinearRegression().fit(X, target, sample_weight=-np.ones(len(X)))
    with pytest.raises(ValueError, match="The 'l2' parameter of LinearRegression must be"):
        LinearRegression(-1.0).fit(X, target)
    with pytest.raises(ValueError, match="expecting 3 features"):
        LinearRegression().fit(X, target).predict(X[:, :2])


def test_warning_is_one_of_convergence(noisy):
    with pytest.warns(NoMinimiserWarning):
        LogisticRegression().fit(noisy[0], noisy[0][:, 0] > 0)
