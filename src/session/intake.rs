//! The road of the bytes: container, encoding, framing, format. Pushed in, one slice at a time.

use super::choose::{self, Chosen};
use super::source::Cut;
use super::source::{Records, Source, Stage, Waiting};
use super::store::{Handle, Store};
use super::{AfterSource, Session};
use crate::formats::{Probe, Reader, Record};
use crate::input::{
    Container, Framed, Framer, Gunzip, Remark, SPLIT_FROM_BYTES, Utf16, Yaml, looks_like_yaml,
    sniff,
};
use crate::json::Json;
use crate::model::{SourceId, TraceBuilder, WarningPlace};
use crate::notice::NoticeCode;

/// How many bytes show what a source is.
const HEAD_BYTES: usize = 64 * 1024;

/// How often a source may be packed in another: a gzip in a gzip in a zip happens, more is a trick.
const MAX_NESTING: u8 = 5;

/// How much is unpacked at once: a packed byte can give a thousand others.
pub(super) const PIECE_BYTES: usize = 64 * 1024;

/// Notices that say that what was unpacked does not end where its writer ended it.
const CUTS: [NoticeCode; 5] = [
    NoticeCode::TruncatedGzip,
    NoticeCode::CorruptGzip,
    NoticeCode::TruncatedZip,
    NoticeCode::CorruptZip,
    NoticeCode::Bomb,
];

/// Records waiting for a format may not hold more than this.
const MAX_WAITING_BYTES: usize = 8 << 20;

impl<S: Store> Session<S> {
    /// Begins a source.
    pub fn begin(&mut self, path: &str, handle: Handle) -> SourceId {
        let id = self.begin_nested(path, handle, 0);
        let len_bytes = self.store.len(handle);
        if let Some(source) = self.sources.get_mut(id.index()) {
            let is_known = len_bytes > 0 && self.request.grows.is_none();
            source.expected_bytes = is_known.then_some(len_bytes);
        }
        id
    }

    pub(super) fn begin_nested(&mut self, path: &str, handle: Handle, nesting: u8) -> SourceId {
        self.sources.push(Source::new(path, handle, nesting));
        let id = SourceId::from_index(self.sources.len() - 1);
        self.builder.set_path(id, path);
        id
    }

    /// Says that a source cannot be read any further: code and sentence.
    pub fn fail(&mut self, id: SourceId, problem: (String, String)) {
        if let Some(source) = self.sources.get_mut(id.index()) {
            source.problem.get_or_insert(problem);
        }
    }

    /// Whether reading a file further is of any use: not once the person has stopped it, and not for
    /// an archive, which is read by its table of contents.
    pub fn wants_more(&self, id: SourceId) -> bool {
        let Some(source) = self.sources.get(id.index()) else { return false };
        let is_of_use = match &source.stage {
            Stage::Archive | Stage::Done => false,
            Stage::Unpack(decoder, _) => !decoder.is_done(),
            Stage::Head(_) | Stage::Frame(..) => true,
        };
        is_of_use && !self.is_stopped
    }

    /// Takes the next slice of a file.
    pub fn push(&mut self, id: SourceId, bytes: &[u8]) {
        self.bytes_read += bytes.len() as u64;
        self.push_slice(id, bytes);
    }

    /// Takes the next bytes of a file that grows, and keeps them to be read again.
    pub fn push_more(&mut self, id: SourceId, bytes: &[u8]) {
        self.bytes_read += bytes.len() as u64;
        self.keep_and_push(id, bytes);
    }

    /// The bytes of a file that grows pause: what is here of them is shown, as far as it tells what it
    /// is. One who is patient waits for more records where the first ones do not tell their format.
    pub fn pause(&mut self, id: SourceId, is_patient: bool) {
        let Some(source) = self.sources.get_mut(id.index()) else { return };
        match std::mem::replace(&mut source.stage, Stage::Done) {
            Stage::Head(head) if head.contains(&b'\n') && sniff(&head) == Container::Plain => {
                self.decide(id, &head);
                if let Some(Stage::Frame(..)) = self.sources.get(id.index()).map(|it| &it.stage) {
                    self.pause(id, is_patient);
                }
            }
            Stage::Frame(mut framer, records) => {
                let mut sink = self.sink(id, records, false);
                framer.pause(&mut |framed| sink.take(framed));
                sink.decide_early(is_patient);
                let records = sink.into_records();
                self.set_stage(id, Stage::Frame(framer, records));
            }
            stage => self.set_stage(id, stage),
        }
    }

