//! The findings of a run as sentences: two of them in the line of facts, all of them beside the timeline.

use crate::words::counts;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::event::compare::compare_rows;
use crate::pane;
use crate::shared::Shared;
use traceloupe::model::EventKind;
use traceloupe::view::page::causes::{ErrorGroup, error_groups, error_sentence, finding_sentence};
use traceloupe::view::page::set_aside;
use traceloupe::view::wire::causes::Causes;
use traceloupe::view::wire::outline::{FindingLine, Outline, RunLine};
use traceloupe::view::wire::protocol::Request;

/// How many findings are sentences in the line of facts.
const IN_LINE: usize = 2;

/// How many findings are listed at first.
const SHOWN_FINDINGS: usize = 30;

/// How many findings say what was called.
const MAX_CALLS: usize = 100;

/// How many more each time; a thousand would take the browser a second.
const MORE_FINDINGS: usize = 30;

/// Id of the button that lists all findings, which gets the focus back.
const BUTTON: &str = "all-findings";

/// Id of the list's button that closes it.
const CLOSE: &str = "close-findings";

/// Indices of the findings of the run that are possible loops, or that are not, the worst first; with the
/// outline that has them.
fn of_run(pane: Pane, is_loud: bool) -> Memo<(Shared<Outline>, Vec<u32>)> {
    Memo::new(move |_| {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let found = (0..).zip(&outline.findings);
        let found = found.filter(|(_, it)| it.run == run && it.is_loud() == is_loud);
        let mut found: Vec<(bool, u32)> =
            found.map(|(at, it)| (it.severity != "critical", at)).collect();
        traceloupe::order::sort(&mut found);
        (outline, found.into_iter().map(|(_, at)| at).collect::<Vec<u32>>())
    })
}

