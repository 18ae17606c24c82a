//! The overview above the rows: a lane for each agent, marks, and the window of visible rows. A click shows the rows at
//! that place, and so does a drag along the axis. A drag over the lanes zooms into that part.

use crate::glyph::glyph;
use crate::reactive::{Memo, RwSignal, Show, effect, memo};
use leptos::attr::custom::custom_attribute;
use leptos::html::Div;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::pane;
use crate::shared::Shared;
use traceloupe_core::model::CostSum;
use traceloupe_core::number::{fixed, within};
use traceloupe_protocol::outline::RunLine;
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::list::form::ListForm;
use traceloupe_view::overview::{Axis, N_BUCKETS, Overview, OverviewLane, Zoom, is_timed};
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// Runs with fewer rows fit into a window, so that an overview adds nothing.
const FROM_ROWS: u32 = 12;

/// While a file is being read, the overview of longer runs is not updated.
const DRAWN_WHILE_READING: u32 = 20_000;

/// Storage key of whether the overview is small.
const STORED: &str = "overview";

/// How many rows can be taken in at a glance.
const MAX_PLAIN_ROWS: u32 = 60;

/// Height of a lane, in the units of its drawing.
const LANE: u32 = 12;

/// The share of the axis that an arrow key moves by.
const STEP: f64 = 0.02;

/// The least width of the axis in a wide window, and in others that label it.
const WIDE_PX: f64 = 900.0;
const NARROW_PX: f64 = 560.0;

/// A drag over fewer pixels is a click.
const MIN_DRAG_PX: f64 = 6.0;

/// The overview of the run, if it is long enough for one.
#[component]
pub fn OverviewBar() -> impl IntoView {
    let pane = pane();
    let is_offered = memo(move || {
        let run = pane.run.get();
        !pane.page.is_embedded()
            && pane.around.with(|outline| {
                outline.runs.get(run as usize).is_some_and(|run| run.n_rows >= FROM_ROWS)
            })
    });
    markup! { <Show when=move || is_offered.get()><Bar/></Show> }
}

/// The axes that a run supports.
fn axes(run: &RunLine) -> Vec<(Axis, &'static str)> {
    let time = is_timed(run).then_some((Axis::Time, text::TIME));
    let tokens = run.columns.tokens.then_some((Axis::Tokens, text::TOKENS));
    time.into_iter().chain(tokens).chain([(Axis::Steps, text::STEPS)]).collect()
}

#[component]
fn Bar() -> impl IntoView {
    let pane = pane();
    let axis = RwSignal::new(Axis::Time);
    let zoom = RwSignal::new(Zoom::default());
    let is_small = RwSignal::new(browser::stored(STORED).as_deref() == Some("small"));
    let run = pane.run_line(pane.around);
    let axes =
        memo(move || run.with(|run| axes(run).into_iter().map(|it| it.0).collect::<Vec<_>>()));
    let shown_axis = memo(move || {
        let chosen = axis.get();
        axes.with(|axes| {
            axes.iter().copied().find(|it| *it == chosen).or_else(|| axes.first().copied())
        })
        .unwrap_or(Axis::Steps)
    });
    // A place on one axis has no meaning on another.
    effect(move || {
        pane.run.track();
        shown_axis.track();
        if !zoom.get_untracked().is_whole() {
            zoom.set(Zoom::default());
        }
    });
    let overview = Memo::new(move |before: Option<&Shared<Overview>>| {
        let outline = pane.around.get();
        let zoom = zoom.get();
        run.with(|run| match before {
            // While a long run is being read, each piece would cause another pass over all rows.
            Some(before) if !outline.complete && run.n_rows > DRAWN_WHILE_READING => before.clone(),
            _ => Shared::new(Overview::new(&outline, run, shown_axis.get(), zoom)),
        })
    });
    let resize = move |_| {
        is_small.update(|it| *it = !*it);
        browser::store(STORED, if is_small.get_untracked() { "small" } else { "large" });
    };
    let button = move |(axis_of, words): (Axis, &'static str)| {
        markup! {
            <button aria-pressed=move || (shown_axis.get() == axis_of).to_string()
                on:click=move |_| axis.set(axis_of)>{words}</button>
        }
    };
    let n_lanes = move || overview.with(|it| it.lanes.len());
    // A short waterfall of a single agent serves as its own overview.
    let is_plain = memo(move || {
        pane.form.get() == ListForm::Waterfall
            && n_lanes() < 2
            && run.with(|run| run.n_rows <= MAX_PLAIN_ROWS)
    });
    markup! {
        <section class="overview" aria-label=text::OVERVIEW hidden=move || is_plain.get() data-small=move || is_small.get().to_string()
            data-many=move || (n_lanes() > 6).to_string()>
            <div class="overview__names">
                {move || {
                    let sums = pane.around.with(|outline| run.with(|run| {
                        pane.trace.costs.with(|costs| costs.of_lanes(outline, run))
                    }));
                    overview.with(|it| {
                        let names = it.lanes.iter().enumerate();
                        names.map(|(at, lane)| lane_name(lane, at == 0, sums.get(at))).collect_view()
                    })
                }}
                <div class="overview__axes">
                    <div class="seg" role="group" aria-label=text::AXIS>
                        {move || run.with(|run| super::overview::axes(run).into_iter().map(button).collect_view())}
                    </div>
                </div>
                <span class="overview__agents">{move || text::agents(n_lanes())}</span>
            </div>
            <Lanes run overview zoom/>
            {move || (!zoom.get().is_whole()).then(|| markup! {
                <button class="overview__whole" on:click=move |_| zoom.set(Zoom::default())>{text::WHOLE_RUN}</button>
            })}
            <button class="quiet overview__resize" title=text::OVERVIEW_SIZE
                aria-label=text::OVERVIEW_SIZE aria-expanded=move || (!is_small.get()).to_string()
                on:click=resize>{move || glyph(if is_small.get() { icon::DOWN } else { icon::UP })}</button>
        </section>
    }
}

