//! The annotations of a run: their content, the events and values that their addresses refer to, and addresses for new
//! annotations.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::store::Store;
use crate::answers::Answers;
use crate::render::values::ReadError;
use traceloupe_core::json::{
    Json, Kind, Step, decode_string, path_to, quoted, value_at, write_path,
};
use traceloupe_core::model::{AnnotationKind, EventId, Part, Place, RunId, Span};
use traceloupe_engine::{Addressed, RecordText};
use traceloupe_formats as formats;
use traceloupe_formats::address::{Address, Base, parse, write_part};
use traceloupe_formats::annotation::{kind, kind_of, written};
use traceloupe_input::Crc32;
use traceloupe_protocol::annotations::{
    AnnotationLine, AnnotationList, OwnAnnotation, Site, Spot, Target,
};

/// How many annotations of a file are listed for a run.
const MAX_LISTED: usize = 2_000;

/// How much of one annotation is read.
const MAX_ANNOTATION_BYTES: u32 = 64 << 10;

/// How much text is searched in total for the values that addresses refer to. Beyond that, annotations refer to whole
/// events.
const MAX_SEARCHED_BYTES: usize = 256 << 20;

/// How many bytes at the beginning and at the end of a run are hashed.
const HASHED_BYTES: u32 = 1 << 20;

/// The annotations of a run: those in the file and the user's own.
pub(super) fn annotations<S: Store>(
    answers: &Answers<'_, S>,
    run: u32,
    own: &[OwnAnnotation],
) -> AnnotationList {
    let id = RunId::from_index(run as usize);
    let targets = Targets::new(answers, id);
    let mut lines = Vec::new();
    let mut unlisted = 0;
    for annotation in answers.trace.annotations().iter().filter(|it| it.run == id) {
        if lines.len() >= MAX_LISTED {
            unlisted += 1;
            continue;
        }
        let len = annotation.span.len.min(MAX_ANNOTATION_BYTES);
        let raw = match answers.read(Span { len, ..annotation.span }) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                let target = Target::Unresolved(error.to_string());
                lines.push(AnnotationLine { target, ..AnnotationLine::default() });
                continue;
            }
        };
        let found = written(&raw);
        let kind = kind_of(&raw).unwrap_or_default();
        lines.push(AnnotationLine {
            kind,
            content: words_of(kind, found.content),
            target: targets.target(&found.address),
            address: found.address,
            source: found.source,
            severity: found.severity,
            status: found.status,
            author: found.author,
            time: found.time,
            extra: found.extra,
            own: None,
        });
    }
    for (at, annotation) in (0..).zip(own) {
        let kind = kind(&annotation.content, "user", None);
        lines.push(AnnotationLine {
            kind,
            content: words_of(kind, annotation.content.clone()),
            address: annotation.address.clone(),
            target: targets.target(&annotation.address),
            source: "user".to_owned(),
            time: annotation.time_created.clone(),
            own: Some(at),
            ..AnnotationLine::default()
        });
    }
    // A run that cannot be read has no hash, so that it does not get the annotations of another run.
    let hash = run_hash(answers, id).unwrap_or_default();
    AnnotationList { run, hash, lines, unlisted }
}

/// Identifies a run wherever it is stored: a hash of its first and last bytes, its length, and the number of its
/// events.
///
/// # Errors
/// If the run cannot be read.
pub(super) fn run_hash<S: Store>(
    answers: &Answers<'_, S>,
    run: RunId,
) -> Result<String, ReadError> {
    let trace = answers.trace;
    let order = trace.order(run);
    let span = trace.run(run).and_then(|run| run.record).or_else(|| {
        let first = trace.place_of(*order.first()?)?.span;
        let places = order.iter().filter_map(|id| trace.place_of(*id));
        let own = places.map(|place| place.span).filter(|span| span.source == first.source);
        let (start, end) = own.fold((u64::MAX, 0), |(start, end), span| {
            (start.min(span.start), end.max(span.start + u64::from(span.len)))
        });
        let len = u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX);
        Some(Span { start, len, ..first })
    });
    let Some(span) = span else { return Ok(String::new()) };
    let len = span.len.min(HASHED_BYTES);
    let head = answers.read(Span { len, ..span })?;
    let tail = answers.read(Span { start: span.start + u64::from(span.len - len), len, ..span })?;
    let (head, tail) = (Crc32::of(&head), Crc32::of(&tail));
    Ok(format!("{head:08x}{tail:08x}-{:x}-{:x}", span.len, order.len()))
}

