//! Shortens a value of any size for display: everything beyond the limits for strings, lists and depth is left out, and
//! the places of the gaps are recorded. The value comes in chunks and is never held in memory, so a gigabyte costs one
//! pass.

use super::decode::unfinished;
use super::lexer::{Lexer, Mark};

/// The limits up to which a value is kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Bytes of one string, as written in the file.
    pub string_bytes: usize,
    /// Items of one list, and members of one object.
    pub items: usize,
    /// Bytes of one list. Objects may be longer.
    pub list_bytes: usize,
    /// Items and members in total. Once this many are kept, every list ends at its next comma.
    pub all_items: usize,
    /// Bytes in total, with the same effect.
    pub all_bytes: usize,
    /// Levels of nesting.
    pub depth: usize,
}

/// What a gap leaves out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapKind {
    /// The rest of a string.
    String,
    /// Items of a list, or members of an object.
    Items {
        /// Whether they are members.
        is_object: bool,
        /// How many.
        count: u64,
    },
    /// Everything inside a list or an object that is nested too deeply.
    Inside {
        /// Whether it is an object.
        is_object: bool,
    },
}

/// A place where something was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// What was left out.
    pub kind: GapKind,
    /// The offset in the short text where it is missing.
    pub at: usize,
    /// Offset in the whole value of the first byte that was left out.
    pub start: u64,
    /// Offset in the whole value after the last byte that was left out.
    pub end: u64,
}

/// A long value, shortened.
#[derive(Clone, Default, Debug)]
pub struct Short {
    /// The short text: JSON if the value is JSON.
    pub text: Vec<u8>,
    /// The places where something was left out.
    pub gaps: Gaps,
}

/// The gaps of a short text, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gaps(Vec<Gap>);

impl Gaps {
    /// The gaps.
    #[must_use]
    pub fn as_slice(&self) -> &[Gap] {
        &self.0
    }

    /// The offset in the whole value of a byte of the short text.
    #[must_use]
    pub fn start_of(&self, at: usize) -> u64 {
        self.moved(at, |gap| gap.at <= at)
    }

    /// The offset in the whole value of the end of a range of the short text.
    #[must_use]
    pub fn end_of(&self, at: usize) -> u64 {
        self.moved(at, |gap| gap.at < at)
    }

    fn moved(&self, at: usize, is_before: impl Fn(&Gap) -> bool) -> u64 {
        let last = self.0.partition_point(is_before).checked_sub(1);
        match last.and_then(|last| self.0.get(last)) {
            Some(gap) => gap.end + (at - gap.at) as u64,
            None => at as u64,
        }
    }
}

/// Shortens a value that comes in chunks.
#[derive(Debug)]
pub struct Shortener {
    keep: Keep,
    short: Short,
    open: Vec<Open>,
    lexer: Lexer,
    state: State,
    /// Offset of the next byte in the whole value.
    at: u64,
    n_items: usize,
    /// Whether to stop at the first item beyond the limit, because the value is read in pages.
    is_page: bool,
    is_done: bool,
}

#[derive(Debug)]
struct Open {
    is_object: bool,
    n_items: usize,
    /// Offset of its inside in the short text.
    start: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Outside of strings.
    Between,
    /// In a string whose inside begins at this offset of the short text.
    String { start: usize },
    /// In the omitted part of a string, which begins at this offset of the value.
    RestOfString { from: u64 },
    /// In the omitted part of a list or object.
    Skip(Skip),
}

#[derive(Clone, Copy, Debug)]
struct Skip {
    kind: GapKind,
    from: u64,
    /// How many brackets are open inside the omitted part.
    depth: u64,
    n_commas: u64,
    /// Nothing but white space so far.
    is_blank: bool,
}

impl Shortener {
    /// Shortens a whole value.
    #[must_use]
    pub fn new(keep: Keep) -> Self {
        Self {
            keep,
            short: Short::default(),
            open: Vec::new(),
            lexer: Lexer::default(),
            state: State::Between,
            at: 0,
            n_items: 0,
            is_page: false,
            is_done: false,
        }
    }

