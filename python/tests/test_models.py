"""What models say, against known truths: exact rational arithmetic, brute force, laws."""
import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import linpred
from linpred import Ball, Halfspace, LeastAbsolute, LinearRegression, LogisticRegression, Perceptron, QuantileRegressor


def exact_least_squares(X, y):
    """The coefficients with an intercept, by Gaussian elimination in rational numbers."""
    rows = [[Fraction(float(v)) for v in row] + [Fraction(1)] for row in X]
    n = len(rows[0])
    target = [Fraction(float(v)) for v in y]
    system = [
        [sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * t for r, t in zip(rows, target))]
        for i in range(n)
    ]
    for i in range(n):
        pivot = next(k for k in range(i, n) if system[k][i] != 0)
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [v / system[i][i] for v in system[i]]
        for k in range(n):
            if k != i:
                system[k] = [a - system[k][i] * b for a, b in zip(system[k], system[i])]
    return [float(row[-1]) for row in system]


def test_least_squares_is_exact_to_the_last_digits(noisy):
    X, _, target = noisy
    model = LinearRegression().fit(X[:40], target[:40])
    np.testing.assert_allclose([*model.coef_, model.intercept_], exact_least_squares(X[:40], target[:40]), rtol=4e-16)
    assert model.verdict_ == "within_tolerance"
    assert model.claims_["data"].verdict == "proved"


def test_fewest_mistakes_are_those_of_brute_force():
    random = np.random.default_rng(3)
    X, y = np.round(random.normal(size=(9, 1)), 1), random.integers(0, 2, 9)
    best = min(
        int(np.sum((sign * (X[:, 0] - cut) > 0) != y)) for cut in np.arange(-5, 5, 0.05) + 0.025 for sign in (-1, 1)
    )
    model = Halfspace("exact").fit(X, y)
    assert model.figures_["errors"] == best == model.figures_["lower_bound"]


def test_exact_on_separable_rows_claims_both(noisy):
    X, _, target = noisy
    model = Halfspace("exact", cost={False: 3.0}).fit(X, X[:, 0] > 0.1)
    assert model.figures_["lower_bound"] == model.figures_["cost"] == 0.0
    assert model.claims_["fewest_errors"].verdict == "proved"
    margin = Halfspace("margin").fit(X, X[:, 0] > 0.1)
    assert model.figures_["margin"] == margin.figures_["margin"] and model.verdict_ == "proved"
    assert np.array_equal(model.coef_, margin.coef_)
    shuffled = np.random.default_rng(1).permutation(len(X))
    again = Halfspace("exact").fit(X[shuffled], X[shuffled, 0] > 0.1)
    assert np.allclose(again.coef_, model.coef_, rtol=1e-12)


@pytest.mark.parametrize("method", ["perceptron", "pocket"])
def test_halfspaces_by_updates_are_those_of_the_perceptron(noisy, method):
    X, y, _ = noisy
    weights = np.arange(len(X)) % 3
    labels = y if method == "pocket" else X[:, 0] > 0.1
    one, other = Halfspace(method, max_iter=50), Perceptron(method, max_iter=50)
    for sample_weight in (None, weights):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one.fit(X, labels, sample_weight), other.fit(X, labels, sample_weight)
        assert np.array_equal(one.coef_, other.coef_) and np.array_equal(one.intercept_, other.intercept_)


def test_separation_can_be_checked_by_hand(noisy):
    X, y, _ = noisy
    answer = linpred.separable(X, y)
    assert not answer and answer.separable is False
    signs = np.where(y[answer.rows] == 1, 1, -1)
    for column in [*(X[answer.rows, j] for j in range(3)), np.ones(len(answer.rows))]:
        assert sum(w * int(s) * Fraction(float(v)) for w, s, v in zip(answer.weights, signs, column)) == 0
    assert all(w > 0 for w in answer.weights)
    apart = linpred.separable(X, X[:, 0] > 0)
    assert apart and apart.claims.verdict == "proved"
    assert (((X @ apart.coef + apart.intercept) > 0) == (X[:, 0] > 0)).all()


def test_quantile_has_its_share_below(noisy):
    X, _, target = noisy
    for quantile in (0.1, 0.5, 0.8):
        model = QuantileRegressor(quantile).fit(X, target)
        below = np.sum(target < model.predict(X) - 1e-9)
        assert below <= quantile * len(target) <= below + 4
    np.testing.assert_allclose(LeastAbsolute().fit(X, target).coef_, QuantileRegressor(0.5).fit(X, target).coef_)


def test_logistic_gradient_is_zero_and_likelihood_is_sklearns(noisy):
    X, y, _ = noisy
    model = LogisticRegression().fit(X, y)
    residual = model.predict_proba(X)[:, 1] - y
    assert np.abs(np.column_stack([X, np.ones(len(X))]).T @ residual).max() < 1e-9
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-12)
    assert model.claims_["logistic_optimum"].verdict == "proved"


