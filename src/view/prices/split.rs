//! The cost of a run by what is charged for.

use rustc_hash::FxHashMap;

use super::costs::{counts, time_of, tokens_of};
use super::{Prices, What};
use crate::outline::Outline;
use traceloupe_protocol::outline::RunLine;
use traceloupe_words::brief::Charged;

/// The cost of a run by what is charged for, in dollars.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CostSplit([f64; Charged::ALL.len()]);

impl CostSplit {
    /// The costs of the calls of a run by the list of prices. `None` if the file states the cost of a call, which it does
    /// not divide.
    #[must_use]
    pub fn of_run(outline: &Outline, run: &RunLine, prices: Option<&Prices>) -> Option<Self> {
        let prices = prices?;
        let mut split = Self::default();
        let mut models = FxHashMap::default();
        for row in run.first_row..run.first_row + run.n_rows {
            if !counts(outline, row) {
                continue;
            }
            if outline.rows.given_dollars_of(row).is_some() {
                return None;
            }
            let name = outline.rows.names.get(row);
            let model = *models.entry(name).or_insert_with(|| prices.of_trace(outline.name(name)));
            let cost = tokens_of(outline, row)
                .zip(model)
                .and_then(|(tokens, model)| model.cost(&tokens, time_of(outline, run, row)));
            for part in cost.map(|cost| cost.parts).unwrap_or_default() {
                if let Some(sum) = split.0.get_mut(charged(part.what) as usize) {
                    *sum += part.dollars;
                }
            }
        }
        Some(split)
    }

    /// The parts that cost something.
    #[must_use]
    pub fn parts(self) -> Vec<(Charged, f64)> {
        Charged::ALL.into_iter().zip(self.0).filter(|it| it.1 > 0.0).collect()
    }
}

fn charged(what: What) -> Charged {
    match what {
        What::Input => Charged::Input,
        What::CacheRead => Charged::CacheRead,
        What::CacheWrite => Charged::CacheWrite,
        What::Output | What::Reasoning => Charged::Output,
        What::Request => Charged::Requests,
    }
}
