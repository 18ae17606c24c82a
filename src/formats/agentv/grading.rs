//! Scores and verdicts: of result rows, of `grading.json` in its three shapes, of traces.

use super::events::{At, event, fill, summary};
use super::members::Members;
use crate::formats::Record;
use crate::formats::fields::text;
use crate::json::number;
use crate::model::{EventId, EventKind, MaybeNs, RunVerdict, TraceBuilder};

/// What a record says of how well a run did.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Grade<'a> {
    pub score: Option<f64>,
    pub verdict: Option<RunVerdict>,
    /// The text that says most: the first failed assertion, else a reason, else the first assertion.
    pub gist: Option<&'a str>,
}

/// The lists of a record that may hold assertions.
pub(super) const ASSERTIONS: [&str; 3] = ["assertions", "assertion_results", "component_results"];
/// The lists of a record that may hold the graders' own results.
pub(super) const GRADERS: [&str; 3] = ["scores", "graders", "evaluator_results"];

/// An assertion: what it says, whether it holds, why.
#[derive(Clone, Copy)]
pub(super) struct Assertion<'a> {
    pub text: &'a str,
    pub passed: Option<bool>,
    pub evidence: Option<&'a str>,
}

/// The assertions of a grader or of a whole record, `hits` and `misses` among them.
pub(super) fn assertions<'a>(members: &Members<'a>) -> Vec<Assertion<'a>> {
    let mut found = Vec::new();
    let own = members.any_value(&ASSERTIONS);
    let own = own.or_else(|| members.object("evidence").value("assertions"));
    for value in own.unwrap_or_default().items() {
        let Some(item) = Members::new(value) else {
            found.push(Assertion { text: value.raw(), passed: None, evidence: None });
            continue;
        };
        let evidence = item.any(&["evidence", "reason", "reasoning"]);
        found.push(Assertion {
            text: item.any(&["text", "assertion", "name", "reason"]).unwrap_or(value.raw()),
            passed: match item.any(&["passed", "pass"]) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            evidence: evidence.filter(|raw| *raw != "\"\""),
        });
    }
    for (name, passed) in [("hits", true), ("misses", false)] {
        for value in members.value(name).unwrap_or_default().items() {
            found.push(Assertion { text: value.raw(), passed: Some(passed), evidence: None });
        }
    }
    found
}

/// The graders of a record.
pub(super) fn graders<'a>(members: &Members<'a>) -> Vec<Members<'a>> {
    let list = GRADERS.iter().find_map(|name| members.list(name));
    list.unwrap_or_default().items().filter_map(Members::new).collect()
}

impl<'a> Grade<'a> {
    /// The grade of a row or of a `grading.json`.
    pub fn of(members: &Members<'a>) -> Self {
        let graders = graders(members);
        let given = Self::of_graders(&graders);
        let pass = match members.get("pass") {
            Some("true") => Some(RunVerdict::Pass),
            Some("false") => Some(RunVerdict::Fail),
            _ => None,
        };
        let status = match text(members.get("execution_status")).as_deref() {
            Some("quality_failure") => Some(RunVerdict::Fail),
            // An error says nothing of the quality.
            Some("execution_error") => return Self { score: score(members), ..Self::default() },
            _ => None,
        };
        let own = assertions(members);
        Self {
            score: score(members).or(given.score),
            verdict: verdict(members).or(pass).or(given.verdict).or(status),
            gist: telling(&own).or(given.gist).or(members.any(&["reason", "reasoning"])),
        }
    }

    /// The grade that graders give together: the mean of their scores by weight, as AgentV has it, and
    /// a verdict where there is just one.
    fn of_graders(graders: &[Members<'a>]) -> Self {
        let (mut sum, mut weights, mut all) = (0.0, 0.0, !graders.is_empty());
        for grader in graders {
            let weight = grader.get("weight").and_then(number).unwrap_or(1.0);
            match score(grader) {
                Some(score) => sum += score * weight,
                None => all = false,
            }
            weights += weight;
        }
        let own: Vec<Assertion<'a>> = graders.iter().flat_map(assertions).collect();
        Self {
            score: (all && weights > 0.0).then(|| sum / weights).filter(|score| score.is_finite()),
            verdict: match graders {
                [only] => verdict(only),
                _ => None,
            },
            gist: telling(&own),
        }
    }
}

/// A score from 0 to 1.
fn score(members: &Members<'_>) -> Option<f64> {
    members.get("score").and_then(number).filter(|score| (0.0..=1.0).contains(score))
}

fn verdict(members: &Members<'_>) -> Option<RunVerdict> {
    RunVerdict::from_word(&text(members.get("verdict"))?)
}

fn telling<'a>(assertions: &[Assertion<'a>]) -> Option<&'a str> {
    let failed = assertions.iter().find(|it| it.passed == Some(false));
    failed.or_else(|| assertions.first()).map(|it| it.text)
}

