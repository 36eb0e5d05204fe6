#!/usr/bin/env bash
# A fit that its own check refutes is an internal error: exit code 3, a sentence on how to report it, and no model.
#
#   tests/refuted_fit.sh PROGRAM     PROGRAM: linpred with the check of refuting_verify.c
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
printf '%s\n' x,y 1,2 2,3 3,5 4,4 >data.csv
for json in "" --json; do
  code=0
  "$program" fit regression data.csv -o model.json $json >out.txt 2>err.txt || code=$?
  [ "$code" -eq 3 ] || { echo "exit code $code, not 3"; exit 1; }
  grep -q 'internal error: the fit is refuted by its own check' err.txt || { cat err.txt; exit 1; }
  grep -q 'please report this' err.txt || { cat err.txt; exit 1; }
  [ ! -e model.json ] || { echo "a model was written"; exit 1; }
done
grep -q '"error"' out.txt || { cat out.txt; exit 1; }
if grep -q '"outcome"' out.txt; then echo "the fit is shown"; exit 1; fi
