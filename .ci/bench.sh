#!/usr/bin/env bash
# Measures the release page: `make bench`. tests/bench/README.md describes the measurements and how to read the results.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
if [ -n "${PROFILE:-}" ] && [ -z "${TRACELOUPE_DIST:-}" ]; then
  # The release page, but with function names kept: Trunk has no setting for them that applies to a single build, so a
  # script with the name of wasm-opt calls it with -g.
  export TRACELOUPE_DIST=$root/target/dist-profile
  named=$root/target/wasm-opt-with-names
  mkdir -p "$named"
  printf '#!/bin/sh\nexec %q -g "$@"\n' "$(command -v wasm-opt)" >"$named/wasm-opt"
  chmod +x "$named/wasm-opt"
  without_own_paths
  env -u NO_COLOR PATH="$named:$PATH" trunk build --release --dist "$TRACELOUPE_DIST"
  node .ci/name-worker.mjs "$TRACELOUPE_DIST"
elif [ -z "${TRACELOUPE_DIST:-}" ]; then
  .ci/build.sh
fi
# Skipped if only a part of the bench is requested.
[ -n "${ONLY:-}${BENCH:-}${PROFILE:-}" ] || cargo run --release --locked --quiet --example nesting_speed
node tests/bench/bench.mjs "$@"
