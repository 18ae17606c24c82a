//! What a record can say: items.

use std::borrow::Cow;

use super::about::{AgentLink, Ending, Known, Order, Repeats, Row, SpanIds, Timing};
use super::column::Column;
use super::exhibit::Exhibit;
use super::part::{Label, Part, Piece, PieceOf, Title};
use super::what::{Of, What};
use crate::tokens::Flavour;
use traceloupe_core::json::Json;
use traceloupe_core::model::{BlockRole, ErrorLabel, Flags, MaybeNs, Status, Usage};

/// One thing that a record says.
#[derive(Clone, Debug, Default)]
pub struct Item<'a> {
    pub(super) of: Of<'a>,
    /// The producer's id of the call or the message.
    pub id: Json<'a>,
    /// Tool, model or label.
    pub name: Cow<'a, str>,
    /// When it was.
    pub time: Timing,
    /// How it came out.
    pub ending: Ending<'a>,
    /// Token counts.
    pub usage: Usage,
    /// Marks.
    pub flags: Flags,
    /// The span that it is.
    pub span: SpanIds<'a>,
    pub(super) agent: Option<Box<AgentLink<'a>>>,
    /// The model of all LLM calls of its agent so far that name none.
    pub calls_model: Json<'a>,
    /// What it has to do with what other records tell.
    pub repeats: Repeats,
    /// Where it stands among those beside it.
    pub order: Order,
    /// Whether what follows is nested in it, until its [`What::End`].
    pub opens: bool,
    /// What its row shows beside its parts.
    pub row: Row<'a>,
    /// What it consists of.
    pub parts: Vec<Part<'a>>,
}

