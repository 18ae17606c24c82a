//! The row filter as written in links: comma-separated terms.
//!
//! Terms are `llm-call`, `tool-call` and the other kind names, `errors`, `loops`, and `name:`
//! followed by the name of a tool or model, with its commas percent-encoded. AgentDbg's `llm`,
//! `tools` and `all` are accepted too. Unknown terms are ignored.
//! `all`, which are read too. What is not known is passed over.

use crate::model::EventKind;
use crate::view::page::rows::Choice;
use crate::view::route::{percent_decode, percent_encode};
use crate::view::wire::outline::Outline;

/// Writes the filter of a choice; empty if all rows are shown.
#[must_use]
pub fn write(outline: &Outline, choice: &Choice) -> String {
    let kinds = choice.kinds.iter().map(|kind| kind.word().to_owned());
    let errors = choice.errors_only.then(|| "errors".to_owned());
    let loops = choice.loops_only.then(|| "loops".to_owned());
    let names =
        choice.names.iter().map(|name| format!("name:{}", percent_encode(outline.name(*name))));
    kinds.chain(errors).chain(loops).chain(names).collect::<Vec<_>>().join(",")
}

/// Parses a filter into a choice.
pub fn read(outline: &Outline, text: &str, choice: &mut Choice) {
    choice.clear_filter();
    for word in text.split(',') {
        match word {
            "errors" => choice.errors_only = true,
            "loops" => choice.loops_only = true,
            "llm" => choice.kinds.push(EventKind::LlmCall),
            "tool" | "tools" => choice.kinds.push(EventKind::ToolCall),
            _ => match word.strip_prefix("name:") {
                Some(name) => {
                    let name = percent_decode(name);
                    let at = outline.names.iter().position(|it| it == name);
                    choice.names.extend(at.and_then(|at| u32::try_from(at).ok()));
                }
                None => choice.kinds.extend(EventKind::ALL.iter().find(|it| it.word() == word)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::testing::outline;

    #[test]
    fn what_is_written_is_read_back() {
        let mut tree = outline(&[0, 1]);
        tree.names = ["", "a,b & c", "é"].into_iter().collect();
        let choice = Choice {
            kinds: vec![EventKind::State, EventKind::ToolCall],
            names: vec![2, 1],
            errors_only: true,
            ..Choice::default()
        };
        let text = write(&tree, &choice);
        assert_eq!(text, "state,tool-call,errors,name:%C3%A9,name:a%2Cb%20%26%20c");
        let mut again = Choice { loops_only: true, ..Choice::default() };
        read(&tree, &text, &mut again);
        assert_eq!(again, choice);
        assert_eq!(write(&tree, &Choice::default()), "");
    }

    #[test]
    fn agentdbg_terms_are_accepted_and_unknown_ones_ignored() {
        let tree = outline(&[0]);
        let mut choice = Choice::default();
        read(&tree, "llm,tools,loops,purple,name:nobody", &mut choice);
        assert_eq!(choice.kinds, [EventKind::LlmCall, EventKind::ToolCall]);
        assert!(choice.loops_only && choice.names.is_empty());
        read(&tree, "all", &mut choice);
        assert!(!choice.is_filtered());
    }
}
