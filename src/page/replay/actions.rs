//! Playing the run back.

use std::cell::Cell;

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::state::{AppState, Phase, Shared};
use crate::browser;
use traceloupe::view::page::replay::{Head, Replay, Speed};
use traceloupe::view::page::rows::Line;

/// The list follows the play head this often, in milliseconds: a jump with every row cannot be read.
const FOLLOW_MS: f64 = 200.0;

thread_local! {
    /// When the list last followed the play head, and when the head last moved.
    static FOLLOWED_MS: Cell<f64> = const { Cell::new(0.0) };
    static MOVED_MS: Cell<f64> = const { Cell::new(0.0) };
}

/// Opens the player at the first row of the run, or closes it.
pub fn toggle_replay(state: AppState) {
    if state.replay.plan.with_untracked(Option::is_some) {
        return close_replay(state);
    }
    // What still grows has no end to be played to.
    if state.phase.get_untracked() != Phase::Ready {
        return;
    }
    let plan = plan(state, true);
    state.replay.head.set(plan.stepped(Head::default(), true));
    state.replay.plan.set(Some(Shared::new(plan)));
    follow(state, true);
    say(state, "Replay: space plays, arrows step, Escape ends it");
}

fn plan(state: AppState, cuts_idle: bool) -> Replay {
    let run = state.run.get_untracked();
    state.outline.with_untracked(|outline| Replay::of_run(outline, run, cuts_idle))
}

/// Back to the full view.
pub fn close_replay(state: AppState) {
    state.replay.is_playing.set(false);
    if state.replay.plan.with_untracked(Option::is_some) {
        state.replay.plan.set(None);
    }
}

/// Plays or pauses; from the end it begins again.
pub fn play_or_pause(state: AppState) {
    let Some(plan) = state.replay.plan.get_untracked().filter(|plan| plan.has_times) else {
        return;
    };
    let is_playing = !state.replay.is_playing.get_untracked();
    if is_playing && plan.is_over(state.replay.head.get_untracked()) {
        state.replay.head.set(plan.at(0.0));
    }
    MOVED_MS.set(browser::now_ms());
    state.replay.is_playing.set(is_playing);
}

/// Moves the play head on by the time that has passed. Whether it goes on playing.
pub fn play_on(state: AppState) -> bool {
    let Some(plan) = state.replay.plan.get_untracked() else { return false };
    if !state.replay.is_playing.get_untracked() {
        return false;
    }
    let now_ms = browser::now_ms();
    let passed_ms = now_ms - MOVED_MS.replace(now_ms);
    let speed = state.replay.speed.get_untracked();
    let head = plan.advanced(state.replay.head.get_untracked(), passed_ms, speed);
    state.replay.head.set(head);
    let is_over = plan.is_over(head);
    follow(state, is_over);
    if is_over {
        state.replay.is_playing.set(false);
        say(state, "Replay ended");
    }
    !is_over
}

/// One row further on, or back; playing pauses.
pub fn step_replay(state: AppState, forward: bool) {
    let Some(plan) = state.replay.plan.get_untracked() else { return };
    state.replay.is_playing.set(false);
    state.replay.head.update(|head| *head = plan.stepped(*head, forward));
    follow(state, true);
}

/// Puts the play head to a time of the replay.
pub fn seek_replay(state: AppState, played_ms: f64) {
    let Some(plan) = state.replay.plan.get_untracked() else { return };
    state.replay.head.set(plan.at(played_ms));
    follow(state, true);
}

/// Says how fast it plays.
pub fn set_replay_speed(state: AppState, speed: Speed) {
    state.replay.speed.set(speed);
}

/// Says whether long pauses are cut short; the rows that have come up stay.
pub fn set_replay_idle(state: AppState, cuts_idle: bool) {
    let plan = plan(state, cuts_idle);
    let shown = state.replay.head.with_untracked(|head| head.shown);
    let head = plan.stepped(Head { shown: shown.saturating_sub(1), ..Head::default() }, true);
    state.replay.plan.set(Some(Shared::new(plan)));
    state.replay.head.set(head);
}

/// Keeps the row that came up last in sight.
fn follow(state: AppState, at_once: bool) {
    let now_ms = browser::now_ms();
    if !at_once && now_ms - FOLLOWED_MS.get() < FOLLOW_MS {
        return;
    }
    let head = state.replay.head.get_untracked();
    let row = state.replay.plan.with_untracked(|plan| plan.as_ref()?.row_at(head));
    if let Some(row) = row {
        FOLLOWED_MS.set(now_ms);
        state.goal.update(|(count, goal)| {
            *count += 1;
            *goal = Some(Line::Row(row));
        });
    }
}
