#!/usr/bin/env bash
# Builds the Python package of a build of linpred, so that it can be imported from BUILD/python.
#   python/build.sh BUILD                 BUILD is the folder with liblinpred.so
#   python/build.sh BUILD --wheel         also makes BUILD/python/dist: an sdist, and a wheel that holds liblinpred
# PYTHON names the interpreter; without it, the first that has NumPy and setuptools is taken.
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)

find_python() {
  local candidate
  for candidate in ${PYTHON:-/usr/bin/python3 python3 python3.13 python3.12 python3.11}; do
    if "$candidate" -c 'import sys, numpy, setuptools, wheel; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  echo "no Python from 3.11 on with NumPy, setuptools and wheel is found; set PYTHON to one that has them" >&2
  return 77
}
python=$(find_python)

out=$build/python
mkdir -p "$out"
# Built from a copy: several builds may stand side by side, and none leaves files in the source tree.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$folder" "$work/python"
cp -r "$folder/../include" "$work/include"
cp "$folder/../LICENSE" "$work/python/"
export LINPRED_BUILD=$build LINPRED_SANITIZE_FLAGS="${LINPRED_SANITIZE_FLAGS-}"
cd "$work/python"
rm -rf "$out/linpred"
"$python" -W ignore setup.py -q build --build-base "$work/temporary" --build-lib "$out"
if [ "${2-}" = --wheel ]; then
  rm -rf "$out/dist"
  "$python" -m build --sdist --no-isolation --outdir "$out/dist" . >/dev/null
  "$python" -m pip wheel -q --no-build-isolation --no-deps --no-index --wheel-dir "$out/dist" .
fi
echo "$python"
