//! Why a call failed, from the text of its error or of its result.

use crate::render::detail::read_escaped;
use crate::render::gist::Node;
use crate::render::values::{ReadError, ReadSpan};
use traceloupe_core::model::{Block, Detail, ErrorLabel, Span, Value};
use traceloupe_core::reason::{Reason, is_about};

/// How much of a result is read.
const MAX_BYTES: u32 = 16 << 10;

/// How much of its beginning and of its end is kept, in bytes. A stack trace ends with the error.
const KEPT_BYTES: usize = 6 << 10;

/// How much of the end of a longer result is read. Test runners and stack traces end with what failed.
const TAIL_BYTES: u32 = 8 << 10;

/// Keys of the text of an error, most informative first.
const KEYS: [&str; 9] =
    ["error", "message", "stderr", "detail", "reason", "text", "content", "output", "stdout"];

/// Why the event with these blocks failed. `stated` is the error as stated by the trace. It is used if the blocks state
/// nothing, or if it is an exit code and the blocks name no error type, because the exit code may have been recorded
/// after the result.
///
/// # Errors
/// If a value cannot be read.
pub fn failure(
    detail: &Detail,
    stated: ErrorLabel<&str>,
    read: ReadSpan<'_>,
) -> Result<Reason, ReadError> {
    let (mut error, text) = told(detail, read)?;
    if error.is_none() && (text.is_empty() || stated.exit_code().is_some()) {
        error = stated.map(str::to_owned);
    }
    Ok(Reason::of(error, &text))
}

/// The error in the blocks, and the text with the reason.
fn told(detail: &Detail, read: ReadSpan<'_>) -> Result<(ErrorLabel<String>, String), ReadError> {
    let (mut error, mut text) = (ErrorLabel::None, String::new());
    for block in &detail.blocks {
        let (kind, value) = match block {
            Block::Error { kind, message, .. } => (Some(kind), message.as_ref()),
            Block::Result(value) | Block::Log(_, value) => (None, Some(value)),
            _ => continue,
        };
        let words = value.map_or(Ok(String::new()), |value| text_of(value, read))?;
        // An error is more informative than a result, and the whole output of a command more than a report that it runs.
        if !says_anything(&text) || kind.is_some() && !words.is_empty() {
            text = cut(words);
        }
        if let Some(kind) = kind {
            error.clone_from(kind);
        }
    }
    Ok((error, text))
}

/// Whether a text has more than what a harness writes about a command.
fn says_anything(text: &str) -> bool {
    text.lines().any(|line| line.contains(char::is_alphanumeric) && !is_about(line))
}

/// The beginning and the end of a text.
fn cut(text: String) -> String {
    let (head, tail) = (
        text.get(..text.floor_char_boundary(KEPT_BYTES)).unwrap_or_default(),
        text.get(text.ceil_char_boundary(text.len().saturating_sub(KEPT_BYTES))..)
            .unwrap_or_default(),
    );
    if text.len() <= 2 * KEPT_BYTES { text } else { format!("{head}\n{tail}") }
}

fn text_of(value: &Value, read: ReadSpan<'_>) -> Result<String, ReadError> {
    let json = match value {
        Value::Text(text) => return Ok(text.clone()),
        Value::OwnedJson(json) => json.clone().into_bytes(),
        Value::Escaped(span) => read_escaped(*span, read)?.into_bytes(),
        Value::Json(span) | Value::JsonInString(span) => {
            let head = read(Span { len: span.len.min(MAX_BYTES), ..*span })?;
            let mut words = words_of(&Node::read(&head));
            if span.len > MAX_BYTES && head.starts_with(b"\"") {
                let start = span.start + u64::from(span.len - TAIL_BYTES);
                let tail = read(Span { start, len: TAIL_BYTES, ..*span })?;
                words.push_str(&end_of_string(&tail));
            }
            return Ok(words);
        }
    };
    Ok(words_of(&Node::read(&json)))
}

/// The whole lines at the end of a JSON string, each with a line break before it.
fn end_of_string(raw: &[u8]) -> String {
    let raw = String::from_utf8_lossy(raw);
    let from = raw.find("\\n").unwrap_or(raw.len());
    words_of(&Node::read(format!("\"{}", raw.get(from..).unwrap_or_default()).as_bytes()))
}

