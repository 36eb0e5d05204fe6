#!/usr/bin/env python3
"""Rows beyond memory: passes over an archive against a bare read of it.

    bench/scale.py [GIGABYTES [LIMIT [FOLDER]]]     4 GB, 1G, build

An archive of dense rows is made, then read alone, then fitted, all under a limit on memory: a control group, which counts
cached pages too, if one can be made, so that each pass must come from the disk; else the address space is free and the
cache helps. How often a fit reads the archive is counted by the system. All files are removed at the end.
"""
import os
import re
import subprocess
import sys
import threading
import time

import numpy

GIGABYTES = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
LIMIT = sys.argv[2] if len(sys.argv) > 2 else "1G"
FOLDER = sys.argv[3] if len(sys.argv) > 3 else "build"
COLUMNS = 50
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


def timed(command, group, path):
    """Seconds, kilobytes that were resident, and bytes that were read."""
    forget(path)
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               preexec_fn=lambda: enter(group))
    read = [0]

    def watch():
        while True:
            try:
                with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
                    read[0] = max(read[0], int(re.search(r"rchar: (\d+)", file.read()).group(1)))
            except (OSError, AttributeError):
                return
            time.sleep(0.01)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        print(text)
    return time.monotonic() - began, usage.ru_maxrss, read[0]


BARE = """
import os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
buffer = bytearray(1 << 21)
while os.readv(descriptor, [buffer]):
    pass
"""


def main():
    rows = int(GIGABYTES * 2**30 / (8 * COLUMNS))
    matrix, archive = os.path.join(FOLDER, "scale.npy"), os.path.join(FOLDER, "scale.npz")
    group = make_group()
    random = numpy.random.default_rng(1)
    try:
        array = numpy.lib.format.open_memmap(matrix, mode="w+", dtype="<f8", shape=(rows, COLUMNS + 1))
        weights = random.normal(size=COLUMNS)
        for first in range(0, rows, CHUNK):
            x = random.normal(size=(min(CHUNK, rows - first), COLUMNS))
            array[first:first + len(x), :-1] = x
            array[first:first + len(x), -1] = x @ weights + 3 * random.normal(size=len(x)) > 0
        array.flush()
        del array
        seconds, resident, _ = timed([program, "convert", matrix, "-o", archive], None, matrix)
        os.remove(matrix)
        size = os.path.getsize(archive)
        print(f"{rows} rows of {COLUMNS} features, {size / 1e9:.2f} GB; written by convert at "
              f"{size / seconds / 1e6:.0f} MB/s")
        print(f"limit {LIMIT}, " + ("held by a control group, cache included" if group else "no control group here"))
        bare = min(timed([sys.executable, "-c", BARE, archive], group, archive)[0] for _ in range(2))
        print(f"{'bare read':28} {bare:7.2f} s {size / bare / 1e6:7.0f} MB/s")
        memory = f"{bytes_of(LIMIT) // 4}"
        for name, fit in (("logistic --l2 0.01", ["fit", "logistic", "--l2", "0.01"]),
                          ("least squares", ["fit", "regression"])):
            command = [program, *fit[:2], archive, *fit[2:], "--memory", memory, "--no-verify"]
            seconds, resident, read = timed(command, group, archive)
            print(f"{name:28} {seconds:7.2f} s {read / seconds / 1e6:7.0f} MB/s over {read / size:.1f} readings, "
                  f"{100 * bare * read / size / seconds:.0f} % of the bare read, {resident / 1024:.0f} MB resident")
    finally:
        for path in (matrix, archive):
            if os.path.exists(path):
                os.remove(path)
        if group:
            os.rmdir(group)


main()
