//! AgentV's TraceSummary for the displayed run.

use crate::reactive::{effect, memo};
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::checks;
use crate::runs::switch::{Pressed, switch};
use traceloupe_protocol::messages::Spelling;
use traceloupe_words as words;
use traceloupe_words::page::statistics as text;

/// How many tools are listed.
const MAX_TOOLS: usize = 200;

/// The keys of the summary, in both spellings.
const KEYS: [(&str, &str); 4] = [
    ("eventCount", "event_count"),
    ("errorCount", "error_count"),
    ("toolNames", "tool_names"),
    ("toolCallsByName", "tool_calls_by_name"),
];

/// The number of the button for the second spelling.
const SNAKE: u8 = 1;

/// Collapsed until the user opens it.
#[component]
pub fn Summary() -> impl IntoView {
    let pane = pane();
    let (is_open, set_open) = signal(false);
    let spelling = Pressed::new(0);
    effect(move || {
        // Requested again for another run, or after more has been read.
        pane.run.track();
        pane.trace.outline.track();
        if is_open.get() {
            checks::actions::want_summary(pane);
        }
    });
    let summary = memo(move || {
        let run = pane.run.get();
        pane.trace.statistics.summaries.with(|known| known.get(&run).cloned())
    });
    let table = move || {
        let summary = summary.get().filter(|_| is_open.get())?;
        let named =
            |at: usize| KEYS.get(at).map(|it| if spelling.get() == SNAKE { it.1 } else { it.0 });
        let all = &summary.tool_calls_by_name;
        let numbers = [summary.event_count, summary.error_count, all.len() as u64];
        let own = numbers.map(words::count).into_iter().chain([String::new()]).enumerate();
        let own = own.map(|(at, value)| (named(at).unwrap_or_default().to_owned(), value));
        let tools = all.iter().take(MAX_TOOLS).map(|it| (it.0.clone(), words::count(it.1)));
        let rows = own.chain(tools).map(|(name, value)| {
            markup! { <tr><th scope="row"><bdi>{name}</bdi></th><td>{value}</td></tr> }
        });
        let more = all.len().saturating_sub(MAX_TOOLS);
        Some(markup! {
            <table><tbody>{rows.collect_view()}</tbody></table>
            <p>{(more > 0).then(|| text::more_tools(more))}</p>
        })
    };
    let copy = move |_| {
        if let Some(summary) = summary.get_untracked() {
            let is_snake = spelling.get_untracked() == SNAKE;
            let spelling = if is_snake { Spelling::Snake } else { Spelling::Camel };
            checks::actions::copy_summary(pane.page, &summary, spelling);
        }
    };
    markup! {
        <details class="trace-summary" on:toggle=move |event| {
            let details: web_sys::Element = event_target(&event);
            set_open.set(details.has_attribute("open"));
        }>
            <summary>"TraceSummary"</summary>
            {table}
            <div class="trace-summary__acts">
                {switch(spelling, text::SPELLING_OF_THE_KEYS, &[(0, KEYS[0].0), (SNAKE, KEYS[0].1)])}
                <button on:click=copy>{text::COPY_AS_JSON}</button>
            </div>
        </details>
    }
}
