"""Regression: docs/model-file.md, "Regression"; docs/regression.md, "The proof".
"""
import math
from fractions import Fraction

from rechecking.arithmetic import (
    EPSILON, FIGURE, GAP, MAX_WORK, NotRechecked, ROUNDING, TINY, about, agrees, common, damaged, decimal,
    independent, inverse, need, root, square, whole)
from rechecking.dependencies import dropped, null_vectors
from rechecking.logistic import newton_of
from rechecking.model import NUMBER, TEXT, duals, has, numbers
from rechecking.rows import dense_row

ONLY_TO_DIGITS = "the coefficients of powers are those of the polynomials to their own digits only"


def polynomial_matrix(model, rows):
    """T with plain coefficients = T basis coefficients, from the recurrence of the polynomials; None without any."""
    n = rows.width
    if not has(model.regression, "polynomials", (list,)) and not any("degree" in column for column in model.columns):
        return None
    t = [[Fraction(int(a == b)) for b in range(n)] for a in range(n)]
    entries = iter(has(model.regression, "polynomials", (list,)))
    base = 0
    for column in model.columns:
        degree = column.get("degree", 1) if column["type"] == "number" else len(column["levels"]) - 1
        if column["type"] == "number" and "degree" in column:
            entry = next(entries, None)
            need(entry is not None, "there are fewer polynomials than columns with powers")
            scale = Fraction(2) ** -has(entry, "exponent", (int,))
            center, step = numbers(entry, "center", degree), numbers(entry, "step", degree)
            need(not step[0], "a polynomial comes before the first")
            before, now = [Fraction(0)], [Fraction(int(rows.intercept))]
            for k in range(degree):
                times = [Fraction(0)] + (now if k or rows.intercept else [Fraction(1)])
                less = now if k or rows.intercept else [Fraction(1)]
                following = [scale * (a - Fraction(center[k]) * b) for a, b in zip(times, less + [Fraction(0)])]
                for power, c in enumerate(before):
                    following[power] -= Fraction(step[k]) * c
                for power, c in enumerate(following):
                    if power:
                        t[base + power - 1][base + k] = c
                    elif rows.intercept:
                        t[n - 1][base + k] = c
                    else:
                        need(c == 0, "a polynomial has a constant, and the model has no intercept")
                before, now = now, following
        base += degree
    need(next(entries, None) is None, "there are more polynomials than columns with powers")
    return t


def times(matrix, vector):
    """matrix vector; None is the identity."""
    if matrix is None:
        return list(vector)
    return [sum((a * b for a, b in zip(row, vector) if a and b), Fraction(0)) for row in matrix]


