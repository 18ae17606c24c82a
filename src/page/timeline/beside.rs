//! The selected row of a waterfall, beside the bars: when it ran, and its contents.

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::event::body::Body;
use crate::glyph::glyph;
use crate::pane;
use crate::reactive::live;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_view::attempts::{Try, tries};
use traceloupe_view::list::line_view::{failure, row_name, tokens_in_out};
use traceloupe_view::look::look;
use traceloupe_view::outline::Outline;
use traceloupe_view::span_facts::SpanFacts;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// The panel. Nothing if the row is closed, or if its contents are below it.
#[component]
pub fn Beside() -> impl IntoView {
    let pane = pane();
    live(move || {
        let row = pane.beside.get()?;
        let (icon, name) = pane.trace.outline.with_untracked(|outline| {
            let kind = EventKind::from_code(outline.rows.kinds.get(row));
            let name = outline.name(outline.rows.names.get(row));
            (look(kind, name).0, row_name(outline, row))
        });
        Some(markup! {
            <aside class="panel beside" aria-label=text::SELECTED_EVENT>
                <header class="beside__head">{glyph(icon.path())}<h2>{name}</h2></header>
                <Body row above=facts/>
            </aside>
        })
    })
}

/// When the row ran, its self time, and how long the run waited for it.
fn facts(pane: Pane, row: u32) -> Option<AnyView> {
    let waterfall = pane.waterfall.get()?;
    let outline = pane.trace.outline.get();
    let facts = SpanFacts::of(&outline, &waterfall, row);
    let costs = pane.trace.costs.with(|costs| costs.of_row(&outline, row));
    let rows = &outline.rows;
    let is_bound = Flags::from_bits(rows.flags.get(row)).has(Flags::UNFINISHED_USAGE);
    let tokens = tokens_in_out(rows.tokens_in.get(row), rows.tokens_out.get(row), is_bound);
    let start = words::time_of_day_ms(facts.start_ms);
    let start = text::start(&start, &words::duration(facts.since_ms));
    let duration = match facts.duration_ms > 0.0 {
        true => text::took(&words::duration(facts.duration_ms), &words::duration(facts.own_ms)),
        false => String::new(),
    };
    let critical = facts.critical_share().map_or_else(String::new, |share| match share > 0.0 {
        true => text::of_it(&words::duration(facts.critical_ms), share),
        false => text::NOT_ON_IT.to_owned(),
    });
    let line = |name: &'static str, value: String| {
        (!value.is_empty()).then(|| markup! { <dt>{name}</dt><dd>{value}</dd> }.into_any())
    };
    let parent = facts.parent.map(|parent| {
        let name = row_name(&outline, parent);
        markup! {
            <dt>{text::PARENT}</dt>
            <dd><button class="quiet" on:click=move |_| pane::actions::go_to(pane, parent)>{name}</button></dd>
        }
    });
    Some(
        markup! {
            <dl class="beside__facts">
                {line(text::START, start)}
                {line(text::DURATION, duration)}
                {line(text::ON_THE_CRITICAL_PATH, critical)}
                {line(text::TOKENS, tokens)}
                {line(text::COST, words::cost(&costs))}
                {parent}
            </dl>
            {tries_table(pane, &outline, row)}
        }
        .into_any(),
    )
}

/// The attempts inside a call, if there was a retry.
fn tries_table(pane: Pane, outline: &Outline, row: u32) -> Option<AnyView> {
    let line = |it: &Try| {
        let (row, waited_ms) = (it.row, it.waited_ms);
        let number = row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1;
        let has_worked = outline.rows.outcome(row).has_worked();
        let outcome = failure(outline, row);
        let outcome = outcome.or_else(|| has_worked.then(|| ("dim", text::WORKED.to_owned())));
        let outcome = outcome.map(|(tone, words)| {
            markup! { <span class="badge" data-tone=tone>{words}</span> }
        });
        let lasted = words::duration(outline.rows.durations_ms.get(row));
        markup! {
            <tr>
                <td><button class="quiet" on:click=move |_| pane::actions::go_to(pane, row)>{number}</button></td>
                <td>{outcome}</td>
                <td data-number="true">{words::duration(waited_ms)}</td><td data-number="true">{lasted}</td>
            </tr>
        }
        .into_any()
    };
    let lines: Vec<AnyView> = tries(outline, row).iter().map(line).collect();
    (!lines.is_empty()).then(|| {
        markup! {
            <table class="grid beside__tries">
                <caption>{text::TRIES}</caption>
                <thead><tr><th scope="col">{text::TRY_EVENT}</th><th scope="col">{text::OUTCOME}</th>
                    <th scope="col" title=text::WAITED_TITLE>{text::WAITED}</th><th scope="col">{text::DURATION}</th></tr></thead>
                <tbody>{lines}</tbody>
            </table>
        }
        .into_any()
    })
}
