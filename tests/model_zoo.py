"""Small files, and a fit of every task, method and shape of rows on them: what tests/tamper alters and tests/judged records."""
import json
import os
import random
import struct
import subprocess
from decimal import Decimal, localcontext
from fractions import Fraction

FILES = {
    "fruit.csv": "size,colour,weight,fruit\n1,red,1,cherry\n4,blue,2,plum\n1.5,red,1,cherry\n4.7,green,1,plum\n"
                 "2,green,3,cherry\n5.5,red,1,plum\n",
    "mixed.csv": "a,b,y\n1,2,0\n2,1,1\n3,5,0\n4,3,1\n5,9,1\n6,4,0\n7,8,1\n2,6,0\n,3,1\n",
    "three.csv": "a,b,kind\n1,2,x\n2,1,y\n3,5,z\n4,3,x\n5,9,y\n6,4,z\n7,8,x\n2,6,z\n3,3,y\n",
    "quasi.csv": "a,b,y\n1,0,0\n1,1,1\n1,2,0\n1,3,1\n2,0,1\n2,5,1\n0,1,0\n0,4,0\n3,1,1\n",
    "apart.csv": "a,b,y\n1,2,0\n2,1.5,0\n3,1,0\n4,3,1\n5,9,1\n6,4,1\n",
    "twice.csv": "a,b,c,y\n1,2,3,0\n2,1,3,1\n3,5,8,0\n4,3,7,1\n5,9,14,1\n6,4,10,0\n7,8,15,1\n2,6,8,0\n3,3,6,1\n",
    "numbers.csv": "a,b,sum,n,y\n1,2,3,1,1.5\n2,1,3,2,2.5\n3,5,8,1,2\n4,3,7,0,6.25\n5,9,14,1,5\n6,4,10,3,9\n7,7,14,1,8.5\n"
                   "8,1,9,2,11\n",
    "levels.csv": "size,colour,y\n1.5,red,2\n2.5,green,3.5\n,red,4\n4,blue,4.25\n3,green,1\n5,blue,7\n2,red,3\n6,green,6.5\n",
    "days.csv": "day,y\n2024-01-01,1\n2024-01-05,2.5\n2024-01-09,2\n2024-01-20,6\n2024-02-01,7\n",
    "far_units.csv": "a,b,y\n1e150,1,1\n-1e150,2,1\n3e150,-1,0\n-1e150,-2,0\n",
    "denormal.csv": "a,b,y\n-1.5e-323,-5e-324,1\n-5e-324,1e-323,0\n1.5e-323,-1e-323,0\n1.5e-323,5e-324,0\n",
    "hair.csv": "a,b,y\n2e-150,1,0\n-2e-150,0,0\n1e-150,0,0\n-3e-150,0,0\n-2e-150,0,1\n0,0,0\n-3e-150,1,1\n1e-150,1,0\n",
    "last_bits.csv": "a,b,y\n1,0,0\n0.9999999999999998,-3e-300,1\n0.9999999999999996,0,0\n1.0000000000000004,2e-300,0\n1,3e-300,1\n",
    "tiny_units.csv": "a,b,y\n-5e-324,1000000000001,0\n-5e-324,1000000000000,1\n-5e-324,999999999997,0\n0,1000000000002,1\n",
    "nearly.csv": "a,b,c,d,y\n0,1.0000000000000003e-05,-1e15,-1e15,1\n-3,1.0000000000000006e-05,-1000000000000001,-1000000000000004,1\n-3,9.9999999999999957e-06,-999999999999999,-1000000000000002,0\n",
    "cancelling.csv": "a,b,y\n-2,-3.9999999999999991,1\n-1,-2.0000000000000013,1\n1e20,2e20,0\n2e20,4.000000000000002e20,0\n-3,-6.0000000000000018,0\n",
    "sparse.libsvm": "1 1:0.5 3:2\n-1 2:1\n1 1:3\n-1 3:-1\n",
    "vast.csv": "a,b,y\n1e60,2,1\n3e60,1,2.5\n-2e60,4,1.5\n5e60,0,4\n4e60,3,2\n-1e60,1,1\n",
    "exact.libsvm": "1 1:0.5123456789012345678 3:2\n-1.25 2:1\n1 1:3\n-1 3:-1\n2.5 2:2 3:-3\n-3 1:1\n4 1:-2 2:1\n",
    "mixed.libsvm": "1 1:0.5 3:2\n-1 2:1\n1 1:3\n-1 3:-1\n1 2:2 3:-3\n-1 1:1\n",
}
MODELS = {
    "auto": "halfspace fruit.csv --weights weight", "auto_mixed": "halfspace mixed.csv --missing mean",
    "perceptron": "halfspace fruit.csv --drop weight --method perceptron",
    "bound": "halfspace fruit.csv --drop weight --method perceptron --bound",
    "standardized": "halfspace fruit.csv --drop weight --method perceptron --standardize",
    "pocket": "halfspace mixed.csv --method pocket --missing drop", "lp": "halfspace apart.csv --method lp",
    "lp_mixed": "halfspace mixed.csv --method lp --missing drop",
    "margin": "halfspace fruit.csv --weights weight --method margin", "margin_mixed": "halfspace mixed.csv --method margin --missing drop",
    "usual": "halfspace apart.csv --method margin --norm without-intercept",
    "margin_integers": "halfspace far_units.csv --method margin", "margin_denormal": "halfspace denormal.csv --method margin --no-intercept",
    "margin_tails": "halfspace nearly.csv --method margin --no-intercept",
    "exact": "halfspace mixed.csv --method exact --missing drop", "costs": "halfspace mixed.csv --method exact --missing drop --cost 1:3",
    "exact_integers": "halfspace tiny_units.csv --method exact --no-intercept",
    "costs_integers": "halfspace last_bits.csv --method exact --cost 1:3",
    "exact_weights": "halfspace numbers.csv --method exact --target sum --positive 3 --weights n",
    "origin": "halfspace mixed.csv --no-intercept --missing drop", "sparse": "halfspace sparse.libsvm",
    "sparse_mixed": "halfspace mixed.libsvm", "rest": "halfspace three.csv --positive y", "npy": "halfspace cells.npy",
    "ball": "ball fruit.csv --weights weight", "ball_mixed": "ball mixed.csv --missing drop", "ball_outside": "ball apart.csv --outside",
    "ball_lp": "ball apart.csv --method lp", "ball_pocket": "ball mixed.csv --method pocket --missing drop",
    "ball_exact": "ball mixed.csv --method exact --missing drop", "ball_far_units": "ball far_units.csv --outside",
    "ball_exact_integers": "ball hair.csv --method exact",
    "logistic": "logistic mixed.csv --missing mean", "logistic_cg": "logistic mixed.csv --method newton-cg --missing drop",
    "logistic_l2": "logistic fruit.csv --l2 0.1 --weights weight", "logistic_classes": "logistic three.csv --positive x --class-weights 2:3",
    "logistic_balanced": "logistic three.csv --positive y --class-weights balanced --l2 0.01",
    "logistic_origin": "logistic mixed.csv --no-intercept --missing drop", "logistic_twice": "logistic twice.csv",
    "logistic_stopped": "logistic mixed.csv --max-seconds 0 --missing drop", "logistic_sparse": "logistic mixed.libsvm --l2 0.5",
    "logistic_tails": "logistic cancelling.csv --l2 1e-300",
    "squares": "regression numbers.csv", "squares_l2": "regression numbers.csv --l2 0.5", "squares_weights": "regression numbers.csv --weights n --drop sum",
    "squares_origin": "regression numbers.csv --no-intercept --drop sum,n", "squares_powers": "regression numbers.csv --features a --degree 3",
    "squares_on": "regression numbers.csv --drop sum,n --degree 2 --on a", "squares_levels": "regression levels.csv --missing mean --confidence 0.9",
    "squares_days": "regression days.csv --date day", "squares_full": "regression days.csv --date day --degree 4",
    "squares_decimals": "regression levels.csv --features size --missing drop --degree 2", "squares_sparse": "regression exact.libsvm", "squares_vast": "regression vast.csv --l2 1e120",
    "squares_npy": "regression cells.npy --target 2",
    "squares_drop": "regression numbers.csv --dependent drop", "logistic_drop": "logistic twice.csv --dependent drop",
    "absolute_drop": "regression numbers.csv --loss absolute --dependent drop", "absolute": "regression numbers.csv --loss absolute", "quantile": "regression numbers.csv --loss absolute --quantile 0.25 --weights n --drop sum",
    "powers_origin": "regression numbers.csv --features a --degree 3 --no-intercept",
    "absolute_powers": "regression numbers.csv --loss absolute --features a --degree 2",
    "absolute_levels": "regression levels.csv --loss absolute --missing drop",
    "separable": "separable apart.csv", "inseparable": "separable mixed.csv --missing drop",
    # results that the program does not write
    "separated": "judge separation apart.csv", "quasi_separated": "judge separation quasi.csv", "overlapping": "judge separation twice.csv",
    "logistic_apart": "judge logistic apart.csv", "logistic_quasi": "judge logistic quasi.csv",
}