class Regression:
    """Residuals of the predictor, exactly: `residual` integers over `d`. With polynomials it is that of basis_weights +
    basis_tail, which predict uses, else coefficients + tail."""

    def __init__(self, model, data):
        rows = data.rows
        self.matrix = polynomial_matrix(model, rows)
        self.vector = model.vector
        basis = [numbers(model.regression, key, rows.width) for key in ("basis_weights", "basis_tail")]
        basis = [Fraction(w) + Fraction(t) for w, t in zip(*basis)]
        self.plain = times(self.matrix, basis)
        absolute = self.matrix and [[abs(a) for a in row] for row in self.matrix]
        self.terms = times(absolute, [abs(c) for c in basis])  # the sums of `plain` with every term positive
        if model.regression["polynomials"]:
            self.vector = self.plain
        scores, d = rows.scores(self.vector)
        self.y = [Fraction(v) for v in rows.y]
        y, over = common(self.y)
        self.d = math.lcm(d, over)
        self.residual = [t * (self.d // over) - s * (self.d // d) for t, s in zip(y, scores)]
        self.squares = Fraction(sum(w * r * r for w, r in zip(rows.weight, self.residual)), self.d**2 * rows.unit)
        self.absolute = Fraction(sum(w * abs(r) for w, r in zip(rows.weight, self.residual)), self.d * rows.unit)
        self.weight = [Fraction(w, rows.unit) for w in rows.weight]
        self.y_squares = sum(w * v * v for w, v in zip(self.weight, self.y))
        mean = sum(w * v for w, v in zip(self.weight, self.y)) / rows.total if rows.intercept else 0
        self.total_squares = sum(w * (v - mean) ** 2 for w, v in zip(self.weight, self.y))
        self.most = max(abs(v) for v in self.y)
        self.l2 = Fraction(model.claims.get("objective", {"figures": {}})["figures"].get("l2", 0))
        self.kappa = self.l2 * rows.total / 2
        self.loss = has(model.regression, "loss", TEXT, ("squared", "absolute"))
        self.quantile = decimal(has(model.regression, "quantile", NUMBER))
        damaged(not 0 < self.quantile < 1 or self.loss == "squared" and self.quantile != Fraction(1, 2),
                "the quantile is not one of this loss")

    def slopes(self, weight):
        """What a residual costs above and below the fit."""
        return 2 * self.quantile * weight, 2 * (1 - self.quantile) * weight


def regression_of(model, data):
    if not hasattr(data, "regression"):
        data.regression = Regression(model, data)
    return data.regression


def regression_objective(model, data, figures):
    fit, rows = regression_of(model, data), data.rows
    if fit.loss == "squared":
        need(fit.l2 >= 0, "the factor l2 is negative")
        penalty = fit.l2 / 2 * square(fit.vector[: rows.features])
        return fit.squares / rows.total + penalty, fit.y_squares / rows.total / 2**90 + rows.width * TINY
    need(not figures, "an absolute loss has no penalty")
    return quantile_loss(fit) / rows.total, fit.most / 2**45


def quantile_loss(fit):
    total = Fraction(0)
    for r, w in zip(fit.residual, fit.weight):
        above, below = fit.slopes(w)
        total += (above if r > 0 else -below) * r
    return total / fit.d


def check_basis(model, data):
    """Whether the predictor in polynomials is the one in powers, to 1e-12 of the targets. Where the digits of large
    coefficients end before that, it must be to these digits, and the answer is no."""
    fit, rows, regression = regression_of(model, data), data.rows, model.regression
    off = [a - b for a, b in zip(fit.plain, model.vector)]
    scores, d = rows.scores(off)
    same = max(abs(s) for s in scores) <= d * fit.most / 10**12
    need(same or all(abs(e) <= size / 2**98 + 4 * TINY for e, size in zip(off, fit.terms)),
         "the weights of the polynomials are not those of the powers")
    damaged(fit.loss == "absolute" and has(regression, "factor", (list,)), "a fit by absolute loss has no factor")
    entries = has(regression, "basis_dependencies", (list,))
    _, vectors, _ = null_vectors(model, data)
    damaged(len(entries) != (len(vectors) if regression["polynomials"] else 0),
            "dependencies of polynomials are as many as those of powers")
    for entry, vector in zip(entries, vectors):
        plain = times(fit.matrix, [Fraction(v) for v in numbers({"vector": entry}, "vector", rows.width)])
        sizes = [Fraction(sum(n * n for row in rows.x for k, n in row if k == j), over**2) for j, over in enumerate(rows.over)]
        apart = max((a - Fraction(b)) ** 2 * size for a, b, size in zip(plain, vector, sizes))
        terms = max(Fraction(b) ** 2 * size for b, size in zip(vector, sizes))
        need(apart <= FIGURE**2 * terms, "a dependency of polynomials is not one of powers")
    return same


def factor_of(model, data):
    """S of the model in plain powers and in whole numbers, and delta = |I - S'(X'VX + kappa)S|."""
    fit, rows = regression_of(model, data), data.rows
    if hasattr(fit, "factor"):
        return fit.factor, fit.delta
    lines = has(model.regression, "factor", (list,))
    if not lines:
        raise NotRechecked("there is no factor in the model")
    width = len(lines[0]) if isinstance(lines[0], list) else 0
    need(len(lines) == rows.width, "the factor does not have a row for each coefficient")
    stated = [[Fraction(v) for v in numbers({"factor": line}, "factor", width)] for line in lines]
    columns = [times(fit.matrix, column) for column in zip(*stated)]
    if width**2 * rows.width + width * rows.width**2 > MAX_WORK / 3:
        raise NotRechecked("the factor is too large for this program")
    flat, d = common([v / over for column in columns for v, over in zip(column, rows.over)])
    short = [flat[k * rows.width:(k + 1) * rows.width] for k in range(width)]
    gram = rows.gram(rows.weight)
    middle = [[sum(g * s for g, s in zip(line, column)) for line in gram] for column in short]
    penalty = range(rows.features if fit.kappa else 0)
    off = Fraction(0)
    for a in range(width):
        for b in range(a, width):
            entry = Fraction(sum(m * s for m, s in zip(middle[a], short[b])), d * d * rows.unit)
            entry += fit.kappa * sum(columns[a][j] * columns[b][j] for j in penalty)
            off += (1 if a == b else 2) * (entry - int(a == b)) ** 2
    fit.factor, fit.delta = columns, root(off) * (1 + EPSILON)
    # S is written in doubles, in polynomials p: that moves an entry of S'GS by at most 2^-52 (sum of |S_k| |p_k|)²
    polynomials = zip(*fit.matrix) if fit.matrix else ([int(j == k) for j in range(rows.width)] for k in range(rows.width))
    basis = [common([Fraction(v) / over for v, over in zip(column, rows.over)]) for column in polynomials]
    lengths = [root(Fraction(sum(v * sum(g * w for g, w in zip(line, p)) for v, line in zip(p, gram)), q * q * rows.unit)
                    + (fit.kappa if fit.kappa and k < rows.features else 0)) for k, (p, q) in enumerate(basis)]
    longest = sum(sum(abs(s) * length for s, length in zip(column, lengths)) ** 2 for column in zip(*stated))
    fit.allowed = min(FIGURE + longest / 2**50, Fraction(1, 500))
    need(fit.delta <= fit.allowed, f"the factor is not that of the rows: off by {about(fit.delta)}")
    return fit.factor, fit.delta


def least_squares(model, data, claim):
    """Some minimiser is within |S'g|²/(1-delta) of the objective, g = X'V(y-Xw) - kappa w, if S spans what X does."""
    fit, rows = regression_of(model, data), data.rows
    need(fit.loss == "squared", "the loss is absolute")
    same = check_basis(model, data)
    columns, delta = factor_of(model, data)
    kept, vectors, exact = null_vectors(model, data)
    need(delta < 1, f"the factor is not that of the rows: off by {about(delta)}")
    need(len(columns) == len(kept), "the factor does not have a column for each independent coefficient")
    g = rows.sum(range(len(rows.x)), [w * r for w, r in zip(rows.weight, fit.residual)])
    g = [v / (fit.d * rows.unit) for v in g]
    g = [v - fit.kappa * w if j < rows.features else v for j, (v, w) in enumerate(zip(g, fit.vector))]
    left = sum(sum(s * v for s, v in zip(column, g)) ** 2 for column in columns) / (1 - delta)
    value = fit.squares + fit.kappa * square(fit.vector[: rows.features])
    gap = left / max(value, fit.y_squares / 2**70) if fit.y_squares else Fraction(int(left > 0))
    need(gap <= GAP, f"the objective may be {about(gap)} (relative) above the least possible")
    if not exact:
        return "partly_proved", "it holds among coefficients that respect dependencies which hold to rounding only"
    if not same:
        return "partly_proved", ONLY_TO_DIGITS
    return "within_tolerance", f"the objective is within {about(gap)} (relative) of the least possible"


def least_absolute(model, data, claim):
    """Duals a of all rows with sum of a (x,1) = 0 and a in [-below, above] prove that no fit costs less than sum a y.

    Rows off the fit have the dual of their side. The duals of the support are doubles; as many as there are
    independent columns are solved for again, exactly, so that the sum vanishes without rounding.
    """
    fit, rows = regression_of(model, data), data.rows
    need(fit.loss == "absolute", "the loss is not absolute")
    same = check_basis(model, data)
    kept, vectors, exact = null_vectors(model, data)
    named, given = duals(claim)
    need(named == sorted(set(named)) and all(n in rows.place for n in named), "the support names rows that are not there")
    places = [rows.place[n] for n in named]
    on = set(places)
    a = [Fraction(0)] * len(rows.x)
    for i, (r, w) in enumerate(zip(fit.residual, fit.weight)):
        above, below = fit.slopes(w)
        a[i] = above if r > 0 else -below
        need(r or i in on, f"row {rows.number[i]} is on the fit and has no dual")
    for i, dual in zip(places, given):
        above, below = fit.slopes(fit.weight[i])
        need(-below * (1 + GAP) <= dual <= above * (1 + GAP), f"the dual of row {rows.number[i]} is beyond its interval")
        a[i] = min(max(dual, -below), above)
        need(abs(fit.residual[i]) <= fit.most * fit.d / 10**9, f"row {rows.number[i]} of the support is not on the fit")
    if not exact:
        return "partly_proved", "it speaks of coefficients that respect dependencies which hold to rounding only"

    # the rows farthest within their intervals first: their duals have room to move
    def room(i):
        above, below = fit.slopes(fit.weight[i])
        return min(above - a[i], a[i] + below) / fit.weight[i]

    order = sorted(places, key=room, reverse=True)
    lines = [[dense_row(rows, i)[j] for j in kept] for i in order]
    chosen, _ = independent(lines, len(kept))
    if len(chosen) == len(kept):
        basis = [order[k] for k in chosen]
        for i in basis:
            a[i] = Fraction(0)
        others = rows.sum(range(len(a)), a)
        adjugate, determinant_of = inverse([[lines[k][j] for k in chosen] for j in range(len(kept))])
        told = dict(zip(places, given))
        for i, row in zip(basis, adjugate):
            a[i] = -sum(v * others[j] * rows.over[j] for v, j in zip(row, kept)) / determinant_of
            need(abs(a[i] - told[i]) <= FIGURE * 2 * fit.weight[i], f"the dual of row {rows.number[i]} is {about(a[i])}")
    excess = Fraction(0)
    for i in places:
        above, below = fit.slopes(fit.weight[i])
        excess = max(excess, (a[i] - above) / fit.weight[i], (-below - a[i]) / fit.weight[i])
    z = rows.sum(range(len(a)), a)
    need(len(chosen) == len(kept) and not any(z), "the duals of the rows do not balance")
    need(excess <= FIGURE / 1000, f"a dual is beyond its interval by {about(excess)}")
    value = quantile_loss(fit)
    gap = value - sum(dual * y for dual, y in zip(a, fit.y))
    gap = gap / max(value, fit.most * rows.total / 2**45) if fit.most else Fraction(0)
    need(gap <= GAP, f"the objective may be {about(gap)} (relative) above the least possible")
    agrees(claim["figures"], "gap", gap, ROUNDING)
    if not same:
        return "partly_proved", ONLY_TO_DIGITS
    return "within_tolerance", f"the duals of all rows cancel exactly, and the relative gap is {about(gap)}"


def fit_quality(model, data, claim):
    figures, fit, rows = claim["figures"], regression_of(model, data), data.rows
    agrees(figures, "mean_squared_error", fit.squares / rows.total,
           fit.y_squares / rows.total / 2**90)
    agrees(figures, "mean_absolute_error", fit.absolute / rows.total, fit.most / 2**45)
    if "degrees_of_freedom" in figures:
        need("standard_errors" not in model.claims, "the degrees of freedom belong to the standard errors")
        agrees(figures, "degrees_of_freedom", max(rows.total - len(null_vectors(model, data)[0]), 0))
    ratio = fit.squares / fit.total_squares if fit.total_squares else None
    if "r_squared" in figures:
        need(fit.loss == "squared" and ratio is not None, "there is no R²")
        agrees(figures, "r_squared", 1 - ratio, ROUNDING)
    if "f_statistic" in figures or "f_p_value" in figures:
        rank = len(null_vectors(model, data)[0])
        first, second = rank - int(rows.intercept), rows.total - rank
        need(fit.loss == "squared" and not fit.l2 and first > 0 and second > 0 and fit.squares, "there is no F")
        f = (fit.total_squares - fit.squares) / first / (fit.squares / second)
        rounding = ROUNDING * second / first / ratio + f * fit.y_squares / 2**90 / fit.squares
        agrees(figures, "f_statistic", f, rounding)
        p = f_tail(float(figures.get("f_statistic", f)), float(first), float(second))
        stated = figures.get("f_p_value", p)
        need(abs(stated - p) <= 1e-6 * p + 1e-300, f"the p value is {p:.9g}, not {stated!r}")
    return "within_tolerance", "those of the rows"


def f_tail(f, first, second):
    """P(F >= f) with these degrees of freedom: the incomplete beta function by its continued fraction, in doubles."""
    x = second / (second + first * f)
    return incomplete_beta(second / 2, first / 2, x, first * f / (second + first * f))


def incomplete_beta(a, b, x, rest):
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, rest, x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x or 5e-324) + b * math.log(rest)
    tiny, c, d = 1e-300, 1.0, 1 / (1 - (a + b) * x / (a + 1) or 1e-300)
    total = d
    for m in range(1, 100000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d or tiny)
            c = 1 + term / c or tiny
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * total / a if log_front > -745 else 0.0


def standard_errors(model, data, claim):
    rows, figures = data.rows, claim["figures"]
    stated = has(claim, "standard_errors", (list,))
    kept, vectors, exact = null_vectors(model, data)
    need(len(stated) in (0, rows.width), "there is not a standard error for each coefficient")
    if model.task == "logistic":
        newton = newton_of(model, data)
        place = {j: k for k, j in enumerate(newton.kept)}
        need(model.claims["objective"]["figures"].get("l2") == 0, "with a penalty there are no standard errors")
        squares = {j: newton.diagonal[k] * rows.over[j] ** 2 for j, k in place.items()}
        tolerance = 4 * FIGURE
    else:
        fit = regression_of(model, data)
        freedom = rows.total - len(kept)
        agrees(figures, "degrees_of_freedom", max(freedom, 0))
        if "residual_sd" in figures:
            need(freedom > 0 and not fit.l2, "there is no residual_sd")
            agrees(figures, "residual_sd", root(fit.squares / freedom), root(fit.y_squares) / 2**45)
        if all(value is None for value in stated):
            return "within_tolerance", "the degrees of freedom are those of the rows"
        need("residual_sd" in figures, "there are standard errors without a residual_sd")
        columns, _ = factor_of(model, data)
        squares = {j: fit.squares / freedom * sum(column[j] ** 2 for column in columns) for j in range(rows.width)}
        tolerance = FIGURE + 2 * fit.allowed
    without = dropped(model, data)
    for j in range(rows.width):
        if without is not None and j in without:
            need(model.task == "logistic" or squares[j] == 0, "the factor has a part of a dropped column")
        if j in without if without is not None else any(vector[j] for vector in vectors):
            need(stated[j] is None, f"coefficient {j + 1} depends on others and cannot have a standard error")
        else:
            value = root(squares[j])
            need(stated[j] is not None and abs(Fraction(stated[j]) - value) <= tolerance * value + EPSILON,
                 f"standard error {j + 1} is {about(value)}, not {stated[j]!r}")
    return "within_tolerance", "standard errors are those of the rows"
