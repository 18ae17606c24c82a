//! Runs as files in the forms of other programs, made some events at a time.

use super::Session;
use super::store::{Handle, Store};
use crate::export::forms::{FormWriter, RunNames};
use crate::export::normal::{Left, Values, normal_event};
use crate::model::{EventKind, Flags, RunId};
use crate::view::wire::protocol::{ConvertRequest, MadeFile};

/// So many events are written in one step, unless they are large.
const STEP_EVENTS: usize = 64;

/// So many bytes are written in one step.
const STEP_BYTES: usize = 256 << 10;

/// How much of a file is shown before it is made.
const PREVIEW_BYTES: usize = 6 << 10;

/// So many events are looked at for that.
const PREVIEW_EVENTS: usize = 2_000;

/// A run that is being written out.
#[derive(Debug)]
pub struct RunMaker {
    run: RunId,
    /// The next event, in display order.
    at: usize,
    writer: FormWriter,
    left: Left,
    into: Handle,
    file: MadeFile,
}

impl<S: Store> Session<S> {
    /// Begins to write a run into a file.
    pub fn begin_export(&mut self, wanted: &ConvertRequest) -> RunMaker {
        let mut maker = self.maker(wanted);
        maker.into = self.store.create();
        maker.file.handle = maker.into.0;
        maker.file.is_made = true;
        maker
    }

    fn maker(&self, wanted: &ConvertRequest) -> RunMaker {
        let run = RunId::from_index(wanted.run as usize);
        let mut events = self.trace().order(run).iter().filter_map(|id| self.trace().event(*id));
        let names = RunNames {
            key: self.trace().run(run).map_or(String::new(), |run| run.key.clone()),
            has_user_messages: events.any(|event| event.kind == EventKind::UserMessage),
        };
        let (ending, media) = match wanted.is_yaml {
            true => ("yaml", "application/yaml"),
            false => ("json", "application/json"),
        };
        let title = self.file_name_of(run);
        let file = MadeFile {
            name: format!("{title}.{}.{ending}", wanted.form.word()),
            media: media.to_owned(),
            ..MadeFile::default()
        };
        let writer = FormWriter::new(wanted.form, wanted.is_yaml, names);
        RunMaker { run, at: 0, writer, left: Left::default(), into: Handle(0), file }
    }

    /// Writes some events. Returns the file when all of the run is in it.
    pub fn export_some(&mut self, maker: &mut RunMaker) -> Option<MadeFile> {
        let is_over = self.write_some(maker);
        let text = maker.writer.take();
        self.store.append(maker.into, text.as_bytes());
        if !is_over {
            return None;
        }
        let mut file = maker.file.clone();
        file.len = self.store.len(maker.into);
        file.notes = maker.writer.notes(maker.left);
        Some(file)
    }

    /// Writes some events. Says whether all have been written.
    fn write_some(&self, maker: &mut RunMaker) -> bool {
        let read = |span| self.read(span);
        let values = Values::new(&read);
        let order = self.trace().order(maker.run);
        for id in order.iter().skip(maker.at).take(STEP_EVENTS) {
            maker.at += 1;
            let Some(event) = self.trace().event(*id) else { continue };
            // A copy is told by another file of the same session already.
            if event.flags.has(Flags::COPY) {
                continue;
            }
            if !FormWriter::has_place(event.kind) {
                maker.writer.leave_out();
                continue;
            }
            let detail = self.blocks_of(*id, event);
            maker.writer.push(normal_event(self.trace(), *id, event, &detail, &values));
            if maker.writer.len_bytes() >= STEP_BYTES {
                break;
            }
        }
        let left = values.left();
        maker.left.cut_values += left.cut_values;
        maker.left.images += left.images;
        let is_over = maker.at >= order.len();
        if is_over {
            maker.writer.finish();
        }
        is_over
    }

    /// A run's title, or its id, as a part of a file's name.
    fn file_name_of(&self, id: RunId) -> String {
        let Some(run) = self.trace().run(id) else { return file_name("") };
        // What has no name of its own is known by its file.
        let source = run.key.strip_prefix("source ").and_then(|at| at.parse::<usize>().ok());
        let path = source.and_then(|at| self.sources.get(at)).map(|source| {
            let name = source.path.rsplit('/').next().unwrap_or_default();
            name.split('.').next().unwrap_or_default()
        });
        file_name(run.title.as_deref().filter(|it| !it.is_empty()).or(path).unwrap_or(&run.key))
    }

    /// The beginning of what a run would be written as, and whether that is all of it.
    pub(super) fn preview_export(&self, wanted: &ConvertRequest) -> (String, bool) {
        let mut maker = self.maker(wanted);
        let mut is_over = false;
        let is_enough = |maker: &RunMaker| {
            maker.writer.len_bytes() >= PREVIEW_BYTES || maker.at >= PREVIEW_EVENTS
        };
        while !is_over && !is_enough(&maker) {
            is_over = self.write_some(&mut maker);
        }
        let mut text = maker.writer.take();
        let is_whole = is_over && text.len() <= PREVIEW_BYTES;
        if !is_whole {
            text.truncate(text.floor_char_boundary(PREVIEW_BYTES));
        }
        (text, is_whole)
    }
}

fn file_name(title: &str) -> String {
    let letters = title.chars().take(60);
    let safe = letters.map(|it| if it.is_alphanumeric() || it == '-' { it } else { '-' });
    let name: String = safe.collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "run".to_owned() } else { name.to_owned() }
}
