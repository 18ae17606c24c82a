//! Round trips: a run exported in a format that can also be read gives the same events again.

use crate::harness;

use std::fs;
use std::path::PathBuf;

use harness::{Opened, at_least, files_below, fixtures, open_one, shared_also};
use traceloupe_core::model::{CallOutcome, EventKind, RunId};
use traceloupe_protocol::messages::{ExportForm, ExportRequest, Request, Response};
use traceloupe_session::store::{Handle, Store};

/// An export format, and which parts of an event it can express.
#[derive(Clone, Copy)]
struct Way {
    form: ExportForm,
    is_yaml: bool,
    /// Whether it includes model names.
    models: bool,
    /// Whether it includes the outcome of calls.
    statuses: bool,
    /// Whether it is a list of events rather than of messages, so that separate errors can be
    /// expressed.
    errors: bool,
}

const WAYS: [Way; 5] = [
    Way {
        form: ExportForm::AgentvEvents,
        is_yaml: false,
        models: true,
        statuses: true,
        errors: true,
    },
    Way {
        form: ExportForm::AgentvEvents,
        is_yaml: true,
        models: true,
        statuses: true,
        errors: true,
    },
    Way {
        form: ExportForm::CompactInline,
        is_yaml: false,
        models: false,
        statuses: true,
        errors: false,
    },
    Way {
        form: ExportForm::CompactInline,
        is_yaml: true,
        models: false,
        statuses: true,
        errors: false,
    },
    Way {
        form: ExportForm::OpenAiMessages,
        is_yaml: false,
        models: false,
        statuses: false,
        errors: false,
    },
];

/// The events of a run in display order, reduced to what a format can express: kind, name,
/// fingerprints of arguments and result, status.
fn events(
    opened: &Opened,
    run: usize,
    way: Way,
) -> Vec<(EventKind, String, u64, u64, CallOutcome)> {
    let trace = opened.session.trace();
    let order = trace.order(RunId::from_index(run)).iter();
    let found = order.filter_map(|id| trace.event(*id)).filter(|event| match event.kind {
        EventKind::UserMessage
        | EventKind::SystemMessage
        | EventKind::LlmCall
        | EventKind::ToolCall => true,
        EventKind::Error => way.errors,
        _ => false,
    });
    let mut all: Vec<_> = found
        .map(|event| {
            let is_call = event.kind == EventKind::ToolCall;
            let has_name = is_call || way.models && event.kind == EventKind::LlmCall;
            let name = if has_name { trace.name(event.name).to_owned() } else { String::new() };
            let result = if is_call { event.result_hash } else { 0 };
            let status = match event.status {
                // A result means that the call succeeded.
                CallOutcome::Unknown if is_call && result != 0 => CallOutcome::Ok,
                status => status,
            };
            let status = if is_call && way.statuses { status } else { CallOutcome::Unknown };
            (event.kind, name, event.args_hash, result, status)
        })
        .collect();
    if way.form != ExportForm::AgentvEvents {
        // In message formats, calls belong to a message of the model, which may exist only for
        // them, so whether the model wrote text before its calls is compared in the other format.
        let kinds: Vec<EventKind> = all.iter().map(|event| event.0).collect();
        let mut at = 0;
        all.retain(|event| {
            at += 1;
            event.0 != EventKind::LlmCall || kinds.get(at) != Some(&EventKind::ToolCall)
        });
    }
    all
}

fn written(opened: &mut Opened, run: u32, way: Way) -> (String, Vec<u8>) {
    let wanted = ExportRequest { run, form: way.form, is_yaml: way.is_yaml };
    let Response::File(_, file) = opened.ask(&Request::ExportRun(wanted, 1)) else { panic!() };
    let len = usize::try_from(file.len).unwrap();
    (file.name, opened.session.store().read(Handle(file.handle), 0, len).unwrap())
}

/// Exports a run and reads it again.
fn go_round(opened: &mut Opened, run: usize, what: &str) {
    for way in WAYS {
        let before = events(opened, run, way);
        let (name, bytes) = written(opened, u32::try_from(run).unwrap(), way);
        let again = open_one(&name, &bytes);
        let after = events(&again, 0, way);
        let text = String::from_utf8_lossy(&bytes);
        let start: String = text.chars().take(1_500).collect();
        assert_eq!(after.len(), before.len(), "{what}, {name}: {start}");
        for (at, (after, before)) in after.iter().zip(&before).enumerate() {
            assert_eq!(after, before, "{what}, {name}, event {at}: {start}");
        }
    }
}

