//! All keyboard commands in one table: keys, label, action. The help dialog is made from it.

use crate::words::shell as text;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::annotations;
use crate::app::App;
use crate::app::page::Dialog;
use crate::app::pane::Pane;
use crate::app::settings;
use crate::app::trace::Phase;
use crate::browser;
use crate::checks;
use crate::event::compare;
use crate::opening;
use crate::opening::intake;
use crate::pane;
use crate::pane::tabs::{choose_statistics, choose_tab, show_as};
use crate::replay;
use crate::runs::findings;
use crate::search;
use crate::timeline::{flame, print};
use traceloupe::model::{EventKind, Status};
use traceloupe::view::page::list_form::ListForm;
use traceloupe::view::page::note_folds::is_copy;
use traceloupe::view::page::rows::{Line, ancestors, index_of, is_expanded};
use traceloupe::view::page::scope::card;
use traceloupe::view::route::FILES;

/// A command.
pub struct Command {
    /// The keys as [`KeyboardEvent::key`] names them; any of them. `Ctrl+` stands for Ctrl or Cmd.
    pub keys: &'static [&'static str],
    /// The keys as the help shows them.
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
        act: Act::OnTrace(|pane| step(pane, 1)),
    },
    Command {
        keys: &["k", "ArrowUp"],
        shown: "k ↑",
        words: text::PREVIOUS_ROW,
        act: Act::OnTrace(|pane| step(pane, -1)),
    },
    Command {
        keys: &["l", "ArrowRight"],
        shown: "l →",
        words: text::EXPAND_ROW,
        act: Act::OnTrace(expand),
    },
    Command {
        keys: &["h", "ArrowLeft"],
        shown: "h ←",
        words: text::COLLAPSE_ROW,
        act: Act::OnTrace(collapse),
    },
    Command { keys: &["Enter"], shown: "Enter", words: text::ENTER_ROW, act: Act::OnTrace(enter) },
    Command {
        keys: &[" "],
        shown: "Space",
        words: text::OPEN_OR_CLOSE_THE_ROW,
        act: Act::OnTrace(toggle),
    },
    Command {
        keys: &["J"],
        shown: "J",
        words: text::NEXT_ROW_AT_THIS_LEVEL,
        act: Act::OnTrace(|pane| turn(pane, true)),
    },
    Command {
        keys: &["K"],
        shown: "K",
        words: text::PREVIOUS_ROW_AT_THIS_LEVEL,
        act: Act::OnTrace(|pane| turn(pane, false)),
    },
    Command {
        keys: &["]"],
        shown: "]",
        words: text::NEXT_POSSIBLE_LOOP,
        act: Act::OnTrace(|pane| finding(pane, true)),
    },
    Command {
        keys: &["["],
        shown: "[",
        words: text::PREVIOUS_POSSIBLE_LOOP,
        act: Act::OnTrace(|pane| finding(pane, false)),
    },
    Command {
        keys: &["x"],
        shown: "x",
        words: text::NEXT_ERROR,
        act: Act::OnTrace(|pane| error(pane, true)),
    },
    Command {
        keys: &["X"],
        shown: "X",
        words: text::PREVIOUS_ERROR,
        act: Act::OnTrace(|pane| error(pane, false)),
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
        keys: &["f"],
        shown: "f",
        words: text::ALL_FINDINGS,
        act: Act::OnTrace(findings::toggle),
    },
    Command {
        keys: &["F"],
        shown: "F",
        words: text::FILTER_THE_ROWS,
        act: Act::OnTrace(pane::filtering::focus_field),
    },
    Command {
        keys: &["/"],
        shown: "/",
        words: text::SEARCH,
        act: Act::OnTrace(|_| browser::focus_all("search-input")),
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
        act: Act::OnTrace(|pane| pane.page.dialog.set(Some(Dialog::Convert))),
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
        act: Act::OnTrace(|pane| edge(pane, false)),
    },
    Command {
        keys: &["End", "G"],
        shown: "End G",
        words: text::LAST_ROW,
        act: Act::OnTrace(|pane| edge(pane, true)),
    },
    Command {
        keys: &["PageDown"],
        shown: "PgDn",
        words: text::A_PAGE_DOWN,
        act: Act::OnTrace(|pane| step(pane, 20)),
    },
    Command {
        keys: &["PageUp"],
        shown: "PgUp",
        words: text::A_PAGE_UP,
        act: Act::OnTrace(|pane| step(pane, -20)),
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

/// Listens to the keyboard of the whole page.
pub fn listen(app: App) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| pressed(app, &event));
    // The listener lives as long as the page.
    std::mem::forget(listener);
}

