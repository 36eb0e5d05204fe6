#!/usr/bin/env python3
"""Writes Parquet files that no writer makes: hand_empty.parquet has columns and no rows; in hand_twice.parquet two
columns have the same name, and the page of column `broken` is damaged.

    tests/data/parquet/make_hand.py FOLDER
"""
import struct
import sys

INT, LONG, TEXT, LIST, STRUCT = 5, 6, 8, 9, 12


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def value(kind, v):
    if kind in (INT, LONG):
        return varint(v << 1)
    if kind == TEXT:
        return varint(len(v)) + v.encode()
    if kind == LIST:
        inner, items = v
        return bytes([len(items) << 4 | inner]) + b"".join(value(inner, item) for item in items)
    out, last = b"", 0
    for number, inner, item in v:
        out, last = out + bytes([number - last << 4 | inner]) + value(inner, item), number
    return out + b"\0"


def write(path, names, rows, broken=()):
    out, chunks = b"PAR1", []
    for c, name in enumerate(names):
        data = b"".join(struct.pack("<d", row[c]) for row in rows)
        page = [(1, INT, 0), (2, INT, len(data)), (3, INT, len(data)),
                (5, STRUCT, [(1, INT, len(rows)), (2, INT, 0), (3, INT, 3), (4, INT, 3)])]
        head, start = value(STRUCT, page), len(out)
        out += (b"\xff" * len(head) if name in broken else head) + data
        about = [(1, INT, 5), (2, LIST, (INT, [0])), (3, LIST, (TEXT, [name])), (4, INT, 0), (5, LONG, len(rows)),
                 (6, LONG, len(head + data)), (7, LONG, len(head + data)), (9, LONG, start)]
        chunks.append([(2, LONG, start), (3, STRUCT, about)])
    schema = [[(4, TEXT, "schema"), (5, INT, len(names))]]
    schema += [[(1, INT, 5), (3, INT, 0), (4, TEXT, name)] for name in names]
    groups = [[(1, LIST, (STRUCT, chunks)), (2, LONG, len(out)), (3, LONG, len(rows))]] if rows else []
    footer = value(STRUCT, [(1, INT, 1), (2, LIST, (STRUCT, schema)), (3, LONG, len(rows)),
                            (4, LIST, (STRUCT, groups))])
    with open(path, "wb") as file:
        file.write(out + footer + struct.pack("<i", len(footer)) + b"PAR1")


folder = sys.argv[1]
write(folder + "/hand_empty.parquet", ["x", "y"], [])
write(folder + "/hand_twice.parquet", ["x", "x", "broken", "y"],
      [[1, 5, 0, 2], [2, 3, 0, 3], [4, 4, 0, 7], [6, 1, 0, 8]], ("broken",))
