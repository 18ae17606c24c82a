//! How full the context of an agent was at each LLM call, and what filled it.

use crate::reactive::{Memo, RwSignal, Show, effect, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::pane;
use crate::runs::context_card::{Called, added_most, card, legend};
use crate::runs::switch::{Pressed, switch};
use crate::shared::Shared;
use traceloupe_core::number::fixed;
use traceloupe_protocol::context_parts::{ContextLayers, ContextParts};
use traceloupe_protocol::messages::Request;
use traceloupe_view::context_chart::{ContextChart, HEIGHT, WIDTH, agents_with_context};
use traceloupe_view::lane_names::lane_names;
use traceloupe_view::list::line_view::short_model;
use traceloupe_view::outline::Outline;
use traceloupe_words::css_percent;
use traceloupe_words::findings::from_to;
use traceloupe_words::page::context as text;

/// Takes the parts of the context of a call.
pub fn take_parts(trace: Trace, parts: ContextParts) {
    trace.statistics.context_parts.set(Some(Shared::new(parts)));
}

/// Takes the parts of the contexts of the calls of a chart.
pub fn take_layers(trace: Trace, layers: ContextLayers) {
    trace.statistics.context_layers.set(Shared::new(layers));
}

/// The agents of the run that have a chart, by number and name. Number 0 is the main agent.
fn agents(pane: Pane) -> Memo<Vec<(u8, String)>> {
    memo(move || {
        let outline = pane.around.get();
        let Some(run) = outline.runs.get(pane.run.get() as usize) else { return Vec::new() };
        let names = lane_names(run);
        let named = |lane: Option<u16>| {
            let name = lane.and_then(|lane| names.get(usize::from(lane)));
            let number = u8::try_from(lane.map_or(0, |lane| lane + 1)).unwrap_or(u8::MAX);
            (number, name.map_or_else(|| text::MAIN_AGENT.to_owned(), String::clone))
        };
        agents_with_context(&outline, run).into_iter().map(named).collect()
    })
}

/// The chart of how full an agent's context was at each LLM call, and what filled it at one call: the one under the
/// pointer, otherwise the chosen one, otherwise the fullest.
#[component]
pub fn ContextOverCalls() -> impl IntoView {
    let pane = pane();
    // The id of the chosen call. While a file is being read, the chart is drawn repeatedly, but the choice must stay.
    let chosen = RwSignal::new(None::<u32>);
    let agents = agents(pane);
    let pressed = Pressed::new(0);
    effect(move || {
        let first = agents.with(|all| {
            let has = all.iter().any(|it| it.0 == pressed.get());
            all.first().filter(|_| !has).map(|it| it.0)
        });
        if let Some(first) = first {
            pressed.set(first);
        }
    });
    let seg = move || {
        let agents = agents.get();
        let options: Vec<(u8, &str)> = agents.iter().map(|it| (it.0, it.1.as_str())).collect();
        (options.len() > 1).then(|| switch(pressed, text::WHOSE_CONTEXT, &options))
    };
    let said = RwSignal::new(String::new());
    let chart = move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let lane = pressed.get().checked_sub(1).map(u16::from);
        let chart = ContextChart::new(&outline, run, lane);
        let fullest = chart.fullest()?;
        said.set(text::fullest(fullest.number, fullest.tokens, window_of(&chart)));
        let fullest = chart.points.iter().position(|point| point.row == fullest.row)?;
        Some(chart_view(pane, &outline, chart, fullest, chosen))
    };
    markup! {
        <Show when=move || agents.with(|all| !all.is_empty())>
            <section class="stats__card">
                <div class="stats__head">
                    <h2>{text::CONTEXT_OVER_CALLS}</h2>
                    <span class="stats__said">{move || said.get()}</span>
                    {seg}
                </div>
                {chart}
            </section>
        </Show>
    }
}

/// The model's context window, in tokens.
#[expect(clippy::cast_precision_loss)] // tokens of a window
fn window_of(chart: &ContextChart) -> Option<f64> {
    chart.window.map(|window| window as f64)
}

/// The labels of the axes, the line of the context window, and the compactions.
fn labels(outline: &Outline, chart: &ContextChart) -> AnyView {
    let values = chart.labels().into_iter().map(|(share, words)| {
        markup! { <span style:bottom=css_percent(share * 100.0)>{words}</span> }
    });
    let window = window_of(chart).filter(|_| chart.shows_window()).map(|window| {
        let model = outline.name(outline.rows.names.get(chart.last_row));
        let words = text::window_of(short_model(model), window);
        markup! { <b style:bottom=css_percent(window / chart.top * 100.0)>{words}</b> }
    });
    let compactions = chart.compactions.iter().zip(chart.sides()).map(|(it, side)| {
        let words = from_to([it.from, it.to]);
        let title = format!("{}{words}", text::COMPACTED);
        let height = if it.from.is_nan() { 0.0 } else { it.from.min(chart.top) };
        markup! {
            <i class="context__fall" data-side=side title=title
                style:left=css_percent(chart.place(it.at) * 100.0)
                style:height=css_percent(height / chart.top * 100.0)>
                {side.map(|_| markup! { <span><em>{text::COMPACTED}</em>{words}</span> })}
            </i>
        }
    });
    markup! {
        <div class="context__labels" aria-hidden="true">{values.collect_view()}{window}</div>
        <div class="context__falls">{compactions.collect_view()}</div>
    }
    .into_any()
}

