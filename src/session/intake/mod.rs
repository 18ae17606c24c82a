//! Reading: bytes are pushed in and pass through containers, encodings and framing to the reader of a format.

pub(crate) mod archive;
pub(crate) mod database;
pub(crate) mod files;
pub(crate) mod problems;
pub(crate) mod sink;
pub(crate) mod source;

use std::rc::Rc;

use crate::choose::{self, Wanted};
use crate::intake::archive::ArchiveQueue;
use crate::intake::files::Files;
use crate::intake::sink::Sink;
use crate::intake::source::{Records, Source, SourceState, Stage};
use crate::store::{Handle, Store};
use problems::Code;
use traceloupe_converters::converter_of;
use traceloupe_core::model::{Mapping, SourceId, TraceBuilder, WarningPlace};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_engine::Format as _;
use traceloupe_formats::any_json;
use traceloupe_formats::guess::Choices;
use traceloupe_input::{
    Container, Decoder, Framer, Gunzip, Remark, SPLIT_FROM_BYTES, Unzstd, Utf16, sniff,
};
use traceloupe_protocol::messages::{EntryLine, OpenRequest};
use traceloupe_protocol::problem::{SourceFault, ZipProblem};

/// How many bytes are needed to determine what a source is.
const HEAD_BYTES: usize = 64 * 1024;

/// How deeply sources may be packed inside each other. A gzip in a gzip in a zip exists; anything deeper is an attack.
const MAX_NESTING: u8 = 5;

/// How many packed bytes are unpacked at once. Each may expand to a thousand.
pub(crate) const PIECE_BYTES: usize = 64 * 1024;

/// What to do after a source has been read to its end.
#[derive(Debug, PartialEq, Eq)]
pub enum AfterSource {
    /// Read the next source.
    Next,
    /// It is an archive or a database, and a job unpacks it. Read the next source once
    /// [`Session::is_unpacking`](super::Session::is_unpacking) returns `false`.
    Unpack,
    /// It is an archive or a database with several traces. Let the user choose (path, entries).
    Choose(String, Vec<EntryLine>),
}

/// The state of reading, from the first byte to the complete trace.
pub(crate) struct Intake {
    pub(crate) builder: TraceBuilder,
    /// The state of each source of [`Files`].
    pub(crate) states: Vec<SourceState>,
    /// Archives that are being unpacked.
    pub(crate) archives: ArchiveQueue,
    pub(crate) bytes_read: u64,
    pub(crate) is_stopped: bool,
    wanted: Wanted,
    /// The entries to read from archives: path of the archive, index.
    pub(crate) chosen: Option<Vec<(String, u32)>>,
    /// Whether the files still grow while they are read.
    is_growing: bool,
}

impl Intake {
    pub(crate) fn new(request: &OpenRequest) -> Self {
        Self {
            builder: TraceBuilder::new(),
            states: Vec::new(),
            archives: ArchiveQueue::default(),
            bytes_read: 0,
            is_stopped: false,
            wanted: wanted(request),
            chosen: request.entries.clone(),
            is_growing: request.grows.is_some(),
        }
    }

    pub(crate) fn state(&self, id: SourceId) -> Option<&SourceState> {
        self.states.get(id.index())
    }

    pub(crate) fn state_mut(&mut self, id: SourceId) -> Option<&mut SourceState> {
        self.states.get_mut(id.index())
    }

    /// Begins a file.
    pub(crate) fn begin<S: Store>(
        &mut self,
        files: &mut Files<S>,
        path: &str,
        handle: Handle,
    ) -> SourceId {
        let id = self.begin_nested(files, path, handle, 0);
        let len_bytes = files.store.len(handle);
        let is_known = len_bytes > 0 && !self.is_growing;
        if let Some(state) = self.state_mut(id) {
            state.expected_bytes = is_known.then_some(len_bytes);
        }
        id
    }

    pub(crate) fn begin_nested<S: Store>(
        &mut self,
        files: &mut Files<S>,
        path: &str,
        handle: Handle,
        nesting: u8,
    ) -> SourceId {
        let id = SourceId::from_index(files.sources.len());
        files.sources.push(Source::new(path, handle));
        self.states.push(SourceState::new(nesting));
        self.builder.set_path(id, path);
        id
    }

