//! Every command of the keyboard in one table: its keys, its words, what it does. The help dialog is
//! drawn from this.

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::annotations;
use crate::app::dialog;
use crate::app::settings;
use crate::app::state::{AppState, Dialog, Phase};
use crate::browser;
use crate::checks;
use crate::opening;
use crate::opening::intake;
use crate::pane;
use crate::replay;
use crate::search;
use traceloupe::model::{EventKind, Status};
use traceloupe::view::page::rows::{Line, ancestors, index_of, is_expanded};

/// A command.
pub struct Command {
    /// The keys as [`KeyboardEvent::key`] names them; any of them.
    pub keys: &'static [&'static str],
    /// The keys as people read them.
    pub shown: &'static str,
    /// What it does, for people.
    pub words: &'static str,
    /// Whether it acts on the timeline, so that a trace must be open.
    pub on_trace: bool,
    /// What it does.
    pub act: fn(AppState),
}

/// All commands, in the order of the help dialog.
pub const COMMANDS: &[Command] = &[
    Command {
        keys: &["j", "ArrowDown"],
        shown: "j ↓",
        words: "Next row",
        on_trace: true,
        act: |state| step(state, 1),
    },
    Command {
        keys: &["k", "ArrowUp"],
        shown: "k ↑",
        words: "Previous row",
        on_trace: true,
        act: |state| step(state, -1),
    },
    Command {
        keys: &["l", "ArrowRight"],
        shown: "l →",
        words: "Expand; if expanded, first nested row",
        on_trace: true,
        act: expand,
    },
    Command {
        keys: &["h", "ArrowLeft"],
        shown: "h ←",
        words: "Collapse; if collapsed, the row it is nested in",
        on_trace: true,
        act: collapse,
    },
    Command {
        keys: &["Enter"],
        shown: "Enter",
        words: "Open the row and move into it; Esc returns",
        on_trace: true,
        act: enter,
    },
    Command {
        keys: &[" "],
        shown: "Space",
        words: "Open or close the row",
        on_trace: true,
        act: toggle,
    },
    Command {
        keys: &["J"],
        shown: "J",
        words: "Next row at this level",
        on_trace: true,
        act: |state| sibling(state, true),
    },
    Command {
        keys: &["K"],
        shown: "K",
        words: "Previous row at this level",
        on_trace: true,
        act: |state| sibling(state, false),
    },
    Command {
        keys: &["]"],
        shown: "]",
        words: "Next possible loop",
        on_trace: true,
        act: |state| finding(state, true),
    },
    Command {
        keys: &["["],
        shown: "[",
        words: "Previous possible loop",
        on_trace: true,
        act: |state| finding(state, false),
    },
    Command {
        keys: &["x"],
        shown: "x",
        words: "Next error",
        on_trace: true,
        act: |state| error(state, true),
    },
    Command {
        keys: &["X"],
        shown: "X",
        words: "Previous error",
        on_trace: true,
        act: |state| error(state, false),
    },
    Command {
        keys: &["/"],
        shown: "/",
        words: "Search",
        on_trace: true,
        act: |_| browser::focus_all("search-input"),
    },
    Command {
        keys: &["n"],
        shown: "n",
        words: "Next match (in the search field Enter)",
        on_trace: true,
        act: |state| search::actions::next_hit(state, true),
    },
    Command {
        keys: &["N"],
        shown: "N",
        words: "Previous match (in the search field Shift+Enter)",
        on_trace: true,
        act: |state| search::actions::next_hit(state, false),
    },
    Command {
        keys: &["c"],
        shown: "c",
        words: "Check against expected calls",
        on_trace: true,
        act: |state| dialog::set_dialog(state, Some(Dialog::Check)),
    },
    Command {
        keys: &["e"],
        shown: "e",
        words: "Next checked call",
        on_trace: true,
        act: |state| checks::actions::next_mark(state, true),
    },
    Command {
        keys: &["E"],
        shown: "E",
        words: "Previous checked call",
        on_trace: true,
        act: |state| checks::actions::next_mark(state, false),
    },
    Command {
        keys: &["w"],
        shown: "w",
        words: "Export the run as…",
        on_trace: true,
        act: |state| dialog::set_dialog(state, Some(Dialog::Convert)),
    },
    Command {
        keys: &["i"],
        shown: "i",
        words: "Statistics of calls and runs",
        on_trace: true,
        act: |state| dialog::set_dialog(state, Some(Dialog::Statistics)),
    },
    Command {
        keys: &["b"],
        shown: "b",
        words: "Next annotation",
        on_trace: true,
        act: |state| annotations::actions::next_annotation(state, true),
    },
    Command {
        keys: &["B"],
        shown: "B",
        words: "Previous annotation",
        on_trace: true,
        act: |state| annotations::actions::next_annotation(state, false),
    },
    Command {
        keys: &["*"],
        shown: "*",
        words: "Expand everything",
        on_trace: true,
        act: |state| pane::actions::set_all(state, true),
    },
    Command {
        keys: &["-"],
        shown: "-",
        words: "Collapse everything",
        on_trace: true,
        act: |state| pane::actions::set_all(state, false),
    },
    Command {
        keys: &["Home"],
        shown: "Home",
        words: "First row",
        on_trace: true,
        act: |state| edge(state, false),
    },
    Command {
        keys: &["End", "G"],
        shown: "End G",
        words: "Last row",
        on_trace: true,
        act: |state| edge(state, true),
    },
    Command {
        keys: &["PageDown"],
        shown: "PgDn",
        words: "A page down",
        on_trace: true,
        act: |state| step(state, 20),
    },
    Command {
        keys: &["PageUp"],
        shown: "PgUp",
        words: "A page up",
        on_trace: true,
        act: |state| step(state, -20),
    },
    Command {
        keys: &["s"],
        shown: "s",
        words: "Stop loading and keep what has been read",
        on_trace: false,
        act: opening::actions::stop,
    },
    Command {
        keys: &["p"],
        shown: "p",
        words: "Replay the run",
        on_trace: true,
        act: replay::actions::toggle_replay,
    },
    Command {
        keys: &["t"],
        shown: "t",
        words: "Switch between the light and the dark theme",
        on_trace: false,
        act: settings::switch_theme,
    },
    Command { keys: &["o"], shown: "o", words: "Open…", on_trace: false, act: open_here },
    Command {
        keys: &["?"],
        shown: "?",
        words: "Shortcuts and glossary",
        on_trace: false,
        act: |state| dialog::set_dialog(state, Some(Dialog::Help)),
    },
    Command {
        keys: &["Escape"],
        shown: "Esc",
        words: "Close a dialog, clear the search, cancel loading, leave an open row",
        on_trace: false,
        act: escape,
    },
];

