//! Shows arguments of a call in a suitable form: commands, edits, new files, task lists. They are recognised by their
//! keys and types, never by the name of the tool, because every program names its tools differently. Other arguments
//! stay in a table.

use crate::render::detail::{MAX_TABLE_ROWS, Reader, is_json, read_escaped};
use crate::render::script::{is_script, patches as patches_in};
use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes};
use traceloupe_core::model::arguments::{COMMANDS, FILES};
use traceloupe_core::model::{BlockRole, FactKind, Span, Value};
use traceloupe_core::text::command::as_typed;
use traceloupe_core::text::diff::line_diff;
use traceloupe_core::text::highlight::language_of;
use traceloupe_core::text::patch::is_only_a_patch;
use traceloupe_protocol::detail::{ShownBlock, ValueForm};
use traceloupe_protocol::notes::ShownNote;
use traceloupe_protocol::value::Shown;

/// Larger arguments are shown as JSON instead of being analysed.
const MAX_BYTES: u32 = 256 * 1024;

/// Pairs of keys: a text and its replacement.
const EDIT_KEYS: [(&str, &str); 10] = [
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldString", "newString"),
    ("oldText", "newText"),
    ("old_text", "new_text"),
    ("old_content", "new_content"),
    ("search", "replace"),
    ("old", "new"),
    ("TargetContent", "ReplacementContent"),
    ("Target", "Replacement"),
];

/// Keys of a list of edits.
const EDITS_KEYS: [&str; 3] = ["edits", "replacements", "ReplacementChunks"];

/// Keys of the content of a new file.
const CONTENT_KEYS: [&str; 9] = [
    "content",
    "Content",
    "file_text",
    "contents",
    "text",
    "code_edit",
    "new_source",
    "CodeContent",
    "code",
];

/// Keys that, beside the path of a file, can only mean its content, so that even a single line is content.
pub(super) const WHOLE_KEYS: [&str; 5] =
    ["content", "Content", "file_text", "contents", "CodeContent"];

/// Keys of code to run.
const CODE_KEYS: [&str; 4] = ["code", "script", "python_code", "source_code"];

/// Keys of a task list, of the text of a task, and of its status.
const TASKS_KEYS: [&str; 4] = ["todos", "plan", "todo_list", "tasks"];
const TASK_KEYS: [&str; 6] = ["content", "step", "text", "title", "description", "task"];
const STATUS_KEYS: [&str; 2] = ["status", "state"];

/// An argument: its key, its JSON, and the value to show.
struct Argument {
    key: String,
    json: Vec<u8>,
    value: Value,
}

impl Argument {
    /// The text of a string.
    fn text(&self) -> Option<String> {
        let is_text = self.json.first() == Some(&b'"');
        is_text.then(|| decode_string_bytes(&self.json).into_owned())
    }
}

/// The blocks for the arguments of a call.
pub(super) fn show_arguments(role: BlockRole, value: &Value, read: &Reader<'_>) -> Vec<ShownBlock> {
    let Some(mut arguments) = members(value, read) else {
        return no_object(role, read.show(value), read);
    };
    let mut blocks = recognised(&mut arguments, read);
    if blocks.is_empty() || !arguments.is_empty() {
        let row = |argument: &Argument| {
            (FactKind::Other(argument.key.clone()), read.show(&argument.value))
        };
        blocks.push(ShownBlock::Table(role, arguments.iter().map(row).collect()));
    } else if role != BlockRole::Arguments {
        // Inside a message the name of the tool must not get lost.
        blocks.insert(0, ShownBlock::Note(ShownNote::Heading(role)));
    }
    blocks
}

/// The blocks for arguments that are not an object: a program with the patches in it, or any other value.
fn no_object(role: BlockRole, value: Shown, read: &Reader<'_>) -> Vec<ShownBlock> {
    let patches = match &value {
        Shown::Text(text, ..) if is_script(text) => patches_in(text),
        _ => return vec![ShownBlock::Value(role, ValueForm::Json, value)],
    };
    let mut blocks = vec![ShownBlock::Code(BlockRole::Code, "js".to_owned(), value)];
    blocks.extend(patches.into_iter().map(|it| patch_block(read.show(&Value::Text(it)))));
    if role != BlockRole::Arguments {
        blocks.insert(0, ShownBlock::Note(ShownNote::Heading(role)));
    }
    blocks
}

