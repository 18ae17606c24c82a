//! Builds the contents of an opened row: the blocks that the format describes, with their values read from the source
//! and cut to a size that the page can hold.

use std::cell::Cell;

use crate::render::arguments::show_arguments;
use crate::render::pointed::points_of;
use crate::render::result_texts::{is_short, texts_in};
use crate::render::values::{ReadError, ReadSpan, cut_of, media_of, show_more, show_owned};
use traceloupe_core::json::{decode_inner, decode_string};
use traceloupe_core::model::{
    Block, BlockRole, Content, Detail, FactKind, Field, Message, Role, SourceId, Span, Value,
};
use traceloupe_protocol::detail::{ShownBlock, ShownMessage, ValueForm};
use traceloupe_protocol::notes::ShownNote;
use traceloupe_protocol::value::{Cut, CutForm, Point, Shown, ShownMedia, TEXT_BYTES};
use traceloupe_words as words;

/// How many bytes of text an opened row may have.
const ALL_TEXT_BYTES: u32 = 512 * 1024;

/// How much is read of a value inside a JSON string.
const MAX_ESCAPED_BYTES: u32 = 4 << 20;

/// How much text each of two compared rows may have, in total and per value.
const COMPARED: Budget = Budget { all: 8 << 20, each: 1 << 20, messages: 5_000 };

/// How many bytes of a value are shown after the text budget of the row is used up.
const LITTLE_BYTES: u32 = 2 * 1024;

/// The maximum number of rows of a table. The raw text contains the others.
pub(super) const MAX_TABLE_ROWS: usize = 200;

/// The maximum number of messages in an opened row.
const MAX_MESSAGES: usize = 300;

/// How much of an event is shown.
#[derive(Clone, Copy)]
struct Budget {
    /// Total bytes of text. Further values get [`LITTLE_BYTES`].
    all: u32,
    /// Bytes per value.
    each: u32,
    /// Number of messages.
    messages: usize,
}

/// The budget of an opened row.
const OPENED: Budget = Budget { all: ALL_TEXT_BYTES, each: TEXT_BYTES, messages: MAX_MESSAGES };

/// Builds the blocks of an opened row.
#[must_use]
pub fn show(detail: &Detail, read: ReadSpan<'_>) -> Vec<ShownBlock> {
    show_within(detail, OPENED, read)
}

/// Builds the blocks of a row for a comparison, with longer values kept whole.
#[must_use]
pub fn show_much(detail: &Detail, read: ReadSpan<'_>) -> Vec<ShownBlock> {
    show_within(detail, COMPARED, read)
}

fn show_within(detail: &Detail, budget: Budget, read: ReadSpan<'_>) -> Vec<ShownBlock> {
    let reader = Reader::new(budget, read);
    let has_media = detail.blocks.iter().any(|block| matches!(block, Block::Media(..)));
    let mut shown = Vec::with_capacity(detail.blocks.len());
    let mut points = Vec::new();
    for block in media_first(&detail.blocks) {
        match block {
            Block::Arguments(value) => {
                points = points_of(value, &reader);
                shown.extend(show_arguments(BlockRole::Arguments, value, &reader));
            }
            Block::Media(media, span) => shown.push(reader.image(media, *span, &points)),
            Block::ToolUse(name, value) => {
                shown.extend(show_arguments(BlockRole::ToolCall(name.clone()), value, &reader));
            }
            Block::Result(value) => shown.extend(show_results(value, has_media, &reader)),
            block => shown.push(show_block(block, &reader)),
        }
        // Models write blank lines before their answers. They are only kept if the row has nothing else.
        if detail.blocks.len() > 1 {
            shown.pop_if(|block| is_blank_text(block));
        }
        let (n_rows, note): (usize, fn(u64) -> ShownNote) = match block {
            Block::Fields(_, fields) => (fields.len(), ShownNote::MoreFields),
            Block::Table(_, _, rows) => (rows.len(), ShownNote::MoreRows),
            _ => continue,
        };
        if let Some(more) = n_rows.checked_sub(MAX_TABLE_ROWS).filter(|more| *more > 0) {
            shown.push(ShownBlock::Note(note(more as u64)));
        }
    }
    with_numbered_edits(shown)
}

