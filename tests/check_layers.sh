#!/usr/bin/env bash
# The architecture is what `ls` shows, and this keeps it so: which folder may include which, what the checker may call,
# what the library exports, and how long a file may be.
#
#   tests/check_layers.sh BUILD_FOLDER
set -uo pipefail
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
problems=0
problem() { echo "$*"; problems=$((problems + 1)); }

# What each folder of src may include, besides itself and the public header.
may_include() {
  case $1 in
  core) echo ;;
  num) echo core ;;
  data) echo core num ;;
  pass) echo core num data fit ;;
  table) echo core num data ;;
  solve) echo core num ;;
  proof) echo core num ;;
  minimise) echo core num data pass solve fit separate ;;
  separate) echo core num data pass solve proof minimise model fit ;;
  model) echo core num data table proof ;;
  check) echo core num data pass proof model ;;
  fit) echo core num data pass solve proof separate minimise model ;;
  theory) echo core num data solve separate check ;;
  api) echo core num data pass table solve proof minimise separate model check fit theory ;;
  *) echo unknown ;;
  esac
}

for folder in src/*/; do
  folder=$(basename "$folder")
  allowed=" linpred $folder $(may_include "$folder") "
  [ "$(may_include "$folder")" != unknown ] || problem "src/$folder: a folder without a rule; give it one here and in docs/design.md"
  while IFS=: read -r file line include; do
    from=${include#*\"}
    from=${from%%/*}
    [[ $allowed == *" $from "* ]] || problem "$file:$line: src/$folder may not include $from/: $include"
  done < <(grep -nE '^ *# *include *"' -r "src/$folder" | sed -E 's/: *# */:/')
done

# Programs see what every user sees.
while IFS=: read -r file line include; do
  case $include in
  *'"linpred/'*'.def"'* | *'"linpred/linpred.h"'* | *'"cli.h"'*) ;;
  *) problem "$file:$line: only the public header may be included here: $include" ;;
  esac
done < <(grep -nE '^ *# *include *("|<linpred/)' -r cli examples --include='*.c' --include='*.h' --include='*.cpp' |
  sed -E 's/<linpred\/linpred.h>/"linpred\/linpred.h"/')

# The checker shares nothing with what it checks. (Only names of our own: sanitizers add others.)
# Of sources that are still there: an older build may have left others.
objects=$(find "$build" -path '*linpred_objects.dir/src*' -name '*.o' | while read -r object; do
  source=${object#*linpred_objects.dir/}
  [ -f "${source%.o}" ] && echo "$object"
done)
[ -n "$objects" ] || problem "there are no objects in $build"
symbols() { # defined|undefined, folders…
  local which=$1 pattern
  shift
  pattern="/src/($(IFS='|'; echo "$*"))/"
  grep -E "$pattern" <<<"$objects" | xargs -r nm --"$which"-only -P 2>/dev/null | awk 'NF > 1 && $1 ~ /^linpred_/ {print $1}' | sort -u
}
shared=$(comm -12 <(symbols undefined check) <(symbols defined fit solve))
[ -z "$shared" ] || problem "src/check uses symbols of fit or solve:" $shared

# A name between files is used by another file, of the library's or of the tests; else it is static, or dead.
needed=$(find "$build" -name '*.o' | xargs -r nm --undefined-only -P 2>/dev/null | awk '{print $1}' | sort -u)
while read -r name; do
  grep -qx "$name" <<<"$needed" || problem "$name is used by no other file"
done < <(xargs -r nm --defined-only --extern-only -P <<<"$objects" 2>/dev/null | awk '$1 ~ /^linpred__[a-z0-9_]*$/ {print $1}' | sort -u)

# What the library shows: linpred_…, never linpred__…
library=$build/liblinpred.so
if [ -e "$library" ]; then
  exported=$(nm --dynamic --defined-only -P "$library" | awk '{print $1}')
  while read -r name; do
    case $name in
    linpred__*) problem "the library exports an internal name: $name" ;;
    linpred_*) ;;
    __odr_asan* | __asan* | __tsan* | __ubsan*) ;;
    *) problem "the library exports a name that is not its own: $name" ;;
    esac
  done <<<"$exported"
  while read -r name; do
    grep -qx "$name" <<<"$exported" || problem "the header declares $name, but the library does not export it"
  done < <(sed -nE 's/^LINPRED_API .*[ *](linpred_[a-z0-9_]+)\(.*/\1/p' include/linpred/*.h)
fi

# Threads call OpenBLAS side by side, which its serial flavour is not made for: a program that holds it must hold the other.
held=$(nm --defined-only -P "$build/linpred" 2>/dev/null | awk '$1 == "cblas_dsyrk" || $1 == "blas_thread_init" {print $1}')
case $held in
*cblas_dsyrk*) case $held in *blas_thread_init*) ;; *) problem "the program holds the serial OpenBLAS" ;; esac ;;
esac

# A file that is longer is two files.
while read -r lines file; do
  [ "$lines" -le 640 ] || problem "$file has $lines lines, more than 640"
done < <(find src cli include tests bench examples \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' \) -exec wc -l {} \;)

echo "$problems problems"
[ $problems -eq 0 ]
