//! What is said of errors.

use std::borrow::Cow;

use traceloupe_core::model::ErrorLabel;
use traceloupe_core::reason::Reason;
use traceloupe_core::visible_text::one_line;

/// The longest reason that is shown, in characters.
const MAX_CHARS: usize = 160;

/// What a file says of an error, in a word or two; empty if it says nothing.
#[must_use]
pub fn error_label(label: ErrorLabel<&str>) -> Cow<'_, str> {
    match label {
        ErrorLabel::None => Cow::Borrowed(""),
        ErrorLabel::ExitCode(code) | ErrorLabel::PrintedExitCode(code) => {
            Cow::Owned(format!("exit {code}"))
        }
        ErrorLabel::Type(name) => Cow::Borrowed(name),
    }
}

/// Why something failed, in one line: ``exit 1: no such file``. Empty if nothing is known.
#[must_use]
pub fn reason(reason: &Reason) -> String {
    let label = error_label(reason.error.as_str());
    match (&*label, reason.line.as_str()) {
        ("", line) => one_line(line, MAX_CHARS),
        (label, "") => one_line(label, MAX_CHARS),
        (label, line) => one_line(&format!("{label}: {line}"), MAX_CHARS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_the_error_stands_before_its_line() {
        let said = |error, text: &str| reason(&Reason::of(error, text));
        let timeout = || ErrorLabel::Type("Timeout".to_owned());
        assert_eq!(said(timeout(), "late"), "Timeout: late");
        assert_eq!(said(timeout(), "Timeout after 3 s"), "Timeout after 3 s");
        assert_eq!(said(timeout(), ""), "Timeout");
        assert_eq!(said(ErrorLabel::PrintedExitCode(2), "no such file"), "exit 2: no such file");
        assert_eq!(said(ErrorLabel::None, ""), "");
    }
}
