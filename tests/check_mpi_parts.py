#!/usr/bin/env python3
"""Parts of one data set that are larger than memory, on several processes: each reads its parts and no other rows are sent.

    tests/check_mpi_parts.py PROGRAM MPI_PROGRAM

CSV and LIBSVM parts give the model, the output and the exit code of the plain program, which holds all rows. So do parts
whose rows must be encoded first (text, missing values, weights of 0) and parts that one process sees otherwise than another.
An error in one part names its file and line, and the process that read it. No file is left behind.
"""
import os
import random

from mpi_runs import bytes_sent, fail, plain, read, run, run_checks, run_mpi, same, write_csv

MEMORY = ("--memory", "20K")  # less than the files: rows do not fit


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def split(source, cuts, stem="part"):
    """The rows of a CSV file in parts, cut at these rows; one more has names alone, and one no bytes."""
    head, *lines = read(source).splitlines(True)
    names = [f"{stem}-names.csv", f"{stem}-none.csv"]
    write(names[0], head)
    write(names[1], "")
    for i, (first, end) in enumerate(zip([0, *cuts], [*cuts, len(lines)])):
        names.append(f"{stem}-{i}.csv")
        write(names[-1], head + "".join(lines[first:end]))
    return names


def check_numbers():
    noise = lambda score: score + random.gauss(0, 1)
    write_csv("labels.csv", 9000, 6, lambda score: "yes" if noise(score) > 0.3 else "no")
    write_csv("numbers.csv", 9000, 6, lambda score: f"{noise(score):.3f}")
    parts = split("labels.csv", [1, 2, 3000, 3001, 7000])  # parts of one row
    same(["fit", "logistic", *parts], counts=(1, 2, 3, 8), only=MEMORY)
    same(["fit", "logistic", *parts, "--features", "c4,c1", "--target", "7"], counts=(3,), only=MEMORY)
    same(["separable", *parts], counts=(2, 3), only=MEMORY)
    same(["fit", "halfspace", *parts, "--max-updates", "1000"], counts=(2,), only=MEMORY)
    run("fit", "logistic", "labels.csv", "-o", "model.json")
    for command in ("verify", "evaluate"):
        same([command, "model.json", *parts], output=False, counts=(3,), only=MEMORY)
    same(["predict", "model.json", *parts, "--what", "label,score"], counts=(3,), only=MEMORY)
    same(["predict", "model.json", *parts, "--keep", "c2"], counts=(2,), only=MEMORY)
    held, divided = (run_mpi(3, "fit", "logistic", *parts, *memory, LINPRED_MPI_TRAFFIC="1") for memory in ((), MEMORY))
    if not 0 < bytes_sent(divided) < bytes_sent(held) - 9000 * 6 * 8 / 2:
        fail(f"processes send {bytes_sent(divided)} bytes, {bytes_sent(held)} if all hold the rows: rows are sent")
    parts = split("numbers.csv", [4500])
    same(["fit", "regression", *parts], counts=(2, 5), only=MEMORY)
    same(["fit", "regression", *parts, "--loss", "absolute"], counts=(3,), only=MEMORY)
    same(["fit", "regression", *parts], counts=(3,), only=("--memory", "1G"))  # they fit


def check_sparse():
    with open("rows.svm", "w", encoding="utf-8") as file:
        for _ in range(2000):
            columns = sorted(random.sample(range(1, 1500), 8))
            side = sum(1 if j % 2 else -1 for j in columns) + random.gauss(0, 2) > 0
            file.write(f"{'+1' if side else '-1'} " + " ".join(f"{j}:{random.random():.3f}" for j in columns) + "\n")
    lines = read("rows.svm").splitlines(True)
    for i, (first, end) in enumerate(((0, 1), (1, 700), (700, 2000))):
        write(f"sparse-{i}.svm", "".join(lines[first:end]))
    same(["fit", "logistic", "sparse-0.svm", "sparse-1.svm", "sparse-2.svm", "--l2", "0.01"], counts=(2, 3), only=MEMORY)


def check_few_rows():
    """More processes than rows, and than parts."""
    for rows in (1, 3, 7):
        write("few.csv", "a,b,y\n" + "".join(f"{i},{i * i % 5},{2 * i + 1}\n" for i in range(rows)))
        same(["fit", "regression", *split("few.csv", list(range(1, rows)))], counts=(3, 8), only=("--memory", "1"))
    write("names.csv", "a,b,y\n")
    same(["fit", "regression", "names.csv", "names.csv"], counts=(3,), only=("--memory", "1"))


