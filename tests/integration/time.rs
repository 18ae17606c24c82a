//! Times: the duration that a producer states counts, waiting is told apart from running, and the parts add up to the
//! whole.

use crate::harness;

use std::io::Read as _;

use harness::{Opened, at_least, files_below, named, open_one, shared, shared_also, traces};
use traceloupe_core::model::{EventKind, Flags, WaitFor};
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_protocol::statistics::{CallsLine, CallsOf};
use traceloupe_view::outline::Outline;
use traceloupe_view::time_spent::time_spent;
use traceloupe_view::waits::waited;

/// Rounding and sums of floating-point numbers, in milliseconds and as a share.
const ROUNDING_MS: f64 = 1.0;
const ROUNDING: f64 = 1e-9;

fn are_equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING_MS + ROUNDING * one.abs().max(other.abs())
}

fn tool_lines(opened: &mut Opened, run: u32) -> Vec<CallsLine> {
    let Response::Statistics(_, lines) = opened.ask(&Request::Statistics(Some(run))) else {
        panic!("no statistics")
    };
    lines.into_iter().filter(|line| line.of == CallsOf::Kind(EventKind::ToolCall)).collect()
}

/// How many tool calls of a run there are, without copies; how many have a duration; and the durations added up.
fn tool_rows(outline: &Outline, run: usize) -> (u64, u64, f64) {
    let (run, rows) = (&outline.runs[run], &outline.rows);
    let is_counted = |row: &u32| {
        rows.kinds.get(*row) == EventKind::ToolCall as u8
            && !Flags::from_bits(rows.flags.get(*row)).has(Flags::COPY)
    };
    let counted = (run.first_row..run.first_row + run.n_rows).filter(is_counted);
    counted.fold((0, 0, 0.0), |(n, n_timed, ms), row| match rows.durations_ms.get(row) {
        known if known.is_nan() => (n + 1, n_timed, ms),
        known => (n + 1, n_timed + 1, ms + known),
    })
}

/// When the rows of a run begin and end, in milliseconds since 1970. A producer may state narrower bounds.
fn bounds(outline: &Outline, run: usize) -> (f64, f64) {
    let (run, rows) = (&outline.runs[run], &outline.rows);
    (run.first_row..run.first_row + run.n_rows).fold(
        (run.start_ms, run.end_ms),
        |(from, to), row| {
            let start = rows.starts_ms.get(row);
            (from.min(start), to.max(start + rows.durations_ms.get(row).max(0.0)))
        },
    )
}

/// What does not add up in a run.
fn faults_of(opened: &mut Opened, outline: &Outline, at: usize) -> Vec<String> {
    let run = &outline.runs[at];
    let mut faults = Vec::new();
    let mut check = |is_right: bool, what: String| faults.extend((!is_right).then_some(what));
    let (n, n_timed, ms) = tool_rows(outline, at);
    let lines = tool_lines(opened, u32::try_from(at).unwrap());
    let counted: u64 = lines.iter().map(|line| line.n).sum();
    check(counted == n, format!("{counted} of {n} calls"));
    let timed: u64 = lines.iter().map(|line| line.duration_ms.n).sum();
    check(timed == n_timed, format!("{timed} of {n_timed} durations"));
    #[expect(clippy::cast_precision_loss)] // a count
    let sum = |line: &CallsLine| line.duration_ms.mean * line.duration_ms.n as f64;
    let all: f64 = lines.iter().filter(|line| line.duration_ms.n > 0).map(sum).sum();
    check(are_equal(all, ms), format!("{all} of {ms} ms in tools"));

    let rows = run.first_row..run.first_row + run.n_rows;
    let mut waits = outline.rows.waits.iter().filter(|wait| rows.contains(&wait.row));
    check(waits.all(|wait| wait.from_ms <= wait.to_ms), "a wait ends before it begins".to_owned());
    let idle_ms: f64 = run.idle_ms.iter().map(|(from, to)| to - from).sum();
    let is_ordered = run.idle_ms.is_sorted_by(|a, b| a.1 <= b.0);
    check(is_ordered && run.idle_ms.iter().all(|it| it.0 <= it.1), "idle times overlap".to_owned());
    let (waited_ms, _) = waited(outline, run);
    let may_wait = (0.0..=idle_ms + ROUNDING_MS).contains(&waited_ms);
    check(may_wait, format!("{waited_ms} ms waited, {idle_ms} ms idle"));

    let (from, to) = bounds(outline, at);
    if run.columns.durations && to >= from {
        let spent: f64 = time_spent(outline, run).iter().map(|share| share.ms).sum();
        let active = run.active_between_ms(from, to);
        let is_within = spent <= active + ROUNDING_MS + ROUNDING * active;
        check(is_within, format!("{spent} ms spent of {active}"));
    }
    faults
}

