#!/usr/bin/env python3
"""Pictures show what the model and the data say: linpred plot, read back from its SVG.

    tests/check_pictures.py PROGRAM

The scale of each picture is recovered from its tick labels; then marks must stand where the rows are, lines where the
model's score is 0, curves where predict puts them, rings around the rows that verify speaks of. Names from files can
bring no markup along. The same input gives the same bytes; large data stays small.
"""
import csv
import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from statistics import NormalDist

PROGRAM = os.path.abspath(sys.argv[1])
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "data")
SVG = "{http://www.w3.org/2000/svg}"
KINDS = {
    "halfspace": ["halfspace", "coefficients", "roc"],
    "regression": ["fit", "residuals", "qq", "leverage", "coefficients"],
    "logistic": ["sigmoid", "plane", "coefficients", "calibration", "roc"],
    "ball": ["ball", "roc"],
}
checks = 0


def check(holds, text):
    global checks
    checks += 1
    if not holds:
        sys.exit("WRONG: " + text)


def run(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True)
    check(done.returncode == code, f"linpred {' '.join(arguments)}: exit code {done.returncode}, {done.stderr.decode()}")
    return done.stdout


def fit(name, *arguments):
    codes = (0, 1)
    done = subprocess.run([PROGRAM, "fit", *arguments, "-o", name, "--json"], capture_output=True, text=True)
    check(done.returncode in codes, f"fit {arguments}: {done.stderr}")
    return json.loads(done.stdout)


def plot(model, data, *arguments):
    text = run("plot", model, data, "--quiet", *arguments)
    check(not re.search(rb"\b(nan|inf)\b", re.sub(rb">[^<]*<", b"><", text)), f"{arguments}: a coordinate is no number")
    return ElementTree.fromstring(text), text


def number(text):
    return float(text.replace("−", "-"))


def scale(root, horizontal):
    """A function from pixels to values, by the tick labels of one axis."""
    ticks = []
    for text in root.iter(SVG + "text"):
        at_bottom = text.get("text-anchor") == "middle" and text.get("class") == "tick"
        at_left = text.get("text-anchor") == "end" and text.get("class") == "tick"
        if at_bottom if horizontal else at_left:
            ticks.append((float(text.get("x")) if horizontal else float(text.get("y")) - 4, number(text.text)))
    check(len(ticks) >= 2, "an axis has fewer than two labels")
    (p, u), (q, v) = ticks[0], ticks[-1]
    power = 1.0
    names = [text.text for text in root.iter(SVG + "text") if text.get("class") == "name"]
    for name in names[:1] if horizontal else names[1:2]:
        found = re.search(r"\(×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\)$", name)
        if found:
            power = 10.0 ** int(found.group(1).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    return lambda pixel: power * (u + (pixel - p) * (v - u) / (q - p))


def centre(mark):
    """Where a mark stands: the centre of its circle, or of its path."""
    circle = mark.find(SVG + "circle")
    if circle is not None:
        return float(circle.get("cx")), float(circle.get("cy"))
    points = points_of(mark.find(SVG + "path"))
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def points_of(path):
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path.get("d"))]