fn lane_name(lane: &OverviewLane, is_first: bool, cost: Option<&CostSum>) -> impl IntoView + use<> {
    let name = if lane.name.is_empty() { text::MAIN_AGENT.to_owned() } else { lane.name.clone() };
    let steps = match is_first {
        true => words::counted(u64::from(lane.n_rows), "step", "steps"),
        false => words::count(u64::from(lane.n_rows)),
    };
    let cost = cost.map(words::cost_or_bound).filter(|it| !it.is_empty());
    let said = cost.map_or(steps.clone(), |cost| format!("{steps} · {cost}"));
    let icon = if is_first { Icon::Llm } else { Icon::Agent };
    let look = if is_first { "llm" } else { "agent" };
    markup! {
        <div class="overview__name" data-inner=(!is_first).then_some("true") data-look=look>
            {glyph(icon.path())}
            <bdi title=lane.title.clone()>{name}</bdi>
            <span>{said}</span>
        </div>
    }
}

/// The lanes, and the elements drawn over all of them.
#[component]
fn Lanes(
    run: Memo<RunLine>,
    overview: Memo<Shared<Overview>>,
    /// The visible part of the axis.
    zoom: RwSignal<Zoom>,
) -> impl IntoView {
    let pane = pane();
    let area = NodeRef::<Div>::new();
    let drag = RwSignal::new(None::<Drag>);
    let window = memo(move || {
        let visible = pane.visible.get();
        let outline = pane.around.get();
        run.with(|run| overview.with(|it| it.window(&outline, run, visible)))
    });
    // While many hits arrive, a pass over all of them is only worth it at the end.
    let hits = Memo::new(move |before: Option<&Vec<u32>>| {
        pane.search.found.with(|found| match before {
            Some(before)
                if !found.last.done && found.rows().len() > DRAWN_WHILE_READING as usize =>
            {
                before.clone()
            }
            _ => {
                let outline = pane.around.get();
                run.with(|run| overview.with(|it| it.buckets_of(&outline, run, found.rows())))
            }
        })
    });
    // The places of the explained finding: the buckets, and their extent.
    let alike = memo(move || {
        let alike = pane.alike.get();
        let ends = (*alike.rows.first()?, *alike.rows.last()?);
        let outline = pane.around.get();
        run.with(|run| {
            overview.with(|it| {
                Some((it.buckets_of(&outline, run, &alike.rows), it.window(&outline, run, ends)?))
            })
        })
    });
    // The place under the pointer, and the width of a pixel.
    let place_of = move |event: &web_sys::PointerEvent| {
        let bounds = area.get_untracked()?.get_bounding_client_rect();
        let width = bounds.width().max(1.0);
        Some(((f64::from(event.client_x()) - bounds.left()) / width, 1.0 / width))
    };
    let pressed = move |event: leptos::ev::PointerEvent| {
        let Some((at, _)) = place_of(&event).filter(|_| event.button() == 0) else { return };
        let target: web_sys::Element = event_target(&event);
        let is_axis = target.closest(".overview__ticks").ok().flatten().is_some();
        drag.set(Some(if is_axis { Drag::Place } else { Drag::Part(at, at) }));
        if let Some(area) = area.get_untracked() {
            let _ = area.set_pointer_capture(event.pointer_id()); // only keeps the drag alive outside
        }
    };
    let moved = move |event: leptos::ev::PointerEvent| {
        let Some((at, _)) = place_of(&event).filter(|_| event.buttons() & 1 == 1) else { return };
        match drag.get_untracked() {
            Some(Drag::Place) => show(pane, overview, at),
            Some(Drag::Part(from, _)) => drag.set(Some(Drag::Part(from, at))),
            None => {}
        }
    };
    let released = move |event: leptos::ev::PointerEvent| {
        let Some((at, pixel)) = place_of(&event) else { return };
        match drag.try_update(Option::take).flatten() {
            Some(Drag::Part(from, to)) if (to - from).abs() >= MIN_DRAG_PX * pixel => {
                zoom.update(|zoom| *zoom = zoom.part(within(from, 0.0, 1.0), within(to, 0.0, 1.0)));
            }
            Some(_) => show(pane, overview, at),
            None => {}
        }
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let (from, to) = window.get_untracked().unwrap_or((0.5, 0.5));
        let middle = f64::midpoint(from, to);
        let shown = zoom.get_untracked();
        let closer = |by: f64| Some(shown.part(middle - by, middle + by));
        let zoomed = match event.key().as_str() {
            "+" | "=" => closer(0.25),
            "-" => closer(1.0),
            _ => None,
        };
        if let Some(zoomed) = zoomed {
            event.prevent_default();
            zoom.set(zoomed);
            return;
        }
        let at = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => to + STEP,
            "ArrowLeft" | "ArrowDown" => from - STEP,
            "PageDown" => to + STEP * 5.0,
            "PageUp" => from - STEP * 5.0,
            "Home" => 0.0,
            "End" => 1.0,
            _ => return,
        };
        event.prevent_default();
        // Beyond the visible part, continue with the next one.
        let at = match at {
            at if at > 1.0 && !shown.is_whole() => {
                zoom.set(shown.part(0.5, 1.5));
                at - 0.5
            }
            at if at < 0.0 && !shown.is_whole() => {
                zoom.set(shown.part(-0.5, 0.5));
                at + 0.5
            }
            at => at,
        };
        show(pane, overview, at);
    };
    let place = move || {
        let (first, _) = pane.visible.get();
        run.with(|run| {
            let number = u64::from(first.saturating_sub(run.first_row)) + 1;
            let turn =
                pane.trace.outline.with(|outline| outline.turns.around(first).map(|it| it.number));
            text::at_event(number, u64::from(run.n_rows), turn)
        })
    };
    let percent = |share: f64| words::css_percent(share * 100.0);
    markup! {
        <div class="overview__area" node_ref=area role="slider" tabindex="0" aria-label=text::OVERVIEW
            aria-orientation="horizontal" aria-valuemin="0" aria-valuemax="100"
            {..custom_attribute("aria-valuenow", move || fixed(window.get().map_or(0.0, |it| it.0) * 100.0, 0))}
            {..custom_attribute("aria-valuetext", place)}
            on:pointerdown=pressed on:pointermove=moved on:pointerup=released
            on:pointercancel=move |_| drag.set(None) on:dblclick=move |_| zoom.set(Zoom::default())
            on:keydown=key title=text::OVERVIEW_TITLE>
            <div class="overview__lanes">
                {move || overview.with(|it| it.lanes.iter().enumerate().map(|(at, lane)| lane_view(lane, at == 0)).collect_view())}
            </div>
            <div class="overview__over" aria-hidden="true">
                {move || overview.with(|it| it.turns.iter().map(|(at, number)| {
                    let left = percent(*at);
                    markup! { <i class="overview__turn" style:left=left><b>{*number}</b></i> }
                }).collect_view())}
                {move || overview.with(|it| it.idle.iter().map(|pause| {
                    let (left, title) = (percent(pause.at), pause.title.clone());
                    markup! { <i class="overview__idle" style:left=left title=title></i> }
                }).collect_view())}
                {move || hits.with(|hits| (!hits.is_empty()).then(|| ticks_view("overview__hits", hits)))}
                {move || alike.get().map(|(buckets, (from, to))| {
                    let (left, width) = (percent(from), percent(to - from));
                    markup! {
                        <i class="overview__alike" style:left=left style:width=width></i>
                        {ticks_view("overview__found", &buckets)}
                    }
                })}
                {move || window.get().map(|(from, to)| {
                    let (left, width) = (percent(from), percent((to - from).max(0.004)));
                    markup! { <i class="overview__window" style:left=left style:width=width></i> }
                })}
                {move || match drag.get() {
                    Some(Drag::Part(from, to)) if from != to => {
                        let (left, width) = (percent(from.min(to)), percent((to - from).abs()));
                        Some(markup! { <i class="overview__part" style:left=left style:width=width></i> })
                    }
                    _ => None,
                }}
            </div>
            <div class="overview__ticks" aria-hidden="true">
                {move || {
                    let width_px = if pane.page.has_room.get() { WIDE_PX } else { NARROW_PX };
                    overview.with(|it| it.labels(width_px).into_iter().map(|(at, words, is_idle)| {
                        let (left, words) = (percent(at), words.to_owned());
                        markup! { <span style:left=left data-idle=is_idle.then_some("true")>{words}</span> }
                    }).collect_view())
                }}
            </div>
        </div>
    }
}

