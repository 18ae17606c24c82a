#!/usr/bin/env bash
# Builds the program of the command `traceloupe` for Node, in target/cli. It shares the compiled packages with the worker,
# which has the same profile, so that only the link takes long.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/progress.sh"
cd "$root"
without_own_paths
wasm=wasm32-unknown-unknown
say "Building the command (log: target/cli-build.log)"
run_logged "command" target/cli-build.log cargo build --locked --release --target $wasm -p traceloupe-cli
rm -rf target/cli
wasm-bindgen --target nodejs --no-typescript --out-dir target/cli --out-name traceloupe_cli \
  "target/$wasm/release/traceloupe-cli.wasm"
# Its folder has modules; this script is none.
mv target/cli/traceloupe_cli.js target/cli/traceloupe_cli.cjs
wasm-opt -O2 --enable-simd --enable-bulk-memory --enable-bulk-memory-opt --enable-sign-ext \
  --enable-nontrapping-float-to-int --enable-mutable-globals --enable-reference-types --enable-multivalue \
  --low-memory-unused --strip-debug --strip-producers --strip-target-features \
  target/cli/traceloupe_cli_bg.wasm -o target/cli/traceloupe_cli_bg.wasm
node .ci/served.mjs target/cli/traceloupe_cli_bg.wasm
