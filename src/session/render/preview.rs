//! The one-line summary of a row, made from the first bytes of the value chosen by the format.

use crate::render::call_preview::call_preview;
use crate::render::gist::Node;
use crate::render::script::is_script;
use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes, python_repr_to_json};
use traceloupe_core::visible_text;
use traceloupe_words::{one_line, tool_name};

/// How many bytes of a value are read for a summary.
pub const PREVIEW_BYTES: u32 = 2_048;

/// How many bytes of a user message are read for a summary: its words may follow a list of open files.
pub const MESSAGE_BYTES: u32 = 16 << 10;

/// How many bytes of a call's arguments are read for a summary. An edit is rarely longer.
pub const CALL_BYTES: u32 = 16 << 10;

/// The longest summary, in characters.
pub(super) const MAX_CHARS: usize = 260;

/// The prefix of the summary of an LLM call that only requests tool calls.
pub const ASKS: &str = "→ ";

/// The longest name of a tool, in characters.
const MAX_NAME_CHARS: usize = 80;

/// Keys of the text in a list of content blocks.
const TEXT_KEYS: [&str; 4] = ["text", "content", "thinking", "message"];

/// Makes the summary of a JSON value. `bytes` may be cut.
#[must_use]
pub fn preview(bytes: &[u8]) -> String {
    let mut tokens = Tokens::new(bytes);
    let Some(first) = tokens.next() else { return String::new() };
    let text = match first.kind {
        TokenKind::ObjectStart => object(bytes),
        TokenKind::ArrayStart => array(bytes),
        TokenKind::String | TokenKind::Fault => {
            string(&decode_string_bytes(bytes.get(first.start..).unwrap_or_default()))
        }
        TokenKind::Number => Node::read(bytes).gist(),
        TokenKind::Null => String::new(),
        _ => String::from_utf8_lossy(bytes.get(first.start..first.end).unwrap_or_default()).into(),
    };
    one_line(&text, MAX_CHARS)
}

/// Makes the summary of a text by a user or a model, without Markdown markup.
#[must_use]
pub fn prose_preview(bytes: &[u8]) -> String {
    without_marks(&preview(bytes))
}

/// A line without the markup of headings, rules, fences and strong text. Asterisks in paths and powers stay.
fn without_marks(line: &str) -> String {
    let is_mark = |word: &str| {
        let is_all = |mark: char| word.chars().all(|it| it == mark);
        is_all('#') && word.len() <= 6
            || word.len() >= 3 && (is_all('-') || is_all('*') || is_all('='))
            || word.starts_with("```")
    };
    let plain = |word: &str| {
        let inner = word.strip_prefix("**").unwrap_or(word);
        let begins =
            inner.len() < word.len() && !inner.is_empty() && !inner.starts_with(['/', '*', '.']);
        let inner = if begins { inner } else { word };
        let closed = inner.trim_end_matches(['.', ',', ':', ';', '!', '?', ')']);
        match closed.strip_suffix("**").filter(|it| !it.is_empty() && !it.ends_with(['/', '*'])) {
            Some(text) => format!("{text}{}", inner.get(closed.len()..).unwrap_or_default()),
            None => inner.to_owned(),
        }
    };
    line.split(' ').filter(|word| !is_mark(word)).map(plain).collect::<Vec<_>>().join(" ")
}

/// Makes the summary of an LLM call that only requests tool calls: the name of the only tool with its arguments, or the
/// names of all tools.
#[must_use]
pub fn asking(names: &[&str], arguments: &str) -> String {
    let name = |name: &&str| format!("{ASKS}{}", one_line(&tool_name(name), MAX_NAME_CHARS));
    let said = match names {
        [only] => format!("{} {arguments}", name(only)),
        several => several.iter().map(name).collect::<Vec<_>>().join(", "),
    };
    one_line(said.trim_end(), MAX_CHARS)
}

/// Makes the summary of bytes that begin inside a JSON string.
#[must_use]
pub fn text_preview(bytes: &[u8]) -> String {
    one_line(&decode_string_bytes(bytes), MAX_CHARS)
}

