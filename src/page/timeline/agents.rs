//! Sub-agents: their cards among the rows, and the breadcrumb above the rows of a single one.

use crate::reactive::effect;
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::browser;
use crate::event::actions::want_detail;
use crate::pane::agents::{enter, leave, name_agent};
use traceloupe_core::model::CallOutcome;
use traceloupe_view::agents::Agent;
use traceloupe_view::list::line_view::{LineView, tokens_in_out};
use traceloupe_view::list::scope;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// How much higher a card is than a row, in pixels, as in the style sheet.
pub const CARD_PX: f64 = 24.0;

/// The second line of a card: the outcome, tokens and cost, and the button that enters the agent.
pub fn card(pane: Pane, view: &LineView, agent: Agent, indent: &str) -> AnyView {
    let status = pane.trace.outline.with_untracked(|it| it.rows.statuses.get(agent.row));
    let facts = facts(CallOutcome::from_code(status), &agent);
    // Shown where the list is too narrow for their columns.
    let spent = joined(&[&view.tokens, &view.cost]);
    let answer = move || {
        let id = pane.trace.outline.with(|it| agent.answer.map(|row| it.rows.ids.get(row)));
        id.map_or_else(String::new, |id| pane.trace.previews.text(id))
    };
    let title = text::only_the_agent(&view.name);
    let click = move |event: leptos::ev::MouseEvent| {
        event.stop_propagation();
        enter(pane, agent.row);
        browser::focus_timeline();
    };
    markup! {
        <span class="card" style:padding-left=indent.to_owned()>
            <span class="card__facts">{facts}</span>
            {(!spent.is_empty()).then(|| markup! { <span class="card__spent">{spent}</span> })}
            <bdi class="card__answer" title=answer>{answer}</bdi>
            <button class="quiet card__enter" tabindex="-1" title=title.clone() aria-label=title on:click=click>
                {text::ONLY_THIS_AGENT}<span aria-hidden="true">" ›"</span>
            </button>
        </span>
    }
    .into_any()
}

/// The outcome of an agent, its calls and its errors.
fn facts(status: CallOutcome, agent: &Agent) -> String {
    let outcome = if status.has_worked() { text::AGENT_DONE } else { "" };
    let calls = match agent.n_calls {
        0 => String::new(),
        n => words::counted(u64::from(n), "call", "calls"),
    };
    let errors = match agent.n_errors {
        0 => String::new(),
        n => text::errors(n),
    };
    joined(&[outcome, &calls, &errors])
}

fn joined(parts: &[&str]) -> String {
    let filled: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    filled.join(" · ")
}

/// Puts the agent whose rows alone are shown into the link, once the link to the row that starts it has arrived.
pub fn watch_link(pane: Pane) {
    effect(move || {
        let Some(row) = pane.within.get() else { return };
        let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
        let sel = pane.trace.contents.details.with(|it| it.get(&id).map(|it| it.sel.clone()));
        match sel {
            Some(sel) => name_agent(pane, Some(&sel)),
            None => want_detail(pane.trace, id),
        }
    });
}

/// If only the rows of one agent are shown: its enclosing agents, as links back.
pub fn breadcrumb(pane: Pane, is_list: bool) -> Option<AnyView> {
    let row = pane.within.get().filter(|_| is_list)?;
    let outline = pane.trace.outline.get();
    let path = scope::path(&outline, row);
    let here = path.last()?;
    let cost = pane.trace.costs.with(|costs| words::cost(&costs.of_row(&outline, row)));
    let tokens = tokens_in_out(here.tokens_in, here.tokens_out, here.is_lower_bound);
    let status = outline.rows.outcome(row);
    let took = words::duration(here.duration_ms);
    let facts = joined(&[&facts(status, here), &took, &tokens, &cost]);
    let mut parts = vec![part(pane, None, text::RUN.to_owned(), false)];
    for agent in &path {
        let name = scope::name(&outline, agent);
        parts.push(part(pane, Some(agent.row), name, agent.row == row));
    }
    Some(
        markup! {
            <nav class="crumbs" aria-label=text::AGENTS>
                <ol>{parts}</ol>
                <span class="crumbs__facts">{facts}</span>
            </nav>
        }
        .into_any(),
    )
}

/// A part of the breadcrumb, which links to that level.
fn part(pane: Pane, to: Option<u32>, name: String, is_here: bool) -> AnyView {
    let go = move |_| {
        leave(pane, to);
        browser::focus_timeline();
    };
    let here = custom_attribute("aria-current", is_here.then_some("location"));
    markup! {
        <li><button class="quiet" {..here} on:click=go><bdi>{name}</bdi></button></li>
    }
    .into_any()
}
