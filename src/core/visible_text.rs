//! Removes what programs put around text: tags of their own (`<system-reminder>`, `<command-name>`) and escape
//! sequences of terminals. Used for a text on one line; an opened value shows everything.

use std::borrow::Cow;

use crate::injected_context::after_context;

/// Tags of programs that look like HTML tags. All others contain a dash or an underscore.
const TAGS: [&str; 20] = [
    "EnvironmentContext",
    "INSTRUCTIONS",
    "attachments",
    "context",
    "editorContext",
    "feedback",
    "image",
    "instructions",
    "overview",
    "permissions",
    "reminder",
    "reminderInstructions",
    "rules",
    "skill",
    "summary",
    "task",
    "think",
    "thinking",
    "timestamp",
    "userRequest",
];

/// Tags around the words of the user, in messages with much else.
const ASKED: [&str; 4] = ["USER_REQUEST", "userRequest", "user_query", "user_request"];

/// Tags around text that a program adds to a message.
const ADDED: [&str; 63] = [
    // Claude Code.
    "bash-stderr",
    "bash-stdout",
    "command-message",
    "ide_diagnostics",
    "ide_opened_file",
    "ide_selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "new-diagnostics",
    "post-tool-use-hook",
    "pre-tool-use-hook",
    "session-start-hook",
    "system-reminder",
    "task-notification",
    "user-prompt-submit-hook",
    // Codex.
    "INSTRUCTIONS",
    "app-context",
    "apps_instructions",
    "collaboration_mode",
    "environment_context",
    "model_switch",
    "permissions",
    "personality_spec",
    "plugins_instructions",
    "skill",
    "skills_instructions",
    "subagent_notification",
    "turn_aborted",
    "user_instructions",
    // GitHub Copilot.
    "attachments",
    "context",
    "current_datetime",
    "editorContext",
    "environment_info",
    "reminder",
    "reminderInstructions",
    "workspace_info",
    // Cursor.
    "additional_data",
    "agent_skills",
    "agent_transcripts",
    "attached_files",
    "git_status",
    "mcp_file_system",
    "open_and_recently_viewed_files",
    "project_layout",
    "rules",
    "system_reminder",
    "timestamp",
    "user_info",
    // Other agents.
    "ADDITIONAL_METADATA",
    "EPHEMERAL_MESSAGE",
    "EnvironmentContext",
    "REPOSITORY_INFO",
    "RUNTIME_INFORMATION",
    "USER_SETTINGS_CHANGE",
    "environment_details",
    "info-msg",
    "relevant-memories",
    "session_context",
    "think",
    "thinking",
    "uploaded_files",
];

/// The maximum length of a tag with its attributes, in bytes.
const MAX_TAG_BYTES: usize = 200;

/// The words of the user, where tags or headings mark them. Otherwise the text outside of tags, or the text inside of
/// them if there is none outside.
#[must_use]
pub fn visible_text(text: &str) -> Cow<'_, str> {
    text_and_origin(text).0
}

/// Like [`visible_text`], and whether the text was added by a program.
#[must_use]
#[inline(never)]
pub fn text_and_origin(text: &str) -> (Cow<'_, str>, bool) {
    let text = without_escapes(text);
    let (words, is_added) = match without_tags(after_context(&text).unwrap_or(&text)) {
        Some((words, is_added)) => (Cow::Owned(words), is_added),
        None => (text, false),
    };
    // Context may also follow the tags. A text that is nothing but context stays as it is.
    match after_context(&words) {
        Some("") => (words, true),
        Some(rest) => (Cow::Owned(rest.to_owned()), is_added),
        None => (words, is_added),
    }
}

/// Whether a name is that of an HTTP request: a method, alone or followed by a path or an address.
#[must_use]
pub fn is_request(name: &str) -> bool {
    const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let (method, rest) = name.split_once(' ').unwrap_or((name, "/"));
    let is_method = METHODS.iter().any(|known| known.eq_ignore_ascii_case(method));
    is_method && (rest.starts_with('/') || rest.starts_with("http"))
}

/// Whether a name says little, because most programs give it to all of their traces.
#[must_use]
pub fn is_generic_name(name: &str) -> bool {
    const NAMES: [&str; 19] = [
        "main",
        "run",
        "root",
        "trace",
        "agent",
        "workflow",
        "chain",
        "graph",
        "chat",
        "invoke",
        "invokeagent",
        "invokeworkflow",
        "invocation",
        "execute",
        "task",
        "agentworkflow",
        "agentrun",
        "langgraph",
        "runnablesequence",
    ];
    // Names of operations in OpenTelemetry, and of functions in the AI SDK.
    const BEGINNINGS: [&str; 7] = [
        "invoke_agent ",
        "invoke_workflow ",
        "chat ",
        "generate_content ",
        "text_completion ",
        "ai.generate",
        "ai.stream",
    ];
    let letters = name.chars().filter(|char| !matches!(char, ' ' | '_' | '-' | '.'));
    let letters: String = letters.map(|char| char.to_ascii_lowercase()).take(24).collect();
    NAMES.contains(&letters.as_str()) || BEGINNINGS.iter().any(|it| name.starts_with(it))
}

