//! Results of tools: joined to their calls, whichever is read first.

use super::link_keys;
use super::reader::{Item, SessionReader, set_starter};
use crate::blocks::{Block, first_text};
use crate::wire::ToolUseResult;
use traceloupe_core::model::{
    ErrorLabel, EventId, EventKind, Flags, MaybeNs, Status, TimeBasis, TraceBuilder, key_hash,
};
use traceloupe_engine::shapes::exit_code::name_exit_code;
use traceloupe_engine::weave::call_keys::note_failure;

/// The name of a result whose call has not been read.
pub(super) const EARLY_RESULT: &str = "tool-result";

/// The beginning of a result if the model got only a part; the whole result is in a file (2.1).
const PERSISTED: &str = "\"<persisted-output>";

/// The beginning of the result of an interrupted call.
const INTERRUPTED: &str = "[Request interrupted by user";

/// The beginnings of the result of a refused call.
const REFUSED: [&str; 3] = [
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "User rejected tool use",
];

/// The tool that runs commands, and how long a command may run without a limit of its own:
/// <https://code.claude.com/docs/en/settings> (`BASH_DEFAULT_TIMEOUT_MS`).
const COMMANDS: &str = "Bash";
const COMMAND_LIMIT_NS: i64 = 120_000_000_000;

/// What Claude Code makes of the exit code of a search or a comparison.
const NO_MATCH: [&str; 3] = ["No matches found", "Files differ", "Condition is false"];

impl SessionReader {
    /// Joins a result to its call. `is_only`: the record's `toolUseResult` belongs to this result.
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
        let class = out.error(&class);
        let told_ns = rich.as_ref().and_then(duration_ns);
        if let Some(event) = out.event_mut(call) {
            event.status = status;
            event.error = class;
            if block.content.json().is_some_and(|json| json.starts_with(PERSISTED)) {
                event.flags.set(Flags::TRUNCATED);
            }
            event.result_hash = block.content.fingerprint();
            let basis = if told_ns.is_some() { TimeBasis::Stated } else { TimeBasis::Elapsed };
            let elapsed_ns = elapsed_ns.filter(|elapsed| *elapsed >= 0);
            event.set_duration(MaybeNs::from(told_ns.or(elapsed_ns)), basis);
            out.note_elapsed(call, elapsed_ns.into());
        }
        let limit_ns = self.time_limits.get(&call).copied().unwrap_or(COMMAND_LIMIT_NS);
        if elapsed_ns > Some(limit_ns) && is_command(call, out) {
            out.note_time_limit(call, limit_ns);
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

fn is_command(call: EventId, out: &TraceBuilder) -> bool {
    out.trace().event(call).is_some_and(|event| out.trace().name(event.name) == COMMANDS)
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
        out.bind(link_keys::tool_call(&item.run_key, &tool_use_id), id);
    }
    item.link(link_keys::early_results(), id, out);
    id
}

/// The duration of the call, as the producer measured it.
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
) -> (Status, ErrorLabel<String>) {
    if rich.is_some_and(|rich| rich.interrupted.is_true()) {
        return (Status::Cancelled, ErrorLabel::None);
    }
    if !block.is_error.is_true() {
        let code = rich.and_then(|rich| rich.return_code.text()).unwrap_or_default();
        let is_no_match = NO_MATCH.contains(&&*code);
        return (if is_no_match { Status::NoMatch } else { Status::Ok }, ErrorLabel::None);
    }
    let text = first_text(block.content).text().unwrap_or_default();
    let told = item.tool_use_result.text().unwrap_or_default();
    let words =
        [text.trim_start(), told.trim_start(), told.trim_start_matches("Error: ").trim_start()];
    if words.iter().any(|it| REFUSED.iter().any(|start| it.starts_with(start))) {
        return (Status::Rejected, ErrorLabel::None);
    }
    if words.iter().any(|it| it.starts_with(INTERRUPTED)) {
        return (Status::Cancelled, ErrorLabel::None);
    }
    (Status::Failed, error_class(&text))
}

/// The class of an error at the beginning of its text: an exit code, `InputValidationError`, `ENOENT`.
fn error_class(text: &str) -> ErrorLabel<String> {
    let text = text.trim_start().trim_start_matches("<tool_use_error>").trim_start();
    let text = text.trim_start_matches("Error: ");
    if let Some(rest) = text.strip_prefix("Exit code ") {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).take(6).collect();
        return digits.parse().map_or(ErrorLabel::None, ErrorLabel::ExitCode);
    }
    let Some((class, _)) = text.split_once(':') else { return ErrorLabel::None };
    let is_word = !class.is_empty()
        && class.len() <= 60
        && class.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_code =
        class.len() > 2 && class.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_class = class.ends_with("Error") || class.ends_with("Exception") || is_code;
    match is_word && is_class {
        true => ErrorLabel::Type(class.to_owned()),
        false => ErrorLabel::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_errors() {
        let told = error_class("<tool_use_error>InputValidationError: Read failed");
        assert_eq!(told.as_str(), ErrorLabel::Type("InputValidationError"));
        assert_eq!(error_class("ENOENT: no such file").as_str(), ErrorLabel::Type("ENOENT"));
        assert_eq!(error_class("Exit code 128\nfatal: no"), ErrorLabel::ExitCode(128));
        for none in [
            "<tool_use_error>File does not exist.</tool_use_error>",
            "Note: this is no class",
            "Exit code \u{661}",
        ] {
            assert_eq!(error_class(none), ErrorLabel::None, "{none}");
        }
    }
}
