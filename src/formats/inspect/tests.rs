use super::*;
use crate::testing::{Read, read, sniff};
use traceloupe_core::model::{Block, EventKind, FactKind, RunNote, RunStatus, Status, fact_text};
use traceloupe_engine::{Format, Verdict};

const CONDENSED: &str = include_str!("../../../tests/fixtures/inspect/condensed-sample.json");
const STEPS: &str = include_str!("../../../tests/fixtures/inspect/steps-of-2024.json");
const EPOCHS: &str = include_str!("../../../tests/fixtures/inspect/two-epochs.json");

fn opened(read: &Read, at: usize) -> String {
    format!("{:?}", read.detail(&INSPECT, at).blocks)
}

#[test]
fn calls_have_their_spans_and_results_of_the_events() {
    let read = read(&INSPECT, &[&[EPOCHS]]);
    let trace = &read.trace;
    let run = traceloupe_core::model::RunId::from_index(1);
    let rows: Vec<_> = trace
        .order(run)
        .iter()
        .zip(trace.depths(run))
        .map(|(id, depth)| {
            let event = trace.event(*id).unwrap();
            let name = trace.name(event.name);
            format!("{depth} {} {name} {}", event.kind.word(), event.status.word())
        })
        .collect();
    assert_eq!(
        rows,
        [
            "0 run-start sample unknown",
            "0 span init unknown",
            "1 user  unknown",
            "0 agent agent: keeper unknown",
            "1 llm-call local/tiny unknown",
            "2 tool-call count unknown",
            "3 note sandbox exec unknown",
            "2 tool-call count timed-out",
            "1 llm-call local/tiny unknown",
            "1 note limit: token cancelled",
            "1 note keeper unknown",
            "0 span scorer: match unknown",
            "1 evaluation score: correct unknown",
            "0 run-end sample end unknown",
        ]
    );
    let sample = &trace.runs()[1];
    assert_eq!((sample.key.as_str(), sample.score), ("uuid-1", Some(1.0)));
    assert_eq!(sample.title.as_deref(), Some("How many lamps are lit?"));
    assert_eq!(sample.duration.get(), Some(6_600_000_000));
    let evaluation = &trace.runs()[0];
    assert_eq!(evaluation.title.as_deref(), Some("Evaluation of lamps"));
    assert_eq!(evaluation.notes, [RunNote::AboutRuns]);
}

#[test]
fn requests_are_read_from_the_pool_and_results_too() {
    let read = read(&INSPECT, &[&[CONDENSED]]);
    let outline = read.outline();
    let calls: Vec<usize> =
        (0..outline.len()).filter(|at| outline[*at].contains("tool-call")).collect();
    assert_eq!(calls.len(), 2, "{outline:?}");
    let events = read.trace.events();
    let at = |kind: EventKind, nth: usize| {
        (0..events.len()).filter(|at| events.get(*at).unwrap().kind == kind).nth(nth).unwrap()
    };
    let call = events.get(at(EventKind::ToolCall, 0)).unwrap();
    assert!(call.result_hash != 0 && call.status == Status::Unknown);
    assert_eq!(events.get(at(EventKind::ToolCall, 1)).unwrap().status, Status::Failed);
    let read_request = |nth: usize| {
        let detail = read.detail(&INSPECT, at(EventKind::LlmCall, nth));
        detail.blocks.into_iter().find_map(|block| match block {
            Block::Messages(BlockRole::Request, messages, _) => {
                Some(messages.iter().map(|it| it.role.clone()).collect::<Vec<_>>())
            }
            _ => None,
        })
    };
    assert_eq!(read_request(0).unwrap(), ["system", "user"]);
    assert_eq!(read_request(3).unwrap(), ["system", "user", "assistant", "tool"]);
    let request = opened(&read, at(EventKind::LlmCall, 0));
    assert!(request.contains("Media(\"image/png\""), "{request}");
    assert!(!request.contains("attachment://"), "{request}");
    let start = at(EventKind::RunStart, 0);
    assert!(read.summary(start).starts_with("\"Light the lamps"), "{}", read.summary(start));
}

