//! Items: the things that a record can describe.

use std::borrow::Cow;

use super::about::{AgentLink, Ending, Known, Order, Repeats, Row, SpanIds, Timing, Wait};
use super::column::Column;
use super::exhibit::Exhibit;
use super::part::{Label, Part, Piece, PieceOf, Title};
use super::what::{Of, What};
use crate::tokens::Flavour;
use traceloupe_core::json::Json;
use traceloupe_core::model::{BlockRole, ErrorLabel, Flags, MaybeNs, Status, Usage};

/// One thing that a record describes.
#[derive(Clone, Debug, Default)]
pub struct Item<'a> {
    pub(super) of: Of<'a>,
    /// The producer's id of the call or the message.
    pub id: Json<'a>,
    /// The tool, the model or a label.
    pub name: Cow<'a, str>,
    /// Its times.
    pub time: Timing,
    /// Its outcome.
    pub ending: Ending<'a>,
    /// Token counts.
    pub usage: Usage,
    /// Marks.
    pub flags: Flags,
    /// The ids of its span.
    pub span: SpanIds<'a>,
    pub(super) agent: Option<Box<AgentLink<'a>>>,
    /// The model of all LLM calls so far of its agent that name no model.
    pub calls_model: Json<'a>,
    /// How it relates to repetitions in other records.
    pub repeats: Repeats,
    /// Its position among its siblings.
    pub order: Order,
    /// Whether the items after it are nested in it, until its [`What::End`].
    pub opens: bool,
    /// What its row shows besides its parts.
    pub row: Row<'a>,
    /// Its parts.
    pub parts: Vec<Part<'a>>,
}

