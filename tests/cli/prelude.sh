# shellcheck shell=bash
# What every case begins with. A case is run by bash in an empty folder; its last command must succeed.

# Shows a command and runs it; its exit code is shown unless it is 0. On standard error the command is shown only above
# what it prints there.
run() {
  local code said
  echo "\$ $(shown "$@")"
  said=$("$@" 2>&1 >&3)
  code=$?
  if [ -n "$said" ]; then printf '$ %s\n%s\n' "$(shown "$@")" "$said" >&2; fi
  if [ $code -ne 0 ]; then echo "[exit code $code]"; fi
  return 0
} 3>&1

# The same for a pipe or a redirection, given as one text.
run_line() {
  local code said
  echo "\$ $1"
  said=$(eval "$1" 2>&1 >&3)
  code=$?
  if [ -n "$said" ]; then printf '$ %s\n%s\n' "$1" "$said" >&2; fi
  if [ $code -ne 0 ]; then echo "[exit code $code]"; fi
  return 0
} 3>&1

# A command as a person would type it: quotes only where they are needed.
shown() {
  local word text=
  for word in "$@"; do
    case $word in
    '' | *[!A-Za-z0-9_./,:=@%+-]*) word=${word@Q} ;;
    esac
    text+="${text:+ }$word"
  done
  printf '%s' "$text"
}

# Runs a command with --json, and shows of its one object the keys that are asked for: json_of "KEY KEY.KEY …" COMMAND…
# Whatever the exit code, standard output must be one valid object and nothing else.
json_of() {
  local keys=$1 code
  shift
  echo "\$ $(shown "$@") --json"
  "$@" --json >json_of.out 2>json_of.err
  code=$?
  # shellcheck disable=SC2086
  json_check $keys <json_of.out || { echo "not valid JSON:"; cat json_of.out; }
  undocumented_keys json_of.out
  if [ $code -ne 0 ]; then echo "[exit code $code]"; fi
  rm -f json_of.out json_of.err
}

# The keys of an object that docs/json.md does not name. There must be none.
undocumented_keys() {
  awk 'FNR == NR { n = split($0, part, "`"); for (i = 2; i <= n; i += 2) known[part[i]] = 1; next }
    match($0, /^  "[^"]*":/) { key = substr($0, 4, RLENGTH - 5); if (!known[key]) print "NOT IN docs/json.md: " key }' \
    "$SOURCE/docs/json.md" "$1"
}

# The weights of a model file, as written: one "feature weight" a line.
weights_of() {
  awk '/^  "coefficients"/ { inside = 1; next }
       /^  \]/ { inside = 0 }
       inside && /feature/ { gsub(/^ *\{"feature": |\},?$/, ""); sub(/, "weight":/, ""); print; next }
       inside { gsub(/[ ,]/, ""); print "\"x" ++n "\"", $0 }
       /^  "intercept"/ { gsub(/,$/, ""); print "(intercept)", $2 }' "$1"
}

# Says whether two files are the same: same FILE FILE WHAT
same() {
  if cmp -s "$1" "$2"; then echo "$3: the same"; else echo "$3: DIFFERENT"; diff "$1" "$2"; fi
}

# A model file without its seconds, and so without its checksum; and without how its file was read, which is told of CSV
# only.
timeless() {
  sed -E '/^ +"(solver_)?seconds": /d; /^  "checksum": /d; s/, "reading": \{[^}]*\}//' "$1"
}

# The same without what the numbers mean: files of doubles have no decimals, and the fingerprint covers these.
meaningless() {
  timeless "$1" | sed -E '/^ +"fingerprint": /d; s/, "decimals": (\[[^]]*\]|[0-9]+)//'
}

# The doubles of a CSV file's decimals, with 17 digits: columns that need them mean these doubles.
doubles() {
  awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]*\.[0-9]+$/) $i = sprintf("%.17g", $i); print }'
}

# Two classes that a line separates, and two that none does.
separable() {
  printf '%s\n' x1,x2,y 2,1,1 1,3,1 -1,-2,-1 -3,0.5,-1
}
xor() {
  printf '%s\n' a,b,y 0,0,no 1,1,no 0,1,yes 1,0,yes
}
