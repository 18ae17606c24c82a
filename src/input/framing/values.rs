//! Separates values by their brackets: one document, several values in a row, the items of arrays, and the items of the
//! list at which a long document is split.

use std::borrow::Cow;
use traceloupe_core::warning_code::WarningCode;

use memchr::memchr_iter;

use traceloupe_core::json::{self, Repaired, Structure};

use crate::framing::emit::{At, Bad, Emitter};
use crate::framing::framer::{Framed, Framing, MAX_RECORD_BYTES};
use crate::framing::split::{
    DocumentPart, HEAD_END, Split, inside_object, list_start, tail_object,
};

/// How many times reading may restart after a value that never ends.
const MAX_RESTARTS: u32 = 32;

/// A longer document gets memory for the rest of its source at once: growing by doubling leaves holes in wasm memory
/// that are never freed.
const ROOM_FROM_BYTES: usize = 4 << 20;

/// Reads values as they close.
pub(super) struct Values {
    is_array: bool,
    array_is_open: bool,
    state: State,
    /// The bytes of the current value so far, where it starts, and its length.
    held: Vec<u8>,
    begins: At,
    len: usize,
    /// The position of the next byte.
    at: At,
    count: u64,
    restarts: u32,
    last_line: u32,
    told: Told,
    split: Split,
    part: DocumentPart,
    is_split: bool,
}

/// Notices that are raised once per source, or once per line.
#[derive(Default)]
struct Told {
    first_multi_line: Option<At>,
    multi_line: bool,
    several_on_line: u32,
}

#[derive(Clone, Copy)]
enum State {
    Between,
    Inside(Structure),
    Word { in_string: bool, escaped: bool },
}

/// The result of a step.
enum Step {
    /// This many bytes are done.
    Used(usize),
    /// This many bytes are done, but these must be read again.
    Again(usize, Vec<u8>),
}

