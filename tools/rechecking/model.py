"""The model file: docs/model-file.md, "The keys", "The checksum", "What is refused, and how".
"""
import json
import math
import re
from fractions import Fraction

from rechecking.arithmetic import Unusable, damaged


CLAIMS = {  # the figures that each kind must state, and those that it may state
    "separates": ("", "settled_rows"),
    "errors": ("errors", "perceptron_loss"),
    "objective": ("objective", "l2 class_weight_negative class_weight_positive"),
    "margin": ("", "margin margin_without_intercept"),
    "margin_at_most": ("margin_bound", ""),
    "largest_margin": ("", "gap margin_bound usual_margin_bound"),
    "other_margin": ("", "largest_margin largest_usual_margin"),
    "update_bound": ("radius norm", "update_bound"),
    "inseparable": ("", ""),
    "fewest_errors": ("cost lower_bound", "cost_negative cost_positive"),
    "logistic_optimum": ("", "gap gap_tolerance"),
    "no_minimiser": ("settled_rows", "l2"),
    "overlapping": ("", ""),
    "finite_part": ("infimum gap gap_tolerance class_weight_negative class_weight_positive", ""),
    "least_squares": ("", ""),
    "least_absolute": ("", "gap"),
    "dependencies": ("", "rank unique"),
    "standard_errors": ("", "residual_sd degrees_of_freedom"),
    "fit_quality": ("", "mean_squared_error mean_absolute_error r_squared f_statistic f_p_value degrees_of_freedom"),
    "deviance": ("deviance null_deviance", "aic"),
    "means": ("", ""),
    "data": ("rows columns total_weight", "radius"),
}


def checksum(data):
    """64-bit FNV-1a over all bytes, with the 16 digits of the checksum itself taken as 0."""
    at = data.find(b'"checksum": "') + 13
    data = data[:at] + b"0" * 16 + data[at + 16 :]
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def no_duplicates(pairs):
    damaged(len({key for key, _ in pairs}) < len(pairs), "a key occurs twice")
    return dict(pairs)


def finite(text):
    number = float(text)
    damaged(not math.isfinite(number), f"the number {text} is beyond the range of doubles")
    return number


def has(holder, key, kinds, choices=None):
    """The value of a key that must be there, of one of these types."""
    damaged(not isinstance(holder, dict) or key not in holder, f"'{key}' is missing")
    value = holder[key]
    wrong = isinstance(value, bool) and bool not in kinds or not isinstance(value, kinds)
    if wrong or (choices and value not in choices):
        damaged(True, f"'{key}' cannot be {json.dumps(value)[:40]}")
    return value


NUMBER, TEXT, NONE = (int, float), (str,), (type(None),)


def numbers(holder, key, length=None, kinds=NUMBER):
    """A list of numbers."""
    values = has(holder, key, (list,))
    bad = any(isinstance(v, bool) or not isinstance(v, kinds) for v in values)
    damaged(bad or (length is not None and len(values) != length), f"'{key}' is not a list of {length or ''} numbers")
    return values