/// The blocks in display order: media returned by a tool come before its text.
fn media_first(blocks: &[Block]) -> Vec<&Block> {
    let is_result = |block: &&Block| matches!(block, Block::Result(_));
    let is_media = |block: &&Block| matches!(block, Block::Media(..));
    let first = blocks.iter().position(|block| is_result(&block)).unwrap_or(blocks.len());
    let (before, from) = blocks.split_at(first);
    let (media, others): (Vec<&Block>, Vec<&Block>) = from.iter().partition(is_media);
    before.iter().chain(media).chain(others).collect()
}

/// Whether a block is a text without visible characters.
fn is_blank_text(block: &ShownBlock) -> bool {
    matches!(block, ShownBlock::Value(_, ValueForm::Text, Shown::Text(text, ..))
        if text.trim().is_empty())
}

/// Only the blocks for the arguments of a call.
pub(super) fn arguments_of(value: &Value, read: ReadSpan<'_>) -> Vec<ShownBlock> {
    let reader = Reader::new(OPENED, read);
    show_arguments(BlockRole::Arguments, value, &reader)
}

/// Edits with the line numbers of the file, if the tool returned them with its result (`structuredPatch`). That diff
/// replaces the requested edit.
fn with_numbered_edits(mut blocks: Vec<ShownBlock>) -> Vec<ShownBlock> {
    let is_patch = |it: &ShownBlock| matches!(it, ShownBlock::Patch(_));
    if let Some(at) = blocks.iter().position(is_patch)
        && let Some(edit) = blocks.iter().position(|it| matches!(it, ShownBlock::Diff(..)))
        && edit < at
    {
        let patch = blocks.remove(at);
        if let Some(ShownBlock::Diff(role, _)) = blocks.get(edit)
            && let ShownBlock::Patch(text) = patch
        {
            let path = words::role(role);
            let text = format!("--- {path}\n+++ {path}\n{text}");
            blocks.insert(edit, ShownBlock::Patch(text));
        }
        blocks.retain(|it| !matches!(it, ShownBlock::Diff(..)));
    }
    blocks
}

/// A change that a tool returned in hunks: for each, the first line numbers, and the lines with their signs.
fn structured_patch(value: &Value, read: &Reader<'_>) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Part {
        old_start: u32,
        old_lines: u32,
        new_start: u32,
        new_lines: u32,
        lines: Vec<String>,
    }
    let Value::Json(span) = value else { return None };
    let bytes = (read.read)(Span { len: span.len.min(MAX_ESCAPED_BYTES), ..*span }).ok()?;
    let parts: Vec<Part> = serde_json::from_slice(&bytes).ok()?;
    let mut text = String::new();
    for Part { old_start, old_lines, new_start, new_lines, lines } in &parts {
        text.push_str(&format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@\n"));
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
    }
    (!parts.is_empty()).then_some(text)
}

/// The only block of an event whose records cannot be read.
#[must_use]
pub fn unreadable(error: &ReadError) -> ShownBlock {
    let why = Shown::Unreadable(error.clone());
    ShownBlock::Value(BlockRole::Untitled, ValueForm::Unreadable, why)
}

/// Reads values within the text budget of the opened row.
pub(super) struct Reader<'a> {
    pub(super) read: ReadSpan<'a>,
    budget: Budget,
    left_bytes: Cell<u32>,
}

impl<'a> Reader<'a> {
    fn new(budget: Budget, read: ReadSpan<'a>) -> Self {
        Self { read, budget, left_bytes: Cell::new(budget.all) }
    }

