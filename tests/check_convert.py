#!/usr/bin/env python3
"""What `linpred convert` writes means what its source means.

    tests/check_convert.py PROGRAM [PARQUET]

Small files of every kind are converted. A fit of the archive must give the model of the source to the last byte, its
predictions too, and each model must be confirmed against the other file. NumPy and SciPy open the archives, where they
are installed. Archives that were cut or changed are errors, and nothing is left of a conversion that fails or is killed.
"""
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
random.seed(17)
try:
    import numpy
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # the system's may have it
    numpy = None
    print("NumPy is not installed: archives are not opened by it")
try:
    import scipy.sparse
except ImportError:
    scipy = None
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


def run(*arguments, expect=None, **more):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, errors="replace", **more)
    if expect is not None and done.returncode != expect:
        fail(f"{' '.join(arguments)} ended with {done.returncode}, not {expect}: {done.stderr.strip()}")
    return done


def plain(text):
    """A model without what may differ between two runs."""
    return re.sub(r'"(seconds|solver_seconds|checksum)": ("[0-9a-f]*"|[-+.0-9e]+)', "", text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def number(decimals=3):
    return f"{random.gauss(0, 3):.{decimals}f}"


def make_files():
    """name, fits (task and options), options of the conversion, options of the fit of the source alone"""
    rows = [(number(), number(), random.choice("yn")) for _ in range(400)]
    write("plain.csv", "a,b,label\n" + "".join(",".join(row) + "\n" for row in rows))
    yield "plain.csv", ["halfspace", "logistic --l2 0.1", "ball"], [], []
    rows = [(number(), random.choice(["red", "green", "blue ü"]), number(1), number(6)) for _ in range(300)]
    write("text.csv", "länge;farbe;w;y\n" + "".join(";".join(row).replace(".", ",").replace(";-", ";") + "\n" for row in rows))
    yield "text.csv", ["regression", "regression --loss absolute", "regression --degree 2"], [], []
    yield "text.csv", ["regression"], ["--weights", "w"], ["--weights", "w"]
    yield "text.csv", ["regression"], ["--features", "w", "--target", "länge"], ["--features", "w", "--target", "länge"]
    rows = [(number(), random.choice(["", "NA", number()]), random.choice("01")) for _ in range(300)]
    write("holes.csv", "a,b,y\n" + "".join(",".join(row) + "\n" for row in rows))
    yield "holes.csv", ["logistic --missing drop --l2 1", "halfspace --missing mean"], [], []
    rows = [(f"2024-{random.randint(1, 12):02}-{random.randint(1, 28):02}", number()) for _ in range(60)]
    write("dates.csv", "day,y\n" + "".join(",".join(row) + "\n" for row in rows))
    yield "dates.csv", ["regression"], ["--date", "day"], ["--date", "day"]
    write("levels.csv", "id,x,y\n" + "".join(f"k{random.randint(0, 200)},{number()},{number()}\n" for _ in range(900)))
    yield "levels.csv", ["regression --l2 0.5"], [], []
    write("long.csv", "x,y\n" + "".join(f"{random.random():.17f},{number()}\n" for _ in range(50)) + "9007199254740993,1\n")
    yield "long.csv", ["regression"], [], []
    wide = [[number() for _ in range(1030)] + [random.choice(["1", "-1"])] for _ in range(40)]
    write("wide.csv", "\n".join(",".join(row) for row in wide) + "\n")
    yield "wide.csv", ["logistic --l2 1"], [], []
    sparse = [random.choice(["+1", "-1"]) + "".join(f" {j}:{number(2)}" for j in sorted(random.sample(range(1, 90), 7)))
              for _ in range(500)]
    write("rows.svm", "\n".join(sparse) + "\n-1\n")
    yield "rows.svm", ["logistic --l2 0.01", "halfspace", "regression --l2 1"], [], []
    values = [random.gauss(0, 1) for _ in range(300)]
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (100, 3), }"
    with open("matrix.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117).encode() + b"\n")
        file.write(struct.pack("<300d", *values))
    yield "matrix.npy", ["regression"], [], []
    for path in sys.argv[2:]:
        yield path, ["regression --missing drop"], [], []


def compare(source, fit, archive, options):
    task, *more = fit.split()
    for path, model, extra in ((source, "a.json", options), (archive, "b.json", [])):
        run("fit", task, path, *extra, *more, "-o", model, "--no-verify")
    if not os.path.exists("a.json"):
        fail(f"{source}: there is no fit to compare: {run('fit', task, source, *options, *more).stderr}")
        return
    if not os.path.exists("b.json"):
        fail(f"{archive}: fit {fit}: {run('fit', task, archive, *more).stderr}")
        return
    if plain(read("a.json")) != plain(read("b.json")):
        fail(f"{source}: fit {fit} {options} gives another model from its archive")
    same = [run("predict", "a.json", path, "--what", "score").stdout for path in (source, archive)]
    if same[0] != same[1] or same[0].count("\n") < 10:
        fail(f"{source}: {fit}: predictions differ")
    for model, path in (("a.json", archive), ("b.json", source)):
        judged = run("verify", model, path)
        if "these are the" not in judged.stdout or "REFUTED" in judged.stdout or judged.returncode > 1:
            fail(f"verify {model} {path}: {judged.stdout}{judged.stderr}")
    for name in ("a.json", "b.json"):
        os.remove(name)


def open_by_numpy(archive):
    with numpy.load(archive, allow_pickle=False) as arrays:
        held = {name: arrays[name] for name in arrays.files}
    if "data" in held:
        if scipy:
            rows = scipy.sparse.load_npz(archive)
            if rows.shape != tuple(held["shape"]) or len(held["target"]) != rows.shape[0]:
                fail(f"{archive}: shape {rows.shape}")
            if rows.has_canonical_format != 1 or abs(rows[0].sum() - held["data"][:rows.indptr[1]].sum()) > 1e-9:
                fail(f"{archive}: SciPy reads other rows")
        return
    if held["features"].dtype != numpy.float64 or len(held["names"]) != held["features"].shape[1]:
        fail(f"{archive}: {held['features'].dtype}, {len(held['names'])} names")
    if held["features"].ctypes.data is None or len(held["target"]) != held["features"].shape[0]:
        fail(f"{archive}: rows of features and target differ")


def check_numbers():
    """The numbers of the archive are those of the file."""
    run("convert", "plain.csv", "-o", "plain.npz", expect=0)
    with numpy.load("plain.npz") as arrays:
        features, recipe = arrays["features"], arrays["recipe"].item().decode()
    rows = [line.split(",") for line in read("plain.csv").splitlines()[1:]]
    if features.tolist() != [[float(row[0]), float(row[1])] for row in rows] or '"levels": ["' not in recipe:
        fail("plain.npz holds other numbers than plain.csv")
    write("numbers.csv", "a,b,y\n" + "".join(f"{number()},{number()},{number()}\n" for _ in range(9000)))
    run("convert", "numbers.csv", "-o", "numbers.npy", expect=0)
    rows = [[float(x) for x in line.split(",")] for line in read("numbers.csv").splitlines()[1:]]
    if numpy.load("numbers.npy").tolist() != rows:
        fail("numbers.npy holds other numbers than numbers.csv")


def check_decimals():
    """In decimals the row in the middle lies on the segment between the others; its doubles lie beside it."""
    write("thirds.csv", "a,b,y\n0.1,0.7,yes\n0.3,0.1,yes\n0.2,0.4,no\n")
    run("convert", "thirds.csv", "-o", "thirds.npz", expect=0)
    told = [plain(run("separable", path, *more, "--json").stdout).split('"seconds": {')[0]
            for path, more in (("thirds.csv", []), ("thirds.npz", []), ("thirds.npz", ["--memory", "1"]))]
    if '"inseparable"' not in told[0] or told[1] != told[0] or told[2] != told[0]:
        fail(f"decimals: {told}")
    write("doubles.csv", read("thirds.csv").replace("yes", "1").replace("no", "-1"))
    run("convert", "doubles.csv", "-o", "doubles.npy", expect=0) # decimals are lost there, by its own word
    if '"inseparable"' in run("separable", "doubles.npy", "--json").stdout:
        fail("doubles.npy: the doubles are separable, so that this test says nothing")


def check_rows_of_notices():
    """A notice about an archive names the row, where that about its source names the line."""
    write("gaps.csv", "a,y\n1,2\n\n2,3\n# said\n90071992547409931,3\n4,4\n")
    run("convert", "gaps.csv", "--comment", "#", "-o", "gaps.npz", expect=0)
    for name, place, options in (("gaps.csv", ":6: column 1", ("--comment", "#")), ("gaps.npz", ": row 3: column 1", ())):
        said = run("fit", "regression", name, *options).stderr
        if name + place not in said:
            fail(f"{name}: the number above 2^53 is not told of as {name}{place}: {said}")


def check_damage(archive, *limit):
    """No cut and no changed byte makes a fit that says nothing; none crashes."""
    with open(archive, "rb") as file:
        whole = file.read()
    model = run("fit", "logistic", archive, "--l2", "1", "--no-verify", "--json", *limit).stdout
    for trial in range(60):
        damaged = bytearray(whole)
        if trial % 2:
            del damaged[random.randrange(len(whole)):]
        else:
            damaged[random.randrange(len(whole))] ^= 1 << random.randrange(8)
        with open("damaged.npz", "wb") as file:
            file.write(damaged)
        done = run("fit", "logistic", "damaged.npz", "--l2", "1", "--no-verify", "--json", *limit)
        told = done.returncode in (2, 3) and len(done.stderr.strip()) > 10
        same = done.returncode < 2 and re.sub(r'"seconds": {[^}]*}', "", done.stdout) == re.sub(
            r'"seconds": {[^}]*}', "", model)
        if not (told or same):  # a changed date or attribute changes nothing
            fail(f"{archive}, trial {trial}: {done.returncode} {done.stderr.strip()}")


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def check_remains():
    """Neither a full disk nor a kill leaves anything behind."""
    os.mkdir("disk")
    write("many.csv", "a,b,y\n" + "".join(f"{i % 97}.5,{i % 89}.25,{i % 2}\n" for i in range(200000)))
    before = sorted(os.listdir("disk"))
    done = run("convert", "many.csv", "-o", "disk/many.npz", preexec_fn=limit_files)
    if done.returncode != 3 or "disk/many.npz" not in done.stderr or os.listdir("disk") != before:
        fail(f"a full disk: {done.returncode} {done.stderr} {os.listdir('disk')}")
    # An npy file needs no spill, so here the disk is full when half of the archive is written.
    with open("many.npy", "wb") as file:
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (6000, 4), }"
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.ljust(117).encode() + b"\n")
        file.write(struct.pack("<24000d", *(random.random() for _ in range(24000))))
    for output in ("disk/many.npz", "disk/many.npy"):
        for old in ("", "what was there before"):
            if old:
                write(output, old)
            done = run("convert", "many.npy", "-o", output, preexec_fn=limit_files)
            left = [os.path.join("disk", name) for name in os.listdir("disk")]
            if done.returncode != 3 or f"cannot write '{output}'" not in done.stderr or left != ([output] if old else []):
                fail(f"a disk that is full at half of {output}: {done.returncode} {done.stderr} {left}")
            if old and read(output) != old:
                fail(f"{output} was there before, and is now another")
        os.remove(output)
    for delay in (0.005, 0.02, 0.04, 0.06, 0.08, 0.12):
        process = subprocess.Popen([program, "convert", "many.csv", "-o", "disk/many.npz", "--quiet"])
        time.sleep(delay)
        process.send_signal(random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        process.wait()
        left = sorted(os.listdir("disk"))
        if process.returncode == 0:
            os.remove("disk/many.npz")
        elif left != before and left != ["many.npz"]:
            fail(f"after a kill there is {left}")
        elif left:
            run("inspect", "disk/many.npz", expect=0)
            os.remove("disk/many.npz")
    for arguments, word in ((["many.csv"], "-o"), (["many.csv", "-o", "many.zip"], ".npz"),
                            (["many.csv", "-o", "x.npz", "--missing", "drop"], "missing"),
                            (["plain.csv", "-o", "x.npy"], "text"), (["rows.svm", "-o", "x.npy"], "sparse")):
        done = run("convert", *arguments, expect=2)
        if word not in done.stderr or os.path.exists("x.npz"):
            fail(f"convert {arguments}: {done.stderr}")


def main():
    sys.argv[2:] = [os.path.abspath(path) for path in sys.argv[2:]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for source, fits, conversion, options in make_files():
            archive = os.path.basename(source).rsplit(".", 1)[0] + ".npz"
            run("convert", source, *conversion, "-o", archive, expect=0)
            for fit in fits:
                compare(source, fit, archive, options)
            if numpy:
                open_by_numpy(archive)
            run("convert", archive, "-o", "again.npz", expect=0)
            with open(archive, "rb") as one, open("again.npz", "rb") as two:
                if one.read() != two.read():
                    fail(f"{archive}: converted once more it is another file")
        if numpy:
            check_numbers()
        check_decimals()
        check_rows_of_notices()
        check_damage("plain.npz")
        check_damage("plain.npz", "--memory", "1K")
        check_damage("rows.npz")
        check_remains()
        os.chdir("/")
    print("failures:", failures)
    return 1 if failures else 0


sys.exit(main())
