//! Changes of files: unified diffs, patches in the format of agents (`*** Begin Patch`), and the lines of a diff that
//! the worker made. All become the same rows.

use std::ops::Range;

use crate::text::diff::changed_words;

/// The changes of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileChange {
    /// The path, or empty.
    pub path: String,
    /// What the patch does to the file.
    pub fate: FileFate,
    /// The rows.
    pub rows: Vec<Row>,
}

/// What a patch does to a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum FileFate {
    /// It changes the file, or the patch does not state it.
    #[default]
    Changed,
    /// It adds the file.
    Added,
    /// It deletes the file.
    Deleted,
    /// It moves the file from this path.
    MovedFrom(String),
    /// It renames the file from this path.
    RenamedFrom(String),
}

/// A row of a diff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Row {
    /// A line of the file.
    Line(Line),
    /// A gap between two parts: the patch's heading of the next part, which may be empty, and how many lines are left
    /// out; 0 if unknown.
    Gap(String, u32),
    /// A line that is not part of the diff.
    Other(String),
}

/// A line of a diff.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// `+`, `-` or a blank.
    pub sign: char,
    /// The line number before the change; 0 if the line has none or the diff does not state it.
    pub old: u32,
    /// The line number after the change.
    pub new: u32,
    /// The line.
    pub text: String,
    /// The byte ranges that changed within the line.
    pub changed: Vec<Range<usize>>,
}

/// The sign of lines that were left out.
pub const GAP: char = '@';

/// The lines of a diff that are at most `around` lines away from a change, with a gap for each stretch of other lines.
#[must_use]
pub fn near_changes(lines: &[(char, String)], around: usize) -> Vec<(char, String)> {
    let is_near = |at: usize| {
        let near = at.saturating_sub(around)..lines.len().min(at + around + 1);
        lines.get(near).unwrap_or_default().iter().any(|line| line.0 != ' ')
    };
    let mut near: Vec<(char, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match is_near(at) {
            true => near.push(line.clone()),
            false if near.last().is_some_and(|last| last.0 == GAP) => {}
            false => near.push((GAP, String::new())),
        }
    }
    near
}

impl FileChange {
    /// A diff of lines whose numbers are unknown. The sign [`GAP`] stands for lines that were left out.
    #[must_use]
    pub fn of_lines(path: &str, lines: &[(char, String)]) -> Self {
        let line = |(sign, text): &(char, String)| match *sign {
            GAP => Row::Gap(text.clone(), 0),
            sign => Row::Line(Line { sign, text: text.clone(), ..Line::default() }),
        };
        let mut rows: Vec<Row> = lines.iter().map(line).collect();
        mark_words(&mut rows);
        Self { path: path.to_owned(), fate: FileFate::Changed, rows }
    }

    /// How many lines were added, and how many removed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let count = |sign: char| {
            let is_it = |row: &&Row| matches!(row, Row::Line(line) if line.sign == sign);
            self.rows.iter().filter(is_it).count()
        };
        (count('+'), count('-'))
    }
}

/// Whether a text is a patch.
#[must_use]
pub fn is_patch(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with("*** Begin Patch") {
        return true;
    }
    let mut lines = text.lines().take(400).peekable();
    // A commit message may stand before it.
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let is_head = line.starts_with("--- ") && next.starts_with("+++ ");
        if is_head
            || (line.starts_with("@@ -") && line.get(4..).is_some_and(|it| it.contains(" +")))
        {
            return true;
        }
    }
    false
}

/// Whether a text is a patch from its first line on. Prompts and messages may quote a patch without being one.
#[must_use]
pub fn is_only_a_patch(text: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["*** Begin Patch", "--- ", "+++ ", "@@ ", "diff ", "Index: ", "From ", "commit "];
    let text = text.trim_start();
    BEGINNINGS.iter().any(|it| text.starts_with(it)) && is_patch(text)
}

/// Parses a patch. Every line of the text is in some row.
#[must_use]
pub fn parse(text: &str) -> Vec<FileChange> {
    let mut reader = Reader::default();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        reader.take(line, next);
    }
    reader.files.extend(reader.current.take());
    reader.files
}

