//! Geometry of the virtual list.
//!
//! All lines have the same height. An opened body is drawn between its line and the next one and
//! has a height of its own. Only the lines near the window are drawn.
//!
//! A *top* is a distance from the top of the whole list in real pixels. The scroll bar moves along
//! a *track*, which is shorter than the list if the list is taller than browsers allow an element
//! to be.

use traceloupe_core::number::within;

/// The body below a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineBody {
    /// Index of the line.
    pub line: u32,
    /// Height in pixels, 0 if there is no body.
    pub px: f64,
    /// Whether the height was measured rather than estimated.
    pub is_measured: bool,
}

/// The layout of the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    n_lines: u32,
    line_px: f64,
    /// Height of the body below every line that is not in `bodies`.
    each_px: f64,
    /// Sorted by line.
    bodies: Vec<LineBody>,
    /// For each entry of `bodies`, how much the bodies before it add beyond `each_px`; the last
    /// entry is the sum for all of them.
    extra_px: Vec<f64>,
}

/// The height of the track for lists that are taller. Browsers limit the height of an element
/// (Firefox to just under 18 million pixels).
pub const MAX_TRACK_PX: f64 = 15_000_000.0;

/// The least number of lines drawn on either side of the window.
pub const SPARE_LINES: u32 = 2;

/// Within this distance of either end, list and track move one to one, so that a mouse wheel
/// reaches the end.
const EDGE_PX: f64 = 1_000_000.0;

/// A longer step of the scroll bar is treated as a drag, which selects a place on the track. A
/// shorter one comes from a wheel, a key or a finger and counts in real pixels. (On a shortened
/// track, one pixel of a drag is more than one pixel of the list.)
const LONGEST_STEP_PX: f64 = 4_000.0;

/// How the user goes to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Going {
    /// Step by step: the list scrolls no more than it must.
    #[default]
    Step,
    /// By a jump.
    Jump,
    /// To the start of something that spans several lines: as much of it as fits in the window is shown.
    Start,
}

/// A line to scroll to, in the current layout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aim {
    /// Top of the line.
    pub line_top_px: f64,
    /// Top of the window.
    pub top_px: f64,
    /// Height of a line.
    pub line_px: f64,
    /// Height of the window.
    pub window_px: f64,
    /// Whether the line is the header of a turn.
    pub is_turn: bool,
    /// How the user goes to it.
    pub going: Going,
}

/// The part of the window, from its top, in which the target of a jump is comfortable to read.
const EASY: f64 = 0.6;

/// Where a line that was out of view, or too low, is placed in the window.
const PLACE: f64 = 0.4;

impl Aim {
    /// The window top that shows the line. A step scrolls no more than it must. After a jump, the header of a turn is
    /// at the top, and any other line is placed so that the lines after it are visible too.
    #[must_use]
    pub fn top_px(&self) -> f64 {
        let Self { line_top_px, top_px, line_px, window_px, is_turn, going } = *self;
        let is_jump = going != Going::Step;
        let is_above = line_top_px < top_px + if is_turn { 0.0 } else { line_px };
        let below = line_top_px + line_px * 2.0 - top_px;
        let is_low = below > window_px || is_jump && below > window_px * EASY + line_px;
        match (is_above, is_low) {
            _ if is_turn && (is_jump || is_low) => line_top_px,
            // Leave room for the header of its turn and for the line before it.
            _ if going == Going::Start => line_top_px - line_px * 2.0,
            // The header of its turn covers the first line. This also applies to a window that is not visible yet and
            // has no height.
            (true, _) => line_top_px - line_px,
            (_, true) => line_top_px - (window_px * PLACE).max(line_px),
            _ => top_px,
        }
    }
}

/// Merges the bodies and texts of lines, both sorted by line. A line with both gets the sum of their heights. A line
/// with only a text also gets `each_px`, the body height of every line that is not among the bodies.
#[must_use]
pub fn joined(bodies: &[LineBody], texts: &[LineBody], each_px: f64) -> Vec<LineBody> {
    let mut joined = Vec::with_capacity(bodies.len() + texts.len());
    let (mut bodies, mut texts) = (bodies.iter().peekable(), texts.iter().peekable());
    loop {
        let next = match (bodies.peek(), texts.peek()) {
            (None, None) => return joined,
            (Some(body), Some(text)) if body.line == text.line => LineBody {
                px: body.px + text.px,
                is_measured: body.is_measured && text.is_measured,
                ..**body
            },
            (Some(body), text) if text.is_none_or(|text| body.line < text.line) => **body,
            (_, Some(text)) => LineBody { px: text.px + each_px, ..**text },
            (Some(body), None) => **body,
        };
        bodies.next_if(|body| body.line == next.line);
        texts.next_if(|text| text.line == next.line);
        joined.push(next);
    }
}

