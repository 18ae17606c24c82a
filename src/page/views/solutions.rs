//! Views of traces that contain a definition of what to build, and solutions with results.

use crate::reactive::{Memo, Show, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::event::actions;
use crate::event::body::{Blocks, block_view};
use crate::event::values::{Cutting, Waiting, source_view};
use crate::pane;
use traceloupe_protocol::detail::{ShownBlock, ValueForm};
use traceloupe_protocol::exhibits::{ResultLine, best, difference, times};
use traceloupe_protocol::value::Shown;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::views as text;

/// How many results are listed initially, and how many more each time.
const RESULTS_AT_ONCE: usize = 100;

#[component]
fn Event(id: u32) -> impl IntoView {
    let detail = actions::detail_of(pane().trace, id);
    markup! {
        {move || match detail.get() {
            Some(detail) => markup! { <Blocks detail/> }.into_any(),
            None => markup! { <Waiting/> }.into_any(),
        }}
    }
}

/// All definitions.
#[component]
pub fn Signature() -> impl IntoView {
    let pane = pane();
    let ids = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let of_run = outline.exhibits.exhibits_run(run);
            let all = outline.exhibits.definitions.iter();
            let shown = all.filter(|(run, _)| of_run.is_none_or(|of_run| of_run == *run));
            shown.map(|(_, id)| *id).collect::<Vec<u32>>()
        })
    });
    let n_dropped = move || pane.trace.outline.with(|it| it.exhibits.definitions_dropped);
    markup! {
        <h2 class="sr">{text::KERNEL_SIGNATURE}</h2>
        <Show when=move || { n_dropped() > 0 }>
            <p class="body__wait">{move || text::not_drawn(n_dropped())}</p>
        </Show>
        {move || ids.get().into_iter().map(|id| {
            markup! { <article class="exhibit__event"><Event id/></article> }
        }).collect_view()}
    }
}

/// The results: a table if there are several, and one of them in full.
#[component]
pub fn Results() -> impl IntoView {
    let pane = pane();
    let lines = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let of_run = outline.exhibits.exhibits_run(run);
            let all = outline.exhibits.results.iter();
            let shown = all.filter(|line| of_run.is_none_or(|of_run| of_run == line.run));
            shown.cloned().collect::<Vec<_>>()
        })
    });
    let best = memo(move || lines.with(|lines| best(lines)));
    // The event of the chosen result. It stays chosen while more is being read.
    let (chosen, set_chosen) = signal(None::<u32>);
    let line = memo(move || {
        lines.with(|lines| {
            let wanted = chosen.get().and_then(|id| lines.iter().find(|it| it.event == id));
            wanted.or_else(|| lines.get(best.get()?)).cloned()
        })
    });
    markup! {
        <Show when=move || lines.with(|lines| lines.len() > 1)>
            <ResultTable lines line set_chosen/>
        </Show>
        {move || line.get().map(|line| markup! { <OneResult line/> })}
    }
}

#[component]
fn ResultTable(
    lines: Memo<Vec<ResultLine>>,
    line: Memo<Option<ResultLine>>,
    set_chosen: WriteSignal<Option<u32>>,
) -> impl IntoView {
    let pane = pane();
    let (n_listed, set_n_listed) = signal(RESULTS_AT_ONCE);
    let n_more = move || lines.with(Vec::len).saturating_sub(n_listed.get());
    let n_dropped = move || pane.trace.outline.with(|it| it.exhibits.results_dropped);
    let has_workloads =
        memo(move || lines.with(|lines| lines.iter().any(|it| !it.workload.is_empty())));
    let listed = move || {
        let listed = lines.get().into_iter().zip(1_u32..).take(n_listed.get());
        listed.collect::<Vec<_>>()
    };
    markup! {
        <div class="results" data-workloads=move || has_workloads.get().to_string()>
            <table class="grid">
                <caption class="sr">{text::RESULTS_CAPTION}</caption>
                <thead><tr>
                    {[text::ITERATION, text::SOLUTION, text::WORKLOAD, text::STATUS, text::SPEED_UP, text::BEST_SO_FAR, text::RUN_TIME, text::MAX_DIFF, text::EVENT]
                        .map(|head| markup! { <th scope="col">{head}</th> }).collect_view()}
                </tr></thead>
                <tbody>
                    {move || listed().into_iter().map(|(it, at)| {
                        markup! { <ResultRow it at line set_chosen/> }
                    }).collect_view()}
                </tbody>
            </table>
            <Show when=move || { n_more() > 0 }>
                <button class="quiet block__more" on:click=move |_| set_n_listed.update(|n| *n += RESULTS_AT_ONCE)>
                    {move || counts::more(n_more())}
                </button>
            </Show>
            <Show when=move || { n_dropped() > 0 }>
                <p class="body__wait">{move || text::not_listed(n_dropped())}</p>
            </Show>
        </div>
    }
}

