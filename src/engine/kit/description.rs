//! What one record says, as a list. The only thing that a format's function writes to.

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

/// What one record says.
#[derive(Debug)]
pub struct Description<'a> {
    /// What it says of its run.
    pub run: RunInfo<'a>,
    /// What it says of events.
    pub items: Vec<Item<'a>>,
    /// Values that other records refer to: name and value.
    pub(crate) anchors: Vec<(&'a str, Json<'a>)>,
    /// The beginnings of strings that are names of anchors.
    pub(crate) references: &'static [&'static str],
    /// Annotations of the run.
    pub(crate) annotations: Vec<(AnnotationKind, Json<'a>)>,
    /// The item in which the items of the document's list are nested.
    pub encloses: Option<usize>,
    /// The number of the first item that counts only after the document's list.
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

    /// Where a value is.
    #[must_use]
    pub fn locate(&self, value: Json<'_>) -> Located {
        self.texts.locate(value.raw())
    }

    /// The JSON that a string holds; any other value as it is.
    pub fn unpack(&mut self, value: Json<'a>) -> Json<'a> {
        self.texts.unpack(value)
    }

    /// Says that arguments and results that are strings may hold data in Python's notation, which is shown as
    /// that data.
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

    /// Keeps a text that the format put together.
    pub fn keep(&self, text: &str) -> &'a str {
        self.texts.keep(text)
    }

    /// A text that the format put together, as a JSON string.
    #[inline(never)]
    pub fn string(&self, text: &str) -> Json<'a> {
        self.json(&quoted(text))
    }

    /// JSON that the format put together.
    pub fn json(&self, json: &str) -> Json<'a> {
        Json::new(self.keep(json))
    }

    /// Adds an annotation of the run, as it is written.
    pub fn annotate(&mut self, kind: AnnotationKind, annotation: Json<'a>) {
        self.annotations.push((kind, annotation));
    }

    /// Names a value that records of the run refer to.
    pub fn anchor(&mut self, name: &'a str, value: Json<'a>) {
        self.anchors.push((name, value));
    }

    /// Says that strings that begin so are names of anchors: the row shows the values that they name.
    pub fn references(&mut self, prefixes: &'static [&'static str]) {
        self.references = prefixes;
    }

    /// Whether no string is the name of an anchor.
    #[must_use]
    pub fn has_no_references(&self) -> bool {
        self.references.is_empty()
    }

    /// The name of the anchor that a value refers to.
    #[must_use]
    pub fn referred<'v>(&self, value: Json<'v>) -> Option<&'v str> {
        let name = value.raw().strip_prefix('"')?.strip_suffix('"')?;
        self.references.iter().any(|prefix| name.starts_with(prefix)).then_some(name)
    }

    /// Nests the items of the document's list in the item that was added last.
    pub fn encloses_list(&mut self) {
        self.encloses = self.items.len().checked_sub(1);
    }

    /// What is added from here on counts after the items of the document's list: results that are told
    /// again, for instance. The part of a split document before the list does not have it.
    pub fn after_list(&mut self) {
        self.late.get_or_insert(self.items.len());
    }

    /// Whether it says that there is nothing to show but what its run shows.
    pub(crate) fn is_silent(&self) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| item.what() == What::Nothing)
    }

    /// The items that count before the document's list, and those that count after it.
    pub(crate) fn halves(&self) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let middle = self.late.unwrap_or(self.items.len()).min(self.items.len());
        (0..middle, middle..self.items.len())
    }

    /// The time of every item added after this. An unknown one changes nothing.
    pub fn at(&mut self, time: Json<'_>) {
        let time = time_of(time);
        if time.is_known() {
            self.time = time;
        }
    }

    /// Which run the record belongs to.
    pub fn run(&mut self, key: Json<'a>) -> &mut RunInfo<'a> {
        self.run.key = key;
        &mut self.run
    }

    /// Which run the whole file belongs to, if this is the first record that says so.
    pub fn run_of_source(&mut self, key: Json<'a>) -> &mut RunInfo<'a> {
        self.run.reach = Reach::Source;
        self.run(key)
    }

    /// Facts about the run: kinds or labels, and paths in an object.
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

    /// Says that there is nothing to show but what the run shows: the record has no row.
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

    /// The item with a number, counted from 0; the last one if there are not so many.
    #[inline(never)]
    pub fn nth(&mut self, at: usize) -> &mut Item<'a> {
        if self.items.is_empty() {
            self.items.push(Item::default());
        }
        let at = at.min(self.items.len() - 1);
        #[expect(clippy::indexing_slicing)] // the list is not empty
        &mut self.items[at]
    }

    /// Says that the items from a number on are of the conversation that a request carries: of the message at a
    /// position. See [`Item::history`].
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

    /// Adds a note of the producer.
    pub fn note(&mut self, label: impl Into<Cow<'a, str>>) -> &mut Item<'a> {
        self.event(EventKind::Note, label)
    }

    /// Adds a note that says nothing of what the agent did: a setting, a count, the begin of a turn.
    pub fn bookkeeping(&mut self, label: impl Into<Cow<'a, str>>) -> &mut Item<'a> {
        let item = self.note(label);
        item.flags.set(Flags::BOOKKEEPING);
        item
    }

    /// Adds the words of a person, which name the run.
    #[inline(never)]
    pub fn user(&mut self, words: Json<'a>) -> &mut Item<'a> {
        self.run.titles.words = words;
        self.item(What::User).text(words)
    }

    /// Adds what a person said. If it begins with words, these name the run.
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

    /// Adds a tool call as a piece of the LLM call that asked for it.
    pub fn ask(&mut self, id: Json<'a>, name: Json<'a>, arguments: Json<'a>) -> &mut Item<'a> {
        let arguments = self.unpack(arguments);
        let label = name.label();
        self.item(What::Model).part(Part::Call(label, arguments));
        let asked_by = self.items.len() - 1;
        self.call(id, name, arguments).asked_by(asked_by)
    }

    /// Adds a tool call that an LLM call of this record asked for, by the number of its item: to that item, too.
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

    /// Adds more about a tool call.
    pub fn update(&mut self, id: Json<'a>) -> &mut Item<'a> {
        self.item(What::Update).id(id)
    }

    /// Adds token counts of the LLM call that was written last.
    pub fn usage(&mut self, usage: Usage) -> &mut Item<'a> {
        self.item(What::Usage).usage(usage)
    }

    /// Adds token counts like [`Description::usage`], and shows the object that has them.
    pub fn tokens(&mut self, flavour: &Flavour, counts: Json<'a>) -> &mut Item<'a> {
        self.item(What::Usage).tokens(flavour, counts)
    }

    /// Adds the thinking of a model: words, or a list of objects with words; hidden if there are none.
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

    /// Adds what a model wrote, with the calls that it asked for.
    pub fn model(&mut self, parts: Vec<Part<'a>>, joins: Joins<'a>) -> &mut Item<'a> {
        let item = self.item(What::Model).joins(joins);
        item.parts = parts;
        item
    }
}
