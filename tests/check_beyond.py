#!/usr/bin/env python3
"""Rows that stay in their file give the same bits as rows in memory.

    tests/check_beyond.py PROGRAM

Archives are fitted, verified, evaluated and used for predictions with memory limits from a few bytes to more than they
need, and with several numbers of threads: models and answers must be the same to the last byte. So must those of
several archives that hold the same rows. Methods that need the rows in memory say so. An archive that was damaged, or is
cut or changed while it is read, is an error with a sentence.
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

program = os.path.abspath(sys.argv[1])
random.seed(9)
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, errors="replace")


def plain(text):
    """Text without times and names of models and data."""
    text = re.sub(r'"(seconds|solver_seconds|checksum|read|fit|verify|total)": ("[0-9a-f]*"|[-+.0-9e]+)', "", text)
    return re.sub(r"^(time|model) .*$|^data .*?: ", "", text, flags=re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_csv(path, rows, columns, target, weights=False, dependent=False, noise=1.0, gap=0.0, far=False, quasi=False):
    """`noise` of the scores; `gap` moves rows away from the hyperplane; `far`: columns far from 0, in odd units;
    `quasi`: one side of a column has one label."""
    names = [f"c{j}" for j in range(columns)] + (["w"] if weights else []) + ["y"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for _ in range(rows):
            x = [round(random.gauss(j % 3, 1 + j % 5), 3) for j in range(columns)]
            if dependent:
                x[-1] = round(x[0] - 2 * x[1], 3)
            score = sum(v * (1 - j % 3) for j, v in enumerate(x)) / columns + random.gauss(0, noise)
            if gap:
                side = 1 if score > 0.3 else -1
                x[0] = round(x[0] + side * gap * columns, 3)
                score = 0.3 + side
            if quasi: # one value of the first column tells the label
                x[0] = random.randint(0, 1)
                score = 1.0 if x[0] == 1 else random.gauss(x[1] / 3, 1)
            if far:
                x = [v * 1e-4 + 1e6 if j == 0 else v * 1e160 if j == 1 else v for j, v in enumerate(x)]
            cells = [f"{v:.17g}" if far else f"{v:.3f}" for v in x] + ([str(random.randint(1, 3))] if weights else [])
            file.write(",".join(cells + [target(score)]) + "\n")


def write_mixed(path, rows, levels, gaps=0.0, weightless=False, holes=(0, 1, 2, 5)):
    """Numbers, a text column with so many levels, missing values, weights of which some are 0."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("number,kind,more,count,w,y\n")
        for i in range(rows):
            kind, x, z = random.randrange(levels), random.gauss(0, 2), random.gauss(5, 1)
            score = x + kind % 3 - 1 + random.gauss(0, 1)
            cells = [f"{x:.2f}", f"k{kind}", f"{z:.4f}", str(i + 7), str(random.randint(0 if weightless else 1, 2)),
                     label(score)]
            for j in holes:
                if random.random() < gaps:
                    cells[j] = "NA"
            file.write(",".join(cells) + "\n")


def write_sparse(path, rows, columns, entries):
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(rows):
            chosen = sorted(random.sample(range(1, columns + 1), entries))
            values = [round(random.gauss(0, 1), 2) or 1 for _ in chosen]
            score = sum(v * (1 - c % 3) for c, v in zip(chosen, values)) + random.gauss(0, 1)
            file.write(("+1" if score > 0 else "-1") + "".join(f" {c}:{v}" for c, v in zip(chosen, values)) + "\n")


def label(score):
    return "yes" if score > 0.3 else "no"


def number(score):
    return f"{score:.4f}"


HALFSPACES = ["halfspace", "halfspace --method lp", "halfspace --method margin --no-intercept",
              "halfspace --method perceptron --max-updates 20000", "halfspace --method pocket --max-updates 3000",
              "halfspace --method perceptron --order random --max-updates 500",
              "halfspace --method perceptron --order worst --max-updates 50", "separable",
              "halfspace --method pocket --standardize --max-updates 500"]
