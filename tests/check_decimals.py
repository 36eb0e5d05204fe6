#!/usr/bin/env python3
"""Numbers with a decimal point mean what is written: a file answers as the same file does in units that make it whole.

    tests/check_decimals.py PROGRAM [--files N] [--seed N]

Small files with many ties are made from a seed, as whole numbers and, with the decimal point of each column moved to the
left, as decimals. Whole numbers are exact as doubles, so their answers are the reference. Both files must have the same
separability, the same integers where the same rows prove it, the same fewest mistakes, the same shattering and number of
labellings and, where it is stated, the same kind of separation in logistic regression. Witnesses are added up once more
with fractions of the text, and no fit is refuted. Coefficients of regressions are within their bounds of the exact ones,
which fractions of the text give.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction


def moved(n, k):
    """n 10^-k as text, sometimes with zeros behind it or with an exponent."""
    sign, digits = "-" if n < 0 else "", f"{abs(n):0{k + 1}d}"
    if k == 0:
        return sign + digits
    return f"{sign}{digits[:-k]}.{digits[-k:]}"


def written(rng, n, k):
    text = moved(n, k)
    if k and rng.random() < 0.1:
        text += "0"
    elif rng.random() < 0.05:
        text = f"{n}e-{k}"
    return text


def run(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"{arguments}: exit {done.returncode}: {done.stdout[:300]}{done.stderr[:300]}")


def make_rows(rng):
    """Rows of whole numbers, labels, and the decimals of each column."""
    d = rng.randint(1, 4)
    top = rng.choice([2, 3, 9, 30, 1000])
    shape = rng.choice(["free", "line", "far"])
    rows = [[rng.randint(-top, top) for _ in range(d)] for _ in range(rng.randint(d + 1, 10))]
    if shape == "line":  # all rows on a line, so that labels touch
        step = [rng.randint(-top, top) or 1 for _ in range(d)]
        rows = [[a + t * b for a, b in zip(rows[0], step)] for t in (rng.randint(-6, 6) for _ in rows)]
    if shape == "far":
        rows = [[10**rng.randint(3, 12) + x for x in row] for row in rows]
    v = [rng.randint(-3, 3) for _ in range(d + 1)]
    labels = []
    for row in rows:
        score = sum(a * b for a, b in zip(v, row)) + v[d]
        labels.append(1 if score > 0 or (score == 0 and rng.random() < 0.5) else -1)
    labels[0], labels[-1] = 1, -1
    return rows, labels, [rng.randint(0, 2) if shape == "far" else rng.choice([0, 1, 1, 2, 3, 6, 12]) for _ in range(d)]


def write(path, rows, labels):
    with open(path, "w") as file:
        for row, label in zip(rows, labels):
            file.write(",".join(row) + f",{label}\n")


def check_witness(rows, labels, answer, where):
    total = [Fraction(0)] * (len(rows[0]) + 1)
    for i, weight in zip(answer["witness_rows"], answer["witness_weights"]):
        for j, cell in enumerate(rows[i - 1] + ["1"]):
            total[j] += int(weight) * labels[i - 1] * Fraction(cell)
    if any(total) or not answer["witness_rows"]:
        sys.exit(f"{where}: the witness does not add up to 0 in fractions of the text")


def same(name, decimal, whole, where):
    if decimal != whole:
        sys.exit(f"{where}: {name}: {decimal}, in whole numbers {whole}")


def compare(program, folder, rng, number):
    rows, labels, decimals = make_rows(rng)
    text = [[written(rng, n, k) for n, k in zip(row, decimals)] for row in rows]
    paths = os.path.join(folder, f"decimal{number}.csv"), os.path.join(folder, f"whole{number}.csv")
    write(paths[0], text, labels)
    write(paths[1], [[str(n) for n in row] for row in rows], labels)
    where = f"file {number}\n{open(paths[0]).read()}"
    decimal, whole = (run(program, "separable", path) for path in paths)
    same("outcome", decimal["outcome"], whole["outcome"], where)
    same("verdict", decimal["verdict"], "proved", where)
    if decimal["outcome"] == "inseparable":
        check_witness(text, labels, decimal, where)
        if decimal["witness_rows"] == whole["witness_rows"]:
            same("integers", decimal["witness_weights"], whole["witness_weights"], where)
    decimal, whole = (run(program, "fit", "halfspace", path, "--method", "exact") for path in paths)
    same("fewest mistakes", decimal["errors"], whole["errors"], where)
    same("verdict", decimal["verdict"] in ("proved", "recomputed"), True, where)
    for kind in ("halfspace", "ball") if len(set(decimals)) == 1 else ("halfspace",):
        decimal, whole = (run(program, "shatter", path, "--drop", str(len(decimals) + 1), "--class", kind, "--count")
                          for path in paths)
        same(f"shattered by {kind}s", decimal["shattered"], whole["shattered"], where)
        same(f"labellings by {kind}s", decimal.get("labellings"), whole.get("labellings"), where)
    decimal, whole = (run(program, "fit", "logistic", path) for path in paths)
    if decimal.get("separation"):  # columns that depend on others only to rounding may leave it out
        same("separation", decimal["separation"], whole.get("separation"), where)
    if "infimum" in decimal and "infimum" in whole:
        same("infimum", abs(decimal["infimum"] / whole["infimum"] - 1) <= 1e-9, True, where)
    if "verdict" not in decimal or decimal["verdict"] == "refuted":
        sys.exit(f"{where}: logistic: {json.dumps(decimal)[:600]}")


# ---- Coefficients of regressions -------------------------------------------------------------------------------------

CEMENT = """\
x1,x2,x3,x4,y
7,26,6,60,78.5
1,29,15,52,74.3
11,56,8,20,104.3
11,31,8,47,87.6
7,52,6,33,95.9
11,55,9,22,109.2
3,71,17,6,102.7
1,31,22,44,72.5
2,54,18,22,93.1
21,47,4,26,115.9
1,40,23,34,83.8
11,66,9,12,113.3
10,68,8,12,109.4
"""  # Hald's heat of hardening cement: his percentages add up to nearly 100, so that a coefficient magnifies 0.5e-16 of a target


def solved(matrix, right):
    """The solution of a linear system of fractions; None if it has not exactly one."""
    n = len(matrix)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [row[n] / row[k] for k, row in enumerate(rows)]


def exact_coefficients(table, weights, l2):
    """What minimises (1/W) sum of w (y-h)² + (l2/2)|w|² for the numbers as written: X'X b + (l2 W/2) D b = X'y."""
    rows = [[Fraction(cell) for cell in row[:-1]] + [Fraction(1)] for row in table]
    y, d = [Fraction(row[-1]) for row in table], len(rows[0])
    gram = [[sum(w * r[a] * r[b] for w, r in zip(weights, rows)) for b in range(d)] for a in range(d)]
    for a in range(d - 1):
        gram[a][a] += Fraction(l2) * sum(weights) / 2
    return solved(gram, [sum(w * r[a] * t for w, r, t in zip(weights, rows, y)) for a in range(d)])


def check_coefficients(program, folder, text, flags):
    """Each coefficient is within its bound of the exact one. Returns how many bounds there were."""
    path = os.path.join(folder, "regression.csv")
    with open(path, "w") as file:
        file.write(text)
    names, *table = [line.split(",") for line in text.splitlines()]
    weights = [Fraction(1)] * len(table)
    if names[0] == "w":  # row weights mean their doubles
        weights, flags = [Fraction(float(row[0])) for row in table], flags + ["--weights", "w"]
        table = [row[1:] for row in table]
    answer = run(program, "fit", "regression", path, "--target", "y", *flags)
    exact = exact_coefficients(table, weights, float(flags[1]) if flags[:1] == ["--l2"] else 0)
    if answer["verdict"] == "refuted":
        sys.exit(f"{text}{flags}: refuted: {answer['finding']}")
    bounds = answer.get("error_bounds", {})
    if exact is None or len(bounds) < len(exact):
        return 0
    for (name, value), right in zip(answer["coefficients"].items(), exact):
        off = abs(Fraction(value) - right)
        if off > Fraction(bounds[name]):
            sys.exit(f"{text}{flags}: {name} is off by {float(off):.3g}, above its bound of {bounds[name]:.3g}")
    return len(exact)


def regression_of(rng):
    """A small table of decimals whose targets are near a linear function, as text; some have row weights."""
    d, m, k = rng.randint(1, 4), rng.randint(7, 14), rng.choice([1, 1, 2, 3, 6])
    weighted, lines = rng.random() < 0.3, []
    for _ in range(m):
        row = [rng.randint(-10**k * 9, 10**k * 99) for _ in range(d)]
        target = sum((j + 1) * n for j, n in enumerate(row)) + rng.randint(-10**k, 10**k)
        lines.append(",".join([str(rng.choice([1, 2, 0.3, 1.7]))] * weighted + [moved(n, k) for n in row + [target]]))
    return ",".join(["w"] * weighted + [f"x{j + 1}" for j in range(d)] + ["y"]) + "\n" + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.files):
            compare(options.program, folder, rng, number)
        same("bounds for cement", check_coefficients(options.program, folder, CEMENT, []), 5, CEMENT)
        bounds = sum(check_coefficients(options.program, folder, regression_of(rng), rng.choice([[], [], ["--l2", "0.5"]]))
                     for _ in range(options.files))
        same("most regressions have bounds", bounds > options.files, True, f"{bounds} bounds")
    print(f"{options.files} files answer as whole numbers do; {bounds} coefficients are within their bounds")


main()
