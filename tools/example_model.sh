#!/usr/bin/env bash
# Puts a fresh example, made by the program itself, into docs/model-file.md. Run after the format changed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' size,colour,fruit 1,red,cherry 4,blue,plum 1.5,red,cherry 4.7,green,plum 2,green,cherry 5.5,red,plum \
  >"$folder/fruit.csv"
build/linpred fit halfspace "$folder/fruit.csv" --method perceptron -o "$folder/model.json" >/dev/null
awk -v model="$folder/model.json" '
  /^```json$/ && !done { print; while ((getline line < model) > 0) print line; skip = 1; done = 1; next }
  /^```$/ && skip { skip = 0 }
  !skip { print }' docs/model-file.md >"$folder/page.md"
cp "$folder/page.md" docs/model-file.md
