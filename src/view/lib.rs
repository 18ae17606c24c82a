//! What the page shows of a trace, computed without a browser: which lines there are, where they are, and how they
//! look. Everything here is a pure function, so components contain no arithmetic.

pub mod agents;
pub mod assembly;
pub mod attempts;
pub mod bars;
pub mod brief;
pub mod calls_table;
pub mod causes;
pub mod compactions;
pub mod compared_figures;
pub mod context_chart;
pub mod crash;
pub mod evidence;
pub mod file_title;
pub mod files_touched;
pub mod finding_list;
pub mod findings_by_row;
pub mod flame;
pub mod folder;
pub mod hits;
pub mod json_nodes;
pub mod jump_targets;
pub mod kinds;
pub mod lane_names;
pub mod list;
pub mod longest;
pub mod match_location;
pub mod muted;
pub mod open_bodies;
pub mod outline;
pub mod overview;
pub mod passages;
pub mod position;
pub mod prices;
pub mod problems;
pub mod query;
pub mod replay;
pub mod row_columns;
pub mod run_axis;
pub mod run_figures;
pub mod run_filter;
pub mod run_models;
pub mod run_outcome;
pub mod run_pairs;
pub mod run_strip;
pub mod runs_table;
pub mod scroll;
pub mod shared_turns;
pub mod short_names;
pub mod span_facts;
pub mod spoken;
pub mod static_summary;
pub mod statistics;
pub mod stretches;
pub mod table;
pub mod time_categories;
pub mod time_spent;
pub mod turn_axis;
pub mod turns;
pub mod waits;
pub mod waterfall;

pub use kinds::{icon, look, row_kind};

#[cfg(test)]
mod testing;
