//! The net effect of all edits of a file: edits of the same place are joined, and reverted text is left out.

use super::detail::show_much;
use super::touched::{FileEdit, edits_in};
use super::values::ReadSpan;
use traceloupe_core::model::{Block, BlockRole, Detail, hash_of};
use traceloupe_core::text::diff::line_diff;
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::notes::ShownNote;
use traceloupe_protocol::touched::Access;

/// The state of a file, as far as the calls show it.
#[derive(Debug, Default)]
pub struct NetChange {
    path: String,
    /// The places that were edited.
    places: Vec<Place>,
    /// The number of edits.
    n_edits: u64,
    /// Whether the file was deleted last.
    is_deleted: bool,
    /// Whether part of the written text is missing.
    is_cut: bool,
}

/// A place in the file: its old and new text.
#[derive(Debug)]
struct Place {
    old: String,
    new: String,
    /// Whether it covers the whole file.
    is_file: bool,
}

impl NetChange {
    /// No change yet. `path` is the path as given in the calls.
    #[must_use]
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// Adds the changes made by a call.
    pub fn add(&mut self, call: &Detail, read: ReadSpan<'_>) {
        let is_input = |it: &&Block| matches!(it, Block::Arguments(_) | Block::ToolUse(..));
        let blocks = call.blocks.iter().filter(is_input).cloned().collect();
        let input = Detail { blocks, ..Detail::default() };
        let edits = show_much(&input, read);
        for edit in edits.iter().flat_map(edits_in) {
            if edit.path == self.path {
                self.edit(&edit);
            }
        }
    }

    fn edit(&mut self, edit: &FileEdit) {
        let side = |gone: char| {
            let kept = edit.lines.iter().filter(|line| line.0 != gone);
            kept.map(|line| line.1.as_str()).collect::<Vec<_>>().join("\n")
        };
        let (old, new) = (side('+'), side('-'));
        self.n_edits += 1;
        self.is_cut |= !edit.is_whole;
        self.is_deleted = edit.access == Access::Deletes;
        match edit.access {
            Access::Writes => {
                // The only known earlier content is what earlier edits found there.
                let before = self.places.first().filter(|it| it.is_file).map(|it| it.old.clone());
                let old = before.unwrap_or_default();
                self.places = vec![Place { old, new, is_file: true }];
            }
            Access::Edits => self.replace(old, new),
            Access::Names | Access::Deletes => {}
        }
    }

    fn replace(&mut self, old: String, new: String) {
        if old.is_empty() {
            return self.places.push(Place { old, new, is_file: false });
        }
        let around = self.places.iter_mut().find(|place| place.new.contains(&old));
        if let Some(place) = around {
            place.new = place.new.replacen(&old, &new, 1);
            return;
        }
        // An edit of a larger place absorbs the edits of smaller places inside it.
        let mut before = old;
        self.places.retain(|place| {
            let is_inside = !place.new.trim().is_empty() && before.contains(&place.new);
            if is_inside {
                before = before.replacen(&place.new, &place.old, 1);
            }
            !is_inside
        });
        self.places.push(Place { old: before, new, is_file: false });
    }

    /// The lines that differ in the end: how many were added, how many were removed, and a hash that does not depend on
    /// their order. A deleted file has none.
    fn lines(&self) -> (u32, u32, u64) {
        let (mut added, mut removed, mut hash) = (0, 0, 0_u64);
        for place in self.places.iter().filter(|_| !self.is_deleted) {
            for line in line_diff(&ended(&place.old), &ended(&place.new)) {
                match line.0 {
                    '+' => added += 1,
                    '-' => removed += 1,
                    _ => continue,
                }
                hash = hash.wrapping_add(hash_of(&line));
            }
        }
        (added, removed, hash)
    }

    /// How many lines were added and removed in the end.
    #[must_use]
    pub fn n_lines(&self) -> (u32, u32) {
        let (added, removed, _) = self.lines();
        (added, removed)
    }

    /// Whether another run changed the same lines of its file in the same way. `None` if that is unknown: part of the
    /// written text is missing, or only one of the runs wrote the whole file.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        let is_whole = |it: &Self| it.places.iter().any(|place| place.is_file);
        let is_known = !self.is_cut && !other.is_cut && is_whole(self) == is_whole(other);
        let is_same = || self.is_deleted == other.is_deleted && self.lines() == other.lines();
        is_known.then(is_same)
    }

    /// The blocks that show the change. `n_failed` is the number of further calls that failed to change the file.
    #[must_use]
    pub fn blocks(&self, n_failed: u64) -> Vec<ShownBlock> {
        let changed: Vec<&Place> = self.places.iter().filter(|it| it.old != it.new).collect();
        let mut blocks = Vec::new();
        let mut note = |note| blocks.push(ShownBlock::Note(note));
        if self.is_deleted {
            note(ShownNote::Deleted);
        } else if changed.is_empty() && self.n_edits > 0 {
            note(ShownNote::EditsCancel(self.n_edits));
        } else if changed.iter().any(|it| it.is_file && it.old.is_empty()) {
            note(ShownNote::WrittenWhole);
        }
        if n_failed > 0 {
            note(ShownNote::FailedLeftOut(n_failed));
        }
        if self.is_cut {
            note(ShownNote::LongText);
        }
        for place in changed.into_iter().filter(|_| !self.is_deleted) {
            let lines = line_diff(&ended(&place.old), &ended(&place.new));
            blocks.push(ShownBlock::Diff(BlockRole::File(self.path.clone()), lines));
        }
        blocks
    }
}

