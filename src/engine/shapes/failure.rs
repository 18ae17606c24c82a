//! How a call failed, from the text of its error: it took too long, there is no such tool, and so on. Only producers that
//! state the failure itself are believed: a text about a failure is none.

use traceloupe_core::json::Json;
use traceloupe_core::model::{ErrorLabel, Status};
use traceloupe_core::reason::is_about;

/// Beginnings of errors, in lower case.
const BEGINNINGS: [(&str, Status); 49] = [
    ("command timed out", Status::TimedOut),
    ("timed out", Status::TimedOut),
    ("timeout", Status::TimedOut),
    ("the operation timed out", Status::TimedOut),
    ("request timed out", Status::TimedOut),
    ("tool execution timed out", Status::TimedOut),
    ("mcp error -32001", Status::TimedOut),
    ("command killed by timeout", Status::TimedOut),
    ("command aborted", Status::Cancelled),
    // Claude Code does not run the other calls of a message once one of them has failed.
    ("sibling tool call errored", Status::Cancelled),
    ("cancelled: parallel tool call", Status::Cancelled),
    ("the tool call is rejected by the user", Status::Rejected),
    // What the user refuses a sub-agent.
    ("permission for this tool use was denied", Status::Rejected),
    ("no such tool", Status::UnknownTool),
    ("unknown tool", Status::UnknownTool),
    ("unknowntool", Status::UnknownTool),
    ("unknown_tool", Status::UnknownTool),
    ("unknown function", Status::UnknownTool),
    ("tool not found", Status::UnknownTool),
    ("toolnotfound", Status::UnknownTool),
    ("tool_not_found", Status::UnknownTool),
    ("unsupported call", Status::UnknownTool),
    ("model tried to call unavailable tool", Status::UnknownTool),
    ("mcp error -32601", Status::UnknownTool),
    ("inputvalidationerror", Status::BadArguments),
    ("invalid arguments", Status::BadArguments),
    ("invalid tool arguments", Status::BadArguments),
    ("invalid_tool_arguments", Status::BadArguments),
    ("invalid input for tool", Status::BadArguments),
    ("invalid parameters", Status::BadArguments),
    ("failed to parse function arguments", Status::BadArguments),
    ("failed to parse arguments", Status::BadArguments),
    ("error parsing json arguments", Status::BadArguments),
    ("error validating json arguments", Status::BadArguments),
    ("validation failed for tool", Status::BadArguments),
    ("the required parameter", Status::BadArguments),
    ("missing required argument", Status::BadArguments),
    ("missing required parameter", Status::BadArguments),
    ("missing value for required parameter", Status::BadArguments),
    ("params must have required property", Status::BadArguments),
    ("mcp error -32602", Status::BadArguments),
    ("permission to use", Status::Denied),
    ("permission_denied", Status::Denied),
    ("permissiondenied", Status::Denied),
    ("claude requested permissions", Status::Denied),
    ("this command requires approval", Status::Denied),
    ("blocked by", Status::Denied),
    ("pretooluse:", Status::Denied),
    ("sandbox denied", Status::Denied),
];

/// What the first line of an error contains if a policy refused the call, in lower case.
const DENIALS: [&str; 4] = [
    "was blocked. for security",
    "denied by policy",
    "blocked by policy",
    "the following parts require approval",
];

/// The outcome of a call with an error or an exit code. `is_search`: whether the exit code is that of a search or a
/// comparison, which has failed only if it says why.
#[must_use]
pub fn outcome(stated: Status, label: ErrorLabel<&str>, is_search: bool, text: &str) -> Status {
    let exit_code = label.exit_code();
    let may_be_open = matches!(stated, Status::Failed | Status::Ok | Status::Unknown);
    if may_be_open && is_search && exit_code == Some(1) && !complains(text) {
        return Status::NoMatch;
    }
    if stated != Status::Failed {
        return stated;
    }
    // Programs may wrap their message in an object.
    let object = if text.starts_with('{') { Json::new(text) } else { Json::ABSENT };
    let message = object.any(&["error.message", "error", "message"]).text();
    let text = message.as_deref().unwrap_or(text);
    let line = text.lines().map(bare).find(|line| !line.is_empty() && !is_about(line));
    let line = line.unwrap_or_default();
    let line =
        line.get(..line.floor_char_boundary(LINE_BYTES)).unwrap_or(line).to_ascii_lowercase();
    if exit_code.is_some() {
        // The programs that a command runs have errors of their own.
        return if line.starts_with("command timed out") { Status::TimedOut } else { stated };
    }
    let kind = match label {
        ErrorLabel::Type(name) => name.to_ascii_lowercase(),
        ErrorLabel::None | ErrorLabel::ExitCode(_) | ErrorLabel::PrintedExitCode(_) => {
            String::new()
        }
    };
    let of = |text: &str| BEGINNINGS.iter().find(|it| text.starts_with(it.0)).map(|it| it.1);
    let is_denied = DENIALS.iter().any(|words| line.contains(words));
    let denied = is_denied.then_some(Status::Denied);
    of(&line).or_else(|| of(&kind)).or(denied).unwrap_or(stated)
}

