//! The description of one record, as a list. The only thing that a format's function writes to.

use std::borrow::Cow;

use super::item::{Item, has_content};
use super::part::{Label, Part};
use super::run_info::{Reach, RunInfo};
use super::texts::{Located, Texts};
use super::times::time_of;
use super::what::{Joins, What};
use crate::tokens::Flavour;
use traceloupe_core::json::{Json, Kind, python_repr_to_json, quoted};
use traceloupe_core::model::{AnnotationKind, EventKind, Flags, MaybeNs, Usage};

/// The description of one record.
#[derive(Debug)]
pub struct Description<'a> {
    /// Its data about the run.
    pub run: RunInfo<'a>,
    /// Its data about events.
    pub items: Vec<Item<'a>>,
    /// Values to which other records refer: name and value.
    pub(crate) anchors: Vec<(&'a str, Json<'a>)>,
    /// Prefixes of strings that are names of anchors.
    pub(crate) references: &'static [&'static str],
    /// Annotations of the run.
    pub(crate) annotations: Vec<(AnnotationKind, Json<'a>)>,
    /// The item in which the items of the document's list are nested.
    pub encloses: Option<usize>,
    /// The number of the first item that applies only after the document's list.
    late: Option<usize>,
    /// Whether strings of the producer may hold data in Python's notation.
    pub(crate) is_python: bool,
    texts: Texts<'a>,
    time: MaybeNs,
}

impl<'a> Description<'a> {
    /// An empty description.
    #[must_use]
    pub fn new(texts: Texts<'a>) -> Self {
        Self {
            run: RunInfo::default(),
            items: Vec::new(),
            anchors: Vec::new(),
            references: &[],
            annotations: Vec::new(),
            encloses: None,
            late: None,
            is_python: false,
            texts,
            time: MaybeNs::UNKNOWN,
        }
    }

    /// The place of a value.
    #[must_use]
    pub fn locate(&self, value: Json<'_>) -> Located {
        self.texts.locate(value.raw())
    }

    /// The JSON inside a string; any other value unchanged.
    pub fn unpack(&mut self, value: Json<'a>) -> Json<'a> {
        self.texts.unpack(value)
    }

    /// Declares that strings as arguments and results may contain data in Python's notation, to be shown as that data.
    pub fn may_be_python(&mut self) {
        self.is_python = true;
    }

    /// The data that a string holds, as JSON or in Python's notation; any other value as it is. What was in Python's
    /// notation is nowhere in the record: its string is added to those that are shown.
    pub(crate) fn data(&mut self, value: Json<'a>, told: &mut Vec<Json<'a>>) -> Json<'a> {
        let inner = self.unpack(value);
        if inner.kind() != Kind::String {
            return inner;
        }
        let text = self.text(value);
        if !text.trim_start().starts_with(['{', '[']) {
            return value;
        }
        let Some(json) = python_repr_to_json(text) else { return value };
        told.push(value);
        self.json(&json)
    }

    /// The text of a string; empty for any other value.
    pub fn text(&mut self, value: Json<'a>) -> &'a str {
        self.texts.decode(value)
    }

    /// Keeps a text that the format composed.
    pub fn keep(&self, text: &str) -> &'a str {
        self.texts.keep(text)
    }

