//! Which request asked for a tool call: the calls that responses ask for wait here until an element
//! says how they came out.

use std::collections::VecDeque;

use crate::model::{EventId, LaneId, Place};

/// So many calls wait at most; a file in which nothing is ever called must not make reading slow.
const MAX_WAITING: usize = 256;

/// A call that a response asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The request.
    pub by: EventId,
    /// Its agent.
    pub lane: LaneId,
    /// The call in the response.
    pub place: Place,
    /// Hash of its id; 0 where it has none.
    pub id_hash: u64,
    /// Hash of the tool's name.
    pub name_hash: u64,
    /// Fingerprint of the arguments; 0 where there are none.
    pub args_hash: u64,
}

/// The calls that wait for their element, in the order in which they were asked for.
#[derive(Debug, Default)]
pub(super) struct Waiting(VecDeque<Asked>);

impl Waiting {
    /// Adds a call.
    pub fn push(&mut self, asked: Asked) {
        if self.0.len() == MAX_WAITING {
            self.0.pop_front();
        }
        self.0.push_back(asked);
    }

    /// Takes the call that an element carries out. An id decides alone; else the name must be the
    /// same, equal arguments are better than others, a later request is better than an earlier one,
    /// and of one request the calls are taken in order.
    pub fn take(&mut self, id_hash: u64, name_hash: u64, args_hash: u64) -> Option<Asked> {
        let by_id = self.0.iter().position(|it| id_hash != 0 && it.id_hash == id_hash);
        let at = by_id.or_else(|| {
            let same_name = self.0.iter().enumerate().filter(|(_, it)| it.name_hash == name_hash);
            let rank = |(at, it): &(usize, &Asked)| {
                let same_args = args_hash != 0 && it.args_hash == args_hash;
                (same_args, it.by, std::cmp::Reverse(*at))
            };
            same_name.max_by_key(rank).map(|(at, _)| at)
        })?;
        self.0.remove(at)
    }
}
