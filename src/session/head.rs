//! Summarises the run in a file from the beginning of the file.

use super::store::MemoryStore;
use super::{AfterSource, Session};
use traceloupe_converters::sqlite::Database;
use traceloupe_core::catalog;
use traceloupe_core::model::Reading;
use traceloupe_engine::is_nameless;
use traceloupe_formats::databases;
use traceloupe_input::SQLITE_MAGIC;
use traceloupe_protocol::head::Head;
use traceloupe_protocol::messages::{Input, OpenRequest, Response};

/// Reads the beginning of a file. `is_whole` means that there are no more bytes. `likely` is the format of the previous
/// file, because the files of a folder often share one.
#[must_use]
pub fn head(index: u32, path: &str, bytes: &[u8], is_whole: bool, likely: &str) -> Head {
    let mut store = MemoryStore::default();
    let handle = store.add(bytes.to_vec());
    let input = Input { path: path.to_owned(), len_bytes: bytes.len() as u64 };
    let likely = Some(likely.to_owned()).filter(|likely| !likely.is_empty());
    let request = OpenRequest { inputs: vec![input], likely, ..OpenRequest::default() };
    let mut session = Session::new(store, request);
    let source = session.begin(path, handle);
    session.push(source, bytes);
    // Text without a zero byte may still turn out to be a trace.
    let is_cut = !is_whole && !bytes.contains(&0);
    let unread = Head { index, start_ms: f64::NAN, is_cut, ..Head::default() };
    let is_archive = session.end(source) != AfterSource::Next
        || bytes.starts_with(b"PK\x03\x04")
        || is_database(bytes);
    if is_archive {
        return Head { is_archive, is_cut: false, ..unread };
    }
    let Response::Outline(outline) = session.complete() else { return unread };
    let Some(run) = outline.runs.get(outline.run_to_read() as usize) else { return unread };
    // Records of an unknown format only count as a trace if their keys could be interpreted.
    let is_read =
        |reading: &Option<Reading>| reading.as_ref().is_some_and(|it| !it.mapping.is_plain());
    let is_plain = run.format == catalog::RECORDS.id
        && !outline.sources.iter().any(|source| is_read(&source.reading));
    if is_plain {
        return unread;
    }
    let of_whole = |n: u64| is_whole.then_some(n);
    Head {
        format: run.format.clone(),
        key: if is_nameless(&run.key) { String::new() } else { run.key.clone() },
        title: run.title.clone(),
        start_ms: run.start_ms,
        n_runs: is_whole.then(|| u32::try_from(outline.n_listed()).unwrap_or(u32::MAX)),
        n_events: of_whole(outline.runs.iter().map(|run| run.counts.events).sum()),
        is_cut: false,
        ..unread
    }
}

/// Whether a file begins like a database of a known program, as far as its beginning shows.
fn is_database(bytes: &[u8]) -> bool {
    if !bytes.starts_with(SQLITE_MAGIC) {
        return false;
    }
    match Database::open(&mut std::io::Cursor::new(bytes)) {
        Ok(database) => database.n_broken > 0 || databases::is_known(&database),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUDE: &str = concat!(
        r#"{"type":"user","sessionId":"s1","uuid":"u1","parentUuid":null,"timestamp":"2026-11-01T08:00:00Z","message":{"role":"user","content":"Mend the build"}}"#,
        "\n",
        r#"{"type":"assistant","sessionId":"s1","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-01T08:00:04Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"Done"}]}}"#,
        "\n",
    );

    #[test]
    fn a_head_has_title_start_and_producer() {
        let whole = head(3, "a/s1.jsonl", CLAUDE.as_bytes(), true, "");
        assert_eq!(
            (whole.index, whole.format.as_str(), whole.key.as_str()),
            (3, "claude-code", "s1")
        );
        assert_eq!((whole.title.as_str(), whole.n_events), ("Mend the build", Some(2)));
        assert_eq!(whole.start_ms, 1_793_520_000_000.0);
        let cut =
            head(3, "a/s1.jsonl", CLAUDE.as_bytes().get(..300).unwrap(), false, "claude-code");
        assert_eq!((cut.title.as_str(), cut.n_events), ("Mend the build", None));
        let too_short = head(3, "a/s1.jsonl", CLAUDE.as_bytes().get(..20).unwrap(), false, "");
        assert!(too_short.is_cut && !cut.is_cut && !whole.is_cut);
    }

    #[test]
    fn a_head_of_anything_else_says_so() {
        for bytes in [
            &b""[..],
            b"# Readme\n\nWords.\n",
            b"\x00\x01\x02",
            b"{\"name\":\"left-pad\",\"version\":\"1.0.0\"}",
        ] {
            let head = head(0, "x", bytes, true, "claude-code");
            assert_eq!((head.format.as_str(), head.is_archive), ("", false), "{bytes:?}");
        }
        assert!(head(0, "x.zip", b"PK\x03\x04\x14\x00", false, "").is_archive);
    }
}
