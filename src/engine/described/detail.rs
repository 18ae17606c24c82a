//! The detail pass: turns the descriptions of an event's records into the blocks of an opened row.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::repeats::{result_in, told_of, words_in, words_of};
use super::requests::{collapse_earlier, requests_in, requests_of};
use super::uncovered_fields::{Cited, leaves, uncovered};
use super::{Describer, references};
use crate::kit::{
    Description, Item, Known, Located, Msg, Part, Piece, PieceOf, Room, Texts, What, on_tape,
};
use crate::shapes::content;
use crate::weave::anchor_key;
use crate::{EventRecords, RecordText};
use traceloupe_core::json::{Inspector, Json, Kind, decode_string};
use traceloupe_core::model::{
    Anchor, Block, BlockRole, Content, Detail, ErrorLabel, EventKind, EventNote, FactKind, Field,
    Flags, Message, Role, Span, Status, Value, hash_of,
};

/// The blocks of a row, in display order.
#[derive(Default)]
struct Blocks {
    errors: Vec<Block>,
    main: Vec<Block>,
    fields: Vec<Field>,
    usage: Vec<Block>,
    /// The values of groups that are already shown, because several files may contain them.
    grouped: FxHashSet<u64>,
    /// The usages that are already shown, because some producers repeat them.
    usages: FxHashSet<u64>,
    rest: Vec<Field>,
    /// The fields that are already shown, because records of one event repeat them.
    rest_keys: FxHashSet<u64>,
    pieces: Vec<Joined>,
}

/// A text in pieces.
struct Joined {
    of: PieceOf,
    key: u64,
    text: String,
    /// The value, if there is only one piece.
    only: Option<Value>,
    /// The index of its block.
    at: usize,
    /// The tool that the text calls, if the call is shown with the LLM call.
    tool: String,
}

impl Blocks {
    fn piece(&mut self, piece: &Piece<'_>, value: Value) {
        let is_it = |it: &&mut Joined| (it.of, it.key) == (piece.of, piece.key);
        if let Some(joined) = self.pieces.iter_mut().find(is_it) {
            if piece.of == PieceOf::TextSoFar {
                joined.only = Some(value);
                return;
            }
            joined.text.push_str(&decode_string(piece.text.raw()));
            joined.only = None;
            return;
        }
        let tool = match self.main.last() {
            // The first piece names the tool.
            Some(Block::ToolUse(name, Value::OwnedJson(json))) if json.is_empty() => name.clone(),
            _ => String::new(),
        };
        if !tool.is_empty() {
            self.main.pop();
        }
        let at = self.main.len();
        // Until the texts are joined, an empty group holds the place.
        self.main.push(Block::Fields(BlockRole::Untitled, Vec::new()));
        let text = decode_string(piece.text.raw()).into_owned();
        let Piece { of, key, .. } = *piece;
        self.pieces.push(Joined { of, key, text, only: Some(value), at, tool });
    }

    /// Puts texts in pieces in their places. A text that is also present as a whole is not repeated.
    fn join_pieces(&mut self, kind: EventKind) {
        let has = |is: fn(&Block) -> bool| self.main.iter().any(is);
        let has_text = has(|it| matches!(it, Block::Text(BlockRole::Response, _)));
        let has_thinking = has(|it| matches!(it, Block::Thinking(_)));
        let has_calls = has(|it| matches!(it, Block::ToolUse(..)));
        let has_arguments = has(|it| matches!(it, Block::Arguments(_)));
        for Joined { of, text, only, at, tool, .. } in std::mem::take(&mut self.pieces) {
            let json = |text: String| match text.trim_start().starts_with(['{', '[']) {
                true => Value::OwnedJson(text),
                false => Value::Text(text),
            };
            let block = match of {
                PieceOf::Text if !has_text => {
                    Block::Text(BlockRole::Response, only.unwrap_or(Value::Text(text)))
                }
                PieceOf::TextSoFar if !has_text => {
                    // A model thinks before it answers, but its thinking may be recorded later.
                    let words = only.unwrap_or(Value::Text(text));
                    self.main.push(Block::Text(BlockRole::Response, words));
                    continue;
                }
                PieceOf::Thinking if !has_thinking => {
                    Block::Thinking(only.unwrap_or(Value::Text(text)))
                }
                PieceOf::Arguments if kind == EventKind::ToolCall && !has_arguments => {
                    Block::Arguments(json(text))
                }
                PieceOf::Arguments if !has_calls && kind != EventKind::ToolCall => {
                    Block::ToolUse(tool, json(text))
                }
                _ => continue,
            };
            if let Some(slot) = self.main.get_mut(at) {
                *slot = block;
            }
        }
        self.main.retain(|block| !matches!(block, Block::Fields(_, fields) if fields.is_empty()));
    }
}

