//! Keys by which calls are compared to find loops: their arguments, and their failures.

use std::borrow::Cow;

use traceloupe_core::json::{ArgumentHashes, ArgumentRole, Json, KeySet, Kind, decode_start};
use traceloupe_core::model::arguments::{ASIDES, COMMANDS, FILES, PATTERNS, PLACES};
use traceloupe_core::model::{ErrorId, ErrorLabel, EventId, TraceBuilder, hash_of};
use traceloupe_core::reason::{masked, telling_line};

/// Sets the keys by which the arguments of a call are compared.
pub fn set_arguments(call: EventId, arguments: Json<'_>, out: &mut TraceBuilder) {
    let hashes = argument_hashes(arguments);
    set_hashes(call, hashes, out);
}

/// The same for arguments whose hashes are already computed.
pub fn set_hashes(call: EventId, hashes: ArgumentHashes, out: &mut TraceBuilder) {
    out.set_arguments(call, hashes.exact, hashes.alike);
    if hashes.file != 0 {
        out.set_file(call, hashes.file);
    }
}

/// The keys by which the arguments of a call are compared.
pub fn argument_hashes(arguments: Json<'_>) -> ArgumentHashes {
    arguments.argument_hashes(role_of)
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

/// If a call failed, stores its failure so that it can be compared with others.
pub fn note_failure(call: EventId, result: Json<'_>, out: &mut TraceBuilder) {
    let Some(event) = out.trace().event(call) else { return };
    if !event.is_error() && event.error == ErrorId::NONE {
        return;
    }
    let hash = failure_hash(out.trace().error(event.error), result);
    if hash != 0 {
        out.set_failure(call, hash);
    }
}

/// A hash of the error or exit code of a failed call, and of the line of its result that states what went wrong,
/// without numbers and paths. 0 if the result does not state it.
pub(super) fn failure_hash(error: ErrorLabel<&str>, result: Json<'_>) -> u64 {
    let reason = masked(&telling_line(&error_text(result)));
    // An exit code counts as the same whether it is reported or printed.
    let error = match error {
        ErrorLabel::PrintedExitCode(code) => ErrorLabel::ExitCode(code),
        ErrorLabel::None | ErrorLabel::ExitCode(_) | ErrorLabel::Type(_) => error,
    };
    if reason.is_empty() { 0 } else { hash_of((error, reason)) }
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
        let alike = |raw: &str| argument_hashes(Json::new(raw)).alike;
        let bare = alike(r#"{"command":"make"}"#);
        assert_eq!(alike(r#"{"command":"make","description":"Build it","timeout":9}"#), bare);
        assert_ne!(alike(r#"{"command":"make","cwd":"/a"}"#), bare);
        // The description is the only argument of this call.
        let write = |text: &str| alike(&format!(r#"{{"description":"{text}"}}"#));
        assert_ne!(write("one"), write("two"));
    }

    #[test]
    fn a_call_names_the_file_that_it_is_about() {
        let file = |raw: &str| argument_hashes(Json::new(raw)).file;
        let read = file(r#"{"file_path":"/a.rs","offset":3}"#);
        assert_ne!(read, 0);
        assert_eq!(file(r#"{"path":"/a.rs","old_string":"x","new_string":"y"}"#), read);
        assert_eq!(file(r#"{"command":"cat /a.rs"}"#), 0);
        assert_eq!(file(r#"{"url":"/a.rs"}"#), 0);
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
