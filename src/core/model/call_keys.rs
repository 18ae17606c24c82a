//! Keys for comparing a call with others, where the fingerprints of its arguments and result are not enough.

use super::event::NIL;
use super::{Event, EventId, NameId, Trace, TraceBuilder};

/// Values that only few calls have, so events have no fields for them.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallKeys {
    alike: u64,
    failure: u64,
    file: u64,
    command: u64,
    structure: NameId,
    is_search: bool,
}

impl CallKeys {
    const NONE: Self = Self {
        alike: 0,
        failure: 0,
        file: 0,
        command: 0,
        structure: NameId::NONE,
        is_search: false,
    };
}

impl Trace {
    /// The fingerprint of the arguments of a call without those that only give information about the call
    /// ([`super::arguments::ASIDES`]); 0 if it has none.
    #[must_use]
    pub fn alike_hash(&self, event: &Event) -> u64 {
        let alike = self.call_keys(event).alike;
        if alike == 0 { event.args_hash } else { alike }
    }

    /// A hash of the failure of a call: its error or exit code, and the telling line without what differs each time. 0 if
    /// these are unknown.
    #[must_use]
    pub fn failure_hash(&self, event: &Event) -> u64 {
        self.call_keys(event).failure
    }

    /// A hash of the path of the file that a call is about; 0 if the call names no file, or several.
    #[must_use]
    pub fn file_hash(&self, event: &Event) -> u64 {
        self.call_keys(event).file
    }

    /// A hash of what a call acts on: its file, or else its command without options and redirections. 0 if neither is
    /// known.
    #[must_use]
    pub fn target_hash(&self, event: &Event) -> u64 {
        let keys = self.call_keys(event);
        if keys.file == 0 { keys.command } else { keys.file }
    }

    /// Whether the exit code of a call is that of a search or a comparison.
    #[must_use]
    pub fn is_search(&self, event: &Event) -> bool {
        self.call_keys(event).is_search
    }

    /// The structure of the arguments in the producer's own notation, if the producer's loop rule compares it (Maida);
    /// otherwise empty.
    #[must_use]
    pub fn structure(&self, event: &Event) -> NameId {
        self.call_keys(event).structure
    }

    fn call_keys(&self, event: &Event) -> CallKeys {
        self.call_keys.get(event.call_keys as usize).copied().unwrap_or(CallKeys::NONE)
    }
}

impl TraceBuilder {
    /// Sets the fingerprints of the arguments of a call: of all of them, and without those that only give information
    /// about the call.
    pub fn set_arguments(&mut self, id: EventId, exact: u64, alike: u64) {
        let Some(event) = self.event_mut(id) else { return };
        event.args_hash = exact;
        let is_known = event.call_keys != NIL;
        if (is_known || alike != exact)
            && let Some(keys) = self.call_keys_mut(id)
        {
            keys.alike = alike;
        }
    }

    /// Sets [`Trace::failure_hash`].
    pub fn set_failure(&mut self, id: EventId, hash: u64) {
        if let Some(keys) = self.call_keys_mut(id) {
            keys.failure = hash;
        }
    }

    /// Sets [`Trace::file_hash`].
    pub fn set_file(&mut self, id: EventId, hash: u64) {
        if let Some(keys) = self.call_keys_mut(id) {
            keys.file = hash;
        }
    }

    /// Sets a hash of what the command of a call acts on, and [`Trace::is_search`].
    pub fn set_command(&mut self, id: EventId, target: u64, is_search: bool) {
        if let Some(keys) = self.call_keys_mut(id) {
            (keys.command, keys.is_search) = (target, is_search);
        }
    }

    /// Sets [`Trace::structure`].
    pub fn set_structure(&mut self, id: EventId, structure: NameId) {
        if let Some(keys) = self.call_keys_mut(id) {
            keys.structure = structure;
        }
    }

    #[inline(never)]
    fn call_keys_mut(&mut self, id: EventId) -> Option<&mut CallKeys> {
        let at = self.trace.call_keys.len();
        let event = self.trace.events.get_mut(id.index())?;
        if event.call_keys == NIL {
            event.call_keys = u32::try_from(at).unwrap_or(NIL);
            self.trace.call_keys.push(CallKeys::NONE);
        }
        self.trace.call_keys.get_mut(event.call_keys as usize)
    }
}
