//! The samples on the empty page, opened as the page opens them.

use std::collections::BTreeMap;
use std::path::Path;

use traceloupe_analysis::{
    Arguments, Finding, LoopRule, NoTexts, Results, Rule, Settings, Severity, findings, signatures,
    warnings,
};
use traceloupe_core::catalog::format_name;
use traceloupe_core::model::{CallOutcome, ErrorLabel, EventKind, RunId, SourceId, Trace};
use traceloupe_engine::{Probe, ProbeRecord, Record, Verdict};
use traceloupe_formats::FORMATS;
use traceloupe_protocol::messages::{Input, OpenRequest, Response};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;
use traceloupe_view::assembly::Assembly;
use traceloupe_view::outline::Outline;
use traceloupe_view::overview::{Axis, Overview, OverviewLane, Stretch, Zoom};
use traceloupe_words::counted;

/// The samples that the empty page offers.
const SAMPLES: [&str; 3] = ["trip-planner.jsonl", "bug-fix.jsonl", "nightly-report.jsonl"];

fn text_of(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/samples").join(name);
    std::fs::read_to_string(path).expect("a sample can be read")
}

struct Opened {
    session: Session<MemoryStore>,
    outline: Outline,
}

fn open(name: &str) -> Opened {
    let bytes = text_of(name).into_bytes();
    let inputs = vec![Input { path: name.to_owned(), len_bytes: bytes.len() as u64 }];
    let mut store = MemoryStore::default();
    let handle = store.add(bytes);
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let answers = session.open_all(&[handle], 1 << 16);
    let Some(Response::Outline(outline)) = answers.into_iter().next() else {
        panic!("{name} gives no outline");
    };
    let mut assembly = Assembly::new(OutlineHead::clone(&outline));
    for answer in session.rows(&outline) {
        if let Response::Rows(slice) = answer {
            assembly.append(&slice);
        }
    }
    Opened { session, outline: assembly.finish() }
}

impl Opened {
    fn trace(&self) -> &Trace {
        self.session.trace()
    }

    /// Number of events per kind.
    fn kinds(&self) -> BTreeMap<&'static str, usize> {
        let mut kinds = BTreeMap::new();
        for event in self.trace().events() {
            *kinds.entry(event.kind.word()).or_default() += 1;
        }
        kinds
    }

    fn findings(&self) -> Vec<Finding> {
        findings(self.trace(), &Settings::default(), &NoTexts).list
    }

    fn names(&self, finding: &Finding) -> Vec<&str> {
        let block = finding.evidence.steps().map(|it| it.block.as_slice()).unwrap_or_default();
        block.iter().map(|(_, name)| self.trace().name(*name)).collect()
    }

    /// Names and errors of the failed events.
    fn failed(&self) -> Vec<(&str, ErrorLabel<&str>)> {
        let trace = self.trace();
        let failed = trace.events().iter().filter(|event| event.is_error());
        failed.map(|event| (trace.name(event.name), trace.error(event.error))).collect()
    }

    /// The warnings that the producer's own rule raises for the events, and those in the file.
    fn patterns(&self, rule: LoopRule) -> (Vec<String>, Vec<&str>) {
        let found = signatures(self.trace(), RunId::from_index(0));
        let ours = warnings(&found.list, rule).iter().map(|it| found.pattern(it)).collect();
        let trace = self.trace();
        let written = trace.events().iter().filter(|event| event.kind == EventKind::LoopWarning);
        (ours, written.map(|event| trace.name(event.name)).collect())
    }
}

/// Checks that exactly one format, the right one, is certain about the first records.
fn assert_certain(name: &str, id: &str) {
    let text = text_of(name);
    let source = SourceId::from_index(0);
    let records: Vec<ProbeRecord<'_>> = text
        .lines()
        .take(Probe::MAX_RECORDS)
        .map(|text| {
            ProbeRecord::new(&Record::new(traceloupe_core::json::Json::new(text), source, 0, 1))
        })
        .collect();
    let probe = Probe { name: "trace", records: &records, complete: false };
    let certain: Vec<_> = FORMATS
        .iter()
        .filter(|format| matches!(format.sniff(&probe), Verdict::Certain(_)))
        .map(|format| format.id())
        .collect();
    assert_eq!(certain, [id], "{name}");
}

