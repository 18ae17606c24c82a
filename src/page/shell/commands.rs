//! All keyboard commands in one table: keys, label, action. The help dialog is generated from it.

use crate::annotations;
use crate::app::App;
use crate::app::page::Dialog;
use crate::app::pane::Pane;
use crate::app::settings;
use crate::app::trace::Phase;
use crate::brief::llm_dialog;
use crate::browser;
use crate::checks;
use crate::event::{self, compare, prompt_change};
use crate::opening;
use crate::opening::intake;
use crate::pane;
use crate::pane::tabs::{choose_brief, choose_statistics, choose_tab, compare_runs, show_as};
use crate::replay;
use crate::runs::{findings, run_table};
use crate::search;
use crate::shell::moves;
use crate::timeline::{flame, print};
use traceloupe_protocol::route::FILES;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_words::page::export as export_text;
use traceloupe_words::page::shell as text;

/// A command.
pub struct Command {
    /// The keys, as in `KeyboardEvent.key`; any of them triggers the command. `Ctrl+` means Ctrl or Cmd.
    pub keys: &'static [&'static str],
    /// The keys as shown in the help.
    pub shown: &'static str,
    /// Its label.
    pub words: &'static str,
    /// Its action.
    pub act: Act,
}

/// An action, by what it acts on.
#[derive(Clone, Copy)]
pub enum Act {
    /// The open trace. Without rows the command does nothing.
    OnTrace(fn(Pane)),
    /// The page.
    OnPage(fn(App)),
}

