//! Why something cannot be shown or done.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use traceloupe_core::other_file::OtherFile;
use traceloupe_core::warning_code::WarningCode;

use crate::expectation_fault::{ExpectationFault, FaultPlace};
use crate::file_selection::LeftOut;

/// A kind of problem. [`ProblemCode::word`] is stable: links, tests, bug reports and messages to other windows use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum ProblemCode {
    /// The file is empty, or has no events.
    #[default]
    Empty,
    /// The format of the file is not known.
    UnknownFormat,
    /// The file is not a trace.
    NotATrace,
    /// The file is a web page.
    LooksLikeHtml,
    /// The file, or the file that it was unpacked from, is damaged.
    Damaged(WarningCode),
    /// An archive, or an entry of it, cannot be read.
    Zip(ZipProblem),
    /// A database cannot be read.
    Database(DatabaseProblem),
    /// Reading was stopped.
    Stopped,
    /// The file cannot be read, or not to its end.
    UnreadableFile,
    /// The expectations cannot be read.
    Expectation,
    /// The run of a link is not in the files.
    RunNotFound,
    /// The event of a link is not in the files.
    EventNotFound,
    /// The opened file is not the one that the link is about.
    OtherFile,
    /// Part of the page's code could not be loaded.
    Incomplete,
    /// The worker could not be started.
    NoWorker,
    /// A policy of the site forbids the worker.
    WorkerRefused,
    /// The worker needs more memory than it can have.
    OutOfMemory,
    /// The worker crashed.
    Crash,
    /// The browser does not keep annotations.
    Storage,
    /// An address could not be read.
    Address(AddressProblem),
}

/// Why an archive, or an entry of it, cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ZipProblem {
    /// It has no directory.
    NoDirectory,
    /// Its directory is broken.
    BrokenDirectory,
    /// The entry is encrypted.
    Encrypted,
    /// The entry is packed by a method that is not supported: its number.
    Method(u16),
    /// It is inside more archives than are opened: how many are.
    TooDeep(u8),
    /// The file itself cannot be read.
    Unreadable,
}

/// Why a database cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum DatabaseProblem {
    /// Its beginning is damaged.
    BrokenHeader,
    /// Its list of tables is damaged.
    BrokenSchema,
    /// It is not from a known program.
    Unknown,
    /// The file itself cannot be read.
    Unreadable,
}

/// Why an address could not be read, with the names from `boot.js` and `addresses.js`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AddressProblem {
    /// The host does not let other sites read the file.
    Cors,
    /// There was no answer.
    Unreachable,
    /// The browser is offline.
    Offline,
    /// The page is https, and the address http.
    MixedContent,
    /// The security policy of the page around this one forbids it.
    Csp,
    /// The connection broke off.
    Cut,
    /// The host answered, but no byte of the file arrived: the connection broke, or the browser could not unpack it.
    NothingCame,
    /// There was no answer for so long that the other addresses are opened without it.
    NoAnswer,
    /// It redirects, and the redirect leads nowhere: a loop, or an address that cannot be reached.
    BadRedirect,
    /// It redirects, which is not followed in a frame.
    Redirected,
    /// It could not be read, and the page does not look for the reason, because it is in a frame.
    Framed,
    /// It was stopped.
    Cancelled,
    /// The address has a user name or a password.
    UserInfo,
    /// A `data:` address.
    Data,
    /// A `blob:` address.
    Blob,
    /// The host is on the user's own computer or network, and the page is in a frame of another site.
    PrivateHost,
    /// The scheme is neither http nor https.
    Scheme,
    /// It is not an address.
    Malformed,
    /// The host has no address of the file that other sites may read.
    NoFileHost,
    /// The file was looked up at its host, which does not have it.
    NotListed,
    /// The trace in the link is not whole.
    DataBroken,
    /// The trace in the link is longer than a link may be.
    DataTooLong,
    /// The host answered with this status.
    Http(u16),
    /// Anything else.
    Other,
}