/// The places to which the items of an event refer.
pub fn referred(format: &dyn Describer, event: &EventRecords<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    for record in event.records {
        let (room, mut inspector) = (Room::default(), Inspector::default());
        let description = format.shown(on_tape(&record.text, &mut inspector), &room);
        let item = description.items.get(usize::from(record.item));
        for part in item.iter().flat_map(|item| &item.parts) {
            if let Part::Referred(_, names) = part {
                let anchors = names.iter().filter_map(|name| anchor(event, name));
                spans.extend(anchors.map(|anchor| anchor.span));
            }
        }
        references::add(&description, &record.text, event, &mut spans);
    }
    spans
}

/// The anchor with a name in the run of an event.
pub(super) fn anchor(event: &EventRecords<'_>, name: &str) -> Option<Anchor> {
    let run = event.trace.run(event.event.run)?;
    event.trace.anchor(anchor_key(&run.key, name))
}

/// Fills in what an opened row shows.
pub fn detail(format: &dyn Describer, event: &EventRecords<'_>, out: &mut Detail) {
    let mut blocks = Blocks::default();
    let (words, results) = words_of(format, event);
    let earlier: Vec<_> = event.earlier.iter().map(|it| requests_of(format, it)).collect();
    let mut requests = Vec::new();
    let mut told = FxHashSet::default();
    // All text so far, because the records may repeat it as one text.
    let mut said = String::new();
    let mut is_shown = false;
    for record in event.records {
        let (room, mut inspector) = (Room::default(), Inspector::default());
        let json = on_tape(&record.text, &mut inspector);
        let description = format.shown(json, &room);
        let show = Show { event, record, description: &description };
        let item = description.items.get(usize::from(record.item));
        if item.is_some_and(|item| item.repeats.is_once) && std::mem::replace(&mut is_shown, true) {
            continue;
        }
        if let Some(item) = item {
            let is_again = item.repeats.is_again;
            let may_repeat = is_again || item.repeats.known != Known::No;
            let skip = |part: &Part<'_>| {
                let is_told = |it| told.contains(&it) || is_again && words.contains(&it);
                may_repeat && told_of(part).is_some_and(is_told)
                    || is_again && words_in(part).is_some_and(|it| it.trim() == said.trim())
                    || is_again && result_in(part).is_some_and(|it| results.contains(it.trim()))
            };
            show.item(item, event.event.kind, &skip, &mut blocks);
            told.extend(item.parts.iter().filter_map(told_of));
            if event.records.len() > 1 {
                said.extend(item.parts.iter().filter_map(words_in));
            }
            requests.extend(requests_in(item));
            if out.native_id.is_none() {
                let id = [item.span.id, item.id].into_iter().find_map(Json::word);
                out.native_id = id.map(Into::into);
            }
        }
        if description.items.is_empty() {
            blocks.main.push(Block::Json(BlockRole::Record, show.value(json)));
        } else if usize::from(record.item) == first_new(&description) {
            for (label, value) in uncovered(json, &Cited::of(&description), &format.quiet_of(json))
            {
                if blocks.rest_keys.insert(hash_of((&label, value.fingerprint()))) {
                    let label = FactKind::Other(label);
                    blocks.rest.push(Field { label, value: show.unpacked(value) });
                }
            }
            let facts = description.run.about.facts.iter();
            blocks.fields.extend(facts.map(|(label, value)| Field {
                label: label.to_owned(),
                value: show.value(*value),
            }));
        }
    }
    blocks.join_pieces(event.event.kind);
    collapse_earlier(&mut blocks.main, &requests, &earlier);
    let Blocks { errors, main, fields, usage, rest, .. } = blocks;
    out.blocks.extend(errors);
    out.blocks.extend(main);
    let titled = |title: Role, fields: Vec<Field>| {
        (!fields.is_empty()).then_some(Block::Fields(title, fields))
    };
    out.blocks.extend(titled(BlockRole::Fields, fields));
    out.blocks.extend(usage);
    out.blocks.extend(titled(BlockRole::OtherFields, rest));
    if let (true, Some(record)) = (out.blocks.is_empty(), event.records.first()) {
        // For example, a state of `null`: there is nothing to show except the record itself.
        out.blocks.extend(
            record
                .span_of(&record.text)
                .map(Value::Json)
                .map(|it| Block::Json(BlockRole::Record, it)),
        );
    }
    if let (Status::Missing, Some(note)) = (event.event.status, lacking(event.event.kind)) {
        out.blocks.push(Block::Note(note));
    }
    if event.event.flags.has(Flags::INFERRED_TIME) {
        out.blocks.push(Block::Note(EventNote::InferredTime));
    }
}

