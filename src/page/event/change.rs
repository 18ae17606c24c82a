//! Changes to files, as diffs with line numbers and highlighted changed words.

use std::ops::Range;

use leptos::prelude::*;

use crate::app::pane::pane;
use crate::reactive::{Show, live};
use crate::search::hits::text_pieces;
use crate::shared::Shared;
use traceloupe_core::text::patch::{FileChange, Line, Row};
use traceloupe_search::Pattern;
use traceloupe_words::count;
use traceloupe_words::page::event as text;

/// How many rows of a diff are drawn at first.
const FIRST_ROWS: usize = 200;

/// `+3 −1`, in the colours of diffs.
pub fn lines_changed(added: usize, removed: usize) -> impl IntoView {
    let part = |sign: &str, n: usize, class: &'static str| {
        let words = format!("{sign}{}", count(n as u64));
        (n > 0).then(|| markup! { <span class=class>{words}</span> })
    };
    (part("+", added, "diff__added"), part("−", removed, "diff__removed"))
}

/// The changes to several files.
pub fn changes_view(files: &[FileChange], pattern: Option<&Shared<Pattern>>) -> AnyView {
    files.iter().map(|file| change_view(file, pattern)).collect_view().into_any()
}

/// The changes to one file whose rows arrived without a search pattern. They are drawn anew for each search.
#[component]
pub fn Change(
    /// The changes.
    file: FileChange,
) -> impl IntoView {
    let pane = pane();
    live(move || change_view(&file, pane.search.pattern.get().as_ref()))
}

/// The changes to one file.
fn change_view(file: &FileChange, pattern: Option<&Shared<Pattern>>) -> AnyView {
    let (n_added, n_removed) = file.counts();
    let (is_short, set_short) = signal(true);
    let has_hit = |row: &Row| pattern.is_some_and(|it| it.matches(words(row)).next().is_some());
    // Hits must not be hidden.
    if file.rows.iter().skip(FIRST_ROWS).any(has_hit) {
        set_short.set(false);
    }
    let has_numbers =
        file.rows.iter().any(|row| matches!(row, Row::Line(line) if line.old > 0 || line.new > 0));
    let n_rows = file.rows.len();
    let (path, what) = (file.path.clone(), text::fate_of(&file.fate));
    // The path is relative to the directory of the run, unless there is a hit in the part before it.
    let has_hit = |text: &str| pattern.is_some_and(|it| it.matches(text).next().is_some());
    let shown = pane().short_path(&path, usize::MAX);
    let shown = if has_hit(&path) && !has_hit(&shown) { path.clone() } else { shown };
    let title = (shown != path).then(|| path.clone());
    let label = text::change_of(&path);
    let rows = Shared::new(file.rows.clone());
    let pattern = pattern.cloned();
    markup! {
        <div class="diff" role="group" aria-label=label data-numbers=has_numbers.to_string()>
            <div class="diff__head">
                <span class="diff__path" title=title>{text_pieces(&shown, pattern.as_ref())}</span>
                <span class="diff__what">{what}</span>
                {lines_changed(n_added, n_removed)}
            </div>
            <div class="diff__rows" tabindex="0" role="group" aria-label=text::CHANGED_LINES>
                {move || {
                    let n = if is_short.get() { FIRST_ROWS } else { n_rows };
                    rows.iter().take(n).map(|row| row_view(row, pattern.as_ref())).collect_view()
                }}
            </div>
            <Show when=move || is_short.get() && (n_rows > FIRST_ROWS)>
                <button class="quiet diff__more" on:click=move |_| set_short.set(false)>
                    {text::show_all_lines(n_rows as u64)}
                </button>
            </Show>
        </div>
    }
    .into_any()
}

fn words(row: &Row) -> &str {
    match row {
        Row::Line(line) => &line.text,
        Row::Gap(text, _) | Row::Other(text) => text,
    }
}

fn row_view(row: &Row, pattern: Option<&Shared<Pattern>>) -> AnyView {
    match row {
        Row::Gap(heading, n) => {
            let n = (*n > 0).then(|| text::lines_left_out(*n));
            markup! { <div class="diff__gap">"⋯ "{n}{text_pieces(heading, pattern)}</div> }
                .into_any()
        }
        Row::Other(words) => {
            markup! { <div class="diff__other">{text_pieces(words, pattern)}"\n"</div> }.into_any()
        }
        Row::Line(line) => line_view(line, pattern),
    }
}

fn line_view(line: &Line, pattern: Option<&Shared<Pattern>>) -> AnyView {
    let number = |n: u32| if n == 0 { String::new() } else { n.to_string() };
    let (sign, kind, said) = match line.sign {
        '+' => ("+", "added", Some(text::ADDED)),
        '-' => ("−", "removed", Some(text::REMOVED)),
        _ => (" ", "same", None),
    };
    let said = said.map(|said| markup! { <span class="sr">{said}</span> });
    markup! {
        <div class="diff__line" data-kind=kind>
            <span class="diff__no" aria-hidden="true">{number(line.old)}</span>
            <span class="diff__no" aria-hidden="true">{number(line.new)}</span>
            <span class="diff__sign" aria-hidden="true">{sign}</span>
            <span class="diff__code">{said}{code(line, pattern)}"\n"</span>
        </div>
    }
    .into_any()
}

/// The text of a line. During a search, marks on hits replace marks on changed words.
fn code(line: &Line, pattern: Option<&Shared<Pattern>>) -> AnyView {
    let text = line.text.as_str();
    let has_hit = pattern.is_some_and(|it| it.matches(text).next().is_some());
    if has_hit || line.changed.is_empty() {
        return text_pieces(text, pattern);
    }
    changed_view(text, &line.changed)
}

/// A text with marks on its changed parts.
pub fn changed_view(text: &str, changed: &[Range<usize>]) -> AnyView {
    let mut pieces = Vec::new();
    let mut at = 0;
    for range in changed {
        pieces.push(text_pieces(text.get(at..range.start).unwrap_or_default(), None));
        let changed = text_pieces(text.get(range.clone()).unwrap_or_default(), None);
        pieces.push(markup! { <span class="diff__changed">{changed}</span> }.into_any());
        at = range.end;
    }
    pieces.push(text_pieces(text.get(at..).unwrap_or_default(), None));
    pieces.into_any()
}
