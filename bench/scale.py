#!/usr/bin/env python3
"""Rows beyond memory: passes over an archive against a bare read of it, and a peer on a part of the rows.

    bench/scale.py [GIGABYTES [LIMIT [FOLDER]]]     4 GB, 1G, build

An archive of dense rows is made, then read alone, then fitted, all under a limit on memory: a control group, which counts
cached pages too, if one can be made, so that each pass must come from the disk; else the address space is free and the
cache helps. How often a fit reads the archive is counted by the system. A pass is what a fit reads once it has begun to;
the whole fit includes its start. Each fit runs three times, between bare reads; the medians count, of bare reads those
of the fastest way, since disks that others use too are now fast, now slow. One way reads through the system's cache and
gives its pages back, which is faster than to let the system look for such pages. The others read past the cache, by two
or four threads, 2 MB at a time, to huge pages. The reading alone is timed.

The peer is LIBLINEAR (-s 0), since Debian 12 has no package of Vowpal Wabbit, on the first rows as
text: the time from the file to the model, to the objective that linpred reaches. All files are removed at the end.
"""
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

import numpy

GIGABYTES = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
LIMIT = sys.argv[2] if len(sys.argv) > 2 else "1G"
FOLDER = sys.argv[3] if len(sys.argv) > 3 else "build"
COLUMNS = 50
ROUNDS = 3
CHUNK = 1 << 17
GROUPS = ("/sys/fs/cgroup/memory", "/sys/fs/cgroup")
program = os.path.abspath("build/linpred")


def bytes_of(text):
    return int(float(text[:-1]) * 1024 ** ("KMGT".index(text[-1]) + 1)) if text[-1] in "KMGT" else int(text)


def make_group():
    """A control group with the limit; None if that is not possible."""
    for root in GROUPS:
        group = os.path.join(root, f"linpred-bench-{os.getpid()}")
        try:
            os.mkdir(group)
        except OSError:
            continue
        for name in ("memory.limit_in_bytes", "memory.max"):
            try:
                with open(os.path.join(group, name), "w", encoding="ascii") as file:
                    file.write(str(bytes_of(LIMIT)))
                return group
            except OSError:
                pass
        os.rmdir(group)
    return None


def enter(group):
    if group:
        with open(os.path.join(group, "cgroup.procs"), "w", encoding="ascii") as file:
            file.write("0")


def forget(path):
    """The file's pages leave the cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


class Taken:
    """What a command took: seconds, megabytes resident, and the bytes read at each moment."""

    def __init__(self, command, group, path):
        forget(path)
        self.read = [(0.0, 0)]
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   preexec_fn=lambda: enter(group))

        def watch():
            while True:
                try:
                    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
                        read = int(re.search(r"rchar: (\d+)", file.read()).group(1))
                except (OSError, AttributeError):
                    return
                self.read.append((time.monotonic() - began, read))
                time.sleep(0.01)
        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        self.text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = self.status = status
        self.seconds = time.monotonic() - began
        self.resident = usage.ru_maxrss / 1024
        if status != 0:
            print(self.text)

    def bytes_read(self):
        return max(read for _, read in self.read)

    def pass_rate(self, size):
        """Bytes a second from the moment at which the rows are read until the last byte was."""
        begins = next((sample for sample in self.read if sample[1] > 0.05 * size), self.read[0])
        ends = next(sample for sample in self.read if sample[1] == self.bytes_read())
        return (ends[1] - begins[1]) / max(ends[0] - begins[0], 1e-9)


BARE = """
import ctypes, mmap, os, sys, threading, time
path, readers = sys.argv[1], int(sys.argv[2])
direct, step = readers > 0, 1 << 21
descriptor = os.open(path, os.O_RDONLY | (os.O_DIRECT if direct else 0))
size, threads = os.fstat(descriptor).st_size, max(readers, 1)
done = [0] * threads

def huge_page():
    memory = mmap.mmap(-1, 2 * step)
    memory.madvise(mmap.MADV_HUGEPAGE)
    begin = -ctypes.addressof(ctypes.c_char.from_buffer(memory)) % step
    return memoryview(memory)[begin:begin + step]

def read(first):
    buffer = huge_page()
    for at in range(first * step, size, threads * step):
        got = os.preadv(descriptor, [buffer], at)
        done[first] += got
        if not direct:
            os.posix_fadvise(descriptor, at, got, os.POSIX_FADV_DONTNEED)

began = time.monotonic()
pool = [threading.Thread(target=read, args=(first,)) for first in range(threads)]
for thread in pool:
    thread.start()
for thread in pool:
    thread.join()
