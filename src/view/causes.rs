//! Findings and errors together with what is known of their events: what was called, and why it failed.

use rustc_hash::FxHashSet;

use crate::attempts::worked_in_the_end;
use crate::list::line_view::row_name;
use crate::outline::Outline;
use traceloupe_analysis::rules::errors::{self, Failed};
use traceloupe_core::model::{EventId, LaneId, RunId, hash_of};
use traceloupe_core::reason::Reason;
use traceloupe_protocol::causes::{Causes, Failure, Repair};
use traceloupe_protocol::outline::FindingLine;
use traceloupe_words::findings::{self, About, Said};
use traceloupe_words::reason;

/// The summary of an event; empty if it has not been requested.
#[must_use]
pub fn call_of(causes: &Causes, id: u32) -> &str {
    causes.calls.iter().find(|it| it.0 == id).map_or("", |it| it.1.as_str())
}

/// Why an event failed; empty if it did not fail or if the reason is unknown.
#[must_use]
pub fn reason_of(causes: &Causes, id: u32) -> String {
    let failure = causes.failures.iter().find(|failure| failure.id == id);
    failure.map(|it| reason(&it.reason)).unwrap_or_default()
}

/// What a reason adds to the badge of its row: nothing for ``exit 1``, ``no such file`` for ``exit 1: no such file``.
#[must_use]
pub fn beyond_badge(badge: &str, reason: &str) -> String {
    let rest = reason.strip_prefix(badge).unwrap_or(reason);
    rest.trim_start_matches([':', ' ']).to_owned()
}

/// The errors of a run, with similar ones grouped. Failed repetitions of a possible loop are left out, because the loop
/// reports them. Until the errors have been analysed, only the first one is known.
#[must_use]
pub fn errors(outline: &Outline, run: u32, causes: &Causes) -> Vec<FindingLine> {
    let known = if causes.run == run { known_errors(outline, causes) } else { Vec::new() };
    let first = outline.runs.get(run as usize).and_then(|it| it.first_error);
    let first = first.filter(|_| causes.run != run).map(|row| {
        // A group of its own, so there is nothing that it could be like.
        let reason = Reason::of_label(outline.error(row).map(str::to_owned));
        let id = outline.rows.ids.get(row);
        failed(outline, &Failure { id, reason, ..Failure::default() }, "")
    });
    let all = known.into_iter().chain(first);
    let is_mended = |events: &[EventId]| {
        let rows = events.iter().filter_map(|id| outline.row_of(id.number()));
        worked_in_the_end(outline, &rows.collect::<Vec<_>>())
    };
    let found = errors::find(RunId::from_index(run as usize), all, is_mended);
    found.iter().map(|it| outline.line_of(it)).collect()
}

fn known_errors(outline: &Outline, causes: &Causes) -> Vec<Failed> {
    let mut repeated: FxHashSet<u32> = FxHashSet::default();
    for finding in outline.findings.iter().filter(|it| it.is_loud() && it.fails()) {
        repeated.extend(finding.rows.as_slice());
    }
    let is_new = |id: u32| outline.row_of(id).is_none_or(|row| !repeated.contains(&row));
    let failures = causes.failures.iter().filter(|it| is_new(it.id));
    failures.map(|it| failed(outline, it, call_of(causes, it.id))).collect()
}

fn failed(outline: &Outline, failure: &Failure, call: &str) -> Failed {
    let Failure { id, reason, alike, repair } = failure;
    let row = outline.row_of(*id).unwrap_or(u32::MAX);
    // Of calls that fail without a word, only equal ones are known to fail alike.
    let call = if reason.line.is_empty() { call } else { "" };
    let name = (outline.rows.kinds.get(row), outline.rows.names.get(row));
    Failed {
        event: EventId::from_index(*id as usize),
        lane: LaneId::from_index(usize::from(outline.rows.lanes.get(row))),
        key: hash_of((name, reason.class, alike, call)),
        reason: reason.clone(),
        is_fixed: match repair {
            Repair::Unknown => None,
            Repair::By(_) => Some(true),
            Repair::Never => Some(false),
        },
    }
}

