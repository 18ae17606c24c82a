//! The list of a folder or archive, with one line per run (a run may have several files), and the columns of these
//! lines.

use std::collections::HashMap;
use traceloupe_core::case::lowercase;

use crate::table::{Cell, Column, Sort, Unit, Value, order_by};
use traceloupe_core::catalog;
use traceloupe_protocol::head::Head;
use traceloupe_protocol::problem::SourceFault;
use traceloupe_words as words;
use traceloupe_words::column_headings;

/// A file of a folder, or an entry of an archive.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Member {
    /// Its name, including folders.
    pub path: String,
    /// Its length in bytes.
    pub len_bytes: u64,
    /// When it was last modified, in milliseconds since 1970; NaN where unknown.
    pub changed_ms: f64,
    /// What its beginning reveals, once that has been read.
    pub head: Option<Head>,
    /// Why it cannot be opened, if it cannot.
    pub problem: Option<SourceFault>,
}

/// The column of the names of runs.
pub const TITLE: &str = "title";

/// The columns of the list, in display order. The page draws what accompanies the name.
pub const COLUMNS: &[Column<FolderLine>] = &[
    Column::<FolderLine>::text(TITLE, column_headings::RUN, |line| Cell::text(&line.title)),
    Column::<FolderLine>::text("producer", column_headings::PRODUCER, |line| {
        Cell::text(line.producer)
    }),
    Column::<FolderLine>::number(START, column_headings::STARTED, |line| {
        let value = Value::Time(line.time_ms);
        let time = value.words();
        let is_written = line.is_changed && !time.is_empty();
        Cell::said(value, if is_written { words::written(&time) } else { time })
    })
    .class("folder__time"),
    Column::<FolderLine>::number("size", column_headings::SIZE, |line| {
        #[expect(clippy::cast_precision_loss)] // a length
        let len_bytes = line.len_bytes as f64;
        let events = line.n_events.map(words::events).unwrap_or_default();
        Cell::from(Value::exact(len_bytes, Unit::Bytes)).with_small(events)
    }),
];

/// The column of the start of runs.
const START: &str = "start";

/// What is listed and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Words that title, path, producer or outcome must contain.
    pub words: String,
    /// The sort order.
    pub sort: Sort,
    /// Whether files that are not traces are listed too.
    pub with_others: bool,
}

impl Default for Wanted {
    /// All runs, newest first.
    fn default() -> Self {
        Self { words: String::new(), sort: Sort::by(START), with_others: false }
    }
}

/// A line of the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FolderLine {
    /// Indices of its files, main file first.
    pub files: Vec<u32>,
    /// The path of its main file.
    pub path: String,
    /// The name of its run, or of the file where that is unknown.
    pub title: String,
    /// The outcome of its run, where the archive states it.
    pub outcome: String,
    /// The name of its producer; empty for files that are not traces or have not been examined.
    pub producer: &'static str,
    /// Start in milliseconds since 1970, or the last modification; NaN where unknown.
    pub time_ms: f64,
    /// Whether the time is that of the last modification.
    pub is_changed: bool,
    /// Total length of its files in bytes.
    pub len_bytes: u64,
    /// How many events it has, if its files were read to the end.
    pub n_events: Option<u64>,
    /// Whether its files have been examined and are not a trace.
    pub is_other: bool,
    /// Why it cannot be opened, if it cannot.
    pub problem: Option<SourceFault>,
}

/// The list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FolderList {
    /// The listed lines, in order.
    pub lines: Vec<FolderLine>,
    /// How many runs there are, listed or not.
    pub n_runs: usize,
    /// How many files are not traces.
    pub n_others: usize,
    /// How many files have been examined.
    pub n_read: usize,
}

impl FolderList {
    /// The main files of the lines that can be opened. Each represents its line.
    pub fn mains(&self) -> impl Iterator<Item = u32> {
        let openable = self.lines.iter().filter(|line| line.problem.is_none());
        openable.filter_map(|line| line.files.first().copied())
    }
}

