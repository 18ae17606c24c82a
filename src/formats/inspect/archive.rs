//! An `.eval` log as a zip: which of its entries make the log.
//!
//! A sample is one entry, `samples/<id>_epoch_<n>.json`, or since the summer of 2026 a folder of that name:
//! `sample.json` without its long lists, and `messages/`, `events/` and `attachments/` with the items of those
//! lists in chunks, each named by the number of its first item. Such a sample is put together to the one document
//! that it was before.

use std::collections::BTreeMap;

use crate::input::{Document, Piece};

/// The header and the samples, in the order in which to read them, or `None` for any other archive. A log whose
/// evaluation still runs, or was aborted, has a journal in place of the header. Of entries with the same name
/// the last one counts.
#[must_use]
pub fn documents_of_log(names: &[&str]) -> Option<Vec<Document>> {
    let last = |wanted: &str| names.iter().rposition(|name| *name == wanted);
    let header = last("header.json").or_else(|| last("_journal/start.json"))?;
    let mut samples: BTreeMap<_, Entries> = BTreeMap::new();
    for (at, name) in (0..).zip(names) {
        let Some((sample, part)) = sample_of(name) else { continue };
        let entries = samples.entry(sample).or_default();
        match part.split_once('/') {
            _ if part.is_empty() => entries.whole = Some(at),
            None if part == "sample.json" => entries.shell = Some(at),
            None if part == "metadata.json" => entries.metadata = Some(at),
            Some((list, chunk)) => {
                let list = match list {
                    "messages" => &mut entries.messages,
                    "events" => &mut entries.events,
                    "attachments" => &mut entries.attachments,
                    _ => continue,
                };
                if let Some(start) = chunk.strip_suffix(".json").and_then(|it| it.parse().ok()) {
                    list.insert(start, at);
                }
            }
            None => {}
        }
    }
    let is_log = !samples.is_empty() || last("_journal/start.json").is_some();
    let whole = |at: usize| Document {
        name: names.get(at).copied().unwrap_or_default().to_owned(),
        pieces: vec![Piece::Entry(at)],
    };
    let samples =
        samples.iter().filter_map(|(sample, entries)| match (entries.shell, entries.whole) {
            (Some(shell), _) => Some(Document {
                name: format!("samples/{}_epoch_{}", sample.1, sample.2),
                pieces: entries.pieces(shell),
            }),
            (None, whole_at) => whole_at.map(whole),
        });
    is_log.then(|| std::iter::once(whole(header)).chain(samples).collect())
}

/// The entries of a sample.
#[derive(Default)]
struct Entries {
    whole: Option<usize>,
    shell: Option<usize>,
    metadata: Option<usize>,
    messages: BTreeMap<u64, usize>,
    events: BTreeMap<u64, usize>,
    attachments: BTreeMap<u64, usize>,
}

impl Entries {
    fn pieces(&self, shell: usize) -> Vec<Piece> {
        let mut pieces = vec![Piece::Open(shell)];
        if let Some(metadata) = self.metadata {
            pieces.extend([Piece::Text("\"metadata\":"), Piece::Entry(metadata)]);
        }
        let lists = [
            ("\"events_data\":{\"messages\":[", &self.messages, "]}"),
            ("\"events\":[", &self.events, "]"),
            ("\"attachments\":[", &self.attachments, "]}"),
        ];
        for (before, chunks, after) in lists {
            pieces.push(Piece::Text(before));
            pieces.extend(chunks.values().map(|at| Piece::Items(*at)));
            pieces.push(Piece::Text(after));
        }
        pieces
    }
}

/// Id and epoch in the name of an entry of a sample, and the path in the sample's folder if it has one. Numbers
/// sort as numbers.
fn sample_of(name: &str) -> Option<((u64, &str, u64), &str)> {
    let name = name.strip_prefix("samples/")?.strip_suffix(".json").map(|_| name)?;
    let path = name.strip_prefix("samples/")?;
    // Ids may have slashes and the word in them.
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
        // Without a header the evaluation was not finished.
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
