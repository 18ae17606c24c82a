//! Why something cannot be shown: a code, what happened and where, and what to do next.

use super::intake::unpacked_name;
use super::source::{Fault, Source};
use crate::render::values::ReadError;
use traceloupe_converters::sqlite::{Database, SqliteFault};
use traceloupe_core::notice::NoticeCode;
use traceloupe_formats as formats;
use traceloupe_input::ZipFault;
use traceloupe_protocol::messages::{Problem, UNREADABLE_FILE};
use traceloupe_words as words;

/// The kinds of problems that the session reports. [`Code::word`] is stable: links, tests, bug reports and
/// messages to other windows use it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    Empty,
    UnknownFormat,
    NotATrace,
    LooksLikeHtml,
    /// The file, or what it was unpacked from, is damaged.
    Damaged(NoticeCode),
    Zip(&'static str),
    Database(&'static str),
    Stopped,
    UnreadableFile,
    Expectation,
}

impl Code {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::UnknownFormat => "unknown-format",
            Self::NotATrace => "not-a-trace",
            Self::LooksLikeHtml => "looks-like-html",
            Self::Damaged(notice) => notice.word(),
            Self::Zip(word) | Self::Database(word) => word,
            Self::Stopped => "stopped",
            Self::UnreadableFile => UNREADABLE_FILE,
            Self::Expectation => "expectation",
        }
    }

    /// The notices of decoders after which the unpacked bytes are not complete.
    pub(super) fn of_cut(notice: NoticeCode) -> Option<Self> {
        let is_cut = matches!(
            notice,
            NoticeCode::TruncatedGzip
                | NoticeCode::CorruptGzip
                | NoticeCode::TruncatedZstd
                | NoticeCode::CorruptZstd
                | NoticeCode::ZstdWindow
                | NoticeCode::TruncatedZip
                | NoticeCode::CorruptZip
                | NoticeCode::Bomb
        );
        is_cut.then_some(Self::Damaged(notice))
    }

    /// Whether the file is something else than a trace, rather than a trace that cannot be read.
    pub(super) fn is_no_trace(self) -> bool {
        matches!(
            self,
            Self::NotATrace
                | Self::UnknownFormat
                | Self::LooksLikeHtml
                | Self::Empty
                | Self::Database(_)
        )
    }

    /// What to do if nothing can be shown for this reason.
    fn next(self) -> &'static str {
        match self {
            Self::Empty => "Check that the run had finished writing when the file was copied",
            Self::LooksLikeHtml => {
                "Open the address in a tab of its own, download the trace itself, and drop it here"
            }
            Self::Damaged(NoticeCode::ZstdWindow) => "Unpack it and drop the result",
            Self::Damaged(NoticeCode::Bomb) => {
                "If you trust the file, unpack it yourself and drop its contents"
            }
            Self::Damaged(notice) if Self::of_cut(notice).is_some() => {
                "Copy or download the file again: this copy is incomplete"
            }
            Self::Stopped => "Open it again and let it be read further",
            Self::Zip(_) => "Unpack the archive yourself and drop the files that are in it",
            Self::Database(_) => {
                "Export the session as JSON with the program that wrote the database, and drop that file"
            }
            Self::UnreadableFile => OPEN_AGAIN,
            Self::UnknownFormat | Self::NotATrace | Self::Damaged(_) | Self::Expectation => {
                "Traces are JSON, JSONL or NDJSON files, also gzipped or in a zip. The list of formats on the first page says where each tool keeps them"
            }
        }
    }
}

/// How many tables of a database are named.
const SHOWN_TABLES: usize = 5;

const OPEN_AGAIN: &str = "Open the file again";

fn fault(code: Code, words: impl Into<String>) -> Fault {
    Fault { code, words: words.into() }
}

pub(super) fn html() -> Fault {
    fault(
        Code::LooksLikeHtml,
        "It is a web page, not a trace: perhaps a login or error page that was saved",
    )
}

pub(super) fn binary() -> Fault {
    fault(Code::NotATrace, "It is a binary file, not a trace")
}

pub(super) fn archive(zip: &ZipFault) -> Fault {
    fault(Code::Zip(zip.code()), zip.to_string())
}

pub(super) fn database(broken: &SqliteFault) -> Fault {
    fault(Code::Database(broken.code()), broken.to_string())
}

/// The database is that of another program.
pub(super) fn unknown_database(database: &Database) -> Fault {
    // Those of SQLite itself say nothing.
    let names = database.tables.iter().map(|table| table.name.as_str());
    let tables: Vec<&str> = names.filter(|name| !name.starts_with("sqlite_")).collect();
    let programs = formats::databases::known_programs();
    let named = tables.iter().take(SHOWN_TABLES).copied().collect::<Vec<_>>().join(", ");
    let tables = match tables.len() {
        0 => "without tables".to_owned(),
        n if n > SHOWN_TABLES => format!("with tables {named} and {} more", n - SHOWN_TABLES),
        _ => format!("with tables {named}"),
    };
    let log = words_of_log(database);
    let words = format!(
        "It is a SQLite database of an unknown program, {tables}{log}. The databases of {programs} are read"
    );
    fault(Code::Database("unknown-database"), words)
}

