//! Where the time of a run went: what the statistics begin with.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::runs::shares::shares;
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
        let parts = parts.into_iter().zip(spent).filter(|(_, ms)| *ms > 0.0);
        let parts = parts
            .map(|((look, label), ms)| (look, label.to_owned(), words::duration(ms), ms / all_ms));
        let idle_ms: f64 = run.idle_ms.iter().map(|(from, to)| to - from).sum();
        let pauses = (idle_ms > 0.0).then(|| text::pauses(&words::duration(idle_ms)));
        Some(markup! {
            <section class="stats__card">
                <h2>{text::TIME_SPENT}</h2>
                {shares(parts.collect())}
                {pauses.map(|pauses| markup! { <p class="stats__about">{pauses}</p> })}
            </section>
        })
    }
}