# Larger files. Rows of more than eight columns, columns far from 0, in extreme units, that nearly depend on others, and
# more rows than a part of a pass has.
LARGER = {
    "wide": "halfspace wide.csv", "wide_margin": "halfspace wide.csv --method margin --norm without-intercept --drop n",
    "wide_pocket": "halfspace wide.csv --target a0 --positive 0 --method pocket --max-passes 3",
    "wide_ball": "ball wide.csv --features a1,a2,a3,a4,a5,a6,a7,a8,a9,a10 --target y --method pocket --max-passes 3",
    "wide_logistic": "logistic wide.csv --target a0 --positive 0 --features a1,a2,a3,a4,a5,a6,a7,a8,a9",
    "wide_logistic_l2": "logistic wide.csv --l2 0.03 --drop n", "wide_logistic_weights": "logistic wide.csv --l2 1 --weights n",
    "wide_squares": "regression wide.csv --target a18 --drop y,n", "wide_squares_weights": "regression wide.csv --target a18 --weights n --drop y",
    "wide_absolute": "regression wide.csv --target a18 --features a0,a1,a2,a3 --loss absolute",
    "overlap_exact": "halfspace overlap.csv --method exact", "overlap_costs": "halfspace overlap.csv --method exact --cost 2:3 --drop c",
    "overlap_weights": "halfspace overlap.csv --method exact --weights c", "overlap_ball": "ball overlap.csv --method exact --features a,b",
    "overlap_auto": "halfspace overlap.csv", "overlap_logistic": "logistic overlap.csv --weights c",
    "far": "halfspace far.csv", "far_logistic": "logistic far.csv --drop v", "far_squares": "regression far.csv --target v --drop y",
    "far_absolute": "regression far.csv --target v --drop y --loss absolute", "far_powers": "regression far.csv --target v --features a --degree 4",
    "far_logistic_l2": "logistic far.csv --l2 0.2",
    "units": "halfspace units.csv --drop v", "units_logistic": "logistic units.csv --drop v --l2 1e-3",
    "units_logistic_free": "logistic units.csv --drop v", "units_squares": "regression units.csv --target v --drop y",
    "near": "regression near.csv --target v --drop y", "near_logistic": "logistic near.csv --drop v",
    "near_absolute": "regression near.csv --target v --drop y --loss absolute", "near_halfspace": "halfspace near.csv --drop v",
    "twice_squares": "regression twice.csv --target b --features a,c --degree 2",
    "tall": "halfspace tall.csv --method pocket --max-passes 2", "tall_logistic": "logistic tall.csv --drop v",
    "tall_squares": "regression tall.csv --target v --drop y --confidence 0.99", "tall_l2": "regression tall.csv --target v --drop y --l2 0.01",
    "thin_squares": "regression thin.libsvm", "thin_absolute": "regression thin.libsvm --loss absolute", "thin": "halfspace signs.libsvm",
    "thin_logistic": "logistic signs.libsvm --l2 0.05", "thin_logistic_free": "judge logistic signs.libsvm", "thin_ball": "ball signs.libsvm --method pocket --max-passes 3",
    "thin_exact": "halfspace signs.libsvm --method exact",
    "muddle_exact": "halfspace muddle.csv --method exact --drop n", "muddle_costs": "halfspace muddle.csv --method exact --cost 0.3:0.7 --drop n",
    "muddle_weights": "halfspace muddle.csv --method exact --weights n", "muddle_line": "halfspace muddle.csv --method exact --features a",
    "muddle_origin": "halfspace muddle.csv --method exact --no-intercept --drop n", "muddle_ball": "ball muddle.csv --method exact --features a",
    "big_squares": "regression big.npy --target 49 --drop 50", "big_l2": "regression big.npy --target 49 --drop 50 --l2 0.1",
    "big_logistic": "logistic big.npy --target 50 --drop 49", "broad_logistic": "logistic broad.npy --target 72 --drop 71",
    "broad_logistic_l2": "logistic broad.npy --target 72 --drop 71 --l2 1e-5", "sphere": "ball sphere.csv --method lp",
    "muddle_space": "halfspace muddle.csv --method exact --features a,b,n", "zero": "logistic zero.csv --no-intercept",
    "tiny": "halfspace tiny.csv --method pocket --max-passes 2 --weights n --no-intercept",
    "margin_stopped": "halfspace wide.csv --method margin --max-seconds 0", "absolute_stopped": "regression wide.csv --target a18 --loss absolute --max-seconds 0",
    "logistic_l2_stopped": "logistic wide.csv --l2 0.1 --max-seconds 0", "far_sparse": "logistic far.libsvm", "far_sparse_l2": "logistic far.libsvm --l2 0.1",
    "sums_squares": "regression sums.csv --target v --drop y", "sums_logistic": "logistic sums.csv --drop v",
    "sums_absolute": "regression sums.csv --target v --drop y --loss absolute", "one": "judge logistic one.csv",
    "constant": "logistic constant.csv", "small": "halfspace small.csv --method lp --no-intercept", "many": "logistic many.libsvm --l2 0.01",
    "overlapping_span": "judge separation overlap.csv", "powers_twice": "regression twice.csv --target y --degree 2",
    # a minimum that doubles are not near enough to
    "digits": "logistic digits.csv --drop n", "digits_classes": "logistic digits.csv --drop b --weights n --class-weights 2:3",
    "digits_l2": "logistic digits.csv --weights n --l2 1e-3", "digits_sparse": "logistic digits.libsvm",
    "giant": "logistic giant.csv --features a", "giant_twice": "logistic giant.csv --features a,b",
    "giant_three": "logistic giant.csv --features a,c", "giant_weights": "logistic giant.csv --features a,c --weights n",
    "giant_classes": "logistic giant.csv --features a,b,c --class-weights 2:3 --weights n",
    "giant_l2": "logistic giant.csv --features a,c --l2 1e-25", "giant_sparse": "logistic giant.libsvm",
    "giant_decimals": "logistic giant.csv --features d,c", "giant_decimals_l2": "logistic giant.csv --features d,c --l2 1e-25",
    "giant_origin": "logistic giant.csv --features a,c --no-intercept",
    "long_origin": "logistic long.csv --no-intercept --drop n", "close_l2": "logistic close.csv --weights n --l2 1e-30",
    "steep_l2": "logistic steep.csv --weights n --l2 1e-3",
    "crowd_exact": "halfspace crowd.csv --method exact", "crowd_costs": "halfspace crowd.csv --method exact --cost 2:3",
    "fine_exact": "halfspace fine.csv --method exact", "thirds_exact": "halfspace thirds.csv --method exact --weights n",
}


