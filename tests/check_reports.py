#!/usr/bin/env python3
"""Reports, as a browser shows them: linpred report, opened in headless Chromium.

    tests/check_reports.py PROGRAM BUILD_FOLDER [SCREENSHOTS]

Key numbers of each page equal those of --json. tests/pages/look.js opens the pages and lists what it checks. It needs
Chromium, node and npm, which `./run test` installs; npm fetches what package.json names into the build folder, once.
Exit code 77: one of them is missing, so the pages were not looked at in a browser.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM, BUILD = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(HERE), "examples", "data")


def run(*arguments, codes=(0, 1)):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"linpred {' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def escape(name):
    """A name as the value of an attribute in a CSS selector."""
    return name.replace("\\", "\\\\").replace('"', '\\"')


def report(name, data, kinds, *arguments):
    """Fits, writes the page, and says what it must state."""
    answer = json.loads(run("fit", *arguments[:1], data, *arguments[1:], "-o", f"{name}.json", "--json", "--quiet"))
    run("report", f"{name}.json", data, "-o", f"{name}.html", "--quiet")
    first = open(f"{name}.html", "rb").read()
    run("report", f"{name}.json", data, "-o", f"{name}.html", "--quiet", "--threads", "1")
    if open(f"{name}.html", "rb").read() != first:
        sys.exit(f"WRONG: {name}.html has other bytes the second time")
    if len(first) > 1_000_000:
        sys.exit(f"WRONG: {name}.html has {len(first)} bytes")
    numbers = {"#rows": answer["rows"], "#outcome": answer["outcome"]}
    for figure in ("objective", "errors", "margin", "rank", "r_squared", "lower_bound", "deviance", "gap"):
        if figure in answer:
            numbers[f"#figure-{figure} td:nth-child(2)"] = answer[figure]
    for feature, value in answer.get("coefficients", {}).items():
        numbers[f'table.sortable td[data-v="{escape(feature)}"] + td'] = value
    for feature, value in answer.get("standard_errors", {}).items():
        numbers[f'table.sortable td[data-v="{escape(feature)}"] + td + td'] = value
    for claim in answer["claims"]:
        numbers[f"#claim-{claim['claim']}[data-verdict={claim['verdict']}] .verdict"] = claim["verdict"].upper().replace("_", " ")
    if arguments[0] == "ball":
        numbers["#radius"] = answer["radius"]
    return {"page": os.path.abspath(f"{name}.html"), "numbers": numbers, "kinds": kinds}


def hostile():
    names = ['<script>alert(1)</script>', '"/><img src=x onerror="alert(1)">', "</style><b>bold</b>"]
    with open("hostile <b>.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(names)
        for i in range(40):
            out.writerow([i % 7, i % 5, "<u>yes</u>" if i % 7 + i % 5 > 5 else "no' onclick='alert(1)"])
    return report("hostile <i>", "hostile <b>.csv", ["halfspace", "coefficients", "roc"], "halfspace")


def make_pages():
    with open("xor.csv", "w", encoding="utf-8") as file:
        file.write("a,b,y\n0,0,no\n1,1,no\n0,1,yes\n1,0,yes\n")
    with open("disc.csv", "w", encoding="utf-8") as file:
        file.write("u,v,in\n" + "".join(f"{i % 7},{i % 5},{'yes' if 3 < i % 7 + i % 5 < 6 and i % 7 < 4 else 'no'}\n"
                                         for i in range(35)))
    return [
        report("two", f"{DATA}/iris.csv", ["halfspace", "coefficients", "roc"], "halfspace", "--positive", "setosa"),
        report("xor", "xor.csv", ["halfspace", "roc"], "halfspace"),
        report("stack", f"{DATA}/stackloss.csv", ["fit", "residuals", "qq", "leverage", "coefficients"], "regression",
               "-t", "stack.loss"),
        report("cars", f"{DATA}/cars.csv", ["fit", "residuals", "qq"], "regression", "--loss", "absolute"),
        report("low", f"{DATA}/birthwt.csv", ["sigmoid", "plane", "coefficients", "calibration", "roc"], "logistic", "-t",
               "low", "--drop", "bwt"),
        report("disc", "disc.csv", ["ball", "roc"], "ball", "--positive", "yes"),
        hostile(),
    ]


def tools():
    """Chromium, and the folder with node's modules; None, None if something is missing."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not (chromium and shutil.which("node") and shutil.which("npm")):
        return None, None
    folder = os.path.join(BUILD, "pages")
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json", "look.js"):
        shutil.copy(os.path.join(HERE, "pages", name), folder)
    if not os.path.exists(os.path.join(folder, "node_modules", "axe-core")):
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, capture_output=True,
                              text=True)
        if done.returncode != 0:
            print(done.stderr[-600:])
            return None, None
    return chromium, folder


def main():
    chromium, folder = tools()
    screenshots = [os.path.abspath(sys.argv[3])] if len(sys.argv) > 3 else []
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        pages = make_pages()
        with open("cases.json", "w", encoding="utf-8") as file:
            json.dump(pages, file)
        if not chromium:
            print("skipped: reports were written, but not opened in a browser: chromium, node or npm's modules are missing")
            os.chdir("/")
            return 77
        code = subprocess.run(["node", os.path.join(folder, "look.js"), chromium, os.path.join(work, "cases.json"),
                               *screenshots]).returncode
        os.chdir("/")
    return code


sys.exit(main())
