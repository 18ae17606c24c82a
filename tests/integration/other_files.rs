//! Files that hold no trace of an agent: the page says what they are, and can still show their records.

use std::collections::HashSet;

use crate::harness;
use harness::archives::Zip;
use harness::{Opening, Outcome, open, open_one};
use traceloupe_core::other_file::OtherFile;
use traceloupe_protocol::problem::{Problem, ProblemCode, SourceFault};
use traceloupe_words::problems::{what_happened, what_to_do};

/// A small file of each kind, written for this test.
const FILES: [(OtherFile, &str); 33] = [
    (
        OtherFile::PackageLock,
        r#"{"name":"quay","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"quay"},"node_modules/rope":{"version":"2.0.0"}}}"#,
    ),
    (
        OtherFile::PackageLock,
        r#"{"_readme":[],"content-hash":"0a","packages":[{"name":"quay/rope","version":"1.0"}],"packages-dev":[]}"#,
    ),
    (
        OtherFile::PackageManifest,
        r#"{"name":"quay","version":"1.0.0","scripts":{"test":"make"},"dependencies":{"rope":"^2"}}"#,
    ),
    (OtherFile::TypeScriptSettings, r#"{"compilerOptions":{"strict":true},"include":["src"]}"#),
    (OtherFile::SourceMap, r#"{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}"#),
    (
        OtherFile::BillOfMaterials,
        r#"{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"type":"library","name":"rope"}]}"#,
    ),
    (
        OtherFile::BillOfMaterials,
        r#"{"spdxVersion":"SPDX-2.3","name":"quay","packages":[{"name":"rope"}]}"#,
    ),
    (
        OtherFile::GeoJson,
        r#"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{"name":"Pier"},"geometry":{"type":"Point","coordinates":[7,53]}}]}"#,
    ),
    (
        OtherFile::GeoJson,
        "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[7,53]}}\n{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[8,53]}}\n",
    ),
    (
        OtherFile::ChromeTrace,
        r#"{"traceEvents":[{"name":"Paint","cat":"blink","ph":"X","ts":1000,"dur":21600000000,"pid":1,"tid":1,"args":{}}],"metadata":{"source":"DevTools"}}"#,
    ),
    (
        OtherFile::ChromeTrace,
        r#"[{"name":"Paint","cat":"blink","ph":"B","ts":1000,"pid":1,"tid":1},{"name":"Paint","cat":"blink","ph":"E","ts":2000,"pid":1,"tid":1}]"#,
    ),
    (
        OtherFile::CpuProfile,
        r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},{"id":2,"callFrame":{"functionName":"haul","scriptId":"1","url":"a.js","lineNumber":1,"columnNumber":1},"hitCount":3}],"startTime":10,"endTime":90,"samples":[2,2],"timeDeltas":[10,20]}"#,
    ),
    (
        OtherFile::HeapSnapshot,
        r#"{"snapshot":{"meta":{"node_fields":["type"]},"node_count":1},"nodes":[0],"edges":[],"strings":["a"]}"#,
    ),
    (
        OtherFile::FirefoxProfile,
        r#"{"meta":{"interval":1,"startTime":1,"processType":0},"libs":[],"threads":[{"name":"main","samples":{}}]}"#,
    ),
    (
        OtherFile::SpeedscopeProfile,
        r#"{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[],"shared":{"frames":[{"name":"a"}]}}"#,
    ),
    (
        OtherFile::LighthouseReport,
        r#"{"lighthouseVersion":"12.0.0","audits":{"speed":{"id":"speed","score":1}},"categories":{}}"#,
    ),
    (
        OtherFile::Sarif,
        r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"lint"}},"results":[{"ruleId":"r","message":{"text":"Knot"}}]}]}"#,
    ),
    (
        OtherFile::EslintReport,
        r#"[{"filePath":"/a.js","messages":[{"ruleId":"semi","severity":2,"message":"Missing","line":1}],"errorCount":1,"warningCount":0}]"#,
    ),
    (
        OtherFile::Notebook,
        r##"{"cells":[{"cell_type":"markdown","source":["# Ropes"]},{"cell_type":"code","source":["haul()"],"outputs":[]}],"metadata":{},"nbformat":4,"nbformat_minor":5}"##,
    ),
    (
        OtherFile::PlaywrightTrace,
        "{\"version\":8,\"type\":\"context-options\",\"browserName\":\"chromium\",\"platform\":\"linux\",\"wallTime\":1}\n{\"type\":\"before\",\"callId\":\"c1\",\"startTime\":1,\"apiName\":\"page.goto\",\"params\":{}}\n{\"type\":\"after\",\"callId\":\"c1\",\"endTime\":2}\n",
    ),
    (
        OtherFile::PlaywrightReport,
        r#"{"config":{"rootDir":"/t"},"suites":[{"title":"a.spec.ts","specs":[{"title":"floats","ok":true}]}],"errors":[],"stats":{"startTime":"2026-01-01T00:00:00Z","duration":10,"expected":1,"unexpected":0,"skipped":0,"flaky":0}}"#,
    ),
    (
        OtherFile::JestReport,
        r#"{"numTotalTests":1,"numPassedTests":1,"numFailedTests":0,"startTime":1,"success":true,"testResults":[{"name":"/a.test.js","status":"passed","assertionResults":[{"title":"floats","status":"passed"}]}]}"#,
    ),
    (
        OtherFile::TestReport,
        r#"{"stats":{"suites":1,"tests":1,"passes":1,"failures":0,"start":"2026-01-01T00:00:00Z"},"tests":[{"title":"floats"}],"passes":[{"title":"floats"}],"failures":[]}"#,
    ),
    (
        OtherFile::TestReport,
        r#"{"created":1.5,"duration":0.2,"exitcode":0,"root":"/t","environment":{},"summary":{"passed":1,"total":1},"tests":[{"nodeid":"a.py::floats","outcome":"passed"}]}"#,
    ),
    (
        OtherFile::TestReport,
        "{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"start\",\"Package\":\"quay\"}\n{\"Time\":\"2026-01-01T00:00:01Z\",\"Action\":\"run\",\"Package\":\"quay\",\"Test\":\"Floats\"}\n",
    ),
    (
        OtherFile::CoverageReport,
        r#"{"total":{"lines":{"total":10,"covered":9,"skipped":0,"pct":90}},"/a.js":{"lines":{"total":10,"covered":9,"skipped":0,"pct":90}}}"#,
    ),
    (
        OtherFile::OtlpMetrics,
        r#"{"resourceMetrics":[{"resource":{"attributes":[]},"scopeMetrics":[{"scope":{"name":"m"},"metrics":[{"name":"tide","gauge":{"dataPoints":[{"timeUnixNano":"1767225600000000000","asDouble":1}]}}]}]}]}"#,
    ),
    (
        OtherFile::OpenApi,
        r#"{"openapi":"3.1.0","info":{"title":"Quay","version":"1"},"paths":{"/boats":{"get":{"summary":"List"}}}}"#,
    ),
    (
        OtherFile::JsonSchema,
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Boat","type":"object","properties":{"name":{"type":"string"}}}"#,
    ),
    (
        OtherFile::KubernetesResource,
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: quay\nspec:\n  ports:\n  - port: 80\n",
    ),
    (
        OtherFile::KubernetesResource,
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"quay"},"status":{"phase":"Running"}}"#,
    ),
    (
        OtherFile::GithubWorkflow,
        "name: Check\non:\n  push: {}\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n    - run: make\n",
    ),
    (
        OtherFile::TerraformState,
        r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"a-b","outputs":{},"resources":[{"type":"boat","name":"a"}]}"#,
    ),
];