SMALLER = {*FILES, "cells.npy", "wide.csv", "overlap.csv", "far.csv", "units.csv", "near.csv", "muddle.csv", "signs.libsvm",
           "digits.csv", "digits.libsvm", "close.csv", "giant.csv", "giant.libsvm"}


def claim_of(document, kind):
    return next(claim for claim in document["claims"] if claim["claim"] == kind)


def ball_integers(document, last=0, lift=1):
    """The ball rho - |x-v|² as integers (2v, -1, rho - |v|²), times 2^60. `last` is added to the last, and `lift`
    multiplies the one of |x|²."""
    centre = [Fraction(entry["at"]) for entry in document["centre"]]
    side = 1 if document["positive"] == "inside" else -1
    rho = Fraction(document["radius_squared"]) - sum(v * v for v in centre)
    entries = [2 * v for v in centre] + [Fraction(-lift), rho + last]
    claim_of(document, "separates")["direction"] = [str(round(side * entry * 2**60)) for entry in entries]


def cover(document, change):
    """Changes the subsets and the tree of the claim fewest_errors."""
    change(claim_of(document, "fewest_errors")["subsets"], claim_of(document, "fewest_errors")["tree"])


def branched_again(subsets, tree):
    """Where the first row is given up, it is branched on again: the leaves before it prove the bound, those after it nothing."""
    tree[-1:] = [dict(tree[0])] + [{"row": None, "subsets": [], "multipliers": []}] * 2


