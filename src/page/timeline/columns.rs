//! The columns that the rows of a run have.

use traceloupe_protocol::outline::ColumnsShown;

/// The columns as the style sheet names them.
pub(super) fn columns_word(columns: ColumnsShown, has_costs: bool) -> String {
    let mut word = String::new();
    for (shown, name) in [
        (columns.tokens, "tokens "),
        (has_costs, "costs "),
        (columns.durations, "durations "),
        (columns.bars, "bars "),
    ] {
        if shown {
            word.push_str(name);
        }
    }
    word
}
