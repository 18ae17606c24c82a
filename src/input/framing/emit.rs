//! Turns the bytes of one value into a record or a notice.

use traceloupe_core::json::{self, Inspected, Inspector, Json, Notice, Repaired};
use traceloupe_core::warning_code::WarningCode;

use crate::framing::framer::{Framed, FramerOptions};

/// A position in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub start: u64,
    pub line: u32,
}

impl At {
    /// The position of an offset into `bytes`, which start at this position.
    pub fn within(self, bytes: &[u8], offset: usize) -> Self {
        let before = bytes.get(..offset).unwrap_or(bytes);
        let lines = memchr::memchr_iter(b'\n', before).count();
        let lines = u32::try_from(lines).unwrap_or(u32::MAX);
        Self { start: self.start + offset as u64, line: self.line.saturating_add(lines) }
    }
}

/// Beginnings of lines that programs print around the JSON that they output: OpenCode and OpenHands.
const PRINTED: [&[u8]; 4] =
    [b"Exporting session: ", b"--JSON Event--", b"Welcome to OpenHands", b"Conversation ID: "];

/// Why a value did not become a record.
pub(super) struct Bad {
    pub reason: String,
    pub at: At,
    pub truncated: bool,
}

/// Turns values into records and notices, one after another.
#[derive(Default)]
pub(super) struct Emitter {
    pub options: FramerOptions,
    /// How many records and notices have been passed on.
    pub records: u64,
    pub notices: u64,
    /// The source is known to be cut, so an unfinished end is not reported.
    pub is_cut: bool,
    pub inspector: Inspector,
}

