//! Loop warnings in the file: finds the stretch for each of them.
//!
//! The name of a loop warning is the pattern as written by the producer. AgentDbg warns once per rotation of a cycle;
//! all these warnings are about the same loop.

use rustc_hash::FxHashMap;

use super::agentdbg_rule::signature_text;
use super::in_row::InRow;
use super::settings::{MAX_FINDINGS, Settings};
use super::steps::LaneSteps;
use traceloupe_core::model::{
    Event, EventId, EventKind, Flags, LaneId, NameId, Names, RunId, Trace, key_hash,
};

/// How many stretches before a warning are considered: a few, for lanes that run in parallel.
const LOOK_BACK: usize = 8;
/// Signatures of the longest block that is compared. No pattern that is stored in full has more.
const MAX_SIGNATURES: usize = 64;
/// How many times in total the text of a block is compared with a truncated pattern: enough for any real trace, and a
/// limit for hostile ones.
const MAX_TEXT_CHECKS: usize = 20_000;
/// AgentDbg truncates the name of a warning to 79 characters and "...".
const CUT_CHARS: usize = 79;

/// A producer's pattern.
#[derive(Clone, Debug)]
enum Pattern {
    /// Not in AgentDbg's notation: only the place of the warning shows what it is about.
    Foreign,
    /// Complete: the hash of all its rotations.
    Whole(u64),
    /// Truncated: its beginning.
    Cut(String),
}

/// Warnings of one pattern in one run.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) run: RunId,
    pub(super) lane: LaneId,
    /// The first of the warnings.
    pub(super) first: EventId,
    /// The last of the warnings.
    pub(super) last: EventId,
    /// The pattern as written by the producer.
    pub(super) pattern: NameId,
    pub(super) events: Vec<EventId>,
}

/// The warnings that match none of our stretches.
#[derive(Debug, Default)]
pub(super) struct Reports {
    pub(super) list: Vec<Report>,
    /// How many patterns were left out because there were too many.
    pub(super) dropped: usize,
}

/// Adds each loop warning to its stretch. The others are returned.
pub(super) fn attach(
    trace: &Trace,
    settings: Settings,
    lanes: &[LaneSteps],
    drafts: &mut [InRow],
) -> Reports {
    let is_warning =
        |event: &Event| event.kind == EventKind::LoopWarning && !event.flags.has(Flags::COPY);
    if !trace.events().iter().any(is_warning) {
        return Reports::default();
    }
    // If two start together, the stronger one comes last, so that the backward search finds it first.
    traceloupe_core::sorting::sort_by_key(drafts, |it| (it.run, it.first, it.is_exact));
    let mut texts = SignatureHashes::default();
    let hashes: Vec<Option<u64>> =
        drafts.iter().map(|draft| block_hash(trace, lanes, draft, &mut texts)).collect();
    let mut by_hash: FxHashMap<(RunId, u64), usize> = FxHashMap::default();
    for (at, (draft, hash)) in drafts.iter().zip(&hashes).enumerate() {
        if let Some(hash) = hash {
            by_hash.entry((draft.run, *hash)).or_insert(at);
        }
    }

    let mut patterns: FxHashMap<NameId, Pattern> = FxHashMap::default();
    let mut unmatched = Unmatched::default();
    let mut text_checks = 0;
    for (at, event) in trace.events().iter().enumerate().filter(|(_, event)| is_warning(event)) {
        let id = EventId::from_index(at);
        let pattern =
            patterns.entry(event.name).or_insert_with(|| Pattern::read(trace.name(event.name)));
        let end = drafts.partition_point(|it| (it.run, it.first) <= (event.run, id));
        let near = (end.saturating_sub(LOOK_BACK)..end).rev().find(|at| {
            let (Some(draft), Some(hash)) = (drafts.get(*at), hashes.get(*at)) else {
                return false;
            };
            draft.run == event.run
                && id.index() <= draft.last.index().saturating_add(settings.window())
                && match pattern {
                    // Equal names say too little to be what the warning is about.
                    Pattern::Foreign => draft.is_exact || draft.outcome.same_results,
                    Pattern::Whole(pattern) => *hash == Some(*pattern),
                    Pattern::Cut(start) => {
                        text_checks += 1;
                        text_checks <= MAX_TEXT_CHECKS && begins_with(trace, lanes, draft, start)
                    }
                }
        });
        // If warnings do not follow their loop (Maida's own fixtures put them on the root span, which may come first),
        // match by the pattern alone.
        let matched = near.or_else(|| match pattern {
            Pattern::Whole(pattern) => by_hash.get(&(event.run, *pattern)).copied(),
            _ => None,
        });
        match matched.and_then(|at| drafts.get_mut(at)) {
            Some(draft) => draft.reported.push(id),
            None => unmatched.add(id, event, pattern),
        }
    }
    unmatched.reports
}

