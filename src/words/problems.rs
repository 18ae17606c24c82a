//! The sentences for problems: what happened and where, what to do next, and details.

use std::borrow::Cow;

use traceloupe_core::other_file::OtherFile;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_protocol::annotations::TargetMiss;
use traceloupe_protocol::problem::{
    AddressProblem, DatabaseProblem, LinkMiss, Problem, ProblemCode, ReadError, SourceFault,
    ZipProblem,
};

use crate::{bytes, count, counted, expectations, warning};

/// What happened if there is no worker.
pub const NO_WORKER: &str = "This browser does not allow the page to start its worker";

/// What a row says whose record cannot be read any more.
pub const UNREADABLE: &str = "Not readable: the file was changed or removed after it was opened";

const OPEN_AGAIN: &str = "Open the file again";

const DOWNLOAD: &str = "Download it and drop it here";

/// What happened, and where.
#[must_use]
pub fn what_happened(problem: &Problem) -> String {
    let fixed = match problem {
        Problem::NoFiles => "There was no file to open",
        Problem::NoEvents => "The file was read, but there are no events in it",
        Problem::NothingShown(files) => {
            return match files.as_slice() {
                [(path, fault)] => format!("{path}: {}", source_fault(fault)),
                many => format!("None of the {} files could be shown", many.len()),
            };
        }
        Problem::SourceNotShown(path, fault) => {
            let could_not = match fault.code() {
                ProblemCode::UnreadableFile => "could not be read to the end",
                _ => "could not be shown",
            };
            return format!("{path} {could_not}. {}", source_fault(fault));
        }
        Problem::NotMade(error) => return read_error(error),
        Problem::Expectations(fault, _) => return expectations::what(fault).into_owned(),
        Problem::RunNotFound(key) => {
            return format!("The linked run {key} is not in this trace; its first run is shown");
        }
        Problem::EventNotFound(miss) => link_miss(*miss),
        Problem::OtherFile(name, len_bytes) => {
            return format!("The link is about another file: {name} ({})", bytes(*len_bytes));
        }
        Problem::FilesSkipped(n) => {
            let skipped = counted(u64::from(*n), "file or folder", "files or folders");
            return format!("Skipped {skipped} that could not be read");
        }
        Problem::CharsReplaced(n) => {
            let replaced = counted(u64::from(*n), "character is U+FFFD", "characters are U+FFFD");
            return format!("In the trace at the end of this HTML file, {replaced}");
        }
        Problem::LeftOut(files) => return left_out(files),
        Problem::NotTraces(files) => return not_traces(files),
        Problem::NoAgent { n_runs, n_events, is_records } => {
            return no_agent(*n_runs, *n_events, *is_records);
        }
        Problem::Incomplete { .. } => "Part of this page could not be loaded",
        Problem::NoWorker(_) => NO_WORKER,
        Problem::WorkerRefused(_) => {
            "The security policy of the site that serves this page does not allow its worker"
        }
        Problem::OutOfMemory(_) => "The trace needs more memory than this browser tab can use",
        Problem::Crash(_) => {
            "The worker crashed. This is a bug in Traceloupe, not a problem with your file"
        }
        Problem::Storage => {
            "The browser could not store your annotation: its storage is full or blocked"
        }
        Problem::Address { problem, host, .. } => return address_problem(*problem, host),
    };
    fixed.to_owned()
}

