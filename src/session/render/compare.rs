//! What differs between two opened rows: facts side by side, messages one by one, and other values line by line.

use rustc_hash::FxHashMap;

use traceloupe_core::model::{FactKind, hash_of};
use traceloupe_core::text::diff::line_diff;
use traceloupe_protocol::detail::{ShownBlock, ShownMessage};
use traceloupe_protocol::json_line::plain;
use traceloupe_protocol::value::Shown;
use traceloupe_words::{self as words, counted, error_label};

/// Longer values, and those of several lines, are compared line by line rather than side by side.
const MAX_CELL_BYTES: usize = 160;

/// Titles of what a model answered.
const OUTPUTS: [&str; 6] = ["Response", "Output", "Text", "Thinking", "Tool call", "Result"];

/// The last words of the labels of ids and times, which differ between any two events.
const OWN_WORDS: [&str; 12] = [
    "id",
    "ids",
    "uuid",
    "time",
    "timestamp",
    "at",
    "ts",
    "date",
    "start",
    "end",
    "started",
    "ended",
];

/// Parts of the labels of what a call took, which the columns of the two rows tell.
const COUNTS: [&str; 5] = ["token", "cost", "usage", "latency", "duration"];

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Everything but ids and times.
    All,
    /// What was sent to the model: the answers of two calls have nothing to do with each other.
    Input,
}

/// What differs.
#[derive(Default)]
pub struct Differences {
    /// The blocks that show it.
    pub blocks: Vec<ShownBlock>,
    /// The titles of values that differ, such as `Tools`, and the roles of messages that were changed or removed.
    pub changed: Vec<String>,
}

/// Compares two opened rows.
#[must_use]
pub fn differences(old: &[ShownBlock], new: &[ShownBlock], scope: Scope) -> Differences {
    let mut out = Differences::default();
    // What was sent says more than the fields, which often repeat it.
    compare_messages(old, new, scope, &mut out);
    compare_facts(&facts(old, scope), &facts(new, scope), &mut out);
    compare_values(&values(old, scope), &values(new, scope), &mut out);
    out
}

/// A value with its label, which is unique within its event.
struct Labelled<'a> {
    label: String,
    text: String,
    /// The block that shows the value alone; `None` for a field.
    block: Option<&'a ShownBlock>,
}

fn is_wanted(title: &str, scope: Scope) -> bool {
    scope == Scope::All || !OUTPUTS.iter().any(|output| title.starts_with(output))
}

fn text_of(shown: &Shown) -> String {
    match shown {
        Shown::Text(text, ..) => text.clone(),
        Shown::Json(lines, _) => plain(lines),
        Shown::Media(image) => image.base64.clone(),
        Shown::Unreadable(why) => why.clone(),
    }
}

/// Makes labels unique: the second `Result` is `Result 2`.
fn unique<'a>(all: impl Iterator<Item = Labelled<'a>>) -> Vec<Labelled<'a>> {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    all.map(|it| {
        let n = seen.entry(it.label.clone()).or_insert(0);
        *n += 1;
        let label = if *n > 1 { format!("{} {n}", it.label) } else { it.label };
        Labelled { label, ..it }
    })
    .collect()
}

/// Whether a field is an id or a time.
fn is_own(kind: &FactKind) -> bool {
    match kind {
        FactKind::TraceId => true,
        // Keys of the producer, by their last word.
        FactKind::Other(key) | FactKind::OfDataSet(key) => {
            let last = key.rsplit([' ', '_', '.', '-']).next().unwrap_or_default();
            let is_camel = last.ends_with("Id") || last.ends_with("At") || last.ends_with("Time");
            is_camel || OWN_WORDS.iter().any(|word| last.eq_ignore_ascii_case(word))
        }
        FactKind::Cost
        | FactKind::Folder
        | FactKind::Branch
        | FactKind::Model
        | FactKind::Provider
        | FactKind::Version
        | FactKind::Suite
        | FactKind::Test
        | FactKind::Target
        | FactKind::Attempt
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings => false,
    }
}

/// Whether a field says what came out of a call, or what it took.
fn is_of_output(kind: &FactKind) -> bool {
    match kind {
        FactKind::Cost => true,
        FactKind::Other(key) | FactKind::OfDataSet(key) => {
            let key = key.to_ascii_lowercase();
            let is_limit = key.contains("max") || key.contains("budget");
            let is_count = COUNTS.iter().any(|word| key.contains(word)) && !is_limit;
            key.starts_with("output") || is_count
        }
        FactKind::Folder
        | FactKind::Branch
        | FactKind::Model
        | FactKind::Provider
        | FactKind::Version
        | FactKind::Suite
        | FactKind::Test
        | FactKind::Target
        | FactKind::Attempt
        | FactKind::TraceId
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings => false,
    }
}

