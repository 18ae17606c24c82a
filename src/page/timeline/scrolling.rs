//! The scroll bar of the timeline: how the user moves it, and how it follows a changing list.
//!
//! The position in the list ([`Position`]) is authoritative, in the list's own pixels, and the scroll bar follows it.
//! While the user scrolls, only their steps are applied. When they stop, the bar is moved to where it belongs.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::app::pane::{Goal, Pane};
use crate::browser;
use crate::reactive::{Memo, RwSignal, effect, memo};
use crate::shared::Shared;
use crate::timeline::agents::CARD_PX;
use traceloupe_core::number::within;
use traceloupe_view::list::form::{ListForm, is_speech};
use traceloupe_view::list::scope::{self, card};
use traceloupe_view::list::visible_lines::{Line, Mode, index_of};
use traceloupe_view::open_bodies::Opened;
use traceloupe_view::position::{Placed, Position};
use traceloupe_view::scroll::{Aim, Layout, LineBody, joined};
use traceloupe_words as words;

/// Height of a line in pixels, as in the style sheet. The second one is for narrow screens, where lines are touched by
/// fingers.
const LINE_PX: f64 = 30.0;
const LINE_NARROW_PX: f64 = 44.0;

/// Height assumed for the first list before it has been measured. If the list is taller, the missing lines are drawn
/// after measuring, which happens before anything is painted. If it is shorter, some lines are drawn needlessly.
const FIRST_LIST_PX: f64 = 560.0;

/// Height of the axis above a waterfall, as in the style sheet.
const AXIS_PX: f64 = 30.0;

/// Height of a body before it has been measured.
const BODY_PX: f64 = 220.0;

/// Height of a text of a transcript before it has been measured.
const SAID_PX: f64 = 76.0;

/// Scrolling has stopped if this many milliseconds pass without a step.
const REST_MS: f64 = 150.0;

/// The last cause of movement.
#[derive(Clone, Copy, Default)]
enum Step {
    /// None: only the scroll bar was corrected.
    #[default]
    Stay,
    /// The user, starting from this position of the scroll bar.
    From(f64),
    /// A jump to this top, to show a line.
    To(f64, Option<Line>),
}

#[derive(Clone, Copy, Default)]
struct Motion {
    /// Distinguishes motions.
    count: u32,
    /// Position of the scroll bar.
    scroll_px: f64,
    step: Step,
}

/// The scrolled list, which consists of handles only.
#[derive(Clone, Copy)]
pub struct Scrolling {
    pane: Pane,
    /// The element that scrolls.
    pub list: NodeRef<Div>,
    /// The element inside it that is as high as the track.
    pub size: NodeRef<Div>,
    /// Height of the window in pixels.
    pub window_px: Memo<f64>,
    /// The position in the list.
    pub position: Memo<Position>,
    /// Where the lines are.
    pub layout: Memo<Shared<Layout>>,
    motion: RwSignal<Motion>,
    /// When the user last scrolled, in milliseconds of the page's clock.
    scrolled_ms: StoredValue<f64>,
    /// Whether a timer waits for the user to stop scrolling.
    is_waiting: StoredValue<bool>,
}

