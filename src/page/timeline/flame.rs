//! The flame graph above the rows of a waterfall. It shows the same rows with the same selection. Keyboard and screen
//! reader users use the list.

use std::rc::Rc;

use crate::reactive::{RwSignal, effect};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::pane::Pane;
use crate::browser;
use crate::pane::actions::go_to;
use crate::timeline::scrolling::watch_size;
use crate::timeline::waterfall::axis_ticks;
use traceloupe_core::model::EventKind;
use traceloupe_core::number::fixed;
use traceloupe_view::flame::Drawn;
use traceloupe_view::list::line_view::row_name;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::look::look;
use traceloupe_view::outline::Outline;
use traceloupe_view::run_axis::Zoom;
use traceloupe_view::waterfall::Waterfall;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// The id of the graph.
pub const ID: &str = "flame";

/// Storage key of whether the graph is shown.
const STORED: &str = "flame";

/// Height of a level and of the axis in pixels, as in the style sheet.
const LEVEL: u32 = 20;
const LEVEL_PX: f64 = LEVEL as f64;
const AXIS_PX: f64 = 22.0;

/// The most levels in view.
const MAX_LEVELS: u32 = 60;

/// The minimum width for showing a name, in pixels.
const MIN_NAME_PX: f64 = 40.0;

/// The margin beside a bar after zooming to it, as a share of its length.
const BESIDE: f64 = 0.02;

/// Shows or hides the graph, and remembers that.
pub fn show(pane: Pane, is_shown: bool) {
    pane.flame.is_shown.set(is_shown);
    browser::store(STORED, if is_shown { "1" } else { "" });
}

/// Zooms to the bar of a row, or shows everything again.
pub fn toggle_zoom(pane: Pane, row: u32) {
    let is_whole = pane.flame.zoom.with_untracked(|zoom| zoom.is_whole());
    pane.flame.zoom.set(if is_whole { part_of(pane, row) } else { Zoom::default() });
}

/// The part of the axis with the bar of a row.
fn part_of(pane: Pane, row: u32) -> Zoom {
    let outline = pane.around.get_untracked();
    let bar = pane.waterfall.get_untracked().and_then(|it| it.bar(&outline, row));
    bar.map_or_else(Zoom::default, |(from, len)| {
        Zoom::default().part(from - len * BESIDE, from + len * (1.0 + BESIDE))
    })
}

/// The visible part of the axis: the chosen one, or the range of the agent if only its rows are shown.
fn shown(pane: Pane) -> Zoom {
    match (pane.flame.zoom.get(), pane.within.get()) {
        (zoom, Some(row)) if zoom.is_whole() => part_of(pane, row),
        (zoom, _) => zoom,
    }
}

/// The button that shows the graph.
pub fn flame_switch(pane: Pane) -> AnyView {
    if browser::stored(STORED).as_deref() == Some("1") {
        pane.flame.is_shown.set(true);
    }
    markup! {
        <button class="axis__switch" title=text::FLAME_TITLE
            aria-pressed=move || pane.flame.is_shown.get().to_string()
            on:click=move |_| show(pane, !pane.flame.is_shown.get_untracked())>{text::FLAME}</button>
    }
    .into_any()
}

