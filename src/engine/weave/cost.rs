//! The cost of a call, if the file states it.

use crate::kit::{Item, Part};
use traceloupe_core::model::{EventId, FactKind, TraceBuilder, stated_dollars};

/// Copies the cost from an item, where it is one of the fields that an opened row shows.
pub(super) fn tell_cost(event: EventId, item: &Item<'_>, out: &mut TraceBuilder) {
    let cost = item.parts.iter().find_map(|part| match part {
        Part::Field(FactKind::Cost, value) => {
            value.number().or_else(|| stated_dollars(&value.text()?))
        }
        _ => None,
    });
    if let Some(dollars) = cost {
        out.set_cost(event, dollars);
    }
}