/// Listens to the keyboard of the whole page.
pub fn listen(state: AppState) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| pressed(state, &event));
    // The page listens for as long as it lives.
    std::mem::forget(listener);
}

fn pressed(state: AppState, event: &KeyboardEvent) {
    let key = event.key();
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return;
    }
    if browser::takes_text(event.target()) && key != "Escape" {
        return;
    }
    let in_tree = in_tree(event);
    // Characters are commands everywhere unless the person has switched that off; keys of movement
    // belong to the timeline alone, and elsewhere to the browser.
    let is_character = key.chars().count() == 1;
    let allowed = match key.as_str() {
        "Escape" => true,
        " " | "Enter" => in_tree,
        _ if is_character => state.prefs.with_untracked(|prefs| prefs.keys) || in_tree,
        _ => in_tree,
    };
    if !allowed || state.dialog.with_untracked(Option::is_some) && key != "Escape" {
        return;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.keys.contains(&key.as_str())) else {
        return;
    };
    if command.on_trace && !state.has_rows_untracked() {
        return;
    }
    event.prevent_default();
    (command.act)(state);
}

fn in_tree(event: &KeyboardEvent) -> bool {
    let target =
        event.target().and_then(|it| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(it).ok());
    target.is_some_and(|element| element.id() == "timeline" || element.tag_name() == "BODY")
}

fn open_here(state: AppState) {
    if !state.is_embedded() {
        open(state);
    }
}

/// Offers all ways to open a trace. With nothing open the page shows them itself, so this goes on to
/// the file picker.
pub fn open(state: AppState) {
    if state.has_rows_untracked() {
        dialog::set_dialog(state, Some(Dialog::Open));
    } else {
        intake::pick();
    }
}

/// Where the selected line is, or where it would be if a filter did not hide it.
fn here(state: AppState) -> Option<Result<u32, u32>> {
    let selected = state.selected.get_untracked()?;
    let outline = state.outline.get_untracked();
    Some(state.lines.with_untracked(|lines| index_of(&outline, lines, selected)))
}

