//! Warnings about what could not be read, or only after a repair: counted by code, with the first places.

use super::SourceId;
use crate::warning_code::WarningCode;

/// Where a warning was raised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WarningPlace {
    /// The source.
    pub source: SourceId,
    /// The line, from 1; 0 if there are no lines.
    pub line: u32,
    /// Offset of the byte at fault.
    pub byte: u64,
    /// A short description or excerpt of the fault; may be empty.
    pub detail: String,
}

/// All warnings of one code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The kind of fault; `words` has a sentence for each code.
    pub code: WarningCode,
    /// How often it was raised.
    pub count: u64,
    /// The first places, at most [`Warnings::MAX_PLACES`].
    pub places: Vec<WarningPlace>,
}

/// The warnings of a trace, in the order in which each code was first raised.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Warnings(Vec<Warning>);

impl Warnings {
    /// How many places are kept per code, so that a million bad lines are one entry.
    pub const MAX_PLACES: usize = 20;

    /// Adds a warning.
    pub fn add(&mut self, code: WarningCode, place: WarningPlace) {
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

    /// All warnings, one entry per code.
    #[must_use]
    pub fn as_slice(&self) -> &[Warning] {
        &self.0
    }

    /// How often warnings were raised in total.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().map(|it| it.count).sum()
    }
}
