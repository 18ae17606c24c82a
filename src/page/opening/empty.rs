//! The page with nothing open: what it is, and how to open a trace.

use crate::reactive::Show;
use crate::words::opening as text;
use leptos::prelude::*;
use traceloupe_core::catalog::{self, Card, FAMILIES, Family};
use wasm_bindgen::JsCast;

use crate::app::app;
use crate::browser;
use crate::glyph::glyph;
use crate::opening::format_table::{self, FormatTable};
use crate::opening::intake;
use crate::timeline::overview::lane_view;
use crate::words::counts;
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::samples::{SAMPLES, Sample};

/// Title, description and format of each of the [`SAMPLES`].
const SAID: [(&str, &str, &str); 3] = [
    (text::SAMPLE_LOOP, text::SAMPLE_LOOP_IS, catalog::AGENTDBG.name),
    (text::SAMPLE_SUB_AGENT, text::SAMPLE_SUB_AGENT_IS, catalog::CLAUDE_CODE.name),
    (text::SAMPLE_SPANS, text::SAMPLE_SPANS_IS, catalog::MAIDA.name),
];

/// The page with nothing open.
#[component]
pub fn Empty() -> impl IntoView {
    let page = app().page;
    let is_embedded = move || page.is_embedded();
    markup! {
        <main class="empty">
            <Show when=is_embedded><p>{text::WAITING_FOR_A_TRACE}</p></Show>
            <Show when=move || !is_embedded()>
                <h1 class="empty__lead">{text::WHAT_THIS_IS}</h1>
                <div class="empty__drop">
                    {glyph(icon::DROP)}
                    <p><b>{text::DROP_A_TRACE_HERE}</b>{text::DROP_OR_PASTE}</p>
                    <p class="empty__buttons">
                        <button class="primary" on:click=move |_| intake::pick()>{text::CHOOSE_FILES}</button>
                        <button on:click=move |_| intake::pick_folder()>{text::CHOOSE_A_FOLDER}</button>
                    </p>
                    <AddressForm/>
                </div>
                <p class="empty__seal">{glyph(icon::LOCK)}{text::FILES_STAY}</p>
                <h2>{text::TRY_A_SAMPLE}" "<small>{text::SAMPLES_ARE}</small></h2>
                <ul class="empty__samples">
                    {SAMPLES.iter().enumerate().zip(SAID).map(|((at, sample), said)| sample_card(at, sample, said)).collect_view()}
                </ul>
                <Formats/>
            </Show>
        </main>
    }
}

/// The card of a sample: its overview, what it is, and what is found in it.
fn sample_card(
    at: usize,
    sample: &'static Sample,
    (title, words, format): (&'static str, &'static str, &'static str),
) -> AnyView {
    let address = format!("trace=samples/{}", sample.file);
    let lanes = sample
        .overview()
        .iter()
        .enumerate()
        .map(|(nth, lane)| lane_view(lane, at + nth == 0))
        .collect_view();
    let tag = |n: u64, words: fn(u64) -> String, tone: &'static str, sign: Icon| {
        (n > 0).then(
            || markup! { <span class="badge" data-tone=tone>{glyph(sign.path())}{words(n)}</span> },
        )
    };
    markup! {
        <li><a class="empty__sample" href=format!("#{address}") on:click=move |event| {
            // The page is sealed: only a reloaded one can fetch the sample.
            event.prevent_default();
            browser::reload_with_fragment(&address);
        }>
            <span class="empty__lanes">{lanes}</span>
            <b>{title}</b>
            <span>{words}</span>
            <span class="empty__tags">
                <span class="badge" data-tone="dim">{format}</span>
                {tag(sample.n_loops, counts::loops, "loop", Icon::Loop)}
                {tag(sample.n_errors, counts::errors, "error", Icon::Error)}
            </span>
        </a></li>
    }
    .into_any()
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
            <label for="address">{text::OR_OPEN_AN_ADDRESS}</label>
            <input id="address" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://…"/>
            <button type="submit">{text::OPEN}</button>
        </form>
    }
}

/// So many formats of a family are named, the most common ones; the table has all.
const NAMED: usize = 5;

/// The formats: families with their names, from the catalog, and a folded table with all that is known of each.
#[component]
fn Formats() -> impl IntoView {
    let names = |family: &Family| {
        let name = |card: &&Card| markup! { <li>{card.name}</li> };
        let n_more = family.cards.len().saturating_sub(NAMED);
        let more = (n_more > 0).then(|| markup! {
            <li><button class="quiet" on:click=move |_| format_table::open()>{text::more_formats(n_more)}</button></li>
        });
        markup! { {family.cards.iter().take(NAMED).map(name).collect_view()}{more} }
    };
    markup! {
        <h2>{text::FORMATS}" "<small>{text::FORMATS_ARE}</small></h2>
        <dl class="empty__families">
            {FAMILIES.iter().map(|family| markup! {
                <div><dt>{family.name}</dt><dd><ul role="list">{names(family)}</ul></dd></div>
            }).collect_view()}
        </dl>
        <FormatTable/>
    }
}