/// All commands, in the order of the help dialog.
pub const COMMANDS: &[Command] = &[
    Command {
        keys: &["j", "ArrowDown"],
        shown: "j ↓",
        words: text::NEXT_ROW,
        act: Act::OnTrace(|pane| moves::step(pane, 1)),
    },
    Command {
        keys: &["k", "ArrowUp"],
        shown: "k ↑",
        words: text::PREVIOUS_ROW,
        act: Act::OnTrace(|pane| moves::step(pane, -1)),
    },
    Command {
        keys: &["l", "ArrowRight"],
        shown: "l →",
        words: text::EXPAND_ROW,
        act: Act::OnTrace(moves::expand),
    },
    Command {
        keys: &["h", "ArrowLeft"],
        shown: "h ←",
        words: text::COLLAPSE_ROW,
        act: Act::OnTrace(moves::collapse),
    },
    Command {
        keys: &["Enter"],
        shown: "Enter",
        words: text::ENTER_ROW,
        act: Act::OnTrace(moves::enter),
    },
    Command {
        keys: &[" "],
        shown: "Space",
        words: text::OPEN_OR_CLOSE_THE_ROW,
        act: Act::OnTrace(moves::toggle),
    },
    Command {
        keys: &["J"],
        shown: "J",
        words: text::NEXT_ROW_AT_THIS_LEVEL,
        act: Act::OnTrace(|pane| moves::turn(pane, true)),
    },
    Command {
        keys: &["K"],
        shown: "K",
        words: text::PREVIOUS_ROW_AT_THIS_LEVEL,
        act: Act::OnTrace(|pane| moves::turn(pane, false)),
    },
    Command {
        keys: &["]"],
        shown: "]",
        words: text::NEXT_POSSIBLE_LOOP,
        act: Act::OnTrace(|pane| moves::finding(pane, true)),
    },
    Command {
        keys: &["["],
        shown: "[",
        words: text::PREVIOUS_POSSIBLE_LOOP,
        act: Act::OnTrace(|pane| moves::finding(pane, false)),
    },
    Command {
        keys: &["x"],
        shown: "x",
        words: text::NEXT_ERROR,
        act: Act::OnTrace(|pane| moves::error(pane, true)),
    },
    Command {
        keys: &["X"],
        shown: "X",
        words: text::PREVIOUS_ERROR,
        act: Act::OnTrace(|pane| moves::error(pane, false)),
    },
    Command { keys: &["r"], shown: "r", words: text::CAUSE, act: Act::OnTrace(moves::cause) },
    Command {
        keys: &["A"],
        shown: "A",
        words: text::LAST_ANSWER,
        act: Act::OnTrace(moves::last_answer),
    },
    Command {
        keys: &["d"],
        shown: "d",
        words: text::WHAT_CHANGED,
        act: Act::OnTrace(|pane| on_row(pane, compare::show_changes)),
    },
    Command {
        keys: &["D"],
        shown: "D",
        words: text::COMPARE_OTHERS_WITH_THIS,
        act: Act::OnTrace(|pane| on_row(pane, compare::choose)),
    },
    Command {
        keys: &["P"],
        shown: "P",
        words: text::PROMPT_CHANGE,
        act: Act::OnTrace(prompt_change::find),
    },
    Command {
        keys: &["C"],
        shown: "C",
        words: text::COMPARE_WITH_ANOTHER_RUN,
        act: Act::OnTrace(compare_runs),
    },
    Command {
        keys: &["f"],
        shown: "f",
        words: text::ALL_FINDINGS,
        act: Act::OnTrace(findings::toggle),
    },
    Command {
        keys: &["/", "F"],
        shown: "/ F",
        words: text::SEARCH_AND_FILTER,
        act: Act::OnTrace(|_| {
            let id = if browser::element(run_table::FILTER).is_some() {
                run_table::FILTER
            } else {
                "search-input"
            };
            browser::focus_all(id);
        }),
    },
    Command {
        keys: &["n"],
        shown: "n",
        words: text::NEXT_MATCH,
        act: Act::OnTrace(|pane| search::actions::next_hit(pane, true)),
    },
    Command {
        keys: &["N"],
        shown: "N",
        words: text::PREVIOUS_MATCH,
        act: Act::OnTrace(|pane| search::actions::next_hit(pane, false)),
    },
    Command { keys: &["0"], shown: "0", words: text::SHOW_BRIEF, act: Act::OnTrace(choose_brief) },
    Command {
        keys: &["1"],
        shown: "1",
        words: text::SHOW_TRANSCRIPT,
        act: Act::OnTrace(|pane| show_as(pane, ListForm::Transcript)),
    },
    Command {
        keys: &["2"],
        shown: "2",
        words: text::SHOW_TIMELINE,
        act: Act::OnTrace(|pane| show_as(pane, ListForm::Timeline)),
    },
    Command {
        keys: &["3"],
        shown: "3",
        words: text::SHOW_WATERFALL,
        act: Act::OnTrace(|pane| show_as(pane, ListForm::Waterfall)),
    },
    Command { keys: &["g"], shown: "g", words: text::FLAME_GRAPH, act: Act::OnTrace(flame_graph) },
    Command {
        keys: &["z"],
        shown: "z",
        words: text::ZOOM_FLAME,
        act: Act::OnTrace(|pane| on_row(pane, flame::toggle_zoom)),
    },
    Command {
        keys: &["4"],
        shown: "4",
        words: text::SHOW_FILES,
        act: Act::OnTrace(|pane| choose_tab(pane, FILES)),
    },
    Command {
        keys: &["5", "i"],
        shown: "5 i",
        words: text::STATISTICS_OF_CALLS_AND_RUNS,
        act: Act::OnTrace(choose_statistics),
    },
    Command {
        keys: &["c"],
        shown: "c",
        words: text::CHECK_AGAINST_EXPECTED_CALLS,
        act: Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::Check))),
    },
    Command {
        keys: &["e"],
        shown: "e",
        words: text::NEXT_CHECKED_CALL,
        act: Act::OnTrace(|pane| checks::actions::next_mark(pane, true)),
    },
    Command {
        keys: &["E"],
        shown: "E",
        words: text::PREVIOUS_CHECKED_CALL,
        act: Act::OnTrace(|pane| checks::actions::next_mark(pane, false)),
    },
    Command {
        keys: &["w"],
        shown: "w",
        words: text::EXPORT_THE_RUN_AS,
        act: Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::Export))),
    },
    Command {
        keys: &["Ctrl+s"],
        shown: "Ctrl+S",
        words: export_text::SAVE_AS_HTML,
        act: Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::SaveHtml))),
    },
    Command {
        keys: &["a"],
        shown: "a",
        words: text::ANNOTATE_THE_ROW,
        act: Act::OnTrace(annotate),
    },
    Command {
        keys: &["y"],
        shown: "y",
        words: text::COPY_LINK_TO_ROW,
        act: Act::OnTrace(copy_link),
    },
    Command {
        keys: &["S"],
        shown: "S",
        words: text::SHARE_TITLE,
        act: Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::Share))),
    },
    Command {
        keys: &["Y"],
        shown: "Y",
        words: text::COPY_FOR_LLM,
        act: Act::OnTrace(llm_dialog::open),
    },
    Command {
        keys: &["b"],
        shown: "b",
        words: text::NEXT_ANNOTATION,
        act: Act::OnTrace(|pane| annotations::actions::next_annotation(pane, true)),
    },
    Command {
        keys: &["B"],
        shown: "B",
        words: text::PREVIOUS_ANNOTATION,
        act: Act::OnTrace(|pane| annotations::actions::next_annotation(pane, false)),
    },
    Command {
        keys: &["*"],
        shown: "*",
        words: text::EXPAND_ALL,
        act: Act::OnTrace(|pane| pane::actions::set_all(pane, true)),
    },
    Command {
        keys: &["-"],
        shown: "-",
        words: text::COLLAPSE_ALL,
        act: Act::OnTrace(|pane| pane::actions::set_all(pane, false)),
    },
    Command {
        keys: &["Home"],
        shown: "Home",
        words: text::FIRST_ROW,
        act: Act::OnTrace(|pane| moves::edge(pane, false)),
    },
    Command {
        keys: &["End", "G"],
        shown: "End G",
        words: text::LAST_ROW,
        act: Act::OnTrace(|pane| moves::edge(pane, true)),
    },
    Command {
        keys: &["PageDown"],
        shown: "PgDn",
        words: text::A_PAGE_DOWN,
        act: Act::OnTrace(|pane| moves::step(pane, 20)),
    },
    Command {
        keys: &["PageUp"],
        shown: "PgUp",
        words: text::A_PAGE_UP,
        act: Act::OnTrace(|pane| moves::step(pane, -20)),
    },
    Command {
        keys: &["s"],
        shown: "s",
        words: text::STOP_LOADING,
        act: Act::OnPage(|app| opening::actions::stop(app.trace_untracked())),
    },
    Command {
        keys: &["p"],
        shown: "p",
        words: text::REPLAY_THE_RUN,
        act: Act::OnTrace(replay::actions::toggle_replay),
    },
    Command {
        keys: &["t"],
        shown: "t",
        words: text::SWITCH_THEME,
        act: Act::OnPage(|app| settings::switch_theme(app.pane_untracked())),
    },
    Command { keys: &["o"], shown: "o", words: text::OPEN, act: Act::OnPage(open_here) },
    Command {
        keys: &["Ctrl+p"],
        shown: "Ctrl+P",
        words: text::PRINT,
        act: Act::OnTrace(print::print),
    },
    Command {
        keys: &["Ctrl+k"],
        shown: "Ctrl+K",
        words: text::ALL_COMMANDS,
        act: Act::OnPage(toggle_palette),
    },
    Command {
        keys: &["?"],
        shown: "?",
        words: text::SHORTCUTS_AND_GLOSSARY,
        act: Act::OnPage(|app| app.page.dialog.set(Some(Dialog::Help))),
    },
    Command { keys: &["Escape"], shown: "Esc", words: text::ESCAPE, act: Act::OnPage(escape) },
];

