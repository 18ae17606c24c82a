//! An `.eval` log as a zip: the entries that make up the log.
//!
//! A sample is one entry, `samples/<id>_epoch_<n>.json`, or since summer 2026 a folder of that name: `sample.json`
//! without its long lists, and `messages/`, `events/` and `attachments/` with the items of those lists in chunks, each
//! named by the number of its first item. Such a sample is reassembled into the single document that it was before.

use traceloupe_input::{Document, Piece};

/// The entries of a sample before its lists: the whole sample, the sample without its lists, its metadata.
const PARTS: [&str; 3] = ["", "sample.json", "metadata.json"];

/// The folders of a sample, with the text before and after their items in the document.
const LISTS: [(&str, &str, &str); 3] = [
    ("messages", "\"events_data\":{\"messages\":[", "]}"),
    ("events", "\"events\":[", "]"),
    ("attachments", "\"attachments\":[", "]}"),
];

/// An entry of a sample: which part of it, counting [`PARTS`] and then [`LISTS`], and the number of its first item.
type Part = (usize, u64);

/// The header and the samples, in the order in which to read them, or `None` for any other archive. The log of an
/// evaluation that is still running or was aborted has a journal in place of the header. Of several entries with the
/// same name, the last one counts.
#[must_use]
pub fn documents_of_log(names: &[&str]) -> Option<Vec<Document>> {
    let last = |wanted: &str| names.iter().rposition(|name| *name == wanted);
    let journal = last("_journal/start.json");
    let header = last("header.json").or(journal)?;
    let mut entries = Vec::new();
    let mut is_log = journal.is_some();
    for (at, name) in names.iter().enumerate().rev() {
        let Some((sample, path)) = sample_of(name) else { continue };
        is_log = true;
        entries.extend(part_of(path).map(|part| (sample, part, at)));
    }
    traceloupe_core::sorting::sort_by_key(&mut entries, |it| (it.0, it.1));
    entries.dedup_by_key(|it| (it.0, it.1));
    let mut documents = Vec::new();
    let mut add = |name: String, pieces| documents.push(Document { name, pieces });
    let name_of = |at: usize| names.get(at).copied().unwrap_or_default().to_owned();
    add(name_of(header), vec![Piece::Entry(header)]);
    for sample in entries.chunk_by(|one, other| one.0 == other.0) {
        let entries: Vec<(Part, usize)> = sample.iter().map(|it| (it.1, it.2)).collect();
        let first = |part: usize| entries.iter().find(|it| it.0.0 == part).map(|it| it.1);
        match (first(1), first(0), sample.first()) {
            (Some(shell), _, Some(((_, id, epoch), ..))) => {
                add(format!("samples/{id}_epoch_{epoch}"), pieces(shell, first(2), &entries));
            }
            (_, Some(whole), _) => add(name_of(whole), vec![Piece::Entry(whole)]),
            _ => {}
        }
    }
    is_log.then_some(documents)
}

/// The pieces that make up the document of a chunked sample.
fn pieces(shell: usize, metadata: Option<usize>, entries: &[(Part, usize)]) -> Vec<Piece> {
    let mut pieces = vec![Piece::Open(shell)];
    if let Some(metadata) = metadata {
        pieces.extend([Piece::Text("\"metadata\":"), Piece::Entry(metadata)]);
    }
    for (part, (_, before, after)) in (PARTS.len()..).zip(LISTS) {
        pieces.push(Piece::Text(before));
        let chunks = entries.iter().filter(|it| it.0.0 == part);
        pieces.extend(chunks.map(|it| Piece::Items(it.1)));
        pieces.push(Piece::Text(after));
    }
    pieces
}

/// The part of a sample that a path in its folder stands for.
fn part_of(path: &str) -> Option<Part> {
    let Some((list, chunk)) = path.split_once('/') else {
        return PARTS.iter().position(|it| *it == path).map(|part| (part, 0));
    };
    let list = LISTS.iter().position(|it| it.0 == list)?;
    Some((PARTS.len() + list, chunk.strip_suffix(".json")?.parse().ok()?))
}

/// Id and epoch in the name of an entry of a sample, and the path in the sample's folder if it has one. Numbers
/// sort as numbers.
fn sample_of(name: &str) -> Option<((u64, &str, u64), &str)> {
    let name = name.strip_prefix("samples/")?.strip_suffix(".json").map(|_| name)?;
    let path = name.strip_prefix("samples/")?;
    // Ids may contain slashes and `_epoch_`.
    let (at, _) = path.rmatch_indices("_epoch_").find(|(at, word)| {
        let rest = path.get(at + word.len()..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        end > 0 && matches!(rest.get(end..).unwrap_or_default(), ".json")
            || rest.get(end..).is_some_and(|it| it.starts_with('/'))
    })?;
    let (id, rest) = (path.get(..at)?, path.get(at + "_epoch_".len()..)?);
    let (epoch, part) = match rest.split_once('/') {
        Some((epoch, part)) => (epoch, part),
        None => (rest.strip_suffix(".json")?, ""),
    };
    Some(((id.parse().unwrap_or(u64::MAX), id, epoch.parse().ok()?), part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Option<Vec<Vec<usize>>> {
        let documents = documents_of_log(names)?;
        let entries = |it: &Document| it.pieces.iter().filter_map(|it| it.entry()).collect();
        Some(documents.iter().map(entries).collect())
    }

    #[test]
    fn header_and_samples_are_read_in_their_order() {
        let names = [
            "_journal/start.json",
            "samples/10_epoch_1.json",
            "samples/2_epoch_2.json",
            "samples/2_epoch_1.json",
            "_journal/summaries/1.json",
            "samples/b/x_epoch_1.json",
            "summaries.json",
            "samples/10_epoch_1.json",
            "header.json",
        ];
        assert_eq!(entries(&names), Some(vec![vec![8], vec![3], vec![2], vec![7], vec![5]]));
        // Without a header, the evaluation was not finished.
        assert_eq!(entries(&names[..3]), Some(vec![vec![0], vec![2], vec![1]]));
        assert_eq!(entries(&["_journal/start.json"]), Some(vec![vec![0]]));
        for other in [&["a.json", "header.json"][..], &["samples/1_epoch_1.json"], &[]] {
            assert_eq!(entries(other), None);
        }
    }

    #[test]
    fn chunks_of_a_sample_are_in_the_order_of_their_items() {
        let names = [
            "header.json",
            "samples/a/b_epoch_1/events/10.json",
            "samples/a/b_epoch_1/events/9.json",
            "samples/a/b_epoch_1/events/stats.json",
            "samples/a/b_epoch_1/events/uuids.json",
            "samples/a/b_epoch_1/messages/0.json",
            "samples/a/b_epoch_1/calls/0.json",
            "samples/a/b_epoch_1/skeleton.json",
            "samples/a/b_epoch_1/metadata.json",
            "samples/a/b_epoch_1/sample.json",
            "samples/2_epoch_1.json",
            "samples/3_epoch_1/events/0.json",
        ];
        assert_eq!(entries(&names), Some(vec![vec![0], vec![10], vec![9, 8, 5, 2, 1]]));
        let documents = documents_of_log(&names).unwrap();
        assert_eq!(documents[2].name, "samples/a/b_epoch_1");
    }
}
