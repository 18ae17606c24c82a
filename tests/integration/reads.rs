//! Reading from files again after they were opened: how much is read, and how the page learns that they have changed or
//! are gone.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};
use traceloupe_core::model::{RunId, SourceId};
use traceloupe_protocol::annotations::AnnotationsForm;
use traceloupe_protocol::detail::{ShownBlock, ValueForm};
use traceloupe_protocol::messages::{
    ExportForm, ExportRequest, Growth, Input, OpenRequest, Request, Response,
};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::preview::Preview;
use traceloupe_protocol::problem::ProblemCode;
use traceloupe_protocol::value::{self, Cut, Shown};
use traceloupe_search::Query;
use traceloupe_session::store::{Handle, MemoryStore, Store};
use traceloupe_session::{Pace, Progress, Session};
use traceloupe_words::problems;

/// What happens to the files of a [`DiskStore`].
#[derive(Clone, Copy, Default)]
enum Disk {
    #[default]
    Same,
    /// They are removed.
    Gone,
    /// Only this many bytes of each are left.
    Short(usize),
}

/// Files that change while a session has them open.
#[derive(Default)]
struct DiskStore {
    inner: MemoryStore,
    n_files: u32,
    disk: Rc<Cell<Disk>>,
    bytes_read: Rc<Cell<u64>>,
}

impl DiskStore {
    fn add(&mut self, bytes: Vec<u8>) -> Handle {
        self.n_files += 1;
        self.inner.add(bytes)
    }
}

impl Store for DiskStore {
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String> {
        self.bytes_read.set(self.bytes_read.get() + len as u64);
        match self.disk.get() {
            Disk::Gone if handle.0 < self.n_files => Err("file not found".to_owned()),
            Disk::Short(left) if handle.0 < self.n_files => {
                let start_at = usize::try_from(start).unwrap();
                self.inner.read(handle, start, len.min(left.saturating_sub(start_at)))
            }
            _ => self.inner.read(handle, start, len),
        }
    }

    fn len(&self, handle: Handle) -> u64 {
        self.inner.len(handle)
    }

    fn kept_bytes(&self) -> u64 {
        self.inner.kept_bytes()
    }

    fn create(&mut self) -> Handle {
        self.inner.create()
    }

    fn remove(&mut self, handle: Handle) {
        self.inner.remove(handle);
    }

    fn append(&mut self, handle: Handle, bytes: &[u8]) {
        self.inner.append(handle, bytes);
    }
}

struct Opened {
    session: Session<DiskStore>,
    outline: OutlineHead,
    disk: Rc<Cell<Disk>>,
}

fn session(files: &[(&str, &str)]) -> (Session<DiskStore>, Vec<Handle>) {
    let mut store = DiskStore::default();
    let handles = files.iter().map(|(_, text)| store.add(text.as_bytes().to_vec())).collect();
    let inputs = files
        .iter()
        .map(|(path, text)| Input { path: (*path).to_owned(), len_bytes: text.len() as u64 });
    let request = OpenRequest { inputs: inputs.collect(), ..OpenRequest::default() };
    (Session::new(store, request), handles)
}

fn open(files: &[(&str, &str)]) -> Opened {
    let (mut session, handles) = session(files);
    let mut answers = session.open_all(&handles, 1 << 16);
    let Some(Response::Outline(outline)) = answers.pop() else { panic!("{answers:?}") };
    let disk = session.store().disk.clone();
    Opened { session, outline: *outline, disk }
}

impl Opened {
    fn ask(&mut self, request: &Request) -> Response {
        let mut answers = self.session.answer(request);
        assert_eq!(answers.len(), 1, "{answers:?}");
        answers.remove(0)
    }

    /// The problem in the response to a request that must fail.
    fn failure(&mut self, request: &Request) -> String {
        match self.ask(request) {
            Response::RequestFailed(7, problem) => {
                assert_eq!(problem.code(), ProblemCode::UnreadableFile);
                problems::what_happened(&problem)
            }
            other => panic!("{other:?}"),
        }
    }
}

