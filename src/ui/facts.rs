//! The run in numbers, and what was found in it, as sentences.

use leptos::prelude::*;

use super::state::{AppState, state};
use super::{actions, commands};
use crate::view::outline::{FindingLine, RunLine};
use crate::view::words;

/// This many findings are shown before "more".
const SHOWN_FINDINGS: usize = 3;

/// Numbers on the left, findings on the right.
#[component]
pub fn Facts() -> impl IntoView {
    let state = state();
    let run = Memo::new(move |_| {
        let run = state.run.get();
        state.outline.get().runs.get(run as usize).cloned().unwrap_or_default()
    });
    view! { class="tl",
        <section class="facts" aria-label="Facts">
            <dl class="facts__numbers tl">
                {move || numbers(&run.get()).into_iter().map(|(number, words)| fact(number, words, "")).collect_view()}
                <ErrorFact run/>
                <LoopFact/>
            </dl>
            <Findings/>
        </section>
        <Notes run/>
    }
}

fn numbers(run: &RunLine) -> Vec<(String, &'static str)> {
    let mut facts = Vec::new();
    let duration = words::duration(run.duration_ms);
    if !duration.is_empty() {
        facts.push((duration, "run time"));
    }
    let counts = run.given.unwrap_or(run.counts);
    if run.given.is_none() {
        facts.push((
            words::count(counts.events),
            if counts.events == 1 { "event" } else { "events" },
        ));
    }
    for (number, one, many) in [
        (counts.llm_calls, "LLM call", "LLM calls"),
        (counts.tool_calls, "tool call", "tool calls"),
    ] {
        if number > 0 || run.given.is_some() {
            facts.push((words::count(number), if number == 1 { one } else { many }));
        }
    }
    #[expect(clippy::cast_precision_loss)] // counts of tokens
    let tokens = |n: Option<u64>| n.map_or(String::from("?"), |n| words::tokens(n as f64));
    if run.usage_known > 0 && (run.usage.total_input().is_some() || run.usage.output.is_some()) {
        let sum = format!("{} → {}", tokens(run.usage.total_input()), tokens(run.usage.output));
        let words = if run.usage_known < counts.llm_calls {
            "tokens in → out, where known"
        } else {
            "tokens in → out"
        };
        facts.push((sum, words));
    } else if run.usage.redacted {
        facts.push(("redacted".to_owned(), "tokens"));
    }
    facts
}

fn fact(number: String, words: &'static str, tone: &'static str) -> impl IntoView {
    view! { class="tl",
        <div class="fact" data-tone=tone><dd class="tl">{number}</dd><dt class="tl">{words}</dt></div>
    }
}

#[component]
fn ErrorFact(run: Memo<RunLine>) -> impl IntoView {
    let state = state();
    let count = move || run.with(|run| run.given.unwrap_or(run.counts).errors);
    view! { class="tl",
        <Show when=move || { count() > 0 }>
            <div class="fact" data-tone="error">
                <dd class="tl"><button class="quiet tl" title="Go to the first error" on:click=move |_| {
                    if let Some(row) = run.with_untracked(|run| run.first_error) {
                        actions::jump(state, row);
                    }
                }>{move || words::count(count())}</button></dd>
                <dt class="tl">{move || if count() == 1 { "error" } else { "errors" }}</dt>
            </div>
        </Show>
    }
}

#[component]
fn LoopFact() -> impl IntoView {
    let state = state();
    let rows = Memo::new(move |_| {
        let run = state.run.get();
        commands::loop_rows(&state.outline.get(), run)
    });
    let count = move || rows.with(Vec::len);
    view! { class="tl",
        <Show when=move || { count() > 0 }>
            <div class="fact" data-tone="warn">
                <dd class="tl"><button class="quiet tl" title="Go to the first possible loop" on:click=move |_| {
                    if let Some(row) = rows.with_untracked(|rows| rows.first().copied()) {
                        actions::jump(state, row);
                    }
                }>{move || words::count(count() as u64)}</button></dd>
                <dt class="tl">{move || if count() == 1 { "possible loop" } else { "possible loops" }}</dt>
            </div>
        </Show>
    }
}