impl Layout {
    /// A list of `n_lines` lines of height `line_px`. `bodies`, sorted by line, gives the bodies
    /// that differ from `each_px`, which is the body height of every other line.
    #[must_use]
    pub fn new(n_lines: u32, line_px: f64, each_px: f64, bodies: Vec<LineBody>) -> Self {
        let mut sum_px = 0.0;
        let mut extra_px = Vec::with_capacity(bodies.len() + 1);
        extra_px.push(sum_px);
        for body in &bodies {
            sum_px += body.px - each_px;
            extra_px.push(sum_px);
        }
        Self { n_lines, line_px, each_px, bodies, extra_px }
    }

    /// How many lines there are.
    #[must_use]
    pub fn n_lines(&self) -> u32 {
        self.n_lines
    }

    /// Height of a line without its body.
    #[must_use]
    pub fn line_px(&self) -> f64 {
        self.line_px
    }

    /// Height of the whole list.
    #[must_use]
    pub fn full_px(&self) -> f64 {
        self.top_px(self.n_lines)
    }

    /// The top of a line.
    #[must_use]
    pub fn top_px(&self, line: u32) -> f64 {
        let before = self.bodies.partition_point(|body| body.line < line);
        f64::from(line) * self.step_px() + self.extra_before_px(before)
    }

    /// The line at a height, counting its body as part of it; past the end, the last line.
    #[must_use]
    pub fn line_at(&self, top_px: f64) -> u32 {
        let ends_before = |at: usize| {
            self.bodies.get(at).is_some_and(|body| {
                let line_px = f64::from(body.line) * self.step_px() + self.extra_before_px(at);
                line_px + self.line_px + body.px <= top_px
            })
        };
        let (mut from, mut to) = (0, self.bodies.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if ends_before(middle) { from = middle + 1 } else { to = middle }
        }
        let lines = ((top_px - self.extra_before_px(from)) / self.step_px().max(1.0)).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let line = lines as u32;
        let next = self.bodies.get(from).map_or(u32::MAX, |body| body.line);
        line.min(next).min(self.n_lines.saturating_sub(1))
    }

    /// The body of a line; `None` if it has the default height.
    #[must_use]
    pub fn body_of(&self, line: u32) -> Option<LineBody> {
        let at = self.bodies.partition_point(|body| body.line < line);
        self.bodies.get(at).copied().filter(|body| body.line == line)
    }

    /// The lines to draw, as first and one past the last: those in the window or within `spare_px`
    /// of it, and at least [`SPARE_LINES`] on either side, however tall the bodies are.
    #[must_use]
    pub fn window(&self, top_px: f64, window_px: f64, spare_px: f64) -> (u32, u32) {
        if self.n_lines == 0 {
            return (0, 0);
        }
        let (first, last) = (self.line_at(top_px), self.line_at(top_px + window_px));
        let first = first.saturating_sub(SPARE_LINES).min(self.line_at(top_px - spare_px));
        let last = (last + SPARE_LINES).max(self.line_at(top_px + window_px + spare_px));
        (first, (last + 1).min(self.n_lines))
    }

    /// The lines in the window: the first one, and the one after the last.
    #[must_use]
    pub fn seen(&self, top_px: f64, window_px: f64) -> (u32, u32) {
        if self.n_lines == 0 {
            return (0, 0);
        }
        // A line that only touches the edge of the window does not count.
        let (first, last) = (self.line_at(top_px + 1.0), self.line_at(top_px + window_px - 1.0));
        (first, (last + 1).min(self.n_lines))
    }

    /// The largest possible top of the window.
    #[must_use]
    pub fn max_top_px(&self, window_px: f64) -> f64 {
        (self.full_px() - window_px).max(0.0)
    }

    /// Height of the track.
    #[must_use]
    pub fn track_px(&self) -> f64 {
        self.full_px().min(MAX_TRACK_PX)
    }