def no_proof(subsets, tree):
    subsets.clear()
    tree.clear()


def weight_of_subset(subsets, tree):
    subsets[-1]["weights"][0] = str(int(subsets[-1]["weights"][0]) + 1)


def leaf_of(tree):
    return next(node for node in tree if node["multipliers"])


def always_positive(document):
    """Every row is said to be positive, and that no halfspace makes fewer mistakes, which is not so."""
    for place in range(len(document["coefficients"])):
        move(document, place, 0, 0)
    document["intercept"] = 1
    figures = claim_of(document, "fewest_errors")["figures"]
    rows = claim_of(document, "data")["figures"]["rows"]
    text = dict(larger_files())["muddle.csv"].splitlines()[1:]
    figures["cost"] = figures["lower_bound"] = sum(line.endswith(",0") for line in text)
    claim_of(document, "errors")["figures"]["errors"] = figures["cost"]
    claim_of(document, "objective")["figures"]["objective"] = figures["cost"] / rows
    cover(document, no_proof)


def round_sphere(document):
    """Radius 10^6 around the middle: rows are 0.001 off it, which squares in doubles do not tell to nine digits."""
    move(document, 0, 0, 12345.5)
    move(document, 1, 0, 0)
    document["radius_squared"] = 1e12
    with localcontext() as context:
        context.prec = 60
        rows = [line.split(",") for line in dict(larger_files())["sphere.csv"].splitlines()[1:]]
        lengths = [((Decimal(float(a)) - Decimal("12345.5")) ** 2 + Decimal(float(b)) ** 2).sqrt() for a, b, _ in rows]
        claim_of(document, "margin")["figures"]["margin_without_intercept"] = float(min(abs(10**6 - length) for length in lengths))


def one_too_many(document, file):
    """The hyperplane is shifted until it makes a mistake or two more; this is then said to be the least, without a proof."""
    header, *lines = [line.split(",") for line in dict(larger_files())[file].splitlines()]
    places = [(header.index(entry["feature"]), Fraction(entry["weight"])) for entry in document["coefficients"]]
    scores = [sum(w * Fraction(line[j]) for j, w in places) for line in lines]
    sides = [1 if line[-1] == "1" else -1 for line in lines]
    figures = claim_of(document, "fewest_errors")["figures"]

    def mistakes(b):
        return sum(y * (score + Fraction(b)) <= 0 for y, score in zip(sides, scores))

    places = sorted({-score for score in scores})
    shifts = [float((a + b) / 2) for a, b in zip(places, places[1:])]
    figures["cost"], document["intercept"] = min((mistakes(b), b) for b in shifts if mistakes(b) > figures["cost"])
    figures["lower_bound"] = claim_of(document, "errors")["figures"]["errors"] = figures["cost"]
    claim_of(document, "errors")["figures"].pop("perceptron_loss", None)
    claim_of(document, "objective")["figures"]["objective"] = figures["cost"] / len(lines)
    cover(document, no_proof)


def fewer_rows(document):
    """Three rows sum to zero, and the direction leaves a fourth."""
    claim_of(document, "overlapping")["witness"] = [{"row": row, "weight": weight} for row, weight in ((1, "1"), (2, "2"), (3, "1"))]


def other_dependency(document):
    entries = document["regression"]["basis_dependencies"][0]
    entries[0] = entries[0] * 1.01 + 0.01


def in_support(document, change):
    change(claim_of(document, "largest_margin")["support"][-1])


def long_entry(document, everywhere=False):
    """One entry of the direction, or each, times 2^1100: signs then come from integers."""
    claim = claim_of(document, "no_minimiser")
    claim["direction"] = [str(int(entry) << (1100 if everywhere or place == 0 else 0)) for place, entry in enumerate(claim["direction"])]


def no_error(document, place):
    claim_of(document, "standard_errors")["standard_errors"][place] = None


def nudge(document, kind, figure, part):
    claim_of(document, kind)["figures"][figure] *= 1 + part


def support_beyond_doubles(document):
    """A support proves the same if all multipliers are larger, as long as their sums are doubles."""
    for entry in claim_of(document, "largest_margin")["support"]:
        entry.update(multiplier=1.7e308, tail=0)


def fewest_integers(document, place, entry):
    claim_of(document, "fewest_errors")["direction"][place] = entry


