"""Exact numbers: integers and fractions in place of doubles, and the few roundings there are.
"""
import math
import re
from fractions import Fraction

VERDICTS = ["proved", "within_tolerance", "recomputed", "partly_proved", "not_rechecked", "refuted"]
FIGURE = Fraction(1, 10**9)  # a stated figure may differ from the rows' by this part of it
GAP = Fraction(1, 10**9)  # a margin, cost or objective this near to its bound counts as the best
ROUNDING = Fraction(1, 2**50)  # gaps up to this are rounding: the model's numbers are doubles
EPSILON = Fraction(1, 2**100)  # exponentials, logarithms and roots are off by less than this part of them
IS_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")  # as data files and options write numbers
TINY = Fraction(1, 2**1074)  # the smallest double: below it there is only 0
MAX_WORK = 10**8  # multiplications of whole numbers for one sum over all rows, about a minute


class Unusable(Exception):
    """The model or the data cannot be used: exit code 2."""


class Refuted(Exception):
    """A claim is false, or its witness proves nothing."""


class NotRechecked(Exception):
    """A proof is too large to redo here."""


def damaged(condition, what):
    if condition:
        raise Unusable(f"the model is damaged: {what}")


def need(condition, message):
    if not condition:
        raise Refuted(message)


def whole(values):
    """Integers n and an exponent e with value = n / 2^e for each value."""
    ratios = [float(value).as_integer_ratio() for value in values]
    e = max((d.bit_length() - 1 for _, d in ratios), default=0)
    return [n << (e - d.bit_length() + 1) for n, d in ratios], e


def common(fractions):
    """Integers and their common denominator."""
    fractions = [Fraction(f) for f in fractions]
    d = math.lcm(*(f.denominator for f in fractions)) if fractions else 1
    return [f.numerator * (d // f.denominator) for f in fractions], d


def root(square):
    """The square root of a fraction, rounded down by less than 2^-120 of it."""
    n, d = square.numerator, square.denominator
    shift = max(0, 250 - n.bit_length() + d.bit_length()) & ~1
    return Fraction(math.isqrt((n << shift) // d), 1 << shift // 2)


def decimal(number):
    """The shortest decimal that is this double, as a fraction: 0.1 is 1/10."""
    return Fraction(repr(float(number)))


def about(value):
    """A fraction as text for people."""
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return "more than 1e308"


def agrees(figures, name, value, allowed=0):
    """The figure, if it is stated, is the value that the rows give, to a relative 1e-9."""
    if name in figures:
        near = abs(Fraction(figures[name]) - value) <= FIGURE * abs(value) + allowed + TINY
        need(near, f"{name} is said to be {figures[name]!r}, but the rows give {about(value)}")


def inverse(matrix):
    """The adjugate and determinant of a square integer matrix (determinant 0: None), by Bareiss's elimination without
    fractions: each division comes out even."""
    n = len(matrix)
    a = [list(row) + [int(i == j) for j in range(n)] for i, row in enumerate(matrix)]
    last = 1
    for k in range(n):
        pivot = next((i for i in range(k, n) if a[i][k]), None)
        if pivot is None:
            return None, 0
        if pivot != k:
            a[k], a[pivot] = a[pivot], [-v for v in a[k]]
        for i in range(n):
            if i != k:
                p, f, row = a[k][k], a[i][k], a[k]
                a[i] = [(p * v - f * w) // last for v, w in zip(a[i], row)]
        last = a[k][k]
    return [row[n:] for row in a], last


def independent(vectors, width):
    """The places of a largest set of independent integer vectors, greedily from the first, and the columns of their
    pivots."""
    kept, columns, echelon = [], [], []
    for place, vector in enumerate(vectors):
        v = list(vector)
        for row, column in echelon:
            if v[column]:
                f, p = v[column], row[column]
                v = [p * a - f * b for a, b in zip(v, row)]
        divisor = math.gcd(*v) if v else 0
        if divisor:
            v = [a // divisor for a in v]
            column = next(j for j in range(width) if v[j])
            echelon.append((v, column))
            kept.append(place)
            columns.append(column)
    return kept, columns


PRIME = 2**127 - 1


def nonsingular(matrix):
    """True proves that an integer matrix is invertible: its determinant is not 0 modulo a prime."""
    a, n = [[v % PRIME for v in row] for row in matrix], len(matrix)
    for k in range(n):
        pivot = next((i for i in range(k, n) if a[i][k]), None)
        if pivot is None:
            return False
        a[k], a[pivot] = a[pivot], a[k]
        scale = pow(a[k][k], -1, PRIME)
        for i in range(k + 1, n):
            if a[i][k]:
                f = a[i][k] * scale % PRIME
                a[i] = [(v - f * w) % PRIME for v, w in zip(a[i], a[k])]
    return True


def square(vector):
    return sum(Fraction(v) ** 2 for v in vector)
