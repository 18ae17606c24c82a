//! Turns descriptions of records into events: decides which pieces are one LLM call, which result belongs to which
//! call, and which event is nested in which. Described formats share these engines, so each rule is written and tested
//! once.
//!
//! | Engine | What it determines |
//! | --- | --- |
//! | [`turns`] | which pieces are one LLM call, and its usage and time |
//! | [`pair`] | which result belongs to which call |
//! | [`call_events`] | which spans are events of one call |
//! | [`recorded_twice`] | which spans beside each other are one LLM call |
//! | [`reported_calls`] | which calls a log only reports again |
//! | [`requested_calls`] | which calls that a model requested are not carried out by a span |
//! | [`history`] | which messages later requests of a conversation repeat |
//! | [`messages`] | which records are one message from the user |
//! | [`across_files`] | which records of several files are one event |
//! | [`duplicate_text`] | which records contain the same text twice |
//! | [`pieces`] | the text of pieces that belong together |
//! | [`cumulative_text`] | the new part of a piece that has the whole text so far |
//! | [`copies`] | which records were copied from another run |
//! | [`processes`] | which calls about a running command report the same failure |
//! | [`agents`] | which run belongs to a sub-agent, and which call started it |
//! | [`speakers`] | which agent a record belongs to if no agent is named |
//! | [`spans`] | which span is nested in which, in any order of parents |
//! | [`files`] | which files a run names as part of itself |
//! | [`times`] | which times are only defaults of the producer |
//! | [`runs`] | which run a record belongs to; the title, start, end and other data of a run |
//! | [`exhibits`] | what is shown in tabs beside the timeline |
//! | [`waits`] | the time in which a run waits for the user |
//! | [`unknown`] | the row of a record that nothing else handles |
//! | [`calls`] | the data of a call's row: keys, status, exit code, time |

mod across_files;
mod agents;
mod call_events;
pub mod call_keys;
mod calls;
mod copies;
mod cost;
mod cumulative_text;
mod duplicate_text;
mod exhibits;
mod files;
mod history;
mod item_context;
mod messages;
mod pair;
mod pieces;
mod processes;
mod recorded_twice;
mod reported_calls;
mod requested_calls;
mod runs;
mod spans;
mod speakers;
#[cfg(test)]
mod tests;
mod times;
mod turns;
mod unknown;
mod waits;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Record;
use super::kit::{AgentLink, AskedBy, Description, Joins, Known, Order, Records, What};

use agents::Agents;
use copies::{Copied, Copies};
use cumulative_text::Said;
use duplicate_text::Twins;
use history::History;
use item_context::{Taken, add, kind_of, push};
use pair::Pairs;
use pieces::Pieces;
use processes::Processes;
use requested_calls::Asked;
use runs::OpenRun;
use spans::Spans;
use speakers::Speakers;
use times::Times;
use traceloupe_core::model::{
    Anchor, EventId, EventKind, Fact, Flags, LaneId, MaybeNs, NameId, RunNote, SourceId,
    TraceBuilder, key_hash,
};
use turns::Turns;

pub use files::{file_key, named_files};
pub use spans::join;

/// Builds the events of one source.
pub struct Weave {
    format: &'static str,
    source: SourceId,
    tells_twice: bool,
    run: Option<OpenRun>,
    /// The keys of runs that this source was the first to open.
    own: FxHashSet<String>,
    /// How many runs were opened.
    n_runs: usize,
    /// How many records were runs of their own.
    n_own: usize,
    /// The model of LLM calls if neither they nor their run name one.
    model_of_all: String,
    /// Facts of the run that begins next.
    ahead: Vec<Fact>,
    lanes: FxHashMap<LaneId, LaneState>,
    /// Memory for the events of the items of a record.
    events: Vec<Option<EventId>>,
    pairs: Pairs,
    asked: Asked,
    spans: Spans,
    copies: Copies,
    pieces: Pieces,
    agents: Agents,
    processes: Processes,
    speakers: Speakers,
    times: Times,
}

/// The event in which the items of a list are nested.
#[derive(Clone, Copy, Debug)]
pub struct Enclosing {
    lane: LaneId,
    event: EventId,
}

/// The key of a value to which records of a run refer by name.
#[must_use]
pub fn anchor_key(run_key: &str, name: &str) -> u64 {
    key_hash(&[run_key, "anchor", name])
}

/// Whether the key of a run is one that readers create for records that name no run.
#[must_use]
pub fn is_nameless(key: &str) -> bool {
    key.starts_with("source ") || key.starts_with("record ")
}

