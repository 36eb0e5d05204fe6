#!/usr/bin/env bash
# Manual pages and completions say what the program takes.
#
#   tests/check_shells.sh PROGRAM FOLDER      FOLDER: where cmake/manuals.cmake has written them
set -euo pipefail
trap 'echo "$0: line $LINENO failed"' ERR
program=$1
pages=$2/man
scripts=$2/completion

# Every command has a page, which names every flag of its help; no page gives groff a reason to warn.
"$program" --help --json | python3 -c '
import json, os, sys
for command in json.load(sys.stdin)["commands"]:
    page = os.path.join(sys.argv[1], "linpred-" + command["command"].replace(" ", "-") + ".1")
    text = open(page, encoding="ascii").read().replace("\\-", "-")
    for option in command["options"]:
        flag = "--" + option["flag"]
        assert flag + "\\fR" in text, page + " does not name " + flag
' "$pages"
for page in "$pages"/*.1; do
  said=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
  [ -z "$said" ] || { echo "$page: $said"; exit 1; }
done

# bash: what a user gets who presses the tab key behind these words.
# shellcheck disable=SC1091
source "$scripts/linpred"
complete_bash() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _linpred
  printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
}
expect() {
  [ "$1" = "$2" ] || { echo "expected '$2', got '$1'"; exit 1; }
}
expect "$(complete_bash linpred re)" "report "
expect "$(cd "$scripts" && complete_bash linpred fit h)" "halfspace "
expect "$(complete_bash linpred fit halfspace --meth)" "--method "
expect "$(complete_bash linpred fit halfspace --method '')" "auto exact lp margin perceptron pocket "
expect "$(complete_bash linpred fit logistic --method newton-)" "newton-cg "
expect "$(complete_bash linpred plot m.json --theme d)" "dark "
expect "$(complete_bash linpred completion f)" "fish "

# fish: the same, asked of fish itself.
if command -v fish >/dev/null; then
  complete_fish() { fish --no-config -c "source '$scripts/linpred.fish'; complete -C '$1'" | cut -f 1 | sort | tr '\n' ' '; }
  expect "$(complete_fish 'linpred repo')" "report "
  expect "$(complete_fish 'linpred fit halfspace --metho')" "--method "
  expect "$(complete_fish 'linpred fit halfspace --method p')" "perceptron pocket "
  expect "$(complete_fish 'linpred fit regression --los')" "--loss "
fi
if command -v zsh >/dev/null; then zsh -n "$scripts/_linpred"; fi
"$program" completion tcsh 2>/dev/null && exit 1
"$program" man nothing 2>/dev/null && exit 1
echo "pages and completions name what the program takes"
