//! `assistant` records: pieces of LLM calls, and the tool calls in them.

use super::link_keys;
use super::reader::{Item, SessionReader};
use super::results::EARLY_RESULT;
use crate::blocks::{Block, BlockKind, blocks, usage};
use crate::wire::{ToolInput, main_argument};
use traceloupe_core::model::{
    ErrorLabel, EventId, EventKind, Flags, MaybeNs, NameId, Status, TimeBasis, TraceBuilder,
    key_hash,
};
use traceloupe_core::number;
use traceloupe_engine::fields::between;
use traceloupe_engine::weave::call_keys::{argument_keys, set_keys};

/// The model of messages that Claude Code writes itself.
const SYNTHETIC: &str = "<synthetic>";

/// If the arguments are longer, a row shows only one of them and reads no more than this.
const SHORT_ARGUMENTS_BYTES: usize = 16 << 10;

/// What an LLM call contains so far; kept in the event's selector.
const HAS_TEXT: u32 = 1;
const HAS_TOOL_CALL: u32 = 2;
const HAS_THINKING: u32 = 4;

impl SessionReader {
    /// An `assistant` record. Returns the event that the record belongs to.
    pub(super) fn assistant(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let blocks = blocks(item.message.content);
        let is_synthetic = item.message.model.text().is_some_and(|model| model == SYNTHETIC);
        if item.env.is_api_error.is_true() || is_synthetic {
            return local_message(item, &blocks, out);
        }
        let call = self.llm_call(item, out);
        let mut holds = out.trace().event(call).map_or(0, |event| event.selector);
        for block in &blocks {
            match block.kind() {
                BlockKind::Text if !block.text.is_blank() => {
                    if holds & HAS_TEXT == 0 {
                        show(item, call, block.text.json(), Flags::NONE, out);
                    }
                    holds |= HAS_TEXT;
                }
                BlockKind::Thinking if !block.thinking.is_blank() => {
                    if holds & (HAS_TEXT | HAS_THINKING) == 0 {
                        show(item, call, block.thinking.json(), Flags::THINKING, out);
                    }
                    holds |= HAS_THINKING;
                }
                BlockKind::ToolUse => {
                    holds |= HAS_TOOL_CALL;
                    self.tool_call(item, block, call, out);
                }
                BlockKind::ToolResult => {
                    // Tools that the API runs itself have call and result in one message.
                    self.tool_result(item, block, true, out);
                }
                _ => {}
            }
        }
        // The text that ends a turn. The text of a sub-agent goes to its caller.
        let is_answer = item.is_main && holds & (HAS_TEXT | HAS_TOOL_CALL) == HAS_TEXT;
        if let Some(event) = out.event_mut(call) {
            event.selector = holds;
            set_flag(&mut event.flags, Flags::ANSWER, is_answer);
            set_flag(&mut event.flags, Flags::ONLY_CALLS, holds == HAS_TOOL_CALL);
        }
        call
    }

    /// The LLM call of a message: one for all records with its id.
    fn llm_call(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let key = link_keys::llm_call(&item.run_key, &item.message, item.request_id);
        if let Some(call) = key.and_then(|key| out.bound(key)) {
            out.add_record(call, item.record.place());
            self.merge_usage(item, call, out);
            if let Some(event) = out.event_mut(call)
                && let (Some(start), Some(end)) = (event.start.get(), item.time)
                && let Some(elapsed) = end.checked_sub(start)
                && elapsed > event.duration.get().unwrap_or(0)
            {
                event.set_duration(MaybeNs::new(elapsed), TimeBasis::Elapsed);
            }
            return call;
        }
        let call = item.push(EventKind::LlmCall, out);
        if let Some(key) = key {
            out.bind(key, call);
        }
        // A message without an id (web sessions) is identified by its record.
        let response = link_keys::response(&item.message, item.request_id)
            .or_else(|| (!item.uuid.is_empty()).then(|| link_keys::any_record(&item.uuid)));
        if let Some(response) = response {
            item.link(response, call, out);
        }
        if let Some(info) = self.info() {
            info.see_model(item.message.model, item.run, out);
        }
        let lane = self.lanes.entry(item.lane).or_default();
        lane.open_calls.clear();
        let sent = lane.last_time;
        let told_ns = item.env.duration_ms.duration_ns(1e6);
        let model = item.message.model.text().map_or(NameId::NONE, |model| out.name(&model));
        if let Some(event) = out.event_mut(call) {
            event.name = model;
            event.status = Status::Ok;
            // A record is written when its piece is complete. 1.0 measured the whole call; in later versions the
            // request was sent when the message before it was complete.
            if let (Some(told), Some(time)) = (told_ns, item.time) {
                event.start = MaybeNs::new(time.saturating_sub(told));
                event.set_duration(MaybeNs::new(told), TimeBasis::Stated);
            } else if let (Some(sent), Some(time)) = (sent, item.time)
                && let Some(elapsed) = time.checked_sub(sent).filter(|elapsed| *elapsed >= 0)
            {
                event.start = MaybeNs::new(sent);
                event.set_duration(MaybeNs::new(elapsed), TimeBasis::Elapsed);
                event.flags.set(Flags::INFERRED_TIME);
            }
        }
        self.merge_usage(item, call, out);
        call
    }

