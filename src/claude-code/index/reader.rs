//! The index pass: finds the run and the lane of each record, and calls the code that reads it.

use std::borrow::Cow;
use std::rc::Rc;
use traceloupe_core::warning_code::WarningCode;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::link_keys;
use super::notes::NoteLine;
use super::run_info::RunInfo;
use crate::ID;
use crate::blocks::Message;
use crate::tolerant::{FromRaw, Raw};
use crate::wire::{Envelope, Progress};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{
    EventId, EventKind, LaneId, Link, MaybeNs, NameId, NewEvent, RunId, TraceBuilder, key_hash,
    parse_time_ns,
};
use traceloupe_engine::LineCounter;
use traceloupe_engine::{Reader, Record};

/// Reads one file.
#[derive(Default)]
pub(crate) struct SessionReader {
    session: Option<Session>,
    /// Records before the first one that names its session: summaries and file snapshots.
    early: Vec<NoteLine>,
    /// Identifies the run of a file that names no session at all.
    first_hash: u64,
    pub(super) lanes: FxHashMap<LaneId, LaneState>,
    /// Lanes of sidechain records without `agentId` (1.0), by record: a record is in the lane of its
    /// `parentUuid`.
    chains: FxHashMap<u64, LaneId>,
    /// Tool calls whose id an earlier call of the run also had: not every model behind a proxy gives each call an id of
    /// its own.
    pub(super) renewed: FxHashMap<u64, EventId>,
    /// The time limits that calls were given, in nanoseconds.
    pub(super) time_limits: FxHashMap<EventId, i64>,
    /// The agent of the last record.
    agent: Option<(RunId, String, LaneId)>,
}

/// The session of the current record.
struct Session {
    id: Rc<str>,
    run: RunId,
    main: LaneId,
    info: RunInfo,
}

/// The current state of a lane.
#[derive(Default)]
pub(super) struct LaneState {
    /// The time of the last message, which is when the next LLM call was sent.
    pub(super) last_time: Option<i64>,
    /// Tool calls of the last LLM call.
    pub(super) open_calls: Vec<EventId>,
}

/// One record with its place in the run; records of sub-agents inside progress records look the
/// same as those in files of their own.
pub(super) struct Item<'r, 'a> {
    pub(super) record: &'r Record<'a>,
    pub(super) env: &'r Envelope<'a>,
    pub(super) run: RunId,
    pub(super) run_key: Rc<str>,
    pub(super) lane: LaneId,
    pub(super) is_main: bool,
    pub(super) time: Option<i64>,
    /// Empty if there is none.
    pub(super) uuid: Cow<'a, str>,
    /// Empty if there is none.
    pub(super) parent_uuid: Cow<'a, str>,
    pub(super) message: Message<'a>,
    pub(super) request_id: Raw<'a>,
    pub(super) tool_use_result: Raw<'a>,
}

impl Item<'_, '_> {
    /// Adds an event for this record.
    pub(super) fn push(&self, kind: EventKind, out: &mut TraceBuilder) -> EventId {
        let new = NewEvent { kind, run: self.run, lane: self.lane, place: self.record.place() };
        let id = out.push(new);
        if let Some(event) = out.event_mut(id) {
            event.start = MaybeNs::from(self.time);
            if !self.uuid.is_empty() {
                event.id_hash = key_hash(&[&self.uuid]);
            }
        }
        id
    }

    /// Stores an event of this record for the join.
    pub(super) fn link(&self, key: u64, event: EventId, out: &mut TraceBuilder) {
        out.link(ID, Link { key, time_ns: self.time.unwrap_or(i64::MAX), event });
    }

    /// Makes a value of this record the summary of an event, if the event began in this source.
    pub(super) fn summarize(&self, id: EventId, json: &str, out: &mut TraceBuilder) {
        let first = out.trace().place_of(id).map(|place| place.span.source);
        if let Some(span) = self.record.span_of(json)
            && first == Some(span.source)
        {
            out.set_summary(id, span.start, span.len);
        }
    }
}

