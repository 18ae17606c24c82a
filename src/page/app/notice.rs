//! What the page tells its reader: problems, words for the live region, and what came of copying.

use leptos::prelude::*;

use crate::app::state::{AppState, Phase};
use crate::browser;
use traceloupe::view::route::Route;
use traceloupe::view::wire::protocol::Problem;

/// Says something to those who listen to the page.
pub fn say(state: AppState, words: &str) {
    state.said.set(words.to_owned());
}

/// Shows a problem that leaves the page usable.
pub fn report(state: AppState, problem: Problem) {
    state.problems.update(|problems| problems.push(problem));
}

/// Shows a problem once what is loading has been shown: a good file beside a bad address.
pub fn report_later(state: AppState, problem: Problem) {
    if state.phase.get_untracked() == Phase::Ready {
        report(state, problem);
    } else {
        state.later_problems.update_value(|later| later.push(problem));
    }
}

/// Takes the problems away.
pub fn dismiss_problems(state: AppState) {
    state.problems.set(Vec::new());
}

/// Puts text into the clipboard and says so, or says that the browser refused.
pub fn copy(state: AppState, text: &str, words: &'static str) {
    browser::copy(text, move |done| {
        let words = if done { words } else { "The browser did not allow copying" };
        say(state, words);
        state.toast.set(Some(words));
    });
}

pub fn copy_address(state: AppState) {
    let words = if state.route.with_untracked(Route::names_trace) {
        "Link copied"
    } else {
        "Link copied: who follows it has to drop the same file"
    };
    copy(state, &browser::address(), words);
}

/// The address of the page with a link to an event, put into the address bar and the clipboard.
pub fn link_to(state: AppState, sel: &str) {
    let fragment = state.route.with_untracked(|route| route.with_sel(Some(sel)));
    browser::replace_fragment(&fragment);
    copy_address(state);
}