/// Text on one line: every run of white space and control characters becomes one space. Escape sequences of terminals
/// are removed.
#[must_use]
#[inline(never)]
pub fn one_line(text: &str, max_chars: usize) -> String {
    let text = without_escapes(text);
    let mut line = String::new();
    let mut chars = 0;
    let mut gap = false;
    for char in text.chars() {
        if char.is_whitespace() || char.is_control() {
            gap = !line.is_empty();
            continue;
        }
        if chars >= max_chars {
            line.push('…');
            break;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            chars += 1;
        }
        line.push(char);
        chars += 1;
    }
    line
}

/// A text without the escape sequences of terminals (ECMA-48).
#[must_use]
#[inline(never)]
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    let Some((before, mut rest)) = cut(text, b'\x1b') else { return Cow::Borrowed(text) };
    let mut kept = before.to_owned();
    loop {
        // Parameters sort before the final byte of `ESC [`; a title or a link ends with BEL or `ESC \\`.
        let is_last: fn(u8) -> bool = match rest.bytes().next() {
            Some(b'[') => |byte| !matches!(byte, b' '..=b'?' | b'['),
            Some(b']') => |byte| matches!(byte, 7 | b'\\'),
            _ => |byte| !matches!(byte, b'(' | b')'),
        };
        let end = rest.bytes().position(is_last).map_or(rest.len(), |at| at + 1);
        // Text that only resembles an escape sequence may continue with any letter.
        rest = rest.get(end..).unwrap_or(rest);
        let Some((before, after)) = cut(rest, b'\x1b') else { break };
        kept.push_str(before);
        rest = after;
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The parts of a text before and after the first occurrence of an ASCII byte.
#[inline(never)]
fn cut(text: &str, at: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The words of a text with tags, and whether they were added by a program; `None` if the text has no tags.
#[inline(never)]
fn without_tags(text: &str) -> Option<(String, bool)> {
    // Text inside the tags of [`ASKED`], outside of tags, inside them, and inside the tags of [`ADDED`].
    let mut parts: [String; 4] = Default::default();
    let mut open: Option<&str> = None;
    let (mut rest, mut has_tag, mut may_open, mut is_fresh) = (text, false, true, true);
    while let Some((before, after)) = cut(rest, b'<') {
        let Some(words) = parts.get_mut(part_of(open)) else { break };
        words.push_str(before);
        let tag = cut(after, b'>').filter(|it| it.0.len() < MAX_TAG_BYTES && is_tag(it.0));
        let begins_line = match before.trim_end_matches(' ') {
            "" => is_fresh,
            before => before.ends_with('\n'),
        };
        is_fresh = false;
        rest = match (tag, open) {
            (Some((tag, tail)), Some(name)) => {
                words.push(' ');
                if tag.strip_prefix('/').map(name_of) == Some(name) {
                    (open, is_fresh) = (None, true);
                }
                tail
            }
            (Some((tag, tail)), None) if may_open && begins_line && is_of_program(tag) => {
                let name = name_of(tag);
                // An unclosed tag is text, unless the text was cut off inside it.
                if words.trim().is_empty() || tail.contains(&format!("</{name}")) {
                    (open, has_tag) = (Some(name), true);
                    tail
                } else {
                    may_open = false;
                    words.push('<');
                    after
                }
            }
            _ => {
                words.push('<');
                after
            }
        };
    }
    if let Some(words) = parts.get_mut(part_of(open)) {
        words.push_str(rest);
    }
    let told = parts.iter().position(|it| !it.trim().is_empty()).unwrap_or(0);
    has_tag.then(|| (parts.get(told).map_or("", |it| it.trim()).to_owned(), told == ADDED_PART))
}

/// The part of text that programs added.
const ADDED_PART: usize = 3;

/// The part to which the text in an open tag belongs.
fn part_of(open: Option<&str>) -> usize {
    match open {
        Some(name) if ASKED.contains(&name) => 0,
        None => 1,
        Some(name) if ADDED.contains(&name) => ADDED_PART,
        Some(_) => 2,
    }
}

/// The name of a tag.
fn name_of(tag: &str) -> &str {
    cut(tag, b' ').map_or(tag, |it| it.0)
}

/// Whether the text between angle brackets is a tag.
fn is_tag(tag: &str) -> bool {
    let first = tag.bytes().find(|byte| *byte != b'/');
    first.is_some_and(|byte| byte.is_ascii_alphabetic())
        && tag.bytes().all(|byte| !matches!(byte, b'<' | b'\n'))
}

/// Whether a tag is a program's own.
fn is_of_program(tag: &str) -> bool {
    let name = name_of(tag);
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let has_dash = name.bytes().any(|byte| matches!(byte, b'-' | b'_'));
    name.bytes().all(is_in_name) && (has_dash || TAGS.contains(&name)) && !tag.ends_with('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_known_by_their_method() {
        for name in ["POST", "GET /", "post /a/b", "PUT http://a.example/"] {
            assert!(is_request(name), "{name}");
        }
        for name in ["", "POSTER /", "get my_cache", "Post a letter", "/"] {
            assert!(!is_request(name), "{name}");
        }
    }

    #[test]
    fn words_stand_without_the_tags_of_programs() {
        let cases = [
            ("plain words", "plain words"),
            ("<uploaded_files>\n/repo\n</uploaded_files>\nI have uploaded", "I have uploaded"),
            ("<local-command-stdout>done</local-command-stdout>", "done"),
            (
                "<command-name>/x</command-name>\n<command-message>x</command-message>\n<command-args>all</command-args>",
                "/x all",
            ),
            ("<subagent_notification>\n{\"id\":1}\n</subagent_notification>", "{\"id\":1}"),
            ("<system-reminder>mind</system-reminder>", "mind"),
            (
                "<system-reminder>mind</system-reminder>\n<user_query>\nfix it\n</user_query>",
                "fix it",
            ),
            ("fix it\n<system-reminder>mind</system-reminder>", "fix it"),
            (
                "<environment_context>\n  <cwd>/x</cwd>\n  <shell>bash</shell>\n</environment_context>",
                "/x \n   bash",
            ),
            ("<teammate-message from=\"a\">hello</teammate-message>", "hello"),
            ("<user_instructions>cut he", "cut he"),
            ("<base_rules>one</base_rules>\n<memory_blocks>cut he", "one cut he"),
            ("<permissions instructions>\nno\n</permissions instructions>\nFix it", "Fix it"),
            ("<think>hm</think>Done", "Done"),
            ("<x-y>one</x-yz>", "one"),
            ("<skill>\n<name>pdf</name>\n</skill>", "pdf"),
            (
                "<open_and_recently_viewed_files>\na.rs\n</open_and_recently_viewed_files>\n<user_query>\nfix it\n</user_query>",
                "fix it",
            ),
            ("<attachments>\na\n</attachments>\n<userRequest>\nfix it\n</userRequest>", "fix it"),
            ("Rules apply.\n<user_query>\nfix it\n</user_query>", "fix it"),
            (
                "<system-reminder>mind</system-reminder>\n# Selected text:\n\nx\n\n## My request for Codex:\nfix it",
                "fix it",
            ),
        ];
        for (text, expect) in cases {
            assert_eq!(visible_text(text), expect, "{text}");
        }
    }

    #[test]
    fn text_that_only_programs_wrote_is_shown_and_said_to_be_theirs() {
        let cases = [
            ("<environment_context>x</environment_context>", "x"),
            ("# Context from my IDE setup:\n\n- a.rs", "# Context from my IDE setup:\n\n- a.rs"),
        ];
        for (text, expect) in cases {
            assert_eq!(text_and_origin(text), (expect.into(), true));
        }
        let asked = "# Files mentioned by the user:\n\n## My request for Codex:\nfix it";
        assert_eq!(text_and_origin(asked), ("fix it".into(), false));
    }

    #[test]
    fn other_tags_stay() {
        for text in [
            "<div>one</div>",
            "a < b > c",
            "see <my-tag> here",
            "<",
            "<>",
            "</x-y>",
            "<x-y/>z",
            "x\n<x-y>z",
        ] {
            assert_eq!(visible_text(text), text);
        }
        assert_eq!(visible_text("<x-y>if a < b</x-y>"), "if a < b");
        assert_eq!(visible_text("<x-y></x-y>"), "");
    }

    #[test]
    fn escape_sequences_of_terminals_are_left_out() {
        assert_eq!(visible_text("\u{1b}[1;31mred\u{1b}[0m \u{1b}(Bok"), "red ok");
        assert_eq!(
            visible_text("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\ end\u{1b}"),
            "link end"
        );
        assert_eq!(visible_text("\u{1b}ü \u{1b}[1;ö"), "ü [1;ö");
    }
}