fn pressed(app: App, event: &KeyboardEvent) {
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() {
        // Without rows the browser prints the page.
        let chord = format!("Ctrl+{key}");
        let command = COMMANDS.iter().find(|command| command.keys.contains(&chord.as_str()));
        if command.is_some_and(|command| run(app, command.act)) {
            event.prevent_default();
        }
        return;
    }
    if event.alt_key() || event.default_prevented() {
        return;
    }
    if browser::takes_text(event.target()) && key != "Escape" {
        return;
    }
    let in_tree = in_tree(event);
    // Single characters are commands everywhere, unless the setting limits them to the timeline. Other keys
    // are commands in the timeline only, and the browser's elsewhere.
    let is_character = key.chars().count() == 1;
    let allowed = match key.as_str() {
        "Escape" => true,
        " " | "Enter" => in_tree,
        _ if is_character => app.page.prefs.with_untracked(|prefs| prefs.keys) || in_tree,
        _ => in_tree,
    };
    if !allowed || app.page.dialog.with_untracked(Option::is_some) && key != "Escape" {
        return;
    }
    if pane::tabs::moved_in_runs(app.pane_untracked(), &key) {
        return event.prevent_default();
    }
    let Some(command) = COMMANDS.iter().find(|command| command.keys.contains(&key.as_str())) else {
        return;
    };
    let selected = app.pane_untracked().selected;
    let before = selected.get_untracked();
    if run(app, command.act) {
        event.prevent_default();
        // A row that a key has selected is the one that the next key is about: with the focus on a tab, Enter would
        // press the tab.
        if !in_tree && selected.get_untracked() != before {
            browser::focus_timeline();
        }
    }
}

/// Does something with the selected row, if there is one.
fn on_row(pane: Pane, act: fn(Pane, u32)) {
    if let Some(row) = pane.selected.get_untracked().and_then(Line::row) {
        act(pane, row);
    }
}

/// Does what a command does; `false` if there is nothing to do it with.
pub fn run(app: App, act: Act) -> bool {
    let pane = app.pane_untracked();
    match act {
        Act::OnTrace(_) if !pane.trace.has_rows_untracked() => return false,
        Act::OnTrace(act) => act(pane),
        Act::OnPage(act) => act(app),
    }
    true
}

/// Opens the palette, or closes it.
fn toggle_palette(app: App) {
    let dialog = app.page.dialog;
    match dialog.get_untracked() {
        None => dialog.set(Some(Dialog::Palette)),
        Some(Dialog::Palette) => dialog.set(None),
        Some(_) => {}
    }
}

/// Shows the flame graph, in the waterfall, or hides it.
fn flame_graph(pane: Pane) {
    let is_waterfall = pane.form.get_untracked() == ListForm::Waterfall;
    if !is_waterfall {
        show_as(pane, ListForm::Waterfall);
    }
    if pane.form.get_untracked() == ListForm::Waterfall {
        flame::show(pane, !is_waterfall || !pane.flame.is_shown.get_untracked());
    }
}

fn in_tree(event: &KeyboardEvent) -> bool {
    let target =
        event.target().and_then(|it| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(it).ok());
    target.is_some_and(|element| {
        ["timeline", flame::ID].contains(&element.id().as_str()) || element.tag_name() == "BODY"
    })
}

fn open_here(app: App) {
    if !app.page.is_embedded() {
        open(app);
    }
}

/// Offers all ways to open a trace. An empty page shows them itself, so there this opens the file picker.
pub fn open(app: App) {
    if app.trace_untracked().has_rows_untracked() {
        app.page.dialog.set(Some(Dialog::Open));
    } else {
        intake::pick();
    }
}

/// Index of the selected line (`Ok`), or the index where it would be if it were not hidden (`Err`).
fn here(pane: Pane) -> Option<Result<u32, u32>> {
    let selected = pane.selected.get_untracked()?;
    let outline = pane.trace.outline.get_untracked();
    Some(pane.lines.with_untracked(|lines| index_of(&outline, lines, selected)))
}

fn step(pane: Pane, by: i32) {
    let lines = pane.lines.get_untracked();
    let last = u32::try_from(lines.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let next = match here(pane) {
        Some(Ok(at)) => at.saturating_add_signed(by),
        // Between two lines, the next one is already a step forward.
        Some(Err(at)) => at.saturating_add_signed(if by > 0 { by - 1 } else { by }),
        None => 0,
    };
    if let Some(line) = lines.get(next.min(last) as usize) {
        pane::actions::select(pane, *line);
    }
}

fn edge(pane: Pane, last: bool) {
    let lines = pane.lines.get_untracked();
    if let Some(line) = if last { lines.last() } else { lines.first() } {
        pane::actions::select(pane, *line);
    }
}

fn selected_row(pane: Pane) -> Option<u32> {
    pane.selected.get_untracked().and_then(Line::row)
}

fn expand(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line @ (Line::Fold(_) | Line::Notes(_))) => pane::actions::toggle_line(pane, line),
        Some(Line::Row(row)) => {
            let outline = pane.trace.outline.get_untracked();
            if outline.rows.nested.get(row) == 0 {
                pane::actions::open_body(pane, row);
            } else if is_expanded(&outline, &pane.choice.get_untracked(), row) {
                step(pane, 1);
            } else {
                pane::actions::toggle_nested(pane, row);
            }
        }
        None => step(pane, 1),
    }
}

