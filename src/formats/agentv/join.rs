//! Joins the files of one run, even if a file holds only a part of what identifies the run.
//!
//! Files with the same trace id belong to one run from the start. In addition: the files of a run's folder (recognised
//! by AgentV's file names), files that a row names, and a folder that has the name of a row's test.

use super::finish::{retitle, settle_run};
use traceloupe_core::catalog::AGENTV;
use traceloupe_core::model::{
    EventId, FactKind, Link, RunId, RunNote, SourceId, TraceBuilder, fact_text, key_hash,
};
use traceloupe_core::sorting::Index;
use traceloupe_engine::weave::{file_key, named_files};

/// The names that AgentV gives to the files of one run.
const RUN_FILES: &str = "EVAL.yaml targets.yaml trace.json transcript.json transcript.jsonl transcript-raw.jsonl \
    transcript-raw.json grading.json metrics.json timing.json result.json answer.json";

/// Joins the runs that belong together.
pub(super) fn join(out: &mut TraceBuilder) {
    let links = named_files(AGENTV.id, out);
    let n_runs = out.trace().runs().len();
    let (files, events) = files_and_events(out);
    let mut runs = Runs { into: (0..n_runs).collect(), is_joined: vec![false; n_runs], files };
    runs.by_folder(out);
    let rows = runs.by_name(&links, out);
    runs.by_test(&rows, out);
    for row in rows {
        if runs.is_joined.get(row) == Some(&false)
            && runs.files.at(row as u64).len() == 1
            && let Some(path) = fact(row, &FactKind::TraceFile, out)
        {
            let note = RunNote::TraceNotOpened(path.to_string());
            out.run_mut(RunId::from_index(row)).notes.push(note);
        }
    }
    let mut events_of: Vec<Vec<EventId>> = vec![Vec::new(); n_runs];
    for (run, event) in events {
        if let Some(events) = events_of.get_mut(runs.root(run)) {
            events.push(event);
        }
    }
    for run in 0..n_runs {
        out.merge_runs(RunId::from_index(run), RunId::from_index(runs.root(run)));
    }
    for (run, events) in events_of.iter().enumerate().filter(|it| !it.1.is_empty()) {
        settle_run(events, out);
        retitle(run, out);
    }
}

/// The files of each run, and the events of all of them.
fn files_and_events(out: &TraceBuilder) -> (Index, Vec<(usize, EventId)>) {
    let (mut files, mut events) = (Vec::new(), Vec::new());
    for (at, event) in out.trace().events().iter().enumerate() {
        if out.trace().run(event.run).is_none_or(|run| run.format != AGENTV.id) {
            continue;
        }
        events.push((event.run.index(), EventId::from_index(at)));
        for place in out.trace().places(event) {
            let file = (event.run.index() as u64, place.span.source.index());
            if files.last() != Some(&file) {
                files.push(file);
            }
        }
    }
    (Index::new(files), events)
}

/// A fact about a run.
pub(super) fn fact<'o>(run: usize, kind: &FactKind, out: &'o TraceBuilder) -> Option<&'o str> {
    fact_text(&out.trace().runs().get(run)?.facts, kind)
}

/// The path of a file.
fn path_of(file: usize, out: &TraceBuilder) -> &str {
    out.path(SourceId::from_index(file))
}

/// The folder of a run's file, without the `outputs` or `task` in it; empty if AgentV does not use the file's name.
fn run_folder(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !RUN_FILES.split(' ').any(|it| it == name) {
        return "";
    }
    ["/outputs", "/task"].iter().find_map(|inner| folder.strip_suffix(inner)).unwrap_or(folder)
}

/// Which runs are the same; the first of them stays.
struct Runs {
    /// For each run, itself or an earlier run that it is a part of.
    into: Vec<usize>,
    /// Whether a run was joined with others.
    is_joined: Vec<bool>,
    /// The files of each run.
    files: Index,
}

impl Runs {
    fn root(&self, run: usize) -> usize {
        let mut at = run;
        while let Some(next) = self.into.get(at).filter(|next| **next != at) {
            at = *next;
        }
        at
    }

