//! Texts of opened rows that a brief quotes: what was asked, what was answered, the commit that git reported. Each with the
//! number of bytes of it that were not sent.

use traceloupe_core::model::{BlockRole, Side};
use traceloupe_core::visible_text::visible_text;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ShownMessage, ValueForm};
use traceloupe_protocol::json_line;
use traceloupe_protocol::markdown::Node;
use traceloupe_protocol::text_form::TextForm;
use traceloupe_protocol::value::Shown;

/// A text, and how many bytes of it were not sent.
type Text = (String, u64);

/// The text of a value, and how many bytes of it were not sent.
#[must_use]
pub fn text_of(shown: &Shown) -> Text {
    let missing = |cut: &Option<traceloupe_protocol::value::Cut>| {
        cut.as_ref().map_or(0, |cut| u64::from(cut.len.saturating_sub(cut.shown_bytes)))
    };
    match shown {
        Shown::Text(text, cut, _) => (text.clone(), missing(cut)),
        Shown::Json(lines, cut) => (json_line::plain(lines), missing(cut)),
        Shown::Media(_) | Shown::Unreadable(_) => (String::new(), 0),
    }
}

/// Joins the texts that are not empty.
fn join(texts: impl Iterator<Item = Text>) -> Text {
    let mut whole = Text::default();
    for (text, n_missing) in texts.filter(|it| !it.0.trim().is_empty()) {
        if !whole.0.is_empty() {
            whole.0.push_str("\n\n");
        }
        whole.0.push_str(text.trim());
        whole.1 += n_missing;
    }
    whole
}

/// The spoken texts of some blocks, without those of roles that `is_other` accepts.
fn spoken(blocks: &[ShownBlock], is_other: impl Fn(&BlockRole) -> bool) -> Text {
    join(blocks.iter().filter_map(|block| match block {
        ShownBlock::Value(role, ValueForm::Text, shown) if !is_other(role) => Some(text_of(shown)),
        _ => None,
    }))
}

/// What was asked: the text of a message, or of the last message of the user in a request.
#[must_use]
pub fn asked_in(detail: &ShownDetail) -> Text {
    let mut of_requests = detail.blocks.iter().filter_map(|block| match block {
        ShownBlock::Messages(role, before, new) if role.side() != Side::Output => {
            let is_user = |it: &&ShownMessage| {
                ["user", "human"].iter().any(|role| it.role.eq_ignore_ascii_case(role))
            };
            let asked = before.iter().chain(new).filter(is_user);
            asked.rev().map(|it| spoken(&it.content, |_| false)).find(|it| !it.0.is_empty())
        }
        _ => None,
    });
    let of_request = of_requests.next_back();
    let (text, n_missing) =
        of_request.unwrap_or_else(|| spoken(&detail.blocks, |role| role.side() == Side::Output));
    // Programs put context around the words of the user.
    (visible_text(&text).trim().to_owned(), n_missing)
}

/// What was answered: the text of a response.
#[must_use]
pub fn answered_in(detail: &ShownDetail) -> Text {
    let own = spoken(&detail.blocks, |role| role.side() == Side::Input);
    if !own.0.is_empty() {
        return own;
    }
    let messages = detail.blocks.iter().filter_map(|block| match block {
        ShownBlock::Messages(role, before, new) if role.side() == Side::Output => {
            Some(before.iter().chain(new))
        }
        _ => None,
    });
    join(messages.flatten().map(|message| spoken(&message.content, |_| false)))
}

/// The Markdown document of which a quoted text is the beginning.
#[must_use]
pub fn document_of<'a>(detail: &'a ShownDetail, quoted: &str) -> Option<&'a [Node]> {
    let document = |block: &'a ShownBlock| match block {
        ShownBlock::Value(_, _, Shown::Text(text, _, TextForm::Markdown(nodes)))
            if text.trim_start().starts_with(quoted) =>
        {
            Some(nodes.as_slice())
        }
        _ => None,
    };
    detail.blocks.iter().find_map(|block| match block {
        ShownBlock::Messages(_, before, new) => {
            before.iter().chain(new).flat_map(|it| &it.content).find_map(document)
        }
        _ => document(block),
    })
}

