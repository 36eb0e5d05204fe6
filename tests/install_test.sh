#!/usr/bin/env bash
# What a user of the library does: installs it to a folder of their own, then builds examples/ as an outside project,
# with find_package(linpred) and with pkg-config, and runs them.
#
#   tests/install_test.sh BUILD_FOLDER [FLAGS]      FLAGS: for the compiler and linker, such as -fsanitize=…
set -euo pipefail
trap 'echo "$0: line $LINENO failed"' ERR
build=$(cd "$1" && pwd)
flags=${2:-}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a place"

cmake --install "$build" --prefix "$prefix" >"$work/install.log"
program="$prefix/bin/linpred"
[ "$("$program" --version)" = "$("$build/linpred" --version)" ]
if command -v ldd >/dev/null; then # the installed program holds the library, or uses the installed one
  if ldd "$program" | grep liblinpred | grep -vF "$prefix/"; then
    exit 1
  fi
fi

for file in share/man/man1/linpred.1 share/man/man1/linpred-fit-halfspace.1 share/bash-completion/completions/linpred \
  share/zsh/site-functions/_linpred share/fish/vendor_completions.d/linpred.fish; do
  [ -s "$prefix/$file" ]
done
[ "$("$prefix/bin/linpred-verify" --version)" = "linpred-verify $("$build/linpred" --version | cut -d' ' -f2)" ]

# As an outside project: a copy, so that nothing of the source tree is within reach.
cp -r "$source/examples" "$work/examples"
run_examples() {
  (cd "$work" && "$1/arrays" && "$1/logistic" && "$1/from_file" examples/data/two.csv model.json) >"$work/said"
  grep -q '^optimal: 0.37037 x1 + 0.296296 x2 + -0.037037, margin 2.10195$' "$work/said"
  [ "$(grep -c -e '^proved: ' -e '^within_tolerance: ' "$work/said")" -eq 3 ]
  grep -q '^within_tolerance: all 4 rows are on their right side, each sign certain; its margin is 2\.10194714924, .* relative gap [0-9.e-]*$' "$work/said"
  grep -q '^proved: objective 0\.308251541644; a minimum exists, and the relative gap is at most [0-9.e-]*, rounding included$' "$work/said"
  grep -q '^proved: 2 of 100 are on the wrong side or on the boundary, each sign certain; worst is row 34$' "$work/said"
  grep -q '^x1             1.7939, standard error 1.0677, z 1.68, p 0.093$' "$work/said"
  grep -q '^6 hours of study, 5 of sleep: passes with probability 0.8954$' "$work/said"
  grep -q '^row 3 scores' "$work/said"
  "$program" verify "$work/model.json" "$work/examples/data/two.csv" >"$work/verified"
  grep -q '^verified     PROVED$' "$work/verified"
  "$prefix/bin/linpred-verify" "$work/model.json" "$work/examples/data/two.csv" | diff "$work/verified" -
  grep -q '^  PROVED           the halfspace makes 2 mistakes — 2 of 100 are .* each sign certain; worst is row 34$' "$work/verified"
}
grep -v setosa "$source/examples/data/iris.csv" >"$work/examples/data/two.csv"

cmake -S "$work/examples" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" >"$work/cmake.log"
cmake --build "$work/cmake" >>"$work/cmake.log"
run_examples "$work/cmake"
echo "find_package(linpred): the examples run"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name linpred.pc)")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion linpred)" = "$("$program" --version | cut -d' ' -f2)" ]
mkdir "$work/plain"
for name in arrays logistic from_file; do
  # shellcheck disable=SC2086
  eval cc -std=c17 -Wall -Wextra -Werror $flags '"$work/examples/$name.c"' "$(pkg-config --cflags --libs linpred)" \
    '"-Wl,-rpath,$PKG_CONFIG_PATH/.."' -o '"$work/plain/$name"'
done
run_examples "$work/plain"
echo "pkg-config: the examples run"

# An installation with the archive only: the programs hold the library.
cp -r "$prefix" "$work/archive only"
find "$work/archive only" -name 'liblinpred.so*' -delete
PKG_CONFIG_PATH=$(dirname "$(find "$work/archive only" -name linpred.pc)")
mkdir "$work/static"
for name in arrays logistic from_file; do
  # shellcheck disable=SC2086
  eval cc -std=c17 $flags '"$work/examples/$name.c"' "$(pkg-config --static --cflags --libs linpred)" \
    -o '"$work/static/$name"'
done
if command -v ldd >/dev/null && ldd "$work/static/arrays" | grep liblinpred; then
  exit 1
fi
run_examples "$work/static"
echo "pkg-config --static: the examples run"
mkdir "$work/static_cmake"
sed 's/linpred::linpred/linpred::linpred_static/' "$work/examples/CMakeLists.txt" >"$work/CMakeLists.static"
cp "$work/CMakeLists.static" "$work/examples/CMakeLists.txt"
cmake -S "$work/examples" -B "$work/static_cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags" >"$work/cmake.log"
cmake --build "$work/static_cmake" >>"$work/cmake.log"
if command -v ldd >/dev/null && ldd "$work/static_cmake/arrays" | grep liblinpred; then
  exit 1
fi
run_examples "$work/static_cmake"
echo "linpred::linpred_static: the examples run"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name linpred.pc)")

# The header and each of its parts are C and C++, and stand on their own.
for header in "$prefix"/include/linpred/*.h; do
  echo "#include <linpred/$(basename "$header")>" >"$work/alone.c"
  cp "$work/alone.c" "$work/alone.cpp"
  eval cc -std=c17 -Wall -Wextra -Werror -fsyntax-only "$(pkg-config --cflags linpred)" '"$work/alone.c"'
  eval c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only "$(pkg-config --cflags linpred)" '"$work/alone.cpp"'
done
[ "$(ls "$prefix/include/linpred")" = "$(ls "$source/include/linpred")" ]
echo "C and C++: each header compiles alone"
