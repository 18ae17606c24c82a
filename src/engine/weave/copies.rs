//! Records that were copied from another run: the file of a forked or resumed session contains the history of the other
//! session before its own records.
//!
//! All copies have the times at which they were written, which is all at once. They end where a second passes between
//! two records, where some seconds have passed in total, where a turn begins that is newer than the run, or at the
//! record whose number the file states. Copied events are shown, but their usage does not count.

use crate::kit::{Description, Reach};
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventId, LaneId};

/// Consecutive copies are less than this apart.
const PAUSE_NS: i64 = 1_000_000_000;

/// All copies are written within this time.
const ALL_NS: i64 = 5_000_000_000;

/// The id of a sub-agent's first turn may be older than its run by this much.
const EARLY_MS: u64 = 500;

/// Determines whether records of a source are copies.
#[derive(Default)]
pub(super) struct Copies {
    is_copying: bool,
    /// The number of the run's first own record, if the file states it.
    own_from: Option<u64>,
    /// The time when the last record was written.
    last_ns: Option<i64>,
    /// The time when the copies began.
    began_ns: Option<i64>,
    /// The event in which the copied events are nested.
    around: Option<(LaneId, EventId)>,
}

/// How a record relates to copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copied {
    /// The run's own.
    No,
    /// The run's own, and the first one after copies.
    NoMore,
    /// The first record of the run from which the copies come.
    Begins,
    /// A copy.
    Yes,
}

impl Copies {
    /// Classifies the next record of a source. `own` is the key of its run, if already known.
    pub(super) fn take(&mut self, own: Option<&str>, description: &Description<'_>) -> Copied {
        let info = &description.run;
        let time = description.items.iter().find_map(|item| item.time.start.get());
        let last = self.last_ns;
        self.last_ns = time.or(last);
        let Some(own) = own else {
            self.is_copying = info.origin.copied_from.is_given();
            self.own_from = info.origin.own_from;
            self.began_ns = time;
            return Copied::No;
        };
        if info.reach == Reach::Source && info.key.word().is_some_and(|key| key != own) {
            if !std::mem::replace(&mut self.is_copying, true) {
                self.began_ns = self.last_ns;
            }
            return if self.around.is_none() { Copied::Begins } else { Copied::Yes };
        }
        if let Some((ordinal, own_from)) = info.origin.ordinal.zip(self.own_from) {
            let has_copied = std::mem::replace(&mut self.is_copying, ordinal < own_from);
            return match (self.is_copying, has_copied) {
                (true, _) => Copied::Yes,
                (false, true) => Copied::NoMore,
                (false, false) => Copied::No,
            };
        }
        if !self.is_copying {
            return Copied::No;
        }
        let since =
            |then: Option<i64>| time.zip(then).and_then(|(now, then)| now.checked_sub(then));
        let has_paused = since(last).is_some_and(|ns| ns > PAUSE_NS);
        let takes_long = since(self.began_ns).is_some_and(|ns| ns > ALL_NS);
        if has_paused || takes_long || is_newer(info.origin.turn, own) {
            self.is_copying = false;
            return Copied::NoMore;
        }
        Copied::Yes
    }

    /// Nests the copies in an event.
    pub(super) fn nest(&mut self, lane: LaneId, event: EventId) {
        self.around = Some((lane, event));
    }

    /// Ends the nesting of copies. Returns the event in which they were nested.
    pub(super) fn leave(&mut self) -> Option<(LaneId, EventId)> {
        self.around.take()
    }
}

/// Whether the id of a turn was created at the same time as that of a run, or later. Only UUIDs of version 7 begin with
/// their time.
fn is_newer(turn: Json<'_>, run: &str) -> bool {
    let made_ms = |id: &str| {
        let has_time = id.len() == 36 && id.as_bytes().get(14) == Some(&b'7');
        let (high, low) = id.split_once('-').filter(|_| has_time)?;
        u64::from_str_radix(&format!("{high}{}", low.get(..4)?), 16).ok()
    };
    let made = turn.word().and_then(|turn| made_ms(&turn)).zip(made_ms(run));
    made.is_some_and(|(turn, run)| turn.saturating_add(EARLY_MS) >= run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_with_a_time_tell_which_is_newer() {
        let run = "019d7e3d-0164-79d1-af76-e4ee6689b94f";
        for (turn, is_it) in [
            ("\"019d7e3d-018b-70c0-afd0-371649720dbc\"", true),
            // At the same moment, and slightly earlier.
            ("\"019d7e3d-0164-70c0-afd0-371649720dbc\"", true),
            ("\"019d7e3d-0100-70c0-afd0-371649720dbc\"", true),
            ("\"019d7e3c-f000-70c0-afd0-371649720dbc\"", false),
            ("\"019d7d08-46c9-7f73-affe-4e6ca9852d56\"", false),
            ("\"f19d7e3d-018b-40c0-afd0-371649720dbc\"", false),
            ("\"9\"", false),
            ("", false),
        ] {
            assert_eq!(is_newer(Json::new(turn), run), is_it, "{turn}");
        }
        assert!(!is_newer(Json::new("\"019d7e3d-018b-70c0-afd0-371649720dbc\""), "f1"));
    }
}
