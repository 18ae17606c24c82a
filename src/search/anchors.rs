//! Finds candidate places for matches in raw bytes, by bytes that every match must contain, whichever way it is
//! written.
//!
//! A character of JSON text can be written in several ways. In a run of plain ASCII characters, either all are written
//! as they are, or one of them is written as `\u00XX`. Any other character is looked for in all its forms. Text in a
//! string within a string is found in the same way, because its escapes only have more backslashes in front.

use memchr::memmem::Finder;

use super::fold::{FoldedAscii, variants};
use super::query::Query;

/// Bytes that every match contains, in all the forms in which they can be written.
#[derive(Debug, Clone)]
pub(super) struct Anchors(Vec<Anchor>);

#[derive(Debug, Clone)]
struct Anchor {
    find: Find,
    /// The first place at or after the last requested offset; [`NOWHERE`] if there is none.
    next: Option<usize>,
}

const NOWHERE: usize = usize::MAX;

#[derive(Debug, Clone)]
enum Find {
    Exact(Box<Finder<'static>>),
    Folded(FoldedAscii),
    /// `\uXXXX` with these units.
    Escaped(Vec<u16>),
    /// `\u00XX` of a printable character.
    EscapedAscii,
}

impl Anchors {
    /// The anchors of a query; `None` if its matches need not contain any known bytes.
    pub fn new(query: &Query) -> Option<Self> {
        let sensitive = query.is_case_sensitive();
        let mut finds = Vec::new();
        if query.regex {
            for run in runs_of_regex(&query.text)? {
                finds.push(run_find(&run, sensitive));
            }
        } else if let Some(run) = longest_run(&query.text) {
            finds.push(run_find(run, sensitive));
        } else {
            let first = query.text.chars().next()?;
            let chars = if sensitive { vec![first] } else { variants(first) };
            char_finds(&chars, &mut finds);
        }
        // The backslash of an escape within a string may itself be written like this.
        finds.push(Find::EscapedAscii);
        Some(Self(finds.into_iter().map(|find| Anchor { find, next: None }).collect()))
    }

    /// Starts over with other bytes.
    pub fn reset(&mut self) {
        for anchor in &mut self.0 {
            anchor.next = None;
        }
    }

    /// The first place at or after `from`. Between two resets `from` must not decrease.
    pub fn next(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut first = NOWHERE;
        for anchor in &mut self.0 {
            if anchor.next.is_none_or(|next| next < from) {
                anchor.next = Some(anchor.find.find_at(bytes, from).unwrap_or(NOWHERE));
            }
            first = first.min(anchor.next.unwrap_or(NOWHERE));
        }
        (first != NOWHERE).then_some(first)
    }
}

impl Find {
    fn find_at(&self, bytes: &[u8], from: usize) -> Option<usize> {
        match self {
            Self::Exact(finder) => finder.find(bytes.get(from..)?).map(|at| from + at),
            Self::Folded(folded) => folded.find_at(bytes, from),
            Self::Escaped(units) => escape_at(bytes, from, b"\\u", |digits| {
                hex(digits).is_some_and(|unit| units.contains(&unit))
            }),
            Self::EscapedAscii => escape_at(bytes, from, b"\\u00", |digits| {
                matches!(digits.get(2), Some(b'2'..=b'7'))
            }),
        }
    }
}

/// The first `\uXXXX` at or after `from` with these first and last digits.
fn escape_at(
    bytes: &[u8],
    from: usize,
    begin: &[u8],
    is_wanted: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let starts = memchr::memmem::find_iter(bytes.get(from..)?, begin);
    starts.map(|at| from + at).find(|at| bytes.get(at + 2..at + 6).is_some_and(&is_wanted))
}

fn hex(digits: &[u8]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn run_find(run: &str, sensitive: bool) -> Find {
    if sensitive || !run.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        Find::Exact(Box::new(Finder::new(run.as_bytes()).into_owned()))
    } else {
        Find::Folded(FoldedAscii::new(run.as_bytes()))
    }
}

/// All forms in which any of these characters can be written.
fn char_finds(chars: &[char], finds: &mut Vec<Find>) {
    let exact = |bytes: &[u8]| Find::Exact(Box::new(Finder::new(bytes).into_owned()));
    let mut units = Vec::new();
    let mut buffer = [0; 4];
    for char in chars {
        finds.push(exact(char.encode_utf8(&mut buffer).as_bytes()));
        let short: &[u8] = match char {
            '\u{8}' => b"\\b",
            '\t' => b"\\t",
            '\n' => b"\\n",
            '\u{c}' => b"\\f",
            '\r' => b"\\r",
            _ => b"",
        };
        if !short.is_empty() {
            finds.push(exact(short));
        }
        units.extend(char.encode_utf16(&mut [0; 2]).first().copied());
    }
    // Invalid UTF-8 and half of a surrogate pair are shown as a replacement character.
    if chars.contains(&char::REPLACEMENT_CHARACTER) {
        finds.clear();
        finds.push(Find::Escaped((0xd800..=0xdfff).chain([0xfffd]).collect()));
        for byte in 0x80..=0xff {
            finds.push(exact(&[byte]));
        }
        return;
    }
    finds.push(Find::Escaped(units));
}

/// Whether a character is only ever written as it is or as `\u00XX`.
fn is_plain(char: char) -> bool {
    matches!(char, ' '..='~') && !matches!(char, '"' | '\\' | '/')
}

fn longest_run(text: &str) -> Option<&str> {
    let runs = text.split(|char| !is_plain(char)).filter(|run| !run.is_empty());
    // Of runs of equal length, the first.
    runs.rev().max_by_key(|run| run.len())
}

/// Runs of text such that every match of a regular expression contains at least one of them; `None` if that is unknown.
/// Looks only at the top level of the pattern and skips groups and classes.
fn runs_of_regex(pattern: &str) -> Option<Vec<String>> {
    // Flags inside the pattern may change the meaning of the rest.
    if pattern.match_indices("(?").any(|(at, _)| pattern.get(at + 2..at + 3) != Some(":")) {
        return None;
    }
    let mut runs = Vec::new();
    let (mut best, mut run) = (String::new(), String::new());
    let close = |run: &mut String, best: &mut String| {
        let run = std::mem::take(run);
        if run.len() > best.len() {
            *best = run;
        }
    };
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        let literal = match char {
            '\\' => match chars.next() {
                // Character codes: the digits after them are not text.
                Some('x' | 'u' | 'U') => return None,
                // Word boundaries.
                Some('<' | '>') => None,
                next => next.filter(char::is_ascii_punctuation),
            },
            '|' => {
                close(&mut run, &mut best);
                runs.push(std::mem::take(&mut best));
                continue;
            }
            // The character before is optional.
            '?' | '*' | '{' => {
                run.pop();
                if char == '{' {
                    chars.by_ref().find(|char| *char == '}');
                }
                None
            }
            '(' => {
                pass_group(&mut chars);
                None
            }
            '[' => {
                pass_class(&mut chars);
                None
            }
            '.' | '+' | '^' | '$' | ')' | ']' | '}' => None,
            char => Some(char),
        };
        match literal.filter(|char| is_plain(*char)) {
            Some(char) => run.push(char),
            None => close(&mut run, &mut best),
        }
    }
    close(&mut run, &mut best);
    runs.push(best);
    runs.iter().all(|run| !run.is_empty()).then_some(runs)
}