impl<'a> Item<'a> {
    /// What it has to do with an agent that it is not of.
    #[must_use]
    pub fn agent(&self) -> Option<AgentLink<'a>> {
        self.agent.as_deref().copied()
    }

    /// For a message that later requests carry again: its position and content.
    #[must_use]
    pub fn history_key(&self) -> Option<u64> {
        self.repeats.history
    }

    /// Sets the id of the span that it is, and of the span around it.
    pub fn span(&mut self, id: Json<'a>, parent: Json<'a>) -> &mut Self {
        (self.span.id, self.span.parent) = (id, parent);
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
        self.time.start = start;
        self
    }

    /// Sets the beginning of an LLM call whose record says when it began, and not when it was written.
    pub fn begins(&mut self, start: MaybeNs) -> &mut Self {
        self.time.has_begun = start.is_known();
        self.starts(start)
    }

    /// Says that a value repeats what other records of the event tell: it is not shown.
    pub fn told(&mut self, value: Json<'a>) -> &mut Self {
        self.row.told.push(value);
        self
    }

    /// Sets how long it took.
    pub fn took(&mut self, duration: MaybeNs) -> &mut Self {
        if duration.is_known() {
            self.time.duration = duration;
        }
        self
    }

    /// Says that it worked if a value is `true`, and that it failed if it is `false`.
    pub fn failed_unless(&mut self, worked: Json<'_>) -> &mut Self {
        match worked.bool() {
            Some(true) => self.status(Status::Ok),
            Some(false) => self.status(Status::Failed),
            None => self,
        }
    }

    /// Says that it failed if a value is `true`, and that it worked if it is `false`.
    pub fn failed(&mut self, failed: Json<'_>) -> &mut Self {
        match failed.bool() {
            Some(true) => self.status(Status::Failed),
            Some(false) => self.status(Status::Ok),
            None => self,
        }
    }

    /// Sets how it came out, by the word that a producer has for it. Any other word says nothing.
    pub fn outcome(&mut self, word: Json<'_>) -> &mut Self {
        match word.word().as_deref() {
            Some("success" | "completed" | "ok") => self.status(Status::Ok),
            Some("error" | "failed" | "failure") => self.status(Status::Failed),
            Some("declined") => self.status(Status::Rejected),
            Some("cancelled" | "canceled" | "aborted") => self.status(Status::Cancelled),
            _ => self,
        }
    }

    /// Sets how it came out.
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

    /// Sets the token counts that an object has, and shows it.
    pub fn tokens(&mut self, flavour: &Flavour, counts: Json<'a>) -> &mut Self {
        self.usage(flavour.read(counts)).value(BlockRole::Usage, counts)
    }

    /// Sets the token counts.
    pub fn usage(&mut self, usage: Usage) -> &mut Self {
        self.usage = usage;
        self
    }

    /// Sets the value with the calls that it asks for: the summary of an item without words.
    pub fn asks(&mut self, calls: Json<'a>) -> &mut Self {
        self.row.asks = calls;
        self
    }

    /// Sets its position in its conversation, if that is known.
    pub fn position(&mut self, position: Option<u64>) -> &mut Self {
        if let Some(position) = position {
            self.order = Order::At(position);
        }
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
        self.repeats.is_again = true;
        self
    }

    /// Says that the call or span is the one with its id, if there is one: a producer that writes calls again
    /// as they go on, or spans again when they end. A call without an id is one that a model asked for and that
    /// waits for its result, of the same name and if possible with the same arguments. A result counts only if a call
    /// of its id waits for it: a response that may be the end of a span.
    pub fn or_known(&mut self) -> &mut Self {
        self.repeats.known = Known::Maybe;
        self
    }

    /// Says that it is part of the conversation that a request carries: one of the items (counted from 0) of
    /// the message at a position. Where an earlier request had it there, it makes no row.
    pub fn history(&mut self, position: u64, nth: u64, message: Json<'_>) -> &mut Self {
        let content = message.fingerprint().wrapping_mul(31);
        self.repeats.history =
            Some(content.wrapping_add(position).wrapping_mul(31).wrapping_add(nth));
        self
    }

    /// Whether it is part of the conversation that a request carries.
    #[must_use]
    pub fn is_history(&self) -> bool {
        self.repeats.history.is_some()
    }

    /// Says what it is in the tabs beside the timeline.
    pub fn exhibit(&mut self, exhibit: Exhibit<'a>) -> &mut Self {
        self.row.exhibit = Some(Box::new(exhibit));
        self
    }

    /// Says that it is shown after everything beside it, with what its record holds beyond its items: what is said
    /// about the whole run.
    pub fn last(&mut self) -> &mut Self {
        (self.order, self.row.has_rest) = (Order::Last, true);
        self
    }

    /// Adds labelled values under a title. Those that say nothing are left out.
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

    /// Says that the event may stand in several files, such as a log and an export of it: under the same id, as
    /// the same kind of event, with the same beginning. It is one row, and the first file is shown.
    pub fn once(&mut self) -> &mut Self {
        self.repeats.is_once = true;
        self
    }

    /// Sets the value of the row's summary.
    pub fn summary(&mut self, value: Json<'a>) -> &mut Self {
        self.row.summary = value;
        self
    }

    /// Says that the call started a sub-agent, whose run has this id.
    pub fn starts_run(&mut self, run: Json<'a>) -> &mut Self {
        self.starts_run_of(run, Json::ABSENT)
    }

    /// Says that the call started a sub-agent, whose run has this id, and what the agent is called.
    pub fn starts_run_of(&mut self, run: Json<'a>, name: Json<'a>) -> &mut Self {
        self.agent = run.is_given().then(|| Box::new(AgentLink::StartsRun { run, name }));
        self
    }

    /// Says that it tells of a sub-agent, whose run has this id, to the one that started it. The agent's name stands
    /// before the label.
    pub fn of_agent(&mut self, run: Json<'a>) -> &mut Self {
        self.agent = Some(Box::new(AgentLink::TellsOf { run }));
        self
    }

    /// Says that the call started a sub-agent, whose records name it by this id ([`RunInfo::agent`]). They are
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

    /// Adds words, if there are any.
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

    /// Adds an error: an object with type and message, or a string. The item has failed.
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

    /// The value that the row's summary is made of.
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
                // LLM calls say which tools they ask for.
                Part::Piece(Piece { of: PieceOf::Arguments, .. }) if self.what() == What::Model => {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_small() {
        // One is made for each thing that a record says. What only a few say stands in boxes; before fields were
        // grouped, an item had 46 of them.
        assert!(size_of::<Item<'_>>() <= 608, "{} bytes", size_of::<Item<'_>>());
    }
}