#[test]
fn the_parts_of_the_time_add_up_to_the_whole() {
    let mut files = traces();
    for folder in ["findings/sessions", "misread"] {
        if let Some(root) = shared_also(folder) {
            files.extend(files_below(&root).iter().map(|path| named(&root, path)));
        }
    }
    let (mut n_runs, mut n_waits, mut faults) = (0, 0, Vec::new());
    for (name, bytes) in files {
        let mut opened = open_one(&name, &bytes);
        let harness::Outcome::Outline(outline) = &opened.outcome else { continue };
        let outline = outline.clone();
        n_runs += outline.runs.len();
        n_waits += outline.rows.waits.len();
        for at in 0..outline.runs.len() {
            let found = faults_of(&mut opened, &outline, at);
            faults.extend(found.into_iter().map(|it| format!("{name}, run {at}: {it}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_runs > at_least(400, 50), "{n_runs}");
    assert!(n_waits > at_least(100, 0), "{n_waits}");
}

/// A Codex session: a command that was approved after a minute and a half, and one whose process went on after the
/// result.
const CODEX: &str = r#"{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"s-1","cwd":"/srv/tide","cli_version":"0.118.0"}}
{"timestamp":"2026-03-02T09:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"Look at the tides"}}
{"timestamp":"2026-03-02T09:00:10.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c-1","arguments":"{\"cmd\":\"make tides\"}"}}
{"timestamp":"2026-03-02T09:01:50.000Z","type":"event_msg","payload":{"type":"exec_command_end","call_id":"c-1","exit_code":0,"duration":{"secs":2,"nanos":500000000},"aggregated_output":"high\n"}}
{"timestamp":"2026-03-02T09:01:50.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c-1","output":"Chunk ID: 0a1b2c\nWall time: 1.0012 seconds\nProcess exited with code 0\nOutput:\nhigh\n"}}
{"timestamp":"2026-03-02T09:02:00.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c-2","arguments":"{\"cmd\":\"make serve\"}"}}
{"timestamp":"2026-03-02T09:02:01.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c-2","output":"Chunk ID: 0a1b2d\nWall time: 1.0002 seconds\nProcess running with session ID 7\nOutput:\n"}}
{"timestamp":"2026-03-02T09:02:08.000Z","type":"event_msg","payload":{"type":"exec_command_end","call_id":"c-2","exit_code":0,"duration":{"secs":7,"nanos":0},"aggregated_output":""}}
{"timestamp":"2026-03-02T09:02:10.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c-3","arguments":"{\"cmd\":\"true\"}"}}
{"timestamp":"2026-03-02T09:02:10.300Z","type":"event_msg","payload":{"type":"exec_command_end","call_id":"c-3","exit_code":0,"duration":{"secs":0,"nanos":3000},"aggregated_output":""}}
{"timestamp":"2026-03-02T09:02:10.300Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c-3","output":"Chunk ID: 0a1b2e\nWall time: 0.0000 seconds\nProcess exited with code 0\nOutput:\n"}}
"#;

