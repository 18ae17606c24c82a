//! Annotations of a run: read where they stand, their addresses followed to events and values; and
//! addresses for new ones.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::Session;
use super::store::Store;
use crate::formats::address::{Address, Base, parse, write_part};
use crate::formats::annotation::{kind, kind_of, written};
use crate::formats::{self, Addressed, RecordText};
use crate::input::Crc32;
use crate::json::{Json, Kind, Step, decode_string, path_to, quoted, value_at, write_path};
use crate::model::{AnnotationKind, EventId, Part, Place, RunId, Span};
use crate::view::wire::annotations::{
    AnnotationLine, AnnotationList, OwnAnnotation, Site, Spot, Target,
};

/// So many annotations of a file are listed for a run.
const MAX_LISTED: usize = 2_000;

/// So much of one annotation is read.
const MAX_ANNOTATION_BYTES: u32 = 64 << 10;

/// Addresses are followed through so much text, all together; after that only to their events.
const MAX_WALKED_BYTES: usize = 256 << 20;

/// How much of the beginning and of the end of a run is hashed.
const HASHED_BYTES: u32 = 1 << 20;

impl<S: Store> Session<S> {
    /// The annotations of a run, those of the file and the own ones.
    pub(super) fn annotations(&self, run: u32, own: &[OwnAnnotation]) -> AnnotationList {
        let id = RunId::from_index(run as usize);
        let follower = Follower::new(self, id);
        let of_run = self.trace().annotations().iter().filter(|it| it.run == id);
        let mut lines = Vec::new();
        let mut unlisted = 0;
        for annotation in of_run {
            if lines.len() >= MAX_LISTED {
                unlisted += 1;
                continue;
            }
            let raw = self.text_at(Span {
                len: annotation.span.len.min(MAX_ANNOTATION_BYTES),
                ..annotation.span
            });
            let found = written(&raw);
            let kind = kind_of(&raw).unwrap_or_default();
            lines.push(AnnotationLine {
                kind,
                content: words_of(kind, found.content),
                target: follower.target(&found.address),
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
                target: follower.target(&annotation.address),
                source: "user".to_owned(),
                time: annotation.time_created.clone(),
                own: Some(at),
                ..AnnotationLine::default()
            });
        }
        AnnotationList { run, hash: self.run_hash(id), lines, unlisted }
    }

    /// What a run is known by, wherever it stands: a hash of its first and last bytes, its length and
    /// the number of its events.
    pub(super) fn run_hash(&self, run: RunId) -> String {
        let order = self.trace().order(run);
        let span = self.trace().run(run).and_then(|run| run.record).or_else(|| {
            let first = self.trace().place_of(*order.first()?)?.span;
            let places = order.iter().filter_map(|id| self.trace().place_of(*id));
            let own = places.map(|place| place.span).filter(|span| span.source == first.source);
            let (start, end) = own.fold((u64::MAX, 0), |(start, end), span| {
                (start.min(span.start), end.max(span.start + u64::from(span.len)))
            });
            let len = u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX);
            Some(Span { start, len, ..first })
        });
        let Some(span) = span else { return String::new() };
        let len = span.len.min(HASHED_BYTES);
        let head = self.read(Span { len, ..span });
        let tail = self.read(Span { start: span.start + u64::from(span.len - len), len, ..span });
        let (head, tail) = (Crc32::of(&head), Crc32::of(&tail));
        format!("{head:08x}{tail:08x}-{:x}-{:x}", span.len, order.len())
    }

    /// The address of what a new annotation is to point at.
    pub(super) fn address_of(&self, spot: &Spot) -> Option<String> {
        let Some(event) = spot.event else { return Some("<root>".to_owned()) };
        let run = RunId::from_index(spot.run as usize);
        let event = EventId::from_index(event as usize);
        let mut address = match self.addressed(run) {
            Some(addressed) => self.message_address(&addressed, event, spot.site)?,
            None => self.event_address(run, event, spot.site)?,
        };
        write_part(spot.part, &mut address);
        Some(address)
    }

    fn addressed(&self, run: RunId) -> Option<Addressed> {
        let format = self.trace().run(run).and_then(|run| formats::by_id(run.format))?;
        format.addressed(self.trace(), run)
    }

    fn message_address(
        &self,
        addressed: &Addressed,
        event: EventId,
        site: Option<Site>,
    ) -> Option<String> {
        let own = self.trace().place_of(event)?.span;
        let (source, start) = match site {
            Some(site) => (site.source as usize, site.start),
            None => (own.source.index(), own.start),
        };
        let behind = addressed.messages.partition_point(|(place, _)| {
            (place.span.source.index(), place.span.start) <= (source, start)
        });
        let at = behind.checked_sub(1)?;
        let (place, _) = addressed.messages.get(at)?;
        let mut address = format!("messages[{at}]");
        self.add_path(*place, start, &mut address);
        Some(address)
    }

    fn event_address(&self, run: RunId, id: EventId, site: Option<Site>) -> Option<String> {
        let event = self.trace().event(id)?;
        let mut address = match self.blocks_of(id, event).native_id {
            Some(native) => format!("events[{}]", quoted(&native)),
            None => {
                let at = self.trace().order(run).iter().position(|other| *other == id)?;
                format!("events[{at}]")
            }
        };
        let Some(site) = site else { return Some(address) };
        let mut places = self.trace().places(event).enumerate();
        let (at, place) = places.find(|(_, place)| {
            let span = place.span;
            span.source.index() == site.source as usize
                && (span.start..span.start + u64::from(span.len)).contains(&site.start)
        })?;
        if at > 0 {
            address.push_str(&format!(".records[{at}]"));
        }
        self.add_path(place, site.start, &mut address);
        Some(address)
    }

    /// Writes the path of the value at a byte of a record. Of a record that is not held whole there
    /// is no path: the address names the record.
    fn add_path(&self, place: Place, start: u64, address: &mut String) {
        let Some(record) = self.record_at(place).filter(|it| it.gaps.as_slice().is_empty()) else {
            return;
        };
        let offset = usize::try_from(start.saturating_sub(place.span.start)).unwrap_or(0);
        write_path(&path_to(&record.text, offset), address);
    }

    fn text_at(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.read(span)).into_owned()
    }
}

