//! Every warning has a sentence of its own. The codes are found in the text of the sources.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use traceloupe::view::words::warning;

/// Words of the sources that look like codes and are none.
const OTHER_WORDS: [&str; 15] = [
    // Problems of archives, which say themselves what is wrong.
    "zip-no-directory",
    "zip-broken-directory",
    "zip-encrypted",
    "zip-zstd",
    "zip-method",
    // Kinds of events, and a status.
    "no-result",
    "run-start",
    "run-end",
    "llm-call",
    "tool-call",
    "loop-warning",
    // Kinds of annotations.
    "thumbs-up",
    "thumbs-down",
    "test-passed",
    "test-failed",
];

/// The code of a file without its tests and comments.
fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn sources(folder: &str) -> Vec<String> {
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)];
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if !path.ends_with("tests.rs")
            && !path.components().any(|it| it.as_os_str() == "tests")
        {
            found.push(code_of(&path));
        }
    }
    assert!(!found.is_empty());
    found
}

/// The string literals of a text that are words joined by dashes, or the one code without a dash.
fn dashed(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2).filter(|word| is_dashed(word))
}

fn is_dashed(word: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
    *word == *"bomb"
        || word.contains('-')
            && word.chars().all(is_plain)
            && word.split('-').all(|part| !part.is_empty())
            && word.starts_with(|char: char| char.is_ascii_lowercase())
}

/// The first string literal behind each call that raises a warning.
fn raised(text: &str) -> impl Iterator<Item = &str> {
    let calls = [".warn(", ".warn_at("];
    calls.into_iter().flat_map(|call| text.split(call).skip(1)).filter_map(|after| {
        let argument = after.trim_start().strip_prefix('"')?;
        argument.split('"').next()
    })
}

fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for text in ["json", "input", "model"].iter().flat_map(|folder| sources(folder)) {
        codes.extend(dashed(&text).map(str::to_owned));
    }
    for text in ["formats", "session", "analysis", "view"].iter().flat_map(|folder| sources(folder))
    {
        codes.extend(raised(&text).map(str::to_owned));
    }
    codes.retain(|code| !OTHER_WORDS.contains(&code.as_str()));
    codes
}

#[test]
fn every_warning_has_its_own_sentence() {
    let codes = codes();
    println!("{} codes: {codes:?}", codes.len());
    assert!(codes.len() > 25);
    for known in ["bad-line", "bomb", "parent-cycle", "unknown-record", "gzip-crc"] {
        assert!(codes.contains(known), "the search does not find {known}");
    }
    let general = warning("no such code");
    let missing: Vec<_> = codes.iter().filter(|code| warning(code) == general).collect();
    assert!(missing.is_empty(), "no sentence for {missing:?}");
    let sentences: BTreeSet<_> = codes.iter().map(|code| warning(code)).collect();
    assert_eq!(sentences.len(), codes.len(), "two codes have the same sentence");
}

#[test]
fn every_sentence_is_of_a_warning() {
    let table = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view/words.rs"));
    let table = table.unwrap();
    let body = table.split("pub fn warning(").nth(1).unwrap();
    let body = body.split("_ =>").next().unwrap();
    let arms = body.lines().filter(|line| line.contains("=>"));
    let arms = arms.filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
    let codes = codes();
    let unused: Vec<_> = arms.filter(|code| !codes.contains(*code)).collect();
    assert!(unused.is_empty(), "raised nowhere: {unused:?}");
}
