//! The files that the calls of a run name, as lines: changed files first, those with the most changed lines at the top.

use std::collections::HashSet;

use crate::outline::Outline;
use traceloupe_analysis::rules::reverted_edits::{self, Edit};
use traceloupe_core::model::{EventId, EventKind, LaneId, RunId};
use traceloupe_core::tools::{Does, Purposes};
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_protocol::touched::{Access, Touch, TouchBatch};

/// The results so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FilesTouched {
    /// The number of the request.
    pub generation: u32,
    /// What it was made for: the run, the number of all rows, and whether everything had been read.
    pub of: Option<(u32, u32, bool)>,
    /// The paths as they appear in the calls.
    pub paths: Vec<String>,
    /// The calls, in the order of events.
    pub touches: Vec<Touch>,
    /// The commands that were run.
    pub commands: Vec<String>,
    /// The calls that run a command: event id and index of the command.
    pub ran: Vec<(u32, u32)>,
    /// The calls that run `git commit`: event ids.
    pub commits: Vec<u32>,
    /// How many calls could not be read.
    pub n_unread: u32,
    /// Whether all calls have been looked at.
    pub done: bool,
}

impl FilesTouched {
    /// Adds a batch of results. Batches of other requests are ignored.
    pub fn add(&mut self, batch: TouchBatch) {
        if batch.generation == self.generation {
            self.paths.extend(batch.paths);
            self.touches.extend(batch.touches);
            self.commands.extend(batch.commands);
            self.ran.extend(batch.ran);
            self.commits.extend(batch.commits);
            self.n_unread += batch.n_unread;
            self.done = batch.done;
        }
    }
}

/// A file with the calls that name it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FileLine {
    /// The whole path.
    pub path: String,
    /// How many calls change it.
    pub n_changes: u32,
    /// How many calls name it without changing it, among them those that would have changed it but failed or were
    /// rejected.
    pub n_others: u32,
    /// How many lines were added. The earlier content of an overwritten file is unknown, so its lines are not counted.
    pub added: u32,
    /// How many lines were removed.
    pub removed: u32,
    /// Whether the first call that names it writes the whole file.
    pub is_new: bool,
    /// How many calls restore what an earlier edit had replaced.
    pub n_undone: u32,
    /// Whether a call that did not fail has named it so far.
    was_there: bool,
    /// The calls with their rows, in run order.
    pub calls: Vec<(u32, Touch)>,
}

/// How many rows of a run are searched for such a tool.
const LOOKED_AT: u32 = 5_000;

/// Whether calls of a run may name files, judging by the names of its tools.
#[must_use]
pub fn may_name_files(outline: &Outline, run: &RunLine) -> bool {
    has_tool(outline, run, |name| Purposes::guessed(name).has(Does::Files))
}

/// Whether the first rows of a run contain a call of a tool with a matching name.
pub(super) fn has_tool(outline: &Outline, run: &RunLine, fits: impl Fn(&str) -> bool) -> bool {
    let rows = &outline.rows;
    let mut before = None;
    (run.first_row..run.first_row + run.n_rows.min(LOOKED_AT)).any(|row| {
        let name = rows.names.get(row);
        if rows.kinds.get(row) != EventKind::ToolCall as u8 || before == Some(name) {
            return false;
        }
        before = Some(name);
        fits(outline.name(name))
    })
}

/// What is known of a call that names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CallRow {
    /// Its row.
    pub row: u32,
    /// Whether it failed.
    pub has_failed: bool,
    /// Whether it failed or was stopped, so it changed nothing.
    pub has_no_effect: bool,
    /// Whether its tool works on folders, judging by its name.
    pub is_of_folders: bool,
}