/// Checks that apply to every sample.
fn assert_sound(opened: &Opened, id: &str) {
    let sources: Vec<_> = opened.outline.sources.iter().map(|it| it.format.as_str()).collect();
    assert_eq!(sources, [id]);
    assert!(opened.outline.sources.iter().all(|source| source.problem.is_none()));
    assert_eq!(opened.trace().warnings().as_slice(), []);
    assert_eq!(opened.outline.runs.len(), 1);
    assert!(opened.trace().events().iter().all(|event| event.kind != EventKind::Record));
    let calls = opened.trace().events().iter().filter(|event| event.kind == EventKind::ToolCall);
    assert!(calls.clone().count() > 0);
    assert!(calls.into_iter().all(|event| event.status != CallOutcome::Missing));
}

#[test]
fn the_trip_planner_goes_in_circles() {
    assert_certain("trip-planner.jsonl", "agentdbg");
    let opened = open("trip-planner.jsonl");
    assert_sound(&opened, "agentdbg");
    let kinds = [
        ("run-start", 1),
        ("state", 5),
        ("llm-call", 18),
        ("tool-call", 17),
        ("loop-warning", 2),
        ("run-end", 1),
    ];
    assert_eq!(opened.kinds(), BTreeMap::from(kinds));
    assert_eq!(opened.failed(), [("book_hotel", ErrorLabel::Type("UpstreamTimeout"))]);

    let (ours, written) = opened.patterns(LoopRule::AGENTDBG);
    assert_eq!(ours, written);
    assert_eq!(written.len(), 2, "{written:?}");

    let found = opened.findings();
    let [loop_] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((loop_.rule, loop_.severity), (Rule::Repeat, Severity::Critical));
    assert_eq!(opened.names(loop_), ["gpt-4.1-mini", "search_trains"]);
    let steps = loop_.evidence.steps().expect("a repetition");
    assert_eq!((steps.repetitions, steps.args, steps.results), (7, Arguments::Same, Results::Same));
    assert_eq!(loop_.place.reported.len(), 2);
    assert!(loop_.waste.input_tokens.is_some_and(|tokens| tokens > 1000));
}

#[test]
fn the_bug_fix_has_a_helper_and_repeated_failures() {
    assert_certain("bug-fix.jsonl", "claude-code");
    let opened = open("bug-fix.jsonl");
    assert_sound(&opened, "claude-code");
    let trace = opened.trace();
    let kinds = [("note", 1), ("user", 3), ("llm-call", 19), ("tool-call", 18)];
    assert_eq!(opened.kinds(), BTreeMap::from(kinds));
    assert_eq!(opened.failed().len(), 4);
    assert!(opened.failed().iter().all(|(tool, _)| *tool == "Bash"));

    // The sub-agent's events are nested in the call that started it.
    assert_eq!(trace.lanes().len(), 2);
    let helper = trace.lanes().last().expect("the helper's lane");
    assert_eq!(trace.name(helper.name), "Explore: Find rounding of money");
    let call = helper.parent.and_then(|id| trace.event(id)).expect("the call of the helper");
    assert_eq!(trace.name(call.name), "Task");

    let found = opened.findings();
    let [loop_] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((loop_.rule, loop_.severity), (Rule::ErrorRetry, Severity::Warning));
    let steps = loop_.evidence.steps().expect("a repetition");
    assert_eq!(
        (steps.repetitions, steps.args, steps.results),
        (3, Arguments::Same, Results::Errors)
    );
    assert_eq!(opened.names(loop_).last(), Some(&"Bash"));
}

