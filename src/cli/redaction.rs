//! Files and texts without secrets and personal data, as the page saves them.

use traceloupe_protocol::redaction::{
    KEPT_AT_FIRST, Kind, RedactionFault, RedactionRequest, RedactionResponse,
};
use traceloupe_redactor::answer::answer;

/// Redacted files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Redacted {
    /// Their bytes.
    pub files: Vec<Vec<u8>>,
    /// The texts that leave with them, such as their names.
    pub texts: Vec<String>,
    /// How many places of each kind were redacted.
    pub counts: Vec<(Kind, u32)>,
}

/// Redacts files, with texts that leave with them.
///
/// # Errors
/// If something cannot be redacted: then nothing may leave.
pub fn redacted(files: &[Vec<u8>], texts: Vec<String>) -> Result<Redacted, RedactionFault> {
    let kept_kinds = KEPT_AT_FIRST.to_vec();
    let request = RedactionRequest { names: texts, kept_kinds, kept: Vec::new() };
    match answer(&request, files) {
        (RedactionResponse::Redacted { names, mut counts, .. }, files) => {
            counts.retain(|(kind, _)| !KEPT_AT_FIRST.contains(kind));
            Ok(Redacted { files, texts: names, counts })
        }
        (RedactionResponse::Refused(fault), _) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Assembled, so that no file of the repository contains one.
    fn token() -> String {
        ["ghp_", "Z2h9kQ7vX4mB1nT8", "cR5wY3jL6pD0sF2aG9eU"].concat()
    }

    #[test]
    fn a_secret_of_a_file_is_in_no_file_and_no_text() {
        let file = format!("{{\"output\":\"token {} works\"}}\n", token());
        let names = vec![format!("{}.jsonl", token()), "run.jsonl".to_owned()];
        let found = redacted(&[file.into_bytes(), b"{}\n".to_vec()], names).unwrap();
        assert!(!String::from_utf8_lossy(&found.files[0]).contains(&token()));
        assert_eq!(
            (found.files[1].as_slice(), found.texts[1].as_str()),
            (&b"{}\n"[..], "run.jsonl")
        );
        assert!(found.texts[0].starts_with("[redacted:"));
        assert_eq!(found.counts, [(Kind::Token, 1)]);
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(redacted(&[packed], Vec::new()), Err(RedactionFault::NotText));
    }
}
