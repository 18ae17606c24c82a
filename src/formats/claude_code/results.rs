//! Results of tools: joined to their calls, whichever is read first.

use super::blocks::{Block, first_text};
use super::keys;
use super::reader::{Item, SessionReader, set_starter};
use super::wire::ToolUseResult;
use traceloupe_core::model::{
    EventId, EventKind, Flags, MaybeNs, NameId, Status, TraceBuilder, key_hash,
};
use traceloupe_engine::shapes::exit_code::name_exit_code;
use traceloupe_engine::weave::call_keys::note_failure;

/// The name of a result whose call has not been read.
pub(super) const EARLY_RESULT: &str = "tool-result";

/// How a result begins of which the model got a part only; the whole lies in a file (2.1).
const PERSISTED: &str = "\"<persisted-output>";

/// How a refused or interrupted call's result begins.
const REFUSED: [&str; 4] = [
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "[Request interrupted by user",
    "User rejected tool use",
];

impl SessionReader {
    /// Joins a result to its call. `is_only`: the record's `toolUseResult` speaks of this result.
    pub(super) fn tool_result(
        &mut self,
        item: &Item<'_, '_>,
        block: &Block<'_>,
        is_only: bool,
        out: &mut TraceBuilder,
    ) -> EventId {
        let call = match self.call_named(item, block.tool_use_id, out) {
            Some(call) => {
                out.add_record(call, item.record.place());
                call
            }
            None => early_result(item, block, out),
        };
        let known = out.trace().event(call).map(|event| (event.start.get(), event.kind));
        let is_known_call = known.is_some_and(|(_, kind)| kind == EventKind::ToolCall);
        let elapsed_ns = match (known.and_then(|(start, _)| start), item.time) {
            (Some(start), Some(end)) if is_known_call => end.checked_sub(start),
            _ => None,
        };
        let rich: Option<ToolUseResult<'_>> = is_only.then(|| item.tool_use_result.object());
        let (status, class) = outcome(item, block, rich.as_ref());
        let class = class.map_or(NameId::NONE, |class| out.name(&class));
        let told_ns = rich.as_ref().and_then(duration_ns);
        if let Some(event) = out.event_mut(call) {
            event.status = status;
            event.error = class;
            if block.content.json().is_some_and(|json| json.starts_with(PERSISTED)) {
                event.flags.set(Flags::TRUNCATED);
            }
            event.result_hash = block.content.fingerprint();
            event.duration = MaybeNs::from(told_ns.or(elapsed_ns.filter(|elapsed| *elapsed >= 0)));
        }
        name_exit_code(call, block.content.json(), out);
        note_failure(call, block.content.cursor(), out);
        if let Some(agent) = rich.and_then(|rich| rich.agent_id.filled()) {
            let lane = out.lane(item.run, &agent);
            set_starter(lane, call, out);
        }
        call
    }
}

/// A result whose call has not been read: a note, until the call is found in another file.
fn early_result(item: &Item<'_, '_>, block: &Block<'_>, out: &mut TraceBuilder) -> EventId {
    let id = item.push(EventKind::Note, out);
    let name = out.name(EARLY_RESULT);
    let tool_use_id = block.tool_use_id.filled();
    if let Some(event) = out.event_mut(id) {
        event.name = name;
        if let Some(tool_use_id) = &tool_use_id {
            event.id_hash = key_hash(&[tool_use_id]);
        }
    }
    if let Some(json) = block.content.json() {
        item.summarize(id, json, out);
    }
    if let Some(tool_use_id) = tool_use_id {
        out.bind(keys::tool_call(&item.run_key, &tool_use_id), id);
    }
    item.link(keys::early_results(), id, out);
    id
}

/// How long the call took, as the producer measured it.
fn duration_ns(rich: &ToolUseResult<'_>) -> Option<i64> {
    rich.total_duration_ms
        .duration_ns(1e6)
        .or_else(|| rich.duration_ms.duration_ns(1e6))
        .or_else(|| rich.duration_s.duration_ns(1e9))
}

fn outcome<'a>(
    item: &Item<'_, 'a>,
    block: &Block<'a>,
    rich: Option<&ToolUseResult<'a>>,
) -> (Status, Option<String>) {
    if rich.is_some_and(|rich| rich.interrupted.is_true()) {
        return (Status::Cancelled, None);
    }
    if !block.is_error.is_true() {
        return (Status::Ok, None);
    }
    let text = first_text(block.content).text().unwrap_or_default();
    let told = item.tool_use_result.text().unwrap_or_default();
    let is_refused = |text: &str| REFUSED.iter().any(|start| text.trim_start().starts_with(start));
    if is_refused(&text) || is_refused(&told) || is_refused(told.trim_start_matches("Error: ")) {
        return (Status::Cancelled, None);
    }
    (Status::Error, error_class(&text))
}

/// The class of an error as its text begins with it: `exit 1`, `InputValidationError`, `ENOENT`.
fn error_class(text: &str) -> Option<String> {
    let text = text.trim_start().trim_start_matches("<tool_use_error>").trim_start();
    let text = text.trim_start_matches("Error: ");
    if let Some(rest) = text.strip_prefix("Exit code ") {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).take(6).collect();
        return (!digits.is_empty()).then(|| format!("exit {digits}"));
    }
    let (class, _) = text.split_once(':')?;
    let is_word = !class.is_empty()
        && class.len() <= 60
        && class.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_code =
        class.len() > 2 && class.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_class = class.ends_with("Error") || class.ends_with("Exception") || is_code;
    (is_word && is_class).then(|| class.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_errors() {
        let class = |text| error_class(text).unwrap_or_default();
        assert_eq!(class("Exit code 128\nfatal: no"), "exit 128");
        assert_eq!(
            class("<tool_use_error>InputValidationError: Read failed"),
            "InputValidationError"
        );
        assert_eq!(class("ENOENT: no such file"), "ENOENT");
        assert_eq!(class("<tool_use_error>File does not exist.</tool_use_error>"), "");
        assert_eq!(class("Note: this is no class"), "");
        assert_eq!(class("Exit code \u{661}"), "");
    }
}