def marks(root):
    """Row of the file -> where its mark stands."""
    found = {}
    for group in root.iter(SVG + "g"):
        title = group.find(SVG + "title")
        row = re.match(r"row (\d+):", title.text) if group.get("class") == "mark" else None
        if row:
            found[int(row.group(1))] = centre(group)
    return found


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def check_halfspace():
    """Every row stands at its values; the line is where the score is 0; the support rows of the claim are ringed."""
    rows = [row for row in rows_of(f"{DATA}/iris.csv") if row["Species"] != "virginica"]
    with open("two.csv", "w", encoding="utf-8") as file:
        file.write("Petal.Length,Petal.Width,Species\n")
        file.writelines(f"{row['Petal.Length']},{row['Petal.Width']},{row['Species']}\n" for row in rows)
    answer = fit("two.json", "halfspace", "two.csv")
    root, _ = plot("two.json", "two.csv")
    x, y, at = scale(root, True), scale(root, False), marks(root)
    check(len(at) == len(rows), f"{len(at)} marks for {len(rows)} rows")
    for i, row in enumerate(rows, 1):
        check(abs(x(at[i][0]) - float(row["Petal.Length"])) < 0.01 and abs(y(at[i][1]) - float(row["Petal.Width"])) < 0.01,
              f"row {i} is not where its values are")
    w = answer["coefficients"]

    def score(point):
        return w["Petal.Length"] * x(point[0]) + w["Petal.Width"] * y(point[1]) + w["(intercept)"]
    size = math.hypot(w["Petal.Length"], w["Petal.Width"])
    line = next(path for path in root.iter(SVG + "path") if path.get("class") == "line")
    for point in points_of(line)[:2]:
        check(abs(score(point)) / size < 0.05, "the line is not where the score is 0")
    edges = [path for path in root.iter(SVG + "path") if path.get("class") == "edge"]
    least = min(float(row["Petal.Length"]) * w["Petal.Length"] + float(row["Petal.Width"]) * w["Petal.Width"] +
                w["(intercept)"] for row in rows if row["Species"] == "versicolor")
    check(sorted(round(score(points_of(edge)[0]) / least) for edge in edges) == [-1, 1], "the margin's edges")
    model = json.load(open("two.json", encoding="utf-8"))
    support = next(claim for claim in model["claims"] if claim["claim"] == "largest_margin")
    ringed = {(circle.get("cx"), circle.get("cy")) for circle in root.iter(SVG + "circle") if circle.get("class") == "ring"}
    wanted = {tuple(f"{v:g}" for v in at[entry["row"]]) for entry in support["support"]}
    check(len(wanted) == 3 and all(any(math.dist(map(float, a), map(float, b)) < 0.2 for b in ringed) for a in wanted),
          "a support row has no ring")
    other, _ = plot("two.json", "two.csv", "--project")
    across = scale(other, True)
    for i, (px, _) in marks(other).items():
        true = (w["Petal.Length"] * float(rows[i - 1]["Petal.Length"]) + w["Petal.Width"] *
                float(rows[i - 1]["Petal.Width"]) + w["(intercept)"]) / size
        check(abs(across(px) - true) < 0.02, f"row {i} is not as far from the hyperplane as it is")


def check_witness():
    """The hulls of xor's labels meet in the middle, and all four rows are ringed."""
    with open("xor.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n0,0,no\n1,1,no\n0,1,yes\n1,0,yes\n")
    fit("xor.json", "halfspace", "xor.csv")
    root, _ = plot("xor.json", "xor.csv")
    x, y = scale(root, True), scale(root, False)
    dots = [c for c in root.iter(SVG + "circle") if c.get("class") == "accentfill halo"]
    check(len(dots) == 1 and abs(x(float(dots[0].get("cx"))) - 0.5) < 0.01 and abs(y(float(dots[0].get("cy"))) - 0.5) < 0.01,
          "the hulls of xor meet at (0.5, 0.5)")
    check(sum(c.get("class") == "accent" for c in root.iter(SVG + "circle")) == 4 + 1, "rings of the witness and the legend")
    with open("other.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n0,0,no\n1,2,no\n0,1,yes\n1,0,yes\n")
    root, _ = plot("xor.json", "other.csv")
    check(not any(c.get("class") == "accent" for c in root.iter(SVG + "circle")), "a witness is drawn on other rows")


def check_regression():
    """The curve is where predict puts it, and the band where --interval does."""
    fit("cars.json", "regression", f"{DATA}/cars.csv", "--degree", "2")
    fit("absolute.json", "regression", f"{DATA}/cars.csv", "--loss", "absolute")
    root, _ = plot("cars.json", f"{DATA}/cars.csv", "--with", "absolute.json")
    x, y = scale(root, True), scale(root, False)
    paths = {}
    for path in root.iter(SVG + "path"):
        paths[path.get("class")] = path if len(points_of(path)) > 50 else paths.get(path.get("class"))
    for name, model in (("curve2", "cars.json"), ("other", "absolute.json")):
        points = points_of(paths[name])
        with open("at.csv", "w", encoding="utf-8") as file:
            file.write("speed\n" + "".join(f"{x(px)!r}\n" for px, _ in points))
        scores = [float(line) for line in run("predict", model, "at.csv").decode().split("\n")[1:] if line]
        off = max(abs(y(py) - score) for (_, py), score in zip(points, scores))
        check(off < 0.5, f"{name} is {off} off")
    band = points_of(paths["band"])
    with open("at.csv", "w", encoding="utf-8") as file:
        file.write("speed\n" + "".join(f"{x(px)!r}\n" for px, _ in band))
    lines = run("predict", "cars.json", "at.csv", "--interval").decode().split("\n")[1:]
    ends = [tuple(map(float, line.split(","))) for line in lines if line]
    half = len(band) // 2
    for k, ((_, py), end) in enumerate(zip(band, ends)):
        check(abs(y(py) - end[2 if k < half else 1]) < 0.7, "the band is not that of predict --interval")
    residuals = marks(plot("cars.json", f"{DATA}/cars.csv", "--kind", "residuals")[0])
    check(len(residuals) == 50, "a residual a row")


