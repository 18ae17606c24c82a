//! Formats as descriptions: what makes one a [`Format`].
//!
//! Both passes use the same function: the index pass gives each description to the engines of [`weave`], the detail
//! pass ([`detail`](detail())) turns it into the blocks of an opened row.

mod detail;
mod expand;
mod hooks;
mod references;
mod repeats;
mod requests;
mod table;
#[cfg(any(test, fuzzing))]
pub mod test_format;
mod uncovered_fields;

pub use detail::detail;
pub use hooks::{Hooks, Watch};

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::kit::signs::{self, Sign};
use crate::kit::{Description, Part, Records, Room, Texts, What, lists};
use crate::weave::{self, Weave};
use crate::{
    Addressed, EventRecords, Format, LineCounter, Probe, ProbeRecord, Reader, Record, Verdict,
};
use traceloupe_core::catalog::Card;
use traceloupe_core::json::{Inspector, Json, Kind};
use traceloupe_core::model::{Detail, EventKind, RunId, SourceId, Span, Trace, TraceBuilder};
use traceloupe_input::SplitAt;

use uncovered_fields::{Cited, uncovered};

/// A format whose records are described by a function.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its id and its producer's name, as on its card. The rest of the card is only for the page.
    pub names: (&'static str, &'static str),
    /// The signs by which it is recognised.
    pub signs: &'static [Sign],
    /// Where documents have lists of records: paths with `*` for every item of a list on the way. The empty path stands
    /// for a document that is a list itself, `{}` for one whose members are records. The first path that exists in a
    /// document is used; `a|b` stands for both of two lists. Documents without any of them are records themselves. If a
    /// path ends in `.**`, an item with one of the lists is a document itself: the document is described first, and
    /// then its items.
    pub lists: &'static [&'static str],
    /// Paths: a document with a value at one of them is a record, even if it has lists.
    pub undivided: &'static [&'static str],
    /// Paths: a long document is split at its list only if there is a value at one of them before the list, because
    /// values after the list are read too late. If empty, a document is always split.
    pub split_after: &'static [&'static str],
    /// Whether records are messages, so that addresses of annotations count messages.
    pub has_messages: bool,
    /// Special behaviour of the format.
    pub hooks: Hooks,
    /// Paths of values that an opened row omits because the row itself shows them: types, times, names. A `*` stands
    /// for any step, `a|b` for either of two: `parts.*.type|state`.
    pub quiet: &'static [&'static str],
    /// Describes a record. Pure: the same record gives the same description in both passes.
    pub describe: for<'a> fn(Entry<'a>, &mut Description<'a>),
}

/// The input of a description.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The record: a line, an item of a list, or the parts of a document outside its list.
    pub json: Json<'a>,
    /// Whether it is the document around a list. The items follow, one by one.
    pub is_document: bool,
}

/// The maximum depth to which nested documents are read as documents.
const MAX_NESTING: u8 = 32;

impl Described {
    /// A format without signs, whose documents are records and whose opened rows omit nothing. Other formats are based
    /// on it: `Described { signs: …, ..Described::new(…) }`.
    #[must_use]
    pub const fn new(
        card: &'static Card,
        describe: for<'a> fn(Entry<'a>, &mut Description<'a>),
    ) -> Self {
        Self {
            names: (card.id, card.name),
            signs: &[],
            lists: &[],
            undivided: &[],
            split_after: &[],
            has_messages: false,
            hooks: Hooks::NONE,
            quiet: &[],
            describe,
        }
    }
}

/// Describes records: a format, or a mapping of the keys of a file.
pub trait Describer {
    /// The list of a document, and whether its items may be documents.
    fn list_of(&self, document: Json<'_>) -> Option<(&str, bool)>;
    /// Describes a record. Pure: the same record gives the same description in both passes.
    fn describe<'a>(&self, entry: Entry<'a>, out: &mut Description<'a>);
    /// Paths of values that an opened row omits because the row itself shows them.
    fn quiet(&self) -> Vec<&str>;
    /// Whether a document may summarize the records before it ([`Hooks::sums_up`]).
    fn sums_up(&self) -> bool {
        false
    }
    /// Whether two records may contain the same text ([`Hooks::tells_twice`]).
    fn tells_twice(&self) -> bool {
        false
    }
}

impl Describer for Described {
    fn list_of(&self, document: Json<'_>) -> Option<(&str, bool)> {
        if let Some(list_of) = self.hooks.list_of {
            return list_of(document).map(|list| (list, false));
        }
        let mut lists = self.lists.iter().map(|path| lists::plain(path));
        let found = lists.find(|(path, _)| lists::has(document, path))?;
        // Checked last, because few records have a list.
        document.any(self.undivided).is_absent().then_some(found)
    }