impl CallRow {
    /// The call of this event.
    #[must_use]
    pub fn of(outline: &Outline, id: u32) -> Option<Self> {
        let row = outline.row_of(id)?;
        let name = outline.name(outline.rows.names.get(row));
        let outcome = outline.rows.outcome(row);
        Some(Self {
            row,
            has_failed: outcome.is_error(),
            has_no_effect: outcome.is_error() || outcome.is_stopped(),
            is_of_folders: Purposes::guessed(name).has(Does::Folders),
        })
    }

    /// The call of this event, if the event belongs to the run.
    #[must_use]
    pub fn of_run(outline: &Outline, run: u32, id: u32) -> Option<Self> {
        let is_here = |it: &Self| outline.run_of(it.row).is_some_and(|of| of.0 == run);
        Self::of(outline, id).filter(is_here)
    }
}

/// The lines, and the common folder of all absolute paths (empty if there is none). Calls for which `call_of` returns
/// `None` are left out.
#[must_use]
pub fn file_lines(
    found: &FilesTouched,
    call_of: impl Fn(u32) -> Option<CallRow>,
) -> (Vec<FileLine>, String) {
    let line = |path: &String| FileLine { path: path.clone(), ..FileLine::default() };
    let mut lines: Vec<FileLine> = found.paths.iter().map(line).collect();
    for touch in &found.touches {
        let (Some(line), Some(call)) = (lines.get_mut(touch.path as usize), call_of(touch.id))
        else {
            continue;
        };
        if touch.access == Access::Names && call.is_of_folders {
            continue;
        }
        line.calls.push((call.row, *touch));
        if touch.access == Access::Names || call.has_no_effect {
            line.n_others += 1;
            // A failed read means that the file did not exist.
            line.was_there |= touch.access == Access::Names && !call.has_failed;
            continue;
        }
        let was_there = std::mem::replace(&mut line.was_there, true);
        line.is_new |= touch.access == Access::Writes && !was_there;
        line.n_changes += 1;
        if touch.access != Access::Writes || !was_there {
            line.added = line.added.saturating_add(touch.added);
        }
        line.removed = line.removed.saturating_add(touch.removed);
        line.n_undone += u32::from(touch.undoes);
    }
    let folders = folders(&lines);
    lines.retain(|line| {
        let is_folder = line.n_changes == 0
            && (line.path.ends_with(['/', '\\', '.']) || folders.contains(line.path.as_str()));
        !line.calls.is_empty() && !is_folder
    });
    traceloupe_core::sorting::sort_by_key(&mut lines, |line| {
        let n_lines = line.added.saturating_add(line.removed);
        let rank = (line.n_changes == 0, u32::MAX - n_lines, u32::MAX - line.n_changes);
        (rank, u32::MAX - line.n_others, line.path.clone())
    });
    let folder = common_folder(&lines);
    (lines, folder)
}

/// The files of a run with edits that restore what an earlier edit had replaced. Failed calls are left out.
#[must_use]
pub fn put_back(outline: &Outline, run: u32, found: &FilesTouched) -> Vec<FindingLine> {
    let edit = |touch: &Touch| {
        let call = CallRow::of_run(outline, run, touch.id).filter(|call| !call.has_no_effect)?;
        Some(Edit {
            event: EventId::from_index(touch.id as usize),
            lane: LaneId::from_index(usize::from(outline.rows.lanes.get(call.row))),
            path: found.paths.get(touch.path as usize)?,
        })
    };
    let edits = found.touches.iter().filter(|it| it.undoes).filter_map(edit);
    let found = reverted_edits::find(RunId::from_index(run as usize), edits);
    found.iter().map(|it| outline.line_of(it)).collect()
}

/// The folders that contain the files.
fn folders(lines: &[FileLine]) -> HashSet<String> {
    let mut folders = HashSet::new();
    for line in lines {
        let mut path = line.path.as_str();
        while let Some((folder, _)) = path.rsplit_once(['/', '\\']) {
            // The folders further up have been added already.
            if !folders.insert(folder.to_owned()) {
                break;
            }
            path = folder;
        }
    }
    folders
}