def check_ball_and_roc():
    """The circle has the model's centre and radius; the ROC's mark is that of evaluate."""
    with open("disc.csv", "w", encoding="utf-8") as file:
        file.write("u,v,in\n")
        for i in range(120):
            u, v = math.sin(7.3 * i) * 2, math.cos(3.1 * i) * 1.5
            file.write(f"{u:.3f},{v:.3f},{'yes' if (u - 0.3) ** 2 + v * v < 1 else 'no'}\n")
    answer = fit("disc.json", "ball", "disc.csv", "--positive", "yes")
    root, _ = plot("disc.json", "disc.csv")
    x, y = scale(root, True), scale(root, False)
    circle = next(path for path in root.iter(SVG + "path") if path.get("class") == "line" and len(points_of(path)) > 100)
    for px, py in points_of(circle):
        distance = math.hypot(x(px) - answer["centre"]["u"], y(py) - answer["centre"]["v"])
        check(abs(distance - answer["radius"]) < 0.02, "the circle is not the ball")
    evaluated = json.loads(run("evaluate", "disc.json", "disc.csv", "--json"))
    root, _ = plot("disc.json", "disc.csv", "--kind", "roc")
    dot = next(c for c in root.iter(SVG + "circle") if c.get("class") == "accentfill halo")
    check(abs(scale(root, False)(float(dot.get("cy"))) - evaluated["recall"]) < 0.01, "the ROC's mark is not at recall")


def check_all_kinds():
    """Every kind of every task: well-formed, the same bytes again and with other threads, light, dark and auto."""
    fit("logistic.json", "logistic", f"{DATA}/birthwt.csv", "-t", "low", "--drop", "bwt")
    fit("stack.json", "regression", f"{DATA}/stackloss.csv", "-t", "stack.loss")
    models = {"halfspace": ("two.json", "two.csv"), "regression": ("stack.json", f"{DATA}/stackloss.csv"),
              "logistic": ("logistic.json", f"{DATA}/birthwt.csv"), "ball": ("disc.json", "disc.csv")}
    for task, kinds in KINDS.items():
        for kind in kinds:
            root, text = plot(*models[task], "--kind", kind)
            check(plot(*models[task], "--kind", kind)[1] == text, f"{kind}: other bytes the second time")
            check(root.find(SVG + "title") is not None and root.find(SVG + "desc") is not None, f"{kind}: no title")
            light, dark = (plot(*models[task], "--kind", kind, "--theme", theme)[1] for theme in ("light", "dark"))
            bare = [re.sub(rb"<style>.*?</style>", b"", page) for page in (light, dark, text)]
            check(bare[0] == bare[1] == bare[2] and light != dark, f"{kind}: themes differ in more than colours")
            check(b"http" not in text.replace(b"http://www.w3.org/2000/svg", b""), f"{kind}: something is to be loaded")
            width = float(root.get("viewBox").split()[2])
            for node in root.iter(SVG + "text"):
                check(-1 <= float(node.get("x")) <= width, f"{kind}: '{node.text}' begins outside")


def check_perceptron():
    """The updates that are shown are those of the trace, and so are both sides of the proof."""
    run("fit", "halfspace", "two.csv", "--method", "perceptron", "--bound", "--trace", "trace.csv")
    trace = rows_of("trace.csv")
    root = ElementTree.fromstring(run("plot", "perceptron", "two.csv"))
    shown = re.findall(r"update (\d+): row (\d+)", "\n".join(root.itertext()))
    check(len(shown) == min(6, len(trace)), f"{len(shown)} updates are shown of {len(trace)}")
    for update, row in shown:
        check(trace[int(update) - 1]["row"] == row, f"update {update} is not that of row {row}")
    curves = [points_of(path) for path in root.iter(SVG + "path") if path.get("class") == "curve"][:3]
    for curve, figure in zip(curves, ("star_product", "norm_squared", "cosine")):
        check(len(curve) == len(trace) + 2, f"{figure}: a point an update")
        base, top = curve[0][1], curve[-1][1]
        for point, update in zip(curve[1:], trace):
            true = float(update[figure]) / float(trace[-1][figure])
            check(abs(point[1] - base - true * (top - base)) < 0.1 * (1 + true), f"{figure} of update {update['update']}")