/// Parses a patch, and marks what changed within its lines.
#[must_use]
pub fn parse_marked(text: &str) -> Vec<FileChange> {
    let mut files = parse(text);
    for file in &mut files {
        mark_words(&mut file.rows);
    }
    files
}

/// The state of the parser.
#[derive(Default)]
struct Reader {
    files: Vec<FileChange>,
    current: Option<FileChange>,
    /// Whether the lines belong to a part of a file, and how many of its old and new lines are left, if known.
    part: Part,
    old: u32,
    new: u32,
}

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Between parts.
    #[default]
    None,
    /// In a part of a unified diff: how many old and new lines are left.
    Counted(u32, u32),
    /// In a part that continues until the next heading.
    Open,
}

impl Reader {
    /// The file to which the next lines belong.
    fn file(&mut self) -> &mut FileChange {
        self.current.get_or_insert_default()
    }

    fn begin(&mut self, path: &str, fate: FileFate) {
        self.part = Part::None;
        self.files.extend(self.current.take());
        self.current = Some(FileChange { path: path.to_owned(), fate, rows: Vec::new() });
    }

    fn take(&mut self, line: &str, next: &str) {
        if self.in_part(line) || self.agent_head(line) || self.head(line, next) {
            return;
        }
        let row = Row::Other(line.to_owned());
        if line.trim().is_empty() && self.current.is_none() {
            return;
        }
        self.part = Part::None;
        self.file().rows.push(row);
    }

    /// A line within a part.
    fn in_part(&mut self, line: &str) -> bool {
        let sign = line.chars().next().unwrap_or(' ');
        match &mut self.part {
            Part::None => return false,
            Part::Open if line.starts_with("***") || line.starts_with("@@") => return false,
            Part::Open if !matches!(sign, '+' | '-' | ' ') => return false,
            Part::Open => {}
            Part::Counted(0, 0) => return self.no_end(line),
            Part::Counted(old, new) => match sign {
                '-' => *old = old.saturating_sub(1),
                '+' => *new = new.saturating_sub(1),
                ' ' => (*old, *new) = (old.saturating_sub(1), new.saturating_sub(1)),
                _ => return self.no_end(line),
            },
        }
        let number = |at: &mut u32| {
            let number = *at;
            *at += u32::from(*at > 0);
            number
        };
        let old = if sign == '+' { 0 } else { number(&mut self.old) };
        let new = if sign == '-' { 0 } else { number(&mut self.new) };
        let text = line.get(1..).unwrap_or_default().to_owned();
        self.file().rows.push(Row::Line(Line { sign, old, new, text, changed: Vec::new() }));
        true
    }

    /// `\ No newline at end of file`.
    fn no_end(&mut self, line: &str) -> bool {
        let is_remark = line.starts_with('\\');
        if is_remark {
            self.file().rows.push(Row::Other(line.to_owned()));
        }
        is_remark
    }

    /// The headings of an agent's patch.
    fn agent_head(&mut self, line: &str) -> bool {
        if matches!(line.trim_end(), "*** Begin Patch" | "*** End Patch" | "*** End of File") {
            self.part = Part::None;
            return true;
        }
        let heads = [
            ("*** Update File: ", FileFate::Changed),
            ("*** Add File: ", FileFate::Added),
            ("*** Delete File: ", FileFate::Deleted),
        ];
        for (head, fate) in heads {
            if let Some(path) = line.strip_prefix(head) {
                self.new = u32::from(fate == FileFate::Added);
                self.begin(path.trim_end(), fate);
                (self.part, self.old) = (Part::Open, 0);
                return true;
            }
        }
        if let Some(to) = line.strip_prefix("*** Move to: ") {
            let file = self.file();
            let from = std::mem::replace(&mut file.path, to.trim_end().to_owned());
            file.fate = FileFate::MovedFrom(from);
            return true;
        }
        false
    }

