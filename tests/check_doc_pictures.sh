#!/usr/bin/env bash
# The pictures of the documents are what the program draws, and documents show no others.
#
#   tests/check_doc_pictures.sh PROGRAM      ./run pictures draws them anew
set -euo pipefail
program=$1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/tools/pictures" "$program" "$work/pictures"
diff -rq "$source/docs/pictures" "$work/pictures"
for name in $(grep -ohE '\(pictures/[a-z_]+\.svg\)' "$source"/docs/*.md | tr -d '()' | sort -u); do
  [ -f "$source/docs/$name" ] || { echo "docs/$name is not there"; exit 1; }
done
echo "$(find "$work/pictures" -name '*.svg' | wc -l) pictures, as the program draws them"
