//! From decoded bytes to records.

use super::begin::{Begin, begin, begin_so_far};
use super::lines::Lines;
use super::log::Log;
use super::settle::{At, Settler};
use super::split::{AskList, Split};
use super::sse::Sse;
use super::values::Values;
use crate::json::Json;

/// A record longer than this is left out with a `record-too-long`.
pub const MAX_RECORD_BYTES: usize = 1 << 30;

/// How much of the beginning decides how a source is framed.
const HEAD_BYTES: usize = 256 * 1024;

/// What a framer takes trouble over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FramerOptions {
    /// Also report `duplicate-key` and `too-deep`, which costs a scan.
    pub inspect: bool,
    /// Check that records are strict JSON, and repair those that are not. Without it a line that
    /// begins and ends with brackets is believed.
    pub validate: bool,
}

impl Default for FramerOptions {
    fn default() -> Self {
        Self { inspect: false, validate: true }
    }
}

/// How the records of a source are held together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    /// One value on each line.
    Lines,
    /// Values one after the other, over several lines.
    Values,
    /// The items of one array (or several).
    Array,
    /// One value.
    Document,
    /// Server-sent events.
    Sse,
    /// Values behind the stamps of a log.
    Log,
}

/// What a framer finds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Framed<'a> {
    /// A record: an object or an array. A text longer than the rest of the file is one that was
    /// closed again ([`crate::json::complete`]).
    Record {
        /// Strict JSON. Patched bytes keep their places, so offsets hold.
        json: Json<'a>,
        /// Offset of its first byte in the source.
        start: u64,
        /// Line of its first byte, counted from 1.
        line: u32,
        /// Whether bytes were patched.
        repaired: bool,
    },
    /// What stands before or behind the list of a split document ([`Framer::split`]), as an object.
    /// Places hold as those of a record do.
    Part {
        /// Strict JSON.
        json: Json<'a>,
        /// Offset of its first byte in the source.
        start: u64,
        /// Line of its first byte, counted from 1.
        line: u32,
    },
    /// Something to know.
    Notice {
        /// A stable code.
        code: &'static str,
        /// Offset of the byte to blame.
        start: u64,
        /// Its line, counted from 1.
        line: u32,
        /// What was found, in few words (80 bytes at most), or nothing.
        detail: &'a str,
    },
}

/// Cuts bytes into records as they come. What is found depends on the bytes alone, never on where
/// the chunks end.
#[derive(Default)]
pub struct Framer {
    settler: Settler,
    stage: Stage,
    /// Until the stage is known that needs it.
    split: Split,
}

enum Stage {
    /// Holding the beginning until there is enough of it.
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
    /// A framer that validates and does not inspect.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A framer with options.
    #[must_use]
    pub fn with_options(options: FramerOptions) -> Self {
        Self { settler: Settler { options, ..Settler::default() }, ..Self::default() }
    }

    /// Turns [`FramerOptions::inspect`] on or off.
    pub fn inspect(&mut self, on: bool) {
        self.settler.options.inspect = on;
    }

    /// Says that the source is cut and that this was told already (`truncated-gzip`): what its end
    /// lacks is passed over in silence.
    pub fn expect_cut(&mut self) {
        self.settler.is_cut = true;
    }

    /// Says how long the source is, so that long values get exactly the room that they need.
    pub fn expect_len(&mut self, source_bytes: u64) {
        self.split.expect(source_bytes);
    }

    /// Splits documents that are longer than `from_bytes` ([`super::SPLIT_FROM_BYTES`]) at the list
    /// that `ask` names: its items come as records, the rest as [`Framed::Part`].
    pub fn split(&mut self, ask: AskList, from_bytes: usize) {
        self.split.ask(ask, from_bytes);
    }

    /// Takes the next bytes.
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

    /// The source has ended.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Framed<'_>)) {
        if let Stage::Head(held) = &mut self.stage {
            let head = std::mem::take(held);
            self.begin(&head, true, sink);
        }
        let settler = &mut self.settler;
        match &mut self.stage {
            Stage::Lines(lines) => lines.finish(settler, sink),
            Stage::Values(values) => values.finish(settler, sink),
            Stage::Sse(sse) => sse.finish(settler, sink),
            Stage::Log(log) => log.finish(settler, sink),
            Stage::Head(_) | Stage::Refused => return,
        }
        if settler.records == 0 && settler.notices == 0 && !settler.is_cut {
            settler.notice("empty-file", At { start: 0, line: 1 }, "", sink);
        }
    }

    /// The bytes pause: what is here of them is looked at, if it tells how they are framed.
    pub fn pause(&mut self, sink: &mut dyn FnMut(Framed<'_>)) {
        if let Stage::Head(held) = &mut self.stage
            && let Some(found) = begin_so_far(held)
        {
            let head = std::mem::take(held);
            self.begin_as(found, &head, sink);
        }
    }

    /// How the source is framed, once that is known. One value may yet turn out to be several.
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
        lines.push(noise, &mut self.settler, sink);
        let at = lines.at();
        if begin != Begin::Lines {
            std::mem::replace(&mut lines, Lines::new(b'\n', at)).leave(&mut self.settler, sink);
        }
        self.stage = match begin {
            Begin::Refuse(code) => {
                self.settler.notice(code, top, "", sink);
                Stage::Refused
            }
            Begin::Lines => Stage::Lines(lines),
            Begin::CrLines => {
                self.settler.notice("cr-line-ends", at, "", sink);
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
        let settler = &mut self.settler;
        match &mut self.stage {
            Stage::Lines(lines) => lines.push(chunk, settler, sink),
            Stage::Values(values) => values.push(chunk, settler, sink),
            Stage::Sse(sse) => sse.push(chunk, settler, sink),
            Stage::Log(log) => log.push(chunk, settler, sink),
            Stage::Head(_) | Stage::Refused => {}
        }
    }

    /// A document may stand on one line: when the first line has become long, asks whether it is one
    /// to be split, and reads it as one then. Returns what is left of the chunk.
    fn first_line<'a>(&mut self, chunk: &'a [u8], sink: &mut dyn FnMut(Framed<'_>)) -> &'a [u8] {
        let mut rest = chunk;
        while let Stage::Lines(lines) = &mut self.stage
            && self.settler.records == 0
            && let Some(room) = self.split.room(lines.held().len())
            && !rest.is_empty()
        {
            let asked_at = lines.held().len() + room;
            let (piece, after) = rest.split_at_checked(room).unwrap_or((rest, &[]));
            lines.push(piece, &mut self.settler, sink);
            rest = after;
            if lines.held().len() == asked_at && self.split.list(lines.held()).is_some() {
                let (held, at) = lines.take();
                std::mem::replace(lines, Lines::new(b'\n', at)).leave(&mut self.settler, sink);
                let mut values = Values::new(false, at, std::mem::take(&mut self.split));
                values.push(&held, &mut self.settler, sink);
                self.stage = Stage::Values(values);
            }
        }
        rest
    }
}