    fn describe<'a>(&self, entry: Entry<'a>, out: &mut Description<'a>) {
        (self.describe)(entry, out);
    }

    fn quiet(&self) -> Vec<&str> {
        self.quiet.to_vec()
    }

    fn sums_up(&self) -> bool {
        self.hooks.sums_up
    }

    fn tells_twice(&self) -> bool {
        self.hooks.tells_twice
    }
}

impl dyn Describer + '_ {
    /// Describes a record, for both passes. `is_document` states that it has a list.
    pub(super) fn description<'a>(
        &self,
        json: Json<'a>,
        is_document: bool,
        room: &'a Room,
    ) -> Description<'a> {
        let mut description = Description::new(Texts::new(json.raw(), room));
        self.describe(Entry { json, is_document }, &mut description);
        if is_document && description.items.is_empty() {
            // The parts of the document outside its list.
            description.event(EventKind::RunStart, "");
        }
        description
    }

    /// Whether a document has nothing outside its list that a row would show.
    fn is_list_alone(&self, document: Json<'_>, description: &Description<'_>) -> bool {
        let has_parts = description.items.iter().any(|item| !item.parts.is_empty());
        document.kind() == Kind::Array
            || description.is_silent()
            || !has_parts
                && description.encloses.is_none()
                && description.run.about.facts.is_empty()
                && uncovered(document, &Cited::of(description), &self.quiet_of(document)).is_empty()
    }

    /// A description with all of its parts expanded, for display.
    pub(super) fn shown<'a>(&self, json: Json<'a>, room: &'a Room) -> Description<'a> {
        let mut description = self.description(json, self.list_of(json).is_some(), room);
        description.expand();
        description
    }

    /// The paths whose values an opened row omits. This includes lists whose items have rows of their own.
    pub(super) fn quiet_of(&self, document: Json<'_>) -> Vec<&str> {
        let list = self.list_of(document);
        let list = list.map(|(path, _)| path.split_once(".*.").map_or(path, |it| it.0));
        let mut quiet = self.quiet();
        quiet.extend(list.into_iter().flat_map(|it| it.split('|')));
        quiet
    }
}

impl Format for Described {
    fn id(&self) -> &'static str {
        self.names.0
    }

    fn name(&self) -> &'static str {
        self.names.1
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        self.hooks.sniff.map_or_else(|| signs::verdict(self.signs, probe), |sniff| sniff(probe))
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        let watch = self.hooks.watch.map(|watch| watch());
        reader(self.names.0, Box::new(*self), source, watch)
    }

    fn split(&self, beginning: &ProbeRecord<'_>) -> SplitAt {
        let document = beginning.json();
        if self.hooks.is_whole || document.any(self.undivided).is_given() {
            return SplitAt::Never;
        }
        let is_early = |path: &&str| document.get(path).is_given();
        if !self.split_after.is_empty() && !self.split_after.iter().any(is_early) {
            return SplitAt::NotYet;
        }
        let is_list = |key: &&str| document.field(key).kind() == Kind::Array;
        let tops = || self.lists.iter().filter_map(|path| lists::top(path));
        // A deeper list does not split it: the first list of a document counts.
        let first = self.lists.iter().find(|path| lists::has(document, lists::plain(path).0));
        match tops().find(is_list) {
            Some(list) => SplitAt::List(Cow::Borrowed(list)),
            None if first.is_some() || tops().next().is_none() => SplitAt::Never,
            None => SplitAt::NotYet,
        }
    }

    fn join(&self, out: &mut TraceBuilder) {
        weave::join(self.names.0, out);
        if let Some(join) = self.hooks.join {
            join(out);
        }
    }

    fn addressed(&self, trace: &Trace, run: RunId) -> Option<Addressed> {
        self.has_messages.then(|| Addressed::of_messages(trace, run))
    }

    fn tells_twice(&self) -> bool {
        self.hooks.tells_twice
    }

    fn referred(&self, event: &EventRecords<'_>) -> Vec<Span> {
        detail::referred(self, event)
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::detail(self, event, out);
        if let Some(opened) = self.hooks.opened {
            opened(event, out);
        }
    }
}

/// A reader for one source of a format, by the format's id. `watch` sees each record before it is described.
pub fn reader(
    format: &'static str,
    describer: Box<dyn Describer>,
    source: SourceId,
    watch: Option<Watch>,
) -> Box<dyn Reader> {
    let weave = Weave::new(format, source, describer.tells_twice());
    let (around, alone) = Default::default();
    let room = Room::default();
    Box::new(DescribedReader { described: describer, weave, room, around, alone, watch })
}

