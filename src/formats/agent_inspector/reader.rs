//! The index pass over elements.

use crate::formats::LineCounter;
use crate::formats::agentdbg::read_usage;
use crate::formats::by_hand::{add_facts, set_summary};
use crate::formats::fields::{entries, fields, given, items, text, time, word};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::formats::{Reader, Record};
use crate::json::{self, Json};
use crate::model::{
    EventId, EventKind, Flags, LaneId, NameId, NewEvent, RunId, SourceId, Status, TraceBuilder,
    Usage, key_hash,
};
use crate::notice::NoticeCode;

use super::agents::Agents;
use super::asked::{Asked, Waiting};
use super::element::{Element, Kind};
use super::reply::{Answer, answers, calls, calls_of};
use super::{ID, WRAPPERS};

/// A longer annotation is cut where it stands beside the model's name, in characters.
const MAX_ANNOTATION_CHARS: usize = 60;

/// More agents than this are no longer counted on the run.
const MAX_COUNTED_AGENTS: u32 = 1_000;

/// Reads the elements of one source.
pub(super) struct ElementReader {
    source: SourceId,
    run: Option<RunId>,
    agents: Agents,
    waiting: Waiting,
    last_lane: Option<LaneId>,
}

impl ElementReader {
    pub fn new(source: SourceId) -> Self {
        Self {
            source,
            run: None,
            agents: Agents::default(),
            waiting: Waiting::default(),
            last_lane: None,
        }
    }

    fn run(&mut self, out: &mut TraceBuilder) -> RunId {
        let source = self.source.index();
        *self.run.get_or_insert_with(|| out.run(ID, &format!("source {source}")))
    }

    fn element(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        match Element::new(record.json) {
            Some(element) if element.kind == Kind::LlmRequest => {
                self.llm_request(&element, record, out);
            }
            Some(element) if element.kind == Kind::ToolCall => {
                self.tool_call(&element, record, out);
            }
            Some(element) if element.kind == Kind::Mcp => self.mcp(&element, record, out),
            _ => self.unknown(record, out),
        }
    }

    fn llm_request(
        &mut self,
        element: &Element<Json<'_>>,
        record: &Record<'_>,
        out: &mut TraceBuilder,
    ) {
        let run = self.run(out);
        let lane = self.agents.lane(element, run, out);
        self.last_lane = Some(lane);
        let place = record.place();
        let id = out.push(NewEvent { kind: EventKind::LlmCall, run, lane, place });
        let name = label(element, out);
        let [response_error, response_id, created, usage, meta] = element
            .response
            .and_then(|raw| fields(raw, ["error", "id", "created", "usage", "meta_info"]))
            .unwrap_or_default();
        let error = element.error.or(given(response_error));
        let answers = element.response.map(answers).unwrap_or_default();
        let first = answers.first();
        let asks = element.tool_calls.is_some() || first.is_some_and(|it| it.tool_calls.is_some());
        let error_name = out.name(&error.and_then(error_type).unwrap_or_default());
        if let Some(event) = out.event_mut(id) {
            event.name = name;
            event.status = match (error, element.response.is_some() || asks) {
                (Some(_), _) => Status::Error,
                (None, true) => Status::Ok,
                (None, false) => Status::NoResult,
            };
            event.error = error_name;
            event.start = time(element.timestamp);
            if !event.start.is_known() {
                // A completion's own stamp, in whole seconds.
                event.start = time(created.filter(|it| it.raw().len() >= 10));
            }
            event.args_hash = element.conversation.map_or(0, Json::fingerprint);
            // Ids and stamps of a completion are new each time; what it says need not be.
            let said = first.map(|it| it.whole).or(element.response);
            event.result_hash = said.map_or(0, Json::fingerprint);
            event.id_hash = word(element.id.or(response_id)).map_or(0, |id| key_hash(&[&id]));
            if !asks && first.is_some_and(|it| it.content.is_some()) {
                event.flags = event.flags.with(Flags::ANSWER);
            }
        }
        let usage = given(usage).or(element.usage).or(given(meta));
        out.set_usage(id, usage.map_or_else(Usage::default, read_usage));
        set_summary(id, record, summary(element, first, error), out);
        let mut lines = LineCounter::new(record);
        let beside = element.tool_calls.map(calls).unwrap_or_default();
        for call in answers.iter().flat_map(calls_of).chain(beside) {
            let place = lines.place(record.inner(call.whole)).place();
            self.waiting.push(Asked {
                by: id,
                lane,
                place,
                id_hash: word(call.id).map_or(0, |id| key_hash(&[&id])),
                name_hash: key_hash(&[&word(call.name).unwrap_or_default()]),
                args_hash: call.arguments.map_or(0, Json::fingerprint),
            });
        }
    }

