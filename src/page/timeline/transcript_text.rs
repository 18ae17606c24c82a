//! A text of the transcript: a message of the user or a model, drawn over its line.

use crate::reactive::{effect, live, memo};
use leptos::html::Div;
use leptos::prelude::*;

use crate::annotations::comments::AnnotationBadge;
use crate::app::pane::{Pane, pane};
use crate::event::actions;
use crate::event::body::{block_view, cutting, speech_view};
use crate::event::heights;
use crate::glyph::glyph;
use crate::pane;
use traceloupe_core::model::{ErrorLabel, EventKind, WaitFor};
use traceloupe_protocol::detail::{ShownBlock, ValueForm};
use traceloupe_view::icon::Icon;
use traceloupe_view::list::form::{begins_to_speak, has_words, indent};
use traceloupe_view::list::line_view::row_name;
use traceloupe_view::list::visible_lines::{Line, is_flat};
use traceloupe_view::outline::Outline;
use traceloupe_view::spoken::spoken;
use traceloupe_view::turns::Turn;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// The most lines and characters of a message that are shown initially.
const MAX_LINES: u32 = 40;
const MAX_CHARS: u32 = 6_000;

/// A text of the transcript.
#[component]
pub fn Said(row: u32) -> impl IntoView {
    let pane = pane();
    let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
    let by_user = pane.trace.outline.with_untracked(|outline| is_user(outline.rows.kinds.get(row)));
    let is_silent = pane.trace.outline.with_untracked(|outline| !has_words(outline, row));
    let detail = memo(move || pane.trace.contents.details.with(|known| known.get(&id).cloned()));
    // The texts of the first screen are requested after its rows, which already contain their beginnings.
    effect(move || {
        let may_ask = pane.trace.rows_are_drawn.get();
        if may_ask && !is_silent && detail.with(Option::is_none) {
            actions::want_detail(pane.trace, id);
        }
    });
    let element: NodeRef<Div> = NodeRef::new();
    heights::keep(pane, pane.said_heights, element, row);
    // Until the text has arrived, its beginning is shown.
    let beginning = move || pane.trace.previews.text(id);
    let content = live(move || match detail.get() {
        _ if is_silent => ().into_any(),
        None => markup! { <p class="said__beginning">{beginning}</p> }.into_any(),
        Some(detail) => said(pane, &detail.blocks, row, by_user).into_any(),
    });
    let within = pane.choice.with_untracked(|choice| choice.within);
    let steps = pane.trace.outline.with_untracked(|outline| indent(outline, within, row));
    let is_selected = move || (pane.selected.get() == Some(Line::Row(row))).to_string();
    // Rows that the replay has not reached yet are dimmed.
    let is_ahead = move || {
        let plan = pane.replay.plan.get();
        plan.is_some_and(|plan| plan.is_ahead(pane.replay.head.get(), row))
    };
    let is_dim = move || {
        is_ahead()
            || pane.choice.with(|choice| choice.dims && choice.is_filtered())
                && !pane.matching.get().has(row)
    };
    markup! {
        <div class="said" node_ref=element data-by=if by_user { "person" } else { "model" }
            data-selected=is_selected data-dim=move || is_dim().then_some("true")
            style:padding-left=format!("{}px", u32::from(steps) * 20)
            on:click=move |_| pane::actions::select_here(pane, Line::Row(row))>
            {by_user.then(|| pause_before(pane, row)).flatten().map(|words| markup! { <p class="said__pause"><span>{words}</span></p> })}
            <article class="said__in">
                {move || head(pane, row, by_user)}
                <div class="said__text">{content}</div>
                <div class="said__acts">
                    <AnnotationBadge id/>
                    <button class="quiet" title=text::ALL_OF_EVENT_TITLE
                        aria-expanded=move || pane.opened.with(|opened| opened.has(row)).to_string()
                        on:click=move |event| {
                            event.stop_propagation();
                            pane::actions::select_here(pane, Line::Row(row));
                            pane::actions::toggle_body(pane, row);
                        }>{text::ALL_OF_EVENT}</button>
                </div>
            </article>
        </div>
    }
}

fn is_user(kind: u8) -> bool {
    kind == EventKind::UserMessage as u8
}

