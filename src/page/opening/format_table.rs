//! The table of all formats, in a collapsible section of the empty page. The page has only their names. A separate
//! worker provides the rest and ends afterwards.

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::boot;
use crate::browser;
use crate::client::{Client, Heard};
use crate::reactive::{RwSignal, live};
use traceloupe_protocol::format_line::FormatLine;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_words::page::opening as text;

/// The state of the section.
#[derive(Clone)]
enum State {
    /// It has never been opened.
    Untouched,
    /// The request has been sent to the worker.
    Waiting,
    /// The lines have arrived.
    Here(Vec<FormatLine>),
    /// The lines will not arrive.
    Failed,
}

/// Ids of the section and of the place for the table in it. Both are in `index.html`.
const FOLD: &str = "all-formats";
const TABLE: &str = "all-formats-table";

/// Fills the section when it is opened.
pub fn listen() {
    let (Some(fold), Some(place)) = (browser::element(FOLD), browser::element(TABLE)) else {
        return;
    };
    let state = RwSignal::new(State::Untouched);
    let worker = StoredValue::new_local(None);
    let ask = {
        let fold = fold.clone();
        move || {
            if fold.has_attribute("open")
                && matches!(state.get_untracked(), State::Untouched | State::Failed)
            {
                state.set(State::Waiting);
                boot::when_sealed(move || begin(state, worker));
            }
        }
    };
    let said = live(move || match state.get() {
        State::Waiting => text::ASKING_FOR_THE_FORMATS,
        State::Failed => text::NO_FORMATS,
        State::Untouched | State::Here(_) => "",
    });
    let table = move || match state.get() {
        State::Here(lines) => Some(table(lines)),
        _ => None,
    };
    // Remove the placeholder.
    place.set_text_content(None);
    let drawn =
        mount_to(place, move || markup! { <p class="empty__also" role="status">{said}</p>{table} });
    drawn.forget();
    ask();
    let toggled = Closure::<dyn FnMut()>::new(ask).into_js_value();
    // Adding a listener cannot fail.
    let _ = fold.add_event_listener_with_callback("toggle", toggled.unchecked_ref());
}

/// Sends the request to a new worker, so that the spare one stays warm for the first file.
fn begin(state: RwSignal<State>, worker: StoredValue<Option<Client>, LocalStorage>) {
    let Ok(spawned) = boot::spawn_worker() else { return state.set(State::Failed) };
    let client = Client::new(spawned, move |heard| {
        match heard {
            Heard::Response(Response::Formats(lines)) => state.set(State::Here(lines)),
            _ => state.set(State::Failed),
        }
        // The worker must end only after its message has been handled.
        set_timeout(move || worker.set_value(None), std::time::Duration::ZERO);
    });
    client.send(&Request::Formats, &[]);
    worker.set_value(Some(client));
}

fn table(lines: Vec<FormatLine>) -> AnyView {
    let line = |line: FormatLine| {
        markup! {
            <tr><th scope="row">{line.name}</th><td>{line.versions}</td><td>{line.found_at}</td></tr>
        }
    };
    markup! {
        <table class="empty__formats">
            <thead><tr><th scope="col">{text::FORMAT}</th><th scope="col">{text::VERSIONS}</th><th scope="col">{text::WHERE_TO_FIND_THE_FILES}</th></tr></thead>
            <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
        </table>
    }
    .into_any()
}
