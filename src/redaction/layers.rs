//! One text with everything that is encoded in it.

use rustc_hash::FxHashSet;

use crate::addresses;
use crate::assigned;
use crate::bytes;
use crate::edits::{Edit, Encoding, Replaced, merge};
use crate::encodings;
use crate::finding::{Found, Kind};
use crate::key_names::KeyNames;
use crate::known::Known;
use crate::people;
use crate::private_keys;
use crate::secrets::{SecretId, Secrets, is_placeholder};
use crate::tokens::Tokens;

/// As many encodings are taken off.
const MAX_ENCODINGS: usize = 5;

/// What follows the backslash of `\u0041`.
const UNIT_BYTES: usize = 5;

/// What is searched for.
#[derive(Debug)]
pub(crate) struct Search {
    tokens: Tokens,
    names: KeyNames,
    /// The kinds that are redacted, by their index.
    kinds: [bool; Kind::ALL.len()],
}

impl Search {
    pub fn new(kinds: [bool; Kind::ALL.len()]) -> Self {
        Self { tokens: Tokens::new(), names: KeyNames::default(), kinds }
    }

    /// Whether a kind is redacted.
    pub fn is_on(&self, kind: Kind) -> bool {
        self.kinds.get(kind.index()).copied().unwrap_or(false)
    }

    /// The edits of a text, disjoint and in order. Values that are found are added to `secrets`.
    pub fn edits(
        &mut self,
        text: &[u8],
        secrets: &mut Secrets,
        known: &Known,
        kept: &FxHashSet<SecretId>,
    ) -> Vec<Edit> {
        self.layer(text, secrets, known, kept, &mut Vec::new())
    }

    /// The edits of a text inside the encodings of `path`. It calls itself, but at most as often as encodings are taken
    /// off.
    fn layer(
        &mut self,
        text: &[u8],
        secrets: &mut Secrets,
        known: &Known,
        kept: &FxHashSet<SecretId>,
        path: &mut Vec<Encoding>,
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        for mut found in self.found(text) {
            // A backslash before the name of a home folder is of the path.
            if found.kind != Kind::User && bytes::is_escaped(text, found.range.start) {
                let is_unit = bytes::at(text, found.range.start) == b'u';
                found.range.start += if is_unit { UNIT_BYTES } else { 1 };
            }
            if found.range.is_empty() {
                continue;
            }
            let value = bytes::of(text, found.range.clone());
            if is_placeholder(value) {
                continue;
            }
            let secret = secrets.id_of(value, &found);
            edits.extend(edit(found.range, secret, secrets, path));
        }
        known.find(text, &mut |range, secret| edits.extend(edit(range, secret, secrets, path)));
        if path.len() < MAX_ENCODINGS {
            // A line of the file itself is a record, which stays one.
            let may_join_lines = !path.is_empty();
            encodings::decoded(text, may_join_lines, &mut |encoded| {
                path.push(encoded.encoding);
                let inner = self.layer(&encoded.text, secrets, known, kept, path);
                path.pop();
                encoded.outwards(inner, &mut edits);
            });
        }
        // Values that stay are left out before edits are merged, so that they do not hide others.
        edits.retain(|edit| !edit.replaced.iter().all(|it| kept.contains(&it.secret)));
        merge(edits)
    }

    /// What the rules find in a text as it is written.
    fn found(&mut self, text: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        self.tokens.find(text, &mut found);
        private_keys::find(text, &mut found);
        addresses::find(text, &mut found);
        assigned::find(text, &mut self.names, &mut found);
        people::find(text, &mut found);
        found.retain(|it| self.is_on(it.kind));
        found
    }
}

fn edit(
    range: std::ops::Range<usize>,
    secret: SecretId,
    secrets: &Secrets,
    path: &[Encoding],
) -> Option<Edit> {
    let text = secrets.get(secret)?.placeholder.clone().into_bytes();
    Some(Edit { range, text, replaced: vec![Replaced { secret, path: path.to_vec() }] })
}
