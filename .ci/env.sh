# shellcheck shell=bash disable=SC2034 # the other scripts use the variables
# Sourced by the other scripts: the versions of the tools, and where they are. Change a version here and
# the next `make` installs it. (The version of wasm-bindgen is the one in Cargo.lock; those of the npm packages are in
# .ci/npm-tools, see docs/building.md.)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

export TRACELOUPE_CACHE=${TRACELOUPE_CACHE:-$HOME/.cache/traceloupe}
export TRACELOUPE_CHROMIUM=${TRACELOUPE_CHROMIUM:-$(command -v chromium || echo /usr/bin/chromium)}

trunk_version=0.21.14
# The npm packages, whose versions and checksums are in this folder.
npm_tools=$root/.ci/npm-tools
npm_version() { sed -n "s/^ *\"$1\": \"\([0-9.]*\)\",\{0,1\}$/\1/p" "$npm_tools/package.json"; }
binaryen_version=$(npm_version binaryen)
esbuild_version=$(npm_version esbuild)
playwright_version=$(npm_version playwright-core)
axe_version=$(npm_version axe-core)
# Only used by `make bench`, which measures it beside the page.
speedscope_version=$(npm_version speedscope)
wasm_bindgen_version=$(grep -A1 '^name = "wasm-bindgen"$' "$root/Cargo.lock" |
  sed -n 's/^version = "\(.*\)"$/\1/p')

trunk_dir=$TRACELOUPE_CACHE/trunk-$trunk_version
wasm_bindgen_dir=$TRACELOUPE_CACHE/wasm-bindgen-$wasm_bindgen_version
npm_dir=$TRACELOUPE_CACHE/npm

export PATH=$trunk_dir/bin:$wasm_bindgen_dir/bin:$npm_dir/node_modules/.bin:$PATH

say() { printf '== %s\n' "$*"; }

# fail SENTENCE: prints the problem and what to do about it, and ends the script.
fail() {
  printf '\nerror: %s\n' "$*" >&2
  exit 1
}

# without_own_paths: programs name their sources, for messages of crashes. From here on, those names have no folder of
# this machine. Cargo adds these flags to those of .cargo/config.toml, and they change no symbol.
without_own_paths() {
  local crates sysroot
  # The folder of the crates has a name that depends on the registry's settings, and exists once they are there.
  crates=$(cd "$root" && cargo metadata --locked --format-version 1 --filter-platform wasm32-unknown-unknown |
    node -e 'const { packages } = JSON.parse(fs.readFileSync(0)); console.log(path.resolve(packages.find((it) => it.source).manifest_path, "../.."))')
  sysroot=$(rustc --print sysroot)
  case $crates$sysroot$root in
    *[[:space:]]*) fail "the programs cannot be built in a folder with a space in its name: $root, $crates, $sysroot" ;;
  esac
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="--remap-path-prefix=$root=. --remap-path-prefix=$crates=crates \
--remap-path-prefix=$sysroot/lib/rustlib/src/rust=rust"
}

need() { # need COMMAND HOW-TO-GET-IT
  command -v "$1" >/dev/null || fail "$1 is missing: $2"
}
