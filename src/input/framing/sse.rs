//! Server-sent events (the HTML standard, 9.2), as saved by `curl -N`.

use traceloupe_core::json;
use traceloupe_core::warning_code::WarningCode;

use crate::framing::emit::{At, Emitter};
use crate::framing::framer::{Framed, MAX_RECORD_BYTES};
use crate::framing::lines::{Line, LineCutter, significant};

/// Data lines that are further apart than this become separate events.
const MAX_GAP_BYTES: usize = 64 * 1024;

/// Whether a line belongs to a stream of server-sent events.
#[must_use]
pub fn is_sse(line: &[u8]) -> bool {
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|field| line.starts_with(field))
}

/// Reads the data of events.
pub(super) struct Sse {
    cutter: LineCutter,
    event: Event,
}

/// The current event. Its data is kept as one piece with the data lines in their places, because everything between
/// them (a line end and `data:`) becomes white space to JSON.
struct Event {
    data: Vec<u8>,
    at: At,
    last_line: u32,
}

impl Sse {
    pub fn new(at: At) -> Self {
        Self {
            cutter: LineCutter::new(b'\n', at),
            event: Event { data: Vec::new(), at, last_line: 0 },
        }
    }

    pub fn push(&mut self, chunk: &[u8], emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        let event = &mut self.event;
        self.cutter.push(chunk, &mut |line, at| event.line(&line, at, emitter, sink));
    }

    pub fn finish(&mut self, emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        let event = &mut self.event;
        self.cutter.finish(&mut |line, at| event.line(&line, at, emitter, sink));
        event.dispatch(true, emitter, sink);
    }
}

impl Event {
    fn line(
        &mut self,
        line: &Line<'_>,
        at: At,
        emitter: &mut Emitter,
        sink: &mut dyn FnMut(Framed<'_>),
    ) {
        let Line::Whole(line) = *line else {
            return emitter.notice(WarningCode::RecordTooLong, at, "", sink);
        };
        let range = significant(line);
        let text = line.get(range.clone()).unwrap_or_default();
        let at = At { start: at.start + range.start as u64, ..at };
        if text.is_empty() {
            return self.dispatch(false, emitter, sink);
        }
        if let Some(data) = text.strip_prefix(b"data:") {
            let inner = json::trim(data);
            let at = At { start: at.start + 5 + inner.start as u64, ..at };
            let data = data.get(inner).unwrap_or_default();
            if !self.add(data, at) {
                self.dispatch(false, emitter, sink);
                self.add(data, at);
            }
        } else if !is_sse(text) && !matches!(text, b"data" | b"event" | b"id" | b"retry") {
            self.dispatch(false, emitter, sink);
            if let Err(bad) = emitter.value(text, at, true, sink) {
                emitter.bad(WarningCode::BadLine, &bad, sink);
            }
        }
    }

    /// Adds a data line, if it can be joined to the earlier ones.
    fn add(&mut self, data: &[u8], at: At) -> bool {
        if self.data.is_empty() {
            self.at = at;
            self.last_line = at.line;
            self.data.extend_from_slice(data);
            return true;
        }
        let end = self.at.start + self.data.len() as u64;
        let gap = usize::try_from(at.start.saturating_sub(end)).unwrap_or(usize::MAX);
        if gap > MAX_GAP_BYTES || self.data.len() + gap + data.len() > MAX_RECORD_BYTES {
            return false;
        }
        let filled = self.data.len();
        self.data.resize(filled + gap, b' ');
        let lines = at.line.saturating_sub(self.last_line) as usize;
        self.last_line = at.line;
        for byte in self.data.iter_mut().skip(filled).take(lines) {
            *byte = b'\n';
        }
        self.data.extend_from_slice(data);
        true
    }

    fn dispatch(&mut self, is_last: bool, emitter: &mut Emitter, sink: &mut dyn FnMut(Framed<'_>)) {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() || data == b"[DONE]" {
            return;
        }
        if let Err(bad) = emitter.value(&data, self.at, false, sink) {
            // OpenAI's end marker may follow the last event without a blank line.
            let body = data.strip_suffix(b"[DONE]");
            let body = body.map(|body| body.get(json::trim(body)).unwrap_or_default());
            if body.is_some_and(|body| emitter.value(body, self.at, false, sink).is_ok()) {
                return;
            }
            if is_last && bad.truncated {
                emitter.cut(WarningCode::TruncatedLastLine, bad.at, &bad.reason, sink);
            } else {
                emitter.bad(WarningCode::BadLine, &bad, sink);
            }
        }
    }
}
