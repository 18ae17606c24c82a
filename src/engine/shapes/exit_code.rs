//! Exit codes that a tool prints in its result.
//!
//! Some producers report a command that failed as a call that worked, with the exit code in the text (`EXIT CODE:
//! 100`). Only the first and the last line count, and only if the line contains nothing else, because a text about exit
//! codes is not an exit code.

use crate::fields::JsonValue;
use crate::kit::Description;
use traceloupe_core::json::Json;
use traceloupe_core::model::{ErrorId, ErrorLabel, EventId, EventKind, Status, TraceBuilder};

/// How many bytes at either end of a result are examined.
const LOOK_BYTES: usize = 160;

/// Sets the exit code in the output of a call as its error label, if the code is not 0 and the producer does not report
/// the call as failed. The call's status stays as it is.
pub fn name_exit_code<'a>(
    call: EventId,
    result: Option<impl JsonValue<'a>>,
    out: &mut TraceBuilder,
) {
    let is_open = |status| matches!(status, Status::Ok | Status::Unknown);
    let event = out.trace().event(call);
    let is_wanted = event.is_some_and(|event| {
        event.kind == EventKind::ToolCall && is_open(event.status) && event.error == ErrorId::NONE
    });
    let Some(result) = result.filter(|_| is_wanted) else { return };
    let error = out.error(&printed(result.json()));
    if let Some(event) = out.event_mut(call) {
        event.error = error;
    }
}

/// The exit code in the output of a call, if it is not 0.
pub fn printed(result: Json<'_>) -> ErrorLabel<&'static str> {
    match exit_code(result.raw()) {
        Some(code) => ErrorLabel::PrintedExitCode(code.into()),
        None => ErrorLabel::None,
    }
}

/// The exit code in a text after a mark; absent if there is none. If there are several marks, the last one counts.
pub fn told_after<'a>(text: &str, mark: &str, out: &Description<'a>) -> Json<'a> {
    let told = text.rsplit_once(mark).map(|(_, rest)| rest.trim_start());
    let code = told.and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest.get(..end)?.parse::<i32>().ok()
    });
    code.map_or(Json::ABSENT, |code| out.json(&code.to_string()))
}

/// The exit code in the lines that Codex prints before the output of a command, and which conversations made from its
/// sessions contain; absent if there are none.
pub fn of_codex<'a>(content: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let first = content.get("0.text");
    let content = if first.is_given() { first } else { content };
    let begins = ["\"Command: ", "\"Chunk ID: ", "\"Wall time: "];
    if !begins.iter().any(|begin| content.raw().starts_with(begin)) {
        return Json::ABSENT;
    }
    let text = content.text().unwrap_or_default();
    told_after(head_of_codex(&text), "\nProcess exited with code ", out)
}

/// The lines that Codex writes about a command before its output, after the command itself, which may have many lines.
/// Of any other text, its beginning.
#[must_use]
pub fn head_of_codex(text: &str) -> &str {
    const HEAD_BYTES: usize = 400;
    let from = match text.starts_with("Command: ") {
        true => ["\nChunk ID: ", "\nWall time: "].iter().find_map(|mark| text.find(mark)),
        false => Some(0),
    };
    let head = text.get(from.unwrap_or(text.len())..).unwrap_or_default();
    let head = head.split_once("\nOutput:").map_or(head, |(head, _)| head);
    head.get(..head.floor_char_boundary(HEAD_BYTES)).unwrap_or(head)
}

/// The exit code in the lines that Gemini CLI and Qwen Code write after the output of a command; absent if there are
/// none.
pub fn of_gemini<'a>(text: &str, out: &Description<'a>) -> Json<'a> {
    match text.starts_with("Output: ") || text.starts_with("Command: ") {
        true => told_after(text, "\nExit Code: ", out),
        false => Json::ABSENT,
    }
}

/// The exit code in the first or last line of a result, if it is not 0. `result` is raw JSON: a string,
/// or content blocks.
fn exit_code(result: &str) -> Option<i32> {
    first_line(result).and_then(code_of_line).or_else(|| last_line(result).and_then(code_of_line))
}