#[test]
fn a_command_of_codex_takes_what_its_end_states_and_waits_for_approval_before() {
    let mut opened = open_one("rollout.jsonl", CODEX.as_bytes());
    let outline = opened.outline().clone();
    let rows = &outline.rows;
    let calls = (0..rows.ids.len()).filter(|row| rows.kinds.get(*row) == EventKind::ToolCall as u8);
    let calls: Vec<u32> = calls.collect();
    let lasted: Vec<f64> = calls.iter().map(|row| rows.durations_ms.get(*row)).collect();
    assert_eq!(lasted, [2_500.0, 7_000.0, 0.003]);
    let wait = rows.wait_of(calls[0]).unwrap();
    assert_eq!((wait.what, wait.len_ms()), (WaitFor::ApprovalProbably, 97_500.0));
    assert_eq!(rows.starts_ms.get(calls[0]), wait.to_ms, "the work begins after the wait");
    assert_eq!([calls[1], calls[2]].map(|row| rows.wait_of(row)), [None, None]);

    let lines = tool_lines(&mut opened, 0);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((line.name.as_str(), line.n, line.is_inferred), ("exec_command", 3, false));
    assert!((line.duration_ms.mean * 3.0 - 9_500.003).abs() < 1e-6, "{:?}", line.duration_ms);

    let run = &outline.runs[0];
    assert_eq!(waited(&outline, run), (97_500.0, true));
    assert_eq!(run.duration_ms - run.active_ms(), 97_500.0, "waiting is no active time");
}

/// The durations of commands that a Codex session states, in seconds by call: the longest of what the end of the process
/// and the output say. `None` if a command has none.
fn stated_by_codex(text: &str) -> Option<Vec<f64>> {
    let mut stated = std::collections::BTreeMap::<String, Option<f64>>::new();
    for line in text.lines() {
        let Ok(record) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let payload = &record["payload"];
        let Some(id) = payload["call_id"].as_str() else { continue };
        let seconds = match payload["type"].as_str() {
            Some("function_call") if payload["name"] == "exec_command" => {
                stated.entry(id.to_owned()).or_default();
                continue;
            }
            Some("exec_command_end") => {
                let part = |key: &str| payload["duration"][key].as_f64();
                part("secs").zip(part("nanos")).map(|(secs, nanos)| secs + nanos / 1e9)
            }
            Some("function_call_output") => {
                let lines = payload["output"].as_str().unwrap_or_default().lines().take(8);
                let mut told = lines.filter_map(|line| line.strip_prefix("Wall time: "));
                told.next().and_then(|it| it.split(' ').next()?.parse().ok())
            }
            _ => continue,
        };
        if let (Some(known), Some(seconds)) = (stated.get_mut(id), seconds) {
            *known = Some(known.unwrap_or_default().max(seconds));
        }
    }
    stated.into_values().collect()
}

#[test]
fn commands_of_real_codex_sessions_add_up_to_what_they_state() {
    let Some(root) = shared("findings/sessions") else { return };
    let mut n_sessions = 0;
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        let mut text = String::new();
        let is_text = flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text);
        if is_text.is_err() || !text.starts_with('{') || !text.contains("\"exec_command\"") {
            continue;
        }
        let Some(stated) = stated_by_codex(&text).filter(|it| !it.is_empty()) else { continue };
        let mut opened = open_one(&name, &bytes);
        let lines = tool_lines(&mut opened, 0);
        let line = lines.iter().find(|line| line.name == "exec_command").unwrap();
        // A fork begins with calls of another session, which count there.
        if line.n != stated.len() as u64 {
            continue;
        }
        #[expect(clippy::cast_precision_loss)] // a count
        let shown = line.duration_ms.mean * line.duration_ms.n as f64;
        let all: f64 = stated.iter().sum();
        assert!(are_equal(shown, all * 1e3), "{name}: {shown} ms shown, {all} s stated");
        assert!(!line.is_inferred, "{name}");
        n_sessions += 1;
    }
    assert!(n_sessions >= 5, "{n_sessions}");
}
