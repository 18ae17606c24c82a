//! View models used by the page: which lines are shown, where they are, and how they look.

pub mod assembly;
pub mod bars;
pub mod bracket;
pub mod calls_table;
pub mod causes;
pub mod context_chart;
pub mod crash;
pub mod evidence;
pub mod figures;
pub mod files_touched;
pub mod flame;
pub mod folder;
pub mod hits;
pub mod icon;
pub mod json_nodes;
pub mod landing;
pub mod line_view;
pub mod list_form;
pub mod look;
pub mod merged;
pub mod note_folds;
pub mod odd_chars;
pub mod opened;
pub mod overview;
pub mod position;
pub mod prices;
pub mod query;
pub mod reason;
pub mod replay;
pub mod rows;
pub mod run_filter;
pub mod run_pairs;
pub mod runs_table;
pub mod samples;
pub mod scale;
pub mod scope;
pub mod scroll;
pub mod set_aside;
pub mod signposts;
pub mod statistics;
pub mod telling_names;
pub mod turn_axis;
pub mod waterfall;

#[cfg(test)]
pub(crate) mod testing;
