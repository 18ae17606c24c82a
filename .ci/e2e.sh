#!/usr/bin/env bash
# The end-to-end tests of the release page. At most three tests that fail are run once more, each alone: on a
# loaded machine a test can fail that waits for too little. Those that pass then are listed, so that they are mended;
# one that fails again fails the run.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
most_again=3
failed=$root/target/e2e-failed.txt
again=$root/target/e2e-again.txt
mkdir -p "$root/target"

# One file at a time: two browsers side by side make a small machine miss the time limits.
e2e() {
  node --test --test-concurrency=1 --test-timeout=600000 "$@"
}

files=("$@")
[ ${#files[@]} -gt 0 ] || files=(tests/e2e/*.test.mjs)
if e2e --test-reporter=tap --test-reporter-destination=stdout \
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
  e2e --test-reporter=tap ${name:+--test-name-pattern="^$pattern\$"} "$file" < /dev/null | tee "$again"
  grep -q '^# pass [1-9]' "$again" || {
    echo "error: no test of $file has the name '$name'" >&2
    exit 1
  }
done < "$failed"
echo "Failed at first and passed when run again, to be mended:"
cut -f 2 "$failed"
