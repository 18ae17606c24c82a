#!/usr/bin/env bash
# All checks and tests, native and in the browser. Stops at the first step that fails.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/progress.sh"
cd "$root"
wasm=wasm32-unknown-unknown
# Tests that need ../shared write their names here if it is missing.
export TRACELOUPE_NOT_RUN=$root/target/not-run.txt
mkdir -p "$root/target"
: > "$TRACELOUPE_NOT_RUN"

step "Scripts"
if command -v shellcheck >/dev/null; then
  shellcheck .ci/run .ci/*.sh
else
  echo "shellcheck is not installed: the shell scripts are not linted (apt-get install shellcheck)"
fi
node --test .ci/*.test.mjs tests/bench/*.test.mjs
step "Supply chain"
node .ci/supply.mjs
step "Format"
cargo fmt --check
# Each program ends with a long link on one core, and shares nothing with the test builds: they are built beside them, and
# only the end-to-end tests wait for them.
release=target/release-build.log
start "release page" "$release" .ci/build.sh all
step "Clippy"
cargo clippy --locked --all-targets -- -D warnings
cargo clippy --locked --target $wasm -p traceloupe-page -p traceloupe-worker -p traceloupe-redactor -p traceloupe-cli --lib --bins -- -D warnings
step "Native tests"
# Without the examples, which Clippy has compiled; there are no doc tests.
cargo test --locked --tests
step "Findings"
# Ends with an error if a figure is below its floor.
cargo run --locked --quiet --example eval
step "Wasm tests"
CHROMEDRIVER=${CHROMEDRIVER:-$(command -v chromedriver)} \
  cargo test --locked --target $wasm -p traceloupe-worker --test web
step "What is left of the release build"
finish
sed '/ page: /d' "$release"
step "The same program from another folder"
.ci/reproduce.sh redactor
step "End-to-end tests"
.ci/e2e.sh
end_step

# A line for each engine that is not installed.
node tests/e2e/engines.mjs

if [ -s "$TRACELOUPE_NOT_RUN" ]; then
  say "Without ../shared"
  sort -u "$TRACELOUPE_NOT_RUN"
  not_run=$(sort -u "$TRACELOUPE_NOT_RUN" | grep -c '^not run' || true)
  in_part=$(sort -u "$TRACELOUPE_NOT_RUN" | grep -c '^run over own' || true)
  echo "$not_run tests were not run, $in_part ran over the repository's own fixtures only"
fi
say "All steps passed in $(duration $SECONDS)"