impl Reader for SessionReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let Some(env) = read_envelope(record.json) else {
            return self.unknown(record, out);
        };
        let loglines = env.loglines.list::<&RawValue>();
        if !loglines.is_empty() {
            let mut line = LineCounter::new(record);
            for item in loglines {
                let record = line.place(record.inner(item.get()));
                match read_envelope(record.json) {
                    Some(env) => self.line(&record, &env, out),
                    None => self.unknown(&record, out),
                }
            }
            return;
        }
        self.line(record, &env, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        if let Some(source) = self.early.first().map(|line| line.source())
            && self.session.is_none()
        {
            // The files of agents are in a folder with the name of their session.
            let folder = out.path(source).split_once("/subagents/").map(|it| it.0);
            let id = folder.and_then(|it| it.rsplit('/').next()).map(str::to_owned);
            match id.filter(|id| out.has_run(ID, id)) {
                Some(id) => self.enter(&id, out),
                None => self.enter_unnamed(out),
            }
        }
        if let Some(session) = &mut self.session {
            session.info.finish(session.run, &session.id, out);
        }
    }
}

fn read_envelope(json: Json<'_>) -> Option<Envelope<'_>> {
    (json.kind() == Kind::Object).then(|| Envelope::from_raw(json))
}

pub(super) fn time_of(timestamp: Raw<'_>) -> Option<i64> {
    match timestamp.text() {
        Some(text) => parse_time_ns(&text),
        None => parse_time_ns(timestamp.json()?),
    }
}

impl SessionReader {
    fn line<'a>(&mut self, record: &Record<'a>, env: &Envelope<'a>, out: &mut TraceBuilder) {
        let kind = env.kind.filled();
        let of_agent = || record.json.get("agentType").is_given().then_some("agent".into());
        let Some(kind) = kind.or_else(of_agent) else { return self.unknown(record, out) };
        if let Some(id) = env.session_id.filled() {
            self.enter(&id, out);
        } else if self.session.is_none() {
            self.remember(record);
            if !matches!(&*kind, "user" | "assistant" | "system") {
                self.early.push(NoteLine::new(record, env, &kind, out));
                return;
            }
            self.enter_unnamed(out);
        }
        let Some(session) = &mut self.session else { return };
        session.info.see(env, session.run, out);
        let (run, run_key, main) = (session.run, Rc::clone(&session.id), session.main);

        let progress: Progress<'a> =
            if kind == "progress" { env.data.object() } else { Progress::default() };
        let inner = &progress.message;
        let in_progress = inner.message.content.is_some() && progress.agent_id.is_some();
        let lane = match progress.agent_id.filled() {
            Some(agent) if in_progress => self.agent_lane(run, &agent, out),
            _ => self.lane_of(env, run, &run_key, main, out),
        };
        let item = Item {
            record,
            env,
            run,
            lane,
            is_main: lane == main,
            time: time_of(inner.timestamp).or_else(|| time_of(env.timestamp)),
            uuid: if in_progress { inner.uuid } else { env.uuid }.text().unwrap_or_default(),
            parent_uuid: if in_progress { Raw::default() } else { env.parent_uuid }
                .text()
                .unwrap_or_default(),
            message: if in_progress { inner.message } else { env.message },
            request_id: if in_progress { inner.request_id } else { env.request_id },
            tool_use_result: if in_progress { inner.tool_use_result } else { env.tool_use_result },
            run_key,
        };
        let kind = if in_progress { inner.kind.text().unwrap_or_default() } else { kind };
        if in_progress {
            self.start_agent(&item, out);
        }
        self.item(&item, &kind, out);
    }

    fn item(&mut self, item: &Item<'_, '_>, kind: &str, out: &mut TraceBuilder) {
        let key = (!item.uuid.is_empty()).then(|| link_keys::record(&item.run_key, &item.uuid));
        if let Some(known) = key.and_then(|key| out.bound(key)) {
            // The record was already read: it belongs to the same event, and adds nothing new except perhaps the final
            // count of tokens.
            out.add_record(known, item.record.place());
            self.merge_usage(item, known, out);
            return;
        }
        let event = match kind {
            "user" => self.user(item, out),
            "assistant" => self.assistant(item, out),
            "system" => self.system(item, out),
            "progress" => self.progress(item, out),
            "attachment" => self.attachment(item, out),
            _ => self.other(item, kind, out),
        };
        if let Some(key) = key {
            out.bind(key, event);
            out.bind_late(link_keys::any_record(&item.uuid), event);
        }
        if matches!(kind, "user" | "assistant") && item.time.is_some() {
            self.lanes.entry(item.lane).or_default().last_time = item.time;
        }
    }

    /// A record that is not an object, or has no type.
    fn unknown(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        out.warn(WarningCode::UnknownRecord, &record.place(), "");
        if self.session.is_none() {
            self.remember(record);
            self.early.push(NoteLine::unknown(record));
            return;
        }
        if let Some(session) = &self.session {
            NoteLine::unknown(record).push(session.run, session.main, out);
        }
    }

    /// Continues with the records of a session.
    fn enter(&mut self, id: &str, out: &mut TraceBuilder) {
        if self.session.as_ref().is_some_and(|session| &*session.id == id) {
            return;
        }
        if let Some(session) = &mut self.session {
            session.info.finish(session.run, &session.id, out);
        }
        let run = out.run(ID, id);
        let main = out.lane(run, "");
        let mut info = RunInfo::default();
        for line in self.early.drain(..) {
            let call =
                line.call.as_ref().and_then(|call| out.bound(link_keys::tool_call(id, call)));
            if let Some(call) = call {
                line.join(call, out);
                continue;
            }
            let lane = line.agent.as_ref().map_or(main, |agent| out.lane(run, agent));
            let event = line.push(run, lane, out);
            if let Some(summary) = line.summary_title {
                info.offer_summary(summary, event);
            }
        }
        self.session = Some(Session { id: Rc::from(id), run, main, info });
    }

    /// Opens a run for records that name no session; the same bytes make the same run.
    fn enter_unnamed(&mut self, out: &mut TraceBuilder) {
        let id = format!("unnamed-{:016x}", self.first_hash);
        self.enter(&id, out);
    }

    fn remember(&mut self, record: &Record<'_>) {
        if self.first_hash == 0 {
            self.first_hash = key_hash(&[record.text]);
        }
    }

    pub(super) fn info(&mut self) -> Option<&mut RunInfo> {
        self.session.as_mut().map(|session| &mut session.info)
    }

    fn lane_of(
        &mut self,
        env: &Envelope<'_>,
        run: RunId,
        run_key: &str,
        main: LaneId,
        out: &mut TraceBuilder,
    ) -> LaneId {
        if let Some(agent) = env.agent_id.filled() {
            return self.agent_lane(run, &agent, out);
        }
        if !env.is_sidechain.is_true() {
            return main;
        }
        let uuid = env.uuid.text().unwrap_or_default();
        let parent = env.parent_uuid.text().unwrap_or_default();
        let lane = match self.chains.get(&link_keys::record(run_key, &parent)) {
            Some(lane) => *lane,
            None => out.lane(run, if uuid.is_empty() { "sidechain" } else { &uuid }),
        };
        if !uuid.is_empty() {
            self.chains.insert(link_keys::record(run_key, &uuid), lane);
        }
        lane
    }

    fn agent_lane(&mut self, run: RunId, agent: &str, out: &mut TraceBuilder) -> LaneId {
        if let Some((known_run, known, lane)) = &self.agent
            && *known_run == run
            && known == agent
        {
            return *lane;
        }
        let lane = out.lane(run, agent);
        self.agent = Some((run, agent.to_owned(), lane));
        lane
    }

    /// The tool call with an id.
    pub(super) fn call_named(
        &self,
        item: &Item<'_, '_>,
        id: Raw<'_>,
        out: &TraceBuilder,
    ) -> Option<EventId> {
        let key = link_keys::tool_call(&item.run_key, &id.filled()?);
        self.renewed.get(&key).copied().or_else(|| out.bound(key))
    }

    /// An agent whose records are in progress records of the call that started it.
    fn start_agent(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) {
        if let Some(call) = self.call_named(item, item.env.parent_tool_use_id, out) {
            set_starter(item.lane, call, out);
        }
    }
}

/// Sets the call that started an agent. The first call stays, because later calls can resume an agent.
pub(super) fn set_starter(lane: LaneId, call: EventId, out: &mut TraceBuilder) {
    let name = agent_name(call, out);
    let own = out.trace().event(call).is_none_or(|event| event.lane == lane);
    if let Some(lane) = out.lane_mut(lane)
        && !own
    {
        lane.parent.get_or_insert(call);
        if lane.name == NameId::NONE {
            lane.name = name;
        }
    }
}

/// The name of the agent that a call starts: a tool call keeps it in its selector.
pub(super) fn agent_name(call: EventId, out: &TraceBuilder) -> NameId {
    out.trace()
        .event(call)
        .filter(|event| event.kind == EventKind::ToolCall)
        .map_or(NameId::NONE, |event| NameId::from_index(event.selector as usize))
}
