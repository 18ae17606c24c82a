//! The calls that the findings and errors of a run are about, and why they failed, read from the files.

use super::previews::previews;
use super::store::Store;
use crate::answers::Answers;
use crate::render::failure::failure;
use rustc_hash::FxHashMap;
use traceloupe_analysis::changes_something;
use traceloupe_core::model::{
    CallOutcome, ErrorId, Event, EventKind, Flags, RunId, Trace, hash_of,
};
use traceloupe_core::reason::Reason;
use traceloupe_core::tools::{Does, Purposes};
use traceloupe_protocol::causes::{Causes, Failure, Repair};

/// How many failed events are examined.
const MAX_ERRORS: usize = 500;

/// How many bytes of their records are read.
const MAX_BYTES: u64 = 16 << 20;

/// The summaries of the calls `ids`, and the reasons why events of a run failed.
pub(super) fn causes<S: Store>(answers: &Answers<'_, S>, run: u32, ids: &[u32]) -> Causes {
    let trace = answers.trace;
    let mut causes = Causes { run, ..Causes::default() };
    let mut wanted = ids.to_vec();
    let mut left_bytes = MAX_BYTES;
    let repairs = repairs(trace, run);
    for id in trace.order(RunId::from_index(run as usize)) {
        let Some(event) = trace.event(*id) else { continue };
        if !event.is_error() || event.flags.has(Flags::COPY) {
            continue;
        }
        let len: u64 = trace.places(event).map(|it| u64::from(it.span.len)).sum();
        if causes.failures.len() >= MAX_ERRORS || len > left_bytes {
            causes.n_left_out += 1;
            continue;
        }
        left_bytes -= len;
        let id = id.number();
        let detail = answers.blocks_after(event, &[]);
        let error = trace.error(event.error);
        let why = detail.and_then(|it| failure(&it, error, &|span| answers.read(span)));
        // If the file has changed, only what the trace states is available.
        let reason = why.unwrap_or_else(|_| Reason::of_label(error.map(str::to_owned)));
        let repair = repairs.get(&id).copied().unwrap_or_default();
        let alike = hash_of(reason.key());
        causes.failures.push(Failure { id, reason, alike, repair });
        wanted.push(id);
    }
    let said = previews(answers, &wanted).into_iter();
    causes.calls = said.map(|(id, it)| (id, it.text)).collect();
    causes
}

/// Whether failed calls of a run were fixed later, by event id.
fn repairs(trace: &Trace, run: u32) -> FxHashMap<u32, Repair> {
    let mut repairs = FxHashMap::default();
    // The next call that worked, by target. A call of which the file does not say whether it worked may be the repair.
    let mut worked: FxHashMap<u64, Repair> = FxHashMap::default();
    for id in trace.order(RunId::from_index(run as usize)).iter().rev() {
        let Some(event) = trace.event(*id).filter(|it| !it.flags.has(Flags::COPY)) else {
            continue;
        };
        let Some(target) = target_of(trace, event) else { continue };
        if event.is_error() {
            let repair = worked.get(&target).copied().unwrap_or(Repair::Never);
            repairs.insert(id.number(), repair);
        } else if event.status == CallOutcome::Ok && event.error == ErrorId::NONE {
            worked.insert(target, Repair::By(id.number()));
        } else if event.status == CallOutcome::Unknown {
            worked.entry(target).or_insert(Repair::Unknown);
        }
    }
    repairs
}

/// The same for calls with the same target: the tool, or any tool that changes something, and what it acts on.
fn target_of(trace: &Trace, event: &Event) -> Option<u64> {
    let name = trace.name(event.name);
    // What is typed into a process is not what failed.
    if event.kind != EventKind::ToolCall || Purposes::of(name).has(Does::Types) {
        return None;
    }
    let target = match trace.target_hash(event) {
        0 => trace.alike_hash(event),
        target => target,
    };
    let is_change = changes_something(name);
    let tool = (!is_change).then_some(event.name);
    (target != 0).then(|| hash_of((tool, target)))
}

#[cfg(test)]
mod tests {
    use crate::Session;
    use crate::store::MemoryStore;
    use traceloupe_core::model::ErrorLabel;
    use traceloupe_protocol::causes::{Causes, Repair};
    use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};

    fn call(at: u32, name: &str, command: &str, error: &str) -> String {
        format!(
            r#"{{"spec_version":"0.1","event_id":"e{at}","run_id":"r-1","parent_id":null,"event_type":"TOOL_CALL","ts":"2026-01-01T00:00:0{at}.000Z","duration_ms":1,"name":"{name}","payload":{{"tool_name":"{name}","args":{{"command":"{command}"}},"result":null,"status":"error","error":{{"error_type":"Exit","message":"{error}"}}}},"meta":{{}}}}"#
        )
    }

    fn causes(lines: &[String], ids: &[u32]) -> Causes {
        let mut store = MemoryStore::default();
        let handle = store.add(lines.join("\n").into_bytes());
        let input = Input { path: "events.jsonl".to_owned(), len_bytes: 0 };
        let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request);
        session.open_all(&[handle], 1 << 20);
        let answers = session.handle(&Request::Causes(0, ids.to_vec()));
        let [Response::Causes(causes)] = answers.as_slice() else { panic!("{answers:?}") };
        Causes::clone(causes)
    }

    #[test]
    fn a_failure_is_fixed_by_a_later_call_with_the_same_target() {
        let failed = r#""status":"error","error":{"error_type":"Exit","message":""}"#;
        let ok = r#""status":"ok","error":null"#;
        let worked = |at, command: &str| call(at, "bash", command, "").replace(failed, ok);
        let lines = [
            call(0, "bash", "cd /a && make -j2", "no"),
            call(1, "bash", "cat b.txt", "no"),
            worked(2, "make --quiet | tail"),
            call(3, "bash", "make", "no"),
            worked(4, "cat c.txt"),
        ];
        let causes = causes(&lines, &[]);
        let told: Vec<_> = causes.failures.iter().map(|it| (it.id, it.repair)).collect();
        assert_eq!(told, [(0, Repair::By(2)), (1, Repair::Never), (3, Repair::Never)]);
    }

    #[test]
    fn what_the_file_does_not_say_is_no_repair_and_no_lack_of_one() {
        let failed = r#""status":"error","error":{"error_type":"Exit","message":""}"#;
        let silent = call(2, "bash", "make", "").replace(failed, r#""status":"","error":null"#);
        let silent = silent.replace(r#""result":null"#, r#""result":"made""#);
        let lines = [call(0, "bash", "make", "no"), call(1, "bash", "cat a", "no"), silent];
        let causes = causes(&lines, &[]);
        let told: Vec<_> = causes.failures.iter().map(|it| it.repair).collect();
        assert_eq!(told, [Repair::Unknown, Repair::Never]);
    }

    #[test]
    fn calls_and_errors_are_told() {
        let lines = [call(0, "bash", "rg a", "no rg"), call(1, "bash", "ls /b", "no /b")];
        let causes = causes(&lines, &[1]);
        let exit = ErrorLabel::Type("Exit");
        let told = causes
            .failures
            .iter()
            .map(|it| (it.id, it.reason.error.as_str(), it.reason.line.as_str()));
        assert_eq!(told.collect::<Vec<_>>(), [(0, exit, "no rg"), (1, exit, "no /b")]);
        let calls = [(1, "ls /b"), (0, "rg a"), (1, "ls /b")].map(|it| (it.0, it.1.to_owned()));
        assert_eq!(causes.calls, calls);
        assert_eq!((causes.run, causes.n_left_out), (0, 0));
    }
}