fn chart_view(
    pane: Pane,
    outline: &Shared<Outline>,
    chart: ContextChart,
    fullest: usize,
    chosen: RwSignal<Option<u32>>,
) -> AnyView {
    let ids: Vec<u32> = chart.points.iter().map(|point| outline.rows.ids.get(point.row)).collect();
    pane.trace.send(&Request::ContextLayers(ids.clone()));
    let labels = labels(outline, &chart);
    let chart = Shared::new(chart);
    let ids = Shared::new(ids);
    let hovered = RwSignal::new(None::<u32>);
    let picked = {
        let ids = ids.clone();
        memo(move || {
            let chosen = chosen.get();
            ids.iter().position(|id| Some(*id) == chosen).unwrap_or(fullest)
        })
    };
    let at = memo(move || hovered.get().map_or_else(|| picked.get(), |at| at as usize));
    let called = {
        let (chart, outline) = (chart.clone(), outline.clone());
        move |at: usize| Called::new(&outline, &chart, at)
    };
    Effect::new({
        let ids = ids.clone();
        move |_| ids.get(picked.get()).map(|id| pane.trace.send(&Request::ContextParts(*id)))
    });
    let under = {
        let chart = chart.clone();
        move |event: &web_sys::MouseEvent| chart.point_at(share_of(event))
    };
    let pick = {
        let (ids, under) = (ids.clone(), under.clone());
        move |event: web_sys::MouseEvent| chosen.set(ids.get(under(&event)).copied())
    };
    let slide = {
        let ids = ids.clone();
        move |event| {
            let at: usize = event_target_value(&event).parse().unwrap_or(0);
            chosen.set(ids.get(at).copied());
        }
    };
    let layers = pane.trace.statistics.context_layers;
    let surfaces = {
        let (chart, ids) = (chart.clone(), ids.clone());
        move || layers.with(|layers| chart.surfaces(&ids, layers))
    };
    let drawn = surfaces.clone();
    let whole = chart.surface(&|at| chart.points.get(at).map_or(0.0, |point| point.tokens));
    let surface = |(layer, path): &(usize, String)| {
        markup! { <path data-layer=layer.to_string() d=path.clone()></path> }
    };
    let shown_card = {
        let (called, chart) = (called.clone(), chart.clone());
        move || {
            let is_asked = hovered.get().is_some() || chosen.get().is_some();
            let at = at.get();
            let called = called(at).filter(|_| is_asked)?;
            Some(card(&called, chart.place(at), layers))
        }
    };
    let told = {
        let called = called.clone();
        move || called(at.get()).map(|it| it.said())
    };
    let jump = {
        let called = called.clone();
        move |event: leptos::ev::KeyboardEvent| {
            if event.key() == "Enter"
                && let Some(called) = called(at.get_untracked())
            {
                event.prevent_default();
                event.stop_propagation();
                pane::actions::jump(pane, called.point.row);
            }
        }
    };
    let call = |number| markup! { <span>{text::call_number(number)}</span> };
    let calls = chart.calls().into_iter().map(call).collect_view();
    let n_last = ids.len().saturating_sub(1);
    let line = move || css_percent(chart.place(at.get()) * 100.0);
    markup! {
        <div class="context__pair">
            <div class="context__box">
                {labels}
                <svg class="context" viewBox=format!("0 0 {} {}", fixed(WIDTH, 0), fixed(HEIGHT, 0)) preserveAspectRatio="none" aria-hidden="true"
                    on:click=pick
                    on:pointermove=move |event| hovered.set(u32::try_from(under(&event)).ok())
                    on:pointerleave=move |_| hovered.set(None)>
                    <path d=whole></path>
                    {move || drawn().iter().map(surface).collect_view()}
                </svg>
                <div class="context__calls" aria-hidden="true">{calls}</div>
                <div class="context__over"><i class="context__at" style:left=line></i>{shown_card}</div>
                <input class="context__pick" type="range" min="0" max=n_last
                    aria-label=text::CALL_TO_LOOK_AT aria-valuetext=told
                    prop:value=move || picked.get().to_string() on:input=slide on:keydown=jump/>
            </div>
            {move || called(picked.get()).map(|called| added_most(pane, &called))}
            {move || legend(&surfaces())}
        </div>
    }
    .into_any()
}

/// The position of the pointer in the chart, as a share of its width.
fn share_of(event: &web_sys::MouseEvent) -> f64 {
    let chart: web_sys::Element = event_target(event);
    let chart = chart.closest("svg").ok().flatten().unwrap_or(chart);
    let bounds = chart.get_bounding_client_rect();
    (f64::from(event.client_x()) - bounds.left()) / bounds.width().max(1.0)
}
