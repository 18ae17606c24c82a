#!/usr/bin/env bash
# Installs everything that the build and the tests need and this machine lacks: the wasm32 target, Trunk, wasm-bindgen,
# npm packages, Chromium, and the other two engines if it can. A command of the right version on the PATH is used. The rest goes to ~/.cache/traceloupe (or
# $TRACELOUPE_CACHE), except for the target and Chromium. `.ci/setup.sh build` leaves out the tools that only the tests
# need. Prints nothing if nothing is missing.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/progress.sh"
what=${1:-all}
logs=$TRACELOUPE_CACHE/logs

need cargo "install Rust 1.95 or newer with rustup (https://rustup.rs)"
cargo --version | awk '{ split($2, v, "."); exit !(v[1] > 1 || v[2] >= 95) }' ||
  fail "$(cargo --version) is too old: install Rust 1.95 or newer (rustup update)"
need node "install Node 20 or newer (https://nodejs.org)"
need npm "it comes with Node; on Debian, install the package npm"
[ "$(node -p 'process.versions.node.split(".")[0] >= 20')" = true ] ||
  fail "Node $(node --version) is too old: install version 20 or newer (https://nodejs.org)"
[ -n "$wasm_bindgen_version" ] || fail "Cargo.lock names no version of wasm-bindgen: restore the file with git"

# has COMMAND VERSION: whether the command is there, at exactly this version.
has() {
  [ "$("$1" --version 2>/dev/null </dev/null | awk 'NR == 1 { print $2 }')" = "$2" ]
}

has_wasm_target() {
  local libs
  libs=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) &&
    compgen -G "$libs/libstd-*.rlib" >/dev/null
}

has_wasm_bindgen() {
  has wasm-bindgen "$wasm_bindgen_version" &&
    { [ "$what" = build ] || has wasm-bindgen-test-runner "$wasm_bindgen_version"; }
}

npm_packages=("binaryen@$binaryen_version" "esbuild@$esbuild_version")
[ "$what" = build ] ||
  npm_packages+=("playwright-core@$playwright_version" "axe-core@$axe_version" "speedscope@$speedscope_version")

has_npm_packages() {
  local package
  for package in "${npm_packages[@]}"; do
    grep -qs "\"version\": \"${package#*@}\"" "$npm_dir/node_modules/${package%@*}/package.json" || return 1
  done
}

# The tests of the wasm drive the browser through chromedriver.
has_chromium() {
  [ "$what" = build ] ||
    { [ -x "$TRACELOUPE_CHROMIUM" ] && command -v "${CHROMEDRIVER:-chromedriver}" >/dev/null; }
}

install_wasm_target() {
  if command -v rustup >/dev/null && rustup target add wasm32-unknown-unknown && has_wasm_target; then
    return
  fi
  "$root/.ci/debian-wasm-target.sh"
}

# install_crate COMMAND CRATE VERSION FOLDER [FLAG...]: a command from crates.io into a folder of its own.
install_crate() {
  local command=$1 crate=$2 version=$3 dir=$4
  shift 4
  rm -rf "$dir.part"
  # Only binaries built by the crate's authors, not by third parties.
  if ! { command -v cargo-binstall >/dev/null &&
    cargo binstall --no-confirm --force --strategies crate-meta-data --no-symlinks \
      --install-path "$dir.part/bin" --version "=$version" "$crate" &&
    has "$dir.part/bin/$command" "$version"; }; then
    rm -rf "$dir.part"
    compile_crate "$crate" "$version" "$dir.part" "$@" || return
  fi
  rm -rf "$dir"
  mv "$dir.part" "$dir"
}

# compile_crate CRATE VERSION FOLDER [FLAG...]
compile_crate() {
  local crate=$1 version=$2 dir=$3
  shift 3
  # Optimised for compile time, because each command runs only for seconds.
  export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_PANIC=abort
  # The folder stays until the command is installed: after Ctrl+C, the next run continues.
  export CARGO_TARGET_DIR=$TRACELOUPE_CACHE/build/$crate-$version
  # Started outside the repository, so that its Cargo settings do not apply.
  cd "$TRACELOUPE_CACHE"
  cargo install "$crate" --version "=$version" --root "$dir" --locked "$@" || return
  rm -rf "$CARGO_TARGET_DIR"
}

install_trunk() {
  # Trunk spends its time in CSS and JavaScript minifiers that this project does not use: without optimisation, Trunk
  # compiles in a fraction of the time.
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=0
  install_crate trunk trunk "$trunk_version" "$trunk_dir" --no-default-features
}

install_wasm_bindgen() {
  # wasm-bindgen reads several megabytes of wasm in each build, so it is optimised a little. The default features are
  # TLS for browser drivers on other machines; the tests use one on this machine.
  export CARGO_PROFILE_RELEASE_OPT_LEVEL=1
  install_crate wasm-bindgen wasm-bindgen-cli "$wasm_bindgen_version" "$wasm_bindgen_dir" --no-default-features
}

# Every archive must have the checksum of the lock file, whichever registry sends it.
install_npm_packages() {
  local left_out=()
  [ "$what" != build ] || left_out=(--omit=dev)
  mkdir -p "$npm_dir"
  cp "$npm_tools/package.json" "$npm_tools/package-lock.json" "$npm_dir/"
  npm ci --prefix "$npm_dir" --no-audit --no-fund --ignore-scripts "${left_out[@]}"
}

