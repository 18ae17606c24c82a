//! Fold lines: a possible loop, notes, rows without a hit.

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::glyph::glyph;
use crate::search::hits::{FoldHits, RangeHits};
use crate::timeline::bars::{bar_view, turn_grid, waterfall_grid};
use traceloupe_view::bars::bar_of_stretch;
use traceloupe_view::icon::{DOWN, Icon, RIGHT};
use traceloupe_view::list::line_view::LineView;
use traceloupe_view::list::visible_lines::is_flat;
use traceloupe_words::page::timeline as text;

/// The contents of the line.
pub(super) fn fold_content(pane: Pane, view: &LineView, indent: String) -> impl IntoView + use<> {
    let words = view.fold_words.clone();
    let (fold, notes) = (view.fold, view.notes);
    let is_unfolded = view.expanded == Some(true);
    let sign = match (fold, is_unfolded) {
        (Some(_), _) => Icon::Loop.path(),
        (None, true) => DOWN,
        (None, false) => RIGHT,
    };
    let act = if is_unfolded { text::FOLD } else { text::UNFOLD };
    let bar = view.folded.map(|stretch| {
        let place = move || {
            let is_flat = pane.choice.with(is_flat);
            pane.trace.outline.with(|outline| bar_of_stretch(outline, is_flat, stretch))
        };
        bar_view(Some(if fold.is_some() { "row__loop" } else { "row__steps" }), place)
    });
    let numbers = view.folded.map(|_| {
        let (tokens, cost, duration) =
            (view.tokens.clone(), view.cost.clone(), view.duration.clone());
        markup! {
            <span class="row__tok">{tokens}</span>
            <span class="row__cost">{cost}</span>
            <span class="row__dur">{duration}</span>
        }
    });
    markup! {
        <span class="row__what" style:padding-left=indent>
            {glyph(sign)}
            <span class="fold__words">{words}</span>
            {fold.filter(|_| !is_unfolded).map(|finding| markup! { <FoldHits finding/> })}
            {notes.filter(|_| !is_unfolded).map(|(first, end)| markup! { <RangeHits first end/> })}
            <span class="sr">{if is_unfolded { text::ENTER_FOLDS_THEM_AGAIN } else { text::ENTER_UNFOLDS_THEM }}</span>
            <span class="fold__act" aria-hidden="true">{act}</span>
        </span>
        {numbers}
        <span class="row__bar" aria-hidden="true">{waterfall_grid(pane, view)}{turn_grid(pane, view)}{bar}</span>
    }
}
