//! The differences between two opened rows: facts side by side, messages one by one, and other values line by line.

use rustc_hash::FxHashMap;

use crate::render::labels::{Label, What, is_of_output, is_own};

use traceloupe_core::model::{BlockRole, FactKind, Side, hash_of};
use traceloupe_core::text::diff::line_diff;
use traceloupe_protocol::detail::{ShownBlock, ShownMessage};
use traceloupe_protocol::json_line::plain;
use traceloupe_protocol::value::Shown;
use traceloupe_words::{self as words, counted, error_label};

/// Longer values and multi-line values are compared line by line instead of side by side.
const MAX_CELL_BYTES: usize = 160;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything but ids and times.
    All,
    /// Only what was sent to the model, because the answers of two calls are unrelated.
    Input,
}

/// The differences.
#[derive(Default)]
pub struct Differences {
    /// The blocks that show it.
    pub blocks: Vec<ShownBlock>,
    /// The labels of the values that differ; for messages, of those that were changed or removed.
    pub changed: Vec<Label>,
}

/// Compares two opened rows.
#[must_use]
pub fn differences(old: &[ShownBlock], new: &[ShownBlock], scope: Scope) -> Differences {
    let mut out = Differences::default();
    // Messages are more informative than the fields, which often repeat them.
    compare_messages(old, new, scope, &mut out);
    compare_facts(&facts(old, scope), &facts(new, scope), &mut out);
    compare_values(&values(old, scope), &values(new, scope), &mut out);
    out
}

/// A value with a label that is unique within its event.
struct Labelled<'a> {
    label: Label,
    text: String,
    /// The block that shows only this value; `None` for a field.
    block: Option<&'a ShownBlock>,
}

fn is_wanted(role: &BlockRole, scope: Scope) -> bool {
    scope == Scope::All || role.side() != Side::Output
}

fn text_of(shown: &Shown) -> String {
    match shown {
        Shown::Text(text, ..) => text.clone(),
        Shown::Json(lines, _) => plain(lines),
        Shown::Media(image) => image.base64.clone(),
        Shown::Unreadable(why) => why.clone(),
    }
}

/// Numbers values that have the same label, so that each label is unique.
fn labelled<'a>(
    all: impl Iterator<Item = (What, String, Option<&'a ShownBlock>)>,
) -> Vec<Labelled<'a>> {
    let mut seen: FxHashMap<What, u32> = FxHashMap::default();
    all.map(|(what, text, block)| {
        let n = seen.entry(what.clone()).or_insert(0);
        *n += 1;
        Labelled { label: Label::numbered(what, *n), text, block }
    })
    .collect()
}

/// The fields of tables.
fn facts(blocks: &[ShownBlock], scope: Scope) -> Vec<Labelled<'_>> {
    let tables = blocks.iter().filter_map(|block| match block {
        ShownBlock::Table(role, rows) if *role != BlockRole::Usage && is_wanted(role, scope) => {
            Some(rows)
        }
        _ => None,
    });
    let is_wanted = |kind: &FactKind| !is_own(kind) && (scope == Scope::All || !is_of_output(kind));
    let fields = tables.flatten().filter(|(kind, _)| is_wanted(kind));
    labelled(fields.map(|(kind, shown)| {
        (What::Field(kind.clone()), text_of(shown).trim_end().to_owned(), None)
    }))
}

/// The values that are not fields of a table.
fn values(blocks: &[ShownBlock], scope: Scope) -> Vec<Labelled<'_>> {
    let all = blocks.iter().filter_map(|block| {
        let (what, text) = match block {
            ShownBlock::Value(BlockRole::Untitled, form, shown) => {
                (What::Form(*form), text_of(shown))
            }
            ShownBlock::Value(role, _, shown) | ShownBlock::Code(role, _, shown) => {
                (What::Role(role.clone()), text_of(shown))
            }
            block => other_value(block)?,
        };
        let is_wanted = match &what {
            What::Role(role) => is_wanted(role, scope),
            _ => true,
        };
        is_wanted.then_some((what, text, Some(block)))
    });
    labelled(all)
}

