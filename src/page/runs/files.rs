//! The files that the calls of a run name: what was done to each, and where in the run.

use std::collections::{HashMap, HashSet};

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::event::body::block_view;
use crate::event::change::lines_changed;
use crate::event::values::Cutting;
use crate::pane;
use crate::reactive::{Memo, RwSignal, Show, effect, memo};
use crate::shared::Shared;
use traceloupe_core::model::EventKind;
use traceloupe_core::number::fixed;
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::touched::{Access, Touch, TouchBatch};
use traceloupe_view::files_touched::{CallRow, FileLine, FilesTouched, file_lines};
use traceloupe_view::icon::Icon;
use traceloupe_view::list::visible_lines::Choice;
use traceloupe_view::look::look;
use traceloupe_words::page::files as text;

/// How many files are listed initially, and how many more each time. Also used for the calls of a file.
const AT_ONCE: usize = 200;

/// Width of the drawing of where in the run a file is named.
const STRIP: f64 = 1_000.0;

/// Requests the files of a run, unless they have been requested since its rows last changed: several views show them.
pub fn want_files(trace: Trace, run: u32) {
    let of = trace.outline.with_untracked(|it| Some((run, it.n_rows, it.complete)));
    let (known, before) = trace.statistics.files.with_untracked(|it| (it.of, it.generation));
    if known == of {
        return;
    }
    let generation = before + 1;
    let found = FilesTouched { generation, of, ..FilesTouched::default() };
    trace.statistics.files.set(Shared::new(found));
    trace.statistics.net_changes.update(HashMap::clear);
    trace.send(&Request::Files(run, generation));
}

/// Paths of expanded files. The list is drawn repeatedly while calls are examined, and must not collapse them.
type Opened = RwSignal<HashSet<String>>;

fn is_open(open: Opened, path: &str) -> Memo<bool> {
    let path = path.to_owned();
    memo(move || open.with(|open| open.contains(&path)))
}

fn toggle(open: Opened, path: &str) {
    open.update(|open| {
        if !open.remove(path) {
            open.insert(path.to_owned());
        }
    });
}

/// Takes the net change of a file.
pub fn take_net_change(trace: Trace, path: String, blocks: Vec<ShownBlock>) {
    trace.statistics.net_changes.update(|known| {
        known.insert(path, Shared::new(blocks));
    });
}

/// The net change of a file, once it has been requested.
#[component]
fn NetChange(
    /// Its path.
    path: String,
    /// Ids of the calls that change it.
    ids: Vec<u32>,
    /// The files whose net change is shown.
    open: Opened,
) -> impl IntoView {
    let pane = pane();
    let known = pane.trace.statistics.net_changes;
    let is_open = is_open(open, &path);
    let wanted = path.clone();
    let toggle = move |_| {
        toggle(open, &wanted);
        if is_open.get_untracked() {
            pane.trace.send(&Request::NetChange(wanted.clone(), ids.clone()));
        }
    };
    markup! {
        <button class="quiet touch__net" aria-expanded=move || is_open.get().to_string() on:click=toggle>
            {text::NET_CHANGE}
        </button>
        {move || is_open.get().then(|| known.with(|known| known.get(&path).map(|blocks| {
            blocks.iter().map(|block| block_view(block, Cutting::Full)).collect_view()
        })))}
    }
}

/// Takes further results.
pub fn take_files(trace: Trace, batch: TouchBatch) {
    let mut found = trace.statistics.files.with_untracked(|it| FilesTouched::clone(it));
    found.add(batch);
    trace.statistics.files.set(Shared::new(found));
}

/// The panel.
#[component]
pub fn Files() -> impl IntoView {
    let pane = pane();
    let found = pane.trace.statistics.files;
    // Requested again for another run, and when everything has been read.
    let asked = memo(move || (pane.run.get(), pane.trace.outline.with(|it| it.complete)));
    effect(move || want_files(pane.trace, asked.get().0));
    let lines = memo(move || {
        let outline = pane.trace.outline.get_untracked();
        let matching = pane.matching.get();
        let call_of = |id| CallRow::of(&outline, id).filter(|call| matching.has(call.row));
        Shared::new(found.with(|found| file_lines(found, call_of)))
    });
    let (n_listed, set_n_listed) = signal(AT_ONCE);
    let (open, open_nets) = (Opened::default(), Opened::default());
    let n_more = move || lines.with(|it| it.0.len()).saturating_sub(n_listed.get());
    let is_filtered = memo(move || pane.choice.with(Choice::is_filtered));
    let said = move || {
        let (done, n_unread) = found.with(|it| (it.done, it.n_unread));
        let lines = lines.get();
        match lines.0.is_empty() {
            true if done => text::NONE.to_owned(),
            true => text::LOOKING.to_owned(),
            false => {
                let n_changed = lines.0.iter().filter(|line| line.n_changes > 0).count();
                text::said(n_changed, lines.0.len() - n_changed, n_unread, done)
            }
        }
    };
    let below = move || lines.with(|it| (!it.1.is_empty()).then(|| text::below(&it.1)));
    markup! {
        <div class="touched">
            <p class="touched__said"><span role="status">{said}</span>" "
                {move || is_filtered.get().then_some(text::FILTERED)}" "<span>{below}</span></p>
            <ul class="touched__list" role="list" aria-label=text::FILES>
                {move || {
                    let lines = lines.get();
                    let shown = lines.0.iter().take(n_listed.get());
                    shown.map(|line| file_view(pane, line, &lines.1, (open, open_nets))).collect_view()
                }}
            </ul>
            <Show when=move || { n_more() > 0 }>
                <button class="quiet block__more" on:click=move |_| set_n_listed.update(|n| *n += AT_ONCE)>
                    {move || text::more(n_more())}
                </button>
            </Show>
            <p class="touched__about">{text::ABOUT}</p>
        </div>
    }
}

