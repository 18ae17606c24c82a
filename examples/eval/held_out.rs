//! Traces that no rule was tuned on: `../shared/traces` and `../shared/misread`, in all formats. People read each place
//! with a loud finding, and places that a script without our rules found to be repeated.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::harness::files_below;
use crate::judgements::{Verdict, is_hit};
use crate::score::Score;
use crate::sessions::{Found, open};

/// A judgement of a place.
#[derive(Debug, Deserialize)]
struct Place {
    /// The path of the file below the shared folder.
    session: String,
    /// The first and the last of the calls.
    calls: Option<[u32; 2]>,
    /// The first and the last of the rows, if there are no calls.
    rows: Option<[u32; 2]>,
    judgement: Verdict,
    /// Whether the file was collected as an example of a loop.
    #[serde(default)]
    collected: bool,
    /// Why, in our own words.
    #[allow(dead_code, reason = "for those who read the file")]
    reason: String,
}

impl Place {
    fn is_hit(&self, found: &Found) -> bool {
        let of = |place: Option<[u32; 2]>, at: &[u32]| place.is_some_and(|it| is_hit(it, at));
        of(self.calls, &found.calls) || of(self.rows, &found.rows)
    }
}

/// What was measured.
#[derive(Default)]
pub struct HeldOut {
    pub loud: Score,
    pub critical: Score,
    /// Without the files that were collected as examples of loops.
    pub others: Score,
    /// Files that open, those with a loud finding, and those with one that is neither stuck nor debugging.
    pub files: [usize; 3],
}

/// Opens all files. With `lists`, prints each loud finding and each loop that none points at.
pub fn measure(traces: &Path, judgements: &Path, lists: bool) -> HeldOut {
    let root = traces.parent().unwrap();
    let list: Vec<Place> = serde_json::from_slice(&std::fs::read(judgements).unwrap()).unwrap();
    let mut places: HashMap<&str, Vec<&Place>> = HashMap::new();
    for place in &list {
        places.entry(&place.session).or_default().push(place);
    }
    let mut measured = HeldOut::default();
    for path in paths(root) {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let file = path.file_name().unwrap().to_string_lossy();
        let Some(session) = open(&file, &std::fs::read(&path).unwrap()) else { continue };
        let places = places.remove(name.as_str()).unwrap_or_default();
        measured.add(&name, &session.ours, &places, lists);
    }
    assert!(places.is_empty(), "judged, but not opened: {:?}", places.keys());
    measured
}

/// The files, without the notes on where they are from.
fn paths(root: &Path) -> Vec<PathBuf> {
    let all = ["traces", "misread"].into_iter().flat_map(|it| files_below(&root.join(it)));
    let is_note = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("SOURCES") || name == "README.md"
    };
    all.filter(|path| !is_note(path)).collect()
}

impl HeldOut {
    fn add(&mut self, name: &str, ours: &[Found], places: &[&Place], lists: bool) {
        let loud: Vec<&Found> = ours.iter().filter(|it| it.is_loud).collect();
        let is_collected = places.iter().any(|it| it.collected);
        let mut is_right = true;
        for found in &loud {
            let verdict = places.iter().find(|it| it.is_hit(found)).map(|it| it.judgement);
            is_right &= matches!(verdict, Some(Verdict::Stuck | Verdict::Debugging));
            self.loud.add(verdict);
            if found.is_critical {
                self.critical.add(verdict);
            }
            if !is_collected {
                self.others.add(verdict);
            }
            if lists {
                let (rule, calls, rows) = (&found.rule, ends(&found.calls), ends(&found.rows));
                println!("{name}\t{rule}\t{verdict:?}\tcalls {calls:?}\trows {rows:?}");
            }
        }
        for place in places.iter().filter(|it| it.judgement == Verdict::Stuck) {
            let is_found = |loud: &[&Found]| loud.iter().any(|it| place.is_hit(it));
            self.loud.count_loop(is_found(&loud));
            let critical: Vec<&Found> = loud.iter().filter(|it| it.is_critical).copied().collect();
            self.critical.count_loop(is_found(&critical));
            if !is_collected {
                self.others.count_loop(is_found(&loud));
            }
            if lists && !is_found(&loud) {
                println!("{name}\tmissed\tcalls {:?}", place.calls);
            }
        }
        self.files[0] += 1;
        self.files[1] += usize::from(!loud.is_empty());
        self.files[2] += usize::from(!loud.is_empty() && !is_right);
    }

    pub fn print(&self) {
        println!(
            "\n| Held out | stuck | debugging | wrong | not judged | precision | with debugging | recall |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
        let rows = [
            ("loud", &self.loud),
            ("critical", &self.critical),
            ("loud, files not collected as loops", &self.others),
        ];
        for (name, it) in rows {
            println!(
                "| {name} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} ({} of {}) |",
                it.stuck,
                it.debugging,
                it.wrong,
                it.unjudged,
                it.precision(),
                it.with_debugging(),
                it.recall(),
                it.hit,
                it.loops,
            );
        }
        let [all, loud, wrong] = self.files;
        println!("{all} files, {loud} with a loud finding, {wrong} with one that is wrong");
    }
}

fn ends(numbers: &[u32]) -> [Option<u32>; 2] {
    [numbers.first().copied(), numbers.last().copied()]
}
