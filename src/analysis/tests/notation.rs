//! Traces written as text.
//!
//! Each word is one event: `A(x)=r` is a tool call with arguments and result (`A` has no arguments, and no result in
//! the file), `A(x;why)=r` one with information about itself, `A(x@f)=r` one about the file `f`, `A(x)=!r` a failed one
//! (the lines that tell most are equal except for numbers at their end), `A(x)=?r` one that was refused, `L:model(prompt)=answer` an LLM call, `S(content)` a state,
//! `U` a message from the user, `W:pattern` a loop warning (`~` for a space). `[` before a word nests it and everything
//! after it in the LLM call before it, until `]`. `agent/` before a word puts it in a lane with that name. `sh(…)` runs a command, with `~` for a space;
//! so in results, `…editor(…)` obeys one, and `keys(…)` types. `~\n` ends a line. `write_file(…)` writes a whole file.

use super::super::{CallText, CallTexts, Evidence, Finding, Findings, Settings, findings};
use traceloupe_core::model::{
    CallOutcome, EventId, EventKind, LaneId, MaybeNs, NewEvent, Place, RunId, SourceId, Span,
    Trace, TraceBuilder, Usage, key_hash,
};

pub(super) fn place() -> Place {
    Place { span: Span { source: SourceId::from_index(0), start: 0, len: 0 }, line: 1 }
}

/// The fingerprint of a text; 0 for none.
pub(super) fn fingerprint(text: Option<&str>) -> u64 {
    text.map_or(0, |text| key_hash(&[text]))
}

pub(super) fn push(
    out: &mut TraceBuilder,
    run: RunId,
    lane: LaneId,
    kind: EventKind,
    name: &str,
) -> EventId {
    let id = out.push(NewEvent { kind, run, lane, place: place() });
    let name = out.name(name);
    out.event_mut(id).unwrap().name = name;
    id
}

pub(super) fn trace(text: &str) -> Trace {
    let mut out = TraceBuilder::new();
    let run = out.run("test", "run");
    let (mut last_llm, mut parent) = (None, None);
    for (at, word) in text.split_whitespace().enumerate() {
        let (word, opens) = word.strip_prefix('[').map_or((word, false), |word| (word, true));
        let (word, closes) = word.strip_suffix(']').map_or((word, false), |word| (word, true));
        let (lane, word) = match word.split_once('/') {
            Some((lane, word)) if !word.is_empty() && !lane.contains(['(', ':']) => (lane, word),
            _ => ("", word),
        };
        let lane = out.lane(run, lane);
        if let Some(pattern) = word.strip_prefix("W:") {
            push(&mut out, run, lane, EventKind::LoopWarning, &pattern.replace('~', " "));
            continue;
        }
        let (call, result) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
        let (name, args) = call
            .strip_suffix(')')
            .and_then(|call| call.split_once('('))
            .map_or((call, None), |(name, args)| (name, Some(args)));
        let (kind, name) = match name {
            "U" => (EventKind::UserMessage, ""),
            "S" => (EventKind::State, "state"),
            name => match name.strip_prefix("L:") {
                Some(model) => (EventKind::LlmCall, model),
                None => (EventKind::ToolCall, name),
            },
        };
        let id = push(&mut out, run, lane, kind, name);
        if kind == EventKind::LlmCall {
            last_llm = Some(id);
            out.set_usage(id, Usage { input: Some(10), output: Some(1), ..Usage::default() });
        }
        if opens {
            parent = last_llm;
        }
        let event = out.event_mut(id).unwrap();
        event.start = MaybeNs::new(1_000 * i64::try_from(at).unwrap());
        event.result_hash = fingerprint(result);
        event.set_parent(parent);
        let failure = result.filter(|result| result.starts_with(['!', '?']));
        event.status = match failure {
            Some(failure) if failure.starts_with('?') => CallOutcome::BadArguments,
            Some(_) => CallOutcome::Failed,
            None => event.status,
        };
        let done = args.map(|args| args.split_once(';').map_or(args, |(done, _)| done));
        out.set_arguments(id, fingerprint(args), fingerprint(done));
        if let Some((_, file)) = args.and_then(|args| args.split_once('@')) {
            out.set_file(id, fingerprint(Some(file)));
        }
        if let Some(failure) = failure.map(|it| it.trim_matches(char::is_numeric)) {
            out.set_failure(id, fingerprint(Some(failure)));
        }
        if closes {
            parent = None;
        }
    }
    out.finish()
}

pub(super) fn found(text: &str) -> Findings {
    findings(&trace(text), &Settings::default().with_names(true), &Texts::of(text))
}

/// The texts of the calls of a trace. Each word is one event.
pub(super) struct Texts(Vec<CallText>);

impl Texts {
    pub(super) fn of(text: &str) -> Self {
        let of_word = |word: &str| {
            let word = word.trim_matches(['[', ']']);
            let (call, result) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
            let typed = call.split_once("keys(");
            let command = call.split_once("sh(").or_else(|| call.split_once("editor(")).or(typed);
            let command = command.map(|(_, args)| args.trim_end_matches(')'));
            let written = |text: &str| text.replace("~\\n", "\n").replace('~', " ");
            CallText {
                command: command.map(written),
                is_typed: typed.is_some(),
                writes_file: call.starts_with("write_file("),
                result: result.map(|it| written(it.trim_start_matches(['!', '?']))),
            }
        };
        Self(text.split_whitespace().map(of_word).collect())
    }
}

impl CallTexts for Texts {
    fn of_call(&self, id: EventId) -> Option<CallText> {
        self.0.get(id.index()).cloned()
    }
}

/// The names of the steps that a finding repeats; for a warning of the producer, its pattern.
pub(super) fn block<'a>(trace: &'a Trace, finding: &Finding) -> Vec<&'a str> {
    match &finding.evidence {
        Evidence::Report { pattern } => vec![trace.name(*pattern)],
        Evidence::Steps(steps) => steps.block.iter().map(|(_, name)| trace.name(*name)).collect(),
        other => panic!("not of a trace as a whole: {other:?}"),
    }
}

/// A finding in one line: `Critical repeat A,B x3 +1 from 4 (reported 2)`.
pub(super) fn line(trace: &Trace, finding: &Finding) -> String {
    let mut line = format!(
        "{:?} {} {} x{}",
        finding.severity,
        finding.rule.id(),
        block(trace, finding).join(","),
        finding.evidence.repetitions()
    );
    let extra = finding.evidence.steps().map_or(0, |it| it.extra);
    if extra > 0 {
        line += &format!(" +{extra}");
    }
    line += &format!(" from {}", finding.place.first.index());
    if !finding.place.reported.is_empty() {
        line += &format!(" (reported {})", finding.place.reported.len());
    }
    line
}

/// The findings, one per line.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let trace = trace(text);
    findings(&trace, &Settings::default().with_names(true), &Texts::of(text))
        .list
        .iter()
        .map(|it| line(&trace, it))
        .collect()
}
