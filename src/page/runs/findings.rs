//! The findings of a run as sentences, up to two of them in the line of facts.

use crate::glyph::glyph;
use crate::reactive::{Show, effect, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::pane;
use crate::runs::finding_entries::{found, said, said_of_line, tone};
use crate::shared::Shared;
use traceloupe_core::model::{EventKind, RunStatus};
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_view::evidence;
use traceloupe_view::finding_list::{Entry, FindingList, Part};
use traceloupe_view::icon::Icon;
use traceloupe_words::counts;
use traceloupe_words::page::findings as text;
use traceloupe_words::pieces::{Piece, Sentence};

/// How many findings are shown as sentences in the line of facts.
const IN_LINE: usize = 2;

/// For how many events the page requests what was called.
const MAX_CALLS: usize = 100;

/// Id of the button that lists all findings, which gets the focus back.
const BUTTON: &str = "all-findings";

/// Id of the list's button that closes it.
pub const CLOSE: &str = "close-findings";

/// Id of the chosen finding in the list.
pub const CHOSEN: &str = "chosen-finding";

/// Requests what the findings and errors of the run are about, for each run, and again when there are more of them.
fn ask_for_causes(pane: Pane) {
    let asked = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let n_errors = outline.runs.get(run as usize).map_or(0, |it| it.counts.errors);
            let is_there = outline.complete || outline.is_live;
            let longest = pane.longest.get().map(|it| it.mark);
            (run, outline.findings.len(), n_errors, is_there, longest)
        })
    });
    effect(move || {
        let (run, _, _, is_there, longest) = asked.get();
        if !is_there {
            return;
        }
        let (ids, has_error) = pane.trace.outline.with_untracked(|outline| {
            let is_tool = |row: &u32| outline.rows.kinds.get(*row) == EventKind::ToolCall as u8;
            let found = || outline.findings.iter().filter(|it| it.run == run);
            // Events named in sentences come first.
            let marks = longest.into_iter().chain(found().map(|it| it.mark));
            let marks = marks.chain(evidence::rows_to_ask(found()));
            let mut ids = Vec::new();
            for id in marks.filter(is_tool).map(|row| outline.rows.ids.get(row)) {
                if ids.len() < MAX_CALLS && !ids.contains(&id) {
                    ids.push(id);
                }
            }
            let run = outline.runs.get(run as usize);
            (ids, run.is_some_and(|run| run.first_error.is_some()))
        });
        if has_error || !ids.is_empty() {
            pane.trace.send(&Request::Causes(run, ids));
        }
    });
}

/// Takes what the findings and errors of a run are about.
pub fn take_causes(trace: Trace, causes: Causes) {
    trace.statistics.causes.set(Shared::new(causes));
}

/// The text for a run without findings. A run that failed, has errors or has no events gets no reassuring text.
pub fn nothing_found(pane: Pane) -> Option<String> {
    let run = pane.run.get();
    pane.trace.outline.with(|outline| {
        let run = outline.runs.get(run as usize)?;
        // What is said of errors arrives later than their number.
        let has_errors = run.first_error.is_some() || run.counts.errors > 0;
        let is_bad = has_errors || matches!(run.status, RunStatus::Error | RunStatus::Cancelled);
        if is_bad || run.given.is_some() {
            return None;
        }
        if !RunLine::knows_calls(run) {
            return Some(text::NOT_CHECKED.to_owned());
        }
        // Commands that failed although their calls are recorded as successful.
        let rows = run.first_row..run.first_row.saturating_add(run.n_rows);
        let n_exits = rows.filter(|row| outline.error(*row).exit_code().is_some()).count();
        Some(match n_exits {
            0 => text::NOTHING_FOUND.to_owned(),
            n => counts::exit_codes(n as u64),
        })
    })
}

