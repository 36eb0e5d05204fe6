"""Passes of the perceptron beside scikit-learn's Perceptron(shuffle=False): 10^6 x 50 doubles in memory, three rates of
mistakes. Held equal: the rows and their order, both start at 0 with rate 1 and an intercept. Alternating, median of 5."""
import os, statistics, subprocess, sys, tempfile, time
import numpy as np
from sklearn.linear_model import Perceptron

ROWS, COLUMNS, PASSES = 1_000_000, 50, 5
program = os.path.join(os.path.dirname(__file__), "..", "build", "bench_perceptron")


def peer(x, y):
    """Milliseconds a pass: the difference of 1 + PASSES passes and 1, so that what is done once does not count."""
    took = []
    for passes in (1, 1 + PASSES):
        began = time.perf_counter()
        Perceptron(shuffle=False, max_iter=passes, tol=None).fit(x, y)
        took.append(time.perf_counter() - began)
    return 1e3 * (took[1] - took[0]) / PASSES


def main():
    threads = str(os.cpu_count())
    print("perceptron, %d x %d doubles in memory, %s threads; milliseconds a pass" % (ROWS, COLUMNS, threads))
    print("%-28s %10s %10s %8s %8s   %s" % ("mistakes a pass", "linpred", "sklearn", "ratio", "asked", "merely reading, 1 and %s threads" % threads))
    for noise, asked in (("0", 3), ("0.00002", 3), ("0.01", 1.8), ("0.3", 1.8)):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows")
            subprocess.run([program, "make", str(ROWS), str(COLUMNS), noise, path], check=True)
            rows = np.fromfile(path).reshape(ROWS, COLUMNS + 1)
            x, y = np.ascontiguousarray(rows[:, :-1]), rows[:, -1].copy()
            ours, theirs = [], []
            for _ in range(5):
                out = subprocess.run([program, "run", str(ROWS), str(COLUMNS), path, threads, str(PASSES)], check=True,
                                     capture_output=True, text=True).stdout.split()
                ours.append(float(out[0]))
                theirs.append(peer(x, y))
            mistakes, alone, together = out[1:]
            a, b = statistics.median(ours), statistics.median(theirs)
            print("%-28s %10.1f %10.1f %7.1fx %7.1fx   %s and %s ms" % ("%s (noise %s)" % (mistakes, noise), a, b, b / a, asked, alone, together))
            sys.stdout.flush()


main()
