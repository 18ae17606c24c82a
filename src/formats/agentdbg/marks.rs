//! The marks that the producer puts in place of the parts that it removed from a value.

use traceloupe_core::json::Json;
use traceloupe_core::model::Flags;
use traceloupe_engine::kit::{Item, Part};

/// The mark in place of a value whose key looks secret.
const REDACTED: &str = "__REDACTED__";

/// The mark at the end of a cut string, or in place of values that are nested too deeply. It always ends a string.
const TRUNCATED: &str = "__TRUNCATED__";

/// The common ending of [`REDACTED`] and [`TRUNCATED`], and the letter of it that every byte is compared with: few
/// records contain that letter often, and a search for one letter costs less than one for a text.
const MARKS_END: &str = "TED__";
const LETTER: u8 = b'D';
const LETTER_AT: usize = 2;

/// Whether a value was removed.
pub fn is_redacted(value: Json<'_>) -> bool {
    value.is(REDACTED)
}

/// Adds notes on the marks in a record to its event.
pub fn mark(record: Json<'_>, item: &mut Item<'_>) {
    let flags = marks(record.raw());
    item.flags.set(flags);
    if flags.has(Flags::REDACTED) {
        item.part(Part::Note("Some values were redacted by the producer".into()));
    }
    if flags.has(Flags::TRUNCATED) {
        // 20,000 bytes is the producer's default limit; nesting is cut below ten levels.
        item.part(Part::Note(
            "Some values were cut by the producer, at 20,000 bytes or below ten levels unless set otherwise".into(),
        ));
    }
}

fn marks(text: &str) -> Flags {
    let mut flags = Flags::NONE;
    for at in memchr::memchr_iter(LETTER, text.as_bytes()) {
        let behind = at + MARKS_END.len() - LETTER_AT;
        let before = text.get(..behind).unwrap_or_default();
        if before.ends_with(REDACTED) {
            flags.set(Flags::REDACTED);
        }
        if before.ends_with(TRUNCATED) && text.as_bytes().get(behind) == Some(&b'"') {
            flags.set(Flags::TRUNCATED);
        }
    }
    flags
}