fn pass_group(chars: &mut std::str::Chars<'_>) {
    let mut depth = 1;
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '[' => pass_class(chars),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            _ => {}
        }
    }
}

fn pass_class(chars: &mut std::str::Chars<'_>) {
    // A bracket at the very beginning of a class, or after its negation, is a member of the class.
    let rest = chars.as_str();
    let start = rest.strip_prefix('^').unwrap_or(rest);
    let start = start.strip_prefix(']').unwrap_or(start);
    *chars = start.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            // A class such as `[:alpha:]` inside it.
            '[' => {
                chars.by_ref().find(|char| *char == ']');
            }
            ']' => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_every_match_has() {
        let runs = |pattern: &str| runs_of_regex(pattern).map(|it| it.join("|"));
        assert_eq!(runs(r"error: \d+ms"), Some("error: ".to_owned()));
        assert_eq!(runs("colou?r"), Some("colo".to_owned()));
        assert_eq!(runs("foo|ba(r|z)x"), Some("foo|ba".to_owned()));
        assert_eq!(runs(r"a\.b\\c"), Some("a.b".to_owned()));
        assert_eq!(runs("ab+c"), Some("ab".to_owned()));
        assert_eq!(runs("x{0,3}yz"), Some("yz".to_owned()));
        assert_eq!(runs("[]a]bc[^]x]"), Some("bc".to_owned()));
        assert_eq!(runs("[[:alpha:]x]bc"), Some("bc".to_owned()));
        assert_eq!(runs(r"(?:a[)]b)?cd"), Some("cd".to_owned()));
        for none in [r"\d+", "a*", "foo|", "(?i)foo", "(foo)", "", ".", r"\w\n", r"\x41", r"\<"] {
            assert_eq!(runs(none), None, "{none}");
        }
    }

    #[test]
    fn every_way_to_write_the_first_character_is_a_place() {
        let first =
            |query: &Query, bytes: &str| Anchors::new(query).unwrap().next(bytes.as_bytes(), 0);
        let query = Query::literal("\n");
        assert_eq!(first(&query, r"ab\nc"), Some(2));
        assert_eq!(first(&query, r"ab\u000ac"), Some(2));
        assert_eq!(first(&query, r"ab\u000Ac"), Some(2));
        let query = Query::literal("é");
        for written in ["é", "É", r"\u00e9", r"\u00C9"] {
            assert_eq!(first(&query, &format!("..{written}")), Some(2), "{written}");
        }
        assert_eq!(first(&Query::literal("😀"), r"ab\ud83d\ude00"), Some(2));
        assert_eq!(first(&Query::literal("\"/\\"), r#"ab\"\/\\"#), Some(3));
        assert_eq!(first(&Query::literal("a\nbc"), r"a\nbc"), Some(3), "the longest run");
        assert_eq!(first(&Query::literal("abc"), r"a\u0062c"), Some(1));
        assert_eq!(first(&Query::literal("abc"), r"\u00e9\u001b"), None);
    }

    #[test]
    fn places_come_in_order() {
        let mut anchors = Anchors::new(&Query::literal("Ab")).unwrap();
        let bytes = br"Ab \u0041b Ab";
        let mut from = 0;
        let places = std::iter::from_fn(|| {
            let at = anchors.next(bytes, from)?;
            from = at + 1;
            Some(at)
        });
        assert_eq!(places.collect::<Vec<_>>(), [0, 3, 11]);
    }
}