    /// Takes a slice of any source. What is unpacked from it is pushed on at once; the nesting of
    /// sources is bounded, so this is no recursion over data.
    pub(super) fn push_slice(&mut self, id: SourceId, bytes: &[u8]) {
        let Some(source) = self.sources.get_mut(id.index()) else { return };
        source.len_bytes += bytes.len() as u64;
        match std::mem::replace(&mut source.stage, Stage::Done) {
            Stage::Head(mut head) => {
                if head.is_empty() && bytes.len() >= HEAD_BYTES {
                    self.decide(id, bytes);
                } else {
                    head.extend_from_slice(bytes);
                    if head.len() >= HEAD_BYTES {
                        self.decide(id, &head);
                    } else if let Some(source) = self.sources.get_mut(id.index()) {
                        source.stage = Stage::Head(head);
                    }
                }
            }
            Stage::Unpack(mut decoder, child) => {
                let mut out = Vec::new();
                for piece in bytes.chunks(PIECE_BYTES) {
                    decoder.push(piece, &mut out);
                    self.keep_and_push(child, &out);
                    out.clear();
                }
                self.take_notices(id, child, decoder.remarks());
                self.set_stage(id, Stage::Unpack(decoder, child));
            }
            Stage::Frame(mut framer, records) => {
                let mut sink = self.sink(id, records, false);
                framer.push(bytes, &mut |framed| sink.take(framed));
                let records = sink.into_records();
                self.set_stage(id, Stage::Frame(framer, records));
            }
            stage @ (Stage::Archive | Stage::Done) => self.set_stage(id, stage),
        }
    }

    /// A source has ended.
    pub fn end(&mut self, id: SourceId) -> AfterSource {
        let Some(source) = self.sources.get_mut(id.index()) else { return AfterSource::Next };
        let is_left = self.is_stopped && source.expected_bytes != Some(source.len_bytes);
        if is_left {
            source.cut.get_or_insert(Cut::Stopped);
        } else if let Some(len_bytes) = source.expected_bytes.filter(|_| source.nesting == 0) {
            // What is no use is not read to its end, and an archive is read again entry by entry.
            self.bytes_read -= source.len_bytes;
            if !matches!(source.stage, Stage::Archive) {
                self.bytes_read += len_bytes;
            }
            source.len_bytes = len_bytes;
        }
        let mut stage = std::mem::replace(&mut source.stage, Stage::Done);
        if let Stage::Head(head) = stage {
            self.decide(id, &head);
            let Some(source) = self.sources.get_mut(id.index()) else { return AfterSource::Next };
            stage = std::mem::replace(&mut source.stage, Stage::Done);
        }
        match stage {
            Stage::Unpack(mut decoder, child) => {
                let mut out = Vec::new();
                if is_left {
                    if let Some(child) = self.sources.get_mut(child.index()) {
                        child.cut = Some(Cut::Stopped);
                    }
                } else {
                    decoder.finish(&mut out);
                    self.keep_and_push(child, &out);
                    self.take_notices(id, child, decoder.remarks());
                }
                self.end(child)
            }
            Stage::Frame(mut framer, records) => {
                if self.sources.get(id.index()).is_some_and(|source| source.cut.is_some()) {
                    framer.expect_cut();
                }
                let mut sink = self.sink(id, records, true);
                framer.finish(&mut |framed| sink.take(framed));
                sink.end();
                AfterSource::Next
            }
            Stage::Archive if is_left => {
                self.fail(id, super::problems::without_records(Some(Cut::Stopped)));
                AfterSource::Next
            }
            Stage::Archive => self.open_archive(id),
            Stage::Head(_) | Stage::Done => AfterSource::Next,
        }
    }

