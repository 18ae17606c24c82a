//! The parts of the waterfall besides its rows: the axis above them, and the critical path below their bars.

use crate::reactive::{RwSignal, live};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::splitter::{Split, Splitter};
use crate::timeline::flame::flame_switch;
use traceloupe_view::run_axis::Zoom;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// The column of names.
const NAMES: Split = Split {
    stored: "names-width",
    property: "--names-width",
    before_px: 69,
    first_px: 290,
    least_px: 120,
    most_px: 900,
    label: text::NAMES_WIDTH,
    title: text::NAMES_WIDTH_TITLE,
};

/// The column headings and the axis.
#[component]
pub fn WaterfallAxis() -> impl IntoView {
    let pane = pane();
    let is_underlined = RwSignal::new(true);
    let percent = |share: f64| words::css_percent(share * 100.0);
    live(move || {
        let waterfall = pane.waterfall.get()?;
        let ticks = axis_ticks(waterfall.ticks.clone());
        let idle = waterfall.idle.iter().map(|pause| {
            let (left, title) = (percent(pause.at), pause.title.clone());
            markup! { <i class="axis__idle" style:left=left title=title></i> }
        });
        let gaps = waterfall.gaps.iter().map(|(from, to, took)| {
            let (left, width) = (percent(*from), percent(to - from));
            markup! {
                <i class="axis__gap" style:left=left style:width=width title=text::gap(took)><small>{took.clone()}</small></i>
            }
        });
        let folds = move |_| pane.folds_gaps.update(|it| *it = !*it);
        let fold_gaps = waterfall.has_gaps.then(|| {
            let pressed = pane.folds_gaps.get_untracked().to_string();
            markup! { <button class="axis__switch" title=text::FOLD_GAPS_TITLE aria-pressed=pressed on:click=folds>{text::FOLD_GAPS}</button> }
        });
        let switch = move |_| is_underlined.update(|is| *is = !*is);
        Some(markup! {
            <div class="axis">
                <span class="axis__note">
                    {fold_gaps}
                    <button class="axis__switch axis__switch--path" title=text::CRITICAL_TITLE aria-pressed=move || is_underlined.get().to_string() on:click=switch>{text::CRITICAL_PATH}</button>
                    {flame_switch(pane)}
                </span>
                <Splitter of=&NAMES/>
                <span class="row__tok" aria-hidden="true">{text::TOKENS}</span>
                <span class="row__dur" aria-hidden="true">{text::TIME}</span>
                <span class="row__own" aria-hidden="true">{text::OWN_TIME}</span>
                <span class="axis__scale" aria-hidden="true">{ticks}{idle.collect_view()}{gaps.collect_view()}</span>
            </div>
        })
    })
}

/// The meaning of the lines below the bars and of the hatched columns, for the line at the bottom.
pub fn legend(pane: Pane) -> Option<AnyView> {
    let waterfall = pane.waterfall.get()?;
    let path = text::underlined(&words::duration(waterfall.critical_shown_ms), waterfall.llm_share);
    let folded: Vec<String> = waterfall.gaps.iter().map(|gap| gap.2.clone()).collect();
    let folded = (!folded.is_empty()).then(|| {
        markup! { <span class="foot__run">{text::hatched(&folded.join(", "))}</span> }
    });
    Some(markup! { <span class="foot__run">{path}</span>{folded} }.into_any())
}

/// Beyond this place, a label has no room after its line.
const NEAR_END: f64 = 0.93;

/// The labels of an axis, positioned by their shares of it.
pub fn axis_ticks(ticks: Vec<(f64, String)>) -> Vec<AnyView> {
    let tick = |(at, words): (f64, String)| {
        let left = words::css_percent(at * 100.0);
        let is_at_end = (at > NEAR_END).then_some("true");
        markup! { <span class="axis__tick" data-end=is_at_end style:left=left>{words}</span> }
            .into_any()
    };
    ticks.into_iter().map(tick).collect()
}

/// Parts of a row that are closer than this share of the axis are drawn as one. It is half a pixel on a wide screen.
const MIN_BETWEEN: f64 = 1.0 / 4_000.0;

/// The parts of a row that are on the critical path.
pub fn critical_parts(pane: Pane, row: u32) -> Vec<AnyView> {
    let Some(waterfall) = pane.waterfall.get() else { return Vec::new() };
    let part = |(from, len): (f64, f64)| {
        let (left, width) = (words::css_percent(from * 100.0), words::css_percent(len * 100.0));
        markup! { <b style:left=left style:width=width></b> }.into_any()
    };
    waterfall.critical(row, Zoom::default(), MIN_BETWEEN).into_iter().map(part).collect()
}
