//! Commands of a shell, taken apart into steps and words.

use std::borrow::Cow;
use std::ops::Range;

/// Words before a command that do not identify the program.
pub(super) const BEFORE: [&str; 8] =
    ["sudo", "time", "env", "exec", "nohup", "command", "builtin", "then"];

/// How a step is joined to the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Joint {
    /// By `;` or a line end, or not at all.
    #[default]
    Next,
    /// By `&&`.
    And,
    /// By `||`.
    Or,
    /// By `|`.
    Pipe,
}

/// A step of a command.
#[derive(Debug, Default)]
pub(super) struct Step<'a> {
    pub joint: Joint,
    /// Its words, without assignments and the words in [`BEFORE`].
    pub words: Vec<Cow<'a, str>>,
}

/// A word that is being read. Most words are not copied, because they stand in the command as they are.
#[derive(Debug)]
struct Word<'a> {
    command: &'a str,
    /// Its place in the command.
    place: Range<usize>,
    /// The word itself, if it has no place: if something inside it is left out, such as the backslash of an escape.
    copied: Option<String>,
    /// Whether there is a word, which may be empty: `''`.
    is_begun: bool,
}

impl<'a> Word<'a> {
    fn new(command: &'a str) -> Self {
        Self { command, place: 0..0, copied: None, is_begun: false }
    }

    fn text(&self) -> &str {
        self.copied.as_deref().unwrap_or_else(|| self.in_place())
    }

    fn in_place(&self) -> &'a str {
        self.command.get(self.place.clone()).unwrap_or_default()
    }

    /// Adds the character before `rest`, which is the end of the command.
    fn push(&mut self, char: char, rest: &str) {
        let end = self.command.len() - rest.len();
        let start = end - char.len_utf8();
        match &mut self.copied {
            Some(word) => word.push(char),
            None if self.place.is_empty() => self.place = start..end,
            None if self.place.end == start => self.place.end = end,
            None => self.copied = Some(format!("{}{char}", self.in_place())),
        }
    }

    /// Ends the word, and adds it to the last step.
    fn end(&mut self, steps: &mut [Step<'a>]) {
        let whole = std::mem::replace(self, Self::new(self.command));
        let Some(step) = steps.last_mut().filter(|_| whole.is_begun) else { return };
        let in_place = whole.in_place();
        let word = whole.copied.map_or(Cow::Borrowed(in_place), Cow::Owned);
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_')
        });
        if !step.words.is_empty() || !is_assignment && !BEFORE.contains(&&*word) {
            step.words.push(word);
        }
    }
}

/// How many bytes there are up to the end of the parentheses that a text is in.
fn end_of_parentheses(text: &str) -> usize {
    let (mut depth, mut quote) = (1, None);
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(char),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, _) => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// The steps of a command: what is separated by `;`, `&`, `|`, parentheses and line ends outside of quotes. Comments and
/// the text of here-documents are left out.
pub(super) fn steps_of(command: &str) -> Vec<Step<'_>> {
    let mut steps = vec![Step::default()];
    let mut word = Word::new(command);
    let mut quote = None;
    let mut heredoc = None;
    let mut chars = command.chars();
    while let Some(char) = chars.next() {
        let next = chars.as_str();
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some('"') | None, '\\') => {
                if let Some(char) = chars.next().filter(|next| *next != '\n') {
                    word.push(char, chars.as_str());
                }
                word.is_begun = true;
            }
            (Some(_), _) => word.push(char, next),
            (None, '"' | '\'') => {
                quote = Some(char);
                word.is_begun = true;
            }
            (None, '#') if !word.is_begun => {
                let end = next.find('\n').unwrap_or(next.len());
                chars = next.get(end..).unwrap_or_default().chars();
            }
            (None, '<') if next.starts_with('<') && !next.starts_with("<<") => {
                let name = next.trim_start_matches(['<', '-', ' ']);
                let name = name.split([' ', '\n', ';', '&', '|', ')']).next().unwrap_or_default();
                heredoc = Some(name.trim_matches(['"', '\'', '\\'])).filter(|it| !it.is_empty());
                word.push(char, next);
            }
            // `2>&1`
            (None, '&') if word.text().ends_with('>') || next.starts_with('>') => {
                word.push(char, next)
            }
            // `<(a | b)` is a file with the output of other commands.
            (None, '(') if word.text().ends_with(['<', '>']) => {
                let end = end_of_parentheses(next);
                chars = next.get(end..).unwrap_or_default().chars();
            }
            (None, ';' | '&' | '|' | '\n' | '(' | ')') => {
                word.end(&mut steps);
                if char == '\n'
                    && let Some(name) = heredoc.take()
                {
                    let end = next.split_inclusive('\n').scan(0, |at, line| {
                        *at += line.len();
                        Some((*at, line.trim() == name))
                    });
                    let end = end.filter(|it| it.1).map(|it| it.0).next().unwrap_or(next.len());
                    chars = next.get(end..).unwrap_or_default().chars();
                }
                let is_double = next.starts_with(char);
                let joint = match char {
                    '&' if is_double => Joint::And,
                    '|' if is_double => Joint::Or,
                    '|' => Joint::Pipe,
                    _ => Joint::Next,
                };
                match steps.last_mut() {
                    Some(step) if step.words.is_empty() => {
                        // The second sign of `&&` and `||`, or a line end after them.
                        step.joint = if step.joint == Joint::Next { joint } else { step.joint };
                    }
                    _ => steps.push(Step { joint, words: Vec::new() }),
                }
            }
            (None, _) if char.is_whitespace() => word.end(&mut steps),
            (None, _) => {
                word.push(char, next);
                word.is_begun = true;
            }
        }
    }
    word.end(&mut steps);
    steps.retain(|step| !step.words.is_empty());
    steps
}
