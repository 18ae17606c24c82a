//! Where the time of a run went: what the statistics begin with.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use traceloupe::view::page::waterfall::Waterfall;
use traceloupe::view::words;

/// Where the time of the run went.
#[component]
pub fn TimeSpent() -> impl IntoView {
    let pane = pane();
    move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let spent = Waterfall::new(&outline, run).spent_ms(&outline, run);
        let all_ms: f64 = spent.iter().sum();
        if !(all_ms > 0.0 && run.columns.durations) {
            return None;
        }
        let parts = [
            ("llm", text::BY_MODELS),
            ("tool", text::BY_TOOLS),
            ("state", text::BY_OTHERS),
            ("none", text::BY_NOTHING),
        ];
        let parts: Vec<_> = parts.into_iter().zip(spent).filter(|(_, ms)| *ms > 0.0).collect();
        let bars = parts.iter().map(|((look, _), ms)| {
            let width = format!("{:.2}%", ms / all_ms * 100.0);
            markup! { <i data-look=*look style:width=width></i> }
        });
        let bars = bars.collect_view();
        let legend = parts.iter().map(|((look, label), ms)| {
            let share = format!("{:.0} %", ms / all_ms * 100.0);
            markup! {
                <li data-look=*look><span class="dot" aria-hidden="true"></span>{*label}" "
                    <b>{words::duration(*ms)}</b>" "<small>{share}</small></li>
            }
        });
        Some(markup! {
            <h3>{text::TIME_SPENT}</h3>
            <div class="spent" aria-hidden="true">{bars}</div>
            <ul class="spent__legend">{legend.collect_view()}</ul>
        })
    }
}
