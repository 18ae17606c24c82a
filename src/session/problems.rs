//! Why something cannot be shown: code, what happened and where, what to do next. One table.

use super::source::Cut;
use crate::input::ZipFault;
use crate::notice::NoticeCode;
use crate::view::wire::outline::SourceLine;
use crate::view::wire::protocol::Problem;
use crate::view::words;

type CodeAndWords = (String, String);

fn problem(code: &str, words: &str) -> CodeAndWords {
    (code.to_owned(), words.to_owned())
}

pub(super) fn zstd() -> CodeAndWords {
    problem(
        "zstd",
        "It is compressed with zstd, which is not read yet. Unpack it with `zstd -d` first",
    )
}

pub(super) fn html() -> CodeAndWords {
    problem(
        "looks-like-html",
        "It is a web page, not a trace: perhaps a login or error page that was saved",
    )
}

pub(super) fn binary() -> CodeAndWords {
    problem("not-a-trace", "It is a binary file, not a trace")
}

pub(super) fn archive(fault: &ZipFault) -> CodeAndWords {
    (fault.code().to_owned(), fault.to_string())
}

/// Whether a problem says that a file is something else than a trace, not that it cannot be read.
pub(super) fn is_no_trace(code: &str) -> bool {
    matches!(code, "not-a-trace" | "unknown-format" | "looks-like-html" | "empty")
}

pub(super) fn no_trace_inside(n_entries: usize) -> CodeAndWords {
    let words = match n_entries {
        0 => "The archive is empty".to_owned(),
        1 => "The only entry of the archive is no trace".to_owned(),
        n => format!("None of the {n} entries of the archive is a trace"),
    };
    ("not-a-trace".to_owned(), words)
}

/// Why there is no record in a file that was read to its end.
pub(super) fn without_records(cut: Option<Cut>) -> CodeAndWords {
    match cut {
        Some(Cut::Stopped) => {
            problem("stopped", "Reading was stopped before there was anything to show")
        }
        Some(Cut::Damaged(code)) => problem(code.word(), words::warning(code)),
        None => problem("unknown-format", "There is no record in it that could be read as JSON"),
    }
}

/// The notices of the framer that mean that a whole file holds nothing.
pub(super) fn of_notice(code: NoticeCode) -> Option<CodeAndWords> {
    match code {
        NoticeCode::EmptyFile => Some(problem("empty", "The file is empty")),
        NoticeCode::LooksLikeHtml => Some(html()),
        NoticeCode::NotATrace => Some(problem("unknown-format", "No JSON was found in it")),
        _ => None,
    }
}

/// The faults of YAML after which there may be nothing to show.
pub(super) fn of_yaml(code: NoticeCode, line: u32, detail: &str) -> Option<CodeAndWords> {
    match code {
        NoticeCode::BrokenYaml => {
            Some(problem(code.word(), &format!("Its YAML is broken at line {line}, {detail}")))
        }
        NoticeCode::YamlTooLong => Some(problem(code.word(), words::warning(code))),
        _ => None,
    }
}

pub(super) fn nothing_to_show(sources: &[SourceLine]) -> Problem {
    let mut leaves: Vec<&SourceLine> =
        sources.iter().filter(|source| source.problem.is_some()).collect();
    // What an archive says stands for its entries.
    let archives: Vec<String> =
        leaves.iter().filter(|it| it.is_container).map(|it| format!("{}/", it.path)).collect();
    leaves.retain(|it| !archives.iter().any(|archive| it.path.starts_with(archive)));
    // So does a file for what was to be made of it.
    let whole: Vec<&str> =
        leaves.iter().filter(|it| it.is_container).map(|it| it.path.as_str()).collect();
    leaves.retain(|it| it.is_container || !whole.contains(&it.path.as_str()));
    let code =
        leaves.first().and_then(|source| source.problem.as_ref()).map(|(code, _)| code.as_str());
    let what = match leaves.as_slice() {
        [] if sources.is_empty() => "There was no file to open".to_owned(),
        [] => "The file was read, but there are no events in it".to_owned(),
        [only] => {
            let words = only.problem.as_ref().map_or("", |(_, words)| words);
            format!("{}: {words}", only.path)
        }
        many => format!("None of the {} files could be shown", many.len()),
    };
    let next = match code {
        Some("empty") => "Check that the run had finished writing when the file was copied",
        Some("looks-like-html") => {
            "Open the address in a tab of its own, download the trace itself, and drop it here"
        }
        Some("bomb") => "If you trust the file, unpack it yourself and drop what is in it",
        Some(code) if code.starts_with("truncated-") || code.starts_with("corrupt-") => {
            "Copy or download the file again: this copy is not whole"
        }
        Some("stopped") => "Open it again and let it be read further",
        Some("zstd") => "Unpack it and drop the result",
        Some(code) if code.starts_with("zip") => {
            "Unpack the archive yourself and drop the files that are in it"
        }
        _ => {
            "Traces are JSON, JSONL or NDJSON files, also gzipped or in a zip. The list of formats on the first page says where each tool keeps them"
        }
    };
    let details = leaves
        .iter()
        .filter_map(|source| {
            let (code, words) = source.problem.as_ref()?;
            Some(format!("{}: {words} ({code})", source.path))
        })
        .collect::<Vec<_>>()
        .join("\n");
    Problem { code: code.unwrap_or("empty").to_owned(), what, next: next.to_owned(), details }
}
