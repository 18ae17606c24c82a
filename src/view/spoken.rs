//! Which blocks of an event a transcript shows as what was said.

use traceloupe_core::model::{BlockRole, Side};
use traceloupe_protocol::detail::{ShownBlock, ValueForm};
use traceloupe_protocol::value::Shown;

/// The blocks of a message of the user, or of an LLM call, that are what was said: its text and thinking, or else what it
/// has in another form, such as structured output or the calls. Empty if nothing was said.
#[must_use]
pub fn spoken(blocks: &[ShownBlock], by_user: bool) -> Vec<&ShownBlock> {
    let texts: Vec<_> = blocks.iter().filter(|it| is_text(it, by_user)).collect();
    if !texts.is_empty() {
        return texts;
    }
    blocks.iter().find(|it| is_in_another_form(it, by_user)).into_iter().collect()
}

fn is_text(block: &ShownBlock, by_user: bool) -> bool {
    match block {
        // Models sometimes start with empty lines.
        ShownBlock::Value(_, _, Shown::Text(text, ..)) if text.trim().is_empty() => false,
        // The blocks of an LLM call may include a request.
        ShownBlock::Value(role, form, _) => {
            matches!(form, ValueForm::Text | ValueForm::Thinking)
                && (by_user || role.side() != Side::Input)
        }
        ShownBlock::Media(_) | ShownBlock::Error(..) | ShownBlock::Code(..) => true,
        ShownBlock::Messages(role, ..) => by_user || *role == BlockRole::Response,
        _ => false,
    }
}

fn is_in_another_form(block: &ShownBlock, by_user: bool) -> bool {
    match block {
        ShownBlock::Value(BlockRole::Record, ..) => false,
        _ if by_user => true,
        ShownBlock::Value(role, ..) | ShownBlock::Grid(role, ..) | ShownBlock::Diff(role, ..) => {
            is_output(role)
        }
        ShownBlock::Patch(_) | ShownBlock::Command(_) | ShownBlock::Tasks(_) => true,
        _ => false,
    }
}

/// Whether a block with a role may be what a model said, as opposed to what it was asked, or to data about the call.
fn is_output(role: &BlockRole) -> bool {
    const ABOUT: [BlockRole; 5] = [
        BlockRole::Usage,
        BlockRole::Meta,
        BlockRole::Fields,
        BlockRole::OtherFields,
        BlockRole::Record,
    ];
    role.side() != Side::Input && !ABOUT.contains(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(role: BlockRole, form: ValueForm, text: &str) -> ShownBlock {
        ShownBlock::Value(role, form, Shown::text(text, None))
    }

    #[test]
    fn an_llm_call_without_an_answer_says_nothing() {
        let asked = [
            value(BlockRole::Prompt, ValueForm::Text, "Which quay?"),
            value(BlockRole::Usage, ValueForm::Json, "{}"),
            value(BlockRole::Record, ValueForm::Json, "{}"),
        ];
        assert!(spoken(&asked, false).is_empty());
        let answered = value(BlockRole::Untitled, ValueForm::Text, "The seventh.");
        let empty = value(BlockRole::Untitled, ValueForm::Text, " \n");
        let said = [&asked[..], &[empty, answered]].concat();
        assert_eq!(spoken(&said, false), [&said[4]]);
        let structured =
            [&asked[..], &[value(BlockRole::Response, ValueForm::Json, "[7]")]].concat();
        assert_eq!(spoken(&structured, false), [&structured[3]]);
        assert_eq!(spoken(&asked, true), [&asked[0]], "a message of the user is its text");
    }
}