def check_encoded():
    """Rows that are not numbers as they stand: text, missing values, weights of 0. They are encoded first."""
    rows = [f"{i % 17},{'low' if i % 3 else 'high'},{i % 5},{i % 2},{'yes' if (i * 7) % 13 > 5 else 'no'}\n" for i in range(1500)]
    rows[1200] = "3,only-here,2,1,yes\n"  # a level that one process sees
    write("text.csv", "a,level,b,w,y\n" + "".join(rows))
    parts = split("text.csv", [400, 1000])
    for more in ([], ["--drop", "level"], ["--weights", "w"], ["--drop", "level", "--weights", "w"]):
        same(["fit", "logistic", *parts, "--l2", "0.1", *more], counts=(2, 4), only=MEMORY)
    rows[1100] = "three,low,2,1,yes\n"  # numbers in one part, and text in another
    write("words.csv", "a,level,b,w,y\n" + "".join(rows))
    same(["fit", "logistic", *split("words.csv", [400, 1000]), "--l2", "0.1", "--drop", "level"], counts=(3,), only=MEMORY)
    rows[1100] = ",low,2,1,yes\n"
    write("gaps.csv", "a,level,b,w,y\n" + "".join(rows))
    parts = split("gaps.csv", [400, 1000])
    for missing in ("mean", "drop", "fail"):
        same(["fit", "logistic", *parts, "--l2", "0.1", "--drop", "level", "--missing", missing], counts=(3,), only=MEMORY)
    rows[1100] = "3,low,2,1,maybe\n"  # a third label: the sentence names its file and line
    write("labels3.csv", "a,level,b,w,y\n" + "".join(rows))
    wanted = same(["fit", "logistic", *split("labels3.csv", [400, 1000]), "--drop", "level"], counts=(3,), only=MEMORY)
    if wanted.returncode != 2 or "maybe" not in wanted.stderr:
        fail(f"a third label: {wanted}")


def check_errors():
    parts = split("numbers.csv", [100, 5000])
    write(parts[3], read(parts[3]).replace("\n", "\n1,2,3\n", 1))
    got = run_mpi(3, "fit", "regression", *parts, *MEMORY)
    if got.returncode != 2 or f"{parts[3]}:2" not in got.stderr or "(process 2 of 3)" not in got.stderr:
        fail(f"an error in one part: {got}")
    got = run_mpi(2, "fit", "regression", "part-0.csv", "not-there.csv", *MEMORY)
    if got.returncode != 2 or "not-there.csv" not in got.stderr:
        fail(f"a part that is missing: {got}")
    write("other.csv", "c0,c1,c2,c3,c4,d5,y\n1,2,3,4,5,6,7\n")
    same(["fit", "regression", "part-0.csv", "other.csv"], counts=(2,), only=("--memory", "1K"))
    got = run_mpi(2, "fit", "regression", "part-0.csv", "other.csv", "--memory", "1K")
    if got.returncode != 2 or "'d5', but 'c5' in part-0.csv" not in got.stderr:
        fail(f"other columns: {got}")
    parts = split("numbers.csv", [4500])
    got = run_mpi(2, "fit", "regression", *parts, *MEMORY, first=("env", "TMPDIR=/proc"))
    if got.returncode != 2 or "/proc" not in got.stderr:
        fail(f"a folder that cannot be written to: {got}")
    # The processes have no folder in common: all hold the rows.
    os.mkdir("elsewhere")
    write("apart.sh", '#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] && cd elsewhere\nTMPDIR=. exec "$@"\n')
    os.chmod("apart.sh", 0o755)
    parts = [os.path.abspath(name) for name in parts]
    wanted = run("fit", "regression", *parts)
    got = run_mpi(2, "fit", "regression", *parts, *MEMORY, first=(os.path.abspath("apart.sh"),))
    if (got.returncode, plain(got.stdout), got.stderr) != (wanted.returncode, plain(wanted.stdout), wanted.stderr):
        fail(f"no folder in common: {got}")
    left = [name for name in [*os.listdir("."), *os.listdir("elsewhere")] if name.startswith(".linpred")]
    if left:
        fail(f"files are left behind: {left}")


run_checks(check_numbers, check_sparse, check_few_rows, check_encoded, check_errors)