/// The address for a new annotation; `None` if the spot has none, or cannot be read.
pub(super) fn address_of<S: Store>(answers: &Answers<'_, S>, spot: &Spot) -> Option<String> {
    let Some(event) = spot.event else { return Some("<root>".to_owned()) };
    let run = RunId::from_index(spot.run as usize);
    let event = EventId::from_index(event as usize);
    let mut address = match addressed(answers, run) {
        Some(addressed) => message_address(answers, &addressed, event, spot.site)?,
        None => event_address(answers, run, event, spot.site)?,
    };
    write_part(spot.part, &mut address);
    Some(address)
}

fn addressed<S>(answers: &Answers<'_, S>, run: RunId) -> Option<Addressed> {
    let format = answers.trace.run(run).and_then(|run| formats::by_id(run.format))?;
    format.addressed(answers.trace, run)
}

fn message_address<S: Store>(
    answers: &Answers<'_, S>,
    addressed: &Addressed,
    event: EventId,
    site: Option<Site>,
) -> Option<String> {
    let own = answers.trace.place_of(event)?.span;
    let (source, start) = match site {
        Some(site) => (site.source as usize, site.start),
        None => (own.source.index(), own.start),
    };
    let after = addressed.messages.partition_point(|(place, _)| {
        (place.span.source.index(), place.span.start) <= (source, start)
    });
    let at = after.checked_sub(1)?;
    let (place, _) = addressed.messages.get(at)?;
    let mut address = format!("messages[{at}]");
    add_path(answers, *place, start, &mut address)?;
    Some(address)
}

fn event_address<S: Store>(
    answers: &Answers<'_, S>,
    run: RunId,
    id: EventId,
    site: Option<Site>,
) -> Option<String> {
    let trace = answers.trace;
    let event = trace.event(id)?;
    let mut address = match answers.blocks_of(id, event).ok()?.native_id {
        Some(native) => format!("events[{}]", quoted(&native)),
        None => {
            let at = trace.order(run).iter().position(|other| *other == id)?;
            format!("events[{at}]")
        }
    };
    let Some(site) = site else { return Some(address) };
    let mut places = trace.places(event).enumerate();
    let (at, place) = places.find(|(_, place)| {
        let span = place.span;
        span.source.index() == site.source as usize
            && (span.start..span.start + u64::from(span.len)).contains(&site.start)
    })?;
    if at > 0 {
        address.push_str(&format!(".records[{at}]"));
    }
    add_path(answers, place, site.start, &mut address)?;
    Some(address)
}

/// Adds the path of the value at a byte of a record. A long record is not held in full, so the address refers to the
/// whole record. `None` if the record cannot be read.
fn add_path<S: Store>(
    answers: &Answers<'_, S>,
    place: Place,
    start: u64,
    address: &mut String,
) -> Option<()> {
    let record = answers.record_at(place).ok()?;
    if let Some(record) = record.filter(|it| it.gaps.as_slice().is_empty()) {
        let offset = usize::try_from(start.saturating_sub(place.span.start)).unwrap_or(0);
        write_path(&path_to(&record.text, offset), address);
    }
    Some(())
}

/// Votes have no text of their own.
fn words_of(kind: AnnotationKind, content: String) -> String {
    match kind {
        AnnotationKind::ThumbsUp | AnnotationKind::ThumbsDown => String::new(),
        _ => content,
    }
}

/// An own annotation as Explorer writes it.
pub(super) fn as_json(own: &OwnAnnotation) -> String {
    format!(
        r#"{{"content":{},"address":{},"extra_metadata":{{"source":"user"}},"time_created":{}}}"#,
        quoted(&own.content),
        quoted(&own.address),
        quoted(&own.time_created),
    )
}

/// Finds the targets of addresses within a run.
struct Targets<'a, S> {
    answers: &'a Answers<'a, S>,
    run: RunId,
    addressed: Option<Addressed>,
    left_bytes: Cell<usize>,
    /// The record that was read last. Consecutive annotations usually refer to the same message.
    last: RefCell<Option<RecordText>>,
    by_native_id: RefCell<Option<FxHashMap<u64, EventId>>>,
}

impl<'a, S: Store> Targets<'a, S> {
    fn new(answers: &'a Answers<'a, S>, run: RunId) -> Self {
        Self {
            answers,
            run,
            addressed: addressed(answers, run),
            left_bytes: Cell::new(MAX_SEARCHED_BYTES),
            last: RefCell::default(),
            by_native_id: RefCell::default(),
        }
    }

    fn target(&self, address: &str) -> Target {
        let Some(address) = parse(address) else {
            return Target::Unresolved("the address cannot be read".to_owned());
        };
        if address.base == Base::Run {
            return Target::Run;
        }
        match self.resolve(&address) {
            Ok(target) => target,
            Err(why) => Target::Unresolved(why),
        }
    }