    pub(super) fn show(&self, value: &Value) -> Shown {
        match value {
            Value::Json(span) => self.span(*span, CutForm::Json),
            Value::JsonInString(span) => self.span(*span, CutForm::JsonInString),
            Value::Escaped(span) => self.escaped(*span),
            Value::Text(text) => self.own_text(text),
            Value::OwnedJson(json) => {
                self.spend(json.len());
                show_owned(json.as_bytes())
            }
        }
    }

    /// The result of a call. JSON that a tool returned as text is shown as JSON.
    fn show_result(&self, value: &Value) -> Shown {
        match self.show(value) {
            Shown::Text(text, cut, _)
                if cut.as_ref().is_none_or(Cut::is_whole) && is_json(&text) =>
            {
                let lines = show_owned(text.trim_start().as_bytes());
                match lines {
                    // The text itself is still available with one click.
                    Shown::Json(lines, _) => {
                        let cut = cut.map(|cut| Cut { shown_bytes: 1, ..cut });
                        Shown::Json(lines, cut)
                    }
                    other => other,
                }
            }
            shown => shown,
        }
    }

    /// The texts of a result that is a list of content parts.
    fn texts_in(&self, value: &Value, has_media: bool) -> Option<Vec<Span>> {
        let Value::Json(span) = value else { return None };
        is_short(span.len, has_media).then_some(())?;
        let first = (self.read)(Span { len: 1, ..*span }).ok()?;
        matches!(first.first(), Some(b'[' | b'{')).then_some(())?;
        let bytes = (self.read)(*span).ok()?;
        texts_in(std::str::from_utf8(&bytes).ok()?, *span, has_media)
    }

    /// The texts of such a list if it is inside a string. They have no place of their own in the file.
    fn packed_texts(&self, value: &Value) -> Option<Vec<String>> {
        let is_near = |span: &Span| is_short(span.len, false);
        let whole = |span: Span| {
            Some(decode_string(std::str::from_utf8(&(self.read)(span).ok()?).ok()?).into_owned())
        };
        let text = match value {
            Value::Text(text) | Value::OwnedJson(text) => text.clone(),
            Value::Json(span) | Value::JsonInString(span) if is_near(span) => {
                let first = (self.read)(Span { len: 1, ..*span }).ok()?;
                matches!(first.first(), Some(b'"')).then(|| whole(*span))??
            }
            Value::Escaped(span) if is_near(span) => {
                let json = read_escaped(*span, self.read).ok()?;
                if json.starts_with('"') { decode_string(&json).into_owned() } else { json }
            }
            _ => return None,
        };
        is_json(&text).then_some(())?;
        // These places are offsets into the text.
        let here = Span {
            start: 0,
            len: u32::try_from(text.len()).ok()?,
            source: SourceId::from_index(0),
        };
        let texts = texts_in(&text, here, false)?.into_iter().map(|it| {
            let start = usize::try_from(it.start).ok()?;
            Some(decode_string(text.get(start..start + it.len as usize)?).into_owned())
        });
        texts.collect()
    }

    /// Takes a value of this length from the budget. Returns how many bytes of it may be shown.
    fn spend(&self, len: usize) -> u32 {
        let left = self.left_bytes.get();
        let max_bytes = if left > 0 { self.budget.each } else { LITTLE_BYTES };
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        self.left_bytes.set(left.saturating_sub(len.min(max_bytes)));
        max_bytes
    }

    /// Text composed by the format. It has no place in the file, so the page cannot request the rest, and the text
    /// itself states how much is left out.
    fn own_text(&self, text: &str) -> Shown {
        let max_bytes = self.spend(text.len()) as usize;
        let head = text.get(..text.floor_char_boundary(max_bytes)).unwrap_or(text);
        if head.len() == text.len() {
            return Shown::text(text, None);
        }
        let rest = words::bytes((text.len() - head.len()) as u64);
        Shown::text(format!("{head}…\n[{rest} more: see JSON]"), None)
    }

