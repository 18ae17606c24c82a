//! The TraceSummary of AgentV for the run that is shown.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::checks;
use traceloupe::view::wire::protocol::Spelling;
use traceloupe::view::words;

/// How many tools are listed.
const MAX_TOOLS: usize = 200;

/// Collapsed until the person opens it.
#[component]
pub fn Summary() -> impl IntoView {
    let pane = pane();
    let (is_open, set_open) = signal(false);
    let (spelling, set_spelling) = signal(Spelling::Camel);
    Effect::new(move |_| {
        // Requested again for another run, or after more has been read.
        pane.run.track();
        pane.trace.outline.track();
        if is_open.get() {
            checks::actions::want_summary(pane);
        }
    });
    let summary = Memo::new(move |_| {
        let run = pane.run.get();
        pane.trace.statistics.summaries.with(|known| known.get(&run).cloned())
    });
    let key = move |camel: &'static str, snake: &'static str| {
        move || if spelling.get() == Spelling::Camel { camel } else { snake }
    };
    let tools = move || {
        let listed = summary.get();
        let listed = listed.iter().flat_map(|it| it.tool_calls_by_name.iter().take(MAX_TOOLS));
        listed
            .map(|(name, count)| (name.clone(), words::count(*count)))
            .map(|(name, count)| {
                markup! {
                    <tr><th scope="row"><bdi>{name}</bdi></th><td>{count}</td></tr>
                }
            })
            .collect_view()
    };
    let more = move || {
        let n = summary.with(|it| it.as_ref().map_or(0, |it| it.tool_calls_by_name.len()));
        let more = n.saturating_sub(MAX_TOOLS);
        (more > 0).then(|| text::more_tools(more))
    };
    let number = move |get: fn(&traceloupe::view::wire::protocol::TraceSummary) -> u64| {
        move || summary.with(|it| it.as_ref().map(|it| words::count(get(it))))
    };
    let copy = move |_| {
        if let Some(summary) = summary.get_untracked() {
            checks::actions::copy_summary(pane.page, &summary, spelling.get_untracked());
        }
    };
    let spelled = move |of: Spelling, words: &'static str| {
        let pressed = move || (spelling.get() == of).to_string();
        markup! { <button aria-pressed=pressed on:click=move |_| set_spelling.set(of)>{words}</button> }
    };
    markup! {
        <details class="trace-summary" on:toggle=move |event| {
            let details: web_sys::Element = event_target(&event);
            set_open.set(details.has_attribute("open"));
        }>
            <summary>"TraceSummary"</summary>
            <Show when=move || is_open.get() && summary.with(Option::is_some)>
                <table><tbody>
                    <tr><th scope="row">{key("eventCount", "event_count")}</th><td>{number(|it| it.event_count)}</td></tr>
                    <tr><th scope="row">{key("errorCount", "error_count")}</th><td>{number(|it| it.error_count)}</td></tr>
                    <tr><th scope="row">{key("toolNames", "tool_names")}</th><td>{number(|it| it.tool_calls_by_name.len() as u64)}</td></tr>
                    <tr><th scope="rowgroup" colspan="2" class="trace-summary__by">{key("toolCallsByName", "tool_calls_by_name")}</th></tr>
                    {tools}
                </tbody></table>
                <p>{more}</p>
                <div class="trace-summary__acts">
                    <div class="seg" role="group" aria-label=text::SPELLING_OF_THE_KEYS>
                        {spelled(Spelling::Camel, "eventCount")}{spelled(Spelling::Snake, "event_count")}
                    </div>
                    <button on:click=copy>{text::COPY_AS_JSON}</button>
                </div>
            </Show>
        </details>
    }
}