/// The first line of the first text, if it ends within the examined bytes.
fn first_line(result: &str) -> Option<&str> {
    let head = result.get(..result.floor_char_boundary(LOOK_BYTES)).unwrap_or(result);
    let text = match head.as_bytes().first()? {
        b'"' => head.get(1..)?,
        b'[' => {
            // The key, as opposed to the same word as the type of the block.
            let mut texts = head.split("\"text\"").skip(1);
            texts.find_map(|rest| {
                rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')
            })?
        }
        _ => return None,
    };
    let (line, rest) = text.split_at_checked(text.find(['"', '\\'])?)?;
    ["\"", "\\n", "\\r"].iter().any(|end| rest.starts_with(end)).then_some(line)
}

/// The last of several lines.
fn last_line(result: &str) -> Option<&str> {
    let from = result.ceil_char_boundary(result.len().saturating_sub(LOOK_BYTES));
    let tail = result.get(from..)?.trim_end_matches([']', '}', ' ', '\n', '\r', '\t']);
    let mut text = tail.strip_suffix('"')?;
    while let Some(rest) = ["\\n", "\\r", " "].iter().find_map(|end| text.strip_suffix(end)) {
        text = rest;
    }
    // The line has no escapes, so the last backslash belongs to the line break before it.
    let (_, line) = text.rsplit_once('\\')?;
    line.strip_prefix('n')
}

/// The code in a line such as `Exit code 1`, `EXIT CODE: 100` or `[exit code: 2]`.
fn code_of_line(line: &str) -> Option<i32> {
    const WORDS: [&str; 2] = ["exit code", "exit_code"];
    let line = line.trim_matches(['[', ']', '(', ')', '<', '>', '.', ' ']);
    let (words, rest) = line.split_at_checked(WORDS[0].len())?;
    if !WORDS.iter().any(|it| words.eq_ignore_ascii_case(it)) {
        return None;
    }
    let rest = rest.trim_start();
    let number = rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start();
    number.parse().ok().filter(|code| *code != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_or_last_line_is_read() {
        for (result, code) in [
            (r#""EXIT CODE: 100\n\nSTDERR:\nPermission denied""#, Some(100)),
            (r#""Exit code 1\nfatal: no""#, Some(1)),
            (r#""Exit code 2""#, Some(2)),
            (r#""exit_code=3\r\nx""#, Some(3)),
            (r#""several\nlines\n[exit code: 4]\n""#, Some(4)),
            (r#"[{"type":"text","text":"EXIT CODE: 5\n\nSTDOUT:\n"}]"#, Some(5)),
            (r#"[{"type": "text", "text": "out\nexit code: 6"} ]"#, Some(6)),
            (r#""Exit code: -1""#, Some(-1)),
        ] {
            assert_eq!(exit_code(result), code, "{result}");
        }
    }

    #[test]
    fn the_lines_about_a_command_are_after_it() {
        let head = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2";
        let long = "echo a\n".repeat(200);
        for (text, expected) in [
            (format!("{head}\nOutput:\nProcess exited with code 0"), head.to_owned()),
            (format!("Command: sh -c '{long}'\n{head}\nOutput:\n"), format!("\n{head}")),
            ("Command: sh -c 'a\nb'".to_owned(), String::new()),
            ("aborted by user".to_owned(), "aborted by user".to_owned()),
        ] {
            assert_eq!(head_of_codex(&text), expected);
        }
    }

    #[test]
    fn what_is_not_alone_on_its_line_is_no_exit_code() {
        for result in [
            r#""EXIT CODE: 0\n\nSTDOUT:\nok""#,
            r#""exit code 3 means that the disk is full""#,
            r#""The manual:\nexit code 3 means that the disk is full""#,
            r#""a\nexit code 3\nb""#,
            r#""process has exit code 3""#,
            r#""exit codes""#,
            r#"{"output":"exit code 3"}"#,
            r#"[{"type":"image","text":5}]"#,
            "\"exit code 12",
            "\"",
            "",
            "[",
            "7",
        ] {
            assert_eq!(exit_code(result), None, "{result}");
        }
        let long = format!("\"{}é\\nexit code 9\"", "é".repeat(200));
        assert_eq!(exit_code(&long), Some(9), "cut between characters");
        let cut = format!("\"exit code 1{}\"", "1".repeat(300));
        assert_eq!(exit_code(&cut), None);
    }
}
