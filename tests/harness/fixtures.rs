//! The fixtures of this repository: small invented files, and the expected results for each of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{files_below, named};

/// The expected results for a file, or for several files together. A count that is left out is not checked.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The files, if there are several.
    #[serde(default)]
    pub files: Vec<String>,
    /// Whether the format is certain of the file; otherwise it is likely at most.
    #[serde(default)]
    pub certain: bool,
    pub runs: usize,
    pub events: Option<u64>,
    pub llm_calls: Option<u64>,
    pub tool_calls: Option<u64>,
    pub errors: Option<u64>,
    pub tokens_in: Option<u64>,
    pub tokens_out: Option<u64>,
    /// Warnings by code.
    #[serde(default)]
    pub warnings: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    files: BTreeMap<String, Expect>,
    #[serde(default)]
    together: Vec<Expect>,
}

/// A fixture.
pub struct Fixture {
    /// The id of its format.
    pub format: String,
    /// Its path below `tests/fixtures`.
    pub name: String,
    pub bytes: Vec<u8>,
    pub expect: Expect,
}

/// Files of one format that belong together.
pub struct Group {
    pub format: String,
    pub files: Vec<(String, Vec<u8>)>,
    pub expect: Expect,
}

/// The folder of the fixtures.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

fn folders() -> Vec<(String, Folder)> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries
        .filter(|path| path.is_dir())
        .map(|path| {
            let format = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = fs::read_to_string(path.join("expect.json")).unwrap();
            let known = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{format}: {why}"));
            (format, known)
        })
        .collect();
    folders.sort_by(|one, other| one.0.cmp(&other.0));
    folders
}

/// All fixtures, by name. A file without an expectation fails the test, and so does an expectation without a file.
pub fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    for (format, mut known) in folders() {
        let below = folder().join(&format);
        for path in files_below(&below) {
            if path == below.join("expect.json") {
                continue;
            }
            let (own, bytes) = named(&below, &path);
            let expect = known.files.remove(&own);
            let expect = expect.unwrap_or_else(|| panic!("{format}/{own} is not in expect.json"));
            let name = format!("{format}/{own}");
            found.push(Fixture { format: format.clone(), name, bytes, expect });
        }
        assert!(known.files.is_empty(), "{format}: no such files: {:?}", known.files.keys());
    }
    found
}

/// The fixtures that belong together.
pub fn groups() -> Vec<Group> {
    let mut found = Vec::new();
    for (format, known) in folders() {
        let below = folder().join(&format);
        for expect in known.together {
            let files = expect.files.iter().map(|own| named(&folder(), &below.join(own)));
            found.push(Group { format: format.clone(), files: files.collect(), expect });
        }
    }
    found
}

/// The fixtures of the formats that are read whole, named below `fixtures/`. (YAML is converted to JSON first, so its
/// rows have no place in the bytes of the file.)
pub fn own_traces() -> Vec<(String, Vec<u8>)> {
    fixtures()
        .into_iter()
        .filter(|it| {
            it.format != "records"
                && !it.expect.warnings.keys().any(|code| code.starts_with("from-"))
        })
        .map(|fixture| (format!("fixtures/{}", fixture.name), fixture.bytes))
        .collect()
}

/// A run of AgentDbg that is read in many pieces.
pub fn long_run(n_events: usize) -> Vec<u8> {
    let event = |at: usize| {
        let (n, long) = (at % 7, "far out at sea ".repeat(at % 40));
        format!(
            r#"{{"spec_version":"0.1","event_id":"e-{at}","run_id":"r-1","parent_id":null,"event_type":"TOOL_CALL","ts":"2026-10-05T09:00:00.000Z","duration_ms":null,"name":"tool-{n}","payload":{{"tool_name":"tool-{n}","args":{{"at":{at}}},"result":"{long}","status":"ok","error":null}},"meta":{{}}}}"#
        ) + "\n"
    };
    (0..n_events).map(event).collect::<String>().into_bytes()
}
