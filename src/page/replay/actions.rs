//! Playing the run back.

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::{Goal, Pane};
use crate::app::trace::Phase;
use crate::browser;
use crate::shared::Shared;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::replay::{Head, Replay, Speed};
use traceloupe_view::scroll::Going;
use traceloupe_words::page::replay as text;

/// How often the list follows the playhead, in milliseconds. Nobody could read along if it jumped for every row.
const FOLLOW_MS: f64 = 200.0;

/// Opens the player at the first row of the run, or closes it.
pub fn toggle_replay(pane: Pane) {
    if pane.replay.plan.with_untracked(Option::is_some) {
        return close_replay(pane);
    }
    // A growing trace has no end to play to.
    if pane.trace.phase.get_untracked() != Phase::Ready {
        return;
    }
    let plan = plan(pane, true);
    pane.replay.head.set(plan.stepped(Head::default(), true));
    pane.replay.plan.set(Some(Shared::new(plan)));
    follow(pane, true);
    say(pane.page, text::REPLAY_BEGINS);
}

fn plan(pane: Pane, cuts_idle: bool) -> Replay {
    let run = pane.run.get_untracked();
    pane.trace.outline.with_untracked(|outline| Replay::of_run(outline, run, cuts_idle))
}

/// Closes the player and shows all rows again.
pub fn close_replay(pane: Pane) {
    pane.replay.is_playing.set(false);
    if pane.replay.plan.with_untracked(Option::is_some) {
        pane.replay.plan.set(None);
    }
}

/// Plays or pauses. At the end, starts again.
pub fn play_or_pause(pane: Pane) {
    let Some(plan) = pane.replay.plan.get_untracked().filter(|plan| plan.has_times) else {
        return;
    };
    let is_playing = !pane.replay.is_playing.get_untracked();
    if is_playing && plan.is_over(pane.replay.head.get_untracked()) {
        pane.replay.head.set(plan.at(0.0));
    }
    pane.replay.moved_ms.set_value(browser::now_ms());
    pane.replay.is_playing.set(is_playing);
}

/// Advances the playhead by the time that has passed. Returns whether playing continues.
pub fn play_on(pane: Pane) -> bool {
    let Some(plan) = pane.replay.plan.get_untracked() else { return false };
    if !pane.replay.is_playing.get_untracked() {
        return false;
    }
    let now_ms = browser::now_ms();
    let passed_ms = now_ms - pane.replay.moved_ms.get_value();
    pane.replay.moved_ms.set_value(now_ms);
    let speed = pane.replay.speed.get_untracked();
    let head = plan.advanced(pane.replay.head.get_untracked(), passed_ms, speed);
    pane.replay.head.set(head);
    let is_over = plan.is_over(head);
    follow(pane, is_over);
    if is_over {
        pane.replay.is_playing.set(false);
        say(pane.page, text::REPLAY_ENDED);
    }
    !is_over
}

/// Steps one row forward or back, and pauses.
pub fn step_replay(pane: Pane, forward: bool) {
    let Some(plan) = pane.replay.plan.get_untracked() else { return };
    pane.replay.is_playing.set(false);
    pane.replay.head.update(|head| *head = plan.stepped(*head, forward));
    follow(pane, true);
}

/// Moves the playhead to a replay time.
pub fn seek_replay(pane: Pane, played_ms: f64) {
    let Some(plan) = pane.replay.plan.get_untracked() else { return };
    pane.replay.head.set(plan.at(played_ms));
    follow(pane, true);
}

/// Sets the speed.
pub fn set_replay_speed(pane: Pane, speed: Speed) {
    pane.replay.speed.set(speed);
}

/// Sets whether long pauses are shortened. Rows that have appeared stay visible.
pub fn set_replay_idle(pane: Pane, cuts_idle: bool) {
    let plan = plan(pane, cuts_idle);
    let shown = pane.replay.head.with_untracked(|head| head.shown);
    let head = plan.stepped(Head { shown: shown.saturating_sub(1), ..Head::default() }, true);
    pane.replay.plan.set(Some(Shared::new(plan)));
    pane.replay.head.set(head);
}

/// Scrolls to the row that appeared last.
fn follow(pane: Pane, at_once: bool) {
    let now_ms = browser::now_ms();
    if !at_once && now_ms - pane.replay.followed_ms.get_value() < FOLLOW_MS {
        return;
    }
    let head = pane.replay.head.get_untracked();
    let row = pane.replay.plan.with_untracked(|plan| plan.as_ref()?.row_at(head));
    if let Some(row) = row {
        pane.replay.followed_ms.set_value(now_ms);
        pane.goal.update(|goal| {
            *goal = Goal { count: goal.count + 1, line: Some(Line::Row(row)), going: Going::Step };
        });
    }
}