    /// The headings of a unified diff.
    fn head(&mut self, line: &str, next: &str) -> bool {
        if let Some(rest) = line.strip_prefix("diff --git ") {
            let path = rest.rsplit_once(" b/").map_or(rest, |(_, path)| path);
            self.begin(path, FileFate::Changed);
        } else if line.starts_with("--- ") && next.starts_with("+++ ") {
            let is_begun = self.current.as_ref().is_some_and(|file| {
                file.rows.iter().all(|row| matches!(row, Row::Other(_))) && !file.path.is_empty()
            });
            if !is_begun {
                self.begin(path_of(line), FileFate::Changed);
            }
            self.part = Part::None;
            if path_of(line) == "/dev/null" {
                self.file().fate = FileFate::Added;
            }
        } else if let Some(path) = line.strip_prefix("+++ ").filter(|_| self.current.is_some()) {
            let (path, _) = path.split_once('\t').unwrap_or((path, ""));
            match path {
                "/dev/null" => self.file().fate = FileFate::Deleted,
                path => path.strip_prefix("b/").unwrap_or(path).clone_into(&mut self.file().path),
            }
        } else if line.starts_with("@@") {
            self.hunk(line);
        } else if let Some(from) = line.strip_prefix("rename from ") {
            self.file().fate = FileFate::RenamedFrom(from.to_owned());
        } else {
            let is_known =
                ["index ", "new file mode", "deleted file mode", "rename to ", "similarity "]
                    .iter()
                    .any(|head| line.starts_with(head));
            return is_known && self.current.is_some();
        }
        true
    }

    /// `@@ -12,7 +12,9 @@ heading`, or `@@ heading` in an agent's patch.
    fn hunk(&mut self, line: &str) {
        let ranges = line.strip_prefix("@@ -").and_then(|rest| {
            let (old, rest) = rest.split_once(" +")?;
            let (new, heading) = rest.split_once(" @@").unwrap_or((rest, ""));
            Some((range(old)?, range(new)?, heading))
        });
        let heading = match ranges {
            Some(((old, n_old), (new, n_new), heading)) => {
                (self.old, self.new) = (old, new);
                self.part = Part::Counted(n_old, n_new);
                heading
            }
            None => {
                (self.old, self.new, self.part) = (0, 0, Part::Open);
                line.trim_start_matches('@')
            }
        };
        let heading = heading.trim().to_owned();
        let (old, file) = (self.old, self.file());
        // Only if something is left out.
        if !(heading.is_empty() && old <= 1 && file.rows.is_empty()) {
            let last = file.rows.iter().rev().find_map(|row| match row {
                Row::Line(line) if line.old > 0 => Some(line.old),
                _ => None,
            });
            file.rows.push(Row::Gap(heading, old.saturating_sub(last.unwrap_or(0) + 1)));
        }
    }
}

/// `12,7`, or `12` for one line.
fn range(text: &str) -> Option<(u32, u32)> {
    let (start, len) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.trim().parse().ok()?, len.trim().parse().ok()?))
}

/// The path after `--- ` or `+++ `.
fn path_of(line: &str) -> &str {
    let path = line.get(4..).unwrap_or_default();
    let path = path.split_once('\t').map_or(path, |(path, _)| path);
    path.strip_prefix("a/").unwrap_or(path)
}

/// The maximum number of pairs of removed and added lines of a change that are compared to find those that belong
/// together.
const MAX_PAIRS: usize = 400;

/// The bonus for a pair of lines that begin with the same word: they are likely the same statement.
const SAME_BEGINNING: f64 = 0.4;

/// Marks what changed within lines: compares the removed and added lines of a change that belong together.
fn mark_words(rows: &mut [Row]) {
    let sign_of = |row: Option<&Row>| match row {
        Some(Row::Line(line)) => line.sign,
        _ => ' ',
    };
    let mut at = 0;
    while at < rows.len() {
        let run = |from: usize, sign: char| {
            rows.iter().skip(from).take_while(|row| sign_of(Some(row)) == sign).count()
        };
        let n_old = run(at, '-');
        let n_new = run(at + n_old, '+');
        if n_old > 0 && n_new > 0 {
            for (old, new) in pairs(rows, at..at + n_old, at + n_old..at + n_old + n_new) {
                mark_pair(rows, old, new);
            }
        }
        at += (n_old + n_new).max(1);
    }
}

