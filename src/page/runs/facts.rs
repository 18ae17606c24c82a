//! The numbers of a run, and its findings as sentences.

use crate::words::counts;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::notice;
use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::pane;
use crate::runs::meter::ContextMeter;
use crate::runs::summary::Summary;
use crate::shared::Shared;
use traceloupe::model::EventKind;
use traceloupe::view::page::rows::Choice;
use traceloupe::view::wire::outline::{FindingLine, Outline, RunLine};
use traceloupe::view::words;

/// How many findings are shown at first.
const SHOWN_FINDINGS: usize = 3;

/// How many more each time; a thousand would take the browser a second.
const MORE_FINDINGS: usize = 30;

/// Numbers on the left, findings on the right.
#[component]
pub fn Facts() -> impl IntoView {
    let pane = pane();
    let run = Memo::new(move |_| {
        let run = pane.run.get();
        pane.trace.outline.get().runs.get(run as usize).cloned().unwrap_or_default()
    });
    markup! {
        <section class="facts" aria-label=text::FACTS>
            <dl class="facts__numbers">
                {move || run.with(figures).into_iter().map(|(number, words)| markup! {
                    <div class="fact"><dd>{number}</dd><dt>{words}</dt></div>
                }).collect_view()}
                <ContextMeter run/>
                <Chips run/>
            </dl>
            <div class="facts__run">
                <button class="quiet" title=text::STATISTICS_TITLE on:click=move |_| pane.page.dialog.set(Some(Dialog::Statistics))>{text::STATISTICS}</button>
                <Show when=move || run.with(|run| !run.key.is_empty())>
                    <button class="quiet" title=text::COPY_LINK_TITLE on:click=move |_| pane::actions::link_to_run(pane)>{text::COPY_LINK}</button>
                    <button class="quiet" title=move || run.with(|run| text::copy_id(&run.key))
                        on:click=move |_| notice::copy(pane.page, &run.with_untracked(|run| run.key.clone()), text::ID_COPIED)>{text::COPY_ID}</button>
                    <button class="quiet" title=text::CHECK_TITLE
                        on:click=move |_| pane.page.dialog.set(Some(Dialog::Check))>{text::CHECK}</button>
                    <button class="quiet" title=text::EXPORT_TITLE
                        on:click=move |_| pane.page.dialog.set(Some(Dialog::Convert))>{text::EXPORT_AS}</button>
                </Show>
            </div>
            <Summary/>
            <Findings/>
        </section>
        <Notes run/>
    }
}

/// Numbers that are not counts of rows.
fn figures(run: &RunLine) -> Vec<(String, &'static str)> {
    let mut facts = Vec::new();
    let duration = words::duration(run.duration_ms);
    if !duration.is_empty() {
        facts.push((duration, text::RUN_TIME));
    }
    let score = words::score(run.score, &run.verdict);
    if !score.is_empty() {
        facts.push((score, if run.score.is_some() { "score" } else { "verdict" }));
    }
    let counts = run.given.unwrap_or(run.counts);
    #[expect(clippy::cast_precision_loss)] // counts of tokens
    let tokens = |n: Option<u64>| n.map_or(String::from("?"), |n| words::tokens(n as f64));
    if run.usage.total_input().is_some() || run.usage.output.is_some() {
        let output = words::at_least(tokens(run.usage.output), run.usage.unfinished);
        let sum = format!("{} → {output}", tokens(run.usage.total_input()));
        // If no call reports its own, this is the producer's sum for the run.
        let is_partial = (1..counts.llm_calls).contains(&run.usage_known);
        let words = match (run.usage.unfinished, is_partial) {
            (true, _) => text::TOKENS_IN_OUT_AT_LEAST,
            (false, true) => text::TOKENS_IN_OUT_WHERE_KNOWN,
            (false, false) => text::TOKENS_IN_OUT,
        };
        facts.push((sum, words));
    } else if run.usage.redacted {
        facts.push(("redacted".to_owned(), "tokens"));
    }
    facts
}

/// A count of rows. Clicking it shows only those rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chip {
    Events,
    Llm,
    Tools,
    Errors,
    Loops,
}