CASES = [  # name, rows, columns, target, more, fits
    ("labels", 9000, 3, label, {}, ["logistic", "logistic --l2 0.1", "logistic --l2 0.1 --method newton-cg --no-intercept",
                                    "logistic --class-weights balanced --positive no", *HALFSPACES]),
    ("weighted", 5000, 5, label, {"weights": True}, ["logistic --l2 0.01", "logistic", "halfspace"]),
    ("separable", 9000, 4, label, {"noise": 0.0, "gap": 0.05}, ["logistic", "logistic --l2 0.1", *HALFSPACES]),
    ("touching", 6000, 3, label, {"noise": 0.0}, ["logistic", "separable", "halfspace --method margin"]),
    ("quasi", 4000, 3, label, {"quasi": True}, ["logistic", "separable", "halfspace"]),
    ("far_labels", 3000, 4, label, {"far": True}, ["logistic", "logistic --l2 0.1", "halfspace --max-seconds 60"]),
    ("dependent", 4200, 4, number, {"dependent": True}, ["regression", "regression --dependent drop",
                                                         "regression --loss absolute"]),
    ("numbers", 13000, 7, number, {"weights": True}, ["regression", "regression --l2 0.3 --no-intercept",
                                                      "regression --loss absolute"]),
    ("far_numbers", 3000, 4, number, {"far": True}, ["regression", "regression --loss absolute"]),
    ("powers", 4500, 2, number, {}, ["regression --degree 3", "regression --degree 2 --loss absolute"]),
    ("wide", 700, 300, number, {}, ["regression", "regression --l2 1", "regression --loss absolute"]),
    ("wide_labels", 900, 200, label, {}, ["logistic --l2 0.5", "halfspace", "separable"]),
    ("few_wide", 300, 200, label, {}, ["logistic", "halfspace", "separable", "halfspace --method lp"]),
]


def answers(fit, archives, limits):
    """The model, and what all commands say of it."""
    task, *more = fit.split()
    if task == "separable":
        done = run("separable", *archives, *more, *limits, "--json")
        return f"{done.returncode} {plain(done.stdout)} {done.stderr}"
    done = run("fit", task, *archives, *more, *limits, "-o", "model.json")
    if done.returncode > 1 or not os.path.exists("model.json"):
        return f"{done.returncode} {done.stderr}" if done.returncode > 1 else plain(done.stdout)
    told = [plain(done.stdout), done.stderr, plain(read("model.json")), plain(run("verify", "model.json", *archives, *limits).stdout),
            run("predict", "model.json", *archives, *limits, "--what", "score").stdout,
            run("evaluate", "model.json", *archives, *limits).stdout]
    os.remove("model.json")
    return "\n".join(told)


OTHERS = [  # name, how it is written, fits
    ("texts", lambda path: write_mixed(path, 5000, 4), ["logistic --l2 0.1 --drop w", "halfspace --drop w,count --max-updates 3000",
                                                       "regression --target number --drop y"]),
    ("many_texts", lambda path: write_mixed(path, 4000, 300), ["logistic --l2 0.1 --drop w", "separable --drop w"]),
    ("gaps", lambda path: write_mixed(path, 4000, 3, gaps=0.05), ["logistic --missing drop",
                                                                  "halfspace --missing drop --features number,more"]),
    ("means", lambda path: write_mixed(path, 4000, 3, gaps=0.05, holes=(0, 2)), ["logistic --missing mean --weights w"]),
    ("weightless", lambda path: write_mixed(path, 4000, 2, weightless=True),
     ["logistic --weights w --drop kind", "halfspace --weights w", "logistic --weights w --features number,more --l2 0.1"]),
    ("sparse.svm", lambda path: write_sparse(path, 4000, 60, 9), ["logistic", "logistic --l2 0.1 --method newton-cg", "halfspace", "halfspace --method margin",
                                                                 "separable", "halfspace --method pocket --max-updates 500"]),
    ("sparse_wide.svm", lambda path: write_sparse(path, 700, 30000, 12), ["logistic --l2 0.01", "separable", "regression --l2 1"]),
]


def check_bits():
    for name, rows, columns, target, more, fits in CASES:
        write_csv(name + ".csv", rows, columns, target, **more)
        compare(name, name + ".csv", rows, ["--weights", "w"] if "weights" in more else [], fits)
    for name, write, fits in OTHERS:
        source = name if "." in name else name + ".csv"
        write(source)
        compare(name, source, 5, [], fits)


