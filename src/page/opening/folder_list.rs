//! The list of a folder or archive: its runs by title, producer, time and size. A click opens one, and several can be
//! opened together.

use leptos::prelude::*;

use crate::app::app;
use crate::app::pane::trace;
use crate::opening::folder;
use crate::reactive::{Item, RwSignal, Show, kept_list, live, memo};
use traceloupe_core::number_set::NumberSet;
use traceloupe_view::folder::{COLUMNS, FolderLine, TITLE, Wanted, list};
use traceloupe_view::short_names::{WIDE, telling_names};
use traceloupe_view::table::{Column, Sort};
use traceloupe_words::page::opening as text;
use traceloupe_words::problems::source_fault;

/// How many lines are drawn at first, and how many more each time.
const LINES_AT_ONCE: usize = 200;

/// The content of the dialog.
#[component]
pub fn FolderList() -> impl IntoView {
    let app = app();
    let members = app.page.folder.members;
    let wanted = RwSignal::new(Wanted::default());
    let chosen = RwSignal::new(NumberSet::default());
    let (n_drawn, set_n_drawn) = signal(LINES_AT_ONCE);
    let trace = trace();
    on_cleanup(move || folder::closed(app.page, trace));
    let found = memo(move || members.with(|members| wanted.with(|wanted| list(members, wanted))));
    let drawn = move || {
        found.with(|found| {
            let lines = found.lines.iter().take(n_drawn.get());
            let names = telling_names(lines.clone().map(|line| line.title.as_str()), WIDE);
            let name = |line: &FolderLine| names.get(line.title.as_str()).cloned();
            lines.map(|line| (line.clone(), name(line))).collect::<Vec<_>>()
        })
    };
    let n_more = move || found.with(|found| found.lines.len()).saturating_sub(n_drawn.get());
    let state = live(move || {
        let n_files = members.with(Vec::len);
        found.with(|found| text::folder_state(found.n_runs, found.n_read, n_files))
    });
    let heading = move |column: &Column<FolderLine>| {
        let head = column.head;
        let order = move || wanted.with(|wanted| Sort::direction(Some(wanted.sort), &head));
        // The list is always sorted.
        let choose = move |_| {
            wanted.update(|wanted| {
                let clicked = Sort::clicked(Some(wanted.sort), head.id);
                wanted.sort = clicked.unwrap_or(Sort::by(head.id));
            });
        };
        markup! {
            <th scope="col" data-column=head.id aria-sort=order>
                <button class="named" on:click=choose>{head.words}</button></th>
        }
    };
    // Of the listed runs, those that can be opened.
    let offered = move || found.with(|found| found.mains().collect::<NumberSet>());
    // The runs to open together: the chosen ones, otherwise all listed ones.
    let to_open =
        move || chosen.with(|chosen| if chosen.is_empty() { offered() } else { chosen.clone() });
    let files_to_open = move || {
        let to_open = to_open();
        let lines = found.with_untracked(|found| found.lines.clone());
        let lines =
            lines.into_iter().filter(|line| line.files.iter().any(|it| to_open.contains(*it)));
        lines.flat_map(|line| line.files).collect::<Vec<u32>>()
    };
    let has_all = move || {
        let offered = offered();
        !offered.is_empty()
            && chosen.with(|chosen| offered.as_slice().iter().all(|it| chosen.contains(*it)))
    };
    let choose_all = move |event| {
        let (is_on, offered) = (event_target_checked(&event), offered());
        chosen.update(|chosen| match is_on {
            true => chosen.extend(offered.as_slice().iter().copied()),
            false => chosen.retain(|it| !offered.contains(it)),
        });
    };
    let item = move |(line, name): (FolderLine, Option<String>)| {
        let key = (line.files.clone(), line.title.clone(), name.clone(), line.time_ms.to_bits());
        Item::new(key, move || line_view(line, name, chosen))
    };
    markup! {
        <div class="folder">
            <div class="folder__bar">
                <input id="folder-search" type="search" autocomplete="off" spellcheck="false" autofocus=true
                    placeholder=text::SEARCH_THE_FOLDER aria-label=text::SEARCH_THE_FOLDER
                    on:input=move |event| wanted.update(|wanted| wanted.words = event_target_value(&event))/>
                <span class="folder__state" role="status">{state}</span>
            </div>
            <div class="folder__lines">
                <table>
                    <thead><tr>
                        <th><input type="checkbox" aria-label=text::CHOOSE_ALL title=text::CHOOSE_ALL
                            prop:checked=has_all on:change=choose_all/></th>
                        {COLUMNS.iter().map(heading).collect_view()}
                    </tr></thead>
                    <tbody>
                        {kept_list(move || drawn().into_iter().map(item).collect())}
                    </tbody>
                </table>
                <Show when=move || found.with(|found| found.lines.is_empty())>
                    <p class="folder__none">{text::NOTHING_IN_THE_FOLDER}</p>
                </Show>
                <Show when=move || { n_more() > 0 }>
                    <button class="quiet" on:click=move |_| set_n_drawn.update(|n| *n += LINES_AT_ONCE)>
                        {move || text::more_lines(n_more())}
                    </button>
                </Show>
            </div>
            <p class="dialog__acts">
                <Show when=move || { found.with(|found| found.n_others) > 0 }>
                    <label class="folder__others"><input type="checkbox" prop:checked=move || wanted.with(|it| it.with_others)
                        on:change=move |event| wanted.update(|it| it.with_others = event_target_checked(&event))/>
                        {move || text::other_files(found.with(|found| found.n_others))}</label>
                </Show>
                <button class="primary" disabled=move || to_open().is_empty()
                    on:click=move |_| folder::open(app, &files_to_open())>
                    {move || text::open_together(to_open().as_slice().len(), chosen.with(NumberSet::is_empty), found.with(|it| it.n_runs == 0))}
                </button>
            </p>
        </div>
    }
}