impl Chip {
    const ALL: [Self; 5] = [Self::Events, Self::Llm, Self::Tools, Self::Errors, Self::Loops];

    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Events => ("event", "events"),
            Self::Llm => (text::LLM_CALL, text::LLM_CALLS),
            Self::Tools => (text::TOOL_CALL, text::TOOL_CALLS),
            Self::Errors => ("error", "errors"),
            Self::Loops => (text::POSSIBLE_LOOP, text::POSSIBLE_LOOPS),
        }
    }

    fn tone(self) -> &'static str {
        match self {
            Self::Errors => "error",
            Self::Loops => "warn",
            _ => "",
        }
    }

    fn count(self, run: &RunLine, n_loops: usize) -> u64 {
        let counts = run.given.unwrap_or(run.counts);
        match self {
            Self::Events => run.counts.events,
            Self::Llm => counts.llm_calls,
            Self::Tools => counts.tool_calls,
            Self::Errors => counts.errors,
            Self::Loops => n_loops as u64,
        }
    }

    fn is_pressed(self, choice: &Choice) -> bool {
        match self {
            Self::Events => !choice.is_filtered(),
            Self::Llm => choice.kinds.contains(&EventKind::LlmCall),
            Self::Tools => choice.kinds.contains(&EventKind::ToolCall),
            Self::Errors => choice.errors_only,
            Self::Loops => choice.loops_only,
        }
    }

    fn press(self, pane: Pane) {
        match self {
            Self::Events => pane::actions::clear_filter(pane),
            Self::Llm => pane::actions::toggle_kind(pane, EventKind::LlmCall),
            Self::Tools => pane::actions::toggle_kind(pane, EventKind::ToolCall),
            Self::Errors => pane::actions::toggle_errors(pane),
            Self::Loops => pane::actions::toggle_loops(pane),
        }
    }
}

/// Counts of the run's rows, which filter the timeline.
#[component]
fn Chips(run: Memo<RunLine>) -> impl IntoView {
    let pane = pane();
    let n_loops = Memo::new(move |_| {
        let run = pane.run.get();
        loop_rows(&pane.trace.outline.get(), run).len()
    });
    let chips = Memo::new(move |_| {
        let counted = |chip: &Chip| run.with(|run| chip.count(run, n_loops.get()));
        let is_given = run.with(|run| run.given.is_some());
        let chips = Chip::ALL.into_iter().map(|chip| (chip, counted(&chip)));
        // The counts of a run without events are from its summary, and there are no rows to show.
        let kept = chips.filter(|(chip, n)| *n > 0 || (is_given && *chip != Chip::Events));
        (kept.collect::<Vec<_>>(), is_given)
    });
    let chip = move |(chip, n): (Chip, u64), is_given: bool| {
        let (one, many) = chip.nouns();
        let number = if is_given {
            words::count(n).into_any()
        } else {
            let label = match chip {
                Chip::Events => text::show_all_events(n),
                _ => text::show_only(&words::counted(n, one, many)),
            };
            let pressed = move || pane.choice.with(|choice| chip.is_pressed(choice)).to_string();
            markup! {
                <button class="quiet" title=label.clone() aria-label=label aria-pressed=pressed
                    on:click=move |_| chip.press(pane)>{words::count(n)}</button>
            }
            .into_any()
        };
        markup! {
            <div class="fact" data-tone=chip.tone()>
                <dd>{number}</dd>
                <dt>{if n == 1 { one } else { many }}</dt>
            </div>
        }
    };
    move || {
        let (chips, is_given) = chips.get();
        chips.into_iter().map(|it| chip(it, is_given)).collect_view()
    }
}

