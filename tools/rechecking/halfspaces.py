"""The claims of halfspaces and balls, and those of all tasks: docs/model-file.md, "Claims".
"""
from fractions import Fraction

from rechecking.arithmetic import EPSILON, GAP, TINY, about, agrees, independent, need, root, square
from rechecking.logistic import Logistic
from rechecking.model import TEXT, duals, has, integers, numbers
from rechecking.rows import dense_row, wrong_rows

#
# Each takes the model, the data and the claim, and gives a verdict and a finding, or raises Refuted.


def data(model, data, claim):
    figures, rows = claim["figures"], data.rows
    agrees(figures, "rows", len(rows.x))
    agrees(figures, "columns", rows.features)
    agrees(figures, "total_weight", rows.total)
    agrees(figures, "radius", root(rows.radius_squared()))
    need(model.decimals == data.decimals, "the model does not state the decimals of the columns")
    return "proved", "number, weight and fingerprint of the rows are those of the fit"


def means(model, data, claim):
    for column in model.columns:
        if column.get("mean") is not None:
            value = data.means[column["name"]]
            agrees(column, "mean", value)
    return "within_tolerance", "those of the rows"


def is_ball(model, direction):
    """The weight of |x|² is negative (positive if +1 is outside): without it the direction is no ball."""
    return model.task != "ball" or model.inside * direction[-2] < 0


def separates(model, data, claim):
    direction = integers(claim, "direction", data.rows.width)
    sides, _ = data.rows.sides(direction or model.vector)
    settled = sum(side > 0 for side in sides)
    if direction:
        need(is_ball(model, direction), "the direction is no ball")
        agrees(claim["figures"], "settled_rows", settled)
    else:
        need("settled_rows" not in claim["figures"], "settled_rows speaks of a direction, and there is none")
    for side, number in zip(sides, data.rows.number):
        need(side > 0, f"row {number} is not on its right side")
    return "proved", f"all {settled} rows are on their right side, in exact arithmetic"


def errors(model, data, claim):
    rows, figures = data.rows, claim["figures"]
    wrong = wrong_rows(model, data)
    weight = Fraction(sum(rows.weight[i] for i in wrong), rows.unit)
    agrees(figures, "errors", weight)
    if model.task == "halfspace":
        sides, d = rows.sides(model.vector)
        loss = Fraction(sum(rows.weight[i] * -sides[i] for i in wrong), d * rows.unit) / rows.total
        agrees(figures, "perceptron_loss", loss)
    else:
        need("perceptron_loss" not in figures, "a perceptron_loss belongs to a halfspace")
    return "proved", f"{len(wrong)} of {len(rows.x)} rows are on the wrong side or on the boundary, in exact arithmetic"


def normed(data, vector, form):
    """The vector whose length divides the margin: the usual form leaves the intercept out."""
    return vector[:-1] if form == "usual" and data.rows.intercept else vector


def margin_of(data, vector, form):
    """The least y<v,x> / |v|; 0 or less: the vector does not separate."""
    sides, d = data.rows.sides(vector)
    length = root(square(normed(data, vector, form)))
    need(length, "the weights are 0")
    return Fraction(min(sides), d) / length


def margin(model, data, claim):
    figures = claim["figures"]
    if model.task == "ball":
        need("margin" not in figures, "a ball has no homogeneous margin")
        need(not wrong_rows(model, data), "the ball does not have every row on its right side")
        radius = root(max(model.rho, Fraction(0)))
        scores, d = data.rows.scores(model.vector)
        squares = [model.rho - model.inside * Fraction(s, d) for s in scores]  # of the distances from the centre
        inside, outside = [q for q in squares if q <= model.rho], [q for q in squares if q > model.rho]
        nearest = ([max(inside)] if inside else []) + ([min(outside)] if outside else [])
        value = min(abs(root(q) - radius) for q in nearest)
        allowed = radius / 2**45  # the difference of two nearly equal lengths loses digits
    else:
        value, allowed = margin_of(data, model.vector, "usual"), Fraction(0)
        homogeneous = margin_of(data, model.vector, "homogeneous")
        need(homogeneous > 0, "the halfspace does not have every row on its right side")
        agrees(figures, "margin", homogeneous)
    agrees(figures, "margin_without_intercept", value, allowed)
    return "within_tolerance", f"the nearest row is {about(value)} away"


def margin_limit(data, claim, form):
    """|sum of a z| / sum of a for the a > 0 of the support: no margin of this form is larger, since the least of
    y<v,x> is at most their mean with weights a."""
    numbers_of_rows, a = duals(claim)
    need(a, "there is no support")
    need(min(a) > 0, "a multiplier of the support is not positive")
    z = data.rows.combination(numbers_of_rows, a)
    if form == "usual" and data.rows.intercept:
        need(z[-1] == 0, "the multipliers of the two labels do not have the same sum")
    return root(square(normed(data, z, form))) / sum(a) * (1 + EPSILON)


def margin_at_most(model, data, claim):
    if has(claim, "support", (list,)):
        limit = margin_limit(data, claim, "homogeneous")
    else:
        a = Logistic(model, data.rows).wrongness
        z = data.rows.sum(range(len(a)), [y * f for y, f in zip(data.rows.y, a)])
        limit = root(square(z)) / sum(a) * (1 + EPSILON)
    agrees(claim["figures"], "margin_bound", limit)
    return "within_tolerance", f"no margin is above {about(limit)}"


