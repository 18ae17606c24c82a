//! The line of an error that states what went wrong: [`RULES`] is the table of the forms that such lines have.

use std::borrow::Cow;

use super::ReasonClass;
use super::go_test::logged;
use super::lines::{Line, counts, is_noise, is_trailer, lines_of};
use super::{BEGINS_TRACEBACK, MAX_CHARS, OF_MATCHERS};
use crate::json::{Json, Kind};
use crate::visible_text::{one_line, visible_text};

/// A form of lines that state what went wrong, most informative first.
struct Rule {
    class: ReasonClass,
    /// Whether a line has the form.
    is: fn(&Line<'_>) -> bool,
}

/// The forms. The first line that has the first form is the reason.
const RULES: [Rule; 8] = [
    Rule { class: ReasonClass::Compiler, is: is_diagnostic },
    Rule { class: ReasonClass::Test, is: is_pytest_error },
    Rule { class: ReasonClass::Test, is: is_assertion },
    Rule { class: ReasonClass::Test, is: is_failed_test },
    Rule { class: ReasonClass::Traceback, is: is_exception },
    Rule { class: ReasonClass::Shell, is: is_complaint },
    Rule { class: ReasonClass::Http, is: is_http },
    Rule { class: ReasonClass::Unknown, is: is_telling },
];

/// The line of a text that states what went wrong, and its class as far as its form shows it.
pub(super) fn find(text: &str) -> (ReasonClass, String) {
    if let Some(message) = message_in_json(text) {
        let (class, line) = find(&message);
        let class = if class == ReasonClass::Http { class } else { ReasonClass::JsonError };
        return (class, line);
    }
    // What a harness adds after the error of a tool would hide it.
    let inside = text.split_once("<tool_use_error>").map(|it| it.1);
    let text = inside.map_or(text, |it| it.split("</tool_use_error>").next().unwrap_or(it));
    if let Some(line) = issue(text) {
        return (ReasonClass::ToolMessage, one_line(&line, MAX_CHARS));
    }
    if let Some(said) = without_quote(text) {
        return (ReasonClass::ToolMessage, one_line(&said, MAX_CHARS));
    }
    let printed = printed_by_codex(text).unwrap_or(without_command(text).into());
    let text: &str = &visible_text(&printed);
    let lines = lines_of(text);
    let said: Vec<&Line<'_>> =
        lines.iter().filter(|line| !line.is_empty() && !is_noise(line)).collect();
    let mut telling: Vec<&Line<'_>> =
        said.iter().copied().filter(|line| !is_trailer(line)).collect();
    // How a program is to be called follows what was wrong with the call.
    let is_usage = |line: &&Line<'_>| line.text.starts_with("Usage:") && !line.is_indented();
    if let Some(at) = telling.iter().skip(1).position(is_usage) {
        telling.truncate(at + 1);
    }
    let code = lines.iter().find(|line| super::begins_with_exit_code(line.text));
    if let Some(first) = telling.first()
        && (inside.is_some() || code.is_none() && is_sentence(first))
    {
        return (ReasonClass::ToolMessage, shown(first, &said));
    }
    // An exception of a library may be caused by what a compiler or a test states before it.
    for rule in RULES {
        if rule.class == ReasonClass::Traceback
            && let Some(line) = raised(&said)
        {
            return (rule.class, shown(line, &said));
        }
        if let Some(line) = telling.iter().find(|line| (rule.is)(line)) {
            return (rule.class, shown(line, &said));
        }
    }
    let any = code.or_else(|| lines.iter().find(|line| !line.is_empty()));
    // A command states at the end why it failed, anything else at the beginning.
    let plain = if code.is_some() { telling.last() } else { telling.first() }.copied();
    let counted = said.iter().copied().find(|line| counts(line.text));
    let trailing = said.iter().copied().find(|line| is_telling(line) && code.is_none());
    let found = counted.or(plain).or(trailing).or(any).or_else(|| said.first().copied());
    (ReasonClass::Unknown, found.map(|line| shown(line, &said)).unwrap_or_default())
}

/// A text without the command that a harness repeats before its output, which may have many lines.
fn without_command(text: &str) -> &str {
    const AFTER: [&str; 4] = ["\nChunk ID: ", "\nWall time: ", "\nDirectory: ", "\nOutput:"];
    if !text.starts_with("Command: ") {
        return text;
    }
    let from = AFTER.iter().find_map(|mark| text.find(mark));
    from.and_then(|from| text.get(from..)).unwrap_or(text)
}

/// What an editor says of a text that it should replace, without that text, which may have words for a failure; `None` if
/// it is no editor.
fn without_quote(text: &str) -> Option<String> {
    if let Some((said, _)) = text.split_once("\nString: ")
        && !said.contains('\n')
    {
        return Some(said.to_owned());
    }
    text.find("No replacement was performed").filter(|at| *at <= "ERROR:\n".len())?;
    let ((said, rest), (_, after)) = (text.split_once('`')?, text.rsplit_once('`')?);
    Some(if rest.contains('\n') { format!("{said}`…`{after}") } else { text.to_owned() })
}

/// What a command printed that Codex could not start. Codex writes it as Rust does, after the command.
fn printed_by_codex(text: &str) -> Option<Cow<'_, str>> {
    let (_, why) = text.rsplit_once("`: CreateProcess { message: \"")?;
    let why = why.trim_end().trim_end_matches("\" }");
    let printed = why.split("aggregated_output: StreamOutput { text: \\\"").nth(1);
    let printed = printed.and_then(|it| it.split_once("\\\", ").map(|it| it.0));
    Some(printed.unwrap_or(why).replace("\\\\n", "\n").replace('\\', "").into())
}