    fn tool_call(
        &mut self,
        element: &Element<Json<'_>>,
        record: &Record<'_>,
        out: &mut TraceBuilder,
    ) {
        let tool = word(element.tool_name).unwrap_or_default();
        let id_hash = word(element.id).map_or(0, |id| key_hash(&[&id]));
        let mut args_hash = element.arguments.map_or(0, Json::fingerprint);
        let asked = self.waiting.take(id_hash, key_hash(&[&tool]), args_hash);
        if args_hash == 0 {
            args_hash = asked.map_or(0, |asked| asked.args_hash);
        }
        let id = self.push(EventKind::ToolCall, record, asked.map(|it| it.lane), out);
        let name = out.name(&tool);
        let has_result = element.result.is_some() || element.cli_output.is_some();
        self.fill(id, element, name, has_result, out);
        if let Some(event) = out.event_mut(id) {
            event.args_hash = args_hash;
            event.id_hash =
                asked.map_or(id_hash, |it| if id_hash == 0 { it.id_hash } else { id_hash });
            event.set_parent(asked.map(|asked| asked.by));
        }
        if let Some(asked) = asked {
            out.add_record(id, asked.place);
        }
        let told = [element.arguments, element.result, element.cli_output, element.error];
        set_summary(id, record, told.into_iter().flatten().find(|it| !is_empty(*it)), out);
    }

    fn mcp(&mut self, element: &Element<Json<'_>>, record: &Record<'_>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::ToolCall, record, None, out);
        let [method, tool, params] =
            fields(record.json, ["method", "tool", "params"]).unwrap_or_default();
        let [inner, arguments] =
            params.and_then(|raw| fields(raw, ["name", "arguments"])).unwrap_or_default();
        let names = [element.tool_name, tool, inner, method];
        let name = names.into_iter().find_map(word).unwrap_or("mcp".into());
        let name = out.name(&name);
        let [response] = fields(record.json, ["response"]).unwrap_or_default();
        let result = element.result.or(given(response));
        self.fill(id, element, name, result.is_some(), out);
        let arguments = element.arguments.or(given(arguments)).or(given(params));
        if let Some(event) = out.event_mut(id) {
            event.args_hash = arguments.map_or(0, Json::fingerprint);
            if event.status == Status::NoResult {
                // What an answer would be called was never settled.
                event.status = Status::Unknown;
            }
        }
        set_summary(id, record, arguments.or(result).or(Some(record.json)), out);
    }

    fn unknown(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let id = self.push(EventKind::Record, record, None, out);
        let kind = fields(record.json, ["type"]).and_then(|[kind]| text(kind));
        let name = out.name(&kind.unwrap_or_default());
        if let Some(event) = out.event_mut(id) {
            event.name = name;
        }
        set_summary(id, record, Some(record.json), out);
        out.warn(NoticeCode::UnknownRecord, &record.place(), "");
    }

    /// Adds an event in the lane of whoever asked for it, or of the agent that spoke last.
    fn push(
        &mut self,
        kind: EventKind,
        record: &Record<'_>,
        lane: Option<LaneId>,
        out: &mut TraceBuilder,
    ) -> EventId {
        let run = self.run(out);
        let lane = lane.or(self.last_lane).unwrap_or_else(|| out.lane(run, ""));
        out.push(NewEvent { kind, run, lane, place: record.place() })
    }

    /// What all calls have in common.
    fn fill(
        &self,
        id: EventId,
        element: &Element<Json<'_>>,
        name: NameId,
        has_result: bool,
        out: &mut TraceBuilder,
    ) {
        let error_name = out.name(&element.error.and_then(error_type).unwrap_or_default());
        // Results in the shape of the Model Context Protocol say themselves that they are errors.
        let [said, snake] =
            element.result.and_then(|raw| fields(raw, ["isError", "is_error"])).unwrap_or_default();
        let has_failed = element.error.is_some() || said.or(snake).is_some_and(Json::is_true);
        let Some(event) = out.event_mut(id) else { return };
        event.name = name;
        event.error = error_name;
        event.status = match (has_failed, has_result) {
            (true, _) => Status::Error,
            (false, true) => Status::Ok,
            (false, false) => Status::NoResult,
        };
        event.start = time(element.timestamp);
        event.result_hash = element.result.or(element.cli_output).map_or(0, Json::fingerprint);
        event.id_hash = word(element.id).map_or(0, |id| key_hash(&[&id]));
        name_exit_code(id, element.result.or(element.cli_output), out);
    }

    /// What a wrapper says beside its list: words and numbers are facts about the run.
    fn wrapper(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        let run = self.run(out);
        for (key, raw) in entries(part.json) {
            if !WRAPPERS.contains(&key.as_ref()) && word(Some(raw)).is_some() {
                add_facts(run, &[(key.as_ref(), Some(raw))], out);
            }
        }
    }
}

