//! Compares an event with an earlier one, which the user has chosen or which is the most similar one.

use super::store::Store;
use crate::answers::Answers;
use crate::render::compare::{Scope, differences, side_by_side};
use crate::render::detail::{show_much, unreadable};
use crate::render::labels::Label;
use crate::render::text_forms::give_forms;
use traceloupe_core::model::{BlockRole, ErrorLabel, Event, EventId, EventKind, RunId, Trace};
use traceloupe_protocol::comparison::{CompareReason, CompareRequest, Comparison};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::value::Shown;
use traceloupe_words as words;

/// How many events are searched for a similar one.
const MAX_LOOKED_AT: usize = 200_000;

/// A loss of fewer cached tokens is not reported, because caches work in blocks.
const CACHE_BLOCK: u64 = 2_048;

/// Anthropic keeps cached prompts for five minutes unless requested otherwise, OpenAI for five to ten.
const CACHE_LIFE_NS: i64 = 5 * 60 * 1_000_000_000;

/// Compares two events.
pub(super) fn compare<S: Store>(answers: &Answers<'_, S>, request: CompareRequest) -> Comparison {
    let id = EventId::from_index(request.id as usize);
    let trace = answers.trace;
    let other = match request.with {
        Some(with) => Some((EventId::from_index(with as usize), CompareReason::Chosen)),
        None => earlier(trace, id),
    };
    let other = other.filter(|(other, _)| *other != id && trace.event(*other).is_some());
    let nothing = Comparison { request, after: request.id, ..Comparison::default() };
    let Some((other, reason)) = other else { return nothing };
    let is_earlier = place(trace, other) < place(trace, id);
    let (before, after) = if is_earlier { (other, id) } else { (id, other) };
    let mut blocks = blocks(answers, before, after, reason);
    give_forms(&mut blocks);
    Comparison { request, before: Some(before.number()), after: after.number(), reason, blocks }
}

/// The run of an event, and its position among the rows of that run. Files may store spans in another order.
fn place(trace: &Trace, id: EventId) -> Option<(RunId, usize)> {
    let run = trace.event(id)?.run;
    Some((run, trace.order(run).iter().position(|it| *it == id)?))
}

/// The events between two rows of a run, last one first.
fn rows_between(
    trace: &Trace,
    from: EventId,
    to: EventId,
) -> impl Iterator<Item = (EventId, &Event)> {
    let place = |id| place(trace, id).map(|it| it.1);
    let range = place(from).map_or(0, |at| at + 1)..place(to).unwrap_or(0);
    let run = trace.event(to).map_or(RunId::from_index(0), |event| event.run);
    let ids = trace.order(run).get(range).unwrap_or_default().iter().rev();
    ids.filter_map(|id| Some((*id, trace.event(*id)?)))
}

/// The earlier event that an event is compared with.
fn earlier(trace: &Trace, id: EventId) -> Option<(EventId, CompareReason)> {
    let event = trace.event(id)?;
    let first = *trace.order(event.run).first()?;
    let near = rows_between(trace, first, id);
    // `rows_between` does not include the first row.
    let before = near.chain(trace.event(first).map(|it| (first, it)).filter(|it| it.0 != id));
    let mut alike = before
        .take(MAX_LOOKED_AT)
        .filter(|(_, other)| (other.kind, other.lane) == (event.kind, event.lane));
    if event.kind == EventKind::LlmCall {
        return Some((alike.next()?.0, CompareReason::PreviousCall));
    }
    if trace.name(event.name).is_empty() {
        return None;
    }
    let mut of_name = alike.filter(|(_, other)| other.name == event.name);
    let nearest = of_name.next()?;
    let is_same = |other: &Event| event.args_hash != 0 && other.args_hash == event.args_hash;
    if event.kind == EventKind::ToolCall {
        let same =
            if is_same(nearest.1) { Some(nearest) } else { of_name.find(|it| is_same(it.1)) };
        if let Some((same, _)) = same {
            return Some((same, CompareReason::SameArguments));
        }
    }
    Some((nearest.0, CompareReason::SameName))
}