    /// A value inside a JSON string. Its offsets are not offsets into the file, so the page cannot request the rest of
    /// it.
    fn escaped(&self, span: Span) -> Shown {
        match read_escaped(span, self.read) {
            Err(error) => Shown::Unreadable(error),
            Ok(json) if json.starts_with('"') => self.own_text(&decode_string(&json)),
            Ok(json) => {
                self.spend(json.len());
                show_owned(json.as_bytes())
            }
        }
    }

    fn span(&self, span: Span, form: CutForm) -> Shown {
        let max_bytes = self.spend(span.len as usize);
        match show_more(&cut_of(span, form), max_bytes, self.read) {
            // A complete text keeps its place, because annotations refer to it.
            Shown::Text(text, None, _) => Shown::text(
                text,
                Some(Cut { shown_bytes: span.len, ..cut_of(span, CutForm::Json) }),
            ),
            shown => shown,
        }
    }

    /// An image, with the points that the preceding call named.
    fn image(&self, media: &str, span: Span, points: &[Point]) -> ShownBlock {
        match media_of(span, media, self.read) {
            Ok(image) => ShownBlock::Media(ShownMedia { points: points.to_vec(), ..image }),
            Err(error) => unreadable(&error),
        }
    }
}

/// Whether a text is one JSON object or list, and nothing else.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The JSON in a part of a JSON string.
pub(super) fn read_escaped(span: Span, read: ReadSpan<'_>) -> Result<String, ReadError> {
    let bytes = read(Span { len: span.len.min(MAX_ESCAPED_BYTES), ..span })?;
    Ok(decode_inner(&bytes).into_owned())
}

fn show_block(block: &Block, read: &Reader<'_>) -> ShownBlock {
    let value = |role: BlockRole, form: ValueForm, value: &Value| {
        ShownBlock::Value(role, form, read.show(value))
    };
    match block {
        Block::Fields(role, fields) => ShownBlock::Table(role.owned(), show_fields(fields, read)),
        // In an opened row, `show_arguments` shows calls.
        Block::Arguments(it) => value(BlockRole::Arguments, ValueForm::Json, it),
        Block::ToolUse(name, it) => value(BlockRole::ToolCall(name.clone()), ValueForm::Json, it),
        // In an opened row, `show_results` shows results.
        Block::Result(it) => result(read.show_result(it)),
        Block::Text(role, it) => value(role.owned(), ValueForm::Text, it),
        Block::Json(role, it) => match structured_patch(it, read) {
            Some(patch) => ShownBlock::Patch(patch),
            None => value(role.owned(), ValueForm::Json, it),
        },
        Block::Thinking(it) => value(BlockRole::Thinking, ValueForm::Thinking, it),
        Block::HiddenThinking => ShownBlock::Note(ShownNote::HiddenThinking),
        Block::Messages(role, messages, n_before) => {
            show_messages(*role, messages, *n_before, read)
        }
        Block::Error { kind, message, stack } => ShownBlock::Error(
            kind.clone(),
            message.as_ref().map(|it| read.show(it)),
            stack.as_ref().map(|it| read.show(it)),
        ),
        // In an opened row, images come with the points of their call.
        Block::Media(media, span) => read.image(media, *span, &[]),
        Block::Code(path, language, it) => {
            ShownBlock::Code(BlockRole::File(path.clone()), language.clone(), read.show(it))
        }
        Block::Log(role, it) => value(role.owned(), ValueForm::Log, it),
        Block::Table(role, heads, rows) => show_grid(*role, heads, rows, read),
        Block::Note(note) => ShownBlock::Note(ShownNote::Event(*note)),
        Block::Diff(role, old, new) => show_diff(*role, old, new, read),
    }
}

fn result(shown: Shown) -> ShownBlock {
    ShownBlock::Value(BlockRole::Result, ValueForm::Result, shown)
}