    /// Ends a source whose bytes cannot be read any further. What has been read is kept.
    pub(crate) fn fail_read<S: Store>(&mut self, files: &mut Files<S>, id: SourceId, reason: &str) {
        if let Some(state) = self.state_mut(id) {
            state.cut = Some(Code::UnreadableFile);
        }
        if let Some(source) = files.source_mut(id) {
            let (len_bytes, reason) = (source.len_bytes, reason.to_owned());
            source.problem = Some(SourceFault::UnreadableAfter { len_bytes, reason });
        }
    }

    /// Whether reading a file further is useful. It is not if the user has stopped the reading, or if the file is an
    /// archive, which is read by its directory.
    pub(crate) fn wants_more(&self, id: SourceId) -> bool {
        let Some(state) = self.state(id) else { return false };
        let is_of_use = match &state.stage {
            Stage::Archive(_) | Stage::Done => false,
            Stage::Unpack(decoder, _) => !decoder.is_done(),
            Stage::Head(_) | Stage::Frame(..) => true,
        };
        is_of_use && !self.is_stopped
    }

    /// Shows what has arrived of a growing file while no more bytes come, if its format is known. With `is_patient`, a
    /// format that is not certain waits for more records.
    pub(crate) fn pause<S: Store>(&mut self, files: &mut Files<S>, id: SourceId, is_patient: bool) {
        match self.take_stage(id) {
            Stage::Head(head) if head.contains(&b'\n') && sniff(&head) == Container::Plain => {
                self.decide(files, id, &head);
                if let Some(Stage::Frame(..)) = self.state(id).map(|it| &it.stage) {
                    self.pause(files, id, is_patient);
                }
            }
            Stage::Frame(mut framer, records) => {
                let mut sink = self.sink(files, id, records, false);
                framer.pause(is_patient, &mut |framed| sink.take(framed));
                sink.decide_early(is_patient);
                let records = sink.into_records();
                self.set_stage(id, Stage::Frame(framer, records));
            }
            stage => self.set_stage(id, stage),
        }
    }

    /// Takes the next bytes of a source. Unpacked bytes are pushed into their own source at once. The nesting is
    /// bounded, and so is the depth of this recursion.
    pub(crate) fn push<S: Store>(&mut self, files: &mut Files<S>, id: SourceId, bytes: &[u8]) {
        let Some(source) = files.source_mut(id) else { return };
        source.len_bytes += bytes.len() as u64;
        match self.take_stage(id) {
            Stage::Head(mut head) => {
                if head.is_empty() && bytes.len() >= HEAD_BYTES {
                    self.decide(files, id, bytes);
                } else {
                    head.extend_from_slice(bytes);
                    if head.len() >= HEAD_BYTES {
                        self.decide(files, id, &head);
                    } else {
                        self.set_stage(id, Stage::Head(head));
                    }
                }
            }
            Stage::Unpack(mut decoder, child) => {
                let mut out = Vec::new();
                for piece in bytes.chunks(PIECE_BYTES) {
                    decoder.push(piece, &mut out);
                    self.keep_and_push(files, child, &out);
                    out.clear();
                }
                self.take_remarks(files, id, child, decoder.remarks());
                self.set_stage(id, Stage::Unpack(decoder, child));
            }
            Stage::Frame(mut framer, records) => {
                let mut sink = self.sink(files, id, records, false);
                framer.push(bytes, &mut |framed| sink.take(framed));
                let records = sink.into_records();
                self.set_stage(id, Stage::Frame(framer, records));
            }
            stage @ (Stage::Archive(_) | Stage::Done) => self.set_stage(id, stage),
        }
    }

    /// Takes bytes that have no file of their own, and keeps them in the store.
    pub(crate) fn keep_and_push<S: Store>(
        &mut self,
        files: &mut Files<S>,
        id: SourceId,
        bytes: &[u8],
    ) {
        if bytes.is_empty() {
            return;
        }
        if let Some(handle) = files.source(id).map(|source| source.handle) {
            files.store.append(handle, bytes);
        }
        self.push(files, id, bytes);
    }