fn event(run: &str, id: &str, kind: &str, parent: Option<&str>, payload: &Value) -> String {
    let event = json!({
        "spec_version": "0.1", "event_id": id, "run_id": run, "parent_id": parent,
        "event_type": kind, "ts": "2026-01-01T00:00:00.000Z", "duration_ms": 1, "name": id,
        "payload": payload, "meta": {},
    });
    format!("{event}\n")
}

fn call(run: &str, id: &str, parent: Option<&str>) -> String {
    let payload = json!({
        "tool_name": "look", "args": {"path": id}, "result": format!("result of {id}"),
        "status": "ok", "error": null,
    });
    event(run, id, "TOOL_CALL", parent, &payload)
}

#[test]
fn a_changed_file_says_so_in_rows_values_and_downloads() {
    let text: String = (0..100).map(|at| call("run-1", &format!("e-{at}"), None)).collect();
    for disk in [Disk::Gone, Disk::Short(text.len() / 2)] {
        let mut opened = open(&[("events.jsonl", &text)]);
        let Response::Detail(detail) = opened.ask(&Request::Detail(90)) else { panic!() };
        let record = detail.records[0].clone();
        let cut = Cut { start: record.start, len: record.len, ..Cut::default() };
        opened.disk.set(disk);

        let Response::Detail(detail) = opened.ask(&Request::Detail(90)) else { panic!() };
        let [ShownBlock::Value(_, form, Shown::Unreadable(why))] = detail.blocks.as_slice() else {
            panic!("{:?}", detail.blocks)
        };
        assert_eq!(*form, ValueForm::Unreadable);
        let why = problems::read_error(why);
        assert!(why.starts_with("events.jsonl can no longer be read"), "{why}");
        assert_eq!(detail.records, [record]);

        let Response::Previews(previews) = opened.ask(&Request::Previews(vec![90])) else {
            panic!()
        };
        let unreadable = Preview { is_unreadable: true, ..Preview::default() };
        assert_eq!(previews, [(90, unreadable)]);

        let Response::More(7, Shown::Unreadable(_)) = opened.ask(&Request::More(cut.clone(), 1, 7))
        else {
            panic!()
        };
        for form in [value::CutForm::Json, value::CutForm::Raw, value::CutForm::Media] {
            let cut = Cut { form, ..cut.clone() };
            opened.failure(&Request::File(cut, 7));
        }
        let wanted = ExportRequest { run: 0, form: ExportForm::OpenAiMessages, is_yaml: false };
        opened.failure(&Request::ExportRun(wanted, 7));
        let expected = r#"{"type":"tool_trajectory","mode":"exact","expected":[{"tool":"look","args":{"path":"e-0"}}]}"#;
        opened.failure(&Request::Check(0, expected.to_owned(), 7));
        let annotated = Request::ExportAnnotations(
            vec![(String::new(), Vec::new())],
            AnnotationsForm::Alone,
            7,
        );
        opened.failure(&annotated);
        assert_eq!(opened.session.store().kept_bytes(), 0, "nothing is left of what failed");
    }
}

#[test]
fn a_search_says_how_much_it_could_not_read() {
    let text: String = (0..100).map(|at| call("run-1", &format!("e-{at}"), None)).collect();
    let mut opened = open(&[("a.jsonl", &text)]);
    opened.disk.set(Disk::Gone);
    let request = Request::Search(Query::literal("look"), 1);
    let Response::Hits(hits) = opened.ask(&request) else { panic!() };
    assert_eq!((hits.done, hits.total, hits.unread_bytes), (true, 0, text.len() as u64));
}

#[test]
fn a_file_that_breaks_off_while_it_is_read_keeps_its_rows_and_its_problem() {
    let text: String = (0..1_000).map(|at| call("run-1", &format!("e-{at}"), None)).collect();
    let (mut session, handles) = session(&[("events.jsonl", &text)]);
    let source = session.begin("events.jsonl", handles[0]);
    session.push(source, &text.as_bytes()[..100_000]);
    session.fail_read(source, "file not found");
    session.end(source);
    let Response::Outline(outline) = session.complete() else { panic!() };
    assert!(outline.n_rows > 100);
    let fault = outline.sources[0].problem.clone().unwrap();
    assert_eq!(fault.code(), ProblemCode::UnreadableFile);
    let words = problems::source_fault(&fault);
    assert!(words.contains("file not found"), "{words}");
    assert_eq!(outline.sources[0].len_bytes, 100_000);
    assert!(outline.warnings.is_empty(), "the cut itself is not news: {:?}", outline.warnings);

    let (mut session, handles) = self::session(&[("events.jsonl", &text)]);
    session.store().disk.set(Disk::Gone);
    let answers = session.open_all(&handles, 1 << 16);
    let [Response::Failed(problem)] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(problem.code(), ProblemCode::UnreadableFile);
}