struct DescribedReader {
    described: Box<dyn Describer>,
    weave: Weave,
    room: Room,
    /// The parts outside of lists so far. Every line of a collector's file repeats them.
    around: FxHashSet<u64>,
    /// The standalone records so far, if a document may summarize them.
    alone: FxHashSet<u64>,
    watch: Option<Watch>,
}

impl DescribedReader {
    /// Reads a record that is not a document. Fields before the items of a list were already described with the
    /// document around them.
    fn take(
        &mut self,
        record: &Record<'_>,
        is_item: bool,
        is_document: bool,
        out: &mut TraceBuilder,
    ) {
        let description = self.described.description(record.json, is_document, &self.room);
        let all = 0..description.items.len();
        if !(is_item && description.run.records == Records::Following) {
            self.weave.take(record, &description, all, out);
        }
        drop(description);
        self.room.clear();
    }

    /// Whether an earlier document had the same parts outside its list.
    fn is_repeated(&mut self, document: Json<'_>, description: &Description<'_>) -> bool {
        // Every run has its own.
        if description.run.records == Records::Itself {
            return false;
        }
        let mut words = vec![description.run.key.raw()];
        words.extend(description.run.about.facts.iter().map(|(_, value)| value.raw()));
        for item in &description.items {
            if item.what() != What::Event(EventKind::RunStart) {
                return false;
            }
            for part in &item.parts {
                let (Part::Field(_, value) | Part::Value(_, value)) = part else { return false };
                words.push(value.raw());
            }
        }
        let quiet = self.described.quiet_of(document);
        let rest = uncovered(document, &Cited::of(description), &quiet);
        words.extend(rest.iter().map(|(_, value)| value.raw()));
        !self.around.insert(traceloupe_core::model::key_hash(&words))
    }

    /// Reads a record, or a document with its lists.
    fn read(&mut self, record: &Record<'_>, depth: u8, out: &mut TraceBuilder) {
        let list = self.described.list_of(record.json);
        let is_document = list.is_some();
        let list = list.filter(|_| depth < MAX_NESTING);
        let Some((list, is_nested)) = list.map(|(list, is_nested)| (list.to_owned(), is_nested))
        else {
            if depth == 0 && self.described.sums_up() {
                self.alone.insert(record.json.fingerprint());
            }
            return self.take(record, depth > 0, is_document, out);
        };
        let room = Room::default();
        let mut description = self.described.description(record.json, true, &room);
        let sums_up = !self.alone.is_empty();
        if sums_up && description.run.records == Records::Itself {
            description.run.records = Records::FromHere;
        }
        if self.described.is_list_alone(record.json, &description)
            || self.is_repeated(record.json, &description)
        {
            description.items.clear();
            self.weave.take_run(record, &description, out);
        }
        let (early, late) = description.halves();
        let around = match !description.items.is_empty() && !sums_up {
            true => self.weave.take(record, &description, early, out),
            false => None,
        };
        self.weave.enter(around);
        let mut line = LineCounter::new(record);
        let mut inspector = Inspector::default();
        lists::find(record.json, &list, &mut |item, _| {
            if sums_up && self.alone.contains(&item.fingerprint()) {
                return false;
            }
            // A document with very many values has no tape, but its items can have tapes.
            let item = match item.has_tape() {
                true => item,
                false => inspector.inspect(item.raw()).map_or(item, |found| found.json),
            };
            let item = line.place(record.inner(item));
            match is_nested {
                true => self.read(&item, depth + 1, out),
                false => {
                    let is_document = self.described.list_of(item.json).is_some();
                    self.take(&item, true, is_document, out);
                }
            }
            false
        });
        self.weave.leave(around);
        if !late.is_empty() {
            self.weave.take(record, &description, late, out);
        }
    }
}

impl Reader for DescribedReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        if let Some(watch) = &mut self.watch {
            watch(record, out);
        }
        self.read(record, 0, out);
    }

    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        let is_document = self.described.list_of(part.json).is_some();
        let around = self.described.description(part.json, true, &self.room);
        let description = self.described.description(part.json, is_document, &self.room);
        if around.is_silent() {
            // The part after the list does not look like a document any more.
            self.weave.take_run(part, &around, out);
        } else if self.described.is_list_alone(part.json, &description) {
            self.weave.take_run(part, &description, out);
        } else {
            let early = description.halves().0;
            self.weave.take(part, &description, early, out);
        }
        drop((around, description));
        self.room.clear();
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        self.weave.finish(out);
    }
}