impl Pattern {
    fn read(text: &str) -> Self {
        let known = ["LLM_CALL:", "TOOL_CALL:", "STATE_UPDATE"];
        if !known.iter().any(|it| text.starts_with(it)) {
            return Self::Foreign;
        }
        if let Some(start) = text.strip_suffix("...")
            && text.chars().count() > CUT_CHARS
        {
            return Self::Cut(start.to_owned());
        }
        // Names are cut at a character boundary, up to three bytes earlier.
        if text.len() + 3 >= Names::MAX_BYTES {
            return Self::Cut(text.to_owned());
        }
        Self::Whole(rotations_hash(text.split(" -> ").map(|it| key_hash(&[it])).collect()))
    }
}

/// A hash that is equal for all rotations of a list: that of the smallest rotation.
fn rotations_hash(mut hashes: Vec<u64>) -> u64 {
    let mut smallest = hashes.clone();
    for _ in 1..hashes.len() {
        hashes.rotate_left(1);
        if hashes < smallest {
            smallest.clone_from(&hashes);
        }
    }
    smallest.iter().fold(0, |sum: u64, it| sum.rotate_left(5).wrapping_mul(31).wrapping_add(*it))
}

type SignatureHashes = FxHashMap<(EventKind, NameId, NameId), u64>;

fn block_events<'a>(
    trace: &'a Trace,
    lanes: &'a [LaneSteps],
    draft: &InRow,
) -> impl ExactSizeIterator<Item = Option<&'a Event>> + 'a {
    let lane = lanes.get(draft.lane.index());
    let ids = lane.map(|lane| lane.events(draft.stretch.repetition(0))).unwrap_or_default();
    ids.iter().map(|id| trace.event(*id))
}

fn block_hash(
    trace: &Trace,
    lanes: &[LaneSteps],
    draft: &InRow,
    known: &mut SignatureHashes,
) -> Option<u64> {
    let events = block_events(trace, lanes, draft);
    if events.len() > MAX_SIGNATURES {
        return None;
    }
    let hashes = events.flatten().map(|event| {
        *known.entry((event.kind, event.name, trace.structure(event))).or_insert_with(|| {
            signature_text(trace, event).map_or(0, |text| key_hash(&[text.as_str()]))
        })
    });
    Some(rotations_hash(hashes.collect()))
}

/// Whether some rotation of the block starts with a text.
fn begins_with(trace: &Trace, lanes: &[LaneSteps], draft: &InRow, start: &str) -> bool {
    let events = block_events(trace, lanes, draft);
    if events.len() > MAX_SIGNATURES {
        return false;
    }
    let mut texts: Vec<String> =
        events.flatten().filter_map(|event| signature_text(trace, event)).collect();
    (0..texts.len()).any(|_| {
        texts.rotate_left(1);
        texts.join(" -> ").starts_with(start)
    })
}

/// Collects the warnings that match none of our stretches.
#[derive(Default)]
struct Unmatched {
    reports: Reports,
    /// The index of each pattern's report in the list; `None` if it was dropped.
    known: FxHashMap<(RunId, u64), Option<usize>>,
}

impl Unmatched {
    fn add(&mut self, id: EventId, event: &Event, pattern: &Pattern) {
        let what = match pattern {
            Pattern::Whole(hash) => *hash,
            Pattern::Foreign | Pattern::Cut(_) => {
                key_hash(&["name", &event.name.index().to_string()])
            }
        };
        let list = &mut self.reports.list;
        if let Some(at) = self.known.get(&(event.run, what)) {
            if let Some(report) = at.and_then(|at| list.get_mut(at)) {
                report.last = id;
                report.events.push(id);
            }
            return;
        }
        let is_full = list.len() >= MAX_FINDINGS;
        self.known.insert((event.run, what), (!is_full).then_some(list.len()));
        if is_full {
            self.reports.dropped += 1;
            return;
        }
        list.push(Report {
            run: event.run,
            lane: event.lane,
            first: id,
            last: id,
            pattern: event.name,
            events: vec![id],
        });
    }
}
