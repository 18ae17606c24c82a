#!/usr/bin/env bash
# Measures the release page: `make bench`. tests/bench/README.md says what is measured and how to read the
# results.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
if [ -n "${PROFILE:-}" ] && [ -z "${TRACELOUPE_DIST:-}" ]; then
  # The release page, but with function names kept: Trunk has no setting for them that is of one build only, so
  # wasm-opt is called with -g through a script of the same name.
  export TRACELOUPE_DIST=$root/target/dist-profile
  named=$root/target/wasm-opt-with-names
  mkdir -p "$named"
  printf '#!/bin/sh\nexec %q -g "$@"\n' "$(command -v wasm-opt)" >"$named/wasm-opt"
  chmod +x "$named/wasm-opt"
  env -u NO_COLOR PATH="$named:$PATH" trunk build --release --dist "$TRACELOUPE_DIST"
  node .ci/name-worker.mjs "$TRACELOUPE_DIST"
elif [ -z "${TRACELOUPE_DIST:-}" ]; then
  .ci/build.sh
fi
# Not where only a part of the bench is asked for.
[ -n "${ONLY:-}${BENCH:-}${PROFILE:-}" ] || cargo run --release --locked --quiet --example nesting_speed
node tests/bench/bench.mjs "$@"
