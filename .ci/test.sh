#!/usr/bin/env bash
# All checks and tests, natively and in the browser; stops at the first that fails.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
wasm=wasm32-unknown-unknown

say "format"
cargo fmt --check
say "clippy"
cargo clippy --locked --all-targets -- -D warnings
cargo clippy --locked --target $wasm -p traceloupe-page -p traceloupe-worker --lib --bins -- -D warnings
say "native tests"
cargo test --locked
say "tests of the wasm"
CHROMEDRIVER=${CHROMEDRIVER:-$(command -v chromedriver)} \
  cargo test --locked --target $wasm -p traceloupe-worker --test web
say "tests of the measurements"
node --test tests/bench/*.test.mjs
say "build"
"$root/.ci/build.sh"
say "end-to-end tests"
# One file after the other: two browsers side by side make a small machine miss its times.
node --test --test-concurrency=1 --test-timeout=300000 tests/e2e/*.test.mjs
