//! The summary of a tool call whose arguments say more than a path: a change of files, a list of tasks.

use crate::view::detail::arguments_of;
use crate::view::preview::MAX_CHARS;
use crate::view::touched::{Change, changes_in};
use traceloupe::model::Value;
use traceloupe::view::wire::detail::ShownBlock;
use traceloupe::view::wire::preview::Preview;
use traceloupe::view::words::one_line;

/// The summary of a call that changes files or tasks. `object` is all of its arguments.
pub(super) fn telling(object: &[u8]) -> Option<Preview> {
    let value = Value::OwnedJson(String::from_utf8(object.to_vec()).ok()?);
    // All values are in the arguments.
    let arguments = arguments_of(&value, &|_| Ok(Vec::new()));
    let tasks = arguments.iter().find_map(|block| match block {
        ShownBlock::Tasks(tasks) => Some(tasks_preview(tasks).into()),
        _ => None,
    });
    tasks.or_else(|| changes_preview(&changes_in(&arguments)))
}

/// How many tasks are done, and the one that is being worked on: `2 of 5 done: test the parser`.
fn tasks_preview(tasks: &[(String, String)]) -> String {
    let is = |status: &str, words: [&str; 2]| words.iter().any(|word| status.starts_with(word));
    let done = tasks.iter().filter(|(status, _)| is(status, ["complete", "done"])).count();
    let current = tasks.iter().find(|(status, _)| is(status, ["in_progress", "in-progress"]));
    let next = current.map(|(_, task)| format!(": {task}")).unwrap_or_default();
    one_line(&format!("{done} of {} done{next}", tasks.len()), MAX_CHARS)
}

/// The files that are changed, and by how many lines.
fn changes_preview(all: &[Change]) -> Option<Preview> {
    let first = all.first()?;
    let others = match all.iter().filter(|it| it.path != first.path).count() {
        0 => String::new(),
        1 => " and 1 more file".to_owned(),
        n => format!(" and {n} more files"),
    };
    let sum = |of: fn(&Change) -> u32| all.iter().fold(0_u32, |sum, it| sum.saturating_add(of(it)));
    Some(Preview {
        text: one_line(&format!("{}{others}", first.path), MAX_CHARS),
        changed_lines: Some((sum(|it| it.added), sum(|it| it.removed))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str) -> Option<(String, Option<(u32, u32)>)> {
        telling(json.as_bytes()).map(|it| (it.text, it.changed_lines))
    }

    #[test]
    fn an_edit_says_how_many_lines_it_changes() {
        assert_eq!(
            said(r#"{"file_path":"a.rs","old_string":"x\ny","new_string":"x\nz\nw"}"#),
            Some(("a.rs".to_owned(), Some((2, 1))))
        );
        assert_eq!(
            said(r#"{"file_path":"b.py","content":"a\nb\n"}"#),
            Some(("b.py".to_owned(), Some((2, 0))))
        );
        assert_eq!(
            said(
                r#"{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-y\n+z\n*** End Patch"}"#
            ),
            Some(("a and 1 more file".to_owned(), Some((2, 1))))
        );
    }

    #[test]
    fn a_list_of_tasks_says_how_many_are_done() {
        let tasks = r#"{"todos":[{"content":"read","status":"completed"},{"content":"test","status":"in_progress"},{"content":"tell","status":"pending"}]}"#;
        assert_eq!(said(tasks), Some(("1 of 3 done: test".to_owned(), None)));
        let plan = r#"{"plan":[{"step":"read","status":"done"}]}"#;
        assert_eq!(said(plan), Some(("1 of 1 done".to_owned(), None)));
    }

    #[test]
    fn other_calls_say_nothing_more() {
        for json in [r#"{"command":"ls"}"#, r#"{"path":"a.rs"}"#, r#"{"city":"Graz"}"#, "[1]", ""] {
            assert_eq!(said(json), None, "{json}");
        }
    }
}
