//! Details of an LLM call in the context chart: its number, how full the context was, and what filled it.

use crate::reactive::{RwSignal, live};
use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::pane;
use crate::runs::steps::step_list;
use crate::shared::Shared;
use traceloupe_protocol::context_parts::{ContextLayers, ContextParts, ContextSource};
use traceloupe_view::context_chart::{ContextChart, Point};
use traceloupe_view::outline::Outline;
use traceloupe_words::page::context as text;
use traceloupe_words::{self as words, css_percent};

/// How many steps are listed beside the chart.
const MAX_STEPS: usize = 6;

/// How many tools are named.
const MAX_TOOLS: usize = 4;

/// A call of the chart.
#[derive(Clone, Copy)]
pub struct Called {
    /// Its point.
    pub point: Point,
    /// Its event.
    id: u32,
    /// The number of that event in its run, from 1.
    number: u32,
    window: Option<u64>,
}

impl Called {
    /// The call at a point of a chart.
    pub fn new(outline: &Outline, chart: &ContextChart, at: usize) -> Option<Self> {
        let point = *chart.points.get(at)?;
        let (_, run) = outline.run_of(point.row)?;
        Some(Self {
            point,
            id: outline.rows.ids.get(point.row),
            number: point.row - run.first_row + 1,
            window: chart.window,
        })
    }

    fn name(&self) -> String {
        text::call_at(self.point.number, self.number)
    }

    #[expect(clippy::cast_precision_loss)] // tokens of a window
    fn held(&self) -> String {
        text::held(self.point.tokens, self.window.map(|it| it as f64), self.point.cached)
    }

    /// The call in words.
    pub fn said(&self) -> String {
        format!("{}: {}", self.name(), self.held())
    }
}

/// The name of a kind of source, in its colour.
fn named(layer: usize) -> impl IntoView {
    let name = text::LAYERS.get(layer).copied();
    markup! { <span class="dot" aria-hidden="true" data-layer=layer.to_string()></span>{name} }
}

/// The parts of the context at a call, shown over the chart at a share of its width.
pub fn card(called: &Called, place: f64, layers: RwSignal<Shared<ContextLayers>>) -> AnyView {
    let tokens = layers.with(|layers| layers.of(called.id).to_vec());
    let parts = tokens.into_iter().enumerate().rev().filter(|part| part.1 >= 0.5);
    let part = |(layer, tokens): (usize, f64)| {
        markup! { <li>{named(layer)}<b>{text::about_tokens(tokens)}</b></li> }
    };
    let side = if place > 0.5 { "left" } else { "right" };
    markup! {
        <div class="context__card" data-side=side style:left=css_percent(place * 100.0)>
            <b>{called.name()}</b>
            <span>{called.held()}</span>
            <ul role="list">{parts.map(part).collect_view()}</ul>
        </div>
    }
    .into_any()
}

/// The kinds of sources in a chart, and how their parts are estimated.
pub fn legend(surfaces: &[(usize, String)]) -> AnyView {
    let kind = |it: &(usize, String)| markup! { <li>{named(it.0)}</li> };
    markup! {
        <div class="context__legend">
            <ul class="spent__legend">{surfaces.iter().map(kind).collect_view()}</ul>
            <details><summary>{text::HOW_IS_IT_SPLIT}</summary><p>{text::HOW_PARTS_ARE_ESTIMATED}</p></details>
        </div>
    }
    .into_any()
}

/// The steps that had added most up to a call, and the tools whose output had.
pub fn added_most(pane: Pane, called: &Called) -> AnyView {
    let Called { point, id, .. } = *called;
    let name = called.name();
    // While the response is pending, the content for the previous call stays.
    let of_call = live(move || {
        let parts =
            pane.trace.statistics.context_parts.get().filter(|parts| !parts.parts.is_empty())?;
        let is_current = parts.call == id;
        Some(
            markup! { <div data-waiting=(!is_current).then_some("true")>{parts_view(pane, &parts)}</div> },
        )
    });
    markup! {
        <div class="context__most">
            <p>{text::ADDED_MOST}
                <button class="quiet" on:click=move |_| pane::actions::jump(pane, point.row)>{name}</button></p>
            {of_call}
        </div>
    }
    .into_any()
}

fn parts_view(pane: Pane, parts: &ContextParts) -> AnyView {
    let largest = parts.largest.iter().take(MAX_STEPS).filter_map(|(id, words, tokens)| {
        let row = pane.around.with_untracked(|outline| outline.row_of(*id))?;
        Some((row, words.clone(), text::about_tokens(*tokens)))
    });
    let tools = parts.parts.iter().filter_map(|(source, tokens)| match source {
        ContextSource::Tool(name) => {
            Some(format!("{} {}", words::tool_name(name), text::about_tokens(*tokens)))
        }
        _ => None,
    });
    let tools: Vec<String> = tools.take(MAX_TOOLS).collect();
    markup! {
        {step_list(pane, largest.collect())}
        <p class="context__tools">{tools.join(" · ")}</p>
    }
    .into_any()
}