fn other_value(block: &ShownBlock) -> Option<(What, String)> {
    Some(match block {
        ShownBlock::Grid(role, _, rows) => {
            let rows = rows.iter().map(|cells| {
                let cells: Vec<String> = cells.iter().map(text_of).collect();
                cells.join(" | ")
            });
            (What::Role(role.clone()), rows.collect::<Vec<_>>().join("\n"))
        }
        ShownBlock::Error(kind, message, stack) => {
            let rest = message.iter().chain(stack).map(text_of);
            (
                What::Error,
                [error_label(kind.as_str()).into_owned()]
                    .into_iter()
                    .chain(rest)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        }
        ShownBlock::Media(image) => (What::Image, image.base64.clone()),
        ShownBlock::Diff(role, lines) => {
            let lines = lines.iter().map(|(sign, line)| format!("{sign}{line}"));
            (What::Role(role.clone()), lines.collect::<Vec<_>>().join("\n"))
        }
        ShownBlock::Patch(text) => (What::Patch, text.clone()),
        ShownBlock::Command(shown) => (What::Command, text_of(shown)),
        ShownBlock::Tasks(tasks) => {
            let tasks = tasks.iter().map(|(state, words)| format!("[{state}] {words}"));
            (What::Tasks, tasks.collect::<Vec<_>>().join("\n"))
        }
        ShownBlock::Table(..)
        | ShownBlock::Value(..)
        | ShownBlock::Messages(..)
        | ShownBlock::Code(..)
        | ShownBlock::Note(_) => return None,
    })
}

/// Compares fields: short ones side by side first, then long ones line by line.
fn compare_facts(old: &[Labelled<'_>], new: &[Labelled<'_>], out: &mut Differences) {
    let mut long = Vec::new();
    let cell = |text: &str| Shown::text(text, None);
    let mut rows = Vec::new();
    for fact in new {
        let before = old.iter().find(|it| it.label == fact.label);
        let before = before.map_or("", |it| it.text.as_str());
        if before == fact.text {
            continue;
        }
        out.changed.push(fact.label.clone());
        let is_short = |text: &str| text.len() <= MAX_CELL_BYTES && !text.contains('\n');
        if is_short(before) && is_short(&fact.text) {
            rows.push([&fact.label.words(), before, &fact.text].map(cell).to_vec());
        } else {
            long.push(diff_of(&fact.label, before, &fact.text));
        }
    }
    let gone = old.iter().filter(|fact| new.iter().all(|it| it.label != fact.label));
    for fact in gone.filter(|fact| !fact.text.is_empty()) {
        out.changed.push(fact.label.clone());
        let end = fact.text.floor_char_boundary(MAX_CELL_BYTES);
        let short = fact.text.get(..end).unwrap_or_default();
        rows.push([&fact.label.words(), short, ""].map(cell).to_vec());
    }
    if !rows.is_empty() {
        out.blocks.push(side_by_side(BlockRole::ChangedFields, rows));
    }
    out.blocks.extend(long);
}

/// The lines of two texts that differ. A line break at the very end makes no difference.
fn lines_that_differ(old: &str, new: &str) -> Vec<(char, String)> {
    let ended = |text: &str| format!("{}\n", text.trim_end_matches('\n'));
    line_diff(&ended(old), &ended(new))
}

/// The lines of two values that differ.
fn diff_of(label: &Label, old: &str, new: &str) -> ShownBlock {
    ShownBlock::Diff(BlockRole::Named(label.words()), lines_that_differ(old, new))
}

/// A table of the old values beside the new ones.
#[must_use]
pub fn side_by_side(role: BlockRole, rows: Vec<Vec<Shown>>) -> ShownBlock {
    let heads = ["", "Before", "After"].map(str::to_owned).to_vec();
    ShownBlock::Grid(role, heads, rows)
}

fn messages_of(blocks: &[ShownBlock], scope: Scope) -> Vec<&ShownMessage> {
    let lists = blocks.iter().filter_map(|block| match block {
        ShownBlock::Messages(role, before, new) if is_wanted(role, scope) => Some((before, new)),
        _ => None,
    });
    lists.flat_map(|(before, new)| before.iter().chain(new)).collect()
}

fn text_of_block(block: &ShownBlock) -> String {
    match block {
        ShownBlock::Value(BlockRole::Untitled, _, shown) => text_of(shown),
        ShownBlock::Value(role, _, shown) | ShownBlock::Code(role, _, shown) => {
            format!("{}\n{}", words::role(role), text_of(shown))
        }
        ShownBlock::Table(role, rows) => {
            let rows = rows.iter().map(|(kind, shown)| {
                let label = words::fact(kind);
                format!("{label}: {}", text_of(shown))
            });
            [words::role(role).into_owned()].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
        }
        block => {
            let other = other_value(block);
            other.map(|(what, text)| format!("{}\n{text}", what.words())).unwrap_or_default()
        }
    }
}

fn text_of_message(message: &ShownMessage) -> String {
    message.content.iter().map(text_of_block).collect::<Vec<_>>().join("\n")
}

/// A message as one line, which is equal for equal messages.
fn line_of_message(message: &ShownMessage) -> String {
    hash_of((&message.role, &message.name, text_of_message(message))).to_string()
}

/// How the messages have changed.
#[derive(Default)]
struct Fates<'a> {
    n_same: u64,
    changed: Vec<(&'a ShownMessage, &'a ShownMessage)>,
    removed: Vec<&'a ShownMessage>,
    new: Vec<&'a ShownMessage>,
}