    /// Takes over the usage of a record. Each record of a message repeats it; only the one with a stop reason has the
    /// final count of output tokens. The others were written while the response was streaming, and some versions never
    /// write the last one. A stream reports its output at its start and at its end, so a count that has grown is final,
    /// too.
    pub(super) fn merge_usage(
        &mut self,
        item: &Item<'_, '_>,
        call: EventId,
        out: &mut TraceBuilder,
    ) {
        let Some(event) = out.trace().event(call).filter(|it| it.kind == EventKind::LlmCall) else {
            return;
        };
        let known = out.trace().usage(event).unwrap_or_default();
        let mut told = usage(item.message.usage);
        let has_grown = known.output.is_some_and(|known| told.output > Some(known));
        let has_ended = item.message.stop_reason.is_some() || has_grown;
        told.unfinished = told.output.is_some() && !has_ended;
        out.set_usage(call, known.max(told));
        if let Some(dollars) = item.env.cost_usd.json().and_then(number::parse) {
            out.set_cost(call, dollars);
        }
    }

    fn tool_call(
        &mut self,
        item: &Item<'_, '_>,
        block: &Block<'_>,
        llm_call: EventId,
        out: &mut TraceBuilder,
    ) {
        let tool_use_id = block.id.filled();
        let key = tool_use_id.as_deref().map(|id| link_keys::tool_call(&item.run_key, id));
        let given = block.input.json();
        let keys = given.map(|_| argument_keys(block.input.cursor())).unwrap_or_default();
        let mut known = self.call_named(item, block.id, out);
        if let Some(event) = known.and_then(|known| out.trace().event(known))
            && event.kind == EventKind::ToolCall
            && event.args_hash != keys.hashes.exact
            && event.status != Status::Missing
            && !event.status.is_stopped()
        {
            // Another call that ended long ago had this id.
            known = None;
        }
        let call = match known {
            Some(known) => {
                out.add_record(known, item.record.place());
                let is_early_result = out.trace().event(known).is_some_and(|event| {
                    event.kind == EventKind::Note && out.trace().name(event.name) == EARLY_RESULT
                });
                if !is_early_result {
                    // iFlow repeats a call in the message that follows it.
                    return;
                }
                known
            }
            None => item.push(EventKind::ToolCall, out),
        };
        if let (Some(key), None) = (key, known) {
            if out.bound(key).is_some() {
                self.renewed.insert(key, call);
            }
            out.bind(key, call);
        }
        let name = block.name.text().map_or(NameId::NONE, |name| out.name(&name));
        let input: ToolInput<'_> = block.input.object();
        let starts_agent = input.prompt.filled().filter(|_| {
            input.subagent_type.is_some()
                || block.name.text().is_some_and(|name| name == "Task" || name == "Agent")
        });
        // The agent name is kept only for calls that start an agent.
        let agent_name = starts_agent.as_ref().map(|_| out.name(&input.agent_name()));
        if let Some(event) = out.event_mut(call) {
            if known.is_some() {
                // The result came first: the call sets the start.
                let start = MaybeNs::from(item.time);
                if !event.duration.is_known() {
                    event.duration = between(start, event.start);
                }
                event.start = start;
                event.lane = item.lane;
            } else {
                event.status = Status::Missing;
            }
            event.kind = EventKind::ToolCall;
            event.name = name;
            event.id_hash = tool_use_id.as_deref().map_or(0, |id| key_hash(&[id]));
            event.set_parent(Some(llm_call));
            if let Some(name) = agent_name {
                event.selector = u32::try_from(name.index()).unwrap_or(0);
            }
        }
        if given.is_some() {
            set_keys(call, keys, out);
        }
        if let Some(limit_ns) = input.timeout.duration_ns(1e6) {
            self.time_limits.insert(call, limit_ns);
        }
        if let Some(prompt) = starts_agent {
            item.link(link_keys::prompt(&item.run_key, &prompt), call, out);
        }
        // Whole arguments are more informative than one of them, such as how many lines an edit changes.
        let short = given.filter(|json| json.len() <= SHORT_ARGUMENTS_BYTES);
        if let Some(json) = short.or_else(|| main_argument(block.input.cursor())).or(given) {
            item.summarize(call, json, out);
        }
        self.lanes.entry(item.lane).or_default().open_calls.push(call);
    }
}

/// A message that no model wrote: an API error as text, or "No response requested."
fn local_message(item: &Item<'_, '_>, blocks: &[Block<'_>], out: &mut TraceBuilder) -> EventId {
    let is_error = item.env.is_api_error.is_true();
    let kind = if is_error { EventKind::Error } else { EventKind::SystemMessage };
    let id = item.push(kind, out);
    let name = out.name(if is_error { "api_error" } else { SYNTHETIC });
    // Since 2.1 the error's class is beside the message: `rate_limit`, `authentication_failed`.
    let class = item.env.error.filled().unwrap_or_default();
    let class = out.error(&ErrorLabel::from(class));
    if let Some(event) = out.event_mut(id) {
        event.name = name;
        if is_error {
            event.status = Status::Failed;
            event.error = class;
        }
    }
    if let Some(text) = blocks.iter().find_map(|block| block.text.json()) {
        item.summarize(id, text, out);
    }
    id
}

fn show(
    item: &Item<'_, '_>,
    call: EventId,
    json: Option<&str>,
    flags: Flags,
    out: &mut TraceBuilder,
) {
    if let Some(json) = json {
        item.summarize(call, json, out);
    }
    if let Some(event) = out.event_mut(call) {
        set_flag(&mut event.flags, Flags::THINKING, flags == Flags::THINKING);
    }
}

fn set_flag(flags: &mut Flags, mark: Flags, is_set: bool) {
    *flags = if is_set { flags.with(mark) } else { Flags::from_bits(flags.bits() & !mark.bits()) };
}