/// What to do next.
#[must_use]
pub fn what_to_do(problem: &Problem) -> Cow<'_, str> {
    Cow::Borrowed(match problem {
        Problem::NoFiles | Problem::NoEvents => KINDS_OF_FILES,
        Problem::NothingShown(files) => {
            files.first().map_or(KINDS_OF_FILES, |(_, fault)| after_fault(fault))
        }
        Problem::SourceNotShown(..) => "Everything else is shown below",
        Problem::NotMade(_) => OPEN_AGAIN,
        Problem::Expectations(fault, _) => expectations::next(fault),
        Problem::RunNotFound(_) => "The link may have been made for other files",
        Problem::EventNotFound(_) => "The link may have been made for another copy of the file",
        Problem::OtherFile(..) => "Open that file to see what the link shows",
        Problem::FilesSkipped(_) => "Everything else is open",
        Problem::CharsReplaced(_) => {
            "HTML cannot hold NUL and invalid UTF-8. To see the bytes of the trace, open it itself"
        }
        Problem::LeftOut(_) => "To open one anyway, drop it by itself",
        Problem::NotTraces(_) => "Everything else is shown below",
        Problem::NoAgent { is_records: true, .. } => {
            "Times, names and messages are guesses; choose the meaning of the keys under \u{201c}About this trace\u{201d}"
        }
        Problem::NoAgent { is_records: false, .. } => {
            "If an agent ran, its part of the trace may be in another file"
        }
        Problem::Incomplete { remedy, .. } => remedy.trim_end_matches('.'),
        Problem::WorkerRefused(_) => {
            "Its Content-Security-Policy must allow worker-src blob:, as the policy in index.html does"
        }
        Problem::NoWorker(_) => "Open the page in a window of its own, or in another browser",
        Problem::OutOfMemory(_) => {
            "Split the file, or open only the run that you need; the page itself still works"
        }
        Problem::Crash(_) => {
            "Open the file again, or another one; the page itself still works. Please report it with the details below"
        }
        Problem::Storage => {
            "It will be lost when this page is closed; download the annotations first"
        }
        Problem::Address { problem, .. } => return address_remedy(*problem).into(),
    })
}