    /// A text that the format composed, as a JSON string.
    #[inline(never)]
    pub fn string(&self, text: &str) -> Json<'a> {
        self.json(&quoted(text))
    }

    /// JSON that the format composed.
    pub fn json(&self, json: &str) -> Json<'a> {
        Json::new(self.keep(json))
    }

    /// Adds an annotation of the run, as written in the file.
    pub fn annotate(&mut self, kind: AnnotationKind, annotation: Json<'a>) {
        self.annotations.push((kind, annotation));
    }

    /// Gives a name to a value, so that records of the run can refer to it.
    pub fn anchor(&mut self, name: &'a str, value: Json<'a>) {
        self.anchors.push((name, value));
    }

    /// Declares that strings with one of these prefixes are names of anchors: the row shows the named values.
    pub fn references(&mut self, prefixes: &'static [&'static str]) {
        self.references = prefixes;
    }

    /// Whether no string is the name of an anchor.
    #[must_use]
    pub fn has_no_references(&self) -> bool {
        self.references.is_empty()
    }

    /// The name of the anchor to which a value refers.
    #[must_use]
    pub fn referred<'v>(&self, value: Json<'v>) -> Option<&'v str> {
        let name = value.raw().strip_prefix('"')?.strip_suffix('"')?;
        self.references.iter().any(|prefix| name.starts_with(prefix)).then_some(name)
    }

    /// Nests the items of the document's list in the item that was added last.
    pub fn encloses_list(&mut self) {
        self.encloses = self.items.len().checked_sub(1);
    }

    /// Marks the items that are added from here on as coming after the items of the document's list, for example
    /// repeated results. The part of a split document before the list omits them.
    pub fn after_list(&mut self) {
        self.late.get_or_insert(self.items.len());
    }

    /// Whether there is nothing to show except what its run shows.
    pub(crate) fn is_silent(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| item.what() == What::Nothing)
    }

    /// The items before the document's list, and those after it.
    pub(crate) fn halves(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let middle = self.late.unwrap_or(self.items.len()).min(self.items.len());
        (0..middle, middle..self.items.len())
    }

    /// Sets the time of every item that is added after this. An unknown time changes nothing.
    pub fn at(&mut self, time: Json<'_>) {
        let time = time_of(time);
        if time.is_known() {
            self.time = time;
        }
    }

    /// Sets the run of the record.
    pub fn run(&mut self, key: Json<'a>) -> &mut RunInfo<'a> {
        self.run.key = key;
        &mut self.run
    }

    /// Sets the run of the whole file, if this is the first record that names one.
    pub fn run_of_source(&mut self, key: Json<'a>) -> &mut RunInfo<'a> {
        self.run.reach = Reach::Source;
        self.run(key)
    }

    /// Adds facts about the run: kinds or labels, and paths in an object.
    #[inline(never)]
    pub fn facts(&mut self, of: Json<'a>, facts: &[(impl Label<'static>, &str)]) {
        for (label, path) in facts {
            let value = of.get(path);
            if has_content(value) {
                self.run.about.facts.push((label.kind(), value));
            }
        }
    }

    /// Adds an item.
    #[inline(never)]
    pub fn item(&mut self, what: What) -> &mut Item<'a> {
        let mut item = Item::new(what);
        item.time.start = self.time;
        self.items.push(item);
        self.last()
    }

    /// Declares that there is nothing to show except what the run shows: the record has no row.
    pub fn nothing(&mut self) {
        self.item(What::Nothing);
    }

    /// The first item of a kind.
    #[inline(never)]
    pub fn find(&mut self, what: What) -> Option<&mut Item<'a>> {
        self.items.iter_mut().find(|item| item.what() == what)
    }

    /// The item that was added last.
    pub fn last(&mut self) -> &mut Item<'a> {
        self.nth(usize::MAX)
    }

    /// The item with a number, counted from 0; the last one if there are fewer items.
    #[inline(never)]
    pub fn nth(&mut self, at: usize) -> &mut Item<'a> {
        if self.items.is_empty() {
            self.items.push(Item::default());
        }
        let at = at.min(self.items.len() - 1);
        #[expect(clippy::indexing_slicing)] // the list is not empty
        &mut self.items[at]
    }

    /// Marks the items from a number on as part of the conversation in a request: they are the message at a position.
    /// See [`Item::history`].
    #[inline(never)]
    pub fn history(&mut self, from: usize, position: u64, message: Json<'_>) {
        for (nth, item) in (0..).zip(self.items.iter_mut().skip(from)) {
            item.history(position, nth, message);
        }
    }

    /// Adds an event of a kind, with a label.
    #[inline(never)]
    pub fn event(&mut self, kind: EventKind, label: impl Into<Cow<'a, str>>) -> &mut Item<'a> {
        self.item(What::Event(kind)).name(label)
    }

    /// Adds a note by the producer.
    pub fn note(&mut self, label: impl Into<Cow<'a, str>>) -> &mut Item<'a> {
        self.event(EventKind::Note, label)
    }

    /// Adds a note that contains nothing about the work of the agent: a setting, a count, the beginning of a turn.
    pub fn bookkeeping(&mut self, label: impl Into<Cow<'a, str>>) -> &mut Item<'a> {
        let item = self.note(label);
        item.flags.set(Flags::BOOKKEEPING);
        item
    }

    /// Adds a text of the user, which names the run.
    #[inline(never)]
    pub fn user(&mut self, words: Json<'a>) -> &mut Item<'a> {
        self.run.titles.words = words;
        self.item(What::User).text(words)
    }

    /// Adds a message from the user. If it begins with text, this names the run.
    #[inline(never)]
    pub fn user_parts(&mut self, parts: Vec<Part<'a>>) -> &mut Item<'a> {
        if let Some(Part::Text(first)) = parts.first() {
            self.run.titles.words = *first;
        }
        let item = self.item(What::User);
        item.parts = parts;
        item
    }

    /// Adds a tool call. Arguments that are JSON in a string are read as that JSON.
    pub fn call(&mut self, id: Json<'a>, name: Json<'a>, arguments: Json<'a>) -> &mut Item<'a> {
        let arguments = self.unpack(arguments);
        let item = self.item(What::Call).id(id).name(name);
        if !arguments.is_absent() {
            item.part(Part::Arguments(arguments));
        }
        item
    }

    /// Adds a tool call as a piece of the LLM call that requested it.
    pub fn ask(&mut self, id: Json<'a>, name: Json<'a>, arguments: Json<'a>) -> &mut Item<'a> {
        let arguments = self.unpack(arguments);
        let label = name.label();
        self.item(What::Model).part(Part::Call(label, arguments));
        let asked_by = self.items.len() - 1;
        self.call(id, name, arguments).asked_by(asked_by)
    }

    /// Adds a tool call that an LLM call of this record requested, and also adds it to that LLM call's item, which is
    /// given by its number.
    pub fn asked_by(
        &mut self,
        model: usize,
        id: Json<'a>,
        name: Json<'a>,
        arguments: Json<'a>,
    ) -> &mut Item<'a> {
        let arguments = self.unpack(arguments);
        if let Some(item) = self.items.get_mut(model) {
            item.part(Part::Call(name.label(), arguments));
        }
        self.call(id, name, arguments).asked_by(model)
    }

    /// Adds the result of a tool call.
    pub fn result(&mut self, id: Json<'a>, result: Json<'a>) -> &mut Item<'a> {
        let item = self.item(What::Result).id(id);
        if !result.is_absent() {
            item.part(Part::Result(result));
        }
        item
    }

    /// Adds further data about a tool call.
    pub fn update(&mut self, id: Json<'a>) -> &mut Item<'a> {
        self.item(What::Update).id(id)
    }

    /// Adds token counts to the LLM call that was written last.
    pub fn usage(&mut self, usage: Usage) -> &mut Item<'a> {
        self.item(What::Usage).usage(usage)
    }

    /// Adds token counts like [`Description::usage`], and shows the object that contains them.
    pub fn tokens(&mut self, flavour: &Flavour, counts: Json<'a>) -> &mut Item<'a> {
        self.item(What::Usage).tokens(flavour, counts)
    }

    /// Adds the thinking of a model: text, or a list of objects with text; hidden thinking if there is no text.
    pub fn thinking(&mut self, words: Json<'a>) -> &mut Item<'a> {
        let mut parts: Vec<_> = match words.kind() {
            Kind::String => vec![Part::Thinking(words)],
            _ => words
                .items()
                .map(|item| item.any(&["text", "content"]))
                .map(Part::Thinking)
                .collect(),
        };
        parts.retain(|part| matches!(part, Part::Thinking(words) if has_content(*words)));
        if parts.is_empty() {
            parts.push(Part::HiddenThinking);
        }
        let item = self.item(What::Model);
        item.parts = parts;
        item
    }

    /// Adds the output of a model, with the calls that it requested.
    pub fn model(&mut self, parts: Vec<Part<'a>>, joins: Joins<'a>) -> &mut Item<'a> {
        let item = self.item(What::Model).joins(joins);
        item.parts = parts;
        item
    }
}
