#!/usr/bin/env python3
"""Progress and Ctrl-C as a person at a terminal meets them, in a pseudo-terminal.

    tests/check_progress.py PROGRAM
"""
import array
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
checks = 0


def check(holds, text):
    global checks
    checks += 1
    if not holds:
        sys.exit("WRONG: " + text)


def at_terminal(*arguments, interrupt_at=None, columns=100):
    """Runs the program with standard error at a terminal. Gives exit code, what stands in the terminal's stream, and
    standard output. With interrupt_at, Ctrl-C is pressed when that text has appeared."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "-onlcr"], stdin=theirs, check=True)
    with tempfile.TemporaryFile() as output:
        program = subprocess.Popen([PROGRAM, *arguments], stdout=output, stderr=theirs, stdin=subprocess.DEVNULL)
        os.close(theirs)
        seen, began = b"", time.time()
        while time.time() - began < 120:
            ready, _, _ = select.select([ours], [], [], 0.1)
            if ready:
                try:
                    part = os.read(ours, 65536)
                except OSError:
                    break
                seen += part
                if not part:
                    break
            if interrupt_at and interrupt_at in seen:
                program.send_signal(signal.SIGINT)
                interrupt_at = None
        code = program.wait(timeout=60)
        os.close(ours)
        output.seek(0)
        return code, seen.decode(), output.read().decode()


def screen(stream):
    """The lines that a reader sees in the end: \\r goes to the beginning of the line, and ESC [K wipes the rest."""
    lines = []
    for line in stream.split("\n"):
        shown = ""
        for part in line.split("\r"):
            part = part.split("\x1b[K")[-1] if part.startswith("\x1b[K") else part
            shown = "" if part == "" and "\x1b[K" in line else part.replace("\x1b[K", "") or shown
        lines.append(shown)
    return "\n".join(lines).strip()


def write_noise(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("x1,x2,x3,y\n")
        for i in range(rows):
            file.write(f"{i * 7919 % 1009},{i * 104729 % 997},{i * i % 1013},{int(i * i % 7 < 3)}\n")


def check_fit():
    """A long fit: the line appears after half a second, with its measure; Ctrl-C keeps the best; the line is gone."""
    write_noise("noise.csv", 3000)
    endless = ["fit", "halfspace", "noise.csv", "--method", "pocket", "--max-passes", "1000000000", "-o", "model.json"]
    code, seen, output = at_terminal(*endless, interrupt_at=b"mistakes")
    check(code == 1, f"exit code {code}")
    check(re.search(r"\rpocket: \d+ steps, \d+ passes, best \d+ mistakes, \d+\.\d s", seen), f"no measure in {seen[:300]!r}")
    times = [float(found) for found in re.findall(r"(\d+\.\d) s", seen)]
    check(min(times) >= 0.4, f"a line after {min(times)} s")
    check(screen(seen) == "linpred: stopped by Ctrl-C: the best so far is kept", f"left on the screen: {screen(seen)!r}")
    check("stopped" in output and os.path.exists("model.json"), "the best so far is not kept")
    for line in seen.split("\r"):
        check(len(re.sub(r"\x1b\[K", "", line.split("\n")[0])) < 100, "a line is wider than the terminal")
    narrow = at_terminal(*endless, interrupt_at=b"pocket:", columns=50)[1]
    check(all(len(line.split("\x1b")[0]) < 50 for line in narrow.split("\r")[1:]), "a line is wider than a narrow terminal")


def check_bounds():
    """Method exact shows both bounds, and how much time is left."""
    write_noise("hard.csv", 120)
    code, seen, _ = at_terminal("fit", "halfspace", "hard.csv", "--method", "exact", "--max-seconds", "3")
    check(code in (0, 1), f"exit code {code}")
    if "exact:" in seen:  # else it was too fast to show anything
        check(re.search(r"exact: best \d+ mistakes(, none below \d+)?, \d+\.\d s, \d s left", seen), f"{seen[:400]!r}")


def check_quiet():
    """Nothing where it is short, not asked for, or no terminal; lines with --progress plain."""
    write_noise("short.csv", 20)
    check(at_terminal("fit", "regression", "short.csv", "-t", "x3")[1] == "", "a short fit shows progress")
    endless = ["fit", "halfspace", "noise.csv", "--method", "pocket", "--max-passes", "1000000000", "--max-seconds", "1.5"]
    for flags in (["--progress", "none"], ["--quiet"]):
        check(at_terminal(*endless, *flags)[1] == "", f"{flags}: progress is shown")
    done = subprocess.run([PROGRAM, *endless], capture_output=True, text=True)
    check(done.stderr == "", f"without a terminal: {done.stderr!r}")
    done = subprocess.run([PROGRAM, *endless, "--progress", "plain"], capture_output=True, text=True)
    check(re.fullmatch(r"(linpred: pocket: .*mistakes.*\n)+", done.stderr), f"plain: {done.stderr!r}")
    done = subprocess.run([PROGRAM, *endless, "--progress", "loud"], capture_output=True, text=True)
    check(done.returncode == 2 and "plain, none or auto" in done.stderr, done.stderr)


def check_reading():
    """A pipe that is slow: bytes and rate while it is read, and nothing left on the screen."""
    rows = "".join(f"{i % 101},{i % 97},{int(i % 7 < 3)}\n" for i in range(60000))
    os.mkfifo("pipe.csv")
    writer = subprocess.Popen([sys.executable, "-c", """
import sys, time
with open("pipe.csv", "w") as pipe:
    pipe.write("a,b,y\\n")
    text = open("rows.txt").read()
    for at in range(0, len(text), len(text) // 20 + 1):
        pipe.write(text[at:at + len(text) // 20 + 1])
        pipe.flush()
        time.sleep(0.08)
"""]) if open("rows.txt", "w").write(rows) else None
    code, seen, _ = at_terminal("separable", "pipe.csv")
    writer.wait()
    check(code == 1, f"exit code {code}")
    check(re.search(r"\rreading: \d+ MB, \d+ MB/s", seen), f"reading shows nothing: {seen[:300]!r}")
    check(screen(seen) == "", f"left on the screen: {screen(seen)!r}")


def check_other_formats():
    """An array and a database: bytes of the one, rows of the other."""
    values = array.array("f", (i * 7919 % 1009 / 8 for i in range(400_000)))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8000000, 5), }"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open("large.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(100):
            values.tofile(file)
    database = sqlite3.connect("large.db")
    database.execute("create table t (a real, b real, y integer)")
    database.executemany("insert into t values (?, ?, ?)", ((i % 101, i % 97, i % 2) for i in range(1_200_000)))
    database.commit()
    database.close()
    for name, measure in (("large.npy", r"\d+ of 160 MB, \d+ MB/s, \d+ s left"), ("large.db", r"[1-9]\d* rows")):
        done = subprocess.run([PROGRAM, "inspect", name, "--progress", "plain", "--threads", "1"], capture_output=True,
                              text=True)
        check(done.returncode == 0, done.stderr)
        if done.stderr:  # else it was too fast to show anything
            check(re.fullmatch(rf"(linpred: reading: {measure}\n)+", done.stderr), f"{name}: {done.stderr!r}")


def words_at_terminal(*arguments, columns, **environment):
    """Standard output of a short command at a terminal of so many columns."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "-onlcr"], stdin=theirs, check=True)
    variables = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "TERM")}
    program = subprocess.Popen([PROGRAM, *arguments], stdout=theirs, stderr=subprocess.DEVNULL,
                               env={**variables, "TERM": "xterm", **environment})
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    program.wait()
    os.close(ours)
    return seen.decode()


def check_screen():
    """Verdicts have a colour at a terminal that may have one, and words say the same; nothing is wider than it."""
    fit = ["fit", "regression", "short.csv", "-t", "x3"]
    seen = words_at_terminal(*fit, columns=80)
    check("\x1b[1;32mWITHIN TOLERANCE\x1b[0m" in seen, f"no colour: {seen!r}")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    for settings in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        check(words_at_terminal(*fit, columns=80, **settings) == plain, f"{settings}: colour")
    check("\x1b" in words_at_terminal(*fit, columns=80, NO_COLOR=""), "an empty NO_COLOR counts as set")
    table = plain[plain.index("\ncoefficients") + 1:].split("\n")
    check(max(len(line) for line in table) <= 80, "the table is wider than the terminal")
    check(re.match(r" +\[-?[0-9.]+, -?[0-9.]+\]$", table[3]), f"the interval is not folded: {table[3]!r}")
    wide = words_at_terminal(*fit, columns=200, NO_COLOR="1").split("\n")
    check(any(re.match(r"  x1 .*\[.*\]$", line) for line in wide), "the interval is folded on a wide terminal")
    help_text = words_at_terminal("fit", "logistic", "--help", columns=80)
    check(max(len(line) for line in help_text.split("\n")) <= 80, "the help is wider than the terminal")
    piped = subprocess.run([PROGRAM, *fit], capture_output=True, text=True).stdout
    check("\x1b" not in piped and any(len(line) > 100 for line in piped.split("\n")), "a pipe is taken for a terminal")


def check_messages():
    """Notices and errors are folded at blanks on a terminal, and are one line each in a pipe."""
    with open("codes.csv", "w") as out:
        out.write("code,x,y\n" + "".join(f"{i:05d},{i % 7},{i % 3}\n" for i in range(40)))
    for arguments in (["fit", "regression", "codes.csv"], ["fit", "regression", "codes.csv", "-t", "z"],
                      ["fit", "regression", "codes.csv", "--losses", "absolute"]):
        piped = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True).stderr
        _, seen, _ = at_terminal(*arguments, columns=60)
        lines = [line for line in screen(seen).split("\n") if line]
        check(any(len(line) > 60 for line in piped.split("\n")), f"no long message: {piped!r}")
        check(max(len(line) for line in lines) <= 60, f"wider than the terminal: {lines!r}")
        joined = re.sub(r"\n {9}", " ", "\n".join(lines))
        check(joined == piped.strip(), f"folded: {joined!r}, one line each: {piped!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_fit()
        check_bounds()
        check_quiet()
        check_reading()
        check_other_formats()
        check_screen()
        check_messages()
        os.chdir("/")
    print(f"{checks} checks of progress, all right")


main()
