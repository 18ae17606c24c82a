//! Parts of the list of runs: the filter, groups, badges.

use crate::reactive::{Memo, RwSignal, Show, live, memo};
use std::collections::{HashMap, HashSet};

use crate::glyph::glyph;
use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::pane;
use crate::pane::tabs;
use traceloupe_core::model::{FactKind, FactValue, fact_count, facts_of};
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::icon;
use traceloupe_view::run_filter::RunFilter;
use traceloupe_words as words;
use traceloupe_words::page::{runs as text, shell};

/// With fewer runs than this, there is no filter.
const FILTER_FROM_RUNS: usize = 4;

/// How many buttons are shown for what is about all runs: a folder may have many evaluations.
const MAX_ABOUT_RUNS: usize = 12;

/// A line of the list: a group, or the index of a run.
#[derive(Clone, PartialEq, Eq)]
pub enum Listed {
    /// A group, before its runs.
    Group(GroupItem),
    /// A run.
    Run(u32),
}

/// A group in the list.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GroupItem {
    /// Its path, outermost first.
    path: Vec<String>,
    /// How many of its runs match the filter.
    n_runs: usize,
    /// Whether its runs are shown.
    is_open: bool,
}

/// The runs that match a filter. The runs of a group are together, in the place of the first one.
pub fn listed(pane: Pane, filter: &RunFilter, shut: &HashSet<Vec<String>>) -> Vec<Listed> {
    let current = pane.run.get();
    let n_own = u32::try_from(pane.trace.annotations.own.with(Vec::len)).unwrap_or(u32::MAX);
    pane.trace.outline.with(|outline| {
        let mut groups: Vec<(&[String], Vec<u32>)> = Vec::new();
        let mut known: HashMap<&[String], usize> = HashMap::new();
        for (at, run) in (0..).zip(&outline.runs) {
            if !outline.is_listed(run) || !filter.fits(run, if at == current { n_own } else { 0 }) {
                continue;
            }
            let group = *known.entry(&run.groups).or_insert_with(|| {
                groups.push((&run.groups, Vec::new()));
                groups.len() - 1
            });
            if let Some((_, runs)) = groups.get_mut(group) {
                runs.push(at);
            }
        }
        let mut lines = Vec::new();
        for (path, runs) in groups {
            let is_open = !shut.contains(path);
            if !path.is_empty() {
                let (path, n_runs) = (path.to_vec(), runs.len());
                lines.push(Listed::Group(GroupItem { path, n_runs, is_open }));
            }
            if is_open {
                lines.extend(runs.into_iter().map(Listed::Run));
            }
        }
        lines
    })
}

/// Buttons that open what is about all runs, such as the evaluation that they are part of, with its score.
#[component]
pub fn AboutRuns() -> impl IntoView {
    let pane = crate::app::pane::pane();
    let items = memo(move || {
        pane.trace.outline.with(|outline| {
            let item = |(at, run): (u32, &RunLine)| {
                (at, run.title.clone(), words::score(run.score, run.verdict))
            };
            outline.about_runs().take(MAX_ABOUT_RUNS).map(item).collect::<Vec<_>>()
        })
    });
    live(move || {
        let button = |(at, title, score): (u32, String, String)| {
            let score = (!score.is_empty()).then(|| shell::score(&score));
            let open = move |_| {
                pane::actions::choose_run(pane, at);
                tabs::show_list(pane);
                pane.shows_side.set(false);
            };
            let is_current = move || (pane.run.get() == at).then_some("true");
            markup! {
                <button class="quiet named about-runs" title=text::ABOUT_ALL_RUNS aria-current=is_current on:click=open>
                    <bdi>{title}</bdi>{score.map(|it| markup! { <small>" "{it}</small> })}
                </button>
            }
        };
        items.get().into_iter().map(button).collect_view()
    })
}