    /// The largest possible scroll position.
    #[must_use]
    pub fn max_scroll_px(&self, window_px: f64) -> f64 {
        (self.track_px() - window_px).max(0.0)
    }

    /// The top for a scroll position.
    #[must_use]
    pub fn from_scroll(&self, scroll_px: f64, window_px: f64) -> f64 {
        let (track, list) = (self.max_scroll_px(window_px), self.max_top_px(window_px));
        between(scroll_px, track, list)
    }

    /// The scroll position for a top.
    #[must_use]
    pub fn to_scroll(&self, top_px: f64, window_px: f64) -> f64 {
        let (track, list) = (self.max_scroll_px(window_px), self.max_top_px(window_px));
        between(top_px, list, track)
    }

    /// The top after the scroll position has changed from `from_px` to `to_px`.
    #[must_use]
    pub fn moved(&self, top_px: f64, from_px: f64, to_px: f64, window_px: f64) -> f64 {
        let step_px = to_px - from_px;
        let top_px = if step_px.abs() <= LONGEST_STEP_PX {
            top_px + step_px
        } else {
            self.from_scroll(to_px, window_px)
        };
        within(top_px, 0.0, self.max_top_px(window_px))
    }

    fn step_px(&self) -> f64 {
        self.line_px + self.each_px
    }

    fn extra_before_px(&self, at: usize) -> f64 {
        self.extra_px.get(at).copied().unwrap_or(0.0)
    }
}

