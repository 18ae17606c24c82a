//! All runs of a trace as a table that can be sorted by any column. A click opens a run.

use leptos::prelude::*;

use crate::app::handoff;
use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::glyph::glyph;
use crate::pane;
use crate::pane::tabs;
use crate::reactive::{RwSignal, Show, effect, live, memo};
use crate::runs::outcome::{outcome, sign};
use crate::runs::parts::list_parts;
use crate::runs::run_list::{AboutRuns, badge_view, run_badges};
use crate::runs::sort_head::{SortedBy, sort_head};
use crate::shared::Shared;
use crate::timeline::previews::want_also;
use traceloupe_core::catalog::format_name;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::icon;
use traceloupe_view::outline::Outline;
use traceloupe_view::overview::{Axis, Overview, Zoom, is_timed};
use traceloupe_view::run_filter::RunFilter;
use traceloupe_view::run_strip::RunStrip;
use traceloupe_view::runs_table::{Grades, NEWEST_FIRST, Pick, RunsTable};
use traceloupe_view::short_names::{WIDE, telling_names};
use traceloupe_view::table::{Cell, Fault, Head, Layout};
use traceloupe_words::outcome_words;
use traceloupe_words::page::{runs as text, shell};

/// Id of the field that filters the runs.
pub const FILTER: &str = "runs-filter";

/// How many rows are drawn at first, and how many more each time.
const ROWS_AT_ONCE: usize = 200;

