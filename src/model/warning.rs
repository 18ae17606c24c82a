//! What could not be read, or only with a repair: counted by code, with the first places.

use super::SourceId;

/// Where a warning was raised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WarningPlace {
    /// The source.
    pub source: SourceId,
    /// The line, counted from 1; 0 where lines mean nothing.
    pub line: u32,
    /// Offset of the byte that is to blame.
    pub byte: u64,
    /// What was found, in few words; may be empty. Never more than a short excerpt.
    pub detail: String,
}

/// All warnings of one code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// A stable code such as `bad-line`; `view::words` has the sentence for each.
    pub code: &'static str,
    /// How often.
    pub count: u64,
    /// The first places, at most [`Warnings::MAX_PLACES`].
    pub places: Vec<WarningPlace>,
}

/// The warnings of a trace, in the order in which each code first came up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Warnings(Vec<Warning>);

impl Warnings {
    /// How many places are kept for each code: a million bad lines are one entry.
    pub const MAX_PLACES: usize = 20;

    /// Adds one.
    pub fn add(&mut self, code: &'static str, place: WarningPlace) {
        let warning = match self.0.iter().position(|it| it.code == code) {
            Some(at) => self.0.get_mut(at),
            None => {
                self.0.push(Warning { code, count: 0, places: Vec::new() });
                self.0.last_mut()
            }
        };
        let Some(warning) = warning else { return };
        warning.count += 1;
        if warning.places.len() < Self::MAX_PLACES {
            warning.places.push(place);
        }
    }

    /// All of them.
    #[must_use]
    pub fn as_slice(&self) -> &[Warning] {
        &self.0
    }

    /// How many single warnings there were.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().map(|it| it.count).sum()
    }
}
