//! Files of one run become one run, whatever each of them knows of it.
//!
//! Files with the same trace id have one run from the start. Beyond that: the files of a run's folder
//! (told by the names that AgentV gives them), files that a row names, and a folder that has the name
//! of a row's test.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ID;
use super::settle::{retitle, settle_run};
use crate::format::weave::{file_key, named_files};
use crate::model::{EventId, Link, RunId, SourceId, TraceBuilder};

/// The names that AgentV gives to the files of one run.
const RUN_FILES: [&str; 12] = [
    "EVAL.yaml",
    "targets.yaml",
    "trace.json",
    "transcript.json",
    "transcript.jsonl",
    "transcript-raw.jsonl",
    "transcript-raw.json",
    "grading.json",
    "metrics.json",
    "timing.json",
    "result.json",
    "answer.json",
];

/// The sources of a run, before runs are put together.
type Sources = Vec<SourceId>;

/// Puts together what belongs together.
pub(super) fn join(out: &mut TraceBuilder) {
    let known = runs(out);
    let mut groups = Groups::default();
    by_folder(&known, &mut groups, out);
    by_row(&known, &mut groups, out);
    for (from, into) in groups.pairs(known.len()) {
        out.merge_runs(from, into);
    }
    let mut events: FxHashMap<RunId, Vec<EventId>> = FxHashMap::default();
    for (at, event) in out.trace().events().iter().enumerate() {
        let run = RunId::from_index(groups.root(event.run.index()));
        events.entry(run).or_default().push(EventId::from_index(at));
    }
    for run in (0..known.len()).map(RunId::from_index) {
        if let Some(events) = events.get(&run)
            && out.trace().run(run).is_some_and(|run| run.format == ID)
        {
            settle_run(events, out);
            retitle(run, out);
        }
    }
}

/// The sources of every run.
fn runs(out: &TraceBuilder) -> Vec<Sources> {
    let mut known: Vec<Sources> = vec![Sources::new(); out.trace().runs().len()];
    for event in out.trace().events() {
        let Some(run) = known.get_mut(event.run.index()) else { continue };
        for place in out.trace().places(event) {
            if run.last() != Some(&place.span.source) && !run.contains(&place.span.source) {
                run.push(place.span.source);
            }
        }
    }
    known
}

fn is_own(run: usize, out: &TraceBuilder) -> bool {
    out.trace().runs().get(run).is_some_and(|run| run.format == ID)
}

/// The folder of a run's file, without the `outputs` or `task` in it; empty where the name is not AgentV's.
fn run_folder(path: &str) -> &str {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if !RUN_FILES.contains(&name) {
        return "";
    }
    ["/outputs", "/task"].iter().find_map(|inner| folder.strip_suffix(inner)).unwrap_or(folder)
}

/// The files of one folder are one run, unless they are of several.
fn by_folder(known: &[Sources], groups: &mut Groups, out: &TraceBuilder) {
    let mut folders: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut runs_of: FxHashMap<SourceId, u32> = FxHashMap::default();
    for run in known {
        for source in run {
            *runs_of.entry(*source).or_default() += 1;
        }
    }
    for (at, run) in known.iter().enumerate().filter(|(at, _)| is_own(*at, out)) {
        for source in run {
            let folder = run_folder(out.path(*source));
            if !folder.is_empty() && runs_of.get(source) == Some(&1) {
                let runs = folders.entry(folder.to_owned()).or_default();
                if !runs.contains(&at) {
                    runs.push(at);
                }
            }
        }
    }
    for runs in folders.into_values() {
        let ids: FxHashSet<&str> =
            runs.iter().filter_map(|at| fact(*at, "Trace id", out)).collect();
        if ids.len() <= 1
            && let Some((first, rest)) = runs.split_first()
        {
            rest.iter().for_each(|other| groups.unite(*first, *other));
        }
    }
}

fn fact<'o>(run: usize, label: &str, out: &'o TraceBuilder) -> Option<&'o str> {
    let run = out.trace().runs().get(run)?;
    run.facts.iter().find(|(known, _)| known == label).map(|(_, value)| value.as_str())
}