def compare(name, source, rows, options, fits):
    archive = name.split(".")[0] + ".npz"
    done = run("convert", source, "-o", archive, *options)
    if done.returncode != 0:
        fail(f"{source}: {done.stderr}")
    for fit in fits:
        known = answers(fit, [archive], ["--memory", "1G"])
        if known.count("\n") < (10 if fit.startswith("separable") or "no_minimiser" in known else rows):
            fail(f"{name}: {fit}: {known[:300]}")
        for limits in (["--memory", "1", "--threads", "1"], ["--memory", "100K", "--threads", "3"],
                       ["--memory", "0.2M", "--threads", "2"]):
            same(f"{name}: {fit} {limits}", answers(fit, [archive], limits), known)


def same(what, found, known):
    if found != known:
        first = next((i for i, pair in enumerate(zip(known.split("\n"), found.split("\n"))) if pair[0] != pair[1]), -1)
        fail(f"{what}: line {first}: {known.split(chr(10))[first][:200]} is {found.split(chr(10))[first][:200]}")


PARTS = [  # data, options of its archive, fits; the rows are those of check_bits
    ("labels.csv", [], ["logistic --l2 0.1", "halfspace --max-updates 500", "separable", "logistic --drop c1"]),
    ("weighted.csv", ["--weights", "w"], ["logistic --l2 0.01", "halfspace --max-updates 500"]),
    ("numbers.csv", ["--weights", "w"], ["regression", "regression --loss absolute"]),
    ("texts.csv", [], ["logistic --l2 0.1 --drop w", "regression --target number --drop y,kind"]),
    ("gaps.csv", [], ["logistic --missing drop"]),
    ("weightless.csv", [], ["logistic --weights w --features number,more --l2 0.1"]),
    ("sparse.svm", [], ["logistic --l2 0.1", "halfspace --method margin", "regression --l2 1"]),
]


def write_parts(source, options, cuts):
    """The rows of a file in several archives, cut at these rows; a file without bytes is among them."""
    lines = read(source).splitlines(True)
    head = [] if source.endswith(".svm") else [lines.pop(0)]
    names = []
    for i, (first, end) in enumerate(zip([0, *cuts], [*cuts, len(lines)])):
        part = f"part-{i}{source[-4:]}"
        with open(part, "w", encoding="utf-8") as file:
            file.writelines(head + lines[first:end])
        names.append(f"part-{i}.npz")
        done = run("convert", part, "-o", names[-1], *options)
        if done.returncode != 0:
            fail(f"{part} of {source}: {done.stderr}")
    with open("part-none.npz", "wb"):
        names.insert(2, "part-none.npz")
    return names


def nameless(text):
    return re.sub(r"^(.*linpred: )[^:]*: ", r"\1", text, flags=re.M)


def check_parts():
    """Several archives are one: blocks of rows cross from file to file, and text columns have levels of their own."""
    for source, options, fits in PARTS:
        cuts = [1, 3, 1000 + random.randrange(900), 2100, 2101, 3000]
        parts = write_parts(source, options, cuts)
        done = run("convert", *parts, "-o", "whole.npz", *options)
        if done.returncode != 0:
            fail(f"parts of {source}: {done.stderr}")
        for fit in fits:
            known = nameless(answers(fit, ["whole.npz"], ["--memory", "1G"]))
            if known.count("\n") < 10:
                fail(f"parts of {source}: {fit}: {known[:300]}")
            for limits in ([], ["--memory", "1", "--threads", "1"], ["--memory", "60K", "--threads", "3"]):
                same(f"parts of {source}: {fit} {limits}", nameless(answers(fit, parts, limits)), known)


