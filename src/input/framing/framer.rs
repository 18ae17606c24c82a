//! Cuts decoded bytes into records.

use crate::framing::begin::{Begin, begin, begin_so_far};
use crate::framing::emit::{At, Emitter};
use crate::framing::lines::Lines;
use crate::framing::log::Log;
use crate::framing::split::{AskList, Split};
use crate::framing::sse::Sse;
use crate::framing::values::Values;
use traceloupe_core::json::Json;
use traceloupe_core::warning_code::WarningCode;

/// Longer records are left out with a `record-too-long` notice.
pub const MAX_RECORD_BYTES: usize = 1 << 30;

/// How much of the beginning is used to determine how a source is framed.
const HEAD_BYTES: usize = 256 * 1024;

/// Optional checks of a framer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FramerOptions {
    /// Also report `duplicate-key` and `too-deep`. Costs an extra pass.
    pub inspect: bool,
    /// Check that records are strict JSON, and repair those that are not. Otherwise, any line that starts and ends with
    /// a bracket is accepted.
    pub validate: bool,
}

impl Default for FramerOptions {
    fn default() -> Self {
        Self { inspect: false, validate: true }
    }
}

/// How the records of a source are delimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// One value per line.
    Lines,
    /// Values one after another, which may span lines.
    Values,
    /// The items of one or more arrays.
    Array,
    /// One value.
    Document,
    /// Server-sent events.
    Sse,
    /// Values after the timestamps of a log.
    Log,
}

/// What a framer passes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Framed<'a> {
    /// A record: an object or an array. If the text extends past the end of the file, it was cut
    /// off and has been closed ([`traceloupe_core::json::complete`]).
    Record {
        /// Strict JSON. Patched bytes keep their places, so offsets remain valid.
        json: Json<'a>,
        /// Offset of its first byte in the source.
        start: u64,
        /// Line of its first byte, from 1.
        line: u32,
        /// Whether bytes were repaired.
        repaired: bool,
    },
    /// The part of a split document ([`Framer::split`]) before or after its list, as an object. Its offsets are valid
    /// in the source, like those of a record.
    Envelope {
        /// Strict JSON.
        json: Json<'a>,
        /// Offset of its first byte in the source.
        start: u64,
        /// Line of its first byte, from 1.
        line: u32,
    },
    /// Something that the user should know.
    Notice {
        /// The kind of notice.
        code: WarningCode,
        /// Offset of the byte at fault.
        start: u64,
        /// The line of that byte, from 1.
        line: u32,
        /// The text at fault, at most 80 bytes; may be empty.
        detail: &'a str,
    },
}

/// Cuts bytes into records as they arrive. The result depends on the bytes alone, never on where chunks end.
#[derive(Default)]
pub struct Framer {
    emitter: Emitter,
    stage: Stage,
    /// Kept here until the stage that uses it begins.
    split: Split,
}

enum Stage {
    /// Collects the beginning until there is enough of it to determine the framing.
    Head(Vec<u8>),
    Lines(Lines),
    Values(Values),
    Sse(Sse),
    Log(Log),
    Refused,
}

impl Default for Stage {
    fn default() -> Self {
        Self::Head(Vec::new())
    }
}

impl Framer {
    /// A framer with the default options: validates, does not inspect.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A framer with options.
    #[must_use]
    pub fn with_options(options: FramerOptions) -> Self {
        Self { emitter: Emitter { options, ..Emitter::default() }, ..Self::default() }
    }

    /// Turns [`FramerOptions::inspect`] on or off.
    pub fn inspect(&mut self, on: bool) {
        self.emitter.options.inspect = on;
    }

    /// Declares that the source is cut off and that this has already been reported (`truncated-gzip`), so the framer
    /// does not report the unfinished end again.
    pub fn expect_cut(&mut self) {
        self.emitter.is_cut = true;
    }

    /// Sets the length of the source, so that long values allocate exactly the memory they need.
    pub fn expect_len(&mut self, source_bytes: u64) {
        self.split.expect(source_bytes);
    }

    /// Splits documents longer than `from_bytes` ([`super::SPLIT_FROM_BYTES`]) at the list that `ask` names: the items
    /// of the list become records, the rest becomes [`Framed::Envelope`].
    pub fn split(&mut self, ask: AskList, from_bytes: usize) {
        self.split.ask(ask, from_bytes);
    }