/// A tick in each of some buckets.
fn ticks_view(class: &'static str, buckets: &[u32]) -> AnyView {
    let path: String = buckets.iter().map(|at| format!("M{at} 0h1v4h-1z")).collect();
    let view_box = format!("0 0 {N_BUCKETS} 4");
    markup! {
        <svg class=class viewBox=view_box preserveAspectRatio="none"><path d=path></path></svg>
    }
    .into_any()
}

/// The target of a drag in the overview.
#[derive(Clone, Copy, PartialEq)]
enum Drag {
    /// The place whose rows are shown.
    Place,
    /// A part of the axis, given by its start and end.
    Part(f64, f64),
}

fn show(pane: Pane, overview: Memo<Shared<Overview>>, at: f64) {
    let row = overview.with_untracked(|it| it.row_at(at));
    pane::actions::select_near(pane, row);
}

/// A lane: a path for each look, the loops, and the marks above.
fn lane_view(lane: &OverviewLane, is_first: bool) -> impl IntoView + use<> {
    let mut paths: Vec<(&'static str, String)> = Vec::new();
    for stretch in &lane.stretches {
        let piece = format!("M{} 4h{}v{LANE}h-{}z", stretch.from, stretch.len, stretch.len);
        match paths.iter_mut().find(|(look, _)| *look == stretch.look) {
            Some((_, path)) => path.push_str(&piece),
            None => paths.push((stretch.look, piece)),
        }
    }
    let paths =
        paths.into_iter().map(|(look, path)| markup! { <path data-look=look d=path></path> });
    let loops: String =
        lane.loops.iter().map(|(from, len)| format!("M{from} 3h{len}v14h-{len}z")).collect();
    let marks = |buckets: &[u32], line: &str| -> String {
        buckets.iter().map(|at| format!("M{at}.5 {line}")).collect()
    };
    // A very short line with round ends is a dot. WebKit stretches the ends of a line of length 0 with the drawing.
    let (errors, compactions) = (marks(&lane.errors, "2h.01"), marks(&lane.compactions, "0v18"));
    // The first lane contains the hatch patterns for all lanes, one for wide strips and one for narrow ones.
    let hatch = is_first.then(|| {
        markup! {
            <defs>
                <pattern id="overview-hatch" width="3" height="6" patternUnits="userSpaceOnUse">
                    <path class="overview__stroke" d="M-1 7L4 -1"></path>
                </pattern>
                <pattern id="narrow-hatch" width="12" height="6" patternUnits="userSpaceOnUse">
                    <path class="overview__stroke" d="M-2 7L14 -1"></path>
                </pattern>
            </defs>
        }
    });
    markup! {
        <svg class="overview__lane" viewBox=format!("0 0 {N_BUCKETS} 18") preserveAspectRatio="none" aria-hidden="true">
            {hatch}
            {paths.collect_view()}
            <path class="overview__loops" d=loops></path>
            <path class="overview__errors" d=errors></path>
            <path class="overview__compactions" d=compactions></path>
        </svg>
    }
}
