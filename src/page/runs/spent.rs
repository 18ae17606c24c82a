//! Where the time of a run went, which is the first part of the statistics.

use crate::reactive::live;
use leptos::prelude::*;

use crate::app::pane::pane;
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::outline::Outline;
use traceloupe_view::time_categories::Taker;
use traceloupe_view::time_spent::{TimeShare, time_spent};
use traceloupe_view::waits::waited;
use traceloupe_words::page::statistics as text;
use traceloupe_words::{self as words, css_percent};

/// The look and label of something that time was spent on, given the other shares.
fn look_of(taker: Taker, shares: &[TimeShare]) -> (&'static str, &'static str) {
    use Taker::{Agents, Files, Models, Nothing, Others, Person, Shell, Tools, Web};
    let has_other_tools =
        shares.iter().any(|share| matches!(share.taker, Shell | Files | Web | Agents));
    match taker {
        Models => ("llm", text::BY_MODELS),
        Shell => ("shell", text::BY_SHELL),
        Files => ("read", text::BY_FILES_AND_SEARCH),
        Web => ("search", text::BY_MCP_AND_WEB),
        Agents => ("agent", text::BY_SUB_AGENTS),
        // Beside tools that run commands, other tools need a different colour.
        Tools if has_other_tools => ("edit", text::BY_OTHER_TOOLS),
        Tools => ("tool", text::BY_TOOLS),
        Others => ("state", text::BY_OTHERS),
        Person => ("user", text::BY_PERSON),
        Nothing => ("none", text::BY_NOTHING),
    }
}

/// Where the time of a run went, one line per share; empty if unknown.
pub fn spent_lines(outline: &Outline, run: &RunLine) -> String {
    let shares = shares_of(outline, run);
    let line = |share: &TimeShare| {
        format!("- {}: {}\n", look_of(share.taker, &shares).1, words::duration(share.ms))
    };
    shares.iter().map(line).collect()
}

fn shares_of(outline: &Outline, run: &RunLine) -> Vec<TimeShare> {
    let shares = if run.columns.durations { time_spent(outline, run) } else { Vec::new() };
    // Rounding can leave fractions of a millisecond.
    shares.into_iter().filter(|share| share.ms >= 1.0).collect()
}

/// Where the time of the run went.
#[component]
pub fn TimeSpent() -> impl IntoView {
    let pane = pane();
    live(move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let shares = shares_of(&outline, run);
        let all_ms: f64 = shares.iter().map(|share| share.ms).sum();
        let loop_ms: f64 = shares.iter().map(|share| share.loop_ms).sum();
        let idle_ms: f64 = run.idle_ms.iter().map(|(from, to)| to - from).sum();
        let waited = waited(&outline, run);
        let bars = shares.iter().map(|share| {
            let part = share.ms / all_ms;
            let percent = words::percent(part);
            let looped = (share.loop_ms > 0.0).then(
                || markup! { <u style:width=css_percent(share.loop_ms / share.ms * 100.0)></u> },
            );
            markup! {
                <i data-look=look_of(share.taker, &shares).0 style:width=css_percent(part * 100.0)>{looped}<b>{percent}</b></i>
            }
        });
        let bars = bars.collect_view();
        let line = |look: &'static str, label: &'static str, ms: f64| {
            markup! {
                <li data-look=look><span class="dot" aria-hidden="true"></span>{label}" "
                    <b>{words::duration(ms)}</b></li>
            }
        };
        let legend = shares.iter().map(|share| {
            let (look, label) = look_of(share.taker, &shares);
            line(look, label, share.ms)
        });
        let legend = legend.collect_view();
        let looped = (loop_ms > 0.0).then(|| line("hatch", text::IN_LOOPS, loop_ms));
        (all_ms > 0.0).then(|| {
            markup! {
                <section class="stats__card">
                    <div class="stats__head">
                        <h2>{text::TIME_SPENT}</h2>
                        <span class="stats__said">{text::active_time(all_ms, idle_ms, waited)}</span>
                    </div>
                    <div class="spent" aria-hidden="true">{bars}</div>
                    <ul class="spent__legend" title=text::ABOUT_TIME_SPENT>{legend}{looped}</ul>
                </section>
            }
        })
    })
}
