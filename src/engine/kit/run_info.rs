//! The data of a record about its run.

use std::borrow::Cow;

use traceloupe_core::json::Json;
use traceloupe_core::model::{
    FactKind, MaybeNs, RunCounts, RunNote, RunStatus, RunVerdict, Usage, hash_of,
};

/// Times that a producer fills in where it has none. Events with exactly these times have no known times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lent {
    /// It fills in none.
    #[default]
    Nothing,
    /// It gives the start and the end of the run to all events below the beginning of the run.
    OfRun(MaybeNs, MaybeNs),
    /// It gives the first start and the last end of messages to tool calls. If messages have no times either, it gives
    /// these times.
    OfMessages(MaybeNs, MaybeNs),
}

/// Identifies an agent that no record names.
#[derive(Clone, Debug)]
pub struct Speaker<'a> {
    /// A key of its model and the first message of its conversation.
    pub beginning: u64,
    /// A key of its model, its instructions and its name, which identifies its other conversations.
    pub role: u64,
    /// Its name.
    pub name: Cow<'a, str>,
}

impl<'a> Speaker<'a> {
    /// The agent in a conversation with a model. `name` is the producer's name for it, if there is one.
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

/// The scope of the key of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// The same key in another file stands for the same run.
    #[default]
    Everywhere,
    /// The whole file belongs to the run that its first record names. Later records name other runs only because the
    /// history of another run was copied into the file.
    Source,
    /// It is unique only within the file, like the number of a sample: the same key in another file stands for another
    /// run.
    File,
}

/// Which records belong to the run that a record names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Records {
    /// The records from here on, until one names another run.
    #[default]
    FromHere,
    /// Also the records before it that name no run: messages to an agent before it named its session.
    EarlierToo,
    /// The records from here on, and none before: the earlier part of the file is another run, even if it has the same
    /// id.
    Next,
    /// Only the record itself: a line of a data set.
    Itself,
    /// The records after it, each of which is a run of its own: it is the first line of a data set.
    Following,
}

impl Records {
    /// The record alone if `is_alone`, or else the records from here on.
    #[must_use]
    pub const fn itself_if(is_alone: bool) -> Self {
        if is_alone { Self::Itself } else { Self::FromHere }
    }
}

/// Where a run, or its records, came from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// The run that started this one or that it was copied from, if its records begin with those of that run.
    pub copied_from: Json<'a>,
    /// The number of the run's first own record, if the producer states it; the records before it were copied.
    pub own_from: Option<u64>,
    /// The record's number in its file.
    pub ordinal: Option<u64>,
    /// The id of the turn that the record begins. If the ids of a producer can be sorted by time, they show which
    /// records were copied from another run: those of turns that are older than the run.
    pub turn: Json<'a>,
    /// The run of the agent that started this one as a sub-agent. If both are opened together, they are one run.
    pub started_by: Json<'a>,
}

/// Identifies the agent of a record.
#[derive(Clone, Debug)]
enum Who<'a> {
    /// By its id within the run. Absent for the main agent.
    Id(Json<'a>),
    /// By its conversation, if no record names an agent. The records of an LLM call identify it; other records belong
    /// to the agent that spoke last.
    Speaker(Box<Speaker<'a>>),
}

/// The agent of a record.
#[derive(Clone, Debug)]
pub struct AgentInfo<'a> {
    who: Who<'a>,
    /// Its name.
    pub name: Json<'a>,
    /// Whether it has reached the end of the run: what a model does for it from here on belongs to the next run, if no
    /// record names another one.
    pub has_ended: bool,
}

impl Default for AgentInfo<'_> {
    fn default() -> Self {
        Self { who: Who::Id(Json::ABSENT), name: Json::ABSENT, has_ended: false }
    }
}

impl<'a> AgentInfo<'a> {
    /// Identifies the agent by its id. Absent for the main agent.
    pub fn is(&mut self, id: Json<'a>) {
        self.who = Who::Id(id);
    }

    /// Identifies the agent by its name.
    pub fn is_named(&mut self, name: Json<'a>) {
        self.is(name);
        self.name = name;
    }

    /// Identifies the agent by its conversation.
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

