//! A drawn line of the timeline, with all the text and numbers it shows.

use crate::model::{EventKind, Flags, Status};
use crate::view::page::icon::Icon;
use crate::view::page::look::look;
use crate::view::page::replay::{Head, Replay};
use crate::view::page::rows::{Choice, Line, is_expanded};
use crate::view::wire::outline::Outline;
use crate::view::words;

/// A drawn line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineView {
    /// Index in the list of lines.
    pub index: u32,
    /// The row, or `None` for a fold line.
    pub row: Option<u32>,
    /// The finding of a fold line.
    pub fold: Option<u32>,
    /// Number of the event in its run, from 1.
    pub number: String,
    /// Indentation in steps.
    pub indent: u16,
    /// The icon.
    pub icon: Icon,
    /// Style word, which decides the colour.
    pub look: &'static str,
    /// The kind in words.
    pub kind: &'static str,
    /// Whether it is a tool call.
    pub is_tool: bool,
    /// Tool or model name, or a label.
    pub name: String,
    /// Id of the event, used to request its summary.
    pub id: u32,
    /// The text of a fold line.
    pub fold_words: String,
    /// Whether the summary is thinking.
    pub is_thinking: bool,
    /// Badges: style word and text.
    pub badges: Vec<(&'static str, String)>,
    /// Whether replay has not reached this row yet.
    pub is_ahead: bool,
    /// Whether it is a call in progress in the replay; shown with a spinner.
    pub is_running: bool,
    /// Tokens in and out.
    pub tokens: String,
    /// Duration.
    pub duration: String,
    /// Whether it has a bar ([`bar_of`]).
    pub has_bar: bool,
    /// Whether it failed.
    pub failed: bool,
    /// Whether it is part of a possible loop.
    pub in_loop: bool,
    /// Whether other rows are nested in it.
    pub has_nested: bool,
    /// Whether the nested rows, or the rows hidden by a fold line, are shown; `None` if there are
    /// none.
    pub expanded: Option<bool>,
    /// Nesting level for the tree, from 1.
    pub level: u16,
    /// Position among its siblings, from 1.
    pub position: u32,
}

/// The deepest indentation that is drawn. Deeper rows still report their level to screen readers.
const MAX_INDENT: u16 = 12;

/// The inputs of [`line_view`] besides the row.
pub struct LineContext<'a> {
    /// The outline.
    pub outline: &'a Outline,
    /// The choice that decides which lines are shown.
    pub choice: &'a Choice,
    /// The replay and its position, if a replay is active.
    pub replay: Option<(&'a Replay, Head)>,
}

/// Builds the view of a line.
#[must_use]
pub fn line_view(context: &LineContext<'_>, index: u32, line: Line) -> LineView {
    let mut view = match line {
        Line::Row(row) => row_view(context, row),
        Line::Fold(finding) => fold_view(context, finding),
    };
    view.index = index;
    view
}

fn fold_view(context: &LineContext<'_>, finding: u32) -> LineView {
    let outline = context.outline;
    let Some(line) = outline.findings.get(finding as usize) else { return LineView::default() };
    let first = line.folded.first().unwrap_or(0);
    let is_ahead = context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, first));
    let depth = outline.rows.depths.get(first);
    LineView {
        fold: Some(finding),
        indent: depth.min(MAX_INDENT),
        icon: Icon::Loop,
        look: "loop",
        is_ahead,
        expanded: Some(context.choice.unfolded.contains(&finding)),
        fold_words: line.fold_words.clone(),
        level: depth.saturating_add(1),
        // The fold line takes the position of the first row that it hides.
        position: outline.rows.positions.get(first),
        in_loop: true,
        ..LineView::default()
    }
}

fn row_view(context: &LineContext<'_>, row: u32) -> LineView {
    let (outline, rows) = (context.outline, &context.outline.rows);
    let kind = EventKind::from_code(rows.kinds.get(row));
    let status = Status::from_code(rows.statuses.get(row));
    let flags = Flags::from_bits(rows.flags.get(row));
    let name = outline.name(rows.names.get(row)).to_owned();
    let (icon, colour, kind_words) = look(kind, &name);
    let is_thinking = kind == EventKind::LlmCall && flags.has(Flags::THINKING);
    let run = outline.run_of(row).map(|(_, run)| run);
    let first_row = run.map_or(0, |run| run.first_row);
    let depth = rows.depths.get(row);
    let has_nested = rows.nested.get(row) > 0;
    let error = outline.name(rows.errors.get(row));
    let failed = status == Status::Error || kind == EventKind::Error;
    let is_call = matches!(kind, EventKind::LlmCall | EventKind::ToolCall);
    let is_running = match context.replay {
        Some((replay, head)) => is_call && replay.is_running(head, row),
        None => outline.is_live && status == Status::NoResult,
    };
    let badges = badges(outline, row, kind, status, flags, error, failed);
    let duration = words::duration(rows.durations_ms.get(row));
    let output = words::tokens(rows.tokens_out.get(row));
    let output = words::at_least(output, flags.has(Flags::UNFINISHED_USAGE));
    let tokens = tokens(&words::tokens(rows.tokens_in.get(row)), &output);
    let number = row - first_row + 1;
    let is_filtered = context.choice.is_filtered();
    LineView {
        row: Some(row),
        number: number.to_string(),
        indent: if is_filtered { 0 } else { depth.min(MAX_INDENT) },
        icon: if is_thinking { Icon::Think } else { icon },
        kind: kind_words,
        is_tool: kind == EventKind::ToolCall,
        look: if is_thinking { "think" } else { colour },
        name: name_shown(kind, name),
        id: rows.ids.get(row),
        is_thinking: flags.has(Flags::THINKING),
        badges,
        is_ahead: context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, row)),
        is_running,
        tokens,
        duration,
        has_bar: bar_of(outline, row).is_some(),
        failed,
        in_loop: outline.loops.has(row),
        has_nested,
        expanded: has_nested.then(|| is_expanded(outline, context.choice, row)),
        level: depth.saturating_add(1),
        position: outline.rows.positions.get(row),
        ..LineView::default()
    }
}

