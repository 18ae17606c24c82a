//! What a call cost, where the file states it.

use crate::formats::kit::{Item, Part};
use crate::model::{EventId, TraceBuilder};

/// The labels of the fields in which descriptions show a cost in dollars.
const LABELS: [&str; 3] = ["Cost", "Cost in USD", "Cost (USD)"];

/// Takes over the cost of an item, which is one of the fields that an opened row shows.
pub(super) fn tell_cost(event: EventId, item: &Item<'_>, out: &mut TraceBuilder) {
    let cost = item.parts.iter().find_map(|part| match part {
        Part::Field(label, value) if LABELS.contains(&label.as_ref()) => {
            let text = || value.text()?.trim_start_matches('$').parse::<f64>().ok();
            value.number().or_else(text)
        }
        _ => None,
    });
    if let Some(dollars) = cost {
        out.set_cost(event, dollars);
    }
}