def check_types_of_parts():
    """Cells of an archive were text once, but it holds numbers: a column that is text in another archive is refused, unless
    both were converted as text. Which mark decimals had does not matter any more."""
    for name, text in (("a", "x,c,y\n1,0,no\n2,1,yes\n3,0,no\n4,1,no\n5,0,yes\n2,1,no\n"), ("b", "x,c,y\n1,p,no\n2,q,yes\n3,p,yes\n0,q,no\n"),
                       ("d", "x;y\n1,5;3\n2,25;4\n3,5;9\n"), ("e", "x;y\n1;3\n2;7\n3;1\n")):
        with open(f"type-{name}.csv", "w", encoding="utf-8") as file:
            file.write(text)
        run("convert", f"type-{name}.csv", "-o", f"type-{name}.npz")
    for memory in ([], ["--memory", "1K"]):
        for files in (["type-a.npz", "type-b.npz"], ["type-b.npz", "type-a.npz"]):
            done = run("fit", "logistic", *files, "--l2", "0.1", *memory)
            if done.returncode != 2 or "type-a.npz: column 'c' was converted as numbers, but is text in type-b.npz" not in done.stderr:
                fail(f"numbers and text in archives: {done.returncode} {done.stderr}")
        one, other = (run("fit", "regression", *files, *more, "-o", "type.json").stdout.replace(".csv", ".npz")
                      for files, more in ((["type-d.npz", "type-e.npz"], memory), (["type-d.csv", "type-e.csv"], [])))
        if one != other or not one:
            fail(f"a decimal comma in one of two archives: {one} {other}")
    for name in "ab":
        run("convert", f"type-{name}.csv", "-o", f"type-{name}.npz", "--text", "c")
    done = run("fit", "logistic", "type-a.npz", "type-b.npz", "--l2", "0.1")
    if done.returncode != 0 or "text column 'c': 4 levels" not in done.stdout:
        fail(f"text in both archives: {done.returncode} {done.stdout} {done.stderr}")


def check_odd_parts():
    """What is wrong with one of several archives names it."""
    parts = write_parts("labels.csv", [], [1, 4000, 6000])
    for member, at, bits in (("features", 5, lambda b: b ^ 1), ("features", 7, lambda b: 0x7FF << 52), ("target", 9, lambda b: b ^ 1)):
        forge(parts[3], member, at, bits, False)
        done = run("fit", "logistic", *parts[:3], "forged.npz", *parts[4:], "--memory", "20K")
        if done.returncode != 2 or f"forged.npz: the array '{member}' was damaged" not in done.stderr:
            fail(f"a damaged part: {done.returncode} {done.stderr}")
    write_csv("other.csv", 50, 4, label)
    run("convert", "other.csv", "-o", "other.npz")
    run("convert", "sparse.svm", "-o", "sparse.npz")
    run("convert", "part-1.csv", "-o", "renamed.npz", "--drop", "c1")
    for odd, why in (("other.npz", "other.npz has 5 columns, but part-0.npz has 4"), ("sparse.npz", "sparse.npz is npz of linpred convert, sparse"),
                     ("renamed.npz", "renamed.npz has 3 columns"), ("labels.csv", "labels.csv: --memory is for npz archives"),
                     ("nowhere.npz", "nowhere.npz")):
        done = run("fit", "logistic", *parts, odd, "--memory", "20K")
        if done.returncode not in (2, 3) or why not in done.stderr:
            fail(f"{odd} among the parts: {done.returncode} {done.stderr}")
    parts = write_parts("weighted.csv", ["--weights", "w"], [2])
    with open("negative.csv", "w", encoding="utf-8") as file:
        file.write("c0,c1,c2,c3,c4,w,y\n" + "1,2,3,4,5,1,yes\n1,2,4,4,5,-1,no\n")
    run("convert", "negative.csv", "-o", "negative.npz", "--weights", "w")
    for memory in ("20K", "1G"):
        done = run("fit", "logistic", *parts, "negative.npz", "--memory", memory)
        if done.returncode != 2 or "negative.npz: row 2" not in done.stderr:
            fail(f"a negative weight in a part, --memory {memory}: {done.returncode} {done.stderr}")
    check_types_of_parts()
    done = run("fit", "ball", *write_parts("labels.csv", [], [1, 2]), "--memory", "20K")
    if done.returncode not in (2, 3) or "part-0.npz and 3 more files" not in done.stderr or "memory" not in done.stderr:
        fail(f"fit ball of parts: {done.returncode} {done.stderr}")


def check_refusals():
    for archive, command in (("labels", ["fit", "ball"]), ("labels", ["fit", "halfspace", "--method", "exact"]),
                             ("labels", ["fit", "ball", "--drop", "c1"]),
                             ("sparse", ["fit", "halfspace", "--method", "pocket", "--standardize"])):
        done = run(*command[:2], archive + ".npz", *command[2:], "--memory", "50K")
        if done.returncode not in (2, 3) or "memory" not in done.stderr:
            fail(f"{command}: {done.returncode} {done.stderr}")
    done = run("fit", "logistic", "labels.npz", "--memory", "much")
    if done.returncode != 2 or "--memory" not in done.stderr:
        fail(f"--memory much: {done.stderr}")
    with open("words.csv", "w", encoding="utf-8") as file:
        file.write("x,c,y\n" + "".join(f"{i % 7},{'pq'[i % 2]},{'no' if i % 3 else 'yes'}\n" for i in range(60)))
    run("convert", "words.csv", "-o", "words.npz")
    for command in (["fit", "ball"], ["fit", "halfspace", "--method", "exact"]):  # features that are not those of the archive
        done = run(*command, "words.npz", "--memory", "100")
        if done.returncode != 3 or "needs the rows in memory, which take 960 bytes" not in done.stderr:
            fail(f"{command} of text beyond memory: {done.stderr}")


