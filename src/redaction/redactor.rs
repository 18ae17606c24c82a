//! The passes over the files of a trace.

use std::ops::Range;

use rustc_hash::FxHashSet;
use traceloupe_core::json;

use crate::bytes;
use crate::edits::{Edit, Encoding, Replaced, apply, merge};
use crate::finding::{Found, Kind, Spread};
use crate::known::Known;
use crate::layers::Search;
use crate::secrets::{SecretId, Secrets};

/// What is redacted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The kinds that are redacted, in the order of [`Kind::ALL`].
    pub kinds: [bool; Kind::ALL.len()],
}

impl Default for Options {
    /// Everything but images, whose loss changes what a trace shows.
    fn default() -> Self {
        Self { kinds: Kind::ALL.map(|kind| !matches!(kind, Kind::Image)) }
    }
}

/// One replacement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// What was found.
    pub secret: SecretId,
    /// Its kind.
    pub kind: Kind,
    /// The name of the rule, which is also the name in the placeholder.
    pub rule: &'static str,
    /// The bytes of the source that are replaced. Several hits in one text in base64 have the range of that text.
    pub range: Range<usize>,
    /// What replaces it.
    pub placeholder: String,
    /// The encodings in which it was found, from the file inwards.
    pub path: Vec<Encoding>,
}

/// A file with its secrets replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redacted {
    /// The bytes, which a further search finds nothing in.
    pub bytes: Vec<u8>,
    /// What was replaced, in the order of the source.
    pub hits: Vec<Hit>,
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Something is still found in the result.
    StillFound,
    /// A line that was JSON is none any more.
    Broken,
    /// The file is packed, or in an encoding that is not searched, so that its secrets could not be found.
    NotText,
}

/// The rest that a replacement may lay bare is replaced in further passes, at most as many.
const MAX_PASSES: usize = 4;

/// Redacts the files of a trace, their names and its title with one list of placeholders.
///
/// First all files are searched ([`search`](Self::search)), so that a value that a rule finds in one place is replaced
/// in all others. Then each is rewritten ([`rewrite`](Self::rewrite)).
#[derive(Debug)]
pub struct Redactor {
    search: Search,
    secrets: Secrets,
    known: Known,
    /// Whether values were added since `known` was made.
    is_stale: bool,
    /// Values that stay, because the user said so.
    kept: FxHashSet<SecretId>,
}