def test_no_minimiser_warns_with_the_direction():
    X, y = [[1.0], [2.0], [3.0], [3.0], [4.0], [5.0]], [0, 0, 0, 1, 1, 1]
    with pytest.warns(linpred.NoMinimiserWarning, match="x1: 1, .intercept.: -3"):
        model = LogisticRegression().fit(X, y)
    assert issubclass(linpred.NoMinimiserWarning, ConvergenceWarning)
    assert model.direction_ == {"x1": 1, "(intercept)": -3}
    assert model.coef_.tolist() == [[1.0]] and model.intercept_.tolist() == [-3.0]
    assert model.decision_function(X).tolist() == [-2, -1, 0, 0, 1, 2]
    assert model.finite_part_ == {"x1": 0.0, "(intercept)": 0.0}
    assert model.figures_["infimum"] == pytest.approx(2 * np.log(2) / 6, rel=1e-15)
    assert model.claims_["finite_part"].verdict == "proved"
    with pytest.raises(linpred.NoMinimiser) as caught:
        LogisticRegression(no_minimiser="raise").fit(X, y)
    assert caught.value.direction == {"x1": 1, "(intercept)": -3}
    with pytest.raises(linpred.NoMinimiser, match="nothing to write"):
        model.save("never.json")


def test_score_zero_is_the_second_class():
    model = Halfspace().fit([[-1.0], [1.0]], ["no", "yes"])
    assert model.decision_function([[0.0]])[0] == 0.0
    assert model.predict([[0.0]]).tolist() == ["yes"]


def test_weights_are_copies(noisy):
    X, y, target = noisy
    weights = np.arange(len(y)) % 3
    again = np.repeat(np.arange(len(y)), weights)
    apart = X[:, 0] > 0
    for model, labels in ((LinearRegression(), target), (LogisticRegression(0.01), y), (Halfspace(), apart)):
        one = model.fit(X, labels, sample_weight=weights).coef_.copy()
        np.testing.assert_allclose(one, model.fit(X[again], labels[again]).coef_, rtol=1e-6)
    with pytest.raises(ValueError, match="whole numbers"):
        Perceptron().fit(X, y, sample_weight=np.full(len(y), 0.5))


def test_perceptron_is_the_textbooks():
    random = np.random.default_rng(5)
    X = random.normal(size=(60, 4))
    y = np.where(X @ [1.0, 2.0, -1.0, 0.5] > 0, 1, -1)
    w, b, updates = np.zeros(4), 0.0, 0
    while True:
        before = updates
        for x, label in zip(X, y):
            if label * (x @ w + b) <= 0:
                w, b, updates = w + label * x, b + label, updates + 1
        if updates == before:
            break
    model = Perceptron().fit(X, y)
    assert model.n_updates_ == updates
    np.testing.assert_allclose(model.coef_[0], w, rtol=1e-13)


def test_ball_holds_one_class():
    random = np.random.default_rng(2)
    X = random.normal(size=(50, 2))
    y = np.hypot(*(X - [0.3, 0.1]).T) < 1
    model = Ball().fit(X, y)
    inside = np.linalg.norm(X - model.centre_, axis=1) <= model.radius_
    assert (inside == y).all() and (model.predict(X) == y).all()
    assert (Ball(outside=True).fit(X, ~y).predict(X) == ~y).all()


def test_statistics(noisy):
    X, y, target = noisy
    from scipy import stats

    model = LinearRegression().fit(X, target)
    table = model.coefficients_
    design = np.column_stack([X, np.ones(len(X))])
    residual = target - model.predict(X)
    sigma2 = residual @ residual / (len(X) - 4)
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * sigma2)
    np.testing.assert_allclose(table["standard_error"], errors, rtol=1e-10)
    np.testing.assert_allclose(table["p"], 2 * stats.t.sf(np.abs(table["t"]), len(X) - 4), rtol=1e-8)
    narrow, wide = model.conf_int(0.5), model.conf_int(0.99)
    assert (wide["low"] < model.conf_int()["low"]).all() and (narrow["high"] < model.conf_int()["high"]).all()
    half = stats.t.ppf(0.75, len(X) - 4) * errors
    np.testing.assert_allclose(narrow["high"] - table["value"], half, rtol=1e-9)
    predicted, interval = model.predict(X[:5], interval=True, confidence=0.9)
    leverage = np.einsum("ij,jk,ik->i", design[:5], np.linalg.inv(design.T @ design), design[:5])
    width = stats.t.ppf(0.95, len(X) - 4) * np.sqrt(sigma2 * (1 + leverage))
    np.testing.assert_allclose(interval[:, 1] - predicted, width, rtol=1e-9)
    odds = LogisticRegression().fit(X, y)
    assert (odds.conf_int(0.99)["low"] < odds.conf_int()["low"]).all()
    with pytest.raises(ValueError):
        LogisticRegression(0.1).fit(X, y).conf_int()