/// Details, shown on request; may be empty.
#[must_use]
pub fn details(problem: &Problem) -> String {
    match problem {
        Problem::NothingShown(files) | Problem::NotTraces(files) => {
            let lines = files.iter().map(|(path, fault)| {
                format!("{path}: {} ({})", source_fault(fault), fault.code().word())
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Problem::Expectations(_, place) => expectations::place(place).into_owned(),
        Problem::Incomplete { error: words, .. }
        | Problem::NoWorker(words)
        | Problem::WorkerRefused(words)
        | Problem::OutOfMemory(words)
        | Problem::Crash(words)
        | Problem::Address { url: words, .. } => words.clone(),
        Problem::NoFiles
        | Problem::NoEvents
        | Problem::SourceNotShown(..)
        | Problem::NotMade(_)
        | Problem::RunNotFound(_)
        | Problem::EventNotFound(_)
        | Problem::OtherFile(..)
        | Problem::FilesSkipped(_)
        | Problem::CharsReplaced(_)
        | Problem::LeftOut(_)
        | Problem::NoAgent { .. }
        | Problem::Storage => String::new(),
    }
}

/// Files that were left out because of their endings. Files without an ending were beyond a limit.
fn left_out(files: &[(String, u32)]) -> String {
    const MAX_NAMED: usize = 6;
    let n = files.iter().map(|(_, n)| u64::from(*n)).sum();
    let kinds = files.iter().map(|(ending, n)| match ending.as_str() {
        "" => format!("{} beyond the limit", count(u64::from(*n))),
        ending => format!("{} .{ending}", count(u64::from(*n))),
    });
    let mut kinds: Vec<String> = kinds.collect();
    if kinds.len() > MAX_NAMED {
        kinds.truncate(MAX_NAMED);
        kinds.push("others".to_owned());
    }
    format!("Left out {} ({})", files_of(n), kinds.join(", "))
}

/// Files that hold no trace, beside others that are shown.
fn not_traces(files: &[(String, SourceFault)]) -> String {
    const MAX_NAMED: usize = 4;
    match files {
        [(path, fault)] => format!("{path} is not shown. {}", source_fault(fault)),
        many => {
            let named = many.iter().take(MAX_NAMED).map(|(path, _)| path.as_str());
            let more = if many.len() > MAX_NAMED { ", \u{2026}" } else { "" };
            let named = named.collect::<Vec<_>>().join(", ");
            format!("{} hold no agent trace: {named}{more}", files_of(many.len() as u64))
        }
    }
}

/// A trace that does not describe an agent.
fn no_agent(n_runs: u64, n_events: u64, is_records: bool) -> String {
    match is_records {
        true => {
            let records = counted(n_events, "record is", "records are");
            format!("No agent trace was recognized. Its {records} shown as they are")
        }
        false => {
            let traces = counted(n_runs, "trace has", "traces have");
            format!("No LLM call or tool call was found: {traces} other events only")
        }
    }
}

fn files_of(n: u64) -> String {
    counted(n, "file", "files")
}

/// What a file is, with its article.
fn other_file(kind: OtherFile) -> &'static str {
    match kind {
        OtherFile::PackageManifest => "the manifest of an npm package",
        OtherFile::PackageLock => "a lock file of a package manager",
        OtherFile::TypeScriptSettings => "a TypeScript configuration",
        OtherFile::SourceMap => "a source map",
        OtherFile::BillOfMaterials => "a software bill of materials (SBOM)",
        OtherFile::GeoJson => "a map in GeoJSON",
        OtherFile::ChromeTrace => "a performance trace in the Trace Event Format of Chrome",
        OtherFile::CpuProfile => "a CPU profile of V8",
        OtherFile::HeapSnapshot => "a heap snapshot of V8",
        OtherFile::FirefoxProfile => "a profile of the Firefox Profiler",
        OtherFile::SpeedscopeProfile => "a profile of speedscope",
        OtherFile::LighthouseReport => "a Lighthouse report",
        OtherFile::Sarif => "a SARIF report of static analysis",
        OtherFile::EslintReport => "an ESLint report",
        OtherFile::Notebook => "a Jupyter notebook",
        OtherFile::PlaywrightTrace => "a Playwright trace of a browser",
        OtherFile::PlaywrightReport => "a Playwright test report",
        OtherFile::JestReport => "a Jest or Vitest test report",
        OtherFile::TestReport => "a test report",
        OtherFile::CoverageReport => "a code coverage report",
        OtherFile::OtlpMetrics => "a file of OpenTelemetry metrics",
        OtherFile::OpenApi => "an OpenAPI description",
        OtherFile::JsonSchema => "a JSON Schema",
        OtherFile::KubernetesResource => "a Kubernetes resource",
        OtherFile::GithubWorkflow => "a GitHub Actions workflow",
        OtherFile::TerraformState => "a Terraform state",
    }
}

const KINDS_OF_FILES: &str = "Traces are JSON, JSONL or NDJSON files, optionally gzipped or zipped. The list of formats on the start page shows where each tool stores them";

/// Why nothing of a source can be shown, or not all of it.
#[must_use]
pub fn source_fault(fault: &SourceFault) -> String {
    let fixed = match fault {
        SourceFault::EmptyFile => "The file is empty",
        SourceFault::WebPage => {
            "It is a web page, not a trace: perhaps a login or error page that was saved"
        }
        SourceFault::Binary => "It is a binary file, not a trace",
        SourceFault::OtherFile(kind) => {
            return format!("It is {}. There is no agent trace in it", other_file(*kind));
        }
        SourceFault::NoJson => "It contains no JSON",
        SourceFault::NoRecord => "None of its records could be read as JSON",
        SourceFault::Zip(problem) => return zip(*problem),
        SourceFault::ZipUnreadable(reason) | SourceFault::DatabaseUnreadable(reason) => {
            return format!("The file could not be read: {reason}");
        }
        SourceFault::NoTraceInside(0) => "The archive is empty",
        SourceFault::NoTraceInside(1) => "The only entry of the archive is not a trace",
        SourceFault::NoTraceInside(n) => {
            return format!("None of the {n} entries of the archive is a trace");
        }
        SourceFault::Database(DatabaseProblem::BrokenHeader) => {
            "The header of the database is damaged"
        }
        SourceFault::Database(DatabaseProblem::BrokenSchema) => {
            "The list of the database's tables is damaged"
        }
        SourceFault::Database(DatabaseProblem::Unknown) => {
            "It is a SQLite database from an unknown program"
        }
        SourceFault::Database(DatabaseProblem::Unreadable) | SourceFault::Unreadable => {
            "The file could not be read"
        }
        SourceFault::UnknownDatabase { tables, n_tables, is_logged, programs } => {
            let (tables, log) = (with_tables(tables, *n_tables), log(*is_logged));
            let programs = listed(programs);
            return format!(
                "It is a SQLite database from an unknown program, {tables}{log}. Supported databases: {programs}"
            );
        }
        SourceFault::NoSession { is_damaged, is_logged } => {
            let damage = if *is_damaged { "; parts of it are damaged" } else { "" };
            let log = log(*is_logged);
            return format!("The database has no session with messages{damage}{log}");
        }
        SourceFault::Damaged(notice) => warning(*notice),
        SourceFault::BrokenYaml { line, detail } => {
            return format!("Its YAML is broken at line {line}, {detail}");
        }
        SourceFault::Stopped => "Reading was stopped before there was anything to show",
        SourceFault::UnreadableAfter { len_bytes: 0, reason } => {
            return format!("The browser could not read the file: {reason}");
        }
        SourceFault::UnreadableAfter { len_bytes, reason } => {
            return format!("Reading stopped after {}: {reason}", bytes(*len_bytes));
        }
    };
    fixed.to_owned()
}

/// What to do if nothing can be shown for this reason.
fn after_fault(fault: &SourceFault) -> &'static str {
    match fault {
        SourceFault::EmptyFile | SourceFault::NoSession { .. } => {
            "Check that the run had finished writing when the file was copied"
        }
        SourceFault::WebPage => {
            "Open the address in a tab of its own, download the trace itself, and drop it here"
        }
        SourceFault::Damaged(WarningCode::ZstdWindow) => "Unpack it and drop the result",
        SourceFault::Damaged(WarningCode::Bomb) => {
            "If you trust the file, unpack it yourself and drop its contents"
        }
        SourceFault::Damaged(
            WarningCode::TruncatedGzip
            | WarningCode::CorruptGzip
            | WarningCode::TruncatedZstd
            | WarningCode::CorruptZstd
            | WarningCode::TruncatedZip
            | WarningCode::CorruptZip,
        ) => "Copy or download the file again: this copy is incomplete",
        SourceFault::Stopped => "Open it again and let it load completely",
        SourceFault::Zip(_) | SourceFault::ZipUnreadable(_) => {
            "Unpack the archive yourself and drop the files that are in it"
        }
        SourceFault::Database(_)
        | SourceFault::DatabaseUnreadable(_)
        | SourceFault::UnknownDatabase { .. } => {
            "Export the session as JSON with the program that wrote the database, and drop that file"
        }
        SourceFault::Unreadable | SourceFault::UnreadableAfter { .. } => OPEN_AGAIN,
        SourceFault::OtherFile(_) => {
            "Drop the trace of the agent, or read this file as plain records"
        }
        SourceFault::Binary
        | SourceFault::NoJson
        | SourceFault::NoRecord
        | SourceFault::NoTraceInside(_)
        | SourceFault::BrokenYaml { .. }
        | SourceFault::Damaged(_) => KINDS_OF_FILES,
    }
}

fn zip(problem: ZipProblem) -> String {
    let fixed = match problem {
        ZipProblem::NoDirectory => "The archive has no directory; it was cut off or never finished",
        ZipProblem::BrokenDirectory => "The directory of the archive is broken",
        ZipProblem::Encrypted => "The entry is encrypted",
        ZipProblem::Method(method) => {
            let name = zip_method(method);
            return format!("The entry is compressed with method {method} ({name})");
        }
        ZipProblem::TooDeep(most) => {
            return format!(
                "It is packed inside {most} other files, and only that many are unpacked"
            );
        }
        ZipProblem::Unreadable => "The file could not be read",
    };
    fixed.to_owned()
}

/// The name of a compression method of zip archives.
fn zip_method(method: u16) -> &'static str {
    match method {
        9 => "deflate64",
        12 => "bzip2",
        14 => "lzma",
        95 => "xz",
        98 => "ppmd",
        _ => "unknown",
    }
}

