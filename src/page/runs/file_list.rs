//! The files that the run touched, beside the rows. A click shows the calls that name a file.

use leptos::prelude::*;

use crate::app::pane::pane;
use crate::event::change::lines_changed;
use crate::pane::filtering;
use crate::pane::tabs::choose_tab;
use crate::reactive::{effect, live, memo};
use crate::runs::files::want_files;
use crate::shared::Shared;
use traceloupe_protocol::route::FILES;
use traceloupe_view::files_touched::{CallRow, FileLine, file_lines, may_name_files};
use traceloupe_view::query::Key;
use traceloupe_words::count;
use traceloupe_words::page::files as text;

/// How many files are listed. The view of files shows the others.
const LISTED: usize = 8;

/// How many characters of a path are shown: for a changed file, which has its line counts beside it, and for any other
/// file.
const MAX_CHARS: (usize, usize) = (17, 26);

/// For longer runs, the files are listed only after the view of files has been shown, because listing them reads all
/// calls.
const MAX_ROWS: u32 = 3_000;

/// The list.
#[component]
pub fn FileList() -> impl IntoView {
    let pane = pane();
    let wanted = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let line = outline.runs.get(run as usize)?;
            let is_short = outline.complete && line.n_rows <= MAX_ROWS;
            (is_short && may_name_files(outline, line)).then_some(run)
        })
    });
    effect(move || {
        if let Some(run) = wanted.get() {
            want_files(pane.trace, run);
        }
    });
    let lines = memo(move || {
        let run = pane.run.get();
        let outline = pane.trace.outline.get_untracked();
        let call_of = |id| CallRow::of_run(&outline, run, id);
        Shared::new(pane.trace.statistics.files.with(|found| file_lines(found, call_of)))
    });
    let line = move |line: &FileLine| {
        let path = line.path.clone();
        let asked = path.clone();
        let is_changed = line.added + line.removed > 0;
        let max_chars = if is_changed { MAX_CHARS.0 } else { MAX_CHARS.1 };
        let shown = pane.short_path(&path, max_chars);
        let pressed = move || pane.choice.with(|choice| choice.query.has(Key::File, &asked));
        let n_calls = line.calls.len() as u64;
        let title = format!("{path}\n{}", text::calls_that_name_it(n_calls));
        let n = match is_changed {
            true => lines_changed(line.added as usize, line.removed as usize).into_any(),
            false => count(n_calls).into_any(),
        };
        markup! {
            <li><button class="side__file" title=title aria-pressed=move || pressed().to_string()
                on:click=move |_| filtering::toggle(pane, Key::File, &path)>
                <span class="side__name">{shown}</span>
                <span class="side__n">{n}</span>
            </button></li>
        }
    };
    live(move || {
        let lines = lines.get();
        let n_more = lines.0.len().saturating_sub(LISTED);
        let more = (n_more > 0).then(|| {
            markup! {
                <button class="quiet side__clear" on:click=move |_| choose_tab(pane, FILES)>{text::more(n_more)}</button>
            }
        });
        (!lines.0.is_empty()).then(|| {
            markup! {
                <details class="side__part" open>
                    <summary><h2>{text::FILE}</h2></summary>
                    <ul class="side__list" role="list" aria-label=text::FILES_OF_THE_RUN>
                        {lines.0.iter().take(LISTED).map(line).collect_view()}
                    </ul>
                    {more}
                </details>
            }
        })
    })
}
