#!/usr/bin/env bash
# The end-to-end tests of the release page, two files at a time: `.ci/e2e.sh [FILE...]`. Each file has its own browser,
# server and port, and waits for conditions; the limits in tests/e2e/harness.mjs only end what hangs. A test that fails
# fails the run.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
at_a_time=${TRACELOUPE_E2E_FILES:-2}
# Files that must not share the machine with another one, each with the reason. They run alone, after all others.
# There is none now: no test measures time, and the clipboard and the focus of a headless browser are its own.
alone=()

files=("$@")
[ ${#files[@]} -gt 0 ] || files=(tests/e2e/*.test.mjs)
together=()
last=()
for file in "${files[@]}"; do
  case " ${alone[*]-} " in
  *" $file "*) last+=("$file") ;;
  *) together+=("$file") ;;
  esac
done

e2e() { # e2e FILES-AT-A-TIME FILE...
  local n=$1
  shift
  [ $# -eq 0 ] || node --test --test-concurrency="$n" --test-timeout=1200000 --test-reporter=spec "$@"
}

failed=0
e2e "$at_a_time" ${together[@]+"${together[@]}"} || failed=1
e2e 1 ${last[@]+"${last[@]}"} || failed=1
exit "$failed"
