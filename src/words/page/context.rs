//! Words of the context over calls.

use crate::{count, tokens};
use traceloupe_protocol::context_parts::N_LAYERS;

pub const CONTEXT_OVER_CALLS: &str = "Context over calls";
pub const CALL_TO_LOOK_AT: &str = "Selected LLM call";
pub const WHOSE_CONTEXT: &str = "Whose context";
pub const MAIN_AGENT: &str = "main";
pub const COMPACTED: &str = "Compacted: ";
pub const ADDED_MOST: &str = "Largest additions up to ";

/// The kinds of sources of a context, by their layer.
pub const LAYERS: [&str; N_LAYERS] = [
    "Instructions and tool schemas",
    "Compaction summary",
    "Messages to the model",
    "Assistant",
    "Tool output",
    "Not in the file",
];
pub const HOW_IS_IT_SPLIT: &str = "How is it split?";
pub const HOW_PARTS_ARE_ESTIMATED: &str = "The totals are from the file. The parts are estimates: each step is assumed to have added what the input of the next call grew by, and steps between the same two calls share that growth in proportion to the length of their records. If a context shrank without a compaction, all its parts shrink.";

/// The line of the context window in a chart.
#[must_use]
pub fn window_of(model: &str, size: f64) -> String {
    let model = if model.is_empty() { "the model" } else { model };
    format!("Window of {model}: {}", tokens(size))
}

/// An LLM call by its number among the calls of its agent, and its event.
#[must_use]
pub fn call_at(call: u32, event: u32) -> String {
    format!("Call {}, event {}", count(call.into()), count(event.into()))
}

/// How full the context is, and what of it came from a cache.
#[must_use]
pub fn held(used: f64, window: Option<f64>, cached: f64) -> String {
    let of = match window {
        Some(window) => format!(" of {}", tokens(window)),
        None => " tokens".to_owned(),
    };
    let cached = match cached {
        n if n > 0.0 => format!(", {} from cache", tokens(n)),
        _ => String::new(),
    };
    format!("{}{of}{cached}", tokens(used))
}

/// What the chart of the context shows.
#[must_use]
pub fn fullest(call: u32, used: f64, window: Option<f64>) -> String {
    let of = window.map_or(String::new(), |window| format!(" of {}", tokens(window)));
    let used = tokens(used);
    format!(
        "totals as stated, split estimated by size; fullest at call {}: {used} tokens{of}",
        count(call.into())
    )
}

/// `call 12`, a call by its number.
#[must_use]
pub fn call_number(number: u32) -> String {
    format!("call {}", count(number.into()))
}

/// `≈ 8.1k`, an estimated number of tokens.
#[must_use]
pub fn about_tokens(tokens: f64) -> String {
    format!("≈ {}", crate::tokens(tokens))
}
