"""What tests of several processes share: they run linpred and linpred-mpi, whose paths are the arguments of the test, in a
folder of their own, and compare what both print and write."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
PROCESSES = (1, 2, 3, 4, 8)
random.seed(17)
failures = []
program, mpi_program = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def fail(text):
    failures.append(text)
    print("FAILED:", text)


def environment():
    """Containers have no shared memory of the kind that Open MPI likes; tests may run as root."""
    known = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    known["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none"
    known["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
    known["OMPI_MCA_hwloc_base_binding_policy"] = "none"
    known["PMIX_MCA_gds"] = "hash"
    return known


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, errors="replace")


def mpirun(processes, first=()):
    return ["mpirun", "--oversubscribe", "--quiet", "-n", str(processes), *first, mpi_program]


def run_mpi(processes, *arguments, first=(), **more):
    """`first` are the words before the program, `more` is added to the environment."""
    return subprocess.run([*mpirun(processes, first), *arguments], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          env=dict(environment(), **more), timeout=300)


def plain(text):
    """Text without times and names of models."""
    text = re.sub(r'"(seconds|solver_seconds|checksum)": ("[0-9a-f]*"|[-+.0-9e]+)', "", text)
    return re.sub(r"^(time|model) .*$", "", text.replace("\r\n", "\n"), flags=re.M)


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_csv(path, rows, columns, target):
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join([f"c{j}" for j in range(columns)] + ["y"]) + "\n")
        for _ in range(rows):
            x = [round(random.gauss(j % 3, 1 + j % 5), 3) for j in range(columns)]
            score = sum(v * (1 - j % 3) for j, v in enumerate(x)) / columns
            file.write(",".join([f"{v:.3f}" for v in x] + [target(score)]) + "\n")


def same(arguments, output=True, counts=PROCESSES, only=()):
    """The same command on several numbers of processes, and on one or two threads each. `only` are further arguments of the
    processes alone. Returns what the plain program printed."""
    if os.path.exists("one"):
        os.remove("one")
    wanted = run(*arguments, *(["-o", "one"] if output else []))
    model = read("one") if output else None
    for count in counts:
        if os.path.exists("several"):
            os.remove("several")
        got = run_mpi(count, *arguments, *only, "--threads", str(1 + count % 2), *(["-o", "several"] if output else []))
        what = f"{' '.join([*arguments, *only])} on {count} processes"
        if got.returncode != wanted.returncode:
            fail(f"{what}: exit code {got.returncode} instead of {wanted.returncode}: {got.stderr}")
        elif output and (plain(read("several") or "") != plain(model or "")):
            fail(f"{what}: another file is written")
        elif plain(got.stdout) != plain(wanted.stdout) or plain(got.stderr) != plain(wanted.stderr):
            fail(f"{what}: it prints\n{got.stdout}{got.stderr}instead of\n{wanted.stdout}{wanted.stderr}")
    return wanted


def bytes_sent(done):
    """What all processes sent from one to another, and to all."""
    return sum(int(count) for count in re.findall(r"sent \d+ messages, (\d+) bytes", done.stderr))


def run_checks(*checks):
    """Runs the checks one after the other in a folder of their own, and ends the test."""
    if not os.path.exists(mpi_program) or not shutil.which("mpirun"):
        print("skipped: linpred-mpi is not built, because Open MPI is not installed (libopenmpi-dev, openmpi-bin)")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in checks:
            check()
        os.chdir("/")
    print(f"{len(failures)} failures")
    sys.exit(len(failures) > 0)
