//! What one record says, as a list. The only thing that a format's function writes to.

use std::borrow::Cow;

use super::item::{Item, Joins, What, has_content};
use super::part::Part;
use super::texts::{Located, Texts};
use super::times::time_of;
use crate::shapes::conversation;
use crate::shapes::tokens::Flavour;
use traceloupe_core::json::{Json, Kind, python_repr_to_json, quoted};
use traceloupe_core::model::{
    AnnotationKind, EventKind, Flags, MaybeNs, RunCounts, RunStatus, RunVerdict, Usage, hash_of,
};

/// Times that a producer gives to what has none of its own. Events with just these times have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lent {
    /// It gives none.
    #[default]
    Nothing,
    /// These, the start and the end of the run: to all events below its beginning.
    OfRun(MaybeNs, MaybeNs),
    /// The first start and the last end of messages, to tool calls. Where messages have no times either, these.
    OfMessages(MaybeNs, MaybeNs),
}

/// By what an agent is known that no record names.
#[derive(Clone, Debug)]
pub struct Speaker<'a> {
    /// Key of its model and of the message that its conversation begins with.
    pub beginning: u64,
    /// Key of its model, its instructions and its name: those of its other conversations.
    pub role: u64,
    /// What it is called.
    pub name: Cow<'a, str>,
}

impl<'a> Speaker<'a> {
    /// The agent that has a conversation with a model. `name` is what the producer calls it, if anything.
    #[must_use]
    pub fn new(model: Json<'a>, conversation: Json<'_>, name: Json<'a>) -> Self {
        let first = conversation.item(0);
        let role = first.get("role");
        let is_system = role.is("system") || role.is("developer");
        let (model, name) = (model.label(), name.label());
        let content = first.fingerprint();
        let instructions = if is_system { content } else { 0 };
        Self {
            beginning: hash_of((&model, content)),
            role: hash_of((&model, instructions, &name)),
            name: if name.is_empty() { model } else { name },
        }
    }
}

/// What a record says of its run.
#[derive(Clone, Debug, Default)]
pub struct RunInfo<'a> {
    /// The producer's id of the run.
    pub key: Json<'a>,
    /// Whether all of the file belongs to the run that its first record names. Later ones name others only
    /// because the history of another run was copied into the file.
    pub is_of_source: bool,
    /// The run that this one was started by or copied from, if its records begin with those of that run.
    pub copied_from: Json<'a>,
    /// The number of the first record that is the run's own, where the producer says it: those before were copied.
    pub own_from: Option<u64>,
    /// The record's number in its file.
    pub ordinal: Option<u64>,
    /// The id of the turn that the record begins. Producers whose ids can be sorted by time tell by it which
    /// records were copied from another run: turns that are older than the run.
    pub turn: Json<'a>,
    /// The run of the agent that started this one as a sub-agent. Opened together, both are one run.
    pub started_by: Json<'a>,
    /// Whether its key is not unique beyond the file, like the number of a sample: the same key in another file
    /// is another run.
    pub is_of_file: bool,
    /// Whether the records before it that name no run are of this one, too: what was said to an agent before it
    /// named its session.
    pub is_of_earlier: bool,
    /// Whether it begins a run: what the file has before it is another one, even of the same id.
    pub is_next: bool,
    /// Whether its agent has come to the end of the run: what a model does for that agent from here on is the next run,
    /// if no record names another one.
    pub ends: bool,
    /// Whether the run consists of spans, which are written when they end: rows are in order of their start.
    pub is_by_start: bool,
    /// Whether the record is a run of its own: a line of a data set.
    pub is_own: bool,
    /// Whether all that it says is of the run that begins after it: the first line of a data set.
    pub is_ahead: bool,
    /// The id of the agent within the run, if not the main one.
    pub agent: Json<'a>,
    /// The agent's name.
    pub agent_name: Json<'a>,
    /// By what the agent is known where no record names any: the records of an LLM call say it, others are of the agent
    /// that spoke last.
    pub speaker: Option<Speaker<'a>>,
    /// The run's name. The last one counts.
    pub title: Json<'a>,
    /// The name of an agent in the run, which counts where the run has no name of its own.
    pub agent_title: Json<'a>,
    /// What is named like that of many runs, such as the request of HTTP that the run is inside of: a name where no agent
    /// has one.
    pub request: Json<'a>,
    /// What a run without a name of its own is named by: the first message of a person.
    pub first_words: Json<'a>,
    /// The program that ran: a name where nothing else is known.
    pub service: Json<'a>,
    /// A word that names a run without any other name, with its number among those of the file (from 0).
    pub numbered: &'static str,
    /// A word that names the second run of a file and those after it if nothing else does, with its number.
    pub further: &'static str,
    /// The groups that the run belongs to, outermost first: a list of names.
    pub groups: Json<'a>,
    /// Its outcome.
    pub status: Option<RunStatus>,
    /// When it started.
    pub start: MaybeNs,
    /// When it ended.
    pub end: MaybeNs,
    /// How long it took.
    pub duration: MaybeNs,
    /// The model of the LLM calls from here on.
    pub model: Json<'a>,
    /// The model of the LLM calls of all runs of the file, where neither they nor their run name one.
    pub model_of_all: Json<'a>,
    /// Size of the model's context window in tokens.
    pub context_window: Option<u64>,
    /// Token counts of the whole run. They count only where no event has any input, or if some of those are
    /// unfinished.
    pub usage: Usage,
    /// What the producer has counted.
    pub counts: RunCounts,
    /// Whether other records of the run know better, whichever is read first: its status, title, duration, counts,
    /// score and verdict are taken only where nothing else says any.
    pub gives_way: bool,
    /// From 0 to 1.
    pub score: Option<f64>,
    /// What its graders said.
    pub verdict: Option<RunVerdict>,
    /// Sentences about the run.
    pub notes: Vec<Cow<'a, str>>,
    /// The times that the producer gives to what has none of its own.
    pub lent: Lent,
    /// Paths of other files of the run. Files are found by the end of their path, once all of them are read.
    pub files: Vec<Json<'a>>,
    /// Facts: label and value. The first value of a label counts.
    pub facts: Vec<(Cow<'a, str>, Json<'a>)>,
    /// Facts that grow while the run goes on: the last value counts.
    pub totals: Vec<(&'static str, Json<'a>)>,
}