/// The first of the issues with the arguments of a call that a validator lists as JSON after the type of the error:
/// `InputValidationError: [{"path":["timeout"],"message":"Too big"}]`.
fn issue(text: &str) -> Option<String> {
    let (kind, list) = text.trim().split_once(": [")?;
    if kind.contains(char::is_whitespace) || !list.trim_end().ends_with(']') {
        return None;
    }
    let list = format!("[{list}");
    let first = Json::new(&list).item(0);
    let message = first.get("message").text()?;
    let path: Vec<_> = first.get("path").items().map(|it| it.label().into_owned()).collect();
    let path = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
    Some(format!("{kind}: {path}{message}"))
}

/// The message of an error in JSON.
fn message_in_json(text: &str) -> Option<String> {
    const MESSAGES: [&str; 6] =
        ["error.message", "error", "message", "detail", "stderr", "error_message"];
    let json = Json::new(text.trim());
    if json.kind() != Kind::Object || !text.trim_end().ends_with('}') {
        return None;
    }
    let mut found = MESSAGES.iter().filter_map(|path| json.get(path).text());
    found.find(|message| !message.trim().is_empty()).map(Cow::into_owned)
}

/// The line of the exception that a Python traceback ends with. In a chain of tracebacks it is the last one.
fn raised<'t>(lines: &[&'t Line<'t>]) -> Option<&'t Line<'t>> {
    let at = lines.iter().rposition(|line| line.text.starts_with(BEGINS_TRACEBACK))?;
    let (head, rest) = lines.get(at..)?.split_first()?;
    // Frames are indented, and so is everything else if a program repeats the traceback. Long lines may be broken, so
    // that a part of a frame is at the margin.
    let is_end =
        |line: &&&Line<'_>| line.indent <= head.indent && !line.text.starts_with("File \"");
    let found = rest.iter().find(|line| is_end(line) && is_raised(line.text));
    let found = found.or_else(|| rest.iter().find(is_end));
    found.or_else(|| rest.last().filter(|_| head.indent == 0)).copied()
}

/// Whether a line is the name of a Python class, with or without a message: `KeyboardInterrupt`, `a.b.Expired: late`.
fn is_raised(line: &str) -> bool {
    let name = line.split_once(": ").map_or(line, |it| it.0);
    let class = name.rsplit('.').next().unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
    class.starts_with(|char: char| char.is_ascii_uppercase()) && name.bytes().all(is_name)
}

