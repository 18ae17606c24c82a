#!/usr/bin/env bash
# Where rustup cannot bring the wasm32 target: builds the standard library for it once, with Debian's
# compiler and sources, and puts it into that compiler's own folder.
set -euo pipefail
. "$(dirname "$0")/env.sh"

help="install the target with: rustup target add wasm32-unknown-unknown"
command -v apt-get >/dev/null || fail "the Rust target wasm32-unknown-unknown is missing: $help"
[ "$(id -u)" = 0 ] ||
  fail "the Rust target wasm32-unknown-unknown is missing, and only root can install Debian's: $help"

log=$TRACELOUPE_CACHE/logs/wasm-target.log
say "rustup has no wasm32 target here: building it with Debian's compiler (log: $log)"
mkdir -p "$TRACELOUPE_CACHE/logs"
packages="rustc-web cargo-web rust-web-src rust-web-llvm lld-22"
# shellcheck disable=SC2086 -- a list of words
{ apt-get update && DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends $packages; } >"$log" 2>&1 ||
  { tail -n 20 "$log" >&2; fail "Debian's packages ($packages) could not be installed; $help"; }

export PATH=/usr/bin:$PATH
[ "$(command -v cargo)" = /usr/bin/cargo ] || fail "Debian's cargo did not arrive at /usr/bin/cargo"
libs=$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/empty/src"
: >"$work/empty/src/lib.rs"
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n' >"$work/empty/Cargo.toml"
# Build-std is a nightly option, so a stable compiler has to be told. Bitcode is embedded because
# the release profile links with LTO.
(cd "$work/empty" && RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes \
  cargo build --release --target wasm32-unknown-unknown \
  -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test) >>"$log" 2>&1 ||
  { tail -n 20 "$log" >&2; fail "the wasm32 standard library could not be built; the whole log is $log"; }
mkdir -p "$libs"
find "$work/empty/target/wasm32-unknown-unknown/release/deps" -name '*.rlib' ! -name 'libempty*' \
  -exec cp {} "$libs/" \;
compgen -G "$libs/libstd-*.rlib" >/dev/null || fail "the wasm32 standard library is not in $libs"