impl Reader for ElementReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let [kind, trace, elements] =
            fields(record.json, ["type", "trace", "elements"]).unwrap_or_default();
        let list =
            trace.or(elements).filter(|list| kind.is_none() && list.kind() == json::Kind::Array);
        let list = match list {
            Some(list) => {
                self.wrapper(record, out);
                list
            }
            None if record.json.kind() == json::Kind::Array => record.json,
            None => return self.element(record, out),
        };
        let mut lines = LineCounter::new(record);
        for item in items(list) {
            self.element(&lines.place(record.inner(item)), out);
        }
    }

    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        self.wrapper(part, out);
    }

    fn finish(&mut self, out: &mut TraceBuilder) {
        let n_agents = self.agents.len();
        if let Some(run) = self.run.filter(|_| (2..MAX_COUNTED_AGENTS).contains(&n_agents)) {
            let fact = ("agents".to_owned(), n_agents.to_string());
            out.run_mut(run).facts.push(fact);
        }
    }
}

/// The model, and what the person says of the request: where there are several agents, only this
/// tells their rows apart.
fn label(element: &Element<Json<'_>>, out: &mut TraceBuilder) -> NameId {
    let [own] = element.response.and_then(|raw| fields(raw, ["model"])).unwrap_or_default();
    let model = word(element.model).or_else(|| word(own)).unwrap_or_default();
    let Some(annotation) = word(element.annotation) else { return out.name(&model) };
    let mut words: String = annotation.chars().take(MAX_ANNOTATION_CHARS).collect();
    if words.len() < annotation.len() {
        words.push('…');
    }
    out.name(&if model.is_empty() { words } else { format!("{model} · {words}") })
}

/// The value that says most of a request: its words, the calls it asks for, or why it failed.
fn summary<'a>(
    element: &Element<Json<'a>>,
    first: Option<&Answer<Json<'a>>>,
    error: Option<Json<'a>>,
) -> Option<Json<'a>> {
    let words = first.and_then(|answer| answer.content.or(answer.tool_calls.map(|_| answer.whole)));
    let asked = || items(element.conversation?).last().copied();
    error.or(words).or(element.tool_calls).or(element.response).or_else(asked)
}

/// The type of an error that is an object; an error in words is shown when the row is opened.
fn error_type(error: Json<'_>) -> Option<std::borrow::Cow<'_, str>> {
    let [kind, code] = fields(error, ["type", "code"])?;
    word(kind).or_else(|| word(code))
}

fn is_empty(value: Json<'_>) -> bool {
    matches!(value.raw(), "null" | "{}" | "[]" | "\"\"")
}
