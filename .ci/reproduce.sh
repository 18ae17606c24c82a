#!/usr/bin/env bash
# Builds the sources again, in another folder and with another folder of Cargo, and compares: `make reproduce` compares all
# that is published, byte for byte. `.ci/reproduce.sh redactor` compares the smallest program alone, for `make test`; it
# must have been built before.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
what=${1:-all}
wasm=wasm32-unknown-unknown
redactor=target/$wasm/release/traceloupe-redactor.wasm

again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
# The path is longer than ours, and the folder of Cargo is another one with the same crates.
copy=$again/of/the/same/sources
mkdir -p "$copy" "$again/cargo"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [ ! -e "$file" ] || printf '%s\0' "$file"
done | tar --null -T - -cf - | tar -xf - -C "$copy"
# Its settings too, which may name a mirror.
for entry in "${CARGO_HOME:-$HOME/.cargo}"/*; do
  ln -s "$entry" "$again/cargo/"
done

# compare FILE...: compares with the copy.
compare() {
  local path
  for path; do
    diff -rq "$path" "$copy/$path" || fail "two builds of the same sources differ: see above"
  done
}

if [ "$what" = redactor ]; then
  [ -f "$redactor" ] || fail "there is no $redactor to compare with: build the page first"
  # A shell of its own: the names of folders that are left out depend on both folders.
  (export CARGO_HOME=$again/cargo && cd "$copy" && . .ci/env.sh && without_own_paths &&
    cargo build --quiet --locked --release --target $wasm -p traceloupe-redactor)
  compare "$redactor"
  say "The redactor is the same when it is built in another folder"
else
  .ci/build.sh all
  CARGO_HOME=$again/cargo "$copy/.ci/build.sh" all
  compare dist target/cli
  say "Two builds in different folders are equal, byte for byte"
fi