/// The fields of tables.
fn facts(blocks: &[ShownBlock], scope: Scope) -> Vec<Labelled<'_>> {
    let tables = blocks.iter().filter_map(|block| match block {
        ShownBlock::Table(title, rows) if title != "Usage" && is_wanted(title, scope) => Some(rows),
        _ => None,
    });
    let is_wanted = |kind: &FactKind| !is_own(kind) && (scope == Scope::All || !is_of_output(kind));
    let fields = tables.flatten().filter(|(kind, _)| is_wanted(kind));
    let fields = fields.map(|(kind, shown)| Labelled {
        label: words::fact(kind).into_owned(),
        text: text_of(shown).trim_end().to_owned(),
        block: None,
    });
    unique(fields)
}

/// The values that stand on their own.
fn values(blocks: &[ShownBlock], scope: Scope) -> Vec<Labelled<'_>> {
    let all = blocks.iter().filter_map(|block| {
        let (label, text) = match block {
            ShownBlock::Value(title, word, shown) => {
                (if title.is_empty() { word } else { title }, text_of(shown))
            }
            ShownBlock::Code(path, _, shown) => (path, text_of(shown)),
            block => {
                return other_value(block).map(|(label, text)| (label.to_owned(), text, block));
            }
        };
        Some((label.clone(), text, block))
    });
    let all = all.filter(|(label, ..)| is_wanted(label, scope));
    unique(all.map(|(label, text, block)| Labelled { label, text, block: Some(block) }))
}

fn other_value(block: &ShownBlock) -> Option<(&str, String)> {
    Some(match block {
        ShownBlock::Grid(title, _, rows) => {
            let rows = rows.iter().map(|cells| {
                let cells: Vec<String> = cells.iter().map(text_of).collect();
                cells.join(" | ")
            });
            (title, rows.collect::<Vec<_>>().join("\n"))
        }
        ShownBlock::Error(kind, message, stack) => {
            let rest = message.iter().chain(stack).map(text_of);
            (
                "Error",
                [error_label(kind.as_str()).into_owned()]
                    .into_iter()
                    .chain(rest)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        }
        ShownBlock::Media(image) => ("Image", image.base64.clone()),
        ShownBlock::Diff(path, lines) => {
            let lines = lines.iter().map(|(sign, line)| format!("{sign}{line}"));
            (path, lines.collect::<Vec<_>>().join("\n"))
        }
        ShownBlock::Patch(text) => ("Patch", text.clone()),
        ShownBlock::Command(shown) => ("Command", text_of(shown)),
        ShownBlock::Tasks(tasks) => {
            let tasks = tasks.iter().map(|(state, words)| format!("[{state}] {words}"));
            ("Tasks", tasks.collect::<Vec<_>>().join("\n"))
        }
        _ => return None,
    })
}

/// Compares fields: short ones side by side, then long ones line by line.
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
            rows.push([&fact.label, before, &fact.text].map(cell).to_vec());
        } else {
            long.push(ShownBlock::Diff(fact.label.clone(), lines_that_differ(before, &fact.text)));
        }
    }
    let gone = old.iter().filter(|fact| new.iter().all(|it| it.label != fact.label));
    for fact in gone.filter(|fact| !fact.text.is_empty()) {
        out.changed.push(fact.label.clone());
        let end = fact.text.floor_char_boundary(MAX_CELL_BYTES);
        let short = fact.text.get(..end).unwrap_or_default();
        rows.push([&fact.label, short, ""].map(cell).to_vec());
    }
    if !rows.is_empty() {
        out.blocks.push(side_by_side("Fields that differ", rows));
    }
    out.blocks.extend(long);
}

/// The lines of two texts. Whether the last one ends with a line break makes no difference here.
fn lines_that_differ(old: &str, new: &str) -> Vec<(char, String)> {
    let ended = |text: &str| format!("{}\n", text.trim_end_matches('\n'));
    line_diff(&ended(old), &ended(new))
}

/// A table with what was before beside what is now.
#[must_use]
pub fn side_by_side(title: &str, rows: Vec<Vec<Shown>>) -> ShownBlock {
    let heads = ["", "Before", "After"].map(str::to_owned).to_vec();
    ShownBlock::Grid(title.to_owned(), heads, rows)
}

fn messages_of(blocks: &[ShownBlock], scope: Scope) -> Vec<&ShownMessage> {
    let lists = blocks.iter().filter_map(|block| match block {
        ShownBlock::Messages(title, before, new) if is_wanted(title, scope) => Some((before, new)),
        _ => None,
    });
    lists.flat_map(|(before, new)| before.iter().chain(new)).collect()
}

fn text_of_block(block: &ShownBlock) -> String {
    match block {
        ShownBlock::Value(title, _, shown) if title.is_empty() => text_of(shown),
        ShownBlock::Value(title, _, shown) | ShownBlock::Code(title, _, shown) => {
            format!("{title}\n{}", text_of(shown))
        }
        ShownBlock::Table(title, rows) => {
            let rows = rows.iter().map(|(kind, shown)| {
                let label = words::fact(kind);
                format!("{label}: {}", text_of(shown))
            });
            [title.clone()].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
        }
        block => {
            other_value(block).map(|(title, text)| format!("{title}\n{text}")).unwrap_or_default()
        }
    }
}

