"""Separable or not, and the largest margin, beside what people use: HiGHS's dual simplex through SciPy on the linear
program y(<w,x>+b) >= 1, and scikit-learn's SVC for the margin. Held equal: the rows; both sides in memory (reading is not
counted for either); answers are compared. Alternating, median of 5 (3 where the peer takes long)."""
import json, os, statistics, subprocess, sys, tempfile, time
import numpy as np
from scipy.optimize import linprog

build = os.path.join(os.path.dirname(__file__), "..", "build")
program = os.path.join(build, "linpred")


def rows(m, d, flip):
    """Gaussian rows, a planted halfspace through the origin, margin at least 1e-3 (usual form); one label flipped."""
    random = np.random.default_rng(1)
    w = random.standard_normal(d)
    w /= np.linalg.norm(w)
    x = random.standard_normal((m, d))
    y = np.where(x @ w > 0, 1.0, -1.0)
    x += np.outer(1e-3 * y, w)
    if flip:
        y[m // 2] *= -1
    return x, y


def ours(path, *options):
    out = subprocess.run([program, *options, path, "--json", "--no-verify"], capture_output=True, text=True).stdout
    return json.loads(out)


def highs(x, y):
    a = -y[:, None] * np.column_stack([x, np.ones(len(y))])
    began = time.perf_counter()
    answer = linprog(np.zeros(a.shape[1]), A_ub=a, b_ub=-np.ones(len(y)), bounds=(None, None), method="highs-ds")
    return time.perf_counter() - began, {0: "separated", 2: "inseparable"}.get(answer.status, str(answer.message))


def line(name, a, b, asked, note):
    print("%-44s %9.3f s %9s %8s %8s   %s" % (name, a, "%.3f s" % b if b else "–", "%.1fx" % (b / a) if b else "–", asked, note))
    sys.stdout.flush()


def compare(folder, m, d, flip, repeats):
    x, y = rows(m, d, flip)
    path = os.path.join(folder, "rows.npy")
    np.save(path, np.column_stack([x, y]))
    a, b = [], []
    for _ in range(repeats):
        out = ours(path, "separable")
        a.append(out["seconds"]["fit"])
        took, answer = highs(x, y)
        b.append(took)
    same = "same answer: %s" % answer if out["outcome"] == answer else "linpred %s, HiGHS %s" % (out["outcome"], answer)
    line("separable? %d x %d%s" % (m, d, ", one label flipped" if flip else ""), statistics.median(a), statistics.median(b), "30x",
         "%s; %d rounds, %d working rows" % (same, out.get("rounds", 0), out.get("working_rows", 0)))


def large(folder, m, d, flip):
    """Asked: beyond its linear programs and exact work a fit takes no longer than twelve readings of the matrix, both measured in
    the same process on the same threads, alternating."""
    x, y = rows(m, d, flip)
    path = os.path.join(folder, "rows.npy")
    np.save(path, np.column_stack([x, y]))
    threads = str(os.cpu_count())
    out = subprocess.run([os.path.join(build, "bench_separable"), path, threads, "5"], check=True, capture_output=True, text=True)
    total, solver, rest, reading, passes, rounds, working, outcome = out.stdout.split()
    rest, readings = float(rest) / 1e3, 12 * float(reading) / 1e3
    name = "separable? %d x %d%s" % (m, d, ", one label flipped" if flip else "")
    line(name, float(total) / 1e3, None, "–", "%s; %.3f s of it in linear programs; %s searching passes, %s rounds, %s working rows"
         % (outcome, float(solver) / 1e3, passes, rounds, working))
    line("  beyond the linear programs; 12 readings", rest, readings, "1x", "%s threads" % threads)


def svc(x, y):
    """The margin without intercept that SVC reaches, and its seconds."""
    from sklearn.svm import SVC
    began = time.perf_counter()
    model = SVC(kernel="linear", C=1e10, max_iter=2_000_000, cache_size=1000).fit(x, y)
    took = time.perf_counter() - began
    w, b = model.coef_[0], model.intercept_[0]
    return took, np.min(y * (x @ w + b)) / np.linalg.norm(w)


def margin(folder, x, y, repeats, asked):
    path = os.path.join(folder, "rows.npy")
    np.save(path, np.column_stack([x, y]))
    runs = [ours(path, "fit", "halfspace", "--method", "margin", "--norm", "without-intercept") for _ in range(repeats)]
    out = runs[-1]
    took, reached = svc(x, y)
    line("largest margin %d x %d" % x.shape, statistics.median(r["seconds"]["fit"] for r in runs), took, asked,
         "margin %.12g with certified gap %.1e; SVC reaches %.6g (one run)" % (out["margin_without_intercept"], out["gap"], reached))


def wide_rows(m, d):
    """Noisy labels on more columns than rows, or labels of a halfspace: both are separable."""
    random = np.random.default_rng(m)
    x = random.standard_normal((m, d))
    noise = random.standard_normal(m) if m < d else 0.0
    return x, np.where(x @ random.standard_normal(d) / np.sqrt(d) + 0.3 * noise > 0, 1.0, -1.0)


def main():
    print("separability and margins; seconds without reading")
    print("%-44s %11s %9s %8s %8s" % ("workload", "linpred", "peer", "ratio", "asked"))
    with tempfile.TemporaryDirectory() as folder:
        for flip in (False, True):
            compare(folder, 100_000, 20, flip, 5)
        for flip in (False, True):
            compare(folder, 100_000, 50, flip, 3)
        for flip in (False, True):
            large(folder, 1_000_000, 50, flip)
        margin(folder, *rows(100_000, 20, False), 5, "10x")
        for m, d in ((1000, 1300), (1500, 150), (3000, 500), (2000, 2600), (3000, 4000), (5000, 5000)):
            margin(folder, *wide_rows(m, d), 3 if m < 3000 else 1, "2x")


main()