/// Takes out the arguments that are shown in a special form.
fn recognised(arguments: &mut Vec<Argument>, read: &Reader<'_>) -> Vec<ShownBlock> {
    let mut blocks = Vec::new();
    blocks.extend(command(arguments, read));
    let path = arguments.iter().find(|it| FILES.contains(&it.key.as_str()));
    let path = path.and_then(Argument::text).unwrap_or_default();
    let n_before = blocks.len();
    blocks.extend(edits(arguments, &path));
    blocks.extend(patches(arguments, read));
    blocks.extend(content(arguments, &path, read));
    if blocks.len() > n_before && !path.is_empty() {
        // The path is already the title of the block.
        arguments.retain(|it| !FILES.contains(&it.key.as_str()));
    }
    blocks.extend(tasks(arguments));
    blocks
}

fn take(arguments: &mut Vec<Argument>, wanted: impl Fn(&Argument) -> bool) -> Option<Argument> {
    let at = arguments.iter().position(wanted)?;
    Some(arguments.remove(at))
}

/// A command: a text or a list of words.
fn command(arguments: &mut Vec<Argument>, read: &Reader<'_>) -> Vec<ShownBlock> {
    let words = |it: &Argument| -> Option<String> {
        match it.text() {
            Some(text) => Some(text),
            None => serde_json::from_slice::<Vec<String>>(&it.json).ok().map(|it| as_typed(&it)),
        }
    };
    let is_command = |it: &Argument| {
        COMMANDS.contains(&it.key.as_str()) && words(it).is_some_and(|it| !it.trim().is_empty())
    };
    let n_others = arguments.len() - 1.min(arguments.len());
    let Some(argument) = take(arguments, is_command) else { return Vec::new() };
    let text = words(&argument).unwrap_or_default();
    let is_word = !text.contains(char::is_whitespace) && n_others > 0;
    let has_edit = arguments.iter().any(|it| {
        FILES.contains(&it.key.as_str()) || EDIT_KEYS.iter().any(|keys| keys.0 == it.key)
    });
    if is_word && has_edit {
        // It is the name of an action, such as `str_replace` of an editor, with a path.
        arguments.insert(0, argument);
        return Vec::new();
    }
    match text.split_once("*** Begin Patch") {
        Some((before, rest)) => {
            let end =
                rest.find("*** End Patch").map_or(rest.len(), |at| at + "*** End Patch".len());
            let patch = format!("*** Begin Patch{}", rest.get(..end).unwrap_or(rest));
            vec![
                ShownBlock::Command(read.show(&Value::Text(format!("{}…", before.trim_end())))),
                patch_block(read.show(&Value::Text(patch))),
            ]
        }
        None if argument.text().is_some() => vec![ShownBlock::Command(read.show(&argument.value))],
        None => vec![ShownBlock::Command(read.show(&Value::Text(text)))],
    }
}

/// The block role of a file, if its path is known.
fn file_of(path: &str) -> BlockRole {
    match path {
        "" => BlockRole::Untitled,
        path => BlockRole::File(path.to_owned()),
    }
}

fn patch_block(shown: Shown) -> ShownBlock {
    ShownBlock::Value(BlockRole::Untitled, ValueForm::Result, shown)
}

