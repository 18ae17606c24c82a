//! A drawn line of the timeline, with all the text and numbers it shows.

mod brackets;
mod folds;

pub use brackets::{Alike, Bracket, mark_loops};

use crate::agents::Agent;
use crate::attempts;
use crate::bars;
use crate::icon::Icon;
use crate::list::form::{self, ListForm};
use crate::list::merged::Merged;
use crate::list::scope;
use crate::list::visible_lines::{self, Choice, Line, is_expanded};
use crate::look::look;
use crate::outline::Outline;
use crate::prices::Costs;
use crate::query::matching::Matching;
use crate::replay::{Head, Replay};
use crate::row_kind::is_thinking;
use crate::waterfall::Waterfall;
use traceloupe_core::model::{CallOutcome, EventKind, Flags, WaitFor};
use traceloupe_words as words;

/// A drawn line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineView {
    /// Index in the list of lines.
    pub index: u32,
    /// The row, or `None` for a fold line.
    pub row: Option<u32>,
    /// The line itself.
    pub line: Line,
    /// The finding of a fold line.
    pub fold: Option<u32>,
    /// The first and the last row that the fold line of a possible loop hides.
    pub folded: Option<(u32, u32)>,
    /// The rows that a line of notes hides: the first one, and the one after the last.
    pub notes: Option<(u32, u32)>,
    /// The agent whose card this row is.
    pub agent: Option<Agent>,
    /// The number of the turn that begins at this row.
    pub turn: Option<u32>,
    /// When it began, in milliseconds since 1970; NaN where unknown.
    pub start_ms: f64,
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
    /// Whether the name is the model of the preceding LLM call, which is not repeated beside a summary.
    pub repeats_name: bool,
    /// Whether the name is that of a model.
    pub names_model: bool,
    /// The LLM call without a line of its own whose numbers this row shows ([`Merged`]).
    pub told: Option<u32>,
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
    /// Whether it is a call in progress during replay, shown with a spinner.
    pub is_running: bool,
    /// Tokens in and out.
    pub tokens: String,
    /// Its cost, or that of its nested calls or its turn.
    pub cost: String,
    /// Duration.
    pub duration: String,
    /// In a waterfall: its self time.
    pub own: String,
    /// Whether it has a bar ([`bars::bar_of`]).
    pub has_bar: bool,
    /// Whether it does not match the filter.
    pub is_dim: bool,
    /// How it is drawn.
    pub form: ListForm,
    /// In a transcript: whether it is drawn as text.
    pub is_speech: bool,
    /// In a transcript: whether it is the first and whether it is the last line between two texts.
    pub ends_steps: (bool, bool),
    /// Whether it failed.
    pub failed: bool,
    /// Whether it is part of a possible loop.
    pub in_loop: bool,
    /// The bracket of a possible loop beside it.
    pub bracket: Option<Bracket>,
    /// Whether it is evidence for the explained finding.
    pub is_found: bool,
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
    /// Which rows fit the filter.
    pub matching: &'a Matching,
    /// The cost of the calls.
    pub costs: &'a Costs,
    /// The waterfall, if the rows are drawn as one.
    pub waterfall: Option<&'a Waterfall>,
    /// The replay and its position, if a replay is active.
    pub replay: Option<(&'a Replay, Head)>,
}

/// Builds the view of a line.
#[must_use]
pub fn line_view(context: &LineContext<'_>, index: u32, line: Line) -> LineView {
    let merged = Merged::of(context.outline, context.choice);
    let mut view = match line {
        Line::Row(row) => row_view(context, merged, row),
        Line::Fold(finding) => folds::of_loop(context, finding),
        Line::Notes(first) => folds::of_notes(context, first),
        Line::Misses(first, n) => folds::of_misses(context, first, n),
    };
    (view.index, view.line, view.form) = (index, line, context.choice.form);
    let is_talk = context.choice.form == ListForm::Transcript && !context.choice.leaves_out();
    if is_talk || merged.is_timeline() {
        let row = line.first_row(context.outline);
        view.indent = form::indent(context.outline, context.choice.within, row);
        view.is_speech =
            is_talk && matches!(line, Line::Row(_)) && form::is_speech(context.outline, row);
    }
    let root = context.choice.within.map(|row| context.outline.rows.depths.get(row));
    if let Some(depth) = root {
        view.level = view.level.saturating_sub(depth).max(1);
        if context.choice.form == ListForm::Waterfall {
            view.indent = (view.level - 1).min(MAX_INDENT);
        }
    }
    view.is_dim = context.choice.dims && !context.matching.has(line.first_row(context.outline));
    view
}

