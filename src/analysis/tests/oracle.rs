//! Compares our implementation of AgentDbg's rule with the warnings that AgentDbg and Maida wrote themselves, and our
//! own stretches with the known loops of these runs. Our own fixtures have the warnings that the producers' rule gives;
//! the producers' files are read in place.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::{
    LoopRule, NoTexts, RuleWarning, Settings, Signatures, findings, signatures, warnings,
};
use super::notation::{block, fingerprint, push};
use crate::shared::{shared, shared_also};
use traceloupe_core::model::{CallOutcome, EventId, EventKind, RunId, Trace, TraceBuilder};

/// The folder of the producers' files.
const PRODUCERS: &str = "traces/agentdbg";

/// A run as its producer wrote it, with the producer's ids and warnings.
struct Sample {
    name: String,
    trace: Trace,
    ids: Vec<String>,
    written: Vec<Value>,
}

impl Sample {
    fn id(&self, event: EventId) -> &str {
        &self.ids[event.index()]
    }

    fn evidence(&self, signatures: &Signatures, warning: &RuleWarning) -> Vec<&str> {
        signatures.list[warning.evidence()].iter().map(|it| self.id(it.event)).collect()
    }
}

/// The folders of runs that contain a file, sorted: our own, and the producers' if they are available.
#[track_caller]
fn folders(file: &str) -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let roots = [Some(own.join("agentdbg")), Some(own.join("maida")), shared_also(PRODUCERS)];
    let entries = roots.iter().flatten().flat_map(|root| std::fs::read_dir(root).unwrap());
    let mut found: Vec<PathBuf> =
        entries.map(|it| it.unwrap().path()).filter(|it| it.join(file).exists()).collect();
    found.sort();
    found
}

/// AgentDbg writes NaN and Infinity, which JSON does not have: they become null.
fn parse(line: &str) -> Value {
    let mut clean = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for letter in line.chars() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        clean.push(letter);
        if !in_string {
            for word in ["-Infinity", "Infinity", "NaN"] {
                if clean.ends_with(word) && (word != "Infinity" || !clean.ends_with("-Infinity")) {
                    clean.truncate(clean.len() - word.len());
                    clean += "null";
                }
            }
        }
    }
    serde_json::from_str(&clean).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|it| !it.trim().is_empty()).map(parse).collect()
}

fn hash(value: &Value) -> u64 {
    if value.is_null() { 0 } else { fingerprint(Some(&value.to_string())) }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn read_agentdbg(folder: &Path) -> Sample {
    let mut out = TraceBuilder::new();
    let run = out.run("agentdbg", "run");
    let lane = out.lane(run, "");
    let (mut ids, mut written) = (Vec::new(), Vec::new());
    for record in lines(&folder.join("events.jsonl")) {
        let payload = &record["payload"];
        let (kind, name, args, result) = match text(&record["event_type"]) {
            "LLM_CALL" => (EventKind::LlmCall, "model", "prompt", "response"),
            "TOOL_CALL" => (EventKind::ToolCall, "tool_name", "args", "result"),
            "STATE_UPDATE" => (EventKind::State, "", "state", ""),
            "LOOP_WARNING" => (EventKind::LoopWarning, "pattern", "", ""),
            _ => (EventKind::Note, "", "", ""),
        };
        let id = push(&mut out, run, lane, kind, text(&payload[name]));
        let event = out.event_mut(id).unwrap();
        event.args_hash = hash(&payload[args]);
        event.result_hash = hash(&payload[result]);
        if payload["status"] == "error" {
            event.status = CallOutcome::Failed;
        }
        ids.push(text(&record["event_id"]).to_owned());
        if kind == EventKind::LoopWarning {
            written.push(payload.clone());
        }
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    Sample { name, trace: out.finish(), ids, written }
}

fn span_event<'a>(span: &'a Value, name: &str) -> Option<&'a Value> {
    let mut events = span["events"].as_array()?.iter();
    events.find(|it| it["name"] == name).map(|it| &it["attributes"])
}

/// Maida's notation of the structure of arguments.
fn shape(value: &Value, depth: usize) -> String {
    if depth >= 4 {
        return "...".to_owned();
    }
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(number) if number.is_f64() => "float".to_owned(),
        Value::Number(_) => "int".to_owned(),
        Value::String(_) => "str".to_owned(),
        Value::Array(items) => {
            let mut shapes: Vec<String> =
                items.iter().take(3).map(|it| shape(it, depth + 1)).collect();
            shapes.dedup();
            let more = if items.len() > 3 { ",..." } else { "" };
            format!("[{}{more}]", shapes.join("|"))
        }
        Value::Object(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|(key, it)| format!("{key}:{}", shape(it, depth + 1))).collect();
            fields.sort();
            format!("{{{}}}", fields.join(","))
        }
    }
}