/// The text of an error within a value.
fn words_of(node: &Node) -> String {
    let member = |key: &&str| {
        let of_key = node.members().iter().find(|it| it.0 == **key);
        of_key.map(|it| words_of(&it.1)).filter(|words| !words.trim().is_empty())
    };
    match node {
        Node::Text(text) => text.clone(),
        Node::List(items, _) => {
            items.iter().map(words_of).find(|words| !words.trim().is_empty()).unwrap_or_default()
        }
        Node::Object(_) => KEYS.iter().find_map(member).unwrap_or_else(|| node.gist()),
        Node::Word(_) | Node::Nothing => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::SourceId;

    fn of(blocks: Vec<Block>) -> (ErrorLabel<String>, String) {
        told(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new())).unwrap()
    }

    #[test]
    fn an_exit_code_of_the_trace_counts_where_the_blocks_name_no_error() {
        let of = |blocks: Vec<Block>, stated| {
            let detail = Detail { blocks, ..Detail::default() };
            failure(&detail, stated, &|_| Ok(Vec::new())).unwrap().error
        };
        let result = || Block::Result(Value::Text("no".to_owned()));
        assert_eq!(of(vec![result()], ErrorLabel::ExitCode(3)), ErrorLabel::ExitCode(3));
        assert_eq!(of(vec![result()], ErrorLabel::Type("E")), ErrorLabel::None);
        assert_eq!(of(Vec::new(), ErrorLabel::Type("E")), ErrorLabel::Type("E".to_owned()));
    }

    #[test]
    fn words_are_found_in_values() {
        let value = |json: &str| of(vec![Block::Result(Value::OwnedJson(json.to_owned()))]).1;
        assert_eq!(value(r#"[{"type":"text","text":"one\nit failed"}]"#), "one\nit failed");
        assert_eq!(value(r#"{"ok":false,"error":{"code":3,"message":"denied"}}"#), "denied");
        assert_eq!(value(r#"{"ok":false,"n":2}"#), "ok: false, n: 2");
        assert_eq!(value(r#""{\"stderr\":\"\",\"stdout\":\"bad\"}""#), "bad");
    }

    #[test]
    fn the_whole_output_is_asked_after_a_report_that_the_command_runs() {
        let result = |text: &str| Block::Result(Value::Text(text.to_owned()));
        let runs =
            "Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n";
        assert_eq!(of(vec![result(runs), result("it failed")]).1, "it failed");
        assert_eq!(of(vec![result("it failed"), result("more")]).1, "it failed");
    }

    #[test]
    fn an_error_is_asked_before_a_result() {
        let result = Block::Result(Value::Text("partly".to_owned()));
        let error = |message: Option<&str>| Block::Error {
            kind: ErrorLabel::Type("Timeout".to_owned()),
            message: message.map(|it| Value::Text(it.to_owned())),
            stack: None,
        };
        let said = |kind: &str, text: &str| (ErrorLabel::Type(kind.to_owned()), text.to_owned());
        assert_eq!(of(vec![result.clone(), error(Some("late"))]), said("Timeout", "late"));
        assert_eq!(of(vec![error(Some("late")), result.clone()]), said("Timeout", "late"));
        assert_eq!(of(vec![error(None), result]), said("Timeout", "partly"));
    }

    #[test]
    fn the_end_of_a_long_result_is_read() {
        let json = format!("\"first\\n{}\\nno \\\"wick\\\"\\n\"", "ü".repeat(30_000));
        let len = u32::try_from(json.len()).unwrap();
        let span = Span { source: SourceId::from_index(0), start: 0, len };
        let read = |span: Span| {
            let from = usize::try_from(span.start).unwrap();
            Ok(json.as_bytes()[from..from + span.len as usize].to_vec())
        };
        let detail = Detail { blocks: vec![Block::Result(Value::Json(span))], ..Detail::default() };
        let (_, text) = told(&detail, &read).unwrap();
        assert!(text.starts_with("first\n") && text.ends_with("\nno \"wick\"\n"), "{text}");
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = format!("first{}last", "ü".repeat(50_000));
        let (_, text) = of(vec![Block::Result(Value::Text(text))]);
        assert!(text.starts_with("firstü") && text.ends_with("ülast") && text.len() < 13_000);
    }
}
