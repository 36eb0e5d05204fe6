#!/usr/bin/env python3
"""tools/recheck and `linpred verify` share no code: they must agree on models of every kind, true and tampered.

    tests/check_recheck.py PROGRAM [JUDGE] [--models N] [--tampered N] [--seed N]

Small files are made from a seed, as CSV, LIBSVM, npy and packed by gzip, and fitted in every task with every method and
many options. Each model is judged by both checkers: no claim of a fit may be refuted by either, and where verify confirms
the whole, so does recheck. Then numbers, words and truth values of the models are altered, one at a time: what one
checker rejects (refuted, or not usable at all), the other one rejects too. STRICTER lists where recheck is known to
reject more. The other way round there is one case alone: verify does not try dependencies of powers exactly. JUDGE (tests/judge.c) writes models that the program does not:
those of a logistic loss without a minimum.
"""
import argparse
import copy
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from rechecking.arithmetic import Unusable
from rechecking.model import Model
from rechecking.rows import Data
from rechecking.verdict import recheck

CONFIRMED = ("proved", "within_tolerance", "recomputed")
REJECTED = ("refuted", "unusable")
STRICTER = [  # places, and why verify may let an alteration there pass
    ("regression.tail", "a loss of nothing but rounding is not judged further"),
    ("regression.basis_tail", "a loss of nothing but rounding is not judged further"),
    ("regression.factor", "with a penalty it is part of the proof alone"),
    ("claims.least_absolute.support", "a loss of nothing but rounding is not judged further"),
    ("claims.logistic_optimum.figures.gap", "the two bounds on a tiny gap differ"),
    ("claims.finite_part.figures.gap", "the two bounds on a tiny gap differ"),
]
parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("judge", nargs="?")
parser.add_argument("--models", type=int, default=200)
parser.add_argument("--tampered", type=int, default=4, help="alterations of each model")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
program, draw = os.path.abspath(options.program), random.Random(options.seed)
problems = []


def by_verify(model, data):
    """The verdict of the whole, those of the claims, and why."""
    run = subprocess.run([program, "verify", model, data, "--accept-edited", "--json", "--quiet"], capture_output=True)
    if run.returncode not in (0, 1, 2):
        problems.append(f"verify ended with {run.returncode} on {model}")
    answer = json.loads(run.stdout)
    if run.returncode == 2:
        return "unusable", {}, answer["error"]["message"]
    return answer["verdict"], {c["claim"]: c["verdict"] for c in answer["claims"]}, answer.get("finding", "")


def by_recheck(model, data):
    reading = argparse.Namespace(format="auto", separator="", header="auto", index_base="auto", unknown_level="fail")
    try:
        read = Model(model, True)
        found, verdict = recheck(read, Data(data, reading, read))
    except Unusable as error:
        return "unusable", {}, str(error)
    except Exception:
        return "crashed", {}, traceback.format_exc()
    why = "; ".join(f"{kind}: {finding}" for kind, _, v, finding in found if v in ("refuted", "not_rechecked"))
    return verdict, {kind: v for kind, _, v, _ in found}, why


# ---- Files ---------------------------------------------------------------------------------------------------------


def value(kind):
    if kind == "whole":
        return draw.randint(-4, 4)
    if kind == "decimal":
        return round(draw.uniform(-3, 3), 1)
    return draw.gauss(0, 1) * 10 ** draw.choice([-3, 0, 0, 4])


def rows_of_classes(kind):
    d, m = draw.randint(1, 4), draw.randint(6, 24)
    x = [[value(kind) for _ in range(d)] for _ in range(m)]
    if d > 2 and draw.random() < 0.3:
        for row in x:
            row[d - 1] = row[0] + row[1]
    w = [draw.randint(-2, 2) or 1 for _ in range(d)]
    b, noise = draw.randint(-1, 1), draw.choice([0, 0, 0.1, 0.3])
    y = [int(sum(a * v for a, v in zip(w, row)) + b > 0) ^ (draw.random() < noise) for row in x]
    y[0], y[1] = 0, 1
    return x, y