/// A line as a reason, with the lines after it that belong to it.
fn shown(line: &Line<'_>, lines: &[&Line<'_>]) -> String {
    let heading = line.bare().strip_prefix("===").map(|it| it.trim_matches(['=', ' ']));
    let bare = heading.unwrap_or(line.bare());
    let at = lines.iter().position(|it| std::ptr::eq(*it, line)).unwrap_or(lines.len());
    let mut joined = bare.to_owned();
    let mut join = |next: &str| {
        joined.push(' ');
        joined.push_str(next);
    };
    let mut rest = at + 1;
    // A heading, and the place of a panic, are followed by what they announce.
    let is_heading = bare.ends_with(':')
        && (bare.contains(" panicked at ")
            || (!bare.contains('/') || bare.starts_with("Error "))
                && bare.split(' ').count() <= MAX_HEADING_WORDS);
    if is_heading {
        lines.get(rest).map(|it| it.bare()).map(&mut join);
        rest += 1;
    } else if bare.starts_with("--- FAIL: ")
        && let Some(found) = logged(at, lines)
    {
        // The message may be on lines of its own.
        let first_ends = lines.get(found).is_some_and(|it| !it.text.ends_with(':'));
        rest = found + if first_ends { 1 } else { 2 };
        lines.iter().take(rest).skip(found).for_each(|it| join(it.text));
    }
    // Pydantic writes each field and what is wrong with it on two lines.
    if bare.contains(" validation error") && bare.contains(" for ") {
        let issue = lines.iter().skip(rest).take(2).map(|it| it.bare());
        issue.for_each(|it| join(it.split(" [type=").next().unwrap_or(it)));
    }
    const COMPARED: [&str; 8] =
        ["Expected:", "Received", "left:", "right:", "got:", "expected:", "actual:", "actual  :"];
    const COMPARING: [&str; 7] = [
        "Expected:",
        "Expected ",
        "expected:",
        "assertion `",
        "Failure/Error",
        "error: expect(",
        "Not equal:",
    ];
    let compared = |it: &&str| COMPARED.iter().any(|word| it.starts_with(word));
    if COMPARING.iter().any(|word| joined.contains(word)) {
        let after = lines.iter().skip(rest).map(|it| it.bare());
        after.take(3).filter(compared).for_each(|next| {
            joined.push(' ');
            joined.push_str(next);
        });
    }
    one_line(joined.trim_end_matches(OF_MATCHERS), MAX_CHARS)
}

/// The longest heading, in words.
const MAX_HEADING_WORDS: usize = 14;

/// Whether a line is a sentence about a failure, as tools write it before what it is about.
fn is_sentence(line: &Line<'_>) -> bool {
    let text = line.text;
    text.ends_with(['.', ':'])
        && text.split(' ').count() >= 3
        && is_telling(line)
        && !line.is_indented()
        && !is_diagnostic(line)
}