/// A row names the files of its run, or the run's folder has the name of its test.
fn by_row(known: &[Sources], groups: &mut Groups, out: &mut TraceBuilder) {
    let links = named_files(ID, out);
    let mut named: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (at, run) in known.iter().enumerate().filter(|(at, _)| is_own(*at, out)) {
        for source in run {
            for ending in endings(out.path(*source)) {
                let runs = named.entry(file_key(ending)).or_default();
                if runs.len() < 8 && !runs.contains(&at) {
                    runs.push(at);
                }
            }
        }
    }
    let mut rows: FxHashSet<usize> = FxHashSet::default();
    for Link { key, event, .. } in links {
        let Some(row) = out.trace().event(event).map(|event| event.run.index()) else { continue };
        rows.insert(row);
        let others = named.get(&key).map_or(&[][..], Vec::as_slice);
        let others: Vec<usize> = others.iter().copied().filter(|other| *other != row).collect();
        // Several folders of results may have files of one name: then their own ids must tell.
        if let [only] = others.as_slice() {
            groups.unite(row, *only);
        }
    }
    let mut rows: Vec<usize> = rows.into_iter().collect();
    crate::order::sort(&mut rows);
    by_test(&rows, known, groups, out);
    let mut sizes = vec![0_u32; known.len()];
    for at in 0..known.len() {
        if let Some(size) = sizes.get_mut(groups.root(at)) {
            *size += 1;
        }
    }
    for row in rows {
        if sizes.get(groups.root(row)) == Some(&1)
            && known.get(row).is_some_and(|run| run.len() == 1)
            && let Some(path) = fact(row, "Trace file", out)
        {
            let note = format!("Its trace is in `{path}`, which was not opened");
            out.run_mut(RunId::from_index(row)).notes.push(note);
        }
    }
}

/// A folder below the one of the rows has the name of one row's test.
fn by_test(rows: &[usize], known: &[Sources], groups: &mut Groups, out: &TraceBuilder) {
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for row in rows {
        if let Some(test) = fact(*row, "Test", out) {
            by_name.entry(test).or_default().push(*row);
        }
    }
    let folder_of = |source: &SourceId| {
        let folder = out.path(*source).rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.strip_suffix("/.internal").unwrap_or(folder).to_owned()
    };
    for (at, run) in known.iter().enumerate().filter(|(at, _)| is_own(*at, out)) {
        for source in run {
            let folder = run_folder(out.path(*source));
            for part in folder.split('/').filter(|part| !part.is_empty()) {
                let test = part.split("--").next().unwrap_or(part);
                let Some([row]) =
                    by_name.get(part).or_else(|| by_name.get(test)).map(Vec::as_slice)
                else {
                    continue;
                };
                let is_below = known.get(*row).is_some_and(|row| {
                    row.iter().any(|source| {
                        let top = folder_of(source);
                        !top.is_empty() && folder.starts_with(&top)
                    })
                });
                let ids = [fact(at, "Trace id", out), fact(*row, "Trace id", out)];
                let is_other = matches!(ids, [Some(one), Some(other)] if one != other);
                if is_below && !is_other {
                    groups.unite(*row, at);
                }
            }
        }
    }
}

/// A path, and what is left of it without its first folders.
fn endings(path: &str) -> impl Iterator<Item = &str> {
    let behind = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(behind).take(32)
}

/// Which runs are one; the first of them is the one that stays.
#[derive(Default)]
struct Groups(FxHashMap<usize, usize>);

impl Groups {
    fn root(&self, run: usize) -> usize {
        let mut at = run;
        while let Some(next) = self.0.get(&at) {
            at = *next;
        }
        at
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }

    /// The runs that go, with the runs that they go into.
    fn pairs(&self, n_runs: usize) -> Vec<(RunId, RunId)> {
        (0..n_runs)
            .filter(|at| self.0.contains_key(at))
            .map(|at| (RunId::from_index(at), RunId::from_index(self.root(at))))
            .collect()
    }
}
