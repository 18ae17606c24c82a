//! One value on each line.

use memchr::memchr;
use traceloupe_core::warning_code::WarningCode;

use traceloupe_core::json;

use crate::framing::emit::{At, Bad, Emitter};
use crate::framing::framer::{Framed, MAX_RECORD_BYTES};

/// Cuts bytes into lines. Holds only the unfinished line.
pub(super) struct LineCutter {
    separator: u8,
    held: Vec<u8>,
    at: At,
    /// The current line is too long to be held in memory.
    is_too_long: bool,
}

/// A line without its terminator.
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    TooLong,
}

impl LineCutter {
    pub fn new(separator: u8, at: At) -> Self {
        Self { separator, held: Vec::new(), at, is_too_long: false }
    }

    /// Where the current line starts.
    pub fn at(&self) -> At {
        self.at
    }

    pub fn push(&mut self, chunk: &[u8], each: &mut dyn FnMut(Line<'_>, At)) {
        let mut rest = chunk;
        while let Some(end) = memchr(self.separator, rest) {
            let (line, after) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            rest = after.get(1..).unwrap_or_default();
            let at = self.at;
            self.at.line = self.at.line.saturating_add(1);
            if self.held.is_empty() && !self.is_too_long {
                self.at.start += line.len() as u64 + 1;
                each(Line::Whole(line), at);
                continue;
            }
            self.hold(line);
            self.at.start += 1;
            let at = At { start: self.at.start - 1 - self.held.len() as u64, ..at };
            self.give(at, each);
        }
        self.hold(rest);
    }

    /// Ends the source: passes on the last line, which has no terminator.
    pub fn finish(&mut self, each: &mut dyn FnMut(Line<'_>, At)) {
        let at = At { start: self.at.start - self.held.len() as u64, ..self.at };
        self.give(at, each);
    }

    fn give(&mut self, at: At, each: &mut dyn FnMut(Line<'_>, At)) {
        if std::mem::take(&mut self.is_too_long) {
            each(Line::TooLong, at);
        } else if !self.held.is_empty() {
            each(Line::Whole(&self.held), at);
        }
        // A long line is rare; free its memory.
        if self.held.capacity() > 1 << 24 {
            self.held = Vec::new();
        }
        self.held.clear();
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.at.start += bytes.len() as u64;
        let fits = self.held.len() + bytes.len() <= MAX_RECORD_BYTES
            && (self.held.capacity() - self.held.len() >= bytes.len()
                || self.held.try_reserve_exact(bytes.len() + self.held.len() / 4).is_ok());
        if self.is_too_long || !fits {
            self.is_too_long = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(bytes);
        }
    }
}

/// Reads JSON lines.
pub(super) struct Lines {
    cutter: LineCutter,
    only: Option<OnlyLine>,
}

/// The first line, if it is not JSON: a broken document unless another line follows.
struct OnlyLine {
    value: Vec<u8>,
    at: At,
    bad: Bad,
}

impl Lines {
    pub fn new(separator: u8, at: At) -> Self {
        Self { cutter: LineCutter::new(separator, at), only: None }
    }

    pub fn at(&self) -> At {
        self.cutter.at()
    }

    /// The bytes of the current line so far.
    pub fn held(&self) -> &[u8] {
        &self.cutter.held
    }

    /// Removes and returns the current line, with its place.
    pub fn take(&mut self) -> (Vec<u8>, At) {
        let held = std::mem::take(&mut self.cutter.held);
        let at = self.cutter.at;
        let start = at.start - held.len() as u64;
        (held, At { start, ..at })
    }

    pub fn push(&mut self, chunk: &[u8], emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        let mut place = Place { only: &mut self.only, is_last: false };
        self.cutter.push(chunk, &mut |line, at| handle(&line, at, &mut place, emitter, sink));
    }

    /// Ends early, because the rest of the source is framed in another way.
    pub fn end_early(mut self, emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        Place { only: &mut self.only, is_last: false }.tell(emitter, sink);
    }

    pub fn finish(&mut self, emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        let mut place = Place { only: &mut self.only, is_last: true };
        self.cutter.finish(&mut |line, at| handle(&line, at, &mut place, emitter, sink));
        let Some(OnlyLine { value, at, bad }) = self.only.take() else { return };
        if let Some(text) = json::complete(&value).filter(|_| bad.truncated) {
            emitter.record(&text, at, true, sink);
            emitter.cut(WarningCode::TruncatedDocument, bad.at, &bad.reason, sink);
        } else if bad.truncated || !emitter.before_break(&value, at, &bad, sink) {
            emitter.bad(WarningCode::BadLine, &bad, sink);
        }
    }
}

/// The position of a line among the others.
struct Place<'a> {
    only: &'a mut Option<OnlyLine>,
    is_last: bool,
}

impl Place<'_> {
    /// Another line follows, so the first line is not a document but a bad line.
    fn tell(&mut self, emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        if let Some(first) = self.only.take() {
            emitter.bad(WarningCode::BadLine, &first.bad, sink);
        }
    }
}

fn handle(
    line: &Line<'_>,
    at: At,
    place: &mut Place<'_>,
    emitter: &mut Emitter,
    sink: &mut dyn FnMut(Framed<'_>),
) {
    let Line::Whole(line) = *line else {
        place.tell(emitter, sink);
        return emitter.notice(WarningCode::RecordTooLong, at, "", sink);
    };
    let range = significant(line);
    let at = At { start: at.start + range.start as u64, ..at };
    let mut value = line.get(range).unwrap_or_default();
    if !value.is_empty() {
        place.tell(emitter, sink);
    }
    if value.first() == Some(&0) || value.last() == Some(&0) {
        let inner = without_nuls(value);
        if inner.is_empty() && !place.is_last {
            return emitter.notice(WarningCode::BadLine, at, "nothing but NUL bytes", sink);
        }
        emitter.notice(WarningCode::NulPadding, at, "", sink);
        let skipped = inner.start;
        value = value.get(inner).unwrap_or_default();
        let at = At { start: at.start + skipped as u64, ..at };
        return emit_line(value, at, place, emitter, sink);
    }
    emit_line(value, at, place, emitter, sink);
}

fn emit_line(
    value: &[u8],
    at: At,
    place: &mut Place<'_>,
    emitter: &mut Emitter,
    sink: &mut dyn FnMut(Framed<'_>),
) {
    if value.is_empty() {
        return;
    }
    // An item inside an array whose first line is missing.
    let item = value.strip_suffix(b",").filter(|item| item.last() == Some(&b'}')).unwrap_or(value);
    let Err(bad) = emitter.value(item, at, true, sink) else {
        if item.len() < value.len() {
            emitter.notice(WarningCode::TrailingComma, at.within(item, item.len()), "", sink);
        }
        return;
    };
    let is_first = emitter.records == 0 && emitter.notices == 0;
    if !place.is_last && is_first && matches!(value.first(), Some(b'{' | b'[')) {
        let mut held = Vec::new();
        if held.try_reserve_exact(value.len()).is_ok() {
            held.extend_from_slice(value);
            *place.only = Some(OnlyLine { value: held, at, bad });
            return;
        }
    }
    if !place.is_last || !bad.truncated {
        if !place.is_last || !emitter.before_break(value, at, &bad, sink) {
            emitter.stray(value, &bad, sink);
        }
        return;
    }
    // Half an event must not be mistaken for a whole one, so it is closed only if there is nothing else.
    let is_only = emitter.records == 0;
    let closed = if is_only { json::complete(value) } else { None };
    let code = if closed.is_some() {
        WarningCode::TruncatedDocument
    } else {
        WarningCode::TruncatedLastLine
    };
    if let Some(text) = closed {
        emitter.record(&text, at, true, sink);
    }
    emitter.cut(code, bad.at, &bad.reason, sink);
}

/// The range of a line without surrounding white space, record separators (RFC 7464) and a byte
/// order mark.
pub(super) fn significant(line: &[u8]) -> std::ops::Range<usize> {
    let mut range = json::trim(line);
    loop {
        let rest = line.get(range.clone()).unwrap_or_default();
        let skipped = match rest {
            [0x1e, ..] => 1,
            [0xef, 0xbb, 0xbf, ..] => 3,
            _ => return range,
        };
        let after = rest.get(skipped..).unwrap_or_default();
        range.start += skipped + json::trim(after).start;
        range.end = range.end.max(range.start);
    }
}

fn without_nuls(bytes: &[u8]) -> std::ops::Range<usize> {
    let is_text = |byte: &u8| *byte != 0 && !byte.is_ascii_whitespace();
    let start = bytes.iter().position(is_text).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(is_text).map_or(start, |at| at + 1);
    start..end
}
