//! What the rows of the run can be filtered by, with counts: kinds, tools, models, agents.

use crate::reactive::{RwSignal, Show, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::pane::filtering;
use traceloupe_core::model::{CallOutcome, EventKind};
use traceloupe_view::icon::Icon;
use traceloupe_view::look::look;
use traceloupe_view::query::facets::Facets;
use traceloupe_view::query::parse::YES;
use traceloupe_view::query::{Key, Measure};
use traceloupe_view::row_kind::RowKind;
use traceloupe_words::counts;
use traceloupe_words::page::filter as text;
use traceloupe_words::{count, mcp_parts};

/// The lists. The list of files is below the kinds.
#[component]
pub fn FacetLists(files: AnyView) -> impl IntoView {
    let pane = pane();
    let named = move |key: Key,
                      of: fn(&Facets) -> &[(String, u64)],
                      head: &'static str,
                      label: &'static str| {
        let has_any = memo(move || pane.facets.with(|it| !of(it).is_empty()));
        let names = memo(move || pane.facets.with(|it| of(it).to_vec()));
        markup! {
            <Show when=move || has_any.get()>
                <details class="side__part" open>
                    <summary><h2>{head}</h2></summary>
                    <ul class="side__list" role="list" aria-label=label>
                        {move || names.get().into_iter().map(|(name, n)| name_line(pane, key, name, n)).collect_view()}
                    </ul>
                </details>
            </Show>
        }
    };
    // Bookkeeping kinds are shown if there is nothing else, or if they take no more than one line.
    let unfolds = RwSignal::new(false);
    let kinds = memo(move || {
        let (quiet, loud): (Vec<_>, Vec<_>) =
            pane.facets.with(|it| it.kinds.iter().partition(|(kind, _)| kind.is_quiet()));
        match loud.is_empty() || quiet.len() < 2 {
            true => (loud.into_iter().chain(quiet).collect(), Vec::new()),
            false => (loud, quiet),
        }
    });
    let lines = move |kinds: Vec<(RowKind, u64)>| {
        let line = |(kind, n): (RowKind, u64)| {
            let pressed = move || has(pane, Key::Kind, kind.word());
            let act = move || filtering::toggle(pane, Key::Kind, kind.word());
            facet(kind.name().to_owned(), n, kind.look(), pressed, act)
        };
        kinds.into_iter().map(line).collect_view()
    };
    let folded = live(move || {
        let (_, quiet) = kinds.get();
        if unfolds.get() {
            return lines(quiet).into_any();
        }
        let words = (!quiet.is_empty()).then(|| text::more_kinds(quiet.len()));
        words
            .map(|words| markup! {
                <li><button class="side__more" on:click=move |_| unfolds.set(true)>{words}</button></li>
            })
            .into_any()
    });
    markup! {
        <details class="side__part" open>
        <summary><h2>{text::KIND}</h2></summary>
        <ul class="side__list" role="list" aria-label=text::KINDS>
            {move || some(pane.facets.with(|it| it.errors)).map(|n| {
                let pressed = move || has(pane, Key::Status, CallOutcome::Failed.word());
                facet(text::FAILED.to_owned(), n, (Icon::Error, "error"), pressed, move || filtering::toggle_errors(pane))
            })}
            {move || some(pane.facets.with(|it| it.loops)).map(|n| {
                let pressed = move || has(pane, Key::Loop, YES);
                facet(text::IN_LOOPS.to_owned(), n, (Icon::Loop, "loop"), pressed, move || filtering::toggle_loops(pane))
            })}
            {move || pane.facets.with(|it| it.slow).map(|(range, n)| {
                let pressed = move || {
                    pane.choice.with(|choice| choice.query.has_range(Measure::Duration, range))
                };
                facet(text::slow(&range.print()), n, (Icon::Slow, "note"), pressed, move || filtering::toggle_duration(pane, range))
            })}
            {move || lines(kinds.get().0)}
            {folded}
        </ul>
        </details>
        {files}
        {named(Key::Tool, |it| &it.tools, text::TOOL, text::TOOLS)}
        {named(Key::Model, |it| &it.models, text::MODEL, text::MODELS)}
        {named(Key::Agent, |it| &it.agents, text::AGENT, text::AGENTS)}
    }
}

fn some(n: u64) -> Option<u64> {
    (n > 0).then_some(n)
}

fn has(pane: Pane, key: Key, word: &str) -> bool {
    pane.choice.with(|choice| choice.query.has(key, word))
}

fn name_line(pane: Pane, key: Key, name: String, n: u64) -> impl IntoView {
    let kind = match key {
        Key::Tool => EventKind::ToolCall,
        Key::Model => EventKind::LlmCall,
        _ => EventKind::Agent,
    };
    let (icon, colour) = look(kind, &name);
    let words = match mcp_parts(&name).filter(|_| key == Key::Tool) {
        _ if name.is_empty() => counts::NO_NAME.to_owned(),
        // The end of a long name is cut off, so the tool comes before the server.
        Some((server, tool)) => text::tool_of(tool, server),
        None => name.clone(),
    };
    let asked = name.clone();
    let pressed = move || has(pane, key, &asked);
    facet(words, n, (icon, colour), pressed, move || filtering::toggle(pane, key, &name))
}

fn facet(
    words: String,
    n: u64,
    (icon, colour): (Icon, &'static str),
    is_pressed: impl Fn() -> bool + Send + 'static,
    act: impl Fn() + 'static,
) -> impl IntoView {
    markup! {
        <li>
            <button class="side__facet" data-look=colour aria-pressed=move || is_pressed().to_string() on:click=move |_| act()>
                <svg class="row__icon" viewBox="0 0 16 16" aria-hidden="true"><path d=icon.path()></path></svg>
                <span class="side__name" title=words.clone()>{words.clone()}</span>
                <span class="side__n">{count(n)}</span>
            </button>
        </li>
    }
}