/// Where the contents of a database may be that seems to have none.
fn words_of_log(database: &Database) -> &'static str {
    match database.is_logged {
        true => {
            "; what was written last may still be in the file beside it whose name ends in -wal, which is not read"
        }
        false => "",
    }
}

/// The database has no session in which anything was said.
pub(super) fn no_session_inside(database: &Database) -> Fault {
    let damage = if database.n_broken > 0 { ", parts of which are damaged" } else { "" };
    let log = words_of_log(database);
    let words = format!("There is no session with messages in the database{damage}{log}");
    fault(Code::Empty, words)
}

pub(super) fn no_trace_inside(n_entries: usize) -> Fault {
    let words = match n_entries {
        0 => "The archive is empty".to_owned(),
        1 => "The only entry of the archive is no trace".to_owned(),
        n => format!("None of the {n} entries of the archive is a trace"),
    };
    fault(Code::NotATrace, words)
}

/// The file could not be read on, after so many bytes.
pub(super) fn unreadable_after(len_bytes: u64, reason: &str) -> Fault {
    let words = match len_bytes {
        0 => format!("The browser could not read the file: {reason}"),
        n => format!("Reading stopped after {}: {reason}", words::bytes(n)),
    };
    fault(Code::UnreadableFile, words)
}

/// The source has no record, though it was read to its end, or to where it is cut.
pub(super) fn without_records(cut: Option<Code>) -> Fault {
    match cut {
        Some(Code::Stopped) => {
            fault(Code::Stopped, "Reading was stopped before there was anything to show")
        }
        Some(Code::UnreadableFile) => fault(Code::UnreadableFile, "The file could not be read"),
        Some(code @ Code::Damaged(notice)) => fault(code, words::warning(notice)),
        Some(_) | None => {
            fault(Code::UnknownFormat, "There is no record in it that could be read as JSON")
        }
    }
}

/// Whether a notice is about a packed file, not about an entry of an archive.
pub(super) fn is_of_packed_file(notice: NoticeCode) -> bool {
    matches!(
        notice,
        NoticeCode::TruncatedGzip
            | NoticeCode::CorruptGzip
            | NoticeCode::TruncatedZstd
            | NoticeCode::CorruptZstd
    )
}

/// The notices of the framer that mean that there is nothing in the whole file.
pub(super) fn of_notice(notice: NoticeCode) -> Option<Fault> {
    match notice {
        NoticeCode::EmptyFile => Some(fault(Code::Empty, "The file is empty")),
        NoticeCode::LooksLikeHtml => Some(html()),
        NoticeCode::NotATrace => Some(fault(Code::UnknownFormat, "No JSON was found in it")),
        _ => None,
    }
}

/// The YAML notices after which there may be nothing to show.
pub(super) fn of_yaml(notice: NoticeCode, line: u32, detail: &str) -> Option<Fault> {
    match notice {
        NoticeCode::BrokenYaml => Some(fault(
            Code::Damaged(notice),
            format!("Its YAML is broken at line {line}, {detail}"),
        )),
        NoticeCode::YamlTooLong => Some(fault(Code::Damaged(notice), words::warning(notice))),
        _ => None,
    }
}

/// Bytes that were indexed cannot be read again.
pub(super) fn read_error(path: &str, reason: &str) -> ReadError {
    ReadError(format!(
        "{path} cannot be read any more: it was changed or removed after it was opened ({reason})"
    ))
}

/// A download or an export failed because a file cannot be read any more.
pub(super) fn not_made(error: &ReadError) -> Problem {
    Problem {
        code: Code::UnreadableFile.word().to_owned(),
        what: error.to_string(),
        next: OPEN_AGAIN.to_owned(),
        details: String::new(),
    }
}

/// None of the sources has events.
pub(super) fn nothing_to_show(sources: &[Source]) -> Problem {
    let mut failed: Vec<(&Source, &Fault)> =
        sources.iter().filter_map(|it| Some((it, it.problem.as_ref()?))).collect();
    // The problem of an archive stands for those of its entries,
    let containers: Vec<&str> = failed
        .iter()
        .filter(|(source, _)| source.is_container)
        .map(|(source, _)| source.path.as_str())
        .collect();
    let is_inside = |path: &str| {
        containers.iter().any(|it| path.strip_prefix(it).is_some_and(|rest| rest.starts_with('/')))
    };
    let is_unpacked = |path: &str| containers.iter().any(|it| unpacked_name(it) == path);
    failed.retain(|(source, _)| {
        // and that of a packed file for that of its unpacked bytes.
        !is_inside(&source.path) && (source.is_container || !is_unpacked(&source.path))
    });
    let code = failed.first().map(|(_, fault)| fault.code);
    let what = match failed.as_slice() {
        [] if sources.is_empty() => "There was no file to open".to_owned(),
        [] => "The file was read, but there are no events in it".to_owned(),
        [(source, fault)] => format!("{}: {}", source.path, fault.words),
        many => format!("None of the {} files could be shown", many.len()),
    };
    let details: Vec<String> = failed
        .iter()
        .map(|(source, fault)| format!("{}: {} ({})", source.path, fault.words, fault.code.word()))
        .collect();
    Problem {
        code: code.unwrap_or(Code::Empty).word().to_owned(),
        what,
        next: code.unwrap_or(Code::UnknownFormat).next().to_owned(),
        details: details.join("\n"),
    }
}