/// The displayed name of a row: its name, or its kind if it has none.
#[must_use]
pub fn row_name(outline: &Outline, row: u32) -> String {
    let kind = EventKind::from_code(outline.rows.kinds.get(row));
    let name = outline.name(outline.rows.names.get(row)).to_owned();
    match name_shown(kind, name) {
        name if name.is_empty() => look(kind, "").2.to_owned(),
        name => name,
    }
}

/// A loop warning's name is its whole pattern, which its summary shows too, so it is not repeated.
fn name_shown(kind: EventKind, name: String) -> String {
    match kind {
        EventKind::LoopWarning => "Loop warning".to_owned(),
        EventKind::RunStart => "Run start".to_owned(),
        EventKind::RunEnd if name.is_empty() => "Run end".to_owned(),
        EventKind::RunEnd => format!("Run end: {name}"),
        EventKind::LlmCall if name.is_empty() => "LLM call".to_owned(),
        EventKind::ToolCall if name.is_empty() => "Unnamed tool".to_owned(),
        _ => name,
    }
}

fn badges(
    outline: &Outline,
    row: u32,
    kind: EventKind,
    status: Status,
    flags: Flags,
    error: &str,
    failed: bool,
) -> Vec<(&'static str, String)> {
    let mut badges = Vec::new();
    let findings = outline.loops.badges(row);
    for finding in findings.filter_map(|at| outline.findings.get(at as usize)) {
        if !finding.badge.is_empty() && kind != EventKind::LoopWarning {
            badges.push(("loop", format!("↻ {}", finding.badge)));
        }
    }
    if failed {
        // The row of an error event already shows the error type as its name.
        if kind != EventKind::Error || outline.name(outline.rows.names.get(row)) != error {
            let words = if error.is_empty() { "failed" } else { error };
            badges.push(("error", format!("✕ {words}")));
        }
    } else if kind == EventKind::ToolCall && !error.is_empty() {
        // An exit code printed in the result. The producer did not record a failure, so the row is
        // not marked as failed.
        badges.push(("exit", error.to_owned()));
    }
    match status {
        Status::NoResult if !outline.is_live => {
            badges.push(("dim", "no result in the file".to_owned()))
        }
        Status::Cancelled => badges.push(("dim", "stopped".to_owned())),
        _ => {}
    }
    let marks = [
        (Flags::REDACTED, "redacted"),
        (Flags::TRUNCATED, "truncated at source"),
        (Flags::COPY, "copy"),
    ];
    for (mark, words) in marks {
        if flags.has(mark) {
            badges.push(("dim", words.to_owned()));
        }
    }
    let nested = outline.rows.nested.get(row);
    if nested > 0 && matches!(kind, EventKind::ToolCall | EventKind::Agent | EventKind::Span) {
        badges.push(("dim", words::counted(u64::from(nested), "step inside", "steps inside")));
    }
    badges
}

fn tokens(input: &str, output: &str) -> String {
    match (input, output) {
        ("", "") => String::new(),
        (input, "") => format!("{input} →"),
        ("", output) => format!("→ {output}"),
        (input, output) => format!("{input} → {output}"),
    }
}

/// Start and length of a row's bar, in percent of its run.
#[must_use]
pub fn bar_of(outline: &Outline, row: u32) -> Option<(f64, f64)> {
    let (_, run) = outline.run_of(row)?;
    let rows = &outline.rows;
    bar(run.start_ms, run.end_ms, rows.starts_ms.get(row), rows.durations_ms.get(row))
}

fn bar(run_start: f64, run_end: f64, start: f64, duration: f64) -> Option<(f64, f64)> {
    let length = run_end - run_start;
    if start.is_nan() || length.is_nan() || length <= 0.0 {
        return None;
    }
    let left = ((start - run_start) / length * 100.0).clamp(0.0, 100.0);
    let width = if duration.is_nan() { 0.0 } else { duration / length * 100.0 };
    Some((left, width.clamp(0.0, 100.0 - left)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_numbers_are_blank() {
        assert_eq!(tokens("", ""), "");
        assert_eq!(tokens("2.1k", "180"), "2.1k → 180");
        assert_eq!(tokens("2.1k", ""), "2.1k →");
        assert_eq!(tokens("", "≥ 180"), "→ ≥ 180");
        assert_eq!(bar(0.0, 0.0, 0.0, 1.0), None);
        assert_eq!(bar(0.0, 100.0, 50.0, f64::NAN), Some((50.0, 0.0)));
        assert_eq!(bar(0.0, 100.0, 90.0, 50.0), Some((90.0, 10.0)));
    }
}