fn with_tables(named: &[String], n_tables: u64) -> String {
    let n_more = n_tables.saturating_sub(named.len() as u64);
    let named = named.join(", ");
    match (n_tables, n_more) {
        (0, _) => "without tables".to_owned(),
        (_, 0) => format!("with tables {named}"),
        _ => format!("with tables {named} and {n_more} more"),
    }
}

/// Names with a comma between them, and `and` before the last one.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Where the contents of a database may be that seems to have none.
fn log(is_logged: bool) -> &'static str {
    match is_logged {
        true => "; recent changes may still be in the -wal file beside it, which is not read",
        false => "",
    }
}

/// Why bytes cannot be read again.
#[must_use]
pub fn read_error(error: &ReadError) -> String {
    let changed = |path: &str, reason: &str| {
        format!(
            "{path} can no longer be read: it was changed or removed after it was opened ({reason})"
        )
    };
    match error {
        ReadError::NoSuchSource => "There is no such file in this trace".to_owned(),
        ReadError::Changed(path, reason) => changed(path, reason),
        ReadError::Shorter(path) => changed(path, "the file is shorter than before"),
    }
}

/// Why the target of an annotation cannot be found.
#[must_use]
pub fn target_miss(miss: &TargetMiss) -> String {
    let fixed = match miss {
        TargetMiss::BadAddress => "the address cannot be read",
        TargetMiss::Unreadable(error) => return read_error(error),
        TargetMiss::BadRecord => "its record cannot be read",
        TargetMiss::NoRecord => "there is no such record",
        TargetMiss::NoValue => "there is no such value",
        TargetMiss::NoMessages => "this trace has no messages",
        TargetMiss::NoMessage => "there is no such message",
        TargetMiss::NoEvent => "there is no such event",
    };
    fixed.to_owned()
}