/// Marks where the boxes of steps between the texts of a transcript begin and end. `lines` are all lines, and `views`
/// are the views of some of them.
pub fn mark_steps(context: &LineContext<'_>, lines: &[Line], views: &mut [LineView]) {
    if context.choice.form != ListForm::Transcript {
        return;
    }
    let is_step = |at: Option<u32>| {
        let line = at.and_then(|at| lines.get(at as usize));
        line.is_some_and(|line| match line {
            Line::Row(row) => !form::is_speech(context.outline, *row),
            Line::Fold(_) | Line::Notes(_) | Line::Misses(..) => true,
        })
    };
    for view in views.iter_mut().filter(|view| !view.is_speech) {
        let before = is_step(view.index.checked_sub(1));
        view.ends_steps = (!before, !is_step(view.index.checked_add(1)));
    }
}

fn row_view(context: &LineContext<'_>, merged: Merged<'_>, row: u32) -> LineView {
    let (outline, rows) = (context.outline, &context.outline.rows);
    let kind = EventKind::from_code(rows.kinds.get(row));
    let status = rows.outcome(row);
    let flags = Flags::from_bits(rows.flags.get(row));
    let name = outline.name(rows.names.get(row)).to_owned();
    let (icon, colour) = look(kind, &name);
    let is_thinking = is_thinking(kind, flags);
    let run = outline.run_of(row).map(|(_, run)| run);
    let first_row = run.map_or(0, |run| run.first_row);
    let depth = rows.depths.get(row);
    // The chosen agent cannot be collapsed.
    let has_nested = rows.nested.get(row) > 0 && context.choice.within != Some(row);
    let agent = scope::card(outline, context.choice, row).copied();
    let failed = status.is_error() || kind == EventKind::Error;
    let is_call = matches!(kind, EventKind::LlmCall | EventKind::ToolCall);
    let is_running = match context.replay {
        Some((replay, head)) => is_call && replay.is_running(head, row),
        None => outline.is_live && status == CallOutcome::Missing,
    };
    let badges = badges(outline, row, kind, status, flags);
    // The header of a turn shows the totals of its rows, unless some of them are filtered out.
    let turn = outline.turns.at(row);
    let turn = turn.filter(|_| !context.choice.leaves_out() && context.waterfall.is_none());
    // A card shows the totals of its agent instead.
    let told = merged.told_by(row).filter(|_| agent.is_none());
    let told_or_own = told.unwrap_or(row);
    let [duration, tokens_in, tokens_out] = match (turn, agent) {
        (Some(turn), _) => [turn.duration_ms, turn.tokens_in, turn.tokens_out],
        (None, Some(agent)) => [agent.duration_ms, agent.tokens_in, agent.tokens_out],
        (None, None) => [
            rows.durations_ms.get(row),
            rows.tokens_in.get(told_or_own),
            rows.tokens_out.get(told_or_own),
        ],
    };
    let cost = match turn {
        Some(turn) => context.costs.between(turn.row, turn.end),
        None => context.costs.of_row(outline, told_or_own),
    };
    let is_bound = match (turn, agent) {
        (Some(turn), _) => turn.is_lower_bound,
        (None, Some(agent)) => agent.is_lower_bound,
        (None, None) => Flags::from_bits(rows.flags.get(told_or_own)).has(Flags::UNFINISHED_USAGE),
    };
    let duration_ms = duration;
    let duration = words::duration(duration_ms);
    let own =
        context.waterfall.map(|it| own_words(it.own_ms(row), duration_ms)).unwrap_or_default();
    let tokens = tokens_in_out(tokens_in, tokens_out, is_bound);
    // Below the header of a turn, the total in the header already marks it as an estimate.
    let is_below_header = turn.is_none()
        && !context.choice.leaves_out()
        && context.waterfall.is_none()
        && outline.turns.around(row).is_some();
    let cost = match is_below_header {
        true => words::cost_or_bound(&cost),
        false => words::cost(&cost),
    };
    let mut badges = badges;
    let nested = rows.nested.get(row);
    let may_hold = matches!(kind, EventKind::ToolCall | EventKind::Agent | EventKind::Span);
    let expanded = has_nested.then(|| is_expanded(outline, context.choice, row));
    // A card already counts the calls, and visible steps need no count.
    if nested > 0 && may_hold && agent.is_none() && expanded != Some(true) {
        badges.push(("dim", words::counted(u64::from(nested), "step inside", "steps inside")));
    }
    if let Some(asked) = told.filter(|asked| form::begins_to_speak(outline, *asked)) {
        badges.insert(0, ("model", row_name(outline, asked)));
    }
    if let Some(turn) = turn.filter(|turn| turn.n_calls > 0) {
        badges.push(("dim", words::counted(u64::from(turn.n_calls), "call", "calls")));
    }
    if let Some(ms) = turn.and(run).and_then(|run| run.idle_before_ms(rows.starts_ms.get(row))) {
        badges.push(("dim", words::waited(WaitFor::User, ms)));
    }
    let own_name = own_name(outline, row, kind, name.clone());
    let names_model =
        kind == EventKind::LlmCall && !name.is_empty() && own_name == short_model(&name);
    let number = row - first_row + 1;
    let is_flat = context.choice.leaves_out();
    LineView {
        row: Some(row),
        number: number.to_string(),
        indent: if is_flat { 0 } else { depth.min(MAX_INDENT) },
        icon: if is_thinking { Icon::Think } else { icon },
        kind: words::kind(kind),
        turn: turn.map(|turn| turn.number),
        start_ms: rows.starts_ms.get(row),
        is_tool: kind == EventKind::ToolCall,
        look: if is_thinking { "think" } else { colour },
        name: agent.map_or(own_name, |it| scope::name(outline, &it)),
        agent,
        repeats_name: kind == EventKind::LlmCall
            && (merged.is_timeline() || context.waterfall.is_some())
            && !form::begins_to_speak(outline, row),
        names_model,
        told,
        id: rows.ids.get(row),
        is_thinking: flags.has(Flags::THINKING),
        badges,
        is_ahead: context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, row)),
        is_running,
        tokens,
        cost,
        duration,
        own,
        has_bar: context.waterfall.is_some()
            || bars::bar_of(outline, visible_lines::is_flat(context.choice), row).is_some(),
        failed,
        in_loop: outline.loops.has(row),
        has_nested,
        expanded,
        level: depth.saturating_add(1),
        position: outline.rows.positions.get(row),
        ..LineView::default()
    }
}

