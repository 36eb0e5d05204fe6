#!/usr/bin/env bash
# One minute with linpred, on classic data sets: look at a file, learn, prove, predict. `./run demo` builds the program first.
#
#   examples/demo.sh [PROGRAM]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=${1:-$here/../build/linpred}
PATH=$(cd "$(dirname "$program")" && pwd):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/data/*.csv "$work"
cd "$work"

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
# Shows a command, runs it, and tells its exit code where that says more than "done".
show() {
  local code=0
  printf '\n%s$ %s%s\n' "$bold" "$1" "$plain"
  eval "$1" 2>&1 || code=$?
  if [ $code -ne "${2:-0}" ]; then
    echo "demo: the exit code was $code" >&2
    exit 3
  fi
  case $code in
  1) echo "(exit code 1: answered, and the answer is no)" ;;
  2) echo "(exit code 2: the input is at fault)" ;;
  esac
}

say "1. What is in the file? Fisher's irises: four measurements of 150 flowers, three species."
show "linpred inspect iris.csv"

say "2. A halfspace tells two classes apart, and here are three. Nothing is guessed: the message says what is wrong."
show "linpred fit halfspace iris.csv" 2

say "3. Is setosa separable from the rest? The perceptron finds a halfspace, and the verifier, which shares no code
   with it but the exact adder, checks the sign of every row, in exact arithmetic where rounding could matter."
show "sed -E 's/versicolor|virginica/other/' iris.csv > setosa.csv"
show "linpred fit halfspace setosa.csv --positive setosa --method perceptron -o setosa.json"

say "4. Anyone who has the model and the data can check the claim again. Change one label, and it is refuted."
show "linpred verify setosa.json setosa.csv"
show "sed '2s/setosa/other/' setosa.csv > changed.csv"
show "linpred verify setosa.json changed.csv" 1

say "5. New flowers: the model knows its columns by name, in whatever order they come."
show "printf '%s\n' Petal.Width,Petal.Length,Sepal.Width,Sepal.Length 0.3,1.5,3.6,5.2 1.9,5.1,2.9,6.3 | tee new.csv"
show "linpred predict setosa.json new.csv"
show "linpred predict setosa.json new.csv --what score"

say "6. The two other species overlap. A few rows prove that no halfspace is right on all, and the pocket algorithm keeps
   the best it has seen; what is proved of that is the number of its mistakes."
show "grep -v setosa iris.csv > two.csv"
show "linpred fit halfspace two.csv -o two.json"
show "linpred evaluate two.json two.csv"

say "7. Text columns become indicators, the mapping of labels is always shown, and --json is for programs."
show "linpred fit halfspace birthwt.csv -t low --positive low --drop bwt --json > birthwt.json"
show "grep -A 14 '\"labels\"' birthwt.json"

say "8. Regression, with a bound on the error of every coefficient; and logistic regression, which proves that it is at its minimum,
   or that there is none."
show "linpred fit regression cars.csv"
show "linpred fit logistic two.csv"

say "Where to look next"
cat <<'NEXT'
  build/linpred --help                 the commands; linpred fit --help lists every option with its default
  examples/arrays.c, logistic.c, …     the same from C
  include/linpred/linpred.h            the whole library: its rules, and the headers that are its parts
  docs/theory.md                       from the definitions to each command
  docs/halfspace.md, regression.md, logistic.md, ball.md
                                       what each fit computes, and what is proved of it
  docs/json.md, model-file.md          what --json prints, and what is in a model file
NEXT