/// Why something cannot be shown or done, with the values that its sentences are made of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Problem {
    /// There was no file to open.
    NoFiles,
    /// The files were read, but have no events.
    NoEvents,
    /// None of these files can be shown: paths, and why not. There is at least one.
    NothingShown(Vec<(String, SourceFault)>),
    /// A file, beside others that are shown, is not shown, or not to its end: its path, and why.
    SourceNotShown(String, SourceFault),
    /// A download, an export or a check needs bytes that cannot be read again.
    NotMade(ReadError),
    /// The expectations cannot be read: why, and where.
    Expectations(ExpectationFault, FaultPlace),
    /// The run of a link is not in the files: its key.
    RunNotFound(String),
    /// The event of a link is not in the files.
    EventNotFound(LinkMiss),
    /// The opened file is not the one that the link is about: the name and size of that one.
    OtherFile(String, u64),
    /// The number of files or folders that could not be read and were left out.
    FilesSkipped(u32),
    /// The number of characters that stand for others, because the trace was appended to an HTML file.
    CharsReplaced(u32),
    /// Files of a folder or an archive that were not read, because files with their endings hold no trace.
    LeftOut(LeftOut),
    /// Files beside others that are shown, which were read and hold no trace: paths, and what they are.
    NotTraces(Vec<(String, SourceFault)>),
    /// Nothing that was read describes an agent: the number of runs, and of their events.
    NoAgent {
        /// How many runs there are.
        n_runs: u64,
        /// How many events they have.
        n_events: u64,
        /// Whether they are records of no known format, as opposed to spans or requests.
        is_records: bool,
    },
    /// Part of the page's code could not be loaded.
    Incomplete {
        /// What to do about it, as `boot.js` words it: it must also say so without this code.
        remedy: String,
        /// The browser's words.
        error: String,
    },
    /// The worker could not be started: the browser's words.
    NoWorker(String),
    /// A policy of the site that serves the page forbids the worker: the words of the policy.
    WorkerRefused(String),
    /// The worker needs more memory than it can have: its last words.
    OutOfMemory(String),
    /// The worker crashed: its last words.
    Crash(String),
    /// The browser does not keep annotations.
    Storage,
    /// An address could not be read.
    Address {
        /// Why.
        problem: AddressProblem,
        /// The host; may be empty.
        host: String,
        /// The whole address.
        url: String,
    },
}

/// Why nothing of a source can be shown, or not all of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SourceFault {
    /// The file is empty.
    EmptyFile,
    /// It is a web page.
    WebPage,
    /// It is a binary file.
    Binary,
    /// It is a file of another kind.
    OtherFile(OtherFile),
    /// There is no JSON in it.
    NoJson,
    /// None of its records can be read as JSON.
    NoRecord,
    /// An archive, or an entry of it, cannot be read.
    Zip(ZipProblem),
    /// The file of an archive cannot be read, for this reason.
    ZipUnreadable(String),
    /// None of this number of entries of an archive is a trace.
    NoTraceInside(u64),
    /// A database cannot be read.
    Database(DatabaseProblem),
    /// The file of a database cannot be read, for this reason.
    DatabaseUnreadable(String),
    /// The database is one of an unknown program.
    UnknownDatabase {
        /// The names of its first tables.
        tables: Vec<String>,
        /// How many tables it has.
        n_tables: u64,
        /// Whether its newest contents may be in the file beside it.
        is_logged: bool,
        /// The programs whose databases are read.
        programs: Vec<String>,
    },
    /// No session of the database has messages.
    NoSession {
        /// Whether parts of it are damaged.
        is_damaged: bool,
        /// Whether its newest contents may be in the file beside it.
        is_logged: bool,
    },
    /// It is damaged.
    Damaged(WarningCode),
    /// Its YAML is broken.
    BrokenYaml {
        /// The line, from 1.
        line: u32,
        /// The column, and what the reader of YAML says of it.
        detail: String,
    },
    /// Reading was stopped before there was anything to show.
    Stopped,
    /// It could not be read.
    Unreadable,
    /// It could not be read further.
    UnreadableAfter {
        /// How many bytes had been read.
        len_bytes: u64,
        /// The browser's reason.
        reason: String,
    },
}

