//! The review of a file that is saved: what is redacted in it, by kind and by place.

use leptos::prelude::*;

use crate::app::app;
use crate::app::handoff;
use traceloupe_protocol::redaction::{Kind, RedactionHit};
use traceloupe_words::page::redaction as text;

/// So many places are drawn; more would make the dialog slow.
const MOST_DRAWN: usize = 300;

/// The dialog.
#[component]
pub fn Review() -> impl IntoView {
    let page = app().page;
    let state = page.handoff;
    // A review that is closed has passed nothing on, and keeps no file.
    on_cleanup(move || state.reviewed.set_value(None));
    let reviewed = state.reviewed.with_value(|reviewed| {
        let reviewed = reviewed.as_ref()?;
        let name = reviewed.names.first().cloned().unwrap_or_default();
        Some((name, reviewed.counts.clone(), reviewed.hits.clone()))
    });
    let Some((name, counts, hits)) = reviewed else { return ().into_any() };
    let count = counts.iter().map(|(_, count)| count).sum::<u32>();
    let kind_box = move |(kind, count): (Kind, u32)| {
        let checked = move || state.kept_kinds.with(|kept| !kept.contains(&kind));
        let change = move |event| {
            let is_redacted = event_target_checked(&event);
            state.kept_kinds.update(|kept| {
                kept.retain(|it| *it != kind);
                if !is_redacted {
                    kept.push(kind);
                }
            });
        };
        markup! {
            <label><input type="checkbox" prop:checked=checked on:change=change/>{text::kind_with_count(kind, count)}</label>
        }
    };
    let drawn = hits.len().min(MOST_DRAWN);
    let more = count.saturating_sub(u32::try_from(drawn).unwrap_or(u32::MAX));
    let rows: Vec<RedactionHit> = hits.into_iter().take(MOST_DRAWN).collect();
    markup! {
        <p>{text::found_in(&name, count)}"."</p>
        <fieldset class="review__kinds"><legend>{text::KINDS}</legend>
            {counts.into_iter().map(kind_box).collect_view()}
        </fieldset>
        <ul class="review" tabindex="0" aria-label=text::FOUND_IN_FILE>
            {rows.into_iter().map(|hit| markup! { <Place hit/> }).collect_view()}
        </ul>
        {(more > 0).then(|| markup! { <p>{text::more_hits(more)}"."</p> })}
        <p class="dialog__acts">
            <button on:click=move |_| page.dialog.set(None)>{text::CANCEL}</button>
            <button on:click=move |_| handoff::end_review(page, false)>{text::SAVE_AS_IT_IS}</button>
            <button class="primary" on:click=move |_| handoff::end_review(page, true)>{text::SAVE_REDACTED}</button>
        </p>
    }
    .into_any()
}

/// One place, with what is before and after the value.
#[component]
fn Place(hit: RedactionHit) -> impl IntoView {
    let state = app().page.handoff;
    let RedactionHit { secret, kind, .. } = hit;
    let is_kind_kept = move || state.kept_kinds.with(|kept| kept.contains(&kind));
    let checked = move || !is_kind_kept() && state.kept.with(|kept| !kept.contains(secret));
    let change = move |event| {
        let is_redacted = event_target_checked(&event);
        state.kept.update(|kept| {
            if is_redacted {
                kept.remove(secret);
            } else {
                kept.insert(secret);
            }
        });
    };
    markup! {
        <li>
            <label><input type="checkbox" prop:checked=checked prop:disabled=is_kind_kept on:change=change/>
                <span class="review__place">{text::place(hit.line, hit.offset)}</span>
            </label>
            <code class="review__text">{hit.before}<del>{hit.value}</del><ins>{hit.placeholder}</ins>{hit.after}</code>
        </li>
    }
}
