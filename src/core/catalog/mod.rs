//! The supported formats as data: their names and where to find their files. The code that reads them is in `formats`;
//! the page is built without that code and contains only the names.

/// Data about a format that needs no file.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// A stable id, used in links, snapshots and bug reports.
    pub id: &'static str,
    /// The producer's display name.
    pub name: &'static str,
    /// The versions and variants that can be read, in a few words.
    pub versions: &'static str,
    /// Where such files are found on disk or how to get them, in a few words.
    pub found_at: &'static str,
    /// The URL of the producer's documentation.
    pub docs: &'static str,
    /// What the code was written from.
    pub evidence: Evidence,
}

/// The part of an [`Entry`] that a program contains: the page has only the id and the name, and requests the rest from
/// the worker.
#[derive(Debug)]
pub struct Card {
    /// See [`Entry::id`].
    pub id: &'static str,
    /// See [`Entry::name`].
    pub name: &'static str,
    /// The whole entry, for programs that read files.
    #[cfg(feature = "catalog-details")]
    pub entry: Entry,
}

impl Card {
    /// Makes a card from an entry.
    #[must_use]
    pub const fn new(entry: Entry) -> Self {
        Self {
            id: entry.id,
            name: entry.name,
            #[cfg(feature = "catalog-details")]
            entry,
        }
    }
}

/// What the code of a format was written from, besides the producer's documentation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Evidence {
    /// Files that the producer wrote in real use.
    RealFiles,
    /// Only documentation, source code, or examples.
    Documentation,
}

impl Evidence {
    /// A word or two for the page.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::RealFiles => "real files",
            Self::Documentation => "documentation",
        }
    }
}

/// Formats of one kind of producer.
#[derive(Debug)]
pub struct Family {
    /// The kind of producer.
    pub name: &'static str,
    /// The formats, the most common ones first.
    pub cards: &'static [&'static Card],
}

mod apis;
mod coding;
mod evaluations;
mod observability;

pub use apis::*;
pub use coding::*;
pub use evaluations::*;
pub use observability::*;

/// All families, in display order.
pub const FAMILIES: &[&Family] = &[&CODING, &APIS, &OBSERVABILITY, &EVALUATIONS];

/// All formats, in display order. The last one stands for files whose format is not recognised.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    FAMILIES.iter().flat_map(|family| family.cards).copied().chain([&RECORDS])
}

/// The card of the format with this id.
#[must_use]
pub fn card(id: &str) -> Option<&'static Card> {
    cards().find(|card| card.id == id)
}

/// The display name of a format; empty for an unknown id.
#[must_use]
pub fn format_name(id: &str) -> &'static str {
    card(id).map_or("", |card| card.name)
}

/// See [`Card`].
pub static RECORDS: Card = Card::new(Entry {
    id: "records",
    name: "Records",
    versions: "any JSON or JSONL; the meaning of its keys is guessed and can be changed",
    found_at: "logs and exports from programs that no other format covers",
    docs: "https://jsonlines.org/",
    evidence: Evidence::RealFiles,
});