/// Why bytes of a source that were read before cannot be read again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReadError {
    /// The trace has no such source.
    NoSuchSource,
    /// The file was changed or removed: its path, and the browser's reason.
    Changed(String, String),
    /// The file is shorter than before: its path.
    Shorter(String),
}

/// Why a link does not lead to exactly the event for which it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LinkMiss {
    /// The link cannot be read.
    Unreadable,
    /// The event is not in the files.
    NotHere,
    /// The event is not in the files; the nearest one is selected.
    Nearest,
    /// The run is not in the files; an event of another run with the same id is selected.
    OtherRun,
}

impl Problem {
    /// Its kind.
    #[must_use]
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::NoFiles | Self::NoEvents => ProblemCode::Empty,
            Self::NothingShown(files) => {
                files.first().map_or(ProblemCode::Empty, |(_, fault)| fault.code())
            }
            Self::SourceNotShown(_, fault) => fault.code(),
            Self::NotMade(_) | Self::FilesSkipped(_) => ProblemCode::UnreadableFile,
            Self::CharsReplaced(_) => ProblemCode::Damaged(WarningCode::InvalidUtf8),
            Self::LeftOut(_) | Self::NotTraces(_) | Self::NoAgent { .. } => ProblemCode::NotATrace,
            Self::Expectations(..) => ProblemCode::Expectation,
            Self::RunNotFound(_) => ProblemCode::RunNotFound,
            Self::EventNotFound(_) => ProblemCode::EventNotFound,
            Self::OtherFile(..) => ProblemCode::OtherFile,
            Self::Incomplete { .. } => ProblemCode::Incomplete,
            Self::NoWorker(_) => ProblemCode::NoWorker,
            Self::WorkerRefused(_) => ProblemCode::WorkerRefused,
            Self::OutOfMemory(_) => ProblemCode::OutOfMemory,
            Self::Crash(_) => ProblemCode::Crash,
            Self::Storage => ProblemCode::Storage,
            Self::Address { problem, .. } => ProblemCode::Address(*problem),
        }
    }
}

impl Problem {
    /// Whether the files could be shown as plain records, though they hold no trace.
    #[must_use]
    pub fn is_readable_as_records(&self) -> bool {
        let is_other =
            |(_, fault): &(String, SourceFault)| matches!(fault, SourceFault::OtherFile(_));
        match self {
            Self::NothingShown(files) => files.iter().any(is_other),
            _ => false,
        }
    }
}

impl SourceFault {
    /// Its kind.
    #[must_use]
    pub fn code(&self) -> ProblemCode {
        match self {
            Self::EmptyFile | Self::NoSession { .. } => ProblemCode::Empty,
            Self::WebPage => ProblemCode::LooksLikeHtml,
            Self::Binary | Self::OtherFile(_) | Self::NoTraceInside(_) => ProblemCode::NotATrace,
            Self::NoJson | Self::NoRecord => ProblemCode::UnknownFormat,
            Self::Zip(problem) => ProblemCode::Zip(*problem),
            Self::ZipUnreadable(_) => ProblemCode::Zip(ZipProblem::Unreadable),
            Self::Database(problem) => ProblemCode::Database(*problem),
            Self::DatabaseUnreadable(_) => ProblemCode::Database(DatabaseProblem::Unreadable),
            Self::UnknownDatabase { .. } => ProblemCode::Database(DatabaseProblem::Unknown),
            Self::Damaged(notice) => ProblemCode::Damaged(*notice),
            Self::BrokenYaml { .. } => ProblemCode::Damaged(WarningCode::BrokenYaml),
            Self::Stopped => ProblemCode::Stopped,
            Self::Unreadable | Self::UnreadableAfter { .. } => ProblemCode::UnreadableFile,
        }
    }
}

impl ProblemCode {
    /// Whether the file is no trace at all, as opposed to a trace that cannot be read.
    #[must_use]
    pub fn is_no_trace(self) -> bool {
        matches!(
            self,
            Self::NotATrace
                | Self::UnknownFormat
                | Self::LooksLikeHtml
                | Self::Empty
                | Self::Database(_)
        )
    }