/// A row's self time, if the row takes time.
fn own_words(own_ms: f64, duration_ms: f64) -> String {
    if duration_ms > 0.0 { words::duration(own_ms) } else { String::new() }
}

/// The displayed name of a row: its name, or its kind if it has none.
#[must_use]
pub fn row_name(outline: &Outline, row: u32) -> String {
    let kind = EventKind::from_code(outline.rows.kinds.get(row));
    let name = outline.name(outline.rows.names.get(row)).to_owned();
    match own_name(outline, row, kind, name) {
        name if name.is_empty() => words::kind(kind).to_owned(),
        name => name,
    }
}

/// The displayed name of a row. An LLM call shows the name of its agent where agents take turns on one level, and where
/// the model is unknown.
fn own_name(outline: &Outline, row: u32, kind: EventKind, name: String) -> String {
    let is_by_agent =
        kind == EventKind::LlmCall && (name.is_empty() || outline.rows.depths.get(row) == 0);
    match agent_of(outline, row).filter(|_| is_by_agent) {
        Some(agent) => agent.to_owned(),
        None => name_shown(kind, name),
    }
}

/// The name of a row's agent, unless it is the main agent.
fn agent_of(outline: &Outline, row: u32) -> Option<&str> {
    let (_, run) = outline.run_of(row)?;
    let lane = run.lanes.get(usize::from(outline.rows.lanes.get(row)))?;
    (!lane.is_main && !lane.name.is_empty() && !scope::is_id(&lane.name))
        .then_some(lane.name.as_str())
}

