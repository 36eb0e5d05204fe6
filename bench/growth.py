"""What a larger job will cost: time, memory and passes of each learner over rows, columns and threads, with the exponent
of the growth. A run is a whole command on an npy file, with reading and its check. Data is standard normal with a planted
model. Times of runs below FLOOR seconds say more of starting than of the work, so the exponent leaves them out: it is the
slope of log seconds over log size through the other runs. A learner's column of sizes ends after the first run that takes
longer than LIMIT seconds; a run that takes twice as long is ended. So the whole takes about ten minutes on two processors
that do nothing else, 3 GB on the disk of temporary files, and less memory than 8 GB.

    ./run bench growth [ROWS [COLUMNS [LIMIT]]]    the most rows, the most columns, seconds (10000000 10000 20)
    ./run bench growth 1e5 100 5                   a minute of it
"""
import json, math, os, signal, subprocess, sys, tempfile, time
import numpy as np

program = os.path.join(os.path.dirname(__file__), "..", "build", "linpred")
most_rows, most_columns = (int(float(a)) for a in (sys.argv[1:3] + ["1e7", "1e4"][len(sys.argv[1:3]):]))
limit = float(sys.argv[3]) if len(sys.argv) > 3 else 20.0
FLOOR = 0.05
FEW_COLUMNS, SOME_ROWS = 10, 5000  # the columns while rows grow, the rows while columns grow

# name, what the target is, the command after `linpred fit`
learners = [
    ("least squares", "line", ["regression"]),
    ("least absolute", "line", ["regression", "--loss", "absolute"]),
    ("logistic", "overlap", ["logistic"]),
    ("logistic, l2", "overlap", ["logistic", "--l2", "0.001"]),
    ("separable", "apart", ["halfspace", "--method", "lp"]),
    ("largest margin", "apart", ["halfspace", "--method", "margin"]),
    ("perceptron", "apart", ["halfspace", "--method", "perceptron"]),
    ("auto, overlapping", "overlap", ["halfspace", "--method", "auto", "--max-seconds", str(limit)]),
]


def write(folder, target, rows, columns):
    """The file of a kind of target, made in blocks so that this program stays small."""
    path = os.path.join(folder, target + ".npy")
    random = np.random.default_rng(rows + columns)
    w = random.standard_normal(columns) / math.sqrt(columns)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=(rows, columns + 1))
    step = max(1, 4_000_000 // columns)
    for begin in range(0, rows, step):
        x = random.standard_normal((min(step, rows - begin), columns))
        score = x @ w
        if target == "line":
            y = score + random.standard_normal(len(x))
        elif target == "apart":  # moved along w until the score is at least a quarter from 0
            y = np.where(score > 0, 1.0, -1.0)
            x += (0.25 * y / (w @ w))[:, None] * w
        else:
            y = np.where(random.random(len(x)) < 1 / (1 + np.exp(-2 * score)), 1.0, -1.0)
        out[begin:begin + step, :-1], out[begin:begin + step, -1] = x, y
    out.flush()
    return path


def run(path, command, threads=0):
    """Seconds, MB at the peak (by GNU time, since a child of this program would count this program's own), passes (None if
    the learner states none), and the outcome. A run that was ended has endless seconds."""
    with tempfile.NamedTemporaryFile("r") as peak:
        began = time.perf_counter()
        process = subprocess.Popen(["time", "-q", "-f", "%M", "-o", peak.name, program, "fit", *command, path, "--json",
                                    "--quiet", "--threads", str(threads)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, start_new_session=True)
        try:
            out, complaint = process.communicate(timeout=2 * limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # GNU time and what it runs
            process.communicate()
            return math.inf, math.nan, None, "ended"
        took = time.perf_counter() - began
        if not out:  # a run that failed says nothing of growth
            sys.exit("linpred fit %s failed: %s" % (" ".join(command), complaint.strip()))
        answer = json.loads(out)
        return took, float(peak.read()) / 1024, answer.get("passes"), answer["outcome"]


def exponent(sizes, seconds):
    """The slope of log seconds over log size, of runs above FLOOR; "" if there are fewer than two."""
    pairs = [(math.log(n), math.log(s)) for n, s in zip(sizes, seconds) if FLOOR <= s < math.inf]
    if len(pairs) < 2:
        return ""
    x, y = np.array(pairs).T
    return "%.2f" % np.polyfit(x, y, 1)[0]


def line(name, size, result, note=""):
    took, memory, passes, outcome = result
    if took == math.inf:
        print("%-20s %10s  over %4.0f s  %s" % (name, size, 2 * limit, outcome), flush=True)
        return
    print("%-20s %10s %9.2f s %8.0f MB %7s  %-13s %s" % (name, size, took, memory, "" if passes is None else passes, outcome, note))
    sys.stdout.flush()


def grow(folder, title, sizes, shape):
    """Every learner at every size; shape(size) is (rows, columns)."""
    print("\n%s\n%-20s %10s %11s %11s %7s  %s" % (title, "learner", "size", "whole", "memory", "passes", "outcome"))
    taken = {name: [] for name, _, _ in learners}
    for size in sizes:
        made = {}
        for name, target, command in learners:
            if taken[name] and max(taken[name]) > limit:
                continue
            if target not in made:
                made[target] = write(folder, target, *shape(size))
            result = run(made[target], command)
            taken[name].append(result[0])
            line(name, size, result)
        for path in made.values():
            os.unlink(path)
    print("seconds grow as size to the power of: " +
          ", ".join("%s %s" % (name, exponent(sizes, took) or "(too few runs above %g s)" % FLOOR) for name, took in taken.items()))


def decades(first, last):
    return [first * 10 ** k for k in range(int(math.log10(last / first) + 1e-9) + 1)]


def over_threads(folder):
    rows = min(most_rows, 1_000_000)
    print("\nthreads, %d x %d\n%-20s %10s %11s %11s %7s" % (rows, 5 * FEW_COLUMNS, "learner", "threads", "whole", "memory", "passes"))
    counts = [2 ** k for k in range(int(math.log2(os.cpu_count())) + 1)]
    for target in ("line", "overlap", "apart"):
        path = write(folder, target, rows, 5 * FEW_COLUMNS)
        for name, of, command in learners:
            for threads in counts if of == target else []:
                line(name, threads, run(path, command, threads))
        os.unlink(path)


def main():
    print("growth: whole commands on npy files, each with reading and its check, %d processors" % os.cpu_count())
    with tempfile.TemporaryDirectory() as folder:
        grow(folder, "rows, %d columns" % FEW_COLUMNS, decades(1000, most_rows), lambda n: (n, FEW_COLUMNS))
        grow(folder, "columns, %d rows" % SOME_ROWS, decades(10, most_columns), lambda d: (SOME_ROWS, d))
        over_threads(folder)


main()