/// The findings, the worst first; information is collapsed.
#[component]
fn Findings() -> impl IntoView {
    let pane = pane();
    // Indices of the run's findings, with the outline that has them.
    let of_run = move |is_loud: bool| {
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
    };
    let (loud, quiet) = (of_run(true), of_run(false));
    let n_quiet = move || quiet.with(|(_, quiet)| quiet.len());
    // Nothing reassuring is said of a run that failed, or has no events.
    let says_nothing = move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            outline.runs.get(run as usize).is_none_or(|run| {
                run.given.is_some() || ["error", "cancelled"].contains(&run.status.as_str())
            })
        })
    };
    let is_none =
        move || loud.with(|(_, loud)| loud.is_empty()) && n_quiet() == 0 && !says_nothing();
    let knows_calls = move || {
        let run = pane.run.get();
        pane.trace
            .outline
            .with(|outline| outline.runs.get(run as usize).is_none_or(RunLine::knows_calls))
    };
    let (quiet_open, set_quiet_open) = signal(false);
    let first_error = move || {
        let outline = pane.trace.outline.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let row = run.first_error?;
        let number = u64::from(row - run.first_row) + 1;
        let name = |index: u32| outline.name(index).to_owned();
        let (what, how) = (name(outline.rows.names.get(row)), name(outline.rows.errors.get(row)));
        // The name of an error event is its type already.
        let how = if how == what { String::new() } else { how };
        Some((row, what, how, number))
    };
    markup! {
        <section class="findings" role="region" aria-label=text::FINDINGS>
            <FindingList found=loud first=SHOWN_FINDINGS/>
            {move || first_error().map(|(row, name, error, number)| {
                let what = if name.is_empty() { text::AN_EVENT.to_owned() } else { name };
                let how = text::failed(&error);
                markup! {
                    <div class="finding" data-severity="error">
                        <span aria-hidden="true">"✕"</span>
                        <span class="finding__words">{text::FIRST_ERROR}<b>{what}</b>" "{how}{text::EVENT}{number}</span>
                        <button class="quiet" aria-label=text::SHOW_THE_FIRST_ERROR
                            on:click=move |_| pane::actions::jump(pane, row)>{text::SHOW}</button>
                    </div>
                }
            })}
            <Show when=move || { n_quiet() > 0 }>
                <details class="findings__info" on:toggle=move |event| {
                    let details: web_sys::Element = event_target(&event);
                    set_quiet_open.set(details.has_attribute("open"));
                }>
                    <summary>{move || counts::quiet_findings(n_quiet() as u64)}</summary>
                    <Show when=move || quiet_open.get()><FindingList found=quiet first=MORE_FINDINGS/></Show>
                </details>
            </Show>
            <Show when=move || pane.trace.outline.with(|outline| outline.findings_dropped > 0)>
                <p class="findings__none">{move || pane.trace.outline.with(|outline| {
                    text::not_listed(outline.findings_dropped)
                })}</p>
            </Show>
            <Show when=move || is_none() && first_error().is_none()>
                <p class="findings__none">{move || if knows_calls() {
                    text::NOTHING_FOUND
                } else {
                    text::NOT_CHECKED
                }}</p>
            </Show>
        </section>
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
        found.filter_map(|at| outline.findings.get(at as usize).map(finding_view)).collect_view()
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

/// A link to each repetition.
fn rounds(line: &FindingLine, pane: Pane) -> impl IntoView + use<> {
    let evidence = line.evidence.as_slice();
    let per_round = evidence.len() / (line.repetitions.max(1) as usize);
    // The link goes to the same call of each repetition.
    let at = evidence.iter().position(|row| *row == line.mark).unwrap_or(0);
    let firsts = evidence.iter().skip(at).step_by(per_round.max(1));
    let more = firsts.len().saturating_sub(MAX_ROUNDS);
    let links = firsts.take(MAX_ROUNDS).map(|row| {
        let row = *row;
        let number = pane.trace.outline.with_untracked(|outline| {
            row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1
        });
        markup! {
            <button class="quiet" aria-label=text::go_to_event(number)
                on:click=move |_| pane::actions::go_to(pane, row)>{number}</button>
        }
    });
    let links: Vec<_> = links.collect();
    (links, (more > 0).then(|| text::and_more(more)))
}

fn finding_view(line: &FindingLine) -> impl IntoView + use<> {
    let pane = pane();
    let mark = line.mark;
    let label = text::show(&line.sentence.replace('`', ""));
    let rounds = rounds(line, pane);
    markup! {
        <div class="finding" data-severity=line.severity.clone() data-rule=line.rule.clone()>
            <span aria-hidden="true">"↻"</span>
            <span class="finding__words">{with_code(&line.sentence)}" "<span class="finding__rounds">{rounds}</span></span>
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

/// Notes on the run, and what could not be read.
#[component]
fn Notes(run: Memo<RunLine>) -> impl IntoView {
    let pane = pane();
    let warnings = move || pane.trace.outline.get().warnings.clone();
    let n_warnings = move || warnings().iter().map(|it| it.count).sum::<u64>();
    let notes = move || {
        let stopped = pane.trace.outline.with(|outline| outline.stopped);
        let stopped = stopped.map(|it| text::reading_was(&words::stopped(it)));
        let run = run.get();
        let no_end = run.no_end.map(|no_end| {
            let now_ms = browser::clock_ms();
            if words::is_still_running(run.end_ms, now_ms) {
                let age = words::duration((now_ms - run.end_ms).max(0.0));
                text::still_running(&age)
            } else {
                no_end
            }
        });
        stopped.into_iter().chain(no_end).chain(run.notes).collect::<Vec<_>>()
    };
    markup! {
        <Show when=move || !notes().is_empty() || { n_warnings() > 0 }>
            <div class="notes">
                {move || notes().into_iter().map(|note| markup! { <span class="note">{note}</span> }).collect_view()}
                <Show when=move || { n_warnings() > 0 }>
                    <div role="alert"><details class="warnings">
                        <summary>{move || counts::reading_problems(n_warnings())}</summary>
                        <ul>{move || warnings().into_iter().map(warning_view).collect_view()}</ul>
                    </details></div>
                </Show>
            </div>
        </Show>
    }
}

fn warning_view(line: traceloupe::view::wire::outline::WarningLine) -> impl IntoView {
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
        <li data-code=line.code.clone()>
            {line.words}{times}
            <ul>{places.into_iter().map(|place| markup! { <li>{place}</li> }).collect_view()}</ul>
        </li>
    }
}

/// First rows of the possible loops of a run, in order.
pub fn loop_rows(outline: &Outline, run: u32) -> Vec<u32> {
    let shown = outline.findings.iter().filter(|it| it.run == run && it.is_loud());
    let mut rows: Vec<u32> = shown.map(|it| it.mark).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
