#!/usr/bin/env python3
"""Several processes give the bits of one.

    tests/check_mpi.py PROGRAM MPI_PROGRAM

Fits, checks and predictions of 1, 2, 3, 4 and 8 processes are those of the plain program: same models, same output, same
exit codes. More processes than rows, an error that all meet, and one that a single process meets, end with a sentence.
A run that is killed at random and resumed from its checkpoint gives the model of one that was not.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import time

from mpi_runs import bytes_sent, environment, fail, mpirun, plain, read, run, run_checks, run_mpi, same, write_csv


def read_bytes(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def write_many_columns(path):
    """So many columns that processes divide the vectors of conjugate gradients, which have 5 lanes here."""
    columns = 100000
    with open(path, "w", encoding="utf-8") as file:
        for i in range(11000):
            chosen = sorted(random.sample(range(1, columns), 49)) + ([columns] if i == 0 else [])
            side = sum(1 if j % 2 else -1 for j in chosen) + random.gauss(0, 5) > 0
            file.write(f"{'+1' if side else '-1'} " + " ".join(f"{j}:1" for j in chosen) + "\n")


def check_answers():
    noise = lambda score: score + random.gauss(0, 1)
    write_csv("numbers.csv", 9000, 6, lambda score: f"{noise(score):.3f}")
    write_csv("labels.csv", 9000, 6, lambda score: "yes" if noise(score) > 0.3 else "no")
    write_csv("wide.csv", 3000, 40, lambda score: "yes" if noise(score) > 0.3 else "no")
    write_csv("apart.csv", 9000, 4, lambda score: "p" if score > 0.3 else "n")
    with open("sparse.svm", "w", encoding="utf-8") as file:
        for _ in range(2000):
            columns = sorted(random.sample(range(1, 1500), 8))
            side = noise(sum(1 if j % 2 else -1 for j in columns)) > 0
            file.write(f"{'+1' if side else '-1'} " + " ".join(f"{j}:{random.random():.3f}" for j in columns) + "\n")
    with open("alike.csv", "w", encoding="utf-8") as file:  # columns so alike that a Gram matrix will not do
        file.write("a,b,y\n")
        for _ in range(5000):
            a = random.random()
            file.write(f"{a:.12f},{a + 1e-9 * random.random():.12f},{a + random.random():.6f}\n")
    for name in ("numbers", "labels", "apart"):
        if run("convert", f"{name}.csv", "-o", f"{name}.npz", "--quiet").returncode:
            fail(f"{name}.csv is not converted")
    for memory in ((), ("--memory", "100K")):
        same(["fit", "regression", "numbers.npz", *memory])
        same(["fit", "logistic", "labels.npz", *memory])
    same(["fit", "regression", "alike.csv"], counts=(2, 3))
    same(["fit", "regression", "numbers.csv", "--degree", "3", "--on", "c1"], counts=(2, 5))
    same(["fit", "regression", "numbers.npz", "--loss", "absolute"])
    same(["fit", "logistic", "wide.csv", "--l2", "0.01"], counts=(2, 5))
    same(["fit", "logistic", "wide.csv", "--l2", "0.01", "--method", "newton-cg"], counts=(2, 3))
    same(["fit", "logistic", "sparse.svm", "--l2", "0.01"], counts=(2, 3))
    write_csv("long.csv", 14000, 30, lambda score: "yes" if noise(score) > 0.3 else "no")  # 13 lanes of conjugate gradients
    same(["fit", "logistic", "long.csv", "--l2", "0.01", "--method", "newton-cg"], counts=(3, 10))
    write_many_columns("columns.svm")
    run("convert", "columns.svm", "-o", "columns.npz", "--quiet")
    same(["fit", "logistic", "columns.npz", "--l2", "0.001", "--method", "newton-cg"], counts=(1, 2, 3, 4, 8))
    same(["separable", "apart.npz"])
    same(["separable", "labels.npz"], counts=(2, 3))
    same(["fit", "halfspace", "apart.npz", "--method", "margin"])
    same(["fit", "halfspace", "labels.csv", "--max-updates", "100000"], counts=(2, 3))


def split_rows(source, cuts):
    """The rows of a CSV file in several archives, cut at these rows. A file without bytes is among them."""
    head, *lines = read(source).splitlines(True)
    names = ["part-none.npz"]
    with open(names[0], "wb"):
        pass
    for i, (first, end) in enumerate(zip([0, *cuts], [*cuts, len(lines)])):
        with open("part.csv", "w", encoding="utf-8") as file:
            file.write(head + "".join(lines[first:end]))
        names.append(f"part-{i}.npz")
        if run("convert", "part.csv", "-o", names[-1], "--quiet").returncode:
            fail(f"part {i} of {source} is not converted")
    return names


def check_archives():
    """Several archives: each process reads the rows of its share, and rows are not sent."""
    parts = split_rows("labels.csv", [1, 2, 3000, 3001, 7000])
    for memory in ((), ("--memory", "20K")):
        same(["fit", "logistic", *parts, *memory], counts=(1, 3, 8))
    same(["fit", "logistic", *parts, "--drop", "c1", "--memory", "20K"], counts=(3,))
    same(["separable", *parts, "--memory", "20K"], counts=(2, 3))
    run("fit", "logistic", "labels.npz", "-o", "model.json")
    for command in ("verify", "evaluate"):
        same([command, "model.json", *parts, "--memory", "20K"], output=False, counts=(3,))
    same(["predict", "model.json", *parts, "--memory", "20K", "--what", "label,score"], counts=(3,))
    got = run_mpi(3, "fit", "logistic", *parts, "--memory", "20K", LINPRED_MPI_TRAFFIC="1")
    if bytes_sent(got) > 9000 * 6 * 8 / 4:
        fail(f"processes send {bytes_sent(got)} bytes: rows are sent")
    parts = split_rows("numbers.csv", [4500])
    same(["fit", "regression", *parts, "--memory", "20K"], counts=(2, 5))
    with open("few.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n" + "".join(f"{i},{i * i % 5},{2 * i + 1}\n" for i in range(7)))
    same(["fit", "regression", *split_rows("few.csv", [1, 2, 3]), "--memory", "1"], counts=(3, 8))
    parts = split_rows("labels.csv", [4000])
    with open("part-1.npz", "r+b") as file:
        file.seek(30000)
        file.write(b"other")
    for command in (["fit", "logistic"], ["verify", "model.json"]):
        same([*command, *parts, "--memory", "20K"], output=False, counts=(1, 3))
    got = run_mpi(3, "fit", "logistic", *parts, "--memory", "20K")
    if got.returncode != 2 or "part-1.npz: the array 'features' was damaged" not in got.stderr:
        fail(f"a damaged archive: {got}")
    got = run_mpi(3, "fit", "logistic", *parts)  # each process reads some of the files
    if got.returncode != 2 or "part-1.npz: the array 'features" not in got.stderr or "of 3)" not in got.stderr:
        fail(f"a damaged archive that one process reads: {got}")


def check_uses():
    run("fit", "logistic", "labels.npz", "-o", "model.json")
    same(["verify", "model.json", "labels.npz"], output=False)
    same(["evaluate", "model.json", "labels.npz"], output=False, counts=(2, 3))
    same(["evaluate", "model.json", "labels.npz", "--memory", "100K"], output=False, counts=(3,))
    same(["predict", "model.json", "labels.npz", "--memory", "100K", "--what", "label,score"], counts=(1, 3, 8))
    same(["predict", "model.json", "labels.csv"], counts=(2, 3))
    same(["verify", "model.json", "apart.npz"], output=False, counts=(2,))
    same(["inspect", "labels.csv"], output=False, counts=(2,))


def check_few_rows():
    """More processes than rows, and than blocks of rows."""
    for rows in (1, 2, 3, 7):
        with open("few.csv", "w", encoding="utf-8") as file:
            file.write("a,b,y\n" + "".join(f"{i},{i * i % 5},{2 * i + 1}\n" for i in range(rows)))
        same(["fit", "regression", "few.csv"], counts=(3, 8))
        with open("few.csv", "w", encoding="utf-8") as file:
            file.write("a,b,y\n" + "".join(f"{i},{i * i % 5},{'no' if i % 2 else 'yes'}\n" for i in range(rows)))
        same(["separable", "few.csv"], counts=(3, 8))


def processes_of(path):
    """The processes of linpred-mpi that write this checkpoint."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except (OSError, ValueError):
            continue
        if words[0].endswith(b"linpred-mpi") and path.encode() in words:
            found.append(int(name))
    return found