/// A group: its path, its number of runs, and a button that hides them.
pub fn group_view(group: GroupItem, shut: RwSignal<HashSet<Vec<String>>>) -> impl IntoView {
    let GroupItem { path, n_runs, is_open } = group;
    let words = path.join(" / ");
    let toggle = move |_| {
        shut.update(|shut| {
            if !shut.remove(&path) {
                shut.insert(path.clone());
            }
        });
    };
    markup! {
        <li>
            <button class="side__group" aria-expanded=is_open.to_string() on:click=toggle>
                {glyph(if is_open { icon::DOWN } else { icon::RIGHT })}
                <bdi class="side__name">{words}</bdi>
                <span class="side__n">{words::count(n_runs as u64)}</span>
            </button>
        </li>
    }
}

/// The field that filters runs.
#[component]
pub fn RunFilterField(
    /// How many runs there are.
    n_runs: Memo<usize>,
    /// The filter.
    filter: RwSignal<RunFilter>,
) -> impl IntoView {
    let is_shown = memo(move || n_runs.get() >= FILTER_FROM_RUNS);
    let typed = move |event: leptos::ev::Event| {
        filter.set(RunFilter::parse(&event_target_value(&event)));
    };
    let faults = move || filter.with(|filter| filter.faults.join(", "));
    markup! {
        <Show when=move || is_shown.get()>
            <input id="run-filter" class="side__filter" type="search" autocomplete="off" spellcheck="false"
                placeholder=text::FILTER_RUNS aria-label=text::FILTER_RUNS
                title=text::FILTER_RUNS_TITLE
                on:input=typed/>
            {move || {
                let faults = faults();
                (!faults.is_empty()).then(|| markup! {
                    <p class="annos__note" role="alert">{text::NOT_UNDERSTOOD}{faults}</p>
                })
            }}
        </Show>
    }
}

/// The style word, the text and the meaning of a badge.
pub type Badge = (&'static str, String, String);

/// A badge.
pub fn badge_view((tone, words, title): Badge) -> impl IntoView {
    markup! { <span class="badge" data-tone=tone role="img" title=title.clone() aria-label=title>{words}</span> }
}

/// The badges of a run: outcome, annotations by kind, and the counts of Invariant Explorer's tests.
pub fn run_badges(run: &RunLine, n_own: usize) -> Vec<Badge> {
    let number = |kind: FactKind| fact_count(&run.facts, &kind);
    let tally = run.annotations;
    let mut badges = Vec::new();
    let mut add = |tone, sign: &str, n: u64, one: &str, many: &str| {
        if n > 0 {
            let words = format!("{sign} {}", words::count(n));
            badges.push((tone, words, words::counted(n, one, many)));
        }
    };
    let comments = u64::from(tally.comments) + n_own as u64;
    add("anno", "✎", comments, "comment", "comments");
    let found = u64::from(tally.analyzer);
    add("loop", "◆", found, text::FINDING_OF_AN_ANALYZER, text::FINDINGS_OF_AN_ANALYZER);
    let guardrails = u64::from(tally.guardrails);
    add("error", "⚑", guardrails, text::FAILED_GUARDRAIL, text::FAILED_GUARDRAILS);
    add("ok", "✓", u64::from(tally.passed), text::TEST_PASSED, text::TESTS_PASSED);
    let failed = u64::from(tally.failed).max(number(FactKind::Failures));
    add("error", "✗", failed, text::TEST_FAILED, text::TESTS_FAILED);
    add("loop", "!", number(FactKind::Warnings), "warning", "warnings");
    match facts_of(&run.facts, &FactKind::Success).next() {
        Some(FactValue::Truth(true)) => {
            badges.push(("ok", "✓".to_owned(), text::SUCCESSFUL.to_owned()));
        }
        Some(FactValue::Truth(false)) => {
            badges.push(("error", "✗".to_owned(), text::FAILED_EVALUATION.to_owned()));
        }
        Some(FactValue::Text(_) | FactValue::Dollars(_) | FactValue::Count(_)) | None => {}
    }
    badges
}
