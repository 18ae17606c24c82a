//! Rollouts of Codex in unit tests: copies, sub-agents, processes.

use super::*;
use crate::testing::read;
use traceloupe_core::model::{Block, EventId, Flags, RunId, TimeBasis, Value};

const FORK: &str = include_str!("../../../tests/fixtures/codex/fork.jsonl");
const CODE_MODE: &str = include_str!("../../../tests/fixtures/codex/code-mode.jsonl");
const POLLED: &str = include_str!("../../../tests/fixtures/codex/polled.jsonl");
const TOLD: &str = include_str!("../../../tests/fixtures/codex/agents/told.jsonl");
const QUAY: &str = include_str!("../../../tests/fixtures/codex/agents/quay.jsonl");
const TOWER: &str = include_str!("../../../tests/fixtures/codex/agents/tower.jsonl");
const BROOM: &str = include_str!("../../../tests/fixtures/codex/agents/broom.jsonl");
const REFERS: &str = include_str!("../../../tests/fixtures/codex/fork-by-reference.jsonl");
const HEMP: &str = include_str!("../../../tests/fixtures/codex/agents/hemp.jsonl");

#[test]
fn copied_history_is_nested_and_marked() {
    let lines: Vec<&str> = FORK.lines().collect();
    let read = read(&CODEX, &[&lines]);
    let outline = read.outline();
    let at = outline.iter().position(|row| row == "agent copied history").unwrap();
    let run = RunId::from_index(0);
    let (order, depths) = (read.trace.order(run), read.trace.depths(run));
    let copies: Vec<usize> = (0..order.len())
        .filter(|at| read.trace.event(order[*at]).unwrap().flags.has(Flags::COPY))
        .collect();
    let nested = depths.iter().skip(at + 1).take_while(|depth| **depth > 0).count();
    assert_eq!(copies, (at..=at + nested).collect::<Vec<_>>(), "{outline:#?}");
    let title = read.trace.runs()[0].title.as_deref();
    assert_eq!(title, Some("Count the ropes instead."));
}

#[test]
fn a_sub_agent_begins_where_its_file_says() {
    let (tower, broom): (Vec<_>, Vec<_>) = (TOWER.lines().collect(), BROOM.lines().collect());
    let read = read(&CODEX, &[&tower, &broom]);
    let copies = read.trace.events().iter().filter(|event| event.flags.has(Flags::COPY));
    let copies: Vec<_> = copies.map(|event| event.kind).collect();
    let expected = [
        EventKind::Note,
        EventKind::Note,
        EventKind::UserMessage,
        EventKind::LlmCall,
        EventKind::ToolCall,
    ];
    assert_eq!(copies, expected);
}

#[test]
fn a_fork_that_refers_to_its_history_has_no_copies() {
    let lines: Vec<&str> = REFERS.lines().collect();
    let read = read(&CODEX, &[&lines]);
    assert!(read.trace.events().iter().all(|event| !event.flags.has(Flags::COPY)));
}

