#!/usr/bin/env bash
# Builds the package of one build of linpred and runs its tests.
#   python/tests/run.sh BUILD [SANITIZERS]
# Ends with 77, which ctest counts as skipped, where Python or what it needs is not installed.
set -euo pipefail
folder=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
sanitizers=${2-}
[ -z "$sanitizers" ] || export LINPRED_SANITIZE_FLAGS=-fsanitize=$sanitizers
python=$("$folder/build.sh" "$build" | tail -n 1) || exit $?
if ! "$python" -c 'import sklearn, scipy, pandas, pytest' 2>/dev/null; then
  echo "skipped: $python has no scikit-learn, pandas or pytest"
  exit 77
fi
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 LINPRED_PROGRAM=$build/linpred
cd "$folder/.."
if [ -n "$sanitizers" ]; then
  # The interpreter itself is not built with the sanitizer, which must then come first. What Python keeps until its end
  # would be called a leak; test_memory.py looks for leaks in another way.
  compiler=${CC:-gcc}
  export LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)"
  export ASAN_OPTIONS=detect_leaks=0 LINPRED_SANITIZED=1
  exec "$python" -m pytest -q -p no:cacheprovider -x python/tests/test_models.py python/tests/test_frames.py \
    python/tests/test_files.py python/tests/test_threads.py
fi
exec "$python" -m pytest -q -p no:cacheprovider python/tests
