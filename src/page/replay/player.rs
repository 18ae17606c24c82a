//! The player: plays the run, or steps through it.

use crate::reactive::{Show, effect, live, memo};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::replay::actions;
use traceloupe_core::number::{self, shortest};
use traceloupe_view::replay::Speed;
use traceloupe_words as words;
use traceloupe_words::page::replay as text;

/// The bar of the player, while it is open.
#[component]
pub fn Player() -> impl IntoView {
    let pane = pane();
    let is_open = memo(move || pane.replay.plan.with(Option::is_some));
    // A replay belongs to a single run.
    effect(move || {
        let run = pane.run.get();
        if pane.replay.plan.with_untracked(|plan| plan.as_ref().is_some_and(|it| it.run != run)) {
            actions::close_replay(pane);
        }
    });
    effect(move || {
        if pane.replay.is_playing.get() {
            next_frame(pane);
        }
    });
    markup! { <Show when=move || is_open.get()><Controls/></Show> }
}

fn next_frame(pane: Pane) {
    request_animation_frame(move || {
        if pane.trace.is_open() && actions::play_on(pane) {
            next_frame(pane);
        }
    });
}

#[component]
fn Controls() -> impl IntoView {
    let pane = pane();
    let replay = pane.replay;
    let plan = move || replay.plan.get().unwrap_or_default();
    let has_times = memo(move || plan().has_times);
    let length_ms = move || plan().length_ms();
    let head = move || replay.head.get();
    let play: NodeRef<leptos::html::Button> = NodeRef::new();
    // The player takes the focus, so that Space plays.
    effect(move || {
        if let Some(button) = play.get() {
            // A visible button can always take the focus.
            let _ = button.focus();
        }
    });
    let said = live(move || {
        let plan = plan();
        let (shown, of) = (head().shown, plan.n_rows());
        if !plan.has_times {
            return text::event_without_times(shown, of);
        }
        let clock = words::stamp(plan.trace_ms(head()));
        // A short run needs finer units than tenths of a second.
        let time = if plan.length_ms() < 10_000.0 { words::duration } else { words::clock };
        text::place(&time(head().played_ms), &time(plan.length_ms()), shown, of, &clock)
    });
    markup! {
        <section class="player" aria-label=text::REPLAY on:keydown=move |event| pressed(pane, &event)>
            <button class="icon" title=text::PREVIOUS_EVENT_TITLE aria-label=text::PREVIOUS_EVENT
                on:click=move |_| actions::step_replay(pane, false)>"‹"</button>
            <button class="icon primary" node_ref=play disabled=move || !has_times.get()
                title=text::PLAY_OR_PAUSE_SPACE
                aria-label=move || if replay.is_playing.get() { text::PAUSE } else { text::PLAY }
                on:click=move |_| actions::play_or_pause(pane)>
                {move || if replay.is_playing.get() { "❚❚" } else { "▶" }}
            </button>
            <button class="icon" title=text::NEXT_EVENT_TITLE aria-label=text::NEXT_EVENT
                on:click=move |_| actions::step_replay(pane, true)>"›"</button>
            <Show when=move || has_times.get()>
                <input class="player__track" type="range" min="0" step="any" aria-label=text::PLAY_HEAD
                    max=move || shortest(length_ms())
                    aria-valuetext=move || words::duration(head().played_ms)
                    prop:value=move || shortest(head().played_ms)
                    on:input=move |event| {
                        if let Some(played_ms) = number::parse(&event_target_value(&event)) {
                            actions::seek_replay(pane, played_ms);
                        }
                    }/>
            </Show>
            <span class="player__said">{said}</span>
            <Show when=move || has_times.get()>
                <label class="player__speed"><span class="sr">{text::SPEED}</span>
                    <select prop:value=move || replay.speed.get().word() on:change=move |event| {
                        actions::set_replay_speed(pane, Speed::from_word(&event_target_value(&event)));
                    }>
                        {Speed::ALL.map(|(speed, word, words)| markup! {
                            <option value=word selected=speed == replay.speed.get_untracked()>{words}</option>
                        }).collect_view()}
                    </select>
                </label>
                <label class="player__idle" title=text::CUT_PAUSES_TITLE>
                    <input type="checkbox" prop:checked=move || plan().cuts_idle
                        on:change=move |event| actions::set_replay_idle(pane, event_target_checked(&event))/>
                    {text::CUT_PAUSES}
                </label>
            </Show>
            <button class="quiet" title=text::END_REPLAY_TITLE on:click=move |_| {
                actions::close_replay(pane);
            }>{text::END_REPLAY}</button>
        </section>
    }
}

/// Keys of the player while it has the focus. Controls keep their own keys.
fn pressed(pane: Pane, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let tag = event.target().map(wasm_bindgen::JsCast::unchecked_into::<web_sys::Element>);
    let tag = tag.map(|it| it.tag_name()).unwrap_or_default();
    match event.key().as_str() {
        " " if tag != "BUTTON" && tag != "SELECT" && tag != "INPUT" => actions::play_or_pause(pane),
        "ArrowLeft" if tag != "INPUT" && tag != "SELECT" => actions::step_replay(pane, false),
        "ArrowRight" if tag != "INPUT" && tag != "SELECT" => actions::step_replay(pane, true),
        "Escape" => {
            actions::close_replay(pane);
            crate::browser::focus_timeline();
        }
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}
