//! Words of the replay.

use crate::count;

pub const REPLAY_BEGINS: &str =
    "Replay: Space plays or pauses, the arrow keys step, Escape ends it";
pub const REPLAY_ENDED: &str = "Replay ended";
pub const REPLAY: &str = "Replay";
pub const PREVIOUS_EVENT_TITLE: &str = "One event back (←)";
pub const PREVIOUS_EVENT: &str = "Previous event";
pub const PLAY_OR_PAUSE_SPACE: &str = "Play or pause (space)";
pub const PAUSE: &str = "Pause";
pub const PLAY: &str = "Play";
pub const NEXT_EVENT_TITLE: &str = "One event forward (→)";
pub const NEXT_EVENT: &str = "Next event";
pub const PLAY_HEAD: &str = "Playhead";
pub const SPEED: &str = "Speed";
pub const CUT_PAUSES_TITLE: &str = "Shorten every pause to at most one second";
pub const CUT_PAUSES: &str = "Cap pauses";
pub const END_REPLAY_TITLE: &str = "Back to the full view (Esc)";
pub const END_REPLAY: &str = "End replay";

/// The place of the play head, in a run without times.
#[must_use]
pub fn event_without_times(shown: u32, of: u32) -> String {
    format!("Event {}; no times", n_of(shown, of))
}

/// The place of the play head: time played, length, events, and the time in the trace.
#[must_use]
pub fn place(played: &str, length: &str, shown: u32, of: u32, clock: &str) -> String {
    format!("{played} / {length} · event {} · {clock}", n_of(shown, of))
}

fn n_of(shown: u32, of: u32) -> String {
    format!("{} of {}", count(u64::from(shown)), count(u64::from(of)))
}