impl<'a> Item<'a> {
    /// How it relates to an agent other than its own.
    #[must_use]
    pub fn agent(&self) -> Option<AgentLink<'a>> {
        self.agent.as_deref().copied()
    }

    /// For a message that later requests repeat: its position and content.
    #[must_use]
    pub fn history_key(&self) -> Option<u64> {
        self.repeats.history
    }

    /// Sets the id of its span and of the parent span.
    pub fn span(&mut self, id: Json<'a>, parent: Json<'a>) -> &mut Self {
        (self.span.id, self.span.parent) = (id, parent);
        self
    }

    /// Sets the tool, the model or the label.
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
        self.time.start = start;
        self
    }

    /// Sets the start of an LLM call whose record states when it began instead of when it was written.
    pub fn begins(&mut self, start: MaybeNs) -> &mut Self {
        self.time.has_begun = start.is_known();
        self.starts(start)
    }

    /// Declares that the run waits for the user from here on ([`Wait::Begins`]).
    pub fn waits_for_user(&mut self) -> &mut Self {
        self.time.wait = Wait::Begins;
        self
    }

    /// Declares that the user has answered ([`Wait::Ends`]).
    pub fn user_answered(&mut self) -> &mut Self {
        self.time.wait = Wait::Ends;
        self
    }

    /// Marks a value as a repetition of other records of the event: it is not shown.
    pub fn told(&mut self, value: Json<'a>) -> &mut Self {
        self.row.told.push(value);
        self
    }

    /// Sets the duration.
    pub fn took(&mut self, duration: MaybeNs) -> &mut Self {
        if duration.is_known() {
            self.time.duration = duration;
        }
        self
    }

    /// Sets the outcome from a value: it worked if the value is `true`, and failed if it is `false`.
    pub fn failed_unless(&mut self, worked: Json<'_>) -> &mut Self {
        match worked.bool() {
            Some(true) => self.status(Status::Ok),
            Some(false) => self.status(Status::Failed),
            None => self,
        }
    }

    /// Sets the outcome from a value: it failed if the value is `true`, and worked if it is `false`.
    pub fn failed(&mut self, failed: Json<'_>) -> &mut Self {
        match failed.bool() {
            Some(true) => self.status(Status::Failed),
            Some(false) => self.status(Status::Ok),
            None => self,
        }
    }

    /// Sets the outcome from a producer's word. Unknown words are ignored.
    pub fn outcome(&mut self, word: Json<'_>) -> &mut Self {
        match word.word().as_deref() {
            Some("success" | "completed" | "ok") => self.status(Status::Ok),
            Some("error" | "failed" | "failure") => self.status(Status::Failed),
            Some("declined") => self.status(Status::Rejected),
            Some("cancelled" | "canceled" | "aborted") => self.status(Status::Cancelled),
            _ => self,
        }
    }

    /// Sets the outcome.
    pub fn status(&mut self, status: Status) -> &mut Self {
        self.ending.status = Some(status);
        self
    }

    /// Sets the exit code of a program.
    pub fn exit(&mut self, code: Json<'_>) -> &mut Self {
        match code.integer() {
            Some(0) => self.status(Status::Ok),
            Some(code) => {
                self.ending.error = ErrorLabel::ExitCode(code);
                self.status(Status::Failed)
            }
            None => self,
        }
    }

    /// Sets the token counts from an object, and shows the object.
    pub fn tokens(&mut self, flavour: &Flavour, counts: Json<'a>) -> &mut Self {
        self.usage(flavour.read(counts)).value(BlockRole::Usage, counts)
    }

    /// Sets the token counts.
    pub fn usage(&mut self, usage: Usage) -> &mut Self {
        self.usage = usage;
        self
    }

    /// Sets the value with the calls that it requests, which is the summary of an item without text.
    pub fn asks(&mut self, calls: Json<'a>) -> &mut Self {
        self.row.asks = calls;
        self
    }

    /// Sets its position in its conversation, if known.
    pub fn position(&mut self, position: Option<u64>) -> &mut Self {
        if let Some(position) = position {
            self.order = Order::At(position);
        }
        self
    }

    /// Nests the items after it in it, until a [`What::End`] with its name.
    pub fn opens(&mut self) -> &mut Self {
        self.opens = true;
        self
    }

    /// Declares that the producer also writes the same text in another record, before this one or after it. Both become
    /// one row. A repeated result counts only if its call has none or is lost; a repeated call is the one with its id,
    /// in the same LLM call.
    pub fn again(&mut self) -> &mut Self {
        self.repeats.is_again = true;
        self
    }

    /// Declares that the call or span is the one with its id, if there is one. Used for producers that write calls
    /// again while they run, or spans again when they end. A call without an id is one that a model requested and that
    /// waits for its result, with the same name and if possible the same arguments. A result counts only if a call with
    /// its id waits for it: it is a response that may also be the end of a span.
    pub fn or_known(&mut self) -> &mut Self {
        self.repeats.known = Known::Maybe;
        self
    }

    /// Marks it as part of the conversation in a request: one of the items (counted from 0) of the message at a
    /// position. If an earlier request had it at that position, it gets no row.
    pub fn history(&mut self, position: u64, nth: u64, message: Json<'_>) -> &mut Self {
        let content = message.fingerprint().wrapping_mul(31);
        self.repeats.history =
            Some(content.wrapping_add(position).wrapping_mul(31).wrapping_add(nth));
        self
    }

    /// Whether it is part of the conversation in a request.
    #[must_use]
    pub fn is_history(&self) -> bool {
        self.repeats.history.is_some()
    }

    /// Sets its role in the tabs beside the timeline.
    pub fn exhibit(&mut self, exhibit: Exhibit<'a>) -> &mut Self {
        self.row.exhibit = Some(Box::new(exhibit));
        self
    }

    /// Shows it after all its siblings, with the fields of the record that its items do not cover. Used for statements
    /// about the whole run.
    pub fn last(&mut self) -> &mut Self {
        (self.order, self.row.has_rest) = (Order::Last, true);
        self
    }

    /// Adds labelled values under a title. Empty values are left out.
    pub fn group(
        &mut self,
        title: impl Title,
        mut values: Vec<(Cow<'a, str>, Json<'a>)>,
    ) -> &mut Self {
        values.retain(|(_, value)| has_content(*value));
        match values.is_empty() {
            true => self,
            false => self.part(Part::Group(title.role(), values)),
        }
    }

    /// Declares that several files may contain the event, such as a log and an export of it: with the same id, kind and
    /// start. It becomes one row, and the version of the first file is shown.
    pub fn once(&mut self) -> &mut Self {
        self.repeats.is_once = true;
        self
    }

    /// Sets the producer's name for the span. It distinguishes the libraries that record one call.
    pub fn span_name(&mut self, name: Json<'_>) -> &mut Self {
        if matches!(self.what(), What::Model | What::Call) {
            self.span.name_hash = u32::try_from(name.fingerprint() >> 32).unwrap_or(0);
        }
        self
    }

    /// Sets the value for the row's summary.
    pub fn summary(&mut self, value: Json<'a>) -> &mut Self {
        self.row.summary = value;
        self
    }

    /// Declares that the call started a sub-agent whose run has this id.
    pub fn starts_run(&mut self, run: Json<'a>) -> &mut Self {
        self.starts_run_of(run, Json::ABSENT)
    }

    /// Declares that the call started a sub-agent, whose run has this id, and sets the agent's name.
    pub fn starts_run_of(&mut self, run: Json<'a>, name: Json<'a>) -> &mut Self {
        self.agent = run.is_given().then(|| Box::new(AgentLink::StartsRun { run, name }));
        self
    }

    /// Declares that it reports about a sub-agent, whose run has this id, to the agent that started it. The sub-agent's
    /// name is put before the label.
    pub fn of_agent(&mut self, run: Json<'a>) -> &mut Self {
        self.agent = Some(Box::new(AgentLink::TellsOf { run }));
        self
    }

    /// Declares that the call started a sub-agent whose records refer to it by this id ([`RunInfo::agent`]). They are
    /// nested in the call.
    ///
    /// [`RunInfo::agent`]: super::RunInfo::agent
    pub fn starts_agent(&mut self, agent: Json<'a>, name: Json<'a>) -> &mut Self {
        self.agent = Some(Box::new(AgentLink::StartsAgent { agent, name }));
        self
    }

    /// Adds a part.
    #[inline(never)]
    pub fn part(&mut self, part: Part<'a>) -> &mut Self {
        self.parts.push(part);
        self
    }

    /// Adds a text, if there is any.
    #[inline(never)]
    pub fn text(&mut self, text: Json<'a>) -> &mut Self {
        self.add(text, Part::Text)
    }

    /// Adds a value under a title, if there is one.
    #[inline(never)]
    pub fn value(&mut self, title: impl Title, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Value(title.role(), value))
    }

    /// Adds output of a program under a title, if there is any.
    pub fn log(&mut self, title: impl Title, text: Json<'a>) -> &mut Self {
        self.add(text, |text| Part::Log(title.role(), text))
    }

    /// Adds a table, if there is anything to show in it.
    pub fn table(
        &mut self,
        title: impl Title,
        columns: &'static [Column],
        value: Json<'a>,
    ) -> &mut Self {
        self.add(value, |value| Part::Table(title.role(), columns, value))
    }

    /// Adds all members of an object under a title, if there are any.
    pub fn members(&mut self, title: impl Title, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Members(title.role(), value))
    }

    /// Adds a short value with a label, if there is one.
    #[inline(never)]
    pub fn field(&mut self, label: impl Label<'a>, value: Json<'a>) -> &mut Self {
        self.add(value, |value| Part::Field(label.kind(), value))
    }

    /// Adds short values with their labels: paths in an object.
    #[inline(never)]
    pub fn fields(&mut self, of: Json<'a>, labels: &[(impl Label<'a>, &str)]) -> &mut Self {
        for (label, path) in labels {
            self.add(of.get(path), |value| Part::Field(label.kind(), value));
        }
        self
    }

    /// Adds an error: an object with type and message, or a string. Marks the item as failed.
    #[inline(never)]
    pub fn error(&mut self, error: Json<'a>) -> &mut Self {
        if !has_content(error) {
            return self;
        }
        self.ending.status.get_or_insert(Status::Failed);
        // LangChain writes exceptions as objects that it cannot load again.
        let is_class = error.get("type").is("not_implemented") && error.get("repr").is_given();
        let kind = match is_class {
            true => error.get("id").items().last().unwrap_or_default(),
            false => error.any(&["type", "error_type", "name", "code", "errorCode"]),
        };
        let message =
            error.any(&["message", "errorMessage", "error", "detail", "description", "repr"]);
        let stack = error.any(&["stack", "stacktrace", "traceback"]);
        if let Some(word) = kind.word().filter(|_| self.ending.error.is_none()) {
            self.ending.error = word.into();
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

    /// The value for the row's summary.
    #[must_use]
    pub fn summary_value(&self) -> Json<'a> {
        if self.row.summary.is_given() {
            return self.row.summary;
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
                Part::Call(..) if self.row.asks.is_given() => self.row.asks,
                Part::Call(_, value)
                | Part::Thinking(value)
                | Part::Result(value)
                | Part::Log(_, value)
                | Part::Code(_, _, value)
                | Part::Field(_, value) => *value,
                Part::Value(role, value) if *role != BlockRole::Usage => *value,
                // The row of an LLM call names the tools that it requests.
                Part::Piece(Piece { of: PieceOf::Arguments, .. }) if self.what() == What::Model => {
                    Json::ABSENT
                }
                Part::Piece(piece) => piece.text,
                _ => Json::ABSENT,
            })
        })
        // The output of a model is more informative than its input.
        .or_else(|| {
            first(&|part| match part {
                Part::Prompt(value) => *value,
                _ => Json::ABSENT,
            })
        });
        found.unwrap_or_default()
    }

    /// Whether it contains nothing but thinking.
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

/// Whether a value has any content.
#[must_use]
pub fn has_content(value: Json<'_>) -> bool {
    !matches!(value.raw(), "" | "null" | "\"\"" | "{}" | "[]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_small() {
        // One item is made for each thing that a record describes. Data that only a few items have is boxed; before
        // fields were grouped, an item had 46 of them.
        assert!(size_of::<Item<'_>>() <= 616, "{} bytes", size_of::<Item<'_>>());
    }
}
