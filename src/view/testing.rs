//! Small outlines for tests.

use std::sync::Arc;

use crate::assembly::Assembly;
use crate::outline::Outline;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::finding::{Arguments, Evidence, Rule, Severity, Steps};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::outline::{ColumnsShown, FindingLine, LaneLine, RunLine};
use traceloupe_protocol::row_columns::RowSlice;

/// One run with rows of these depths: LLM calls at depth 0, tool calls below. Ids equal rows.
pub fn outline(depths: &[u16]) -> Outline {
    with_findings(depths, &[])
}

/// The same, with findings.
pub fn with_findings(depths: &[u16], findings: &[FindingLine]) -> Outline {
    let kind = |depth: &u16| if *depth == 0 { EventKind::LlmCall } else { EventKind::ToolCall };
    let ids: Vec<u32> = (0..).take(depths.len()).collect();
    assembled(depths, &ids, depths.iter().map(kind), findings)
}

/// One run with rows of these depths and kinds.
pub fn with_kinds(depths: &[u16], kinds: impl Iterator<Item = EventKind>) -> Outline {
    let ids: Vec<u32> = (0..).take(depths.len()).collect();
    assembled(depths, &ids, kinds, &[])
}

/// One run with rows of these depths and ids.
pub fn with_ids(depths: &[u16], ids: &[u32]) -> Outline {
    assembled(depths, ids, depths.iter().map(|_| EventKind::ToolCall), &[])
}