/// Maps a position on one length to a position on another: one to one near both ends, stretched in
/// between.
fn between(px: f64, from_px: f64, to_px: f64) -> f64 {
    let px = within(px, 0.0, from_px);
    let edge_px = EDGE_PX.min(from_px / 2.0).min(to_px / 2.0);
    if px <= edge_px {
        px
    } else if px >= from_px - edge_px {
        to_px - (from_px - px)
    } else {
        edge_px + (px - edge_px) * (to_px - 2.0 * edge_px) / (from_px - 2.0 * edge_px)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_and_texts_of_lines_are_joined() {
        let body = |line, px| LineBody { line, px, is_measured: true };
        let guess = |line, px| LineBody { line, px, is_measured: false };
        let both = joined(
            &[body(1, 10.0), body(4, 20.0)],
            &[guess(0, 1.0), guess(4, 2.0), body(6, 3.0)],
            5.0,
        );
        assert_eq!(both, [guess(0, 6.0), body(1, 10.0), guess(4, 22.0), body(6, 8.0)]);
        assert!(joined(&[], &[], 0.0).is_empty());
    }

    fn body(line: u32, px: f64) -> LineBody {
        LineBody { line, px, is_measured: true }
    }

    fn layout() -> Layout {
        Layout::new(10, 30.0, 0.0, vec![body(2, 100.0), body(5, 50.0)])
    }

    #[test]
    fn tops_and_lines_agree() {
        let layout = layout();
        assert!((layout.full_px() - 450.0).abs() < 1e-9);
        for line in 0..10 {
            let top = layout.top_px(line);
            assert_eq!(layout.line_at(top), line);
            assert_eq!(layout.line_at(top + 29.0), line);
        }
        assert_eq!(layout.line_at(150.0), 2, "inside the body of line 2");
        assert_eq!(layout.line_at(1e9), 9);
        assert_eq!(layout.line_at(-5.0), 0);
    }

    #[test]
    fn bodies_may_differ_from_the_default_height() {
        // Line 1 is closed, line 4 is taller than estimated, line 5 shorter.
        let bodies = vec![body(1, 0.0), body(4, 500.0), body(5, 20.0)];
        let layout = Layout::new(8, 30.0, 200.0, bodies);
        let heights = [230.0, 30.0, 230.0, 230.0, 530.0, 50.0, 230.0, 230.0];
        let mut top = 0.0;
        for (line, height) in (0..).zip(heights) {
            assert!((layout.top_px(line) - top).abs() < 1e-9, "line {line}");
            for inside in [0.0, 0.5, height / 2.0, height - 0.5] {
                assert_eq!(layout.line_at(top + inside), line, "{inside} px into line {line}");
            }
            top += height;
        }
        assert!((layout.full_px() - top).abs() < 1e-9);
    }

    #[test]
    fn long_lists_have_a_shorter_track_and_reach_both_ends() {
        let layout = Layout::new(1_000_000, 44.0, 0.0, Vec::new());
        let window = 800.0;
        assert!((layout.track_px() - MAX_TRACK_PX).abs() < 1e-9);
        let end = 44_000_000.0 - window;
        assert!(layout.from_scroll(0.0, window).abs() < 1e-9);
        assert!((layout.from_scroll(MAX_TRACK_PX - window, window) - end).abs() < 1e-3);
        let mut before = -1.0;
        for at in 0..=100 {
            let top = end * f64::from(at) / 100.0;
            let scroll = layout.to_scroll(top, window);
            assert!(scroll > before, "the bar moves on");
            assert!((layout.from_scroll(scroll, window) - top).abs() < 1e-3);
            before = scroll;
        }
        // Near the ends, the mapping is one to one.
        assert!((layout.to_scroll(5_000.0, window) - 5_000.0).abs() < 1e-9);
        let near = layout.to_scroll(end - 5_000.0, window);
        assert!((near - (MAX_TRACK_PX - window - 5_000.0)).abs() < 1e-3);
    }

    #[test]
    fn steps_move_by_pixels_and_drags_select_a_place() {
        let layout = Layout::new(1_000_000, 44.0, 0.0, Vec::new());
        let (window, middle) = (800.0, 20_000_000.0);
        let scroll = layout.to_scroll(middle, window);
        let wheeled = layout.moved(middle, scroll, scroll + 100.0, window);
        assert!((wheeled - middle - 100.0).abs() < 1e-6);
        let dragged = layout.moved(middle, scroll, scroll + 50_000.0, window);
        assert!((dragged - layout.from_scroll(scroll + 50_000.0, window)).abs() < 1e-6);
        assert!(layout.moved(50.0, 50.0, 0.0, window).abs() < 1e-9, "never above the top");
        let short = Layout::new(3, 30.0, 0.0, Vec::new());
        assert!(short.moved(0.0, 0.0, 50.0, window).abs() < 1e-9, "a short list does not move");
    }

    #[test]
    fn a_jump_leads_to_where_reading_is_easy_and_a_step_moves_little() {
        let step = Aim {
            line_top_px: 1_000.0,
            top_px: 900.0,
            line_px: 30.0,
            window_px: 600.0,
            is_turn: false,
            going: Going::Step,
        };
        let top = |aim: Aim| (aim.top_px() * 10.0).round() / 10.0;
        let at = |line_top_px: f64, aim: Aim| Aim { line_top_px, ..aim };
        assert_eq!(top(step), 900.0, "in sight");
        assert_eq!(top(at(1_430.0, step)), 900.0, "low, but in sight");
        assert_eq!(top(at(1_480.0, step)), 1_240.0, "the line below it would not be seen");
        assert_eq!(top(at(910.0, step)), 880.0, "below the header of its turn");
        let jump = Aim { going: Going::Jump, ..step };
        assert_eq!(top(jump), 900.0);
        assert_eq!(top(at(1_430.0, jump)), 1_190.0, "low");
        assert_eq!(top(Aim { window_px: 0.0, ..jump }), 970.0, "not seen yet");
        let turn = Aim { is_turn: true, ..jump };
        for line_top_px in [500.0, 900.0, 1_000.0, 1_430.0, 3_000.0] {
            assert_eq!(top(at(line_top_px, turn)), line_top_px, "on top");
        }
        assert_eq!(top(Aim { is_turn: true, ..step }), 900.0);
        let start = Aim { going: Going::Start, ..step };
        for line_top_px in [950.0, 1_430.0, 3_000.0] {
            assert_eq!(top(at(line_top_px, start)), line_top_px - 60.0, "with what follows");
        }
    }

    #[test]
    fn more_than_the_window_is_drawn() {
        assert_eq!(layout().window(0.0, 59.0, 0.0), (0, 4), "two lines more");
        assert_eq!(layout().window(0.0, 59.0, 200.0), (0, 6), "a body counts with its height");
        assert_eq!(layout().window(330.0, 20.0, 0.0), (4, 9));
        assert_eq!(layout().window(380.0, 70.0, 300.0), (2, 10));
        assert_eq!(Layout::default().window(0.0, 60.0, 60.0), (0, 0));
        assert_eq!(layout().seen(0.0, 60.0), (0, 2), "and no more is seen");
        assert_eq!(layout().seen(30.0, 20.0), (1, 2));
        assert_eq!(Layout::default().seen(0.0, 60.0), (0, 0));
    }
}