def check_search():
    """Where the best and the bound meet; reports come by the clock, so only the end is certain."""
    root = ElementTree.fromstring(run("plot", "search", "xor.csv"))
    y = scale(root, False)
    ends = {c.get("class"): y(float(c.get("cy"))) for c in root.iter(SVG + "circle")}
    check(abs(ends["pos"] - 1) < 0.01 and abs(ends["accentfill"] - 1) < 0.01, f"the fewest mistakes of xor are 1, not {ends}")
    check("1 mistake, and none makes fewer: proved" in root.find(SVG + "desc").text, root.find(SVG + "desc").text)


def check_pocket():
    """The best so far never grows, and each of its values is the count of mistakes of weights that the trace has."""
    with open("pairs.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n")
        for i in range(60):
            a, b = i * 7 % 23, i * 5 % 17
            file.write(f"{a},{b},{1 if (a + b > 19) != (i % 9 == 0) else -1}\n")
    arguments = ("pairs.csv", "--max-passes", "20")
    run("fit", "halfspace", *arguments, "--method", "pocket", "--trace", "pocket.csv", code=1)
    data = rows_of("pairs.csv")

    def mistakes(w):
        return sum(int(r["y"]) * (w[0] * int(r["a"]) + w[1] * int(r["b"]) + w[2]) <= 0 for r in data)

    counts = [60] + [mistakes([float(u[name]) for name in ("a", "b", "(intercept)")]) for u in rows_of("pocket.csv")]
    root = ElementTree.fromstring(run("plot", "pocket", *arguments))
    x, y = scale(root, True), scale(root, False)
    curve = [path for path in root.iter(SVG + "path") if path.get("class") == "curve"][0]
    steps = [(round(x(px)), round(y(py))) for px, py in points_of(curve)]
    check(len(steps) > 4 and steps[0][1] == 60, f"the curve begins at {steps[:1]}")
    for (_, before), (update, after) in zip(steps, steps[1:]):
        check(after <= before, f"the best so far grows from {before} to {after}")
        check(after in counts[:update + 2], f"no weights before update {update} make {after} mistakes")
    check(f"{steps[-1][1]} mistakes of 60" in root.find(SVG + "desc").text, root.find(SVG + "desc").text)


def check_weights():
    """The area of a mark is as the weight of its row."""
    with open("weighted.csv", "w", encoding="utf-8") as file:
        file.write("x,w,y\n")
        for i in range(30):
            file.write(f"{i},{1 + i % 4},{i * i % 11}\n")
    fit("weighted.json", "regression", "weighted.csv", "--weights", "w")
    root, text = plot("weighted.json", "weighted.csv")
    areas = set()
    for group in root.iter(SVG + "g"):
        title = group.find(SVG + "title")
        found = re.search(r"^row \d+:.*weight (\d+)$", title.text) if group.get("class") == "mark" else None
        if found:
            areas.add(round(float(group.find(SVG + "circle").get("r")) ** 2 / int(found.group(1)), 0))
    check(len(areas) == 1, f"areas a unit of weight: {areas}")
    check(b"area: weight, here 2.43" in text, "the legend says nothing of weights")
    fit("counted.json", "logistic", "weighted.csv", "--weights", "w", "-t", "y", "--positive", "4")
    note = plot("counted.json", "weighted.csv")[0].find(SVG + "desc").text
    check(re.search(r": \d+ of 30 rows wrong$", note), note)
    fit("costly.json", "halfspace", "xor.csv", "--method", "exact", "--cost", "2:3")
    note = plot("costly.json", "xor.csv")[0].find(SVG + "desc").text
    check("they cost 2, and no halfspace's cost less than 2" in note, note)