/// The view.
#[component]
pub fn RunTable() -> impl IntoView {
    let pane = pane();
    let trace = pane.trace;
    let filter = RwSignal::new(RunFilter::default());
    let picked = RwSignal::new(0_usize);
    let by = SortedBy::new(None);
    let (n_drawn, set_n_drawn) = signal(ROWS_AT_ONCE);
    let table = memo(move || {
        trace.outline.with(|outline| trace.costs.with(|costs| RunsTable::new(outline, costs)))
    });
    let columns = memo(move || table.with(|table| table.0.shown(Layout::Full)));
    let found = memo(move || {
        let pick = Pick::ALL.get(picked.get()).copied().unwrap_or_default();
        trace.outline.with(|outline| {
            table.with(|table| {
                let fits = |run: &RunLine, at: usize| {
                    pick.has(run, table, at) && filter.with(|it| it.fits(run, 0))
                };
                let is_found = |at: &usize| {
                    let run = outline.runs.get(*at).filter(|run| outline.is_listed(run));
                    run.is_some_and(|run| fits(run, *at))
                };
                let order = table.0.order(by.get()).into_iter();
                order.filter(is_found).collect::<Vec<usize>>()
            })
        })
    });
    let parts = memo(move || {
        let parts = trace.outline.with(|outline| table.with(|table| table.parts(outline)));
        let parts = parts.into_iter().map(|(pick, n)| (pick as usize, pick_words(pick), n));
        parts.collect::<Vec<_>>()
    });
    // While a file is being read, its runs are drawn repeatedly, so this waits until reading is complete.
    let longest = memo(move || {
        trace.outline.with(|it| it.complete.then(|| it.listed().map(length).fold(0.0, f64::max)))
    });
    effect(move || {
        // Each message is a separate read, which would delay the reading of the file.
        if longest.with(Option::is_none) {
            return;
        }
        let rows = found.with(|found| {
            let drawn = found.iter().take(n_drawn.get());
            trace.outline.with(|outline| {
                let first = |at: &usize| first_message(outline, outline.runs.get(*at)?);
                drawn.filter_map(first).collect::<Vec<u32>>()
            })
        });
        rows.into_iter().for_each(|id| want_also(trace, id));
    });
    // Runs listed from newest to oldest are already sorted by start, so the column heading shows that.
    effect(move || {
        let is_newest_first = trace.outline.with(|outline| {
            let starts = || outline.listed().map(|run| run.start_ms);
            outline.complete && outline.n_listed() > 1 && starts().is_sorted_by(|a, b| a >= b)
        });
        if is_newest_first && by.get_untracked().is_none() {
            by.set(Some(NEWEST_FIRST));
        }
    });
    let said = move || {
        found.with(|found| {
            let (n_all, grades) = trace.outline.with(|outline| {
                let listed = found.iter().filter_map(|at| outline.runs.get(*at));
                (outline.n_listed(), Grades::of(listed))
            });
            let sums = table.with(|table| table.sums(found));
            let Grades { passed, failed, mean_score } = grades;
            text::runs_listed(found.len(), n_all, [passed, failed], mean_score, sums)
        })
    };
    let heads = live(move || {
        let columns = columns.get().into_iter();
        table.with(|table| {
            let head = |at: usize| Some(sort_head(by, *table.0.heads.get(at)?, Layout::Full));
            columns.filter_map(head).collect_view()
        })
    });
    let rows = move || {
        trace.outline.with(|outline| {
            let names = telling_names(outline.listed().map(|run| run.title.as_str()), WIDE);
            let columns = columns.get();
            // If all runs have the same format, the top of the page states it.
            let first = outline.runs.first().map(|run| &run.format);
            let names_format = outline.runs.iter().any(|run| Some(&run.format) != first);
            table.with(|table| {
                let row = |at: &usize| {
                    let (run, cells) = (outline.runs.get(*at)?, table.0.rows.get(*at)?);
                    let name = names.get(run.title.as_str()).unwrap_or(&run.title);
                    let cell = |at: &usize| Some((table.0.heads.get(*at)?, cells.get(*at)?));
                    let cells: Vec<_> = columns.iter().filter_map(cell).collect();
                    let shape = longest.get().map(|longest| shape(outline, run, longest));
                    let name = (name.clone(), names_format);
                    Some(row_view(pane, *at, (run, table.has_loops(*at)), name, shape, &cells))
                };
                found.with(|found| found.iter().take(n_drawn.get()).filter_map(row).collect_view())
            })
        })
    };
    let (is_marking, marked) = (trace.statistics.is_marking, trace.statistics.marked);
    let mark_words = live(move || match is_marking.get() {
        true => text::runs_to_mark(marked.get().is_some()),
        false => text::COMPARE_TWO,
    });
    let n_more = move || found.with(Vec::len).saturating_sub(n_drawn.get());
    let save = move |_| {
        let csv = table.with_untracked(|table| table.0.csv());
        handoff::save_text(trace.page, &csv, "text/csv", text::RUNS_CSV_NAME);
    };
    markup! {
        <div class="runs" data-marking=move || is_marking.get().to_string()>
            <div class="runs__bar">
                <input id=FILTER type="search" autocomplete="off" spellcheck="false" placeholder=text::FILTER_RUNS_BY
                    aria-label=text::FILTER_RUNS title=text::FILTER_RUNS_TITLE
                    on:input=move |event| filter.set(RunFilter::parse(&event_target_value(&event)))/>
                {list_parts(text::WHICH_RUNS, parts, picked)}
                <span class="runs__said" role="status">{said}</span>
                <AboutRuns/>
                <button class="runs__two" title=text::COMPARE_TWO_TITLE aria-pressed=move || is_marking.get().to_string()
                    on:click=move |_| {
                        marked.set(None);
                        is_marking.update(|it| *it = !*it);
                    }>{glyph(icon::COLUMNS)}{mark_words}</button>
                <button on:click=save>{text::SAVE_CSV}</button>
            </div>
            // The hatching of the strips, which has to be part of the drawn page.
            <svg class="runs__hatch" aria-hidden="true"><defs>
                <pattern id="runs-hatch" width="5" height="5" patternUnits="userSpaceOnUse"><path stroke="none" d="M0 0h5v5h-5z"></path><path d="M-1 6L6 -1"></path></pattern>
            </defs></svg>
            <table class="figures runs__table">
                <thead><tr><th scope="col" data-listed=move || by.get().is_none().to_string()>
                    <button class="quiet named" title=text::AS_LISTED_TITLE on:click=move |_| by.set(None)>{text::RUN}</button></th>
                    <th scope="col" class="runs__shape" title=text::SHAPE_TITLE>{text::SHAPE}</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
            <Show when=move || found.with(Vec::is_empty)>
                <p class="side__none">{shell::NO_MATCHING_RUNS}</p>
            </Show>
            <Show when=move || { n_more() > 0 }>
                <button class="quiet" on:click=move |_| set_n_drawn.update(|n| *n += ROWS_AT_ONCE)>
                    {move || shell::more_runs(n_more())}
                </button>
            </Show>
        </div>
    }
}

/// The length that determines how a run's steps are drawn: its active time, or its number of rows.
fn length(run: &RunLine) -> f64 {
    if is_timed(run) { run.active_ms() } else { f64::from(run.n_rows) }
}