type Sink<'s> = &'s mut dyn FnMut(Framed<'_>);

impl Emitter {
    pub fn notice(&mut self, code: WarningCode, at: At, detail: &str, sink: Sink<'_>) {
        self.notices += 1;
        sink(Framed::Notice { code, start: at.start, line: at.line, detail: excerpt(detail) });
    }

    pub fn bad(&mut self, code: WarningCode, bad: &Bad, sink: Sink<'_>) {
        self.notice(code, bad.at, &bad.reason, sink);
    }

    /// Reports a line, or text between values, unless it is a line that a program prints around its output.
    pub fn stray(&mut self, bytes: &[u8], bad: &Bad, sink: Sink<'_>) {
        if !PRINTED.iter().any(|words| bytes.starts_with(words)) {
            self.bad(WarningCode::BadLine, bad, sink);
        }
    }

    /// Passes on the whole part of a source's only value before it breaks. Returns whether there is
    /// any; if so, the break has been reported.
    pub fn before_break(&mut self, bytes: &[u8], at: At, bad: &Bad, sink: Sink<'_>) -> bool {
        let offset = usize::try_from(bad.at.start.saturating_sub(at.start)).unwrap_or(bytes.len());
        let whole = bytes.get(..offset).filter(|_| self.records == 0).and_then(json::complete);
        let Some(text) = whole else { return false };
        self.record(&text, at, true, sink);
        self.bad(WarningCode::BrokenDocument, bad, sink);
        true
    }

    /// Reports that the end of a source is missing.
    pub fn cut(&mut self, code: WarningCode, at: At, detail: &str, sink: Sink<'_>) {
        if !self.is_cut {
            self.notice(code, at, detail, sink);
        }
    }

    /// Passes on a record that was made here: a document that has been closed.
    pub fn record(&mut self, text: &str, at: At, repaired: bool, sink: Sink<'_>) {
        self.records += 1;
        let json = Json::new(text);
        sink(Framed::Record { json, start: at.start, line: at.line, repaired });
    }

    /// Passes on the part of a split document before or after its list.
    pub fn envelope(&mut self, bytes: &[u8], at: At, sink: Sink<'_>) -> Result<(), Bad> {
        match json::repair(bytes) {
            Repaired::Good { text, notices } => {
                self.records += 1;
                let Inspected { json, notices: more } =
                    inspected(&mut self.inspector, self.options, &text);
                sink(Framed::Envelope { json, start: at.start, line: at.line });
                for notice in notices.iter().chain(&more) {
                    self.about(notice, bytes, at, sink);
                }
                Ok(())
            }
            Repaired::Bad { reason, offset, truncated } => {
                Err(Bad { reason, at: at.within(bytes, offset), truncated })
            }
            Repaired::Several(_) => {
                Err(Bad { reason: "several values".to_owned(), at, truncated: false })
            }
        }
    }

    /// Passes on the record in these trimmed bytes, or the notices about them. Several values
    /// become several records, with a `several-values-on-line` notice if `tells_several`.
    pub fn value(
        &mut self,
        bytes: &[u8],
        at: At,
        tells_several: bool,
        sink: Sink<'_>,
    ) -> Result<(), Bad> {
        if !matches!(bytes.first(), Some(b'{' | b'[')) {
            return self.scalar(bytes, at, sink);
        }
        if let Some(Inspected { json, notices }) =
            as_it_is(&mut self.inspector, self.options, bytes)
        {
            if is_empty(bytes) {
                self.notice(WarningCode::NotAnEvent, at, &String::from_utf8_lossy(bytes), sink);
                return Ok(());
            }
            self.records += 1;
            sink(Framed::Record { json, start: at.start, line: at.line, repaired: false });
            for notice in &notices {
                self.about(notice, bytes, at, sink);
            }
            return Ok(());
        }
        let ranges = match json::repair(bytes) {
            Repaired::Good { text, notices } => {
                self.repaired(&text, bytes, at, &notices, sink);
                return Ok(());
            }
            Repaired::Bad { reason, offset, truncated } => {
                return Err(Bad { reason, at: at.within(bytes, offset), truncated });
            }
            Repaired::Several(ranges) => ranges,
        };
        let second = ranges.get(1).map_or(0, |range| range.start);
        if tells_several {
            self.notice(WarningCode::SeveralValuesOnLine, at.within(bytes, second), "", sink);
        }
        let mut place = at;
        let mut told = 0;
        for range in ranges {
            let gap = bytes.get(told..range.start).unwrap_or_default();
            place = place.within(gap, gap.len());
            let value = bytes.get(range.clone()).unwrap_or_default();
            if let Repaired::Good { text, notices } = json::repair(value) {
                if matches!(value.first(), Some(b'{' | b'[')) {
                    self.repaired(&text, value, place, &notices, sink);
                } else {
                    self.notice(WarningCode::NotAnEvent, place, &text, sink);
                }
            }
            place = place.within(value, value.len());
            told = range.end;
        }
        Ok(())
    }

    /// Passes on a record whose bytes were repaired.
    fn repaired(&mut self, text: &str, bytes: &[u8], at: At, notices: &[Notice], sink: Sink<'_>) {
        if is_empty(bytes) {
            return self.notice(WarningCode::NotAnEvent, at, text, sink);
        }
        self.records += 1;
        let found = inspected(&mut self.inspector, self.options, text);
        let Inspected { json, notices: more } = found;
        let repaired = !notices.is_empty();
        sink(Framed::Record { json, start: at.start, line: at.line, repaired });
        for notice in notices.iter().chain(&more) {
            self.about(notice, bytes, at, sink);
        }
    }

    fn about(&mut self, notice: &Notice, raw: &[u8], at: At, sink: Sink<'_>) {
        let offset = usize::try_from(notice.offset).unwrap_or(raw.len());
        self.notice(notice.code, at.within(raw, offset), "", sink);
    }

    fn scalar(&mut self, bytes: &[u8], at: At, sink: Sink<'_>) -> Result<(), Bad> {
        let shown = bytes.get(..160).unwrap_or(bytes);
        let text = String::from_utf8_lossy(shown);
        if !bytes.first().is_some_and(|byte| b"\"-0123456789tfnNI".contains(byte))
            || !matches!(json::repair(bytes), Repaired::Good { .. })
        {
            return Err(Bad { reason: text.into_owned(), at, truncated: false });
        }
        self.notice(WarningCode::NotAnEvent, at, &text, sink);
        Ok(())
    }
}

/// The bytes of a value that needs no repair, with the notices about it.
fn as_it_is<'a>(
    inspector: &'a mut Inspector,
    options: FramerOptions,
    bytes: &'a [u8],
) -> Option<Inspected<'a>> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    if !options.validate {
        let is_believed = matches!(
            (bytes.first(), bytes.last()),
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']'))
        );
        return is_believed.then(|| inspected(inspector, options, text));
    }
    let Inspected { json, notices } = inspector.inspect(text)?;
    let has_lone_surrogate = notices.iter().any(|notice| notice.code == WarningCode::LoneSurrogate);
    let told = if options.inspect { notices } else { Vec::new() };
    (!has_lone_surrogate).then_some(Inspected { json, notices: told })
}

/// A text with the notices about it, if requested.
fn inspected<'a>(
    inspector: &'a mut Inspector,
    options: FramerOptions,
    text: &'a str,
) -> Inspected<'a> {
    let found = if options.inspect { inspector.inspect(text) } else { None };
    found.unwrap_or_else(|| Inspected { json: Json::new(text), notices: Vec::new() })
}

/// Whether an object or array has nothing in it.
fn is_empty(bytes: &[u8]) -> bool {
    let inner = bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default();
    inner.len() < 64 && json::trim(inner).is_empty()
}

/// The first 80 bytes of a text, cut at a character boundary.
fn excerpt(text: &str) -> &str {
    let end = text.floor_char_boundary(80);
    text.get(..end).unwrap_or_default()
}