impl Scrolling {
    /// Sets everything up. The component must draw both elements.
    pub fn new(pane: Pane) -> Self {
        let (list_px, set_list_px) = signal(pane.page.list_px.get_value().unwrap_or(FIRST_LIST_PX));
        let window_px = memo(move || {
            let is_waterfall = pane.form.get() == ListForm::Waterfall;
            list_px.get() - if is_waterfall { AXIS_PX } else { 0.0 }
        });
        let (line_px, set_line_px) = signal(LINE_PX);
        let said = said(pane);
        let layout = memo(move || Shared::new(layout(pane, said, line_px.get())));
        let motion = RwSignal::new(Motion::default());
        let mode = memo(move || pane.choice.with(|choice| (choice.mode, choice.form)));
        let position = Memo::new(move |before: Option<&(Position, u32, (Mode, ListForm))>| {
            let placed = Placed {
                outline: pane.trace.outline.get().arc(),
                lines: pane.lines.get().arc(),
                layout: layout.get().arc(),
            };
            let (window_px, motion, mode) = (window_px.get(), motion.get(), mode.get());
            let selected = pane.selected.get_untracked();
            let position = match before {
                None => Position { placed, ..Position::default() },
                Some((before, ..)) if before.placed == placed => before.clone(),
                Some((before, _, old_mode)) => {
                    let goes_along = before.placed.outline.is_live && before.is_at_end(window_px);
                    let there = if mode == *old_mode {
                        before.in_list(placed, window_px, selected)
                    } else {
                        before.pinned(selected, window_px).in_list(placed, window_px, selected)
                    };
                    if goes_along { there.at_end(window_px) } else { there }
                }
            };
            let is_new = before.is_some_and(|(_, count, _)| *count != motion.count);
            let position = if is_new { stepped(position, motion, window_px) } else { position };
            (position, motion.count, mode)
        });
        let position = memo(move || position.with(|(position, ..)| position.clone()));
        let it = Self {
            pane,
            list: NodeRef::new(),
            size: NodeRef::new(),
            window_px,
            position,
            layout,
            motion,
            scrolled_ms: StoredValue::new(f64::NEG_INFINITY),
            is_waiting: StoredValue::new(false),
        };
        let measure = move || {
            if let Some(element) = it.list.get_untracked() {
                let height_px = f64::from(element.client_height());
                set_list_px.set(height_px);
                // The artificial trace is drawn out of sight, where nothing has a height.
                if height_px > 0.0 {
                    pane.page.list_px.set_value(Some(height_px));
                }
                pane.page.has_room.set(browser::has_room());
                set_line_px.set(if browser::is_narrow() { LINE_NARROW_PX } else { LINE_PX });
            }
        };
        watch_size(it.list, Rc::new(measure));
        // The track gets its height before the bar is corrected, so that the browser does not correct the bar first.
        effect(move || {
            it.position.track();
            it.window_px.track();
            it.fit(!it.is_scrolling());
        });
        it.go_to_goals();
        it
    }

    /// Offset of the lines from the scroll bar, in pixels.
    pub fn shift_px(&self) -> f64 {
        self.motion.with(|motion| motion.scroll_px) - self.position.with(|it| it.top_px)
    }

    /// How many lines have been added below the part of a growing list that the user has seen.
    pub fn new_lines(self) -> Memo<usize> {
        let seen = Memo::new(move |seen: Option<&usize>| {
            let window_px = self.window_px.get();
            self.position.with(|it| {
                let n_lines = it.placed.lines.len();
                let sees_all = !it.placed.outline.is_live || it.is_at_end(window_px);
                if sees_all { n_lines } else { seen.map_or(n_lines, |seen| n_lines.min(*seen)) }
            })
        });
        memo(move || self.position.with(|it| it.placed.lines.len() - seen.get()))
    }

    /// The first line that begins in the window.
    pub fn first_line(&self) -> Option<Line> {
        self.position.with_untracked(|it| {
            let layout = &it.placed.layout;
            let first = layout.line_at(it.top_px);
            let first = if layout.top_px(first) < it.top_px { first + 1 } else { first };
            let last = layout.n_lines().saturating_sub(1);
            it.placed.lines.get(first.min(last) as usize).copied()
        })
    }

    /// Handles a movement of the scroll bar.
    pub fn scrolled(&self) {
        // The last event of a list may arrive after the list is gone.
        if self.motion.is_disposed() {
            return;
        }
        let Some(element) = self.list.get_untracked() else { return };
        if !self.take_step(&element) {
            return;
        }
        let is_at_end = self.position.with_untracked(|it| {
            let max_px = it.placed.layout.max_scroll_px(self.window_px.get_untracked());
            self.scroll_px() < 1.0 || self.scroll_px() > max_px - 1.0
        });
        // At an end of the track that is not an end of the list, there must be room to continue.
        self.fit(is_at_end);
    }

    /// Applies the user's scrolling since the last call. Returns whether there was any.
    fn take_step(&self, list: &web_sys::HtmlDivElement) -> bool {
        let (scroll_px, known_px) = (f64::from(list.scroll_top()), self.scroll_px());
        // The page's own corrections are already accounted for.
        let is_step = (scroll_px - known_px).abs() >= 0.5;
        if is_step {
            self.scrolled_ms.set_value(browser::now_ms());
            self.moved(scroll_px, Step::From(known_px));
            self.wait_for_rest();
        }
        is_step
    }

    fn is_scrolling(&self) -> bool {
        browser::now_ms() - self.scrolled_ms.get_value() < REST_MS
    }

    fn scroll_px(&self) -> f64 {
        self.motion.with_untracked(|motion| motion.scroll_px)
    }

