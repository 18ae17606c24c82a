//! The statistics of a run: groups of calls, the slowest steps, and the distribution of a number over runs.

use crate::files_touched::{FileLine, FilesTouched, has_tool};
use crate::icon::Icon;
use crate::look::look;
use crate::outline::Outline;
use crate::turns::Turn;
use traceloupe_analysis::Spread;
use traceloupe_core::model::{CallOutcome, EventKind, Flags, TimeBasis};
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::statistics::{CallsLine, CallsOf, ShownSpread};

/// A number that a run may have: its label, and the function that returns it.
pub type Measure = (&'static str, fn(&RunLine) -> Option<f64>);

#[expect(clippy::cast_precision_loss)] // counts
const fn whole(n: u64) -> Option<f64> {
    Some(n as f64)
}

/// The label of the total tokens.
pub const TOKENS: &str = "Tokens (input + output)";

/// The numbers whose distribution over runs is shown.
pub const MEASURES: [Measure; 5] = [
    ("Duration (ms)", |run| Some(run.duration_ms).filter(|ms| !ms.is_nan())),
    ("LLM calls", |run| whole(run.given.unwrap_or(run.counts).llm_calls)),
    ("Tool calls", |run| whole(run.given.unwrap_or(run.counts).tool_calls)),
    ("Errors", |run| whole(run.given.unwrap_or(run.counts).errors)),
    (TOKENS, |run| {
        let (input, output) = (run.usage.total_input(), run.usage.output);
        input.or(output)?;
        // A lower bound is not comparable with the totals of other runs.
        if run.usage.unfinished {
            return None;
        }
        whole(input.unwrap_or(0) + output.unwrap_or(0))
    }),
];

/// The distribution of a measure over runs.
#[must_use]
pub fn over_runs(runs: &[RunLine], measure: &Measure) -> ShownSpread {
    Spread::new(runs.iter().filter_map(measure.1).collect()).into()
}

/// The group of calls by tool, which also contains other steps.
pub const BY_TOOL: u8 = 0;

/// The group of calls by model.
pub const BY_MODEL: u8 = 1;

/// The group of calls by agent.
pub const BY_AGENT: u8 = 2;

/// The group of calls by turn.
pub const BY_TURN: u8 = 3;

/// The group of calls by file.
pub const BY_FILE: u8 = 4;

/// The group of calls by the command that they run.
pub const BY_COMMAND: u8 = 5;

/// The turns of a run, if there are several.
#[must_use]
pub fn turns_of(outline: &Outline, run: u32) -> &[Turn] {
    let turns = outline.runs.get(run as usize).map(|run| outline.turns.of(run));
    turns.filter(|turns| turns.len() > 1).unwrap_or_default()
}

/// The line of a turn: its calls, its time without pauses, and its tokens.
#[must_use]
pub fn line_of_turn(turn: &Turn) -> CallsLine {
    let is_timed = !turn.duration_ms.is_nan();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of tokens
    let tokens = |n: f64| (!n.is_nan()).then_some(n as u64);
    CallsLine {
        of: CallsOf::Turn,
        name: turn.number.to_string(),
        n: u64::from(turn.n_calls),
        errors: u64::from(turn.n_errors),
        without_result: 0,
        duration_ms: ShownSpread {
            n: u64::from(is_timed),
            mean: turn.duration_ms,
            percentiles: [turn.duration_ms; 4],
        },
        is_inferred: false,
        tokens: (tokens(turn.tokens_in), tokens(turn.tokens_out)),
        cached: None,
        is_unfinished: turn.is_lower_bound,
    }
}

/// The line of a file: the calls that name it.
#[must_use]
pub fn line_of_file(outline: &Outline, file: &FileLine) -> CallsLine {
    let rows: Vec<u32> = file.calls.iter().map(|it| it.0).collect();
    line_of_rows(outline, CallsOf::File, &file.path, &rows)
}

/// The lines of the commands that calls run, most calls first.
#[must_use]
pub fn lines_of_commands(outline: &Outline, found: &FilesTouched) -> Vec<CallsLine> {
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); found.commands.len()];
    for (id, at) in &found.ran {
        if let (Some(row), Some(rows)) = (outline.row_of(*id), rows.get_mut(*at as usize)) {
            rows.push(row);
        }
    }
    let lines = found.commands.iter().zip(&rows).filter(|(_, rows)| !rows.is_empty());
    let lines = lines.map(|(name, rows)| line_of_rows(outline, CallsOf::Command, name, rows));
    let mut lines: Vec<CallsLine> = lines.collect();
    traceloupe_core::sorting::sort_by_key(&mut lines, |line| std::cmp::Reverse(line.n));
    lines
}

