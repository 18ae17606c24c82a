//! The marks that the producer puts in place of what it took out of a value.

use traceloupe_core::json::Json;
use traceloupe_core::model::{EventNote, Flags};
use traceloupe_engine::kit::{Item, Part};

/// What the producer puts in place of a value whose key looks secret.
const REDACTED: &str = "__REDACTED__";

/// What the producer puts at the end of a cut string, or in place of what lies too deep. It always
/// ends a string.
const TRUNCATED: &str = "__TRUNCATED__";

/// How [`REDACTED`] and [`TRUNCATED`] end, and the letter of it that every byte is compared with: there are few of
/// them in most records, and a search for one letter costs less than one for a text.
const MARKS_END: &str = "TED__";
const LETTER: u8 = b'D';
const LETTER_AT: usize = 2;

/// Whether a value was taken out.
pub fn is_redacted(value: Json<'_>) -> bool {
    value.is(REDACTED)
}

/// Says what the marks in a record say of its event.
pub fn mark(record: Json<'_>, item: &mut Item<'_>) {
    let flags = marks(record.raw());
    item.flags.set(flags);
    if flags.has(Flags::REDACTED) {
        item.part(Part::Note(EventNote::Redacted));
    }
    if flags.has(Flags::TRUNCATED) {
        // 20,000 bytes is the producer's default limit; nesting is cut below ten levels.
        item.part(Part::Note(EventNote::CutByDefault));
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