    fn unite(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        for run in [one, other] {
            if let Some(is_joined) = self.is_joined.get_mut(run) {
                *is_joined = true;
            }
        }
        let (one, other) = (self.root(one), self.root(other));
        if let Some(into) = self.into.get_mut(one.max(other)) {
            *into = one.min(other);
        }
    }

    /// The files of one folder are one run, unless they have several trace ids.
    fn by_folder(&mut self, out: &TraceBuilder) {
        let turned = |(run, file): &(u64, usize)| (*file as u64, *run as usize);
        let runs_of = Index::new(self.files.pairs().iter().map(turned).collect());
        let mut folders = Vec::new();
        for (run, file) in self.files.pairs() {
            let folder = run_folder(path_of(*file, out));
            if !folder.is_empty() && runs_of.at(*file as u64).len() == 1 {
                folders.push((key_hash(&[folder]), *run as usize));
            }
        }
        for runs in Index::new(folders).groups() {
            let mut ids = runs.iter().filter_map(|(_, run)| fact(*run, &FactKind::TraceId, out));
            let first = ids.next();
            if ids.all(|id| Some(id) == first) {
                for (_, run) in runs {
                    self.unite(runs.first().map_or(*run, |first| first.1), *run);
                }
            }
        }
    }

    /// A row names the files of its run. Returns the rows that name any.
    fn by_name(&mut self, links: &[Link], out: &TraceBuilder) -> Vec<usize> {
        let mut named = Vec::new();
        for (run, file) in self.files.pairs() {
            // A path, and what is left of it without its first folders.
            let path = path_of(*file, out);
            let behind = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
            let endings = std::iter::once(path).chain(behind).take(32);
            named.extend(endings.map(|ending| (file_key(ending), *run as usize)));
        }
        let named = Index::new(named);
        let mut rows = Vec::new();
        for Link { key, event, .. } in links {
            let Some(row) = out.trace().event(*event).map(|event| event.run.index()) else {
                continue;
            };
            rows.push(row);
            // Several folders of results may have files of the same name: then their own ids must decide.
            let mut others = named.at(*key).iter().filter(|it| it.1 != row);
            if let (Some((_, only)), None) = (others.next(), others.next()) {
                self.unite(row, *only);
            }
        }
        traceloupe_core::sorting::sort(&mut rows);
        rows.dedup();
        rows
    }

    /// A folder below that of the rows has the name of one row's test.
    fn by_test(&mut self, rows: &[usize], out: &TraceBuilder) {
        let keyed = |row: &usize| Some((key_hash(&[fact(*row, &FactKind::Test, out)?]), *row));
        let tests = Index::new(rows.iter().filter_map(keyed).collect());
        for at in 0..self.files.pairs().len() {
            let Some((run, file)) = self.files.pairs().get(at).copied() else { continue };
            let (run, folder) = (run as usize, run_folder(path_of(file, out)));
            for part in folder.split('/').filter(|part| !part.is_empty()) {
                let test = part.split("--").next().unwrap_or(part);
                let row = match (tests.at(key_hash(&[part])), tests.at(key_hash(&[test]))) {
                    ([(_, row)], _) | ([], [(_, row)]) => *row,
                    _ => continue,
                };
                let ids = [run, row].map(|it| fact(it, &FactKind::TraceId, out));
                let is_other = matches!(ids, [Some(one), Some(other)] if one != other);
                if !is_other && self.is_below(folder, row, out) {
                    self.unite(row, run);
                }
            }
        }
    }

    /// Whether a folder is below that of a row.
    fn is_below(&self, folder: &str, row: usize, out: &TraceBuilder) -> bool {
        self.files.at(row as u64).iter().any(|(_, file)| {
            let top = path_of(*file, out).rsplit_once('/').map_or("", |(top, _)| top);
            let top = top.strip_suffix("/.internal").unwrap_or(top);
            !top.is_empty() && folder.starts_with(top)
        })
    }
}