impl Redactor {
    /// A redactor that has seen nothing.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            search: Search::new(options.kinds),
            secrets: Secrets::default(),
            known: Known::default(),
            is_stale: false,
            kept: FxHashSet::default(),
        }
    }

    /// Searches a file, a name or a title. Nothing is replaced yet.
    pub fn search(&mut self, text: &[u8]) {
        // The edits are made again once all values are known.
        let _ = self.search.edits(text, &mut self.secrets, &Known::default(), &self.kept);
        self.is_stale = true;
    }

    /// A value stays, wherever it occurs.
    pub fn keep(&mut self, secret: SecretId) {
        self.kept.insert(secret);
    }

    /// Replaces what is found in a file, a name or a title. `own_words`: the ranges of what the user wrote, each inside
    /// a string of JSON or in plain text.
    ///
    /// # Errors
    /// If the result would still contain something that a rule finds, if it would be broken JSON, or if the file is not
    /// text. Images and other media stay as they are.
    pub fn rewrite(
        &mut self,
        source: &[u8],
        own_words: &[Range<usize>],
    ) -> Result<Redacted, Refusal> {
        match content_of(source) {
            Content::Text => {}
            Content::Media => {
                return Ok(Redacted { bytes: source.to_vec(), hits: Vec::new() });
            }
            Content::Unreadable => return Err(Refusal::NotText),
        }
        self.prepare();
        let mut edits = self.pass(source);
        edits.extend(self.own_words(source, own_words));
        let edits = merge(edits);
        let hits = self.hits(&edits);
        let mut bytes = apply(source, &edits);
        for _ in 0..MAX_PASSES {
            self.prepare();
            let edits = self.pass(&bytes);
            if edits.is_empty() {
                return if is_intact(source, &bytes) {
                    Ok(Redacted { bytes, hits })
                } else {
                    Err(Refusal::Broken)
                };
            }
            bytes = apply(&bytes, &edits);
        }
        Err(Refusal::StillFound)
    }

    fn prepare(&mut self) {
        if std::mem::take(&mut self.is_stale) {
            self.known = Known::of(&self.secrets);
        }
    }

    /// The edits of a text, without those of values that stay.
    fn pass(&mut self, text: &[u8]) -> Vec<Edit> {
        self.search.edits(text, &mut self.secrets, &self.known, &self.kept)
    }

    fn own_words(&mut self, source: &[u8], ranges: &[Range<usize>]) -> Vec<Edit> {
        if !self.search.is_on(Kind::OwnWords) {
            return Vec::new();
        }
        let mut edits = Vec::new();
        for range in ranges {
            let found = Found {
                range: range.clone(),
                kind: Kind::OwnWords,
                label: "user-text",
                spread: Spread::Nowhere,
            };
            let secret = self.secrets.id_of(bytes::of(source, range.clone()), &found);
            if let Some(known) = self.secrets.get(secret).filter(|_| !self.kept.contains(&secret)) {
                let text = known.placeholder.clone().into_bytes();
                let replaced = vec![Replaced { secret, path: Vec::new() }];
                edits.push(Edit { range: range.clone(), text, replaced });
            }
        }
        edits
    }

    fn hits(&self, edits: &[Edit]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for edit in edits {
            for replaced in &edit.replaced {
                let Some(secret) = self.secrets.get(replaced.secret) else { continue };
                hits.push(Hit {
                    secret: replaced.secret,
                    kind: secret.kind,
                    rule: secret.label,
                    range: edit.range.clone(),
                    placeholder: secret.placeholder.clone(),
                    path: replaced.path.clone(),
                });
            }
        }
        hits
    }
}

/// What a file contains, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Text,
    /// An image, a sound, a film or a document, which the user chose by itself.
    Media,
    /// Packed, or text of more than one byte per letter.
    Unreadable,
}

fn content_of(source: &[u8]) -> Content {
    const PROBED_BYTES: usize = 4096;
    const MEDIA: [&[u8]; 9] = [
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"RIFF",
        b"%PDF",
        b"ID3",
        b"OggS",
        b"fLaC",
        b"\x1aE\xdf\xa3",
    ];
    const PACKED: [&[u8]; 6] = [
        b"\x1f\x8b",
        b"PK\x03\x04",
        b"\x28\xb5\x2f\xfd",
        b"SQLite format 3",
        b"\xff\xfe",
        b"\xfe\xff",
    ];
    let probe = source.get(..PROBED_BYTES).unwrap_or(source);
    let zeros = probe.iter().filter(|byte| **byte == 0).count();
    let is_film = source.get(4..8) == Some(b"ftyp".as_slice());
    if is_film || MEDIA.iter().any(|start| source.starts_with(start)) {
        Content::Media
    } else if PACKED.iter().any(|start| source.starts_with(start)) || zeros * 4 > probe.len() {
        Content::Unreadable
    } else {
        Content::Text
    }
}

/// Whether every line that was JSON still is, and no line was lost.
fn is_intact(source: &[u8], result: &[u8]) -> bool {
    let is_strict = |text: &[u8]| std::str::from_utf8(text).is_ok_and(json::is_strict);
    if source == result {
        return true;
    }
    let lines = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
    let has_lines = lines(source) == lines(result);
    has_lines
        && (!is_strict(source) || is_strict(result))
        && source
            .split(|byte| *byte == b'\n')
            .zip(result.split(|byte| *byte == b'\n'))
            .all(|(before, after)| before == after || !is_strict(before) || is_strict(after))
}
