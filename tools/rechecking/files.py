"""Data files: docs/data.md, "Formats".
"""
import ast
import csv
import gzip
import io
import re
import struct
import sys
from array import array

from rechecking.arithmetic import IS_NUMBER, Unusable
from rechecking.model import TEXT, has


MISSING = ("", "NA", "?")
# Missing values among numbers; among words they are words, but one that is no level of the model.
MARKERS = ("N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "NaN", "nan", "NAN", "None", ".", "#NA", "#NV", "n.a.", "N.A.",
           "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!")
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
OTHERS = {b"\x28\xb5\x2f\xfd": "packed by zstd", b"PAR1": "a Parquet file", b"SQLite format 3\0": "an SQLite file"}


def read_table(path, options, model):
    """Columns by their names, as lists of texts or of numbers, and how many rows there are. The rows of a LIBSVM file are
    sparse; they stand under the name None."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise Unusable(f"{path}: {error}")
    for magic, what in OTHERS.items():
        if data.startswith(magic):
            raise Unusable(f"{path} is {what}, which this program does not read; linpred verify does")
    if options.format == "npy" or options.format == "auto" and data.startswith(b"\x93NUMPY"):
        return read_npy(path, data)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")
    except UnicodeDecodeError:
        raise Unusable(f"{path} is not UTF-8")
    if options.format == "libsvm" or options.format == "auto" and looks_like_libsvm(path, text):
        return read_libsvm(path, text, options, model)
    return read_csv(path, text, options, model)


def read_npy(path, data):
    """A matrix of numbers: magic, version, length of the header, a Python literal, the values."""
    try:
        length, at = struct.unpack("<H", data[8:10])[0], 10
        if data[6] >= 2:
            length, at = struct.unpack("<I", data[8:12])[0], 12
        header = ast.literal_eval(data[at : at + length].decode())
        kind, shape = header["descr"], header["shape"]
        code = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I"}
        code.update({"u8": "Q", "b1": "B"})
        values = array(code[kind[1:]], data[at + length :])
        if (kind[0] == ">") != (sys.byteorder == "big") and kind[0] in "<>":
            values.byteswap()
        rows, width = shape if len(shape) == 2 else (shape[0], 1)
        if len(values) != rows * width:
            raise ValueError
    except (ValueError, KeyError, IndexError, TypeError, SyntaxError, struct.error, UnicodeDecodeError):
        raise Unusable(f"{path} is not a npy file of a matrix of numbers, or it is damaged")
    step = (lambda j: values[j * rows : (j + 1) * rows]) if header["fortran_order"] else (lambda j: values[j::width])
    return {f"x{j + 1}": [float(v) for v in step(j)] for j in range(width)}, rows


def looks_like_libsvm(path, text):
    name = path[:-3] if path.endswith(".gz") else path
    if name.endswith((".svm", ".libsvm", ".svmlight")):
        return True
    lines = [line.split("#")[0].split() for line in text[:100000].split("\n")[:200]]
    lines = [line for line in lines if line]
    pair = re.compile(r"\d+:\S+\Z")
    plain = [line for line in lines if IS_NUMBER.match(line[0]) and all(pair.match(entry) for entry in line[1:])]
    return len(plain) == len(lines) and any(len(line) > 1 for line in lines)


def is_long(text):
    """docs/data.md, "Decimals": more than 15 digits, or too small for a normal double."""
    digits = re.sub("[^0-9]", "", re.split("[eE]", text)[0]).strip("0")
    return len(digits) > 15 or digits != "" and abs(float(text)) < sys.float_info.min


def read_libsvm(path, text, options, model):
    """Lines `label index:value …`. Features come as sparse rows, since columns may be many."""
    base = model.recipe["index_base"]
    if options.index_base != "auto":
        base = int(options.index_base)
    if base is None:
        base = 0 if re.search(r"\s0+:", text) else 1
    labels, rows, texts = [], [], []
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.split("#")[0].split()
        if not fields:
            continue
        labels.append(fields[0])
        row = []
        for field in fields[1:]:
            index, _, value = field.partition(":")
            if not index.isdigit() or not IS_NUMBER.match(value):
                raise Unusable(f"{path}:{number}: '{field}' is not index:value")
            row.append((int(index) - base, float(value)))
            texts.append(value)
        rows.append(row)
    long = any(map(is_long, texts + [label for label in labels if IS_NUMBER.match(label)]))
    return {has(model.target, "column", TEXT): labels, None: rows, (None, None): long}, len(rows)


def read_csv(path, text, options, model):
    """The table behind the lines that the fit skipped; if the names that the model needs do not stand there, the whole
    file."""
    try:
        table, count = read_lines(path, text, options, model, model.skip)
        names = {column["name"] for column in model.columns} | {has(model.target, "column", TEXT)}
        if model.skip == 0 or names <= table.keys():
            return table, count
    except Unusable:
        if model.skip == 0:
            raise
    return read_lines(path, text, options, model, 0)


def is_comment(line, model, separator):
    """A line that begins with the mark of comments, unless its first field is a missing value."""
    line = line.lstrip(" \t")
    if not model.comment or not line.startswith(model.comment):
        return False
    ends = r"[ \t]*(\Z|[" + re.escape(separator or model.separator or ",;\t|") + "])"
    return not any(line.startswith(marker) and re.match(ends, line[len(marker) :])
                   for marker in MARKERS if marker.startswith(model.comment))


def read_lines(path, text, options, model, skip):
    """Records of fields; the separator and the line of names are found as the page says."""
    reading = model.recipe.get("reading", {})
    if reading.get("decimal") == "," or reading.get("na") is not None:
        raise Unusable(f"{path}: decimal commas and --na are not read by this program; linpred verify reads them")
    if any(column.get("days") for column in [model.target] + model.columns):
        raise Unusable(f"{path}: dates are not read by this program; linpred verify reads them")
    separator = SEPARATORS.get(options.separator, options.separator)
    lines = text.split("\n")[skip:]
    lines = [line for line in lines if not is_comment(line, model, separator)]
    text = "\n".join(lines)
    lines = [line for line in lines if line.strip()]
    if not lines:
        raise Unusable(f"{path} holds no data")
    candidates = [separator] if separator else [model.separator] * bool(model.separator) + ["\t", ";", ",", " "]
    for separator in candidates:
        try:
            first, *others = [len(record) for record in csv_records(path, "\n".join(lines[:200]), separator)] or [0]
        except Unusable:
            continue
        if first > 1 and (set(others) <= {first} or set(others) == {first + 1}):
            break
    else:
        separator = candidates[0] if len(candidates) == 1 else ","
    records = list(csv_records(path, text, separator))
    if len(records) > 1 and all(record[-1] == "" for record in records[1:] if len(record) > len(records[0])):
        records = [record[: len(records[0])] if len(record) == len(records[0]) + 1 else record for record in records]
    counted = sum(bool(IS_NUMBER.match(field)) for field in records[0])
    if options.header == "auto" and 0 < counted < sum(field not in MISSING for field in records[0]):
        raise Unusable(f"{path}:1: the first line holds words and numbers; say --header yes or --header no")
    named = options.header == "yes" or options.header == "auto" and counted == 0
    names = records.pop(0) if named else [f"x{j + 1}" for j in range(len(records[0]))]
    if len(set(names)) < len(names) or any(len(record) != len(names) for record in records):
        raise Unusable(f"{path}: names differ from each other, and every row has as many fields as there are names")
    return {name: [record[j] for record in records] for j, name in enumerate(names)}, len(records)


csv.field_size_limit(2**31 - 1)


def csv_records(path, text, separator):
    if separator == " ":
        text = "\n".join(line.strip() for line in text.split("\n"))
    try:
        for record in csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True):
            if any(field.strip() for field in record) or len(record) > 1:
                yield [field.strip() for field in record]
    except csv.Error as error:
        raise Unusable(f"{path}: {error}")
