"""Logistic regression beside scikit-learn (dense) and LIBLINEAR (sparse). Held equal: the rows, the objective (mean loss +
(l2/2)||w||², C = 1 of the peer; LIBLINEAR also penalises its bias) and what is counted: dense without reading on both sides;
sparse the whole command, from the file to a model file (ours with verifying and a synced file), and the solver alone, on two
threads and on one: ours is `seconds.fit`, LIBLINEAR's its time less that of a run which stops at once (-e 1e10). Alternating,
median of 3 or 5. The objective is that of the answers, computed here in one way for both.
    bench/logistic.py [SET…]     only the sets that are named, as rcv1_small"""
import json, os, statistics, subprocess, sys, tempfile, time
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

program = os.path.join(os.path.dirname(__file__), "..", "build", "linpred")
sets = os.environ.get("LINPRED_DATA", os.path.join(os.path.dirname(__file__), "..", "..", "shared", "data"))


def objective(x, y, w, b, l2):
    return np.mean(np.logaddexp(0, -y * (x @ w + b))) + l2 / 2 * (w @ w)


def ours(path, l2, *options):
    command = [program, "fit", "logistic", path, "--l2", repr(l2), "--json", *options]
    began = time.perf_counter()
    out = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    return time.perf_counter() - began, out


def line(name, a, b, asked, note):
    print("%-46s %9.3f s %9.3f s %7.1fx %8s   %s" % (name, a, b, b / a, asked, note))
    sys.stdout.flush()


def dense(folder, m, d, repeats):
    random = np.random.default_rng(1)
    x = random.standard_normal((m, d))
    y = np.where(random.random(m) < 1 / (1 + np.exp(0.5 - x @ random.standard_normal(d) * 2 / np.sqrt(d))), 1.0, -1.0)
    path = os.path.join(folder, "dense.npy")
    np.save(path, np.column_stack([x, y]))
    fit, checked, b, best = [], [], {"lbfgs": [], "newton-cholesky": []}, {}
    for _ in range(repeats):
        out = ours(path, 1.0 / m)[1]
        fit.append(out["seconds"]["fit"])
        checked.append(out["seconds"]["fit"] + out["seconds"]["verify"])
        for solver in b:
            began = time.perf_counter()
            model = LogisticRegression(C=1.0, solver=solver).fit(x, y)
            b[solver].append(time.perf_counter() - began)
            best[solver] = objective(x, y, model.coef_[0], model.intercept_[0], 1.0 / m)
    for solver, took in b.items():
        line("dense %d x %d, scikit-learn %s" % (m, d, solver), statistics.median(fit), statistics.median(took), "4x",
             "objective %.12g (gap %.1e), peer %.12g" % (out["objective"], out["gap"], best[solver]))
        line("  ours with its check", statistics.median(checked), statistics.median(took), "4x", out["verdict"])


def write_sparse(path, m, d, entries):
    """Rows of unit length with about `entries` positive values, columns as frequent as words; labels from a planted model."""
    random = np.random.default_rng(1)
    frequency = 1 / np.arange(1, d + 1) ** 0.8
    steps = np.cumsum(frequency / frequency.sum())
    w = 1.5 * random.standard_normal(d)
    with open(path, "w") as out:
        for _ in range(m):
            j = np.unique(np.minimum(np.searchsorted(steps, random.random(int(1.25 * entries))), d - 1))
            v = np.abs(random.standard_normal(len(j))) + 0.2
            v /= np.sqrt(v @ v)
            y = random.random() < 1 / (1 + np.exp(-3 * (v @ w[j])))
            out.write(("+1" if y else "-1") + "".join(" %d:%.6g" % (a + 1, b) for a, b in zip(j, v)) + "\n")


def liblinear(path, folder, tolerance):
    """Seconds of the whole command; weights and bias."""
    model = os.path.join(folder, "liblinear.model")
    began = time.perf_counter()
    subprocess.run(["liblinear-train", "-s", "0", "-e", tolerance, "-B", "1", "-q", path, model], check=True)
    took = time.perf_counter() - began
    lines = open(model).read().split("\n")
    sign = 1.0 if [s for s in lines if s.startswith("label")][0].split()[1] in ("1", "+1") else -1.0
    w = sign * np.array([float(s) for s in lines[lines.index("w") + 1:] if s.strip()])
    return took, w[:-1], w[-1]


def whole_command(path, l2, folder):
    command = [program, "fit", "logistic", path, "--l2", repr(l2), "--quiet", "-o", os.path.join(folder, "ours.json")]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def sparse(folder, path, name, repeats, asked):
    x, y = load_svmlight_file(path)
    l2 = 1.0 / len(y)
    whole, fit, one, peer, idle = [], [], [], [], []
    for _ in range(repeats):
        whole.append(whole_command(path, l2, folder))
        out = ours(path, l2)[1]
        fit.append(out["seconds"]["fit"])
        one.append(ours(path, l2, "--threads", "1", "--no-verify")[1]["seconds"]["fit"])
        took, w, b = liblinear(path, folder, "0.0001")
        peer.append(took)
        idle.append(liblinear(path, folder, "1e10")[0])
    whole, fit, one, peer, idle = (statistics.median(t) for t in (whole, fit, one, peer, idle))
    line("%s, LIBLINEAR -s 0 -e 0.0001" % name, whole, peer, asked,
         "objective %.12g (gap %.1e, %s, %s), peer %.12g" % (out["objective"], out["gap"], out["verdict"], out["method"],
                                                           objective(x, y, w, b, l2)))
    line("  its solver alone", fit, peer - idle, "2x", "")
    line("  its solver alone, ours on one thread", one, peer - idle, "1x", "")


def main():
    print("logistic regression; dense: the fit alone, and with its check; sparse: the whole command, with reading and verifying")
    print("%-46s %11s %11s %8s %8s" % ("workload", "linpred", "peer", "ratio", "asked"))
    named = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if not named:
            dense(folder, 1_000_000, 50, 3)
            path = os.path.join(folder, "sparse.txt")
            write_sparse(path, 200_000, 47_000, 60)
            sparse(folder, path, "sparse 200000 x 47000", 3, "3.5x")
        for name in named or ("a9a", "w8a", "ijcnn1", "rcv1_small"):
            path = os.path.join(sets, "classify", name)
            if os.path.exists(path):
                sparse(folder, path, name, 5, "3.5x")


main()