/// Applies an action to the selected row, if there is one.
fn on_row(pane: Pane, act: fn(Pane, u32)) {
    if let Some(row) = pane.selected.get_untracked().and_then(Line::row) {
        act(pane, row);
    }
}

/// Runs a command; `false` if it has nothing to act on.
pub fn run(app: App, act: Act) -> bool {
    let pane = app.pane_untracked();
    match act {
        Act::OnTrace(_) if !pane.trace.has_rows_untracked() => return false,
        Act::OnTrace(act) => act(pane),
        Act::OnPage(act) => act(app),
    }
    true
}

/// Opens the form for annotating the selected row, or the whole trace if none is selected.
fn annotate(pane: Pane) {
    let row = pane.selected.get_untracked().and_then(Line::row);
    if let Some(row) = row {
        pane::actions::read(pane, row);
    }
    let id = row.map(|row| pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row)));
    annotations::actions::begin_annotation(pane, id);
}

/// Copies a link to the selected row, or to the run if none is selected.
fn copy_link(pane: Pane) {
    match pane.selected.get_untracked().and_then(Line::row) {
        Some(row) => {
            let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
            event::actions::copy_link(pane.trace, id);
        }
        None => pane::actions::link_to_run(pane),
    }
}

/// Opens or closes the palette.
fn toggle_palette(app: App) {
    let dialog = app.page.dialog;
    match dialog.get_untracked() {
        None => dialog.set(Some(Dialog::Palette)),
        Some(Dialog::Palette) => dialog.set(None),
        Some(_) => {}
    }
}

/// Shows or hides the flame graph. If the waterfall is not shown, switches to it and shows the graph.
pub fn flame_graph(pane: Pane) {
    let is_waterfall = pane.form.get_untracked() == ListForm::Waterfall;
    if !is_waterfall {
        show_as(pane, ListForm::Waterfall);
    }
    if pane.form.get_untracked() == ListForm::Waterfall {
        flame::show(pane, !is_waterfall || !pane.flame.is_shown.get_untracked());
    }
}

fn open_here(app: App) {
    if !app.page.is_embedded() {
        open(app);
    }
}

/// Offers all ways to open a trace. The empty page already shows them, so there this opens the file picker.
pub fn open(app: App) {
    if app.trace_untracked().has_rows_untracked() {
        app.page.dialog.set(Some(Dialog::Open));
    } else {
        intake::pick();
    }
}

fn escape(app: App) {
    let pane = app.pane_untracked();
    if app.page.dialog.with_untracked(Option::is_some) {
        app.page.dialog.set(None);
    } else if pane.search.query.with_untracked(|query| !query.is_empty()) {
        search::actions::clear_search(pane);
    } else if matches!(pane.trace.phase.get_untracked(), Phase::Loading(_)) {
        opening::actions::cancel(app);
    } else if !browser::is_focus_inside(".list__body") {
        // From an open row, the focus first returns to the list.
        pane::agents::leave(pane, None);
    }
    browser::focus_timeline();
}
