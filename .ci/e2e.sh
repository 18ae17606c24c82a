#!/usr/bin/env bash
# The end-to-end tests of the release page, two files at a time: `.ci/e2e.sh [FILE...]`. Each file has its own browser,
# server and port, and waits for conditions; the limits here and in tests/e2e/harness.mjs only end tests that hang.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
files=("$@")
[ ${#files[@]} -gt 0 ] || files=(tests/e2e/*.test.mjs)
node --test --test-concurrency="${TRACELOUPE_E2E_FILES:-2}" --test-timeout=1200000 --test-reporter=spec "${files[@]}"