#[test]
fn earlier_prompts_are_read_within_their_budget_while_a_file_is_read() {
    let long = "x".repeat(6 << 20);
    let prompt = |at: usize| {
        let payload = json!({
            "model": "m", "prompt": [{"role": "user", "content": format!("{at} {long}")}],
            "response": "r", "usage": null, "status": "ok", "error": null,
        });
        event("run-1", &format!("e-{at}"), "LLM_CALL", None, &payload)
    };
    let text: String = (0..5).map(prompt).collect();
    let (mut session, handles) = session(&[("events.jsonl", &text)]);
    let source = session.begin("events.jsonl", handles[0]);
    session.push(source, text.as_bytes());
    session.snapshot();
    let count = |session: &mut Session<DiskStore>| {
        let before = session.store().bytes_read.get();
        let answers = session.handle(&Request::Detail(4));
        assert!(matches!(answers.as_slice(), [Response::Detail(_)]));
        session.store().bytes_read.get() - before
    };
    let while_reading = count(&mut session);
    session.end(source);
    session.complete();
    assert_eq!(session.trace().events().len(), 5);
    let afterwards = count(&mut session);
    assert_eq!(while_reading, afterwards);
    // The record itself, two earlier ones, and the start of the values shown.
    assert!(while_reading < 21 << 20, "{while_reading}");
}

#[test]
fn a_live_run_is_exported_once_though_its_order_changes() {
    let (mut session, handles) = session(&[("events.jsonl", "")]);
    let source = session.begin("events.jsonl", handles[0]);
    let ids: Vec<String> = (0..600).map(|at| format!("e-{at}")).collect();
    let text: String = ids.iter().map(|id| call("run-1", id, None)).collect();
    session.push_more(source, text.as_bytes());
    session.pause(source, false);
    session.snapshot().unwrap();
    let wanted = ExportRequest { run: 0, form: ExportForm::AgentvEvents, is_yaml: false };
    assert!(session.handle(&Request::ExportRun(wanted, 7)).is_empty());
    let mut answers = Vec::new();
    assert_eq!(session.step(Pace::default(), &mut answers), Progress::Working);
    // The new events are nested under the first event, so all others move down.
    let late: String =
        (0..90).map(|at| call("run-1", &format!("late-{at}"), Some("e-0"))).collect();
    session.push_more(source, late.as_bytes());
    session.snapshot().unwrap();
    while session.step(Pace::default(), &mut answers) == Progress::Working {}
    let [Response::File(7, file)] = answers.as_slice() else { panic!("{answers:?}") };
    let len = usize::try_from(file.len).unwrap();
    let bytes = session.store().read(Handle(file.handle), 0, len).unwrap();
    let exported = String::from_utf8(bytes).unwrap();
    for id in &ids {
        let n = exported.matches(&format!("result of {id}\"")).count();
        assert_eq!(n, 1, "{id}");
    }
}

#[test]
fn an_export_begins_again_when_the_trace_is_complete() {
    let (mut session, handles) = session(&[("events.jsonl", "")]);
    let source = session.begin("events.jsonl", handles[0]);
    let first: String = (0..600).map(|at| call("run-1", &format!("e-{at}"), None)).collect();
    session.push_more(source, first.as_bytes());
    session.pause(source, false);
    session.snapshot().unwrap();
    let wanted = ExportRequest { run: 0, form: ExportForm::AgentvEvents, is_yaml: false };
    session.handle(&Request::ExportRun(wanted, 7));
    let mut answers = Vec::new();
    session.step(Pace::default(), &mut answers);
    session.push_more(source, call("run-1", "last", None).as_bytes());
    session.end(source);
    session.complete();
    while session.step(Pace::default(), &mut answers) == Progress::Working {}
    let [Response::File(7, file)] = answers.as_slice() else { panic!("{answers:?}") };
    let len = usize::try_from(file.len).unwrap();
    let bytes = session.store().read(Handle(file.handle), 0, len).unwrap();
    let exported = String::from_utf8(bytes).unwrap();
    assert_eq!(exported.matches("result of e-0\"").count(), 1);
    assert_eq!(exported.matches("result of last\"").count(), 1);
    assert_eq!(session.store().kept_bytes(), file.len, "nothing is left of the first attempt");
}