    /// The stable word for the problem.
    #[must_use]
    pub fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Empty => "empty",
            Self::UnknownFormat => "unknown-format",
            Self::NotATrace => "not-a-trace",
            Self::LooksLikeHtml => "looks-like-html",
            Self::Damaged(notice) => notice.word(),
            Self::Zip(problem) => problem.word(),
            Self::Database(problem) => problem.word(),
            Self::Stopped => "stopped",
            Self::UnreadableFile => "unreadable-file",
            Self::Expectation => "expectation",
            Self::RunNotFound => "run-not-found",
            Self::EventNotFound => "sel",
            Self::OtherFile => "other-file",
            Self::Incomplete => "incomplete",
            Self::NoWorker => "worker",
            Self::WorkerRefused => "worker-refused",
            Self::OutOfMemory => "oom",
            Self::Crash => "panic",
            Self::Storage => "storage",
            Self::Address(problem) => return problem.word(),
        })
    }
}

impl ZipProblem {
    fn word(self) -> &'static str {
        match self {
            Self::NoDirectory => "zip-no-directory",
            Self::BrokenDirectory => "zip-broken-directory",
            Self::Encrypted => "zip-encrypted",
            Self::Method(_) => "zip-method",
            Self::TooDeep(_) => "zip-too-deep",
            Self::Unreadable => "unreadable",
        }
    }
}

impl DatabaseProblem {
    fn word(self) -> &'static str {
        match self {
            Self::BrokenHeader => "database-broken-header",
            Self::BrokenSchema => "database-broken-schema",
            Self::Unknown => "unknown-database",
            Self::Unreadable => "unreadable",
        }
    }
}

impl AddressProblem {
    /// Problems that always have the same word.
    const NAMED: [Self; 23] = [
        Self::Cors,
        Self::Unreachable,
        Self::Offline,
        Self::MixedContent,
        Self::Csp,
        Self::Cut,
        Self::NothingCame,
        Self::NoAnswer,
        Self::BadRedirect,
        Self::Redirected,
        Self::Framed,
        Self::Cancelled,
        Self::UserInfo,
        Self::Data,
        Self::Blob,
        Self::PrivateHost,
        Self::Scheme,
        Self::Malformed,
        Self::NoFileHost,
        Self::NotListed,
        Self::DataBroken,
        Self::DataTooLong,
        Self::Other,
    ];

    /// The problem with a word; [`AddressProblem::Other`] for unknown words.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let status = word.strip_prefix("http-").and_then(|status| status.parse().ok());
        let named = || Self::NAMED.into_iter().find(|it| it.word() == word);
        status.map(Self::Http).or_else(named).unwrap_or(Self::Other)
    }

    fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Cors => "cors",
            Self::Unreachable => "unreachable",
            Self::Offline => "offline",
            Self::MixedContent => "mixed-content",
            Self::Csp => "csp",
            Self::Cut => "cut",
            Self::NothingCame => "nothing-came",
            Self::NoAnswer => "no-answer",
            Self::BadRedirect => "bad-redirect",
            Self::Redirected => "redirected",
            Self::Framed => "framed",
            Self::Cancelled => "cancelled",
            Self::UserInfo => "user-info",
            Self::Data => "data-address",
            Self::Blob => "blob-address",
            Self::PrivateHost => "private-host",
            Self::Scheme => "scheme",
            Self::Malformed => "bad-address",
            Self::NoFileHost => "no-file-host",
            Self::NotListed => "not-listed",
            Self::DataBroken => "bad-data",
            Self::DataTooLong => "data-too-long",
            Self::Http(status) => return Cow::Owned(format!("http-{status}")),
            Self::Other => "unreadable-address",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_of_addresses_are_found_by_their_words() {
        for problem in AddressProblem::NAMED.into_iter().chain([AddressProblem::Http(404)]) {
            assert_eq!(AddressProblem::from_word(&problem.word()), problem);
        }
        assert_eq!(AddressProblem::from_word("http-x"), AddressProblem::Other);
        assert_eq!(ProblemCode::Address(AddressProblem::Http(503)).word(), "http-503");
    }
}
