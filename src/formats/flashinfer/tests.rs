//! Definitions, solutions, traces and generations, today's and those of summer 2025.

use super::FLASHINFER;
use crate::testing::{Read, read, sniff, title_of};
use traceloupe_core::model::{Block, Detail, ErrorLabel, EventKind, Value, key_hash};

const DEFINITION: &str = r#"{"name":"gemm","op_type":"gemm","description":"C = A @ B","tags":["status:verified"],"axes":{"M":{"type":"var"},"N":{"type":"const","value":4096}},"inputs":{"A":{"shape":["M","N"],"dtype":"float16"},"alpha":{"shape":null,"dtype":"float32","description":"factor"}},"outputs":{"C":{"shape":["M","N"],"dtype":"float16"}},"reference":"def run(A): pass","constraints":["M > 0"],"extra":1}"#;
const SIGNATURE: &str = r#"{"name":"gemm","axes":{"M":{"type":"var","parent":"N"}},"inputs":{"A":{"shape":["M"],"dim_order":"row","dtype":"half"}},"outputs":{},"code":"x"}"#;
const SOLUTION: &str = r#"{"name":"s1","definition":"gemm","author":"me","description":"fast","spec":{"language":"Triton","entry_point":"main.py::run"},"sources":[{"path":"main.py","content":"import triton"},{"path":"kernel.cu","content":"__global__"}]}"#;

fn trace(solution: &str, evaluation: &str) -> String {
    format!(
        r#"{{"definition":"gemm","workload":{{"uuid":"u-1","axes":{{"M":4}},"inputs":{{"A":{{"type":"random"}},"B":{{"type":"safetensors","path":"p","tensor_key":"k"}},"c":{{"type":"scalar","value":1.5}}}}}},"solution":{solution},"evaluation":{evaluation}}}"#
    )
}

fn passed(speedup: f64) -> String {
    format!(
        r#"{{"status":"PASSED","environment":{{"hardware":"B200","libs":{{"torch":"2.8"}}}},"timestamp":"2026-02-03T12:01:00","log":"","correctness":{{"max_relative_error":1e-6,"max_absolute_error":3.2e-6}},"performance":{{"latency_ms":0.012,"reference_latency_ms":0.045,"speedup_factor":{speedup}}}}}"#
    )
}

fn failed(status: &str, log: &str, error: &str) -> String {
    format!(
        r#"{{"status":"{status}","environment":{{"device":"H100","libs":{{}}}},"timestamp":"2026-02-03T12:02:00Z","log":"{log}","correctness":{error},"performance":null}}"#
    )
}

fn all(records: &[&str]) -> Read {
    read(&FLASHINFER, &[records])
}

fn titles(detail: &Detail) -> Vec<String> {
    let title = |block: &Block| match block {
        Block::Fields(title, _) | Block::Json(title, _) | Block::Log(title, _) => title_of(*title),
        Block::Table(title, heads, rows) => {
            format!("{} {heads:?} {}", title_of(*title), rows.len())
        }
        Block::Code(path, language, _) => format!("{path} ({language})"),
        Block::Error { kind: ErrorLabel::Type(kind), .. } => format!("✕ {kind}"),
        Block::Note(_) => "note".to_owned(),
        other => format!("{other:?}"),
    };
    detail.blocks.iter().map(title).collect()
}