/// Which removed and added lines belong together: in order, and as similar as possible. The lines of a large change are
/// paired in order.
fn pairs(rows: &[Row], old: Range<usize>, new: Range<usize>) -> Vec<(usize, usize)> {
    if old.len() == new.len() || old.len() * new.len() > MAX_PAIRS {
        return old.zip(new).collect();
    }
    // For the lines from a pair of positions on: the similarity of the best pairs.
    let width = new.len() + 1;
    let mut best = vec![0.0_f64; (old.len() + 1) * width];
    let at = |i: usize, j: usize| i * width + j;
    let of = |best: &[f64], i: usize, j: usize| best.get(at(i, j)).copied().unwrap_or(0.0);
    let likeness =
        |i: usize, j: usize| likeness(text(rows, old.start + i), text(rows, new.start + j));
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let both = likeness(i, j) + of(&best, i + 1, j + 1);
            let most = both.max(of(&best, i + 1, j)).max(of(&best, i, j + 1));
            if let Some(slot) = best.get_mut(at(i, j)) {
                *slot = most;
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let most = of(&best, i, j);
        if most <= of(&best, i, j + 1) {
            j += 1;
        } else if most <= of(&best, i + 1, j) {
            i += 1;
        } else {
            pairs.push((old.start + i, new.start + j));
            (i, j) = (i + 1, j + 1);
        }
    }
    pairs
}

/// How similar two lines are, from 0 for lines that cannot be compared.
fn likeness(old: &str, new: &str) -> f64 {
    let Some((left, right)) = changed_words(old, new) else { return 0.0 };
    let changed: usize = left.iter().chain(&right).map(ExactSizeIterator::len).sum();
    let beginning = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let bonus = if beginning(old) == beginning(new) { SAME_BEGINNING } else { 0.0 };
    #[expect(clippy::cast_precision_loss)] // lengths of lines
    let share = changed as f64 / (old.len() + new.len()).max(1) as f64;
    1.0 - share + bonus
}

fn text(rows: &[Row], at: usize) -> &str {
    match rows.get(at) {
        Some(Row::Line(line)) => line.text.as_str(),
        _ => "",
    }
}

