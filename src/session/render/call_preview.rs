//! The summary of a tool call: the command, the file, the search pattern, the request, the change to a file, or the
//! progress of a task list.

use crate::render::detail::arguments_of;
use crate::render::gist::Node;
use crate::render::preview::{MAX_CHARS, preview};
use crate::render::script::{command, is_script, patches};
use crate::render::touched::{Change, changes_in};
use traceloupe_core::json::decode_string_bytes;
use traceloupe_core::model::arguments::{COMMANDS, FILES, PATTERNS, PLACES};
use traceloupe_core::model::{RunId, Trace, Value, directory_of};
use traceloupe_core::text::directory::relative;
use traceloupe_core::text::patch;
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::preview::Preview;
use traceloupe_words::one_line;

/// Keys of the type of agent that is called, and of the request to it or to the user.
const AGENTS: [&str; 3] = ["agent_type", "subagent_type", "agent_name"];
const ASKED: [&str; 8] =
    ["title", "task", "description", "prompt", "message", "question", "instructions", "skill"];

/// Keys of input typed into a running program.
const TYPED: [&str; 2] = ["keystrokes", "chars"];

/// Keys of the first and last line to read from a file, and of both as a list.
const FIRST_LINES: [&str; 3] = ["start_line", "startLine", "line_start"];
const LAST_LINES: [&str; 3] = ["end_line", "endLine", "line_end"];
const VIEW_RANGE: &str = "view_range";

/// Keys of the first line to read from a file, and of the number of lines.
const OFFSETS: [&str; 2] = ["offset", "line_offset"];
const LIMITS: [&str; 2] = ["limit", "n_lines"];

/// Keys of lists of files, places, search patterns or questions.
const LISTS: [&str; 8] =
    ["files", "paths", "file_paths", "urls", "queries", "operations", "questions", "edits"];

/// The directory of a run; empty if the file states none, or several.
#[must_use]
pub fn directory_of_run(trace: &Trace, run: RunId) -> &str {
    directory_of(trace.run(run).map(|run| run.facts.as_slice()).unwrap_or_default())
}

/// Makes the summary of a tool call from its arguments: the changes, the command, the file, the pattern or the request,
/// if there is one; otherwise all arguments. `bytes` may be cut. Paths in `directory` are shown relative to it, except
/// in commands.
#[must_use]
pub fn call_preview(bytes: &[u8], directory: &str) -> Preview {
    let decoded = match bytes.trim_ascii_start() {
        // Arguments in OpenAI's format are JSON in a string.
        quoted @ [b'"', ..] => decode_string_bytes(quoted),
        _ => std::borrow::Cow::Borrowed(""),
    };
    if decoded.trim_start().starts_with("*** Begin Patch") {
        return patch_preview(&decoded, directory);
    }
    if is_script(&decoded) {
        return script_preview(&decoded, directory);
    }
    let object = if decoded.is_empty() { bytes } else { decoded.as_bytes() };
    telling(object, directory).unwrap_or_else(|| {
        let arguments = Node::read(object);
        Preview::from(match main_argument(&arguments, directory).or_else(|| arguments.said()) {
            Some(words) => one_line(&words, MAX_CHARS),
            None => preview(bytes),
        })
    })
}

/// The changes that a script makes, or the only command that it runs; otherwise the whole script.
fn script_preview(script: &str, directory: &str) -> Preview {
    match patches(script).first() {
        Some(patch) => patch_preview(patch, directory),
        None => one_line(command(script).as_deref().unwrap_or(script), MAX_CHARS).into(),
    }
}

/// The most informative argument of a call.
fn main_argument(arguments: &Node, directory: &str) -> Option<String> {
    let of = |keys: &[&str]| arguments.text(keys);
    let (command, pattern, path) = (of(&COMMANDS), of(&PATTERNS), of(&FILES).or(of(&PLACES)));
    let path = path.map(|path| relative(&path, directory).to_owned());
    match (command, pattern, path) {
        // An editor's action.
        (Some(action), _, Some(path)) if !action.contains(char::is_whitespace) => {
            Some(format!("{action} {path}"))
        }
        (Some(command), _, _) => Some(command),
        (None, Some(pattern), Some(path)) => Some(format!("{pattern} in {path}")),
        (None, only @ Some(_), None) => only,
        (None, None, Some(path)) => {
            let lines = lines_read(arguments, &path).unwrap_or_default();
            Some(path + &lines)
        }
        (None, None, None) => typed(arguments).or_else(|| match (of(&AGENTS), of(&ASKED)) {
            (Some(agent), Some(asked)) => Some(format!("{agent}: {asked}")),
            (None, asked @ Some(_)) => asked,
            _ => named_in_list(arguments),
        }),
    }
}

