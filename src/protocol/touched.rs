//! The files that the calls of a run name in their arguments, what the calls do to them, and the commands that they
//! run.

use serde::{Deserialize, Serialize};

/// What a call does to a file, as far as its arguments show.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum Access {
    /// It names the file without new content: it reads it, lists it, or searches in it.
    #[default]
    Names,
    /// It replaces a part of the file.
    Edits,
    /// It writes the whole content.
    Writes,
    /// It deletes the file.
    Deletes,
}

/// A call that names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Touch {
    /// Id of its event.
    pub id: u32,
    /// Index of the path.
    pub path: u32,
    /// What it does.
    pub access: Access,
    /// How many lines it adds.
    pub added: u32,
    /// How many lines it removes. If a file is written as a whole, its previous lines are unknown.
    pub removed: u32,
    /// Whether it restores what an earlier edit of the file had replaced.
    pub undoes: bool,
}

/// The calls examined since the previous batch.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TouchBatch {
    /// The number of the request.
    pub generation: u32,
    /// Paths that were not in any earlier batch; their indices continue those of the earlier paths.
    pub paths: Vec<String>,
    /// The calls that name files, in the order of events.
    pub touches: Vec<Touch>,
    /// Commands that were not in any earlier batch, with the names from [`traceloupe_core::text::command::program_of`];
    /// their indices continue those of the earlier commands.
    pub commands: Vec<String>,
    /// The calls that run a command, in the order of events: the id of the event, and the index of the command.
    pub ran: Vec<(u32, u32)>,
    /// The calls that run `git commit`, alone or among other commands, in the order of events: their ids.
    pub commits: Vec<u32>,
    /// How many calls could not be read.
    pub n_unread: u32,
    /// Whether all events so far have been examined.
    pub done: bool,
}