impl<'a> Fates<'a> {
    fn of(old: &[&'a ShownMessage], new: &[&'a ShownMessage]) -> Self {
        let lines = |messages: &[&ShownMessage]| {
            messages.iter().map(|it| line_of_message(it) + "\n").collect::<String>()
        };
        let mut fates = Self::default();
        let (mut old, mut new) = (old.iter(), new.iter());
        // Messages removed and added at one place, up to the next message that is the same.
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        for (sign, _) in line_diff(&lines(old.as_slice()), &lines(new.as_slice())) {
            match sign {
                '-' => gone.extend(old.next()),
                '+' => come.extend(new.next()),
                _ => {
                    fates.n_same += 1;
                    let _ = (old.next(), new.next());
                    fates.settle(&mut gone, &mut come);
                }
            }
        }
        fates.settle(&mut gone, &mut come);
        fates
    }

    /// A removed message counts as changed if a message with the same role has taken its place.
    fn settle(&mut self, gone: &mut Vec<&'a ShownMessage>, come: &mut Vec<&'a ShownMessage>) {
        for old in gone.drain(..) {
            match come.iter().position(|new| new.role == old.role) {
                Some(at) => self.changed.push((old, come.remove(at))),
                None => self.removed.push(old),
            }
        }
        self.new.append(come);
    }
}