    /// Ends a source.
    pub(crate) fn end<S: Store>(&mut self, files: &mut Files<S>, id: SourceId) -> AfterSource {
        let is_cut = self.note_end(files, id);
        if let Some(Stage::Head(_)) = self.state(id).map(|it| &it.stage)
            && let Stage::Head(head) = self.take_stage(id)
        {
            self.decide(files, id, &head);
        }
        match self.take_stage(id) {
            Stage::Unpack(mut decoder, child) => {
                let mut out = Vec::new();
                if is_cut {
                    let cut = self.state(id).and_then(|it| it.cut);
                    if let Some(child) = self.state_mut(child) {
                        child.cut = cut;
                    }
                } else {
                    decoder.finish(&mut out);
                    self.keep_and_push(files, child, &out);
                    self.take_remarks(files, id, child, decoder.remarks());
                }
                self.end(files, child)
            }
            Stage::Frame(mut framer, records) => {
                if self.state(id).is_some_and(|it| it.cut.is_some()) {
                    framer.expect_cut();
                }
                let mut sink = self.sink(files, id, records, true);
                framer.finish(&mut |framed| sink.take(framed));
                sink.end();
                AfterSource::Next
            }
            Stage::Archive(_) if is_cut => {
                let cut = self.state(id).and_then(|it| it.cut);
                set_problem(files, id, problems::without_records(cut));
                AfterSource::Next
            }
            Stage::Archive(Container::Sqlite) => self.open_database(files, id),
            Stage::Archive(_) => self.open_archive(files, id),
            Stage::Head(_) | Stage::Done => AfterSource::Next,
        }
    }

    /// Counts the bytes of a source at its end. Returns whether reading stopped before its end.
    fn note_end<S: Store>(&mut self, files: &mut Files<S>, id: SourceId) -> bool {
        let is_stopped = self.is_stopped;
        let Some(source) = files.source_mut(id) else { return false };
        let Some(state) = self.states.get_mut(id.index()) else { return false };
        if state.cut == Some(Code::UnreadableFile) {
            return true;
        }
        if is_stopped && state.expected_bytes != Some(source.len_bytes) {
            state.cut.get_or_insert(Code::Stopped);
            return true;
        }
        if let Some(len_bytes) = state.expected_bytes.filter(|_| state.nesting == 0) {
            // A source that cannot be used is not read to its end, and an archive is read again by entry.
            self.bytes_read -= source.len_bytes;
            let is_archive = match &state.stage {
                Stage::Archive(_) => true,
                Stage::Head(head) => {
                    matches!(sniff(head), Container::Zip | Container::Tar | Container::Sqlite)
                }
                _ => false,
            };
            if !is_archive {
                self.bytes_read += len_bytes;
            }
            source.len_bytes = len_bytes;
        }
        false
    }

    /// Determines what a source is, and pushes its first bytes into the next stage.
    fn decide<S: Store>(&mut self, files: &mut Files<S>, id: SourceId, head: &[u8]) {
        let (Some(source), Some(state)) = (files.source_mut(id), self.states.get_mut(id.index()))
        else {
            return;
        };
        let may_nest = state.nesting < MAX_NESTING;
        let container = sniff(head);
        if !may_nest && container.is_packed() {
            source.problem = Some(SourceFault::Zip(ZipProblem::TooDeep(MAX_NESTING)));
            return;
        }
        let is_whole = head.len() < HEAD_BYTES;
        let converter = match container {
            Container::Plain if may_nest => converter_of(head, is_whole, source.name()),
            _ => None,
        };
        let decoder: Box<dyn Decoder> = match container {
            _ if let Some(converter) = converter => converter,
            Container::Gzip => Box::new(Gunzip::new()),
            Container::Utf16Le | Container::Utf16Be => Box::new(Utf16::new(container)),
            Container::Zip | Container::Tar | Container::Sqlite => {
                source.is_container = true;
                state.stage = Stage::Archive(container);
                return;
            }
            Container::Zstd => Box::new(Unzstd::new()),
            Container::Html => {
                source.problem = Some(SourceFault::WebPage);
                let place = WarningPlace { source: id, line: 1, byte: 0, detail: String::new() };
                self.builder.warn_at(WarningCode::LooksLikeHtml, place);
                return;
            }
            Container::Binary => {
                source.problem = Some(SourceFault::Binary);
                let place = WarningPlace { source: id, line: 0, byte: 0, detail: String::new() };
                self.builder.warn_at(WarningCode::NotATrace, place);
                return;
            }
            Container::Plain => {
                let mut framer = Framer::new();
                framer.inspect(true);
                if let Some(len_bytes) = state.expected_bytes {
                    framer.expect_len(len_bytes);
                }
                let (name, wanted) = (source.name().to_owned(), self.wanted.clone());
                let split = Rc::clone(&state.split);
                let ask = move |beginning: &str| {
                    let (list, reading) = choose::list_of(&name, beginning, &wanted);
                    split.replace(reading);
                    list
                };
                framer.split(Box::new(ask), SPLIT_FROM_BYTES);
                state.stage = Stage::Frame(Box::new(framer), Records::Pending(Vec::new()));
                // The push counts them again.
                source.len_bytes -= head.len() as u64;
                return self.push(files, id, head);
            }
        };
        source.is_container = true;
        source.len_bytes -= head.len() as u64;
        let path = unpacked_name(&source.path);
        let (nesting, in_archive) = (state.nesting + 1, state.in_archive);
        let handle = files.store.create();
        let child = self.begin_nested(files, &path, handle, nesting);
        if let Some(child) = self.state_mut(child) {
            child.in_archive = in_archive;
        }
        self.set_stage(id, Stage::Unpack(decoder, child));
        self.push(files, id, head);
    }