    /// Reads the next bytes.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn FnMut(Framed<'_>)) {
        let Stage::Head(held) = &mut self.stage else {
            return self.feed(chunk, sink);
        };
        let (taken, rest) = chunk.split_at_checked(HEAD_BYTES - held.len()).unwrap_or((chunk, &[]));
        held.extend_from_slice(taken);
        if held.len() == HEAD_BYTES {
            let head = std::mem::take(held);
            self.begin(&head, false, sink);
            self.feed(rest, sink);
        }
    }

    /// Ends the source.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Framed<'_>)) {
        if let Stage::Head(held) = &mut self.stage {
            let head = std::mem::take(held);
            self.begin(&head, true, sink);
        }
        let emitter = &mut self.emitter;
        match &mut self.stage {
            Stage::Lines(lines) => lines.finish(emitter, sink),
            Stage::Values(values) => values.finish(emitter, sink),
            Stage::Sse(sse) => sse.finish(emitter, sink),
            Stage::Log(log) => log.finish(emitter, sink),
            Stage::Head(_) | Stage::Refused => return,
        }
        if emitter.records == 0 && emitter.notices == 0 && !emitter.is_cut {
            emitter.notice(WarningCode::EmptyFile, At { start: 0, line: 1 }, "", sink);
        }
    }

    /// Handles a pause of the source: determines its framing if the bytes so far are enough. With `is_patient`, a
    /// likely but uncertain framing waits for more bytes.
    pub fn pause(&mut self, is_patient: bool, sink: &mut dyn FnMut(Framed<'_>)) {
        if let Stage::Head(held) = &mut self.stage
            && let Some(found) = begin_so_far(held, is_patient)
        {
            let head = std::mem::take(held);
            self.begin_as(found, &head, sink);
        }
    }

    /// The framing of the source, once known. A single value may later turn out to be the first of several.
    #[must_use]
    pub fn framing(&self) -> Option<Framing> {
        match &self.stage {
            Stage::Head(_) | Stage::Refused => None,
            Stage::Lines(_) => Some(Framing::Lines),
            Stage::Values(values) => Some(values.framing()),
            Stage::Sse(_) => Some(Framing::Sse),
            Stage::Log(_) => Some(Framing::Log),
        }
    }

    fn begin(&mut self, head: &[u8], is_whole: bool, sink: &mut dyn FnMut(Framed<'_>)) {
        self.begin_as(begin(head, is_whole), head, sink);
    }

    fn begin_as(
        &mut self,
        (begin, noise_end): (Begin, usize),
        head: &[u8],
        sink: &mut dyn FnMut(Framed<'_>),
    ) {
        let top = At { start: 0, line: 1 };
        let (noise, rest) = head.split_at_checked(noise_end).unwrap_or((head, &[]));
        let mut lines = Lines::new(b'\n', top);
        lines.push(noise, &mut self.emitter, sink);
        let at = lines.at();
        if begin != Begin::Lines {
            std::mem::replace(&mut lines, Lines::new(b'\n', at)).end_early(&mut self.emitter, sink);
        }
        self.stage = match begin {
            Begin::Refuse(code) => {
                self.emitter.notice(code, top, "", sink);
                Stage::Refused
            }
            Begin::Lines => Stage::Lines(lines),
            Begin::CrLines => {
                self.emitter.notice(WarningCode::CrLineEnds, at, "", sink);
                Stage::Lines(Lines::new(b'\r', at))
            }
            Begin::Values => Stage::Values(Values::new(false, at, std::mem::take(&mut self.split))),
            Begin::Array => Stage::Values(Values::new(true, at, std::mem::take(&mut self.split))),
            Begin::Sse => Stage::Sse(Sse::new(at)),
            Begin::Log => Stage::Log(Log::new(at)),
        };
        self.feed(rest, sink);
    }

    fn feed(&mut self, chunk: &[u8], sink: &mut dyn FnMut(Framed<'_>)) {
        let chunk = self.first_line(chunk, sink);
        let emitter = &mut self.emitter;
        match &mut self.stage {
            Stage::Lines(lines) => lines.push(chunk, emitter, sink),
            Stage::Values(values) => values.push(chunk, emitter, sink),
            Stage::Sse(sse) => sse.push(chunk, emitter, sink),
            Stage::Log(log) => log.push(chunk, emitter, sink),
            Stage::Head(_) | Stage::Refused => {}
        }
    }

    /// A document may be on one line. If the first line grows long, asks whether to split it, and if so reads it as a
    /// document. Returns the rest of the chunk.
    fn first_line<'a>(&mut self, chunk: &'a [u8], sink: &mut dyn FnMut(Framed<'_>)) -> &'a [u8] {
        let mut rest = chunk;
        while let Stage::Lines(lines) = &mut self.stage
            && self.emitter.records == 0
            && let Some(room) = self.split.room(lines.held().len())
            && !rest.is_empty()
        {
            let asked_at = lines.held().len() + room;
            let (piece, after) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            lines.push(piece, &mut self.emitter, sink);
            rest = after;
            if lines.held().len() == asked_at && self.split.list(lines.held()).is_some() {
                let (held, at) = lines.take();
                std::mem::replace(lines, Lines::new(b'\n', at)).end_early(&mut self.emitter, sink);
                let mut values = Values::new(false, at, std::mem::take(&mut self.split));
                values.push(&held, &mut self.emitter, sink);
                self.stage = Stage::Values(values);
            }
        }
        rest
    }
}