fn mark_pair(rows: &mut [Row], old_at: usize, new_at: usize) {
    let Some((old, new)) = changed_words(text(rows, old_at), text(rows, new_at)) else { return };
    for (at, changed) in [(old_at, old), (new_at, new)] {
        if let Some(Row::Line(line)) = rows.get_mut(at) {
            line.changed = changed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(file: &FileChange) -> Vec<String> {
        let row = |row: &Row| match row {
            Row::Line(line) => format!("{} {} {}{}", line.old, line.new, line.sign, line.text),
            Row::Gap(heading, n) => format!("@{n} {heading}"),
            Row::Other(text) => format!("? {text}"),
        };
        file.rows.iter().map(row).collect()
    }

    const UNIFIED: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n\
        @@ -3,3 +3,4 @@ fn a()\n let x = 1;\n-let y = 2;\n+let y = 3;\n+let z = 4;\n end\n@@ -20 +21 @@\n-old\n+new\n\
        \\ No newline at end of file\ndone\n";

    #[test]
    fn lines_that_belong_together_are_compared() {
        let lines = [
            ('-', "  return Math.round(cents * (1 - discount));"),
            ('+', "  const exact = cents * (1 - discount);"),
            ('+', "  const half = exact - Math.floor(exact) === 0.5;"),
            ('+', "  return half ? Math.floor(exact) : Math.round(exact);"),
        ];
        let lines = lines.map(|(sign, text)| (sign, text.to_owned()));
        let file = FileChange::of_lines("total.ts", &lines);
        let changed: Vec<usize> = marks(&file);
        assert!(changed[0] > 0 && changed[3] > 0, "the statements that return: {changed:?}");
        assert_eq!(changed[1..3], [0, 0], "these are new");
    }

    #[test]
    fn many_lines_are_paired_as_they_come_and_in_time() {
        let line = |sign: char, at: usize| (sign, format!("let value_{at} = {at};"));
        let old = (0..3_000).map(|at| line('-', at));
        let lines: Vec<_> = old.chain((0..2_999).map(|at| line('+', at + 1))).collect();
        let file = FileChange::of_lines("large.rs", &lines);
        assert_eq!(marks(&file).len(), 5_999);
    }

    /// How many parts are marked in each line.
    fn marks(file: &FileChange) -> Vec<usize> {
        let of = |row: &Row| match row {
            Row::Line(line) => Some(line.changed.len()),
            _ => None,
        };
        file.rows.iter().filter_map(of).collect()
    }

    #[test]
    fn lines_far_from_a_change_are_a_gap() {
        let lines = |text: &str| -> Vec<(char, String)> {
            text.chars().map(|sign| (sign, String::new())).collect()
        };
        let near = |text: &str| -> String {
            near_changes(&lines(text), 2).iter().map(|line| line.0).collect()
        };
        assert_eq!(near("      +-      +"), "@  +-  @  +");
        assert_eq!(near("+    "), "+  @");
        assert_eq!(near("     "), "@");
        assert_eq!(near(""), "");
        let rows = FileChange::of_lines("", &lines("@+")).rows;
        assert!(matches!(rows.as_slice(), [Row::Gap(_, 0), Row::Line(_)]));
    }

    #[test]
    fn unified_diffs() {
        assert!(is_patch(UNIFIED));
        let files = parse_marked(UNIFIED);
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!((file.path.as_str(), file.counts()), ("src/a.rs", (3, 2)));
        assert_eq!(
            drawn(file),
            [
                "@2 fn a()",
                "3 3  let x = 1;",
                "4 0 -let y = 2;",
                "0 4 +let y = 3;",
                "0 5 +let z = 4;",
                "5 6  end",
                "@14 ",
                "20 0 -old",
                "0 21 +new",
                "? \\ No newline at end of file",
                "? done",
            ]
        );
        let Some(Row::Line(line)) = file.rows.get(2) else { panic!() };
        assert_eq!(line.changed.as_slice(), std::slice::from_ref(&(8..9)));
    }

    #[test]
    fn files_that_come_and_go() {
        let text = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+one\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
        let files = parse(text);
        let said: Vec<_> = files.iter().map(|it| (it.path.as_str(), it.fate.clone())).collect();
        assert_eq!(said, [("new.txt", FileFate::Added), ("old.txt", FileFate::Deleted)]);
    }

    #[test]
    fn patches_of_agents() {
        let text = "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n x = 1\n-y = 2\n+y = 3\n*** Add File: b.py\n\
            +new\n*** Update File: c.py\n*** Move to: d.py\n@@\n-a\n+b\n*** End Patch\n";
        assert!(is_patch(text));
        let files = parse(text);
        let said: Vec<_> = files.iter().map(|it| (it.path.as_str(), it.fate.clone())).collect();
        assert_eq!(
            said,
            [
                ("a.py", FileFate::Changed),
                ("b.py", FileFate::Added),
                ("d.py", FileFate::MovedFrom("c.py".to_owned())),
            ]
        );
        let all: Vec<_> = files.iter().map(drawn).collect();
        assert_eq!(all[0], ["@0 def f():", "0 0  x = 1", "0 0 -y = 2", "0 0 +y = 3"]);
        assert_eq!(all[1], ["0 1 +new"]);
        assert_eq!(files[2].counts(), (1, 1));
    }

    #[test]
    fn no_line_is_lost_and_nothing_else_is_a_patch() {
        for text in ["", "--- a list\n--- of dashes\n", "+1\n-1\n", "@@ decorator", "plain"] {
            assert!(!is_patch(text), "{text}");
        }
        let odd = "before\n@@ -1,9 +1,9 @@\n a\nnot a diff line\n@@ -x +y @@\n+b\n";
        let all: Vec<String> = parse(odd).iter().flat_map(drawn).collect();
        for word in ["before", "a", "not a diff line", "b"] {
            assert!(all.iter().any(|row| row.ends_with(word)), "{word}: {all:?}");
        }
    }
}
