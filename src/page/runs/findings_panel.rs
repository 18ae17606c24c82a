//! All findings of a run, beside the timeline, with the evidence for the chosen one below the list. The timeline goes
//! to the chosen finding.

use crate::glyph::glyph;
use crate::reactive::{Memo, RwSignal, Show, effect, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::pane;
use crate::runs::finding_entries::{Found, alike, evidence_of, found, heading, said, sign, tone};
use crate::runs::finding_evidence::opened;
use crate::runs::findings::{self, CLOSE, drawn, nothing_found, toggle};
use crate::shared::Shared;
use traceloupe_protocol::outline::FindingLine;
use traceloupe_view::finding_list::{Entry, FindingList, Part};
use traceloupe_view::icon;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_words::counts;
use traceloupe_words::page::findings as text;

/// How many findings are listed initially, and how many more each time. A thousand would take the browser a second.
const SHOWN: usize = 30;

/// Selects the entries, the focused one and the chosen one.
const ENTRY: &str = ".finding";
const FOCUSED: &str = ".finding:focus";
const CHOSEN: &str = ".finding[aria-current]";

/// All findings, beside the timeline.
#[component]
pub fn Findings() -> impl IntoView {
    let pane = pane();
    markup! {
        <Show when=move || pane.lists_findings.get()>
            <aside class="panel" aria-label=text::ALL_FINDINGS on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    toggle(pane);
                }
            }>
                <AllFindings/>
            </aside>
        </Show>
    }
}

/// The chosen entry: the first one, unless the user has chosen another.
type Chosen = Memo<usize>;

#[component]
fn AllFindings() -> impl IntoView {
    let pane = pane();
    let found = found(pane);
    let n_shown = RwSignal::new(SHOWN);
    begin(pane, &found.get_untracked());
    let chosen: Chosen = memo(move || {
        let key = pane.finding.get();
        found.with(|all| all.entries().iter().position(|it| Some(it.key) == key)).unwrap_or(0)
    });
    let step = move |words: &'static str, path, by: isize| {
        let act = move |_| {
            let all = found.get_untracked();
            let last = all.entries().len().saturating_sub(1);
            let at = chosen.get_untracked().saturating_add_signed(by).min(last);
            n_shown.update(|n| *n = (*n).max(at + 1));
            choose(pane, &all, at);
        };
        markup! { <button class="quiet" title=words aria-label=words on:click=act>{glyph(path)}</button> }
    };
    let n = move || found.with(|all| all.entries().len());
    effect(move || {
        let all = found.get();
        let alike = all.entries().get(chosen.get()).map(|it| alike(&all, it)).unwrap_or_default();
        unfold_apart(pane, &all, chosen.get());
        if pane.alike.with_untracked(|before| **before != alike) {
            pane.alike.set(Shared::new(alike));
        }
    });
    let list = move || {
        let (all, n_shown) = (found.get(), n_shown.get());
        let part = |it: &Entry| (!it.is_muted).then_some(it.part);
        let parts = all.entries().chunk_by(|a, b| part(a) == part(b));
        let mut at = 0;
        let mut views = Vec::new();
        for entries in parts {
            let words = match entries.first().and_then(part) {
                Some(part) => heading(pane, &all, part),
                None => counts::muted_findings(all.muted().count() as u64),
            };
            if at < n_shown {
                views.push(markup! { <h3>{words}</h3> }.into_any());
            }
            for entry in entries {
                if at < n_shown {
                    views.push(entry_view(pane, found, &all, chosen, (at, entry)));
                }
                at += 1;
            }
        }
        views
    };
    let more = move || {
        let n_more = n().saturating_sub(n_shown.get());
        (n_more > 0).then(|| markup! {
            <button class="quiet findings__more" on:click=move |_| n_shown.update(|n| *n += SHOWN)>{counts::more(n_more)}</button>
        })
    };
    let n_left_out = move || {
        let causes = pane.trace.statistics.causes.get();
        if causes.run == pane.run.get() { causes.n_left_out } else { 0 }
    };
    let left_out = live(move || {
        let dropped = pane.trace.outline.with(|outline| outline.findings_dropped);
        let errors = n_left_out();
        [
            (errors > 0).then(|| text::errors_left_out(errors)),
            (dropped > 0).then(|| text::not_listed(dropped)),
            if n() == 0 { nothing_found(pane) } else { None },
        ]
        .into_iter()
        .flatten()
        .map(|words| markup! { <p class="findings__none">{words}</p> })
        .collect_view()
    });
    markup! {
        <header class="panel__head">
            <h2>{text::FINDINGS}" "<span class="badge" data-tone="dim">{n}</span></h2>
            {step(text::PREVIOUS_FINDING, icon::UP, -1)}
            {step(text::NEXT_FINDING, icon::DOWN, 1)}
            <button id=CLOSE class="quiet" aria-label=text::CLOSE_FINDINGS
                on:click=move |_| toggle(pane)>{glyph(icon::CLOSE)}</button>
        </header>
        <div class="panel__list" on:keydown=move |event| {
            let key = event.key();
            // Keys in the evidence scroll it.
            let is_entry = event_target::<web_sys::Element>(&event).matches(ENTRY).unwrap_or(false);
            if is_entry && ["ArrowUp", "ArrowDown"].contains(&key.as_str()) {
                event.prevent_default();
                browser::focus_next(ENTRY, key == "ArrowDown");
                browser::press(FOCUSED);
            }
        }>{list}{more}{left_out}</div>
        {move || found.with(|all| all.entries().get(chosen.get()).map(|entry| opened(pane, all, entry)))}
    }
}