/// Asks what the findings and errors of the run are about: for each run, and when there are more of them.
fn ask_for_causes(pane: Pane) {
    let asked = Memo::new(move |_| {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let n_errors = outline.runs.get(run as usize).map_or(0, |it| it.counts.errors);
            let is_there = outline.complete || outline.is_live;
            (run, outline.findings.len(), n_errors, is_there)
        })
    });
    Effect::new(move |_| {
        let (run, _, _, is_there) = asked.get();
        if !is_there {
            return;
        }
        let (ids, has_error) = pane.trace.outline.with_untracked(|outline| {
            let is_tool = |row: u32| outline.rows.kinds.get(row) == EventKind::ToolCall as u8;
            let found = outline.findings.iter().filter(|it| it.run == run && is_tool(it.mark));
            let ids = found.take(MAX_CALLS).map(|it| outline.rows.ids.get(it.mark));
            let run = outline.runs.get(run as usize);
            (ids.collect::<Vec<u32>>(), run.is_some_and(|run| run.first_error.is_some()))
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

/// Errors that are alike, with the rows where they are.
#[derive(Clone, PartialEq)]
struct ErrorLine {
    rows: Vec<u32>,
    /// The number of the first row in its run, from 1.
    number: u32,
    sentence: String,
}

/// The errors of the run, those that are alike in one line. Until they have been looked into, the first error is
/// all that is known.
fn errors(pane: Pane) -> Memo<Shared<Vec<ErrorLine>>> {
    Memo::new(move |_| {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let causes = pane.trace.statistics.causes.get();
        let first_row = outline.runs.get(run as usize).map_or(0, |it| it.first_row);
        let line = |group: &ErrorGroup| {
            let rows: Vec<u32> = group.ids.iter().filter_map(|id| outline.row_of(*id)).collect();
            let number = rows.first()?.saturating_sub(first_row) + 1;
            Some(ErrorLine { rows, number, sentence: error_sentence(&outline, group) })
        };
        let mut lines: Vec<ErrorLine> = match causes.run == run {
            true => error_groups(&outline, &causes).iter().filter_map(line).collect(),
            false => Vec::new(),
        };
        let first = outline.runs.get(run as usize).and_then(|it| it.first_error);
        if let Some(row) = first.filter(|_| lines.is_empty()) {
            let reason = outline.name(outline.rows.errors.get(row)).to_owned();
            let ids = vec![outline.rows.ids.get(row)];
            lines.extend(line(&ErrorGroup { ids, reason, ..ErrorGroup::default() }));
        }
        Shared::new(lines)
    })
}

fn error_words(error: &ErrorLine) -> impl IntoView + use<> {
    let at = text::at_event(error.rows.len(), error.number);
    markup! { <span class="finding__words">{with_code(&error.sentence)}{at}</span> }
}

/// The sentence of a finding, with what was called.
fn sentence_of(pane: Pane, outline: &Outline, line: &FindingLine) -> String {
    let causes = pane.trace.statistics.causes.get();
    finding_sentence(outline, line, &causes)
}

/// What is said of a run without findings. Nothing reassuring is said of one that failed, or has no events.
fn nothing_found(pane: Pane) -> Option<&'static str> {
    let run = pane.run.get();
    pane.trace.outline.with(|outline| {
        let run = outline.runs.get(run as usize)?;
        if run.given.is_some() || ["error", "cancelled"].contains(&run.status.as_str()) {
            return None;
        }
        Some(if RunLine::knows_calls(run) { text::NOTHING_FOUND } else { text::NOT_CHECKED })
    })
}

/// The worst findings as sentences, and a button that lists all of them.
#[component]
pub fn Strip() -> impl IntoView {
    let pane = pane();
    let (loud, quiet) = (of_run(pane, true), of_run(pane, false));
    ask_for_causes(pane);
    let errors = errors(pane);
    let has_error = Memo::new(move |_| errors.with(|it| !it.is_empty()));
    let n_all = Memo::new(move |_| {
        let n_loud = loud.with(|it| it.1.len()) + quiet.with(|it| it.1.len());
        n_loud + errors.with(|it| it.len())
    });
    // The error keeps its place, however many loops there are.
    let n_loops = Memo::new(move |_| {
        let room = IN_LINE - usize::from(has_error.get());
        loud.with(|it| it.1.len()).min(room)
    });
    let n_more = move || n_all.get() - n_loops.get() - usize::from(has_error.get());
    let sentences = move || {
        let (outline, found) = loud.get();
        let found = found.into_iter().take(n_loops.get());
        let lines = found.filter_map(|at| outline.findings.get(at as usize));
        lines.map(|line| sentence(&outline, line)).collect_view()
    };
    let error = move || {
        errors.get().first().map(|error| {
            let row = error.rows.first().copied().unwrap_or(0);
            markup! {
                <button class="sentence" data-severity="error" title=text::SHOW_THE_FIRST_ERROR
                    on:click=move |_| pane::actions::jump(pane, row)>
                    <span aria-hidden="true">"✕"</span>
                    <span class="sr">{text::SHOW_THE_FIRST_ERROR}": "</span>
                    {error_words(error)}
                </button>
            }
        })
    };
    markup! {
        <section class="findings" role="region" aria-label=text::FINDINGS>
            <div class="findings__line">
                {sentences}
                {error}
                <Show when=move || n_all.get() == 0>
                    {move || nothing_found(pane).map(|words| markup! { <p class="findings__none">{words}</p> })}
                </Show>
                <Show when=move || n_loops.get() == 0 && !has_error.get() && { n_all.get() > 0 }>
                    <p class="findings__none">{move || counts::quiet_findings(n_more() as u64)}</p>
                </Show>
            </div>
            <Show when=move || { n_all.get() > 0 }>
                <button id=BUTTON class="findings__all" aria-expanded=move || pane.lists_findings.get().to_string()
                    title=text::ALL_FINDINGS_TITLE
                    on:click=move |_| toggle(pane)>
                    <span class="findings__more-of">{move || match n_more() {
                        0 => text::DETAILS.to_owned(),
                        n => counts::more(n),
                    }}</span>
                    // On narrow screens, where no sentence has room.
                    <span class="findings__n">"↻ "{move || n_all.get()}</span>
                    <span class="sr">{text::OF_ALL_FINDINGS}</span>
                </button>
            </Show>
        </section>
    }
}

/// Lists all findings beside the timeline, or no longer.
pub fn toggle(pane: Pane) {
    // On a narrow screen the filters cover the findings.
    let is_covered = pane.shows_side.get_untracked();
    pane.shows_side.set(false);
    let is_open = is_covered || !pane.lists_findings.get_untracked();
    pane.lists_findings.set(is_open);
    focus_later(if is_open { CLOSE } else { BUTTON });
}

/// Gives a button the keyboard. The list is drawn a moment later.
fn focus_later(id: &'static str) {
    leptos::task::spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(30).await;
        browser::focus(id);
    });
}

/// A finding in the line of facts. It leads to the event that it is about.
fn sentence(outline: &Outline, line: &FindingLine) -> impl IntoView + use<> {
    let pane = pane();
    let mark = line.mark;
    let sentence = sentence_of(pane, outline, line);
    let plain = sentence.replace('`', "");
    let label = text::show(&plain);
    markup! {
        <button class="sentence" data-severity=line.severity.clone() data-rule=line.rule.clone() title=plain
            aria-label=label on:click=move |_| pane::actions::jump(pane, mark)>
            <span aria-hidden="true">"↻"</span>
            <span class="finding__words">{with_code(&sentence)}</span>
        </button>
    }
}

/// All findings, beside the timeline.
#[component]
pub fn Findings() -> impl IntoView {
    let pane = pane();
    markup! {
        <Show when=move || pane.lists_findings.get()>
            <aside class="panel" aria-label=text::ALL_FINDINGS on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    toggle(pane);
                }
            }>
                <header class="panel__head">
                    <h2>{text::FINDINGS}</h2>
                    <button id=CLOSE class="quiet" aria-label=text::CLOSE_FINDINGS
                        on:click=move |_| toggle(pane)>"✕"</button>
                </header>
                <AllFindings/>
            </aside>
        </Show>
    }
}

