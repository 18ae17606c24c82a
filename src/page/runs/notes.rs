//! Notes on a run, and on data that could not be read.

use crate::reactive::{Show, memo};
use leptos::prelude::*;

use crate::app::page::Dialog;
use crate::app::pane::pane;
use crate::browser;
use traceloupe_core::catalog;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::run_outcome::is_still_running;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::runs as text;

/// Notes on the run, and on data that could not be read.
#[component]
pub fn Notes() -> impl IntoView {
    let pane = pane();
    let run = pane.run_line(pane.trace.outline);
    let warnings = move || pane.trace.outline.get().warnings.clone();
    let n_warnings = move || warnings().iter().map(|it| it.count).sum::<u64>();
    let n_problems =
        move || warnings().iter().filter(|it| !it.is_remark()).map(|it| it.count).sum::<u64>();
    let tone = move || if n_problems() > 0 { "" } else { "quiet" };
    let summary = move || match n_problems() {
        0 => text::HOW_IT_WAS_READ.to_owned(),
        n => counts::reading_problems(n),
    };
    let notes = move || {
        let stopped = pane.trace.outline.with(|outline| outline.stopped);
        let stopped = stopped.map(|it| text::reading_was(&words::stopped(it)));
        let run: RunLine = run.get();
        let no_end = run.no_end.map(|no_end| {
            let now_ms = browser::clock_ms();
            if is_still_running(run.end_ms, now_ms) {
                let age = words::duration((now_ms - run.end_ms).max(0.0));
                text::still_running(&age)
            } else {
                words::no_end(no_end).to_owned()
            }
        });
        let notes = run.notes.iter().map(words::run_note);
        stopped.into_iter().chain(no_end).chain(notes).collect::<Vec<_>>()
    };
    let reading = memo(move || {
        let is_plain = run.with(|run| run.format == catalog::RECORDS.id);
        let outline = pane.trace.outline.get();
        let mut readings = outline.sources.iter().filter_map(|source| source.reading.as_ref());
        readings.next().filter(|_| is_plain && outline.complete).map(text::keys_taken)
    });
    let change = move || pane.page.dialog.set(Some(Dialog::Keys));
    markup! {
        <Show when=move || !notes().is_empty() || { n_warnings() > 0 } || reading.with(Option::is_some)>
            <div class="notes">
                {move || reading.get().map(|words| markup! {
                    <span class="note note--keys">{words}" "
                        <button class="quiet" title=text::CHANGE_KEYS_TITLE on:click=move |_| change()>{text::CHANGE_KEYS}</button>
                    </span>
                })}
                {move || notes().into_iter().map(|note| markup! { <span class="note">{note}</span> }).collect_view()}
                <Show when=move || { n_warnings() > 0 }>
                    <div role="alert"><details class="warnings" data-tone=tone>
                        <summary>{summary}</summary>
                        <ul>{move || warnings().into_iter().map(warning_view).collect_view()}</ul>
                    </details></div>
                </Show>
            </div>
        </Show>
    }
}

fn warning_view(line: traceloupe_protocol::outline::WarningLine) -> impl IntoView {
    let pane = pane();
    let n_sources = pane.trace.outline.with_untracked(|outline| outline.sources.len());
    let times = text::times(line.count);
    let places = line.places.iter().take(5).map(|(source, on_line, byte, detail)| {
        let path = pane.trace.outline.with_untracked(|outline| {
            outline.sources.get(*source as usize).map(|it| it.path.clone()).unwrap_or_default()
        });
        let mut place = text::place(*on_line, *byte);
        if n_sources > 1 {
            place = format!("{path}, {place}");
        }
        if !detail.is_empty() {
            place.push_str(&format!(": {detail}"));
        }
        place
    });
    let places: Vec<String> = places.collect();
    markup! {
        <li data-code=line.code.word()>
            {words::warning(line.code)}{times}
            <ul>{places.into_iter().map(|place| markup! { <li>{place}</li> }).collect_view()}</ul>
        </li>
    }
}
