#!/usr/bin/env bash
# The release page, in dist/, and what it weighs.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$root"
# Trunk reads NO_COLOR as a yes-or-no option and stops at other values.
env -u NO_COLOR trunk build --release
node .ci/size.mjs dist
