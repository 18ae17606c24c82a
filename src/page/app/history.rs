//! The browser's history: Back returns to where the user was before a jump, and then to the trace that was open before.

use std::cell::RefCell;

use wasm_bindgen::JsValue;

use crate::browser;
use crate::state::opening::Opening;
use traceloupe_core::number::shortest;
use traceloupe_view::list::visible_lines::{Choice, Line};

/// Where the user is in a trace.
#[derive(Clone, Default)]
pub struct Place {
    /// The run, the mode, the filters and the expanded rows.
    pub choice: Choice,
    /// The id of the chosen view.
    pub tab: String,
    /// The selected line.
    pub selected: Option<Line>,
}

/// An entry of the browser's history, by its numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    opening: usize,
    place: usize,
}

#[derive(Default)]
struct Past {
    openings: Vec<Option<Opening>>,
    places: Vec<Option<Place>>,
    /// The current entry; `None` if the open trace is not in the history.
    here: Option<Entry>,
    /// When the last place was added, in milliseconds.
    added_ms: f64,
}

thread_local! {
    /// The browser has one history for the whole page, regardless of the open trace, so this is not part of a trace.
    static PAST: RefCell<Past> = RefCell::default();
}

/// How many past openings can be returned to. Their files are held until then.
const MAX_OPENINGS: usize = 20;

/// How many past places can be returned to; browsers keep 50 entries.
const MAX_PLACES: usize = 100;

/// Jumps that follow each other more quickly are one.
const APART_MS: f64 = 500.0;

/// What the user has gone back or forward to.
pub enum Went {
    /// To another trace.
    Opening(Opening),
    /// To another place of the open trace.
    Place(Place),
}

/// The open trace is replaced by one that is not in the history yet.
pub fn leave_trace() {
    PAST.with_borrow_mut(|past| past.here = None);
}

/// Adds an entry for a trace. Traces sent by another window add none, because the history of a frame is that of the
/// surrounding page.
pub fn remember(opening: &Opening) {
    if opening.brought_by.is_some() {
        return;
    }
    let (entry, is_first) = PAST.with_borrow_mut(|past| {
        let entry = Entry { opening: past.openings.len(), place: past.places.len() };
        push(&mut past.openings, opening.clone(), MAX_OPENINGS);
        push(&mut past.places, Place::default(), MAX_PLACES);
        past.here = Some(entry);
        (entry, entry.opening == 0)
    });
    write(entry, is_first);
}

/// Adds an entry for what a jump leads to. `place` is where the user is before it.
pub fn remember_place(place: impl FnOnce() -> Place) {
    // The Back button of a page that frames this one belongs to that page.
    if browser::is_framed() {
        return;
    }
    let entry = PAST.with_borrow_mut(|past| {
        let now_ms = browser::now_ms();
        let here = past.here.filter(|_| now_ms - past.added_ms > APART_MS)?;
        past.added_ms = now_ms;
        let place = place();
        put(&mut past.places, here.place, place.clone());
        let entry = Entry { place: past.places.len(), ..here };
        push(&mut past.places, place, MAX_PLACES);
        past.here = Some(entry);
        Some(entry)
    });
    if let Some(entry) = entry {
        write(entry, false);
    }
}

/// Where the state of an entry leads. `place` is where the user is before that.
pub fn went(mark: &JsValue, place: impl FnOnce() -> Place) -> Option<Went> {
    let mark = mark.as_string()?;
    let (load, entry) = mark.split_once('#')?;
    let (opening, at) = entry.split_once('.').filter(|_| load == this_load())?;
    let entry = Entry { opening: opening.parse().ok()?, place: at.parse().ok()? };
    PAST.with_borrow_mut(|past| {
        let here = past.here.replace(entry);
        if let Some(here) = here.filter(|here| here.opening == entry.opening) {
            put(&mut past.places, here.place, place());
            return past.places.get(entry.place)?.clone().map(Went::Place);
        }
        past.openings.get(entry.opening)?.clone().map(Went::Opening)
    })
}

fn push<T>(all: &mut Vec<Option<T>>, new: T, most: usize) {
    all.push(Some(new));
    if let Some(old) = all.len().checked_sub(most + 1).and_then(|at| all.get_mut(at)) {
        *old = None;
    }
}

fn put<T>(all: &mut [Option<T>], at: usize, new: T) {
    if let Some(old) = all.get_mut(at) {
        *old = Some(new);
    }
}

fn write(entry: Entry, replaces: bool) {
    let history = web_sys::window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let mark = format!("{}#{}.{}", this_load(), entry.opening, entry.place);
        let mark = JsValue::from_str(&mark);
        // A sandboxed frame has no history, and therefore no Back button.
        let _ = match replaces {
            true => history.replace_state_with_url(&mark, "", None),
            false => history.push_state_with_url(&mark, "", None),
        };
    }
}

/// Distinguishes this load of the page from others, because history entries outlive a reload, but openings do not.
fn this_load() -> String {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(String::new(), |clock| shortest(clock.time_origin()))
}