#[test]
fn links_name_the_run_and_the_file_where_there_are_several() {
    let (a, b) = (call("run-a", "same", None), call("run-b", "same", None));
    let mut opened = open(&[("a.jsonl", &a), ("b.jsonl", &b)]);
    let mut sels = Vec::new();
    for id in [0, 1] {
        let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!() };
        assert_eq!(opened.ask(&Request::Find(detail.sel.clone())), Response::Found(Some(id), None));
        sels.push(detail.sel);
    }
    assert_eq!(sels, ["r:run-a;n:same", "r:run-b;n:same"]);
    // Links without a run name find the first event with this id.
    assert_eq!(opened.ask(&Request::Find("n:same".to_owned())), Response::Found(Some(0), None));
    let gone = opened.ask(&Request::Find("r:run-c;n:same".to_owned()));
    assert!(matches!(gone, Response::Found(Some(0), Some(_))), "{gone:?}");
    // A link from a trace with one run names no run, and works in a trace with several.
    let mut alone = open(&[("b.jsonl", &b)]);
    let Response::Detail(detail) = alone.ask(&Request::Detail(0)) else { panic!() };
    assert_eq!(detail.sel, "n:same");
    assert_eq!(alone.ask(&Request::Find(sels[1].clone())), Response::Found(Some(0), None));
}

#[test]
fn links_to_the_same_place_in_two_files() {
    let (a, b) = ("{\"a\":1}\n{\"a\":2}\n", "{\"b\":1}\n{\"b\":2}\n");
    let mut opened = open(&[("x/a.jsonl", a), ("x/b.jsonl", b)]);
    assert_eq!(opened.outline.runs.len(), 2);
    for id in 0..4 {
        let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!() };
        let file = if id < 2 { "f:x/a.jsonl;p:" } else { "f:x/b.jsonl;p:" };
        assert!(detail.sel.starts_with(file), "{}", detail.sel);
        let (_, place) = detail.sel.split_once(';').unwrap();
        // The old link to this position, the new one, and one to a file that was renamed.
        for sel in [place.to_owned(), detail.sel.clone(), format!("f:gone.jsonl;{place}")] {
            let found = opened.ask(&Request::Find(sel.clone()));
            assert_eq!(found, Response::Found(Some(id), None), "{sel}");
        }
    }
    // The bytes have changed: finds the nearest event in the named file.
    let found = opened.ask(&Request::Find("f:x/b.jsonl;p:2.8-00000000".to_owned()));
    assert!(matches!(found, Response::Found(Some(3), Some(_))), "{found:?}");
}

#[test]
fn a_growing_file_is_read_as_it_is() {
    let mut store = DiskStore::default();
    let handle = store.create();
    let request = OpenRequest {
        inputs: vec![Input { path: "log.jsonl".to_owned(), len_bytes: 0 }],
        grows: Some(Growth { total_bytes: 0, is_live: true }),
        ..OpenRequest::default()
    };
    let mut session = Session::new(store, request);
    let source = session.begin("log.jsonl", handle);
    session.push_more(source, call("run-1", "e-1", None).as_bytes());
    session.pause(source, true);
    session.snapshot().unwrap();
    let answers = session.handle(&Request::Detail(0));
    let [Response::Detail(detail)] = answers.as_slice() else { panic!("{answers:?}") };
    assert!(detail.blocks.len() > 1, "{:?}", detail.blocks);
    assert_eq!(source, SourceId::from_index(0));
    assert_eq!(session.trace().order(RunId::from_index(0)).len(), 1);
}
