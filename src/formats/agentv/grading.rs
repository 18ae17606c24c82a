//! Scores and verdicts: of result rows, of `grading.json` in its three shapes, of traces.

use std::borrow::Cow;

use super::members::Members;
use crate::format::kit::{Description, Item};
use crate::json::{Json, Kind, quoted};
use crate::model::RunVerdict;

/// What a record says of how well a run did.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Grade<'a> {
    pub score: Option<f64>,
    pub verdict: Option<RunVerdict>,
    /// The text that says most: the first failed assertion, else a reason, else the first assertion.
    pub gist: Json<'a>,
}

/// The lists of a record that may hold assertions.
const ASSERTIONS: [&str; 3] = ["assertions", "assertion_results", "component_results"];
/// The lists of a record that may hold the graders' own results.
const GRADERS: [&str; 3] = ["scores", "graders", "evaluator_results"];

/// The name of the event.
pub(super) const GRADING: &str = "grading";

/// An assertion: what it says, whether it holds, why.
#[derive(Clone, Copy)]
struct Assertion<'a> {
    text: Json<'a>,
    passed: Option<bool>,
    evidence: Json<'a>,
}

/// The assertions of a grader or of a whole record, `hits` and `misses` among them.
fn assertions<'a>(members: &Members<'a>) -> Vec<Assertion<'a>> {
    let own = members.at(&ASSERTIONS).given();
    let own = own.unwrap_or(members.object("evidence").at(&["assertions"]));
    let mut found: Vec<_> = own.items().map(Assertion::of).collect();
    for (name, passed) in [("hits", true), ("misses", false)] {
        let texts = members.at(&[name]).items();
        found.extend(texts.map(|text| Assertion {
            text,
            passed: Some(passed),
            evidence: Json::ABSENT,
        }));
    }
    found
}

impl<'a> Assertion<'a> {
    fn of(value: Json<'a>) -> Self {
        let text = value.any(&["text", "assertion", "name", "reason"]);
        Self {
            text: text.given().unwrap_or(value),
            passed: value.any(&["passed", "pass"]).bool(),
            evidence: value.any(&["evidence", "reason", "reasoning"]),
        }
    }
}

/// The graders of a record.
pub(super) fn graders<'a>(members: &Members<'a>) -> Vec<Members<'a>> {
    let list = GRADERS.iter().find_map(|name| members.list(name));
    list.unwrap_or_default().items().filter_map(Members::new).collect()
}

impl<'a> Grade<'a> {
    /// The grade of a row or of a `grading.json`.
    pub fn of(members: &Members<'a>) -> Self {
        let given = Self::of_graders(&graders(members));
        let pass = match members.at(&["pass"]).bool() {
            Some(true) => Some(RunVerdict::Pass),
            Some(false) => Some(RunVerdict::Fail),
            None => None,
        };
        let status = match members.at(&["execution_status"]).text().as_deref() {
            Some("quality_failure") => Some(RunVerdict::Fail),
            // An error says nothing of the quality.
            Some("execution_error") => return Self { score: score(members), ..Self::default() },
            _ => None,
        };
        let gist = telling(&assertions(members)).or_else(|| given.gist.given());
        Self {
            score: score(members).or(given.score),
            verdict: verdict(members).or(pass).or(given.verdict).or(status),
            gist: gist.unwrap_or(members.at(&["reason", "reasoning"])),
        }
    }

    /// The grade that graders give together: the mean of their scores by weight, as AgentV has it, and
    /// a verdict where there is just one.
    fn of_graders(graders: &[Members<'a>]) -> Self {
        let (mut sum, mut weights, mut all) = (0.0, 0.0, !graders.is_empty());
        for grader in graders {
            let weight = grader.at(&["weight"]).number().unwrap_or(1.0);
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
            gist: telling(&own).unwrap_or_default(),
        }
    }
}

/// A score from 0 to 1.
fn score(members: &Members<'_>) -> Option<f64> {
    let score = members.at(&["score"]);
    let is_number = score.kind() == Kind::Number;
    score.number().filter(|score| is_number && (0.0..=1.0).contains(score))
}

fn verdict(members: &Members<'_>) -> Option<RunVerdict> {
    RunVerdict::from_word(&members.at(&["verdict"]).text()?)
}

fn telling<'a>(assertions: &[Assertion<'a>]) -> Option<Json<'a>> {
    let failed = assertions.iter().find(|it| it.passed == Some(false));
    failed.or_else(|| assertions.first()).map(|it| it.text)
}

