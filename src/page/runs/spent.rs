//! Where the time of a run went, and how full its context was: what the statistics begin with.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::pane;
use traceloupe::view::page::context_chart::{ContextChart, Point};
use traceloupe::view::page::waterfall::Waterfall;
use traceloupe::view::words;

/// Height of the chart, in the units of its drawing.
const HEIGHT: f64 = 60.0;

/// Where the time of the run went.
#[component]
pub fn TimeSpent() -> impl IntoView {
    let pane = pane();
    move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let spent = Waterfall::new(&outline, run).spent_ms(&outline, run);
        let all_ms: f64 = spent.iter().sum();
        if !(all_ms > 0.0 && run.columns.durations) {
            return None;
        }
        let parts = [
            ("llm", text::BY_MODELS),
            ("tool", text::BY_TOOLS),
            ("state", text::BY_OTHERS),
            ("none", text::BY_NOTHING),
        ];
        let parts: Vec<_> = parts.into_iter().zip(spent).filter(|(_, ms)| *ms > 0.0).collect();
        let bars = parts.iter().map(|((look, _), ms)| {
            let width = format!("{:.2}%", ms / all_ms * 100.0);
            markup! { <i data-look=*look style:width=width></i> }
        });
        let bars = bars.collect_view();
        let legend = parts.iter().map(|((look, label), ms)| {
            let share = format!("{:.0} %", ms / all_ms * 100.0);
            markup! {
                <li data-look=*look><span class="dot" aria-hidden="true"></span>{*label}" "
                    <b>{words::duration(*ms)}</b>" "<small>{share}</small></li>
            }
        });
        Some(markup! {
            <h3>{text::TIME_SPENT}</h3>
            <div class="spent" aria-hidden="true">{bars}</div>
            <ul class="spent__legend">{legend.collect_view()}</ul>
        })
    }
}

/// How full the context was at each LLM call. A click shows the call.
#[component]
pub fn ContextOverCalls() -> impl IntoView {
    let pane = pane();
    move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let chart = ContextChart::new(&outline, run);
        let fullest = chart.fullest()?;
        let mut sentence =
            text::fullest(fullest.number, &words::tokens(fullest.tokens), chart.window);
        if chart.points.iter().any(|point| point.cached > 0.0) {
            sentence.push_str(text::CACHED_IS_DARK);
        }
        if !chart.compactions.is_empty() {
            sentence.push_str(text::COMPACTIONS_ARE_LINES);
        }
        let window = chart.shows_window().then(|| {
            #[expect(clippy::cast_precision_loss)] // tokens of a window
            let y = HEIGHT - chart.window.unwrap_or(0) as f64 / chart.top * HEIGHT;
            markup! { <path class="context__window" d=format!("M0 {y:.1}H{}", chart.points.len())></path> }
        });
        let compactions: String =
            chart.compactions.iter().map(|at| format!("M{at} 0V{HEIGHT}")).collect();
        let view_box = format!("0 0 {} {HEIGHT}", chart.points.len());
        let points = chart.points.clone();
        Some(markup! {
            <h3>{text::CONTEXT_OVER_CALLS}</h3>
            <svg class="context" viewBox=view_box preserveAspectRatio="none" aria-hidden="true"
                on:click=move |event| show_call(pane, &points, &event)>
                <path class="context__all" d=area(&chart, |point| point.tokens)></path>
                <path class="context__cached" d=area(&chart, |point| point.cached)></path>
                <path class="context__compactions" d=compactions></path>
                {window}
            </svg>
            <p>{sentence}</p>
        })
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

fn show_call(pane: Pane, points: &[Point], event: &web_sys::MouseEvent) {
    let chart: web_sys::Element = event_target(event);
    let chart = chart.closest("svg").ok().flatten().unwrap_or(chart);
    let bounds = chart.get_bounding_client_rect();
    let at = (f64::from(event.client_x()) - bounds.left()) / bounds.width().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let at = (at.clamp(0.0, 0.999) * points.len() as f64) as usize;
    if let Some(point) = points.get(at) {
        pane.page.dialog.set(None);
        pane::actions::jump(pane, point.row);
    }
}
