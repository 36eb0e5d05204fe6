"""From columns to rows of whole numbers: docs/model-file.md, "recipe" and "The fingerprint"; docs/data.md.
"""
import math
import struct
from fractions import Fraction

from rechecking.arithmetic import IS_NUMBER, MAX_WORK, NotRechecked, Unusable, common, damaged, need, whole
from rechecking.files import MARKERS, MISSING, is_long, read_table
from rechecking.model import NUMBER, TEXT, has

class Rows:
    """Rows of exact numbers.

    x[i] lists pairs (j, n): feature j of row i is n / over[j]; zeros are left out. The last column is the constant 1 of
    the intercept, if there is one. A ball has one more column before it, |x|^2. y[i] is -1 or +1, or the target of a
    regression; number[i] is the row of the file, counted from 1; weight[i] is an integer, over `unit`.
    """

    def __init__(self, model, rows, decimals):
        """rows: (number, label, weight, [(place, double)…]), encoded values without their powers; decimals: of each."""
        d = len(model.features)
        self.number = [row[0] for row in rows]
        self.place = {number: i for i, number in enumerate(self.number)}
        self.y = [row[1] for row in rows]
        if decimals[-1] > 0:  # the target of a regression
            self.y = [Fraction(round(Fraction(y) * 10 ** decimals[-1]), 10 ** decimals[-1]) for y in self.y]
        self.double_weight = [row[2] for row in rows]
        self.weight, e = whole(self.double_weight)
        self.unit = 1 << e
        self.total = Fraction(sum(self.weight), self.unit)
        over = [1] * len(model.powers)
        for row in rows:
            for place, value in row[3]:
                over[place] = max(over[place], value.as_integer_ratio()[1])
        over = [10**k if k > 0 else n for k, n in zip(decimals, over)]
        self.over = [over[place] ** k for place, powers in enumerate(model.powers) for _, k in powers]
        self.x = []
        for row in rows:
            entries = []
            for place, value in row[3]:
                n = round(Fraction(value) * over[place])  # the decimal that is meant; for doubles nothing is rounded
                entries += [(j, n**k) for j, k in model.powers[place] if n]
            self.x.append(entries)
        self.features = d
        if model.task == "ball":
            most = math.lcm(*self.over)
            for entries in self.x:
                entries.append((d, sum((n * (most // self.over[j])) ** 2 for j, n in entries)))
            self.over.append(most**2)
        if model.intercept:
            for entries in self.x:
                entries.append((len(self.over), 1))
            self.over.append(1)
        self.width = len(self.over)
        self.intercept = model.intercept

    def scores(self, vector):
        """<v,x> of every row as integers over a common denominator."""
        v, d = common([Fraction(a) / over for a, over in zip(vector, self.over)])
        return [sum(v[j] * n for j, n in row) for row in self.x], d

    def sides(self, vector):
        """y<v,x> of every row, as integers over a common denominator."""
        scores, d = self.scores(vector)
        return [y * s for y, s in zip(self.y, scores)], d

    def sum(self, places, factors):
        """The vector of sums of factor times row, as fractions."""
        f, d = common(factors)
        total = [0] * self.width
        for i, a in zip(places, f):
            for j, n in self.x[i]:
                total[j] += a * n
        return [Fraction(t, d * over) for t, over in zip(total, self.over)]

    def combination(self, numbers_of_rows, factors):
        """Sum of factor y x over rows of the file."""
        need(numbers_of_rows == sorted(set(numbers_of_rows)), "the rows of the witness are not in ascending order")
        need(all(n in self.place for n in numbers_of_rows), "the witness names a row that is not one of the data")
        places = [self.place[n] for n in numbers_of_rows]
        return self.sum(places, [self.y[i] * f for i, f in zip(places, factors)])

    def gram(self, factors):
        """Sum of factor n n' over the rows, of the whole numbers n: an integer matrix (factors are integers)."""
        if sum(len(row) ** 2 for row in self.x) > MAX_WORK or self.width > 1000:
            raise NotRechecked("the sums of products over all rows are too large for this program")
        matrix = [[0] * self.width for _ in range(self.width)]
        for row, f in zip(self.x, factors):
            for place, (a, n) in enumerate(row):
                line, product = matrix[a], f * n
                for b, k in row[place:]:
                    line[b] += product * k
        return [[matrix[min(a, b)][max(a, b)] for b in range(self.width)] for a in range(self.width)]

    def radius_squared(self):
        """R² = max |(x,1)|² (through the origin |x|²)."""
        most = math.lcm(*self.over)
        square = max((sum((n * (most // self.over[j])) ** 2 for j, n in row) for row in self.x), default=0)
        return Fraction(square, most**2)


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    z = (z ^ z >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return z ^ z >> 31


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", value + 0.0))[0]


def decimals_of(values):
    """docs/data.md, "Decimals": the least k for which every value is the double nearest to some n / 10^k, |n| < 10^15.

    None if there is no such k up to 22: the values mean their doubles.
    """
    k = 0
    for x in values:
        while k <= 22 and abs(x) * 10**k < 1e15 and round(x * 10**k) / 10**k != x:  # the quotient is rounded once
            k += 1
        if k > 22 or abs(x) * 10**k >= 1e15:
            return None
    return k if all(abs(x) * 10**k < 1e15 for x in values) else None


def find_decimals(rows, width, most, real_target):
    """Decimals of each column, then of targets; 0: none, or whole numbers. most: what they may have."""
    columns = [[] for _ in range(width)]
    for row in rows:
        for j, value in row[3]:
            columns[j].append(value)
    columns.append([row[1] for row in rows] if real_target else [])
    found = [decimals_of(values) or 0 for values in columns]
    found = [k if k <= limit else 0 for k, limit in zip(found, most)]
    if any(abs(value) > 1e250 for values in columns[:width] for value in values):
        found[:width] = [0] * width
    return found


def fingerprint(rows, width, decimals):
    """docs/model-file.md, "The fingerprint": a hash of shape, values, labels, weights and decimals."""
    golden, mask = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
    key = [mix(j + golden & mask) | 1 for j in range(width)]
    total = 0
    for place, (_, label, weight, entries) in enumerate(rows):
        h = 0
        for j, value in entries:
            u = bits(value)
            h += (u ^ u >> 32) * key[j]
        h = mix(h + place * golden & mask)
        h = mix(h ^ bits(label))
        total += mix(h + bits(weight) & mask)
    total = mix(mix(total & mask ^ len(rows)) + width & mask)
    if any(decimals):
        total = mix(total ^ sum(k * (mix(j + golden & mask) | 1) for j, k in enumerate(decimals)) & mask)
    return f"{total:016x}"


UNKNOWN = -(10**9)  # the number of a level that the model does not know


class Data:
    """Rows by the recipe of a model: `rows`, their `fingerprint`, and the `means` of columns with missing values."""

    def __init__(self, path, options, model):
        self.path, self.model, self.options = path, model, options
        self.table, count = read_table(path, options, model)
        self.table_is_text = any(isinstance(cells, list) and cells and isinstance(cells[0], str) for cells in self.table.values())
        self.missing = model.recipe["missing"]
        target, weights = has(model.target, "column", TEXT), model.recipe["weights"]
        sparse = self.table.get(None)
        used = [column["name"] for column in model.columns] if sparse is None else []
        for name in used + [target] + [weights] * (weights is not None):
            if name not in self.table:
                raise Unusable(f"{path} has no column '{name}', which the model needs")
        dense = []
        base = 0  # the place of the column's first encoded value
        for column in model.columns if sparse is None else []:
            dense.append((self.cells(column), base))
            base += len(column["levels"]) - 1 if column["type"] == "text" else 1
        labels = self.labels(target)
        heavy = self.numbers(weights) if weights is not None else [1.0] * count
        rows = []
        for i in range(count):
            entries = self.sparse_entries(sparse[i]) if sparse is not None else self.entries(dense, i)
            if heavy[i] is not None and heavy[i] < 0:
                raise Unusable(f"{path}: row {i + 1} has a negative weight")
            lacking = entries is None or labels[i] is None or heavy[i] is None
            if lacking and self.missing != "drop":
                raise Unusable(f"{path}: row {i + 1} has a missing value")
            if not lacking and heavy[i]:
                if any(place < 0 for place, _ in entries):
                    raise Unusable(f"{path}: row {i + 1} has a text that the model does not know in a column of text")
                rows.append((i + 1, labels[i], heavy[i], entries))
        if not rows:
            raise Unusable(f"{path} holds no row with a weight")
        width = len(model.powers)
        most = [min(pair) for pair in zip(self.most_decimals(target), model.decimals)]
        self.decimals = find_decimals(rows, width, most, model.task == "regression")
        exact = model.task != "ball"  # the proofs of balls speak of doubles
        self.rows = Rows(model, rows, self.decimals if exact else [0] * (width + 1))
        self.fingerprint = fingerprint(rows, width, self.decimals)
        self.find_means(model, heavy, labels)

    def most_decimals(self, target):
        """A column of text with a long number has no decimals."""
        if not self.table_is_text:
            return self.model.decimals
        if None in self.table:
            return [0 if self.table[None, None] else 22] * (len(self.model.powers) + 1)
        names = [column["name"] for column in self.model.columns
                 for _ in (column["levels"][1:] if column["type"] == "text" else [0])]
        long = {name: any(IS_NUMBER.match(cell) and is_long(cell) for cell in self.table.get(name, []))
                for name in set(names + [target])}
        return [0 if long[name] else 22 for name in names + [target]]

    def numbers(self, name):
        """The cells of a column as doubles, None where missing."""
        values = []
        for i, cell in enumerate(self.table[name]):
            if isinstance(cell, str):
                if cell in MISSING or cell in MARKERS:
                    values.append(None)
                    continue
                if not IS_NUMBER.match(cell):
                    raise Unusable(f"{self.path}: row {i + 1}: '{cell}' in column '{name}' is not a number")
                cell = float(cell)
            if not math.isfinite(cell):
                raise Unusable(f"{self.path}: row {i + 1}: a number in column '{name}' is beyond the range of doubles")
            values.append(cell)
        return values

    def texts(self, name):
        return [None if cell in MISSING else cell for cell in map(str, self.table[name])]

    def cells(self, column):
        """A column as a list: doubles, or the numbers of levels (0: the reference). None: missing."""
        name = column["name"]
        if column["type"] == "number":
            filler = column["mean"]
            self.table[None, name] = values = self.numbers(name)
            if self.missing == "mean" and None in values and filler is None:
                raise Unusable(f"{self.path}: column '{name}' has a missing value, and the model has no mean for it")
            return [filler if value is None and filler is not None else value for value in values]
        level = {text: k for k, text in enumerate(column["levels"])}
        other = 0 if self.options.unknown_level == "zero" else UNKNOWN
        unknown = lambda text: None if self.missing == "drop" and text in MARKERS else other
        return [None if text is None else level[text] if text in level else unknown(text) for text in self.texts(name)]

    def entries(self, dense, i):
        """The features of row i; None if a value is missing."""
        row = []
        for (cells, base), column in zip(dense, self.model.columns):
            value = cells[i]
            if value is None:
                return None
            if column["type"] == "text":
                row += [(base + value - 1, 1.0)] if value else []
            else:
                row.append((base, float(value)))
        return row

    def sparse_entries(self, row):
        if any(not 0 <= j < len(self.model.features) for j, _ in row):
            raise Unusable(f"{self.path} has an index that the model does not have")
        return row

    def labels(self, name):
        """-1 and +1, or the numbers of a regression; None where missing."""
        kind = has(self.model.target, "type", TEXT, ("number", "text"))
        if self.model.task == "regression":
            return self.numbers(name)
        sides = [has(self.model.target, side, (dict,)) for side in ("negative", "positive")]
        if "rest" in self.model.target and has(self.model.target, "rest", (bool,)):
            return self.one_against_rest(name, kind, *sides)
        if kind == "number":
            names, cells = [float(has(side, "value", NUMBER)) for side in sides], self.numbers(name)
        else:
            names, cells = [has(side, "text", TEXT) for side in sides], self.texts(name)
        told = [float(side["text"]) if IS_NUMBER.match(has(side, "text", TEXT)) else side["text"] for side in sides]
        alone = kind == "text" and any(side["value"] is not None for side in sides)
        damaged(names[0] == names[1] or alone or kind == "number" and told != names,
                "the labels are the same, or 'text' and 'value' are not")
        for i, cell in enumerate(cells):
            if cell is not None and cell not in names:
                raise Unusable(f"{self.path}: row {i + 1} has the label '{cell}', which the model does not know")
        return [None if cell is None else 1 if cell == names[1] else -1 for cell in cells]

    def one_against_rest(self, name, kind, negative, positive):
        """More than two labels: +1 where the cell is the positive label, else -1."""
        value, text = has(positive, "value", NUMBER + (type(None),)), has(positive, "text", TEXT)
        cells, label = (self.numbers(name), value) if kind == "number" else (self.texts(name), text)
        spelt = float(text) if kind == "number" and IS_NUMBER.match(text) else None
        damaged(negative["text"] != "not " + text or negative["value"] is not None or value != spelt,
                "its labels are not one label and 'not' that label")
        return [None if cell is None else 1 if cell == label else -1 for cell in cells]

    def find_means(self, model, heavy, labels):
        self.means = {}
        for column in model.columns:
            values = self.table.get((None, column["name"]))
            if column["type"] == "number" and column["mean"] is not None and values:
                known = [(Fraction(w), Fraction(v)) for v, w in zip(values, heavy) if v is not None and w]
                self.means[column["name"]] = sum(w * v for w, v in known) / sum(w for w, _ in known)


def dense_row(rows, i):
    row = [0] * rows.width
    for j, n in rows.x[i]:
        row[j] = n
    return row


def wrong_rows(model, data):
    sides, _ = data.rows.sides(model.vector)
    return [i for i, side in enumerate(sides) if side <= 0]