/// The graph.
pub fn flame_graph(pane: Pane) -> AnyView {
    let zoom = pane.flame.zoom;
    let area = NodeRef::<Div>::new();
    // Width and scroll position, in pixels.
    let view = RwSignal::new((1_000, 0));
    let measure = move || {
        if let Some(area) = area.get_untracked() {
            let px = |px: i32| u32::try_from(px).unwrap_or(0);
            view.set((px(area.client_width()), px(area.scroll_top())));
        }
    };
    watch_size(area, Rc::new(measure));
    // Bring the selected row into view.
    effect(move || {
        let Some(row) = pane.selected.get().and_then(Line::row) else { return };
        let level = pane.waterfall.get().and_then(|it| it.flame.level(row));
        let (Some(level), Some(area)) = (level, area.get()) else { return };
        let (wanted_px, from_px) = (f64::from(level) * LEVEL_PX, f64::from(area.scroll_top()));
        let room_px = f64::from(area.client_height()) - AXIS_PX - LEVEL_PX;
        #[expect(clippy::cast_possible_truncation)] // pixels of an element
        if wanted_px < from_px || wanted_px > from_px + room_px {
            area.set_scroll_top((wanted_px - room_px / 2.0) as i32);
        }
        if place(pane, zoom.get_untracked(), row).is_none() {
            zoom.set(Zoom::default());
        }
    });
    let drawn = move || {
        let waterfall = pane.waterfall.get().unwrap_or_default();
        let (width_px, top_px) = view.get();
        let first = top_px / LEVEL;
        let drawn = waterfall.flame.drawn(first..first + MAX_LEVELS, shown(pane), width_px.into());
        (waterfall, f64::from(width_px), drawn)
    };
    let bars = move || {
        let (outline, zoom) = (pane.around.get(), shown(pane));
        let (waterfall, width_px, drawn) = drawn();
        let selected = pane.selected.get().and_then(Line::row);
        let bar = |it| bar(&outline, &waterfall, it, selected, zoom, width_px);
        drawn.iter().map(bar).collect::<Vec<AnyView>>()
    };
    let ticks = move || {
        let (outline, waterfall) = (pane.around.get(), pane.waterfall.get().unwrap_or_default());
        let run = outline.runs.get(pane.run.get() as usize);
        let ticks = run.map(|run| waterfall.ticks_in(run, shown(pane))).unwrap_or_default();
        axis_ticks(ticks)
    };
    let clicked = move |event: &web_sys::Event| {
        let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
        target.closest("[data-row]").ok()??.get_attribute("data-row")?.parse::<u32>().ok()
    };
    let double = move |event: leptos::ev::MouseEvent| {
        let Some(row) = clicked(&event) else { return };
        match untrack(drawn).2.into_iter().find(|it| it.row == row && it.n > 1) {
            Some(bars) => zoom.set(untrack(|| shown(pane)).part(bars.from, bars.to)),
            None => zoom.set(part_of(pane, row)),
        }
    };
    let height = move || {
        let n_levels = pane.waterfall.get().map_or(0, |it| it.flame.n_levels());
        words::css_px(f64::from(n_levels) * LEVEL_PX + AXIS_PX)
    };
    markup! {
        <section class="flame" aria-label=text::FLAME>
            <div class="flame__area" id=ID tabindex="0" role="group" aria-label=text::FLAME title=text::FLAME_HELP
                node_ref=area on:scroll=move |_| measure() on:dblclick=double
                on:click=move |event| {
                    if let Some(row) = clicked(&event) {
                        go_to(pane, row);
                    }
                }>
                <div class="flame__axis" aria-hidden="true">{ticks}</div>
                <div class="flame__size" aria-hidden="true" style:height=height>{bars}</div>
            </div>
            <button class="flame__whole" hidden=move || zoom.get().is_whole()
                on:click=move |_| zoom.set(Zoom::default())>{text::WHOLE_RUN}</button>
        </section>
    }
    .into_any()
}

/// The position of a row's bar in the visible range.
fn place(pane: Pane, zoom: Zoom, row: u32) -> Option<(f64, f64)> {
    let outline = pane.trace.outline.get_untracked();
    let (from, len) = pane.waterfall.get_untracked()?.bar(&outline, row)?;
    zoom.stretch((from, from + len))
}

fn percent(share: f64) -> String {
    format!("{}%", fixed(share * 100.0, 3))
}

/// A bar with its name, if there is room, and its parts on the critical path.
fn bar(
    outline: &Outline,
    waterfall: &Waterfall,
    it: &Drawn,
    selected: Option<u32>,
    zoom: Zoom,
    width_px: f64,
) -> AnyView {
    let rows = &outline.rows;
    let kind = EventKind::from_code(rows.kinds.get(it.row));
    let (_, colour) = look(kind, outline.name(rows.names.get(it.row)));
    let is_one = it.n == 1;
    let failed = kind == EventKind::Error || rows.outcome(it.row).is_error();
    let colour = if failed && is_one { "error" } else { colour };
    let name = row_name(outline, it.row);
    let took = words::duration(rows.durations_ms.get(it.row));
    let title = match it.n {
        1 => text::bar(&name, &took, &words::duration(waterfall.own_ms(it.row))),
        n => text::bars(n),
    };
    let has_room = is_one && (it.to - it.from) * width_px >= MIN_NAME_PX;
    let min = 1.0 / width_px.max(1.0);
    let critical = if is_one { waterfall.critical(it.row, zoom, min) } else { Vec::new() };
    let mut views = Vec::new();
    for (from, len) in critical.into_iter().filter(|(_, len)| *len > min) {
        let (left, width) = (percent(from), percent(len));
        views.push(markup! { <b style:left=left style:width=width></b> }.into_any());
    }
    let (left, width) = (percent(it.from), percent(it.to - it.from));
    markup! {
        <div class="flame__level" style:top=words::css_px(f64::from(it.level) * LEVEL_PX)>
            <span class="flame__bar" data-row=it.row.to_string() data-look=colour title=title
                data-selected=(selected == Some(it.row)).to_string() style:left=left style:width=width>
                {if has_room { name } else { String::new() }}
            </span>
            {views}
        </div>
    }
    .into_any()
}