    /// Sees what a source is and sends its first bytes on.
    fn decide(&mut self, id: SourceId, head: &[u8]) {
        let Some(source) = self.sources.get_mut(id.index()) else { return };
        let may_nest = source.nesting < MAX_NESTING;
        let container = if may_nest { sniff(head) } else { Container::Plain };
        let is_whole = head.len() < HEAD_BYTES;
        let decoder: Box<dyn crate::input::Decoder> = match container {
            Container::Gzip => Box::new(Gunzip::new()),
            Container::Utf16Le | Container::Utf16Be => Box::new(Utf16::new(container)),
            Container::Zip => {
                source.is_container = true;
                source.stage = Stage::Archive;
                return;
            }
            Container::Zstd => {
                source.problem = Some(super::problems::zstd());
                return;
            }
            Container::Html => {
                source.problem = Some(super::problems::html());
                let place = WarningPlace { source: id, line: 1, byte: 0, detail: String::new() };
                self.builder.warn_at(NoticeCode::LooksLikeHtml, place);
                return;
            }
            Container::Binary => {
                source.problem = Some(super::problems::binary());
                let place = WarningPlace { source: id, line: 0, byte: 0, detail: String::new() };
                self.builder.warn_at(NoticeCode::NotATrace, place);
                return;
            }
            Container::Plain if may_nest && looks_like_yaml(head, is_whole, source.name()) => {
                Box::new(Yaml::new())
            }
            Container::Plain => {
                let mut framer = Framer::new();
                framer.inspect(true);
                if let Some(len_bytes) = source.expected_bytes {
                    framer.expect_len(len_bytes);
                }
                let (name, forced) = (source.name().to_owned(), self.request.format.clone());
                let ask =
                    move |beginning: &str| choose::list_of(&name, beginning, forced.as_deref());
                framer.split(Box::new(ask), SPLIT_FROM_BYTES);
                source.stage = Stage::Frame(Box::new(framer), Records::Waiting(Vec::new()));
                source.len_bytes -= head.len() as u64;
                return self.push_slice(id, head);
            }
        };
        source.is_container = true;
        source.len_bytes -= head.len() as u64;
        let path = unpacked_name(&source.path);
        let (nesting, in_archive) = (source.nesting + 1, source.in_archive);
        let handle = self.store.create();
        let child = self.begin_nested(&path, handle, nesting);
        if let Some(child) = self.sources.get_mut(child.index()) {
            child.in_archive = in_archive;
        }
        self.set_stage(id, Stage::Unpack(decoder, child));
        self.push_slice(id, head);
    }

    pub(super) fn keep_and_push(&mut self, child: SourceId, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Some(source) = self.sources.get(child.index()) {
            self.store.append(source.handle, bytes);
        }
        self.push_slice(child, bytes);
    }

    /// Takes over what unpacking a source into another has to say. A cut is told once: not again by
    /// what was unpacked from it.
    pub(super) fn take_notices(&mut self, id: SourceId, child: SourceId, remarks: Vec<Remark>) {
        for Remark { notice, line, detail } in remarks {
            if CUTS.contains(&notice.code) {
                let was_told = self.sources.get(id.index()).is_some_and(|it| it.cut.is_some());
                if let Some(source) = self.sources.get_mut(child.index()) {
                    source.cut = Some(Cut::Damaged(notice.code));
                }
                if was_told {
                    continue;
                }
            }
            let is_empty = self.sources.get(child.index()).is_some_and(|it| it.len_bytes == 0);
            if is_empty
                && let Some(problem) = super::problems::of_yaml(notice.code, line, &detail)
                && let Some(source) = self.sources.get_mut(id.index())
            {
                source.problem = Some(problem);
            }
            let place = WarningPlace { source: id, line, byte: notice.offset, detail };
            self.builder.warn_at(notice.code, place);
        }
    }

    fn set_stage(&mut self, id: SourceId, stage: Stage) {
        if let Some(source) = self.sources.get_mut(id.index()) {
            source.stage = stage;
        }
    }

    fn sink(&mut self, id: SourceId, records: Records, is_end: bool) -> Sink<'_> {
        Sink {
            id,
            waiting_bytes: match &records {
                Records::Waiting(waiting) => waiting.iter().map(|it| it.text.len()).sum(),
                Records::Reading(_) => 0,
            },
            records,
            is_end,
            forced: self.request.format.as_deref(),
            source: self.sources.get_mut(id.index()),
            builder: &mut self.builder,
        }
    }
}

fn read(reader: &mut dyn Reader, record: &Record<'_>, is_part: bool, out: &mut TraceBuilder) {
    if is_part {
        reader.part(record, out);
    } else {
        reader.record(record, out);
    }
}

