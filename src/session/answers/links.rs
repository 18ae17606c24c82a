//! Links to events (`sel=`): creating them, and finding their events again.

use crate::answers::Answers;
use crate::store::Store;
use traceloupe_core::model::{Event, EventId, Place, Span, key_hash};
use traceloupe_input::Crc32;
use traceloupe_protocol::route::Sel;

/// How much of a record the hash in a link covers.
const HASHED_BYTES: u32 = 1 << 20;

/// The link to an event. It names the run or the file only if the trace has several of them.
pub(crate) fn sel_of<S: Store>(
    answers: &Answers<'_, S>,
    id: EventId,
    native_id: Option<&str>,
) -> Option<Sel> {
    let trace = answers.trace;
    if let Some(native_id) = native_id {
        let run = trace.event(id).and_then(|event| trace.run(event.run));
        let run = run.filter(|_| trace.runs().len() > 1).map(|run| run.key.clone());
        return Some(Sel::Native { run, id: native_id.to_owned() });
    }
    let (place, item) = trace.items(trace.event(id)?).next()?;
    let sources = &answers.files.sources;
    let has_several = sources.iter().filter(|source| !source.is_container).count() > 1;
    let source = answers.files.source(place.span.source).filter(|_| has_several);
    let file = source.map(|source| source.path.clone());
    // Without a hash, the link leads to the nearest event.
    let hash = hash_at(answers, place, item).unwrap_or_default();
    Some(Sel::Place { file, line: place.line, byte: place.span.start, hash })
}

/// The event of a link. If there is no exact match, the nearest event and a sentence for the page.
pub(crate) fn find<S: Store>(answers: &Answers<'_, S>, sel: &str) -> (Option<u32>, Option<String>) {
    match Sel::parse(sel) {
        None => (None, Some("The link to an event cannot be read".to_owned())),
        Some(Sel::Native { run, id }) => find_native(answers, run.as_deref(), &id),
        Some(Sel::Place { file, line, byte, hash }) => {
            find_place(answers, file.as_deref(), (line, byte), &hash)
        }
    }
}

const NOT_HERE: &str = "The linked event is not in this file";

fn find_native<S>(
    answers: &Answers<'_, S>,
    run: Option<&str>,
    id: &str,
) -> (Option<u32>, Option<String>) {
    let trace = answers.trace;
    let hash = key_hash(&[id]);
    let is_in_run = |event: &Event| {
        run.is_none_or(|key| trace.run(event.run).is_some_and(|run| run.key == key))
    };
    let mut elsewhere = None;
    for (at, event) in trace.events().into_iter().enumerate() {
        if event.id_hash != hash {
            continue;
        }
        // The event may have been merged into another one.
        let present = trace.present(EventId::from_index(at));
        let id = u32::try_from(present.index()).ok();
        if trace.event(present).is_some_and(is_in_run) {
            return (id, None);
        }
        elsewhere = elsewhere.or(id);
    }
    let note = match elsewhere {
        Some(_) => "The linked run is not in this trace. This event of another run has the same id",
        None => NOT_HERE,
    };
    (elsewhere, Some(note.to_owned()))
}

fn find_place<S: Store>(
    answers: &Answers<'_, S>,
    file: Option<&str>,
    (line, byte): (u32, u64),
    hash: &str,
) -> (Option<u32>, Option<String>) {
    let trace = answers.trace;
    let path_of = |place: Place| answers.files.source(place.span.source).map(|it| it.path.as_str());
    // The file may have been renamed since. In that case all files are searched.
    let file = file.filter(|file| answers.files.sources.iter().any(|it| it.path == *file));
    let places = (0..trace.events().len()).filter_map(|id| {
        let (place, item) = trace.items(trace.events().get(id)?).next()?;
        let is_in_file = file.is_none_or(|file| path_of(place) == Some(file));
        is_in_file.then_some((id, place, item))
    });
    let mut nearest: Option<(u32, usize)> = None;
    for (id, place, item) in places {
        if place.line == line
            && place.span.start == byte
            && hash_at(answers, place, item).as_deref() == Some(hash)
        {
            return (u32::try_from(id).ok(), None);
        }
        let found = (place.line.abs_diff(line), id);
        nearest = Some(nearest.map_or(found, |nearest| nearest.min(found)));
    }
    match nearest {
        Some((_, id)) => {
            (u32::try_from(id).ok(), Some(format!("{NOT_HERE}; this is the nearest one")))
        }
        None => (None, Some(NOT_HERE.to_owned())),
    }
}

/// The hash of a record, and of the number of one of its items, as 8 hex digits; `None` if it cannot be read.
fn hash_at<S: Store>(answers: &Answers<'_, S>, place: Place, item: u16) -> Option<String> {
    let span = Span { len: place.span.len.min(HASHED_BYTES), ..place.span };
    let mut bytes = answers.read(span).ok()?;
    if item > 0 {
        bytes.extend(item.to_be_bytes());
    }
    Some(format!("{:08x}", Crc32::of(&bytes)))
}
