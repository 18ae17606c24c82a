#!/usr/bin/env bash
# The end-to-end tests of the release page, two files at a time: `.ci/e2e.sh [FILE...]`. Each file has its own browser,
# server and port, and waits for conditions; the limits in tests/e2e/harness.mjs only end tests that hang. If at most
# three tests fail, each is run once more, alone: tests that then pass are named, so that they get fixed; a test that
# fails again fails the run.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
at_a_time=${TRACELOUPE_E2E_FILES:-2}
most_again=3
failed=$root/target/e2e-failed.txt
again=$root/target/e2e-again.txt
mkdir -p "$root/target"

e2e() { # e2e FILES-AT-A-TIME ARGUMENT...
  local n=$1
  shift
  node --test --test-concurrency="$n" --test-timeout=1200000 "$@"
}

files=("$@")
[ ${#files[@]} -gt 0 ] || files=(tests/e2e/*.test.mjs)
if e2e "$at_a_time" --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter="$root/.ci/failures.mjs" --test-reporter-destination="$failed" "${files[@]}"; then
  exit 0
fi
count=$(wc -l < "$failed")
if [ "$count" -eq 0 ] || [ "$count" -gt "$most_again" ]; then
  echo "$count end-to-end tests failed"
  exit 1
fi
echo "$count end-to-end tests failed; each is run once more"
while IFS=$'\t' read -r file name; do
  # shellcheck disable=SC2016 # The dollar sign is one of the characters to escape.
  pattern=$(printf '%s' "$name" | sed 's/[][\\.*+?^${}()|/]/\\&/g')
  e2e 1 --test-reporter=tap ${name:+--test-name-pattern="^$pattern\$"} "$file" < /dev/null | tee "$again"
  grep -q '^# pass [1-9]' "$again" || {
    echo "error: no test of $file has the name '$name'" >&2
    exit 1
  }
done < "$failed"
echo "Failed at first and passed when run again, to be mended:"
cut -f 2 "$failed"