/// Adds a final line break, so that the last line equals the same line further up.
fn ended(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::Value;

    fn net(calls: &[&str]) -> Vec<String> {
        let mut net = NetChange::new("a.rs");
        for call in calls {
            let blocks = vec![Block::Arguments(Value::OwnedJson((*call).to_owned()))];
            net.add(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new()));
        }
        let words = net.blocks(0).into_iter().map(|block| match block {
            ShownBlock::Diff(_, lines) => {
                let lines = lines.iter().map(|(sign, line)| format!("{sign}{line}"));
                lines.collect::<Vec<_>>().join("|")
            }
            ShownBlock::Note(note) => traceloupe_words::shown_note(&note).into_owned(),
            other => panic!("{other:?}"),
        });
        words.collect()
    }

    fn edit(old: &str, new: &str) -> String {
        format!(r#"{{"file_path":"a.rs","old_string":"{old}","new_string":"{new}"}}"#)
    }

    #[test]
    fn edits_of_one_place_are_joined() {
        let (one, two) = (edit("let a = 1;", "let a = 2;"), edit("let a = 2;", "let a = 3;"));
        assert_eq!(net(&[&one, &two]), ["-let a = 1;|+let a = 3;"]);
        let wide = edit("fn f() {\\nlet a = 2;\\n}", "fn f() {}");
        assert_eq!(net(&[&one, &wide]), ["-fn f() {|-let a = 1;|-}|+fn f() {}"]);
        let elsewhere = edit("use x;", "use y;");
        assert_eq!(net(&[&one, &elsewhere]), ["-let a = 1;|+let a = 2;", "-use x;|+use y;"]);
    }

    #[test]
    fn changes_of_two_runs_are_compared_by_their_lines() {
        let net = |calls: &[&str]| {
            let mut net = NetChange::new("a.rs");
            for call in calls {
                let blocks = vec![Block::Arguments(Value::OwnedJson((*call).to_owned()))];
                net.add(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new()));
            }
            net
        };
        let one = net(&[&edit("let a = 1;", "let a = 2;"), &edit("let a = 2;", "let a = 3;")]);
        let wide = net(&[&edit("fn f() {\\nlet a = 1;\\n}", "fn f() {\\nlet a = 3;\\n}")]);
        assert_eq!((one.n_lines(), wide.n_lines()), ((1, 1), (1, 1)));
        assert_eq!(one.is_same(&wide), Some(true), "lines around it say nothing");
        assert_eq!(one.is_same(&net(&[&edit("let a = 1;", "let a = 2;")])), Some(false));
        let back = net(&[&edit("x", "y"), &edit("y", "x")]);
        assert_eq!(back.n_lines(), (0, 0));
        let whole = net(&[r#"{"file_path":"a.rs","content":"let a = 3;\n"}"#]);
        assert_eq!(one.is_same(&whole), None, "what it was before is not known");
        assert_eq!(whole.is_same(&whole), Some(true));
    }

    #[test]
    fn what_was_put_back_is_left_out() {
        let there_and_back = [edit("x", "y"), edit("y", "x")];
        let there_and_back: Vec<&str> = there_and_back.iter().map(String::as_str).collect();
        assert_eq!(net(&there_and_back), ["2 edits that cancel each other out are left out."]);
    }

    #[test]
    fn a_file_that_is_written_takes_edits() {
        let write = r#"{"file_path":"a.rs","content":"one\ntwo\n"}"#;
        let found = net(&[write, &edit("two", "three")]);
        assert_eq!(found[1], "+one|+three");
        assert!(found[0].starts_with("The whole file was written."), "{found:?}");
    }

    #[test]
    fn patches_are_edits_of_their_parts() {
        let patch = |text: &str| format!(r#"{{"input":"*** Begin Patch\n{text}\n*** End Patch"}}"#);
        let first = patch("*** Update File: a.rs\\n@@\\n-p\\n+q\\n@@\\n-v\\n+w");
        let second = patch("*** Update File: a.rs\\n@@\\n-q\\n+p");
        assert_eq!(net(&[&first, &second]), ["-v|+w"]);
        let gone = patch("*** Delete File: a.rs");
        assert_eq!(net(&[&first, &gone]), ["The file was eventually deleted."]);
    }
}