/// How much of a line is examined, in bytes.
const LINE_BYTES: usize = 300;

/// A line without what programs put before an error.
fn bare(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches("<tool_use_error>");
    line.trim_start_matches("Error: ").trim_start_matches("error: ").trim_end()
}

/// Whether a line is from a shell or a program that could not do what it was told: `cat: a: No such file or directory`.
fn complains(text: &str) -> bool {
    const COMPLAINTS: [&str; 13] = [
        "no such file",
        "not found",
        "no matches found",
        "permission denied",
        "not permitted",
        "is a directory",
        "cannot ",
        "can't ",
        "could not ",
        "invalid ",
        "unrecognized",
        "unknown ",
        "syntax error",
    ];
    const BEGINNINGS: [&str; 4] = ["fatal: ", "error: ", "usage: ", "traceback "];
    text.lines().filter(|line| !is_about(line)).any(|line| {
        let line = line.get(..line.floor_char_boundary(LINE_BYTES)).unwrap_or(line);
        let line = line.trim_start().to_ascii_lowercase();
        let Some((program, rest)) = line.split_once(": ") else {
            return BEGINNINGS.iter().any(|words| line.starts_with(words));
        };
        let is_program = !program.is_empty() && !program.contains([' ', '<', '>', '+']);
        BEGINNINGS.iter().any(|words| line.starts_with(words)) && !rest.starts_with("(none)")
            || is_program && COMPLAINTS.iter().any(|words| rest.contains(words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_told_by_the_beginning_of_its_text() {
        let failed = |text: &str| outcome(Status::Failed, ErrorLabel::None, false, text);
        for (text, expected) in [
            ("<tool_use_error>InputValidationError: no `lamp`", Status::BadArguments),
            ("<tool_use_error>Error: No such tool available: lamp", Status::UnknownTool),
            ("Error: Command timed out after 2m 0.0s", Status::TimedOut),
            ("Permission to use Bash has been denied.", Status::Denied),
            ("cd in '/' was blocked. For security, only /a is allowed", Status::Denied),
            (
                "This Bash command contains multiple operations. The following parts require approval: light",
                Status::Denied,
            ),
            ("<tool_use_error>Sibling tool call errored</tool_use_error>", Status::Cancelled),
            (
                "<tool_use_error>Cancelled: parallel tool call Bash(light) errored",
                Status::Cancelled,
            ),
            (
                "Permission for this tool use was denied. The tool use was rejected",
                Status::Rejected,
            ),
            ("Error validating JSON arguments: no `lamp`", Status::BadArguments),
            (
                "{\n  \"status\": \"error\",\n  \"error\": \"Missing required parameter: path\"\n}",
                Status::BadArguments,
            ),
            (
                "Validation failed for tool \"light\":\n  - lamp: must be object",
                Status::BadArguments,
            ),
            ("MCP error -32602: wrong", Status::BadArguments),
            ("The lamp broke: timed out", Status::Failed),
            ("", Status::Failed),
        ] {
            assert_eq!(failed(text), expected, "{text}");
        }
        let code = ErrorLabel::ExitCode(1);
        assert_eq!(outcome(Status::Failed, code, false, "TimeoutError: late"), Status::Failed);
        let late = "Exit code 143\nCommand timed out after 2m 0.0s";
        assert_eq!(
            outcome(Status::Failed, ErrorLabel::ExitCode(143), false, late),
            Status::TimedOut
        );
        let kind = ErrorLabel::Type("TimeoutError");
        assert_eq!(outcome(Status::Failed, kind, false, "late"), Status::TimedOut);
        assert_eq!(outcome(Status::Rejected, kind, false, "timeout"), Status::Rejected);
    }

    #[test]
    fn a_search_that_found_nothing_has_not_failed() {
        let of = |code, text: &str| outcome(Status::Failed, ErrorLabel::ExitCode(code), true, text);
        for text in ["Exit code 1", "", "0", "1c1\n< error: a\n---\n> error: b", "a.rs\nb.rs"] {
            assert_eq!(of(1, text), Status::NoMatch, "{text}");
        }
        for text in [
            "zsh:1: no matches found: *.rs",
            "Exit code 1\ncat: a: No such file or directory",
            "fatal: not a git repository",
            "bash: line 1: rg: command not found",
        ] {
            assert_eq!(of(1, text), Status::Failed, "{text}");
        }
        assert_eq!(of(2, ""), Status::Failed);
        let printed = ErrorLabel::PrintedExitCode(1);
        assert_eq!(outcome(Status::Ok, printed, true, "EXIT CODE: 1"), Status::NoMatch);
        assert_eq!(outcome(Status::Ok, printed, false, "EXIT CODE: 1"), Status::Ok);
        assert_eq!(outcome(Status::Cancelled, printed, true, ""), Status::Cancelled);
    }
}
