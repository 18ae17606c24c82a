//! An `.eval` log as a zip: which of its entries make the log.

use std::collections::BTreeMap;

/// The header and the samples, in the order in which to read them, or `None` for any other archive. A log whose
/// evaluation still runs, or was aborted, has a journal in place of the header. Of entries with the same name
/// the last one counts.
#[must_use]
pub fn entries_of_log(names: &[&str]) -> Option<Vec<usize>> {
    let last = |wanted: &str| names.iter().rposition(|name| *name == wanted);
    let header = last("header.json").or_else(|| last("_journal/start.json"))?;
    let samples: BTreeMap<_, _> =
        (0..).zip(names).filter_map(|(at, name)| Some((sample_of(name)?, at))).collect();
    let is_log = !samples.is_empty() || last("_journal/start.json").is_some();
    is_log.then(|| std::iter::once(header).chain(samples.into_values()).collect())
}

/// Id and epoch in the name of a sample's entry; numbers sort as numbers.
fn sample_of(name: &str) -> Option<(u64, &str, u64)> {
    let sample = name.strip_prefix("samples/")?.strip_suffix(".json")?;
    // Samples in chunks have a folder. Their events are in more entries, which are not read yet.
    let sample = sample.strip_suffix("/sample").unwrap_or(sample);
    let (id, epoch) = sample.rsplit_once("_epoch_")?;
    Some((id.parse().unwrap_or(u64::MAX), id, epoch.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(entries_of_log(&names), Some(vec![8, 3, 2, 7, 5]));
        let chunked =
            ["header.json", "samples/1_epoch_1/sample.json", "samples/1_epoch_1/events/0.json"];
        assert_eq!(entries_of_log(&chunked), Some(vec![0, 1]));
        // Without a header the evaluation was not finished.
        assert_eq!(entries_of_log(&names[..3]), Some(vec![0, 2, 1]));
        assert_eq!(entries_of_log(&["_journal/start.json"]), Some(vec![0]));
        for other in [&["a.json", "header.json"][..], &["samples/1_epoch_1.json"], &[]] {
            assert_eq!(entries_of_log(other), None);
        }
    }
}