fn read_maida(folder: &Path) -> Sample {
    let mut out = TraceBuilder::new();
    let run = out.run("maida", "run");
    let lane = out.lane(run, "");
    let (mut ids, mut written) = (Vec::new(), Vec::new());
    for span in lines(&folder.join("spans.jsonl")) {
        let attributes = &span["attributes"];
        let of_json = |event: &str, key: &str| {
            let value = span_event(&span, event).map_or("null", |it| text(&it[key]));
            parse(value)
        };
        let is_llm = ["gen_ai.system", "gen_ai.operation.name"];
        let warning = span_event(&span, "maida.loop.warning");
        let (kind, name) = if let Some(warning) = warning {
            written.push(warning.clone());
            (EventKind::LoopWarning, text(&warning["pattern"]))
        } else if is_llm.iter().any(|key| !attributes[key].is_null()) {
            // Maida's own fixtures omit the model and name the span after it.
            let model = attributes["gen_ai.request.model"].as_str();
            (EventKind::LlmCall, model.unwrap_or_else(|| text(&span["name"])))
        } else if let Some(tool) = attributes["maida.tool_name"].as_str() {
            (EventKind::ToolCall, tool)
        } else if span["name"] == "state" {
            (EventKind::State, "")
        } else {
            (EventKind::Note, "")
        };
        let id = push(&mut out, run, lane, kind, name);
        if kind == EventKind::ToolCall {
            let args = of_json("maida.tool.args", "args");
            let structure = if args.is_null() { String::new() } else { shape(&args, 0) };
            let structure = out.name(&structure);
            out.set_structure(id, structure);
            let event = out.event_mut(id).unwrap();
            event.args_hash = hash(&args);
            event.result_hash = hash(&of_json("maida.tool.result", "result"));
        }
        ids.push(text(&span["span_id"]).to_owned());
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    Sample { name, trace: out.finish(), ids, written }
}

fn run_rule(sample: &Sample, rule: LoopRule) -> (Signatures, Vec<RuleWarning>) {
    let signatures = signatures(&sample.trace, RunId::from_index(0));
    let found = warnings(&signatures.list, rule);
    (signatures, found)
}

#[test]
fn agentdbg_warns_where_it_warned() {
    let mut n_written = 0;
    for folder in folders("events.jsonl") {
        let sample = read_agentdbg(&folder);
        let (signatures, found) = run_rule(&sample, LoopRule::AGENTDBG);
        n_written += sample.written.len();
        assert_eq!(found.len(), sample.written.len(), "{}", sample.name);
        for (warning, written) in found.iter().zip(&sample.written) {
            assert_eq!(signatures.pattern(warning), text(&written["pattern"]), "{}", sample.name);
            assert_eq!(Value::from(warning.repetitions), written["repetitions"]);
            assert_eq!(Value::from(warning.window_size), written["window_size"]);
            let evidence = sample.evidence(&signatures, warning);
            assert_eq!(Value::from(evidence), written["evidence_event_ids"], "{}", sample.name);
        }
    }
    assert!(n_written > 0);
}

#[test]
fn maida_warns_where_it_warned() {
    let mut n_written = 0;
    for folder in folders("spans.jsonl") {
        let sample = read_maida(&folder);
        let (signatures, found) = run_rule(&sample, LoopRule::MAIDA);
        n_written += sample.written.len();
        let patterns: Vec<String> = found.iter().map(|it| signatures.pattern(it)).collect();
        let written: Vec<&str> = sample.written.iter().map(|it| text(&it["pattern"])).collect();
        assert_eq!(patterns, written, "{}", sample.name);
        for (warning, written) in found.iter().zip(&sample.written) {
            assert_eq!(Value::from(warning.window_size), written["window_size"]);
            // Maida's own writer puts "__MISSING__" for every id; the fixture has real ones.
            if written["evidence_event_ids"].is_array() {
                let evidence = sample.evidence(&signatures, warning);
                assert_eq!(Value::from(evidence), written["evidence_event_ids"]);
            }
        }
    }
    assert!(n_written > 0);
}

#[test]
fn the_conformance_vectors_of_maida() {
    let Some(samples) = shared(PRODUCERS) else { return };
    let file = samples.join("maida-conformance-loop-vectors.json");
    let file = std::fs::read_to_string(file).unwrap();
    let file = parse(&file);
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let mut out = TraceBuilder::new();
        let run = out.run("maida", "run");
        let lane = out.lane(run, "");
        let mut ids = Vec::new();
        for event in case["events"].as_array().unwrap() {
            let payload = &event["payload"];
            assert_eq!(event["event_type"], "TOOL_CALL");
            let id = push(&mut out, run, lane, EventKind::ToolCall, text(&payload["tool_name"]));
            if let Some(args) = payload.get("args") {
                let structure = out.name(&shape(args, 0));
                out.set_structure(id, structure);
            }
            ids.push(text(&event["event_id"]).to_owned());
        }
        let number = |key: &str| usize::try_from(case[key].as_u64().unwrap()).unwrap();
        let rule = LoopRule {
            window: number("window"),
            repetitions: number("repetitions"),
            ..LoopRule::MAIDA
        };
        let sample = Sample {
            name: text(&case["name"]).to_owned(),
            trace: out.finish(),
            ids,
            written: Vec::new(),
        };
        let (signatures, found) = run_rule(&sample, rule);
        let expected = &case["expected"];
        assert_eq!(found.is_empty(), expected.is_null(), "{}", sample.name);
        for warning in &found {
            assert_eq!(Value::from(signatures.pattern(warning)), expected["pattern"]);
            assert_eq!(Value::from(warning.pattern_length), expected["pattern_length"]);
            assert_eq!(Value::from(warning.repetitions), expected["repetitions"]);
            assert_eq!(Value::from(warning.window_size), expected["window_size"]);
            let evidence = sample.evidence(&signatures, warning);
            assert_eq!(Value::from(evidence), expected["evidence_event_ids"]);
        }
    }
}