def rank_of(process):
    with open(f"/proc/{process}/environ", "rb") as file:
        return int(re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", file.read())[1])


def wait_for(done, seconds):
    """Whether something is so before this time has passed."""
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.05)
    return done()


def kill_one(job, path, wait):
    """Kills one process after a while; whether there was one. The others must end within 10 s, by mpirun or by
    themselves. mpirun itself may hang then: PMIx 4.2.2 locks a mutex for ever in PMIx_server_finalize, about once in 250
    kills on a busy machine.
    """
    time.sleep(wait)
    alive = processes_of(path)
    if job.poll() is not None or not alive:
        job.wait(timeout=60)
        return False
    try:
        os.kill(random.choice(alive), signal.SIGKILL)
    except ProcessLookupError:
        return False
    if not wait_for(lambda: not processes_of(path), 10):
        fail("processes live on for 10 s after one was killed")
        for process in processes_of(path):
            os.kill(process, signal.SIGKILL)
    if not wait_for(lambda: job.poll() is not None, 10):
        print("note: all processes have ended, but mpirun hangs")
        job.kill()
    job.wait()
    return True


def check_watch():
    """Where mpirun does nothing about a process that has died, the others end by themselves, and say why."""
    path = os.path.abspath("watched")
    command = ["fit", "logistic", "columns.npz", "--l2", "1e-9", "--method", "newton-cg", "--tolerance", "1e-14", "--checkpoint", path]
    job = subprocess.Popen(mpirun(3) + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           env=environment(), text=True)
    if not wait_for(lambda: len(processes_of(path)) == 3 and os.path.exists(path), 60):
        fail("three processes do not begin within a minute")
    os.kill(job.pid, signal.SIGSTOP)
    os.kill(next(process for process in processes_of(path) if rank_of(process) > 0), signal.SIGKILL)
    if not wait_for(lambda: not processes_of(path), 10):
        fail("mpirun is stopped and a process is killed: the others live on")
    os.kill(job.pid, signal.SIGCONT)
    try:
        said = job.communicate(timeout=10)[1]
        if "another process of this run has died" not in said:
            fail(f"the others do not say why they end: {said}")
    except subprocess.TimeoutExpired:
        print("note: all processes have ended, but mpirun hangs")
        job.kill()
        job.communicate()