/// The common folder of all absolute paths, with its trailing separator.
fn common_folder(lines: &[FileLine]) -> String {
    let mut absolute = lines.iter().map(|line| line.path.as_str()).filter(|it| is_absolute(it));
    let Some(first) = absolute.next() else { return String::new() };
    let folder_of = |path: &str| path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let mut len = folder_of(first);
    let mut n = 1;
    for path in absolute {
        n += 1;
        let same = first.bytes().zip(path.bytes()).take(len).take_while(|(a, b)| a == b).count();
        len = first.get(..same).map_or(0, folder_of);
    }
    // The root contains everything, so it does not count.
    let folder = first.get(..len).unwrap_or_default();
    if n > 1 && folder.len() > 1 { folder.to_owned() } else { String::new() }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":\\")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_ids;
    use traceloupe_core::model::CallOutcome;
    use traceloupe_protocol::finding::Evidence;

    fn touch(id: u32, path: u32, access: Access, added: u32, removed: u32) -> Touch {
        Touch { id, path, access, added, removed, undoes: false }
    }

    #[test]
    fn edits_that_were_put_back_are_told_by_file_without_failed_ones() {
        let edit =
            |id: u32, path: u32, undoes| Touch { undoes, ..touch(id, path, Access::Edits, 1, 1) };
        let touches = [(0, 0, false), (1, 0, true), (2, 1, true), (3, 0, true), (4, 1, true)];
        let found = FilesTouched {
            paths: vec!["/src/a.ts".to_owned(), "/src/b.ts".to_owned()],
            touches: touches.into_iter().map(|(id, path, undoes)| edit(id, path, undoes)).collect(),
            ..FilesTouched::default()
        };
        let mut outline = with_ids(&[0; 6], &[9, 0, 1, 2, 3, 4]);
        let failed = |row: u32| if row == 4 { CallOutcome::Failed } else { CallOutcome::Ok } as u8;
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses = (0..6).map(failed).collect();
        let told: Vec<_> = put_back(&outline, 0, &found)
            .into_iter()
            .map(|it| (it.evidence, it.rows.as_slice().to_vec()))
            .collect();
        let edits = |path: &str| Evidence::Edits { path: path.to_owned() };
        assert_eq!(told, [(edits("/src/a.ts"), vec![2]), (edits("/src/b.ts"), vec![3, 5])]);
        assert_eq!(put_back(&outline, 1, &found), [], "calls of another run");
    }

    #[test]
    fn files_that_were_changed_most_come_first() {
        let mut found = FilesTouched { generation: 2, ..FilesTouched::default() };
        let paths = ["/p/src/a.rs", "/p/src/b.rs", "/p/c.md", "gone"].map(str::to_owned);
        found.add(TouchBatch {
            generation: 2,
            paths: paths.to_vec(),
            touches: vec![
                touch(10, 0, Access::Names, 0, 0),
                touch(11, 1, Access::Edits, 1, 0),
                touch(12, 2, Access::Writes, 5, 0),
                touch(13, 1, Access::Edits, 1, 1),
                touch(99, 3, Access::Names, 0, 0),
            ],
            ..TouchBatch::default()
        });
        found.add(TouchBatch { generation: 1, n_unread: 7, done: true, ..TouchBatch::default() });
        assert_eq!((found.n_unread, found.done), (0, false), "a batch of another request");
        let call = |id| CallRow { row: id - 10, ..CallRow::default() };
        let (lines, folder) = file_lines(&found, |id| (id < 90).then(|| call(id)));
        let said: Vec<_> = lines
            .iter()
            .map(|it| (it.path.as_str(), it.n_changes, it.n_others, it.added, it.removed))
            .collect();
        assert_eq!(
            said,
            [("/p/c.md", 1, 0, 5, 0), ("/p/src/b.rs", 2, 0, 2, 1), ("/p/src/a.rs", 0, 1, 0, 0)]
        );
        assert_eq!(folder, "/p/");
        assert_eq!(
            lines.get(1).map(|it| it.calls.iter().map(|it| it.0).collect()),
            Some(vec![1, 3])
        );
    }

    fn lines(touches: &[(&str, Access)], call_of: impl Fn(u32) -> CallRow) -> Vec<FileLine> {
        let paths = touches.iter().map(|it| it.0.to_owned()).collect::<Vec<_>>();
        let path_of = |path: &str| paths.iter().position(|it| it == path).unwrap() as u32;
        let touch = |(at, it): (u32, &(&str, Access))| {
            let added = if it.1 == Access::Names { 0 } else { 5 };
            touch(at, path_of(it.0), it.1, added, 0)
        };
        let touches = (0..).zip(touches).map(touch).collect();
        let found = FilesTouched { paths: paths.clone(), touches, ..FilesTouched::default() };
        file_lines(&found, |id| Some(call_of(id))).0
    }

    #[test]
    fn what_was_there_is_changed_and_not_new() {
        let files = |touches: &[Access], failed: u32| {
            let touches: Vec<_> = touches.iter().map(|it| ("a.rs", *it)).collect();
            let call = |row| CallRow { row, has_failed: row == failed, ..CallRow::default() };
            let line = lines(&touches, call).remove(0);
            (line.is_new, line.added)
        };
        use Access::{Edits, Names, Writes};
        assert_eq!(files(&[Writes], 9), (true, 5));
        assert_eq!(files(&[Names, Writes], 9), (false, 0));
        assert_eq!(files(&[Names, Writes], 0), (true, 5), "there was nothing to read");
        assert_eq!(files(&[Writes, Writes], 9), (true, 5));
        assert_eq!(files(&[Edits, Writes, Edits], 9), (false, 10));
    }

    #[test]
    fn a_call_that_failed_or_was_rejected_changes_no_file() {
        use Access::{Edits, Writes};
        let touches = [("a.rs", Writes), ("a.rs", Edits), ("b.rs", Edits)];
        let call = |row| CallRow { row, has_no_effect: row != 1, ..CallRow::default() };
        let found = lines(&touches, call);
        let said: Vec<_> = found
            .iter()
            .map(|it| (it.path.as_str(), it.n_changes, it.n_others, it.added, it.is_new))
            .collect();
        assert_eq!(said, [("a.rs", 1, 1, 5, false), ("b.rs", 0, 1, 0, false)]);
        assert_eq!(found[0].calls.len(), 2, "its row can still be reached");
    }

    #[test]
    fn folders_are_no_files() {
        use Access::{Names, Writes};
        let touches = [
            ("/p/src", Names),
            ("/p/src/a.rs", Names),
            ("/p/docs/", Names),
            (".", Names),
            ("/q", Names),
            ("/p", Writes),
            ("/q/build", Names),
        ];
        let call = |row| CallRow { row, is_of_folders: row == 6, ..CallRow::default() };
        let found = lines(&touches, call);
        let paths: Vec<&str> = found.iter().map(|line| line.path.as_str()).collect();
        assert_eq!(paths, ["/p", "/p/src/a.rs"]);
    }

    #[test]
    fn a_common_folder_is_a_whole_folder_of_several_files() {
        let folder = |paths: &[&str]| {
            let line = |path: &&str| FileLine { path: (*path).to_owned(), ..FileLine::default() };
            common_folder(&paths.iter().map(line).collect::<Vec<_>>())
        };
        assert_eq!(folder(&["/a/bc/d", "/a/bd/e", "rel/x"]), "/a/");
        assert_eq!(folder(&["/a/b", "/c/d"]), "");
        assert_eq!(folder(&["/a/b"]), "");
        assert_eq!(folder(&["C:\\x\\a", "C:\\x\\b\\c"]), "C:\\x\\");
        assert_eq!(folder(&["/ä/x", "/å/x"]), "");
    }
}