/// The steps of a run's main agent, as a strip of a few bars with possible loops marked.
fn shape(outline: &Shared<Outline>, run: &RunLine, longest: f64) -> AnyView {
    let axis = if is_timed(run) { Axis::Time } else { Axis::Steps };
    let overview = Overview::new(outline, run, axis, Zoom::default());
    let Some(lane) = overview.lanes.first() else { return ().into_any() };
    let strip = RunStrip::new(lane, length(run) / longest);
    let piece = |(from, width): (u32, u32)| format!("M{from} 3h{width}v10h-{width}z");
    let mut paths: Vec<AnyView> = Vec::new();
    for (from, width, look) in strip.bars {
        paths.push(markup! { <path data-look=look d=piece((from, width))></path> }.into_any());
    }
    let mut loops = String::new();
    for place in strip.loops {
        loops.push_str(&piece(place));
    }
    markup! {
        <svg width=strip.width.to_string() height="16" aria-hidden="true">
            {paths}<path class="runs__loops" d=loops></path>
        </svg>
    }
    .into_any()
}

/// Marks a run. The second marked run is compared with the first.
fn mark(pane: Pane, run: u32) {
    let state = pane.trace.statistics;
    match state.marked.get_untracked() {
        Some(marked) if marked != run => {
            state.is_marking.set(false);
            state.marked.set(None);
            tabs::compare_two(pane, (marked, run));
        }
        marked => {
            state.is_marking.set(true);
            state.marked.set(marked.is_none().then_some(run));
        }
    }
}

/// The event of the first user message of a run.
fn first_message(outline: &Outline, run: &RunLine) -> Option<u32> {
    outline.turns.of(run).first().map(|turn| outline.rows.ids.get(turn.row))
}

fn row_view(
    pane: Pane,
    at: usize,
    (run, has_loops): (&RunLine, bool),
    (name, names_format): (String, bool),
    shape: Option<AnyView>,
    cells: &[(&Head, &Cell)],
) -> impl IntoView + use<> {
    let at = u32::try_from(at).unwrap_or_default();
    let is_live = pane.trace.outline.with_untracked(|outline| outline.is_live);
    let outcome = outcome(run, has_loops, is_live);
    let status_words = outcome_words(outcome);
    let format = names_format.then(|| format_name(&run.format).to_owned());
    let said = run.groups.iter().cloned().chain(format).collect::<Vec<_>>().join(" / ");
    let task = pane.trace.outline.with_untracked(|outline| first_message(outline, run));
    let title = run.title.clone();
    // A run without a name is already named after its first message.
    let task = move || {
        let words = pane.trace.previews.text(task?);
        let head = |text: &str| text.trim_end_matches('.').chars().take(24).collect::<String>();
        (head(&words) != head(&title)).then_some(words)
    };
    let badges = run_badges(run, 0).into_iter().map(badge_view);
    let figures = cells.iter().map(|(head, cell)| {
        markup! {
            <td class=head.class data-column=head.id data-head=head.words data-fault=cell.fault.map(Fault::id)
                title=cell.title.clone()>{cell.words.clone()}</td>
        }
    });
    let (is_marking, marked) = (pane.trace.statistics.is_marking, pane.trace.statistics.marked);
    let open = move || {
        if is_marking.get_untracked() {
            return mark(pane, at);
        }
        pane::actions::choose_run(pane, at);
        tabs::show_list(pane);
        browser::focus_timeline();
    };
    let is_current = move || (pane.run.get() == at).then_some("true");
    markup! {
        <tr class="runs__run" data-status=outcome.word() aria-current=is_current on:click=move |_| open()>
            <th scope="row">
                <span class="runs__name">
                    <input type="checkbox" class="runs__mark" aria-label=text::MARK_RUN
                        prop:checked=move || marked.get() == Some(at) on:click=move |event| {
                            event.stop_propagation();
                            mark(pane, at);
                        }/>
                    <span class="state" role="img" title=status_words aria-label=status_words>{glyph(sign(outcome))}</span>
                    <button class="quiet named" title=run.title.clone()>{name}</button>
                    <small><bdi>{said}</bdi>" "{badges.collect_view()}</small>
                    <bdi class="runs__task">{task}</bdi>
                </span>
            </th>
            <td class="runs__shape" aria-hidden="true">{shape}</td>
            {figures.collect_view()}
        </tr>
    }
}

/// What a part of the runs is called.
fn pick_words(pick: Pick) -> &'static str {
    match pick {
        Pick::All => text::ALL,
        Pick::Passed => text::PASSED,
        Pick::Failed => text::FAILED,
        Pick::WithErrors => text::WITH_ERRORS,
        Pick::WithLoops => text::WITH_LOOPS,
    }
}
