"""The fewest mistakes: docs/model-file.md, "fewest_errors", "subsets", "tree".
"""
import itertools
import math
from fractions import Fraction

from rechecking.arithmetic import (
    MAX_WORK, NotRechecked, ROUNDING, about, agrees, common, decimal, independent, inverse, need)
from rechecking.halfspaces import is_ball, vanishes
from rechecking.model import NONE, has, integers, numbers
from rechecking.rows import dense_row, wrong_rows

def costs_of(model, data):
    """What a mistake on each row costs, in the decimals as written."""
    figures = model.claims["fewest_errors"]["figures"]
    label = {-1: decimal(figures.get("cost_negative", 1)), 1: decimal(figures.get("cost_positive", 1))}
    return [decimal(w) * label[y] for w, y in zip(data.rows.double_weight, data.rows.y)]


def claimed_cost(model, data):
    """What the wrong rows of the model cost: their weight, unless there is a claim fewest_errors with costs."""
    wrong = wrong_rows(model, data)
    if "fewest_errors" in model.claims:
        costs = costs_of(model, data)
        return sum((costs[i] for i in wrong), Fraction(0))
    return Fraction(sum(data.rows.weight[i] for i in wrong), data.rows.unit)


def direction_cost(model, data, claim):
    """What the wrong rows of integers cost, for (x, 1) or of a ball for (x, |x|², 1)."""
    direction = integers(claim, "direction", data.rows.width)
    need(direction and is_ball(model, direction), "the direction is empty, or no ball")
    sides, _ = data.rows.sides(direction)
    return sum((cost for cost, side in zip(costs_of(model, data), sides) if side <= 0), Fraction(0))


def fewest_errors(model, data, claim):
    figures, rows = claim["figures"], data.rows
    for name in ("cost_negative", "cost_positive"):
        need(figures.get(name, 1 - int(claim["main"])) > 0, f"{name} is not stated, or not positive")
    least = own = claimed_cost(model, data)
    if "direction" in claim:
        least = direction_cost(model, data, claim)
        need(least < own, "the integers cost no less than the model")
    agrees(figures, "cost", least)
    first, cost, owner = {}, {}, []  # rows equal in values and label are one, the first
    for i, price in enumerate(costs_of(model, data)):
        owner.append(first.setdefault((rows.y[i], tuple(sorted(rows.x[i]))), i))
        cost[owner[i]] = cost.get(owner[i], 0) + price
    subsets = []
    for entry in has(claim, "subsets", (list,)):
        named = numbers(entry, "rows", kinds=(int,))
        weights = integers(entry, "weights", len(named))
        need(named and min(weights) > 0, "a subset is empty, or a weight is not positive")
        need(vanishes(model, rows.combination(named, weights)), "the rows of a subset do not sum to zero")
        subsets.append({owner[rows.place[n]] for n in named})
    tree, stated = has(claim, "tree", (list,)), figures["lower_bound"]
    need(0 <= stated <= figures["cost"], "the lower bound is negative, or above the cost")
    reached = stated >= figures["cost"] * (1 - 1e-9)
    need(reached or model.outcome != "optimal", "the outcome is optimal, and the lower bound is not the cost")
    numerators, d = common(cost.values())
    unit = Fraction(math.gcd(*numerators), d)  # every cost is a multiple of it
    limit = trees_bound(rows, tree, subsets, owner, cost, unit)
    finding = f"{len(subsets)} inseparable subsets and a tree of {len(tree)} entries prove the bound {about(limit)}"
    if decimal(stated) > limit * (1 + ROUNDING):
        limit = enumerated_bound(model, rows, cost)
        need(decimal(stated) <= limit * (1 + ROUNDING), f"the least possible is {about(limit)}, not {stated!r}")
        finding = f"of all hyperplanes through rows none has a halfspace beside it that costs less than {about(limit)}"
    return "proved", finding


def trees_bound(rows, tree, subsets, owner, cost, unit):
    """The sum of the bounds of all trees, each rounded up. A row costs something in the first tree that names it."""
    place, total, named = 0, Fraction(0), set()
    while place < len(tree):
        here = Costs(cost, named)
        least, place = tree_bound(rows, tree, place, subsets, owner, here)
        total += math.ceil(max(least, Fraction(0)) / unit) * unit
        named |= here.asked
    return total