fn blocks<S: Store>(
    answers: &Answers<'_, S>,
    before: EventId,
    after: EventId,
    reason: CompareReason,
) -> Vec<ShownBlock> {
    let trace = answers.trace;
    let (Some(old), Some(new)) = (trace.event(before), trace.event(after)) else {
        return Vec::new();
    };
    let shown = |id: EventId, event: &Event| match answers.blocks_of(id, event) {
        Ok(detail) => show_much(&detail, &|span| answers.read(span)),
        Err(error) => vec![unreadable(&error)],
    };
    let is_input = reason == CompareReason::PreviousCall;
    let scope = if is_input { Scope::Input } else { Scope::All };
    let differences = differences(&shown(before, old), &shown(after, new), scope);
    let steps = Steps { trace, before: (before, old), after: (after, new) };
    let mut blocks = Vec::new();
    blocks.extend(steps.what_the_columns_say());
    if is_input {
        blocks.extend(steps.cache_loss(&differences.changed).map(ShownBlock::Note));
        blocks.extend(steps.between().map(ShownBlock::Note));
    }
    blocks.extend(differences.blocks);
    blocks
}

/// Two events of a trace.
struct Steps<'a> {
    trace: &'a Trace,
    before: (EventId, &'a Event),
    after: (EventId, &'a Event),
}

impl Steps<'_> {
    /// Name, outcome, duration and token usage, where the two events differ.
    fn what_the_columns_say(&self) -> Option<ShownBlock> {
        let (old, new) = (self.before.1, self.after.1);
        let name = |event: &Event| self.trace.name(event.name).to_owned();
        let error = |event: &Event| match self.trace.error(event.error) {
            ErrorLabel::None => event.status.word().to_owned(),
            error => words::error_label(error).into_owned(),
        };
        #[expect(clippy::cast_precision_loss)] // a duration in ms fits a double
        let duration = |event: &Event| {
            event.duration.get().map(|ns| words::duration(ns as f64 / 1e6)).unwrap_or_default()
        };
        let usage = |event: &Event| self.trace.usage(event).unwrap_or_default();
        let (used, uses) = (usage(old), usage(new));
        let tokens = |count: Option<u64>| count.map(words::count).unwrap_or_default();
        let counts = [
            ("Input tokens", used.total_input(), uses.total_input()),
            ("Read from the cache", used.cache_read, uses.cache_read),
            ("Written to the cache", used.cache_write, uses.cache_write),
            ("Output tokens", used.output, uses.output),
        ];
        let label = if new.kind == EventKind::LlmCall { "Model" } else { "Name" };
        let mut lines = vec![
            (label, name(old), name(new)),
            ("Outcome", error(old), error(new)),
            ("Duration", duration(old), duration(new)),
        ];
        for (label, was, is) in counts {
            let change = was.zip(is).map(|(was, is)| match is.checked_sub(was) {
                Some(more) => format!(" (+{})", words::count(more)),
                None => format!(" (−{})", words::count(was.saturating_sub(is))),
            });
            lines.push((label, tokens(was), tokens(is) + &change.unwrap_or_default()));
        }
        let cell = |text: String| Shown::text(text, None);
        let is_other = |(_, was, is): &(&str, String, String)| {
            was != is && !(is.starts_with(was.as_str()) && is.ends_with("(+0)"))
        };
        let rows = lines.into_iter().filter(is_other);
        let rows = rows.map(|(label, was, is)| vec![cell(label.to_owned()), cell(was), cell(is)]);
        let rows: Vec<_> = rows.collect();
        (!rows.is_empty()).then(|| side_by_side(BlockRole::AtAGlance, rows))
    }

    /// What the agent did between two LLM calls.
    fn between(&self) -> Option<String> {
        let lane = self.after.1.lane;
        let between = rows_between(self.trace, self.before.0, self.after.0).map(|it| it.1);
        let between = between.filter(|event| event.lane == lane);
        let mut tools: Vec<(&str, u64)> = Vec::new();
        let mut others: Vec<(EventKind, u64)> = Vec::new();
        let mut add_other = |kind| match others.iter_mut().find(|it| it.0 == kind) {
            Some((_, n)) => *n += 1,
            None => others.push((kind, 1)),
        };
        let mut n_tools = 0;
        for event in between {
            if event.kind == EventKind::ToolCall {
                n_tools += 1;
                let name = self.trace.name(event.name);
                match tools.iter_mut().find(|it| it.0 == name) {
                    Some((_, n)) => *n += 1,
                    None => tools.push((name, 1)),
                }
            } else if event.kind != EventKind::Note {
                add_other(event.kind);
            }
        }
        let mut parts = Vec::new();
        if n_tools > 0 {
            let names = tools.iter().rev().filter(|(name, _)| !name.is_empty());
            let names = names.map(|(name, n)| match n {
                1 => (*name).to_owned(),
                n => format!("{name} ×{n}"),
            });
            let names: Vec<String> = names.collect();
            let calls = words::counted(n_tools, "tool call", "tool calls");
            parts.push(format!("{calls} ({})", names.join(", ")));
        }
        let others = others.iter().rev().map(|(kind, n)| {
            let many = words::plural(*kind).to_ascii_lowercase().replace("llm", "LLM");
            words::counted(*n, many.trim_end_matches('s'), &many)
        });
        parts.extend(others);
        (!parts.is_empty()).then(|| format!("Between the two calls: {}", parts.join(", ")))
    }

    /// Why fewer tokens were read from the cache than it held, as far as the file shows.
    fn cache_loss(&self, changed: &[Label]) -> Option<String> {
        let usage = |event: &Event| self.trace.usage(event);
        let (old, new) = (usage(self.before.1)?, usage(self.after.1)?);
        let cached = old.cache_read?.saturating_add(old.cache_write.unwrap_or(0));
        let read = new.cache_read?;
        if read.saturating_add(CACHE_BLOCK) > cached {
            return None;
        }
        let mut reasons = Vec::new();
        let mut between = rows_between(self.trace, self.before.0, self.after.0);
        let is_compaction =
            |event: &Event| event.kind == EventKind::Compaction && event.lane == self.after.1.lane;
        if between.any(|it| is_compaction(it.1)) {
            reasons.push("the context was compacted".to_owned());
        }
        if self.before.1.name != self.after.1.name {
            reasons.push("the model is another one".to_owned());
        }
        // A cache holds the beginning of a prompt: system prompt, tools, and earlier messages.
        let early = changed.iter().filter(|it| it.is_early());
        let early: Vec<String> = early.map(Label::words).collect();
        if !early.is_empty() {
            reasons.push(format!("what was sent before changed ({})", early.join(", ")));
        }
        // The start of a call is often only inferred, so its end is used.
        let end = |event: &Event| {
            let start = event.start.get()?;
            Some(start.saturating_add(event.duration.get().unwrap_or(0)))
        };
        let pause_ns = end(self.after.1).zip(end(self.before.1));
        let pause_ns = pause_ns.map(|(to, from)| to.saturating_sub(from));
        if let Some(pause_ns) = pause_ns.filter(|it| *it > CACHE_LIFE_NS) {
            #[expect(clippy::cast_precision_loss)] // a pause in ms fits a double
            let pause = words::duration(pause_ns as f64 / 1e6);
            reasons.push(format!(
                "{pause} passed from one answer to the next, and caches are often kept for 5 minutes"
            ));
        }
        let (read, cached) = (words::count(read), words::count(cached));
        let loss = format!("Only {read} tokens came from the cache, after {cached} had been in it");
        Some(match reasons.is_empty() {
            true => format!("{loss}. The file does not show why."),
            false => format!("{loss}. Possible reasons: {}.", reasons.join("; ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use crate::store::MemoryStore;
    use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};

    fn compared(path: &str, lines: &[String], request: CompareRequest) -> Comparison {
        let mut store = MemoryStore::default();
        let handle = store.add(lines.join("\n").into_bytes());
        let input = Input { path: path.to_owned(), len_bytes: 0 };
        let request_open = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request_open);
        session.open_all(&[handle], 1 << 20);
        let answers = session.handle(&Request::Compare(request));
        let [Response::Comparison(comparison)] = answers.as_slice() else { panic!("{answers:?}") };
        (**comparison).clone()
    }

    fn text(shown: &Shown) -> &str {
        let Shown::Text(text, ..) = shown else { panic!("{shown:?}") };
        text
    }

    /// A request and its response, as logged by a proxy.
    fn call(time: &str, system: &str, messages: &str, usage: (u64, u64, u64)) -> String {
        let (input, cached, output) = usage;
        format!(
            r#"{{"timestamp":"{time}","request":{{"model":"gpt-4o","messages":[{{"role":"system","content":"{system}"}}{messages}]}},"response":{{"id":"c","object":"chat.completion","model":"gpt-4o","choices":[{{"index":0,"finish_reason":"stop","message":{{"role":"assistant","content":"It is {input}."}}}}],"usage":{{"prompt_tokens":{input},"completion_tokens":{output},"prompt_tokens_details":{{"cached_tokens":{cached}}}}}}}}}"#
        )
    }

    #[test]
    fn an_llm_call_is_compared_with_the_one_before() {
        let user = r#",{"role":"user","content":"How many?"}"#;
        let more = r#",{"role":"user","content":"How many?"},{"role":"assistant","content":"Five."},{"role":"user","content":"Sure?"}"#;
        let lines = [
            call("2026-01-01T10:00:00Z", "Be brief.\\nToday is Monday.", user, (9000, 8000, 5)),
            call("2026-01-01T10:20:00Z", "Be brief.\\nToday is Tuesday.", more, (9100, 0, 6)),
        ];
        let last = 12;
        let all: Vec<Comparison> = (0..=last)
            .map(|id| compared("log.jsonl", &lines, CompareRequest { id, with: None }))
            .collect();

        let found = all.iter().find(|it| it.reason == CompareReason::PreviousCall).unwrap();
        let ShownBlock::Grid(_, _, rows) = &found.blocks[0] else { panic!("{found:#?}") };
        let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().map(text).collect()).collect();
        assert!(rows.contains(&vec!["Input tokens", "9,000", "9,100 (+100)"]), "{rows:?}");
        assert!(rows.contains(&vec!["Read from the cache", "8,000", "0 (−8,000)"]), "{rows:?}");
        let notes = found.blocks.iter().filter_map(|block| match block {
            ShownBlock::Note(words) => Some(words.as_str()),
            _ => None,
        });
        let notes: Vec<&str> = notes.collect();
        assert!(
            notes.iter().any(|it| it.starts_with("Only 0 tokens came from the cache, after 8,000")
                && it.contains("(system message)")
                && it.contains("20 min")),
            "{notes:?}"
        );
        assert!(notes.contains(&"4 messages: 1 the same, 1 changed, 2 new"), "{notes:?}");
        let diff = found.blocks.iter().find_map(|block| match block {
            ShownBlock::Diff(BlockRole::ChangedMessage(role), lines) if role == "system" => {
                Some(lines.clone())
            }
            _ => None,
        });
        let line = |sign: char, text: &str| (sign, text.to_owned());
        let expected =
            [line(' ', "Be brief."), line('-', "Today is Monday."), line('+', "Today is Tuesday.")];
        assert_eq!(diff.unwrap(), expected);
        let first = all.iter().find(|it| it.before.is_none()).unwrap();
        assert!(first.blocks.is_empty());
    }

    #[test]
    fn spans_are_compared_in_the_order_of_their_times() {
        let span = |id: &str, parent: &str, start: u32, rest: &str| {
            format!(
                r#"{{"traceId":"0123456789abcdef0123456789abcdef","spanId":"{id}","parentSpanId":"{parent}","name":"s","startTimeUnixNano":"17000000{start}000000000","endTimeUnixNano":"17000000{start}500000000","attributes":[{rest}]}}"#
            )
        };
        let llm = r#"{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.request.model","value":{"stringValue":"gpt-4o"}}"#;
        let spans = [
            span("00000000000000b2", "00000000000000a0", 40, llm),
            span("00000000000000b1", "00000000000000a0", 20, llm),
            span("00000000000000a0", "", 10, ""),
        ];
        let text = format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",")
        );
        let all = (0..8).map(|id| {
            compared("spans.json", std::slice::from_ref(&text), CompareRequest { id, with: None })
        });
        let all: Vec<_> = all.filter(|it| it.reason == CompareReason::PreviousCall).collect();
        let [found] = all.as_slice() else { panic!("{all:?}") };
        assert!(found.before.unwrap() > found.after, "the file has the later span first");
    }
}
