//! Tokens of vendors, found by their published formats: a prefix, then characters of an alphabet.

mod table;

use memchr::memmem;

use crate::bytes;
use crate::finding::{Found, Kind, Spread};
use crate::values;

/// A run of characters of one alphabet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(Vec<u8>),
    Run { class: u8, least: usize, most: usize },
}

/// A token that begins with a literal.
#[derive(Debug)]
struct Prefixed {
    prefix: &'static [u8],
    rule: usize,
}

/// A token with a literal in its middle.
#[derive(Debug)]
struct Infixed {
    label: &'static str,
    before: Vec<Part>,
    infix: &'static str,
    after: Vec<Part>,
}

#[derive(Debug)]
struct Rule {
    label: &'static str,
    tail: Vec<Part>,
}

/// All formats of tokens, prepared for searching.
#[derive(Debug)]
pub(crate) struct Tokens {
    rules: Vec<Rule>,
    /// By their first byte, the longest prefix first.
    by_first: Vec<Vec<Prefixed>>,
    /// A bit for each pair of bytes that a prefix begins with.
    pairs: Vec<u64>,
    infixed: Vec<Infixed>,
}

impl Tokens {
    pub fn new() -> Self {
        let mut tokens = Self {
            rules: Vec::new(),
            by_first: (0..256).map(|_| Vec::new()).collect(),
            pairs: vec![0; 1024],
            infixed: Vec::new(),
        };
        for line in table::PREFIXED.lines() {
            let mut columns = line.split('|');
            let label = columns.next().unwrap_or_default();
            let prefixes = columns.next().unwrap_or_default();
            let rule = tokens.rules.len();
            tokens.rules.push(Rule { label, tail: parts(columns.next().unwrap_or_default()) });
            for prefix in prefixes.split(' ') {
                tokens.add(prefix.as_bytes(), rule);
            }
        }
        for list in &mut tokens.by_first {
            list.sort_by_key(|it| std::cmp::Reverse(it.prefix.len()));
        }
        for line in table::INFIXED.lines() {
            let mut columns = line.split('|');
            let mut next = || columns.next().unwrap_or_default();
            let (label, before, infix, after) = (next(), next(), next(), next());
            tokens.infixed.push(Infixed {
                label,
                before: parts(before),
                infix,
                after: parts(after),
            });
        }
        tokens
    }

    fn add(&mut self, prefix: &'static [u8], rule: usize) {
        let [first, second, ..] = prefix else { return };
        if let Some(list) = self.by_first.get_mut(usize::from(*first)) {
            list.push(Prefixed { prefix, rule });
        }
        let pair = usize::from(*first) << 8 | usize::from(*second);
        if let Some(word) = self.pairs.get_mut(pair / 64) {
            *word |= 1 << (pair % 64);
        }
    }

    pub fn find(&self, text: &[u8], found: &mut Vec<Found>) {
        let mut previous = 0_u8;
        // Tokens do not overlap.
        let mut free = 0;
        for (at, pair) in text.windows(2).enumerate() {
            let &[first, second] = pair else { continue };
            let is_start = !previous.is_ascii_alphanumeric() || !first.is_ascii_alphanumeric();
            previous = first;
            if !is_start || at < free {
                continue;
            }
            let index = usize::from(first) << 8 | usize::from(second);
            if self.pairs.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
                && let Some((end, label)) = self.token_at(text, at, first)
            {
                found.push(token(at..end, label));
                free = end;
            }
        }
        for rule in &self.infixed {
            rule.find(text, found);
        }
    }

    fn token_at(&self, text: &[u8], at: usize, first: u8) -> Option<(usize, &'static str)> {
        let rest = bytes::from(text, at);
        let list = self.by_first.get(usize::from(first))?;
        list.iter().filter(|it| rest.starts_with(it.prefix)).find_map(|it| {
            let rule = self.rules.get(it.rule)?;
            let start = at + it.prefix.len();
            let end = end_of(text, start, &rule.tail)?;
            let tail = bytes::of(text, start..end);
            let is_token = !values::is_dummy(tail)
                && (!tail.iter().any(u8::is_ascii_lowercase)
                    || tail.iter().any(u8::is_ascii_digit)
                    || !values::is_words(tail))
                // Other names begin like this one.
                && (rule.label != table::AMBIGUOUS || values::is_random(tail));
            is_token.then_some((end, rule.label))
        })
    }
}