/// The lines of a file that are read: `:10–49`, or `:10` for everything from there. Lines are counted from 1.
fn lines_read(arguments: &Node, path: &str) -> Option<String> {
    let members = arguments.members();
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let number = |keys: &[&str]| {
        let value = members.iter().find(|it| keys.contains(&it.0.as_str())).map(|it| &it.1);
        if let Some(Node::Word(word) | Node::Text(word)) = value { word.parse().ok() } else { None }
    };
    let range = members.iter().find(|it| it.0 == VIEW_RANGE).map(|it| &it.1);
    let (first, last): (i64, Option<i64>) = match range {
        Some(Node::List(ends, _)) => {
            let end = |at: usize| match ends.get(at) {
                Some(Node::Word(word)) => word.parse().ok(),
                _ => None,
            };
            (end(0)?, end(1))
        }
        _ => match (number(&FIRST_LINES), number(&OFFSETS), number(&LIMITS)) {
            (Some(first), ..) => (first, number(&LAST_LINES)),
            // Without an offset, a limit counts from the first line, or it counts the entries of a folder.
            (None, None, Some(limit)) if name.contains('.') => (1, Some(limit)),
            (None, Some(offset), limit) => {
                // Gemini CLI counts from 0.
                let first = offset + i64::from(members.iter().any(|it| it.0 == "absolute_path"));
                (first.max(1), limit.map(|limit| first.max(1).saturating_add(limit) - 1))
            }
            _ => return None,
        },
    };
    // -1 means the end of the file.
    let last = last.filter(|last| *last >= first);
    (first > 0).then(|| match last {
        Some(last) if last > first => format!(":{first}–{last}"),
        _ => format!(":{first}"),
    })
}

/// Input typed into a running program, or that the call only waits for the program's output.
fn typed(arguments: &Node) -> Option<String> {
    let member = |key: &str| arguments.members().iter().find(|it| it.0 == key).map(|it| &it.1);
    let text = TYPED.iter().find_map(|key| match member(key)? {
        Node::Text(text) if !text.is_empty() => Some(text),
        _ => None,
    });
    match (text, member("session_id"), member("yield_time_ms")) {
        (None, Some(session), Some(_)) => Some(format!("polls session {}", session.gist())),
        (None, ..) => None,
        (Some(text), ..) if text.trim().is_empty() => Some("Enter".to_owned()),
        (Some(text), ..) => {
            let caret = |char: char| match u8::try_from(char) {
                Ok(code @ 1..=26) if !char.is_whitespace() => format!("^{}", char::from(code + 64)),
                _ => char.to_string(),
            };
            Some(text.chars().map(caret).collect())
        }
    }
}

/// The first file, place or question in a list of them.
fn named_in_list(arguments: &Node) -> Option<String> {
    let lists = arguments.members().iter().filter(|it| LISTS.contains(&it.0.as_str()));
    lists.map(|(_, list)| list.gist()).find(|words| !words.is_empty())
}

/// The files of a patch, and the number of changed lines unless the patch is cut.
fn patch_preview(text: &str, directory: &str) -> Preview {
    let is_whole = text.trim_end().ends_with("*** End Patch");
    let of = |file: patch::FileChange| {
        let (added, removed) = file.counts();
        let n = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Change { path: file.path, added: n(added), removed: n(removed), ..Change::default() }
    };
    let changes: Vec<Change> = patch::parse(text).into_iter().map(of).collect();
    let preview = changes_preview(&changes, directory).unwrap_or_default();
    Preview { changed_lines: preview.changed_lines.filter(|_| is_whole), ..preview }
}

/// The summary of a call that changes files or tasks. `object` contains all of its arguments.
fn telling(object: &[u8], directory: &str) -> Option<Preview> {
    let value = Value::OwnedJson(String::from_utf8(object.to_vec()).ok()?);
    // All values are within the arguments, so nothing has to be read.
    let arguments = arguments_of(&value, &|_| Ok(Vec::new()));
    let tasks = arguments.iter().find_map(|block| match block {
        ShownBlock::Tasks(tasks) => Some(tasks_preview(tasks).into()),
        _ => None,
    });
    tasks.or_else(|| changes_preview(&changes_in(&arguments), directory))
}

/// How many tasks are done, and the one in progress: `2 of 5 done: test the parser`.
fn tasks_preview(tasks: &[(String, String)]) -> String {
    let is = |status: &str, words: [&str; 2]| words.iter().any(|word| status.starts_with(word));
    let done = tasks.iter().filter(|(status, _)| is(status, ["complete", "done"])).count();
    let current = tasks.iter().find(|(status, _)| is(status, ["in_progress", "in-progress"]));
    let next = current.map(|(_, task)| format!(": {task}")).unwrap_or_default();
    one_line(&format!("{done} of {} done{next}", tasks.len()), MAX_CHARS)
}

