//! The context meter: the highest fill level of the model's context window.

use crate::reactive::{Memo, memo};
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use traceloupe_core::number::{fixed, within};

use traceloupe_protocol::context_use::ContextUse;
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;
use traceloupe_words::page::runs as text;

/// The meter, if the run reports tokens.
#[component]
pub fn ContextMeter(run: Memo<RunLine>) -> impl IntoView {
    let used = memo(move || run.with(|run| run.context));
    markup! { {move || used.get().map(meter)} }
}

/// The number, with a bar if the size of the window is known.
fn meter(used: ContextUse) -> impl IntoView {
    markup! {
        <div class="fact fact--meter" data-tone=used.tone() title=used.percent().is_none().then(|| words::context::sentence(used))>
            <dd>{used.percent().map(|percent| bar(used, percent))}{words::context::number(used)}</dd>
            <dt>{words::context::label(used)}</dt>
        </div>
    }
}

fn bar(used: ContextUse, percent: f64) -> impl IntoView {
    let width = words::css_percent(within(percent, 0.0, 100.0));
    markup! {
        <span class="meter" role="meter" tabindex="0" aria-label=text::CONTEXT_WINDOW
            aria-valuemin="0" aria-valuemax="100"
            {..custom_attribute("aria-valuenow", fixed(percent.min(100.0), 0))}
            {..custom_attribute("aria-valuetext", words::context::sentence(used))}>
            <i style:width=width></i>
            <span class="meter__why" role="tooltip">{words::context::sentence(used)}</span>
        </span>
    }
}