class Model:
    """What a model file holds, looked at as far as the claims need it."""

    def __init__(self, path, accept_edited):
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError as error:
            raise Unusable(f"{path}: {error.strerror}")
        try:
            self.json = json.loads(data, object_pairs_hook=no_duplicates, parse_float=finite, parse_constant=finite)
        except (ValueError, RecursionError):
            raise Unusable(f"{path} is not a linpred model, or it is cut short or damaged")
        if not isinstance(self.json, dict) or self.json.get("format") != "linpred model":
            raise Unusable(f"{path} is not a linpred model")
        if self.json.get("version") != 2:
            raise Unusable(f"{path} has the version {self.json.get('version')}; this program reads version 2")
        if not accept_edited and checksum(data) != self.json.get("checksum"):
            raise Unusable(f"{path} was changed after it was written; --accept-edited takes it as it is")
        self.task = has(self.json, "task", TEXT, ("halfspace", "ball", "logistic", "regression"))
        self.target = has(self.json, "target", (dict,))
        self.recipe = has(self.json, "recipe", (dict,))
        self.options = has(self.json, "options", (dict,))
        self.outcome = has(has(self.json, "run", (dict,)), "outcome", TEXT)
        self.read_claims(has(self.json, "claims", (list,)))
        self.read_confidence()
        self.features = self.read_recipe()
        self.read_weights()

    def read_claims(self, entries):
        self.claims = {}
        for entry in entries:
            kind = has(entry, "claim", TEXT, tuple(CLAIMS))
            damaged(kind in self.claims, f"it claims '{kind}' twice")
            has(entry, "main", (bool,))
            for name in has(entry, "figures", (dict,)):
                has(entry["figures"], name, NUMBER)
                damaged(name not in " ".join(CLAIMS[kind]).split(), f"the claim '{kind}' has no figure '{name}'")
            for name in CLAIMS[kind][0].split():
                has(entry["figures"], name, NUMBER)
            self.claims[kind] = entry
        damaged("data" not in self.claims, "there is no claim 'data'")

    def read_confidence(self):
        """The level of intervals."""
        damaged(self.task in ("logistic", "regression") and not 0 < has(self.json, "confidence", NUMBER) < 1,
                "'confidence' is not between 0 and 1")
        if self.task == "regression":
            has(has(self.json, "regression", (dict,)), "quantile", NUMBER)

    def read_reading(self):
        """How a CSV file was read: `skip` lines, lines that begin with `comment`, the separator."""
        self.skip, self.comment, self.separator = 0, None, ""
        if "reading" not in self.recipe:
            return
        reading = has(self.recipe, "reading", (dict,))
        self.separator = has(reading, "separator", TEXT)
        has(reading, "decimal", TEXT, (".", ","))
        has(reading, "names", (bool,))
        self.skip = has(reading, "skip", (int,))
        self.comment = has(reading, "comment", TEXT + NONE)
        has(reading, "na", TEXT + NONE)
        damaged(len(self.separator) > 1 or self.skip < 0, "'separator' is one character, and 'skip' not below 0")

    def read_recipe(self):
        """The names of the features ("recipe" in the page). `powers` has a list for each encoded value, a number or an
        indicator: the features that are its powers, as pairs (feature, power)."""
        has(self.recipe, "missing", TEXT, ("fail", "drop", "mean"))
        has(self.recipe, "weights", TEXT + NONE)
        has(self.recipe, "index_base", (int,) + NONE, (0, 1, None))
        self.read_reading()
        columns = has(self.recipe, "columns", (list, int))
        if isinstance(columns, int):
            self.columns = [{"name": f"x{j + 1}", "type": "number", "mean": None} for j in range(columns)]
        else:
            self.columns = columns
        listed = [column.get("name") for column in self.columns]
        damaged(self.recipe["index_base"] is not None and listed != [f"x{j + 1}" for j in range(len(listed))],
                "its columns have numbers, and are not called x1, x2, …")
        damaged(self.recipe["index_base"] is not None and self.target.get("column") != "label",
                "columns with numbers have no name but 'label'")
        damaged(isinstance(columns, int) and self.recipe["missing"] == "mean", "no column has a mean")
        names, self.powers, self.decimals = [], [], []
        if isinstance(columns, int) and "decimals" in self.recipe:
            stated = has(self.recipe, "decimals", (list,))
            damaged(len(stated) != columns or not any(stated), "'decimals' has one number a column, not all 0")
            for column, k in zip(self.columns, stated):
                column.update({"decimals": k} if k != 0 else {})
        for column in self.columns:
            name = has(column, "name", TEXT)
            if has(column, "type", TEXT, ("number", "text")) == "text":
                levels = has(column, "levels", (list,))
                damaged(levels != sorted(set(levels), key=str.encode), f"the levels of '{name}' are not in order")
                self.powers += [[(len(names) + k, 1)] for k in range(len(levels) - 1)]
                names += [f"{name}={level}" for level in levels[1:]]
                self.decimals += [0] * (len(levels) - 1)
            else:
                self.decimals.append(read_decimals(column, "decimals"))
                mean = has(column, "mean", NUMBER + NONE)
                damaged((mean is None) == (self.recipe["missing"] == "mean") and self.columns is columns,
                        f"'{name}' has a mean that nothing asks for, or lacks one")
                degree = has(column, "degree", (int,)) if "degree" in column else 1
                damaged("degree" in column and (self.recipe["index_base"] is not None or not 2 <= degree <= 100),
                        f"'{name}' cannot have these powers")
                self.powers.append([(len(names) + k, k + 1) for k in range(degree)])
                names += [name if k == 0 else f"{name}^{k + 1}" for k in range(degree)]
        self.decimals.append(read_decimals(self.target, "decimals") if self.task == "regression" else 0)
        return names

    def read_weights(self):
        """w and b, or centre and radius; the vector that is multiplied with the rows, as fractions."""
        key, value = ("centre", "at") if self.task == "ball" else ("coefficients", "weight")
        entries = has(self.json, key, (list,))
        if isinstance(self.recipe["columns"], list):
            damaged([has(entry, "feature", TEXT) for entry in entries] != self.features,
                    "the names of the coefficients are not those of the recipe")
            entries = [has(entry, value, NUMBER) for entry in entries]
        damaged(len(numbers({key: entries}, key)) != len(self.features),
                f"there are {len(entries)} {key} for {len(self.features)} features")
        w = [Fraction(number) for number in entries]
        if self.task == "ball":
            # rho - |x-v|^2 = <2v,x> - |x|^2 + (rho - |v|^2), negated if +1 is outside
            rho = Fraction(has(self.json, "radius_squared", NUMBER))
            self.inside = 1 if has(self.json, "positive", TEXT, ("inside", "outside")) == "inside" else -1
            self.centre, self.rho, self.intercept = w, rho, True
            w = [2 * v for v in w] + [Fraction(-1), rho - sum(v * v for v in self.centre)]
            self.vector = [self.inside * v for v in w]
        else:
            b = has(self.json, "intercept", NUMBER + NONE)
            self.intercept = b is not None
            self.vector = w + ([Fraction(b)] if self.intercept else [])
        if self.task in ("halfspace", "logistic") and "tail" in self.json:  # what is meant beyond the doubles
            tail, width, before = numbers(self.json, "tail"), len(self.vector), [float(v) for v in self.vector]
            damaged(not tail or not width or len(tail) % width or len(tail) > 39 * width, "the tails are not some for each coefficient")
            for first in range(0, len(tail), width):
                part = [float(t) for t in tail[first:first + width]]
                damaged(any(v + t != v for v, t in zip(before, part)), "a tail is not below the last digit of what is before it")
                self.vector, before = [v + Fraction(t) for v, t in zip(self.vector, part)], part
        if self.task == "regression":
            self.regression = has(self.json, "regression", (dict,))
            tail = numbers(self.regression, "tail", len(self.vector))
            if not has(self.regression, "polynomials", (list,)):
                damaged(self.regression.get("basis_weights") != self.vector or self.regression.get("basis_tail") != tail,
                        "without polynomials their weights are the coefficients")
            self.vector = [v + Fraction(t) for v, t in zip(self.vector, tail)]