/// Lists the files of a folder.
#[must_use]
pub fn list(members: &[Member], wanted: &Wanted) -> FolderList {
    let lines = lines(members);
    let n_others = lines.iter().filter(|line| line.is_other).count();
    let n_closed = lines.iter().filter(|line| line.problem.is_some()).count();
    let n_runs = lines.len() - n_others - n_closed;
    let words: Vec<String> = wanted.words.split_whitespace().map(lowercase).collect();
    let fits = |line: &FolderLine| {
        if words.is_empty() {
            return true;
        }
        let said =
            lowercase(&[line.title.as_str(), &line.path, line.producer, &line.outcome].join("\n"));
        words.iter().all(|word| said.contains(word.as_str()))
    };
    let n_read = members.iter().filter(|member| member.head.is_some()).count();
    // Without any run, the other files are all there is.
    let with_others = wanted.with_others || n_runs == 0 && n_read == members.len();
    let shown = |line: &FolderLine| (with_others || !line.is_other) && fits(line);
    let mut lines: Vec<FolderLine> = lines.into_iter().filter(shown).collect();
    // The order of the folder or archive decides between equal lines.
    traceloupe_core::sorting::sort_by(&mut lines, |one, other| one.files.cmp(&other.files));
    let order = order_by(COLUMNS, &lines, wanted.sort);
    let (runs, others): (Vec<usize>, Vec<usize>) =
        order.into_iter().partition(|at| lines.get(*at).is_some_and(|line| !line.is_other));
    let mut lines: Vec<Option<FolderLine>> = lines.into_iter().map(Some).collect();
    let order = runs.into_iter().chain(others);
    let lines = order.filter_map(|at| lines.get_mut(at)?.take()).collect();
    FolderList { lines, n_runs, n_others, n_read }
}

/// One line per run: files of the same run share a line.
fn lines(members: &[Member]) -> Vec<FolderLine> {
    let mut lines: Vec<FolderLine> = Vec::new();
    let mut of_run: HashMap<(&str, &str), usize> = HashMap::new();
    for (index, member) in (0..).zip(members) {
        let head = member.head.as_ref();
        let run = head.filter(|head| !head.key.is_empty());
        let known = run.and_then(|head| of_run.get(&(head.format.as_str(), head.key.as_str())));
        if let Some(line) = known.and_then(|at| lines.get_mut(*at)) {
            join(line, line_of(index, member), run.map_or("", |head| &head.key));
            continue;
        }
        if let Some(head) = run {
            of_run.insert((&head.format, &head.key), lines.len());
        }
        lines.push(line_of(index, member));
    }
    lines
}

fn line_of(index: u32, member: &Member) -> FolderLine {
    let name = member.path.rsplit('/').next().unwrap_or_default().to_owned();
    let line = FolderLine {
        files: vec![index],
        path: member.path.clone(),
        title: name,
        time_ms: member.changed_ms,
        is_changed: true,
        len_bytes: member.len_bytes,
        problem: member.problem.clone(),
        ..FolderLine::default()
    };
    let head = member.head.as_ref().filter(|_| member.problem.is_none());
    let Some(head) = head else { return line };
    let is_other = head.format.is_empty() && !head.is_archive && !head.is_cut;
    let start_ms = Some(head.start_ms).filter(|start_ms| !start_ms.is_nan());
    let is_titled = !["", &head.key, &member.path].contains(&head.title.as_str());
    FolderLine {
        title: if is_titled { head.title.clone() } else { line.title },
        outcome: head.outcome.clone(),
        producer: if head.is_archive { "Archive" } else { catalog::format_name(&head.format) },
        time_ms: start_ms.unwrap_or(line.time_ms),
        is_changed: start_ms.is_none(),
        n_events: head.n_events,
        is_other,
        ..line
    }
}

