//! A value of any size made short enough to be looked at: strings, lists and depth beyond a limit are
//! left out, and where. The value comes in pieces and is never held, so a gigabyte costs one pass.

use memchr::memchr2;

/// How much of a value is kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Bytes of one string, as they stand in the file.
    pub string_bytes: usize,
    /// Items of one list, and members of one object.
    pub items: usize,
    /// Bytes of one list; objects may be longer.
    pub list_bytes: usize,
    /// Items and members in all, and bytes in all: from then on every list ends at its next comma.
    pub all_items: usize,
    /// See `all_items`.
    pub all_bytes: usize,
    /// Levels.
    pub depth: usize,
}

/// What was left out at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GapKind {
    /// The rest of a string.
    String,
    /// So many items of a list, or members of an object.
    Items {
        /// Whether they are members.
        is_object: bool,
        /// How many there are.
        count: u64,
    },
    /// All that is in a list or an object, which lies too deep.
    Inside {
        /// Whether it is an object.
        is_object: bool,
    },
}

/// Something that was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// What it is.
    pub kind: GapKind,
    /// The offset in the short text that it would stand at.
    pub at: usize,
    /// The first byte that was left out, as an offset into the whole value.
    pub start: u64,
    /// The first byte behind it.
    pub end: u64,
}

/// A short text of a long value.
#[derive(Clone, Default, Debug)]
pub struct Short {
    /// JSON where the value is JSON.
    pub text: Vec<u8>,
    /// What was left out.
    pub gaps: Gaps,
}

/// What was left out of a text, in the order of its places.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Gaps(Vec<Gap>);

impl Gaps {
    /// The gaps.
    #[must_use]
    pub fn as_slice(&self) -> &[Gap] {
        &self.0
    }

    /// Where in the whole value a byte of the short text stands.
    #[must_use]
    pub fn start_of(&self, at: usize) -> u64 {
        self.moved(at, |gap| gap.at <= at)
    }