def integers_times_seven(document):
    """Any multiple of the multipliers proves the same."""
    for entry in claim_of(document, "largest_margin")["support"]:
        entry["weight"] = str(7 * int(entry["weight"]))


def bound_twice_as_large(document):
    """A bound that is true, with its gap of about 1, which is off by less than a part in 10^9 of 1 + gap."""
    figures = claim_of(document, "largest_margin")["figures"]
    figures["margin_bound"] *= 2
    figures["gap"] = figures["margin_bound"] / claim_of(document, "margin")["figures"]["margin"] - 1 + 1.5e-9


def ended_early(document):
    """A fit that was ended, and is not at its minimum."""
    move(document, -1, 1, 0.01)
    document["run"]["outcome"] = "stopped"
    for claim in document["claims"]:
        claim["figures"].pop("gap", None)


def without(document, kind):
    document["claims"].remove(claim_of(document, kind))


def turned(document):
    """Along the direction every loss grows that fell."""
    claim = claim_of(document, "no_minimiser")
    claim["direction"] = [str(-int(entry)) for entry in claim["direction"]]


def zeros(document):
    claim = claim_of(document, "no_minimiser")
    claim["direction"] = ["0"] * len(claim["direction"])


def factor(document, times=1, columns=None):
    """S times a number, or only some of its columns."""
    rows = document["regression"]["factor"]
    document["regression"]["factor"] = [[entry * times for entry in row[:columns]] for row in rows]


# Models changed by hand: the model that each is made of, and how. Their names say what is then true or false.
HANDMADE = {
    "tree_branches_twice_on_a_row": ("thin_exact", lambda document: cover(document, branched_again)),
    "tree_without_its_last_leaf": ("thin_exact", lambda document: cover(document, lambda subsets, tree: tree.pop())),
    "tree_with_a_leaf_too_many": ("thin_exact", lambda document: cover(document, lambda subsets, tree: tree.append(dict(tree[-1])))),
    "tree_is_a_leaf_alone": ("thin_exact", lambda document: cover(document, lambda subsets, tree: tree.__setitem__(slice(None), [leaf_of(tree)]))),
    "leaf_of_another_subset": ("thin_exact", lambda document: cover(document, lambda subsets, tree: leaf_of(tree)["subsets"].__setitem__(0, len(subsets)))),
    "multiplier_too_large": ("muddle_weights", lambda document: cover(document, lambda subsets, tree: leaf_of(tree)["multipliers"].__setitem__(0, 1e6))),
    "multiplier_below_zero": ("muddle_weights", lambda document: cover(document, lambda subsets, tree: leaf_of(tree)["multipliers"].__setitem__(0, -1))),
    "subset_that_does_not_sum_to_zero": ("muddle_exact", lambda document: cover(document, weight_of_subset)),
    "hyperplanes": ("muddle_exact", lambda document: cover(document, no_proof)),
    "hyperplanes_with_costs": ("muddle_costs", lambda document: cover(document, no_proof)),
    "hyperplanes_with_weights": ("muddle_weights", lambda document: cover(document, no_proof)),
    "hyperplanes_through_the_origin": ("muddle_origin", lambda document: cover(document, no_proof)),
    "hyperplanes_on_a_line": ("muddle_line", lambda document: cover(document, no_proof)),
    "hyperplanes_in_space": ("muddle_space", lambda document: cover(document, no_proof)),
    "hyperplanes_of_long_numbers": ("fine_exact", lambda document: cover(document, no_proof)),
    "no_proof_for_a_ball": ("muddle_ball", lambda document: cover(document, no_proof)),
    "constant_without_standard_errors": ("constant", lambda document: without(document, "standard_errors")),
    "small_without_its_margin": ("small", lambda document: claim_of(document, "margin")["figures"].pop("margin")),
    **{f"{base}_beyond_doubles": (base, lambda document: move(document, 0, 0, 1e308))
       for base in ("squares", "squares_l2", "absolute", "quantile", "logistic", "logistic_l2", "auto", "ball")},
    "balance_that_is_none": ("logistic_balanced", lambda document: nudge(document, "objective", "class_weight_negative", 0.1)),
    "direction_turned": ("logistic_quasi", turned), "direction_turned_of_one": ("one", turned), "direction_of_zeros": ("logistic_quasi", zeros),
    "loss_below_doubles": ("tiny", lambda document: nudge(document, "errors", "perceptron_loss", 1e-6)),
    "support_beyond_doubles": ("usual", support_beyond_doubles),
    "bound_twice_as_large": ("margin", bound_twice_as_large),
    **{f"{base}_ended_early": (base, ended_early) for base in ("absolute", "quantile", "squares", "near_absolute", "far_absolute")},
    **{f"{base}_far_from_its_minimum": (base, lambda document: move(document, -1, 1, 3))
       for base in ("logistic_l2", "logistic_balanced", "broad_logistic_l2", "wide_logistic_weights", "logistic")},
    **{f"{base}_with_a_mistake_too_many": (base, lambda document, file=file: one_too_many(document, file)) for base, file in
       (("muddle_exact", "muddle.csv"), ("muddle_line", "muddle.csv"), ("muddle_space", "muddle.csv"), ("fine_exact", "fine.csv"),
        ("crowd_exact", "crowd.csv"))},
    "witness_without_a_row_that_is_left": ("logistic_quasi", fewer_rows), "polynomials_with_another_dependency": ("powers_twice", other_dependency),
    "support_below_zero": ("margin", lambda document: in_support(document, lambda entry: entry.update(tail=-2 * entry["multiplier"]))),
    "support_of_a_row_that_is_not_there": ("margin", lambda document: in_support(document, lambda entry: entry.update(row=999))),
    "integer_support_of_a_row_that_is_not_there": ("margin_integers", lambda document: in_support(document, lambda entry: entry.update(row=999))),
    "integer_support_of_another_weight": ("margin_integers", lambda document: in_support(document, lambda entry: entry.update(weight="1" + entry["weight"]))),
    "integer_support_of_zero": ("margin_integers", lambda document: in_support(document, lambda entry: entry.update(weight="0"))),
    "integer_support_with_a_mark": ("margin_integers", lambda document: in_support(document, lambda entry: entry.update(weight="1_0"))),
    "integer_support_times_seven": ("margin_integers", integers_times_seven),
    "denormal_bound_too_small": ("margin_denormal", lambda document: claim_of(document, "largest_margin")["figures"].update(margin_bound=0)),
    "denormal_bound_too_large": ("margin_denormal", lambda document: claim_of(document, "largest_margin")["figures"].update(margin_bound=5e-323)),
    "denormal_gap_that_is_not": ("margin_denormal", lambda document: claim_of(document, "largest_margin")["figures"].update(gap=1e-6)),
    "fewest_by_integers_that_are_a_halfspace": ("ball_exact_integers", lambda document: fewest_integers(document, -2, "0")),
    "fewest_by_integers_that_hold_nothing": ("ball_exact_integers", lambda document: fewest_integers(document, -1, str(-10**20))),
    "fewest_by_integers_that_hold_everything": ("ball_exact_integers", lambda document: fewest_integers(document, -1, str(10**20))),
    "fewest_by_no_integers": ("ball_exact_integers", lambda document: claim_of(document, "fewest_errors").pop("direction")),
    "fewest_by_integers_that_get_it_wrong": ("exact_integers", lambda document: fewest_integers(document, 0, "0")),
    "fewest_by_no_integers_but_costs": ("costs_integers", lambda document: claim_of(document, "fewest_errors").pop("direction")),
    "fewest_by_other_integers_and_costs": ("costs_integers", lambda document: fewest_integers(document, 0, "1")),
    "fewest_by_integers_of_a_halfspace": ("exact", lambda document: claim_of(document, "fewest_errors").update(direction=["1", "2", "3"])),
    "support_of_no_row": ("usual", lambda document: claim_of(document, "largest_margin")["support"].clear()),
    "direction_with_a_long_entry": ("logistic_apart", long_entry), "direction_of_long_entries": ("logistic_apart", lambda document: long_entry(document, True)),
    **{f"{base}_without_standard_error_{place}": (base, lambda document, place=place: no_error(document, place))
       for base in ("logistic", "squares_weights") for place in (0, -1)},
    "round_sphere": ("sphere", round_sphere), "fewest_that_are_not": ("muddle_exact", always_positive),
    **{f"{base}_without_factor": (base, lambda document: document["regression"].update(factor=[]))
       for base in ("squares", "squares_l2", "squares_powers", "squares_weights", "sums_squares", "big_squares", "big_l2", "thin_squares")},
    "factor_without_a_column": ("squares", lambda document: factor(document, columns=-1)),
    **{f"factor_times_{times}_of_{base}": (base, lambda document, times=times: factor(document, times))
       for times in (1.00001, 1.0005, 1.4) for base in ("squares", "squares_l2", "squares_powers", "big_squares")},
    "ball_of_integers": ("ball_lp", ball_integers),
    "ball_of_integers_outside": ("ball_outside", ball_integers),
    "ball_of_integers_too_large": ("ball_lp", lambda document: ball_integers(document, last=100)),
    "ball_of_integers_too_small": ("ball_lp", lambda document: ball_integers(document, last=-100)),
    "ball_of_integers_that_is_a_halfspace": ("ball_lp", lambda document: ball_integers(document, lift=0)),
}