/// Pushes what a record says of the run's grade, as an event at the end of the run. Returns both.
pub(super) fn push<'a>(
    record: &Record<'_>,
    members: &Members<'a>,
    at: At,
    out: &mut TraceBuilder,
) -> (EventId, Grade<'a>) {
    let grade = Grade::of(members);
    let id = grading_event(record, grade.gist, at, out);
    let run = out.run_mut(at.run);
    run.score = run.score.or(grade.score);
    run.verdict = run.verdict.or(grade.verdict);
    (id, grade)
}

/// Pushes the scores of a trace, one record each, as one event.
pub(super) fn push_scores(scores: &[Record<'_>], at: At, out: &mut TraceBuilder) {
    let taken: Vec<(Members<'_>, &Record<'_>)> =
        scores.iter().filter_map(|record| Some((Members::new(record.json)?, record))).collect();
    let Some((_, first)) = taken.first() else { return };
    let all: Vec<Members<'_>> =
        scores.iter().filter_map(|record| Members::new(record.json)).collect();
    let grade = Grade::of_graders(&all);
    let inside = grade.gist.filter(|raw| first.span_of(raw).is_some());
    let id = grading_event(first, inside, at, out);
    for (_, record) in taken.iter().skip(1) {
        out.add_record(id, record.place());
    }
    let run = out.run_mut(at.run);
    run.score = run.score.or(grade.score);
    run.verdict = run.verdict.or(grade.verdict);
}

fn grading_event(
    record: &Record<'_>,
    gist: Option<&str>,
    at: At,
    out: &mut TraceBuilder,
) -> EventId {
    let at = At { parent: None, ..at };
    let (id, is_new) = event(EventKind::Note, at, record, Some(at.key("grading", "")), out);
    fill(id, GRADING, MaybeNs::UNKNOWN, MaybeNs::UNKNOWN, out);
    out.put_last(id);
    if is_new {
        summary(id, record, gist, out);
    }
    id
}

/// The name of the event.
pub(super) const GRADING: &str = "grading";

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(raw: &str) -> Grade<'_> {
        Grade::of(&Members::new(raw).unwrap())
    }

    #[test]
    fn grades_of_every_shape() {
        let old = r#"{"assertions":[{"text":"a","passed":true,"evidence":""},{"text":"b","passed":false}],"summary":{"passed":1,"total":2},"graders":[{"score":1,"weight":1,"verdict":"pass"},{"score":0.5,"weight":3}]}"#;
        let found = grade(old);
        assert_eq!((found.score, found.verdict, found.gist), (Some(0.625), None, Some("\"b\"")));
        let new = r#"{"score":0.9,"verdict":"borderline","assertion_results":[{"text":"t","passed":true}],"graders":[]}"#;
        let found = grade(new);
        assert_eq!((found.score, found.verdict), (Some(0.9), Some(RunVerdict::Borderline)));
        assert_eq!(found.gist, Some("\"t\""));
        let late = r#"{"pass":false,"score":0.2,"reason":"why","component_results":[{"pass":false,"score":0,"reason":"r"}]}"#;
        let found = grade(late);
        assert_eq!(
            (found.score, found.verdict, found.gist),
            (Some(0.2), Some(RunVerdict::Fail), Some("\"r\""))
        );
        let row = r#"{"score":1,"evaluator_results":[{"verdict":"pass","score":1}],"hits":["h"],"misses":["m"]}"#;
        let found = grade(row);
        assert_eq!((found.verdict, found.gist), (Some(RunVerdict::Pass), Some("\"m\"")));
        let crash = r#"{"score":0,"execution_status":"execution_error"}"#;
        assert_eq!(grade(crash), Grade { score: Some(0.0), ..Grade::default() });
        assert_eq!(grade(r#"{"score":7,"verdict":3,"graders":{},"hits":1}"#), Grade::default());
    }
}
