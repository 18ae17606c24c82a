//! What the text of an answer says so far, and what of it is new.

/// Deltas are kept together up to this length, to be compared with the whole answer at the end.
const MAX_DELTA_BYTES: usize = 1 << 20;

/// The text of one answer, as it stands between the quotes of its JSON strings.
#[derive(Debug, Default)]
pub(super) struct AnswerText {
    raw: String,
    /// How much of it the LLM calls before had said.
    told: usize,
    /// Whether there was more of it than was kept.
    is_cut: bool,
}

impl AnswerText {
    /// Takes the whole text so far (a JSON string with its quotes). Returns where in the string begins
    /// what the LLM calls before had not said; `None` if it says nothing new.
    pub(super) fn grow(&mut self, string: &str) -> Option<usize> {
        let inner = inside(string);
        let told = self.raw.get(..self.told).unwrap_or_default();
        let from = if inner.starts_with(told) { told.len() } else { 0 };
        self.told = from;
        self.raw.clear();
        self.raw.push_str(inner);
        (inner.len() > from).then_some(from)
    }

    /// Takes the next piece of the text.
    pub(super) fn add(&mut self, string: &str) {
        let inner = inside(string);
        if self.raw.len() + inner.len() > MAX_DELTA_BYTES {
            self.is_cut = true;
        } else {
            self.raw.push_str(inner);
        }
    }

    /// The LLM call at hand is over: what comes next is another's.
    pub(super) fn close(&mut self) {
        self.told = self.raw.len();
    }

    /// Whether a string says what has been said already.
    pub(super) fn says(&self, string: &str) -> bool {
        let inner = inside(string);
        self.is_cut || inner.trim() == self.raw.trim() || inner.trim().is_empty()
    }
}

/// What stands between the quotes of a JSON string.
fn inside(string: &str) -> &str {
    string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_belongs_to_a_later_call() {
        let mut text = AnswerText::default();
        assert_eq!(text.grow(r#""Let me""#), Some(0));
        assert_eq!(text.grow(r#""Let me see.""#), Some(0));
        text.close();
        assert_eq!(text.grow(r#""Let me see.""#), None, "nothing new");
        assert_eq!(text.grow(r#""Let me see.It is \"x\"""#), Some(11));
        assert!(text.says(r#""Let me see.It is \"x\" ""#));
        assert!(!text.says(r#""Something else""#));
        assert_eq!(text.grow(r#""Another""#), Some(0), "a replacement stands for itself");
    }

    #[test]
    fn deltas_are_put_together_up_to_a_limit() {
        let mut text = AnswerText::default();
        text.add(r#""Hel""#);
        text.add(r#""lo""#);
        assert!(text.says(r#""Hello""#) && !text.says(r#""Hell""#));
        text.add(&format!("\"{}\"", "x".repeat(MAX_DELTA_BYTES)));
        assert!(text.says(r#""anything""#), "it cannot be compared any more");
        assert_eq!(text.grow("null"), None);
    }
}