#[component]
fn AllFindings() -> impl IntoView {
    let pane = pane();
    let (loud, quiet) = (of_run(pane, true), of_run(pane, false));
    let n_quiet = move || quiet.with(|(_, quiet)| quiet.len());
    let errors = errors(pane);
    let is_none = move || {
        loud.with(|it| it.1.is_empty()) && n_quiet() == 0 && errors.with(|it| it.is_empty())
    };
    let n_left_out = move || {
        let causes = pane.trace.statistics.causes.get();
        if causes.run == pane.run.get() { causes.n_left_out } else { 0 }
    };
    markup! {
        <div class="panel__in">
            <FindingList found=loud first=SHOWN_FINDINGS/>
            <ErrorList errors/>
            <Show when=move || { n_left_out() > 0 }>
                <p class="findings__none">{move || text::errors_left_out(n_left_out())}</p>
            </Show>
            <Show when=move || { n_quiet() > 0 }>
                <h3>{move || counts::quiet_findings(n_quiet() as u64)}</h3>
                <FindingList found=quiet first=SHOWN_FINDINGS/>
            </Show>
            <Show when=move || pane.trace.outline.with(|outline| outline.findings_dropped > 0)>
                <p class="findings__none">{move || pane.trace.outline.with(|outline| {
                    text::not_listed(outline.findings_dropped)
                })}</p>
            </Show>
            <Show when=is_none>
                {move || nothing_found(pane).map(|words| markup! { <p class="findings__none">{words}</p> })}
            </Show>
        </div>
    }
}

/// The errors of the run: the first ones, and more on request.
#[component]
fn ErrorList(errors: Memo<Shared<Vec<ErrorLine>>>) -> impl IntoView {
    let pane = pane();
    let (n_shown, set_n_shown) = signal(SHOWN_FINDINGS);
    let n_more = move || errors.with(|it| it.len()).saturating_sub(n_shown.get());
    let shown = move || {
        let errors = errors.get();
        let shown = (0..).zip(errors.iter().take(n_shown.get()));
        shown.map(|(at, error)| error_view(pane, at, error)).collect_view()
    };
    markup! {
        {shown}
        <Show when=move || { n_more() > 0 }>
            <button class="quiet findings__more" on:click=move |_| set_n_shown.update(|n| *n += MORE_FINDINGS)>
                {move || counts::more(n_more())}
            </button>
        </Show>
    }
}

/// Errors that are alike, with a link to each.
fn error_view(pane: Pane, at: usize, error: &ErrorLine) -> impl IntoView + use<> {
    let row = error.rows.first().copied().unwrap_or(0);
    let label = match at {
        0 => text::SHOW_THE_FIRST_ERROR.to_owned(),
        _ => text::show(&error.sentence.replace('`', "")),
    };
    let links = (error.rows.len() > 1).then(|| row_links(pane, error.rows.clone()));
    markup! {
        <div class="finding" data-severity="error">
            <span aria-hidden="true">"✕"</span>
            <span class="finding__words">{with_code(&error.sentence)}
                {links.is_none().then(|| text::at_event(1, error.number))}
                " "<span class="finding__rounds">{links}</span></span>
            <button class="quiet" aria-label=label
                on:click=move |_| pane::actions::jump(pane, row)>{text::SHOW}</button>
        </div>
    }
}

