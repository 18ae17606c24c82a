//! The filter in links. Links of earlier versions and of AgentDbg are supported too: words separated by commas, where a
//! word is a kind of event, `errors`, `loops`, or `name:` with the name of a tool or a model.

use super::parse::{Parsed, YES, parse};
use super::{Key, RowFilter, Term, Test};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::route::percent_decode;

/// Reads the filter of a link.
#[must_use]
pub fn read(text: &str) -> Parsed {
    if text.split(',').all(is_old_term) {
        Parsed { query: old(text), faults: Vec::new() }
    } else {
        parse(text)
    }
}

/// Whether a single word is a filter in an old link.
pub(super) fn is_old_word(word: &str) -> bool {
    let is_kind = EventKind::ALL.iter().any(|kind| kind.word() == word);
    is_kind || ["", "errors", "loops", "llm", "tool", "tools", "all"].contains(&word)
}

fn is_old_term(term: &str) -> bool {
    let is_plain = |name: &str| !name.contains(|it: char| it.is_whitespace() || it == '"');
    is_old_word(term) || term.strip_prefix("name:").is_some_and(is_plain)
}

fn old(text: &str) -> RowFilter {
    let mut query = RowFilter::default();
    for word in text.split(',') {
        let (key, value) = match word {
            "" | "all" => continue,
            "errors" => (Key::Status, "error".to_owned()),
            "loops" => (Key::Loop, YES.to_owned()),
            "llm" => (Key::Kind, EventKind::LlmCall.word().to_owned()),
            "tool" | "tools" => (Key::Kind, EventKind::ToolCall.word().to_owned()),
            _ => match word.strip_prefix("name:") {
                Some(name) => (Key::Name, percent_decode(name)),
                None => (Key::Kind, word.to_owned()),
            },
        };
        query.add(Term { is_not: false, test: Test::Words(key, vec![value]) });
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_links_mean_what_they_meant() {
        for (old, new) in [
            ("", ""),
            ("all", ""),
            ("llm", "kind:llm-call"),
            ("llm,tools,loops", "kind:llm-call,tool-call loop:yes"),
            ("tool-call,errors,name:fare", "kind:tool-call status:error name:fare"),
            ("state,name:%C3%A9,name:a%2Cb%20%26%20c", "kind:state name:é,\"a,b & c\""),
        ] {
            let read = read(old);
            assert_eq!(read.query.print(), new, "{old}");
            assert!(read.faults.is_empty());
        }
    }

    #[test]
    fn what_is_written_today_is_not_taken_for_an_old_link() {
        let text = |text: &str| Term { is_not: false, test: Test::Text(text.to_owned()) };
        let name = |name: &str| Term {
            is_not: false,
            test: Test::Words(Key::Name, vec![name.to_owned(), "user".to_owned()]),
        };
        for term in [text("user"), text("errors"), name("50%"), name("a")] {
            let mut query = RowFilter::default();
            query.add(term);
            let again = read(&query.print());
            assert_eq!(again.query, query, "{}", query.print());
        }
    }
}
