"""Logistic regression: docs/logistic.md, "What is proved".
"""
from copy import copy
from fractions import Fraction

from rechecking.arithmetic import (
    EPSILON, MAX_WORK, NotRechecked, ROUNDING, about, agrees, common, independent, inverse, need, root, square)
from rechecking.dependencies import least_norm, null_vectors
from rechecking.model import has, integers, numbers

BITS = 200  # of the exponential and of the logarithm


def log1p(u, bits_of_u):
    """log(1+u) for 0 <= u <= 1, both over 2^bits: 2 artanh(u/(2+u)), a series in powers of at most 1/3."""
    z = (u << bits_of_u) // ((2 << bits_of_u) + u)
    power, total, n, z2 = z, 0, 1, z * z >> bits_of_u
    while power:
        total += power // n
        power, n = power * z2 >> bits_of_u, n + 2
    return 2 * total


LN2 = log1p(1 << BITS + 20, BITS + 20)


def logarithm(q):
    """log of a positive fraction, to about BITS bits."""
    k = q.numerator.bit_length() - q.denominator.bit_length() - 1
    m = int(q / Fraction(2) ** k * 2**BITS)  # between 1 and 4
    while m >= 2 << BITS:
        m, k = m >> 1, k + 1
    return Fraction(k * (LN2 >> 20) + log1p(m - (1 << BITS), BITS), 1 << BITS)


def exponential(a):
    """exp(-a) for a >= 0 over 2^(BITS+20): t and k with exp(-a) = t 2^-k / 2^BITS.

    With a = k log 2 + r, exp(-r) is the 256th power of exp(-r/256), whose series ends after some twenty terms. The
    squarings multiply the relative error, a few units of 2^-BITS, by 256.
    """
    k, r = divmod(a, LN2)
    r >>= 28
    term = total = 1 << BITS
    n = 1
    while term:
        term = -(term * r >> BITS) // n
        total, n = total + term, n + 1
        if term == -1:
            break
    for _ in range(8):
        total = total * total >> BITS
    return total, k


