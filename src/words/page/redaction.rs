//! Words of redaction.

use traceloupe_protocol::redaction::{Kind, RedactionFault};

use crate::{count as grouped, counted};

pub const REDACTION: &str = "Redaction";
pub const REDACT_FILES: &str = "Redact secrets and personal data in saved files";
pub const REDACT_COPIES: &str = "Redact them in copied text too";
pub const SEARCHING: &str = "Looking for secrets and personal data…";
pub const REVIEW: &str = "Redact before saving";
pub const KINDS: &str = "Redact";
pub const SAVE_REDACTED: &str = "Save redacted";
pub const SAVE_AS_IT_IS: &str = "Save as it is";
pub const CANCEL: &str = "Cancel";
pub const FOUND_IN_FILE: &str = "Found in the file";
pub const COPIED_REDACTED: &str = "Copied, with secrets redacted";
pub const NOT_COPIED: &str = "Not copied, because it could not be redacted";

/// Whether files are redacted before they are saved.
#[must_use]
pub fn of_files(are_redacted: bool) -> &'static str {
    match are_redacted {
        true => "Secrets and personal data are redacted before the file is saved",
        false => "Secrets and personal data are not redacted: see Settings",
    }
}

/// A kind of thing that is redacted.
#[must_use]
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Token => "Tokens and keys of services",
        Kind::NamedValue => "Values named as secret",
        Kind::PrivateKey => "Private keys",
        Kind::Credentials => "Credentials in addresses and headers",
        Kind::Jwt => "JSON web tokens",
        Kind::Email => "E-mail addresses",
        Kind::User => "User names",
        Kind::Host => "Host names",
        Kind::Image => "Images",
        Kind::OwnWords => "What the user wrote",
    }
}

/// A kind with the number of its places.
#[must_use]
pub fn kind_with_count(of: Kind, count: u32) -> String {
    format!("{} ({})", kind(of), grouped(u64::from(count)))
}

/// How much was found in a file.
#[must_use]
pub fn found_in(name: &str, count: u32) -> String {
    let places = counted(u64::from(count), "place", "places");
    format!("{places} in {name} can be redacted. Clear a box to keep what it names")
}

/// The place of a hit.
#[must_use]
pub fn place(line: u32, offset: u64) -> String {
    format!("Line {}, byte {}", grouped(u64::from(line)), grouped(offset))
}

/// That further hits are not listed.
#[must_use]
pub fn more_hits(count: u32) -> String {
    counted(u64::from(count), "further place is not listed", "further places are not listed")
}

/// Why a file was not saved.
#[must_use]
pub fn fault(fault: RedactionFault) -> &'static str {
    match fault {
        RedactionFault::StillFound => "Not saved: something secret was still found after redaction",
        RedactionFault::Broken => "Not saved: redaction would have broken the file",
        RedactionFault::NotText => {
            "Not saved: secrets cannot be found in a packed file. Turn redaction off in Settings to save it"
        }
        RedactionFault::NotLoaded => {
            "Not saved: the redactor could not be loaded. Reload the page, or turn redaction off in Settings"
        }
        RedactionFault::Failed => "Not saved: redaction failed",
    }
}