fn text_of_message(message: &ShownMessage) -> String {
    message.content.iter().map(text_of_block).collect::<Vec<_>>().join("\n")
}

/// A message, in one line that is equal for equal messages.
fn line_of_message(message: &ShownMessage) -> String {
    hash_of((&message.role, &message.name, text_of_message(message))).to_string()
}

/// What became of the messages.
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
        // Messages of one place, until the next that is the same.
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

    /// A message whose place a message of the same role has taken was changed.
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
        out.changed.push(format!("{} message", after.role));
        let lines = lines_that_differ(&text_of_message(before), &text_of_message(after));
        out.blocks.push(ShownBlock::Diff(format!("{} message", after.role), lines));
    }
    out.changed.extend(fates.removed.iter().map(|it| format!("{} message", it.role)));
    let mut list = |title: &str, messages: &[&ShownMessage]| {
        if !messages.is_empty() {
            let messages = messages.iter().map(|it| (*it).clone()).collect();
            out.blocks.push(ShownBlock::Messages(title.to_owned(), Vec::new(), messages));
        }
    };
    list("Removed messages", &fates.removed);
    list("New messages", &fates.new);
}

fn compare_values(old: &[Labelled<'_>], new: &[Labelled<'_>], out: &mut Differences) {
    let mut same = Vec::new();
    for value in new {
        let Some(before) = old.iter().find(|it| it.label == value.label) else {
            out.changed.push(value.label.clone());
            out.blocks.push(ShownBlock::Note(format!("Only after: {}", value.label)));
            out.blocks.extend(value.block.cloned());
            continue;
        };
        if before.text == value.text {
            same.push(value.label.as_str());
            continue;
        }
        out.changed.push(value.label.clone());
        match value.block {
            Some(image @ ShownBlock::Media(_)) => {
                out.blocks.extend(before.block.cloned());
                out.blocks.push(image.clone());
            }
            _ => {
                let lines = lines_that_differ(&before.text, &value.text);
                out.blocks.push(ShownBlock::Diff(value.label.clone(), lines));
            }
        }
    }
    for value in old.iter().filter(|value| new.iter().all(|it| it.label != value.label)) {
        out.changed.push(value.label.clone());
        out.blocks.push(ShownBlock::Note(format!("Only before: {}", value.label)));
        out.blocks.extend(value.block.cloned());
    }
    if !same.is_empty() {
        out.blocks.push(ShownBlock::Note(format!("The same: {}", same.join(", "))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(title: &str, text: &str) -> ShownBlock {
        let shown = Shown::text(text, None);
        ShownBlock::Value(title.to_owned(), "text".to_owned(), shown)
    }

    fn message(role: &str, text: &str) -> ShownMessage {
        ShownMessage { role: role.to_owned(), name: String::new(), content: vec![value("", text)] }
    }

    fn fields(rows: &[(&str, &str)]) -> ShownBlock {
        let cell = |text: &str| Shown::text(text, None);
        let rows = rows.iter().map(|(label, text)| ((*label).into(), cell(text)));
        ShownBlock::Table("Fields".to_owned(), rows.collect())
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
        assert_eq!(found.changed, ["temperature", "more", "gone"]);
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
        assert_eq!(differences(&all("1"), &all("2"), Scope::Input).changed, ["max_tokens"]);
        assert_eq!(differences(&all("1"), &all("2"), Scope::All).changed.len(), 3);
    }

    #[test]
    fn answers_are_compared_only_if_asked_for() {
        let old = [value("Tools", "a\nb"), value("Response", "one")];
        let new = [value("Tools", "a\nc\n"), value("Response", "two")];
        assert_eq!(differences(&old, &new, Scope::Input).changed, ["Tools"]);
        assert_eq!(differences(&old, &new, Scope::All).changed, ["Tools", "Response"]);
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
            [ShownBlock::Messages("Messages".to_owned(), Vec::new(), messages)]
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
        assert_eq!(found.changed, ["system message", "assistant message"]);
        let ShownBlock::Note(words) = &found.blocks[0] else { panic!("{:?}", found.blocks) };
        assert_eq!(words, "5 messages: 2 the same, 1 changed, 1 removed, 2 new");
    }

    #[test]
    fn what_only_one_of_them_has_is_shown() {
        let old = [value("Result", "1"), value("Note", "a"), value("Log", "l")];
        let new = [value("Result", "1"), value("Result", "2"), value("Log", "l")];
        let found = differences(&old, &new, Scope::All);
        assert_eq!(found.changed, ["Result 2", "Note"]);
        let notes = found.blocks.iter().filter_map(|block| match block {
            ShownBlock::Note(words) => Some(words.as_str()),
            _ => None,
        });
        let expected = ["Only after: Result 2", "Only before: Note", "The same: Result, Log"];
        assert_eq!(notes.collect::<Vec<_>>(), expected);
    }
}