/// What a call without a result lacks.
fn lacking(kind: EventKind) -> Option<EventNote> {
    match kind {
        EventKind::LlmCall => Some(EventNote::NoEndOfLlmCall),
        EventKind::ToolCall => Some(EventNote::NoResult),
        _ => None,
    }
}

/// The item whose row shows the rest of a record: the one that is marked for it, or else the first one that is sure to
/// have a row.
fn first_new(description: &Description<'_>) -> usize {
    let items = &description.items;
    let shows_it = items.iter().position(|item| item.row.has_rest);
    shows_it.or_else(|| items.iter().position(|item| !item.is_history())).unwrap_or(0)
}

/// Shows values of one record.
pub(super) struct Show<'r, 'a> {
    event: &'r EventRecords<'r>,
    record: &'r RecordText,
    description: &'r Description<'a>,
}

impl Show<'_, '_> {
    #[inline(never)]
    pub(super) fn value(&self, value: Json<'_>) -> Value {
        if let Some(anchor) = self.anchor(value) {
            return Value::Json(anchor.span);
        }
        let span =
            |range: std::ops::Range<usize>| self.record.span_of(self.record.text.get(range)?);
        if let Some(resolved) = references::resolved(self.description, value, self.event) {
            return Value::OwnedJson(resolved);
        }
        let shown = match self.description.locate(value) {
            Located::Direct(range) => span(range).map(Value::Json),
            Located::Escaped(range) => span(range).map(Value::Escaped),
            Located::Nowhere => None,
        };
        shown.unwrap_or_else(|| owned(value))
    }

    /// The anchor that a value refers to.
    fn anchor(&self, value: Json<'_>) -> Option<Anchor> {
        anchor(self.event, self.description.referred(value)?)
    }

    /// Whether a value refers to another one that was not read with the record.
    fn is_unread(&self, value: Json<'_>) -> bool {
        let span = self.anchor(value).map(|it| it.span);
        span.is_some_and(|span| self.event.referred.iter().all(|it| it.place.span != span))
    }

    /// The values to which an object or a list in a part refers, if they are too long to be shown inside it.
    fn attachments(&self, part: &Part<'_>) -> Option<Block> {
        const MAX_SHOWN: usize = 50;
        let (Part::Arguments(value) | Part::Value(_, value) | Part::Result(value)) = part else {
            return None;
        };
        let mut fields = Vec::new();
        let mut open = vec![(String::new(), *value)];
        while let Some((path, value)) = open.pop() {
            if fields.len() == MAX_SHOWN || self.description.has_no_references() {
                break;
            }
            let below = |key: &str| match path.is_empty() {
                true => key.to_owned(),
                false => format!("{path}.{key}"),
            };
            let before = open.len();
            match value.kind() {
                Kind::Object => open.extend(value.members().map(|(key, it)| (below(&key), it))),
                Kind::Array => {
                    let items = (0_usize..).zip(value.items());
                    open.extend(items.map(|(at, it)| (below(&at.to_string()), it)));
                }
                _ if !path.is_empty() && self.is_unread(value) => {
                    fields.push(Field { label: FactKind::Other(path), value: self.value(value) });
                }
                _ => {}
            }
            if let Some(new) = open.get_mut(before..) {
                new.reverse();
            }
        }
        (!fields.is_empty()).then_some(Block::Fields(BlockRole::Attachments, fields))
    }

    /// Messages that are elsewhere in the file. A note counts those that could not be read.
    fn messages_of(&self, title: Role, names: &[&str], blocks: &mut Vec<Block>) {
        let records = names.iter().filter_map(|name| {
            let span = anchor(self.event, name)?.span;
            self.event.referred.iter().find(|record| record.place.span == span)
        });
        let messages: Vec<Message> = records
            .map(|record| {
                let room = Room::default();
                let mut description = Description::new(Texts::new(&record.text, &room));
                description.references(self.description.references);
                let show = Show { event: self.event, record, description: &description };
                show.message(&content::message_of(Json::new(&record.text)))
            })
            .collect();
        let n_missing = names.len() - messages.len();
        if !messages.is_empty() {
            blocks.push(Block::Messages(title, messages, 0));
        }
        if n_missing > 0 {
            blocks.push(Block::Note(EventNote::MessagesNotOpened(n_missing as u64)));
        }
    }