/// Block, repetitions, first event among the recorded ones, number of the producer's warnings.
fn stretches_of(sample: &Sample) -> Vec<(String, u32, usize, usize)> {
    let recorded = signatures(&sample.trace, RunId::from_index(0));
    let found = findings(&sample.trace, &Settings::default().with_names(true), &NoTexts);
    found
        .list
        .iter()
        .map(|finding| {
            let names = block(&sample.trace, finding);
            let first = recorded.list.iter().position(|it| it.event == finding.place.first);
            let reported = finding.place.reported.len();
            (names.join(","), finding.evidence.repetitions(), first.unwrap_or(usize::MAX), reported)
        })
        .collect()
}

#[test]
fn the_true_stretches_of_the_loop_shapes() {
    let loops = |file: &str| {
        folders(file).into_iter().find(|it| {
            it.ends_with(if file == "events.jsonl" {
                "agentdbg-0.2.4-loop-shapes"
            } else {
                "maida-0.5.3-loop-shapes"
            })
        })
    };
    let (Some(agentdbg), Some(maida)) = (loops("events.jsonl"), loops("spans.jsonl")) else {
        return;
    };
    let expected = |warnings: [usize; 5]| {
        let blocks = [
            ("search_docs", 7, 1),
            ("fetch_page,reader-model", 5, 8),
            ("open_file,edit_file,run_tests", 4, 18),
            (",poll_job", 4, 30),
            ("search_docs", 4, 38),
        ];
        let with = |((block, times, from), warnings): ((&str, u32, usize), usize)| {
            (block.to_owned(), times, from, warnings)
        };
        blocks.into_iter().zip(warnings).map(with).collect::<Vec<_>>()
    };
    // Eight warnings (seven in Maida, which does not warn after states) are four loops. The producers do not report the
    // fifth, because its pattern was reported before.
    assert_eq!(stretches_of(&read_agentdbg(&agentdbg)), expected([1, 2, 3, 2, 0]));
    assert_eq!(stretches_of(&read_maida(&maida)), expected([1, 2, 3, 1, 0]));
}

#[test]
fn no_loop_in_the_travel_planners() {
    for file in ["events.jsonl", "spans.jsonl"] {
        let planner = |it: &PathBuf| it.to_string_lossy().ends_with("travel-planner");
        for folder in folders(file).into_iter().filter(planner) {
            let read = if file == "events.jsonl" { read_agentdbg } else { read_maida };
            assert_eq!(stretches_of(&read(&folder)), []);
        }
    }
}