/// Shows the rows of the chosen entry, if other calls between its repetitions fold along with them.
fn unfold_apart(pane: Pane, all: &FindingList, at: usize) {
    let Some(entry) = all.entries().get(at) else { return };
    let folds = |at: &u32| all.get(*at).is_some_and(|it| it.folds_with_others());
    let folded: Vec<u32> = entry.findings.iter().copied().filter(folds).collect();
    let is_unfolded =
        pane.choice.with_untracked(|it| folded.iter().all(|at| it.unfolded.contains(*at)));
    if !is_unfolded {
        pane.choice.update(|choice| choice.unfolded.extend(folded));
    }
}

/// Chooses an entry: the list shows it, and the timeline goes to it if it is visible beside the list.
fn choose(pane: Pane, all: &FindingList, at: usize) {
    let Some(entry) = all.entries().get(at) else { return };
    pane.finding.set(Some(entry.key));
    // The list must reach its final length before it is scrolled.
    unfold_apart(pane, all, at);
    if !browser::is_narrow() {
        let row = all.first(entry).map_or(0, |line| line.mark);
        pane::actions::go_to_start(pane, row);
    }
    leptos::task::spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(30).await;
        browser::show_inside(".panel__list", CHOSEN);
    });
}

/// Starts with the entry of the selected row, otherwise with the first one.
fn begin(pane: Pane, all: &FindingList) {
    let selected = match pane.selected.get_untracked() {
        Some(Line::Row(row)) => Some(row),
        _ => None,
    };
    let is_about = |entry: &Entry| {
        selected.is_some_and(|row| {
            let is_here = |line: &&FindingLine| line.rows.as_slice().contains(&row);
            all.first(entry).is_some_and(|it| it.mark == row)
                || all.lines(entry).iter().any(is_here)
        })
    };
    match all.entries().iter().position(is_about) {
        Some(at) => pane.finding.set(all.entries().get(at).map(|it| it.key)),
        None => choose(pane, all, 0),
    }
}

fn entry_view(
    pane: Pane,
    found: Found,
    all: &FindingList,
    chosen: Chosen,
    (at, entry): (usize, &Entry),
) -> AnyView {
    let evidence = evidence_of(pane, all, entry);
    // The cost of the repetitions, otherwise their duration.
    let cost = (entry.part != Part::Errors).then_some(evidence.main_figure);
    let said = said(pane, all, entry);
    let title = said.sentence.plain();
    let rest = (!said.rest.is_empty()).then(|| markup! { " · "{drawn(&said.rest)} });
    let (tone, rule) = all.first(entry).map_or(("", ""), |it| (tone(it), it.rule.id()));
    markup! {
        <button class="finding" id=move || (chosen.get() == at).then_some(findings::CHOSEN) data-severity=tone data-rule=rule title=title
            aria-current=move || (chosen.get() == at).then_some("true")
            on:click=move |_| choose(pane, &found.get_untracked(), at)>
            {glyph(sign(entry.part).path())}
            <span class="finding__words">{drawn(&said.headline)}</span>
            <span class="finding__cost">{cost}</span>
            <span class="finding__place">{evidence.place}{rest}</span>
        </button>
    }
    .into_any()
}