fn file_view(
    pane: Pane,
    line: &FileLine,
    folder: &str,
    (open, open_nets): (Opened, Opened),
) -> AnyView {
    let is_open = is_open(open, &line.path);
    let own_path = line.path.clone();
    let short = line.path.strip_prefix(folder).unwrap_or(&line.path);
    let at = short.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (inside, name) = (short.get(..at).unwrap_or_default(), short.get(at..).unwrap_or_default());
    let (inside, name, whole) = (inside.to_owned(), name.to_owned(), line.path.clone());
    let path = whole.clone();
    let what = text::what(line.n_changes, line.n_others, line.is_new);
    let undone = (line.n_undone > 0).then(|| text::undone(line.n_undone));
    let (changed, named) = strip(pane, line);
    let calls = Shared::new(line.calls.clone());
    let lines_of = lines_changed(line.added as usize, line.removed as usize);
    markup! {
        <li class="touch" data-changed=(line.n_changes > 0).to_string() data-again=(line.n_changes > 1).to_string()>
            <button class="touch__head" title=whole aria-expanded=move || is_open.get().to_string()
                on:click=move |_| toggle(open, &own_path)>
                <span class="touch__path"><bdi class="touch__folder">{inside}</bdi><bdi class="touch__name">{name}</bdi></span>
                <span class="touch__lines">{lines_of}</span>
                <span class="touch__what">{what}{undone.map(|words| markup! { <span class="badge" data-tone="warn">{words}</span> })}</span>
                <svg class="touch__strip" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true">
                    <path class="touch__named" d=named></path>
                    <path class="touch__changed" d=changed></path>
                </svg>
            </button>
            {move || is_open.get().then(|| {
                let shown = calls.iter().take(AT_ONCE).map(|(row, touch)| call_view(pane, *row, *touch));
                let n_more = calls.len().saturating_sub(AT_ONCE);
                let changing = calls.iter().filter(|it| it.1.access != Access::Names);
                let ids: Vec<u32> = changing.map(|it| it.1.id).collect();
                let path = path.clone();
                markup! {
                    {(!ids.is_empty()).then(|| markup! { <NetChange path ids open=open_nets/> })}
                    <ol class="touch__calls" role="list">{shown.collect_view()}</ol>
                    {(n_more > 0).then(|| markup! { <p class="touched__about">{text::more_calls(n_more)}</p> })}
                }
            })}
        </li>
    }
    .into_any()
}

/// Where in the run the file is changed, and where it is named, as SVG paths.
fn strip(pane: Pane, line: &FileLine) -> (String, String) {
    let (first, n_rows) = pane.trace.outline.with_untracked(|outline| {
        let run = outline.runs.get(pane.run.get_untracked() as usize);
        run.map_or((0, 1), |run| (run.first_row, run.n_rows.max(1)))
    });
    let (mut changed, mut named) = (String::new(), String::new());
    for (row, touch) in &line.calls {
        let at = f64::from(row.saturating_sub(first)) / f64::from(n_rows) * (STRIP - 6.0);
        let at = fixed(at, 0);
        match touch.access {
            Access::Names => named.push_str(&format!("M{at} 6h4v4h-4z")),
            _ => changed.push_str(&format!("M{at} 2h6v12h-6z")),
        }
    }
    (changed, named)
}

/// A call that names the file. A click goes to its row.
fn call_view(pane: Pane, row: u32, touch: Touch) -> impl IntoView {
    let (number, reads) = pane.trace.outline.with_untracked(|outline| {
        let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
        let tool = outline.name(outline.rows.names.get(row));
        (row - first + 1, look(EventKind::ToolCall, tool).0 == Icon::Read)
    });
    let words = text::call(touch.access, reads, number);
    markup! {
        <li><button class="quiet" on:click=move |_| {
            pane::actions::jump(pane, row);
            browser::focus_timeline();
        }>{words}" "{lines_changed(touch.added as usize, touch.removed as usize)}
            {touch.undoes.then(|| markup! { <span class="badge" data-tone="warn">{text::UNDOES}</span> })}
        </button></li>
    }
}
