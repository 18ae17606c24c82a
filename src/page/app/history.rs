//! The browser's history of opened traces, so that Back opens the previous one again.

use std::cell::RefCell;

use wasm_bindgen::JsValue;

use crate::state::opening::Opening;
use traceloupe_core::number::shortest;

thread_local! {
    /// The browser has one history for the whole page, regardless of the open trace, so this is not part of a trace.
    static PAST: RefCell<Vec<Option<Opening>>> = const { RefCell::new(Vec::new()) };
}

/// How many past openings can be returned to. Their files are held until then.
const MAX_PAST: usize = 20;

/// Adds an entry to the browser's history. Traces sent by another window add none, because the history of a frame is
/// that of the surrounding page.
pub fn remember(opening: &Opening) {
    if opening.brought_by.is_some() {
        return;
    }
    let index = PAST.with_borrow_mut(|past| {
        past.push(Some(opening.clone()));
        if let Some(old) = past.len().checked_sub(MAX_PAST + 1).and_then(|at| past.get_mut(at)) {
            *old = None;
        }
        past.len() - 1
    });
    let history = web_sys::window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let mark = JsValue::from_str(&format!("{}#{index}", this_load()));
        // A sandboxed frame has no history, and therefore no Back button.
        let _ = if index == 0 {
            history.replace_state_with_url(&mark, "", None)
        } else {
            history.push_state_with_url(&mark, "", None)
        };
    }
}

/// Distinguishes this load of the page from others, because history entries outlive a reload, but openings do not.
fn this_load() -> String {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(String::new(), |clock| shortest(clock.time_origin()))
}

/// The opening that belongs to an entry of the browser's history.
pub fn remembered(mark: &JsValue) -> Option<Opening> {
    let mark = mark.as_string()?;
    let (load, index) = mark.split_once('#')?;
    let index = index.parse::<usize>().ok().filter(|_| load == this_load())?;
    PAST.with_borrow(|past| past.get(index).cloned().flatten())
}
