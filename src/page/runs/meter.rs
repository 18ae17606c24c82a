//! The context meter: how full the model's context window was at most.

use crate::reactive::{Memo, memo};
use crate::words::runs as text;
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use traceloupe::number::{fixed, within};
use traceloupe::view::words;

use traceloupe::view::wire::context_use::ContextUse;
use traceloupe::view::wire::outline::RunLine;

/// The meter, if the run reports tokens.
#[component]
pub fn ContextMeter(run: Memo<RunLine>) -> impl IntoView {
    let used = memo(move || run.with(|run| run.context));
    markup! { {move || used.get().map(meter)} }
}

/// The number, with a bar if the size of the window is known.
fn meter(used: ContextUse) -> impl IntoView {
    markup! {
        <div class="fact fact--meter" data-tone=used.tone() title=used.percent().is_none().then(|| used.sentence())>
            <dd>{used.percent().map(|percent| bar(used, percent))}{used.number()}</dd>
            <dt>{used.label()}</dt>
        </div>
    }
}

fn bar(used: ContextUse, percent: f64) -> impl IntoView {
    let width = words::css_percent(within(percent, 0.0, 100.0));
    markup! {
        <span class="meter" role="meter" tabindex="0" aria-label=text::CONTEXT_WINDOW
            aria-valuemin="0" aria-valuemax="100"
            {..custom_attribute("aria-valuenow", fixed(percent.min(100.0), 0))}
            {..custom_attribute("aria-valuetext", used.sentence())}>
            <i style:width=width></i>
            <span class="meter__why" role="tooltip">{used.sentence()}</span>
        </span>
    }
}
