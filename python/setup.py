"""Builds the extension against liblinpred: the one beside this folder, or one that pkg-config knows.

LINPRED_BUILD names the folder of the build that holds liblinpred.so; the library is then copied into the package, so
that both come in one piece. Without it, liblinpred must be installed.
"""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
BUILD = os.environ.get("LINPRED_BUILD")
LIMITED = "0x030B0000"  # Python 3.11, the first whose limited API has the buffer protocol


def pkg_config(*what):
    try:
        return subprocess.run(["pkg-config", *what, "linpred"], check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        sys.exit(
            "liblinpred is not found: install it (cmake --install) so that pkg-config knows it, or build both with "
            "./run python in linpred's source tree"
        )


def header_folder():
    """Where linpred/linpred.h is."""
    inside = os.path.join(TREE, "include")
    if BUILD or os.path.exists(os.path.join(inside, "linpred", "linpred.h")):
        return inside
    return pkg_config("--variable=includedir")[0]


def version():
    """The version stands in the public header; an sdist keeps a copy of it in PKG-INFO."""
    kept = os.path.join(HERE, "PKG-INFO")
    if os.path.exists(kept):
        return re.search(r"^Version: (.*)$", open(kept, encoding="utf-8").read(), re.M)[1]
    text = open(os.path.join(header_folder(), "linpred", "linpred.h"), encoding="utf-8").read()
    return ".".join(re.search(rf"LINPRED_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


class Build(build_ext):
    def build_extensions(self):
        extension = self.extensions[0]
        extension.include_dirs = [header_folder()]
        extension.extra_compile_args = ["-std=c17", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-fvisibility=hidden"]
        extension.extra_link_args = ["-Wl,-rpath,$ORIGIN"]
        if BUILD:
            extension.library_dirs = [BUILD]
            package = os.path.join(self.build_lib, "linpred")
            os.makedirs(package, exist_ok=True)
            shutil.copy(os.path.join(BUILD, "liblinpred.so.0"), package)
        else:
            extension.library_dirs = pkg_config("--variable=libdir")
            extension.extra_link_args += [f"-Wl,-rpath,{folder}" for folder in extension.library_dirs]
        for flag in os.environ.get("LINPRED_SANITIZE_FLAGS", "").split():
            extension.extra_compile_args += [flag, "-g"]
            extension.extra_link_args += [flag]
        super().build_extensions()


class Wheel(bdist_wheel):
    """One wheel for every Python from 3.11 on."""

    def finalize_options(self):
        self.py_limited_api = "cp311"
        super().finalize_options()
        self.root_is_pure = False


setup(
    version=version(),
    ext_modules=[
        Extension(
            "linpred._core",
            sources=sorted(f"ext/{name}" for name in os.listdir(os.path.join(HERE, "ext")) if name.endswith(".c")),
            depends=["ext/core.h"],
            libraries=["linpred"],
            define_macros=[("Py_LIMITED_API", LIMITED), ("_GNU_SOURCE", None)],
            py_limited_api=True,
        )
    ],
    cmdclass={"build_ext": Build, "bdist_wheel": Wheel},
)
