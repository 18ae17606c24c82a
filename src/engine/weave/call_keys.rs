//! Keys by which calls are compared to find loops: their arguments, and their failures.

use std::borrow::Cow;

use crate::shapes::failure;
use traceloupe_core::json::{ArgumentHashes, ArgumentRole, Json, KeySet, Kind, decode_start};
use traceloupe_core::mask::masked_reason;
use traceloupe_core::model::arguments::{ASIDES, COMMANDS, FILES, PATTERNS, PLACES};
use traceloupe_core::model::{ErrorId, ErrorLabel, EventId, Status, TraceBuilder, hash_of};
use traceloupe_core::reason::telling_line;
use traceloupe_core::text::command::{Command, as_typed};

/// The keys by which the arguments of a call are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArgumentKeys {
    /// Their hashes.
    pub hashes: ArgumentHashes,
    /// A hash of what their command acts on; 0 if they have no command.
    target: u64,
    /// Whether their command searches or compares.
    is_search: bool,
}

/// Sets the keys by which the arguments of a call are compared.
pub fn set_arguments(call: EventId, arguments: Json<'_>, out: &mut TraceBuilder) {
    let keys = argument_keys(arguments);
    set_keys(call, keys, out);
}

/// The same for arguments whose keys are already computed.
pub fn set_keys(call: EventId, keys: ArgumentKeys, out: &mut TraceBuilder) {
    out.set_arguments(call, keys.hashes.exact, keys.hashes.alike);
    if keys.hashes.file != 0 {
        out.set_file(call, keys.hashes.file);
    }
    if keys.target != 0 {
        out.set_command(call, keys.target, keys.is_search);
    }
}

/// The keys by which the arguments of a call are compared.
pub fn argument_keys(arguments: Json<'_>) -> ArgumentKeys {
    let hashes = arguments.argument_hashes(role_of);
    let command = if hashes.file == 0 { command_in(arguments) } else { None };
    match command {
        Some(text) => {
            let command = Command::of(&text);
            let target = patched_file(&text).map_or_else(|| command.target(), Some);
            ArgumentKeys {
                hashes,
                target: target.map_or(0, hash_of),
                is_search: command.is_search(),
            }
        }
        None => ArgumentKeys { hashes, ..ArgumentKeys::default() },
    }
}

/// How much of a command is examined, in bytes.
const COMMAND_BYTES: usize = 4 << 10;

/// The command in the arguments of a call: an argument, or the arguments themselves if they are a text.
fn command_in(arguments: Json<'_>) -> Option<Cow<'_, str>> {
    if arguments.kind() == Kind::String {
        let text = decode_start(arguments.raw(), COMMAND_BYTES);
        if !text.trim_start().starts_with('{') {
            return Some(text);
        }
        return command_of(Json::new(&text)).map(|it| Cow::Owned(it.into_owned()));
    }
    command_of(arguments)
}

fn command_of(arguments: Json<'_>) -> Option<Cow<'_, str>> {
    let (_, command) = arguments.members().find(|it| COMMANDS.contains(&&*it.0))?;
    if command.kind() == Kind::Array {
        let words = command.items().filter_map(|word| Some(word.text()?.into_owned()));
        return Some(Cow::Owned(as_typed(&words.collect::<Vec<_>>())));
    }
    (command.kind() == Kind::String).then(|| decode_start(command.raw(), COMMAND_BYTES))
}

/// The first file that a patch acts on.
fn patched_file(command: &str) -> Option<String> {
    const FILES: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let lines = command.starts_with("*** Begin Patch").then(|| command.lines())?;
    let path = |line: &str| FILES.iter().find_map(|it| line.strip_prefix(it).map(str::to_owned));
    lines.into_iter().find_map(path)
}

/// The arguments with a known role: first those that only give information about a call, then the paths of files.
const KNOWN_LISTS: [&[&str]; 5] = [&ASIDES, &FILES, &COMMANDS, &PATTERNS, &PLACES];
const N_KNOWN: usize = ASIDES.len() + COMMANDS.len() + FILES.len() + PATTERNS.len() + PLACES.len();

static KNOWN: KeySet<'_, N_KNOWN> = KeySet::new({
    let mut all = [""; N_KNOWN];
    let mut lists: &[&[&str]] = &KNOWN_LISTS;
    let mut at = 0;
    while let [keys, others @ ..] = lists {
        let mut keys = *keys;
        while let [key, rest @ ..] = keys {
            #[expect(clippy::indexing_slicing)] // computed by the compiler
            let place = &mut all[at];
            *place = key;
            (keys, at) = (rest, at + 1);
        }
        lists = others;
    }
    all
});

fn role_of(key: &[u8]) -> ArgumentRole {
    match KNOWN.place_of(key) {
        Some(place) if place < ASIDES.len() => ArgumentRole::Aside,
        Some(place) if place < ASIDES.len() + FILES.len() => ArgumentRole::File,
        Some(_) => ArgumentRole::Target,
        None => ArgumentRole::Other,
    }
}