/// Edits of a file: a text and its replacement, once or as a list.
fn edits(arguments: &mut Vec<Argument>, path: &str) -> Vec<ShownBlock> {
    // Both texts are parts of a file. A part that ends within a line must not make its last line differ.
    let ended = |text: &str| match text {
        "" => String::new(),
        text if text.ends_with('\n') => text.to_owned(),
        text => format!("{text}\n"),
    };
    let diff = |old: &str, new: &str| {
        let lines = match ended(old) == ended(new) {
            true => line_diff(old, new),
            false => line_diff(&ended(old), &ended(new)),
        };
        ShownBlock::Diff(file_of(path), lines)
    };
    for (old, new) in EDIT_KEYS {
        let text = |key: &str| arguments.iter().find(|it| it.key == key).and_then(Argument::text);
        let (Some(before), Some(after)) = (text(old), text(new)) else { continue };
        arguments.retain(|it| it.key != old && it.key != new);
        return vec![diff(&before, &after)];
    }
    let list = |it: &Argument| -> Option<Vec<(String, String)>> {
        let items: Vec<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_slice(&it.json).ok()?;
        let pair = |item: &serde_json::Map<String, serde_json::Value>| {
            EDIT_KEYS.iter().find_map(|(old, new)| {
                Some((item.get(*old)?.as_str()?.to_owned(), item.get(*new)?.as_str()?.to_owned()))
            })
        };
        let pairs: Vec<_> = items.iter().filter_map(pair).collect();
        (!pairs.is_empty() && pairs.len() == items.len()).then_some(pairs)
    };
    let is_list = |it: &Argument| EDITS_KEYS.contains(&it.key.as_str()) && list(it).is_some();
    let found = take(arguments, is_list).and_then(|it| list(&it)).unwrap_or_default();
    found.iter().map(|(old, new)| diff(old, new)).collect()
}

/// Texts that are patches. A prompt that quotes a patch is text.
fn patches(arguments: &mut Vec<Argument>, read: &Reader<'_>) -> Option<ShownBlock> {
    let found = take(arguments, |it| it.text().is_some_and(|text| is_only_a_patch(&text)))?;
    Some(patch_block(read.show(&found.value)))
}

/// The content of a new file, or code to run.
fn content(arguments: &mut Vec<Argument>, path: &str, read: &Reader<'_>) -> Option<ShownBlock> {
    let is_long = |it: &Argument| it.text().is_some_and(|text| text.contains('\n'));
    if !path.is_empty() {
        let is_whole = |it: &Argument| {
            WHOLE_KEYS.contains(&it.key.as_str()) && it.text().is_some_and(|text| !text.is_empty())
        };
        let is_content = |it: &Argument| {
            CONTENT_KEYS.contains(&it.key.as_str()) && (is_long(it) || is_whole(it))
        };
        let found = take(arguments, is_content)?;
        let language = language_of(path).unwrap_or_default().to_owned();
        return Some(ShownBlock::Code(file_of(path), language, read.show(&found.value)));
    }
    let found = take(arguments, |it| CODE_KEYS.contains(&it.key.as_str()) && is_long(it))?;
    let named = arguments.iter().find(|it| it.key == "language").and_then(Argument::text);
    let language = named.unwrap_or_else(|| guessed(&found.text().unwrap_or_default()).to_owned());
    Some(ShownBlock::Code(BlockRole::Code, language, read.show(&found.value)))
}

/// A guess at the language of code that is not labelled. Only its colours depend on it.
fn guessed(code: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    match () {
        () if has(&["const ", "let ", "=> ", "function "]) => "js",
        () if has(&["import ", "def ", "print("]) => "python",
        () => "",
    }
}

/// A list of tasks.
fn tasks(arguments: &mut Vec<Argument>) -> Option<ShownBlock> {
    type Object = serde_json::Map<String, serde_json::Value>;
    let list = |it: &Argument| -> Option<Vec<(String, String)>> {
        let items: Vec<Object> = serde_json::from_slice(&it.json).ok()?;
        let word = |item: &Object, keys: &[&str]| {
            keys.iter().find_map(|key| item.get(*key)?.as_str().map(str::to_owned))
        };
        let task = |item: &Object| Some((word(item, &STATUS_KEYS)?, word(item, &TASK_KEYS)?));
        let tasks: Vec<_> = items.iter().filter_map(task).collect();
        (!tasks.is_empty() && tasks.len() == items.len()).then_some(tasks)
    };
    let is_list = |it: &Argument| TASKS_KEYS.contains(&it.key.as_str()) && list(it).is_some();
    Some(ShownBlock::Tasks(list(&take(arguments, is_list)?)?))
}