    /// Takes over the remarks of the decoder that unpacks one source into another. A truncation is reported once, not
    /// again for each source unpacked from the truncated one.
    pub(crate) fn take_remarks<S: Store>(
        &mut self,
        files: &mut Files<S>,
        id: SourceId,
        child: SourceId,
        remarks: Vec<Remark>,
    ) {
        for Remark { notice, line, detail } in remarks {
            if let Some(cut) = problems::of_cut(notice.code) {
                if let Some(child) = self.state_mut(child) {
                    child.cut = Some(cut);
                }
                if self.state(id).is_some_and(|it| it.cut.is_some()) {
                    continue;
                }
            }
            let is_empty = files.source(child).is_some_and(|it| it.len_bytes == 0);
            if is_empty && problems::is_of_packed_file(notice.code) {
                set_problem(files, id, problems::without_records(problems::of_cut(notice.code)));
            }
            if is_empty
                && let Some(fault) = problems::of_yaml(notice.code, line, &detail)
                && let Some(source) = files.source_mut(id)
            {
                source.problem = Some(fault);
            }
            let place = WarningPlace { source: id, line, byte: notice.offset, detail };
            self.builder.warn_at(notice.code, place);
        }
    }

    fn take_stage(&mut self, id: SourceId) -> Stage {
        let state = self.states.get_mut(id.index());
        state.map_or(Stage::Done, |it| std::mem::replace(&mut it.stage, Stage::Done))
    }

    fn set_stage(&mut self, id: SourceId, stage: Stage) {
        if let Some(state) = self.states.get_mut(id.index()) {
            state.stage = stage;
        }
    }

    fn sink<'a, S>(
        &'a mut self,
        files: &'a mut Files<S>,
        id: SourceId,
        records: Records,
        is_end: bool,
    ) -> Sink<'a> {
        let state = self.states.get(id.index());
        let split = state.map(|it| Rc::clone(&it.split)).unwrap_or_default();
        Sink::new(
            (id, state.and_then(|it| it.cut)),
            files.sources.get_mut(id.index()),
            (records, split),
            is_end,
            &self.wanted,
            &mut self.builder,
        )
    }
}

fn wanted(request: &OpenRequest) -> Wanted {
    let parse = |text: &String| Mapping::parse(text);
    let known = request.mappings.iter().filter_map(|(of, text)| Some((of.clone(), parse(text)?)));
    // A request for plain records without a mapping gets plain records.
    let is_plain = request.format.as_deref() == Some(any_json::Records.id());
    let mapping = request.mapping.as_ref().and_then(parse);
    let mapping = mapping.or_else(|| is_plain.then(Mapping::default));
    Wanted {
        format: request.format.clone(),
        likely: request.likely.clone(),
        choices: Choices { mapping, known: known.collect() },
    }
}

/// Sets the problem of a source, unless it has one.
pub(crate) fn set_problem<S: Store>(files: &mut Files<S>, id: SourceId, fault: SourceFault) {
    if let Some(source) = files.source_mut(id) {
        source.problem.get_or_insert(fault);
    }
}

/// `trace.jsonl` for `trace.jsonl.gz`.
pub(crate) fn unpacked_name(path: &str) -> String {
    let cut = [".gz", ".gzip", ".GZ", ".zst", ".zstd"]
        .iter()
        .find_map(|ending| path.strip_suffix(ending));
    cut.unwrap_or(path).to_owned()
}