def larger_files():
    """The files of LARGER, by a generator of their own, so that they are the same for ever."""
    state = 1

    def draw(count):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return (state >> 8) % count

    def table(name, header, rows):
        return name, header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)

    wide = []
    for _ in range(60):
        a = [draw(2)] + [(draw(61) - 30) / 10 for _ in range(17)]
        a.append(round(a[1] - 2 * a[2] + a[9] + draw(9) / 4, 2))
        wide.append(a + [1 + draw(3), int(a[1] + a[2] - a[10] + a[17] > 0.3)])
    yield table("wide.csv", ",".join(f"a{j}" for j in range(19)) + ",n,y", wide)
    overlap = [[draw(9), draw(9) / 2, 1 + draw(3)] for _ in range(24)]
    yield table("overlap.csv", "a,b,c,y", [row + [int(row[0] + row[1] + draw(7) > 9)] for row in overlap])
    far = [[1000000 + draw(40), 5 + draw(3) / 8, -3e9 + draw(50)] for _ in range(30)]
    yield table("far.csv", "a,b,c,v,y", [row + [(row[0] - 1000000) * 2 + draw(5), int(row[0] + draw(16) > 1000026)] for row in far])
    units = [[(draw(40) - 20) * 1e-200, (draw(40) - 20) * 1e180, draw(9)] for _ in range(30)]
    yield table("units.csv", "a,b,c,v,y", [r + [r[2] * 3 + draw(4), int(r[0] * 1e200 + r[1] / 1e180 + draw(20) > 9)] for r in units])
    near = [[draw(40) / 10, draw(40) / 7, draw(3)] for _ in range(20)]
    yield table("near.csv", "a,b,c,d,v,y", [[a, b, c, a + b + (1e-13 if i % 7 == 3 else 0), a + 2 * b + draw(3), int(a + draw(5) > 4)]
                                           for i, (a, b, c) in enumerate(near)])
    tall = [[draw(1000) / 100, draw(1000) / 8 - 60] for _ in range(3000)]
    yield table("tall.csv", "a,b,v,y", [[a, b, round(3 * a - b + draw(100) / 10, 1), int(a + b / 20 + draw(8) > 9)] for a, b in tall])
    muddle = [[draw(7) - 3, draw(12) / 4, [0.1, 0.2, 1, 2.5][draw(4)], draw(2)] for _ in range(26)]
    yield table("muddle.csv", "a,b,n,y", muddle + muddle[:3])
    yield table("thirds.csv", "a,b,n,y", [[a, b, [1 / 3, 2 / 3, 1][min(i, 1 + i % 2)], y] for i, (a, b, _, y) in enumerate(muddle)])
    yield table("fine.csv", "a,b,y", [[a * 10**11 + draw(3) / 1000, b * 10**11 + draw(2) / 1000, y] for a, b, _, y in muddle + muddle[:4]])
    sphere = [(999999.999, 1), (1000000.001, 0)]
    yield table("sphere.csv", "a,b,y", [[x * a + 12345.5, x * b, y] for x, y in [(0, 1)] + sphere for a, b in ((1, 0), (0, 1), (-1, 0), (0.6, -0.8))])
    yield "one.csv", "a,y\n0,0\n0,1\n1,1\n"
    yield "constant.csv", "a,b,y\n1,1,0\n2,1,1\n3,1,0\n4,1,1\n5,1,1\n"
    yield "small.csv", "a,b,y\n1e-200,0,1\n2e-200,1e-200,1\n-1e-200,-3e-200,0\n"
    sums = [[draw(1000) / 100, draw(1000) / 8 - 60] for _ in range(3000)]
    yield table("sums.csv", "a,b,s,v,y", [[a, b, round(a + b, 3), round(a - b + draw(100) / 10, 1), int(a + b / 20 + draw(8) > 9)] for a, b in sums])
    yield "many.libsvm", "".join(f"{draw(2)}" + "".join(f" {j + draw(3)}:{draw(9) - 4}" for j in range(1, 1100, 90)) + "\n" for _ in range(80))
    yield "zero.csv", "a,b,y\n0,0,0\n0,0,1\n0,0,1\n"
    yield table("tiny.csv", "a,b,n,y", [[(draw(9) - 4) * 1e-30, (draw(9) - 4) * 1e-30, (1 + draw(3)) * 1e-268, draw(2)] for _ in range(12)])
    yield "far.libsvm", "".join(f"{1 if i + draw(20) > 20 else -1} 1:{1000000 + i}" + f" 3:{draw(9)}" * (i % 2) + "\n" for i in range(30))
    thin, signs = "", ""
    for i in range(40):
        cells = "".join(f" {j}:{draw(31) / 4 - 3}" for j in range(1, 13) if draw(4) == 0)
        thin, signs = thin + f"{draw(90) / 10}{cells}\n", signs + f"{1 if (i + draw(3)) % 3 else -1}{cells}\n"
    yield "thin.libsvm", thin
    yield "signs.libsvm", signs
    last, labels = (-1, -1, 3, 0, -2, 1, -1, 2, 0, 1), (0, 0, 0, 1, 1, 1, 0, 1, 0, 0)
    nearly = [1 + 2**-52 * digit for digit in last]
    yield table("digits.csv", "a,b,n,y", [[-2 * x, x / 2, 1 + i % 3, y] for i, (x, y) in enumerate(zip(nearly, labels))])
    giant = [(-2 * x, f"{1.99999999999990 + digit / 10**14:.14f}", i % 4 / 4, 1 + i % 3, y)
             for i, (x, digit, y) in enumerate(zip(nearly, last, labels))] + [(3.0, "3", 0.25, 1, 0)]
    yield table("giant.csv", "a,b,c,d,n,y", [[a, -a / 4, c, d, n, y] for a, d, c, n, y in giant])
    yield "giant.libsvm", "".join(f"{2 * y - 1} 1:{a}" + f" 3:{c}" * (c > 0) + "\n" for a, _, c, _, y in giant[2:] + giant[:2])
    yield "digits.libsvm", "".join(f"{2 * y - 1} 1:{-2 * x}" + f" 3:{digit / 10}" * (i % 3 > 0) + "\n"
                                   for i, (x, y, digit) in enumerate(zip(nearly, labels, last)))
    long = [(draw(9), draw(9), draw(3)) for _ in range(14)]
    yield table("long.csv", "a,b,c,n,y", [[f"{10**11 + a}.{b}{c}1", b, f"{b}.{c}5", 1 + c, int(a + b + draw(9) > 12)] for a, b, c in long])
    near = [(draw(80) - 40, draw(3), draw(5), draw(7)) for _ in range(16)]
    yield table("close.csv", "a,b,c,n,y", [[f"{a}0000000000.{b}1", f"{a}0000000000.{b + c}3", c * 1e-200, 1 + i % 2, int(a / 20 + b + c / 2 + d > 5)]
                                         for i, (a, b, c, d) in enumerate(near)])
    yield table("steep.csv", "a,b,c,n,y", [[a + 0.5, (a + 0.5) * (1 + 2**-51 * b), c * 1e-200, 1 + i % 2, int(a / 20 + b + c / 2 + d > 5)]
                                         for i, (a, b, c, d) in enumerate(near)])
    crowd = [[draw(41) - 20, draw(41) - 20, draw(41) - 20] for _ in range(84)]
    yield table("crowd.csv", "a,b,c,y", [[a, b, c, int(a - b + 2 * c > 0) ^ (draw(3) == 0)] for a, b, c in crowd])


