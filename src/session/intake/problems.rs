//! Why something cannot be shown: a code, what happened and where, and what to do about it.

use crate::intake::source::{Fault, Source};
use crate::intake::unpacked_name;
use crate::render::values::ReadError;
use traceloupe_converters::sqlite::{Database, SqliteFault};
use traceloupe_core::notice::NoticeCode;
use traceloupe_formats as formats;
use traceloupe_input::ZipFault;
use traceloupe_protocol::messages::Problem;
pub(crate) use traceloupe_protocol::problem::ProblemCode as Code;
use traceloupe_protocol::problem::{DatabaseProblem, ZipProblem};
use traceloupe_words as words;

/// Decoder notices that mean that the unpacked bytes are incomplete.
pub(crate) fn of_cut(notice: NoticeCode) -> Option<Code> {
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
    is_cut.then_some(Code::Damaged(notice))
}

/// Whether the file is not a trace at all, as opposed to a trace that cannot be read.
pub(crate) fn is_no_trace(code: Code) -> bool {
    matches!(
        code,
        Code::NotATrace
            | Code::UnknownFormat
            | Code::LooksLikeHtml
            | Code::Empty
            | Code::Database(_)
    )
}

/// What the user can do if nothing can be shown for this reason.
fn next(code: Code) -> &'static str {
    match code {
        Code::Empty => "Check that the run had finished writing when the file was copied",
        Code::LooksLikeHtml => {
            "Open the address in a tab of its own, download the trace itself, and drop it here"
        }
        Code::Damaged(NoticeCode::ZstdWindow) => "Unpack it and drop the result",
        Code::Damaged(NoticeCode::Bomb) => {
            "If you trust the file, unpack it yourself and drop its contents"
        }
        Code::Damaged(notice) if of_cut(notice).is_some() => {
            "Copy or download the file again: this copy is incomplete"
        }
        Code::Stopped => "Open it again and let it be read further",
        Code::Zip(_) => "Unpack the archive yourself and drop the files that are in it",
        Code::Database(_) => {
            "Export the session as JSON with the program that wrote the database, and drop that file"
        }
        Code::UnreadableFile => OPEN_AGAIN,
        Code::UnknownFormat
        | Code::NotATrace
        | Code::Damaged(_)
        | Code::Expectation
        // The page has the text for these.
        | Code::RunNotFound
        | Code::EventNotFound
        | Code::Incomplete
        | Code::NoWorker
        | Code::OutOfMemory
        | Code::Crash
        | Code::Storage
        | Code::Address(_) => {
            "Traces are JSON, JSONL or NDJSON files, also gzipped or in a zip. The list of formats on the first page says where each tool keeps them"
        }
    }
}

/// How many tables of a database are named.
const SHOWN_TABLES: usize = 5;

const OPEN_AGAIN: &str = "Open the file again";

fn fault(code: Code, words: impl Into<String>) -> Fault {
    Fault { code, words: words.into() }
}

pub(crate) fn html() -> Fault {
    fault(
        Code::LooksLikeHtml,
        "It is a web page, not a trace: perhaps a login or error page that was saved",
    )
}

pub(crate) fn binary() -> Fault {
    fault(Code::NotATrace, "It is a binary file, not a trace")
}

pub(crate) fn archive(zip: &ZipFault) -> Fault {
    let code = match zip {
        ZipFault::NoDirectory => ZipProblem::NoDirectory,
        ZipFault::BrokenDirectory => ZipProblem::BrokenDirectory,
        ZipFault::Encrypted => ZipProblem::Encrypted,
        ZipFault::Method(_) => ZipProblem::Method,
        ZipFault::Io(_) => ZipProblem::Unreadable,
    };
    fault(Code::Zip(code), zip.to_string())
}

pub(crate) fn database(broken: &SqliteFault) -> Fault {
    let code = match broken {
        SqliteFault::BrokenHeader => DatabaseProblem::BrokenHeader,
        SqliteFault::BrokenSchema => DatabaseProblem::BrokenSchema,
        SqliteFault::Io(_) => DatabaseProblem::Unreadable,
    };
    fault(Code::Database(code), broken.to_string())
}