    fn moved(&self, scroll_px: f64, step: Step) {
        self.motion.update(|motion| {
            *motion = Motion { count: motion.count.wrapping_add(1), scroll_px, step };
        });
        // Computed at once, because the next motion builds on it.
        self.position.with_untracked(|_| ());
    }

    /// Sets the height of the track, and moves the scroll bar to the position in the list if that is allowed or
    /// necessary.
    fn fit(&self, may_move: bool) {
        let (Some(list), Some(size)) = (self.list.get_untracked(), self.size.get_untracked())
        else {
            return;
        };
        let window_px = self.window_px.get_untracked();
        let is_off = |wanted_px: f64| (wanted_px - self.scroll_px()).abs() >= 1.0;
        // A step whose event has not arrived yet must not be lost. It is read before the track changes its height,
        // because the browser moves the bar if the track gets too short. The element is only queried if the bar may
        // have to move, because the query forces a layout.
        let has_stepped = may_move && is_off(self.wanted_px(window_px)) && self.take_step(&list);
        let wanted_px = self.give_height(&size, window_px);
        if !is_off(wanted_px) {
            return;
        }
        let max_px = self.position.with_untracked(|it| it.placed.layout.max_scroll_px(window_px));
        let may_move = may_move && !has_stepped;
        if is_off(wanted_px) && (may_move || self.scroll_px() > max_px) {
            #[expect(clippy::cast_possible_truncation)] // pixels of a track
            list.set_scroll_top(wanted_px as i32);
            self.moved(f64::from(list.scroll_top()), Step::Stay);
        }
    }

    /// Sets the height of the track. Returns where the scroll bar belongs.
    fn give_height(&self, size: &web_sys::HtmlElement, window_px: f64) -> f64 {
        let track_px = self.position.with_untracked(|it| it.placed.layout.track_px());
        let height = words::css_px(track_px);
        let style = size.style();
        if style.get_property_value("height").ok().as_deref() != Some(height.as_str()) {
            let _ = style.set_property("height", &height); // a height is always accepted
        }
        self.wanted_px(window_px)
    }

    /// Where the scroll bar belongs.
    fn wanted_px(&self, window_px: f64) -> f64 {
        self.position.with_untracked(|it| it.placed.layout.to_scroll(it.top_px, window_px).round())
    }

    fn wait_for_rest(self) {
        if self.is_waiting.get_value() {
            return;
        }
        self.is_waiting.set_value(true);
        set_timeout(
            move || {
                // The list may be gone by then.
                if self.motion.is_disposed() {
                    return;
                }
                self.is_waiting.set_value(false);
                if self.is_scrolling() {
                    self.wait_for_rest();
                } else {
                    self.fit(true);
                }
            },
            Duration::from_millis(REST_MS as u64 + 10),
        );
    }

    /// Scrolls to the line that the user goes to.
    fn go_to_goals(self) {
        let pane = self.pane;
        Effect::new(move |seen: Option<u32>| {
            let Goal { count, line: goal, going } = pane.goal.get();
            if seen == Some(count) {
                return count;
            }
            if self.list.get().is_none() {
                return seen.unwrap_or(0);
            }
            let window_px = self.window_px.get_untracked();
            let top_px = self.position.with_untracked(|it| {
                let Some(line) = goal else { return Some(0.0) };
                let Placed { outline, lines, layout } = &it.placed;
                let line_top_px = layout.top_px(index_of(outline, lines, line).ok()?);
                let is_turn = line.row().is_some_and(|row| outline.turns.at(row).is_some());
                let (top_px, line_px) = (it.top_px, layout.line_px());
                let aim = Aim { line_top_px, top_px, line_px, window_px, is_turn, going };
                Some(aim.top_px())
            });
            if let Some(top_px) = top_px {
                self.moved(self.scroll_px(), Step::To(top_px, goal));
                self.fit(true);
            }
            count
        });
    }
}

fn stepped(position: Position, motion: Motion, window_px: f64) -> Position {
    let layout = Arc::clone(&position.placed.layout);
    match motion.step {
        Step::Stay => position,
        Step::From(from_px) => Position {
            top_px: layout.moved(position.top_px, from_px, motion.scroll_px, window_px),
            pin: None,
            ..position
        },
        Step::To(top_px, pin) => {
            let top_px = within(top_px, 0.0, layout.max_top_px(window_px));
            Position { top_px, pin, ..position }
        }
    }
}