/// The line of some tool calls.
fn line_of_rows(outline: &Outline, of: CallsOf, name: &str, calls: &[u32]) -> CallsLine {
    let rows = &outline.rows;
    let calls = || calls.iter().copied();
    let count = |is: &dyn Fn(CallOutcome) -> bool| {
        calls().filter(|row| is(rows.outcome(*row))).count() as u64
    };
    let times = calls().map(|row| rows.durations_ms.get(row)).filter(|ms| !ms.is_nan());
    let is_inferred = |row| {
        let is_timed = !rows.durations_ms.get(row).is_nan();
        let is_inferred = Flags::from_bits(rows.flags.get(row)).has(Flags::INFERRED_TIME);
        is_timed && (is_inferred || rows.time_basis(row) == TimeBasis::Elapsed)
    };
    CallsLine {
        of,
        name: name.to_owned(),
        n: calls().count() as u64,
        errors: count(&CallOutcome::is_error),
        without_result: count(&|it| it == CallOutcome::Missing),
        duration_ms: Spread::new(times.collect()).into(),
        is_inferred: calls().any(is_inferred),
        tokens: (None, None),
        cached: None,
        is_unfinished: false,
    }
}

/// Whether calls of a run may run commands, because one of its tools has a name like a shell.
#[must_use]
pub fn may_run_commands(outline: &Outline, run: &RunLine) -> bool {
    has_tool(outline, run, |name| look(EventKind::ToolCall, name).0 == Icon::Shell)
}

/// The group that a line belongs to.
#[must_use]
pub fn group(line: &CallsLine) -> u8 {
    match line.of {
        CallsOf::Agent => BY_AGENT,
        CallsOf::Turn => BY_TURN,
        CallsOf::File => BY_FILE,
        CallsOf::Command => BY_COMMAND,
        CallsOf::Kind(EventKind::LlmCall) => BY_MODEL,
        CallsOf::Kind(_) => BY_TOOL,
    }
}

/// Whether a run has calls to count.
#[must_use]
pub fn has_calls(run: &RunLine) -> bool {
    let is_counted = |kind: u8| {
        use EventKind::{Agent, LlmCall, Span, ToolCall};
        matches!(EventKind::from_code(kind), LlmCall | ToolCall | Agent | Span)
    };
    run.kinds.iter().any(|(kind, _)| is_counted(*kind))
}

