//! Exports a run to a file in the format of another program.

use super::store::{Handle, Store};
use crate::answers::Answers;
use crate::export::forms::{FormWriter, RunNames};
use crate::export::normal::{Omitted, Values, normal_event};
use crate::intake::files::Files;
use crate::render::values::ReadError;
use traceloupe_core::model::{EventId, EventKind, Flags, RunId, Trace};
use traceloupe_protocol::messages::{ExportRequest, MadeFile};

/// How many events are written in one step, unless they are large.
const STEP_EVENTS: usize = 64;

/// A step ends after this many bytes.
const STEP_BYTES: usize = 256 << 10;

/// How much of the file the preview shows.
const PREVIEW_BYTES: usize = 6 << 10;

/// How many events are examined for the preview.
const PREVIEW_EVENTS: usize = 2_000;

/// A job that writes a run into a file.
#[derive(Debug)]
pub(super) struct RunExport {
    wanted: ExportRequest,
    /// The events of the run, in display order at the start of the export. The order changes while files are being
    /// read, because late events are nested under earlier ones.
    order: Vec<EventId>,
    /// Index of the next event in `order`.
    at: usize,
    writer: FormWriter,
    omitted: Omitted,
    file: MadeFile,
}

impl RunExport {
    /// Starts exporting a run to a new file.
    pub(super) fn new<S: Store>(
        files: &mut Files<S>,
        trace: &Trace,
        wanted: ExportRequest,
    ) -> Self {
        let mut export = Self::without_file(&Answers::new(files, trace), wanted);
        export.file.handle = files.store.create().0;
        export.file.is_made = true;
        export
    }

    fn without_file<S: Store>(answers: &Answers<'_, S>, wanted: ExportRequest) -> Self {
        let trace = answers.trace;
        let run = RunId::from_index(wanted.run as usize);
        let order = trace.order(run).to_vec();
        let mut events = order.iter().filter_map(|id| trace.event(*id));
        let names = RunNames {
            key: trace.run(run).map_or(String::new(), |run| run.key.clone()),
            has_user_messages: events.any(|event| event.kind == EventKind::UserMessage),
        };
        let (ending, media) = match wanted.is_yaml {
            true => ("yaml", "application/yaml"),
            false => ("json", "application/json"),
        };
        let file = MadeFile {
            name: format!("{}.{}.{ending}", file_name_of(answers, run), wanted.form.word()),
            media: media.to_owned(),
            ..MadeFile::default()
        };
        let writer = FormWriter::new(wanted.form, wanted.is_yaml, names);
        Self { wanted, order, at: 0, writer, omitted: Omitted::default(), file }
    }

    /// Starts again, with the current order of the run.
    pub(super) fn restart<S: Store>(&mut self, files: &mut Files<S>, trace: &Trace) {
        files.store.remove(Handle(self.file.handle));
        *self = Self::new(files, trace, self.wanted);
    }

    /// The storage that was created for the file.
    pub(super) fn made(&self) -> Option<Handle> {
        self.file.is_made.then_some(Handle(self.file.handle))
    }

    /// Writes some events. Returns the file when all events are in it.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
        trace: &Trace,
    ) -> Result<Option<MadeFile>, ReadError> {
        let is_over = self.write_some(&Answers::new(files, trace))?;
        let into = Handle(self.file.handle);
        files.store.append(into, self.writer.take().as_bytes());
        if !is_over {
            return Ok(None);
        }
        self.file.len = files.store.len(into);
        self.file.notes = self.writer.notes(self.omitted);
        Ok(Some(std::mem::take(&mut self.file)))
    }

    /// Writes some events. Returns whether all have been written.
    fn write_some<S: Store>(&mut self, answers: &Answers<'_, S>) -> Result<bool, ReadError> {
        let read = |span| answers.read(span);
        let values = Values::new(&read);
        let trace = answers.trace;
        for id in self.order.iter().skip(self.at).take(STEP_EVENTS) {
            self.at += 1;
            let Some(event) = trace.event(*id) else { continue };
            // Another file of the same session contains the original.
            if event.flags.has(Flags::COPY) {
                continue;
            }
            if !FormWriter::has_place(event.kind) {
                self.writer.leave_out();
                continue;
            }
            let detail = answers.blocks_of(*id, event)?;
            self.writer.push(normal_event(trace, *id, event, &detail, &values));
            if self.writer.len_bytes() >= STEP_BYTES {
                break;
            }
        }
        if let Some(error) = values.error() {
            return Err(error);
        }
        let omitted = values.omitted();
        self.omitted.cut_values += omitted.cut_values;
        self.omitted.images += omitted.images;
        let is_over = self.at >= self.order.len();
        if is_over {
            self.writer.finish();
        }
        Ok(is_over)
    }
}

/// The beginning of an exported run, and whether it is the whole export.
pub(super) fn preview<S: Store>(
    answers: &Answers<'_, S>,
    wanted: ExportRequest,
) -> Result<(String, bool), ReadError> {
    let mut export = RunExport::without_file(answers, wanted);
    let mut is_over = false;
    while !is_over && export.writer.len_bytes() < PREVIEW_BYTES && export.at < PREVIEW_EVENTS {
        is_over = export.write_some(answers)?;
    }
    let mut text = export.writer.take();
    let is_whole = is_over && text.len() <= PREVIEW_BYTES;
    if !is_whole {
        text.truncate(text.floor_char_boundary(PREVIEW_BYTES));
    }
    Ok((text, is_whole))
}

/// The title of a run, or its id, as part of a file name.
fn file_name_of<S: Store>(answers: &Answers<'_, S>, id: RunId) -> String {
    let Some(run) = answers.trace.run(id) else { return file_name("") };
    // A run without a name is named after its file.
    let source = run.key.strip_prefix("source ").and_then(|at| at.parse::<usize>().ok());
    let path = source.and_then(|at| answers.files.sources.get(at)).map(|source| {
        let name = source.path.rsplit('/').next().unwrap_or_default();
        name.split('.').next().unwrap_or_default()
    });
    file_name(run.title.as_deref().filter(|it| !it.is_empty()).or(path).unwrap_or(&run.key))
}

fn file_name(title: &str) -> String {
    let letters = title.chars().take(60);
    let safe = letters.map(|it| if it.is_alphanumeric() || it == '-' { it } else { '-' });
    let name: String = safe.collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "run".to_owned() } else { name.to_owned() }
}