/// The members of an object. `None` for anything else, for an object with very many members, and if it cannot be read.
/// (In that case, showing the value as JSON reports the error.)
fn members(value: &Value, read: &Reader<'_>) -> Option<Vec<Argument>> {
    let (bytes, base) = bytes_of(value, read)?;
    let mut members = Vec::new();
    let mut key = None;
    let mut opened = None;
    for (at, token) in Tokens::new(&bytes).enumerate() {
        if at == 0 && token.kind != TokenKind::ObjectStart {
            return None;
        }
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        let range = match (token.kind, token.depth) {
            (TokenKind::Key, 1) => {
                key = Some(decode_string_bytes(text).into_owned());
                continue;
            }
            (TokenKind::ObjectStart | TokenKind::ArrayStart, 1) if at > 0 => {
                opened = Some(token.start);
                continue;
            }
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd, 1) if opened.is_some() => {
                (opened.take().unwrap_or_default(), token.end)
            }
            (_, 1) if opened.is_none() && key.is_some() => (token.start, token.end),
            _ => continue,
        };
        let json = bytes.get(range.0..range.1).unwrap_or_default().to_vec();
        let value = match base {
            Some(span) => {
                let len = u32::try_from(json.len()).unwrap_or(u32::MAX);
                Value::Json(Span { start: span.start + range.0 as u64, len, ..span })
            }
            None => Value::OwnedJson(String::from_utf8_lossy(&json).into_owned()),
        };
        members.push(Argument { key: key.take().unwrap_or_default(), json, value });
        if members.len() >= MAX_TABLE_ROWS {
            return None;
        }
    }
    Some(members)
}