/// The rows of the LLM calls and tool calls of a run that took longest, at most `n`, longest first.
#[must_use]
pub fn slowest(outline: &Outline, run: &RunLine, n: usize) -> Vec<u32> {
    let rows = &outline.rows;
    let mut found: Vec<u32> = Vec::with_capacity(n + 1);
    for row in run.first_row..run.first_row + run.n_rows {
        let ms = rows.durations_ms.get(row);
        let kind = EventKind::from_code(rows.kinds.get(row));
        let is_call = matches!(kind, EventKind::LlmCall | EventKind::ToolCall);
        let is_copy = Flags::from_bits(rows.flags.get(row)).has(Flags::COPY);
        if !is_call || is_copy || ms.is_nan() || ms <= 0.0 {
            continue;
        }
        let at = found.partition_point(|other| rows.durations_ms.get(*other) >= ms);
        if at < n {
            found.insert(at, row);
            found.truncate(n);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{with_agents, with_timed_kinds};
    use EventKind::{Agent, LlmCall, Note, Span, ToolCall};
    use traceloupe_protocol::touched::Touch;

    #[test]
    fn lines_are_in_groups_by_their_kind() {
        let group_of = |of: CallsOf| {
            let spread = ShownSpread::default();
            group(&CallsLine {
                of,
                name: String::new(),
                n: 0,
                errors: 0,
                without_result: 0,
                duration_ms: spread,
                is_inferred: false,
                tokens: (None, None),
                cached: None,
                is_unfinished: false,
            })
        };
        let kind = CallsOf::Kind;
        let all = [kind(ToolCall), kind(LlmCall), CallsOf::Agent, kind(Agent), kind(Span)];
        assert_eq!(all.map(group_of), [BY_TOOL, BY_MODEL, BY_AGENT, BY_TOOL, BY_TOOL]);
    }

    #[test]
    fn a_turn_is_a_line_with_its_calls_time_and_tokens() {
        let turn = Turn {
            number: 2,
            n_calls: 5,
            n_errors: 1,
            tokens_in: 40.0,
            tokens_out: f64::NAN,
            duration_ms: 1_500.0,
            ..Turn::default()
        };
        let line = line_of_turn(&turn);
        assert_eq!((group(&line), line.name.as_str()), (BY_TURN, "2"));
        assert_eq!((line.n, line.errors, line.tokens), (5, 1, (Some(40), None)));
        assert_eq!((line.duration_ms.n, line.duration_ms.mean), (1, 1_500.0));
        let untimed = line_of_turn(&Turn { duration_ms: f64::NAN, ..turn });
        assert_eq!(untimed.duration_ms.n, 0);
    }

    #[test]
    fn a_file_is_a_line_with_the_calls_that_name_it() {
        let times = [(1, 0.0, 5.0), (1, 9.0, f64::NAN), (1, 9.0, 7.0)];
        let outline = with_timed_kinds(&times, &[ToolCall, ToolCall, ToolCall], &[]);
        let touch = Touch::default();
        let mut file = FileLine::default();
        "a/b.rs".clone_into(&mut file.path);
        file.calls = vec![(0, touch), (1, touch), (2, touch)];
        let line = line_of_file(&outline, &file);
        assert_eq!((group(&line), line.name.as_str(), line.n), (BY_FILE, "a/b.rs", 3));
        assert_eq!((line.duration_ms.n, line.duration_ms.mean), (2, 6.0));
    }

    #[test]
    fn a_command_is_a_line_with_the_calls_that_run_it() {
        let times = [(1, 0.0, 5.0), (1, 9.0, 1.0), (1, 9.0, 7.0)];
        let outline = with_timed_kinds(&times, &[ToolCall, ToolCall, ToolCall], &[]);
        let found = FilesTouched {
            commands: vec!["ls".to_owned(), "go test".to_owned()],
            ran: vec![(0, 1), (1, 0), (2, 1), (99, 0)],
            ..FilesTouched::default()
        };
        let lines = lines_of_commands(&outline, &found);
        let said: Vec<_> = lines.iter().map(|it| (it.name.as_str(), it.n, group(it))).collect();
        assert_eq!(said, [("go test", 2, BY_COMMAND), ("ls", 1, BY_COMMAND)]);
        assert_eq!(lines[0].duration_ms.mean, 6.0);
    }

    #[test]
    fn notes_are_no_calls() {
        let of = |kinds: &[EventKind]| {
            let rows: Vec<_> = kinds.iter().map(|kind| (0, *kind, 0)).collect();
            has_calls(&with_agents(&rows).runs[0])
        };
        assert!(of(&[Note, Span]) && of(&[LlmCall]));
        assert!(!of(&[Note]));
    }

    #[test]
    fn the_slowest_steps_are_calls() {
        let times =
            [(0, 0.0, 99.0), (1, 0.0, 5.0), (1, 9.0, f64::NAN), (1, 9.0, 7.0), (1, 9.0, 5.0)];
        let outline = with_timed_kinds(&times, &[Agent, LlmCall, ToolCall, ToolCall, LlmCall], &[]);
        let of = |n| slowest(&outline, &outline.runs[0], n);
        assert_eq!(of(9), [3, 1, 4]);
        assert_eq!(of(2), [3, 1]);
        assert_eq!(of(0), [0; 0]);
    }
}