/// Adds a file to the line of its run. The main file is the one named after the run, otherwise the first one.
fn join(line: &mut FolderLine, other: FolderLine, key: &str) {
    let is_named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.split('.').next() == Some(key)
    };
    let leads = is_named(&other.path) && !is_named(&line.path);
    let (first, second) =
        if leads { (other, std::mem::take(line)) } else { (std::mem::take(line), other) };
    let sum = first.n_events.zip(second.n_events).map(|(one, two)| one.saturating_add(two));
    let files = first.files.iter().chain(&second.files).copied().collect();
    let len_bytes = first.len_bytes.saturating_add(second.len_bytes);
    *line = FolderLine { files, len_bytes, n_events: sum, ..first };
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::problem::ZipProblem;

    fn member(path: &str, len_bytes: u64, head: Option<(&str, &str, &str, f64)>) -> Member {
        let head = head.map(|(format, key, title, start_ms)| Head {
            format: format.to_owned(),
            key: key.to_owned(),
            title: title.to_owned(),
            start_ms,
            n_events: Some(2),
            ..Head::default()
        });
        Member { path: path.to_owned(), len_bytes, changed_ms: f64::NAN, head, problem: None }
    }

    fn titles(members: &[Member], wanted: &Wanted) -> Vec<String> {
        list(members, wanted).lines.into_iter().map(|line| line.title).collect()
    }

    #[test]
    fn the_files_of_a_run_are_one_line() {
        let members = [
            member("p/agent-1.jsonl", 10, Some(("claude-code", "s1", "Look around", 2.0))),
            member("p/s1.jsonl", 100, Some(("claude-code", "s1", "Mend the build", 1.0))),
            member("p/s2.jsonl", 5, Some(("claude-code", "s2", "", 3.0))),
            member("p/s1.json", 5, Some(("codex", "s1", "Other", 0.0))),
            member("p/a", 5, Some(("codex", "", "One", f64::NAN))),
            member("p/b", 5, Some(("codex", "", "Two", f64::NAN))),
        ];
        let found = list(&members, &Wanted::default());
        assert_eq!((found.n_runs, found.n_others, found.n_read), (5, 0, 6));
        let line = found.lines.iter().find(|line| line.title == "Mend the build").unwrap();
        assert_eq!(
            (line.files.as_slice(), line.len_bytes, line.n_events),
            (&[1, 0][..], 110, Some(4))
        );
        let titles: Vec<&str> = found.lines.iter().map(|line| line.title.as_str()).collect();
        assert_eq!(titles, ["s2.jsonl", "Mend the build", "Other", "One", "Two"]);
    }

    #[test]
    fn lines_are_searched_and_sorted() {
        let members = [
            member("x/a.jsonl", 1, Some(("codex", "1", "beta", 5.0))),
            member("y/b.jsonl", 9, Some(("claude-code", "2", "Alpha", f64::NAN))),
            member("y/notes.md", 3, Some(("", "", "", f64::NAN))),
            member("z/unread.jsonl", 4, None),
        ];
        let by = |sort| Wanted { sort, ..Wanted::default() };
        assert_eq!(titles(&members, &by(Sort::by(START))), ["beta", "Alpha", "unread.jsonl"]);
        assert_eq!(titles(&members, &by(Sort::by(TITLE))), ["Alpha", "beta", "unread.jsonl"]);
        let by_size = by(Sort::reversed("size"));
        assert_eq!(titles(&members, &by_size), ["beta", "unread.jsonl", "Alpha"]);
        let words = |words: &str| Wanted { words: words.to_owned(), ..Wanted::default() };
        assert_eq!(titles(&members, &words("CODEX x/")), ["beta"]);
        assert_eq!(titles(&members, &words("y/")), ["Alpha"]);
        let all = Wanted { with_others: true, ..words("y/") };
        assert_eq!(titles(&members, &all), ["Alpha", "notes.md"]);
        assert_eq!(list(&members, &all).n_others, 1);
    }

    #[test]
    fn a_folder_without_a_run_lists_its_other_files() {
        let other = |path| member(path, 1, Some(("", "", "", f64::NAN)));
        let mut members = [other("x/a.txt"), other("x/b.png"), member("x/c.json", 1, None)];
        assert_eq!(titles(&members, &Wanted::default()), ["c.json"]);
        members[2] = other("x/c.json");
        assert_eq!(titles(&members, &Wanted::default()), ["a.txt", "b.png", "c.json"]);
    }

    #[test]
    fn outcomes_are_found_by_their_words() {
        let mut sample = member("samples/a.json", 1, Some(("inspect", "a", "Sample a", 1.0)));
        if let Some(head) = &mut sample.head {
            head.outcome = "match: incorrect".to_owned();
        }
        let members = [sample, member("b.json", 1, Some(("inspect", "b", "Sample b", 1.0)))];
        let wanted = Wanted { words: "INCORRECT".to_owned(), ..Wanted::default() };
        assert_eq!(titles(&members, &wanted), ["Sample a"]);
    }

    #[test]
    fn what_cannot_be_opened_is_listed_and_not_offered() {
        let mut locked = member("b.jsonl", 9, Some(("", "", "", f64::NAN)));
        locked.problem = Some(SourceFault::Zip(ZipProblem::Encrypted));
        let members = [member("a.jsonl", 1, Some(("codex", "1", "One", 5.0))), locked];
        let found = list(&members, &Wanted::default());
        let lines: Vec<(&str, bool)> =
            found.lines.iter().map(|it| (it.title.as_str(), it.problem.is_some())).collect();
        assert_eq!(lines, [("One", false), ("b.jsonl", true)]);
        assert_eq!((found.n_runs, found.n_others), (1, 0));
        assert_eq!(found.mains().collect::<Vec<_>>(), [0]);
    }
}