/// The JSON of a value, and its place in the source if it occurs there in this form.
fn bytes_of(value: &Value, read: &Reader<'_>) -> Option<(Vec<u8>, Option<Span>)> {
    let span = match value {
        Value::Json(span) | Value::JsonInString(span) | Value::Escaped(span) => *span,
        Value::OwnedJson(json) => return Some((json.as_bytes().to_vec(), None)),
        Value::Text(_) => return None,
    };
    if span.len > MAX_BYTES {
        return None;
    }
    if matches!(value, Value::Escaped(_)) {
        return Some((read_escaped(span, read.read).ok()?.into_bytes(), None));
    }
    let bytes = (read.read)(span).ok()?;
    // Arguments in OpenAI's format are JSON in a string.
    let is_text = bytes.iter().find(|it| !it.is_ascii_whitespace()) == Some(&b'"');
    if !is_text {
        return Some((bytes, Some(span)));
    }
    let text = decode_string_bytes(bytes.trim_ascii()).into_owned();
    // Plain words, or a dictionary as printed by Python, are shown as text.
    is_json(&text).then(|| (text.into_bytes(), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::detail::show;
    use traceloupe_core::model::{Block, Detail};
    use traceloupe_words as words;

    fn shown(json: &str) -> Vec<ShownBlock> {
        let blocks = vec![Block::Arguments(Value::OwnedJson(json.to_owned()))];
        show(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new()))
    }

    fn text(shown: &Shown) -> &str {
        match shown {
            Shown::Text(text, ..) => text,
            other => panic!("{other:?}"),
        }
    }

    /// The blocks in short form.
    fn said(json: &str) -> Vec<String> {
        let block = |block: &ShownBlock| match block {
            ShownBlock::Command(command) => format!("$ {}", text(command)),
            ShownBlock::Diff(role, lines) => {
                let lines: Vec<_> =
                    lines.iter().map(|(sign, line)| format!("{sign}{line}")).collect();
                format!("{}: {}", words::role(role), lines.join("|"))
            }
            ShownBlock::Code(role, language, code) => {
                format!("{} ({language}): {}", words::role(role), text(code))
            }
            ShownBlock::Value(role, form, value) => {
                format!("{}{}: {}", words::role(role), form.word(), text(value))
            }
            ShownBlock::Table(_, rows) => {
                rows.iter().filter_map(|row| row.0.key()).collect::<Vec<_>>().join(" ")
            }
            ShownBlock::Tasks(tasks) => format!("{tasks:?}"),
            other => format!("{other:?}"),
        };
        shown(json).iter().map(block).collect()
    }

    #[test]
    fn commands() {
        assert_eq!(said(r#"{"CommandLine":"ls -l","Cwd":"/a"}"#), ["$ ls -l", "Cwd"]);
        assert_eq!(said(r#"{"Path":"/a","Target":"x","Replacement":"y"}"#), ["/a: -x|+y"]);
        assert_eq!(said(r#"{"command":"ls -l\ncd x","timeout":5}"#), ["$ ls -l\ncd x", "timeout"]);
        assert_eq!(said(r#"{"cmd":["bash","-lc","make | tee"]}"#), ["$ make | tee"]);
        assert_eq!(
            said(r#"{"command":["git","commit","-m","a b's"]}"#),
            [r"$ git commit -m 'a b'\''s'"]
        );
        assert_eq!(
            said(
                r#"{"command":"apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE"}"#
            ),
            ["$ apply_patch <<'E'…", "result: *** Begin Patch\n*** Add File: a\n+x\n*** End Patch"]
        );
        // An editor's action is not a command.
        assert_eq!(said(r#"{"command":"view","path":"/a"}"#), ["command path"]);
    }

    #[test]
    fn a_prompt_that_quotes_a_patch_is_text() {
        let patch = r"--- a.rs\n+++ a.rs\n@@ -1 +1 @@\n-one\n+two";
        assert_eq!(said(&format!(r#"{{"prompt":"Look at this:\n{patch}\nRight?"}}"#)), ["prompt"]);
        assert!(said(&format!(r#"{{"input":"{patch}"}}"#))[0].starts_with("result: --- a.rs"));
    }

    #[test]
    fn edits_and_new_files() {
        assert_eq!(
            said(
                r#"{"file_path":"a.rs","old_string":"x\ny","new_string":"x\nz","replace_all":false}"#
            ),
            ["a.rs:  x|-y|+z", "replace_all"]
        );
        assert_eq!(
            said(
                r#"{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"v","newText":"w"}]}"#
            ),
            ["a: -x|+y", "a: -v|+w"]
        );
        assert_eq!(
            said(r#"{"command":"str_replace","path":"a","old_str":"x","new_str":"y"}"#),
            ["a: -x|+y", "command"]
        );
        // The last line of a part counts as the same line if more follows it.
        assert_eq!(said(r#"{"path":"a","old_string":"x","new_string":"x\ny"}"#), ["a:  x|+y"]);
        assert_eq!(said(r#"{"path":"a","old_string":"x","new_string":"x\n"}"#), ["a: -x|+x"]);
        assert_eq!(said(r#"{"file_path":"b.py","content":"a\nb\n"}"#), ["b.py (py): a\nb\n"]);
        assert_eq!(
            said(r#"{"code":"import os\nprint(1)"}"#),
            ["Code (python): import os\nprint(1)"]
        );
        assert_eq!(
            said(r#"{"input":"*** Begin Patch\n*** End Patch"}"#),
            ["result: *** Begin Patch\n*** End Patch"]
        );
    }

    #[test]
    fn a_script_is_code_and_the_patches_in_it_are_patches() {
        let script = r#""await tools.apply_patch(\"*** Begin Patch\\n*** Add File: a\\n+x\\n*** End Patch\");""#;
        assert_eq!(
            said(script),
            [
                r#"Code (js): await tools.apply_patch("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch");"#,
                "result: *** Begin Patch\n*** Add File: a\n+x\n*** End Patch"
            ]
        );
        assert_eq!(said(r#""Just words""#), ["Argumentsjson: Just words"]);
    }

    #[test]
    fn tasks_and_the_rest() {
        assert_eq!(
            said(r#"{"todos":[{"content":"one","status":"completed","id":"1"}],"x":1}"#),
            [r#"[("completed", "one")]"#, "x"]
        );
        assert_eq!(said(r#"{"plan":[{"step":"one"}]}"#), ["plan"]);
        assert_eq!(
            said(r#"{"content":"no path\nhere","old_string":1,"command":""}"#),
            ["content old_string command"]
        );
        assert_eq!(said("{}"), [""]);
        assert!(matches!(shown("[1]").as_slice(), [ShownBlock::Value(..)]));
    }
}