/// The text of a string. If it is JSON, or a dictionary as printed by Python, that value is summarised instead.
fn string(text: &str) -> String {
    let text: &str = &visible_text::visible_text(text);
    let trimmed = text.trim_start();
    let inner = match trimmed.as_bytes() {
        [b'{', b'\'', ..] | [b'[', b'{', b'\'', ..] => python_repr_to_json(trimmed),
        [b'{', b'"', ..] | [b'[', b'{', ..] => Some(trimmed.to_owned()),
        // Some producers encode arguments twice.
        [b'"', b'{', ..] => Some(decode_string_bytes(trimmed.as_bytes()).into_owned()),
        _ => None,
    };
    match inner.as_deref().map(str::as_bytes) {
        Some(inner @ [b'{', ..]) => object(inner),
        Some(inner @ [b'[', ..]) => array(inner),
        _ => one_line(text, MAX_CHARS),
    }
}

/// The calls of a message; otherwise the members, most informative first.
fn object(bytes: &[u8]) -> String {
    calls_of_message(bytes).unwrap_or_else(|| Node::read(bytes).gist())
}

/// The tool calls of a message without text: `→ search city: "Graz"`, or `→ search, → book`.
fn calls_of_message(bytes: &[u8]) -> Option<String> {
    let (mut field, mut has_words) = (String::new(), false);
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Key if token.depth == 1 => field = decode_string_bytes(text).into_owned(),
            TokenKind::String if field == "content" && token.depth == 1 => {
                has_words |= text.len() > 2;
            }
            _ => {}
        }
    }
    if has_words { None } else { calls(bytes) }
}

/// Keys of the arguments of a call.
const ARGUMENT_KEYS: [&str; 4] = ["arguments", "args", "input", "action"];

/// An open object or list in the search of [`calls`].
#[derive(Default)]
struct Level {
    /// The key of this value.
    key: String,
    word: String,
    name: String,
    has_id: bool,
    /// Whether its arguments are under the key `arguments`, which only calls have.
    has_arguments: bool,
    arguments: Option<std::ops::Range<usize>>,
}

impl Level {
    fn is_call(&self) -> bool {
        let is_of_calls =
            ["tool_calls", "toolCalls", "function", "functionCall", "function_call", "toolUse"]
                .contains(&self.key.as_str())
                || ["call", "tool_use", "function"].iter().any(|word| self.word.contains(word));
        let is_sure = ["_call", "tool_use", "tool-call"].iter().any(|end| self.word.ends_with(end));
        let has_arguments = self.arguments.is_some();
        let is_call = has_arguments && (is_of_calls || self.has_id || self.has_arguments);
        (is_sure || is_call) && !self.name().is_empty()
    }

    /// The name of the tool. Tools run by the API itself are named by their type, and so are tools of the AI SDK.
    fn name(&self) -> &str {
        let typed = self.word.strip_prefix("tool-").filter(|_| self.has_id);
        match self.word.strip_suffix("_call").or(typed) {
            Some(word) if self.name.is_empty() && word != "function" => word,
            _ => &self.name,
        }
    }
}

/// Moves arguments from the state object of a call to the call, for OpenCode's format.
fn lift_arguments(open: &mut [Level]) {
    if let [.., call, state] = open
        && state.key == "state"
    {
        call.arguments.clone_from(&state.arguments);
    }
}