#[component]
fn ResultRow(
    it: ResultLine,
    at: u32,
    line: Memo<Option<ResultLine>>,
    set_chosen: WriteSignal<Option<u32>>,
) -> impl IntoView {
    let pane = pane();
    let event = it.event;
    let is_chosen = move || line.with(|line| line.as_ref().is_some_and(|line| line.event == event));
    let name = if it.name.is_empty() { counts::NO_NAME.to_owned() } else { it.name.clone() };
    // In an agent's run, the table contains results for several definitions.
    let definition = pane.trace.outline.with_untracked(|outline| {
        let is_mixed = outline.exhibits.runs.len() > 1
            && outline.exhibits.exhibits_run(pane.run.get_untracked()).is_none();
        let run = outline.runs.get(it.run as usize).filter(|_| is_mixed);
        run.map(|run| format!("{}: ", run.title)).unwrap_or_default()
    });
    let label = text::show_in_timeline(&name);
    markup! {
        <tr data-chosen=move || is_chosen().to_string()>
            <td>{at}</td>
            <th scope="row">
                <button class="quiet" aria-pressed=move || is_chosen().to_string()
                    title=text::SHOW_RESULT on:click=move |_| set_chosen.set(Some(event))>{definition}{name}</button>
            </th>
            <td>{it.workload.clone()}</td>
            <td><Status passed=it.passed status=it.status.clone()/></td>
            <td data-number="true">{it.speedup.map(times)}</td>
            <td data-number="true">{it.best_speedup.map(times)}</td>
            <td data-number="true">{it.speed()}</td>
            <td data-number="true">{it.max_diff.map(difference)}</td>
            <td><button class="quiet" aria-label=label on:click=move |_| show_in_timeline(pane, event)>{text::TIMELINE}</button></td>
        </tr>
    }
}

#[component]
fn Status(passed: Option<bool>, status: String) -> impl IntoView {
    let (tone, mark) = match passed {
        Some(true) => ("ok", "✓ "),
        Some(false) => ("error", "✕ "),
        None => ("none", ""),
    };
    let words = if status.is_empty() { text::NOT_EVALUATED.to_owned() } else { status };
    markup! { <span class="status" data-tone=tone>{mark}{words}</span> }
}

fn show_in_timeline(pane: Pane, event: u32) {
    if let Some(row) = pane.trace.outline.get_untracked().rows.row_of(event) {
        pane::actions::jump(pane, row);
        browser::focus_timeline();
    }
}

/// One result: its code, its accuracy and speed, and its log.
#[component]
fn OneResult(line: ResultLine) -> impl IntoView {
    let pane = pane();
    let detail = actions::detail_of(pane.trace, line.event);
    let event = line.event;
    let facts = [
        (text::MAX_DIFF, line.max_diff.map_or_else(String::new, difference)),
        (text::SPEED, line.speed()),
        (text::SPEED_UP, line.speedup.map_or_else(String::new, times)),
    ];
    let drawn = move |wanted: fn(&ShownBlock) -> bool| {
        let detail = detail.get()?;
        let blocks = detail.blocks.iter().filter(|block| wanted(block));
        Some(blocks.map(|block| block_view(block, Cutting::Full)).collect::<Vec<_>>())
    };
    let code = match line.code {
        Some(id) => markup! { <Code id/> }.into_any(),
        None => markup! {
            <p class="body__wait">{text::NO_SOURCE_CODE}</p>
        }
        .into_any(),
    };
    markup! {
        <article class="exhibit__event result">
            <header class="result__head">
                <h2>{line.name.clone()}</h2>
                <Status passed=line.passed status=line.status.clone()/>
                <span class="spacer"></span>
                <button class="quiet" on:click=move |_| show_in_timeline(pane, event)>{text::SHOW_IN_THE_TIMELINE}</button>
            </header>
            <section class="block" aria-label=text::CODE><h3>{text::CODE}</h3>{code}</section>
            <dl class="result__facts">
                {facts.map(|(title, words)| {
                    let words = if words.is_empty() { text::NOT_IN_THE_FILES.to_owned() } else { words };
                    markup! { <div><dt>{title}</dt><dd>{words}</dd></div> }
                }).collect_view()}
            </dl>
            {move || match drawn(is_log) {
                None => markup! { <Waiting/> }.into_any(),
                Some(logs) if logs.is_empty() => markup! {
                    <section class="block"><h3>{text::LOG}</h3><p class="block--note">{text::NO_LOG}</p></section>
                }.into_any(),
                Some(logs) => logs.into_any(),
            }}
            {move || drawn(|block| !is_log(block) && !matches!(block, ShownBlock::Code(..)))}
        </article>
    }
}

fn is_log(block: &ShownBlock) -> bool {
    matches!(block, ShownBlock::Value(_, ValueForm::Log, _))
}

/// The source files of a solution, one at a time.
#[component]
fn Code(id: u32) -> impl IntoView {
    let detail = actions::detail_of(pane().trace, id);
    let (at, set_at) = signal(0_usize);
    markup! {
        {move || {
            let Some(detail) = detail.get() else { return markup! { <Waiting/> }.into_any() };
            let files: Vec<(String, String, Shown)> = detail.blocks.iter().filter_map(|block| match block {
                ShownBlock::Code(role, language, shown) => {
                    Some((words::role(role).into_owned(), language.clone(), shown.clone()))
                }
                _ => None,
            }).collect();
            if files.is_empty() {
                return markup! { <p class="body__wait">{text::NO_CODE}</p> }.into_any();
            }
            let names: Vec<String> = files.iter().map(|(path, ..)| path.clone()).collect();
            let files = StoredValue::new(files);
            markup! {
                <div class="files" role="group" aria-label=text::SOURCE_FILES>
                    {names.into_iter().enumerate().map(|(index, name)| markup! {
                        <button class="files__file" aria-pressed=move || (at.get() == index).to_string()
                            on:click=move |_| set_at.set(index)>{name}</button>
                    }).collect_view()}
                </div>
                {move || files.with_value(|files| files.get(at.get()).map(|(_, language, shown)| source_view(shown, language)))}
            }.into_any()
        }}
    }
}