    /// A value, or the JSON inside a string.
    pub(super) fn unpacked(&self, value: Json<'_>) -> Value {
        let inner = value.raw().get(1..).unwrap_or_default();
        let holds_json = value.kind() == Kind::String
            && ["{\\\"", "[{\\\"", "[\\\"", "{}\"", "[]\""].iter().any(|it| inner.starts_with(it));
        match self.value(value) {
            Value::Json(span) if holds_json => Value::JsonInString(span),
            value => value,
        }
    }

    fn item(
        &self,
        item: &Item<'_>,
        kind: EventKind,
        skip: &dyn Fn(&Part<'_>) -> bool,
        blocks: &mut Blocks,
    ) {
        for part in item.parts.iter().filter(|part| !skip(part)) {
            match part {
                Part::Error(kind, message, stack) => {
                    blocks.errors.push(self.error(*kind, *message, *stack));
                }
                Part::Field(label, value) => blocks
                    .fields
                    .push(Field { label: label.to_owned(), value: self.unpacked(*value) }),
                Part::Value(BlockRole::Usage, usage) => {
                    if blocks.usages.insert(usage.fingerprint()) {
                        blocks.usage.push(self.usage(*usage));
                    }
                }
                Part::Group(title, values) => self.group(*title, values, blocks),
                Part::Piece(piece) => {
                    if let Some(value) = self.piece(piece) {
                        blocks.piece(piece, value);
                    }
                }
                Part::Referred(title, names) => self.messages_of(*title, names, &mut blocks.main),
                Part::Result(value) if self.contents(*value, &mut blocks.main) => {}
                _ => {
                    blocks.main.extend(self.block(item.what(), kind, part));
                    blocks.main.extend(self.attachments(part));
                }
            }
        }
    }

    /// The part of a piece that is new in its LLM call; `None` if earlier calls already contain all of its text.
    fn piece(&self, piece: &Piece<'_>) -> Option<Value> {
        // How much of the text they contain.
        let said = self.event.event.selector as usize;
        match piece.text.raw().get(said + 1..) {
            Some(new) if piece.of == PieceOf::TextSoFar && said > 0 => {
                let new = decode_string(new).into_owned();
                (!new.is_empty()).then_some(Value::Text(new))
            }
            _ => Some(self.value(piece.text)),
        }
    }

    /// Labelled values under a title, without those that another record of the event has already shown.
    fn group(
        &self,
        title: Role,
        values: &[(std::borrow::Cow<'_, str>, Json<'_>)],
        blocks: &mut Blocks,
    ) {
        let mut fields = Vec::new();
        for (label, value) in values {
            if blocks.grouped.insert(hash_of((title, label, value.fingerprint()))) {
                let label = FactKind::Other(label.to_string());
                fields.push(Field { label, value: self.unpacked(*value) });
            }
        }
        if !fields.is_empty() {
            blocks.main.push(Block::Fields(title, fields));
        }
    }

    fn block(&self, what: What, kind: EventKind, part: &Part<'_>) -> Option<Block> {
        Some(match part {
            Part::Text(words) => {
                let title = match (what, kind) {
                    (What::User, _) => BlockRole::Message,
                    (What::System, _) => BlockRole::Instructions,
                    (What::Model, _) => BlockRole::Response,
                    (_, EventKind::Compaction) => BlockRole::Summary,
                    _ => BlockRole::Text,
                };
                Block::Text(title, self.value(*words))
            }
            Part::Thinking(words) => Block::Thinking(self.value(*words)),
            Part::HiddenThinking => Block::HiddenThinking,
            Part::Call(name, arguments) => {
                Block::ToolUse(name.clone().into_owned(), self.value(*arguments))
            }
            Part::Arguments(value) => Block::Arguments(self.value(*value)),
            Part::Result(value) => Block::Result(self.value(*value)),
            Part::Media(media, data) => {
                let (media, span) = self.image(media, *data)?;
                Block::Media(media, span)
            }
            Part::Value(title, value) if value.kind() == Kind::String => {
                Block::Text(*title, self.value(*value))
            }
            Part::Value(title, value) => Block::Json(*title, self.value(*value)),
            Part::Code(path, language, text) => {
                Block::Code(path.clone().into_owned(), (*language).to_owned(), self.value(*text))
            }
            Part::Log(title, text) => Block::Log(*title, self.value(*text)),
            Part::Table(title, columns, value) => self.table(*title, columns, *value),
            Part::Members(title, value) => self.members(*title, *value)?,
            Part::Messages(title, messages) => {
                let messages = messages.iter().map(|message| self.message(message)).collect();
                Block::Messages(*title, messages, 0)
            }
            Part::Note(note) => Block::Note(*note),
            Part::Error(..)
            | Part::Field(..)
            | Part::Group(..)
            | Part::Referred(..)
            | Part::Prompt(_)
            | Part::Answer(_)
            | Part::Piece(_) => return None,
        })
    }

    /// Shows a result that is a list of texts and images, one by one. Returns `false` if it is anything else.
    fn contents(&self, result: Json<'_>, blocks: &mut Vec<Block>) -> bool {
        // Strings in a list are one value of the tool.
        if result.kind() != Kind::Array || result.items().any(|it| it.kind() != Kind::Object) {
            return false;
        }
        let parts = content::pieces(result);
        // A string among them is the name of a file beside the trace.
        let is_content = |part: &Part<'_>| match part {
            Part::Value(_, value) => value.kind() == Kind::String,
            part => matches!(part, Part::Text(_) | Part::Media(..)),
        };
        if parts.is_empty() || !parts.iter().all(is_content) {
            return false;
        }
        blocks.extend(parts.iter().filter_map(|part| match part {
            Part::Text(words) => Some(Block::Result(self.value(*words))),
            part => self.block(What::Result, EventKind::ToolCall, part),
        }));
        true
    }