/// Describes the grade of a row or of a `grading.json`: a note at the end of the run.
pub(super) fn describe<'a>(record: &Members<'a>, out: &mut Description<'a>) {
    let grade = Grade::of(record);
    tell(grade, &assertions(record), &graders(record), out);
}

/// Describes the scores of a trace.
pub(super) fn describe_scores<'a>(scores: Json<'a>, out: &mut Description<'a>) {
    let graders: Vec<_> = scores.items().filter_map(Members::new).collect();
    if !graders.is_empty() {
        tell(Grade::of_graders(&graders), &[], &graders, out);
    }
}

fn tell<'a>(
    grade: Grade<'a>,
    assertions_of_run: &[Assertion<'a>],
    graders: &[Members<'a>],
    out: &mut Description<'a>,
) {
    out.run.score = out.run.score.or(grade.score);
    out.run.verdict = out.run.verdict.or(grade.verdict);
    let score = grade.score.map(|score| Json::new(out.keep(&quoted(&format!("{score:.3}")))));
    let verdict = grade.verdict.map(|verdict| Json::new(out.keep(&quoted(verdict.word()))));
    let item = out.note(GRADING).last().summary(grade.gist);
    let head = [("score", score), ("verdict", verdict)];
    let head = head.into_iter().filter_map(|(label, value)| Some((label.into(), value?)));
    item.group("Score", head.collect());
    marked(assertions_of_run, item);
    for grader in graders {
        let known = ["hits", "misses"].iter().chain(&ASSERTIONS).copied().collect::<Vec<_>>();
        let rest = grader.others(&known);
        item.group("Grader", rest.collect());
        marked(&assertions(grader), item);
    }
}

/// Assertions with their marks; the evidence stands below.
fn marked<'a>(assertions: &[Assertion<'a>], item: &mut Item<'a>) {
    let mut fields: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
    for assertion in assertions {
        let mark = match assertion.passed {
            Some(true) => "✓ passed",
            Some(false) => "✗ failed",
            None => "assertion",
        };
        fields.push((mark.into(), assertion.text));
        fields.push(("evidence".into(), assertion.evidence));
    }
    item.group("Assertions", fields);
}

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
        assert_eq!((found.score, found.verdict, found.gist.raw()), (Some(0.625), None, "\"b\""));
        let new = r#"{"score":0.9,"verdict":"borderline","assertion_results":[{"text":"t","passed":true}],"graders":[]}"#;
        let found = grade(new);
        assert_eq!((found.score, found.verdict), (Some(0.9), Some(RunVerdict::Borderline)));
        assert_eq!(found.gist.raw(), "\"t\"");
        let late = r#"{"pass":false,"score":0.2,"reason":"why","component_results":[{"pass":false,"score":0,"reason":"r"}]}"#;
        let found = grade(late);
        assert_eq!(
            (found.score, found.verdict, found.gist.raw()),
            (Some(0.2), Some(RunVerdict::Fail), "\"r\"")
        );
        let row = r#"{"score":1,"evaluator_results":[{"verdict":"pass","score":1}],"hits":["h"],"misses":["m"]}"#;
        let found = grade(row);
        assert_eq!((found.verdict, found.gist.raw()), (Some(RunVerdict::Pass), "\"m\""));
        let crash = r#"{"score":0,"execution_status":"execution_error"}"#;
        assert_eq!(grade(crash), Grade { score: Some(0.0), ..Grade::default() });
        assert_eq!(grade(r#"{"score":7,"verdict":3,"graders":{},"hits":1}"#), Grade::default());
    }
}