/// The state of the agent of a lane.
#[derive(Default)]
struct LaneState {
    turns: Turns,
    said: Said,
    twins: Twins,
    history: History,
    /// The time of the last item.
    last: MaybeNs,
    /// The event that waits for the user until the next item.
    waiting: Option<EventId>,
}

impl Weave {
    /// An engine for one source of a format; for `tells_twice`, see [`Hooks`](super::kit::Hooks).
    #[must_use]
    pub fn new(format: &'static str, source: SourceId, tells_twice: bool) -> Self {
        Self {
            format,
            source,
            tells_twice,
            run: None,
            own: FxHashSet::default(),
            n_runs: 0,
            n_own: 0,
            model_of_all: String::new(),
            ahead: Vec::new(),
            lanes: FxHashMap::default(),
            events: Vec::new(),
            pairs: Pairs::default(),
            asked: Asked::default(),
            spans: Spans::default(),
            copies: Copies::default(),
            pieces: Pieces::default(),
            agents: Agents::default(),
            processes: Processes::default(),
            speakers: Speakers::default(),
            times: Times::default(),
        }
    }

    /// Processes some of the items of a record, and its data about the run. Returns the event in which the items of its
    /// list are nested.
    pub fn take(
        &mut self,
        record: &Record<'_>,
        description: &Description<'_>,
        items: std::ops::Range<usize>,
        out: &mut TraceBuilder,
    ) -> Option<Enclosing> {
        let info = &description.run;
        if info.records == Records::Following {
            self.ahead.extend(
                info.about
                    .facts
                    .iter()
                    .map(|(kind, fact)| Fact::new(kind.to_owned(), runs::fact_of(*fact))),
            );
            return None;
        }
        let own = self.run.as_ref().map(|run| &*run.key);
        let copied = self.copies.take(own, description);
        match copied {
            // The copies do not describe the run from which they come; only their model counts.
            Copied::Begins | Copied::Yes => self.set_model(info),
            Copied::No | Copied::NoMore => self.open_run(record, description, out),
        }
        self.add_anchors(record, description, out);
        let run = self.run.as_ref()?;
        let (id, key) = (run.id, Rc::clone(&run.key));
        let main = run.main;
        let lane = match info.agent.id().word() {
            Some(agent) => {
                let lane = out.lane(id, &agent);
                if !self.lanes.contains_key(&lane)
                    && let Some(call) = self.agents.begin(&key, &agent, lane, out)
                {
                    self.spans.open(lane, call);
                }
                agents::name_lane(lane, info.agent.name, out);
                lane
            }
            None => match info.agent.speaker() {
                Some(speaker) => self.speakers.lane(speaker, id, out),
                None => self.speakers.last(id).unwrap_or(main),
            },
        };
        // Agents that no record names may continue each other's calls.
        let queue = if self.speakers.last(id).is_some() { main } else { lane };
        if description.items.is_empty() {
            unknown::push(record, id, lane, out);
            return None;
        }
        if copied == Copied::NoMore {
            self.lanes.entry(lane).or_default().turns.end();
            if let Some((lane, event)) = self.copies.leave() {
                self.spans.close(lane, event);
            }
        }
        let first = items.start;
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        for (number, item) in (0..u16::MAX).zip(&description.items) {
            if !items.contains(&usize::from(number)) {
                continue;
            }
            let taken =
                Taken { record, description, item, number, run: id, run_key: &key, lane, queue };
            let asked_by = item.asking_item().and_then(|at| at.checked_sub(first));
            let asked_by = asked_by.and_then(|at| events.get(at).copied().flatten());
            let event = self.item(&taken, asked_by, out);
            if let Some(event) = event {
                self.times.add(&taken, event);
                self.note_agents(&taken, copied, event, out);
            }
            events.push(event);
        }
        let some_event = events.iter().copied().flatten().next();
        if let Some(event) = some_event {
            files::name(info, event, out);
        }
        if let Some(run) = &mut self.run {
            run.note(info, some_event.is_some());
        }
        // An end whose beginning is missing: the record itself must not be lost.
        let ends = description.items.get(items).unwrap_or_default();
        if ends.iter().any(|item| item.what() == What::End) && events.iter().all(Option::is_none) {
            unknown::push(record, id, lane, out);
        }
        let encloses = description.encloses.and_then(|at| at.checked_sub(first));
        let event = encloses.and_then(|at| events.get(at).copied().flatten());
        self.events = events;
        Some(Enclosing { lane, event: event? })
    }