/// A run or a file, with a short name that distinguishes it from others if that differs from its title.
fn line_view(line: FolderLine, name: Option<String>, chosen: RwSignal<NumberSet>) -> impl IntoView {
    let app = app();
    // The first column contains the controls for opening the run.
    let cells = COLUMNS.iter().filter(|column| column.head.id != TITLE).map(|column| {
        let (head, cell) = (column.head, column.cell(&line));
        let small = (!cell.small.is_empty()).then(|| markup! { <small>{cell.small}</small> });
        markup! { <td class=head.class data-column=head.id>{cell.words}{small}</td> }
    });
    let cells = cells.collect_view();
    let FolderLine { files, path, title, outcome, is_other, problem, .. } = line;
    let is_off = problem.is_some();
    let main = files.first().copied().unwrap_or_default();
    let more = text::and_files(files.len() - 1);
    let label = text::choose_run(&title);
    let name = name.unwrap_or_else(|| title.clone());
    markup! {
        <tr data-other=is_other.to_string()>
            <td><input type="checkbox" aria-label=label disabled=is_off prop:checked=move || chosen.with(|chosen| chosen.contains(main))
                on:change=move |event| {
                    let is_on = event_target_checked(&event);
                    chosen.update(|chosen| {
                        if is_on { chosen.insert(main); } else { chosen.remove(main); }
                    });
                }/></td>
            <th scope="row">
                <button class="named" title=title disabled=is_off on:click=move |_| folder::open(app, &files)>{name}</button>
                <span class="folder__path"><bdi>{path}</bdi>{more}</span>
                {(!outcome.is_empty()).then(|| markup! { <span class="folder__outcome">{outcome}</span> })}
                {problem.map(|fault| markup! { <span class="folder__problem">{source_fault(&fault)}</span> })}
            </th>
            {cells}
        </tr>
    }
}