/// A list of findings: the first ones, and more on request.
#[component]
fn FindingList(found: Memo<(Shared<Outline>, Vec<u32>)>, first: usize) -> impl IntoView {
    let (n_shown, set_n_shown) = signal(first);
    let n_more = move || found.with(|(_, found)| found.len()).saturating_sub(n_shown.get());
    let shown = move || {
        let (outline, found) = found.get();
        let found = found.into_iter().take(n_shown.get());
        let lines = found.filter_map(|at| outline.findings.get(at as usize));
        lines.map(|line| finding_view(&outline, line)).collect_view()
    };
    markup! {
        {shown}
        <Show when=move || { n_more() > 0 }>
            <button class="quiet findings__more" on:click=move |_| set_n_shown.update(|n| *n += MORE_FINDINGS)>
                {move || counts::more(n_more())}
            </button>
        </Show>
        <Show when=move || { n_shown.get() > first }>
            <button class="quiet findings__more" on:click=move |_| set_n_shown.set(first)>{text::FEWER}</button>
        </Show>
    }
}

/// How many repetitions of a finding have a link.
const MAX_ROUNDS: usize = 12;

/// A link to each of these rows, as far as there is room.
fn row_links(pane: Pane, rows: Vec<u32>) -> (Vec<AnyView>, Option<String>) {
    let more = rows.len().saturating_sub(MAX_ROUNDS);
    let links = rows.into_iter().take(MAX_ROUNDS).map(|row| {
        let number = pane.trace.outline.with_untracked(|outline| {
            row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1
        });
        markup! {
            <button class="quiet" aria-label=text::go_to_event(number)
                on:click=move |_| pane::actions::go_to(pane, row)>{number}</button>
        }
        .into_any()
    });
    (links.collect(), (more > 0).then(|| text::and_more(more)))
}

/// A link to each repetition.
fn rounds(line: &FindingLine, pane: Pane) -> impl IntoView + use<> {
    let evidence = line.evidence.as_slice();
    let per_round = evidence.len() / (line.repetitions.max(1) as usize);
    // The link goes to the same call of each repetition.
    let at = evidence.iter().position(|row| *row == line.mark).unwrap_or(0);
    let firsts = evidence.iter().skip(at).step_by(per_round.max(1));
    let links = row_links(pane, firsts.copied().collect());
    let ends = evidence.get(at).zip(evidence.iter().skip(at).step_by(per_round.max(1)).next_back());
    let ends = ends.map(|(first, last)| (*first, *last)).filter(|(first, last)| first != last);
    let compare = ends.map(|(first, last)| {
        markup! {
            <button class="quiet" title=text::COMPARE_ROUNDS_TITLE
                on:click=move |_| compare_rows(pane, last, first)>{text::COMPARE_ROUNDS}</button>
        }
    });
    (links, compare)
}

/// Says that a finding is no loop, or that it is one after all.
fn set_aside(pane: Pane, key: u64) {
    let mut outline = Outline::clone(&pane.trace.outline.get_untracked());
    pane.trace.statistics.set_aside.update_value(|keys| {
        if !keys.remove(&key) {
            keys.insert(key);
        }
        set_aside::apply(&mut outline, keys);
    });
    pane.trace.outline.set(Shared::new(outline));
    // The list is drawn anew, and its buttons with it.
    focus_later(CLOSE);
}

fn finding_view(outline: &Outline, line: &FindingLine) -> impl IntoView + use<> {
    let pane = pane();
    let key = set_aside::key(outline, line);
    let judge = (line.severity != "info").then(|| {
        let (words, title) = match line.is_set_aside {
            true => (text::A_LOOP_AFTER_ALL, text::A_LOOP_AFTER_ALL_TITLE),
            false => (text::NOT_A_LOOP, text::NOT_A_LOOP_TITLE),
        };
        markup! {
            <button class="quiet" title=title on:click=move |_| set_aside(pane, key)>{words}</button>
        }
    });
    let severity = if line.is_set_aside { "info".to_owned() } else { line.severity.clone() };
    let mark = line.mark;
    let sentence = sentence_of(pane, outline, line);
    let label = text::show(&sentence.replace('`', ""));
    let rounds = rounds(line, pane);
    markup! {
        <div class="finding" data-severity=severity data-rule=line.rule.clone()>
            <span aria-hidden="true">"↻"</span>
            <span class="finding__words">{with_code(&sentence)}" "<span class="finding__rounds">{rounds}{judge}</span></span>
            <button class="quiet" aria-label=label on:click=move |_| pane::actions::jump(pane, mark)>{text::SHOW}</button>
        </div>
    }
}

/// Shows names between backticks as code. Everything stays text.
fn with_code(sentence: &str) -> impl IntoView + use<> {
    let parts: Vec<String> = sentence.split('`').map(str::to_owned).collect();
    parts
        .into_iter()
        .enumerate()
        .map(
            |(at, part)| {
                if at % 2 == 1 {
                    markup! { <code>{part}</code> }.into_any()
                } else {
                    part.into_any()
                }
            },
        )
        .collect_view()
}