/// A session with two calls in one turn, one that fails, and one without a result.
fn session() -> String {
    let base = r#""sessionId":"s-1","cwd":"/p","gitBranch":"m","version":"2.1.0""#;
    let line = |id: u32, kind: &str, parent: &str, message: &str| {
        format!(
            r#"{{{base},"type":"{kind}","uuid":"u-{id}","parentUuid":{parent},"timestamp":"2026-01-05T10:00:0{id}.000Z","message":{message}}}"#
        )
    };
    let assistant = |id: &str, content: &str| {
        format!(
            r#"{{"id":"{id}","type":"message","role":"assistant","model":"model-x","stop_reason":"tool_use","content":{content},"usage":{{"input_tokens":10,"output_tokens":5}}}}"#
        )
    };
    [
        line(1, "user", "null", r#"{"role":"user","content":"List: the \"files\"\n- now"}"#),
        line(2, "assistant", "\"u-1\"", &assistant("m-1", r#"[{"type":"text","text":"Both."},{"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"ls -l | wc","n":12345678901234567890123,"deep":{"a":[1,{"b":null}]}}},{"type":"tool_use","id":"t-2","name":"Read","input":{"file_path":"a: b"}}]"#)),
        line(3, "user", "\"u-2\"", r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-1","content":"a.txt\n\n  b.txt\n"}]}"#),
        line(4, "user", "\"u-3\"", r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t-2","is_error":true,"content":"ENOENT: no such file"}]}"#),
        line(5, "assistant", "\"u-4\"", &assistant("m-2", r#"[{"type":"text","text":"yes"},{"type":"tool_use","id":"t-3","name":"Grep","input":{}}]"#)),
    ]
    .join("\n")
}

#[test]
fn a_session_of_another_format_comes_back() {
    let mut opened = open_one("session.jsonl", session().as_bytes());
    let all = events(&opened, 0, WAYS[0]);
    let kinds: Vec<_> = all.iter().map(|event| event.0.word()).collect();
    assert_eq!(kinds, ["user", "llm-call", "tool-call", "tool-call", "llm-call", "tool-call"]);
    assert_eq!(
        all.iter().map(|event| event.4).collect::<Vec<_>>(),
        [
            CallOutcome::Unknown,
            CallOutcome::Unknown,
            CallOutcome::Ok,
            CallOutcome::Failed,
            CallOutcome::Unknown,
            CallOutcome::Missing
        ]
    );
    go_round(&mut opened, 0, "a session");
}

#[test]
fn files_of_agentv_come_back() {
    let own = fixtures::folder().join("agentv");
    let own_names = ["e1-trace-events.json", "e2-output-messages.json", "replay-fixture.jsonl"];
    let mut files: Vec<PathBuf> = own_names.iter().map(|name| own.join(name)).collect();
    let real_names = [
        "2025-12-static-trace-trace-events-small.json",
        "2026-01-static-trace-trace-events.json",
        "static-trace-output-messages.json",
        "transcript-v1-copilot.jsonl",
        "replay-fixture-v1.jsonl",
        "v5-normalized-transcript-codex.json",
    ];
    if let Some(root) = shared_also("traces/agentv") {
        files.extend(real_names.iter().map(|name| root.join(name)));
    }
    let mut n_runs = 0;
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let mut opened = open_one(name, &fs::read(&path).unwrap());
        for run in 0..opened.outline().runs.len() {
            go_round(&mut opened, run, name);
            n_runs += 1;
        }
    }
    assert!(n_runs >= at_least(10, 4));
}

#[test]
fn sessions_of_another_format_come_back_as_agentv_events() {
    let way = WAYS[0];
    let mut files = files_below(&fixtures::folder().join("claude-code"));
    let n_own = files.len();
    files.extend(shared_also("traces/claude-code").iter().flat_map(|root| files_below(root)));
    let small = files.iter().filter(|path| {
        path.extension().is_some_and(|it| it == "jsonl")
            && fs::metadata(path).unwrap().len() < 2 << 20
    });
    let mut n_files = 0;
    for path in small.take(n_own + 6) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut opened = open_one(&name, &fs::read(path).unwrap());
        for run in 0..opened.outline().runs.len() {
            let before = events(&opened, run, way);
            if before.is_empty() {
                continue;
            }
            let (made, bytes) = written(&mut opened, u32::try_from(run).unwrap(), way);
            let again = open_one(&made, &bytes);
            let after = events(&again, 0, way);
            let calls = |events: &[(EventKind, String, u64, u64, CallOutcome)]| {
                let calls = events.iter().filter(|event| event.0 == EventKind::ToolCall);
                calls.map(|event| (event.1.clone(), event.2)).collect::<Vec<_>>()
            };
            assert_eq!(calls(&after), calls(&before), "{name}");
            n_files += 1;
        }
    }
    assert!(n_files >= at_least(8, 4), "{n_files}");
}