def meet(value, limit):
    """The relative gap between a margin and the bound on all margins."""
    need(value > 0, "the weights do not have every row on its right side")
    gap = max(limit / value - 1, Fraction(0))
    finding = f"the margin is {about(value)}, and the support proves that none is above {about(limit)}"
    return gap, "within_tolerance" if gap <= GAP else "partly_proved", finding


def largest_margin(model, data, claim):
    form = has(claim, "form", TEXT, ("homogeneous", "usual"))
    limit = margin_limit(data, claim, form)
    gap, verdict, finding = meet(margin_of(data, model.vector, form), limit)
    name, other = ("usual_margin_bound", "margin_bound")[:: 1 if form == "usual" else -1]
    agrees(claim["figures"], name, limit, 2 * TINY)
    need(claim["figures"].get(name, limit) >= limit * (1 - GAP), f"{name} is not rounded up")  # also where it is denormal
    need(other not in claim["figures"], f"{other} is of the other form")
    agrees(claim["figures"], "gap", gap, GAP)
    need(claim["figures"].get("gap", 0) >= 0, "the gap is negative")
    return verdict, finding


def other_margin(model, data, claim):
    form = has(claim, "form", TEXT, ("homogeneous", "usual"))
    mine = model.claims.get("largest_margin", {}).get("form")
    need(mine is None or mine != form, "it is the form that the model maximises")
    value = margin_of(data, numbers(claim, "weights", data.rows.width), form)
    gap, verdict, finding = meet(value, margin_limit(data, claim, form))
    need(gap <= GAP, finding)
    name, other = ("largest_usual_margin", "largest_margin")[:: 1 if form == "usual" else -1]
    agrees(claim["figures"], name, value)
    need(other not in claim["figures"], f"{other} is of the other form")
    return verdict, finding


def update_bound(model, data, claim):
    figures = claim["figures"]
    weights = numbers(claim, "weights") or model.vector
    need(len(weights) == data.rows.width, "there are not as many weights as coefficients")
    radius, norm = (Fraction(figures.get(name, 0)) for name in ("radius", "norm"))
    agrees(figures, "update_bound", (radius * norm) ** 2)
    if "standardize" in model.options:
        return "partly_proved", "R and B speak of standardized rows, which are not checked"
    value = margin_of(data, weights, "homogeneous")
    need(value > 0, "the weights do not have every row on its right side")
    agrees(figures, "norm", 1 / value)
    agrees(figures, "radius", root(data.rows.radius_squared()))
    return "within_tolerance", f"R = {about(root(data.rows.radius_squared()))}, B = {about(1 / value)}"


def vanishes(model, z):
    """Sum of l z = 0; of a ball the sum of l y |x|² is at least 0 (at most 0 if +1 is outside)."""
    if model.task == "ball":
        return not any(z[:-2] + z[-1:]) and model.inside * z[-2] >= 0
    return not any(z)


def witness_of(model, data, claim):
    entries = has(claim, "witness", (list,))
    rows = [has(entry, "row", (int,)) for entry in entries]
    weights = integers({"weights": [has(entry, "weight", TEXT) for entry in entries]}, "weights", len(entries))
    need(rows and min(weights) > 0, "the witness holds no rows, or a weight that is not positive")
    need(vanishes(model, data.rows.combination(rows, weights)), "the rows of the witness do not sum to zero")
    return rows


def inseparable(model, data, claim):
    rows = witness_of(model, data, claim)
    return "proved", f"{len(rows)} rows with their positive integers sum to zero exactly"


def overlapping(model, data, claim):
    rows, table = witness_of(model, data, claim), data.rows
    if "no_minimiser" in model.claims:  # the rows that its direction leaves: it is 0 on all rows of the witness
        sides, _ = table.sides(integers(model.claims["no_minimiser"], "direction", table.width))
        need(min(sides) >= 0 and len(rows) == sum(side == 0 for side in sides), "the direction leaves other rows")
        return "proved", f"all {len(rows)} rows that the direction leaves sum to zero exactly, with positive integers"
    chosen, columns = independent([dense_row(table, table.place[n]) for n in rows], table.width)
    if len(chosen) < table.width:
        basis = [dense_row(table, table.place[rows[k]]) for k in chosen]
        for i in range(len(table.x)):
            more, _ = independent(basis + [dense_row(table, i)], table.width)
            need(len(more) == len(basis), f"row {table.number[i]} is not in the span of the witness")
    return "proved", f"{len(rows)} rows sum to zero exactly, and they span all rows"


def no_minimiser(model, data, claim):
    direction = integers(claim, "direction", data.rows.width)
    need(direction, "there is no direction")
    need(not claim["figures"].get("l2"), "with a penalty there is a minimum")
    sides, _ = data.rows.sides(direction)
    for side, number in zip(sides, data.rows.number):
        need(side >= 0, f"along the direction the loss of row {number} grows")
    settled = sum(side > 0 for side in sides)
    need(settled, "the direction is 0 on every row")
    agrees(claim["figures"], "settled_rows", settled)
    return "proved", f"{settled} rows are on the right side of the direction and none is on the wrong one"
