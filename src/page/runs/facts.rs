//! The line of facts: the outcome and the numbers of a run.

use crate::reactive::{Memo, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::pane::filtering;
use crate::pane::tabs::choose_statistics;
use crate::runs::findings::Strip;
use crate::runs::meter::ContextMeter;
use crate::runs::outcome::outcome_badge;
use traceloupe_core::model::{CallOutcome, EventKind, FactKind, fact_text};
use traceloupe_core::sorting;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::list::visible_lines::Choice;
use traceloupe_view::outline::Outline;
use traceloupe_view::prices::{Costs, given_dollars};
use traceloupe_view::query::Key;
use traceloupe_view::query::parse::YES;
use traceloupe_view::waits::waits;
use traceloupe_words as words;
use traceloupe_words::page::runs as text;

/// Outcome and numbers on the left, findings on the right, in one line. If the line is too long, it scrolls.
#[component]
pub fn Facts() -> impl IntoView {
    let pane = pane();
    let run = pane.run_line(pane.trace.outline);
    let n_loops = memo(move || {
        let run = pane.run.get();
        loop_rows(&pane.trace.outline.get(), run).len()
    });
    let status = live(move || {
        let is_live = pane.trace.outline.with(|outline| outline.is_live);
        run.with(|run| outcome_badge(run, n_loops.get() > 0, is_live))
    });
    let shown = move || {
        let list = pane.page.list_of_prices();
        let (outline, costs) = (pane.trace.outline.get(), pane.trace.costs.get());
        run.with(|run| {
            figures(run, &costs, &list, || {
                let waits = if outline.complete { waits(&outline, run) } else { Vec::new() };
                waits.iter().map(|(from, to)| to - from).sum()
            })
        })
    };
    markup! {
        <section class="facts" aria-label=text::FACTS>
            <div class="facts__numbers">
                {status}
                <dl>
                    {move || shown().into_iter().map(figure).collect_view()}
                    <Chips run n_loops/>
                    <ContextMeter run/>
                    {move || run.with(scores).into_iter().map(figure).collect_view()}
                </dl>
            </div>
            <Strip/>
        </section>
    }
}

/// A number of a run that is not a count of rows.
struct Figure {
    number: String,
    words: String,
    title: String,
}

fn figure(it: Figure) -> impl IntoView {
    let pane = pane();
    let Figure { number, words, title } = it;
    let label = format!("{number} {words}. {title}");
    // A phone only has room for the second part.
    let (of_wide, words) = match words.split_once(", ") {
        Some((of_wide, rest)) => (Some(of_wide.to_owned()), rest.to_owned()),
        None => (None, words),
    };
    markup! {
        <div class="fact">
            <dd><button class="quiet" title=title aria-label=label
                on:click=move |_| choose_statistics(pane)>{number}</button></dd>
            <dt>{of_wide.map(|words| markup! { <span class="fact__wide">{words}", "</span> })}{words}</dt>
        </div>
    }
}

/// Time, cost and tokens, where known.
fn figures(
    run: &RunLine,
    costs: &Costs,
    list: &str,
    waited_ms: impl FnOnce() -> f64,
) -> Vec<Figure> {
    let mut facts = Vec::new();
    let (active, wall) = (words::duration(run.active_ms()), words::duration(run.duration_ms));
    if active != wall {
        let title = text::idle_times(run.idle_ms.len());
        facts.push(Figure { number: active, words: text::active_of(&wall), title });
    } else if !wall.is_empty() {
        let words = match waited_ms() {
            ms if ms > 0.0 => text::run_time_with_waits(&words::duration(ms)),
            _ => text::RUN_TIME.to_owned(),
        };
        facts.push(Figure { number: wall, words, title: text::STATISTICS_TITLE.to_owned() });
    }
    facts.extend(cost(run, costs, list));
    let counts = run.given.unwrap_or(run.counts);
    #[expect(clippy::cast_precision_loss)] // counts of tokens
    let tokens = |n: Option<u64>| n.map_or(String::from("?"), |n| words::tokens(n as f64));
    let input = run.usage.total_input();
    if input.is_some() || run.usage.output.is_some() {
        let output = words::at_least(tokens(run.usage.output), run.usage.unfinished);
        let number = format!("{} → {output}", tokens(input));
        // If no call reports its own usage, this is the producer's total for the run.
        let is_partial = (1..counts.llm_calls).contains(&run.usage_known);
        let how = match (run.usage.unfinished, is_partial) {
            (true, _) => text::TOKENS_IN_OUT_AT_LEAST,
            (false, true) => text::TOKENS_IN_OUT_WHERE_KNOWN,
            (false, false) => text::TOKENS_IN_OUT,
        };
        let words = match (run.usage.cache_read, input) {
            (Some(cached), Some(input)) if input > 0 => text::cached(cached, input),
            _ => how.to_owned(),
        };
        facts.push(Figure { number, words, title: text::tokens_title(how, &run.usage) });
    } else if run.usage.redacted {
        let (number, words) = ("redacted".to_owned(), "tokens".to_owned());
        facts.push(Figure { number, words, title: text::STATISTICS_TITLE.to_owned() });
    }
    facts
}

/// The cost of the run, as stated by the file, otherwise as the sum over its calls.
fn cost(run: &RunLine, costs: &Costs, list: &str) -> Option<Figure> {
    let sum = costs.of_run(run);
    let (number, title) = match given_dollars(run) {
        Some(dollars) => (words::dollars(dollars), text::COST_TITLE.to_owned()),
        None if sum.is_known() => (words::cost(&sum), text::cost_title(&sum, list)),
        // The amount is not a number of dollars.
        None => {
            let cost = fact_text(&run.facts, &FactKind::Cost)?;
            (cost.to_owned(), text::COST_TITLE.to_owned())
        }
    };
    Some(Figure { number, words: text::COST.to_owned(), title })
}

/// The scores given by graders.
fn scores(run: &RunLine) -> Vec<Figure> {
    let number = words::score(run.score, run.verdict);
    let words = if run.score.is_some() { "score" } else { "verdict" }.to_owned();
    let title = text::STATISTICS_TITLE.to_owned();
    (!number.is_empty()).then_some(Figure { number, words, title }).into_iter().collect()
}

/// A count of rows. A click shows only those rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chip {
    Events,
    Llm,
    Tools,
    Errors,
    Loops,
}

