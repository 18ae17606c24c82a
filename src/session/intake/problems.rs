//! Why something cannot be shown: a code, what happened and where, and what to do about it.

use crate::intake::source::Source;
use crate::intake::unpacked_name;
use traceloupe_converters::sqlite::{Database, SqliteFault};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_formats as formats;
use traceloupe_input::ZipFault;
use traceloupe_protocol::messages::Problem;
pub(crate) use traceloupe_protocol::problem::ProblemCode as Code;
use traceloupe_protocol::problem::{DatabaseProblem, SourceFault, ZipProblem};

/// Decoder notices that mean that the unpacked bytes are incomplete.
pub(crate) fn of_cut(notice: WarningCode) -> Option<Code> {
    let is_cut = matches!(
        notice,
        WarningCode::TruncatedGzip
            | WarningCode::CorruptGzip
            | WarningCode::TruncatedZstd
            | WarningCode::CorruptZstd
            | WarningCode::ZstdWindow
            | WarningCode::TruncatedZip
            | WarningCode::CorruptZip
            | WarningCode::Bomb
    );
    is_cut.then_some(Code::Damaged(notice))
}

/// How many tables of a database are named.
const SHOWN_TABLES: usize = 5;

pub(crate) fn archive(zip: &ZipFault) -> SourceFault {
    SourceFault::Zip(match zip {
        ZipFault::NoDirectory => ZipProblem::NoDirectory,
        ZipFault::BrokenDirectory => ZipProblem::BrokenDirectory,
        ZipFault::Encrypted => ZipProblem::Encrypted,
        ZipFault::Method(method) => ZipProblem::Method(*method),
        ZipFault::Io(error) => return SourceFault::ZipUnreadable(error.to_string()),
    })
}

pub(crate) fn database(broken: &SqliteFault) -> SourceFault {
    SourceFault::Database(match broken {
        SqliteFault::BrokenHeader => DatabaseProblem::BrokenHeader,
        SqliteFault::BrokenSchema => DatabaseProblem::BrokenSchema,
        SqliteFault::Io(error) => return SourceFault::DatabaseUnreadable(error.to_string()),
    })
}

/// The database is that of another program.
pub(crate) fn unknown_database(database: &Database) -> SourceFault {
    // SQLite's own tables say nothing about the program.
    let names = database.tables.iter().map(|table| table.name.as_str());
    let tables: Vec<&str> = names.filter(|name| !name.starts_with("sqlite_")).collect();
    let programs = formats::databases::known_programs();
    SourceFault::UnknownDatabase {
        n_tables: tables.len() as u64,
        tables: tables.into_iter().take(SHOWN_TABLES).map(str::to_owned).collect(),
        is_logged: database.is_logged,
        programs: programs.into_iter().map(str::to_owned).collect(),
    }
}

/// The database has no session in which anything was said.
pub(crate) fn no_session_inside(database: &Database) -> SourceFault {
    SourceFault::NoSession { is_damaged: database.n_broken > 0, is_logged: database.is_logged }
}

/// The source has no record, though it was read to its end, or to where it is cut.
pub(crate) fn without_records(cut: Option<Code>) -> SourceFault {
    match cut {
        Some(Code::Stopped) => SourceFault::Stopped,
        Some(Code::UnreadableFile) => SourceFault::Unreadable,
        Some(Code::Damaged(notice)) => SourceFault::Damaged(notice),
        Some(_) | None => SourceFault::NoRecord,
    }
}

/// Whether a notice is about a packed file, as opposed to an entry of an archive.
pub(crate) fn is_of_packed_file(notice: WarningCode) -> bool {
    matches!(
        notice,
        WarningCode::TruncatedGzip
            | WarningCode::CorruptGzip
            | WarningCode::TruncatedZstd
            | WarningCode::CorruptZstd
    )
}

/// The notices of the framer that mean that there is nothing in the whole file.
pub(crate) fn of_notice(notice: WarningCode) -> Option<SourceFault> {
    match notice {
        WarningCode::EmptyFile => Some(SourceFault::EmptyFile),
        WarningCode::LooksLikeHtml => Some(SourceFault::WebPage),
        WarningCode::NotATrace => Some(SourceFault::NoJson),
        _ => None,
    }
}

/// The YAML notices after which there may be nothing to show.
pub(crate) fn of_yaml(notice: WarningCode, line: u32, detail: &str) -> Option<SourceFault> {
    match notice {
        WarningCode::BrokenYaml => {
            Some(SourceFault::BrokenYaml { line, detail: detail.to_owned() })
        }
        WarningCode::YamlTooLong => Some(SourceFault::Damaged(notice)),
        _ => None,
    }
}

/// None of the sources has events.
pub(crate) fn nothing_to_show(sources: &[Source]) -> Problem {
    let mut failed: Vec<(&Source, &SourceFault)> =
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
    let named = |(source, fault): &(&Source, &SourceFault)| (source.path.clone(), (*fault).clone());
    match failed.as_slice() {
        [] if sources.is_empty() => Problem::NoFiles,
        [] => Problem::NoEvents,
        failed => Problem::NothingShown(failed.iter().map(named).collect()),
    }
}