def rows_without_minimum():
    """The last column settles some rows and is 0 on the others, which have either label by chance."""
    d, m = draw.randint(1, 3), draw.randint(8, 24)
    y = [i % 2 if i < 4 else draw.randint(0, 1) for i in range(m)]
    x = [[value("whole") for _ in range(d)] + [0 if i < m - 3 else draw.randint(1, 5) * (2 * y[i] - 1)] for i in range(m)]
    return x, y


def rows_of_numbers(kind):
    d, m = draw.randint(1, 4), draw.randint(8, 24)
    x = [[value(kind) for _ in range(d)] for _ in range(m)]
    if d > 2 and draw.random() < 0.3:
        for row in x:
            row[d - 1] = row[0] + row[1] if kind == "whole" else row[0]
    y = [round(sum((j + 1) * v for j, v in enumerate(row)) + draw.gauss(0, 1), 2) for row in x]
    return x, y


def write(folder, name, x, y, classes):
    """A file in one of the formats, and the options with which it is to be read."""
    style = draw.choice(["csv", "csv", "csv", "mixed", "mixed", "libsvm", "npy", "gz"])
    path, flags = os.path.join(folder, name + "." + style), []
    if style == "libsvm":
        lines = [" ".join([str(t)] + [f"{j + 1}:{v!r}" for j, v in enumerate(row) if v]) for row, t in zip(x, y)]
        data = ("\n".join(lines) + "\n").encode()
    elif style == "npy":
        kind = draw.choice(["<f8", ">f8", "<f4"])
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(x)}, {len(x[0]) + 1}), }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        cells = [float(v) for row, t in zip(x, y) for v in row + [t]]
        data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        data += struct.pack(kind[0] + str(len(cells)) + {"8": "d", "4": "f"}[kind[2]], *cells)
    else:
        names = [f"a{j}" for j in range(len(x[0]))] + ["y"]
        words = {0: "no", 1: "yes"} if classes and draw.random() < 0.5 else {}
        table = [[repr(v) for v in row] + [words.get(t, str(t))] for row, t in zip(x, y)]
        if style == "mixed":
            names, separator = ["colour", "n"] + names, draw.choice([",", ";", "\t"])
            for i, row in enumerate(table):
                row[:0] = [draw.choice(["red", "blue", '"dark, blue"']), str(draw.choice([0, 1, 1, 2, 2.5]))]
            table[0][1] = table[1][1] = "1"
            flags += draw.choice([["--weights", "n"], ["--drop", "n"], ["--drop", "colour,n"]])
            if draw.random() < 0.5:
                table[-1][2] = draw.choice(["", "NA", "?"])
                flags += ["--missing", draw.choice(["drop", "mean"])]
        else:
            separator = ","
        text = "\n".join(separator.join(row) for row in [names] + table) + "\n"
        data = gzip.compress(text.encode()) if style == "gz" else text.encode()
    with open(path, "wb") as file:
        file.write(data)
    return path, flags


# ---- Fits ----------------------------------------------------------------------------------------------------------

FITS = [["halfspace", "--method", method] for method in ("auto", "perceptron", "pocket", "lp", "margin", "exact")]
FITS += [["halfspace", "--method", "margin", "--norm", "without-intercept"], ["halfspace", "--no-intercept"]]
FITS += [["halfspace", "--method", "perceptron", "--bound"], ["halfspace", "--method", "exact", "--cost", "0.5:2"]]
FITS += [["halfspace", "--method", "perceptron", "--max-passes", "2", "--standardize"]]
FITS += [["ball", "--method", method] for method in ("auto", "pocket", "lp", "exact")] + [["ball", "--outside"]]
FITS += [["logistic"], ["logistic", "--l2", "0.1"], ["logistic", "--method", "newton-cg", "--l2", "1"]]
FITS += [["logistic", "--class-weights", "balanced", "--l2", "0.01"], ["logistic", "--no-intercept", "--l2", "0"]]
FITS += [["logistic", "--class-weights", "2:3"], ["logistic", "--max-iterations", "1"]]
FITS += [["regression"], ["regression", "--l2", "0.5"], ["regression", "--no-intercept"], ["regression", "--degree", "2"]]
FITS += [["regression", "--degree", "4"], ["regression", "--loss", "absolute"]]
FITS += [["regression", "--loss", "absolute", "--quantile", "0.2"], ["regression", "--confidence", "0.9"]]
FITS += [[task, "--dependent", "drop"] for task in ("regression", "logistic")]
FITS += [["regression", "--loss", "absolute", "--dependent", "drop"]]
FITS += [["judge"], ["judge"]] if options.judge else []