class Logistic:
    """The logistic loss of every row at the model's scores, in integers over 2^bits.

    With s = y(<w,x>+b) and u = exp(-|s|): loss = log(1+u), plus -s if s < 0; wrongness = 1/(1+exp(s)), the derivative of
    the loss; curvature = u/(1+u)². `bits` is so large that even the smallest u has BITS of its own. Beyond |s| = 5000 u
    is taken as 0, which is off by less than 1 over 2^bits.
    """

    def __init__(self, model, rows):
        sides, d = rows.sides(model.vector)
        powers = [exponential((abs(side) << BITS + 20) // d) if abs(side) < 5000 * d else (0, 0) for side in sides]
        most = max(k for _, k in powers)
        self.bits = BITS + most
        one = 1 << self.bits
        self.loss, self.wrongness, self.curvature = [], [], []
        for side, (t, k) in zip(sides, powers):
            u = t << most - k
            small = (u << self.bits) // (one + u)
            self.loss.append(log1p(u, self.bits) + (0 if side > 0 else (-side << self.bits) // d))
            self.wrongness.append(small if side > 0 else one - small)
            self.curvature.append((small << self.bits) // (one + u))


def class_weights(model, data, figures):
    """What multiplies the weights of rows with each label."""
    class_weight = {-1: Fraction(figures.get("class_weight_negative", 0)),
                    1: Fraction(figures.get("class_weight_positive", 0))}
    need(min(class_weight.values()) > 0, "a class weight is not positive")
    if model.options.get("class-weights") == "balanced":
        for sign, name in ((-1, "class_weight_negative"), (1, "class_weight_positive")):
            own = sum(w for w, y in zip(data.rows.weight, data.rows.y) if y == sign)
            agrees(figures, name, Fraction(sum(data.rows.weight), 2 * own))
    return class_weight


def logistic_of(model, data):
    """The losses, and row weights times class weights as integers over `unit`, and their sum."""
    if not hasattr(data, "logistic"):
        class_weight = class_weights(model, data, model.claims["objective"]["figures"])
        data.factor, data.unit = common(
            [Fraction(w, data.rows.unit) * class_weight[y] for w, y in zip(data.rows.weight, data.rows.y)])
        data.mass = Fraction(sum(data.factor), data.unit)
        data.logistic = Logistic(model, data.rows)
    return data.logistic


def total_loss(model, data):
    losses = logistic_of(model, data)
    return Fraction(sum(f * loss for f, loss in zip(data.factor, losses.loss)), data.unit << losses.bits)


def logistic_objective(model, data, figures):
    l2 = figures.get("l2", 0 if "infimum" in figures else None)
    need(l2 is not None and l2 >= 0, "the factor l2 is not stated, or it is negative")
    w = model.vector[: data.rows.features]
    return total_loss(model, data) / data.mass + Fraction(l2) / 2 * square(w), Fraction(0)


def deviance(model, data, claim):
    figures, rows = claim["figures"], data.rows
    objective_figures = model.claims["objective"]["figures"]
    need(objective_figures.get("class_weight_negative") == 1 == objective_figures.get("class_weight_positive"),
         "with class weights there is no deviance")
    step = 4 * rows.total / 2**1074  # of the mean loss, where that is below the range of doubles
    agrees(figures, "deviance", 2 * total_loss(model, data), step)
    if rows.intercept:
        part = [Fraction(sum(w for w, y in zip(rows.weight, rows.y) if y == side), rows.unit) for side in (-1, 1)]
        null = 2 * sum(p * logarithm(rows.total / p) for p in part if p)
    else:
        null = 2 * rows.total * logarithm(Fraction(2))
    agrees(figures, "null_deviance", null)
    at_minimum = model.claims.get("logistic_optimum", {"figures": {}})["figures"].get("gap_tolerance") is not None
    stands = at_minimum and not objective_figures.get("l2")
    need(("aic" in figures) == stands, "an AIC belongs to a minimum without penalty, and to nothing else")
    agrees(figures, "aic", 2 * total_loss(model, data) + 2 * len(null_vectors(model, data)[0]))
    return "within_tolerance", "those of the rows"


class Newton:
    """Gradient g and Hessian H of the objective at the model, in the whole numbers of the kept columns.

    nu² = g'H⁻¹g, and row lengths x'H⁻¹x; `variance(j)` is entry j of the diagonal of (W H)⁻¹.
    """

    def __init__(self, model, data):
        rows, losses = data.rows, logistic_of(model, data)
        self.kept, _, self.exact = null_vectors(model, data)
        if len(self.kept) > 100:
            raise NotRechecked("the inverse of so large a Hessian is too much for this program")
        self.rows, self.mass, self.weight, self.weight_unit = rows, data.mass, data.factor, data.unit
        self.unit = data.unit << losses.bits
        hessian = rows.gram([f * c for f, c in zip(data.factor, losses.curvature)])
        g, size = [0] * rows.width, [0] * rows.width
        for row, f, p, y in zip(rows.x, data.factor, losses.wrongness, rows.y):
            for j, n in row:
                g[j] -= f * p * y * n
                size[j] += f * ((p >> 100) + 1) * abs(n)
        l2 = Fraction(model.claims["objective"]["figures"].get("l2", 0))
        pull = [l2 * self.mass * over if j < rows.features else 0 for j, over in enumerate(rows.over)]
        self.g = [Fraction(g[j], self.unit) + pull[j] * model.vector[j] for j in self.kept]
        self.pull = [pull[j] * rows.over[j] for j in self.kept]
        self.error = [Fraction(size[j], self.unit) for j in self.kept]
        flat, self.scale = common([hessian[a][b] + (pull[a] * rows.over[a] * self.unit if a == b else 0)
                                   for a in self.kept for b in self.kept])
        n = len(self.kept)
        self.adjugate, self.determinant = inverse([flat[k * n:(k + 1) * n] for k in range(n)])
        need(self.determinant, "columns depend on others that the model does not name")
        factor = Fraction(self.unit * self.scale, self.determinant)
        self.diagonal = [self.adjugate[k][k] * factor for k in range(n)]  # of (W H)^-1
        self.factor = factor

    def nu(self):
        """|g| in the norm of H⁻¹, rounded up."""
        v, d = common(self.g)
        product = sum(a * sum(b * c for b, c in zip(row, v)) for a, row in zip(v, self.adjugate))
        length = root(Fraction(product, d * d) * self.factor / self.mass)
        more = sum(e * root(q) for e, q in zip(self.error, self.diagonal)) / root(self.mass)
        return (length + more) * (1 + EPSILON)

    def least_gap(self):
        """A step along the gradient lowers the objective by |g|²/2 over the largest curvature, at most that of u = 1/4."""
        place, trace = set(self.kept), 0
        for row, f in zip(self.rows.x, self.weight):
            trace += f * sum(n * n for j, n in row if j in place)
        trace = Fraction(trace, 4 * self.weight_unit) + sum(self.pull)
        sure = [max(abs(g) - e, 0) for g, e in zip(self.g, self.error)]
        return square(sure) / (2 * trace) / self.mass

    def rho(self, fast):
        """max |x| in the norm of H⁻¹, rounded up: sum of max|x_j| sqrt(H⁻¹_jj), or from every row."""
        place = {j: k for k, j in enumerate(self.kept)}
        if fast:
            most = [0] * self.rows.width
            for row in self.rows.x:
                for j, n in row:
                    most[j] = max(most[j], abs(n))
            return sum(most[j] * root(self.diagonal[k] * self.mass) for j, k in place.items()) * (1 + EPSILON)
        if len(self.rows.x) * len(self.kept) ** 2 > MAX_WORK / 20:
            raise NotRechecked("the lengths of all rows by the Hessian are too much for this program")
        longest = 0
        for row in self.rows.x:
            row = [(place[j], n) for j, n in row if j in place]
            length = sum(n * sum(self.adjugate[a][b] * k for b, k in row) for a, n in row)
            longest = max(longest, abs(length))
        return root(longest * abs(self.factor) * self.mass) * (1 + EPSILON)


    def gap_by_basis(self, model, data):
        """docs/logistic.md, "To many digits": a bound of the gap in the scores of a basis of the rows, None if it proves
        none. With a penalty the coefficients are rows too, of a quadratic loss."""
        n, losses = len(self.kept), logistic_of(model, data)
        if len(self.rows.x) * n**2 > MAX_WORK / 1000:
            raise NotRechecked("a basis of the rows is too much for this program")
        lines, slope, error, curvature = [], [], [], []
        for row, f, p, c, y in zip(self.rows.x, self.weight, losses.wrongness, losses.curvature, self.rows.y):
            entries = dict(row)
            lines.append([entries.get(j, 0) for j in self.kept])
            slope.append(Fraction(-f * p * y, self.unit))
            error.append(Fraction(f * ((p >> 100) + 1), self.unit))
            curvature.append(Fraction(f * c, self.unit))
        count = len(lines)
        for k, j in enumerate(self.kept):
            lines.append([int(k == m) for m in range(n)])
            slope.append(self.pull[k] * model.vector[j] / self.rows.over[j])
            error.append(0)
            curvature.append(self.pull[k])
        curved = sorted((i for i in range(len(lines)) if curvature[i] > 0), key=lambda i: -curvature[i])
        basis = [curved[k] for k in independent([lines[i] for i in curved], n)[0]]
        if len(basis) < n:
            return None
        table = in_basis(lines, basis, curvature)
        gap = Fraction(0)
        for k, b in enumerate(basis):
            g = abs(sum(s * t[k] for s, t in zip(slope, table))) + sum(e * abs(t[k]) for e, t in zip(error, table))
            q = g / curvature[b]
            if q > Fraction(1, 2) and b < count:
                return None
            gap += g * q / 2 / (1 - q if b < count else 1)
        return gap / self.mass


def in_basis(lines, basis, curvature):
    """Every line as a combination of the lines of the basis. Lines of the basis are exchanged until no other is more than
    twice as long in it, where the length of a line is the root of its curvature."""
    adjugate, determinant = inverse([lines[b] for b in basis])
    columns = list(zip(*adjugate))
    table = [[Fraction(sum(map(int.__mul__, line, column)), determinant) for column in columns] for line in lines]
    while True:
        long, i, k = max((t[k] ** 2 * curvature[i] / curvature[b], i, k)
                         for i, t in enumerate(table) for k, b in enumerate(basis))
        if long <= 4:
            return table
        pivot, basis[k] = table[i], i
        for place, t in enumerate(table):
            factor = t[k] / pivot[k]
            if factor and place != i:
                table[place] = [v - factor * w for v, w in zip(t, pivot)]
                table[place][k] = factor
        table[i] = [Fraction(int(m == k)) for m in range(len(basis))]


def newton_of(model, data):
    if not hasattr(data, "newton"):
        data.newton = Newton(model, data)
    return data.newton


def logistic_optimum(model, data, claim):
    """With a = nu rho <= 1/2 a minimum exists, and the objective is above it by at most nu²/(2(1-a))."""
    figures = claim["figures"]
    tolerance = figures.get("gap_tolerance")
    if tolerance is None:
        need(model.outcome != "optimal", "the outcome is optimal, and no tolerance is stated")
        return "partly_proved", "a minimum is not claimed"
    value, _ = logistic_objective(model, data, model.claims["objective"]["figures"])
    newton = newton_of(model, data)
    nu = newton.nu()
    a = nu * newton.rho(True)
    if a > Fraction(1, 2):
        a = nu * newton.rho(False)
    if a <= Fraction(1, 2):
        gap, least = nu * nu / (2 * (1 - a)) / value, nu * nu / 2 * (1 - a) / value
    else:
        gap, least = newton.gap_by_basis(model, data), newton.least_gap() / value
        need(least <= max(Fraction(tolerance), ROUNDING), f"the relative gap is at least {about(least)}, above the tolerance")
        if gap is None or gap > tolerance * value:
            raise NotRechecked("the gradient is too large for the bounds that this program knows")
        gap /= value
    need(gap <= max(Fraction(tolerance), ROUNDING), f"the relative gap is {about(gap)}, above the tolerance")
    stated = figures.get("gap")
    need(stated is not None and 0 <= stated <= tolerance, "the gap is not stated, or above the tolerance")
    need(stated >= least - ROUNDING, f"the gap is {about(gap)}, not {stated!r}")
    if not newton.exact:
        return "partly_proved", "it holds among coefficients that respect dependencies which hold to rounding only"
    return "proved", f"a minimum exists, and the relative gap is at most {about(gap)}"


def finite_part(model, data, claim):
    """The infimum of the loss is the minimum of that of the rows T with <v,z> = 0, v the direction of `no_minimiser`: along
    v the losses of all other rows fall to 0. So T is judged as a fit of its own, with the weights and vectors of the claim.
    """
    figures, rows = claim["figures"], data.rows
    need("no_minimiser" in model.claims, "the claim belongs to a loss without a minimum")
    sides, _ = rows.sides(integers(model.claims["no_minimiser"], "direction", rows.width))
    left = [i for i, side in enumerate(sides) if side == 0]
    need(min(sides) >= 0 and 0 < len(left) < len(sides), "the direction leaves no rows, or is none")
    class_weight = class_weights(model, data, figures)
    part, some = copy(model), copy(data)
    some.rows = copy(rows)
    for name in ("x", "y", "weight", "number"):
        setattr(some.rows, name, [getattr(rows, name)[i] for i in left])
    part.options, part.outcome = {}, "optimal"
    part.vector = [Fraction(weight) for weight in numbers(claim, "weights", rows.width)]
    vectors = [{"exact": True, "vector": has(entry, "vector", (list,))} for entry in has(claim, "null_vectors", (list,))]
    part.claims = {"objective": {"figures": figures}, "dependencies": {"dependencies": vectors}}
    verdict, finding = logistic_optimum(part, some, claim)
    for entry in vectors:
        least_norm(part, rows, entry["vector"])
    mass = sum(Fraction(w, rows.unit) * class_weight[y] for w, y in zip(rows.weight, rows.y))
    agrees(figures, "infimum", total_loss(part, some) / mass)
    return verdict, f"on the {len(left)} rows left {finding}"
