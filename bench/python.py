"""linpred in Python beside scikit-learn and pandas, in one process, alternating, median of some runs. Held equal: the
rows, the objective (which is computed here in one way for both and must be no worse), what is counted: the call alone.
    bench/run python            the sizes of the claims
    bench/run python small      a hundredth of the rows, to see that it runs
    bench/run python reading    only the parts that are named
"""
import os, statistics, subprocess, sys, tempfile, time, warnings
import numpy as np

warnings.simplefilter("ignore")
SMALL = "small" in sys.argv[1:]
SCALE = 100 if SMALL else 1


def timed(call):
    began = time.perf_counter()
    out = call()
    return time.perf_counter() - began, out


def compare(name, asked, repeats, ours, peers, objective):
    """Runs all in turn; prints the ratio to the fastest peer, and whether our objective is no worse."""
    times, answers = {}, {}
    for _ in range(repeats):
        for who, call in {"linpred": ours, **peers}.items():
            took, answers[who] = timed(call)
            times.setdefault(who, []).append(took)
    median = {who: statistics.median(runs) for who, runs in times.items()}
    best = min(peers, key=lambda who: median[who])
    note = ""
    if objective:
        a, b = objective(answers["linpred"]), objective(answers[best])
        note = "objective %.12g, peer %.12g%s" % (a, b, "" if a <= b * (1 + 1e-9) + 1e-300 else "  WORSE")
    print("%-44s %9.4f s %9.4f s %8.1fx %7s   %s %s" % (name, median["linpred"], median[best],
          median[best] / median["linpred"], asked, best, note), flush=True)


def logistic():
    from linpred import LogisticRegression
    from sklearn import linear_model
    n, d = 1_000_000 // SCALE, 50
    random = np.random.default_rng(1)
    x = random.standard_normal((n, d))
    y = (random.random(n) < 1 / (1 + np.exp(0.5 - x @ random.standard_normal(d) * 2 / np.sqrt(d)))).astype(int)
    peers = {s: lambda s=s: linear_model.LogisticRegression(C=1.0, solver=s).fit(x, y)
             for s in ("lbfgs", "newton-cholesky")}

    def objective(m):
        return np.mean(np.logaddexp(0, -(2 * y - 1) * (x @ m.coef_[0] + m.intercept_[0]))) + m.coef_[0] @ m.coef_[0] / (2 * n)

    for proof, asked in ((False, "4x"), (True, "3x")):
        compare("LogisticRegression %d x %d%s" % (n, d, ", with the proof" if proof else ""), asked, 3,
                lambda: LogisticRegression(1 / n, proof=proof).fit(x, y), peers, objective)


def least_squares():
    from linpred import LinearRegression
    from sklearn import linear_model
    n, d = 1_000_000 // SCALE, 100
    random = np.random.default_rng(2)
    x = random.standard_normal((n, d))
    y = x @ random.standard_normal(d) + random.standard_normal(n)
    compare("LinearRegression %d x %d" % (n, d), "20x", 3, lambda: LinearRegression(proof=False).fit(x, y),
            {"LinearRegression": lambda: linear_model.LinearRegression().fit(x, y)}, lambda m: np.mean((y - m.predict(x)) ** 2))


def quantile():
    from linpred import QuantileRegressor
    from sklearn import linear_model
    n, d = 20_000 // (10 if SMALL else 1), 20
    random = np.random.default_rng(3)
    x = random.standard_normal((n, d))
    y = x @ random.standard_normal(d) + random.standard_t(3, n)
    compare("QuantileRegressor %d x %d" % (n, d), "500x", 1 if not SMALL else 3, lambda: QuantileRegressor(0.5).fit(x, y),
            {"highs": lambda: linear_model.QuantileRegressor(quantile=0.5, alpha=0, solver="highs").fit(x, y)},
            lambda m: np.mean(np.abs(y - m.predict(x))))


def perceptron():
    """A pass is the difference of 1 + passes of them and 1: what is done once, such as the question whether the rows can
    be separated at all, does not count."""
    from linpred import Perceptron
    from sklearn import linear_model
    n, d, passes = 1_000_000 // SCALE, 50, 5
    random = np.random.default_rng(4)
    x = random.standard_normal((n, d))
    y = (x @ random.standard_normal(d) + 0.05 * random.standard_normal(n) > 0).astype(int)
    a, b = [], []
    for _ in range(5):
        for took, call in ((a, lambda k: Perceptron(max_iter=k, proof=False)),
                           (b, lambda k: linear_model.Perceptron(max_iter=k, tol=None, shuffle=False))):
            took.append((timed(lambda: call(1 + passes).fit(x, y))[0] - timed(lambda: call(1).fit(x, y))[0]) / passes)
    ours, peer = statistics.median(a), statistics.median(b)
    print("%-44s %9.4f s %9.4f s %8.1fx %7s   Perceptron" % ("Perceptron %d x %d, a pass" % (n, d), ours, peer, peer / ours,
          "2.5x"), flush=True)


def reading():
    import linpred
    import pandas as pd
    n, d = 1_000_000 // SCALE, 20
    random = np.random.default_rng(5)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.csv")
        pd.DataFrame(random.standard_normal((n, d)), columns=["c%d" % j for j in range(d)]).to_csv(path, index=False)
        compare("read %d x %d" % (n, d), "8x", 3, lambda: linpred.read(path, task="regression"),
                {"pandas": lambda: pd.read_csv(path)}, None)
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "linpred")
        compare("fit regression rows.csv, %d x %d, to a model" % (n, d), "10x", 3,
                lambda: subprocess.run([program, "fit", "regression", path, "-t", "c0", "-o", os.path.join(folder, "m.json")],
                                       stdout=subprocess.DEVNULL, check=True),
                {"pandas' reading": lambda: pd.read_csv(path)}, None)


def overhead():
    from linpred import LinearRegression, LogisticRegression
    from sklearn import linear_model
    random = np.random.default_rng(6)
    x = random.standard_normal((100, 5))
    target = x[:, 0] + random.standard_normal(100)
    y = (target > 0).astype(int)
    for name, ours, peer, labels in (("LinearRegression", LinearRegression(), linear_model.LinearRegression(), target),
                                     ("LogisticRegression", LogisticRegression(0.01), linear_model.LogisticRegression(), y)):
        for proof in (False, True):
            ours.proof = proof
            compare("%s 100 x 5%s" % (name, ", with the proof" if proof else ""), "1x", 101, lambda: ours.fit(x, labels),
                    {name: lambda: peer.fit(x, labels)}, None)


def importing():
    code = "import time; began = time.perf_counter(); import linpred; print(time.perf_counter() - began)"
    took = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout) for _ in range(5)]
    print("%-44s %9.4f s   asked: under 0.15 s" % ("import linpred", statistics.median(took)))


print("%-44s %11s %11s %9s %7s" % ("", "linpred", "peer", "ratio", "asked"))
parts = (importing, overhead, reading, perceptron, quantile, least_squares, logistic)
for part in [part for part in parts if part.__name__ in sys.argv[1:]] or parts:
    part()
