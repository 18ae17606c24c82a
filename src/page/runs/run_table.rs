//! All runs of a trace as a table, sorted by any column. A click opens a run.

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::pane;
use crate::pane::tabs;
use crate::runs::outcome::outcome;
use crate::runs::run_list::{badge_view, run_badges};
use crate::runs::sort_head::{SortedBy, sort_head};
use crate::words::{runs as text, shell};
use traceloupe::catalog::format_name;
use traceloupe::view::page::figures::{Cell, order};
use traceloupe::view::page::run_filter::RunFilter;
use traceloupe::view::page::runs_table::{ERRORS, Grades, LOOPS, N_COLUMNS, RunsTable, SCORE};
use traceloupe::view::page::telling_names::{WIDE, telling_names};
use traceloupe::view::wire::outline::RunLine;

/// How many rows are drawn at first, and how many more each time.
const ROWS_AT_ONCE: usize = 200;

/// The view.
#[component]
pub fn RunTable() -> impl IntoView {
    let pane = pane();
    let trace = pane.trace;
    let filter = RwSignal::new(RunFilter::default());
    let by = SortedBy::new(None);
    let (n_drawn, set_n_drawn) = signal(ROWS_AT_ONCE);
    let table = Memo::new(move |_| {
        trace.outline.with(|outline| trace.costs.with(|costs| RunsTable::new(outline, costs)))
    });
    let columns = Memo::new(move |_| {
        let filled = table.with(|table| table.filled.clone());
        (0..N_COLUMNS).filter(|at| filled.get(*at) == Some(&true)).collect::<Vec<usize>>()
    });
    let found = Memo::new(move |_| {
        let order = table.with(|table| order(&table.rows, by.get()));
        trace.outline.with(|outline| {
            let fits = |at: &usize| {
                outline.runs.get(*at).is_some_and(|run| filter.with(|filter| filter.fits(run, 0)))
            };
            order.into_iter().filter(fits).collect::<Vec<usize>>()
        })
    });
    let said = move || {
        found.with(|found| {
            let (n_all, grades) = trace.outline.with(|outline| {
                let listed = found.iter().filter_map(|at| outline.runs.get(*at));
                (outline.runs.len(), Grades::of(listed))
            });
            text::runs_listed(found.len(), n_all, grades, table.with(|table| table.sums(found)))
        })
    };
    let heads = move || {
        let columns = columns.get().into_iter();
        let head = |at: usize| Some(sort_head(by, at, (*text::RUN_HEADS.get(at)?).to_owned()));
        columns.filter_map(head).collect_view()
    };
    let rows = move || {
        trace.outline.with(|outline| {
            let names = telling_names(outline.runs.iter().map(|run| run.title.as_str()), WIDE);
            let columns = columns.get();
            // If all are of one format, the top of the page says which.
            let first = outline.runs.first().map(|run| &run.format);
            let names_format = outline.runs.iter().any(|run| Some(&run.format) != first);
            table.with(|table| {
                let row = |at: &usize| {
                    let (run, cells) = (outline.runs.get(*at)?, table.rows.get(*at)?);
                    let name = names.get(run.title.as_str()).unwrap_or(&run.title);
                    let cells: Vec<_> =
                        columns.iter().filter_map(|at| Some((*at, cells.get(*at)?))).collect();
                    Some(row_view(pane, *at, run, (name.clone(), names_format), &cells))
                };
                found.with(|found| found.iter().take(n_drawn.get()).filter_map(row).collect_view())
            })
        })
    };
    let n_more = move || found.with(Vec::len).saturating_sub(n_drawn.get());
    let save = move |_| {
        let csv = trace.outline.with_untracked(|it| table.with_untracked(|table| table.csv(it)));
        browser::save_text(&csv, "text/csv", text::RUNS_CSV_NAME);
    };
    markup! {
        <div class="runs">
            <div class="runs__bar">
                <input type="search" autocomplete="off" spellcheck="false" placeholder=text::FILTER_RUNS
                    aria-label=text::FILTER_RUNS title=text::FILTER_RUNS_TITLE
                    on:input=move |event| filter.set(RunFilter::parse(&event_target_value(&event)))/>
                <span class="runs__said" role="status">{said}</span>
                <button on:click=save>{text::SAVE_CSV}</button>
            </div>
            <table class="figures runs__table">
                <thead><tr><th scope="col">{text::RUN}</th>{heads}</tr></thead>
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

fn row_view(
    pane: Pane,
    at: usize,
    run: &RunLine,
    (name, names_format): (String, bool),
    cells: &[(usize, &Cell)],
) -> impl IntoView + use<> {
    let at = u32::try_from(at).unwrap_or_default();
    let n_loops =
        cells.iter().find(|(column, _)| *column == LOOPS).map_or(0.0, |(_, cell)| cell.value);
    let (status, status_words) = outcome(run, n_loops > 0.0);
    let format = names_format.then(|| format_name(&run.format).to_owned());
    let said = run.groups.iter().cloned().chain(format).collect::<Vec<_>>().join(" / ");
    let badges = run_badges(run, 0).into_iter().map(badge_view);
    let figures = cells.iter().map(|(column, cell)| {
        let fault = match *column {
            ERRORS if cell.value > 0.0 => Some("error"),
            LOOPS if cell.value > 0.0 => Some("loop"),
            SCORE if cell.value <= 0.0 => Some("error"),
            _ => None,
        };
        let head = text::RUN_HEADS.get(*column).copied();
        markup! { <td class="number" data-head=head data-fault=fault>{cell.words.clone()}</td> }
    });
    let open = move || {
        pane::actions::choose_run(pane, at);
        tabs::show_list(pane);
        browser::focus_timeline();
    };
    let is_current = move || (pane.run.get() == at).then_some("true");
    markup! {
        <tr class="runs__run" data-status=status aria-current=is_current on:click=move |_| open()>
            <th scope="row">
                <span class="runs__name">
                    <span class="dot" role="img" title=status_words aria-label=status_words></span>
                    <button class="quiet named" title=run.title.clone()>{name}</button>
                    <small><bdi>{said}</bdi>" "{badges.collect_view()}</small>
                </span>
            </th>
            {figures.collect_view()}
        </tr>
    }
}