/// What was said, or that nothing was.
fn said(pane: Pane, blocks: &[ShownBlock], row: u32, by_user: bool) -> Vec<AnyView> {
    let cutting = cutting(pane);
    let view = |block: &ShownBlock| match block {
        ShownBlock::Value(_, ValueForm::Text, shown) => speech_view(shown, MAX_LINES, MAX_CHARS),
        block => block_view(block, cutting),
    };
    let spoken = spoken(blocks, by_user);
    if !spoken.is_empty() || by_user {
        return spoken.into_iter().map(view).collect();
    }
    let words = pane.trace.outline.with_untracked(|outline| {
        text::nothing_said(outline.rows.tokens_in.get(row), outline.rows.tokens_out.get(row))
    });
    vec![markup! { <p class="said__nothing">{words}</p> }.into_any()]
}

/// The speaker, shown at a user message, where a model begins, and where the row before may not be shown.
fn head(pane: Pane, row: u32, by_user: bool) -> Option<AnyView> {
    let outline = pane.trace.outline.get();
    let costs = pane.trace.costs.get();
    if !by_user && !begins_to_speak(&outline, row) && !pane.choice.with(is_flat) {
        return None;
    }
    let turn = outline.turns.around(row);
    let mut facts = Vec::new();
    if by_user {
        facts.extend(turn.filter(|turn| turn.row == row).map(|turn| text::turn(turn.number)));
        facts.push(words::time_of_day(outline.rows.starts_ms.get(row)));
    } else if let Some(turn) = turn.filter(|turn| is_first_reply(&outline, turn, row)) {
        facts.push(words::duration(turn.duration_ms));
        facts.push(words::cost(&costs.between(turn.row, turn.end)));
    }
    facts.retain(|fact| !fact.is_empty());
    let (_, run) = outline.run_of(row)?;
    let lane = run.lanes.get(usize::from(outline.rows.lanes.get(row))).filter(|it| !it.is_main);
    let is_inner = lane.is_some();
    let who = match lane.map(|lane| lane.name.clone()).filter(|name| !name.is_empty()) {
        // What a sub-agent was asked comes from the agent that started it.
        name if by_user && is_inner => text::prompt_for(name.as_deref()),
        _ if by_user => text::USER.to_owned(),
        Some(name) => name,
        None => text::MODEL.to_owned(),
    };
    let is_named = !outline.name(outline.rows.names.get(row)).is_empty();
    let name = row_name(&outline, row);
    let model = (!by_user && is_named).then(|| markup! { <span class="said__model">{name}</span> });
    let icon = if by_user { Icon::User } else { Icon::Llm };
    let failed = outline.rows.outcome(row).is_error();
    let error = failed.then(|| {
        let words = match outline.error(row) {
            ErrorLabel::None => text::FAILED.to_owned(),
            error => words::error_label(error).into_owned(),
        };
        markup! { <span class="badge" data-tone="error">{glyph(Icon::Error.path())}{words}</span> }
    });
    let look = if by_user { "user" } else { "llm" };
    Some(
        markup! {
            <header class="said__head" data-look=look>
                <svg class="row__icon" viewBox="0 0 16 16" aria-hidden="true"><path d=icon.path()></path></svg>
                <b>{who}</b>{model}{error}
                <span class="said__facts">{facts.join(" · ")}</span>
            </header>
        }
        .into_any(),
    )
}

/// Whether a row is the main agent's first reply in a turn, where the totals of the turn are shown.
fn is_first_reply(outline: &Outline, turn: &Turn, row: u32) -> bool {
    let rows = &outline.rows;
    let is_reply = |it: &u32| {
        rows.kinds.get(*it) == EventKind::LlmCall as u8
            && rows.lanes.get(*it) == rows.lanes.get(row)
    };
    indent(outline, None, row) == 0 && !(turn.row..row).any(|it| is_reply(&it))
}

/// The pause before a user message.
fn pause_before(pane: Pane, row: u32) -> Option<String> {
    pane.trace.outline.with_untracked(|outline| {
        let start_ms = outline.rows.starts_ms.get(row);
        let (_, run) = outline.run_of(row)?;
        run.idle_before_ms(start_ms).map(|ms| words::waited(WaitFor::User, ms))
    })
}