    fn resolve(&self, address: &Address) -> Result<Target, String> {
        let (place, event, path) = self.base(address)?;
        let whole =
            |event: EventId| Target::Event { id: event.number(), site: None, part: address.part };
        if path.is_empty() {
            return Ok(whole(event));
        }
        let len = place.span.len as usize;
        match self.left_bytes.get().checked_sub(len) {
            Some(left) => self.left_bytes.set(left),
            None => return Ok(whole(event)),
        }
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|record| record.place != place) {
            *last = self.answers.record_at(place).map_err(|error| error.to_string())?;
        }
        let record = last.as_ref().ok_or("its record cannot be read")?;
        let Some(value) = value_at(&record.text, path) else {
            // Arguments may be a string that contains JSON. A value inside it has no position of its own in the file.
            let span = packed(record, path).ok_or("there is no such value")?;
            return Ok(whole(self.innermost(span, event)));
        };
        let value = leaf(value, address.part);
        let span = record.span_of(value).ok_or("there is no such value")?;
        Ok(Target::Event {
            id: self.innermost(span, event).number(),
            site: Some(Site { source: span.source.number(), start: span.start }),
            part: address.part,
        })
    }

    /// The record and the event at which an address begins, and the path from there.
    fn base<'b>(&self, address: &'b Address) -> Result<(Place, EventId, &'b [Step]), &'static str> {
        let trace = self.answers.trace;
        let order = trace.order(self.run);
        let event = match &address.base {
            Base::Message(at) => {
                let addressed = self.addressed.as_ref().ok_or("this trace has no messages")?;
                let (place, event) =
                    addressed.messages.get(*at).ok_or("there is no such message")?;
                return Ok((*place, *event, &address.path));
            }
            Base::Event(at) => order.get(*at).copied(),
            Base::Native(id) => {
                let mut known = self.by_native_id.borrow_mut();
                let known = known.get_or_insert_with(|| {
                    let all = order.iter().rev();
                    all.filter_map(|id| Some((trace.event(*id)?.id_hash, *id))).collect()
                });
                known.get(&traceloupe_core::model::key_hash(&[id])).copied()
            }
            Base::Run => None,
        };
        let event = event.ok_or("there is no such event")?;
        let (at, path) = match address.path.as_slice() {
            [Step::Key(key), Step::Index(at), path @ ..] if key == "records" => (*at, path),
            path => (0, path),
        };
        let place = trace.event(event).and_then(|event| trace.places(event).nth(at));
        Ok((place.ok_or("there is no such record")?, event, path))
    }

    /// The event of a value inside a message, if the value is an event of its own.
    fn innermost(&self, span: Span, event: EventId) -> EventId {
        let Some(addressed) = &self.addressed else { return event };
        let after = addressed
            .inner
            .partition_point(|(inner, _)| (inner.source, inner.start) <= (span.source, span.start));
        let inner = after.checked_sub(1).and_then(|at| addressed.inner.get(at));
        match inner {
            Some((inner, id)) if span.start < inner.start + u64::from(inner.len) => *id,
            _ => event,
        }
    }
}

/// The string on the path that contains JSON in which the rest of the path leads to a value.
fn packed(record: &RecordText, path: &[Step]) -> Option<Span> {
    (1..path.len()).rev().find_map(|at| {
        let (outer, inner) = path.split_at_checked(at)?;
        let string = value_at(&record.text, outer).filter(|raw| raw.starts_with('"'))?;
        value_at(&decode_string(string), inner)?;
        record.span_of(string)
    })
}

/// The string that contains a part: in a list of content, the first text or the first image.
fn leaf<'a>(value: &'a str, part: Part) -> &'a str {
    let wanted: &[&str] = match part {
        Part::Whole => return value,
        Part::Area(_) => &["image_url", "url"],
        Part::Chars(..) | Part::Line(_) => &["text"],
    };
    let of_object = |object: Json<'a>| {
        object.members().filter(|(key, _)| wanted.contains(&key.as_ref())).last()
    };
    let mut at = Json::new(value);
    // An image is `[{image_url: {url}}]` at its deepest.
    for _ in 0..3 {
        let inner = match at.kind() {
            Kind::Array => at.items().find(|item| of_object(*item).is_some()),
            _ => of_object(at).map(|(_, inner)| inner),
        };
        let Some(inner) = inner else { break };
        at = inner;
    }
    if at.kind() == Kind::String { at.raw() } else { value }
}