def check_kills():
    """A run that is killed again and again, and resumed, ends as one that was not."""
    write_csv("many.csv", 40000, 8, lambda score: "yes" if score + random.gauss(0, 1) > 0.3 else "no")
    run("convert", "many.csv", "-o", "many.npz", "--quiet")
    fits = [["fit", "logistic", "many.npz", "--memory", "300K", "--threads", "1"],
            ["fit", "regression", "numbers.npz", "--loss", "absolute", "--threads", "1"],
            ["fit", "logistic", "columns.npz", "--l2", "0.001", "--method", "newton-cg", "--threads", "1"]]
    for number, fit in enumerate(fits):
        run(*fit, "-o", "one")
        path = os.path.abspath(f"passes{number}")
        command = [*fit, "-o", "several", "--checkpoint", path]
        began = time.monotonic()
        whole = run_mpi(3, *command, LINPRED_MPI_TRAFFIC="1")
        lasts = time.monotonic() - began
        again = run_mpi(3, *command, "--resume", LINPRED_MPI_TRAFFIC="1")
        if whole.returncode or again.returncode or plain(read("several") or "") != plain(read("one")):
            fail(f"a fit with a checkpoint: {whole.stderr} {again.stderr}")
        if "newton-cg" in fit and bytes_sent(again) > 0.5 * bytes_sent(whole):
            fail(f"{' '.join(fit)}: what is resumed is done again: {bytes_sent(again)} of {bytes_sent(whole)} bytes are sent")
        os.remove(path)
        killed = 0
        for _ in range(60):
            if killed == 8:
                break
            job = subprocess.Popen(mpirun(2 + killed % 2) + command + ["--resume"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment())
            if not kill_one(job, path, random.uniform(0.1, 1.0) * lasts):
                if os.path.exists(path):  # it has ended: what is left to resume is too short to be killed
                    os.remove(path)
                continue
            killed += 1
            if killed == 4 and os.path.exists(path) and os.path.getsize(path) > 50:  # as if the disk had lost the end
                os.truncate(path, random.randrange(40, os.path.getsize(path)))
        if killed < 8:
            fail(f"only {killed} kills")
        got = run_mpi(4, *command, "--resume")
        if got.returncode or plain(read("several") or "") != plain(read("one")):
            fail(f"resumed after kills, {' '.join(fit)} differs: {got.stderr}")
    got = run_mpi(2, "fit", "logistic", "labels.npz", "--checkpoint", path, "--resume")
    if got.returncode != 2 or "another command" not in got.stderr:
        fail(f"a checkpoint of another command: {got}")
    got = run_mpi(2, "fit", "logistic", "labels.npz", "--resume")
    if got.returncode != 2 or "--checkpoint FILE" not in got.stderr:
        fail(f"--resume alone: {got}")
    check_checkpoint_files()
    shutil.copy("apart.csv", "changing.csv")
    run_mpi(2, "separable", "changing.csv", "--checkpoint", "changing")
    with open("changing.csv", "a", encoding="utf-8") as file:
        file.write("1,1,1,1,p\n")
    got = run_mpi(2, "separable", "changing.csv", "--checkpoint", "changing", "--resume")
    if got.returncode != 2 or "not those of the checkpoint" not in got.stderr:
        fail(f"a checkpoint of other data: {got}")


def check_checkpoint_files():
    """What is in a file is never lost to a checkpoint; what changes no bit may differ in a run that is resumed."""
    command = ["fit", "regression", "numbers.npz"]
    run_mpi(2, *command, "--checkpoint", "own", "-o", "several", "--threads", "1")
    for name, flags, code, words in (("own", (), 2, "add --resume"), ("numbers.csv", (), 2, "choose another name"),
                                     ("numbers.csv", ("--resume",), 2, "choose another name"), ("numbers.npz", (), 2, "named twice"),
                                     ("new", ("-o", "new"), 2, "named twice"), ("new", ("--resume",), 0, "nothing to resume"),
                                     ("own", ("--resume", "-o", "other", "--threads", "2", "--quiet"), 0, ""),
                                     ("own", ("--resume", "--memory", "100K"), 2, "another command")):
        before = read_bytes(name)
        got = run_mpi(3, *command, "--checkpoint", name, *flags)
        if got.returncode != code or words not in got.stderr or (code and read_bytes(name) != before):
            fail(f"--checkpoint {name} {flags}: {got}")
    if plain(read("other")) != plain(read("several")):
        fail("resumed with other threads and another output, a fit differs")
    damaged = read_bytes("own")
    for at, code in ((60, 0), (48, 2)):  # a length counts as the end of the records; another shape is told of once
        with open("own", "wb") as file:
            file.write(damaged[:at] + bytes([damaged[at] ^ 64]) + damaged[at + 1:])
        got = run_mpi(3, *command, "--checkpoint", "own", "--resume", "-o", "other")
        if got.returncode != code or len(re.findall("its passes", got.stderr)) != (code > 0):
            fail(f"a checkpoint that is damaged at byte {at}: {got}")
    if "--resume" not in run_mpi(1, "fit", "logistic", "--help").stdout:
        fail("--help does not tell of --resume")


def check_errors():
    got = run_mpi(2, "fit", "halfspace", "apart.csv", "--method", "perceptron")
    if got.returncode != 2 or "--order worst" not in got.stderr:
        fail(f"the perceptron on several processes: {got}")
    for fit in (["halfspace", "--method", "exact"], ["ball"]):
        got = run_mpi(2, "fit", *fit, "apart.csv")
        if got.returncode != 2 or "run linpred instead" not in got.stderr:
            fail(f"fit {fit} on several processes: {got}")
    same(["fit", "halfspace", "apart.csv", "--method", "perceptron", "--order", "worst", "--max-updates", "300"], counts=(2,))
    with open("bad.csv", "w", encoding="utf-8") as file:
        file.write("a,y\n1,2\n2,x3\n")
    same(["fit", "regression", "bad.csv"], counts=(1, 3))
    same(["fit", "regression", "missing.csv"], counts=(1, 3))
    same(["fit", "regresion", "bad.csv"], counts=(2,))
    got = run_mpi(2, "fit", "regression", "-")
    if got.returncode != 2 or "standard input" not in got.stderr:
        fail(f"the standard input: {got}")
    got = run_mpi(2, "fit", "regression", "numbers.csv", "-o", "no/folder.json")
    if got.returncode not in (2, 3) or "no/folder.json" not in got.stderr:
        fail(f"a folder that is not there: {got}")
    for checkpoint in ("/dev/full", "no/folder"):  # a full disk, and no disk at all
        got = run_mpi(2, "fit", "regression", "numbers.csv", "--checkpoint", checkpoint)
        if got.returncode != 3 or checkpoint not in got.stderr or "cannot write the checkpoint" not in got.stderr:
            fail(f"a checkpoint that cannot be written: {got}")
    # Only the second process fails: its sentence is shown, with its number.
    with open("second.sh", "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] && cd /\nexec "$@"\n')
    os.chmod("second.sh", 0o755)
    got = run_mpi(3, "fit", "regression", "numbers.csv", first=("./second.sh",))
    if got.returncode != 2 or "process 1 of 3" not in got.stderr or "numbers.csv" not in got.stderr:
        fail(f"an error of one process: {got}")


run_checks(check_answers, check_archives, check_uses, check_few_rows, check_errors, check_kills, check_watch)
