//! The column on the left: runs, annotations, and filters by kind and tool.

use crate::glyph::glyph;
use crate::reactive::{Item, RwSignal, Show, kept_list, memo};
use std::collections::HashSet;

use leptos::prelude::*;

use crate::annotations::comments::AnnotationRail;
use crate::app::page::Dialog;
use crate::app::pane::pane;
use crate::filter::facets::FacetLists;
use crate::pane;
use crate::runs::file_list::FileList;
use crate::runs::outcome::{outcome, sign};
use crate::runs::run_list::{
    AboutRuns, Badge, GroupItem, Listed, RunFilterField, badge_view, group_view, listed, run_badges,
};
use crate::timeline::turns::TurnList;
use traceloupe_core::model::RunOutcome;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::run_filter::RunFilter;
use traceloupe_view::short_names::{NARROW, telling_names};
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::outcome_words;
use traceloupe_words::page::shell as text;

/// How many runs are listed initially, and how many more each time. A thousand at once would take the browser too long.
const RUNS_AT_ONCE: usize = 100;

/// The column.
#[component]
pub fn Side() -> impl IntoView {
    let pane = pane();
    let (n_listed, set_n_listed) = signal(RUNS_AT_ONCE);
    let n_runs = memo(move || pane.trace.outline.with(|outline| outline.n_listed()));
    let filter = RwSignal::new(RunFilter::default());
    let shut = RwSignal::new(HashSet::<Vec<String>>::new());
    // The runs that match, with their groups.
    let fitting = memo(move || filter.with(|filter| shut.with(|shut| listed(pane, filter, shut))));
    // Lines of unchanged runs are kept while more is being read.
    let runs = memo(move || {
        pane.trace.outline.with(|outline| {
            let loud = outline.findings.iter().filter(|it| it.is_loud());
            let looped: HashSet<u32> = loud.map(|it| it.run).collect();
            let current = pane.run.get();
            let own = pane.trace.annotations.own.with(Vec::len);
            let names = telling_names(outline.listed().map(|run| run.title.as_str()), NARROW);
            fitting.with(|fitting| {
                let lines = fitting.iter().take(n_listed.get());
                lines
                    .filter_map(|line| match line {
                        Listed::Group(group) => Some(SideItem::Group(group.clone())),
                        Listed::Run(at) => {
                            let run = outline.runs.get(*at as usize)?;
                            let n_own = if *at == current { own } else { 0 };
                            let name = names.get(run.title.as_str()).unwrap_or(&run.title);
                            let item =
                                run_item(*at, run, (looped.contains(at), outline.is_live), n_own);
                            Some(SideItem::Run(RunItem { name: name.clone(), ..item }))
                        }
                    })
                    .collect::<Vec<_>>()
            })
        })
    });
    let n_hidden_runs = move || fitting.with(Vec::len).saturating_sub(n_listed.get());
    let several = move || n_runs.get() > 1;
    let item = move |item: SideItem| {
        Item::new(item.clone(), move || match item {
            SideItem::Run(run) => run_view(run).into_any(),
            SideItem::Group(group) => group_view(group, shut).into_any(),
        })
    };
    let runs_view = move || {
        markup! {
            <details class="side__part" open>
            <summary><h2>{text::RUNS}</h2></summary>
            <RunFilterField n_runs filter/>
            <ul class="side__list" role="list" aria-label=text::RUNS>
                {kept_list(move || runs.get().into_iter().map(item).collect())}
            </ul>
            <AboutRuns/>
            <Show when=move || fitting.with(Vec::is_empty) && { n_runs.get() > 0 }>
                <p class="side__none">{text::NO_MATCHING_RUNS}</p>
            </Show>
            <Show when=move || { n_hidden_runs() > 0 }>
                <button class="quiet side__clear" on:click=move |_| set_n_listed.update(|n| *n += RUNS_AT_ONCE)>
                    {move || text::more_runs(n_hidden_runs())}
                </button>
            </Show>
            </details>
        }
    };
    markup! {
        <nav class="side" aria-label=text::RUNS_AND_FILTERS>
            <button class="side__done" on:click=move |_| pane.shows_side.set(false)>{text::CLOSE_FILTERS}</button>
            <Show when=move || pane.page.folder.is_there()>
                <button class="quiet side__clear" on:click=move |_| pane.page.dialog.set(Some(Dialog::Folder))>
                    {text::BACK_TO_THE_FOLDER}
                </button>
            </Show>
            <Show when=several>{runs_view}</Show>
            <TurnList/>
            <FacetLists files=FileList().into_any()/>
            <Show when=move || !several()>{runs_view}</Show>
            <AnnotationRail/>
        </nav>
    }
}

/// A line of the list of runs.
#[derive(Clone, PartialEq, Eq, Hash)]
enum SideItem {
    Run(RunItem),
    Group(GroupItem),
}

/// A run in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RunItem {
    at: u32,
    name: String,
    duration: String,
    /// Start and number of events.
    second: String,
    outcome: RunOutcome,
    status_words: &'static str,
    /// Style word, text and meaning of each badge.
    badges: Vec<Badge>,
    /// The tooltip.
    title: String,
}

fn run_item(at: u32, run: &RunLine, (has_loops, is_live): (bool, bool), n_own: usize) -> RunItem {
    let run_counts = run.given.unwrap_or(run.counts);
    let outcome = outcome(run, has_loops, is_live);
    let status_words = outcome_words(outcome);
    let start = words::stamp(run.start_ms);
    let mut title = run.title.clone();
    for words in [
        start.clone(),
        words::duration(run.duration_ms),
        counts::llm_calls(run_counts.llm_calls),
        counts::tool_calls(run_counts.tool_calls),
    ] {
        if !words.is_empty() {
            title.push_str(&format!("\n{words}"));
        }
    }
    title.push_str(&format!("\n{status_words}"));
    let second = if run.given.is_some() {
        text::SUMMARY_ONLY.to_owned()
    } else {
        counts::events(run.counts.events)
    };
    let score = words::score(run.score, run.verdict);
    let score = if score.is_empty() { score } else { text::score(&score) };
    if !score.is_empty() {
        title.push_str(&format!("\n{score}"));
    }
    // The line may be cut off, and a score is more informative than a date.
    let parts = [score, start, second].into_iter().filter(|part| !part.is_empty());
    RunItem {
        at,
        name: run.title.clone(),
        duration: words::short_time(run.duration_ms),
        second: parts.collect::<Vec<_>>().join(" · "),
        outcome,
        status_words,
        badges: run_badges(run, n_own),
        title,
    }
}

fn run_view(run: RunItem) -> impl IntoView {
    let pane = pane();
    let RunItem { at, name, duration, second, outcome, status_words, badges, title } = run;
    let has_badges = !badges.is_empty();
    let badges = badges.into_iter().map(badge_view);
    let is_current = move || (pane.run.get() == at).then_some("true");
    markup! {
        <li>
            <button class="side__run" data-status=outcome.word() aria-current=is_current title=title
                on:click=move |_| {
                    pane::actions::choose_run(pane, at);
                    pane.shows_side.set(false);
                }>
                <span class="state">{glyph(sign(outcome))}</span>
                <span class="side__name">{name}</span>
                <span class="side__n">{duration}</span>
                <span class="side__second">{second}</span>
                {has_badges.then(|| markup! { <span class="side__badges">{badges.collect_view()}</span> })}
                <span class="sr">{status_words}</span>
            </button>
        </li>
    }
}