/// The lines that are drawn as text, with their rows.
fn said(pane: Pane) -> Memo<Shared<Vec<(u32, u32)>>> {
    memo(move || {
        let is_talk =
            pane.choice.with(|choice| choice.form == ListForm::Transcript && !choice.leaves_out());
        if !is_talk {
            return Shared::default();
        }
        let (lines, outline) = (pane.lines.get(), pane.trace.outline.get());
        let said = (0..).zip(lines.iter()).filter_map(|(at, line)| Some((at, line.row()?)));
        Shared::new(said.filter(|(_, row)| is_speech(&outline, *row)).collect())
    })
}

/// The lines that are cards of agents.
fn cards(pane: Pane) -> Vec<LineBody> {
    let (lines, outline) = (pane.lines.get(), pane.trace.outline.get());
    pane.choice.with(|choice| {
        let rows = scope::range(&outline, choice);
        let mut cards = Vec::new();
        for agent in outline.agents.as_slice() {
            if rows.contains(&agent.row)
                && card(&outline, choice, agent.row).is_some()
                && let Ok(line) = index_of(&outline, &lines, Line::Row(agent.row))
            {
                cards.push(LineBody { line, px: CARD_PX, is_measured: true });
            }
        }
        cards
    })
}

/// How much higher a text is than the line that it covers.
pub fn said_px(pane: Pane, row: u32, line_px: f64) -> f64 {
    let px = pane.said_heights.with(|heights| heights.get(&row).copied());
    (px.unwrap_or(SAID_PX) - line_px).max(0.0)
}

fn layout(pane: Pane, said: Memo<Shared<Vec<(u32, u32)>>>, line_px: f64) -> Layout {
    let (lines, outline) = (pane.lines.get(), pane.trace.outline.get());
    let n_lines = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let opened = match pane.is_beside.get() {
        true => Opened::default(),
        false => pane.opened.get(),
    };
    let each_px = if opened.all { BODY_PX } else { 0.0 };
    let mut bodies: Vec<LineBody> = Vec::new();
    // A height measured before the content has arrived is only a guess.
    let is_known = |row: u32| {
        pane.trace.contents.details.with_untracked(|it| it.contains_key(&outline.rows.ids.get(row)))
    };
    let mut push = |row: u32, px: f64, is_measured: bool| {
        if let Ok(line) = index_of(&outline, &lines, Line::Row(row)) {
            bodies.push(LineBody { line, px, is_measured });
        }
    };
    pane.heights.with(|heights| {
        if opened.all {
            opened.except.as_slice().iter().for_each(|row| push(*row, 0.0, true));
            let open = heights.iter().filter(|(row, _)| opened.has(**row));
            open.for_each(|(row, px)| push(*row, *px, is_known(*row)));
        } else {
            for row in opened.except.as_slice() {
                let px = heights.get(row);
                push(*row, px.copied().unwrap_or(BODY_PX), px.is_some() && is_known(*row));
            }
        }
    });
    traceloupe_core::sorting::sort_by_key(&mut bodies, |body| body.line);
    let said = said.get();
    let cards = cards(pane);
    if !said.is_empty() || !cards.is_empty() {
        let mut higher = pane.said_heights.with(|heights| {
            let body = |(line, row): &(u32, u32)| {
                let px = heights.get(row).copied();
                let over_px = (px.unwrap_or(SAID_PX) - line_px).max(0.0);
                LineBody { line: *line, px: over_px, is_measured: px.is_some() }
            };
            said.iter().map(body).collect::<Vec<_>>()
        });
        higher.extend(cards);
        traceloupe_core::sorting::sort_by_key(&mut higher, |body| body.line);
        bodies = joined(&bodies, &higher, each_px);
    }
    Layout::new(n_lines, line_px, each_px, bodies)
}

/// Calls `measure` when the list changes its size. The first call is after the list has been laid out and before it is
/// painted. Measuring earlier would force a second layout.
pub(super) fn watch_size(list: NodeRef<Div>, measure: Rc<dyn Fn()>) {
    effect(move || {
        let Some(element) = list.get() else { return };
        let measure = Rc::clone(&measure);
        let changed = Closure::<dyn Fn()>::new(move || measure());
        if let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            observer.observe(&element);
            // Both live as long as the list.
            let kept = StoredValue::new_local((observer, changed));
            on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
        }
    });
}
