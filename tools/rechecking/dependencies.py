"""Columns that depend on each other: docs/model-file.md, "dependencies".
"""
from fractions import Fraction

from rechecking.arithmetic import (
    FIGURE, NotRechecked, TINY, agrees, common, independent, need, nonsingular, root, square)
from rechecking.model import duals, has, numbers
from rechecking.rows import dense_row


def dropped(model, data):
    """The columns that the claim says were dropped: the last that each vector has a part in. None: none are said to be."""
    claim = model.claims.get("dependencies", {})
    if "drop" not in claim or not has(claim, "drop", (bool,)):
        return None
    columns = range(data.rows.features)
    return [max((j for j in columns if entry["vector"][j]), default=0) for entry in claim["dependencies"]]


def null_vectors(model, data):
    """The vectors of the claim, each tried on every row: kept columns, and whether all hold exactly."""
    rows, exact = data.rows, True
    if rows.width > 400:
        raise NotRechecked("which of so many columns depend on others is too much for this program")
    entries = has(model.claims.get("dependencies", {"dependencies": []}), "dependencies", (list,))
    vectors = [numbers(entry, "vector", rows.width) for entry in entries]
    for entry, vector in zip(entries, vectors):
        need(any(vector), "a dependency is 0")
        scores, d = rows.scores(vector)
        if has(entry, "exact", (bool,)):
            need(not any(scores), "a dependency that is called exact does not hold in every row")
            continue
        exact = False
        left = Fraction(sum(s * s for s in scores), d * d)
        terms = [sum(n * n for row in rows.x for k, n in row if k == j) * square([v / over]) for j, v, over in
                 ((j, Fraction(v), rows.over[j]) for j, v in enumerate(vector) if v)]
        need(left <= max(terms) / 4**38, "a dependency does not hold, not even to rounding")
    kept, columns = independent([common(vector)[0] for vector in vectors], rows.width)
    need(len(kept) == len(vectors), "the dependencies depend on each other")
    columns = columns if dropped(model, data) is None else dropped(model, data)
    if not exact and rows.width <= 60:  # vectors of doubles may stand for some that hold exactly: the rank decides
        gram, order = rows.gram(rows.weight), list(range(rows.width))
        order = order[-1:] + order[:-1] if rows.intercept else order  # the intercept first, as the fits take them
        chosen = [order[k] for k in independent([gram[j] for j in order], rows.width)[0]]
        rank = rows.width - len(vectors)
        need(len(chosen) >= rank, "more columns depend on others than the model says")
        if dropped(model, data) is not None:
            return [j for j in range(rows.width) if j not in columns], vectors, len(chosen) == rank
        return sorted(chosen[:rank]), vectors, len(chosen) == rank
    return [j for j in range(rows.width) if j not in columns], vectors, exact


def dependencies(model, data, claim):
    rows, figures = data.rows, claim["figures"]
    penalty = Fraction(model.claims.get("objective", {"figures": {}})["figures"].get("l2", 0))
    kept, vectors, exact = null_vectors(model, data)
    if penalty:
        need(not vectors, "with a penalty nothing depends")
        need(figures.get("unique") == 1, "with a penalty the coefficients are unique")
        agrees(figures, "rank", rows.width)
        return "proved", "a penalty leaves one minimum only"
    gram = rows.gram(rows.weight)
    need(nonsingular([[gram[a][b] for b in kept] for a in kept]), "more columns depend on others than the model says")
    agrees(figures, "rank", len(kept))
    unique = figures.get("unique", 0)
    need(unique in (0, 1) and not (vectors and unique), "unique is not what the dependencies say")
    if model.task == "logistic":
        need(("unique" in figures) == ("rank" in figures), "rank and unique are stated together")
    absolute = model.task == "regression" and model.regression["loss"] == "absolute"
    only = is_only_vertex(model, data) if absolute and not vectors else not vectors
    if only is not None:
        agrees(figures, "unique", int(only))
    if dropped(model, data) is not None:
        left_out(model, vectors, dropped(model, data))
    for vector in vectors if dropped(model, data) is None else []:
        least_norm(model, rows, vector)
    if not exact:
        return "partly_proved", "a dependency holds to rounding only"
    if only is None:
        return "partly_proved", "the rank is that of the rows; other minimisers were not looked for"
    return "proved", f"the rank is {len(kept)}"


def left_out(model, vectors, columns):
    """Each vector ends in a column of its own, whose coefficient is 0: it depends on kept columns before it."""
    for k, column in enumerate(columns):
        need(model.vector[column] == 0, "a column that was dropped has a coefficient")
        need(model.task != "regression" or model.regression["tail"][column] == 0, "a dropped column has a tail")
        need(all((vector[column] != 0) == (i == k) for i, vector in enumerate(vectors)),
             "a dependency speaks of a dropped column that is not its own")


def is_only_vertex(model, data):
    """Whether no other coefficients have the same absolute loss; None: not known. Every minimiser has residual 0 where
    the dual lies inside its interval. If exactly as many rows as columns lie on the fit and the dual of one is an end
    of its interval, that row can leave the fit at no cost."""
    rows, quantile = data.rows, Fraction(model.regression["quantile"])
    named, given = duals(model.claims["least_absolute"])
    places = [rows.place[n] for n in named if n in rows.place]
    inside = []
    for i, dual in zip(places, given):
        weight = Fraction(rows.weight[i], rows.unit)
        room = min(2 * quantile * weight - dual, dual + 2 * (1 - quantile) * weight)
        if room > 2 * weight / 10**12:
            inside.append(dense_row(rows, i))
    if len(independent(inside, rows.width)[0]) == rows.width:
        return True
    return False if len(places) == rows.width else None


def least_norm(model, rows, vector):
    """Of all coefficients with the same scores these are the shortest, the intercept left out: they are orthogonal to
    each dependency."""
    columns = rows.width - (1 if model.intercept else 0)
    n, w = [Fraction(v) for v in vector[:columns]], model.vector[:columns]
    product = sum(a * b for a, b in zip(n, w))
    size = root(square(n) * square(w))
    need(abs(product) <= FIGURE * size + TINY * sum(map(abs, n)), "the coefficients are not those of least norm")
