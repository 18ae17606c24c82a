//! The column of bars: gridlines, bars, and their labels.

use leptos::prelude::*;

use crate::app::pane::Pane;
use traceloupe_view::bars::axis_of;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::line_view::LineView;
use traceloupe_view::list::visible_lines::is_flat;
use traceloupe_view::turn_axis::TurnAxis;
use traceloupe_words as words;

/// The gridlines of the waterfall's axis, in its rows.
pub fn waterfall_grid(pane: Pane, view: &LineView) -> Option<AnyView> {
    let grid = move || {
        let waterfall = pane.waterfall.get().unwrap_or_default();
        let percent = |at: f64| words::css_percent(at * 100.0);
        let line = |at: f64| markup! { <u style:left=percent(at)></u> }.into_any();
        let gap = |(from, to, _): &(f64, f64, String)| {
            markup! { <s style:left=percent(*from) style:width=percent(to - from)></s> }.into_any()
        };
        let lines = waterfall.ticks.iter().map(|(at, _)| line(*at));
        lines.chain(waterfall.gaps.iter().map(gap)).collect_view()
    };
    (view.form == ListForm::Waterfall).then(|| grid.into_any())
}

/// The gridlines of a turn, which line up from row to row. The header of the turn labels them.
pub fn turn_grid(pane: Pane, view: &LineView) -> Option<AnyView> {
    let is_header = view.turn.is_some();
    let line = view.line;
    let grid = move || {
        let is_flat = pane.choice.with(is_flat);
        let axis =
            pane.trace.outline.with(|outline| axis_of(outline, is_flat, line.first_row(outline)));
        axis.map(|axis| axis_view(axis, is_header))
    };
    (view.form == ListForm::Timeline).then(|| grid.into_any())
}

/// The gridlines of an axis. In the header of its turn, they are labelled with their times.
pub fn axis_view(axis: TurnAxis, is_header: bool) -> AnyView {
    let line = |at: f64| markup! { <u style:left=words::css_percent(at)></u> };
    let lines = axis.lines().map(line).collect_view();
    let labels = is_header.then(|| {
        let (lines, end) = axis.labels();
        let label = |(at, words): (f64, String)| markup! { <small data-at="line" style:left=words::css_percent(at)>{words}</small> };
        markup! {
            <small>"0"</small>
            {lines.into_iter().map(label).collect_view()}
            <small data-at="end">{end}</small>
        }
    });
    markup! { {lines}{labels} }.into_any()
}

/// A bar with a start and a length, both in percent.
pub fn bar_view(
    class: Option<&'static str>,
    place: impl Fn() -> Option<(f64, f64)> + Send + Copy + 'static,
) -> impl IntoView {
    let bar = move || place().unwrap_or((0.0, -1.0));
    markup! {
        <i class=class style:left=move || words::css_percent(bar().0)
            data-none=move || (bar().1 < 0.0).then_some("true")
            style:width=move || words::css_percent(bar().1.max(0.0))></i>
    }
}

/// If a bar ends beyond this place, in percent, its label goes before it. There is room for a label before it if it
/// begins beyond the second place.
const NEAR_END: f64 = 84.0;
const NEAR_START: f64 = 16.0;

/// The label of a bar at a place in percent. A bar that fills its row has none.
pub fn bar_label(
    place: impl Fn() -> Option<(f64, f64)> + Send + Copy + 'static,
    words: String,
) -> impl IntoView {
    let side = move || match place() {
        Some((from, len)) if from + len <= NEAR_END => "after",
        Some((from, _)) if from >= NEAR_START => "before",
        _ => "none",
    };
    let left = move || {
        let (from, len) = place().unwrap_or_default();
        words::css_percent(if from + len > NEAR_END { from } else { from + len })
    };
    markup! { <em data-side=side style:left=left>{words}</em> }
}
