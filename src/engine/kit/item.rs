//! What a record can say: items.

use std::borrow::Cow;

use super::exhibit::Exhibit;
use super::part::{Part, Piece, PieceOf};
use super::table::Column;
use crate::shapes::tokens::Flavour;
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventKind, Flags, MaybeNs, Status, Usage};

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum What {
    /// A message of a person, or of whatever acts as one.
    User,
    /// Instructions for the model.
    System,
    /// What a model wrote: words, thinking, calls. A whole LLM call, or a piece of one ([`Joins`]).
    Model,
    /// A tool call.
    Call,
    /// The result of a tool call.
    Result,
    /// More about a tool call: its exit code, how long it took.
    Update,
    /// Token counts of the LLM call that was written last.
    Usage,
    /// The beginning of the span of a tool call that a model has asked for: of the first one with its name
    /// that has neither a result nor a span. Without such a call it is a row of its own.
    CallSpan,
    /// The end of a span: of the one with its id, or without an id of the innermost open one of its name.
    End,
    /// A span that says nothing of agents, such as a request of a web server.
    Span,
    /// Anything that is an event without being one of the others.
    Event(EventKind),
    /// No row of its own.
    #[default]
    Nothing,
}

/// Which pieces are one LLM call.
#[derive(Clone, Copy, Debug, Default)]
pub enum Joins<'a> {
    /// Pieces that follow each other, until token counts, a result or a message of a person end the call.
    #[default]
    Neighbours,
    /// All pieces with this id.
    Id(Json<'a>),
    /// All pieces with this id. The first of them may join pieces without an id, like [`Joins::Neighbours`].
    Named(Json<'a>),
    /// Token counts that are set again as they grow: what comes with this id again takes the place of the counts
    /// before. The first ones are those of the call that was written last, else of one that begins with them.
    Counts(Json<'a>),
    /// The piece belongs to the call that is open, whatever that has already.
    Open,
    /// For a tool call: the LLM call that was written last asked for it, even if that has ended.
    Last,
    /// The item is a whole call.
    Nothing,
}

/// One thing that a record says.
#[derive(Clone, Debug, Default)]
pub struct Item<'a> {
    /// What it is.
    pub what: What,
    /// The producer's id of the call or the message.
    pub id: Json<'a>,
    /// The id of the span that it is.
    pub span: Json<'a>,
    /// The id of the span that it is nested in.
    pub parent: Json<'a>,
    /// Tool, model or label.
    pub name: Cow<'a, str>,
    /// When it began.
    pub start: MaybeNs,
    /// Whether `start` is when it began: nothing is inferred from the records before it.
    pub has_begun: bool,
    /// How long it took, where the record says so.
    pub duration: MaybeNs,
    /// How it came out, where the record says so.
    pub status: Option<Status>,
    /// Type of the error, or the exit code in words.
    pub error: Cow<'a, str>,
    /// Token counts.
    pub usage: Usage,
    /// The producer's running total of all tokens. If it has not changed, nothing was used.
    pub total: Option<u64>,
    /// Marks.
    pub flags: Flags,
    /// Which pieces are one LLM call.
    pub joins: Joins<'a>,
    /// For a call: the number of the item in this record that asked for it.
    pub asked_by: Option<usize>,
    /// For a whole LLM call: its request, by which equal ones are found.
    pub prompt: Json<'a>,
    /// For a whole LLM call its answer, for a message its words: by these equal ones are found.
    pub answer: Json<'a>,
    /// For a call: the arguments whose structure the producer's own search for loops compares.
    pub structure: Json<'a>,
    /// Another id of the span, and a parent that counts more than `parent` if it is there: those of a second
    /// tracer in the same program.
    pub second: (Json<'a>, Json<'a>),
    /// Whether it is a call that a model asked for, or a result that a later request carries, in a file where spans
    /// carry calls out: it counts only where no span does.
    pub is_asked: bool,
    /// Whether its parent may be missing from the file without a word: a root that is written last, of whose
    /// absence the format speaks itself.
    pub may_lack_parent: bool,
    /// Whether several files may tell of it; see [`Item::once`].
    pub is_once: bool,
    /// For a message that later requests carry again: its position and content.
    pub history: Option<u64>,
    /// For a call that started a sub-agent: the id of the agent's run.
    pub starts_run: Json<'a>,
    /// For a call that started a sub-agent with a run of its own: what the agent is called.
    pub agent_name: Json<'a>,
    /// For what is told of a sub-agent to the one that started it: the id of its run. Its name stands before the label.
    pub of_agent: Json<'a>,
    /// For a command that runs on, and for a call that looks at it again: the id of its process.
    pub process: Json<'a>,
    /// For a call that started a sub-agent whose records are of the same run: the id of the agent, and its name.
    pub starts_agent: (Json<'a>, Json<'a>),
    /// Whether what follows is nested in it, until its [`What::End`].
    pub opens: bool,
    /// Whether it is shown after everything beside it: what is said about the whole run.
    pub is_last: bool,
    /// Its position in its conversation: among rows beside each other that have one it decides their order.
    pub position: Option<u64>,
    /// Whether its row shows what the record holds beyond its items. Without any such item the first one does.
    pub has_rest: bool,
    /// For a piece of an LLM call, or its token counts: whether it is the last one.
    pub ends: bool,
    /// For a piece of an LLM call: whether a later record tells its words again, after those before them
    /// ([`PieceOf::TextSoFar`]).
    pub is_retold: bool,
    /// For a piece of an LLM call: whether its token counts are its own alone, and are added to those of other pieces.
    pub adds_usage: bool,
    /// The model of all LLM calls of its agent so far that name none.
    pub calls_model: Json<'a>,
    /// For a result without an id: the label of the note that it is where no call waits for it. Without a label
    /// it is a tool call of which nothing else is known.
    pub without_call: &'static str,
    /// Whether another record may say the same; see [`Item::again`].
    pub is_again: bool,
    /// Whether it is the call or span with its id, or the result of that call, if there is one. For a piece of an LLM
    /// call: whether it is of the one that asked for its calls before, if there is one.
    pub is_maybe_known: bool,
    /// Whether it is the span with its id, written again, if there is one.
    pub is_rewritten: bool,
    /// For a span: whether it is the work of the tool call around it, which has failed if this has.
    pub is_work: bool,
    /// The value that the row's summary is made of, if not the first part with content.
    pub summary: Json<'a>,
    /// The value with the calls that the item asks for: the summary of an item without words. It does not
    /// count as shown.
    pub asks: Json<'a>,
    /// What it is in the tabs beside the timeline.
    pub exhibit: Option<Box<Exhibit<'a>>>,
    /// Values that the event's records tell in parts, or will tell: they are not shown.
    pub told: Vec<Json<'a>>,
    /// What it consists of.
    pub parts: Vec<Part<'a>>,
}

impl<'a> Item<'a> {
    /// Sets the id.
    pub fn id(&mut self, id: Json<'a>) -> &mut Self {
        self.id = id;
        self
    }

    /// Sets the id of the span that it is, and of the span around it.
    pub fn span(&mut self, id: Json<'a>, parent: Json<'a>) -> &mut Self {
        self.span = id;
        self.parent = parent;
        self
    }

    /// Sets tool, model or label.
    pub fn name(&mut self, name: impl Into<Cow<'a, str>>) -> &mut Self {
        self.set_name(name.into())
    }

    // Formats call it in hundreds of places.
    #[inline(never)]
    fn set_name(&mut self, name: Cow<'a, str>) -> &mut Self {
        self.name = name;
        self
    }

    /// Sets the beginning.
    pub fn starts(&mut self, start: MaybeNs) -> &mut Self {
        self.start = start;
        self
    }

    /// Sets the beginning of an LLM call whose record says when it began, and not when it was written.
    pub fn begins(&mut self, start: MaybeNs) -> &mut Self {
        self.has_begun = start.is_known();
        self.starts(start)
    }

    /// Says that a value repeats what other records of the event tell: it is not shown.
    pub fn told(&mut self, value: Json<'a>) -> &mut Self {
        self.told.push(value);
        self
    }

    /// Sets how long it took.
    pub fn took(&mut self, duration: MaybeNs) -> &mut Self {
        if duration.is_known() {
            self.duration = duration;
        }
        self
    }

    /// Says that it worked if a value is `true`, and that it failed if it is `false`.
    pub fn failed_unless(&mut self, worked: Json<'_>) -> &mut Self {
        match worked.bool() {
            Some(true) => self.status(Status::Ok),
            Some(false) => self.status(Status::Error),
            None => self,
        }
    }

    /// Says that it failed if a value is `true`, and that it worked if it is `false`.
    pub fn failed(&mut self, failed: Json<'_>) -> &mut Self {
        match failed.bool() {
            Some(true) => self.status(Status::Error),
            Some(false) => self.status(Status::Ok),
            None => self,
        }
    }

    /// Sets how it came out, by the word that a producer has for it. Any other word says nothing.
    pub fn outcome(&mut self, word: Json<'_>) -> &mut Self {
        match word.word().as_deref() {
            Some("success" | "completed" | "ok") => self.status(Status::Ok),
            Some("error" | "failed" | "failure") => self.status(Status::Error),
            Some("cancelled" | "canceled" | "declined" | "aborted") => {
                self.status(Status::Cancelled)
            }
            _ => self,
        }
    }

    /// Sets how it came out.
    pub fn status(&mut self, status: Status) -> &mut Self {
        self.status = Some(status);
        self
    }

    /// Sets the exit code of a program.
    pub fn exit(&mut self, code: Json<'_>) -> &mut Self {
        match code.integer() {
            Some(0) => self.status(Status::Ok),
            Some(code) => {
                self.error = Cow::Owned(format!("exit {code}"));
                self.status(Status::Error)
            }
            None => self,
        }
    }

    /// Sets the token counts that an object has, and shows it.
    pub fn tokens(&mut self, flavour: &Flavour, counts: Json<'a>) -> &mut Self {
        self.usage(flavour.read(counts)).value("Usage", counts)
    }

    /// Sets the token counts.
    pub fn usage(&mut self, usage: Usage) -> &mut Self {
        self.usage = usage;
        self
    }

    /// Sets the producer's running total of all tokens.
    pub fn running_total(&mut self, total: Option<u64>) -> &mut Self {
        self.total = total;
        self
    }

    /// Says which pieces are one LLM call.
    pub fn joins(&mut self, joins: Joins<'a>) -> &mut Self {
        self.joins = joins;
        self
    }

    /// Says that what follows is nested in it, until a [`What::End`] with its name.
    pub fn opens(&mut self) -> &mut Self {
        self.opens = true;
        self
    }

    /// Says that the producer writes the same words in another record as well, before this one or after
    /// it. Both become one row. A result that is said again counts only if its call has none or is lost; a call that
    /// is said again is the one with its id, of the same LLM call.
    pub fn again(&mut self) -> &mut Self {
        self.is_again = true;
        self
    }

    /// Says that the call or span is the one with its id, if there is one: a producer that writes calls again
    /// as they go on, or spans again when they end. A call without an id is one that a model asked for and that
    /// waits for its result, of the same name and if possible with the same arguments. A result counts only if a call
    /// of its id waits for it: a response that may be the end of a span.
    pub fn or_known(&mut self) -> &mut Self {
        self.is_maybe_known = true;
        self
    }

    /// Says that a result without an id is a note with a label where no call waits for it: the words of a tool
    /// that nobody called.
    pub fn or_note(&mut self, label: &'static str) -> &mut Self {
        self.without_call = label;
        self
    }

    /// Says that it is part of the conversation that a request carries: one of the items (counted from 0) of
    /// the message at a position. Where an earlier request had it there, it makes no row.
    pub fn history(&mut self, position: u64, nth: u64, message: Json<'_>) -> &mut Self {
        let content = message.fingerprint().wrapping_mul(31);
        self.history = Some(content.wrapping_add(position).wrapping_mul(31).wrapping_add(nth));
        self
    }

    /// Whether it is part of the conversation that a request carries.
    #[must_use]
    pub fn is_history(&self) -> bool {
        self.history.is_some()
    }

    /// Says what it is in the tabs beside the timeline.
    pub fn exhibit(&mut self, exhibit: Exhibit<'a>) -> &mut Self {
        self.exhibit = Some(Box::new(exhibit));
        self
    }

    /// Sets the request of an LLM call.
    pub fn prompt(&mut self, request: Json<'a>) -> &mut Self {
        self.prompt = request;
        self
    }

    /// Says that it is shown after everything beside it, with what its record holds beyond its items: what is said
    /// about the whole run.
    pub fn last(&mut self) -> &mut Self {
        (self.is_last, self.has_rest) = (true, true);
        self
    }

    /// Adds labelled values under a title. Those that say nothing are left out.
    pub fn group(
        &mut self,
        title: &'static str,
        mut values: Vec<(Cow<'a, str>, Json<'a>)>,
    ) -> &mut Self {
        values.retain(|(_, value)| has_content(*value));
        match values.is_empty() {
            true => self,
            false => self.part(Part::Group(title, values)),
        }
    }

    /// Sets the answer of an LLM call, or the words of a message.
    pub fn answer(&mut self, answer: Json<'a>) -> &mut Self {
        self.answer = answer;
        self
    }

    /// Says that the event may stand in several files, such as a log and an export of it: under the same id, as
    /// the same kind of event, with the same beginning. It is one row, and the first file is shown.
    pub fn once(&mut self) -> &mut Self {
        self.is_once = true;
        self
    }

    /// Sets the value of the row's summary.
    pub fn summary(&mut self, value: Json<'a>) -> &mut Self {
        self.summary = value;
        self
    }

    /// Says that the call started a sub-agent, whose run has this id.
    pub fn starts_run(&mut self, run: Json<'a>) -> &mut Self {
        self.starts_run = run;
        self
    }

    /// Says that it is a command that runs on as this process, or a call that looks at it again. What both tell of its
    /// end is one failure.
    pub fn process(&mut self, id: Json<'a>) -> &mut Self {
        self.process = id;
        self
    }

    /// Says that the call started a sub-agent, whose records name it by this id ([`RunInfo::agent`]). They are
    /// nested in the call.
    ///
    /// [`RunInfo::agent`]: super::RunInfo::agent
    pub fn starts_agent(&mut self, agent: Json<'a>, name: Json<'a>) -> &mut Self {
        self.starts_agent = (agent, name);
        self
    }

    /// Adds a part.
    #[inline(never)]
    pub fn part(&mut self, part: Part<'a>) -> &mut Self {
        self.parts.push(part);
        self
    }

    /// Adds words, if there are any.
    #[inline(never)]
    pub fn text(&mut self, text: Json<'a>) -> &mut Self {
        self.add(text, Part::Text)
    }

    /// Adds a value under a title, if there is one.
    #[inline(never)]
    pub fn value(&mut self, title: &'static str, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Value(title, value))
    }

    /// Adds output of a program under a title, if there is any.
    pub fn log(&mut self, title: &'static str, text: Json<'a>) -> &mut Self {
        self.add(text, |text| Part::Log(title, text))
    }

    /// Adds a table, if there is anything to show in it.
    pub fn table(
        &mut self,
        title: &'static str,
        columns: &'static [Column],
        value: Json<'a>,
    ) -> &mut Self {
        self.add(value, |value| Part::Table(title, columns, value))
    }

    /// Adds all members of an object under a title, if there are any.
    pub fn members(&mut self, title: &'static str, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Members(title, value))
    }

    /// Adds a short value with a label, if there is one.
    #[inline(never)]
    pub fn field(&mut self, label: impl Into<Cow<'a, str>>, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Field(label.into(), value))
    }

    /// Adds short values with their labels: paths in an object.
    #[inline(never)]
    pub fn fields(&mut self, of: Json<'a>, labels: &[(&'static str, &str)]) -> &mut Self {
        for (label, path) in labels {
            self.field(*label, of.get(path));
        }
        self
    }

    /// Adds an error: an object with type and message, or a string. The item has failed.
    #[inline(never)]
    pub fn error(&mut self, error: Json<'a>) -> &mut Self {
        if !has_content(error) {
            return self;
        }
        self.status.get_or_insert(Status::Error);
        // LangChain writes exceptions as objects that it cannot load again.
        let is_class = error.get("type").is("not_implemented") && error.get("repr").is_given();
        let kind = match is_class {
            true => error.get("id").items().last().unwrap_or_default(),
            false => error.any(&["type", "error_type", "name", "code", "errorCode"]),
        };
        let message =
            error.any(&["message", "errorMessage", "error", "detail", "description", "repr"]);
        let stack = error.any(&["stack", "stacktrace", "traceback"]);
        if let Some(word) = kind.word().filter(|_| self.error.is_empty()) {
            self.error = word;
        }
        let message = if message.is_given() || kind.is_given() { message } else { error };
        self.part(Part::Error(kind, message, stack))
    }

    fn add(&mut self, value: Json<'a>, part: impl FnOnce(Json<'a>) -> Part<'a>) -> &mut Self {
        if has_content(value) {
            self.parts.push(part(value));
        }
        self
    }

    /// The value that the row's summary is made of.
    #[must_use]
    pub fn summary_value(&self) -> Json<'a> {
        if self.summary.is_given() {
            return self.summary;
        }
        let first = |wanted: &dyn Fn(&Part<'a>) -> Json<'a>| {
            self.parts.iter().map(wanted).find(|value| has_content(*value))
        };
        let found = first(&|part| match part {
            Part::Error(_, message, _) => *message,
            Part::Text(value) | Part::Answer(value) | Part::Arguments(value) => *value,
            Part::Piece(Piece { of: PieceOf::Text, text, .. }) => *text,
            _ => Json::ABSENT,
        })
        .or_else(|| {
            first(&|part| match part {
                Part::Call(..) if self.asks.is_given() => self.asks,
                Part::Call(_, value)
                | Part::Thinking(value)
                | Part::Result(value)
                | Part::Log(_, value)
                | Part::Code(_, _, value)
                | Part::Field(_, value) => *value,
                Part::Value(title, value) if *title != "Usage" => *value,
                // LLM calls say which tools they ask for.
                Part::Piece(Piece { of: PieceOf::Arguments, .. }) if self.what == What::Model => {
                    Json::ABSENT
                }
                Part::Piece(piece) => piece.text,
                _ => Json::ABSENT,
            })
        })
        // What a model wrote tells more than what it was asked.
        .or_else(|| {
            first(&|part| match part {
                Part::Prompt(value) => *value,
                _ => Json::ABSENT,
            })
        });
        found.unwrap_or_default()
    }

    /// Whether all that it tells is thinking.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        let mut is_thinking = false;
        for part in &self.parts {
            match part {
                Part::Thinking(_)
                | Part::HiddenThinking
                | Part::Piece(Piece { of: PieceOf::Thinking, .. }) => is_thinking = true,
                Part::Text(_) | Part::Answer(_) | Part::Call(..) | Part::Piece(_) => return false,
                _ => {}
            }
        }
        is_thinking
    }
}

/// Whether a value says anything.
#[must_use]
pub fn has_content(value: Json<'_>) -> bool {
    !matches!(value.raw(), "" | "null" | "\"\"" | "{}" | "[]")
}