#[test]
fn the_end_of_a_sub_agent_names_it_and_says_how_it_came_out() {
    let lines: Vec<&str> = TOLD.lines().collect();
    let read = read(&CODEX, &[&lines]);
    let events = read.trace.events().iter().enumerate();
    let told: Vec<_> = events
        .filter(|(_, event)| event.kind == EventKind::Agent)
        .map(|(at, event)| (read.trace.name(event.name), event.status, read.summary(at)))
        .collect();
    let expected = [
        ("Hemp completed", Status::Ok, r"**No rope** is torn.\\n\\n- one\\n- two"),
        ("agent failed", Status::Failed, "the stream broke"),
        ("Flax shut down", Status::Cancelled, ""),
    ];
    let found: Vec<_> =
        told.iter().map(|it| (it.0, it.1, it.2.trim_matches(['"', '\\']))).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_failure_that_a_later_poll_tells_again_is_one_error() {
    let lines: Vec<&str> = POLLED.lines().collect();
    let read = read(&CODEX, &[&lines]);
    let statuses: Vec<_> = read
        .trace
        .events()
        .iter()
        .filter(|event| event.kind == EventKind::ToolCall)
        .map(|event| event.status)
        .collect();
    // A command and the poll that saw its end; a poll of a process with no further records.
    assert_eq!(statuses, [Status::Failed, Status::Unknown, Status::Ok, Status::Failed]);
    assert_eq!(read.trace.totals(RunId::from_index(0)).errors, 2);
}

#[test]
fn a_sub_agent_is_a_lane_under_its_call() {
    let files: [Vec<&str>; 2] = [QUAY.lines().collect(), HEMP.lines().collect()];
    let outline = read(&CODEX, &[&files[0], &files[1]]).outline();
    let call = outline.iter().position(|row| row == " tool-call spawn_agent").unwrap();
    assert_eq!(outline[call + 1], "  run-start session", "{outline:#?}");
    let turned = read(&CODEX, &[&files[1], &files[0]]);
    assert_eq!(turned.trace.runs().len(), 1);
    assert_eq!(turned.outline().len(), outline.len());
    let alone = read(&CODEX, &[&files[1]]);
    assert_eq!(alone.trace.runs()[0].title.as_deref(), Some("Hemp"));
}

#[test]
fn a_rollout_is_named_after_the_first_message_of_the_person_that_is_an_item() {
    let item = |id: &str, content: &str| {
        format!(
            r#"{{"timestamp":"2026-10-06T00:00:01.000Z","type":"event_msg","payload":{{"type":"item_completed","turn_id":"t","item":{{"type":"UserMessage","id":"{id}","content":{content}}}}}}}"#
        )
    };
    let meta = r#"{"timestamp":"2026-10-06T00:00:00.000Z","type":"session_meta","payload":{"id":"thread","history_mode":"paginated"}}"#;
    let injected =
        item("u0", r#"[{"type":"text","text":"<environment_context>x</environment_context>"}]"#);
    let image =
        r#"[{"type":"local_image","path":"/shot.png"},{"type":"text","text":"Mend the mast"}]"#;
    let read = read(&CODEX, &[&[meta, &injected, &item("u1", image)]]);
    assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Mend the mast"));
}

#[test]
fn what_the_editor_shows_is_not_the_title() {
    let record = |kind: &str, payload: &str| {
        format!(
            r#"{{"timestamp":"2026-10-06T00:00:01.000Z","type":"{kind}","payload":{{{payload}}}}}"#
        )
    };
    let open = "# Context from my IDE setup:\\n\\n## Open tabs:\\n- mast.md: mast.md\\n\\n";
    let asked = |words: &str| {
        let text = format!("{open}## My request for Codex:\\n{words}\\n");
        record(
            "response_item",
            &format!(
                r#""type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]"#
            ),
        )
    };
    let title = |records: &[&str]| read(&CODEX, &[records]).trace.runs()[0].title.clone();
    assert_eq!(title(&[&asked("Mend the mast")]).as_deref(), Some("Mend the mast"));
    assert_eq!(title(&[&asked(""), &asked("Mend the mast")]).as_deref(), Some("Mend the mast"));
    let told = record("event_msg", &format!(r#""type":"user_message","message":"{open}""#));
    assert_eq!(title(&[&told, &asked("Mend the mast")]).as_deref(), Some("Mend the mast"));
}

#[test]
fn scripts_say_how_they_ended_and_show_what_they_wrote() {
    let lines: Vec<&str> = CODE_MODE.lines().collect();
    let read = read(&CODEX, &[&lines]);
    let events = read.trace.events().iter().enumerate();
    let calls: Vec<_> = events.filter(|(_, event)| event.kind == EventKind::ToolCall).collect();
    let statuses: Vec<_> = calls.iter().map(|(_, event)| event.status).collect();
    assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Failed, Status::Ok]);
    let results: Vec<Vec<String>> = calls
        .iter()
        .map(|(at, _)| {
            let results = read.detail(&CODEX, *at).blocks.into_iter().filter_map(|it| match it {
                Block::Result(Value::Json(span)) => Some(read.text(span)),
                _ => None,
            });
            results.collect()
        })
        .collect();
    let expected = [
        [r#""first ferry 06:30\nlast ferry 21:00\n""#],
        [r#""timetable.txt\n""#],
        [r#""Error: the flag is not aboard""#],
        [r#""Script completed\nWall time 0.0 seconds\nOutput:\n""#],
    ];
    assert_eq!(results, expected);
}

#[test]
fn a_patch_that_a_script_applied_says_what_changed() {
    let lines: Vec<&str> = CODE_MODE.lines().collect();
    let read = read(&CODEX, &[&lines]);
    let mut events = read.trace.events().iter().enumerate();
    let (at, _) = events.find(|(_, it)| read.trace.name(it.name) == "patch applied").unwrap();
    let words = read.trace.own_summary(EventId::from_index(at));
    assert_eq!(words, Some("\"+1 −1 /srv/ferry/timetable.txt\""));
    let blocks = read.detail(&CODEX, at).blocks;
    let diff = "--- /srv/ferry/timetable.txt\n+++ /srv/ferry/timetable.txt\n@@ -1 +1 @@\n\
                -first ferry 06:30\n+first ferry 07:00\n";
    let changes = Block::Text(BlockRole::Named("Changes"), Value::Text(diff.to_owned()));
    assert!(blocks.contains(&changes), "{blocks:#?}");
}

#[test]
fn output_that_comes_after_the_result_is_a_result_unless_it_was_told() {
    let record = |kind: &str, payload: &str| {
        format!(
            r#"{{"timestamp":"2026-06-04T09:00:00.000Z","type":"{kind}","payload":{{{payload}}}}}"#
        )
    };
    let call = record(
        "response_item",
        r#""type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"winch\"}","call_id":"c1""#,
    );
    let end = record(
        "event_msg",
        r#""type":"exec_command_end","call_id":"c1","aggregated_output":"all ropes\nare in\n","exit_code":0"#,
    );
    let results = |output: &str| {
        let output = record(
            "response_item",
            &format!(r#""type":"function_call_output","call_id":"c1","output":"{output}""#),
        );
        let read = read(&CODEX, &[&[call.as_str(), &output, &end]]);
        assert_eq!(read.trace.events().get(1).unwrap().status, Status::Ok);
        let blocks = read.detail(&CODEX, 1).blocks;
        let shown = format!("{blocks:?}");
        assert!(!shown.contains("aggregated_output"), "{shown}");
        blocks.iter().filter(|it| matches!(it, Block::Result(_))).count()
    };
    assert_eq!(results("Process running with session ID 7\\nOutput:\\n"), 2);
    assert_eq!(results("Process exited with code 0\\nOutput:\\nall ropes\\nare in\\n"), 1);
}

#[test]
fn outcomes_are_stated_at_the_beginning_of_outputs() {
    use traceloupe_core::model::ErrorLabel;
    let long = "echo a\\n".repeat(90);
    let denied = "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: exit code: 7, stderr: no";
    let cases = [
        (
            format!(
                "Command: /bin/zsh -lc '{long}'\\nChunk ID: 1\\nWall time: 0.2 seconds\\nProcess exited with code 3\\nOutput:\\nno"
            ),
            (Status::Failed, ErrorLabel::ExitCode(3)),
        ),
        (
            "Wall time: 0.2 seconds\\nOutput:\\nProcess exited with code 3".to_owned(),
            (Status::Unknown, ErrorLabel::None),
        ),
        (denied.to_owned(), (Status::Denied, ErrorLabel::ExitCode(1))),
        ("exec_command failed for `ls`: no".to_owned(), (Status::Failed, ErrorLabel::None)),
        (
            "exec_command failed for `ls\\nEOF`: CreateProcess { message: \\\"Rejected(\\\\\\\"rejected by user\\\\\\\")\\\" }".to_owned(),
            (Status::Rejected, ErrorLabel::None),
        ),
        (
            "exec_command failed for `ls`: CreateProcess { message: \\\"Codex(Sandbox(Denied { output: no }))\\\" }".to_owned(),
            (Status::Denied, ErrorLabel::None),
        ),
        (
            "exec_command failed for `ls`: CreateProcess { message: \\\"No such file\\\" }".to_owned(),
            (Status::Failed, ErrorLabel::None),
        ),
        ("unsupported call: lamp".to_owned(), (Status::UnknownTool, ErrorLabel::None)),
        ("patch rejected by user".to_owned(), (Status::Rejected, ErrorLabel::None)),
    ];
    for (output, expected) in cases {
        let lines = [
            r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned(),
            r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}}"#.to_owned(),
            format!(r#"{{"type":"response_item","payload":{{"type":"function_call_output","call_id":"c","output":"{output}"}}}}"#),
        ];
        let read = read(&CODEX, &[&lines.each_ref().map(String::as_str)]);
        let call = read.trace.events().iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        assert_eq!(
            (call.status, read.trace.error(call.error).map(str::to_owned)),
            (expected.0, expected.1),
            "{output}"
        );
    }
}

#[test]
fn a_search_that_ends_after_its_result_has_found_nothing() {
    let lines = [
        r#"{"timestamp":"2026-04-09T09:00:00.000Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-04-09T09:00:00.000Z","cwd":"/quay"}}"#,
        r#"{"timestamp":"2026-04-09T09:00:01.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"rg -n boat docks\"}","call_id":"c1"}}"#,
        r#"{"timestamp":"2026-04-09T09:00:02.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"Chunk ID: 1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"}}"#,
        r#"{"timestamp":"2026-04-09T09:00:03.000Z","type":"response_item","payload":{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":7,\"chars\":\"\"}","call_id":"c2"}}"#,
        r#"{"timestamp":"2026-04-09T09:00:04.000Z","type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","process_id":"7","aggregated_output":"","exit_code":1,"duration":{"secs":3,"nanos":0}}}"#,
        r#"{"timestamp":"2026-04-09T09:00:04.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c2","output":"Chunk ID: 2\nWall time: 1.0 seconds\nProcess exited with code 1\nOutput:\n"}}"#,
    ];
    let read = read(&CODEX, &[&lines]);
    let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall);
    let found: Vec<_> = calls.map(|it| it.status).collect();
    assert_eq!(found, [Status::NoMatch, Status::Ok]);
}

#[test]
fn the_wait_for_an_approval_is_no_time_of_the_tool() {
    let lines: Vec<&str> =
        include_str!("../../../tests/fixtures/codex/approvals.jsonl").lines().collect();
    let read = read(&CODEX, &[&lines]);
    let seconds = |ns: i64| ns / 1_000_000_000;
    let times: Vec<_> = (0..read.trace.events().len())
        .map(EventId::from_index)
        .filter(|id| read.trace.event(*id).unwrap().kind == EventKind::ToolCall)
        .map(|id| {
            let wait = read.trace.wait(id).map(|it| seconds(it.to_ns - it.from_ns));
            (wait, read.trace.work(id).get().map(seconds))
        })
        .collect();
    // The third one was rejected, and nobody was asked about the last one.
    assert_eq!(times, [(None, Some(3)), (Some(41), Some(4)), (Some(30), None), (None, Some(2))]);
    let approvals: Vec<_> = read
        .trace
        .events()
        .iter()
        .filter(|event| read.trace.name(event.name) == "approval")
        .map(|event| (event.time_basis(), event.duration.get().map(seconds)))
        .collect();
    let waited = |seconds| (TimeBasis::WaitingForUser, Some(seconds));
    assert_eq!(approvals, [waited(60), waited(41), waited(30)]);
}