impl Chip {
    const ALL: [Self; 5] = [Self::Llm, Self::Tools, Self::Errors, Self::Loops, Self::Events];

    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Events => ("event", "events"),
            Self::Llm => (text::LLM_CALL, text::LLM_CALLS),
            Self::Tools => (text::TOOL_CALL, text::TOOL_CALLS),
            Self::Errors => ("error", "errors"),
            Self::Loops => (text::POSSIBLE_LOOP, text::POSSIBLE_LOOPS),
        }
    }

    /// The name of its position in style sheets.
    fn word(self) -> &'static str {
        match self {
            Self::Events => "events",
            Self::Llm => "llm",
            Self::Tools => "tools",
            Self::Errors => "errors",
            Self::Loops => "loops",
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
            Self::Llm => choice.query.has(Key::Kind, EventKind::LlmCall.word()),
            Self::Tools => choice.query.has(Key::Kind, EventKind::ToolCall.word()),
            Self::Errors => choice.query.has(Key::Status, CallOutcome::Failed.word()),
            Self::Loops => choice.query.has(Key::Loop, YES),
        }
    }

    fn press(self, pane: Pane) {
        match self {
            Self::Events => filtering::clear_filter(pane),
            Self::Llm => filtering::toggle_kind(pane, EventKind::LlmCall),
            Self::Tools => filtering::toggle_kind(pane, EventKind::ToolCall),
            Self::Errors => filtering::toggle_errors(pane),
            Self::Loops => filtering::toggle_loops(pane),
        }
    }
}

/// The counts of the run's rows, which filter the timeline.
#[component]
fn Chips(run: Memo<RunLine>, n_loops: Memo<usize>) -> impl IntoView {
    let pane = pane();
    let chips = memo(move || {
        let counted = |chip: &Chip| run.with(|run| chip.count(run, n_loops.get()));
        let is_given = run.with(|run| run.given.is_some());
        let chips = Chip::ALL.into_iter().map(|chip| (chip, counted(&chip)));
        // The counts of a run without events come from its summary, so there are no rows to show.
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
        // A count of 0 needs no warning colour.
        let tone = if n > 0 { chip.tone() } else { "" };
        markup! {
            <div class="fact" data-tone=tone data-chip=chip.word()>
                <dd>{number}</dd>
                <dt>{if n == 1 { one } else { many }}</dt>
            </div>
        }
    };
    live(move || {
        let (chips, is_given) = chips.get();
        chips.into_iter().map(|it| chip(it, is_given)).collect_view()
    })
}

/// First rows of the possible loops of a run, in order.
pub fn loop_rows(outline: &Outline, run: u32) -> Vec<u32> {
    let shown = outline.findings.iter().filter(|it| it.run == run && it.is_loud());
    let mut rows: Vec<u32> = shown.map(|it| it.mark).collect();
    sorting::sort(&mut rows);
    rows.dedup();
    rows
}