type Sink<'s> = &'s mut dyn FnMut(Framed<'_>);

impl Values {
    pub fn new(is_array: bool, at: At, split: Split) -> Self {
        Self {
            is_array,
            array_is_open: false,
            state: State::Between,
            held: Vec::new(),
            begins: at,
            len: 0,
            at,
            count: 0,
            restarts: 0,
            last_line: 0,
            told: Told::default(),
            split,
            part: DocumentPart::Whole,
            is_split: false,
        }
    }

    pub fn framing(&self) -> Framing {
        match (self.is_array, self.count) {
            (true, _) => Framing::Array,
            (false, _) if self.is_split => Framing::Document,
            (false, 0 | 1) => Framing::Document,
            (false, _) => Framing::Values,
        }
    }

    pub fn push(&mut self, chunk: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        let mut pieces: Vec<Cow<'_, [u8]>> = vec![Cow::Borrowed(chunk)];
        while let Some(piece) = pieces.pop() {
            let mut from = 0;
            while let Some(rest) = piece.get(from..).filter(|rest| !rest.is_empty()) {
                match self.step(rest, emitter, sink) {
                    Step::Used(len) => from += len,
                    Step::Again(len, again) => {
                        pieces.push(Cow::Owned(rest.get(len..).unwrap_or_default().to_vec()));
                        pieces.push(Cow::Owned(again));
                        break;
                    }
                }
            }
        }
    }

    pub fn finish(&mut self, emitter: &mut Emitter, sink: Sink<'_>) {
        loop {
            let held = std::mem::take(&mut self.held);
            match std::mem::replace(&mut self.state, State::Between) {
                State::Between => break,
                State::Word { .. } => {
                    self.settle_word(&held, emitter, sink);
                    break;
                }
                State::Inside(_) => {
                    if self.part == DocumentPart::Tail {
                        return self.finish_cut_tail(&held, emitter, sink);
                    }
                    let Some(again) = self.restart(&held, emitter, sink) else {
                        return self.finish_cut(&held, emitter, sink);
                    };
                    self.push(&again, emitter, sink);
                }
            }
        }
        if self.array_is_open {
            emitter.cut(WarningCode::TruncatedDocument, self.at, "the array is not closed", sink);
        }
    }

    fn finish_cut(&mut self, held: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        if self.len > held.len() {
            return emitter.notice(WarningCode::RecordTooLong, self.begins, "", sink);
        }
        if let Some(text) = json::complete(held) {
            emitter.record(&text, self.begins, true, sink);
            self.count += 1;
        } else if let Repaired::Bad { reason, offset, truncated: false } = json::repair(held) {
            let bad = Bad { reason, at: self.begins.within(held, offset), truncated: false };
            if emitter.before_break(held, self.begins, &bad, sink) {
                self.count += 1;
                return;
            }
        }
        emitter.cut(WarningCode::TruncatedDocument, self.at, "the last value is not closed", sink);
    }

    fn step(&mut self, rest: &[u8], emitter: &mut Emitter, sink: Sink<'_>) -> Step {
        match self.state {
            State::Between => Step::Used(self.between(rest)),
            State::Inside(mut structure) => {
                let may_split = self.part == DocumentPart::Whole && !self.is_array;
                let room = may_split.then(|| self.split.room(self.len)).flatten();
                let piece = room.and_then(|room| rest.get(..room)).unwrap_or(rest);
                let end = structure.close(piece);
                self.state = State::Inside(structure);
                if let Some(end) = end {
                    return self.value_end(piece, end, emitter, sink);
                }
                self.hold(piece);
                let again =
                    if room == Some(piece.len()) { self.split(emitter, sink) } else { None };
                match again {
                    Some(again) => Step::Again(piece.len(), again),
                    None => Step::Used(piece.len()),
                }
            }
            State::Word { in_string, escaped } => {
                let word = Word { in_string, escaped, in_array: self.array_is_open };
                self.word(rest, word, emitter, sink)
            }
        }
    }

    /// Skips everything between values, up to the first byte of the next value.
    fn between(&mut self, rest: &[u8]) -> usize {
        for (offset, byte) in rest.iter().enumerate() {
            let used = offset + 1;
            match byte {
                b'\n' => self.at.line = self.at.line.saturating_add(1),
                // White space, commas, record separators, and the bytes of a byte order mark.
                b' ' | b'\t' | b'\r' | b',' | 0x1e | 0xef | 0xbb | 0xbf => {}
                b'[' if self.is_array && !self.array_is_open => self.array_is_open = true,
                b']' if self.array_is_open && self.part == DocumentPart::List => {
                    self.at.start += used as u64;
                    self.array_is_open = false;
                    self.part = DocumentPart::Tail;
                    self.begin(State::Inside(inside_object()));
                    return used;
                }
                b']' if self.array_is_open => self.array_is_open = false,
                b'{' | b'[' => {
                    self.at.start += offset as u64;
                    self.begin(State::Inside(Structure::default()));
                    return offset;
                }
                _ => {
                    self.at.start += offset as u64;
                    self.begin(State::Word { in_string: false, escaped: false });
                    return offset;
                }
            }
            if used == rest.len() {
                self.at.start += used as u64;
            }
        }
        rest.len()
    }

    fn begin(&mut self, state: State) {
        self.state = state;
        self.begins = self.at;
        self.len = 0;
        self.split.begin();
    }

    /// Passes on the part before the list at which the current long document is split, and returns the bytes from the
    /// list's first item on. `None` if the document should not be split.
    fn split(&mut self, emitter: &mut Emitter, sink: Sink<'_>) -> Option<Vec<u8>> {
        let held = self.held.get(..self.len)?;
        let list = self.split.list(held)?;
        let at = list_start(held, &list)?;
        let mut head = held.get(..at)?.to_vec();
        head.extend_from_slice(HEAD_END);
        emitter.envelope(&head, self.begins, sink).ok()?;
        self.is_split = true;
        self.part = DocumentPart::List;
        self.array_is_open = true;
        self.state = State::Between;
        let held = std::mem::take(&mut self.held);
        self.at = self.begins.within(&held, at);
        held.get(at..).map(<[u8]>::to_vec)
    }

    /// The part of a split document after its list, up to the closing bracket.
    fn settle_tail(&mut self, value: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        self.part = DocumentPart::Whole;
        match tail_object(value) {
            Some((text, offset)) => {
                if text.len() > 2
                    && let Err(bad) =
                        emitter.envelope(&text, self.begins.within(value, offset), sink)
                {
                    emitter.bad(WarningCode::BadLine, &bad, sink);
                }
            }
            None => emitter.notice(
                WarningCode::BadLine,
                self.begins,
                "behind the list of a document",
                sink,
            ),
        }
    }

    fn finish_cut_tail(&mut self, held: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        if let Some((text, offset)) = tail_object(held)
            && let Some(whole) = json::complete(&text)
        {
            // It has just been closed, so it is whole.
            let _ = emitter.envelope(whole.as_bytes(), self.begins.within(held, offset), sink);
        }
        emitter.cut(WarningCode::TruncatedDocument, self.at, "the document is not closed", sink);
    }

    fn value_end(
        &mut self,
        rest: &[u8],
        end: usize,
        emitter: &mut Emitter,
        sink: Sink<'_>,
    ) -> Step {
        let tail = rest.get(..end).unwrap_or_default();
        self.state = State::Between;
        if self.len == 0 {
            self.advance(tail);
            return self.settle_value(tail, end, emitter, sink);
        }
        self.hold(tail);
        let held = std::mem::take(&mut self.held);
        self.settle_value(&held, end, emitter, sink)
    }

    fn settle_value(
        &mut self,
        value: &[u8],
        used: usize,
        emitter: &mut Emitter,
        sink: Sink<'_>,
    ) -> Step {
        if self.len > value.len() {
            emitter.notice(WarningCode::RecordTooLong, self.begins, "", sink);
            return Step::Used(used);
        }
        if self.part == DocumentPart::Tail {
            self.settle_tail(value, emitter, sink);
            return Step::Used(used);
        }
        if let Err(bad) = emitter.value(value, self.begins, false, sink) {
            return match self.restart_after(&bad, value, emitter, sink) {
                Some(again) => Step::Again(used, again),
                None => {
                    let is_item = self.is_array || self.part == DocumentPart::List;
                    if is_item || !emitter.before_break(value, self.begins, &bad, sink) {
                        emitter.bad(WarningCode::BadLine, &bad, sink);
                    }
                    Step::Used(used)
                }
            };
        }
        self.count += 1;
        self.tell(emitter, sink);
        Step::Used(used)
    }

    /// Reports the layout of the values if it is not one per line.
    fn tell(&mut self, emitter: &mut Emitter, sink: Sink<'_>) {
        let (first, last) = (self.begins.line, self.at.line);
        let before = std::mem::replace(&mut self.last_line, last);
        if self.is_array || self.part == DocumentPart::List {
            return;
        }
        if last > first && self.told.first_multi_line.is_none() {
            self.told.first_multi_line = Some(self.begins);
        }
        if let Some(at) = self.told.first_multi_line
            && self.count > 1
            && !std::mem::replace(&mut self.told.multi_line, true)
        {
            emitter.notice(WarningCode::MultiLineValues, at, "", sink);
        }
        if self.count > 1 && before == first && first == last && self.told.several_on_line != first
        {
            self.told.several_on_line = first;
            emitter.notice(WarningCode::SeveralValuesOnLine, self.begins, "", sink);
        }
    }

    /// Handles a value that is broken because it was cut, if another value starts on its own line: returns the bytes
    /// from there on.
    fn restart_after(
        &mut self,
        bad: &Bad,
        value: &[u8],
        emitter: &mut Emitter,
        sink: Sink<'_>,
    ) -> Option<Vec<u8>> {
        let at = self.restart_at(value)?;
        emitter.bad(WarningCode::BadLine, bad, sink);
        Some(self.go_back(value, at))
    }

    fn restart(&mut self, value: &[u8], emitter: &mut Emitter, sink: Sink<'_>) -> Option<Vec<u8>> {
        let at = self.restart_at(value)?;
        emitter.notice(WarningCode::BadLine, self.begins, "the value is not closed", sink);
        Some(self.go_back(value, at))
    }

    /// The offset of a line that starts with `{` although no value is expected there.
    fn restart_at(&self, value: &[u8]) -> Option<usize> {
        if self.restarts >= MAX_RESTARTS || self.len > value.len() {
            return None;
        }
        let is_new = |at: &usize| {
            let before = value.get(..*at).unwrap_or_default();
            let last = before.iter().rev().find(|byte| !byte.is_ascii_whitespace());
            !matches!(last, Some(b'[' | b',' | b':') | None)
        };
        memchr::memmem::find_iter(value, b"\n{").find(is_new).map(|at| at + 1)
    }

    fn go_back(&mut self, value: &[u8], at: usize) -> Vec<u8> {
        self.restarts += 1;
        self.at = self.begins.within(value, at);
        value.get(at..).unwrap_or_default().to_vec()
    }

    fn word(&mut self, rest: &[u8], mut word: Word, emitter: &mut Emitter, sink: Sink<'_>) -> Step {
        let end = rest.iter().position(|byte| word.ends_before(*byte));
        let len = end.unwrap_or(rest.len());
        self.hold(rest.get(..len).unwrap_or_default());
        if end.is_none() {
            self.state = State::Word { in_string: word.in_string, escaped: word.escaped };
        } else {
            self.state = State::Between;
            let held = std::mem::take(&mut self.held);
            self.settle_word(&held, emitter, sink);
        }
        Step::Used(len)
    }

    fn settle_word(&mut self, word: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        let range = json::trim(word);
        let word = word.get(range).unwrap_or_default();
        if let Err(bad) = emitter.value(word, self.begins, false, sink) {
            emitter.stray(word, &bad, sink);
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.advance(bytes);
        let fits = self.len <= MAX_RECORD_BYTES && self.make_room(bytes.len());
        if fits && self.len == self.held.len() + bytes.len() {
            self.held.extend_from_slice(bytes);
        } else {
            self.held = Vec::new();
        }
    }

    fn make_room(&mut self, len: usize) -> bool {
        let needed = self.held.len() + len;
        // Only a document is likely to continue to the end of its source; an item of a list, or one of several values,
        // is followed by others.
        let is_document = !self.array_is_open && self.count == 0;
        let value_bytes = self.split.bytes_from(self.begins.start);
        if is_document
            && needed > self.held.capacity()
            && needed > ROOM_FROM_BYTES
            && value_bytes >= needed
        {
            let room = value_bytes.min(MAX_RECORD_BYTES) - self.held.len();
            if self.held.try_reserve_exact(room).is_ok() {
                return true;
            }
        }
        self.held.try_reserve(len).is_ok()
    }

    fn advance(&mut self, bytes: &[u8]) {
        let lines = u32::try_from(memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX);
        self.at.line = self.at.line.saturating_add(lines);
        self.at.start += bytes.len() as u64;
        self.len += bytes.len();
    }
}

/// A scalar, or a line of something else.
struct Word {
    in_string: bool,
    escaped: bool,
    in_array: bool,
}

impl Word {
    /// Whether the word ends before this byte.
    fn ends_before(&mut self, byte: u8) -> bool {
        if byte == b'\n' {
            return true;
        }
        if !self.in_array {
            return false;
        }
        if self.in_string {
            if std::mem::take(&mut self.escaped) {
                return false;
            }
            self.escaped = byte == b'\\';
            self.in_string = byte != b'"';
            return false;
        }
        self.in_string = byte == b'"';
        matches!(byte, b',' | b']' | b'{' | b'[')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory that is reserved after the first 5 MiB of a value in a source of 256 MiB.
    fn room_for(is_array: bool, start: &str) -> usize {
        let mut split = Split::default();
        split.expect(1 << 28);
        let mut values = Values::new(is_array, At { start: 0, line: 1 }, split);
        let mut emitter = Emitter::default();
        let text = format!("{start}\"{}", "x".repeat(1 << 20));
        values.push(text.as_bytes(), &mut emitter, &mut |_| {});
        for _ in 0..4 {
            values.push(&vec![b'x'; 1 << 20], &mut emitter, &mut |_| {});
        }
        values.held.capacity()
    }

    #[test]
    fn only_a_document_gets_room_for_the_rest_of_its_source() {
        assert!(room_for(false, "{\"a\":") > 1 << 27);
        assert!(room_for(true, "[{\"a\":") < 16 << 20);
        assert!(room_for(true, "[{},{\"a\":") < 16 << 20);
        assert!(room_for(false, "{}\n{\"a\":") < 16 << 20);
    }
}
