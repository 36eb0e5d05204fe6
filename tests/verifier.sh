#!/usr/bin/env bash
# linpred-verify is linpred verify: the same words, JSON and exit codes, on true and on false models. And it holds no
# solver, no BLAS and no LAPACK.
#
#   tests/verifier.sh BUILD_FOLDER
set -euo pipefail
trap 'echo "$0: line $LINENO failed"' ERR
build=$(cd "$1" && pwd)
data=$(cd "$(dirname "${BASH_SOURCE[0]}")/../examples/data" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# same MODEL DATA [OPTIONS]: both print the same to the letter, times and the name of the program aside.
compared=0
same() {
  local first=0 other=0
  "$build/linpred" verify "$@" >first.out 2>first.err || first=$?
  "$build/linpred-verify" "$@" >second.out 2>second.err || other=$?
  sed -i 's/"\(read\|verify\)": [0-9.e-]*/"\1": 0/g; s/linpred verify/linpred-verify/g' {first,second}.{out,err}
  [ "$first" -eq "$other" ] || { echo "exit codes $first and $other: $*"; return 1; }
  diff first.out second.out && diff first.err second.err
  compared=$((compared + 1))
}

grep -v setosa "$data/iris.csv" >two.csv
head -50 two.csv >part.csv
"$build/linpred" fit halfspace two.csv -o halfspace.json >/dev/null
"$build/linpred" fit halfspace two.csv --method exact -o exact.json >/dev/null
"$build/linpred" fit logistic two.csv -o logistic.json >/dev/null
"$build/linpred" fit regression "$data/cars.csv" --degree 3 -o regression.json >/dev/null
"$build/linpred" fit regression "$data/cars.csv" --loss absolute -o absolute.json >/dev/null
sed 's/"errors": [0-9]*/"errors": 1/' exact.json >false.json
for model in halfspace exact logistic false; do
  same $model.json two.csv
  same $model.json two.csv --json
  same $model.json two.csv --accept-edited --threads 2
  same $model.json part.csv --json
done
for model in regression absolute; do
  same $model.json "$data/cars.csv"
  same $model.json "$data/cars.csv" --json
done
same halfspace.json missing.csv
same halfspace.json missing.csv --json
same missing.json two.csv
same halfspace.json
same halfspace.json two.csv another
same halfspace.json two.csv --seed 3
same halfspace.json two.csv --accept-edite
same --help
same --help --json
[ "$("$build/linpred-verify" --version)" = "linpred-verify $("$build/linpred" --version | cut -d' ' -f2)" ]

# What it holds. A library that is not stripped names its functions.
forbidden='openblas|cblas|lapack|[0-9]Clp|linpred__(ask_|newton_|exact_lp_|gram_add|fused_|residual_pass)| linpred_fit$'
for file in linpred-verify liblinpred-verify.so; do
  [ ! -e "$build/$file" ] && continue
  if command -v ldd >/dev/null && ldd "$build/$file" | grep -iE 'blas|lapack|clp|coin|liblinpred\.so'; then exit 1; fi
  if command -v nm >/dev/null && nm "$build/$file" | grep -E "$forbidden"; then exit 1; fi
done
echo "$compared invocations print the same; no solver, no BLAS, no LAPACK inside"