fn compare_messages(old: &[ShownBlock], new: &[ShownBlock], scope: Scope, out: &mut Differences) {
    let (old, new) = (messages_of(old, scope), messages_of(new, scope));
    if old.is_empty() && new.is_empty() {
        return;
    }
    let fates = Fates::of(&old, &new);
    let parts = [
        (fates.n_same, "the same"),
        (fates.changed.len() as u64, "changed"),
        (fates.removed.len() as u64, "removed"),
        (fates.new.len() as u64, "new"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let n_all = counted(new.len() as u64, "message", "messages");
    out.blocks.push(ShownBlock::Note(format!("{n_all}: {}", parts.collect::<Vec<_>>().join(", "))));
    for (before, after) in &fates.changed {
        let role = BlockRole::ChangedMessage(after.role.clone());
        out.changed.push(Label::first(What::Role(role.clone())));
        let lines = lines_that_differ(&text_of_message(before), &text_of_message(after));
        out.blocks.push(ShownBlock::Diff(role, lines));
    }
    let removed = fates.removed.iter().map(|it| BlockRole::ChangedMessage(it.role.clone()));
    out.changed.extend(removed.map(|role| Label::first(What::Role(role))));
    let mut list = |role: BlockRole, messages: &[&ShownMessage]| {
        if !messages.is_empty() {
            let messages = messages.iter().map(|it| (*it).clone()).collect();
            out.blocks.push(ShownBlock::Messages(role, Vec::new(), messages));
        }
    };
    list(BlockRole::RemovedMessages, &fates.removed);
    list(BlockRole::NewMessages, &fates.new);
}

fn compare_values(old: &[Labelled<'_>], new: &[Labelled<'_>], out: &mut Differences) {
    let mut same = Vec::new();
    for value in new {
        let Some(before) = old.iter().find(|it| it.label == value.label) else {
            out.changed.push(value.label.clone());
            out.blocks.push(ShownBlock::Note(format!("Only after: {}", value.label.words())));
            out.blocks.extend(value.block.cloned());
            continue;
        };
        if before.text == value.text {
            same.push(value.label.words());
            continue;
        }
        out.changed.push(value.label.clone());
        match value.block {
            Some(image @ ShownBlock::Media(_)) => {
                out.blocks.extend(before.block.cloned());
                out.blocks.push(image.clone());
            }
            _ => {
                out.blocks.push(diff_of(&value.label, &before.text, &value.text));
            }
        }
    }
    for value in old.iter().filter(|value| new.iter().all(|it| it.label != value.label)) {
        out.changed.push(value.label.clone());
        out.blocks.push(ShownBlock::Note(format!("Only before: {}", value.label.words())));
        out.blocks.extend(value.block.cloned());
    }
    if !same.is_empty() {
        out.blocks.push(ShownBlock::Note(format!("The same: {}", same.join(", "))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::detail::ValueForm;

    fn value(role: BlockRole, text: &str) -> ShownBlock {
        ShownBlock::Value(role, ValueForm::Text, Shown::text(text, None))
    }

    fn changed(found: &Differences) -> Vec<String> {
        found.changed.iter().map(Label::words).collect()
    }

    fn message(role: &str, text: &str) -> ShownMessage {
        ShownMessage {
            role: role.to_owned(),
            name: String::new(),
            content: vec![value(BlockRole::Untitled, text)],
        }
    }

    fn fields(rows: &[(&str, &str)]) -> ShownBlock {
        let cell = |text: &str| Shown::text(text, None);
        let rows = rows.iter().map(|(label, text)| ((*label).into(), cell(text)));
        ShownBlock::Table(BlockRole::Fields, rows.collect())
    }

    #[test]
    fn fields_stand_side_by_side_but_for_ids_and_times() {
        let old = [fields(&[
            ("temperature", "0"),
            ("requestId", "a"),
            ("created_at", "1"),
            ("gone", "x"),
        ])];
        let new = [fields(&[
            ("temperature", "1"),
            ("requestId", "b"),
            ("created_at", "2"),
            ("more", "y"),
        ])];
        let found = differences(&old, &new, Scope::Input);
        assert_eq!(changed(&found), ["temperature", "more", "gone"]);
        let [ShownBlock::Grid(_, _, rows)] = found.blocks.as_slice() else {
            panic!("{:?}", found.blocks)
        };
        assert_eq!(rows.len(), 3);
        assert_eq!(differences(&old, &old, Scope::All).blocks, []);
    }

    #[test]
    fn token_counts_are_no_parameters_but_limits_are() {
        let all = |n: &str| {
            [fields(&[("llm.token_count.prompt", n), ("max_tokens", n), ("output.value", n)])]
        };
        assert_eq!(changed(&differences(&all("1"), &all("2"), Scope::Input)), ["max_tokens"]);
        assert_eq!(differences(&all("1"), &all("2"), Scope::All).changed.len(), 3);
    }

    #[test]
    fn answers_are_compared_only_if_asked_for() {
        let old = [value(BlockRole::Tools, "a\nb"), value(BlockRole::Response, "one")];
        let new = [value(BlockRole::Tools, "a\nc\n"), value(BlockRole::Response, "two")];
        assert_eq!(changed(&differences(&old, &new, Scope::Input)), ["Tools"]);
        assert_eq!(changed(&differences(&old, &new, Scope::All)), ["Tools", "Response"]);
        let found = differences(&old, &new, Scope::Input);
        let [ShownBlock::Diff(_, lines)] = found.blocks.as_slice() else {
            panic!("{:?}", found.blocks)
        };
        let signs: String = lines.iter().map(|line| line.0).collect();
        assert_eq!(signs, " -+");
    }

    #[test]
    fn messages_are_the_same_changed_removed_or_new() {
        let list = |messages: Vec<ShownMessage>| {
            [ShownBlock::Messages(BlockRole::Messages, Vec::new(), messages)]
        };
        let old = list(vec![
            message("system", "Be brief."),
            message("user", "One"),
            message("assistant", "1"),
            message("user", "Two"),
        ]);
        let new = list(vec![
            message("system", "Be very brief."),
            message("user", "One"),
            message("user", "Two"),
            message("assistant", "2"),
            message("user", "Three"),
        ]);
        let found = differences(&old, &new, Scope::Input);
        assert_eq!(changed(&found), ["system message", "assistant message"]);
        let ShownBlock::Note(words) = &found.blocks[0] else { panic!("{:?}", found.blocks) };
        assert_eq!(words, "5 messages: 2 the same, 1 changed, 1 removed, 2 new");
    }

    #[test]
    fn what_only_one_of_them_has_is_shown() {
        let old = [
            value(BlockRole::Result, "1"),
            value(BlockRole::Named("Note".to_owned()), "a"),
            value(BlockRole::Named("Log".to_owned()), "l"),
        ];
        let new = [
            value(BlockRole::Result, "1"),
            value(BlockRole::Result, "2"),
            value(BlockRole::Named("Log".to_owned()), "l"),
        ];
        let found = differences(&old, &new, Scope::All);
        assert_eq!(changed(&found), ["Result 2", "Note"]);
        let notes = found.blocks.iter().filter_map(|block| match block {
            ShownBlock::Note(words) => Some(words.as_str()),
            _ => None,
        });
        let expected = ["Only after: Result 2", "Only before: Note", "The same: Result, Log"];
        assert_eq!(notes.collect::<Vec<_>>(), expected);
    }
}
