//! The page with nothing open: what this is, and the ways in.

use leptos::prelude::*;
use traceloupe::catalog::CARDS;
use wasm_bindgen::JsCast;

use crate::app::app;
use crate::browser;
use crate::opening::intake;

/// Samples that lie beside the page: file, title, what it shows.
const SAMPLES: [(&str, &str, &str); 3] = [
    (
        "trip-planner.jsonl",
        "A trip planner that goes in circles",
        "AgentDbg, with a loop and an error",
    ),
    ("bug-fix.jsonl", "A bug fix with a helper agent", "Claude Code, with a sub-agent"),
    ("nightly-report.jsonl", "A nightly report", "Maida, spans that nest"),
];

/// The page with nothing open.
#[component]
pub fn Empty() -> impl IntoView {
    let page = app().page;
    let is_embedded = move || page.is_embedded();
    markup! {
        <main class="empty">
            <Show when=move || !is_embedded() fallback=|| markup! { <p>"Waiting for a trace"</p> }>
                <p class="empty__lead">"See what an AI agent did, where it failed, and where it went in circles."</p>
                <div class="empty__drop">
                    <p><b>"Drop a trace here"</b>", a folder of them, or paste one"</p>
                    <p class="empty__buttons">
                        <button class="primary" on:click=move |_| intake::pick()>"Choose files…"</button>
                        <button on:click=move |_| intake::pick_folder()>"Choose a folder…"</button>
                    </p>
                    <AddressForm/>
                </div>
                <p class="empty__seal">"Files stay on this computer: the page reads them by itself and has no server to send them to."</p>
                <h2>"Try a sample"</h2>
                <ul class="empty__samples">
                    {SAMPLES.into_iter().map(|(file, title, words)| markup! {
                        <li><a class="empty__sample" href=format!("#trace=samples/{file}") on:click=move |event| {
                            // The page is sealed: only a fresh one can fetch the sample.
                            event.prevent_default();
                            browser::reload_with_fragment(&format!("trace=samples/{file}"));
                        }><b>{title}</b><span>{words}</span></a></li>
                    }).collect_view()}
                </ul>
                <Formats/>
            </Show>
        </main>
    }
}

/// An address to open.
#[component]
fn AddressForm() -> impl IntoView {
    let app = app();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let text = browser::element("address")
            .and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
        if let Some(input) = text {
            intake::take_text(app, &input.value());
        }
    };
    markup! {
        <form class="empty__address" on:submit=submit>
            <label for="address">"or open an address"</label>
            <input id="address" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://…"/>
            <button type="submit">"Open"</button>
        </form>
    }
}

/// The formats, from the registry.
#[component]
fn Formats() -> impl IntoView {
    markup! {
        <h2>"Formats"</h2>
        <table class="empty__formats">
            <thead><tr><th scope="col">"Format"</th><th scope="col">"Versions"</th><th scope="col">"Where to find the files"</th></tr></thead>
            <tbody>
                {CARDS.iter().map(|card| markup! {
                    <tr><th scope="row">{card.name}</th><td>{card.versions}</td><td>{card.found_at}</td></tr>
                }).collect_view()}
            </tbody>
        </table>
        <p class="empty__also">"JSON, JSONL, concatenated JSON and event streams; gzip and zip are unpacked; UTF-16 and broken files are read as far as they go."</p>
    }
}