/// What was found, the worst first; information folded away.
#[component]
fn Findings() -> impl IntoView {
    let state = state();
    let of_run = Memo::new(move |_| {
        let run = state.run.get();
        let outline = state.outline.get();
        let mut found: Vec<(usize, FindingLine)> =
            outline.findings.iter().cloned().enumerate().filter(|(_, it)| it.run == run).collect();
        let rank = |line: &FindingLine| match line.severity.as_str() {
            "critical" => 0,
            "warning" => 1,
            _ => 2,
        };
        found.sort_by_key(|(at, line)| (rank(line), *at));
        found
    });
    let (all, set_all) = signal(false);
    let loud = Memo::new(move |_| {
        of_run.with(|found| {
            found.iter().filter(|(_, it)| it.severity != "info").cloned().collect::<Vec<_>>()
        })
    });
    let quiet = Memo::new(move |_| {
        of_run.with(|found| {
            found.iter().filter(|(_, it)| it.severity == "info").cloned().collect::<Vec<_>>()
        })
    });
    let shown = move || {
        let mut found = loud.get();
        if !all.get() {
            found.truncate(SHOWN_FINDINGS);
        }
        found
    };
    let n_more = move || loud.with(Vec::len).saturating_sub(SHOWN_FINDINGS);
    let first_error = move || {
        let outline = state.outline.get();
        let run = outline.runs.get(state.run.get() as usize).cloned()?;
        let row = run.first_error?;
        let name = |index: u32| outline.names.get(index as usize).cloned().unwrap_or_default();
        let number = u64::from(row - run.first_row) + 1;
        Some((row, name(outline.rows.names.get(row)), name(outline.rows.errors.get(row)), number))
    };
    view! { class="tl",
        <section class="findings" role="region" aria-label="Findings">
            {move || shown().into_iter().map(|(_, line)| finding_view(line)).collect_view()}
            <Show when=move || { n_more() > 0 }>
                <button class="quiet findings__more" on:click=move |_| set_all.update(|all| *all = !*all)>
                    {move || if all.get() { "Fewer".to_owned() } else { format!("+{} more", n_more()) }}
                </button>
            </Show>
            {move || first_error().map(|(row, name, error, number)| {
                let what = if name.is_empty() { "An event".to_owned() } else { name };
                let how = if error.is_empty() { "failed".to_owned() } else { format!("failed: {error}") };
                view! { class="tl",
                    <div class="finding" data-severity="error">
                        <span aria-hidden="true">"✕"</span>
                        <span class="finding__words tl">"First error: "<b class="tl">{what}</b>" "{how}", event "{number}</span>
                        <button class="quiet" aria-label="Show the first error"
                            on:click=move |_| actions::jump(state, row)>"Show"</button>
                    </div>
                }
            })}
            <Show when=move || quiet.with(|quiet| !quiet.is_empty())>
                <details class="findings__info">
                    <summary class="tl">{move || words::counted(quiet.with(Vec::len) as u64, "repetition that may be fine", "repetitions that may be fine")}</summary>
                    {move || quiet.get().into_iter().map(|(_, line)| finding_view(line)).collect_view()}
                </details>
            </Show>
            <Show when=move || state.outline.with(|outline| outline.findings_dropped > 0)>
                <p class="findings__none">{move || state.outline.with(|outline| {
                    format!("{} further findings are not listed", words::count(u64::from(outline.findings_dropped)))
                })}</p>
            </Show>
            <Show when=move || of_run.with(Vec::is_empty) && first_error().is_none()>
                <p class="findings__none">"No loops and no errors found"</p>
            </Show>
        </section>
    }
}

/// So many repetitions of a finding are linked one by one.
const MAX_ROUNDS: usize = 12;

