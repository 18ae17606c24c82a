#!/usr/bin/env bash
# Builds the release page in dist/ and prints its size. `.ci/build.sh all` also builds the command.
set -euo pipefail
. "$(dirname "$0")/env.sh"
. "$(dirname "$0")/progress.sh"
cd "$root"
without_own_paths
say "Building the page (log: target/page-build.log)"
# Trunk reads NO_COLOR as a yes-or-no option and stops at other values.
run_logged "page" target/page-build.log env -u NO_COLOR trunk build --release
for file in dist/*.wasm; do
  node .ci/order-functions.mjs "$file"
done
node .ci/short-names.mjs dist
node .ci/name-worker.mjs dist
# Names of files carry hashes of their content before this step, so equal sources still give equal names.
for file in dist/*.js dist/*.css; do
  esbuild "$file" --minify --legal-comments=none --log-level=warning --allow-overwrite --outfile="$file"
done
node .ci/join-files.mjs dist
node .ci/single-file.mjs dist
# The element for other pages, which frames the single HTML file.
esbuild public/trace-loupe.js --minify --legal-comments=none --log-level=warning --outfile=dist/trace-loupe.js
node .ci/notice.mjs dist/NOTICE.txt
node .ci/size.mjs dist
node .ci/served.mjs dist
[ "${1:-page}" = page ] || .ci/build-cli.sh
