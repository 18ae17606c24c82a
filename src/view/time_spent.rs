//! Where the active time of a run went, by its critical path: the events that the end of the run had to wait for.

use crate::icon::Icon;
use crate::look::look;
use crate::outline::Outline;
use crate::time_categories::{Taker, around, taken_by};
use crate::waterfall::Waterfall;
use traceloupe_core::model::EventKind;
use traceloupe_core::sorting;
use traceloupe_protocol::outline::RunLine;

/// All of them, in numerical order.
const TAKERS: [Taker; 9] = [
    Taker::Models,
    Taker::Shell,
    Taker::Files,
    Taker::Web,
    Taker::Agents,
    Taker::Tools,
    Taker::Others,
    Taker::Person,
    Taker::Nothing,
];

/// Time spent on something.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeShare {
    /// What it was spent on.
    pub taker: Taker,
    /// How much, in milliseconds.
    pub ms: f64,
    /// How much of it was spent on the steps of possible loops.
    pub loop_ms: f64,
}

/// Where the active time went: largest part first, and the time without events last.
#[must_use]
pub fn time_spent(outline: &Outline, run: &RunLine) -> Vec<TimeShare> {
    let waterfall = Waterfall::new(outline, run, false);
    let loops = rows_of_loops(outline, run);
    let mut groups = Groups::default();
    let mut shares = TAKERS.map(|taker| TimeShare { taker, ms: 0.0, loop_ms: 0.0 });
    for (row, from, to) in waterfall.critical_path() {
        let (mut taker, row) = taken_by(outline, *row);
        if taker == Taker::Tools {
            taker = groups.of(outline, outline.rows.names.get(row));
        }
        if let Some(share) = shares.get_mut(taker as usize) {
            let ms = run.active_between_ms(*from, *to);
            share.ms += ms;
            if loops.get((row - run.first_row) as usize) == Some(&true) {
                share.loop_ms += ms;
            }
        }
    }
    let rest_ms = run.active_between_ms(run.start_ms, run.end_ms) - waterfall.critical_ms;
    // An unknown rest counts as 0.
    let rest_ms = rest_ms.max(0.0);
    let person_ms = waited_ms(outline, run).min(rest_ms);
    for share in &mut shares {
        match share.taker {
            Taker::Person => share.ms = person_ms,
            Taker::Nothing => share.ms = rest_ms - person_ms,
            _ => {}
        }
    }
    let mut shares: Vec<TimeShare> = shares.into_iter().filter(|share| share.ms > 0.0).collect();
    let is_rest = |share: &TimeShare| matches!(share.taker, Taker::Person | Taker::Nothing);
    sorting::sort_by(&mut shares, |a, b| is_rest(a).cmp(&is_rest(b)).then(b.ms.total_cmp(&a.ms)));
    shares
}

/// The groups of the tools seen so far, by the index of their names.
#[derive(Default)]
struct Groups(Vec<Option<Taker>>);

impl Groups {
    fn of(&mut self, outline: &Outline, name: u32) -> Taker {
        let at = name as usize;
        if let Some(Some(known)) = self.0.get(at) {
            return *known;
        }
        let group = match look(EventKind::ToolCall, outline.name(name)).0 {
            Icon::Shell => Taker::Shell,
            Icon::Read | Icon::Edit | Icon::Search => Taker::Files,
            Icon::Web | Icon::Mcp => Taker::Web,
            Icon::Agent => Taker::Agents,
            _ => Taker::Tools,
        };
        self.0.resize(self.0.len().max(at + 1), None);
        if let Some(slot) = self.0.get_mut(at) {
            *slot = Some(group);
        }
        group
    }
}

/// Which rows of a run are steps of possible loops: the calls, and the LLM calls that requested them.
fn rows_of_loops(outline: &Outline, run: &RunLine) -> Vec<bool> {
    const MAX_LEVELS: usize = 8;
    let mut found = vec![false; run.n_rows as usize];
    for row in run.first_row..run.first_row + run.n_rows {
        if !outline.loops.has(row) {
            continue;
        }
        let is_llm = |row: &u32| outline.rows.kinds.get(*row) == EventKind::LlmCall as u8;
        let mut up = std::iter::successors(Some(row), around(outline)).take(MAX_LEVELS);
        for row in [Some(row), up.find(is_llm)].into_iter().flatten() {
            if let Some(found) = found.get_mut((row - run.first_row) as usize) {
                *found = true;
            }
        }
    }
    found
}

