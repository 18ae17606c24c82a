//! The list of runs, and the facts about the displayed run.

pub mod context;
pub mod context_card;
pub mod facts;
pub mod file_list;
pub mod files;
pub mod finding_entries;
pub mod finding_evidence;
pub mod findings;
pub mod findings_panel;
pub mod menu;
pub mod meter;
pub mod notes;
pub mod outcome;
pub mod parts;
pub mod run_list;
pub mod run_table;
pub mod sort_head;
pub mod spent;
pub mod statistics;
pub mod steps;
pub mod summary;
pub mod switch;
