#!/usr/bin/env python3
"""Leverages and residual variance of polynomial least squares in exact rational arithmetic, as C for tests/test_interval.c.

    tools/interval_reference.py DATA.csv TARGET DEGREE ROW…      (rows from 1; every other column is a feature)

Inputs are taken as the doubles that their decimals become, which is what the program sees.
"""
import csv, sys
from fractions import Fraction


def solve(a, b):
    """Columns of b replaced by a^-1 b: Gauss-Jordan over the rationals."""
    n = len(a)
    m = [list(a[i]) + list(b[i]) for i in range(n)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if m[i][k])
        m[k], m[pivot] = m[pivot], m[k]
        m[k] = [v / m[k][k] for v in m[k]]
        for i in range(n):
            if i != k and m[i][k]:
                m[i] = [u - m[i][k] * v for u, v in zip(m[i], m[k])]
    return [row[n:] for row in m]


def main():
    path, target, degree, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), [int(r) for r in sys.argv[4:]]
    table = list(csv.DictReader(open(path)))
    names = [name for name in table[0] if name != target]
    x = [[Fraction(float(line[name])) ** k for name in names for k in range(1, degree + 1)] + [Fraction(1)] for line in table]
    y = [Fraction(float(line[target])) for line in table]
    p = len(x[0])
    gram = [[sum(r[i] * r[j] for r in x) for j in range(p)] for i in range(p)]
    right = [[sum(r[i] * v for r, v in zip(x, y))] for i in range(p)]
    identity = [[Fraction(int(i == j)) for j in range(p)] for i in range(p)]
    both = solve(gram, [r + e for r, e in zip(right, identity)])
    w = [row[0] for row in both]
    inverse = [row[1:] for row in both]
    squares = sum((v - sum(a * b for a, b in zip(r, w))) ** 2 for r, v in zip(x, y))
    print(f"variance {float(squares / (len(y) - p))!r}, degrees of freedom {len(y) - p}")
    for i in rows:
        r = x[i - 1]
        h = sum(r[a] * inverse[a][b] * r[b] for a in range(p) for b in range(p))
        print(f"{{{i}, {float(sum(a * b for a, b in zip(r, w)))!r}, {float(h)!r}}}")


main()
