#!/usr/bin/env bash
# What the documents show is what the program prints.
#
#   tests/check_docs.sh [--program PATH] FILE.md…
#
# The rule: in a block fenced as ```console, a line that begins with "$ " is a command (one that ends in a backslash goes on in
# the next line), and the lines up to the next command are what it prints, standard error included. A line that is only "…"
# stands for any number of lines, "…" within a line for any text in that line. Blocks fenced otherwise are not looked at.
# The blocks of one file are run in order by one shell, in a fresh folder where `linpred`, build/linpred and examples/ are found.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$source/build/linpred
if [ "${1:-}" = --program ]; then
  program=$2
  shift 2
fi
[ -x "$program" ] || { echo "check_docs: there is no program at $program" >&2; exit 2; }
folder_of_program=$(cd "$(dirname "$program")" && pwd)
work=$(if [ -w /dev/shm ]; then mktemp -d -p /dev/shm; else mktemp -d; fi)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 PATH=$folder_of_program:$PATH
unset COLUMNS # lines are not wrapped
export OPENBLAS_CORETYPE=Haswell # the last digits of some fits depend on OpenBLAS's kernels, which it chooses by the processor

# Whether the lines of file 1 (expected) match those of file 2 (found).
matches() {
  awk '
    function pattern(line) {
      gsub(/[][\\^$.|?*+(){}]/, "\\\\&", line)
      gsub(/…/, ".*", line)
      return "^" line "$"
    }
    function from(i, j) {
      for (; i <= n; i++) {
        if (expected[i] == "…") {
          for (k[i] = j; k[i] <= m + 1; k[i]++) if (from(i + 1, k[i])) return 1
          return 0
        }
        if (j > m || found[j++] !~ pattern(expected[i])) return 0
      }
      return j > m
    }
    FNR == NR { expected[++n] = $0; next }
    { found[++m] = $0 }
    END { exit from(1, 1) ? 0 : 1 }' "$1" "$2"
}

# The commands of a document: for each, the files N.line, N.command and N.expected.
extract() {
  awk -v into="$2" '
    /^```console *$/ { inside = 1; command = 0; next }
    /^```/ { inside = command = 0; next }
    !inside { next }
    goes_on { print > (into "/" n ".command"); goes_on = /\\$/; next }
    /^\$ / {
      command = 1
      name = into "/" ++n
      print FNR > (name ".line")
      print substr($0, 3) > (name ".command")
      printf "" > (name ".expected")
      goes_on = /\\$/
      next
    }
    command { print > (into "/" n ".expected") }' "$1"
}

check() { # document
  local folder=$work/$1.d last=0 k=0
  mkdir -p "$folder/parts" "$folder/play"
  extract "$2" "$folder/parts"
  ln -s "$folder_of_program" "$folder/play/build"
  cp -r "$source/examples" "$folder/play/examples"
  cd "$folder/play" || exit 2
  while [ -e "$folder/parts/$((k += 1)).command" ]; do
    local part=$folder/parts/$k
    # The exit code of the command before is there to be shown.
    eval "(exit $last)"$'\n'"$(cat "$part.command")" >"$part.found" 2>&1 </dev/null
    last=$?
    [ -z "$(tail -c1 "$part.found")" ] || echo >>"$part.found"
    echo >>"$work/run"
    matches "$part.expected" "$part.found" && continue
    echo >>"$work/differ"
    echo "$2:$(cat "$part.line"): $(head -1 "$part.command")"
    diff -U1 --label 'the document' "$part.expected" --label 'the program' "$part.found"
  done
}

touch "$work/run" "$work/differ"
files=0
for document in "$@"; do
  files=$((files + 1))
  document=$(cd "$(dirname "$document")" && pwd)/$(basename "$document")
  (check $files "$document")
done
differ=$(wc -l <"$work/differ")
plural() { [ "$1" -eq 1 ] || echo s; }
commands=$(wc -l <"$work/run")
echo "$commands command$(plural "$commands") in $files file$(plural $files), $differ differ"
[ "$differ" -eq 0 ]
