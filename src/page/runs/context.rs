//! How full the context of a run was at each LLM call, and what filled it.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::pane;
use crate::runs::shares::shares;
use crate::runs::steps::step_list;
use crate::shared::Shared;
use traceloupe::model::EventKind;
use traceloupe::view::page::context_chart::{ContextChart, Point};
use traceloupe::view::page::look::look;
use traceloupe::view::wire::context_parts::{ContextParts, ContextSource};
use traceloupe::view::wire::protocol::Request;
use traceloupe::view::words;

/// Height of the chart, in the units of its drawing.
const HEIGHT: f64 = 60.0;

/// Smaller sources are one.
const MAX_SOURCES: usize = 9;

/// Takes what filled the context of a call.
pub fn take_parts(trace: Trace, parts: ContextParts) {
    trace.statistics.context_parts.set(Some(Shared::new(parts)));
}

/// How full the context was at each LLM call, and what filled it at one of them: the fullest, unless another one
/// is chosen.
#[component]
pub fn ContextOverCalls() -> impl IntoView {
    let pane = pane();
    // The id of the chosen call. While a file is read the chart is drawn anew, but the choice stays.
    let chosen = RwSignal::new(None::<u32>);
    move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let chart = ContextChart::new(&outline, run);
        let fullest = chart.fullest()?;
        let mut sentence =
            text::fullest(fullest.number, &words::tokens(fullest.tokens), chart.window);
        if chart.points.iter().any(|point| point.cached > 0.0) {
            sentence.push_str(text::CACHED_IS_SOLID);
        }
        if !chart.compactions.is_empty() {
            sentence.push_str(text::COMPACTIONS_ARE_LINES);
        }
        let window = chart.shows_window().then(|| {
            #[expect(clippy::cast_precision_loss)] // tokens of a window
            let y = HEIGHT - chart.window.unwrap_or(0) as f64 / chart.top * HEIGHT;
            markup! { <path class="context__window" d=format!("M0 {y:.1}H{}", chart.points.len())></path> }
        });
        let place = |share: f64| format!("{:.1}%", share * 100.0);
        let labels = chart.labels().into_iter().map(|(share, words)| {
            markup! { <span style:bottom=place(share)>{words}</span> }
        });
        let labels = labels.collect_view();
        let window_label = chart.window.filter(|_| chart.shows_window()).map(|window| {
            #[expect(clippy::cast_precision_loss)] // tokens of a window
            let window = window as f64;
            let words = text::window_of(&words::tokens(window));
            markup! { <b style:bottom=place(window / chart.top)>{words}</b> }
        });
        let calls = chart
            .calls()
            .into_iter()
            .map(|number| markup! { <span>{text::call_number(number)}</span> });
        let calls = calls.collect_view();
        let compactions: String =
            chart.compactions.iter().map(|at| format!("M{at} 0V{HEIGHT}")).collect();
        let view_box = format!("0 0 {} {HEIGHT}", chart.points.len());
        let points = Shared::new(chart.points.clone());
        let ids: Vec<u32> = points.iter().map(|point| outline.rows.ids.get(point.row)).collect();
        let n_points = points.len();
        let at = {
            let ids = ids.clone();
            let fullest = chart.points.iter().position(|point| point.row == fullest.row);
            Memo::new(move |_| {
                let chosen = chosen.get();
                let place = ids.iter().position(|id| Some(*id) == chosen);
                place.or(fullest).unwrap_or(0)
            })
        };
        let point = Memo::new(move |_| points.get(at.get()).copied());
        Effect::new(move |_| {
            let Some(point) = point.get() else { return };
            let id = pane.around.with_untracked(|outline| outline.rows.ids.get(point.row));
            pane.trace.send(&Request::ContextParts(id));
        });
        let choose = move |at: usize| chosen.set(ids.get(at).copied());
        let pick = {
            let choose = choose.clone();
            move |event: web_sys::MouseEvent| choose(point_at(n_points, &event))
        };
        let slide = move |event| choose(event_target_value(&event).parse().unwrap_or(0));
        let called = move || point.get().map(|point| text::call_number(point.number));
        Some(markup! {
            <section class="stats__card">
            <h2>{text::CONTEXT_OVER_CALLS}</h2>
            <div class="context__box">
            <div class="context__labels" aria-hidden="true">{labels}{window_label}</div>
            <svg class="context" viewBox=view_box preserveAspectRatio="none" aria-hidden="true"
                on:click=pick>
                <path class="context__all" d=area(&chart, |point| point.tokens)></path>
                <path class="context__cached" d=area(&chart, |point| point.cached)></path>
                <path class="context__compactions" d=compactions></path>
                {window}
                <path class="context__at" d=move || format!("M{}.5 0V{HEIGHT}", at.get())></path>
            </svg>
            <div class="context__calls" aria-hidden="true">{calls}</div>
            <input class="context__pick" type="range" min="0" max=n_points - 1
                aria-label=text::CALL_TO_LOOK_AT aria-valuetext=called
                prop:value=move || at.get().to_string() on:input=slide/>
            </div>
            <p>{sentence}</p>
            {move || point.get().map(|point| filled(pane, point))}
            </section>
        })
    }
}