/// The tool calls in a message, a call, or a list of either.
fn calls(bytes: &[u8]) -> Option<String> {
    let mut open: Vec<Level> = Vec::new();
    let mut key = String::new();
    let mut found: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    let mut inside_arguments = None;
    for token in Tokens::new(bytes) {
        let is_start = matches!(token.kind, TokenKind::ObjectStart | TokenKind::ArrayStart);
        let is_end = matches!(token.kind, TokenKind::ObjectEnd | TokenKind::ArrayEnd);
        if let Some(depth) = inside_arguments {
            if !is_end || open.len() != depth {
                // Only the depth matters.
                match (is_start, is_end) {
                    (true, _) => open.push(Level::default()),
                    (_, true) => drop(open.pop()),
                    _ => {}
                }
                continue;
            }
            inside_arguments = None;
            open.pop();
            if let Some(range) = open.last_mut().and_then(|level| level.arguments.as_mut()) {
                range.end = token.end;
            }
            lift_arguments(&mut open);
            continue;
        }
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        let is_arguments = ARGUMENT_KEYS.contains(&key.as_str());
        if token.kind != TokenKind::Key
            && !is_end
            && is_arguments
            && let Some(level) = open.last_mut()
        {
            let end = if is_start { bytes.len() } else { token.end };
            level.arguments = Some(token.start..end);
            level.has_arguments = key == "arguments";
            lift_arguments(&mut open);
        }
        match token.kind {
            TokenKind::Key => key = decode_string_bytes(text).into_owned(),
            _ if is_start => {
                let is_list =
                    open.last().is_some_and(|level| key.is_empty() && !level.key.is_empty());
                let key = match is_list {
                    // Items of a list count under the key of the list.
                    true => open.last().map(|level| level.key.clone()).unwrap_or_default(),
                    false => std::mem::take(&mut key),
                };
                open.push(Level { key, ..Level::default() });
                inside_arguments = is_arguments.then_some(open.len());
            }
            _ if is_end => {
                key.clear();
                let level = open.pop().filter(Level::is_call);
                found.extend(
                    level.map(|it| (it.name().to_owned(), it.arguments.unwrap_or_default())),
                );
            }
            TokenKind::String => {
                let Some(level) = open.last_mut() else { continue };
                match std::mem::take(&mut key).as_str() {
                    "type" => level.word = decode_string_bytes(text).into_owned(),
                    "name" | "function" | "tool" | "toolName" | "tool_name" | "function_name" => {
                        level.name = decode_string_bytes(text).into_owned();
                    }
                    "id" | "call_id" | "toolUseId" | "tool_use_id" | "toolCallId"
                    | "tool_call_id" => {
                        level.has_id = true;
                    }
                    _ => {}
                }
            }
            _ => key.clear(),
        }
    }
    // The end of a long call was cut off.
    let cut = open.into_iter().rfind(Level::is_call);
    found.extend(cut.map(|it| (it.name().to_owned(), it.arguments.unwrap_or_default())));
    let names: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
    let arguments = match found.as_slice() {
        [] => return None,
        [(_, only)] => arguments_of(bytes.get(only.clone()).unwrap_or_default()),
        _ => String::new(),
    };
    Some(asking(&names, &arguments))
}

/// The arguments of a call: an object, JSON in a string, or plain text.
fn arguments_of(bytes: &[u8]) -> String {
    let decoded = match bytes {
        [b'"', ..] => decode_string_bytes(bytes),
        _ => String::from_utf8_lossy(bytes),
    };
    match decoded.trim_start() {
        object if object.starts_with('{') => call_preview(object.as_bytes(), "").text,
        words if words.starts_with("*** Begin Patch") || is_script(words) => {
            call_preview(bytes, "").text
        }
        words => words.to_owned(),
    }
}