fn collapse(pane: Pane) {
    let Some(row) = selected_row(pane) else { return };
    let outline = pane.trace.outline.get_untracked();
    let has_nested = outline.rows.nested.get(row) > 0;
    if pane.opened.with_untracked(|opened| opened.has(row)) {
        pane::actions::toggle_body(pane, row);
    } else if has_nested && is_expanded(&outline, &pane.choice.get_untracked(), row) {
        pane::actions::toggle_nested(pane, row);
    } else if pane.within.get_untracked() != Some(row) {
        let around = ancestors(&outline, row);
        let nearest = pane.lines.with_untracked(|lines| {
            let is_shown = |it: &u32| index_of(&outline, lines, Line::Row(*it)).is_ok();
            around.iter().copied().rev().find(is_shown)
        });
        if let Some(nearest) = nearest {
            pane::actions::select(pane, Line::Row(nearest));
        }
    }
}

/// Whether a row is the card of a sub-agent, and its own row is not open.
fn is_closed_card(pane: Pane, row: u32) -> bool {
    let outline = pane.trace.outline.get_untracked();
    if pane.opened.with_untracked(|opened| opened.has(row)) {
        return false;
    }
    pane.choice.with_untracked(|choice| card(&outline, choice, row).is_some())
}

fn enter(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line @ (Line::Fold(_) | Line::Notes(_))) => pane::actions::toggle_line(pane, line),
        Some(Line::Row(row)) if is_closed_card(pane, row) => {
            pane::agents::enter(pane, row);
        }
        Some(Line::Row(row)) => {
            pane::actions::open_body(pane, row);
            leptos::task::spawn_local(async move {
                // The body is drawn a moment later.
                gloo_timers::future::TimeoutFuture::new(30).await;
                browser::focus_beginning(&format!("body-{row}"));
            });
        }
        None => step(pane, 1),
    }
}

fn toggle(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line) => pane::actions::toggle_line(pane, line),
        None => step(pane, 1),
    }
}

/// Goes to the next turn, or to the next row at this level in a run without turns.
fn turn(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let is_whole = pane.choice.with_untracked(|choice| choice.within.is_none());
    match run.filter(|_| is_whole).map(|run| outline.turns.of(run)).unwrap_or_default() {
        [] | [_] => sibling(pane, forward),
        turns => {
            let rows = turns.iter().map(|turn| turn.row);
            pane::actions::go_in(pane, rows, forward, "turn");
        }
    }
}

fn sibling(pane: Pane, forward: bool) {
    let Some(row) = selected_row(pane) else { return step(pane, 1) };
    let outline = pane.trace.outline.get_untracked();
    let depth = outline.rows.depths.get(row);
    let lines = pane.lines.get_untracked();
    let at = index_of(&outline, &lines, Line::Row(row)).unwrap_or_else(|at| at) as usize;
    let (before, behind) = lines.split_at(at.min(lines.len()));
    let beside = |other: &u32| *other != row && outline.rows.depths.get(*other) <= depth;
    let next = if forward {
        behind.iter().filter_map(|line| line.row()).find(beside)
    } else {
        before.iter().rev().filter_map(|line| line.row()).find(beside)
    };
    if let Some(next) = next {
        pane::actions::select(pane, Line::Row(next));
    }
}

fn finding(pane: Pane, forward: bool) {
    let run = pane.choice.with_untracked(|choice| choice.run);
    let rows = crate::runs::facts::loop_rows(&pane.trace.outline.get_untracked(), run);
    pane::actions::go_in(pane, rows.into_iter(), forward, text::POSSIBLE_LOOP);
}

fn error(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let run = pane.choice.with_untracked(|choice| choice.run);
    let Some(run) = outline.runs.get(run as usize) else { return };
    let failed = |row: &u32| {
        let code = outline.rows.statuses.get(*row);
        let is_error = outline.rows.kinds.get(*row) == EventKind::Error as u8;
        (is_error || code == Status::Error as u8) && !is_copy(&outline, *row)
    };
    let rows = (run.first_row..run.first_row + run.n_rows).filter(failed);
    pane::actions::go_in(pane, rows, forward, "error");
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
        // From an open row, the keyboard first returns to the list.
        pane::agents::leave(pane, None);
    }
    browser::focus_timeline();
}