/// One run with rows of these depths, kinds and agents.
pub fn with_agents(rows: &[(u16, EventKind, u16)]) -> Outline {
    let n = u32::try_from(rows.len()).unwrap();
    let last = rows.iter().map(|row| row.2).max().unwrap_or(0);
    let lane =
        |at| LaneLine { name: format!("agent {at}"), is_main: at == 0, ..LaneLine::default() };
    let kinds = rows.iter().map(|row| (row.1 as u8, 1)).collect();
    let lanes = (0..=last).map(lane).collect();
    let mut assembly = Assembly::new(OutlineHead {
        runs: vec![RunLine { n_rows: n, lanes, kinds, ..RunLine::default() }],
        n_rows: n,
        ..OutlineHead::default()
    });
    assembly.append(&RowSlice {
        ids: (0..n).collect(),
        kinds: rows.iter().map(|row| row.1 as u8).collect(),
        statuses: rows.iter().map(|_| 0).collect(),
        depths: rows.iter().map(|row| row.0).collect(),
        lanes: rows.iter().map(|row| row.2).collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}

/// One run of tool calls with these start times and durations in milliseconds.
pub fn with_times(times: &[(f64, f64)]) -> Outline {
    let flat: Vec<(u16, f64, f64)> = times.iter().map(|it| (0, it.0, it.1)).collect();
    with_nested_times(&flat)
}

/// One run of tool calls with these depths, start times and durations in milliseconds.
pub fn with_nested_times(times: &[(u16, f64, f64)]) -> Outline {
    let kinds: Vec<_> = times.iter().map(|_| EventKind::ToolCall).collect();
    with_timed_kinds(times, &kinds, &[])
}

/// One run of events with these depths, start times and durations in milliseconds, and these idle times.
pub fn with_timed_kinds(
    times: &[(u16, f64, f64)],
    kinds: &[EventKind],
    idle_ms: &[(f64, f64)],
) -> Outline {
    let n = u32::try_from(times.len()).unwrap();
    let n_roots = u32::try_from(times.iter().filter(|it| it.0 == 0).count()).unwrap();
    let ends = times.iter().map(|it| it.1 + it.2.max(0.0));
    let columns = ColumnsShown { bars: true, durations: true, ..ColumnsShown::default() };
    let end_ms = ends.fold(0.0, f64::max);
    let idle_ms = idle_ms.to_vec();
    let in_run = kinds.iter().map(|kind| (*kind as u8, 1)).collect();
    let run = RunLine {
        n_rows: n,
        n_roots,
        end_ms,
        columns,
        idle_ms,
        kinds: in_run,
        ..RunLine::default()
    };
    let mut assembly =
        Assembly::new(OutlineHead { runs: vec![run], n_rows: n, ..OutlineHead::default() });
    assembly.append(&RowSlice {
        ids: (0..n).collect(),
        kinds: kinds.iter().map(|kind| *kind as u8).collect(),
        statuses: times.iter().map(|_| 0).collect(),
        depths: times.iter().map(|it| it.0).collect(),
        starts_ms: times.iter().map(|it| it.1).collect(),
        durations_ms: times.iter().map(|it| it.2).collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}

/// One run assembled from all of these inputs.
pub fn assembled(
    depths: &[u16],
    ids: &[u32],
    kinds: impl Iterator<Item = EventKind>,
    findings: &[FindingLine],
) -> Outline {
    let n = u32::try_from(depths.len()).unwrap();
    let n_roots = u32::try_from(depths.iter().filter(|depth| **depth == 0).count()).unwrap();
    let mut assembly = Assembly::new(OutlineHead {
        runs: vec![RunLine { n_rows: n, n_roots, ..RunLine::default() }],
        n_rows: n,
        findings: findings.to_vec(),
        ..OutlineHead::default()
    });
    assembly.append(&RowSlice {
        ids: ids.iter().copied().collect(),
        kinds: kinds.map(|kind| kind as u8).collect(),
        statuses: depths.iter().map(|_| 0).collect(),
        depths: depths.iter().copied().collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}

/// A possible loop that hides these rows when folded.
pub fn finding(folded: &[u32]) -> FindingLine {
    FindingLine {
        rule: Rule::Repeat,
        severity: Severity::Critical,
        folded: folded.iter().copied().collect(),
        evidence: repeated(3, Arguments::Different),
        ..FindingLine::default()
    }
}

/// A number of repetitions of a block of one step.
pub fn repeated(repetitions: u32, args: Arguments) -> Evidence {
    Evidence::Steps(Steps { repetitions, args, block_len: 1, ..Steps::default() })
}

/// A conversation of a message, LLM calls without text that each request a tool with one of these names, and an answer.
pub fn with_named_calls(names: &[&str]) -> Outline {
    use EventKind::{LlmCall, ToolCall, UserMessage};
    let n = u32::try_from(names.len() * 2 + 2).unwrap();
    let is_call = |row: u32| row > 0 && row.is_multiple_of(2);
    let is_asking = |row: u32| row % 2 == 1 && row + 1 < n;
    let kind = |row: u32| match row {
        0 => UserMessage,
        row if is_call(row) => ToolCall,
        _ => LlmCall,
    };
    let kinds = [UserMessage, LlmCall, ToolCall].map(|kind| (kind as u8, 2)).into();
    let mut known = vec![""];
    known.extend(names);
    let mut assembly = Assembly::new(OutlineHead {
        runs: vec![RunLine { n_rows: n, n_roots: 2, kinds, ..RunLine::default() }],
        n_rows: n,
        names: known.iter().copied().collect(),
        ..OutlineHead::default()
    });
    let flags = |row| if is_asking(row) { Flags::ONLY_CALLS } else { Flags::NONE };
    assembly.append(&RowSlice {
        ids: (0..n).collect(),
        kinds: (0..n).map(|row| kind(row) as u8).collect(),
        statuses: (0..n).map(|_| 0).collect(),
        flags: (0..n).map(|row| flags(row).bits()).collect(),
        names: (0..n).map(|row| if is_call(row) { row / 2 } else { 0 }).collect(),
        depths: (0..n).map(|row| u16::from(is_call(row))).collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}

/// A run, with its first rows repeated as a second run.
pub fn of_two_runs(of: &Outline, n_again: u32) -> Outline {
    let (rows, run) = (&of.rows, &of.runs[0]);
    let n = rows.ids.len();
    let all = || (0..n).chain(0..n_again);
    let mut second = RunLine { first_row: n, n_rows: n_again, ..run.clone() };
    second.key = "again".to_owned();
    let mut assembly = Assembly::new(OutlineHead {
        runs: vec![run.clone(), second],
        n_rows: n + n_again,
        ..OutlineHead::default()
    });
    assembly.append(&RowSlice {
        ids: (0..n + n_again).collect(),
        kinds: all().map(|row| rows.kinds.get(row)).collect(),
        statuses: all().map(|row| rows.statuses.get(row)).collect(),
        flags: all().map(|row| rows.flags.get(row)).collect(),
        depths: all().map(|row| rows.depths.get(row)).collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}

/// A conversation in which the second and the third LLM call only request calls.
pub fn talk() -> Outline {
    use EventKind::{LlmCall, Note, ToolCall, UserMessage};
    let kinds = [
        UserMessage,
        LlmCall,
        ToolCall,
        LlmCall,
        ToolCall,
        Note,
        UserMessage,
        LlmCall,
        ToolCall,
        LlmCall,
    ];
    let mut outline = with_kinds(&[0, 0, 1, 0, 1, 0, 0, 0, 1, 0], kinds.into_iter());
    let rows = Arc::get_mut(&mut outline.rows).unwrap();
    let only_calls = |row: u32| if [3, 7].contains(&row) { Flags::ONLY_CALLS } else { Flags::NONE };
    rows.sent.flags = (0..10).map(|row| only_calls(row).bits()).collect();
    let run = outline.runs.first_mut().unwrap();
    run.kinds = [UserMessage, LlmCall, ToolCall].map(|kind| (kind as u8, 2)).into();
    outline
}