/// `trace.jsonl` for `trace.jsonl.gz`.
fn unpacked_name(path: &str) -> String {
    let cut = [".gz", ".gzip", ".GZ"].iter().find_map(|ending| path.strip_suffix(ending));
    cut.unwrap_or(path).to_owned()
}

/// Takes the framer's findings to the format, or keeps records until the format is known.
struct Sink<'a> {
    id: SourceId,
    records: Records,
    waiting_bytes: usize,
    is_end: bool,
    forced: Option<&'a str>,
    source: Option<&'a mut Source>,
    builder: &'a mut TraceBuilder,
}

impl Sink<'_> {
    fn take(&mut self, framed: Framed<'_>) {
        match framed {
            Framed::Record { json, start, line, .. } => self.record(json, start, line, false),
            Framed::Part { json, start, line } => self.record(json, start, line, true),
            Framed::Notice { code, start, line, detail } => {
                let place =
                    WarningPlace { source: self.id, line, byte: start, detail: detail.to_owned() };
                self.builder.warn_at(code, place);
                if let Some(source) = &mut self.source
                    && let Some(problem) = super::problems::of_notice(code)
                {
                    source.problem = Some(problem);
                }
            }
        }
    }

    fn record(&mut self, json: Json<'_>, start: u64, line: u32, is_part: bool) {
        let text = json.raw();
        let record = Record::new(json, self.id, start, line);
        match &mut self.records {
            Records::Reading(reader) => read(&mut **reader, &record, is_part, self.builder),
            Records::Waiting(waiting) => {
                if self.waiting_bytes + text.len() > MAX_WAITING_BYTES
                    || waiting.len() + 1 >= Probe::MAX_RECORDS
                {
                    self.decide(Some((record, is_part)));
                } else {
                    self.waiting_bytes += text.len();
                    waiting.push(Waiting { text: text.to_owned(), start, line, is_part });
                }
            }
        }
    }

    /// Chooses the format by what has waited so far, if that is enough to be sure of it.
    fn decide_early(&mut self, is_patient: bool) {
        let Records::Waiting(waiting) = &self.records else { return };
        let records: Vec<Record<'_>> = waiting.iter().map(|it| it.record(self.id)).collect();
        let name = self.source.as_ref().map_or("", |source| source.name());
        let chosen = choose::choose(name, &records, false, self.forced);
        if chosen.is_some_and(|chosen| chosen.is_sure || !is_patient) {
            self.decide(None);
        }
    }

    /// Chooses the format and gives it what has waited, and the record at hand.
    fn decide(&mut self, at_hand: Option<(Record<'_>, bool)>) {
        let Records::Waiting(waiting) = &mut self.records else { return };
        let waiting = std::mem::take(waiting);
        let records: Vec<Record<'_>> = waiting
            .iter()
            .map(|it| it.record(self.id))
            .chain(at_hand.map(|(record, _)| record))
            .collect();
        let are_parts = waiting.iter().map(|it| it.is_part).chain(at_hand.map(|(_, is)| is));
        let name = self.source.as_ref().map_or("", |source| source.name());
        let chosen = choose::choose(name, &records, self.is_end, self.forced);
        let Some(chosen) = chosen else {
            // Lists of lists and the like: no format has use for them.
            records
                .iter()
                .for_each(|it| self.builder.warn(NoticeCode::NotAnEvent, &it.place(), ""));
            return;
        };
        let mut reader = chosen.format.reader(self.id);
        for (record, is_part) in records.iter().zip(are_parts) {
            read(&mut *reader, record, is_part, self.builder);
        }
        self.settle(chosen, reader);
    }

    fn settle(&mut self, chosen: Chosen, reader: Box<dyn Reader>) {
        if let Some(source) = &mut self.source {
            source.format = Some(chosen.format);
            source.why = chosen.why;
            source.others = chosen.others;
        }
        self.records = Records::Reading(reader);
    }

    fn into_records(self) -> Records {
        self.records
    }

    fn end(mut self) {
        self.decide(None);
        if let Records::Reading(reader) = &mut self.records {
            reader.finish(self.builder);
            // What was odd at the beginning did not keep the file from being read.
            if let Some(source) = &mut self.source {
                source.problem = None;
            }
        } else if let Some(source) = &mut self.source {
            let problem = super::problems::without_records(source.cut);
            source.problem.get_or_insert(problem);
        }
    }
}
