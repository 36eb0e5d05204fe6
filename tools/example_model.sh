#!/usr/bin/env bash
# Puts a fresh example, made by the program itself, into docs/model-file.md. Run after the format changed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'size,colour,fruit\n2.1,red,cherry\n1.9,red,cherry\n4.2,blue,plum\n4.8,blue,plum\n4.4,green,plum\n2.4,blue,cherry\n' \
  >"$folder/fruit.csv"
build/linpred fit halfspace "$folder/fruit.csv" --method perceptron -o "$folder/model.json" >/dev/null
awk -v model="$folder/model.json" '
  /^```json$/ && !done { print; while ((getline line < model) > 0) print line; skip = 1; done = 1; next }
  /^```$/ && skip { skip = 0 }
  !skip { print }' docs/model-file.md >"$folder/page.md"
cp "$folder/page.md" docs/model-file.md