fn link_miss(miss: LinkMiss) -> &'static str {
    match miss {
        LinkMiss::Unreadable => "The event link is invalid",
        LinkMiss::NotHere => "The linked event is not in this file",
        LinkMiss::Nearest => "The linked event is not in this file; this is the nearest one",
        LinkMiss::OtherRun => {
            "The linked run is not in this trace; this event of another run has the same id"
        }
    }
}

/// Why an address could not be read.
fn address_problem(problem: AddressProblem, host: &str) -> String {
    let host = if host.is_empty() { "the address" } else { host };
    let what = match problem {
        AddressProblem::Cors => {
            "answered, but does not allow other sites to read the answer (no CORS header): the file, or an error"
        }
        AddressProblem::Unreachable => return format!("Could not reach {host}"),
        AddressProblem::Offline => return "You are offline".to_owned(),
        AddressProblem::MixedContent => {
            return format!("This page uses https and cannot fetch from {host} over http");
        }
        AddressProblem::Csp => {
            return format!("The security policy of the page that hosts this viewer blocks {host}");
        }
        AddressProblem::Cut => return format!("The connection to {host} was interrupted"),
        AddressProblem::NothingCame => {
            "answered, but nothing of the file arrived: the connection was interrupted, or the browser could not unpack the file (Content-Encoding)"
        }
        AddressProblem::NoAnswer => "has not answered for 10 seconds",
        AddressProblem::BadRedirect => {
            "redirects, and the redirect leads nowhere: to itself, or to an address that cannot be reached"
        }
        AddressProblem::Redirected => {
            "redirects, and this page is in a frame, where it follows no redirect"
        }
        AddressProblem::Framed => {
            "could not be read: it does not allow other sites to read this file (no CORS header), redirects, or cannot be reached"
        }
        AddressProblem::Cancelled => return "Stopped".to_owned(),
        AddressProblem::UserInfo => {
            return "The address contains a user name or password, which browsers refuse to send"
                .to_owned();
        }
        AddressProblem::Data => return "data: addresses cannot be opened".to_owned(),
        AddressProblem::PrivateHost => {
            "is on your own computer or network, and this page is in a frame of another site"
        }
        AddressProblem::Scheme | AddressProblem::Blob | AddressProblem::Malformed => {
            return "The link names an address that cannot be opened".to_owned();
        }
        AddressProblem::NoFileHost => "does not allow other sites to read its files",
        AddressProblem::NotListed => "has no such file in this gist or release",
        AddressProblem::DataBroken => {
            return "The trace in this link cannot be read: the link is not complete".to_owned();
        }
        AddressProblem::DataTooLong => {
            return "The trace in this link is too long for a link".to_owned();
        }
        AddressProblem::Http(status) => {
            return format!("{host} {} (HTTP {status})", http_status(status));
        }
        AddressProblem::Other => "could not be read",
    };
    format!("{host} {what}")
}

