#!/usr/bin/env bash
# The steps of action.yml: `action.sh report` writes the report and the summary of the job, `action.sh check` fails the job if
# something is found. The inputs are in the environment: PACKAGE, TRACE, REPORT, TITLE, REDACT, FAIL_ON.
set -euo pipefail

command=(npm exec --yes "--package=$PACKAGE" -- traceloupe)
options=()
[ "$REDACT" = false ] || options+=(--redact)
# One file, folder or pattern per line. Names may contain spaces.
files=()
shopt -s globstar
while IFS= read -r line; do
  [ -n "${line// /}" ] || continue
  IFS=
  # shellcheck disable=SC2206 # patterns are meant to be expanded
  files+=($line)
done <<<"$TRACE"

# What is printed contains text of the trace, which must not act as a command of the workflow.
token=$(node -p 'require("crypto").randomUUID()')
echo "::stop-commands::$token"
trap 'echo; echo "::$token::"' EXIT

case $1 in
  report)
    title=()
    [ -z "$TITLE" ] || title=(--title "$TITLE")
    "${command[@]}" report "${options[@]}" "${title[@]}" -o "$REPORT" -- "${files[@]}"
    "${command[@]}" report --markdown "${options[@]}" -- "${files[@]}" >>"$GITHUB_STEP_SUMMARY"
    ;;
  check) "${command[@]}" check "${options[@]}" --fail-on "$FAIL_ON" -- "${files[@]}" ;;
esac
