//! Problems, text for screen readers, and copying.

use leptos::prelude::*;

use crate::app::handoff;
use crate::app::page::Page;
use crate::app::trace::{Phase, Trace};
use crate::browser;
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::route::Route;
use traceloupe_words::page::app as text;

/// Announces a message to screen readers.
pub fn say(page: Page, words: &str) {
    page.said.set(words.to_owned());
}

/// Announces a message to screen readers and shows it for a moment.
pub fn tell(page: Page, words: &'static str) {
    say(page, words);
    page.toast.set(Some(words));
}

/// Shows a problem that leaves the page usable.
pub fn report(trace: Trace, problem: Problem) {
    trace.problems.update(|problems| problems.push(problem));
}

/// Shows a problem once loading has ended, such as a bad address beside a good file.
pub fn report_later(trace: Trace, problem: Problem) {
    if trace.phase.get_untracked() == Phase::Ready {
        report(trace, problem);
    } else {
        trace.later_problems.update_value(|later| later.push(problem));
    }
}

/// Removes all problems.
pub fn dismiss_problems(trace: Trace) {
    trace.problems.set(Vec::new());
}

/// Copies text to the clipboard and announces `words`, or that the browser refused.
pub fn copy(page: Page, text: &str, words: &'static str) {
    handoff::copy(page, text, words);
}

/// Copies the address of the page.
pub fn copy_address(page: Page) {
    let words = if page.route.with_untracked(Route::names_trace) {
        text::LINK_COPIED
    } else {
        text::LINK_COPIED_WITHOUT_FILE
    };
    // A link names a trace; it holds nothing of it.
    let link = browser::address_with(&Route::parse(&browser::fragment()).versioned());
    handoff::copy_as_it_is(page, &link, words);
}

/// Puts a link to an event into the address bar and the clipboard.
pub fn link_to(page: Page, sel: &str) {
    let fragment = page.route.with_untracked(|route| route.with_sel(Some(sel)));
    browser::replace_fragment(&fragment);
    copy_address(page);
}