/// The name of a loop warning is its whole pattern. Its summary shows the pattern too, so it is not repeated here.
fn name_shown(kind: EventKind, name: String) -> String {
    match kind {
        EventKind::LoopWarning => "Loop warning".to_owned(),
        EventKind::RunStart => "Run start".to_owned(),
        EventKind::RunEnd if name.is_empty() => "Run end".to_owned(),
        EventKind::RunEnd => format!("Run end: {name}"),
        EventKind::LlmCall if name.is_empty() => "LLM call".to_owned(),
        EventKind::LlmCall => short_model(&name).to_owned(),
        EventKind::ToolCall if name.is_empty() => "Unnamed tool".to_owned(),
        EventKind::ToolCall => words::tool_name(&name),
        // The names of these records are identifiers of a program.
        EventKind::Compaction => "Compaction".to_owned(),
        EventKind::SystemMessage => name.replace('_', " "),
        _ => name,
    }
}

/// A model's name without its release date: `claude-sonnet-4-5` for `claude-sonnet-4-5-20250929`.
#[must_use]
pub fn short_model(name: &str) -> &str {
    let is_date = |it: &str| it.len() == 8 && it.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('-').filter(|(_, date)| is_date(date)).map_or(name, |(model, _)| model)
}

/// The badge of a row that failed or printed an exit code: style word and text.
#[must_use]
pub fn failure(outline: &Outline, row: u32) -> Option<(&'static str, String)> {
    let rows = &outline.rows;
    let kind = EventKind::from_code(rows.kinds.get(row));
    let error = words::error_label(outline.error(row));
    if rows.outcome(row).is_error() || kind == EventKind::Error {
        // The row of an error event already shows the error type as its name.
        let is_named = kind == EventKind::Error && outline.name(rows.names.get(row)) == error;
        // How it failed says more than its exit code or its type.
        let outcome = words::call_outcome(rows.outcome(row));
        let is_plain = [CallOutcome::Failed, CallOutcome::Unknown]
            .contains(&rows.outcome(row).group())
            && rows.outcome(row).group() == rows.outcome(row);
        let words = match is_plain {
            true if error.is_empty() => "failed",
            true => &*error,
            false => outcome,
        };
        return (!is_named).then(|| ("error", words.to_owned()));
    }
    if rows.outcome(row) == CallOutcome::NoMatch {
        return Some(("dim", words::call_outcome(CallOutcome::NoMatch).to_owned()));
    }
    // An exit code in the output. The producer did not record a failure, so the row is not marked as failed.
    (kind == EventKind::ToolCall && !error.is_empty()).then(|| ("exit", error.into_owned()))
}

fn badges(
    outline: &Outline,
    row: u32,
    kind: EventKind,
    status: CallOutcome,
    flags: Flags,
) -> Vec<(&'static str, String)> {
    let mut badges = Vec::new();
    let findings = outline.loops.badges(row);
    for finding in findings.filter_map(|at| outline.findings.get(at as usize)) {
        if kind != EventKind::LoopWarning {
            badges.push(("loop", words::findings::badge(finding.rule, &finding.evidence)));
        }
    }
    badges.extend(failure(outline, row));
    badges.extend(waited(outline, row).map(|words| ("dim", words)));
    if let Some((failed, tried)) = attempts::failed_attempts(outline, row) {
        badges.push(("exit", words::failed_of(failed, tried)));
    }
    let is_missing = status == CallOutcome::Missing && !outline.is_live;
    if is_missing || status.is_stopped() {
        badges.push(("dim", words::call_outcome(status).to_owned()));
    }
    let marks = [
        (Flags::REDACTED, "redacted"),
        (Flags::TRUNCATED, "truncated at source"),
        (Flags::COPY, "copied"),
    ];
    for (mark, words) in marks {
        if flags.has(mark) {
            badges.push(("dim", words.to_owned()));
        }
    }
    badges
}

/// How long a row waited, and for what, if it did.
#[must_use]
pub fn waited(outline: &Outline, row: u32) -> Option<String> {
    outline.rows.wait_of(row).map(|wait| words::waited(wait.what, wait.len_ms()))
}

/// Tokens in and out: `2.1k → 180`; blank where unknown.
#[must_use]
pub fn tokens_in_out(tokens_in: f64, tokens_out: f64, is_lower_bound: bool) -> String {
    let output = words::at_least(words::tokens(tokens_out), is_lower_bound);
    tokens(&words::tokens(tokens_in), &output)
}