fn fault(name: &str, bytes: &[u8]) -> SourceFault {
    match open_one(name, bytes).outcome {
        Outcome::Failed(Problem::NothingShown(files)) => files[0].1.clone(),
        Outcome::Failed(problem) => panic!("{name}: {problem:?}"),
        Outcome::Outline(outline) => {
            panic!("{name}: {:?} {:?}", outline.runs[0].format, outline.sources[0].reading)
        }
        Outcome::Choose(asked) => panic!("{name}: {asked:?}"),
    }
}

#[test]
fn files_without_a_trace_are_named_for_what_they_are() {
    for (kind, text) in FILES {
        assert_eq!(fault("x", text.as_bytes()), SourceFault::OtherFile(kind), "{text}");
    }
    let tested: HashSet<OtherFile> = FILES.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(tested.len(), OtherFile::ALL.len());
}

#[test]
fn such_files_are_read_as_records_if_asked_for() {
    let opening = Opening { format: Some("records"), ..Opening::default() };
    for (_, text) in FILES {
        let opened = open(&[("x", text.as_bytes())], &opening);
        assert!(!opened.outline().rows.ids.is_empty(), "{text}");
    }
}

#[test]
fn a_long_file_without_a_trace_is_named_as_well() {
    let event =
        r#"{"name":"Paint","cat":"blink","ph":"X","ts":1000,"dur":5,"pid":1,"tid":1,"args":{}}"#;
    let events = vec![event; 20_000].join(",");
    for text in [format!("{{\"traceEvents\":[{events}]}}"), format!("[{events}]")] {
        assert_eq!(fault("x", text.as_bytes()), SourceFault::OtherFile(OtherFile::ChromeTrace));
    }
}

