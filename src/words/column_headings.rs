//! Headings of the columns of tables, and the labels of the same figures where they stand in rows.

/// A run.
pub const RUN: &str = "Run";
/// The model of a run.
pub const MODEL: &str = "Model";
/// The id of a sample of an evaluation.
pub const SAMPLE: &str = "Sample";
/// Which of the runs of the same sample it is.
pub const EPOCH: &str = "Epoch";
/// The id of a task of a benchmark.
pub const TASK: &str = "Task";
/// Which of the runs of the same task it is.
pub const TRIAL: &str = "Trial";
/// What a sample of an evaluation asks.
pub const SAMPLE_INPUT: &str = "Input";
/// What a sample of an evaluation should be answered with.
pub const TARGET: &str = "Target";
/// What was answered to a sample of an evaluation.
pub const SAMPLE_ANSWER: &str = "Answer";
/// When a run began, beside its day.
pub const STARTED: &str = "Started";
/// When a run began, where the time zone is not said elsewhere.
pub const STARTED_UTC: &str = "Started, UTC";
/// How long the agents of a run were active, as a heading.
pub const ACTIVE: &str = "Active";
/// How long the agents of a run were active, as a label.
pub const ACTIVE_TIME: &str = "Active time";
/// How long something took.
pub const DURATION: &str = "Duration";
/// Tokens of all kinds.
pub const TOKENS: &str = "Tokens";
/// Input tokens.
pub const TOKENS_IN: &str = "Tokens in";
/// Input tokens, where there is little room.
pub const IN: &str = "In";
/// Output tokens.
pub const TOKENS_OUT: &str = "Tokens out";
/// The share of the input tokens that came from a cache.
pub const CACHED: &str = "Cached";
/// The most tokens in a context.
pub const FULLEST_CONTEXT: &str = "Fullest context";
/// What something cost.
pub const COST: &str = "Cost";
/// How many events there are.
pub const EVENTS: &str = "Events";
/// How many LLM calls there are.
pub const LLM_CALLS: &str = "LLM calls";
/// How many tool calls there are.
pub const TOOL_CALLS: &str = "Tool calls";
/// How many errors there are.
pub const ERRORS: &str = "Errors";
/// How many possible loops there are, as a heading.
pub const LOOPS: &str = "Loops";
/// How many possible loops there are, as a label.
pub const POSSIBLE_LOOPS: &str = "Possible loops";
/// What graders gave.
pub const SCORE: &str = "Score";

/// How many calls there are.
pub const CALLS: &str = "Calls";
/// How many of them failed.
pub const FAILED: &str = "Failed";
/// How many of them have no result in the file.
pub const NO_RESULT: &str = "No result";
/// How long all of them took.
pub const TIME: &str = "Time";
/// How long one of them took on average.
pub const MEAN: &str = "Mean";
/// What half of them took at most.
pub const MEDIAN: &str = "Median";
/// What 90 of 100 took at most.
pub const P90: &str = "P90";
/// What 95 of 100 took at most.
pub const P95: &str = "P95";
/// What 99 of 100 took at most.
pub const P99: &str = "P99";

/// The program that wrote a file.
pub const PRODUCER: &str = "Producer";
/// The length of a file.
pub const SIZE: &str = "Size";