/// The description of a finding: what was called, and why it failed each time. `path` is the path of its file as
/// displayed.
#[must_use]
pub fn said_of(outline: &Outline, line: &FindingLine, causes: &Causes, path: &str) -> Said {
    let id = outline.rows.ids.get(line.mark);
    let (name, why) = (row_name(outline, line.mark), reason_of(causes, id));
    let about = About { name: &name, call: call_of(causes, id), why: &why, path };
    findings::said(&line.into(), &|id| outline.name_of(id), &about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, outline, repeated};
    use traceloupe_core::model::ErrorLabel;
    use traceloupe_protocol::finding::{Arguments, Evidence, Results, Steps};

    #[test]
    fn what_is_said_of_a_finding_is_of_the_event_that_it_leads_to() {
        let outline = outline(&[0, 1, 1]);
        let mut line = finding(&[1]);
        line.mark = 1;
        let Evidence::Steps(steps) = repeated(4, Arguments::Same) else { panic!() };
        let block = vec![(
            traceloupe_core::model::EventKind::ToolCall,
            traceloupe_core::model::NameId::NONE,
        )];
        line.evidence = Evidence::Steps(Steps { block, results: Results::Errors, ..steps });
        let reason = Reason::of(ErrorLabel::None, "no rg");
        let failure = Failure { id: 1, reason, ..Failure::default() };
        let causes = Causes { failures: vec![failure], ..Causes::default() };
        let said = said_of(&outline, &line, &causes, "");
        let words = "an unnamed tool was called 4 times with the same arguments, failing each time";
        assert_eq!(said.headline.marked(), words);
        assert_eq!(said.sentence.marked(), format!("{words}: no rg"));
        assert_eq!(said.rest.marked(), "no rg");
    }

    #[test]
    fn a_badge_is_not_said_again() {
        assert_eq!(beyond_badge("exit 1", "exit 1: no such file"), "no such file");
        assert_eq!(beyond_badge("failed", "no such file"), "no such file");
        assert_eq!(beyond_badge("Timeout", "Timeout"), "");
        assert_eq!(beyond_badge("failed", ""), "");
    }

    #[test]
    fn calls_that_fail_without_a_word_are_alike_only_if_they_are_equal() {
        let outline = outline(&[0, 1, 1, 1]);
        let failure = |id| Failure {
            id,
            reason: Reason::of(ErrorLabel::ExitCode(1), ""),
            ..Failure::default()
        };
        let causes = Causes {
            failures: [1, 2, 3].map(failure).to_vec(),
            calls: [(1, "make a"), (2, "make b"), (3, "make a")]
                .map(|it| (it.0, it.1.to_owned()))
                .to_vec(),
            ..Causes::default()
        };
        let groups = errors(&outline, 0, &causes);
        let rows: Vec<_> = groups.iter().map(|it| it.rows.as_slice()).collect();
        assert_eq!(rows, [[1, 3].as_slice(), &[2]]);
    }

    #[test]
    fn errors_that_are_alike_are_one_group() {
        let outline = outline(&[0, 1, 1, 1, 0]);
        let failure = |(id, text): (u32, &str)| {
            let reason = Reason::of(ErrorLabel::None, text);
            Failure { id, alike: hash_of(reason.key()), reason, ..Failure::default() }
        };
        let told = [
            (1, "line 1: no rg"),
            (2, "ls: /b: No such file"),
            (3, "line 7: no rg"),
            (4, "line 1: no rg"),
        ];
        let causes = Causes {
            failures: told.map(failure).to_vec(),
            calls: vec![(1, "rg a".to_owned())],
            ..Causes::default()
        };
        let groups = errors(&outline, 0, &causes);
        let said: Vec<_> = groups
            .iter()
            .map(|it| {
                let said = said_of(&outline, it, &causes, "");
                (it.rows.as_slice(), said.sentence.marked())
            })
            .collect();
        let rows = [[1, 3].as_slice(), &[2], &[4]];
        let words = [
            "2 × `Unnamed tool` failed: line 1: no rg, such as `rg a`",
            "`Unnamed tool` failed: ls: /b: No such file",
            "`LLM call` failed: line 1: no rg",
        ];
        let words = words.map(str::to_owned);
        assert_eq!(said, rows.into_iter().zip(words).collect::<Vec<_>>());
    }
}