#[test]
fn what_belongs_to_a_definition_is_one_run() {
    let traces = [
        trace("null", "null"),
        trace("\"s1\"", &passed(3.75)),
        trace("\"s1\"", &failed("TIMEOUT", "", "null")),
        trace(
            "\"s2\"",
            &failed(
                "INCORRECT_NUMERICAL",
                "",
                r#"{"max_relative_error":"Infinity","max_absolute_error":"NaN","extra":null}"#,
            ),
        ),
        trace("\"s1\"", &passed(2.5)),
    ];
    let traces: Vec<&str> = traces.iter().map(String::as_str).collect();
    let read = read(&FLASHINFER, &[&[DEFINITION], &[SOLUTION], &traces]);
    assert_eq!(read.trace.runs().len(), 1);
    assert_eq!(read.trace.runs()[0].title.as_deref(), Some("gemm"));
    let events = read.trace.events();
    let expected = [
        "note Definition gemm",
        "note Solution s1",
        "evaluation Workload",
        "evaluation s1",
        "evaluation s1",
        "evaluation s2",
        "evaluation s1",
    ];
    assert_eq!(read.outline(), expected);
    let statuses: Vec<_> = events.iter().map(|event| event.status.word()).collect();
    assert_eq!(statuses, ["unknown", "unknown", "no-result", "ok", "error", "error", "ok"]);
    assert_eq!(read.trace.error(events.get(4).unwrap().error), ErrorLabel::Type("TIMEOUT"));
    assert!(events.get(3).unwrap().start.is_known());
    assert_eq!(events.get(3).unwrap().id_hash, key_hash(&["u-1 s1"]));
    let told: Vec<_> = (0..4).map(|at| read.summary(at)).collect();
    assert_eq!(told[..3], [r#""C = A @ B""#, r#""fast""#, r#"{"M":4}"#]);
    assert!(told[3].contains("speedup_factor"));
    let exhibits = read.trace.exhibits();
    assert_eq!((exhibits.definitions.len(), exhibits.solutions.len()), (1, 1));
    let results: Vec<_> = exhibits
        .evaluations
        .iter()
        .map(|it| (read.trace.name(it.name), it.passed, it.speedup, it.latency_ms))
        .collect();
    assert_eq!(
        results,
        [
            ("s1", Some(true), Some(3.75), Some(0.012)),
            ("s1", Some(false), None, None),
            ("s2", Some(false), None, None),
            ("s1", Some(true), Some(2.5), Some(0.012)),
        ]
    );
    assert!(exhibits.evaluations[2].max_diff.unwrap().is_nan());
    assert_eq!(exhibits.evaluations[0].max_diff, Some(3.2e-6));
}

#[test]
fn the_tables_of_a_definition() {
    let detail = all(&[DEFINITION]).detail(&FLASHINFER, 0);
    let expected = [
        "Definition",
        r#"Axes ["axis", "type", "value"] 2"#,
        r#"Inputs ["name", "shape", "dtype", "description"] 2"#,
        r#"Outputs ["name", "shape", "dtype"] 1"#,
        r#"Constraints ["constraint"] 1"#,
        "reference (python)",
        r#"Tags ["tag"] 1"#,
        "OtherFields",
    ];
    assert_eq!(titles(&detail), expected);
    let Block::Table(_, _, inputs) = &detail.blocks[2] else { panic!() };
    assert_eq!(inputs[0][1], Value::Text("[M, N]".to_owned()));
    assert_eq!(inputs[1][1], Value::Text("scalar".to_owned()));
    let detail = all(&[SIGNATURE]).detail(&FLASHINFER, 0);
    let expected = [
        "Definition",
        r#"Axes ["axis", "type", "parent"] 1"#,
        r#"Inputs ["name", "shape", "dtype", "dim order"] 1"#,
        "reference (python)",
    ];
    assert_eq!(titles(&detail), expected);
}

#[test]
fn a_solution_shows_its_files() {
    let detail = all(&[SOLUTION]).detail(&FLASHINFER, 0);
    assert_eq!(titles(&detail), ["Solution", "Spec", "main.py (python)", "kernel.cu (cuda)"]);
    let text = SOLUTION.replace("main.py", "main").replace("\"Triton\"", "\"cuda\"");
    assert_eq!(titles(&all(&[&text]).detail(&FLASHINFER, 0))[2], "main (cuda)");
}

#[test]
fn a_trace_shows_all_of_its_evaluation() {
    let text = trace("\"s1\"", &failed("COMPILE_ERROR", "\\u001b[31mno\\u001b[0m", "null"));
    let read = all(&[&text]);
    let detail = read.detail(&FLASHINFER, 0);
    let expected = [
        "✕ COMPILE_ERROR",
        "Evaluation",
        "Log",
        "Environment",
        "Workload",
        "Workload axes",
        r#"Workload inputs ["name", "type", "value", "path", "tensor key"] 3"#,
    ];
    assert_eq!(titles(&detail), expected);
    assert_eq!(detail.native_id.as_deref(), Some("u-1 s1"));
    assert_eq!(read.summary(0), r#""\u001b[31mno\u001b[0m""#);
    let whole = trace("\"s1\"", &passed(2.0));
    let detail = all(&[&whole]).detail(&FLASHINFER, 0);
    assert_eq!(
        titles(&detail)[..5],
        ["Evaluation", "Performance", "Correctness", "Environment", "Libraries"]
    );
    let bare = trace("\"\"", "{}");
    assert_eq!(titles(&all(&[&bare]).detail(&FLASHINFER, 0))[1], "note", "July 2025");
}

#[test]
fn generations_of_kernel_llm() {
    let generation = |round: u32, more: &str| {
        format!(
            r#"{{"round":{round},"generated_code":"import torch","metadata":{{"pass_count":1}},"ncu_results":{{}},{more}}}"#
        )
    };
    let generations = [
        generation(
            0,
            r#""compiled":true,"correctness":true,"max_diff":0.0,"runtime":0.02,"speedup":0.8"#,
        ),
        generation(
            1,
            r#""compiled":true,"correctness":true,"max_diff":1e-6,"runtime":0.01,"speedup":1.6"#,
        ),
        generation(
            2,
            r#""compiled":false,"correctness":false,"runtime":-1,"compilation_error":"no such op""#,
        ),
        generation(
            3,
            r#""compiled":true,"correctness":false,"max_diff":"Infinity","runtime":null"#,
        ),
        generation(4, r#""compiled":true,"correctness":null,"runtime":"timeout""#),
        generation(5, r#""generation_error":"empty answer""#),
        generation(6, r#""compiled":true,"runtime_error":"illegal access""#),
    ];
    let text = format!(
        "{{\"kernel_spec\":{{\"description_file\":\"level1/100_HingeLoss.py\"}},\"device_info\":{{\"device_name\":\"RTX\"}},\"success_rate\":1.0,\"generations\":[\n{}\n]}}",
        generations.join(",\n")
    );
    let read = all(&[&text]);
    let run = &read.trace.runs()[0];
    assert_eq!((run.key.as_str(), run.title.as_deref()), ("source 0", Some("100_HingeLoss.py")));
    let names: Vec<_> = read.outline();
    assert_eq!(names[..2], ["note Kernel spec", "evaluation round 0"]);
    let statuses: Vec<_> = read
        .trace
        .exhibits()
        .evaluations
        .iter()
        .map(|it| (read.trace.name(it.status), it.passed, it.latency_ms, it.has_code))
        .collect();
    assert_eq!(
        statuses,
        [
            ("PASSED", Some(true), Some(0.02), true),
            ("PASSED", Some(true), Some(0.01), true),
            ("COMPILE_ERROR", Some(false), None, true),
            ("INCORRECT_NUMERICAL", Some(false), None, true),
            ("TIMEOUT", Some(false), None, true),
            ("GENERATION_ERROR", Some(false), None, true),
            ("RUNTIME_ERROR", Some(false), None, true),
        ]
    );
    assert_eq!(read.trace.exhibits().evaluations[3].max_diff, Some(f64::INFINITY));
    assert_eq!(
        titles(&read.detail(&FLASHINFER, 3)),
        [
            "✕ COMPILE_ERROR",
            "Generation",
            "Compilation error",
            "generated code (python)",
            "Metadata"
        ]
    );
    let kernel = titles(&read.detail(&FLASHINFER, 0));
    assert_eq!(kernel, ["Kernel spec", "Summary", "Device", "note"]);
    let lines: Vec<_> =
        read.trace.events().iter().map(|it| read.trace.places(it).next().unwrap().line).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn who_claims_what() {
    let rank = |record: &str| sniff(&FLASHINFER, "x.json", &[record]).rank();
    let workload = trace("null", "null");
    let all = [
        DEFINITION,
        SIGNATURE,
        SOLUTION,
        workload.as_str(),
        r#"{"kernel_spec":{},"generations":[]}"#,
    ];
    for record in all {
        assert_eq!(rank(record), 3, "{record}");
    }
    assert_eq!(rank(r#"{"generations":[{"generated_code":"x"}]}"#), 3);
    assert_eq!(rank(r#"{"definition":"d","evaluation":{"status":"PASSED"}}"#), 2);
    assert_eq!(rank(r#"{"axes":{},"inputs":{}}"#), 2);
    for other in [r#"{"definition":"x"}"#, r#"{"workload":{}}"#, r#"{"axes":[1]}"#, "{}"] {
        assert_eq!(rank(other), 0, "{other}");
    }
}

#[test]
fn hostile_records_do_no_harm() {
    let deep = format!(
        r#"{{"name":"d","axes":{}1{},"inputs":{{}}}}"#,
        r#"{"a":"#.repeat(20_000),
        "}".repeat(20_000)
    );
    let records = [
        deep.as_str(),
        r#"{"definition":5,"workload":6,"solution":[],"evaluation":[]}"#,
        r#"{"definition":{},"sources":{"a.py":"x","b":5},"spec":7}"#,
        r#"{"definition":"x","sources":5}"#,
        r#"{"axes":[{"name":"M"},5],"inputs":[],"outputs":"x","name":["y"],"constraints":"c","tags":5}"#,
        r#"{"kernel_spec":5,"generations":[5,{},[],{"round":{}}]}"#,
        r#"{"definition":"x","workload":{},"evaluation":{"status":5,"performance":{"latency_ms":"x","speedup_factor":"Infinity"},"correctness":7,"environment":"e","log":{}}}"#,
        r#"{"round":1}"#,
        "[1]",
        "null",
    ];
    let read = all(&records);
    let kinds: Vec<_> = read.trace.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds.last(), Some(&EventKind::Record));
    for (at, kind) in kinds.iter().enumerate() {
        assert!(!read.detail(&FLASHINFER, at).blocks.is_empty(), "{at}: {kind:?}");
    }
}