impl Infixed {
    fn find(&self, text: &[u8], found: &mut Vec<Found>) {
        for at in memmem::find_iter(text, self.infix.as_bytes()) {
            let mut start = at;
            let mut is_whole = true;
            for part in self.before.iter().rev() {
                match part {
                    Part::Literal(literal) => {
                        is_whole &= bytes::of(text, 0..start).ends_with(literal);
                        start = start.saturating_sub(literal.len());
                    }
                    Part::Run { class, least, most } => {
                        let longest = most.saturating_add(1);
                        let run = bytes::run_start(text, start, longest, |it| is_in(*class, it));
                        is_whole &= (*least..=*most).contains(&(start - run));
                        start = run;
                    }
                }
            }
            let end = end_of(text, at + self.infix.len(), &self.after);
            if let Some(end) = end.filter(|_| is_whole)
                && !values::is_dummy(bytes::of(text, start..end))
            {
                found.push(token(start..end, self.label));
            }
        }
    }
}

fn token(range: std::ops::Range<usize>, label: &'static str) -> Found {
    Found { range, kind: Kind::Token, label, spread: Spread::Everywhere }
}

/// The end of a token whose tail begins at an offset. Parts take as much as they can.
fn end_of(text: &[u8], start: usize, tail: &[Part]) -> Option<usize> {
    let mut at = start;
    for (index, part) in tail.iter().enumerate() {
        match part {
            Part::Literal(literal) => {
                if !bytes::from(text, at).starts_with(literal) {
                    return None;
                }
                at += literal.len();
            }
            Part::Run { class, least, most } => {
                // A token ends where its alphabet does. A part within it may end earlier.
                let is_last = index + 1 == tail.len();
                let longest = most.saturating_add(usize::from(is_last));
                let end = bytes::run_end(text, at, longest, |it| is_in(*class, it));
                if !(*least..=*most).contains(&(end - at)) {
                    return None;
                }
                at = end;
            }
        }
    }
    Some(at)
}

/// The parts of a column of the table: `w36` is 36 letters or digits and no more, `v20+` is 20 or more, `h8-10` is 8 to
/// 10, and anything else is a literal.
fn parts(column: &str) -> Vec<Part> {
    column.split(' ').filter(|part| !part.is_empty()).map(part).collect()
}

fn part(text: &str) -> Part {
    let literal = || Part::Literal(text.as_bytes().to_vec());
    let class = bytes::at(text.as_bytes(), 0);
    let count = text.get(1..).unwrap_or_default();
    if !CLASSES.contains(&class) {
        return literal();
    }
    let (least, most) = match (count.strip_suffix('+'), count.split_once('-')) {
        (Some(least), _) => (least.parse().ok(), Some(usize::MAX)),
        (None, Some((least, most))) => (least.parse().ok(), most.parse().ok()),
        (None, None) => (count.parse().ok(), count.parse().ok()),
    };
    match (least, most) {
        (Some(least), Some(most)) => Part::Run { class, least, most },
        _ => literal(),
    }
}

const CLASSES: &[u8] = b"dhHwalubvetpx";

/// Whether a byte is in a class of the table.
fn is_in(class: u8, byte: u8) -> bool {
    match class {
        b'd' => byte.is_ascii_digit(),
        b'h' => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
        b'H' => byte.is_ascii_hexdigit(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'a' => byte.is_ascii_alphabetic(),
        b'l' => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
        b'u' => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        b'v' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
        b'b' => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
        b'e' => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'=' | b'+' | b'/'),
        b'p' => byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/'),
        b'x' => byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'\\' | b'<' | b'>'),
        // t
        _ => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'=' | b'.' | b'~'),
    }
}