/// The total active time from the end of the last step of a turn to the message that begins the next one. Turns whose
/// end is unknown are left out, because the model may have been working.
fn waited_ms(outline: &Outline, run: &RunLine) -> f64 {
    let rows = &outline.rows;
    let (mut until, mut is_end, mut waited) = (f64::NAN, false, 0.0);
    for row in run.first_row..run.first_row + run.n_rows {
        let start = rows.starts_ms.get(row);
        if start > until && is_end && outline.turns.at(row).is_some() {
            waited += run.active_between_ms(until, start);
        }
        let kind = EventKind::from_code(rows.kinds.get(row));
        use EventKind::{Agent, LlmCall, Span, ToolCall};
        if matches!(kind, LlmCall | ToolCall | Agent | Span) {
            let duration = rows.durations_ms.get(row);
            let end = start + duration.max(0.0);
            if until.is_nan() || end >= until {
                (until, is_end) = (end, !duration.is_nan());
            }
        }
    }
    waited
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        with_findings, with_kinds, with_nested_times, with_timed_kinds, with_times,
    };
    use traceloupe_protocol::finding::Severity;
    use traceloupe_protocol::outline::FindingLine;

    fn spent(outline: &Outline) -> Vec<(Taker, f64, f64)> {
        let shares = time_spent(outline, &outline.runs[0]);
        shares.into_iter().map(|it| (it.taker, it.ms, it.loop_ms)).collect()
    }

    #[test]
    fn time_is_spent_by_kind_and_what_is_not_recorded_is_said() {
        let mut outline = with_times(&[(0.0, 10.0), (10.0, 15.0), (60.0, 40.0)]);
        outline.runs[0].end_ms = 100.0;
        assert_eq!(spent(&outline), [(Taker::Tools, 65.0, 0.0), (Taker::Nothing, 35.0, 0.0)]);
    }

    #[test]
    fn a_call_takes_its_time_after_the_answer_that_asked_for_it() {
        // The second row is nested in the answer and begins just before the answer ends.
        let outline = with_nested_times(&[(0, 0.0, 100.0), (1, 98.0, 900.0), (1, 20.0, 60.0)]);
        assert_eq!(spent(&outline), [(Taker::Tools, 998.0, 0.0)]);
    }

    #[test]
    fn the_person_is_waited_for_from_the_last_step_to_the_next_message() {
        use EventKind::{Note, ToolCall, UserMessage};
        let times = [(0, 0.0, 0.0), (0, 0.0, 10.0), (0, 12.0, 0.0), (0, 30.0, 0.0), (0, 35.0, 5.0)];
        let kinds = [UserMessage, ToolCall, Note, UserMessage, ToolCall];
        let outline = with_timed_kinds(&times, &kinds, &[]);
        let expected =
            [(Taker::Tools, 15.0, 0.0), (Taker::Person, 20.0, 0.0), (Taker::Nothing, 5.0, 0.0)];
        assert_eq!(spent(&outline), expected);
        let mut unknown = times;
        unknown[1].2 = f64::NAN;
        let outline = with_timed_kinds(&unknown, &kinds, &[]);
        assert!(spent(&outline).iter().all(|it| it.0 != Taker::Person), "no end, no waiting");
        let idle = with_timed_kinds(&times, &kinds, &[(10.0, 30.0)]);
        assert_eq!(spent(&idle)[1], (Taker::Nothing, 5.0, 0.0), "pauses are no active time");
    }

    #[test]
    fn what_a_call_waits_for_is_its_own_time() {
        let kinds = [EventKind::Agent, EventKind::LlmCall, EventKind::Span, EventKind::Span];
        let outline = with_kinds(&[0, 1, 2, 1], kinds.into_iter());
        let taken: Vec<Taker> = (0..4).map(|row| taken_by(&outline, row).0).collect();
        use Taker::{Models, Others};
        assert_eq!(taken, [Others, Models, Models, Others]);
    }

    #[test]
    fn tools_are_grouped_by_their_names() {
        let mut outline = with_times(&[(0.0, 1.0)]);
        outline.names = ["", "Bash", "Grep", "mcp__a__b", "Task", "book"].into_iter().collect();
        let mut groups = Groups::default();
        let found = [1, 2, 3, 4, 5, 1, 0].map(|name| groups.of(&outline, name));
        use Taker::{Agents, Files, Shell, Tools, Web};
        assert_eq!(found, [Shell, Files, Web, Agents, Tools, Shell, Tools]);
    }

    #[test]
    fn a_loop_has_its_calls_and_what_asked_for_them() {
        let finding = FindingLine {
            severity: Severity::Critical,
            rows: [1, 4].into_iter().collect(),
            ..FindingLine::default()
        };
        let outline = with_findings(&[0, 1, 0, 0, 1, 1], &[finding]);
        let rows = rows_of_loops(&outline, &outline.runs[0]);
        assert_eq!(rows, [true, true, false, true, true, false]);
    }
}
