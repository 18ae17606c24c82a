//! The kinds of problems: why something cannot be shown or done.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use traceloupe_core::notice::NoticeCode;

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
    Damaged(NoticeCode),
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
    /// Part of the page's code could not be loaded.
    Incomplete,
    /// The worker could not be started.
    NoWorker,
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
    /// The entry is packed with an unsupported method.
    Method,
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
    /// The host answered with this status.
    Http(u16),
    /// Anything else.
    Other,
}

impl ProblemCode {
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
            Self::Incomplete => "incomplete",
            Self::NoWorker => "worker",
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
            Self::Method => "zip-method",
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
    const NAMED: [Self; 14] = [
        Self::Cors,
        Self::Unreachable,
        Self::Offline,
        Self::MixedContent,
        Self::Csp,
        Self::Cut,
        Self::Cancelled,
        Self::UserInfo,
        Self::Data,
        Self::Blob,
        Self::PrivateHost,
        Self::Scheme,
        Self::Malformed,
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
            Self::Cancelled => "cancelled",
            Self::UserInfo => "user-info",
            Self::Data => "data-address",
            Self::Blob => "blob-address",
            Self::PrivateHost => "private-host",
            Self::Scheme => "scheme",
            Self::Malformed => "bad-address",
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