    fn message(&self, message: &Msg<'_>) -> Message {
        let content = message.parts.iter().filter_map(|part| self.content(part)).collect();
        Message {
            role: message.role.clone().into_owned(),
            name: message.name.clone().into_owned(),
            content,
        }
    }

    fn content(&self, part: &Part<'_>) -> Option<Content> {
        Some(match part {
            Part::Text(words) => Content::Text(self.value(*words)),
            Part::Thinking(words) => Content::Thinking(self.value(*words)),
            Part::HiddenThinking => Content::HiddenThinking,
            Part::Call(name, arguments) => {
                Content::ToolUse(name.clone().into_owned(), self.value(*arguments))
            }
            Part::Result(value) => Content::ToolResult(self.value(*value)),
            Part::Media(media, data) => match self.image(media, *data) {
                Some((media, span)) => Content::Media(media, span),
                None => Content::Other(self.value(*data)),
            },
            Part::Arguments(value)
            | Part::Value(_, value)
            | Part::Field(_, value)
            | Part::Code(_, _, value)
            | Part::Prompt(value)
            | Part::Answer(value)
            | Part::Log(_, value) => Content::Other(self.value(*value)),
            Part::Note(note) => Content::Note(*note),
            Part::Piece(piece) => Content::Text(self.value(piece.text)),
            Part::Error(..)
            | Part::Messages(..)
            | Part::Referred(..)
            | Part::Group(..)
            | Part::Table(..)
            | Part::Members(..) => return None,
        })
    }

    fn error(&self, kind: Json<'_>, message: Json<'_>, stack: Json<'_>) -> Block {
        let show = |value: Json<'_>| value.is_given().then(|| self.value(value));
        Block::Error {
            kind: ErrorLabel::from(kind.label()).map(Cow::into_owned),
            message: show(message),
            stack: show(stack),
        }
    }

    /// Token counts as labelled values.
    fn usage(&self, usage: Json<'_>) -> Block {
        let field =
            |(label, value)| Field { label: FactKind::Other(label), value: self.value(value) };
        Block::Fields(BlockRole::Usage, leaves(usage).into_iter().map(field).collect())
    }

    /// The media type of an image in the file, and the place of the string with its base64 text or data URL.
    fn image(&self, media: &str, data: Json<'_>) -> Option<(String, Span)> {
        if let Some(anchor) = self.anchor(data) {
            return Some((self.event.trace.name(anchor.media).to_owned(), anchor.span));
        }
        let raw = data.raw();
        let media = match raw.strip_prefix("\"data:").and_then(|it| it.split_once(";base64,")) {
            Some((media, _)) => media,
            None if raw.starts_with("\"http") => return None,
            None => media,
        };
        let Located::Direct(range) = self.description.locate(data) else {
            return None;
        };
        Some((media.to_owned(), self.record.span_of(self.record.text.get(range)?)?))
    }
}

/// A value that is not in the file in this form.
fn owned(value: Json<'_>) -> Value {
    match value.kind() {
        Kind::String => Value::Text(decode_string(value.raw()).into_owned()),
        _ => Value::OwnedJson(value.raw().to_owned()),
    }
}