def make_model(folder, number):
    """A model and its data; None if the fit is refused, or has no model."""
    fit = FITS[number % len(FITS)]
    kind = draw.choice(["whole", "decimal", "real"])
    x, y = rows_of_numbers(kind) if fit[0] == "regression" else rows_of_classes(kind)
    if fit[0] == "judge":
        x, y = rows_without_minimum()
    data, flags = write(folder, str(number), x, y, fit[0] != "regression")
    if "--method" in fit and "perceptron" in fit and "--weights" in flags:
        flags[flags.index("--weights")] = "--drop"
    model = os.path.join(folder, f"{number}.json")
    command = [program, "fit", *fit, data, *flags, "--quiet", "-o", model, "--no-verify"]
    if fit[0] == "judge":
        command = [os.path.abspath(options.judge), "logistic", data, model]
    run = subprocess.run(command, capture_output=True)
    if run.returncode > 2:
        problems.append(f"{' '.join(command)} ended with {run.returncode}")
    return (model, data, " ".join(command[1:])) if os.path.exists(model) else None


# ---- Alterations ---------------------------------------------------------------------------------------------------


def leaves(part, place=()):
    if isinstance(part, (dict, list)) and part:
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from leaves(inner, place + (key,))
    else:
        yield place, part


def altered(leaf):
    """Something else of the same type."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return draw.choice([leaf + 1, leaf * 1.001 if leaf else 0.001, -leaf if leaf else -1, 0 if leaf else 2])
    if isinstance(leaf, str) and leaf.lstrip("-").isdigit():
        return str(draw.choice([int(leaf) + 1, 2 * int(leaf) or 2, -int(leaf) or 3]))
    return leaf + "x" if isinstance(leaf, str) else 1 if leaf is None else [1]


def name_of(document, place):
    """The place in words: claims by their kinds, other entries of lists by a star."""
    words = [document["claims"][k]["claim"] if place[0] == "claims" and i == 1 else "*" if isinstance(k, int) else k
             for i, k in enumerate(place)]
    return ".".join(words)


READING = {"separator": ",x", "decimal": ".x", "names": 1, "skip": 2, "comment": 1, "na": 1}


def tamper(model, data, what):
    with open(model, encoding="utf-8") as file:
        document = json.load(file)
    places = [(p, leaf) for p, leaf in leaves(document) if p[0] not in ("run", "written_by", "checksum", "format")]
    drawn = [(p, leaf) for p, leaf in places if p[:2] != ("recipe", "reading")]
    changes = [(p, leaf, None) for p, leaf in draw.sample(drawn, min(options.tampered, len(drawn)))]
    reading = [(p, leaf, READING[p[2]]) for p, leaf in places if p[:2] == ("recipe", "reading")]
    changes += reading[counts["models"] % max(len(reading), 1) :][:1]  # one of how the file was read, in turn
    for place, leaf, change in changes:
        other = copy.deepcopy(document)
        change = altered(leaf) if change is None else change
        part = other
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = change
        path = model + ".tampered"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(other, file)
        first, second = by_verify(path, data), by_recheck(path, data)
        name = name_of(document, place)
        agree = (first[0] in REJECTED) == (second[0] in REJECTED) and (first[0] in CONFIRMED) == (second[0] in CONFIRMED)
        counts["rejected" if first[0] in REJECTED else "let pass"] += 1
        if name.startswith("claims.fewest_errors") and first[0] == "partly_proved" and second[0] == "proved":
            continue  # recheck has gone through all hyperplanes
        if "said to hold exactly, which is not tested" in first[2]:
            continue  # dependencies of powers, which recheck tries in fractions and verify does not
        if agree or first[0] not in CONFIRMED and second[0] not in CONFIRMED and "not_rechecked" != second[0]:
            continue  # both confirm or neither does; which word they use for "not confirmed" may differ
        if second[0] in REJECTED and any(name.startswith(known) for known, _ in STRICTER):
            counts["rejected by recheck alone"] += 1
            continue
        problems.append(f"{what}\n  {name} altered from {leaf!r} to {change!r}: verify {first[0]} ({first[2]}), "
                        f"recheck {second[0]} ({second[2]})")


def check_program():
    """The program itself, on models in the tree: the checksum, what it prints, its exit codes."""
    tree = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    models, script = os.path.join(tree, "tests", "models", "v2"), os.path.join(tree, "tools", "recheck")
    model, data = os.path.join(models, "halfspace_exact_mixed.json"), os.path.join(models, "mixed.csv")
    with open(model, encoding="utf-8") as file:
        text = file.read()
    for name, content in (("edited", text.replace('"errors": 1', '"errors": 2')), ("zst", "\x28"), ("other", "a,b,y\n1,2,0\n2,1,1\n")):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"\x28\xb5\x2f\xfd" if name == "zst" else content.encode())
    edited, packed, other = (os.path.join(folder, name) for name in ("edited", "zst", "other"))
    for arguments, code, says in (
        ([model, data], 0, "rechecked    PROVED\n"), ([edited, data], 2, "was changed after it was written"),
        ([edited, data, "--accept-edited"], 1, "errors is said to be 2, but the rows give 1"),
        ([model, packed], 2, "packed by zstd, which this program does not read"), ([model], 2, "usage"),
        ([model, other], 1, "rechecked    PARTLY PROVED\n"), ([data, data], 2, "is not a linpred model"),
    ):
        run = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True)
        if run.returncode != code or says not in run.stdout + run.stderr:
            problems.append(f"recheck {' '.join(arguments)} ended with {run.returncode}: {run.stdout}{run.stderr}")


def check_reading():
    """Files that hold the same rows in other ways have the same fingerprint."""
    plain = b"size,colour,n,y\n1.5,red,1,no\n2,blue,2,yes\n.5,red,0,yes\n3e0,blue,1,yes\n-1,red,1,no\n"
    ways = [plain, b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"), plain.replace(b",", b";"), plain.replace(b",", b"\t")]
    ways += [plain.replace(b",", b"  "), plain.replace(b"red", b'"red"').replace(b"\n2,", b"\n\n +2.0 ,"), gzip.compress(plain)]
    first, model = os.path.join(folder, "way0"), os.path.join(folder, "way.json")
    for k, way in enumerate(ways):
        with open(os.path.join(folder, f"way{k}"), "wb") as file:
            file.write(way)
    subprocess.run([program, "fit", "halfspace", first, "--weights", "n", "-o", model], capture_output=True)
    for k in range(len(ways)):
        path = os.path.join(folder, f"way{k}")
        verdicts = by_verify(model, path)[0], by_recheck(model, path)[0]
        if verdicts != ("within_tolerance", "within_tolerance"):
            problems.append(f"{ways[k]}: verify {verdicts[0]}, recheck {verdicts[1]}")


def check_odd_lines():
    """Missing values that begin as comments do, separators at the ends of rows, markers that are no levels: both
    checkers read the same rows."""
    cases = [
        ("#by hand\nx,z,y\n#N/A,4,1\n1,2,3\n2,5,4\n #NA ,1,2\n4,1,7\n3,3,5\n#1,2,3\n", ["--comment", "#", "--missing", "mean"]),
        ("a,b,y\n1.5,2,3,\n4,5,1,\n7,7,2,\n7,9,2,\n", []),
        ("c,x,n,y\nu,1,1,2\nv,2,1,3\nu,4,1,1\nN/A,5,0,2\nv,7,1,5\n", ["--weights", "n", "--missing", "drop"]),
        ("x;y\n1;2\nNULL;3\n4;4\n.;1\n3;3\n", ["--missing", "mean"]),
    ]
    data, model = os.path.join(folder, "odd.csv"), os.path.join(folder, "odd.json")
    for text, options in cases:
        with open(data, "w", encoding="utf-8") as file:
            file.write(text)
        made = subprocess.run([program, "fit", "regression", data, "-o", model, *options], capture_output=True)
        verdicts = by_verify(model, data)[0], by_recheck(model, data)[0]
        if made.returncode != 0 or verdicts[0] not in CONFIRMED or verdicts[1] not in CONFIRMED:
            problems.append(f"{text!r}: fit {made.returncode}, verify {verdicts[0]}, recheck {verdicts[1]}")


def check_tails():
    """Logistic minima that no doubles state: only coefficients with tails, in the scores of a basis of the rows, are proved
    by either checker. A tail that is altered is confirmed by neither."""
    far = "".join(f"{a},{b},{y}\n" for a, b, y in (
        ("-2e-100", 3, 0), ("2e-100", "2e-100", 0), ("-2e-100", "-2e-100", 1), ("-1e-100", 2, 0),
        ("-1e-100", "-1.0000000000027286e-100", 0), ("1e-100", "1e-100", 1), ("3e-100", 3, 0), ("1e-100", -1, 1),
        ("1e-100", "1e-100", 0), ("2e-100", "2e-100", 0), ("1e-100", "1.0000000000009095e-100", 0), ("3e-100", 2, 0)))
    near = "".join(f"{a},{b},{y}\n" for a, b, y in (
        ("1000000001", "1000000001", 1), ("1000000003", "9.99999999999999e+29", 1), ("1000000001", "1000000001", 1),
        ("999999998", "999999998.0027285", 1), ("999999997", "9.99999999999998e+29", 0),
        ("999999998", "9.99999999999997e+29", 0), ("1000000001", "1e+30", 0)))
    data, model = os.path.join(folder, "tails.csv"), os.path.join(folder, "tails.json")
    for text, flags in ((far, []), (near, ["--l2", "1e-6"])):
        with open(data, "w", encoding="utf-8") as file:
            file.write("a,b,y\n" + text)
        subprocess.run([program, "fit", "logistic", data, "-o", model, "--quiet", *flags], capture_output=True)
        with open(model, encoding="utf-8") as file:
            document = json.load(file)
        verdicts = by_verify(model, data)[0], by_recheck(model, data)[0]
        if not document.get("tail") or verdicts != ("proved", "proved"):
            problems.append(f"a logistic model with tails: verify {verdicts[0]}, recheck {verdicts[1]}")
        document["tail"] = [16 * tail for tail in document.get("tail", [])]
        with open(model, "w", encoding="utf-8") as file:
            json.dump(document, file)
        verdicts = by_verify(model, data)[0], by_recheck(model, data)[0]
        if verdicts[0] in CONFIRMED or verdicts[1] in CONFIRMED:
            problems.append(f"altered tails: verify {verdicts[0]}, recheck {verdicts[1]}")


counts = {"models": 0, "rejected": 0, "let pass": 0, "rejected by recheck alone": 0, "confirmed by recheck alone": 0}
with tempfile.TemporaryDirectory() as folder:
    check_program()
    check_reading()
    check_odd_lines()
    check_tails()
    number = 0
    while counts["models"] < options.models:
        made = make_model(folder, number)
        number += 1
        if not made:
            continue
        model, data, what = made
        counts["models"] += 1
        first, second = by_verify(model, data), by_recheck(model, data)
        if "refuted" in [*first[1].values(), *second[1].values()] or first[0] in CONFIRMED and second[0] not in CONFIRMED:
            problems.append(f"{what}\n  verify {first[0]} ({first[2]}), recheck {second[0]} ({second[2]})")
        elif second[0] in CONFIRMED and first[0] not in CONFIRMED:
            counts["confirmed by recheck alone"] += 1  # exactly, where verify's arithmetic has rounding
            continue
        tamper(model, data, what)
for problem in problems:
    print(problem)
print(", ".join(f"{key} {count}" for key, count in counts.items()) + f", problems {len(problems)}")
sys.exit(1 if problems else 0)
