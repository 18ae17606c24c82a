//! What the rules find.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A kind of thing that is redacted. Each can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A token in the published format of its vendor.
    Token,
    /// The value of a key whose name says that it is secret.
    NamedValue,
    /// A private key in PEM or in another armour.
    PrivateKey,
    /// The user and password of a URL, or the credentials of a header.
    Credentials,
    /// A JSON web token.
    Jwt,
    /// An e-mail address.
    Email,
    /// The name of a user: of a home folder, or stated.
    User,
    /// The name of a host, where it is stated.
    Host,
    /// The data of an image.
    Image,
    /// What the user wrote, in the ranges that the caller gives.
    OwnWords,
}

impl Kind {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Token,
        Self::NamedValue,
        Self::PrivateKey,
        Self::Credentials,
        Self::Jwt,
        Self::Email,
        Self::User,
        Self::Host,
        Self::Image,
        Self::OwnWords,
    ];

    /// The kind's place in [`ALL`](Self::ALL).
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Where else a value that was found is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spread {
    /// Only where a rule finds it.
    Nowhere,
    /// Wherever it occurs and no letter or digit is beside it.
    Words,
    /// Wherever it occurs.
    Everywhere,
}

/// A match of a rule in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// The name in its placeholder: lower-case letters, digits and hyphens.
    pub label: &'static str,
    /// Where else it is replaced.
    pub spread: Spread,
}
