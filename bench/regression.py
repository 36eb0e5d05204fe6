"""Least squares and least absolute deviations beside their peers, on the same numbers in memory.

    bench/regression.py [repeats]

Peers: numpy's bare normal equations and scikit-learn's LinearRegression; R quantreg's rq.fit.pfn, and rq.fit.fnb for many columns (if R and quantreg are installed);
scikit-learn's QuantileRegressor, once, since it takes half a minute.
Runs alternate, medians are shown; seconds of wall clock, on as many cores as each takes.
"""
import os, shutil, statistics, subprocess, sys, tempfile, time

import numpy

REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
BENCH = "build/bench_regression"


def ours(loss, rows, columns, kind, file=None):
    command = [BENCH, loss, str(rows), str(columns), "0", kind, "1"] + ([file] if file else [])
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(out.split("fit ")[1].split(" s")[0]), float(out.split("objective ")[1].split(",")[0])


def read(file, columns):
    table = numpy.fromfile(file).reshape(-1, columns + 1)
    return numpy.ascontiguousarray(table[:, :columns]), numpy.ascontiguousarray(table[:, columns])


def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def show(what, own, peers):
    line = f"{what:44} linpred {own:8.3f} s"
    for name, seconds in peers.items():
        line += f"   {name} {seconds:8.3f} s ({seconds / own:.1f}x)"
    print(line, flush=True)


def squares(folder, rows, columns):
    file = os.path.join(folder, "squares")
    ours("squared", rows, columns, "shuffled", file)
    x, y = read(file, columns)
    os.remove(file)
    from sklearn.linear_model import LinearRegression

    def normal():
        numpy.linalg.solve(x.T @ x, x.T @ y)

    own, bare, learn = [], [], []
    for _ in range(2 * REPEATS + 1):
        own.append(ours("squared", rows, columns, "shuffled")[0])
        bare.append(timed(normal))
    learn.append(timed(lambda: LinearRegression().fit(x, y)))
    show(f"least squares {rows} x {columns}", statistics.median(own),
         {"numpy normal equations": statistics.median(bare), "sklearn": statistics.median(learn)})


QUANTREG = """
suppressMessages(library(quantreg))
n <- %d; d <- %d
v <- matrix(readBin("%s", "double", n * (d + 1)), nrow = d + 1)
x <- cbind(1, t(v[1:d, ])); y <- v[d + 1, ]
for (k in 1:%d) {
  s <- system.time(f <- rq.fit.%s(x, y))[["elapsed"]]
  cat(s, sprintf("%%.15g", mean(abs(y - x %%*%% f$coefficients))), "\\n")
}
"""


def absolutes(folder, rows, columns, kind, way="pfn", repeats=REPEATS):
    file = os.path.join(folder, "absolutes")
    found = [ours("absolute", rows, columns, kind, file) for _ in range(repeats)]
    peers = {}
    if shutil.which("Rscript") and kind == "shuffled":
        script = QUANTREG % (rows, columns, file, repeats, way)
        run = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
        lines = [line.split() for line in run.stdout.splitlines() if line.strip()]
        if run.returncode == 0 and lines:
            peers["quantreg " + way] = statistics.median(float(line[0]) for line in lines)
            print(f"    objective: linpred {found[0][1]:.15g}, quantreg {float(lines[-1][1]):.15g}")
    os.remove(file)
    show(f"least absolute {rows} x {columns}, {kind}", statistics.median(f[0] for f in found), peers)


def quantile_regressor(folder, rows, columns):
    file = os.path.join(folder, "absolutes")
    found = [ours("absolute", rows, columns, "shuffled", file) for _ in range(REPEATS)]
    x, y = read(file, columns)
    os.remove(file)
    from sklearn.linear_model import QuantileRegressor

    model = QuantileRegressor(quantile=0.5, alpha=0.0, solver="highs")
    seconds = timed(lambda: model.fit(x, y))
    objective = numpy.mean(numpy.abs(y - model.predict(x)))
    print(f"    objective: linpred {found[0][1]:.15g}, sklearn {objective:.15g}")
    show(f"least absolute {rows} x {columns}", statistics.median(f[0] for f in found), {"sklearn QuantileRegressor": seconds})


with tempfile.TemporaryDirectory() as folder:
    squares(folder, 1000000, 100)
    quantile_regressor(folder, 20000, 20)
    absolutes(folder, 100000, 20, "shuffled")
    for kind in ("shuffled", "sorted", "ties"):
        absolutes(folder, 1000000, 10, kind)
    for columns in (50, 200, 400, 800, 2000):
        absolutes(folder, 3000 if columns < 2000 else 6000, columns, "shuffled", "fnb", 1)
    absolutes(folder, 1000000, 20, "shuffled", "pfn", 1)