def write_npy(path, width, cells):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(cells) // width}, {width}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(cells)}d", *cells))


def write_files(folder):
    for name, text in [*FILES.items(), *larger_files()]:
        with open(folder + "/" + name, "w", encoding="utf-8") as file:
            file.write(text)
    write_npy(folder + "/cells.npy", 3, [1, 2, 0, 2, 1, 1, 3, 5, 0, 4, 3, 1, 5, 9, 1, 6, 4.5, 0, 7, 8, 1])
    draw = random.Random(1).random
    for name, rows, width in (("big", 8500, 48), ("broad", 1500, 70)):
        cells = []
        for _ in range(rows):
            x = [draw() - 0.3 for _ in range(width)]
            v = sum(x[::3]) - x[1] + draw()
            cells += x + [v, float(v + 3 * draw() > 4.5)]
        write_npy(f"{folder}/{name}.npy", width + 2, cells)


JUDGED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judged")


def read_models():
    """(name, data, text) of every recorded model."""
    with open(os.path.join(JUDGED, "models.jsonl"), encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t", 2)) for line in file]


def read_answers():
    with open(os.path.join(JUDGED, "answers.txt"), encoding="utf-8") as file:
        return file.read().splitlines()


def nudged(models):
    """Each claim of a task, left out of the first model that makes it; and each of its figures made another by these
    parts of it: what the tolerances let pass, and what not."""
    seen = set()
    for name, data, text in models:
        document = json.loads(text)
        for claim in document["claims"]:
            key = (document["task"], claim["claim"])
            if key not in seen:
                others = {**document, "claims": [other for other in document["claims"] if other is not claim]}
                yield f"{name} without {claim['claim']}", name, data, json.dumps(others)
            seen.add(key)
            for figure, value in claim["figures"].items():
                if (*key, figure) in seen or not value:
                    continue
                seen.add((*key, figure))
                parts = (-1, 1) if isinstance(value, int) else (7e-10, 1.5e-9, 3e-8, -0.5, 1)
                for part in parts:
                    claim["figures"][figure] = value + part if isinstance(value, int) else value * (1 + part)
                    yield f"{name}, {claim['claim']}.{figure} {part:+}", name, data, json.dumps(document)
                claim["figures"][figure] = value


def move(document, place, times, plus):
    """Moves the coefficient of a place, -1 for the intercept."""
    key, entry = ("centre", "at") if document["task"] == "ball" else ("coefficients", "weight")
    holder, name = (document, "intercept") if place < 0 else (document[key], place)
    if isinstance(holder[name], dict):
        holder, name = holder[name], entry
    holder[name] = holder[name] * times + plus
    if document["task"] == "regression" and not document["regression"]["polynomials"]:
        document["regression"]["basis_weights"][place] = holder[name]


def moved(models):
    """Each model with other coefficients: its first one larger by a thousandth of it, its intercept by a hundredth. The
    claims are then false by so much, and findings show the bounds on what is wrong."""
    for name, data, text in models:
        document = json.loads(text)
        move(document, 0, 1.001, 1e-300)
        yield f"{name}, first coefficient moved", name, data, json.dumps(document)
        document = json.loads(text)
        if document.get("intercept") is not None:
            move(document, -1, 1, 0.01)
            yield f"{name}, intercept moved", name, data, json.dumps(document)


def changed(models):
    """(name, name of the recorded model, data, text) of every model of HANDMADE that is made of one of these."""
    known = {name: (data, text) for name, data, text in models}
    for name, (base, change) in HANDMADE.items():
        if base in known:
            document = json.loads(known[base][1])
            change(document)
            yield name, base, known[base][0], json.dumps(document)


def answers_of(judge, models, folder):
    """What the checker (the command `judge`) says of models, a line a field: the verdict of the whole, its summary, the
    claims, the numbers. Of a model that is made of another one only what differs. None if the judge fails."""
    more = [*changed(models), *([] if "scarce" in judge else [*nudged(models), *moved(models)])]
    texts = [model[-2:] for model in models + more]
    requests = b"".join(f"{len(text.encode())} {data}\n".encode() + text.encode() for data, text in texts)
    run = subprocess.run(judge, input=requests, capture_output=True, cwd=folder)
    lines = [line.split("\t") for line in run.stdout.decode(errors="replace").splitlines()]
    lines = [fields[:1] if fields[0] == "unusable" else fields for fields in lines]  # why is the reader's business
    if run.returncode or len(lines) != len(texts):
        return None
    answers = {model[0]: fields for model, fields in zip(models, lines)}
    found = [f"{name}: {field}" for name, fields in answers.items() for field in fields]
    for (name, base, _, _), fields in zip(more, lines[len(models):]):
        found += [f"{name}: {field}" for i, field in enumerate(fields) if i == 0 or field not in answers[base]]
    return found
