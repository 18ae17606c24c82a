//! What a call does to files, judging by its arguments, and which command it runs. The effects of a command on files
//! are not in the trace.

use crate::render::detail::arguments_of;
use crate::render::values::ReadSpan;
use traceloupe_core::model::arguments::FILES;
use traceloupe_core::model::{Block, BlockRole, Detail, hash_of};
use traceloupe_core::text::command;
use traceloupe_core::text::patch::{self, FileFate};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::touched::Access;
use traceloupe_protocol::value::Shown;

/// What a call does to one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The path as given in the call.
    pub path: String,
    /// What the call does.
    pub access: Access,
    /// How many lines it adds.
    pub added: u32,
    /// How many lines it removes.
    pub removed: u32,
    /// For each replaced part: a hash of the old lines and a hash of the new lines.
    pub parts: Vec<(u64, u64)>,
}

/// One change of a file by a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileEdit {
    /// The path as given in the call.
    pub path: String,
    /// The kind of change.
    pub access: Access,
    /// The lines with their signs: `+`, `-`, or space. If the file is written as a whole, all lines.
    pub lines: Vec<(char, String)>,
    /// Whether the lines are complete.
    pub is_whole: bool,
}

/// What a call does to each file named in its arguments, the program that it runs, and whether it runs `git commit`.
#[must_use]
pub fn changes(detail: &Detail, read: ReadSpan<'_>) -> (Vec<Change>, Option<String>, bool) {
    let mut changes = Vec::new();
    let mut program = None;
    let mut commits = false;
    for block in &detail.blocks {
        let (Block::Arguments(value) | Block::ToolUse(_, value)) = block else { continue };
        let shown = arguments_of(value, read);
        program = program.or_else(|| {
            shown.iter().find_map(|it| match it {
                ShownBlock::Command(Shown::Text(text, ..)) => {
                    commits = command::commits(text);
                    command::program_of(text)
                }
                _ => None,
            })
        });
        let n_before = changes.len();
        add_all(&shown, &mut changes);
        if changes.len() == n_before {
            changes.extend(shown.iter().find_map(named));
        }
    }
    (changes, program, commits)
}

/// The changes to files in some arguments.
pub(super) fn changes_in(arguments: &[ShownBlock]) -> Vec<Change> {
    let mut changes = Vec::new();
    add_all(arguments, &mut changes);
    changes
}

fn add_all(arguments: &[ShownBlock], changes: &mut Vec<Change>) {
    arguments.iter().for_each(|block| add(block, changes));
}

/// The individual changes to files in one part of the arguments.
pub(super) fn edits_in(block: &ShownBlock) -> Vec<FileEdit> {
    match block {
        ShownBlock::Diff(BlockRole::File(path), lines) => vec![FileEdit {
            path: path.clone(),
            access: Access::Edits,
            lines: lines.clone(),
            is_whole: true,
        }],
        ShownBlock::Code(BlockRole::File(path), _, Shown::Text(text, cut, _)) => vec![FileEdit {
            path: path.clone(),
            access: Access::Writes,
            lines: text.lines().map(|line| ('+', line.to_owned())).collect(),
            is_whole: cut.as_ref().is_none_or(|cut| cut.is_whole()),
        }],
        ShownBlock::Value(_, _, Shown::Text(text, ..)) if patch::is_only_a_patch(text) => {
            let files = patch::parse(text).into_iter().filter(|it| !it.path.is_empty());
            files.flat_map(edits_of_patch).collect()
        }
        _ => Vec::new(),
    }
}

/// The change of a file in a patch, as one edit per hunk.
fn edits_of_patch(file: patch::FileChange) -> Vec<FileEdit> {
    let access = match file.fate {
        FileFate::Added => Access::Writes,
        FileFate::Deleted => Access::Deletes,
        FileFate::Changed | FileFate::MovedFrom(_) | FileFate::RenamedFrom(_) => Access::Edits,
    };
    let edit = |lines| FileEdit { path: file.path.clone(), access, lines, is_whole: true };
    let mut edits = vec![edit(Vec::new())];
    for row in file.rows {
        match (row, edits.last_mut()) {
            (patch::Row::Line(line), Some(last)) => last.lines.push((line.sign, line.text)),
            (patch::Row::Gap(..), Some(last)) if !last.lines.is_empty() => {
                edits.push(edit(Vec::new()));
            }
            _ => {}
        }
    }
    edits
}