impl RunInfo<'_> {
    /// Sets the outcome, by the word that a producer has for it. Any other word says nothing.
    pub fn ended(&mut self, word: Json<'_>) {
        self.status = match word.label().to_ascii_lowercase().as_str() {
            "ok" | "success" | "succeeded" | "completed" | "finished" => Some(RunStatus::Ok),
            "error" | "failed" | "stuck" | "expired" | "incomplete" => Some(RunStatus::Error),
            "cancelled" | "canceled" | "interrupted" | "aborted" | "killed" | "stopped" => {
                Some(RunStatus::Cancelled)
            }
            "running" | "paused" | "in_progress" => Some(RunStatus::Running),
            _ => None,
        };
    }

    /// Whether anything is said of a run.
    #[must_use]
    pub fn says_anything(&self) -> bool {
        let names = [self.title, self.agent_title, self.request, self.first_words, self.service];
        let mut words = names.into_iter().chain([self.key, self.model]);
        words.any(Json::is_given)
            || self.is_own
            || self.status.is_some()
            || self.score.is_some()
            || self.verdict.is_some()
            || self.start.is_known()
            || self.end.is_known()
            || !self.usage.is_empty()
            || self.counts != RunCounts::default()
            || !self.facts.is_empty()
            || !self.totals.is_empty()
    }
}

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
    is_python: bool,
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

    /// Takes apart what is only read when it is shown: prompts, answers, Python's notation of data.
    pub(super) fn expand(&mut self) {
        for at in 0..self.items.len() {
            let Some(item) = self.items.get_mut(at) else { return };
            let mut parts = Vec::new();
            let mut told = Vec::new();
            for part in std::mem::take(&mut item.parts) {
                match part {
                    Part::Prompt(value) => {
                        parts.extend(conversation::prompt(self.data(value, &mut told)));
                    }
                    Part::Answer(value) => {
                        parts.extend(conversation::answer(self.data(value, &mut told)));
                    }
                    Part::Arguments(value) if self.is_python => {
                        parts.push(Part::Arguments(self.data(value, &mut told)));
                    }
                    Part::Result(value) if self.is_python => {
                        parts.push(Part::Result(self.data(value, &mut told)));
                    }
                    part => parts.push(part),
                }
            }
            let Some(item) = self.items.get_mut(at) else { return };
            item.parts = parts;
            item.told.extend(told);
        }
    }

    /// The data that a string holds, as JSON or in Python's notation; any other value as it is. What was in Python's
    /// notation is nowhere in the record: its string is added to those that are shown.
    fn data(&mut self, value: Json<'a>, told: &mut Vec<Json<'a>>) -> Json<'a> {
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
        !self.items.is_empty() && self.items.iter().all(|item| item.what == What::Nothing)
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
        self.run.is_of_source = true;
        self.run(key)
    }

    /// Facts about the run: labels and paths in an object.
    #[inline(never)]
    pub fn facts(&mut self, of: Json<'a>, facts: &[(&'static str, &str)]) {
        for (label, path) in facts {
            let value = of.get(path);
            if has_content(value) {
                self.run.facts.push(((*label).into(), value));
            }
        }
    }

    /// Adds an item.
    #[inline(never)]
    pub fn item(&mut self, what: What) -> &mut Item<'a> {
        self.items.push(Item { what, start: self.time, ..Item::default() });
        self.last()
    }

    /// Says that there is nothing to show but what the run shows: the record has no row.
    pub fn nothing(&mut self) {
        self.item(What::Nothing);
    }

    /// The first item of a kind.
    #[inline(never)]
    pub fn find(&mut self, what: What) -> Option<&mut Item<'a>> {
        self.items.iter_mut().find(|item| item.what == what)
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
        self.run.first_words = words;
        self.item(What::User).text(words)
    }

    /// Adds what a person said. If it begins with words, these name the run.
    #[inline(never)]
    pub fn user_parts(&mut self, parts: Vec<Part<'a>>) -> &mut Item<'a> {
        if let Some(Part::Text(first)) = parts.first() {
            self.run.first_words = *first;
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
        let item = self.call(id, name, arguments);
        item.asked_by = Some(asked_by);
        item
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
        let item = self.call(id, name, arguments);
        item.asked_by = Some(model);
        item
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
