//! The text of an agent so far, for producers that repeat it: either each piece has the whole text so far, across tool
//! calls, or one record has it at the end. An LLM call keeps the last of such pieces, and its row shows the new part.

use super::add;
use super::item_context::Taken;
use super::pieces::pieces;
use super::turns::Turns;
use crate::kit::{Joins, PieceOf};
use traceloupe_core::model::{EventId, Flags, MaybeNs, TraceBuilder};

/// Texts in pieces are kept up to this length, for comparison with the whole text at the end.
const MAX_BYTES: usize = 1 << 20;

/// The text of an agent, as written between the quotes of JSON strings.
#[derive(Default)]
pub(super) struct Said {
    text: String,
    /// The LLM call with the last part of it.
    call: Option<EventId>,
    /// How much of the text belongs to earlier calls.
    told: usize,
    /// Whether the last record of that call has the whole text so far, in which case a longer one replaces it.
    is_growing: bool,
    /// Whether the text was longer than the kept part.
    is_cut: bool,
}

impl Said {
    /// Handles a piece of an LLM call, or a whole call. Returns `None` for a whole call without new text. `before` is
    /// the time of the previous item.
    pub(super) fn piece(
        &mut self,
        turns: &mut Turns,
        taken: &Taken<'_, '_>,
        model: &str,
        before: MaybeNs,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let Some(piece) = pieces(taken.item).find(|it| it.of == PieceOf::TextSoFar) else {
            self.is_growing = false;
            if taken.item.piece().is_retold {
                let words = pieces(taken.item).filter(|it| it.of == PieceOf::Text);
                words.for_each(|it| self.append(it.text.raw()));
            }
            return Some(turns.piece(taken, model, before, out));
        };
        let words = piece.text.raw();
        let is_whole = matches!(taken.item.piece().joins, Joins::Nothing);
        let is_known = self.says(words);
        let call = match is_whole {
            true if is_known => return None,
            true => None,
            // A piece without new text belongs to the call that already has its text.
            false => turns.open().or_else(|| turns.last().filter(|_| is_known)),
        };
        let event = match call {
            Some(call) if self.is_growing && self.call == Some(call) => {
                out.replace_item(call, taken.record.place(), taken.number);
                call
            }
            Some(call) => {
                add(call, taken, out);
                call
            }
            None => turns.piece(taken, model, before, out),
        };
        self.is_growing = !is_whole;
        let new = self.grow(event, words);
        summarize(event, new, self.told, taken, out);
        Some(event)
    }

    /// Handles the whole text so far, a JSON string with its quotes. Returns the part of it that earlier calls do not
    /// have.
    fn grow<'w>(&mut self, call: EventId, words: &'w str) -> &'w str {
        if self.call != Some(call) {
            (self.call, self.told) = (Some(call), self.text.len());
        }
        let inner = inside(words);
        // A different text is independent of the earlier one.
        if !inner.starts_with(self.text.get(..self.told).unwrap_or_default()) {
            self.told = 0;
        }
        inner.clone_into(&mut self.text);
        match self.told {
            0 => words,
            told => words.get(told + 1..).unwrap_or_default(),
        }
    }

    /// Appends the next part of the text.
    fn append(&mut self, words: &str) {
        let inner = inside(words);
        if self.text.len() + inner.len() > MAX_BYTES {
            self.is_cut = true;
        } else {
            self.text.push_str(inner);
        }
    }

    /// Whether the text already contains these words.
    fn says(&self, words: &str) -> bool {
        let inner = inside(words).trim();
        self.is_cut || inner.is_empty() || inner == self.text.trim()
    }
}

/// The summary of an LLM call: its text, from `told` bytes of its string on.
fn summarize(
    event: EventId,
    words: &str,
    told: usize,
    taken: &Taken<'_, '_>,
    out: &mut TraceBuilder,
) {
    let is_blank = words.trim_matches(['"', ' ']).is_empty();
    let span = taken.record.span_of(words).filter(|_| !is_blank);
    if let Some(span) = span {
        out.set_summary(event, span.start, span.len);
    }
    let Some(event) = out.event_mut(event) else { return };
    event.selector = u32::try_from(told).unwrap_or_default();
    if span.is_some() {
        event.flags.clear(Flags::THINKING);
        event.flags.clear(Flags::ESCAPED);
        event.flags.set(Flags::ANSWER);
        match told {
            0 => event.flags.clear(Flags::MID_STRING),
            _ => event.flags.set(Flags::MID_STRING),
        }
    }
}

/// The part of a JSON string between its quotes.
fn inside(string: &str) -> &str {
    string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_belongs_to_a_later_call() {
        let mut said = Said::default();
        let [one, other] = [1, 2].map(EventId::from_index);
        assert_eq!(said.grow(one, r#""Let me""#), r#""Let me""#);
        assert_eq!(said.grow(one, r#""Let me see.""#), r#""Let me see.""#);
        assert_eq!(said.grow(other, r#""Let me see.""#), r#"""#, "nothing new");
        assert_eq!(said.grow(other, r#""Let me see.It is \"x\"""#), r#"It is \"x\"""#);
        assert!(said.says(r#""Let me see.It is \"x\" ""#) && said.says("\" \""));
        assert!(!said.says(r#""Something else""#));
        assert_eq!(said.grow(other, r#""Another""#), r#""Another""#, "it stands for itself");
    }

    #[test]
    fn pieces_are_put_together_up_to_a_limit() {
        let mut said = Said::default();
        said.append(r#""Hel""#);
        said.append(r#""lo""#);
        assert!(said.says(r#""Hello""#) && !said.says(r#""Hell""#));
        said.append(&format!("\"{}\"", "x".repeat(MAX_BYTES)));
        assert!(said.says(r#""anything""#), "it cannot be compared any more");
    }
}