/// Adds the changes in one part of the arguments.
fn add(block: &ShownBlock, changes: &mut Vec<Change>) {
    for FileEdit { path, access, lines, is_whole } in edits_in(block) {
        let of = |sign: char| lines.iter().filter(move |line| line.0 == sign);
        let side = |gone: char| {
            let kept = lines.iter().filter(move |line| line.0 != gone);
            hash_of(kept.map(|line| line.1.as_str()).collect::<Vec<_>>())
        };
        let is_write = matches!(block, ShownBlock::Code(..));
        let change = Change {
            path,
            access,
            // Part of a long text does not reveal its number of lines.
            added: if is_whole { n(of('+').count()) } else { 0 },
            removed: n(of('-').count()),
            // The earlier content of a file that is written as a whole is unknown.
            parts: if is_write { Vec::new() } else { vec![(side('+'), side('-'))] },
        };
        // The parts of a list of edits form one change.
        let is_more = |it: &&mut Change| it.path == change.path && it.access == access;
        match changes.iter_mut().find(is_more).filter(|_| access == Access::Edits) {
            Some(earlier) => {
                earlier.added += change.added;
                earlier.removed += change.removed;
                earlier.parts.extend(change.parts);
            }
            None => changes.push(change),
        }
    }
}

/// The file that arguments name without changing it.
fn named(block: &ShownBlock) -> Option<Change> {
    let ShownBlock::Table(_, rows) = block else { return None };
    let (_, path) =
        rows.iter().find(|(key, _)| key.key().is_some_and(|key| FILES.contains(&key)))?;
    let Shown::Text(path, ..) = path else { return None };
    let path = path.trim();
    let is_one_line = !path.is_empty() && !path.contains('\n');
    is_one_line.then(|| Change { path: path.to_owned(), ..Change::default() })
}

fn n(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::Value;

    fn said(json: &str) -> Vec<String> {
        let blocks = vec![Block::Arguments(Value::OwnedJson(json.to_owned()))];
        let detail = Detail { blocks, ..Detail::default() };
        let changes = changes(&detail, &|_| Ok(Vec::new())).0;
        let said =
            |it: &Change| format!("{:?} {} +{} -{}", it.access, it.path, it.added, it.removed);
        changes.iter().map(said).collect()
    }

    #[test]
    fn what_a_call_does_to_files() {
        assert_eq!(said(r#"{"file_path":"a.rs","limit":10}"#), ["Names a.rs +0 -0"]);
        assert_eq!(
            said(r#"{"file_path":"a.rs","old_string":"x\ny","new_string":"x\nz\nw"}"#),
            ["Edits a.rs +2 -1"]
        );
        assert_eq!(
            said(
                r#"{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"v","newText":""}]}"#
            ),
            ["Edits a +1 -2"]
        );
        assert_eq!(said(r#"{"file_path":"b.py","content":"a\nb\n"}"#), ["Writes b.py +2 -0"]);
        assert_eq!(
            said(
                r#"{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-y\n+z\n*** Delete File: c\n*** End Patch"}"#
            ),
            ["Writes a +1 -0", "Edits b +1 -1", "Deletes c +0 -0"]
        );
    }

    #[test]
    fn what_names_no_file() {
        let quoted =
            r#"{"prompt":"Review this:\n--- a/rope.rs\n+++ b/rope.rs\n@@ -1 +1 @@\n-x\n+y"}"#;
        assert_eq!(said(quoted), [""; 0]);
        assert_eq!(said(r#"{"command":"cat a.rs"}"#), [""; 0]);
        assert_eq!(said(r#"{"code":"import os\nprint(1)"}"#), [""; 0]);
        assert_eq!(said(r#"{"path":""}"#), [""; 0]);
        assert_eq!(said(r#"{"path":{"a":1}}"#), [""; 0]);
    }

    #[test]
    fn an_edit_and_its_undoing_have_the_same_sides() {
        let of = |old: &str, new: &str| {
            let json = format!(r#"{{"path":"a","old_string":"{old}","new_string":"{new}"}}"#);
            let blocks = vec![Block::Arguments(Value::OwnedJson(json))];
            let detail = Detail { blocks, ..Detail::default() };
            changes(&detail, &|_| Ok(Vec::new())).0.remove(0).parts.remove(0)
        };
        let (before, after) = of(r"x\nkept", r"y\nkept");
        assert_eq!(of(r"y\nkept", r"x\nkept"), (after, before));
        assert_ne!(before, after);
    }
}