    /// Where in the whole value something ends that ends at an offset of the short text.
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

/// Shortens a value that comes in pieces.
#[derive(Debug)]
pub struct Shortener {
    keep: Keep,
    short: Short,
    open: Vec<Open>,
    state: State,
    /// The offset of the next byte.
    at: u64,
    n_items: usize,
    /// Whether to stop at the first item too many, for what is read by pages.
    is_page: bool,
    is_done: bool,
}

#[derive(Debug)]
struct Open {
    is_object: bool,
    n_items: usize,
    /// Where its inside begins in the short text.
    start: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Between,
    /// In a string whose inside begins at this offset of the short text; `escaped` behind a `\`.
    String {
        start: usize,
        escaped: bool,
    },
    /// In the part of a string that is left out, from this offset of the value on.
    RestOfString {
        from: u64,
        escaped: bool,
    },
    /// In the part of a list or object that is left out.
    Skip(Skip),
}

#[derive(Clone, Copy, Debug)]
struct Skip {
    kind: GapKind,
    from: u64,
    /// Open brackets inside of it.
    depth: u64,
    n_commas: u64,
    in_string: bool,
    escaped: bool,
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
            state: State::Between,
            at: 0,
            n_items: 0,
            is_page: false,
            is_done: false,
        }
    }

    /// Shortens items of a list, or members of an object, which come without its brackets. It stops
    /// at the first item that is too many.
    #[must_use]
    pub fn inside(keep: Keep, is_object: bool) -> Self {
        let mut shortener = Self::new(keep);
        shortener.open.push(Open { is_object, n_items: 0, start: 0 });
        shortener.is_page = true;
        shortener
    }

    /// Whether more bytes would change nothing.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() && !self.is_done {
            let used = match self.state {
                State::Between => self.between(rest),
                State::String { start, escaped } => self.string(rest, start, escaped),
                State::RestOfString { from, escaped } => self.rest_of_string(rest, from, escaped),
                State::Skip(skip) => self.skip(rest, skip),
            };
            self.at += used as u64;
            rest = rest.get(used..).unwrap_or_default();
        }
    }

    /// How many items there are at the top of what was read by [`Shortener::inside`].
    #[must_use]
    pub fn items(&self) -> usize {
        self.open.first().map_or(0, |open| open.n_items)
    }

    /// The value has ended, or nobody wants more of it.
    #[must_use]
    pub fn finish(mut self) -> Short {
        match self.state {
            State::RestOfString { from, .. } => self.gap(GapKind::String, from, self.at),
            State::Skip(skip) => self.end_skip(&skip),
            State::Between | State::String { .. } => {}
        }
        self.short
    }

    fn gap(&mut self, kind: GapKind, start: u64, end: u64) {
        if end > start {
            self.short.gaps.0.push(Gap { kind, at: self.short.text.len(), start, end });
        }
    }

    /// Outside of strings. Returns how many bytes are dealt with.
    fn between(&mut self, rest: &[u8]) -> usize {
        for (offset, byte) in rest.iter().enumerate() {
            match byte {
                b'"' => {
                    self.short.text.push(b'"');
                    let start = self.short.text.len();
                    self.state = State::String { start, escaped: false };
                    return offset + 1;
                }
                b'{' | b'[' => {
                    let is_object = *byte == b'{';
                    self.short.text.push(*byte);
                    if self.open.len() >= self.keep.depth {
                        let kind = GapKind::Inside { is_object };
                        self.state = State::Skip(Skip::new(kind, self.at + offset as u64 + 1));
                        return offset + 1;
                    }
                    let start = self.short.text.len();
                    self.open.push(Open { is_object, n_items: 0, start });
                }
                b'}' | b']' => {
                    self.open.pop();
                    self.short.text.push(*byte);
                }
                b',' => {
                    if self.ends_here() {
                        return self.end_list(offset);
                    }
                    self.short.text.push(*byte);
                }
                _ => self.short.text.push(*byte),
            }
        }
        rest.len()
    }

    /// Whether the list or object at hand has enough items, now that one more is whole.
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

    /// Leaves out what is behind the comma at an offset.
    fn end_list(&mut self, offset: usize) -> usize {
        let from = self.at + offset as u64 + 1;
        let is_object = self.open.last().is_some_and(|open| open.is_object);
        if self.is_page && self.open.len() == 1 {
            self.is_done = true;
            self.state = State::Between;
            // So many bytes are dealt with that the next page begins behind the comma.
            return offset + 1;
        }
        let kind = GapKind::Items { is_object, count: 1 };
        self.state = State::Skip(Skip::new(kind, from));
        offset + 1
    }

    fn string(&mut self, rest: &[u8], start: usize, escaped: bool) -> usize {
        if escaped {
            self.short.text.extend(rest.first());
            self.state = State::String { start, escaped: false };
            return 1;
        }
        let kept = self.short.text.len() - start;
        if kept >= self.keep.string_bytes {
            let before = self.short.text.len();
            self.end_whole(start);
            let from = self.at - (before - self.short.text.len()) as u64;
            self.state = State::RestOfString { from, escaped: false };
            return 0;
        }
        let room = (self.keep.string_bytes - kept).min(rest.len());
        let piece = rest.get(..room).unwrap_or(rest);
        let Some(hit) = memchr2(b'"', b'\\', piece) else {
            self.short.text.extend_from_slice(piece);
            return piece.len();
        };
        self.short.text.extend(piece.get(..=hit).unwrap_or_default());
        self.state = match piece.get(hit) {
            Some(b'"') => State::Between,
            _ => State::String { start, escaped: true },
        };
        hit + 1
    }

    /// A string is cut between two characters and not within an escape.
    fn end_whole(&mut self, start: usize) {
        let text = &mut self.short.text;
        let inside = text.get(start..).unwrap_or_default();
        let len = inside.len() - unfinished(inside);
        text.truncate(start + len);
    }

    fn rest_of_string(&mut self, rest: &[u8], from: u64, escaped: bool) -> usize {
        if escaped {
            self.state = State::RestOfString { from, escaped: false };
            return 1;
        }
        let Some(hit) = memchr2(b'"', b'\\', rest) else { return rest.len() };
        if rest.get(hit) == Some(&b'"') {
            self.gap(GapKind::String, from, self.at + hit as u64);
            self.short.text.push(b'"');
            self.state = State::Between;
        } else {
            self.state = State::RestOfString { from, escaped: true };
        }
        hit + 1
    }

    fn skip(&mut self, rest: &[u8], mut skip: Skip) -> usize {
        let mut at = 0;
        while let Some(byte) = rest.get(at) {
            if skip.escaped {
                skip.escaped = false;
                at += 1;
                continue;
            }
            if skip.in_string {
                let inside = rest.get(at..).unwrap_or_default();
                let Some(hit) = memchr2(b'"', b'\\', inside) else {
                    at = rest.len();
                    break;
                };
                skip.in_string = inside.get(hit) != Some(&b'"');
                skip.escaped = skip.in_string;
                at += hit + 1;
                continue;
            }
            match byte {
                b'"' => skip.in_string = true,
                b'{' | b'[' => skip.depth += 1,
                b'}' | b']' if skip.depth == 0 => {
                    self.at += at as u64;
                    self.end_skip(&skip);
                    self.at -= at as u64;
                    self.short.text.push(*byte);
                    self.state = State::Between;
                    return at + 1;
                }
                b'}' | b']' => skip.depth -= 1,
                b',' if skip.depth == 0 => skip.n_commas += 1,
                _ => {}
            }
            skip.is_blank &= byte.is_ascii_whitespace();
            at += 1;
        }
        self.state = State::Skip(skip);
        at
    }

    fn end_skip(&mut self, skip: &Skip) {
        match skip.kind {
            GapKind::Items { is_object, .. } => {
                self.open.pop();
                let kind = GapKind::Items { is_object, count: skip.n_commas + 1 };
                self.gap(kind, skip.from, self.at);
            }
            kind if !skip.is_blank => self.gap(kind, skip.from, self.at),
            _ => {}
        }
    }

    /// How many bytes are dealt with.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        self.at
    }
}