class Costs:
    """What rows cost in a tree; those that earlier trees name cost nothing."""

    def __init__(self, cost, named):
        self.cost, self.named, self.asked = cost, named, set()

    def __getitem__(self, i):
        self.asked.add(i)
        return Fraction(0) if i in self.named else self.cost[i]


def tree_bound(rows, tree, place, subsets, owner, cost):
    """The least of all leaves' bounds, and the place behind the tree. Entries come in the order of a walk: a row, the
    branch that gets it right, the branch that gets it wrong."""
    waiting, least = [{}], None
    while waiting:
        need(place < len(tree), "the tree is cut short")
        decided, entry = waiting.pop(), tree[place]
        place += 1
        row = has(entry, "row", (int,) + NONE)
        if row is not None:
            need(row in rows.place, "the tree names a row that is not one of the data")
            i = owner[rows.place[row]]
            need(i not in decided, "the tree decides a row twice")
            waiting += [{**decided, i: "wrong"}, {**decided, i: "right"}]
            continue
        chosen, m = numbers(entry, "subsets", kinds=(int,)), [decimal(v) for v in numbers(entry, "multipliers")]
        need(len(chosen) == len(m) and all(v > 0 for v in m), "a subset of a leaf has no positive multiplier")
        ascending = chosen == sorted(set(chosen))
        need(ascending and all(1 <= s <= len(subsets) for s in chosen), "a leaf names a subset twice, or one that is not there")
        held = {}
        for s, factor in zip(chosen, m):
            for i in subsets[s - 1]:
                held[i] = held.get(i, 0) + factor
        bound = sum(m) + sum(cost[i] - held.get(i, 0) for i in decided if decided[i] == "wrong")
        bound += sum(min(Fraction(0), cost[i] - a) for i, a in held.items() if i not in decided)
        least = bound if least is None else min(least, bound)
    return least, place


def enumerated_bound(model, rows, cost):
    """The least cost of all halfspaces, by going through the hyperplanes through rows.

    A best halfspace can be turned until its hyperplane holds width - 1 independent rows. Rows off the hyperplane are
    right or wrong by their side; those on it are settled by tilting, which is the same question in one dimension less.
    A ball has one more row, (0, -1, 0), which must be right: it costs more than all others.
    """
    distinct = sorted(cost)
    if math.comb(len(distinct) + 1, rows.width - 1) * len(distinct) * rows.width > MAX_WORK / 5:
        raise NotRechecked("the tree does not prove the lower bound, and there are too many hyperplanes to go through")
    z = [[rows.y[i] * n for n in dense_row(rows, i)] for i in distinct]
    price = [cost[i] for i in distinct]
    if model.task == "ball":
        z.append([0] * rows.features + [-model.inside, 0])
        price.append(sum(price) + 1)
    return least_cost(z, price)


def least_cost(z, price):
    kept, columns = independent(z, len(z[0]) if z else 0)
    z = [[row[j] for j in columns] for row in z]  # the other columns depend on these
    n = len(columns)
    if n == 0:
        return sum(price, Fraction(0))
    best = None
    for normal in normals(z, n):
        values = [sum(a * b for a, b in zip(row, normal)) for row in z]
        on = [i for i, value in enumerate(values) if value == 0]
        tilt = least_cost([z[i] for i in on], [price[i] for i in on]) if n > 1 else sum(price[i] for i in on)
        for sign in (1, -1):
            off = sum((p for p, value in zip(price, values) if sign * value < 0), Fraction(0))
            best = off + tilt if best is None else min(best, off + tilt)
    return best


def normals(z, n):
    """A normal of each hyperplane through n - 1 independent rows, by expanding a determinant."""
    seen = set()
    for chosen in itertools.combinations(range(len(z)), n - 1):
        normal = [(-1) ** j * determinant([[z[i][k] for k in range(n) if k != j] for i in chosen]) for j in range(n)]
        divisor = math.gcd(*normal)
        if divisor:
            sign = 1 if next(v for v in normal if v) > 0 else -1
            key = tuple(sign * v // divisor for v in normal)
            if key not in seen:
                seen.add(key)
                yield key


def determinant(matrix):
    return inverse(matrix)[1] if matrix else 1
