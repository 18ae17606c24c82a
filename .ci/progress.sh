# shellcheck shell=bash
# Sourced by the scripts that run for minutes. Runs commands in the background, each with its output in a log, and
# prints their progress at least every 15 s, as plain lines, so that it works without a terminal.

progress_every_s=${TRACELOUPE_PROGRESS_S:-15}

job_names=()
job_logs=()
job_pids=()

# duration SECONDS: "45 s" or "3 min 5 s".
duration() {
  if [ "$1" -lt 60 ]; then
    printf '%d s' "$1"
  else
    printf '%d min %d s' $(($1 / 60)) $(($1 % 60))
  fi
}

# lines_of: standard input as lines: Cargo's progress bar is split into lines of its own, and colours are removed.
lines_of() {
  tr '\r' '\n' | sed -e "s/$(printf '\033')\[[0-9;]*[A-Za-z]//g" -e 's/ *$//' -e '/^$/d'
}

# readable_log LOG: its lines, without Cargo's progress bar.
readable_log() {
  lines_of <"$1" | sed '/^ *Building \[/d'
}

# latest_of LOG: the current activity of the command that writes the log, in a few words.
latest_of() {
  local latest
  latest=$(tail -c 4000 "$1" | lines_of | awk '
    /^ *Building \[/ { sub(/^[^]]*\] */, ""); bar = $0; next }
    bar != "" && /^ *Compiling / { next }
    { sub(/ \[[=> ]*\] */, ": "); sub(/^ */, ""); line = $0; bar = "" }
    END {
      split(bar, part, ": "); split(part[1], count, "/")
      if (bar != "") print count[1] " of " count[2] " crates compiled, now " substr(bar, length(part[1]) + 3)
      else print substr(line, 1, 90)
    }')
  printf '%s' "${latest:-started}"
}

# start NAME LOG COMMAND [ARGUMENT...]: runs a command in the background, its output in LOG.
start() {
  local name=$1 log=$2
  shift 2
  trap stop_jobs EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkdir -p "$(dirname "$log")"
  # Job control makes the job a process group, which stop_jobs can end as a whole. The lock of the set-up (file
  # descriptor 9) is not passed on: a process that survives would hold it.
  set -m
  (
    # Cargo writes "12/297: serde, syn" only on request, because its output is not a terminal here.
    export CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=100 CARGO_TERM_COLOR=never
    "$@"
  ) </dev/null >"$log" 2>&1 9>&- &
  set +m
  job_names+=("$name")
  job_logs+=("$log")
  job_pids+=("$!")
}

# Without it, Ctrl+C would leave the compilers running.
stop_jobs() {
  local pid
  for pid in ${job_pids[@]+"${job_pids[@]}"}; do
    kill -- "-$pid" 2>/dev/null || true
  done
}

# finish: waits for all jobs that were started. Returns 1 if any of them failed, after printing the end of
# its log.
finish() {
  local began=$SECONDS spoke=$SECONDS failed=0 i
  while [ ${#job_pids[@]} -gt 0 ]; do
    sleep 0.2
    for i in "${!job_pids[@]}"; do
      kill -0 "${job_pids[i]}" 2>/dev/null && continue
      if wait "${job_pids[i]}"; then
        printf '   %-11s %s: done\n' "$(duration $((SECONDS - began)))" "${job_names[i]}"
      else
        failed=1
        printf '   %-11s %s: failed\n' "$(duration $((SECONDS - began)))" "${job_names[i]}"
        readable_log "${job_logs[i]}" | tail -n 100 >&2
        printf '(the whole log: %s)\n' "${job_logs[i]}" >&2
      fi
      unset "job_names[i]" "job_logs[i]" "job_pids[i]"
    done
    if [ $((SECONDS - spoke)) -ge "$progress_every_s" ]; then
      spoke=$SECONDS
      for i in "${!job_pids[@]}"; do
        printf '   %-11s %s: %s\n' "$(duration $((SECONDS - began)))" "${job_names[i]}" \
          "$(latest_of "${job_logs[i]}")"
      done
    fi
  done
  return $failed
}

# run_logged NAME LOG COMMAND [ARGUMENT...]: one command, with progress.
run_logged() {
  start "$@"
  finish
}

step_title=
step_began=0

# step TITLE: begins a step of a long script: prints a heading, and the duration of the previous step.
step() {
  end_step
  step_title=$1
  step_began=$SECONDS
  say "$1"
}

end_step() {
  [ -z "$step_title" ] || say "$step_title: passed in $(duration $((SECONDS - step_began)))"
  step_title=
}