/// The diagnostics of a compiler or a linter: `a.rs:3:5: error: …`, `a.ts(3,5): error TS…`, `error[E0308]: …`,
/// `./a.go:3:5: …`, `3:5  error  …`.
fn is_diagnostic(line: &Line<'_>) -> bool {
    let bare = line.bare();
    if bare.starts_with("error[") || bare.starts_with("error TS") {
        return true;
    }
    if line.has_place && begins_with_code(bare) {
        return true;
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    // ESLint writes the file on a line of its own.
    let position = digits(bare);
    if position > 0
        && let Some(rest) = bare.get(position..).and_then(|it| it.strip_prefix(':'))
        && let Some(rest) = rest.get(digits(rest)..)
    {
        return rest.trim_start().starts_with("error ");
    }
    let Some(at) = bare.find([':', '(']) else { return false };
    let (file, rest) = bare.split_at(at);
    let is_file = !file.contains(' ') && file.contains('.') && !file.ends_with('.');
    let rest = rest.get(1..).unwrap_or_default();
    if !is_file || digits(rest) == 0 {
        return false;
    }
    let message =
        rest.trim_start_matches(|char: char| char.is_ascii_digit() || ":,)".contains(char));
    let message = message.trim_start_matches([' ', '-']);
    ["error:", "error ", "fatal error:"].iter().any(|word| message.starts_with(word))
        || begins_with_code(message)
        || names_linter(message) && !line.is_indented()
        // Go states a column, and no word for an error. Its tests state lines only.
        || file.ends_with(".go") && is_row_and_column(rest) && !line.is_indented()
}

/// Whether a text begins with the code of a rule of a linter: `E902 No such file`, `SIM115 Use a context manager`.
fn begins_with_code(text: &str) -> bool {
    let code = text.split([' ', ':']).next().unwrap_or_default();
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = code.bytes().skip(letters).take_while(u8::is_ascii_digit).count();
    (1..=5).contains(&letters) && (3..=5).contains(&digits) && letters + digits == code.len()
}

/// Whether a message ends with the name of a linter: `not checked (errcheck)`.
fn names_linter(message: &str) -> bool {
    let name = message.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    name.is_some_and(|(_, name)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

/// Whether a text begins with a row, a column and a message: `3:5: no`.
fn is_row_and_column(text: &str) -> bool {
    let mut parts = text.splitn(3, ':');
    let is_number = |part: Option<&str>| {
        part.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_number(parts.next())
        && is_number(parts.next())
        && parts.next().is_some_and(|it| it.starts_with(' '))
}

/// What pytest says about a failed test, after the source of the test.
fn is_pytest_error(line: &Line<'_>) -> bool {
    line.text.starts_with("E  ") && !line.bare().is_empty()
}

/// What a test compares.
fn is_assertion(line: &Line<'_>) -> bool {
    const BEGINNINGS: [&str; 5] = [
        "AssertionError",
        "AssertionFailedError",
        "Failed asserting",
        "Failure/Error:",
        "error: expect(",
    ];
    // Words that begin lines of other texts as well, unless they are indented.
    const INDENTED: [&str; 4] = ["assert ", "assertion ", "Expected:", "Expected "];
    let bare = line.bare();
    let begins = |all: &[&str]| all.iter().any(|words| bare.starts_with(words));
    // pytest's short summary names the test as well, unless it is cut.
    bare.starts_with("FAILED ")
        && bare.contains("::")
        && bare.contains(" - ")
        && !bare.ends_with("...")
        || bare.contains(" panicked at ")
        || bare.starts_with("--- FAIL: ")
        || line.has_sign && bare.contains("expected ")
        || begins(&BEGINNINGS)
        || line.is_indented() && begins(&INDENTED)
        || bare.contains(": AssertionError: ")
}

/// A failed test without what it compares.
fn is_failed_test(line: &Line<'_>) -> bool {
    let bare = line.bare();
    bare.starts_with("not ok ")
        || bare.starts_with("FAILED ") && bare.contains("::")
        || bare.starts_with("FAIL: ")
        || line.text.starts_with("● ")
        || bare.ends_with("... FAILED")
}

/// An exception with its type: `TypeError: …`, `java.io.IOException: …`, `Error: …`.
fn is_exception(line: &Line<'_>) -> bool {
    let bare = line.bare();
    let bare = ["Uncaught ", "Unhandled ", "Caused by: "]
        .iter()
        .find_map(|it| bare.strip_prefix(it))
        .unwrap_or(bare);
    if bare.starts_with("Exception in thread ") {
        return true;
    }
    let name = bare.split([':', ' ', '(']).next().unwrap_or_default();
    let rest = bare.get(name.len()..).unwrap_or_default();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._$".contains(&byte));
    let is_type =
        ["Error", "Exception"].iter().any(|end| name.ends_with(end) && name.len() > end.len());
    // DuckDB writes `Binder Error: `.
    let is_spaced =
        name.starts_with(|char: char| char.is_ascii_uppercase()) && rest.starts_with(" Error: ");
    is_name && (is_spaced || is_type && (rest.starts_with(": ") || rest.starts_with(" [")))
}

/// What a shell or a program says of what it was told to do: `bash: rg: command not found`, `fatal: …`, `npm ERR! …`.
fn is_complaint(line: &Line<'_>) -> bool {
    const BEGINNINGS: [&str; 16] = [
        "CONFLICT (",
        "No test files found",
        "The following paths ",
        "go: ",
        "fatal: ",
        "error: ",
        "Error: ",
        "ERROR: ",
        "npm ERR! ",
        "npm error ",
        "panic: ",
        "FATAL",
        "E: ",
        "ERROR ",
        "curl: (",
        "Error response from daemon",
    ];
    const COMPLAINTS: [&str; 17] = [
        "o such file or directory",
        "command not found",
        "not found",
        "ermission denied",
        "not permitted",
        "not allowed",
        "no matches found",
        "annot ",
        "an't open",
        "ould not ",
        "llegal option",
        "nrecognized ",
        "nknown option",
        "nvalid option",
        "ile exists",
        "rror: ",
        "rror response",
    ];
    let bare = line.bare();
    if BEGINNINGS.iter().any(|words| bare.starts_with(words)) {
        return true;
    }
    let Some((program, rest)) = bare.split_once(": ") else { return false };
    !program.contains([' ', '=', '"', '\'']) && COMPLAINTS.iter().any(|words| rest.contains(words))
}

/// A status of HTTP that is an error.
fn is_http(line: &Line<'_>) -> bool {
    const BEFORE: [&str; 8] =
        ["HTTP", "HTTP/1.1", "HTTP/2", "status", "code", "status:", "code:", "Error:"];
    const AFTER: [&str; 12] = [
        "Bad",
        "Unauthorized",
        "Forbidden",
        "Not",
        "Method",
        "Conflict",
        "Gone",
        "Unprocessable",
        "Too",
        "Internal",
        "Service",
        "Gateway",
    ];
    let words: Vec<&str> = line.bare().split_whitespace().collect();
    let is_code = |word: &str| {
        let word = word.trim_matches([':', ',', '.', '(', ')', '"', '\'']);
        word.len() == 3
            && word.starts_with(['4', '5'])
            && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_http = |word: &str| word.starts_with("HTTP");
    let any_http = words.iter().any(|word| is_http(word.trim_matches(['(', '"'])));
    let has_status = words.iter().any(|word| word.eq_ignore_ascii_case("status"));
    words.windows(2).any(|pair| match pair {
        [before, code] if is_code(code) => {
            let before = before.trim_matches(['(', '"']);
            is_http(before)
                || BEFORE.contains(&before) && (any_http || has_status || before != "code")
        }
        [code, after] if is_code(code) => AFTER.iter().any(|word| after.starts_with(word)),
        _ => false,
    })
}

/// Words for a failure, in lower case.
const TELLING: [&str; 20] = [
    "not recognized",
    "error",
    "assert",
    "expected",
    "exception",
    "panic",
    "fail",
    "denied",
    "not found",
    "no such",
    "timeout",
    "timed out",
    "cannot",
    "can't",
    "could not",
    "invalid",
    "fatal",
    "unable",
    "not exist",
    "refused",
];

/// Whether a line has a word for a failure.
fn is_telling(line: &Line<'_>) -> bool {
    const SIGNS: [char; 5] = ['❌', '✗', '✘', '✖', '⨯'];
    let text = line.text.to_ascii_lowercase();
    // A call in source code: `log("failed")`.
    let is_code = text.contains("(\"") && text.ends_with([')', ';', '{']);
    !is_code && (text.starts_with(SIGNS) || TELLING.iter().any(|word| has_word(&text, word)))
}

/// Whether a text contains a word outside of a name: not in `async-timeout`, `src/errors.ts` or `exceptiongroup`.
fn has_word(text: &str, word: &str) -> bool {
    const ENDINGS: [&str; 9] = ["", "s", "ed", "ing", "ure", "ures", "ion", "ions", "ked"];
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + word.len()..).unwrap_or_default();
        let rest = after.trim_start_matches(|char: char| char.is_ascii_lowercase());
        let ending = after.strip_suffix(rest).unwrap_or_default();
        !before.ends_with(['-', '_', '/', '.'])
            && !rest.starts_with(['-', '_', '/'])
            && (ENDINGS.contains(&ending) || TELLING.iter().any(|it| ending.ends_with(it)))
    })
}

#[cfg(test)]
mod tests;
