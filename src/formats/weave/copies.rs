//! Records that were copied from another run: a forked or resumed session has the history of the other one in
//! its own file, before its own records.
//!
//! Copies have the times at which they were written, all at once. So they end where a second passes, or where a
//! turn begins that is newer than the run. Copied events are shown, but their usage does not count.

use crate::formats::kit::Description;
use crate::json::Json;
use crate::model::{EventId, LaneId};

/// Copies follow each other without a pause like this.
const PAUSE_NS: i64 = 1_000_000_000;

/// Whether records of a source are copies.
#[derive(Default)]
pub(super) struct Copies {
    is_copying: bool,
    /// When the last record was written.
    last_ns: Option<i64>,
    /// The event in which the copied events are nested.
    around: Option<(LaneId, EventId)>,
}

/// What a record is with regard to copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copied {
    /// The run's own.
    No,
    /// The run's own, and the first one after copies.
    NoMore,
    /// The first record of the run that the copies are of.
    Begins,
    /// A copy.
    Yes,
}

impl Copies {
    /// Takes the next record of a source. `own` is the key of its run, if that is known already.
    pub(super) fn take(&mut self, own: Option<&str>, description: &Description<'_>) -> Copied {
        let info = &description.run;
        let time = description.items.iter().find_map(|item| item.start.get());
        let last = self.last_ns;
        self.last_ns = time.or(last);
        let Some(own) = own else {
            self.is_copying = info.copied_from.is_given();
            return Copied::No;
        };
        if info.is_of_source && info.key.word().is_some_and(|key| key != own) {
            self.is_copying = true;
            return if self.around.is_none() { Copied::Begins } else { Copied::Yes };
        }
        if !self.is_copying {
            return Copied::No;
        }
        let pause = time.zip(last).and_then(|(now, last)| now.checked_sub(last));
        if pause.is_some_and(|ns| ns > PAUSE_NS) || is_newer(info.turn, own) {
            self.is_copying = false;
            return Copied::NoMore;
        }
        Copied::Yes
    }

    /// Nests the copies in an event.
    pub(super) fn nest(&mut self, lane: LaneId, event: EventId) {
        self.around = Some((lane, event));
    }

    /// The event that no further events are nested in.
    pub(super) fn leave(&mut self) -> Option<(LaneId, EventId)> {
        self.around.take()
    }
}

/// Whether an id was made after another one. Only those of version 7 of UUIDs begin with their time.
fn is_newer(turn: Json<'_>, run: &str) -> bool {
    let has_time = |id: &str| id.len() == 36 && id.as_bytes().get(14) == Some(&b'7');
    turn.word().is_some_and(|turn| has_time(&turn) && has_time(run) && *turn > *run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_with_a_time_tell_which_is_newer() {
        let run = "019d7e3d-0164-79d1-af76-e4ee6689b94f";
        for (turn, is_it) in [
            ("\"019d7e3d-018b-70c0-afd0-371649720dbc\"", true),
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