#[test]
fn the_nightly_report_nests_and_polls() {
    assert_certain("nightly-report.jsonl", "maida");
    let opened = open("nightly-report.jsonl");
    assert_sound(&opened, "maida");
    let trace = opened.trace();
    let kinds = [
        ("run-start", 1),
        ("agent", 4),
        ("state", 3),
        ("llm-call", 4),
        ("tool-call", 14),
        ("loop-warning", 1),
        ("error", 1),
    ];
    assert_eq!(opened.kinds(), BTreeMap::from(kinds));
    assert_eq!(
        opened.failed(),
        ["send_mail", "RecipientRefused"].map(|it| (it, ErrorLabel::Type("RecipientRefused")))
    );
    let depths = trace.depths(RunId::from_index(0));
    assert_eq!(depths.iter().max(), Some(&3), "root, collect sales, wait for export, poll");
    let has_time = |kind| {
        let mut events = trace.events().iter().filter(move |event| event.kind == kind);
        events.all(|event| event.duration.is_known())
    };
    assert!(has_time(EventKind::ToolCall) && has_time(EventKind::LlmCall));

    let (ours, written) = opened.patterns(LoopRule::MAIDA);
    assert_eq!(ours, written);
    assert_eq!(written, ["TOOL_CALL:export_status args:{job:str}"]);

    let found = opened.findings();
    let [polling] = found.as_slice() else { panic!("{found:?}") };
    // Six polls alone are informational; the producer's own warning makes this a warning.
    assert_eq!((polling.rule, polling.severity), (Rule::Polling, Severity::Warning));
    assert_eq!(opened.names(polling), ["export_status"]);
    let steps = polling.evidence.steps().expect("a repetition");
    assert_eq!((steps.repetitions, steps.results), (6, Results::Changing));
    assert_eq!(polling.place.reported.len(), 1);
}

/// The card of a sample in `index.html`.
fn card(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("index.html");
    let page = std::fs::read_to_string(path).expect("the page can be read");
    let (_, card) =
        page.split_once(&format!("href=\"#trace=samples/{file}\"")).expect("it is offered");
    card.split_once("</a>").expect("a link ends").0.to_owned()
}

/// The paths of a lane, as `src/page/timeline/overview.rs` draws them.
fn paths(lane: &OverviewLane) -> String {
    let mut looks: Vec<(&str, String)> = Vec::new();
    for Stretch { from, len, look } in &lane.stretches {
        let piece = format!("M{from} 4h{len}v12h-{len}z");
        match looks.iter_mut().find(|it| it.0 == *look) {
            Some((_, path)) => path.push_str(&piece),
            None => looks.push((look, piece)),
        }
    }
    let looks = looks
        .into_iter()
        .map(|(look, path)| format!("<path data-look=\"{look}\" d=\"{path}\"></path>"));
    let loops = lane.loops.iter().map(|(from, len)| format!("M{from} 3h{len}v14h-{len}z"));
    let errors = lane.errors.iter().map(|at| format!("M{at}.5 2h.01"));
    format!(
        "{}<path class=\"overview__loops\" d=\"{}\"></path><path class=\"overview__errors\" d=\"{}\"></path></svg>",
        looks.collect::<String>(),
        loops.collect::<String>(),
        errors.collect::<String>()
    )
}

#[test]
fn the_empty_page_draws_the_samples_as_they_are() {
    for file in SAMPLES {
        let outline = open(file).outline;
        let run = &outline.runs[0];
        let card = card(file);
        let overview = Overview::new(&outline, run, Axis::Steps, Zoom::default());
        assert_eq!(card.matches("<svg class=\"overview__lane\"").count(), overview.lanes.len());
        for lane in &overview.lanes {
            assert_eq!(lane.compactions, [0_u32; 0], "{file}");
            let paths = paths(lane);
            assert!(card.contains(&paths), "{file} is drawn otherwise:\n{paths}");
        }
        let name = format!(">{}</span>", format_name(&run.format));
        assert!(card.contains(&name), "{file} is of another format: {name}");
        let n_loops =
            outline.findings.iter().filter(|it| it.is_loud() && it.rule != Rule::Reported);
        let tags = [
            counted(n_loops.count() as u64, "loop", "loops"),
            counted(run.counts.errors, "error", "errors"),
        ];
        for tag in tags {
            assert!(card.contains(&format!(">{tag}</span>")), "{file} has {tag}");
        }
    }
}

#[test]
fn the_empty_page_offers_these_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/samples");
    let entries = std::fs::read_dir(folder).expect("the samples can be listed");
    let names = entries.map(|entry| entry.expect("an entry can be read").file_name());
    let mut samples: Vec<String> = names
        .map(|name| name.into_string().expect("names are UTF-8"))
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "jsonl"))
        .collect();
    samples.sort();
    let mut offered = SAMPLES;
    offered.sort_unstable();
    assert_eq!(samples, offered);
}
