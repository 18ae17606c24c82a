#!/usr/bin/env bash
# Measures the release page: `make bench`. tests/bench/README.md says what is measured and how to read it.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
[ -n "${TRACELOUPE_DIST:-}" ] || .ci/build.sh
node tests/bench/bench.mjs "$@"
