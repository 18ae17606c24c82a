//! Scores and verdicts: of result rows, of `grading.json` in its three shapes, of traces.

use std::borrow::Cow;

use super::keys::{Keys, is_same_name};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::RunVerdict;
use traceloupe_engine::kit::{Description, Item};

/// How well a run did, according to a record.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Grade<'a> {
    pub score: Option<f64>,
    pub verdict: Option<RunVerdict>,
    /// The most informative text: the first failed assertion, else a reason, else the first assertion.
    pub gist: Json<'a>,
}

/// The lists of a record that may hold assertions.
const ASSERTIONS: &str = "assertions|assertion_results|component_results|evidence.assertions";

/// The name of the event.
pub(super) const GRADING: &str = "grading";

/// An assertion: its text, whether it holds, and why.
type Assertion<'a> = (Json<'a>, Option<bool>, Json<'a>);

/// Adds the assertions of a grader or of a whole record, including `hits` and `misses`.
fn assertions<'a>(of: &Keys<'a>, found: &mut Vec<Assertion<'a>>) {
    for it in of.at(ASSERTIONS).items() {
        let text = it.any(&["text", "assertion", "name", "reason"]).or(it);
        let why = it.any(&["evidence", "reason", "reasoning"]);
        found.push((text, it.any(&["passed", "pass"]).bool(), why));
    }
    for (name, passed) in [("hits", true), ("misses", false)] {
        found.extend(of.at(name).items().map(|it| (it, Some(passed), Json::ABSENT)));
    }
}

/// The graders of a record.
pub(super) fn graders<'a>(of: &Keys<'a>) -> Vec<Keys<'a>> {
    let list = ["scores", "graders", "evaluator_results"].iter().find_map(|name| of.list(name));
    let graders = list.unwrap_or_default().items().filter(|it| it.kind() == Kind::Object);
    graders.map(Keys::new).collect()
}

impl<'a> Grade<'a> {
    /// The grade of a row, a trace or a `grading.json`: its own, else the combined grade of its graders.
    pub fn of(record: &Keys<'a>) -> Self {
        let graders = graders(record);
        let status = record.at("execution_status");
        if status.is("execution_error") {
            // An error does not measure quality.
            return Self { score: score(record), ..Self::default() };
        }
        let passed = record.at("pass").bool().map(RunVerdict::of);
        let only = match graders.as_slice() {
            [only] => verdict(only),
            _ => None,
        };
        let failed = status.is("quality_failure").then_some(RunVerdict::Fail);
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        assertions(record, &mut own);
        graders.iter().for_each(|it| assertions(it, &mut theirs));
        let gist = telling(&own).or_else(|| telling(&theirs));
        Self {
            score: score(record).or_else(|| mean(&graders)),
            verdict: verdict(record).or(passed).or(only).or(failed),
            gist: gist.unwrap_or(record.at("reason|reasoning")),
        }
    }
}

/// The mean of the graders' scores by weight, as AgentV computes it.
fn mean(graders: &[Keys<'_>]) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for grader in graders {
        let weight = grader.at("weight").number().unwrap_or(1.0);
        sum += score(grader)? * weight;
        weights += weight;
    }
    (weights > 0.0).then(|| sum / weights).filter(|score| score.is_finite())
}

/// A score from 0 to 1.
fn score(of: &Keys<'_>) -> Option<f64> {
    let score = of.at("score");
    let is_number = score.kind() == Kind::Number;
    score.number().filter(|score| is_number && (0.0..=1.0).contains(score))
}

fn verdict(of: &Keys<'_>) -> Option<RunVerdict> {
    RunVerdict::from_word(&of.at("verdict").text()?)
}

fn telling<'a>(assertions: &[Assertion<'a>]) -> Option<Json<'a>> {
    let failed = assertions.iter().find(|it| it.1 == Some(false));
    failed.or_else(|| assertions.first()).map(|it| it.0)
}

/// Describes the grade of a record: a note at the end of the run.
pub(super) fn describe<'a>(record: &Keys<'a>, out: &mut Description<'a>) {
    let grade = Grade::of(record);
    (out.run.grade.score, out.run.grade.verdict) = (grade.score, grade.verdict);
    let score = grade.score.map(|score| out.string(&format!("{score:.3}")));
    let verdict = grade.verdict.map(|verdict| out.string(verdict.word()));
    let head = [("score", score), ("verdict", verdict)];
    let head = head.map(|(label, value)| (label.into(), value.unwrap_or_default()));
    let item = out.note(GRADING).last().summary(grade.gist).group("Score", head.to_vec());
    marked(record, item);
    for grader in graders(record) {
        let told = |key: &str| ASSERTIONS.split('|').any(|name| is_same_name(key, name));
        let is_told = |key: &str| matches!(key, "hits" | "misses") || told(key);
        item.group("Grader", grader.json.members().filter(|it| !is_told(&it.0)).collect());
        marked(&grader, item);
    }
}

/// Adds assertions with their marks; the evidence follows below them.
fn marked<'a>(of: &Keys<'a>, item: &mut Item<'a>) {
    let mut found = Vec::new();
    assertions(of, &mut found);
    let mut fields: Vec<(Cow<'a, str>, Json<'a>)> = Vec::new();
    for (text, passed, evidence) in found {
        let mark = match passed {
            Some(true) => "✓ passed",
            Some(false) => "✗ failed",
            None => "assertion",
        };
        fields.extend([(mark.into(), text), ("evidence".into(), evidence)]);
    }
    item.group("Assertions", fields);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(raw: &str) -> Grade<'_> {
        Grade::of(&Keys::new(Json::new(raw)))
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