/// The result of a call. Each text in a list of content parts gets a block of its own.
fn show_results(value: &Value, has_media: bool, read: &Reader<'_>) -> Vec<ShownBlock> {
    if let Some(texts) = read.packed_texts(value) {
        return texts.iter().map(|text| result(read.own_text(text))).collect();
    }
    let Some(texts) = read.texts_in(value, has_media) else {
        return vec![result(read.show_result(value))];
    };
    texts.into_iter().map(|text| result(read.show_result(&Value::Json(text)))).collect()
}

fn show_fields(fields: &[Field], read: &Reader<'_>) -> Vec<(FactKind, Shown)> {
    let fields = fields.iter().take(MAX_TABLE_ROWS);
    fields.map(|field| (field.label.clone(), read.show(&field.value))).collect()
}

fn show_grid(role: Role, heads: &[&str], rows: &[Vec<Value>], read: &Reader<'_>) -> ShownBlock {
    let shown = rows.iter().take(MAX_TABLE_ROWS);
    let shown = shown.map(|cells| cells.iter().map(|cell| read.show(cell)).collect()).collect();
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    ShownBlock::Grid(role.owned(), heads, shown)
}

fn show_messages(
    role: Role,
    messages: &[Message],
    n_before: usize,
    read: &Reader<'_>,
) -> ShownBlock {
    let n_before = n_before.min(messages.len());
    let (before, new) = messages.split_at(n_before);
    // In a very long conversation the latest messages matter most.
    let latest = |messages: &[Message]| -> Vec<ShownMessage> {
        let skip = messages.len().saturating_sub(read.budget.messages);
        messages.iter().skip(skip).map(|message| show_message(message, read)).collect()
    };
    ShownBlock::Messages(role.owned(), latest(before), latest(new))
}

fn show_message(message: &Message, read: &Reader<'_>) -> ShownMessage {
    let is_media = |it: &Content| matches!(it, Content::Media(..));
    let has_media = message.content.iter().any(is_media);
    let content = message.content.iter().flat_map(|content| match content {
        Content::ToolUse(name, it) => {
            show_arguments(BlockRole::CallInMessage(name.clone()), it, read)
        }
        Content::ToolResult(it) => show_results(it, has_media, read),
        other => vec![show_content(other, read)],
    });
    ShownMessage {
        role: message.role.clone(),
        name: message.name.clone(),
        content: content.collect(),
    }
}

fn show_content(content: &Content, read: &Reader<'_>) -> ShownBlock {
    match content {
        Content::Text(it) => ShownBlock::Value(BlockRole::Untitled, ValueForm::Text, read.show(it)),
        Content::Thinking(it) => show_block(&Block::Thinking(it.clone()), read),
        Content::HiddenThinking => show_block(&Block::HiddenThinking, read),
        Content::ToolUse(name, it) => ShownBlock::Value(
            BlockRole::CallInMessage(name.clone()),
            ValueForm::Json,
            read.show(it),
        ),
        Content::ToolResult(it) => show_block(&Block::Result(it.clone()), read),
        Content::Media(media, span) => read.image(media, *span, &[]),
        Content::Note(note) => ShownBlock::Note(ShownNote::Event(*note)),
        Content::Other(it) => {
            ShownBlock::Value(BlockRole::Untitled, ValueForm::Json, read.show(it))
        }
    }
}