def check_weighted_quantiles():
    """Q-Q: the quantile of a row is that of the middle of its copies, weight k being k copies."""
    root, text = plot("weighted.json", "weighted.csv", "--kind", "qq")
    pattern = re.compile(r"^row (\d+): normal quantile (\S+), residual (\S+), weight (\d+)$")
    titles = [pattern.match(title.text) for title in root.iter(SVG + "title")]
    found = sorted((number(t.group(3)), int(t.group(1)), number(t.group(2)), int(t.group(4))) for t in titles if t)
    total, below = sum(weight for *_, weight in found), 0
    check(len(found) == 30 and total == sum(1 + i % 4 for i in range(30)), f"{len(found)} rows of weight {total}")
    for residual, row, quantile, weight in found:
        expected = NormalDist().inv_cdf((below + weight / 2) / total)
        check(abs(quantile - expected) < 1e-4, f"row {row}: quantile {quantile}, not {expected}")
        below += weight
    check(b"Weight k counts as k rows." in text, "the caption says nothing of weights")


def check_axes_are_numbers():
    """Of more than two features, numbers are axes before indicators, however much these move the score."""
    with open("mixed.csv", "w", encoding="utf-8") as file:
        file.write("kind,a,b,y\n")
        for i in range(40):
            kind, a, b = "uvw"[i % 3], i * 7 % 11, i * 5 % 13
            file.write(f"{kind},{a},{b},{'yes' if a - b + 40 * (kind == 'w') + 0.5 > 0 else 'no'}\n")
    fit("mixed.json", "halfspace", "mixed.csv")
    texts = [text.text for text in plot("mixed.json", "mixed.csv")[0].iter(SVG + "text")]
    check("a" in texts and "b" in texts and "kind=w" not in texts, f"axes: {texts}")


def check_forest():
    """All numbers of large coefficients are within the picture; long names of levels differ where they are cut."""
    level = "A rather long name of a level, number {} of some, which goes on after that (with brackets)"
    with open("wide.csv", "w", encoding="utf-8") as file:
        file.write("size,level,price\n")
        for i in range(60):
            file.write(f'{i * 7 % 31},"{level.format(i % 6)}",{1e9 * (i * 11 % 17) - 3e10 * (i % 6) + 5e8 * (i % 5)}\n')
            file.write(f'{i * 5 % 29},"{level.format(i % 6)}",{2e9 * (i * 13 % 19) - 2e10 * (i % 5)}\n')
    fit("wide.json", "regression", "wide.csv")
    root, _ = plot("wide.json", "wide.csv", "--kind", "coefficients")
    width = float(root.get("viewBox").split()[2])
    texts = [(node.get("text-anchor"), float(node.get("x")), node.text) for node in root.iter(SVG + "text")]
    numbers = [(x, text) for anchor, x, text in texts if anchor is None and "]" in text]
    check(len(numbers) == 6, f"{len(numbers)} lines of numbers")
    for x, text in numbers:
        check(x + 12 * 0.6 * len(text) < width, f"'{text}' is cut at the right edge")
    names = [(x, text) for anchor, x, text in texts if anchor == "end" and text.startswith("level=")]
    check(len(names) == 5 and all(f"number {k} " in text for k, (_, text) in enumerate(names, 1)), f"names: {names}")
    for x, text in names:
        check(x - 13 * 0.55 * len(text) > 0, f"'{text}' is cut at the left edge")
    table = run("fit", "regression", "wide.csv").decode()
    check(all(re.search(rf"^  level=\S.*…[^…]*number {k} .*…", table, re.M) for k in range(1, 6)), f"names in the table:\n{table}")
    with open("thousands.csv", "w", encoding="utf-8") as file:
        file.write("x,y\n" + "".join(f"{i},{14388.7 * i + i % 3}\n" for i in range(9)))
    fit("thousands.json", "regression", "thousands.csv")
    shown = "".join(plot("thousands.json", "thousands.csv", "--kind", "coefficients")[0].itertext())
    check("14390" in shown and "1.439·10" not in shown, f"14390 is shorter than 1.439·10⁴: {shown}")


def days(text):
    return (datetime.date(*map(int, (text + "-01-01").split("-")[:3])) - datetime.date(1970, 1, 1)).days