#[test]
fn steps_and_events_in_events_are_nested() {
    let read = read(&INSPECT, &[&[STEPS]]);
    let trace = &read.trace;
    let run = traceloupe_core::model::RunId::from_index(1);
    let rows: Vec<_> = trace
        .order(run)
        .iter()
        .zip(trace.depths(run))
        .map(|(id, depth)| {
            let event = trace.event(*id).unwrap();
            format!("{depth} {} {}", event.kind.word(), trace.name(event.name))
        })
        .collect();
    assert_eq!(
        rows,
        [
            "0 run-start sample",
            "0 span solver: generate",
            "1 llm-call local/tiny",
            "2 tool-call ask",
            "3 note sandbox exec",
            "3 llm-call local/tiny",
            "1 agent fork: recount",
            "2 note info",
            "0 span scorer: match",
            "1 evaluation score: incorrect",
            "0 error error",
            "0 run-end sample end",
        ]
    );
    // A low score is not an error.
    let scored = trace.events().iter().find(|event| event.kind == EventKind::Evaluation).unwrap();
    assert_eq!(scored.status, Status::Unknown);
    // The usage of the tool's own LLM call is not part of the usage of the call that requested the tool.
    assert_eq!(trace.totals(run).usage.input, Some(14));
    assert_eq!(trace.runs()[1].status, RunStatus::Error);
}

#[test]
fn an_llm_call_takes_the_time_that_the_log_states_or_none() {
    let model = |second: u32, words: &str, rest: &str| {
        format!(
            r#"{{"event":"model","timestamp":"2026-03-04T10:00:0{second}Z","working_start":0,"model":"tiny","input":[],"output":{{"choices":[{{"message":{{"role":"assistant","content":"{words}"}}}}]{rest}}}}}"#
        )
    };
    let events = [
        r#"{"event":"sample_init","timestamp":"2026-03-04T10:00:00Z","working_start":0,"sample":{"input":"Count"}}"#.to_owned(),
        model(2, "One", r#","time":1.5"#),
        model(5, "Two", ""),
    ];
    let log = format!(
        r#"{{"version":2,"status":"success","eval":{{"eval_id":"e","task":"count","model":"tiny","created":"2026-03-04T10:00:00Z"}},"samples":[{{"id":"1","epoch":1,"input":"Count","target":"2","messages":[],"events":[{}]}}]}}"#,
        events.join(",")
    );
    let read = read(&INSPECT, &[&[&log]]);
    let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::LlmCall);
    let took: Vec<_> = calls.map(|it| it.duration.get()).collect();
    assert_eq!(took, [Some(1_500_000_000), None]);
}

#[test]
fn two_logs_with_the_same_samples_are_two_sets_of_runs() {
    let read = read(&INSPECT, &[&[STEPS], &[STEPS]]);
    assert_eq!(read.trace.runs().len(), 3);
}

#[test]
fn documents_of_others_are_not_of_inspect() {
    for text in [
        r#"{"eval":{"task":"x"},"version":1}"#,
        r#"{"id":1,"epoch":3,"input":"x","target":"y","loss":0.1}"#,
        r#"{"event":"click","timestamp":"2026-01-01"}"#,
    ] {
        assert_eq!(sniff(&INSPECT, "log.json", &[text]), Verdict::No, "{text}");
    }
    assert_eq!(INSPECT.id(), "inspect");
}