def check_changes():
    """The file is cut, or written to, while a fit reads it again and again."""
    told = 0
    for trial in range(30):  # after 3 to 45 ms, then after up to 0.9 s: a fit is fast on an idle machine and slow on a busy one
        run("convert", "wide_labels.csv", "-o", "moving.npz")
        process = subprocess.Popen([program, "fit", "logistic", "moving.npz", "--memory", "1", "--l2", "1e-9", "--quiet",
                                    "--tolerance", "1e-14"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.003 * (trial + 1) if trial < 15 else 0.06 * (trial - 14))
        with open("moving.npz", "r+b") as file:
            if trial % 2:
                file.truncate(200000)
            else:
                file.seek(5000)
                file.write(b"changed!")
        _, error = process.communicate()
        if process.returncode not in (0, 1, 2, 3) or (process.returncode > 1 and len(error) < 10):
            fail(f"trial {trial}: {process.returncode} {error}")
        told += "changed" in error or "ends at byte" in error or "damaged" in error
    if told == 0:
        fail("no change was noticed in thirty trials")


def forge(archive, member, at, bits, honest):
    """A copy in which a number of an array has other bits; `honest`: the checksums are those of the new bytes."""
    whole = bytearray(read_bytes(archive))
    with zipfile.ZipFile(archive) as parts:
        info = parts.getinfo(member + ".npy")
        content = parts.read(info)
    begins = whole.index(content)
    numbers = begins + 10 + struct.unpack_from("<H", content, 8)[0]
    form = "<B" if member == "decimals" else "<Q"
    at *= struct.calcsize(form)
    (before,) = struct.unpack_from(form, whole, numbers + at)
    struct.pack_into(form, whole, numbers + at, bits(before))
    if honest:
        sums = struct.pack("<I", info.CRC), struct.pack("<I", zlib.crc32(whole[begins:begins + len(content)]))
        for place in (info.header_offset + 14, whole.rindex((member + ".npy").encode()) - 30):
            if whole[place:place + 4] != sums[0]:
                fail(f"{archive}: no checksum of {member} at byte {place}")
            whole[place:place + 4] = sums[1]
    with open("forged.npz", "wb") as file:
        file.write(whole)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def check_damage():
    """Rows are compared with their checksum as they are read: a changed number ends every command with a sentence."""
    run("convert", "labels.csv", "-o", "numbers.npz", "--drop", "y", "--target", "c2")
    for archive, member, fit in (("labels.npz", "features", "logistic --l2 0.1"), ("labels.npz", "features", "halfspace"),
                                 ("sparse.npz", "data", "logistic --l2 0.1"), ("sparse.npz", "indices", "halfspace"),
                                 ("numbers.npz", "features", "regression"),
                                 ("numbers.npz", "features", "regression --loss absolute")):
        run("fit", *fit.split()[:1], archive, *fit.split()[1:], "-o", "model.json")
        commands = [["fit", *fit.split()[:1], "forged.npz", *fit.split()[1:], "-o", "new.json"],
                    ["verify", "model.json", "forged.npz"], ["evaluate", "model.json", "forged.npz"],
                    ["predict", "model.json", "forged.npz", "-o", "new.csv"],
                    ["report", "model.json", "forged.npz", "-o", "new.html"]]
        forgeries = [(7, lambda b: b ^ 1, False), (5003, lambda b: b ^ 1, False)]
        if member != "indices":  # not finite: infinite, NaN
            forgeries += [(11, lambda b: 0x7FF << 52, False), (4001, lambda b: b | 0x7FF8 << 48, False),
                          (4001, lambda b: b | 0x7FF8 << 48, True), (9, lambda b: 0xFFF << 52, True)]
        for at, bits, honest in forgeries:
            forge(archive, member, at, bits, honest)
            for command in commands:
                for limit in ("20K", "200K"):
                    done = run(*command, "--memory", limit, "--threads", random.choice("123"))
                    made = [name for name in ("new.json", "new.csv", "new.html") if os.path.exists(name)]
                    if done.returncode not in (2, 3) or "damaged" not in done.stderr or made:
                        fail(f"{archive}, {member}, number {at}, {honest}: {command} {limit}: {done.returncode} {made} "
                             f"{done.stderr}")
                    for name in made:
                        os.remove(name)
    os.remove("model.json")


def check_decimals():
    """What an archive states of its decimals is compared with its numbers, even if its checksums are right."""
    for archive in ("labels.npz", "sparse.npz"):
        run("fit", "logistic", archive, "--l2", "0.1", "-o", "model.json")
        for member, bits in (("largest", lambda b: b ^ 1), ("largest", lambda b: b + (1 << 52)), ("decimals", lambda b: b ^ 1)):
            forge(archive, member, 0, bits, True)
            for command in (["fit", "logistic", "forged.npz", "--l2", "0.1"], ["verify", "model.json", "forged.npz"],
                            ["predict", "model.json", "forged.npz"]):
                done = run(*command, "--memory", "20K")
                if done.returncode != 2 or "'decimals' or 'largest' was damaged" not in done.stderr:
                    fail(f"{archive}, {member}: {command}: {done.returncode} {done.stderr}")
        os.remove("model.json")


def check_order_of_decimals():
    """Where the numbers of all files together have no decimals, their order does not matter."""
    for name, rows in (("fine", "0.12345678901234,1\n"), ("large", "900000.1,2\n1.5,4\n")):
        with open(f"{name}.csv", "w", encoding="utf-8") as file:
            file.write("x,y\n" + rows)
        run("convert", f"{name}.csv", "-o", f"{name}.npz")
    for files in (["fine.npz", "large.npz"], ["large.npz", "fine.npz"]):
        models = []
        for memory in ([], ["--memory", "1"]):
            done = run("fit", "regression", *files, *memory, "-o", "model.json")
            models.append(plain(read("model.json")) if done.returncode == 0 else done.stderr)
        if models[0] != models[1]:
            fail(f"{files} beyond memory: {models}")


def check_many_targets():
    """Targets are read in pieces of 2^18: so many rows that there are three, of labels, of numbers, and with weights."""
    rows = 2 * 2**18 + 5
    with open("tall.csv", "w", encoding="utf-8") as file:
        file.write("x,w,z,y\n" + "".join(f"{i % 97},{1 + i % 3},{i % 89},{'yes' if i * i % 101 > 40 else 'no'}\n" for i in range(rows)))
    for archive, options, fit in (("tall.npz", ["--drop", "w,z"], "logistic"),
                                  ("tall_numbers.npz", ["--drop", "w,y", "--target", "z"], "regression"),
                                  ("tall_weights.npz", ["--drop", "z", "--weights", "w"], "logistic")):
        run("convert", "tall.csv", "-o", archive, *options)
        models = []
        for limits in (["--memory", "1G"], ["--memory", "100K", "--threads", "1"], ["--memory", "1M", "--threads", "3"]):
            done = run("fit", fit, archive, *limits, "-o", "model.json")
            models.append(plain(read("model.json")) if done.returncode == 0 else done.stderr)
        if models[1:] != 2 * models[:1] or not models[0].startswith("{"):
            fail(f"{archive} beyond memory: {[model[:300] for model in models]}")
        for member in ["target"] + (["weights"] if "weights" in archive else []):
            for at in (3, 2**18, rows - 1):
                forge(archive, member, at, lambda b: b ^ 1, False)
                done = run("fit", fit, "forged.npz", "--memory", "100K", "--threads", "2")
                if done.returncode != 2 or f"'{member}' was damaged" not in done.stderr:
                    fail(f"{archive}, {member} {at}: {done.returncode} {done.stderr}")
    os.remove("model.json")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_bits()
        check_parts()
        check_odd_parts()
        check_refusals()
        check_changes()
        check_damage()
        check_decimals()
        check_order_of_decimals()
        check_many_targets()
        os.chdir("/")
    print("failures:", failures)
    return 1 if failures else 0


sys.exit(main())