fn tokens(input: &str, output: &str) -> String {
    match (input, output) {
        ("", "") => String::new(),
        (input, "") => format!("{input} in"),
        ("", output) => format!("{output} out"),
        (input, output) => format!("{input} → {output}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_without_its_date() {
        assert_eq!(short_model("claude-sonnet-4-5-20250929"), "claude-sonnet-4-5");
        assert_eq!(short_model("gpt-5"), "gpt-5");
        assert_eq!(short_model("model-1"), "model-1");
    }

    #[test]
    fn a_single_note_folds_if_it_is_bookkeeping() {
        use crate::list::visible_lines::lines_of;
        use crate::query::matching::Matching;
        let mut outline = crate::testing::talk();
        let lines = |outline: &Outline| lines_of(outline, &Choice::default(), &Matching::default());
        assert!(lines(&outline).contains(&Line::Row(5)));
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        let bookkeeping = |row| if row == 5 { Flags::BOOKKEEPING } else { Flags::NONE };
        rows.sent.flags = (0..10).map(|row| bookkeeping(row).bits()).collect();
        assert!(lines(&outline).contains(&Line::Notes(5)));
        assert!(!lines(&outline).contains(&Line::Row(5)));
    }

    #[test]
    fn copies_fold_into_a_line() {
        use crate::list::visible_lines::lines_of;
        use crate::query::matching::Matching;
        let mut outline = crate::testing::talk();
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        let flags = |row| if row < 4 { Flags::COPY } else { Flags::NONE };
        rows.sent.flags = (0..10).map(|row| flags(row).bits()).collect();
        let lines = |choice: &Choice| lines_of(&outline, choice, &Matching::default());
        let mut choice = Choice::default();
        assert_eq!(lines(&choice)[..2], [Line::Notes(0), Line::Row(4)]);
        choice.notes.insert(0);
        assert_eq!(lines(&choice)[..3], [Line::Notes(0), Line::Row(0), Line::Row(1)]);
        let shown = crate::list::visible_lines::reveal(&outline, &Choice::default(), 2);
        assert!(lines(&shown).contains(&Line::Row(2)));
    }

    #[test]
    fn agents_that_take_turns_are_named() {
        use EventKind::{LlmCall, ToolCall};
        let rows = [(0, LlmCall, 0), (0, LlmCall, 1), (1, ToolCall, 1), (1, LlmCall, 2)];
        let mut outline = crate::testing::with_agents(&rows);
        let names =
            |outline: &Outline| (0..4).map(|row| row_name(outline, row)).collect::<Vec<_>>();
        assert_eq!(names(&outline), ["LLM call", "agent 1", "Unnamed tool", "agent 2"]);
        if let Some(lane) = outline.runs.first_mut().and_then(|run| run.lanes.get_mut(1)) {
            lane.name = "agent-a41f09c2".to_owned();
        }
        assert_eq!(names(&outline), ["LLM call", "LLM call", "Unnamed tool", "agent 2"]);
    }

    #[test]
    fn a_call_has_the_numbers_of_the_llm_call_that_only_asked_for_it() {
        let mut outline = crate::testing::talk();
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.tokens_in = (0..10).map(|row| f64::from(row) * 10.0).collect();
        let choice = Choice { collapse_over_tools: 5, ..Choice::default() };
        let (matching, costs) = (Matching::default(), Costs::default());
        let context = LineContext {
            outline: &outline,
            choice: &choice,
            matching: &matching,
            costs: &costs,
            waterfall: None,
            replay: None,
        };
        let view = |row| line_view(&context, row, Line::Row(row));
        assert_eq!([2, 4, 8].map(|row| view(row).told), [None, Some(3), Some(7)]);
        assert_eq!([2, 4, 8].map(|row| view(row).tokens), ["20 → 0", "30 → 0", "70 → 0"]);
        assert_eq!([2, 4, 8].map(|row| view(row).indent), [0; 3]);
        // The row that represents the first LLM call after a message shows its model.
        let is_model = |row| view(row).badges.iter().any(|(tone, _)| *tone == "model");
        assert_eq!([2, 4, 8].map(is_model), [false, false, true]);
        assert_eq!([1, 7, 9].map(|row| view(row).repeats_name), [false, false, true]);
    }

    #[test]
    fn unknown_numbers_are_blank() {
        assert_eq!(tokens("", ""), "");
        assert_eq!(tokens("2.1k", "180"), "2.1k → 180");
        assert_eq!(tokens("2.1k", ""), "2.1k in");
        assert_eq!(tokens("", "≥ 180"), "≥ 180 out");
    }
}
