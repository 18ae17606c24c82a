# shellcheck shell=bash disable=SC2034 # the other scripts use the variables
# Sourced by the other scripts: the versions of the tools, and where they are. Change a version here and
# the next `make` installs it. (The version of wasm-bindgen is the one in Cargo.lock.)

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

export TRACELOUPE_CACHE=${TRACELOUPE_CACHE:-$HOME/.cache/traceloupe}
export TRACELOUPE_CHROMIUM=${TRACELOUPE_CHROMIUM:-$(command -v chromium || echo /usr/bin/chromium)}

trunk_version=0.21.14
binaryen_version=132.0.0
playwright_version=1.65.1
axe_version=4.14.1
esbuild_version=0.28.2
# Only used by `make bench`, which measures it beside the page.
speedscope_version=1.25.0
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

need() { # need COMMAND HOW-TO-GET-IT
  command -v "$1" >/dev/null || fail "$1 is missing: $2"
}
