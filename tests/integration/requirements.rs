//! Checks the tables in `requirements.md`: every line names existing tests, or states why there are none.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The required sections, with the minimum number of lines of each.
const SECTIONS: [(&str, usize); 7] = [
    ("1.3", 12),
    ("1.5", 15),
    ("2.3", 25),
    ("3.2", 40),
    ("4.5", 30),
    ("5.3", 12),
    ("checklist", 13),
];

/// The beginning of every reason.
const NOT_BUILT: &str = "Not built: ";

struct Requirement {
    /// Line in the file, from 1.
    line: usize,
    system: String,
    section: String,
    words: String,
    tests: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of all tables, without their headings.
fn requirements(text: &str) -> Vec<Requirement> {
    let mut system = String::new();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut system);
        }
        let Some(row) = line.strip_prefix("| ").and_then(|row| row.strip_suffix(" |")) else {
            assert!(!line.contains(" | "), "line {} is no line of a table: {line}", at + 1);
            continue;
        };
        let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
        let [section, words, tests] = cells.as_slice() else {
            panic!("line {} has not three cells: {line}", at + 1)
        };
        if *section == "Section" || section.starts_with("---") {
            continue;
        }
        let [section, words, tests] = [section, words, tests].map(|cell| (*cell).to_owned());
        found.push(Requirement { line: at + 1, system: system.clone(), section, words, tests });
    }
    found
}

/// The fault of a named test: `` `path`: name ``.
fn fault_of(named: &str, files: &mut BTreeMap<String, Option<String>>) -> Option<String> {
    let Some((path, name)) = named.strip_prefix('`').and_then(|rest| rest.split_once("`: ")) else {
        return Some(format!("neither a test nor a reason: {named}"));
    };
    let text = files
        .entry(path.to_owned())
        .or_insert_with(|| fs::read_to_string(root().join(path)).ok())
        .as_deref();
    let Some(text) = text else { return Some(format!("there is no file {path}")) };
    let is_there =
        if path.ends_with(".rs") { is_in_rust(text, name) } else { is_in_script(text, name) };
    (!is_there).then(|| format!("{path} has no test {name}"))
}

/// Whether a test function with this name exists.
fn is_in_rust(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let head = format!("fn {name}(");
    lines.iter().enumerate().any(|(at, line)| {
        let mut above = lines[..at].iter().rev();
        line.starts_with(&head)
            && above
                .by_ref()
                .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
                .any(|line| *line == "#[test]")
    })
}

/// Whether a script has a test with this title, in any quotes.
fn is_in_script(text: &str, name: &str) -> bool {
    let escaped = name.replace('\'', "\\'");
    let heads = [format!("test('{escaped}',"), format!("test(`{name}`,")];
    text.lines().any(|line| heads.iter().any(|head| line.trim_start().starts_with(head)))
}

#[test]
fn every_requirement_has_its_test_or_a_reason() {
    let text = fs::read_to_string(root().join("tests/requirements.md")).unwrap();
    let all = requirements(&text);
    let mut files = BTreeMap::new();
    let mut faults = Vec::new();
    let mut n_built = 0;
    for it in &all {
        let mut fault =
            |what: String| faults.push(format!("line {}, {}: {what}", it.line, it.words));
        if it.words.is_empty() {
            fault("it says nothing".to_owned());
        }
        if let Some(reason) = it.tests.strip_prefix(NOT_BUILT) {
            if reason.split_whitespace().count() < 3 || reason.contains('`') {
                fault(format!("no reason in plain words: {reason}"));
            }
            continue;
        }
        n_built += 1;
        for named in it.tests.split("<br>") {
            if let Some(what) = fault_of(named, &mut files) {
                fault(what);
            }
        }
    }
    println!("{} requirements, {n_built} with tests", all.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn all_sections_are_there_and_no_requirement_twice() {
    let text = fs::read_to_string(root().join("tests/requirements.md")).unwrap();
    let all = requirements(&text);
    let mut seen = BTreeSet::new();
    for it in &all {
        let is_new = seen.insert((&it.system, &it.section, &it.words));
        assert!(is_new, "line {} is there twice: {}", it.line, it.words);
    }
    let of = |section: &str| {
        let is = |it: &&Requirement| it.section.split(' ').next() == Some(section);
        all.iter().filter(is).count()
    };
    for (section, least) in SECTIONS {
        assert!(of(section) >= least, "{section} has {} lines", of(section));
    }
    let known: usize = SECTIONS.iter().map(|(section, _)| of(section)).sum();
    assert_eq!(known, all.len(), "a line is of no section that is known");
    for n in 1..=13 {
        let section = format!("checklist {n}");
        assert_eq!(all.iter().filter(|it| it.section == section).count(), 1, "{section}");
    }
}

#[test]
fn what_is_missing_is_found() {
    let script = "test('it\\'s there', async () => {\n  test(`each ${name}`, x);\n";
    assert!(is_in_script(script, "it's there") && is_in_script(script, "each ${name}"));
    assert!(!is_in_script(script, "it") && !is_in_script(script, "there"));
    let rust = "#[test]\n#[ignore]\nfn one() {}\n\nfn two() {}\n";
    assert!(is_in_rust(rust, "one") && !is_in_rust(rust, "two") && !is_in_rust(rust, "on"));
    let mut files = BTreeMap::new();
    assert!(fault_of("`tests/none.rs`: one", &mut files).unwrap().contains("no file"));
    assert!(fault_of("later", &mut files).is_some());
    let own = "`tests/integration/requirements.rs`: what_is_missing_is_found";
    assert_eq!(fault_of(own, &mut files), None);
    let bad =
        "## S\n| Section | Requirement | Test |\n| --- | --- | --- |\n| 1 | a | Not built: b |\n";
    assert_eq!(requirements(bad).len(), 1);
}

/// The table of `docs/features.md`: every feature listed as present has tests, and they exist.
#[test]
fn the_table_of_features_names_its_tests() {
    let text = fs::read_to_string(root().join("docs/features.md")).unwrap();
    let mut files = BTreeMap::new();
    let (mut faults, mut n_rows) = (Vec::new(), 0);
    for row in text.lines().filter(|line| line.starts_with("| ") && !line.contains("---")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [feature, state, words, tests] = cells.as_slice() else { panic!("{row}") };
        n_rows += 1;
        match *state {
            "●" | "◐" => {
                let wrong = tests.split("<br>").filter_map(|named| fault_of(named, &mut files));
                faults.extend(wrong.map(|what| format!("{feature}: {what}")));
            }
            "○" if words.starts_with(NOT_BUILT) && *tests == "–" => {}
            _ => faults.push(format!("{feature}: {state} {words}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_rows > 25);
}