    /// Records whether an event is a copy, or belongs to agents with runs of their own.
    fn note_agents(
        &mut self,
        taken: &Taken<'_, '_>,
        copied: Copied,
        id: EventId,
        out: &mut TraceBuilder,
    ) {
        if let Some(run) = self.run.as_mut().filter(|run| run.is_new_agent) {
            run.is_new_agent = false;
            agents::wait(self.format, &run.key, id, out);
        }
        self.agents.tell(taken, id, out);
        self.processes.add(taken, id);
        if matches!(copied, Copied::No | Copied::NoMore) {
            self.agents.start(taken, id);
            if let Some(AgentLink::StartsRun { run, .. }) = taken.item.agent()
                && let Some(run) = run.word()
            {
                out.bind(agents::key(self.format, &run), id);
            }
            return;
        }
        let name = out.name("copied history");
        let Some(event) = out.event_mut(id) else { return };
        event.flags.set(Flags::COPY);
        if copied == Copied::Begins {
            (event.kind, event.name) = (EventKind::Agent, name);
            self.copies.nest(taken.lane, id);
            self.spans.open(taken.lane, id);
        }
    }

    /// Nests everything from here on in an event.
    pub fn enter(&mut self, around: Option<Enclosing>) {
        if let Some(Enclosing { lane, event }) = around {
            self.spans.open(lane, event);
        }
    }

    /// Ends the nesting in an event.
    pub fn leave(&mut self, around: Option<Enclosing>) {
        if let Some(Enclosing { lane, event }) = around {
            self.spans.close(lane, event);
        }
    }

    /// Processes only a record's data about the run.
    pub fn take_run(
        &mut self,
        record: &Record<'_>,
        description: &Description<'_>,
        out: &mut TraceBuilder,
    ) {
        // A run about which nothing else is recorded would be empty.
        if self.run.is_some() || description.run.says_anything() {
            self.open_run(record, description, out);
        }
        self.add_anchors(record, description, out);
    }

    /// Adds the values that other records refer to, and the annotations.
    fn add_anchors(
        &self,
        record: &Record<'_>,
        description: &Description<'_>,
        out: &mut TraceBuilder,
    ) {
        let Some(run) = &self.run else { return };
        for (name, value) in &description.anchors {
            let Some(span) = record.span_of(value.raw()) else { continue };
            let head = value.raw().strip_prefix("\"data:").and_then(|it| it.split_once(";base64,"));
            let media = head.map_or(NameId::NONE, |(media, _)| out.name(media));
            out.anchor(anchor_key(&run.key, name), Anchor { span, media });
        }
        for (kind, value) in &description.annotations {
            if let Some(span) = record.span_of(value.raw()) {
                out.annotate(run.id, span, *kind);
            }
        }
    }

    /// Ends the source.
    pub fn finish(&mut self, out: &mut TraceBuilder) {
        if !self.ahead.is_empty() {
            let id = match &self.run {
                Some(run) => run.id,
                // A file with nothing else is shown with this run.
                None => out.run(self.format, &format!("source {}", self.source.index())),
            };
            let run = out.run_mut(id);
            run.facts.append(&mut self.ahead);
            if self.run.is_none() {
                run.notes.push(RunNote::OnlyMetadata);
            }
        }
        self.times.finish(out);
        self.speakers.finish(out);
        out.resolve_summaries();
        self.pieces.finish(out);
        self.spans.finish(out);
        self.asked.finish(out);
        self.pairs.finish(self.format, out);
        self.processes.finish(out);
    }

