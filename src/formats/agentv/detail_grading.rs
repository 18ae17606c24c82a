//! An opened grade: the score, the graders, and each assertion with a mark.

use rustc_hash::FxHashSet;

use super::grading::{ASSERTIONS, Assertion, GRADERS, Grade, assertions, graders};
use super::members::Members;
use super::shape::MESSAGE_LISTS;
use crate::formats::RecordText;
use crate::formats::by_hand::Shown;
use crate::formats::fields::text;
use crate::model::{Block, Detail, Field, Value};

/// Shows all that the files of a run say of its grade; an assertion that several have is shown once.
pub(super) fn grading(records: &[RecordText], out: &mut Detail) {
    let mut told: FxHashSet<String> = FxHashSet::default();
    let mut has_score = false;
    for record in records {
        let Some(members) = Members::new(&record.text) else { continue };
        let mut shown = Shown::new(record, out);
        // A score of a trace is a grader by itself.
        let is_grader = members.has("target_span_id") && !members.has("test_id");
        if is_grader {
            grader(&mut shown, &members, &mut told);
            continue;
        }
        if !has_score {
            has_score = head(&mut shown, &members);
        }
        marked(&mut shown, "Assertions", &assertions(&members), &mut told);
        for own in graders(&members) {
            grader(&mut shown, &own, &mut told);
        }
        let known: Vec<&str> = KNOWN
            .iter()
            .chain(&ASSERTIONS)
            .chain(&GRADERS)
            .chain(&MESSAGE_LISTS)
            .copied()
            .collect();
        shown.fields("Other fields", &members.rest(&known));
    }
}

/// The members of a row that have a place of their own.
const KNOWN: [&str; 6] = ["score", "verdict", "pass", "hits", "misses", "input"];

fn head(shown: &mut Shown<'_, '_>, members: &Members<'_>) -> bool {
    let grade = Grade::of(members);
    let mut fields = Vec::new();
    let mut add = |label: &str, value: Option<String>| {
        if let Some(value) = value {
            fields.push(Field { label: label.to_owned(), value: Value::Text(value) });
        }
    };
    add("score", grade.score.map(|score| format!("{score:.3}")));
    add("verdict", grade.verdict.map(|verdict| verdict.word().to_owned()));
    let has_any = !fields.is_empty();
    if has_any {
        shown.push(Block::Fields("Score", fields));
    }
    has_any
}

fn grader(shown: &mut Shown<'_, '_>, members: &Members<'_>, told: &mut FxHashSet<String>) {
    let name = text(members.get("name")).unwrap_or_default();
    let own = assertions(members);
    let is_news = own.iter().any(|it| !told.contains(&key(it)));
    let known: Vec<&str> = ["hits", "misses"].iter().chain(&ASSERTIONS).copied().collect();
    let is_first = told.insert(format!("grader {name}"));
    if is_first || is_news {
        shown.fields("Grader", &members.rest(&known));
    }
    marked(shown, "Assertions", &own, told);
}

fn key(assertion: &Assertion<'_>) -> String {
    format!("{:?} {}", assertion.passed, assertion.text)
}

/// Assertions with their marks; the evidence stands below.
fn marked(
    shown: &mut Shown<'_, '_>,
    title: &'static str,
    assertions: &[Assertion<'_>],
    told: &mut FxHashSet<String>,
) {
    let mut fields = Vec::new();
    for assertion in assertions {
        if !told.insert(key(assertion)) {
            continue;
        }
        let mark = match assertion.passed {
            Some(true) => "✓ passed",
            Some(false) => "✗ failed",
            None => "assertion",
        };
        fields.push(Field { label: mark.to_owned(), value: shown.value(assertion.text) });
        if let Some(evidence) = assertion.evidence {
            fields.push(Field { label: "evidence".to_owned(), value: shown.value(evidence) });
        }
    }
    if !fields.is_empty() {
        shown.push(Block::Fields(title, fields));
    }
}