    /// Shortens items of a list, or members of an object, without the surrounding brackets. Stops once the limit of
    /// items is reached.
    #[must_use]
    pub fn inside(keep: Keep, is_object: bool) -> Self {
        let mut shortener = Self::new(keep);
        shortener.open.push(Open { is_object, n_items: 0, start: 0 });
        shortener.is_page = true;
        shortener
    }

    /// Whether further bytes would change nothing.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Reads the next chunk.
    #[inline(never)]
    pub fn push(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while !rest.is_empty() && !self.is_done {
            let used = match self.state {
                State::Between => self.between(rest),
                State::String { start } => self.string(rest, start),
                State::RestOfString { from } => self.rest_of_string(rest, from),
                State::Skip(skip) => self.skip(rest, skip),
            };
            self.at += used as u64;
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// How many top-level items [`Shortener::inside`] has read.
    #[must_use]
    pub fn items(&self) -> usize {
        self.open.first().map_or(0, |open| open.n_items)
    }

    /// Ends the value.
    #[must_use]
    pub fn finish(mut self) -> Short {
        match self.state {
            State::RestOfString { from, .. } => self.gap(GapKind::String, from, self.at),
            State::Skip(skip) => self.end_skip(&skip, self.at),
            State::Between | State::String { .. } => {}
        }
        self.short
    }

    fn gap(&mut self, kind: GapKind, start: u64, end: u64) {
        if end > start {
            self.short.gaps.0.push(Gap { kind, at: self.short.text.len(), start, end });
        }
    }

    fn keep(&mut self, bytes: Option<&[u8]>) {
        self.short.text.extend_from_slice(bytes.unwrap_or_default());
    }

    /// Outside of strings. Returns how many bytes were used, like the methods for the other states.
    fn between(&mut self, rest: &[u8]) -> usize {
        let mut at = 0;
        while let Some((hit, mark)) = self.lexer.next(rest, at) {
            self.keep(rest.get(at..hit));
            at = hit + 1;
            if mark == Mark::Comma && self.ends_here() {
                return self.end_list(at);
            }
            self.keep(rest.get(hit..at));
            let start = self.short.text.len();
            match mark {
                Mark::StringStart => {
                    self.state = State::String { start };
                    return at;
                }
                Mark::Open { is_object } if self.open.len() >= self.keep.depth => {
                    let kind = GapKind::Inside { is_object };
                    self.state = State::Skip(Skip::new(kind, self.at + at as u64));
                    return at;
                }
                Mark::Open { is_object } => self.open.push(Open { is_object, n_items: 0, start }),
                Mark::Close { .. } => {
                    self.open.pop();
                }
                Mark::Comma | Mark::StringEnd => {}
            }
        }
        self.keep(rest.get(at..));
        rest.len()
    }

    /// Counts an item. Returns whether the innermost list or object has now reached its limit.
    fn ends_here(&mut self) -> bool {
        self.n_items += 1;
        let (n_items, n_bytes) = (self.n_items, self.short.text.len());
        let keep = self.keep;
        let Some(open) = self.open.last_mut() else { return false };
        open.n_items += 1;
        open.n_items >= keep.items
            || (!open.is_object && n_bytes - open.start > keep.list_bytes)
            || n_items >= keep.all_items
            || n_bytes >= keep.all_bytes
    }

    /// Omits everything after the comma that ends at an offset.
    fn end_list(&mut self, after: usize) -> usize {
        if self.is_page && self.open.len() == 1 {
            self.is_done = true;
            self.state = State::Between;
            // The comma counts as used, because the next page begins after it.
            return after;
        }
        let is_object = self.open.last().is_some_and(|open| open.is_object);
        let kind = GapKind::Items { is_object, count: 1 };
        self.state = State::Skip(Skip::new(kind, self.at + after as u64));
        after
    }

    fn string(&mut self, rest: &[u8], start: usize) -> usize {
        let kept = self.short.text.len() - start;
        let room = match self.keep.string_bytes.checked_sub(kept) {
            // The second byte of an escape is kept with the first one.
            _ if self.lexer.is_escaped() => 1,
            Some(room) if room > 0 => room,
            _ => {
                let before = self.short.text.len();
                self.end_whole(start);
                let from = self.at - (before - self.short.text.len()) as u64;
                self.state = State::RestOfString { from };
                return 0;
            }
        };
        let chunk = rest.get(..room).unwrap_or(rest);
        let used = match self.lexer.next(chunk, 0) {
            Some((quote, _)) => {
                self.state = State::Between;
                quote + 1
            }
            None => chunk.len(),
        };
        self.keep(chunk.get(..used));
        used
    }

    /// Shortens a string so that it does not end within a character or an escape.
    fn end_whole(&mut self, start: usize) {
        let text = &mut self.short.text;
        let inside = text.get(start..).unwrap_or_default();
        let len = inside.len() - unfinished(inside);
        text.truncate(start + len);
    }

    fn rest_of_string(&mut self, rest: &[u8], from: u64) -> usize {
        let Some((quote, _)) = self.lexer.next(rest, 0) else { return rest.len() };
        self.gap(GapKind::String, from, self.at + quote as u64);
        self.short.text.push(b'"');
        self.state = State::Between;
        quote + 1
    }

    fn skip(&mut self, rest: &[u8], mut skip: Skip) -> usize {
        let mut at = 0;
        while let Some((hit, mark)) = self.lexer.next(rest, at) {
            skip.see(rest.get(at..hit));
            at = hit + 1;
            match mark {
                Mark::Close { .. } if skip.depth == 0 => {
                    self.end_skip(&skip, self.at + hit as u64);
                    self.keep(rest.get(hit..at));
                    self.state = State::Between;
                    return at;
                }
                Mark::Open { .. } => skip.depth += 1,
                Mark::Close { .. } => skip.depth -= 1,
                Mark::Comma if skip.depth == 0 => skip.n_commas += 1,
                Mark::Comma | Mark::StringStart | Mark::StringEnd => {}
            }
            skip.is_blank = false;
        }
        skip.see(rest.get(at..));
        self.state = State::Skip(skip);
        rest.len()
    }

    fn end_skip(&mut self, skip: &Skip, end: u64) {
        match skip.kind {
            GapKind::Items { is_object, .. } => {
                self.open.pop();
                let kind = GapKind::Items { is_object, count: skip.n_commas + 1 };
                self.gap(kind, skip.from, end);
            }
            kind if !skip.is_blank => self.gap(kind, skip.from, end),
            _ => {}
        }
    }

    /// How many bytes have been read.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.at
    }
}

impl Skip {
    fn new(kind: GapKind, from: u64) -> Self {
        Self { kind, from, depth: 0, n_commas: 0, is_blank: true }
    }