/// The text of the first content block that has text; otherwise the calls, or the types of the items.
fn array(bytes: &[u8]) -> String {
    let (mut key, mut added) = (String::new(), None);
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Key => {
                key = decode_string_bytes(text).into_owned();
                continue;
            }
            TokenKind::String | TokenKind::Fault if token.depth == 2 || token.depth == 4 => {
                let text = decode_string_bytes(text);
                let (words, is_added) = visible_text::text_and_origin(&text);
                let words = one_line(&words, MAX_CHARS);
                if TEXT_KEYS.contains(&key.as_str()) && !words.is_empty() {
                    // Text added by a program often precedes the user's text.
                    if !is_added {
                        return words;
                    }
                    added.get_or_insert(words);
                }
            }
            _ => {}
        }
        key.clear();
    }
    added.or_else(|| calls(bytes)).unwrap_or_else(|| Node::read(bytes).gist())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_has_its_summary() {
        let cases = [
            (r#""two\nlines  here""#, "two lines here"),
            (
                r#"{"city":"Graz","n":3,"f":{"x":[1]},"ok":true}"#,
                "city: \"Graz\", n: 3, ok: true, f.x: 1",
            ),
            (r#"{"n":3,"command":"make test"}"#, "command: \"make test\", n: 3"),
            (r#"[{"type":"text","text":"hello"}]"#, "hello"),
            (r#"[{"id":"m","content":[{"type":"output_text","text":"done"}]}]"#, "done"),
            (
                r#"[{"type":"function_call","name":"look","arguments":"{\"id\":1}"}]"#,
                "→ look id: 1",
            ),
            (
                r#"[{"type":"tool_use","id":"t","name":"look","input":{"name":"x","input":{"n":1}}},{"type":"tool_use","id":"u","name":"go","input":{}}]"#,
                "→ look, → go",
            ),
            (r#"[{"functionCall":{"name":"look","args":{"id":1}}}]"#, "→ look id: 1"),
            (
                r#"{"id":"p","type":"tool","tool":"look","state":{"status":"completed","input":{"id":1}}}"#,
                "→ look id: 1",
            ),
            (r#"[{"toolUse":{"toolUseId":"t","name":"look","input":{"id":1}}}]"#, "→ look id: 1"),
            (r#"[{"id":"a","function":"look","arguments":{},"type":"function"}]"#, "→ look"),
            (
                r#"{"type":"web_search_call","status":"completed","action":{"query":"x"}}"#,
                "→ web_search x",
            ),
            (r#"{"name":"look","arguments":"{\"id\":1}"}"#, "→ look id: 1"),
            (r#"{"type":"tool-look","toolCallId":"c","input":{"id":1}}"#, "→ look id: 1"),
            (r#"{"type":"function_call","name":"look","call_id":"c"}"#, "→ look"),
            (
                r#"[{"type":"function","function":{"name":"look","description":"x","parameters":{"type":"object"}}}]"#,
                "look",
            ),
            (r#"{"name":"x","input":{"a":1}}"#, "name: \"x\", input.a: 1"),
            (r#""{\"city\":\"Graz\"}""#, "city: \"Graz\""),
            (r#""\"{\\\"city\\\": 1}\"""#, "city: 1"),
            (r#""[{'role': 'user', 'content': 'hi'}]""#, "hi"),
            (
                r#"{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"look","arguments":"{}"}}]}"#,
                "→ look",
            ),
            (r#""<system-reminder>mind</system-reminder>\nFix \u001b[1mit\u001b[0m""#, "Fix it"),
            (
                r##""# Context from my IDE setup:\n\n- a.rs\n\n## My request for Codex:\nFix it""##,
                "Fix it",
            ),
            (
                r#""<subagent_notification>\n{\"path\":\"/x\"}</subagent_notification>""#,
                "path: \"/x\"",
            ),
            (
                r#"[{"type":"text","text":"<system-reminder>mind</system-reminder>"},{"type":"text","text":"Fix it"}]"#,
                "Fix it",
            ),
            (r#"[{"type":"text","text":"<system-reminder>mind</system-reminder>"}]"#, "mind"),
            (r#"["a",1,{"b":2}]"#, "a, 1, 2"),
            ("null", ""),
            ("[]", ""),
            ("{}", ""),
            ("42", "42"),
            ("0.029804999999999998", "0.0298"),
            ("", ""),
        ];
        for (json, expect) in cases {
            assert_eq!(preview(json.as_bytes()), expect, "{json}");
        }
    }

    #[test]
    fn words_stand_without_the_marks_of_markdown() {
        let cases = [
            (
                "## Plan\n\n**First** look, **then test**.\n---\nDone",
                "Plan First look, then test. Done",
            ),
            ("```sh\nmake\n```", "make"),
            ("look at **/*.rs and src/** for 2**3", "look at **/*.rs and src/** for 2**3"),
            ("#12 is # one", "#12 is one"),
            ("/add **", "/add **"),
        ];
        for (text, expect) in cases {
            assert_eq!(prose_preview(traceloupe_core::json::text::quoted(text).as_bytes()), expect);
        }
    }

    #[test]
    fn a_cut_value_gives_what_is_there() {
        assert_eq!(preview(br#""the beginning of"#), "the beginning of");
        assert_eq!(preview(br#"{"city":"Gr"#), "city: \"Gr\"");
        assert_eq!(
            preview(br#"{"type":"function_call","name":"look","arguments":"{\"city\":\"Gr"#),
            "→ look city: \"Gr\""
        );
        assert!(preview(format!("\"{}\"", "ab ".repeat(500)).as_bytes()).ends_with('…'));
    }
}
