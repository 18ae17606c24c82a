#!/usr/bin/env bash
# Installs what the build and the tests need and is not there yet: the wasm32 target, Trunk,
# wasm-bindgen's command, binaryen, esbuild, Playwright, axe-core, Chromium. All but the target and Chromium go
# to ~/.cache/traceloupe (or $TRACELOUPE_CACHE), each under its version. When nothing is missing it
# is done at once. `.ci/setup.sh build` leaves out what only the tests need.
set -euo pipefail
. "$(dirname "$0")/env.sh"
what=${1:-all}

need cargo "install Rust 1.95 or newer, by rustup (https://rustup.rs)"
need node "install Node 20 or newer (https://nodejs.org)"
need npm "it comes with Node; on Debian it is the package npm"
[ -n "$wasm_bindgen_version" ] || fail "Cargo.lock names no version of wasm-bindgen"
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] ||
  fail "Node $(node --version) is too old: version 20 or newer is needed"

mkdir -p "$TRACELOUPE_CACHE/logs"
if command -v flock >/dev/null; then
  # Two builds that start together install once.
  exec 9>"$TRACELOUPE_CACHE/lock"
  flock 9
fi

has_wasm_target() {
  local libs
  libs=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) &&
    compgen -G "$libs/libstd-*.rlib" >/dev/null
}

install_wasm_target() {
  has_wasm_target && return
  if command -v rustup >/dev/null && rustup target add wasm32-unknown-unknown && has_wasm_target; then
    return
  fi
  "$root/.ci/debian-wasm-target.sh"
}

# cargo_tool CRATE VERSION FOLDER [FLAGS...]: a command from crates.io into a folder of its own.
cargo_tool() {
  local crate=$1 version=$2 dir=$3
  shift 3
  local log=$TRACELOUPE_CACHE/logs/$crate.log stage=$dir.part
  say "installing $crate $version (log: $log)"
  rm -rf "$stage"
  # Quick to compile rather than quick to run: each is used for seconds.
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
  # From a folder outside, so that the project's own Cargo settings play no part.
  (cd "$TRACELOUPE_CACHE" &&
    { cargo install "$crate" --version "=$version" --root "$stage" --locked "$@" ||
      cargo install "$crate" --version "=$version" --root "$stage" "$@"; }) >"$log" 2>&1 9>&- ||
    { tail -n 20 "$log" >&2; fail "$crate $version could not be installed; the whole log is $log"; }
  rm -rf "$dir"
  mv "$stage" "$dir"
}

npm_has() { # npm_has PACKAGE VERSION
  [ "$(node -p "require('$npm_dir/node_modules/$1/package.json').version" 2>/dev/null)" = "$2" ]
}

install_npm() {
  npm_has binaryen "$binaryen_version" && npm_has playwright-core "$playwright_version" &&
    npm_has axe-core "$axe_version" && npm_has esbuild "$esbuild_version" && return
  local log=$TRACELOUPE_CACHE/logs/npm.log
  say "installing binaryen, esbuild, playwright-core and axe-core (log: $log)"
  mkdir -p "$npm_dir"
  [ -f "$npm_dir/package.json" ] || echo '{"private":true}' >"$npm_dir/package.json"
  npm install --prefix "$npm_dir" --save-exact --no-audit --no-fund --ignore-scripts \
    "binaryen@$binaryen_version" "playwright-core@$playwright_version" "axe-core@$axe_version" \
    "esbuild@$esbuild_version" \
    >"$log" 2>&1 9>&- || { tail -n 20 "$log" >&2; fail "npm install failed; the whole log is $log"; }
}

install_chromium() {
  # The tests of the wasm drive the browser through chromedriver.
  [ -x "$TRACELOUPE_CHROMIUM" ] && command -v "${CHROMEDRIVER:-chromedriver}" >/dev/null && return
  local how="install Chromium, or name one: TRACELOUPE_CHROMIUM=/path/to/chromium"
  command -v apt-get >/dev/null || fail "Chromium or chromedriver is missing: $how"
  [ "$(id -u)" = 0 ] || fail "Chromium or chromedriver is missing: apt-get install chromium chromium-driver, or $how"
  say "installing Chromium"
  local log=$TRACELOUPE_CACHE/logs/chromium.log
  { apt-get update && DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends chromium chromium-driver; } >"$log" 2>&1 9>&- ||
    { tail -n 20 "$log" >&2; fail "Chromium could not be installed; the whole log is $log"; }
}

# The two that compile run side by side, and the downloads beside them: a tool's last step is one
# long job on one core.
jobs=()
install_wasm_target
[ -x "$trunk_dir/bin/trunk" ] || {
  cargo_tool trunk "$trunk_version" "$trunk_dir" --no-default-features & jobs+=($!)
}
[ -x "$wasm_bindgen_dir/bin/wasm-bindgen" ] || {
  cargo_tool wasm-bindgen-cli "$wasm_bindgen_version" "$wasm_bindgen_dir" & jobs+=($!)
}
install_npm & jobs+=($!)
[ "$what" = build ] || { install_chromium & jobs+=($!); }
failed=0
for job in "${jobs[@]}"; do wait "$job" || failed=1; done
[ $failed = 0 ] || fail "the set-up is not complete: see above"
