#!/usr/bin/env python3
"""Several files are one data set.

    tests/check_files.py PROGRAM [MPI_PROGRAM]

Rows are cut into files at random places, some of them empty, and the answers are those of one file with all rows: same
model, same output, same notices about the same lines. With linpred-mpi, any number of processes gives these bits too.
Files that do not belong together end with one sentence that names the file, and the process where there are several.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

random.seed(23)
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


def run(*arguments, processes=0):
    command = [program]
    environment = dict(os.environ)
    if processes:
        command = ["mpirun", "--oversubscribe", "--quiet", "-n", str(processes), mpi_program]
        environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", PMIX_MCA_gds="hash",
                           OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_hwloc_base_binding_policy="none")
    return subprocess.run([*command, *arguments], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          env=environment, timeout=300)


def plain(text):
    """Text without times, names of models, and where the rows lie."""
    text = re.sub(r'"(seconds|solver_seconds|checksum)": ("[0-9a-f]*"|[-+.0-9e]+)', "", text.replace("\r\n", "\n"))
    text = re.sub(r"^(time|model) .*$", "", text, flags=re.M)
    return re.sub(r"^data +[^:]*", "", text, flags=re.M)


def write(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in lines)


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def cut(rows, count):
    """The rows in so many files, some without rows."""
    at = sorted(random.randrange(len(rows) + 1) for _ in range(count - 1))
    return [rows[a:b] for a, b in zip([0, *at], [*at, len(rows)])]


def files_of(head, rows, count, ending):
    """Writes the rows to one file and to several. Where a format has no names, a file without rows has no bytes."""
    names = []
    for i, part in enumerate(cut(rows, count)):
        names.append(f"part-{i}.{ending}")
        empty = not part and (not head or random.random() < 0.5)
        write(names[-1], [] if empty else [*head, *part])
    write(f"all.{ending}", [*head, *rows])
    return names


def same(command, names, whole, processes=(0,), output=True):
    """The command with the files as with the whole."""
    if os.path.exists("one"):
        os.remove("one")
    wanted = run(*command, whole, *(["-o", "one"] if output else []))
    for count in processes:
        if os.path.exists("several"):
            os.remove("several")
        got = run(*command, *names, *(["-o", "several"] if output else []), processes=count)
        what = f"{' '.join(command)} of {len(names)} files on {count or 'no'} processes"
        if got.returncode != wanted.returncode:
            fail(f"{what}: exit code {got.returncode} instead of {wanted.returncode}:\n{got.stderr}{wanted.stderr}")
        elif output and plain(read("several") or "") != plain(read("one") or ""):
            fail(f"{what}: another model")
        elif plain(got.stdout) != plain(wanted.stdout):
            fail(f"{what}: it prints\n{got.stdout}instead of\n{wanted.stdout}")
        elif got.stderr.count("\n") != wanted.stderr.count("\n"):
            fail(f"{what}: it says\n{got.stderr}instead of\n{wanted.stderr}")


def mixed_rows(count):
    """Numbers, decimals, texts of which some are rare, missing values, and words among numbers."""
    rows = []
    for i in range(count):
        word = random.choice(["red", "green", "blue"]) if random.random() < 0.97 else f"rare{i}"
        code = random.choice(["1", "2", "3"]) if random.random() < 0.98 else "n/a"
        score = random.gauss(0, 1)
        gap = "" if random.random() < 0.01 else f"{random.gauss(score, 2):.2f}"
        rows.append(f"{score:.3f},{word},{code},{gap},{'yes' if score + random.gauss(0, 1) > 0 else 'no'}")
    return rows


def check_answers(counts):
    for rows, files in ((1, 2), (3, 5), (40, 6), (3000, 4)):
        numbers = [f"{i % 7}.{i % 10},{random.gauss(0, 1):.4f},{random.gauss(i % 7, 1):.3f}" for i in range(rows)]
        same(["fit", "regression"], files_of(["a,b,y"], numbers, files, "csv"), "all.csv", counts + ((8,) if len(counts) > 1 else ()))
    names = files_of(["a,c,d,e,y"], mixed_rows(2500), 5, "csv")
    for command in (["fit", "logistic", "--l2", "0.1", "--missing", "drop"], ["separable", "--missing", "mean"],
                    ["fit", "halfspace", "--missing", "drop", "--max-updates", "20000", "--text", "d"]):
        same(command, names, "all.csv", counts)
    run("fit", "logistic", "--l2", "0.1", "--missing", "drop", "all.csv", "-o", "model.json")
    same(["verify", "model.json"], names, "all.csv", counts, output=False)
    same(["evaluate", "model.json"], names, "all.csv", output=False)
    same(["predict", "model.json", "--what", "label,score"], names, "all.csv")
    archives = []
    for name in names:
        if os.path.getsize(name) > 20 and run("convert", name, "--target", "y", "-o", name + ".npz", "--text", "d").returncode == 0:
            archives.append(name + ".npz")
    run("convert", "all.csv", "-o", "all.npz", "--text", "d")
    same(["fit", "logistic", "--l2", "0.1", "--missing", "drop"], archives, "all.npz", counts)
    run("convert", *names, "-o", "joined.npz", "--text", "d")
    with open("all.npz", "rb") as one, open("joined.npz", "rb") as other:
        if one.read() != other.read():
            fail("several files are converted to another archive")
    for first in (0, 1):  # one file alone may seem to begin with 1
        entries = [f"{random.choice('+-')}1 {random.randrange(first, 9)}:{random.random():.3f} {random.randrange(9, 60)}:1" for _ in range(900)]
        same(["fit", "logistic", "--l2", "0.01"], files_of([], entries, 5, "svm"), "all.svm", counts)
    commas = [f"{i % 5};{random.gauss(0, 1):.2f};{i % 3}".replace(".", ",") for i in range(50)]
    write("whole.csv", ["a;b;y", "1;2;3", "2;1;4"])  # no comma tells the mark
    write("part-c.csv", ["a;b;y", *commas])
    write("all.csv", ["a;b;y", "1;2;3", "2;1;4", *commas])
    same(["fit", "regression"], ["whole.csv", "part-c.csv"], "all.csv", counts)


def refused(names, code, *sentences, command=("fit", "regression"), processes=()):
    for count in (0, *processes):
        got = run(*command, *names, processes=count)
        missing = [s for s in sentences if s not in got.stderr]
        if got.returncode != code or missing or got.stderr.count("\n") != 1:
            fail(f"{names} on {count or 'no'} processes: {got}")


def check_refusals(counts):
    write("good.csv", ["a,b,y", "1,2,3", "2,2,4", "3,1,4.5"])
    write("names.csv", ["a,c,y", "1,2,3"])
    write("fewer.csv", ["a,y", "1,3"])
    write("rows.csv", ["1,2,3", "4,5,6"])
    write("word.csv", ["a,b,y", "1,2,3", "", "5,6,x7"])
    write("gap.csv", ["a,b,y", "1,2,3", "5,,7"])
    write("none.csv", [])
    write("heading.csv", ["a,b,y"])
    write("sparse.svm", ["1 1:2 2:3"])
    refused(["good.csv", "names.csv"], 2, "names.csv: column 2 is called 'c', but 'b' in good.csv", processes=counts)
    refused(["good.csv", "none.csv", "fewer.csv"], 2, "fewer.csv has 2 columns, but good.csv has 3", processes=counts)
    refused(["good.csv", "rows.csv"], 2, "rows.csv begins with a row, but good.csv with names", processes=counts)
    refused(["good.csv", "sparse.svm"], 2, "sparse.svm is LIBSVM", "good.csv is CSV")
    refused(["none.csv", "none.csv"], 2, "none.csv: this file is empty")
    refused(["heading.csv", "none.csv", "heading.csv"], 2, "no rows", processes=counts)
    refused(["good.csv", "gap.csv"], 2, "gap.csv:3: column 2 (b) has a missing value", processes=counts)
    refused(["good.csv", "-"], 2, "standard input", command=("fit", "regression"))
    refused(["good.csv", "good.csv", "--memory", "1G"], 2, "--memory is for npz archives")
    refused(["good.csv", "heading.csv", "-o", "heading.csv"], 2, "must not be written over it")
    for count in (0, *counts):
        for name, place in (("word.csv", "word.csv:4: column 3 (y): 'x7'"), ("nowhere.csv", "'nowhere.csv'")):
            got = run("fit", "regression", "good.csv", name, "good.csv", processes=count)
            if got.returncode != 2 or place not in got.stderr or (count > 1) != ("(process " in got.stderr):
                fail(f"{name} on {count or 'no'} processes: {got}")
    for name, line in (("word.csv", 4), ("gap.csv", 3), ("names.csv", None), ("nowhere.csv", None)):
        error = json.loads(run("fit", "regression", "good.csv", name, "good.csv", "--json").stdout)["error"]
        if (error.get("file"), error.get("line")) != (name, line):
            fail(f"{name} is not named with its line: {error}")


program = os.path.abspath(sys.argv[1])
mpi_program = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
several = (2, 3) if os.path.exists(mpi_program) and shutil.which("mpirun") else ()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_answers((0, *several))
    check_refusals(several[1:])
    os.chdir("/")
print(f"{failures} failures")
sys.exit(failures > 0)
