//! Files that hold no trace of an agent, though they are JSON: told by their keys, so that the page says what they are
//! instead of showing rows of records. Only files of no known format are examined.

use traceloupe_core::other_file::OtherFile;
use traceloupe_engine::Probe;
use traceloupe_engine::prelude::{On, Sign, Test};

const fn document(tests: &'static [Test]) -> Sign {
    Sign::certain(On::Document, "", tests)
}

const fn first(tests: &'static [Test]) -> Sign {
    Sign::certain(On::First, "", tests)
}

/// The signs of each kind.
const KINDS: [(OtherFile, Sign); 42] = [
    (
        OtherFile::PackageLock,
        document(&[Test::Has("lockfileVersion"), Test::HasOne(&["packages", "dependencies"])]),
    ),
    (OtherFile::PackageLock, document(&[Test::HasAll(&["content-hash", "packages"])])),
    (OtherFile::PackageLock, document(&[Test::HasAll(&["_meta.hash", "default"])])),
    (
        OtherFile::PackageManifest,
        document(&[
            Test::Texts(&["name"]),
            Test::HasOne(&["version", "private"]),
            Test::HasOne(&[
                "dependencies",
                "devDependencies",
                "peerDependencies",
                "scripts",
                "exports",
                "workspaces",
                "engines",
            ]),
            Test::Lacks("messages"),
        ]),
    ),
    (OtherFile::TypeScriptSettings, document(&[Test::Object("compilerOptions")])),
    (
        OtherFile::SourceMap,
        document(&[Test::HasAll(&["version", "mappings"]), Test::List("sources")]),
    ),
    (OtherFile::BillOfMaterials, document(&[Test::Is("bomFormat", "CycloneDX")])),
    (OtherFile::BillOfMaterials, document(&[Test::Starts("spdxVersion", "SPDX-")])),
    (
        OtherFile::GeoJson,
        document(&[Test::Is("type", "FeatureCollection"), Test::List("features")]),
    ),
    // GeoJSON, one feature in each line.
    (OtherFile::GeoJson, first(&[Test::Is("type", "Feature"), Test::Object("geometry")])),
    (OtherFile::GeoJson, document(&[Test::Is("type", "Topology"), Test::HasAll(&["arcs"])])),
    (
        OtherFile::SpeedscopeProfile,
        document(&[Test::Starts("$schema", "https://www.speedscope.app/")]),
    ),
    (OtherFile::ChromeTrace, document(&[Test::List("traceEvents")])),
    // Other recordings of V8 are lists of the events.
    (
        OtherFile::ChromeTrace,
        first(&[Test::Texts(&["ph", "name"]), Test::HasAll(&["pid", "tid", "ts"])]),
    ),
    (OtherFile::ChromeTrace, first(&[Test::List("traceEvents")])),
    (
        OtherFile::CpuProfile,
        document(&[
            Test::HasAll(&["startTime", "endTime"]),
            Test::HasOne(&["nodes", "head"]),
            Test::HasOne(&["samples", "nodes.0.hitCount"]),
            Test::HasOne(&["nodes.0.callFrame", "head.functionName"]),
        ]),
    ),
    (OtherFile::HeapSnapshot, document(&[Test::HasAll(&["snapshot.meta", "nodes", "strings"])])),
    (OtherFile::FirefoxProfile, document(&[Test::HasAll(&["meta.interval", "libs", "threads"])])),
    (OtherFile::LighthouseReport, document(&[Test::HasAll(&["lighthouseVersion", "audits"])])),
    (OtherFile::Sarif, document(&[Test::Has("version"), Test::HasOne(&["runs.0.tool.driver"])])),
    (
        OtherFile::Sarif,
        document(&[Test::Starts("version", "2."), Test::List("runs"), Test::Has("$schema")]),
    ),
    (
        OtherFile::EslintReport,
        first(&[Test::HasAll(&["filePath", "errorCount", "warningCount"]), Test::List("messages")]),
    ),
    (OtherFile::Notebook, document(&[Test::Has("nbformat"), Test::List("cells")])),
    // Notebooks of version 3.
    (OtherFile::Notebook, document(&[Test::Has("nbformat"), Test::List("worksheets")])),
    (
        OtherFile::PlaywrightTrace,
        first(&[Test::Is("type", "context-options"), Test::HasOne(&["browserName", "platform"])]),
    ),
    // The requests beside a recording.
    (
        OtherFile::PlaywrightTrace,
        first(&[Test::Is("type", "resource-snapshot"), Test::Has("snapshot.request")]),
    ),
    (
        OtherFile::PlaywrightReport,
        document(&[Test::List("suites"), Test::HasAll(&["stats.expected", "stats.unexpected"])]),
    ),
    (
        OtherFile::JestReport,
        document(&[Test::HasAll(&["numTotalTests", "numPassedTests", "testResults"])]),
    ),
    // Mocha.
    (
        OtherFile::TestReport,
        document(&[Test::HasAll(&["stats.suites", "stats.tests", "stats.passes"])]),
    ),
    // pytest-json-report.
    (
        OtherFile::TestReport,
        document(&[Test::HasAll(&["exitcode", "root", "summary"]), Test::List("tests")]),
    ),
    // The Common Test Report Format.
    (
        OtherFile::TestReport,
        document(&[Test::HasAll(&["results.tool.name", "results.summary.tests"])]),
    ),
    // cargo test and go test.
    (
        OtherFile::TestReport,
        first(&[Test::OneOf("type", &["suite"]), Test::HasAll(&["event", "test_count"])]),
    ),
    (
        OtherFile::TestReport,
        first(&[Test::OneOf("Action", &["start", "run"]), Test::HasAll(&["Time", "Package"])]),
    ),
    // Istanbul, and coverage.py.
    (OtherFile::CoverageReport, document(&[Test::HasAll(&["total.lines.pct"])])),
    (OtherFile::CoverageReport, document(&[Test::HasAll(&["totals.percent_covered", "files"])])),
    (OtherFile::OtlpMetrics, document(&[Test::List("resourceMetrics")])),
    (
        OtherFile::OpenApi,
        document(&[Test::HasOne(&["openapi", "swagger"]), Test::Has("info.title")]),
    ),
    (OtherFile::JsonSchema, document(&[Test::Starts("$schema", "http://json-schema.org/")])),
    (OtherFile::JsonSchema, document(&[Test::Starts("$schema", "https://json-schema.org/")])),
    (
        OtherFile::KubernetesResource,
        first(&[Test::Texts(&["apiVersion", "kind"]), Test::Object("metadata")]),
    ),
    (OtherFile::GithubWorkflow, document(&[Test::Object("jobs"), Test::HasOne(&["on", "true"])])),
    (
        OtherFile::TerraformState,
        document(&[Test::HasAll(&["terraform_version", "lineage", "resources"])]),
    ),
];

/// The kind of a file of no known format, if it is one of these.
#[must_use]
pub fn kind(probe: &Probe<'_>) -> Option<OtherFile> {
    KINDS.iter().find(|(_, sign)| sign.holds(probe)).map(|(kind, _)| *kind)
}
