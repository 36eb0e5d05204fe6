#!/usr/bin/env python3
"""Compiles and runs the programs of docs/c-api.md, and compares what they print with what the guide shows.

    tests/check_c_guide.py BUILD_FOLDER GUIDE.md [FLAGS]      FLAGS: for the compiler, such as -fsanitize=…
    tests/check_c_guide.py --record BUILD_FOLDER GUIDE.md     puts what they print into the guide; read the difference

A block fenced as ```c that holds a main is a program. It is compiled with the public header alone, linked with the
library, and run in a folder where examples/ is found. The next block fenced as ```text is what it prints.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

record = sys.argv[1] == "--record"
if record:
    del sys.argv[1]
build, guide = os.path.abspath(sys.argv[1]), sys.argv[2]
flags = sys.argv[3:]
tree = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(guide, encoding="utf-8") as file:
    text = file.read()
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)
problems = programs = 0
with tempfile.TemporaryDirectory() as work:
    shutil.copytree(os.path.join(tree, "examples"), os.path.join(work, "examples"))
    for index, (language, code) in enumerate(blocks):
        if language != "c" or not re.search(r"^int main\(", code, re.M):
            continue
        programs += 1
        source, program = os.path.join(work, f"program{programs}.c"), os.path.join(work, f"program{programs}")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        command = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", *flags, "-I" + os.path.join(tree, "include"), source,
                   os.path.join(build, "liblinpred.so"), "-Wl,-rpath," + build, "-pthread", "-lm", "-o", program]
        made = subprocess.run(command, capture_output=True, text=True)
        name = code.splitlines()[0]
        if made.returncode != 0:
            print(f"{name}\ndoes not compile:\n{made.stderr}")
            problems += 1
            continue
        ran = subprocess.run([program], cwd=work, capture_output=True, text=True, timeout=300)
        shown = [text for kind, text in blocks[index + 1:index + 2] if kind == "text"]
        if record and ran.returncode == 0 and shown:
            text = text.replace(code + "```\n\n```text\n" + shown[0], code + "```\n\n```text\n" + ran.stdout)
        elif ran.returncode != 0 or not shown or ran.stdout != shown[0]:
            print(f"{name}\nexit code {ran.returncode}, prints:\n{ran.stdout}{ran.stderr}the guide shows:\n"
                  f"{shown[0] if shown else '(nothing)'}")
            problems += 1
if record:
    with open(guide, "w", encoding="utf-8") as file:
        file.write(text)
print(f"{programs} programs, {problems} differ")
sys.exit(1 if problems or not programs else 0)