/// Votes say nothing but that they are votes.
fn words_of(kind: AnnotationKind, content: String) -> String {
    match kind {
        AnnotationKind::ThumbsUp | AnnotationKind::ThumbsDown => String::new(),
        _ => content,
    }
}

/// An own annotation as Explorer writes one.
pub(super) fn as_json(own: &OwnAnnotation) -> String {
    format!(
        r#"{{"content":{},"address":{},"extra_metadata":{{"source":"user"}},"time_created":{}}}"#,
        quoted(&own.content),
        quoted(&own.address),
        quoted(&own.time_created),
    )
}

/// Follows addresses of one run.
struct Follower<'a, S> {
    session: &'a Session<S>,
    run: RunId,
    addressed: Option<Addressed>,
    left_bytes: Cell<usize>,
    /// The record that was read last: annotations of one message mostly come together.
    last: RefCell<Option<RecordText>>,
    by_native_id: RefCell<Option<FxHashMap<u64, EventId>>>,
}

impl<'a, S: Store> Follower<'a, S> {
    fn new(session: &'a Session<S>, run: RunId) -> Self {
        Self {
            session,
            run,
            addressed: session.addressed(run),
            left_bytes: Cell::new(MAX_WALKED_BYTES),
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
        match self.follow(&address) {
            Ok(target) => target,
            Err(why) => Target::Unresolved(why.to_owned()),
        }
    }

    fn follow(&self, address: &Address) -> Result<Target, &'static str> {
        let (place, event, path) = self.base(address)?;
        let whole = |event: EventId| Target::Event {
            id: u32::try_from(event.index()).unwrap_or(u32::MAX),
            site: None,
            part: address.part,
        };
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
            *last = self.session.record_at(place);
        }
        let record = last.as_ref().ok_or("its record cannot be read")?;
        let Some(value) = value_at(&record.text, path) else {
            // Arguments may be a string that holds JSON: what is inside of it has no place of its own.
            let span = packed(record, path).ok_or("there is no such value")?;
            return Ok(whole(self.innermost(span, event)));
        };
        let value = leaf(value, address.part);
        let span = record.span_of(value).ok_or("there is no such value")?;
        Ok(Target::Event {
            id: u32::try_from(self.innermost(span, event).index()).unwrap_or(u32::MAX),
            site: Some(Site {
                source: u32::try_from(span.source.index()).unwrap_or(u32::MAX),
                start: span.start,
            }),
            part: address.part,
        })
    }

    /// The record and event that an address begins at, and the path from there.
    fn base<'b>(&self, address: &'b Address) -> Result<(Place, EventId, &'b [Step]), &'static str> {
        let trace = self.session.trace();
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
                known.get(&crate::model::key_hash(&[id])).copied()
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

    /// The event of its own that a value inside of a message belongs to.
    fn innermost(&self, span: Span, event: EventId) -> EventId {
        let Some(addressed) = &self.addressed else { return event };
        let behind = addressed
            .inner
            .partition_point(|(inner, _)| (inner.source, inner.start) <= (span.source, span.start));
        let inner = behind.checked_sub(1).and_then(|at| addressed.inner.get(at));
        match inner {
            Some((inner, id)) if span.start < inner.start + u64::from(inner.len) => *id,
            _ => event,
        }
    }
}

/// The string on the way to a value that holds JSON with that value in it.
fn packed(record: &RecordText, path: &[Step]) -> Option<Span> {
    (1..path.len()).rev().find_map(|at| {
        let (outer, inner) = path.split_at_checked(at)?;
        let string = value_at(&record.text, outer).filter(|raw| raw.starts_with('"'))?;
        value_at(&decode_string(string), inner)?;
        record.span_of(string)
    })
}

/// The string that a part is one of: of a list of content the first text, or the first image.
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