impl Skip {
    fn new(kind: GapKind, from: u64) -> Self {
        Self { kind, from, depth: 0, n_commas: 0, in_string: false, escaped: false, is_blank: true }
    }
}

/// How many bytes at the end of the inside of a JSON string are the beginning of an escape or of a
/// character.
#[must_use]
pub fn unfinished(inside: &[u8]) -> usize {
    // The longest escape is a pair of surrogates.
    const LONGEST: usize = 12;
    let tail_start = inside.len().saturating_sub(LONGEST);
    let tail = inside.get(tail_start..).unwrap_or_default();
    let before = inside.get(..tail_start).unwrap_or_default();
    let mut at = 0;
    // An escape may begin before the tail: then its second byte is the first of the tail.
    if before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1 {
        at = 1;
    }
    while let Some(byte) = tail.get(at) {
        if *byte != b'\\' {
            at += 1;
            continue;
        }
        let escape = tail.get(at..).unwrap_or_default();
        let len = match escape {
            [_, b'u', b'd' | b'D', ..] => pair_len(escape),
            [_, b'u', ..] => 6,
            _ => 2,
        };
        if escape.len() < len {
            return escape.len();
        }
        at += len;
    }
    match std::str::from_utf8(tail) {
        Err(error) if error.error_len().is_none() => tail.len() - error.valid_up_to(),
        Err(_) => cut_character(tail),
        Ok(_) => 0,
    }
}

/// The length of an escape that begins with `\ud`: the first half of a pair needs its second half.
fn pair_len(escape: &[u8]) -> usize {
    match escape.get(3) {
        None | Some(b'8'..=b'9' | b'a' | b'b' | b'A' | b'B') => match escape.get(6..8) {
            Some(b"\\u") | None if escape.get(6).is_none_or(|byte| *byte == b'\\') => 12,
            _ => 6,
        },
        _ => 6,
    }
}

/// Like [`std::str::from_utf8`] for a text whose beginning is cut within a character.
fn cut_character(tail: &[u8]) -> usize {
    let last = tail.iter().rev().take(4).position(|byte| *byte >= 0xc0);
    let Some(at) = last else { return 0 };
    let is_lead_of = match tail.iter().rev().nth(at) {
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        _ => 4,
    };
    if at + 1 < is_lead_of { at + 1 } else { 0 }
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
