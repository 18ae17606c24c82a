//! TRAIL: traces in which people labelled what is wrong, by span. Only one of its labels is about repetition. It also
//! stands for many searches in other words and for code that is written again, so the figures are printed and have no
//! floor.

use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

/// The label for needless repetition.
const LABEL: &str = "Resource Abuse";

/// Prints how the loud findings and the labels meet.
pub fn print(root: &Path) {
    // With a label and a finding, with a label only, with a finding only, with neither.
    let mut counts = [0_usize; 4];
    let mut paths: Vec<_> = std::fs::read_dir(root.join("trail")).unwrap().collect();
    paths.sort_by_key(|it| it.as_ref().unwrap().path());
    for path in paths.into_iter().map(|it| it.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(id) = name.strip_suffix(".json.gz") else { continue };
        let labels = std::fs::read(path.with_file_name(format!("{id}.labels.json"))).unwrap();
        let labels: Value = serde_json::from_slice(&labels).unwrap();
        let errors = labels["errors"].as_array().unwrap();
        let has_label = errors.iter().any(|it| it["category"] == LABEL);
        let mut text = Vec::new();
        let bytes = std::fs::read(&path).unwrap();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap();
        let session = crate::sessions::open(name.trim_end_matches(".gz"), &text);
        let is_found = session.is_some_and(|it| it.ours.iter().any(|it| it.is_loud));
        counts[match (has_label, is_found) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }] += 1;
    }
    println!(
        "\nTRAIL, traces: labelled {LABEL} and with a loud finding {}, labelled only {}, with a finding only {}, neither {}",
        counts[0], counts[1], counts[2], counts[3]
    );
}
