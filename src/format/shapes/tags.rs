//! Calls in the words of a model: Hermes, Qwen and data sets in their manner put them between tags.

use super::content::call_of;
use crate::format::kit::{Description, Part};
use crate::json::{Json, Kind};

/// Calls that a model without an API for them writes into its words: JSON between `<tool_call>` tags.
pub(super) fn calls<'a>(
    parts: &[Part<'a>],
    out: &mut Description<'a>,
) -> Vec<(Json<'a>, Json<'a>, Json<'a>)> {
    let mut calls = Vec::new();
    for part in parts {
        let Part::Text(words) = part else { continue };
        if !words.raw().contains("<tool_call>") {
            continue;
        }
        let text = out.text(*words);
        for inner in text.split("<tool_call>").skip(1) {
            let inner = inner.split("</tool_call>").next().unwrap_or(inner).trim();
            let call = Json::new(inner);
            if call.kind() == Kind::Object && call.get("name").is_given() {
                calls.push(call_of(call));
            }
        }
    }
    calls
}