def check_dates():
    """An axis of dates has dates at its ticks: beginnings of days, months or years, each where its day is."""
    for name, step, pattern in (("weeks", 7, r"\d{4}-\d\d-\d\d"), ("months", 29, r"\d{4}-\d\d"), ("years", 400, r"\d{4}")):
        first = datetime.date(2019, 12, 30)
        with open("dated.csv", "w", encoding="utf-8") as file:
            file.write("day,y\n")
            file.writelines(f"{first + datetime.timedelta(step * i)},{i * i % 7 + i}\n" for i in range(12))
        fit("dated.json", "regression", "dated.csv", "--date", "day")
        fit("dated_label.json", "halfspace", "dated.csv", "--date", "day", "-t", "y", "--positive", "2")
        fit("dated_up.json", "regression", "dated.csv", "--date", "day", "-t", "day")
        for model in ("dated.json", "dated_label.json", "dated_up.json"):
            up = model == "dated_up.json"
            root, _ = plot(model, "dated.csv")
            at, ticks = marks(root), [(float(t.get("y" if up else "x")) - 4 * up, t.text) for t in root.iter(SVG + "text")
                                      if t.get("class") == "tick" and t.get("text-anchor") == ("end" if up else "middle")]
            form = r"\d{4}(-\d\d){0,2}" if up else pattern
            check(3 <= len(ticks) <= 9 and all(re.fullmatch(form, text) for _, text in ticks), f"{name}: {ticks}")
            (p, u), (q, v) = (at[1][up], days(str(first))), (at[12][up], days(str(first)) + 11 * step)
            for x, text in ticks:
                check(abs(u + (x - p) * (v - u) / (q - p) - days(text)) < 0.01 * (v - u), f"{name}: {text} is not at its day")
            check(f"day {first + datetime.timedelta(step)}" in "".join(root.itertext()), f"{name}: no date on hover")
            for t in root.iter(SVG + "text"):
                if up and t.get("class") == "tick" and t.get("text-anchor") == "end":
                    check(float(t.get("x")) - 7 * len(t.text) > 16, f"{name}: {t.text} touches the axis' name")


def check_leverage_labels():
    """The names of Cook's distances are within the panel, and no curve crosses them."""
    for rows in range(8, 30):
        with open("pull.csv", "w", encoding="utf-8") as file:
            file.write("a,b,y\n")
            file.writelines(f"{i * 7 % 11},{i * 5 % 13 + i * i % 5},{i * i * i % 17 + i}\n" for i in range(rows))
        fit("pull.json", "regression", "pull.csv")
        root, _ = plot("pull.json", "pull.csv", "--kind", "leverage")
        top = float(root.find(f".//{SVG}clipPath/{SVG}rect").get("y"))
        curves = [points_of(path) for path in root.iter(SVG + "path") if path.get("class") == "edge"]
        for text in (t for t in root.iter(SVG + "text") if t.text.startswith("D = ")):
            x, y = float(text.get("x")), float(text.get("y"))
            check(y - 11 >= top, f"{rows} rows: {text.text} is cut at the top")
            for curve in curves:
                for (x1, y1), (x2, y2) in zip(curve, curve[1:]):
                    for k in range(11):
                        u, v = x1 + (x2 - x1) * k / 10, y1 + (y2 - y1) * k / 10
                        check(not (x - 40 <= u <= x and y - 9 < v < y), f"{rows} rows: a curve crosses {text.text}")


def check_separation():
    """The three answers, and the rows that are not settled: those on the line."""
    for name, word in (("two.csv", "Separated"), ("xor.csv", "Overlapping")):
        root = ElementTree.fromstring(run("plot", "separable", name))
        check(root.find(SVG + "title").text == word, f"{name}: {root.find(SVG + 'title').text}, not {word}")
    with open("quasi.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n0,0,no\n2,0,no\n1,0,yes\n3,0,yes\n1,1,yes\n2,-1,no\n")
    root = ElementTree.fromstring(run("plot", "separable", "quasi.csv"))
    check(root.find(SVG + "title").text == "Quasi-separated", "quasi.csv is quasi-separated")
    rings = sum(c.get("class") == "ring" for c in root.iter(SVG + "circle"))
    check(rings == 4 + 1, f"{rings} rings for four rows that are not settled and the legend")