#[test]
fn a_run_states_what_its_sample_asks_and_what_was_answered() {
    let told = |input: &str, more: &str| {
        let sample = format!(
            r#"{{"id":1,"epoch":1,"input":{input},"target":"lit","messages":[],"attachments":{{"ab":"Light the lamps"}},{more}}}"#
        );
        let read = read(&INSPECT, &[&[&sample]]);
        let facts = &read.trace.runs()[0].facts;
        [FactKind::Question, FactKind::Target, FactKind::Answer]
            .map(|kind| fact_text(facts, &kind).unwrap_or_default().to_owned())
    };
    let scores = r#""scores":{"match":{"value":"C","answer":"attachment://ab"}}"#;
    assert_eq!(told("\"attachment://ab\"", scores), ["Light the lamps", "lit", "Light the lamps"]);
    let messages = r#"[{"role":"system","content":"Keep the lamps"},{"role":"user","content":"Are they lit?"}]"#;
    assert_eq!(told(messages, r#""output":{"completion":"Yes"}"#), ["Are they lit?", "lit", "Yes"]);
    let long = format!("\"{}\"", "é".repeat(400));
    assert_eq!(told(&long, "\"scores\":{}")[0].len(), 300);
}

#[test]
fn a_run_has_the_title_of_what_its_sample_asks_and_keeps_its_number() {
    let titled = |input: &str| {
        let sample = format!(
            r#"{{"id":"mast-7","epoch":2,"input":{input},"target":"","messages":[],"attachments":{{"ab":"Mend the mast"}}}}"#
        );
        let read = read(&INSPECT, &[&[&sample]]);
        let run = read.trace.runs()[0].clone();
        let numbers = [FactKind::Sample, FactKind::Epoch]
            .map(|kind| fact_text(&run.facts, &kind).unwrap_or_default().to_owned());
        assert_eq!(numbers, ["mast-7", "2"]);
        run.title.unwrap()
    };
    assert_eq!(titled(r#""attachment://ab""#), "Mend the mast");
    assert_eq!(titled(r#"[{"role":"user","content":"Count the lamps"}]"#), "Count the lamps");
    assert_eq!(titled(r#""""#), "Sample mast-7, epoch 2");
}

#[test]
fn a_score_of_any_kind_is_a_fact_unless_it_is_a_grade() {
    let facts = |scores: &str| {
        let sample = format!(
            r#"{{"id":1,"epoch":1,"input":"Steer","target":"","messages":[],"scores":{scores}}}"#
        );
        let run = read(&INSPECT, &[&[&sample]]).trace.runs()[0].clone();
        let named = FactKind::Other("depth".to_owned());
        let text = |kind: &FactKind| fact_text(&run.facts, kind).map(str::to_owned);
        (run.score, text(&FactKind::Score), text(&named))
    };
    assert_eq!(facts(r#"{"match":{"value":"C"}}"#), (Some(1.0), None, None));
    assert_eq!(facts(r#"{"depth":{"value":12.5}}"#), (None, Some("12.5".to_owned()), None));
    let both = r#"{"match":{"value":"I"},"depth":{"value":3}}"#;
    assert_eq!(facts(both), (Some(0.0), None, Some("3".to_owned())));
}

#[test]
fn the_evaluation_has_the_accuracy_over_all_samples() {
    let score = |metrics: &str| {
        let log = format!(
            r#"{{"version":2,"status":"success","eval":{{"eval_id":"e","run_id":"r","task":"count","model":"tiny"}},"results":{{"scores":[{{"name":"match","metrics":{metrics}}}]}},"samples":[]}}"#
        );
        read(&INSPECT, &[&[&log]]).trace.runs()[0].score
    };
    let both = r#"{"stderr":{"value":0.25},"accuracy":{"value":0.75}}"#;
    assert_eq!(score(both), Some(0.75));
    assert_eq!(score(r#"{"mean":{"value":0.5}}"#), Some(0.5));
    assert_eq!(score(r#"{"mean":{"value":7.5}}"#), None);
}

#[test]
fn references_in_objects_are_shown_as_what_they_stand_for() {
    let events = [
        r#"{"event":"sample_init","timestamp":"2026-03-04T10:00:00Z","working_start":0,"sample":{"input":"Go"},"state":{"messages":[{"role":"user","content":"attachment://ab"}]}}"#,
        r#"{"event":"state","timestamp":"2026-03-04T10:00:01Z","working_start":0,"changes":[{"op":"add","path":"/log/0","value":"attachment://ab"},{"op":"add","path":"/log/1","value":"attachment://lost"}]}"#,
        r#"{"event":"tool","timestamp":"2026-03-04T10:00:02Z","working_start":0,"id":"c1","function":"sh","arguments":{"cmd":"attachment://ab"},"result":"ok"}"#,
    ];
    let sample = format!(
        r#"{{"id":1,"epoch":1,"input":"Go","target":"","messages":[],"attachments":{{"ab":"ring \"the\" bell"}},"events":[{}]}}"#,
        events.join(",")
    );
    let read = read(&INSPECT, &[&[&sample]]);
    let events = read.trace.events();
    let at = |kind| (0..events.len()).find(|at| events.get(*at).unwrap().kind == kind).unwrap();
    for kind in [EventKind::UserMessage, EventKind::State, EventKind::ToolCall] {
        let shown = opened(&read, at(kind));
        assert!(shown.contains(r#"ring \\\"the\\\" bell"#), "{shown}");
        assert!(!shown.contains("attachment://ab"), "{shown}");
    }
    let state = opened(&read, at(EventKind::State));
    assert!(state.contains("attachment://lost"), "{state}");
}
