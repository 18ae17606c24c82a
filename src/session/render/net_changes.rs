//! The net effect of the calls of a run on all files, compared with that of another run.

use super::net_change::NetChange;
use super::touched::changes;
use super::values::ReadSpan;
use traceloupe_core::model::Detail;
use traceloupe_core::text::directory::relative;
use traceloupe_protocol::run_comparison::FilePair;
use traceloupe_protocol::touched::Access;

/// The files that the calls of a run change.
#[derive(Debug)]
pub struct NetChanges<'a> {
    /// The working directory of the run; empty where unknown.
    directory: &'a str,
    /// The path of each file relative to that directory, and the net effect of all calls.
    files: Vec<(String, NetChange)>,
}

impl<'a> NetChanges<'a> {
    /// No changes yet, for a run with this working directory.
    #[must_use]
    pub fn new(directory: &'a str) -> Self {
        Self { directory, files: Vec::new() }
    }

    /// Adds the changes made by a call.
    pub fn add(&mut self, call: &Detail, read: ReadSpan<'_>) {
        let mut paths: Vec<String> = Vec::new();
        for change in changes(call, read).0 {
            if change.access != Access::Names && !paths.contains(&change.path) {
                paths.push(change.path);
            }
        }
        for path in paths {
            let name = relative(&path, self.directory);
            let known = self.files.iter().position(|known| known.0 == name);
            let at = known.unwrap_or_else(|| {
                self.files.push((name.to_owned(), NetChange::new(&path)));
                self.files.len() - 1
            });
            if let Some((_, net)) = self.files.get_mut(at) {
                net.add(call, read);
            }
        }
    }

    fn of(&self, path: &str) -> Option<&NetChange> {
        self.files.iter().find(|file| file.0 == path).map(|file| &file.1)
    }

    /// The files of this run and of another run. Files that both have changed come first.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Vec<FilePair> {
        let pair = |path: &String| {
            let both = [self.of(path), other.of(path)];
            FilePair {
                path: path.clone(),
                both: both.map(|net| net.map(NetChange::n_lines)),
                is_same: both[0].zip(both[1]).and_then(|(one, other)| one.is_same(other)),
            }
        };
        let is_shared = |file: &&(String, NetChange)| other.of(&file.0).is_some();
        let shared = self.files.iter().filter(is_shared);
        let own = self.files.iter().filter(|file| !is_shared(file));
        let others = other.files.iter().filter(|file| self.of(&file.0).is_none());
        shared.chain(own).chain(others).map(|file| pair(&file.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{Block, Value};

    #[test]
    fn files_of_two_runs_are_paired_by_their_place_in_the_directories() {
        let changes = |directory: &'static str, edits: &[(&str, &str, &str)]| {
            let mut changes = NetChanges::new(directory);
            for (path, old, new) in edits {
                let call = format!(
                    r#"{{"file_path":"{directory}/{path}","old_string":"{old}","new_string":"{new}"}}"#
                );
                let blocks = vec![Block::Arguments(Value::OwnedJson(call))];
                changes.add(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new()));
            }
            changes
        };
        let one = changes("/a", &[("x.rs", "1", "2"), ("only.rs", "1", "2"), ("y.rs", "p", "q")]);
        let other = changes("/b", &[("y.rs", "p", "r"), ("x.rs", "1", "3"), ("x.rs", "3", "2")]);
        let pair = |path: &str, both, is_same| FilePair { path: path.to_owned(), both, is_same };
        let (line, none) = (Some((1, 1)), None);
        assert_eq!(
            one.beside(&other),
            [
                pair("x.rs", [line, line], Some(true)),
                pair("y.rs", [line, line], Some(false)),
                pair("only.rs", [line, none], None),
            ]
        );
    }
}