install_chromium() {
  local how="install Chromium and chromedriver; name Chromium with TRACELOUPE_CHROMIUM=/path/to/chromium if it is not /usr/bin/chromium"
  command -v apt-get >/dev/null || fail "Chromium or chromedriver is missing: $how"
  [ "$(id -u)" = 0 ] ||
    fail "Chromium or chromedriver is missing, and only root can install them: apt-get install chromium chromium-driver; or $how"
  apt-get update &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium chromium-driver
}

# The tests of the core path also run in Firefox and WebKitGTK (tests/e2e/engines.mjs), and are skipped without them.
other_engines=()
command -v firefox-esr >/dev/null || command -v firefox >/dev/null || other_engines+=(firefox-esr)
command -v WebKitWebDriver >/dev/null || other_engines+=(webkit2gtk-driver)
command -v Xvfb >/dev/null || other_engines+=(xvfb)

may_install_engines() {
  [ "$what" != build ] && [ ${#other_engines[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Without an engine its tests are skipped, so this is no failure of the set-up.
install_engines() {
  if ! { apt-get update &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${other_engines[@]}"; } \
    >"$logs/engines.log" 2>&1; then
    say "Not installed: ${other_engines[*]}. The tests do without them (see $logs/engines.log)"
  fi
}

cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Durations of the steps in seconds: compile times are for one core of a laptop from 2022.
trunk_compile_s=240
wasm_bindgen_compile_s=240
page_compile_s=300

plan=()
compile_s=0
download_s=0

# planned NAME HOW COMPILE_S DOWNLOAD_S: one line of the plan.
planned() {
  local alone_s=$(($3 / cores > $4 ? $3 / cores : $4))
  plan+=("$(printf '     %-34s %-34s about %s' "$1" "$2" "$(rounded "$alone_s")")")
  compile_s=$((compile_s + $3))
  [ "$4" -le "$download_s" ] || download_s=$4
}

# rounded SECONDS: rounded to minutes, or to ten seconds below one minute.
rounded() {
  if [ "$1" -lt 55 ]; then printf '%d s' $((($1 + 9) / 10 * 10)); else printf '%d min' $((($1 + 30) / 60)); fi
}

# planned_crate NAME COMPILE_S: a crate that is compiled, if it cannot be downloaded.
planned_crate() {
  if command -v cargo-binstall >/dev/null; then
    planned "$1" "downloaded by cargo binstall" 0 20
  else
    planned "$1" "compiled from crates.io" "$2" 0
  fi
}

find_missing() {
  plan=()
  has_wasm_target || planned "Rust target wasm32-unknown-unknown" "downloaded by rustup" 0 20
  has trunk "$trunk_version" || planned_crate "Trunk $trunk_version" "$trunk_compile_s"
  has_wasm_bindgen || planned_crate "wasm-bindgen $wasm_bindgen_version" "$wasm_bindgen_compile_s"
  has_npm_packages || planned "npm packages (${#npm_packages[@]})" "downloaded by npm" 0 20
  has_chromium || planned "Chromium and chromedriver" "installed by apt-get" 0 60
}

print_plan() {
  say "Missing on this machine:"
  printf '%s\n' "${plan[@]}"
  local total_s=$((compile_s / cores > download_s ? compile_s / cores : download_s))
  say "Together about $(rounded "$total_s") if the $cores cores are free. This happens once: the tools stay in $TRACELOUPE_CACHE."
  [ -d "$root/target/wasm32-unknown-unknown/release" ] ||
    say "The first build of the page takes about $(rounded $((page_compile_s / cores))) more."
}

if may_install_engines; then
  mkdir -p "$logs"
  say "Installing other engines for the tests: ${other_engines[*]}"
  install_engines
fi

find_missing
[ ${#plan[@]} -gt 0 ] || exit 0

mkdir -p "$logs"
if command -v flock >/dev/null; then
  # If two builds start together, only one installs.
  exec 9>"$TRACELOUPE_CACHE/lock"
  if ! flock -n 9; then
    say "Another set-up is running: waiting until it is done"
    until flock -w "$progress_every_s" 9; do
      say "Still waiting for the other set-up ($(duration $SECONDS))"
    done
    compile_s=0 download_s=0
    find_missing
    [ ${#plan[@]} -gt 0 ] || exit 0
  fi
fi

print_plan
incomplete="the set-up is not complete: see above; what is installed already stays, so run it again when that is solved"
has_wasm_target || run_logged "wasm32 target" "$logs/wasm-target.log" install_wasm_target || fail "$incomplete"
# The two tools that are compiled run side by side: each has long stretches that occupy only one core.
has trunk "$trunk_version" || start "Trunk" "$logs/trunk.log" install_trunk
has_wasm_bindgen || start "wasm-bindgen" "$logs/wasm-bindgen.log" install_wasm_bindgen
has_npm_packages || start "npm packages" "$logs/npm.log" install_npm_packages
has_chromium || start "Chromium" "$logs/chromium.log" install_chromium
finish || fail "$incomplete"
say "Set-up done in $(duration $SECONDS)"
