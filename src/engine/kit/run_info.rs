//! What a record says of its run.

use std::borrow::Cow;

use traceloupe_core::json::Json;
use traceloupe_core::model::{
    FactKind, MaybeNs, RunCounts, RunNote, RunStatus, RunVerdict, Usage, hash_of,
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

/// How far the key of a run reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// The same key in another file is the same run.
    #[default]
    Everywhere,
    /// All of the file belongs to the run that its first record names. Later ones name others only
    /// because the history of another run was copied into the file.
    Source,
    /// It is not unique beyond the file, like the number of a sample: the same key in another file is another run.
    File,
}

/// Which records are of the run that a record names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Records {
    /// Those from here on, until one names another run.
    #[default]
    FromHere,
    /// Those before it that name no run, too: what was said to an agent before it named its session.
    EarlierToo,
    /// Those from here on, and none before it: what the file has before it is another run, even of the same id.
    Next,
    /// It alone: a line of a data set.
    Itself,
    /// Those after it, which are of another run each: the first line of a data set.
    Following,
}

impl Records {
    /// The record alone if so, else those from here on.
    #[must_use]
    pub const fn itself_if(is_alone: bool) -> Self {
        if is_alone { Self::Itself } else { Self::FromHere }
    }
}

/// From where a run, or its records, came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
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
}

/// By what the agent of a record is known.
#[derive(Clone, Debug)]
enum Who<'a> {
    /// By its id within the run. Absent: it is the main one.
    Id(Json<'a>),
    /// By what it was asked: no record names any agent. The records of an LLM call say it, others are of the agent that
    /// spoke last.
    Speaker(Box<Speaker<'a>>),
}

/// The agent that a record is of.
#[derive(Clone, Debug)]
pub struct AgentInfo<'a> {
    who: Who<'a>,
    /// What it is called.
    pub name: Json<'a>,
    /// Whether it has come to the end of the run: what a model does for it from here on is the next run,
    /// if no record names another one.
    pub has_ended: bool,
}

impl Default for AgentInfo<'_> {
    fn default() -> Self {
        Self { who: Who::Id(Json::ABSENT), name: Json::ABSENT, has_ended: false }
    }
}

impl<'a> AgentInfo<'a> {
    /// Says by its id which one it is. Absent: the main one.
    pub fn is(&mut self, id: Json<'a>) {
        self.who = Who::Id(id);
    }

    /// Says that its name is what it is known by.
    pub fn is_named(&mut self, name: Json<'a>) {
        self.is(name);
        self.name = name;
    }

    /// Says by its conversation which one it is.
    pub fn speaks(&mut self, speaker: Speaker<'a>) {
        self.who = Who::Speaker(Box::new(speaker));
    }

    /// Its id within the run, if it is not the main one.
    #[must_use]
    pub fn id(&self) -> Json<'a> {
        match self.who {
            Who::Id(id) => id,
            Who::Speaker(_) => Json::ABSENT,
        }
    }

    /// By what it is known where no record names any.
    #[must_use]
    pub fn speaker(&self) -> Option<&Speaker<'a>> {
        match &self.who {
            Who::Id(_) => None,
            Who::Speaker(speaker) => Some(speaker),
        }
    }
}

/// A word that names runs which nothing else names, with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Series {
    /// There is none.
    #[default]
    None,
    /// With the run's number among those of the file (from 0).
    All(&'static str),
    /// With its number, for the second run of a file and those after it.
    Further(&'static str),
}

/// What a run may be named by, the most telling first. Of each the first one stays, but of names of its own the last one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Titles<'a> {
    /// The run's name.
    pub own: Json<'a>,
    /// The first message of a person.
    pub words: Json<'a>,
    /// The name of an agent in the run.
    pub agent: Json<'a>,
    /// What is named like that of many runs, such as the request of HTTP that the run is inside of.
    pub request: Json<'a>,
    /// The program that ran.
    pub service: Json<'a>,
    /// A word with a number.
    pub series: Series,
}

/// When a run was.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunTimes {
    /// When it started.
    pub start: MaybeNs,
    /// When it ended.
    pub end: MaybeNs,
    /// How long it took.
    pub duration: MaybeNs,
    /// The times that the producer gives to what has none of its own.
    pub lent: Lent,
    /// Whether the run consists of spans, which are written when they end: rows are in order of their start.
    pub order_rows: bool,
}

/// The models of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Models<'a> {
    /// The model of the LLM calls from here on.
    pub name: Json<'a>,
    /// The model of the LLM calls of all runs of the file, where neither they nor their run name one.
    pub of_all: Json<'a>,
    /// Size of the model's context window in tokens.
    pub context_window: Option<u64>,
}

/// What the producer counted in the whole run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Token counts. They count only where no event has any input, or if some of those are unfinished.
    pub usage: Usage,
    /// Calls, errors and warnings.
    pub counts: RunCounts,
}

/// What graders said of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grade {
    /// From 0 to 1.
    pub score: Option<f64>,
    /// What they decided.
    pub verdict: Option<RunVerdict>,
}

/// What is shown of a run beside its rows.
#[derive(Clone, Debug, Default)]
pub struct About<'a> {
    /// The groups that the run belongs to, outermost first: a list of names.
    pub groups: Json<'a>,
    /// Notes on the run.
    pub notes: Vec<RunNote>,
    /// Paths of other files of the run. Files are found by the end of their path, once all of them are read.
    pub files: Vec<Json<'a>>,
    /// Facts: kind and value. The first value of a kind counts.
    pub facts: Vec<(FactKind<Cow<'a, str>>, Json<'a>)>,
    /// Facts that grow while the run goes on: the last value counts.
    pub growing: Vec<(FactKind<&'static str>, Json<'a>)>,
}

/// What a record says of its run.
#[derive(Clone, Debug, Default)]
pub struct RunInfo<'a> {
    /// The producer's id of the run.
    pub key: Json<'a>,
    /// How far that id reaches.
    pub reach: Reach,
    /// Which records are of the run.
    pub records: Records,
    /// From where the run, or the record, came.
    pub origin: Origin<'a>,
    /// The agent that the record is of.
    pub agent: AgentInfo<'a>,
    /// What the run may be named by.
    pub titles: Titles<'a>,
    /// Its outcome.
    pub status: Option<RunStatus>,
    /// When it was.
    pub times: RunTimes,
    /// Its models.
    pub models: Models<'a>,
    /// What the producer counted.
    pub totals: Totals,
    /// What its graders said.
    pub grade: Grade,
    /// Whether other records of the run know better, whichever is read first: its status, title, duration, counts,
    /// score and verdict are taken only where nothing else says any.
    pub gives_way: bool,
    /// What is shown of it beside its rows.
    pub about: About<'a>,
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
        let Titles { own, words, agent, request, service, .. } = self.titles;
        let names = [own, agent, request, words, service, self.key, self.models.name];
        names.into_iter().any(Json::is_given)
            || self.records == Records::Itself
            || self.status.is_some()
            || self.grade.score.is_some()
            || self.grade.verdict.is_some()
            || self.times.start.is_known()
            || self.times.end.is_known()
            || !self.totals.usage.is_empty()
            || self.totals.counts != RunCounts::default()
            || !self.about.facts.is_empty()
            || !self.about.growing.is_empty()
    }
}