/// What filled the context at a call.
fn filled(pane: Pane, point: Point) -> impl IntoView {
    let id = pane.around.with_untracked(|outline| outline.rows.ids.get(point.row));
    let call = markup! {
        <button class="quiet" on:click=move |_| pane::actions::jump(pane, point.row)>{text::call_number(point.number)}</button>
    };
    // While the answer is awaited, that for the call before stands there.
    let of_call = move || {
        let parts =
            pane.trace.statistics.context_parts.get().filter(|parts| !parts.parts.is_empty())?;
        let is_current = parts.call == id;
        Some(
            markup! { <div data-waiting=(!is_current).then_some("true")>{parts_view(pane, &parts)}</div> },
        )
    };
    markup! {
        <p>{text::FILLED_AT}{call}" "<b>{words::tokens(point.tokens)}</b>{text::TOKENS_OF_INPUT}</p>
        {of_call}
    }
}

fn parts_view(pane: Pane, parts: &ContextParts) -> impl IntoView + use<> {
    #[expect(clippy::cast_precision_loss)] // tokens
    let all = parts.tokens.max(1) as f64;
    let (named, rest) = parts.parts.split_at(MAX_SOURCES.min(parts.parts.len()));
    let rest: f64 = rest.iter().map(|part| part.1).sum();
    let part = |(look, label): (&'static str, String), tokens: f64| {
        (look, label, text::about_tokens(tokens), tokens / all)
    };
    let named = named.iter().map(|(source, tokens)| part(source_look(source), *tokens));
    let others = (rest > 0.0).then(|| part(("none", text::OTHER_SOURCES.to_owned()), rest));
    let bars = shares(named.chain(others).collect());
    let largest = parts.largest.iter().filter_map(|(id, words, tokens)| {
        let row = pane.around.with_untracked(|outline| outline.row_of(*id))?;
        Some((row, words.clone(), text::about_tokens(*tokens)))
    });
    let largest = (!parts.largest.is_empty()).then(|| {
        markup! { <p>{text::LARGEST_PARTS}</p>{step_list(pane, largest.collect())} }
    });
    markup! {
        {bars}
        {largest}
        <p class="context__how">{text::HOW_PARTS_ARE_ESTIMATED}</p>
    }
}

/// The colour and the name of a source.
fn source_look(source: &ContextSource) -> (&'static str, String) {
    match source {
        ContextSource::Instructions => ("state", text::INSTRUCTIONS.to_owned()),
        ContextSource::Person => ("user", text::FROM_PERSON.to_owned()),
        ContextSource::Model => ("llm", text::FROM_MODEL.to_owned()),
        ContextSource::Tool(name) => (look(EventKind::ToolCall, name).1, name.clone()),
        ContextSource::Compaction => ("loop", text::FROM_COMPACTION.to_owned()),
        ContextSource::Unseen => ("none", text::UNSEEN.to_owned()),
    }
}

/// A bar for each point.
fn area(chart: &ContextChart, of: impl Fn(&Point) -> f64) -> String {
    let bar = |(at, point): (usize, &Point)| {
        let height = of(point) / chart.top * HEIGHT;
        format!("M{at} {HEIGHT}v-{height:.1}h1v{height:.1}z")
    };
    chart.points.iter().enumerate().map(bar).collect()
}

/// The point of the chart under the pointer.
fn point_at(n_points: usize, event: &web_sys::MouseEvent) -> usize {
    let chart: web_sys::Element = event_target(event);
    let chart = chart.closest("svg").ok().flatten().unwrap_or(chart);
    let bounds = chart.get_bounding_client_rect();
    let at = (f64::from(event.client_x()) - bounds.left()) / bounds.width().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let at = (at.clamp(0.0, 0.999) * n_points as f64) as usize;
    at
}
