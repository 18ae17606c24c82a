//! The common turns of two runs when one of them continues after the other stops. Numbers of the whole runs would
//! compare different amounts of work.

use crate::outline::Outline;
use traceloupe_core::model::{EventKind, Flags, Usage};
use traceloupe_protocol::context_use::ContextUse;
use traceloupe_protocol::outline::{Counts, RunLine};
use traceloupe_protocol::run_comparison::PairLine;

/// The last turn that both runs have, if one of them continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedPart {
    /// The number of the turn, in the run that stops.
    pub turn: u32,
    /// Whether the first run is the one that stops.
    pub first_stops: bool,
    /// For each run, the row after the last row of that turn.
    pub ends: [u32; 2],
}

/// The point up to which two aligned runs do the same work: the end of the last turn that both have, if exactly one of
/// them has more turns after it. `heads` marks the lines that begin a turn.
#[must_use]
pub fn shared_part(outline: &Outline, lines: &[PairLine], heads: &[bool]) -> Option<SharedPart> {
    let ids = |line: &PairLine| Some([line.first?, line.second?]);
    let mut both = lines.iter().zip(heads).filter(|it| *it.1).filter_map(|(line, _)| ids(line));
    let last = both.next_back()?.map(|id| outline.turns.around(outline.row_of(id)?));
    let [Some(first), Some(second)] = last else { return None };
    let goes_on = |end: u32, row: u32| {
        outline.run_of(row).is_some_and(|(_, run)| end < run.first_row + run.n_rows)
    };
    let is_on = [first, second].map(|turn| goes_on(turn.end, turn.row));
    let (stops, first_stops) = match is_on {
        [true, false] => (second, false),
        [false, true] => (first, true),
        _ => return None,
    };
    Some(SharedPart { turn: stops.number, first_stops, ends: [first.end, second.end] })
}

impl SharedPart {
    /// How many of the lines belong to this part.
    #[must_use]
    pub fn n_lines(&self, outline: &Outline, lines: &[PairLine]) -> usize {
        let is_in = |id: Option<u32>, end: u32| {
            id.and_then(|id| outline.row_of(id)).is_none_or(|row| row < end)
        };
        let is_behind =
            |line: &PairLine| !is_in(line.first, self.ends[0]) || !is_in(line.second, self.ends[1]);
        lines.iter().position(is_behind).unwrap_or(lines.len())
    }
}

/// A run as if it ended before a row.
#[must_use]
pub fn until(outline: &Outline, run: &RunLine, end: u32) -> RunLine {
    let rows = &outline.rows;
    let mut part = RunLine { n_rows: end - run.first_row, given: None, ..run.clone() };
    let (mut counts, mut usage) = (Counts::default(), Usage::default());
    let mut tools: Vec<(u32, u64)> = Vec::new();
    let mut end_ms = f64::NAN;
    let mut fullest = 0.0_f64;
    // The file states these for the whole run.
    part.facts = Vec::new();
    for row in run.first_row..end {
        let (kind, flags) = (rows.kinds.get(row), Flags::from_bits(rows.flags.get(row)));
        let lasts_ms = Some(rows.durations_ms.get(row)).filter(|ms| !ms.is_nan()).unwrap_or(0.0);
        end_ms = end_ms.max(rows.starts_ms.get(row) + lasts_ms);
        if flags.has(Flags::COPY) {
            continue;
        }
        let failed = rows.outcome(row).is_error();
        counts.errors += u64::from(failed || kind == EventKind::Error as u8);
        counts.llm_calls += u64::from(kind == EventKind::LlmCall as u8);
        if kind == EventKind::ToolCall as u8 {
            counts.tool_calls += 1;
            let name = rows.names.get(row);
            match tools.iter_mut().find(|known| known.0 == name) {
                Some(known) => known.1 += 1,
                None => tools.push((name, 1)),
            }
        }
        if flags.usage_counts() {
            add(&mut usage.input, rows.tokens_in.get(row));
            add(&mut usage.output, rows.tokens_out.get(row));
            usage.unfinished |= flags.has(Flags::UNFINISHED_USAGE);
            if kind == EventKind::LlmCall as u8 && is_main(run, rows.lanes.get(row)) {
                fullest = fullest.max(rows.tokens_in.get(row));
            }
        }
    }
    let wall_ms = end_ms - run.start_ms;
    part.idle_ms.retain(|idle| idle.1 <= end_ms);
    part.duration_ms = if wall_ms < run.duration_ms { wall_ms } else { run.duration_ms };
    let tokens = whole(fullest);
    part.context = run.context.filter(|_| tokens > 0).map(|it| ContextUse { tokens, ..it });
    (part.counts, part.usage, part.tools) = (counts, usage, tools);
    part
}

fn is_main(run: &RunLine, lane: u16) -> bool {
    run.lanes.get(usize::from(lane)).is_none_or(|lane| lane.is_main)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of tokens
fn whole(n: f64) -> u64 {
    n.max(0.0) as u64
}

fn add(sum: &mut Option<u64>, n: f64) {
    if !n.is_nan() {
        *sum = Some(sum.unwrap_or(0) + whole(n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{of_two_runs, talk};
    use traceloupe_protocol::run_comparison::Fate;

    /// Two runs of the same conversation. The second run has only the first turn.
    fn pairs() -> (Outline, Vec<PairLine>, Vec<bool>) {
        let outline = of_two_runs(&talk(), 6);
        let line = |row: u32| PairLine {
            first: Some(row),
            second: (row < 6).then_some(row + 10),
            fate: if row < 6 { Fate::Same } else { Fate::OnlyFirst },
            ..PairLine::default()
        };
        let lines: Vec<PairLine> = (0..10).map(line).collect();
        let heads = (0..10).map(|row| [0, 6].contains(&row)).collect();
        (outline, lines, heads)
    }

    #[test]
    fn where_one_run_goes_on_both_count_to_the_turn_at_which_the_other_stops() {
        let (outline, lines, heads) = pairs();
        let part = shared_part(&outline, &lines, &heads).unwrap();
        assert_eq!(part, SharedPart { turn: 1, first_stops: false, ends: [6, 16] });
        assert_eq!(part.n_lines(&outline, &lines), 6);
        let whole = &outline.runs[0];
        let first = until(&outline, whole, part.ends[0]);
        assert_eq!((first.n_rows, first.counts.llm_calls, first.counts.tool_calls), (6, 2, 2));
        assert_eq!(first.tools, [(0, 2)]);
    }

    #[test]
    fn runs_with_the_same_turns_are_counted_whole() {
        let (outline, lines, heads) = pairs();
        let shared = &lines[..6];
        let same = of_two_runs(&talk(), 10);
        let lines: Vec<PairLine> = (0..10)
            .map(|row| PairLine { first: Some(row), second: Some(row + 10), ..PairLine::default() })
            .collect();
        assert_eq!(shared_part(&same, &lines, &heads), None);
        assert_eq!(shared_part(&outline, shared, &[false; 6]), None, "no turn is shared");
    }
}
