//! What the waterfall has besides rows: the axis above them, and the critical path below their bars.

use crate::words::timeline as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use traceloupe::view::words;

/// The heads of the columns, and the axis.
#[component]
pub fn WaterfallAxis() -> impl IntoView {
    let pane = pane();
    let percent = |share: f64| format!("{:.2}%", share * 100.0);
    move || {
        let waterfall = pane.waterfall.get()?;
        let ticks = axis_ticks(waterfall.ticks.clone());
        let idle = waterfall.idle.iter().map(|(at, words)| {
            let (left, title) = (percent(*at), text::idle(words));
            markup! { <i class="axis__idle" style:left=left title=title></i> }
        });
        let critical = text::critical_path(&words::duration(waterfall.critical_ms));
        Some(markup! {
            <div class="axis" aria-hidden="true">
                <span class="axis__note">{critical}</span>
                <span class="row__tok">{text::TOKENS}</span>
                <span class="row__dur">{text::TIME}</span>
                <span class="row__own">{text::OWN_TIME}</span>
                <span class="axis__scale">{ticks}{idle.collect_view()}</span>
            </div>
        })
    }
}

/// Labels of an axis, by their shares of it.
pub fn axis_ticks(ticks: Vec<(f64, String)>) -> Vec<AnyView> {
    let tick = |(at, words): (f64, String)| {
        let left = format!("{:.2}%", at * 100.0);
        markup! { <span class="axis__tick" style:left=left>{words}</span> }.into_any()
    };
    ticks.into_iter().map(tick).collect()
}

/// The parts of a row that are on the critical path.
pub fn critical_parts(pane: Pane, row: u32) -> Vec<AnyView> {
    let Some(waterfall) = pane.waterfall.get() else { return Vec::new() };
    let part = |(from, len): (f64, f64)| {
        let (left, width) = (format!("{:.2}%", from * 100.0), format!("{:.2}%", len * 100.0));
        markup! { <b style:left=left style:width=width></b> }.into_any()
    };
    waterfall.critical(row).into_iter().map(part).collect()
}