def test_summary_tells_what_the_program_tells(noisy):
    X, y, target = noisy
    text = LinearRegression().fit(X, target).summary()
    for word in ("R²", "std. error", "(intercept)", "verified", "PROVED", "least possible"):
        assert word in text
    assert "lower bound" in Halfspace("exact").fit(X[:20], y[:20] ^ (np.arange(20) % 7 == 0)).summary()


def test_claims_by_kind_and_index(noisy):
    X, y, _ = noisy
    claims = Halfspace().fit(X, y).claims_
    assert "inseparable" in claims and claims["inseparable"].witness["rows"].min() >= 0
    assert claims[0] in claims and len(claims) == len(list(claims))
    with pytest.raises(KeyError, match="there are"):
        claims["nothing"]
    assert Halfspace(proof=False).fit(X, y).verdict_ is None


def test_dependent_columns_are_named(noisy):
    X, _, target = noisy
    twice = np.column_stack([X, 2 * X[:, 0]])
    model = LinearRegression().fit(twice, target)
    assert "dependencies" in model.summary()
    np.testing.assert_allclose(model.predict(twice), LinearRegression().fit(X, target).predict(X), rtol=1e-9)


def test_all_pairs_of_parameters_reach_the_library(noisy):
    X, y, target = noisy
    assert LinearRegression(degree=3).fit(X[:, :1], target).coef_.shape == (3,)
    assert LinearRegression(fit_intercept=False).fit(X, target).intercept_ == 0.0
    assert LogisticRegression(class_weight={1: 3.0}).fit(X, y).intercept_ > LogisticRegression().fit(X, y).intercept_
    costly = Halfspace("exact", cost={0: 5.0}).fit(X[:20], y[:20] ^ (np.arange(20) % 7 == 0))
    assert costly.figures_["cost_negative"] == 5.0
    for one, other in combinations(["cyclic", "random", "worst", "first"], 2):
        models = [Perceptron(order=order).fit(X, X[:, 0] > 0.1) for order in (one, other)]
        assert all((model.predict(X) == (X[:, 0] > 0.1)).all() for model in models)
    with pytest.raises(ValueError, match="norm"):
        Halfspace("pocket", norm="without-intercept").fit(X, y)
    assert Halfspace("exact", norm="without-intercept").fit(X, X[:, 0] > 0.1).figures_["usual_margin_bound"] > 0
    with pytest.raises(ValueError, match="no class"):
        LogisticRegression(class_weight={"x": 2.0}).fit(X, y)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint16, int, float, str])
def test_the_two_classes_are_those_that_sorting_finds(kind):
    random = np.random.default_rng(5)
    X = random.normal(size=(60, 2))
    for first in (0, 1):  # the larger class may come first
        y = (random.random(60) < 0.5).astype(int)
        y[0] = first
        y = np.array(["no", "yes"])[y] if kind is str else y.astype(kind)
        model = LogisticRegression(0.1).fit(X, y)
        assert np.array_equal(model.classes_, np.unique(y)) and model.classes_.dtype == y.dtype
        assert np.array_equal(LogisticRegression(0.1).fit(X, y == model.classes_[1]).coef_, model.coef_)


@pytest.mark.parametrize("labels", [[2, 1, 3], [1, 2, 3], [3, 1, 2], ["b", "a", "c"], [1.0, 2.0, 0.0]])
def test_a_third_class_is_seen_wherever_it_is(labels):
    X = np.arange(30.0)[:, None]
    y = np.array([labels[0], labels[1]] * 14 + [labels[0], labels[2]])
    with pytest.raises(ValueError, match="3 classes"):
        LogisticRegression(0.1).fit(X, y)


def test_two_values_that_are_no_classes_are_refused():
    for y in ([0.5, 1.5] * 5, [0.0, np.nan] * 5, [0.0, np.inf] * 5):
        with pytest.raises(ValueError):
            LogisticRegression(0.1).fit(np.arange(10.0)[:, None], np.array(y))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_the_first_number_that_is_not_finite_is_named(wrong):
    random = np.random.default_rng(6)
    wide = random.normal(size=(300, 5))
    y = (wide[:, 0] > 0).astype(int)
    for X in (wide, wide[:, :3]):  # rows side by side, and rows with a gap between them
        for row, column in ((0, 0), (63, 2), (64, 0), (299, 2)):
            kept, X[row, column] = X[row, column], wrong
            X[299, 2], last = wrong, X[299, 2]
            with pytest.raises(ValueError, match=rf"row {row + 1}, column {column + 1} is"):
                LogisticRegression(0.1).fit(X, y)
            X[299, 2], X[row, column] = last, kept
    LogisticRegression(0.1).fit(wide, y)
