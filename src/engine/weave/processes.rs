//! Commands that keep running while an agent checks on them: the failure of a process counts once, even if several
//! calls report it.

use rustc_hash::FxHashMap;

use super::item_context::Taken;
use crate::kit::What;
use traceloupe_core::model::{ErrorId, Event, EventId, Status, TraceBuilder};

/// The processes of one source.
#[derive(Default)]
pub(super) struct Processes {
    /// The calls that started them.
    commands: FxHashMap<u64, EventId>,
    /// The calls that checked on them.
    looks: Vec<(u64, EventId)>,
}

impl Processes {
    /// Records the data of an item about a process.
    pub(super) fn add(&mut self, taken: &Taken<'_, '_>, event: EventId) {
        let Some(key) = taken.key("process", taken.item.process_id()) else { return };
        match taken.item.what() {
            What::Call => self.looks.push((key, event)),
            _ => drop(self.commands.insert(key, event)),
        }
    }

    /// Ends the source. A call that checks on a failed process has not failed itself, nor has one that checks on a search
    /// that found nothing.
    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        for (key, look) in self.looks.drain(..) {
            let command = self.commands.get(&key).and_then(|id| out.trace().event(*id));
            let has_error = |it: &&Event| it.status.is_error() || it.status == Status::NoMatch;
            let Some(error) = command.filter(has_error).map(|it| it.error) else { continue };
            if let Some(look) = out.event_mut(look)
                && look.status.is_error()
                && look.error == error
            {
                (look.status, look.error) = (Status::Ok, ErrorId::NONE);
            }
        }
    }
}