/// What a host has done that answered with this status.
fn http_status(status: u16) -> &'static str {
    match status {
        401 | 403 => "refused access to this file",
        404 => "has no such file",
        410 => "no longer has this file",
        204 | 205 => "answered without a file",
        206 => "sent only a part of the file",
        304 => "answered that the file has not changed, and did not send it",
        300..=399 => "redirects without saying where to",
        _ => "answered with an error",
    }
}

/// What to do about an address that could not be read.
fn address_remedy(problem: AddressProblem) -> String {
    let fixed = match problem {
        AddressProblem::Cors => {
            return format!(
                "{DOWNLOAD}, or host it where CORS is enabled (GitHub raw, gist, Hugging Face, S3 with CORS)"
            );
        }
        AddressProblem::Unreachable => {
            "Check the address or your connection; a content blocker can also cause this"
        }
        AddressProblem::Offline => {
            "Connect, then reload the page; files from disk open without a network"
        }
        AddressProblem::MixedContent
        | AddressProblem::Csp
        | AddressProblem::NoFileHost
        | AddressProblem::Other => DOWNLOAD,
        AddressProblem::Cut => "What has arrived is shown; reload the page to try again",
        AddressProblem::Http(206) => {
            return format!("What has arrived is shown. {DOWNLOAD} to see the rest");
        }
        AddressProblem::NoAnswer => "The rest of the link is shown; reload the page to try again",
        AddressProblem::Cancelled => "Reload the page to try again",
        AddressProblem::NothingCame | AddressProblem::BadRedirect => {
            return format!("Reload the page to try again. {DOWNLOAD}");
        }
        AddressProblem::UserInfo => return format!("{DOWNLOAD}, or leave that part out"),
        AddressProblem::Data => "Paste the trace itself, or drop it as a file",
        AddressProblem::Framed => "Open this page in a tab of its own to find out which",
        AddressProblem::PrivateHost | AddressProblem::Redirected => {
            "Open this page in a tab of its own to read from there"
        }
        AddressProblem::Scheme | AddressProblem::Blob | AddressProblem::Malformed => {
            "Addresses begin with http:// or https://, or are relative to this page"
        }
        AddressProblem::Http(401 | 403) => {
            return format!("The link may have expired, or needs a login. {DOWNLOAD}");
        }
        AddressProblem::NotListed | AddressProblem::Http(404 | 410) => "Check the address",
        AddressProblem::DataBroken => {
            "Some programs cut long links; ask for the whole link, or for the file"
        }
        AddressProblem::DataTooLong => "Ask for the file instead",
        AddressProblem::Http(_) => "Try again later",
    };
    fixed.to_owned()
}
