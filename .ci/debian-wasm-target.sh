#!/usr/bin/env bash
# For machines where rustup cannot install the wasm32 target: builds the standard library for it once, with
# Debian's compiler and sources, into that compiler's own folder. Run by .ci/setup.sh, which logs the output.
set -euo pipefail
. "$(dirname "$0")/env.sh"

help="install the target with: rustup target add wasm32-unknown-unknown"
command -v apt-get >/dev/null || fail "the Rust target wasm32-unknown-unknown is missing: $help"
[ "$(id -u)" = 0 ] ||
  fail "the Rust target wasm32-unknown-unknown is missing, and only root can install Debian's: $help"

echo "rustup cannot install the wasm32 target here: Debian's compiler builds it"
packages=(rustc-web cargo-web rust-web-src rust-web-llvm lld-22)
{ apt-get update &&
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } ||
  fail "Debian's packages (${packages[*]}) could not be installed; $help"

export PATH=/usr/bin:$PATH
[ "$(command -v cargo)" = /usr/bin/cargo ] ||
  fail "Debian's cargo is not at /usr/bin/cargo, where its package puts it; $help"
libs=$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/empty/src"
: >"$work/empty/src/lib.rs"
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n' >"$work/empty/Cargo.toml"
# Build-std is a nightly option, which a stable compiler accepts only with this variable. Bitcode is embedded because
# the release profile links with LTO. The sources, and the versions in the lock file beside them, are Debian's: the package
# is empty, and its own lock file is written here.
sources=$(rustc --print sysroot)/lib/rustlib/src/rust
(cd "$work/empty" && cargo generate-lockfile --offline && RUSTC_BOOTSTRAP=1 \
  RUSTFLAGS="-Cembed-bitcode=yes --remap-path-prefix=$(realpath "$sources")=rust --remap-path-prefix=$sources=rust" \
  cargo build --release --locked --target wasm32-unknown-unknown \
  -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test) ||
  fail "the wasm32 standard library could not be built; $help"
mkdir -p "$libs"
find "$work/empty/target/wasm32-unknown-unknown/release/deps" -name '*.rlib' ! -name 'libempty*' \
  -exec cp {} "$libs/" \;
compgen -G "$libs/libstd-*.rlib" >/dev/null || fail "the wasm32 standard library is not in $libs"