/// A link to each repetition: the evidence.
fn rounds(line: &FindingLine, state: AppState) -> impl IntoView + use<> {
    let per_round = line.evidence.len() / (line.repetitions.max(1) as usize);
    // The first call of a tool in each, as in the first one.
    let at = line.evidence.iter().position(|row| *row == line.mark).unwrap_or(0);
    let from = line.evidence.iter().skip(at);
    let firsts: Vec<u32> = from.step_by(per_round.max(1)).copied().collect();
    let more = firsts.len().saturating_sub(MAX_ROUNDS);
    let links = firsts.into_iter().take(MAX_ROUNDS).map(move |row| {
        let number = state.outline.with_untracked(|outline| {
            row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1
        });
        view! { class="tl",
            <button class="quiet tl" aria-label=format!("Go to event {number}")
                on:click=move |_| actions::go_to(state, row)>{number}</button>
        }
    });
    let links: Vec<_> = links.collect();
    (links, (more > 0).then(|| format!("and {more} more")))
}

fn finding_view(line: FindingLine) -> impl IntoView {
    let state = state();
    let line_rounds = line.clone();
    let FindingLine { rule, severity, sentence, mark, .. } = line;
    let label = format!("Show: {}", sentence.replace('`', ""));
    let rounds = rounds(&line_rounds, state);
    view! { class="tl",
        <div class="finding" data-severity=severity data-rule=rule>
            <span aria-hidden="true">"↻"</span>
            <span class="finding__words tl">{with_code(&sentence)}" "<span class="finding__rounds tl">{rounds}</span></span>
            <button class="quiet tl" aria-label=label on:click=move |_| actions::jump(state, mark)>"Show"</button>
        </div>
    }
}

/// Names between backticks as code; everything stays text.
fn with_code(sentence: &str) -> impl IntoView + use<> {
    let parts: Vec<String> = sentence.split('`').map(str::to_owned).collect();
    parts
        .into_iter()
        .enumerate()
        .map(|(at, part)| {
            if at % 2 == 1 {
                view! { class="tl", <code class="tl">{part}</code> }.into_any()
            } else {
                part.into_any()
            }
        })
        .collect_view()
}

/// Sentences about the run, and what could not be read.
#[component]
fn Notes(run: Memo<RunLine>) -> impl IntoView {
    let state = state();
    let warnings = move || state.outline.get().warnings.clone();
    let n_warnings = move || warnings().iter().map(|it| it.count).sum::<u64>();
    let notes = move || {
        let stopped = state.outline.with(|outline| outline.stopped);
        let stopped = stopped.map(|it| format!("Reading was {}", words::stopped(it)));
        stopped.into_iter().chain(run.get().notes).collect::<Vec<_>>()
    };
    view! { class="tl",
        <Show when=move || !notes().is_empty() || { n_warnings() > 0 }>
            <div class="notes">
                {move || notes().into_iter().map(|note| view! { class="tl", <span class="note">{note}</span> }).collect_view()}
                <Show when=move || { n_warnings() > 0 }>
                    <div role="alert"><details class="warnings">
                        <summary class="tl">{move || words::counted(n_warnings(), "reading problem", "reading problems")}</summary>
                        <ul class="tl">{move || warnings().into_iter().map(warning_view).collect_view()}</ul>
                    </details></div>
                </Show>
            </div>
        </Show>
    }
}

fn warning_view(line: crate::view::outline::WarningLine) -> impl IntoView {
    let state = state();
    let n_sources = state.outline.with_untracked(|outline| outline.sources.len());
    let times = if line.count > 1 {
        format!(" ({} times)", words::count(line.count))
    } else {
        String::new()
    };
    let places = line.places.iter().take(5).map(|(source, on_line, byte, detail)| {
        let path = state.outline.with_untracked(|outline| {
            outline.sources.get(*source as usize).map(|it| it.path.clone()).unwrap_or_default()
        });
        let mut place = match on_line {
            0 => format!("byte {byte}"),
            on_line => format!("line {on_line}, byte {byte}"),
        };
        if n_sources > 1 {
            place = format!("{path}, {place}");
        }
        if !detail.is_empty() {
            place.push_str(&format!(": {detail}"));
        }
        place
    });
    let places: Vec<String> = places.collect();
    view! { class="tl",
        <li data-code=line.code.clone()>
            {line.words}{times}
            <ul class="tl">{places.into_iter().map(|place| view! { class="tl", <li class="tl">{place}</li> }).collect_view()}</ul>
        </li>
    }
}