fn step(state: AppState, by: i32) {
    let lines = state.lines.get_untracked();
    let last = u32::try_from(lines.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let next = match here(state) {
        Some(Ok(at)) => at.saturating_add_signed(by),
        // Between two lines: the one behind is a step forward already.
        Some(Err(at)) => at.saturating_add_signed(if by > 0 { by - 1 } else { by }),
        None => 0,
    };
    if let Some(line) = lines.get(next.min(last) as usize) {
        pane::actions::select(state, *line);
    }
}

fn edge(state: AppState, last: bool) {
    let lines = state.lines.get_untracked();
    if let Some(line) = if last { lines.last() } else { lines.first() } {
        pane::actions::select(state, *line);
    }
}

fn selected_row(state: AppState) -> Option<u32> {
    state.selected.get_untracked().and_then(Line::row)
}

fn expand(state: AppState) {
    match state.selected.get_untracked() {
        Some(Line::Fold(finding)) => pane::actions::toggle_fold(state, finding),
        Some(Line::Row(row)) => {
            let outline = state.outline.get_untracked();
            if outline.rows.nested.get(row) == 0 {
                pane::actions::open_body(state, row);
            } else if is_expanded(&outline, &state.choice.get_untracked(), row) {
                step(state, 1);
            } else {
                pane::actions::toggle_nested(state, row);
            }
        }
        None => step(state, 1),
    }
}

fn collapse(state: AppState) {
    let Some(row) = selected_row(state) else { return };
    let outline = state.outline.get_untracked();
    let has_nested = outline.rows.nested.get(row) > 0;
    if state.opened.with_untracked(|opened| opened.has(row)) {
        pane::actions::toggle_body(state, row);
    } else if has_nested && is_expanded(&outline, &state.choice.get_untracked(), row) {
        pane::actions::toggle_nested(state, row);
    } else if let Some(parent) = ancestors(&outline, row).last() {
        pane::actions::select(state, Line::Row(*parent));
    }
}

fn enter(state: AppState) {
    match state.selected.get_untracked() {
        Some(Line::Fold(finding)) => pane::actions::toggle_fold(state, finding),
        Some(Line::Row(row)) => {
            pane::actions::open_body(state, row);
            let id = format!("body-{row}");
            leptos::task::spawn_local(async move {
                // The body is drawn in the next turn.
                gloo_timers::future::TimeoutFuture::new(30).await;
                browser::focus(&id);
            });
        }
        None => step(state, 1),
    }
}

fn toggle(state: AppState) {
    match state.selected.get_untracked() {
        Some(Line::Fold(finding)) => pane::actions::toggle_fold(state, finding),
        Some(Line::Row(row)) => pane::actions::toggle_body(state, row),
        None => step(state, 1),
    }
}

fn sibling(state: AppState, forward: bool) {
    let Some(row) = selected_row(state) else { return step(state, 1) };
    let outline = state.outline.get_untracked();
    let depth = outline.rows.depths.get(row);
    let lines = state.lines.get_untracked();
    let at = index_of(&outline, &lines, Line::Row(row)).unwrap_or_else(|at| at) as usize;
    let (before, behind) = lines.split_at(at.min(lines.len()));
    let beside = |other: &u32| *other != row && outline.rows.depths.get(*other) <= depth;
    let next = if forward {
        behind.iter().filter_map(|line| line.row()).find(beside)
    } else {
        before.iter().rev().filter_map(|line| line.row()).find(beside)
    };
    if let Some(next) = next {
        pane::actions::select(state, Line::Row(next));
    }
}

fn finding(state: AppState, forward: bool) {
    let run = state.choice.with_untracked(|choice| choice.run);
    let rows = crate::runs::facts::loop_rows(&state.outline.get_untracked(), run);
    pane::actions::go_in(state, rows.into_iter(), forward, "possible loop");
}

fn error(state: AppState, forward: bool) {
    let outline = state.outline.get_untracked();
    let run = state.choice.with_untracked(|choice| choice.run);
    let Some(run) = outline.runs.get(run as usize) else { return };
    let failed = |row: &u32| {
        Status::from_code(outline.rows.statuses.get(*row)) == Status::Error
            || outline.rows.kinds.get(*row) == EventKind::Error as u8
    };
    let rows = (run.first_row..run.first_row + run.n_rows).filter(failed);
    pane::actions::go_in(state, rows, forward, "error");
}

fn escape(state: AppState) {
    if state.dialog.with_untracked(Option::is_some) {
        dialog::set_dialog(state, None);
    } else if state.search.query.with_untracked(|query| !query.is_empty()) {
        search::actions::clear_search(state);
    } else if matches!(state.phase.get_untracked(), Phase::Loading(_)) {
        opening::actions::cancel(state);
    }
    browser::focus_timeline();
}
