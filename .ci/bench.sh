#!/usr/bin/env bash
# Measures the release page: `make bench`. tests/bench/README.md says what is measured and how to read the
# results.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
if [ -n "${PROFILE:-}" ] && [ -z "${TRACELOUPE_DIST:-}" ]; then
  # The release page, but with function names kept.
  export TRACELOUPE_DIST=$root/target/dist-profile
  env -u NO_COLOR trunk build --release --dist "$TRACELOUPE_DIST"
  node .ci/name-worker.mjs "$TRACELOUPE_DIST"
elif [ -z "${TRACELOUPE_DIST:-}" ]; then
  .ci/build.sh
fi
node tests/bench/bench.mjs "$@"