    /// Records whether there is anything but white space.
    fn see(&mut self, bytes: Option<&[u8]>) {
        self.is_blank =
            self.is_blank && bytes.unwrap_or_default().iter().all(u8::is_ascii_whitespace);
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;

    const KEEP: Keep = Keep {
        string_bytes: 8,
        items: 3,
        list_bytes: 1 << 20,
        all_items: 1_000,
        all_bytes: 1 << 20,
        depth: 3,
    };

    #[track_caller]
    fn short(text: &str, keep: Keep) -> Short {
        let whole = {
            let mut shortener = Shortener::new(keep);
            shortener.push(text.as_bytes());
            shortener.finish()
        };
        for chunk in [1, 3] {
            let mut shortener = Shortener::new(keep);
            text.as_bytes().chunks(chunk).for_each(|chunk| shortener.push(chunk));
            let pieces = shortener.finish();
            assert_eq!((pieces.text, pieces.gaps), (whole.text.clone(), whole.gaps.clone()));
        }
        whole
    }

    #[track_caller]
    fn check(text: &str, expected: &str, left_out: &[&str]) -> Short {
        let short = short(text, KEEP);
        assert_eq!(std::str::from_utf8(&short.text).unwrap(), expected);
        let gaps: Vec<_> = short
            .gaps
            .as_slice()
            .iter()
            .map(|gap| &text[gap.start as usize..gap.end as usize])
            .collect();
        assert_eq!(gaps, left_out);
        short
    }

    #[test]
    fn short_values_stay_as_they_are() {
        for text in [r#"{"a": [1, 2, "x\"]"], "b": {}}"#, "[]", "7", "\"\"", " [ ] "] {
            check(text, text, &[]);
        }
    }

    #[test]
    fn long_strings_end_between_characters() {
        check("\"0123456789\"", "\"01234567\"", &["89"]);
        check(r#"["0123456\n9", 1]"#, r#"["0123456\n", 1]"#, &["9"]);
        check(r#""012345\u00e9x""#, r#""012345""#, &[r"\u00e9x"]);
        check(r#""0123\ud83d\ude00x""#, r#""0123""#, &[r"\ud83d\ude00x"]);
        check("\"0123456éé\"", "\"0123456\"", &["éé"]);
        check(r#""\\\\\\\\\\x""#, r#""\\\\\\\\""#, &[r"\\x"]);
    }

    #[test]
    fn long_lists_say_how_much_is_missing() {
        let short = check("[1, [2,3,4,5], 6, 7,8]", "[1, [2,3,4], 6]", &["5", " 7,8"]);
        let counts: Vec<_> = short.gaps.as_slice().iter().map(|gap| gap.kind).collect();
        let items = |count| GapKind::Items { is_object: false, count };
        assert_eq!(counts, [items(1), items(2)]);
        let short = check(
            r#"{"a":1,"b":2,"c":3,"d":[",}"],"e":5}"#,
            r#"{"a":1,"b":2,"c":3}"#,
            &[r#""d":[",}"],"e":5"#],
        );
        assert_eq!(short.gaps.as_slice()[0].kind, GapKind::Items { is_object: true, count: 2 });
    }

    #[test]
    fn depth_is_left_out_and_found_again() {
        check("[[[[[1]],2]]]", "[[[[],2]]]", &["[1]"]);
        check("[[[[ ]]]]", "[[[[]]]]", &[]);
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let short = short(&deep[..200], KEEP);
        assert_eq!(short.gaps.as_slice().len(), 1);
    }

    #[test]
    fn places_are_those_of_the_whole_value() {
        let text = r#"{"a":"0123456789","b":[1,2,3,4],"c":true}"#;
        let keep = Keep { items: 3, ..KEEP };
        let short = short(text, keep);
        let string = std::str::from_utf8(&short.text).unwrap();
        for wanted in ["\"a\"", "[1,2,3", "\"c\"", "true"] {
            let at = string.find(wanted).unwrap();
            let start = short.gaps.start_of(at) as usize;
            assert!(text[start..].starts_with(wanted), "{wanted}");
            assert_eq!(short.gaps.end_of(at + wanted.len()) as usize, start + wanted.len());
        }
        let list = string.find('[').unwrap();
        let end = short.gaps.end_of(string.find(']').unwrap() + 1) as usize;
        assert_eq!(&text[short.gaps.start_of(list) as usize..end], "[1,2,3,4]");
    }

    #[test]
    fn a_page_of_items_ends_where_the_next_begins() {
        let text = "4, [5, 6], \"7,\", 8, 9";
        let mut page = Shortener::inside(KEEP, false);
        page.push(text.as_bytes());
        assert!(page.is_done());
        assert_eq!(&text[page.used_bytes() as usize..], " 8, 9");
        assert_eq!(page.finish().text, b"4, [5, 6], \"7,\"");
    }
}
