#!/usr/bin/env python3
"""Several processes on this machine: what they cost against threads, and what they send.

    bench/mpi.py [MEGABYTES [bytes]]      200

Two processes of one thread each are compared with one process of two threads: the least time of several runs, which take
turns, reading left out. Messages and bytes are counted by the program: what is given to all is one message. A pass of
logistic regression by Newton's method sends its gradient and Hessian along the tree, and to all; one of conjugate
gradients sends sums of a million columns from process to process, and to all. The last table, of bytes, is that of
docs/scale.md; with the word `bytes` no times are measured, since counts are right on a busy machine too.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy

MEGABYTES = float(sys.argv[1]) if len(sys.argv) > 1 else 200.0
RUNS = 0 if "bytes" in sys.argv[2:] else 5
COUNTS = (2, 4, 8)
sent_in_a_pass = []
program = os.path.abspath("build/linpred-mpi")
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", LINPRED_MPI_TRAFFIC="1",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none")


def fit(path, task, processes, threads):
    """Seconds of the fit, its passes, and what all processes have sent."""
    command = ["mpirun", "--oversubscribe", "--quiet", "--bind-to", "none", "-n", str(processes), program, "fit", *task,
               path, "--threads", str(threads), "--json", "--no-verify"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode > 1:
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    sent = [line.split("sent ")[1].replace(" messages,", "").split()[:2] for line in done.stderr.splitlines() if "sent " in line]
    return answer["seconds"]["fit"], answer.get("passes") or 1, [sum(int(s[k]) for s in sent) for k in range(2)]


def compare(name, path, task):
    times = {(1, 2): [], (2, 1): []}
    sizes = []
    for _ in range(RUNS):
        for shape in times:
            times[shape].append(fit(path, task, *shape)[0])
    print(f"{name:34s}", end="")
    if RUNS:
        threads, processes = min(times[(1, 2)]), min(times[(2, 1)])
        print(f" 1 x 2 threads {threads:7.3f} s   2 x 1 {processes:7.3f} s   overhead {100 * (processes / threads - 1):+5.1f} %", end="")
    print()
    for count in COUNTS:
        _, passes, (messages, size) = fit(path, task, count, 1)
        print(f"{'':34s} {count} processes: {messages / passes:8.1f} messages and {size / passes / 1e3:10.1f} kB a pass ({passes} passes)")
        sizes.append(size / passes)
    sent_in_a_pass.append((name, sizes))


def as_bytes(size):
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def print_table():
    print("\n| sent in a pass | " + " | ".join(f"{count} processes" for count in COUNTS) + " |\n|---|" + "---|" * len(COUNTS))
    for name, sizes in sent_in_a_pass:
        print(f"| {name} | " + " | ".join(map(as_bytes, sizes)) + " |")


with tempfile.TemporaryDirectory(dir="build") as folder:
    random = numpy.random.default_rng(1)
    for columns in (50, 500):
        rows = int(MEGABYTES * 1e6 / 8 / (columns + 1))
        x = random.normal(size=(rows, columns + 1))
        w = random.normal(size=columns) / columns ** 0.5
        x[:, columns] = numpy.where(x[:, :columns] @ w + random.logistic(size=rows) > 0, 1.0, -1.0)
        path = os.path.join(folder, f"rows{columns}.npy")
        numpy.save(path, x)
        compare(f"logistic, Newton, d = {columns}", path, ["logistic"])
        compare(f"least squares, d = {columns}, whole fit", path, ["regression"])
    rows, entries = int(MEGABYTES * 1e6 / 12 / 20), 20
    column = numpy.sort(random.integers(1, 1000001, size=(rows, entries)), axis=1)
    column[0, -1] = 1000000
    label = random.integers(0, 2, size=rows)
    path = os.path.join(folder, "sparse.svm")
    with open(path, "w", encoding="utf-8") as file:
        for i in range(rows):
            file.write(f"{'+1' if label[i] else '-1'} " + " ".join(f"{j}:1" for j in numpy.unique(column[i])) + "\n")
    subprocess.run(["build/linpred", "convert", path, "-o", path + ".npz", "--quiet"], check=True)
    compare("logistic, conjugate gradients, d = 1,000,000", path + ".npz", ["logistic", "--method", "newton-cg", "--l2", "0.0001"])
print_table()