    /// Its identification if no record names an agent.
    #[must_use]
    pub fn speaker(&self) -> Option<&Speaker<'a>> {
        match &self.who {
            Who::Id(_) => None,
            Who::Speaker(speaker) => Some(speaker),
        }
    }
}

/// A word that, with a number, is the title of runs without any other title.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Series {
    /// There is none.
    #[default]
    None,
    /// With the run's number among the runs of the file (from 0).
    All(&'static str),
    /// With its number, for the second and later runs of a file.
    Further(&'static str),
}

/// Possible titles of a run, the most informative first. The first value of each kind is kept, except for the run's own
/// name, where the last one is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Titles<'a> {
    /// The run's name. A name that most programs give to all of their runs counts as [`Titles::request`].
    pub own: Json<'a>,
    /// The first message of the user.
    pub words: Json<'a>,
    /// The name of an agent in the run.
    pub agent: Json<'a>,
    /// A name that many runs share, such as that of the HTTP request in which the run happened, or an id that says
    /// nothing of what was asked, such as that of a task.
    pub request: Json<'a>,
    /// The program that ran.
    pub service: Json<'a>,
    /// A word with a number.
    pub series: Series,
}

/// The times of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunTimes {
    /// When it started.
    pub start: MaybeNs,
    /// When it ended.
    pub end: MaybeNs,
    /// The duration.
    pub duration: MaybeNs,
    /// The times that the producer fills in where it has none.
    pub lent: Lent,
    /// Whether the run consists of spans, which are written when they end, so that rows are sorted by their start.
    pub order_rows: bool,
}

/// The models of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Models<'a> {
    /// The model of the LLM calls from here on.
    pub name: Json<'a>,
    /// The model of the LLM calls in all runs of the file, if neither they nor their run name one.
    pub of_all: Json<'a>,
    /// Size of the model's context window in tokens.
    pub context_window: Option<u64>,
}

/// The producer's counts for the whole run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Token counts. They are used only if no event has any input, or if some of the counts are unfinished.
    pub usage: Usage,
    /// The sum of the token counts of every model, which counts instead if the run has other agents, or an earlier
    /// result.
    pub usage_of_models: Usage,
    /// Calls, errors and warnings.
    pub counts: RunCounts,
}

/// The grade of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grade {
    /// The score, from 0 to 1.
    pub score: Option<f64>,
    /// The verdict.
    pub verdict: Option<RunVerdict>,
}

/// What is shown about a run besides its rows.
#[derive(Clone, Debug, Default)]
pub struct About<'a> {
    /// The groups that the run belongs to, outermost first: a list of names.
    pub groups: Json<'a>,
    /// Notes on the run.
    pub notes: Vec<RunNote>,
    /// Paths of other files of the run. Files are matched by the end of their path, once all of them have been read.
    pub files: Vec<Json<'a>>,
    /// Facts: kind and value. The first value of each kind is kept.
    pub facts: Vec<(FactKind<Cow<'a, str>>, Json<'a>)>,
    /// Facts that grow while the run goes on: the last value is kept.
    pub growing: Vec<(FactKind<&'static str>, Json<'a>)>,
}

/// The data of a record about its run.
#[derive(Clone, Debug, Default)]
pub struct RunInfo<'a> {
    /// The producer's id of the run.
    pub key: Json<'a>,
    /// The scope of that id.
    pub reach: Reach,
    /// Which records belong to the run.
    pub records: Records,
    /// Where the run, or the record, came from.
    pub origin: Origin<'a>,
    /// The agent of the record.
    pub agent: AgentInfo<'a>,
    /// Possible titles of the run.
    pub titles: Titles<'a>,
    /// Its outcome.
    pub status: Option<RunStatus>,
    /// The times of the run.
    pub times: RunTimes,
    /// Its models.
    pub models: Models<'a>,
    /// The producer's counts.
    pub totals: Totals,
    /// The grade.
    pub grade: Grade,
    /// Whether other records of the run take precedence, whichever is read first: the status, title, duration, counts,
    /// score and verdict of this record are used only if no other record has them.
    pub gives_way: bool,
    /// What is shown about the run besides its rows.
    pub about: About<'a>,
}

impl RunInfo<'_> {
    /// Sets the outcome from a producer's word. Unknown words are ignored.
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

    /// Whether the record has any data about a run.
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
