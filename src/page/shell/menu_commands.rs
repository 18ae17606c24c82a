//! Actions of the menus and bars that have no key, for the palette.

use crate::app::App;
use crate::app::page::Dialog;
use crate::export;
use crate::opening;
use crate::opening::follow;
use crate::pane;
use crate::pane::filtering;
use crate::runs::menu;
use crate::shell::commands::{Act, Command};
use traceloupe_view::list::visible_lines::Mode;
use traceloupe_words::page::export as export_text;
use traceloupe_words::page::shell as text;

const fn command(words: &'static str, act: Act) -> Command {
    Command { keys: &[], shown: "", words, act }
}

/// The commands.
pub const MENU_COMMANDS: &[Command] = &[
    command(text::MODE_MINIMAL, Act::OnTrace(|pane| pane::actions::set_mode(pane, Mode::Minimal))),
    command(text::MODE_NORMAL, Act::OnTrace(|pane| pane::actions::set_mode(pane, Mode::Normal))),
    command(text::MODE_VERBOSE, Act::OnTrace(|pane| pane::actions::set_mode(pane, Mode::Verbose))),
    command(text::CLEAR_THE_FILTER, Act::OnTrace(filtering::clear_filter)),
    command(text::COPY_LINK_TO_RUN, Act::OnTrace(pane::actions::link_to_run)),
    command(text::COPY_ID_OF_RUN, Act::OnTrace(menu::copy_id)),
    command(text::ABOUT_THIS_TRACE, Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::About)))),
    command(export_text::ORIGINAL, Act::OnTrace(|pane| export::html::save_original(pane.trace))),
    command(text::FOLLOW_TITLE, Act::OnPage(follow::toggle_if_offered)),
    command(text::SETTINGS, Act::OnPage(|app| app.page.dialog.set(Some(Dialog::Settings)))),
    command(text::CLOSE_THE_TRACE, Act::OnPage(close)),
];

fn close(app: App) {
    if app.trace_untracked().has_rows_untracked() && !app.page.is_embedded() {
        opening::actions::close(app);
    }
}