/// If a call failed, tells from its result how, and stores its failure so that it can be compared with others.
pub fn note_failure(call: EventId, result: Json<'_>, out: &mut TraceBuilder) {
    let Some(event) = out.trace().event(call) else { return };
    if !event.is_error() && event.error == ErrorId::NONE {
        return;
    }
    let text = error_text(result);
    let label = out.trace().error(event.error);
    let outcome = failure::outcome(event.status, label, out.trace().is_search(event), &text);
    let hash = hash_of_failure(label, &text);
    if let Some(event) = out.event_mut(call) {
        event.status = outcome;
    }
    if hash != 0 && outcome != Status::NoMatch {
        out.set_failure(call, hash);
    }
}

/// A hash of the error or exit code of a failed call, and of the line of its result that states what went wrong, without
/// what differs each time. 0 if the result does not state it.
pub(super) fn failure_hash(error: ErrorLabel<&str>, result: Json<'_>) -> u64 {
    hash_of_failure(error, &error_text(result))
}

fn hash_of_failure(error: ErrorLabel<&str>, text: &str) -> u64 {
    let line = telling_line(text);
    // An exit code counts as the same whether it is reported or printed.
    let error = match error {
        ErrorLabel::PrintedExitCode(code) => ErrorLabel::ExitCode(code),
        ErrorLabel::None | ErrorLabel::ExitCode(_) | ErrorLabel::Type(_) => error,
    };
    if line.is_empty() { 0 } else { hash_of((error, masked_reason(&line))) }
}

/// How much of the text of a failed call is examined, in bytes.
const ERROR_BYTES: usize = 8 << 10;

/// Keys of the text of an error, the most informative first.
const ERROR_TEXTS: [&str; 8] =
    ["error", "message", "stderr", "reason", "text", "content", "output", "stdout"];

/// The text of the result of a failed call, or its beginning.
fn error_text(result: Json<'_>) -> Cow<'_, str> {
    const MAX_LEVELS: usize = 4;
    let mut value = result;
    for _ in 0..MAX_LEVELS {
        value = match value.kind() {
            Kind::Array => value.item(0),
            Kind::Object => {
                let mut texts = ERROR_TEXTS.into_iter().map(|key| value.field(key));
                texts.find(|it| it.is_given() && *it != "\"\"").unwrap_or_default()
            }
            Kind::String => return decode_start(value.raw(), ERROR_BYTES),
            _ => break,
        };
    }
    Cow::Borrowed("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_about_a_call_makes_no_difference() {
        let alike = |raw: &str| argument_keys(Json::new(raw)).hashes.alike;
        let bare = alike(r#"{"command":"make"}"#);
        assert_eq!(alike(r#"{"command":"make","description":"Build it","timeout":9}"#), bare);
        assert_ne!(alike(r#"{"command":"make","cwd":"/a"}"#), bare);
        // The description is the only argument of this call.
        let write = |text: &str| alike(&format!(r#"{{"description":"{text}"}}"#));
        assert_ne!(write("one"), write("two"));
    }

    #[test]
    fn a_call_names_the_file_that_it_is_about() {
        let file = |raw: &str| argument_keys(Json::new(raw)).hashes.file;
        let read = file(r#"{"file_path":"/a.rs","offset":3}"#);
        assert_ne!(read, 0);
        assert_eq!(file(r#"{"path":"/a.rs","old_string":"x","new_string":"y"}"#), read);
        assert_eq!(file(r#"{"command":"cat /a.rs"}"#), 0);
        assert_eq!(file(r#"{"url":"/a.rs"}"#), 0);
    }

    #[test]
    fn a_command_is_found_in_arguments_of_any_form() {
        let keys = |raw: &str| argument_keys(Json::new(raw));
        let grep = keys(r#"{"command":"grep -n x a.rs","timeout":9}"#);
        assert!(grep.is_search);
        for same in [
            r#"{"cmd":["bash","-lc","cd /b && grep x a.rs"]}"#,
            r#""{\"cmd\":\"grep x a.rs\"}""#,
            r#""grep x a.rs | cat""#,
        ] {
            assert_eq!(keys(same).target, grep.target, "{same}");
        }
        assert_ne!(keys(r#"{"command":"grep x x.rs"}"#).target, keys(r#"{"command":"ls"}"#).target);
        let patch =
            |path: &str| keys(&format!(r#""*** Begin Patch\n*** Update File: {path}\n@@""#));
        assert_eq!(patch("a").target, patch("a").target);
        assert_ne!(patch("a").target, patch("b").target);
        for none in ["{}", "null", "7", r#"{"query":"ls"}"#, r#"{"command":7}"#] {
            assert_eq!(keys(none).target, 0, "{none}");
        }
    }

    #[test]
    fn failures_are_told_apart_by_the_line_that_says_most() {
        let hash = |raw: &str| failure_hash(ErrorLabel::ExitCode(1), Json::new(raw));
        let one = hash(r#""ran 3 tests in 0.2 s\nFAILED a::b\n""#);
        assert_eq!(hash(r#""ran 3 tests in 0.9 s\nFAILED a::b\n""#), one);
        assert_eq!(hash(r#"[{"type":"text","text":"FAILED a::b"}]"#), one);
        assert_eq!(hash(r#"{"stderr":"","stdout":"FAILED a::b"}"#), one);
        assert_ne!(hash(r#""FAILED a::c""#), one);
        assert_ne!(
            failure_hash(ErrorLabel::PrintedExitCode(2), Json::new(r#""FAILED a::b""#)),
            one
        );
        for silent in ["", "null", "{}", "[]", "7", r#""""#] {
            assert_eq!(hash(silent), 0, "{silent}");
        }
    }
}
