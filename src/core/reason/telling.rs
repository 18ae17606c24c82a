//! The line of an error that states what went wrong: [`RULES`] is the table of the forms that such lines have.

use super::ReasonClass;
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
const RULES: [Rule; 7] = [
    Rule { class: ReasonClass::Compiler, is: is_diagnostic },
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
    let text: &str = &visible_text(text);
    let lines = lines_of(text);
    let said: Vec<&Line<'_>> =
        lines.iter().filter(|line| !line.is_empty() && !is_noise(line)).collect();
    let telling: Vec<&Line<'_>> = said.iter().copied().filter(|line| !is_trailer(line)).collect();
    let code = lines.iter().find(|line| super::begins_with_exit_code(line.text));
    if let Some(first) = telling.first()
        && (inside.is_some() || code.is_none() && is_sentence(first))
    {
        return (ReasonClass::ToolMessage, shown(first, &telling));
    }
    // An exception of a library may be caused by what a compiler or a test states before it.
    for rule in RULES {
        if rule.class == ReasonClass::Traceback
            && let Some(line) = raised(&telling)
        {
            return (rule.class, shown(line, &telling));
        }
        if let Some(line) = telling.iter().find(|line| (rule.is)(line)) {
            return (rule.class, shown(line, &telling));
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

/// The message of an error in JSON.
fn message_in_json(text: &str) -> Option<String> {
    const MESSAGES: [&str; 6] =
        ["error.message", "error", "message", "detail", "stderr", "error_message"];
    let json = Json::new(text.trim());
    if json.kind() != Kind::Object || !text.trim_end().ends_with('}') {
        return None;
    }
    let mut found = MESSAGES.iter().filter_map(|path| json.get(path).text());
    found.find(|message| !message.trim().is_empty()).map(std::borrow::Cow::into_owned)
}

/// The line of the exception that a Python traceback ends with. In a chain of tracebacks it is the last one.
fn raised<'t>(lines: &[&'t Line<'t>]) -> Option<&'t Line<'t>> {
    let at = lines.iter().rposition(|line| line.text.starts_with(BEGINS_TRACEBACK))?;
    let (head, rest) = lines.get(at..)?.split_first()?;
    // Frames are indented, and so is everything else if a program repeats the traceback.
    let is_end =
        |line: &&&Line<'_>| line.indent <= head.indent && !line.text.starts_with("File \"");
    let found = rest.iter().find(is_end).or_else(|| rest.last().filter(|_| head.indent == 0));
    found.copied()
}

/// A line as a reason, with the lines after it that belong to it.
fn shown(line: &Line<'_>, lines: &[&Line<'_>]) -> String {
    let bare = line.bare();
    let at = lines.iter().position(|it| std::ptr::eq(*it, line)).unwrap_or(lines.len());
    let mut after = lines.iter().skip(at + 1).map(|it| it.bare());
    let mut joined = bare.to_owned();
    let join = |next: &str| {
        joined.push(' ');
        joined.push_str(next);
    };
    // A heading, and the place of a panic, are followed by what they announce.
    let is_heading = bare.ends_with(':')
        && (bare.contains(" panicked at ")
            || !bare.contains('/') && bare.split(' ').count() <= MAX_HEADING_WORDS);
    if is_heading {
        after.next().map(join);
    } else if bare.starts_with("--- FAIL: ")
        && let Some(found) = logged(at, lines)
    {
        // The message may be on lines of its own.
        let texts = lines.iter().skip(found).map(|it| it.text);
        let first_ends = lines.get(found).is_some_and(|it| !it.text.ends_with(':'));
        texts.take(if first_ends { 1 } else { 2 }).for_each(join);
    }
    let compared = |it: &&str| {
        ["Received", "left:", "right:", "got:", "actual:"].iter().any(|word| it.starts_with(word))
    };
    if ["Expected:", "Expected ", "expected:", "assertion `", "Failure/Error"]
        .iter()
        .any(|word| joined.contains(word))
    {
        after.take(3).filter(compared).for_each(|next| {
            joined.push(' ');
            joined.push_str(next);
        });
    }
    one_line(joined.trim_end_matches(OF_MATCHERS), MAX_CHARS)
}

/// The longest heading, in words.
const MAX_HEADING_WORDS: usize = 14;

/// The line that a failed test of Go has logged: after its name, or before it if it was printed while the test ran.
fn logged(test: usize, lines: &[&Line<'_>]) -> Option<usize> {
    // Frames of a panic name the file as well.
    let is_logged = |line: &Line<'_>| {
        line.text.starts_with("panic: ")
            || line.is_indented() && line.text.contains("_test.go:") && !line.text.contains(" +0x")
    };
    let is_other = |it: &(usize, &&Line<'_>)| {
        !["--- ", "=== RUN"].iter().any(|words| it.1.text.starts_with(words))
    };
    let numbered = || lines.iter().enumerate();
    let after = numbered().skip(test + 1).take_while(is_other).find(|it| is_logged(it.1));
    let before = || {
        let before = numbered().rev().skip(lines.len() - test).take_while(is_other);
        before.filter(|it| is_logged(it.1)).last()
    };
    after.or_else(before).map(|it| it.0)
}

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
        // Go states a column, and no word for an error. Its tests state lines only.
        || file.ends_with(".go") && is_row_and_column(rest) && !line.is_indented()
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

/// What a test compares.
fn is_assertion(line: &Line<'_>) -> bool {
    const BEGINNINGS: [&str; 4] =
        ["AssertionError", "AssertionFailedError", "Failed asserting", "Failure/Error:"];
    // Words that begin lines of other texts as well, unless they are indented.
    const INDENTED: [&str; 4] = ["assert ", "assertion ", "Expected:", "Expected "];
    let bare = line.bare();
    let begins = |all: &[&str]| all.iter().any(|words| bare.starts_with(words));
    // pytest's short summary names the test as well, unless it is cut.
    bare.starts_with("FAILED ")
        && bare.contains("::")
        && bare.contains(" - ")
        && !bare.ends_with("...")
        || line.text.starts_with("E  ") && !bare.is_empty()
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
    is_name && is_type && (rest.starts_with(": ") || rest.starts_with(" ["))
}

/// What a shell or a program says of what it was told to do: `bash: rg: command not found`, `fatal: …`, `npm ERR! …`.
fn is_complaint(line: &Line<'_>) -> bool {
    const BEGINNINGS: [&str; 12] = [
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
    const COMPLAINTS: [&str; 10] = [
        "No such file or directory",
        "command not found",
        "not found",
        "ermission denied",
        "not permitted",
        "no matches found",
        "annot ",
        "an't open",
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

/// Whether a line has a word for a failure.
fn is_telling(line: &Line<'_>) -> bool {
    const TELLING: [&str; 19] = [
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
    let text = line.text.to_ascii_lowercase();
    // A call in source code: `log("failed")`.
    let is_code = text.contains("(\"") && text.ends_with([')', ';', '{']);
    !is_code && TELLING.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests;