/// Formats both values as lines and compares them. `line_diff` limits how many changed lines it compares one by one.
fn show_diff(role: Role, old: &Value, new: &Value, read: &Reader<'_>) -> ShownBlock {
    let text = |value: &Value| match read.show(value) {
        Shown::Text(text, ..) => text,
        Shown::Json(lines, _) => traceloupe_protocol::json_line::plain(&lines),
        Shown::Media(_) | Shown::Unreadable(_) => String::new(),
    };
    ShownBlock::Diff(role.owned(), traceloupe_core::text::diff::line_diff(&text(old), &text(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_format_keeps_within_the_budget() {
        let long = "é".repeat(200_000);
        let blocks =
            (0..40).map(|_| Block::Text(BlockRole::Text, Value::Text(long.clone()))).collect();
        let detail = Detail { blocks, ..Detail::default() };
        let shown = show(&detail, &|_| Ok(Vec::new()));
        let texts: Vec<&str> = shown
            .iter()
            .map(|block| match block {
                ShownBlock::Value(_, _, Shown::Text(text, None, _)) => text.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        let all: usize = texts.iter().map(|text| text.len()).sum();
        assert!(all < 2 * ALL_TEXT_BYTES as usize, "{all}");
        assert!(texts[0].starts_with("éé") && texts[0].ends_with("more: see JSON]"));
        let short = Detail {
            blocks: vec![Block::Text(BlockRole::Text, Value::Text("all of it".to_owned()))],
            ..Detail::default()
        };
        let shown = show(&short, &|_| Ok(Vec::new()));
        let text = Shown::text("all of it", None);
        assert_eq!(shown, [ShownBlock::Value(BlockRole::Text, ValueForm::Text, text)]);
    }

    #[test]
    fn content_parts_inside_of_a_string_are_shown_as_their_texts() {
        let parts = r#"{"content":[{"type":"text","text":"high\nat 9"},{"type":"text","text":"low"}],"isError":false}"#;
        let in_string = serde_json::to_string(parts).unwrap();
        let inner = in_string.trim_matches('"').to_owned();
        let span = |text: &str| Span {
            source: SourceId::from_index(0),
            start: 0,
            len: u32::try_from(text.len()).unwrap(),
        };
        let cases = [
            (Value::Text(parts.to_owned()), String::new()),
            (Value::Json(span(&in_string)), in_string.clone()),
            (Value::JsonInString(span(&in_string)), in_string.clone()),
            (Value::Escaped(span(&inner)), inner),
        ];
        for (value, file) in cases {
            let read = |it: Span| Ok(file.as_bytes()[..it.len as usize].to_vec());
            let detail = Detail { blocks: vec![Block::Result(value.clone())], ..Detail::default() };
            let texts: Vec<String> = show(&detail, &read)
                .into_iter()
                .map(|block| match block {
                    ShownBlock::Value(_, _, Shown::Text(text, ..)) => text,
                    other => panic!("{value:?}: {other:?}"),
                })
                .collect();
            assert_eq!(texts, ["high\nat 9", "low"], "{value:?}");
        }
    }

    #[test]
    fn blank_texts_are_left_out_beside_others() {
        let text = |text: &str| Block::Text(BlockRole::Text, Value::Text(text.to_owned()));
        let n_shown = |blocks: Vec<Block>| {
            show(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new())).len()
        };
        assert_eq!(n_shown(vec![text("\n\n"), text("Six knots.")]), 1);
        assert_eq!(n_shown(vec![text("\n\n")]), 1);
        assert_eq!(n_shown(vec![Block::Result(Value::Text(" ".to_owned())), text("a")]), 2);
    }

    #[test]
    fn values_that_cannot_be_read_say_so() {
        let span =
            Span { source: traceloupe_core::model::SourceId::from_index(0), start: 0, len: 40 };
        let value = Value::Json(span);
        let blocks = vec![
            Block::Arguments(value.clone()),
            Block::Text(BlockRole::Text, value),
            Block::Media("image/png".to_owned(), span),
        ];
        let detail = Detail { blocks, ..Detail::default() };
        let shown = show(&detail, &|_| Err(ReadError::NoSuchSource));
        assert_eq!(shown.len(), 3);
        for block in shown {
            let is_told = matches!(
                &block,
                ShownBlock::Value(_, _, Shown::Unreadable(ReadError::NoSuchSource))
            );
            assert!(is_told, "{block:?}");
        }
    }
}