/// The branch and the hash of the commit that git reports in a result, and the first line of its message:
/// `[main 1a2b3c4] Fix the total`.
#[must_use]
pub fn commit_in(detail: &ShownDetail) -> Option<(String, String)> {
    let results = detail.blocks.iter().filter_map(|block| match block {
        ShownBlock::Value(_, ValueForm::Result | ValueForm::Log | ValueForm::Text, shown) => {
            Some(text_of(shown).0)
        }
        _ => None,
    });
    results.into_iter().find_map(|text| text.lines().rev().find_map(commit_line))
}

fn commit_line(line: &str) -> Option<(String, String)> {
    let (id, subject) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    let hash = id.rsplit(' ').next()?;
    let is_hash = (4..=40).contains(&hash.len()) && hash.bytes().all(|it| it.is_ascii_hexdigit());
    (is_hash && hash.len() < id.len()).then(|| (id.to_owned(), subject.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::value::Cut;

    #[test]
    fn a_quote_is_drawn_as_the_document_that_it_begins() {
        let nodes = vec![Node::Text("**Done**, all of it.".to_owned())];
        let shown = Shown::Text(
            "\n**Done**, all of it.".to_owned(),
            None,
            TextForm::Markdown(nodes.clone()),
        );
        let detail = detail(vec![
            value(BlockRole::Response, ValueForm::Text, "**Done**, all"),
            ShownBlock::Value(BlockRole::Response, ValueForm::Text, shown),
        ]);
        assert_eq!(document_of(&detail, "**Done**, all"), Some(nodes.as_slice()));
        assert_eq!(document_of(&detail, "Done"), None);
    }

    fn value(role: BlockRole, form: ValueForm, text: &str) -> ShownBlock {
        ShownBlock::Value(role, form, Shown::text(text, None))
    }

    fn detail(blocks: Vec<ShownBlock>) -> ShownDetail {
        ShownDetail { blocks, ..ShownDetail::default() }
    }

    #[test]
    fn a_message_is_asked_without_the_context_around_it() {
        let text = "<system-reminder>Be careful</system-reminder>Fix the total";
        let cut = Cut { len: 500, shown_bytes: 100, ..Cut::default() };
        let shown = Shown::text(text, Some(cut));
        let message = ShownBlock::Value(BlockRole::Message, ValueForm::Text, shown);
        assert_eq!(asked_in(&detail(vec![message])), ("Fix the total".to_owned(), 400));
    }

    #[test]
    fn a_request_asks_with_its_last_message_of_the_user() {
        let message = |role: &str, text: &str| ShownMessage {
            role: role.to_owned(),
            name: String::new(),
            content: vec![value(BlockRole::Untitled, ValueForm::Text, text)],
        };
        let prompt = ShownBlock::Messages(
            BlockRole::Prompt,
            Vec::new(),
            vec![message("system", "Be kind"), message("user", "a"), message("User", "b")],
        );
        let response =
            ShownBlock::Messages(BlockRole::Response, Vec::new(), vec![message("assistant", "c")]);
        let detail = detail(vec![prompt, response]);
        assert_eq!(asked_in(&detail).0, "b");
        assert_eq!(answered_in(&detail).0, "c");
    }

    #[test]
    fn thinking_and_calls_are_no_answer() {
        let blocks = vec![
            value(BlockRole::Thinking, ValueForm::Thinking, "Hm"),
            value(BlockRole::Untitled, ValueForm::Text, "Done."),
            value(BlockRole::Prompt, ValueForm::Text, "Fix it"),
            value(BlockRole::Untitled, ValueForm::Text, "It works."),
        ];
        assert_eq!(answered_in(&detail(blocks)).0, "Done.\n\nIt works.");
    }

    #[test]
    fn a_commit_is_what_git_says_of_it() {
        let of = |text: &str| {
            commit_in(&detail(vec![value(BlockRole::Result, ValueForm::Result, text)]))
        };
        let commit = |id: &str, subject: &str| Some((id.to_owned(), subject.to_owned()));
        let text = "[main (root-commit) 1a2b3c4] Fix [it]\n 1 file changed";
        assert_eq!(of(text), commit("main (root-commit) 1a2b3c4", "Fix [it]"));
        assert_eq!(of("[INFO] done\n[beta 00ff11aa] b"), commit("beta 00ff11aa", "b"));
        assert_eq!(of("nothing to commit\n[1a2b3c4] x\n[10:20 error] y"), None);
    }
}