    fn item(
        &mut self,
        taken: &Taken<'_, '_>,
        asked_by: Option<EventId>,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let state = self.lanes.entry(taken.lane).or_default();
        let model = self.run.as_ref().map_or("", |run| run.model.as_str());
        let item = taken.item;
        if item.is_asked() {
            self.asked.take(taken, out);
            return None;
        }
        if let Some(key) = item.history_key()
            && !state.history.is_new(key, item.what())
        {
            return None;
        }
        debug_assert!(
            self.tells_twice || !item.repeats.is_again || !duplicate_text::has_words(item),
            "{}: Hooks::tells_twice",
            self.format
        );
        let words = if self.tells_twice { duplicate_text::words_of(item) } else { Vec::new() };
        if let Some(twin) = state.twins.find(item, &words) {
            add(twin, taken, out);
            return Some(twin);
        }
        if item.what() == What::Model
            && let Some(asked) = self.pairs.asked_before(taken, out)
        {
            turns::tell_again(asked, taken, out);
            return Some(asked);
        }
        let once = across_files::key(taken);
        if let Some(known) = once.and_then(|key| across_files::find(key, taken, out)) {
            return Some(known);
        }
        let event = match item.what() {
            What::Model
                if matches!(item.piece().joins, Joins::OrUser) && state.turns.open().is_none() =>
            {
                push(taken, EventKind::UserMessage, out)
            }
            _ if Spans::has_begun(taken, out) => return self.spans.end(taken, out),
            What::Nothing | What::End => return None,
            What::Model => {
                let LaneState { said, turns, last, .. } = state;
                let event = said.piece(turns, taken, model, *last, out)?;
                self.pieces.answer(event, item);
                event
            }
            What::Usage => state.turns.usage(taken, model, out),
            What::User | What::System | What::Span | What::Event(_) => {
                if item.what() == What::User {
                    state.turns.end();
                    self.pairs.forget_order(taken.lane);
                }
                let event = match item.what() {
                    What::User => messages::message(taken, out),
                    what => push(taken, kind_of(what), out),
                };
                if let Some(known) = out.event_mut(event) {
                    known.result_hash = item.said().fingerprint();
                }
                if let Some(exhibit) = &item.row.exhibit {
                    exhibits::add(event, exhibit, out);
                }
                self.spans.place(event, taken, out);
                event
            }
            What::Call => {
                let asked = match item.asker() {
                    AskedBy::Last => state.turns.last(),
                    AskedBy::Open | AskedBy::Item(_) => state.turns.open(),
                };
                let parent = asked_by.or(asked);
                if let Some(begun) = self.pieces.call(parent, item) {
                    add(begun, taken, out);
                    calls::goes_on(begun, item.time.start, out);
                    self.pieces.arguments(begun, parent, item);
                    return Some(begun);
                }
                if let Some(known) = self.pairs.called_again(parent, taken, out) {
                    return Some(known);
                }
                let (event, is_new) = self.pairs.call(taken, out);
                self.asked.carry_out(event, taken);
                if pieces::is_piece(taken) {
                    self.pieces.arguments(event, parent, item);
                }
                if is_new {
                    // Spans state their parents themselves.
                    if !item.span.parent.is_given()
                        && (!item.span.id.is_given() || item.asking_item().is_some())
                        && let Some(event) = out.event_mut(event)
                    {
                        event.set_parent(parent);
                    }
                    self.spans.place(event, taken, out);
                } else {
                    self.spans.name(event, taken, out);
                }
                event
            }
            What::CallSpan => {
                let call = self.pairs.take_unopened(taken, out);
                let event = match call {
                    Some(call) => {
                        add(call, taken, out);
                        call
                    }
                    None => push(taken, EventKind::Span, out),
                };
                match call {
                    Some(call) => self.spans.name(call, taken, out),
                    None => self.spans.place(event, taken, out),
                }
                event
            }
            What::Result if item.repeats.is_again || item.repeats.known == Known::Maybe => {
                let call = match item.repeats.is_again {
                    true => self.pairs.told_again(taken, out)?,
                    false => self.pairs.awaited(taken, out)?,
                };
                if item.asking_item().is_none() {
                    state.turns.stop();
                }
                return Some(call);
            }
            What::Result => {
                // A call that the API ran itself does not end the LLM call.
                if item.asking_item().is_none() {
                    state.turns.stop();
                }
                self.pairs.result(taken, out)
            }
            What::Update => {
                let event = self.pairs.update(taken, out)?;
                if item.ending.error.exit_code().is_some() {
                    // The command ended after the result of its call.
                    call_keys::note_failure(event, calls::result_of(item), out);
                }
                self.spans.name(event, taken, out);
                event
            }
        };
        if let Some(key) = once {
            // The first one in a file keeps the key.
            out.bind_late(key, event);
        }
        if item.what() == What::Model {
            self.spans.place(event, taken, out);
        }
        match item.order {
            Order::Written => {}
            Order::At(position) => out.set_position(event, position),
            Order::Last => out.put_last(event),
        }
        if item.opens {
            self.spans.open(taken.lane, event);
        }
        let state = self.lanes.entry(taken.lane).or_default();
        if item.what() == What::Model && !item.is_history() {
            state.history.answered();
        }
        state.turns.name_calls(item.calls_model, out);
        state.twins.remember(item, &words, event);
        waits::take(event, item, state.last, out);
        // A recorded state is not a step: the next event did not begin with it.
        let is_step =
            !matches!(item.what(), What::Usage | What::Update | What::Event(EventKind::State));
        if item.time.start.is_known() && is_step {
            state.last = item.time.start;
        }
        if item.time.start.is_known() && (is_step || waits::tells_begin(item)) {
            waits::end(&mut state.waiting, item, out);
        }
        if waits::lasts_until_next(item) {
            state.waiting = Some(event);
        }
        Some(event)
    }
}