print(time.monotonic() - began)
sys.exit(sum(done) != size)
"""
WAYS = {"through the cache": 0, "past the cache, 2 in flight": 2, "past the cache, 4 in flight": 4}


def bare_read(archive, group, readers):
    """Seconds; infinite if the system does not read the file so."""
    taken = Taken([sys.executable, "-c", BARE, archive, str(readers)], group, archive)
    return float(taken.text) if taken.status == 0 else math.inf


def fit_lines(archive, group, size, name, fit):
    """Fits between bare reads."""
    memory = f"{bytes_of(LIMIT) // 4}"
    bare_reads, fits = {way: [] for way in WAYS}, []
    for _ in range(ROUNDS):
        for way, readers in WAYS.items():
            bare_reads[way].append(bare_read(archive, group, readers))
        fits.append(Taken([program, *fit[:2], archive, *fit[2:], "--memory", memory, "--no-verify"], group, archive))
    bare, way = min((statistics.median(seconds), way) for way, seconds in bare_reads.items())
    taken = sorted(fits, key=lambda one: one.seconds)[ROUNDS // 2]
    readings, rate = taken.bytes_read() / size, statistics.median(one.pass_rate(size) for one in fits)
    passes = re.search(r"(\d+) pass", taken.text)
    print(f"{name:24} bare read {bare:6.2f} s, {size / bare / 1e6:5.0f} MB/s, {way}")
    print(f"{'  a pass':24} {rate / 1e6:5.0f} MB/s, {100 * rate * bare / size:.0f} % of the bare read")
    print(f"{'  the fit':24} {taken.seconds:6.2f} s for {readings:.1f} readings"
          + (f" ({passes.group(1)} passes of the learner)" if passes else "")
          + f": {100 * taken.seconds / (readings * bare):.0f} % of so many bare reads; {taken.resident:.0f} MB resident")


def objective(weights, x, y):
    """LIBLINEAR's with C = 1: the sum of the losses and half of the square of the norm."""
    return numpy.logaddexp(0, -y * (x @ weights)).sum() + 0.5 * weights @ weights


def peer(folder, x, y):
    """LIBLINEAR and linpred from the same text to a model without intercept."""
    text, model = os.path.join(folder, "scale.svm"), os.path.join(folder, "scale.model")
    try:
        with open(text, "w", encoding="ascii") as file:
            for row, label in zip(x, y):
                file.write(("+1" if label > 0 else "-1") + "".join(f" {j + 1}:{v:.17g}" for j, v in enumerate(row)) + "\n")
        began = time.monotonic()
        subprocess.run([program, "fit", "logistic", text, "--l2", repr(1.0 / len(y)), "--no-intercept", "--no-verify",
                        "--quiet", "-o", model], check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
        with open(model, encoding="utf-8") as file:
            weights = numpy.array([float(c["weight"] if isinstance(c, dict) else c) for c in json.load(file)["coefficients"]])
        best = objective(weights, x, y)
        print(f"peer, {len(y)} rows as text ({os.path.getsize(text) / 1e6:.0f} MB), file to model, one thread for LIBLINEAR:")
        print(f"{'  linpred':24} {seconds:6.2f} s, objective {best:.9g}")
        for tolerance in ("0.01", "0.0001", "0.000001"):
            began = time.monotonic()
            subprocess.run(["liblinear-train", "-s", "0", "-e", tolerance, "-q", text, model], check=True)
            seconds = time.monotonic() - began
            with open(model, encoding="ascii") as file:
                lines = file.read().split("\n")
            weights = numpy.array([float(v) for v in lines[lines.index("w") + 1:] if v])
            weights = weights if "label 1 -1" in lines else -weights
            gap = objective(weights, x, y) / best - 1
            print(f"{'  liblinear -e ' + tolerance:24} {seconds:6.2f} s, objective {gap:+.1e} relative to linpred's")
            if gap < 1e-9:
                break
    finally:
        for path in (text, model):
            if os.path.exists(path):
                os.remove(path)


def main():
    rows = int(GIGABYTES * 2**30 / (8 * COLUMNS))
    matrix, archive = os.path.join(FOLDER, "scale.npy"), os.path.join(FOLDER, "scale.npz")
    group = make_group()
    random = numpy.random.default_rng(1)
    first_rows = []
    try:
        array = numpy.lib.format.open_memmap(matrix, mode="w+", dtype="<f8", shape=(rows, COLUMNS + 1))
        weights = random.normal(size=COLUMNS)
        for first in range(0, rows, CHUNK):
            x = random.normal(size=(min(CHUNK, rows - first), COLUMNS))
            y = x @ weights + 3 * random.normal(size=len(x)) > 0
            array[first:first + len(x), :-1] = x
            array[first:first + len(x), -1] = y
            first_rows = first_rows or [x, numpy.where(y, 1.0, -1.0)]
        array.flush()
        del array
        taken = Taken([program, "convert", matrix, "-o", archive], None, matrix)
        os.remove(matrix)
        size = os.path.getsize(archive)
        print(f"{rows} rows of {COLUMNS} features, {size / 1e9:.2f} GB; written by convert at "
              f"{size / taken.seconds / 1e6:.0f} MB/s, {taken.resident:.0f} MB resident")
        print(f"limit {LIMIT}, " + ("held by a control group, cache included" if group else "no control group here"))
        fit_lines(archive, group, size, "logistic --l2 0.01", ["fit", "logistic", "--l2", "0.01"])
        fit_lines(archive, group, size, "least squares", ["fit", "regression"])
        if shutil.which("liblinear-train"):
            peer(FOLDER, *first_rows)
    finally:
        for path in (matrix, archive):
            if os.path.exists(path):
                os.remove(path)
        if group:
            os.rmdir(group)


main()
