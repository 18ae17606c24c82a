//! The brief of a run, as the command makes it.

use std::sync::Arc;

use traceloupe_cli::known;
use traceloupe_view::prices::{Costs, Prices};
use traceloupe_words::brief::Brief;

use super::Opened;

/// The list of prices that the page loads.
pub fn prices() -> Prices {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/public/prices.json");
    Prices::read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The brief of a run.
pub fn brief_of(opened: &mut Opened, run: u32, prices: Option<&Prices>) -> Brief {
    let outline = Arc::new(opened.outline().clone());
    let known = known(&mut opened.session, &outline, run);
    let costs = Costs::new(&outline, prices);
    traceloupe_cli::brief_of(&mut opened.session, &outline, run, &known, (&costs, prices))
}
