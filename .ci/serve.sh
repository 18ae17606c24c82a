#!/usr/bin/env bash
# `make serve`: builds the page and serves it to this machine, on the port that PORT names. The address is the
# last line. Opens no browser.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
need node "install Node 20 or newer (https://nodejs.org)"
node .ci/serve.mjs --check-port
.ci/setup.sh build
.ci/build.sh
exec node .ci/serve.mjs dist