def check_shattering():
    """Three points in the plane: each of eight labellings with a line between its signs. Four: one that fails."""
    with open("triangle.csv", "w", encoding="utf-8") as file:
        file.write("u,v\n0,0\n1,0\n0,1\n")
    text = run("plot", "shatter", "triangle.csv").decode()
    check(text.count('<rect class="grid"') == 8, "eight labellings of three points")
    for panel in text.split('<rect class="grid"')[1:]:
        part = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}"><rect ' + re.sub(r"<text class=.tick.*?</text>|</svg>", "", panel)
                                      + "</svg>")
        lines = [points_of(path) for path in part.iter(SVG + "path") if path.get("class") == "line"]
        sides = {}
        for mark in part.iter(SVG + "g"):
            if mark.get("class") == "mark":
                sides.setdefault(mark.find(SVG + "title").text[-1], []).append(centre(mark))
        check(sum(map(len, sides.values())) == 3, "three points in a panel")
        if len(sides) == 2:
            (x1, y1), (x2, y2) = lines[0]
            across = {sign: {(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0 for x, y in points}
                      for sign, points in sides.items()}
            check(len(across["+"]) == len(across["−"]) == 1 and across["+"] != across["−"], "a line is not between its signs")
    with open("square.csv", "w", encoding="utf-8") as file:
        file.write("u,v\n0,0\n1,0\n0,1\n1,1\n")
    root = ElementTree.fromstring(run("plot", "shatter", "square.csv"))
    signs = [title.text[-1] for title in root.iter(SVG + "title") if re.match(r"row \d+: ", title.text or "")]
    check(sorted(signs) == ["+", "+", "−", "−"], "the labelling of a square that fails has two of each sign")


def check_formats():
    """PNG and PDF, by the ending of the file."""
    for name, magic in (("two.png", b"\x89PNG"), ("two.PDF", b"%PDF")):
        run("plot", "two.json", "two.csv", "-o", name)
        with open(name, "rb") as file:
            check(file.read(4) == magic, f"{name} is not what its ending says")


def check_hostile_names():
    """Names and levels of a file are text, whatever they hold."""
    names = ['<script>alert(1)</script>', '"/><image href="x" onload="alert(1)"/>', "&amp;<b>]]>"]
    with open("hostile.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow([*names[:2], names[2]])
        for i in range(40):
            out.writerow([i % 7, i % 5, "<u>yes</u>" if i % 7 + i % 5 > 5 else "no' onclick='x"])
    fit("hostile.json", "halfspace", "hostile.csv")
    allowed = {"svg", "title", "desc", "style", "rect", "path", "circle", "text", "g", "clipPath"}
    for kind in KINDS["halfspace"]:
        root, text = plot("hostile.json", "hostile.csv", "--kind", kind)
        check({node.tag.replace(SVG, "") for node in root.iter()} <= allowed, f"{kind}: a name brought an element along")
        check(not any(key.startswith("on") or "href" in key for node in root.iter() for key in node.attrib),
              f"{kind}: a name brought an attribute along")
    shown = "".join(root.itertext())
    check("<u>yes</u>" in shown, "a level is not shown as it is")
    with open("broken.csv", "wb") as file:
        file.write("a\x01\u202e,b,y\n".encode() + b"".join(b"%d,%d,%s\n" % (i, i * i % 7, b"p" if i > 9 else b"q") for i in range(20)))
    fit("broken.json", "halfspace", "broken.csv")
    plot("broken.json", "broken.csv")  # must be well-formed


def check_large():
    """A hundred thousand rows are drawn by density."""
    run("generate", "noisy", "--rows", "100000", "-o", "large.csv")
    fit("large.json", "halfspace", "large.csv", "--method", "pocket", "--max-passes", "5", "--no-verify")
    for kind in ("halfspace", "roc"):
        _, text = plot("large.json", "large.csv", "--kind", kind)
        check(len(text) < 300_000, f"{kind}: {len(text)} bytes")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_halfspace()
        check_witness()
        check_regression()
        check_ball_and_roc()
        check_all_kinds()
        check_perceptron()
        check_search()
        check_pocket()
        check_weights()
        check_weighted_quantiles()
        check_axes_are_numbers()
        check_forest()
        check_dates()
        check_leverage_labels()
        check_separation()
        check_shattering()
        check_formats()
        check_hostile_names()
        check_large()
        os.chdir("/")
    print(f"{checks} checks of pictures, all right")


main()
