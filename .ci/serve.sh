#!/usr/bin/env bash
# `make serve`: builds the page and serves it to this machine only, on the port given by PORT. The last line of output
# is the address. Opens no browser.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
need node "install Node 20 or newer (https://nodejs.org)"
node .ci/serve.mjs --check-port
.ci/setup.sh build
.ci/build.sh
exec node .ci/serve.mjs dist