/// The changed files, and the number of changed lines.
fn changes_preview(all: &[Change], directory: &str) -> Option<Preview> {
    let first = all.first()?;
    let others = match all.iter().filter(|it| it.path != first.path).count() {
        0 => String::new(),
        1 => " and 1 more file".to_owned(),
        n => format!(" and {n} more files"),
    };
    let sum = |of: fn(&Change) -> u32| all.iter().fold(0_u32, |sum, it| sum.saturating_add(of(it)));
    Some(Preview {
        text: one_line(&format!("{}{others}", relative(&first.path, directory)), MAX_CHARS),
        changed_lines: Some((sum(|it| it.added), sum(|it| it.removed))),
        ..Preview::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(json: &str) -> Option<(String, Option<(u32, u32)>)> {
        telling(json.as_bytes(), "").map(|it| (it.text, it.changed_lines))
    }

    #[test]
    fn an_edit_says_how_many_lines_it_changes() {
        assert_eq!(
            said(r#"{"file_path":"a.rs","old_string":"x\ny","new_string":"x\nz\nw"}"#),
            Some(("a.rs".to_owned(), Some((2, 1))))
        );
        assert_eq!(
            said(r#"{"file_path":"b.py","content":"a\nb\n"}"#),
            Some(("b.py".to_owned(), Some((2, 0))))
        );
        assert_eq!(
            said(
                r#"{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-y\n+z\n*** End Patch"}"#
            ),
            Some(("a and 1 more file".to_owned(), Some((2, 1))))
        );
    }

    #[test]
    fn a_list_of_tasks_says_how_many_are_done() {
        let tasks = r#"{"todos":[{"content":"read","status":"completed"},{"content":"test","status":"in_progress"},{"content":"tell","status":"pending"}]}"#;
        assert_eq!(said(tasks), Some(("1 of 3 done: test".to_owned(), None)));
        let plan = r#"{"plan":[{"step":"read","status":"done"}]}"#;
        assert_eq!(said(plan), Some(("1 of 1 done".to_owned(), None)));
    }

    #[test]
    fn calls_show_the_argument_that_says_most() {
        let long = format!("/srv/{}/src/deep/file.rs", "x".repeat(60));
        let long_call = format!(r#"{{"file_path":"{long}","limit":3}}"#);
        let cases = [
            (r#"{"command":"npm test\n","timeout":5}"#, "npm test"),
            (r#"{"cmd":["bash","-lc","make | tee log"],"x":1}"#, "make | tee log"),
            (r#"{"command":["git","status"]}"#, "git status"),
            (r#"{"n":3,"command":"make test","x":1}"#, "make test"),
            (r#"{"command":[],"path":""}"#, ""),
            (r#""{\"cmd\":\"ls\"}""#, "ls"),
            (r#"{"command":"view","path":"a.rs"}"#, "view a.rs"),
            (r#"{"pattern":"fn main","path":"src"}"#, "fn main in src"),
            (r#"{"query":"weather"}"#, "weather"),
            (r#"{"command":"cut he"#, "cut he"),
            (long_call.as_str(), &format!("{long}:1–3")),
            (r#"{"file_path":"a.rs","offset":10,"limit":40}"#, "a.rs:10–49"),
            (r#"{"file_path":"a.rs","offset":10}"#, "a.rs:10"),
            (r#"{"absolute_path":"/a.rs","offset":10,"limit":40}"#, "/a.rs:11–50"),
            (r#"{"path":"a.rs","start_line":"3","end_line":"9"}"#, "a.rs:3–9"),
            (r#"{"filePath":"a.rs","startLine":1,"endLine":1}"#, "a.rs:1"),
            (r#"{"path":"a.rs","view_range":[5,-1]}"#, "a.rs:5"),
            (r#"{"path":"a.rs","limit":"many"}"#, "a.rs"),
            // Here the limit counts entries of a folder, not lines.
            (r#"{"path":"src","limit":100}"#, "src"),
            (r#"{"path":"/srv/data/","limit":100}"#, "/srv/data/"),
            (r#"{"path":"Makefile","offset":3,"limit":2}"#, "Makefile:3–4"),
            (r#"{"city":"Graz"}"#, "city: \"Graz\""),
            (r#"{"command":{"a":1}}"#, "a: 1"),
            (
                &format!(
                    r#"{{"result":{{"app":"db","code":0,"script":"{}"}}}}"#,
                    "set x ".repeat(20)
                ),
                &format!(r#"script: "{}", app: "db", code: 0"#, "set x ".repeat(20).trim_end()),
            ),
            (r#""plain words""#, "plain words"),
            ("[1,2]", "1, 2"),
        ];
        for (json, expect) in cases {
            assert_eq!(call_preview(json.as_bytes(), "").text, expect, "{json}");
        }
    }

    #[test]
    fn files_are_named_as_seen_from_the_directory_and_commands_stay() {
        for (json, expect) in [
            (r#"{"file_path":"/srv/shop/src/a.ts"}"#, "src/a.ts"),
            (r#"{"file_path":"/srv/shop/a.ts","old_string":"x","new_string":"y"}"#, "a.ts"),
            (r#"{"pattern":"fn","path":"/srv/shop/src"}"#, "fn in src"),
            (r#"{"pattern":"fn","path":"/srv/shop"}"#, "fn in ."),
            (r#"{"command":"cat /srv/shop/a.ts"}"#, "cat /srv/shop/a.ts"),
            (r#"{"file_path":"/srv/other/a.ts"}"#, "/srv/other/a.ts"),
        ] {
            assert_eq!(call_preview(json.as_bytes(), "/srv/shop").text, expect, "{json}");
        }
    }

    #[test]
    fn what_is_asked_typed_or_read_stands_alone() {
        let cases = [
            (
                r#"{"agent_type":"explorer","model":"m","fork":true,"message":"Review it"}"#,
                "explorer: Review it",
            ),
            (
                r#"{"description":"Find it","prompt":"Look","subagent_type":"Plan"}"#,
                "Plan: Find it",
            ),
            (r#"{"session_id":8,"chars":"","yield_time_ms":1}"#, "polls session 8"),
            (r#"{"session_id":8,"yield_time_ms":1}"#, "polls session 8"),
            (
                r#"{"session_id":8,"chars":"y
","yield_time_ms":1}"#,
                "y",
            ),
            (r#"{"session_id":8,"chars":"","yield_time_ms":1}"#, "^C"),
            (
                r#"{"session_id":8,"chars":"
","yield_time_ms":1}"#,
                "Enter",
            ),
            (
                r#"{"keystrokes":"mkdir x
","duration":0.1}"#,
                "mkdir x",
            ),
            (r#"{"files":[{"path":"a.rs","start":1},{"path":"b.rs"}]}"#, "a.rs, b.rs"),
            (r#"{"operations":[{"mode":"Line","path":"a.rs"}],"purpose":"look"}"#, "a.rs"),
            (r#"{"questions":[{"header":"h","question":"Which?"}]}"#, "Which?"),
            (r#"{"todos":[{"description":"one"},{"description":"two"}]}"#, "todos: one, two"),
        ];
        for (json, expect) in cases {
            assert_eq!(call_preview(json.as_bytes(), "").text, expect, "{json}");
        }
    }

    #[test]
    fn a_bare_patch_says_which_files_change() {
        let patch =
            r#""*** Begin Patch\n*** Update File: /srv/a.rs\n@@\n-y\n+z\n+w\n*** End Patch\n""#;
        let whole = call_preview(patch.as_bytes(), "");
        assert_eq!((whole.text.as_str(), whole.changed_lines), ("/srv/a.rs", Some((2, 1))));
        let cut = call_preview(patch.split("+w").next().unwrap_or_default().as_bytes(), "");
        assert_eq!((cut.text.as_str(), cut.changed_lines), ("/srv/a.rs", None));
    }

    #[test]
    fn a_script_says_what_it_changes_or_runs() {
        let patch = r#""const r = await tools.apply_patch(\"*** Begin Patch\\n*** Update File: a\\n@@\\n-y\\n+z\\n*** End Patch\");""#;
        let shown = call_preview(patch.as_bytes(), "");
        assert_eq!((shown.text.as_str(), shown.changed_lines), ("a", Some((1, 1))));
        let run = r#""const r = await tools.exec_command({cmd:'ls -l'}); text(r.output);""#;
        assert_eq!(call_preview(run.as_bytes(), "").text, "ls -l");
        let other = r#""const a = 1;\ntext(a);""#;
        assert_eq!(call_preview(other.as_bytes(), "").text, "const a = 1; text(a);");
    }

    #[test]
    fn other_calls_say_nothing_more() {
        for json in [r#"{"command":"ls"}"#, r#"{"path":"a.rs"}"#, r#"{"city":"Graz"}"#, "[1]", ""] {
            assert_eq!(said(json), None, "{json}");
        }
    }
}