#[test]
fn the_problem_says_what_the_file_is_and_offers_its_records() {
    let opened = open_one("package-lock.json", FILES[0].1.as_bytes());
    let Outcome::Failed(problem) = &opened.outcome else { panic!() };
    assert_eq!(problem.code(), ProblemCode::NotATrace);
    assert!(problem.is_readable_as_records());
    assert_eq!(
        format!("{}. {}.", what_happened(problem), what_to_do(problem)),
        "package-lock.json: It is a lock file of a package manager. There is no agent trace in it. \
         Drop the trace of the agent, or read this file as plain records."
    );
}

#[test]
fn a_recording_of_playwright_is_named_though_it_is_an_archive() {
    let (_, trace) = FILES.iter().find(|it| it.0 == OtherFile::PlaywrightTrace).unwrap();
    let network = r#"{"type":"resource-snapshot","snapshot":{"request":{"url":"/"}}}"#;
    let bytes = Zip::default()
        .with("trace.network", network.as_bytes())
        .with("trace.trace", trace.as_bytes())
        .with("resources/a.png", b"x")
        .finish();
    assert_eq!(fault("trace.zip", &bytes), SourceFault::OtherFile(OtherFile::PlaywrightTrace));
}

#[test]
fn files_beside_a_trace_do_not_become_runs() {
    let chat = br#"{"messages":[{"role":"user","content":"Mend the mast"},{"role":"assistant","content":"Done"}]}"#;
    let files: [(&str, &[u8]); 2] =
        [("f/package.json", FILES[2].1.as_bytes()), ("f/chat.json", chat)];
    let opened = open(&files, &Opening::default());
    assert_eq!(opened.outline().runs.len(), 1);
    let problems = traceloupe_view::problems::problems(opened.outline());
    assert!(matches!(problems.as_slice(), [Problem::NotTraces(files)] if files.len() == 1));
}

#[test]
fn spans_without_an_agent_are_said_to_have_none() {
    let span = |trace: &str| {
        format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"{trace}","spanId":"00f067aa0ba902b7","name":"GET /boats","kind":2,"startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000"}}]}}]}}]}}"#
        )
    };
    let text = [span("4bf92f3577b34da6a3ce929d0e0e4736"), span("5bf92f3577b34da6a3ce929d0e0e4736")];
    let opened = open_one("x.jsonl", text.join("\n").as_bytes());
    let problems = traceloupe_view::problems::problems(opened.outline());
    let expected = Problem::NoAgent { n_runs: 2, n_events: 2, is_records: false };
    assert_eq!(problems, [expected]);
}
