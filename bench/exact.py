"""The fewest mistakes, proved: --method exact beside HiGHS's integer solver (through SciPy) on the big-M form
  minimise Σ e_i  subject to  y_i(<w,x_i>+b) + M e_i >= 1,  e binary, M = 1000,
with its answer printed as it gives it, whether M was large enough or not, beside the mistakes its w really makes. Held equal:
the rows, 60 seconds at most for both, reading not counted; alternating, median of 3. Then the public sets, where
the other methods' mistakes stand beside ours: what is found and proved after 60 seconds, and what was known."""
import json, os, statistics, subprocess, sys, tempfile, time
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.join(here, "..", "build", "linpred")
shared = os.path.join(os.environ.get("LINPRED_DATA", os.path.join(here, "..", "..", "shared", "data")), "classify")
limit = 60


def rows(m, d, flipped, seed):
    """Gaussian rows, a planted halfspace with an offset, a fraction of the labels flipped."""
    random = np.random.default_rng(seed)
    w = random.standard_normal(d)
    x = random.standard_normal((m, d))
    y = np.where(x @ w + 0.3 > 0, 1.0, -1.0)
    y[random.choice(m, round(flipped * m), replace=False)] *= -1
    return x, y


def ours(*options):
    out = subprocess.run([program, "fit", *options, "--json"], capture_output=True, text=True)
    return json.loads(out.stdout)


def highs(x, y):
    m, d = x.shape
    z = y[:, None] * np.column_stack([x, np.ones(m)])
    form = LinearConstraint(np.column_stack([z, 1000.0 * np.eye(m)]), lb=1.0)
    low = np.concatenate([np.full(d + 1, -np.inf), np.zeros(m)])
    high = np.concatenate([np.full(d + 1, np.inf), np.ones(m)])
    began = time.perf_counter()
    answer = milp(np.concatenate([np.zeros(d + 1), np.ones(m)]), constraints=form, bounds=Bounds(low, high),
                  integrality=np.concatenate([np.zeros(d + 1), np.ones(m)]), options={"time_limit": limit})
    took = time.perf_counter() - began
    if answer.x is None:
        return took, "no answer (%s)" % answer.message
    real = int(np.sum(z @ answer.x[:d + 1] <= 0))
    return took, "%s %.0f, its w makes %d" % ("'optimal'" if answer.status == 0 else "limit,", answer.fun, real)


def planted(folder, m, d, flipped, repeats, asked):
    for seed in (1, 2, 3):
        x, y = rows(m, d, flipped, seed)
        path = os.path.join(folder, "rows.npy")
        np.save(path, np.column_stack([x, y]))
        a, b, out, said = [], [], None, "not run"
        for _ in range(repeats):
            out = ours("halfspace", path, "--method", "exact", "--max-seconds", str(limit))
            a.append(out["seconds"]["fit"])
            took, said = highs(x, y)
            b.append(took)
        print("%4d x %-3d %3.0f %% %9.3f s %10.3f s %7.1fx %6s   %d mistakes, bound %d, verified %s; HiGHS: %s"
              % (m, d, 100 * flipped, statistics.median(a), statistics.median(b), statistics.median(b) / statistics.median(a),
                 asked, out["errors"], out["lower_bound"], out["verdict"], said), flush=True)


def known(name):
    with open(os.path.join(shared, "reference.json")) as file:
        entry = json.load(file)["datasets"][name]
    best, low = entry.get("best_01_errors"), entry.get("proved_lower_bound_01")
    return str(best) if low is None or low == best else "%s–%s" % (low, best)


def table():
    print("%-16s %9s %9s %8s %9s %10s   %8s %8s %8s   %s"
          % ("set", "mistakes", "bound", "seconds", "verified", "(seconds)", "logistic", "pocket", "auto", "known before"))
    names = ["iris_versicolor.csv", "haberman.csv", "bupa.csv", "pima.csv", "breast_w.csv", "wdbc.csv", "sonar.csv",
             "ionosphere.csv", "banknote.csv", "heart_scale"]
    for name in names:
        data = [os.path.join(shared, name)] + (["-t", "1"] if name.endswith(".csv") else [])
        out = ours("halfspace", *data, "--method", "exact", "--max-seconds", str(limit))
        logistic = ours("logistic", *data).get("errors")
        if logistic is None:  # separated, or without a minimum: the penalised fit
            logistic = ours("logistic", *data, "--l2", "1e-6").get("errors")
        others = [ours("halfspace", *data, "--method", method).get("errors") for method in ("pocket", "auto")]
        print("%-16s %9d %9d %8.2f %9s %10.2f   %8s %8s %8s   %s"
              % (name, out["errors"], out["lower_bound"], out["seconds"]["fit"],
                 {"partly_proved": "partly", "within_tolerance": "nearly"}.get(out["verdict"], out["verdict"]),
                 out["seconds"]["verify"], logistic, others[0], others[1], known(name)), flush=True)


def main():
    print("the fewest mistakes; seconds without reading, at most %d" % limit)
    print("%-17s %9s %12s %8s %6s" % ("rows, flipped", "linpred", "HiGHS", "ratio", "asked"))
    with tempfile.TemporaryDirectory() as folder:
        planted(folder, 200, 3, 0.10, 3, "10x")
        planted(folder, 100, 5, 0.05, 1, "–")
        planted(folder, 500, 5, 0.02, 1, "–")
        planted(folder, 1000, 10, 0.01, 1, "–")
    if os.path.isdir(shared):
        print()
        table()


main()
