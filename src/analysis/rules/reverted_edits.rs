//! Edits that restore what an earlier edit had replaced: one finding per file.

use super::Rule;
use crate::{Evidence, Finding, Place, Severity, Waste};
use traceloupe_core::model::{EventId, LaneId, RunId};

/// An edit that restored something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit<'a> {
    /// The call.
    pub event: EventId,
    /// Its lane.
    pub lane: LaneId,
    /// The path of the file, as written in the call.
    pub path: &'a str,
}

/// The files in which edits were put back, in the order of the first such edits.
#[must_use]
pub fn find<'a>(run: RunId, edits: impl Iterator<Item = Edit<'a>>) -> Vec<Finding> {
    let mut files: Vec<(Edit<'a>, Vec<EventId>)> = Vec::new();
    for edit in edits {
        match files.iter_mut().find(|(first, _)| first.path == edit.path) {
            Some((_, events)) => events.push(edit.event),
            None => files.push((edit, vec![edit.event])),
        }
    }
    let finding = |(first, events): (Edit<'_>, Vec<EventId>)| {
        Some(Finding {
            rule: Rule::RevertedEdits,
            severity: Severity::Info,
            place: Place::of_events(run, first.lane, events)?,
            evidence: Evidence::Edits { path: first.path.to_owned() },
            waste: Waste::default(),
        })
    };
    files.into_iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_one_file_are_one_finding() {
        let edit =
            |(at, path)| Edit { event: EventId::from_index(at), lane: LaneId::from_index(0), path };
        let edits = [(1, "/a.rs"), (4, "/b.rs"), (7, "/a.rs")].into_iter().map(edit);
        let found = find(RunId::from_index(0), edits);
        let told: Vec<_> =
            found.iter().map(|it| (it.place.events.len(), it.evidence.clone())).collect();
        let edits = |path: &str| Evidence::Edits { path: path.to_owned() };
        assert_eq!(told, [(2, edits("/a.rs")), (1, edits("/b.rs"))]);
    }
}
