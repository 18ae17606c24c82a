//! The palette: all commands and runs in one list, found by typing.

use leptos::html::Input;
use leptos::prelude::*;
use traceloupe_core::case::lowercase;

use crate::app::{App, app};
use crate::browser;
use crate::pane;
use crate::reactive::{RwSignal, Show, effect, memo};
use crate::shell::commands::{Act, COMMANDS, Command, run};
use crate::shell::menu_commands::MENU_COMMANDS;
use traceloupe_words::page::shell as text;

/// The most runs that are listed.
const MAX_RUNS: usize = 20;

/// Id of the list.
const LIST: &str = "palette-list";

/// An entry of the palette.
#[derive(Clone, PartialEq)]
enum Offer {
    /// A command, by its index among all commands.
    Command(usize),
    /// A run, by its index.
    Run(u32, String),
}

/// All commands: those with keys, and those of the menus.
fn commands() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain(MENU_COMMANDS)
}

/// The entries that contain everything that was typed.
fn offers(app: App, typed: &str) -> Vec<Offer> {
    let wanted: Vec<String> = typed.split_whitespace().map(lowercase).collect();
    let fits = |words: &str| {
        let words = lowercase(words);
        wanted.iter().all(|part| words.contains(part))
    };
    let trace = app.trace_untracked();
    let has_rows = trace.has_rows_untracked();
    let works = |it: &Command| has_rows || matches!(it.act, Act::OnPage(_));
    let commands = commands().enumerate().filter(|(_, it)| {
        let also = it.keys.first().map_or("", |key| text::also_called(key));
        works(it) && fits(&format!("{} {also}", it.words))
    });
    let mut offers: Vec<Offer> = commands.map(|(at, _)| Offer::Command(at)).collect();
    trace.outline.with_untracked(|outline| {
        if outline.runs.len() > 1 {
            let runs = (0..).zip(&outline.runs).filter(|(_, run)| fits(&run.title));
            offers.extend(runs.take(MAX_RUNS).map(|(at, run)| Offer::Run(at, run.title.clone())));
        }
    });
    offers
}

fn take(app: App, offer: &Offer) {
    app.page.dialog.set(None);
    match offer {
        Offer::Command(at) => {
            if let Some(command) = commands().nth(*at) {
                // The dialog restores the focus before the command moves it elsewhere.
                let act = command.act;
                set_timeout(move || _ = run(app, act), std::time::Duration::ZERO);
            }
        }
        Offer::Run(at, _) => pane::actions::choose_run(app.pane_untracked(), *at),
    }
}

fn id(at: usize) -> String {
    format!("{LIST}-{at}")
}

/// The palette.
#[component]
pub fn Palette() -> impl IntoView {
    let app = app();
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let found = memo(move || typed.with(|typed| offers(app, typed)));
    let field: NodeRef<Input> = NodeRef::new();
    effect(move || {
        if let Some(field) = field.get() {
            let _ = field.focus(); // a visible field can always take the focus
        }
    });
    let step = move |forward: bool| {
        let n = found.with_untracked(Vec::len).max(1);
        at.update(|at| *at = if forward { (*at + 1) % n } else { (*at + n - 1) % n });
        browser::show_inside(&format!("#{LIST}"), &format!("#{}", id(at.get_untracked())));
    };
    let pressed = move |event: leptos::ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowDown" => step(true),
            "ArrowUp" => step(false),
            "Enter" => {
                let offer = found.with_untracked(|found| found.get(at.get_untracked()).cloned());
                if let Some(offer) = offer {
                    take(app, &offer);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    let line = move |(nth, offer): (usize, Offer)| {
        let (words, keys) = match &offer {
            Offer::Command(at) => commands()
                .nth(*at)
                .map_or((String::new(), ""), |it| (it.words.to_owned(), it.shown)),
            Offer::Run(_, title) => (text::to_run(title), ""),
        };
        let keys = keys.split(' ').filter(|key| !key.is_empty());
        markup! {
            <li id=id(nth) role="option" aria-selected=move || (at.get() == nth).to_string()
                on:click=move |_| take(app, &offer)>
                <span>{words}</span>
                <span>{keys.map(|key| markup! { <kbd>{key}</kbd>" " }).collect_view()}</span>
            </li>
        }
    };
    markup! {
        <input node_ref=field class="palette__field" type="text" role="combobox" autocomplete="off" spellcheck="false"
            aria-label=text::PALETTE placeholder=text::PALETTE_EXAMPLE aria-expanded="true" aria-controls=LIST
            aria-activedescendant=move || id(at.get())
            prop:value=move || typed.get()
            on:input=move |event| {
                typed.set(event_target_value(&event));
                at.set(0);
            }
            on:keydown=pressed/>
        <ul id=LIST class="palette__list" role="listbox" aria-label=text::PALETTE>
            {move || found.get().into_iter().enumerate().map(line).collect_view()}
        </ul>
        <Show when=move || found.with(Vec::is_empty)><p class="body__wait">{text::NO_COMMAND}</p></Show>
    }
}
