//! Words of the tabs and of the views of solutions.

use crate::counts;

pub const AGENT_INSPECTOR: &str = "Agent inspector";
pub const BEST_SO_FAR: &str = "Best so far";
pub const CODE: &str = "Code";
pub const EVENT: &str = "Event";
pub const ITERATION: &str = "Iteration";
pub const KERNEL_SIGNATURE: &str = "Kernel signature";
pub const LOG: &str = "Log";
pub const MAX_DIFF: &str = "Max diff";
pub const NOT_EVALUATED: &str = "not evaluated";
pub const NOT_IN_THE_FILES: &str = "not in the files";
pub const NO_CODE: &str = "This solution has no code";
pub const NO_LOG: &str = "empty, or not in the files";
pub const NO_SOURCE_CODE: &str = "The source code is not in these files. Drop the solution's JSON file together with them to see it here.";
pub const RESULT: &str = "Result";
pub const RESULTS_CAPTION: &str = "Results, in the order of the files";
pub const RUN_TIME: &str = "Run time";
pub const SHOW_IN_THE_TIMELINE: &str = "Show in the timeline";
pub const SHOW_RESULT: &str = "Show this result below";
pub const SOLUTION: &str = "Solution";
pub const SOURCE_FILES: &str = "Source files";
pub const SPEED: &str = "Speed";
pub const SPEED_UP: &str = "Speed-up";
pub const STATUS: &str = "Status";
pub const TABS: &str = "Tabs";
pub const TIMELINE: &str = "Timeline";
pub const TRANSCRIPT: &str = "Transcript";
pub const WATERFALL: &str = "Waterfall";
pub const WHAT_IS_SHOWN: &str = "Views";
pub const WORKLOAD: &str = "Workload";

/// Definitions without room.
#[must_use]
pub fn not_drawn(n: u64) -> String {
    format!("{} not drawn; the timeline has all of them", counts::further_definitions(n))
}

/// Results without room.
#[must_use]
pub fn not_listed(n: u64) -> String {
    format!("{} not listed; the timeline has all of them", counts::further_results(n))
}

/// The button that shows a result's event.
#[must_use]
pub fn show_in_timeline(name: &str) -> String {
    format!("Show {name} in the timeline")
}
