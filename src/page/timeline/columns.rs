//! The columns of the rows of a run.

use traceloupe_protocol::outline::ColumnsShown;

/// The names of the columns, as in the style sheet.
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
