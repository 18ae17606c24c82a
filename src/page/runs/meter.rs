//! The context meter: how full the model's window was at the last LLM call.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use traceloupe::view::wire::context_use::ContextUse;
use traceloupe::view::wire::outline::RunLine;

/// The meter among the facts, where the run tells of tokens.
#[component]
pub fn ContextMeter(run: Memo<RunLine>) -> impl IntoView {
    let used = Memo::new(move |_| run.with(|run| run.context));
    view! { class="tl", {move || used.get().map(meter)} }
}

fn meter(used: ContextUse) -> impl IntoView {
    let percent = used.percent();
    let width = format!("{:.1}%", percent.clamp(0.0, 100.0));
    view! { class="tl",
        <div class="fact fact--meter" data-tone=used.tone()>
            <dd class="tl">
                <span class="meter tl" role="meter" tabindex="0" aria-label="Context window"
                    aria-valuemin="0" aria-valuemax="100"
                    {..custom_attribute("aria-valuenow", format!("{:.0}", percent.min(100.0)))}
                    {..custom_attribute("aria-valuetext", used.sentence())}>
                    <i class="tl" style:width=width></i>
                    <span class="meter__why tl" role="tooltip">{used.sentence()}</span>
                </span>
                {format!("{percent:.0}%")}
            </dd>
            <dt class="tl">{used.label()}</dt>
        </div>
    }
}