/// The most severe findings as sentences, and a button that lists all of them.
#[component]
pub fn Strip() -> impl IntoView {
    let pane = pane();
    let found = found(pane);
    ask_for_causes(pane);
    let n_of = move |part| found.with(|all| all.of(part).count());
    let has_error = memo(move || n_of(Part::Errors) > 0);
    let is_slow = memo(move || n_of(Part::Longest) > 0);
    let n_muted = memo(move || found.with(|all| all.muted().count()));
    let n_faults = memo(move || {
        let parts = [Part::Loops, Part::Reported, Part::Quiet, Part::Errors];
        n_muted.get() + parts.into_iter().map(n_of).sum::<usize>()
    });
    let n_all = move || found.with(|all| all.entries().len());
    // An error keeps its place however many loops there are, and the longest call leaves room for one loop or error.
    let n_loops = memo(move || {
        let room = IN_LINE - usize::from(has_error.get() || is_slow.get());
        (n_of(Part::Loops) + n_of(Part::Reported)).min(room)
    });
    let n_errors = memo(move || {
        let room = match n_loops.get() {
            0 => IN_LINE - usize::from(is_slow.get()),
            n => IN_LINE - n,
        };
        n_of(Part::Errors).min(room)
    });
    let has_room = move || is_slow.get() && n_loops.get() + n_errors.get() < IN_LINE;
    let n_more = move || n_all() - n_loops.get() - n_errors.get() - usize::from(has_room());
    let slow = live(move || {
        let all = found.get();
        let entry = all.of(Part::Longest).next().filter(|_| has_room())?;
        let row = all.first(entry)?.mark;
        let said = said(pane, &all, entry);
        Some(markup! {
            <button class="sentence" title=text::SHOW on:click=move |_| pane::actions::jump(pane, row)>
                {glyph(Icon::Slow.path())}
                <span class="finding__words">{drawn(&said.sentence)}</span>
            </button>
        })
    });
    let sentences = move || {
        let all = found.get();
        let loud = all.loud().into_iter().take(n_loops.get());
        loud.map(|entry| sentence(&all, entry)).collect_view()
    };
    let error = move || {
        let all = found.get();
        // Errors that were never fixed come first, then the most frequent ones.
        let mut entries: Vec<&Entry> = all.of(Part::Errors).collect();
        let n_rows = |entry: &Entry| all.first(entry).map_or(0, |line| line.rows.len());
        traceloupe_core::sorting::sort_by_key(&mut entries, |it| {
            (all.first(it).is_some_and(FindingLine::is_fixed), std::cmp::Reverse(n_rows(it)))
        });
        entries
            .into_iter()
            .take(n_errors.get())
            .map(|entry| error_sentence(&all, entry))
            .collect_view()
    };
    markup! {
        <section class="findings" role="region" aria-label=text::FINDINGS>
            <div class="findings__line">
                {sentences}
                {error}
                <Show when=move || n_faults.get() == 0>
                    {move || nothing_found(pane).map(|words| markup! { <p class="findings__none">{words}</p> })}
                </Show>
                <Show when=move || n_loops.get() == 0 && !has_error.get() && { n_faults.get() > 0 }>
                    <p class="findings__none">{move || counts::quiet_or_muted(n_of(Part::Quiet) as u64, n_muted.get() as u64)}</p>
                </Show>
                {slow}
            </div>
            <Show when=move || { n_all() > 0 }>
                <button id=BUTTON class="findings__all" aria-expanded=move || pane.lists_findings.get().to_string()
                    title=text::ALL_FINDINGS_TITLE
                    on:click=move |_| toggle(pane)>
                    <span class="findings__more-of">{move || match n_more() {
                        0 => text::DETAILS.to_owned(),
                        n => counts::more(n),
                    }}</span>
                    // Shown on narrow screens, which have no room for sentences.
                    <span class="findings__n">
                        {move || glyph(if n_loops.get() == 0 && has_error.get() { Icon::Error } else { Icon::Loop }.path())}
                        {n_all}
                    </span>
                    <span class="sr">{text::OF_ALL_FINDINGS}</span>
                </button>
            </Show>
        </section>
    }
}

/// Shows or hides the list of all findings beside the timeline.
pub fn toggle(pane: Pane) {
    // On a narrow screen, the filters cover the findings.
    let is_covered = pane.shows_side.get_untracked();
    pane.shows_side.set(false);
    let is_open = is_covered || !pane.lists_findings.get_untracked();
    pane.lists_findings.set(is_open);
    // On a narrow screen, going to the row of a finding closes the panel, but keeps its marks.
    if !is_open {
        pane.alike.set(Shared::default());
    }
    focus_later(if is_open { CHOSEN } else { BUTTON });
}

/// Focuses a button that is drawn a moment later, with its list.
pub fn focus_later(id: &'static str) {
    leptos::task::spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(30).await;
        browser::focus(id);
    });
}

/// A finding in the line of facts. A click goes to its event.
fn sentence(all: &FindingList, entry: &Entry) -> Option<AnyView> {
    let pane = pane();
    let (outline, line) = (all.outline(), all.first(entry)?);
    let mark = line.mark;
    let said = said_of_line(pane, outline, line);
    let plain = said.sentence.plain();
    let label = text::show(&plain);
    let spent = pane.trace.costs.with(|costs| {
        let causes = pane.trace.statistics.causes.get();
        evidence::of(outline, &[line], costs, &causes).main_figure
    });
    let view = markup! {
        <button class="sentence" data-severity=tone(line) data-rule=line.rule.id() title=plain
            aria-label=label on:click=move |_| pane::actions::jump(pane, mark)>
            {glyph(Icon::Loop.path())}
            <span class="finding__words">{drawn(&said.headline)}</span>
            {(!spent.is_empty()).then(|| markup! { <span class="finding__spent">{spent}</span> })}
        </button>
    };
    Some(view.into_any())
}

/// A group of similar errors in the line of facts. A click goes to the first one.
fn error_sentence(all: &FindingList, entry: &Entry) -> Option<AnyView> {
    let pane = pane();
    let (outline, line) = (all.outline(), all.first(entry)?);
    let row = line.mark;
    let run = outline.runs.get(line.run as usize);
    let is_first = run.is_some_and(|run| run.first_error == Some(row));
    let number = row.saturating_sub(run.map_or(0, |it| it.first_row)) + 1;
    let at = text::at_event(line.rows.len() as usize, number);
    let label = if is_first { text::SHOW_THE_FIRST_ERROR } else { text::SHOW };
    let said = said_of_line(pane, outline, line);
    let view = markup! {
        <button class="sentence" data-severity=tone(line) title=label
            on:click=move |_| pane::actions::jump(pane, row)>
            {glyph(Icon::Error.path())}
            <span class="sr">{label}": "</span>
            <span class="finding__words">{drawn(&said.headline)}<span class="finding__at">{at}</span></span>
        </button>
    };
    Some(view.into_any())
}

/// A sentence with its names and commands as code. Everything is drawn as text.
pub fn drawn(sentence: &Sentence) -> impl IntoView + use<> {
    let piece = |piece: &Piece| match piece {
        Piece::Text(words) => words.to_string().into_any(),
        Piece::Code(text) => {
            let text = text.clone();
            markup! { <code>{text}</code> }.into_any()
        }
    };
    sentence.pieces().iter().map(piece).collect_view()
}