/// The database belongs to an unknown program.
pub(crate) fn unknown_database(database: &Database) -> Fault {
    // SQLite's own tables say nothing about the program.
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
    fault(Code::Database(DatabaseProblem::Unknown), words)
}

/// Where the contents of an apparently empty database may be.
fn words_of_log(database: &Database) -> &'static str {
    match database.is_logged {
        true => {
            "; what was written last may still be in the file beside it whose name ends in -wal, which is not read"
        }
        false => "",
    }
}

/// The database has no session with any messages.
pub(crate) fn no_session_inside(database: &Database) -> Fault {
    let damage = if database.n_broken > 0 { ", parts of which are damaged" } else { "" };
    let log = words_of_log(database);
    let words = format!("There is no session with messages in the database{damage}{log}");
    fault(Code::Empty, words)
}

pub(crate) fn no_trace_inside(n_entries: usize) -> Fault {
    let words = match n_entries {
        0 => "The archive is empty".to_owned(),
        1 => "The only entry of the archive is no trace".to_owned(),
        n => format!("None of the {n} entries of the archive is a trace"),
    };
    fault(Code::NotATrace, words)
}

/// The file could not be read beyond this many bytes.
pub(crate) fn unreadable_after(len_bytes: u64, reason: &str) -> Fault {
    let words = match len_bytes {
        0 => format!("The browser could not read the file: {reason}"),
        n => format!("Reading stopped after {}: {reason}", words::bytes(n)),
    };
    fault(Code::UnreadableFile, words)
}

/// The source has no records, although it was read to its end or to where it was truncated.
pub(crate) fn without_records(cut: Option<Code>) -> Fault {
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

/// Whether a notice is about a packed file, as opposed to an entry of an archive.
pub(crate) fn is_of_packed_file(notice: NoticeCode) -> bool {
    matches!(
        notice,
        NoticeCode::TruncatedGzip
            | NoticeCode::CorruptGzip
            | NoticeCode::TruncatedZstd
            | NoticeCode::CorruptZstd
    )
}

/// Framer notices that mean that the whole file contains nothing.
pub(crate) fn of_notice(notice: NoticeCode) -> Option<Fault> {
    match notice {
        NoticeCode::EmptyFile => Some(fault(Code::Empty, "The file is empty")),
        NoticeCode::LooksLikeHtml => Some(html()),
        NoticeCode::NotATrace => Some(fault(Code::UnknownFormat, "No JSON was found in it")),
        _ => None,
    }
}

/// YAML notices after which there may be nothing to show.
pub(crate) fn of_yaml(notice: NoticeCode, line: u32, detail: &str) -> Option<Fault> {
    match notice {
        NoticeCode::BrokenYaml => Some(fault(
            Code::Damaged(notice),
            format!("Its YAML is broken at line {line}, {detail}"),
        )),
        NoticeCode::YamlTooLong => Some(fault(Code::Damaged(notice), words::warning(notice))),
        _ => None,
    }
}

/// Indexed bytes cannot be read again.
pub(crate) fn read_error(path: &str, reason: &str) -> ReadError {
    ReadError(format!(
        "{path} cannot be read any more: it was changed or removed after it was opened ({reason})"
    ))
}

/// A download or an export failed because a file can no longer be read.
pub(crate) fn not_made(error: &ReadError) -> Problem {
    Problem {
        code: Code::UnreadableFile,
        what: error.to_string(),
        next: OPEN_AGAIN.to_owned(),
        details: String::new(),
    }
}

/// None of the sources has events.
pub(crate) fn nothing_to_show(sources: &[Source]) -> Problem {
    let mut failed: Vec<(&Source, &Fault)> =
        sources.iter().filter_map(|it| Some((it, it.problem.as_ref()?))).collect();
    // The problem of an archive replaces those of its entries.
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
        // The problem of a packed file replaces that of its unpacked bytes.
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
        code: code.unwrap_or(Code::Empty),
        what,
        next: next(code.unwrap_or(Code::UnknownFormat)).to_owned(),
        details: details.join("\n"),
    }
}