def read_decimals(holder, key):
    """From 1 to 22; 0 if the key is not there."""
    if key not in holder:
        return 0
    k = has(holder, key, (int,))
    damaged(not 1 <= k <= 22, f"'{key}' cannot be {k}")
    return k


def integers(claim, key, width):
    """A list of integers in strings."""
    values = has(claim, key, (list,))
    damaged(not all(isinstance(v, str) and re.fullmatch("-?[0-9]+", v) for v in values) or len(values) not in (0, width),
            f"'{key}' does not hold {width} integers in strings")
    return [int(v) for v in values]


def positive_integer(entry, key):
    """An integer above 0 in a string."""
    text = has(entry, key, TEXT)
    damaged(not re.fullmatch("[1-9][0-9]*", text), f"'{key}' is no positive integer: {text[:30]!r}")
    return int(text)


def duals(claim, key="support"):
    """Rows and their multiplier + tail, or their weight, an integer in a string."""
    entries = has(claim, key, (list,))
    rows = [has(entry, "row", (int,)) for entry in entries]
    if entries and "weight" in entries[0] and claim["claim"] != "least_absolute":
        return rows, [Fraction(positive_integer(entry, "weight")) for entry in entries]
    return rows, [Fraction(has(e, "multiplier", NUMBER)) + Fraction(has(e, "tail", NUMBER)) for e in entries]
