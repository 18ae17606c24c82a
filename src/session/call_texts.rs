//! Calls read again for the rules about loops.

use std::cell::Cell;

use crate::answers::Answers;
use crate::render::call_text::call_text;
use crate::store::Store;
use traceloupe_analysis::{CallText, CallTexts};
use traceloupe_core::model::EventId;

/// How many bytes of records are read in all. A record may hold a whole conversation, and many calls.
const MAX_BYTES: u64 = 32 << 20;

/// The texts of the calls of a trace.
#[derive(Debug)]
pub(super) struct ReadTexts<'a, S> {
    answers: Answers<'a, S>,
    left_bytes: Cell<u64>,
}

impl<'a, S: Store> ReadTexts<'a, S> {
    pub(super) fn new(answers: Answers<'a, S>) -> Self {
        Self { answers, left_bytes: Cell::new(MAX_BYTES) }
    }
}

impl<S: Store> CallTexts for ReadTexts<'_, S> {
    fn of_call(&self, id: EventId) -> Option<CallText> {
        let event = self.answers.trace.event(id)?;
        let places = self.answers.trace.places(event);
        let len_bytes: u64 = places.map(|place| u64::from(place.span.len)).sum();
        self.left_bytes.set(self.left_bytes.get().checked_sub(len_bytes)?);
        let detail = self.answers.blocks_of(id, event).ok()?;
        Some(call_text(&detail, &|span| self.answers.read(span)))
    }
}
