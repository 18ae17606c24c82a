//! The views of fold lines.

use super::{LineContext, LineView, MAX_INDENT, tokens_in_out};
use crate::findings_by_row::Took;
use crate::icon::Icon;
use crate::list::folds::lookups::{folded_steps, kinds_of};
use crate::list::folds::quiet_rows::{Quiet, notes_end, shows_notes};
use crate::list::form::ListForm;
use crate::stretches::Stretch;
use traceloupe_core::model::CostSum;
use traceloupe_words as words;

/// The line for rows without a match.
#[must_use]
pub fn of_misses(context: &LineContext<'_>, first: u32, n: u32) -> LineView {
    let rows = &context.outline.rows;
    LineView {
        expanded: Some(false),
        look: "note",
        fold_words: words::misses(n),
        level: rows.depths.get(first).saturating_add(1),
        position: rows.positions.get(first),
        start_ms: f64::NAN,
        ..LineView::default()
    }
}

/// The line for the repetitions of a possible loop, with their totals.
#[must_use]
pub fn of_loop(context: &LineContext<'_>, finding: u32) -> LineView {
    let outline = context.outline;
    let Some(line) = outline.findings.get(finding as usize) else { return LineView::default() };
    let first = line.folded.first().unwrap_or(0);
    let is_ahead = context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, first));
    let rows = &outline.rows;
    let depth = rows.depths.get(first);
    let hidden = || outline.loops.folds_of(finding);
    let last = hidden().last().map_or(first, |it| it.end.max(1) - 1);
    let mut cost = CostSum::default();
    for stretch in hidden() {
        cost.add(&context.costs.between(stretch.first, stretch.end));
    }
    let Took { tokens_in, tokens_out, is_lower_bound, end_ms } = outline.loops.took(finding);
    let run = outline.run_of(first).map(|(_, run)| run);
    let took = run.map_or(f64::NAN, |it| it.active_between_ms(rows.starts_ms.get(first), end_ms));
    let duration = if took > 0.0 { words::duration(took) } else { String::new() };
    let tokens = tokens_in_out(tokens_in, tokens_out, is_lower_bound);
    // Below the header of a turn, the total in the header already marks it as an estimate.
    let is_below_header = outline.turns.around(first).is_some();
    // Only timeline rows have columns for every figure.
    let has_columns = context.choice.form == ListForm::Timeline;
    let is_talk = context.choice.form == ListForm::Transcript;
    let said_cost = words::cost(&cost);
    let took = [&duration, if is_talk { &said_cost } else { &tokens }].map(String::as_str);
    let took: Vec<&str> = took.into_iter().filter(|it| !it.is_empty()).collect();
    let said = words::findings::fold(&line.evidence, &line.between);
    let fold_words = match took.as_slice() {
        took if has_columns || took.is_empty() => said,
        took => format!("{said}: {}", took.join(" · ")),
    };
    LineView {
        fold: Some(finding),
        folded: has_columns.then_some((first, last)),
        indent: depth.min(MAX_INDENT),
        icon: Icon::Loop,
        look: "loop",
        is_ahead,
        expanded: Some(context.choice.unfolded.contains(finding)),
        fold_words,
        tokens,
        cost: if is_below_header { words::cost_or_bound(&cost) } else { words::cost(&cost) },
        duration,
        level: depth.saturating_add(1),
        // The fold line takes the position of the first hidden row.
        position: outline.rows.positions.get(first),
        in_loop: true,
        start_ms: f64::NAN,
        ..LineView::default()
    }
}

/// The line for lookup steps, with their totals.
fn of_steps(context: &LineContext<'_>, stretch: &Stretch) -> LineView {
    let outline = context.outline;
    let (rows, first) = (&outline.rows, stretch.first);
    let Took { tokens_in, tokens_out, is_lower_bound, end_ms } = stretch.took;
    let run = outline.run_of(first).map(|(_, run)| run);
    let took = run.map_or(f64::NAN, |it| it.active_between_ms(rows.starts_ms.get(first), end_ms));
    let cost = context.costs.between(first, stretch.end);
    let is_below_header = outline.turns.around(first).is_some();
    LineView {
        notes: Some((first, stretch.end)),
        folded: Some((first, stretch.end - 1)),
        icon: Icon::Note,
        look: "quiet",
        is_ahead: context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, first)),
        expanded: Some(shows_notes(context.choice, first)),
        fold_words: words::more_steps(&kinds_of(outline, stretch)),
        tokens: tokens_in_out(tokens_in, tokens_out, is_lower_bound),
        cost: if is_below_header { words::cost_or_bound(&cost) } else { words::cost(&cost) },
        duration: if took > 0.0 { words::duration(took) } else { String::new() },
        level: rows.depths.get(first).saturating_add(1),
        position: rows.positions.get(first),
        start_ms: f64::NAN,
        ..LineView::default()
    }
}

/// How many notes of a line are inspected to name their kinds.
const MAX_NAMED: u32 = 2_000;

/// The line for lookup steps, notes, copies, quick spans, or starts of the run.
#[must_use]
pub fn of_notes(context: &LineContext<'_>, first: u32) -> LineView {
    let outline = context.outline;
    if let Some(stretch) = folded_steps(outline, context.choice).and_then(|it| it.at(first)) {
        return of_steps(context, stretch);
    }
    let end = outline.run_of(first).map_or(first, |(_, run)| run.first_row + run.n_rows);
    let end = notes_end(outline, first, end);
    let mut names: Vec<(u32, u64)> = Vec::new();
    for name in (first..end.min(first + MAX_NAMED)).map(|row| outline.rows.names.get(row)) {
        match names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => names.push((name, 1)),
        }
    }
    let named = names.iter().map(|(name, n)| (outline.name(*name), *n));
    let (quiet, n) = (Quiet::of(outline, first), u64::from(end - first));
    let depth = outline.rows.depths.get(first);
    LineView {
        notes: Some((first, end)),
        indent: depth.min(MAX_INDENT),
        icon: if quiet == Some(Quiet::Spans) { Icon::Span } else { Icon::Note },
        look: "quiet",
        is_ahead: context.replay.is_some_and(|(replay, head)| replay.is_ahead(head, first)),
        expanded: Some(shows_notes(context.choice, first)),
        fold_words: match quiet {
            Some(Quiet::Copies) => words::copied(n),
            Some(Quiet::Spans) => words::quick_spans(n, named),
            Some(Quiet::Starts) => words::counted(n, "run start", "run starts"),
            Some(Quiet::Notes) | None => words::bookkeeping(n, named),
        },
        level: depth.saturating_add(1),
        position: outline.rows.positions.get(first),
        start_ms: f64::NAN,
        ..LineView::default()
    }
}
