//! The scroll position, and which line stays in place when the list around it changes.

use std::sync::Arc;
use traceloupe_core::number::within;

use crate::list::visible_lines::{Line, index_of};
use crate::outline::Outline;
use crate::scroll::Layout;

/// A list with its layout; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// The outline.
    pub outline: Arc<Outline>,
    /// The lines.
    pub lines: Arc<Vec<Line>>,
    /// Where the lines are.
    pub layout: Arc<Layout>,
}

impl PartialEq for Placed {
    /// Compares by identity, because comparing long lists by content is too slow.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.outline, &other.outline)
            && Arc::ptr_eq(&self.lines, &other.lines)
            && Arc::ptr_eq(&self.layout, &other.layout)
    }
}

/// The scroll position in a list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Position {
    /// The list.
    pub placed: Placed,
    /// Top of the window in the list.
    pub top_px: f64,
    /// The line that was last jumped to, until the user scrolls. It takes precedence as the line to
    /// keep in place.
    pub pin: Option<Line>,
}

impl Position {
    /// The same position in a changed list, such that the text the user is reading does not move.
    /// The line that was jumped to takes precedence while it is still `selected`.
    #[must_use]
    pub fn in_list(&self, placed: Placed, window_px: f64, selected: Option<Line>) -> Self {
        let pin = self.pin.and_then(|line| self.moved(line, &placed.outline));
        let pin = pin.filter(|line| selected == Some(*line));
        if let Some(at) = pin.and_then(|line| self.shown_again(line, &placed)) {
            // Leave room for some of the lines above it.
            let top_px = placed.layout.top_px(at) - window_px * 0.4;
            let top_px = within(top_px, 0.0, placed.layout.max_top_px(window_px));
            return Self { top_px, pin, placed };
        }
        let Some(anchor) = self.anchor(window_px, pin.and(self.pin)) else {
            let top_px = within(self.top_px, 0.0, placed.layout.max_top_px(window_px));
            return Self { placed, top_px, pin: None };
        };
        let offset_px = self.top_px - self.placed.layout.top_px(anchor);
        let line = self.placed.lines.get(anchor as usize).copied();
        let line = line.and_then(|line| self.moved(line, &placed.outline));
        let layout = &placed.layout;
        let top_px = match line.map(|line| index_of(&placed.outline, &placed.lines, line)) {
            Some(Ok(at)) => {
                // The line may be shorter now; then the lines after it move up.
                let height_px = layout.top_px(at + 1) - layout.top_px(at);
                layout.top_px(at) + offset_px.min(height_px)
            }
            Some(Err(at)) => layout.top_px(at) + offset_px.min(0.0),
            None => self.top_px,
        };
        let top_px = within(top_px, 0.0, layout.max_top_px(window_px));
        Self { top_px, pin, placed }
    }

    /// The same position, with the selected line as the one to keep in place if it is visible. Used
    /// when the whole list changes, because the first visible line may move far away.
    #[must_use]
    pub fn pinned(&self, selected: Option<Line>, window_px: f64) -> Self {
        let Placed { outline, lines, layout } = &self.placed;
        let is_seen = |line: &Line| {
            index_of(outline, lines, *line).is_ok_and(|at| {
                let top_px = layout.top_px(at);
                top_px + layout.line_px() > self.top_px && top_px < self.top_px + window_px
            })
        };
        Self { pin: selected.filter(is_seen).or(self.pin), ..self.clone() }
    }

    /// Whether the last line is visible. If so, the view follows new lines as they arrive.
    #[must_use]
    pub fn is_at_end(&self, window_px: f64) -> bool {
        let layout = &self.placed.layout;
        self.top_px >= layout.max_top_px(window_px) - layout.line_px()
    }

    /// The position at the end of the list.
    #[must_use]
    pub fn at_end(self, window_px: f64) -> Self {
        let top_px = self.placed.layout.max_top_px(window_px);
        Self { top_px, pin: None, ..self }
    }

    /// The line to keep in place: the one that was jumped to, otherwise the first one that begins in the window. If a
    /// body reaches into the window from above and its height has been measured, the line of that body is kept instead.
    fn anchor(&self, window_px: f64, pin: Option<Line>) -> Option<u32> {
        let Placed { outline, lines, layout } = &self.placed;
        let is_inside = |at: u32| {
            let top_px = layout.top_px(at);
            top_px >= self.top_px && top_px < self.top_px + window_px
        };
        let pinned = pin.and_then(|line| index_of(outline, lines, line).ok());
        if let Some(pinned) = pinned.filter(|at| is_inside(*at)) {
            return Some(pinned);
        }
        if layout.n_lines() == 0 {
            return None;
        }
        let first = layout.line_at(self.top_px);
        let is_known = layout.body_of(first).is_some_and(|body| body.is_measured && body.px > 0.0);
        let next = first + 1;
        let goes_next = !is_known
            && layout.top_px(first) < self.top_px
            && next < layout.n_lines()
            && is_inside(next);
        Some(if goes_next { next } else { first })
    }

    /// The index of `line` in another list, if the pinned line is hidden in this one.
    fn shown_again(&self, line: Line, placed: &Placed) -> Option<u32> {
        let Placed { outline, lines, .. } = &self.placed;
        index_of(outline, lines, self.pin?).err()?;
        index_of(&placed.outline, &placed.lines, line).ok()
    }

    /// The same line in a later outline.
    fn moved(&self, line: Line, outline: &Outline) -> Option<Line> {
        if std::ptr::eq(&*self.placed.outline, outline) {
            return Some(line);
        }
        line.moved(&self.placed.outline, outline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::visible_lines::{Choice, lines};
    use crate::scroll::LineBody;
    use crate::testing::{outline, with_ids};

    const WINDOW_PX: f64 = 300.0;

    fn placed(outline: Outline, bodies: &[(u32, f64, bool)]) -> Placed {
        let choice = Choice { all: Some(true), ..Choice::default() };
        let lines = lines(&outline, &choice);
        let bodies = bodies.iter().map(|it| LineBody { line: it.0, px: it.1, is_measured: it.2 });
        let n_lines = u32::try_from(lines.len()).unwrap();
        let layout = Layout::new(n_lines, 30.0, 0.0, bodies.collect());
        Placed { outline: outline.into(), lines: lines.into(), layout: layout.into() }
    }

    /// The pixel of the window at which the event with this id begins.
    fn seen_at(position: &Position, id: u32) -> f64 {
        let Placed { outline, lines, layout } = &position.placed;
        let line = Line::Row(outline.rows.row_of(id).unwrap());
        layout.top_px(index_of(outline, lines, line).unwrap()) - position.top_px
    }

    #[test]
    fn rows_inserted_above_do_not_move_the_view() {
        let before =
            Position { placed: placed(outline(&[0; 100]), &[]), top_px: 1_505.0, pin: None };
        // Twenty events that are nested in the first were read later.
        let depths: Vec<u16> = [&[0][..], &[1; 20], &[0; 99]].concat();
        let ids: Vec<u32> = (0..1).chain(100..120).chain(1..100).collect();
        let after = before.in_list(placed(with_ids(&depths, &ids), &[]), WINDOW_PX, None);
        for id in 51..60 {
            assert!((seen_at(&after, id) - seen_at(&before, id)).abs() < 1e-9);
        }
        assert!((after.top_px - 2_105.0).abs() < 1e-9);
        // Events after the window do not change anything.
        let longer = before.in_list(placed(outline(&[0; 500]), &[]), WINDOW_PX, None);
        assert!((longer.top_px - before.top_px).abs() < 1e-9);
    }

    #[test]
    fn measuring_a_body_above_does_not_move_the_rows_below() {
        let tree = || outline(&[0; 50]);
        // The window begins in the body of row 10, whose estimated height is 220 pixels.
        let guessed = placed(tree(), &[(10, 220.0, false)]);
        let before = Position { placed: guessed, top_px: 400.0, pin: None };
        let measured = placed(tree(), &[(10, 900.0, true)]);
        let after = before.in_list(measured.clone(), WINDOW_PX, None);
        assert!((seen_at(&after, 11) - seen_at(&before, 11)).abs() < 1e-9);
        // Once its height has been measured, the text in it stays in place when it grows.
        let before = Position { placed: measured, top_px: 1_000.0, pin: None };
        let after = before.in_list(placed(tree(), &[(10, 1_900.0, true)]), WINDOW_PX, None);
        assert!((after.top_px - before.top_px).abs() < 1e-9);
        // It is closed: the next row takes its place.
        let after = before.in_list(placed(tree(), &[]), WINDOW_PX, None);
        assert!(seen_at(&after, 11).abs() < 1e-9);
    }

    #[test]
    fn the_line_jumped_to_stays_in_place() {
        let tree = || outline(&[0; 50]);
        let guessed = placed(tree(), &[(10, 100.0, false), (11, 100.0, false)]);
        let before = Position { placed: guessed, top_px: 300.0, pin: Some(Line::Row(12)) };
        assert!((seen_at(&before, 12) - 260.0).abs() < 1e-9);
        let changed = placed(tree(), &[(10, 700.0, true), (11, 900.0, true)]);
        let other = before.in_list(changed.clone(), WINDOW_PX, Some(Line::Row(10)));
        assert!((seen_at(&other, 10) - seen_at(&before, 10)).abs() < 1e-9, "another is selected");
        let after = before.in_list(changed, WINDOW_PX, before.pin);
        assert!((seen_at(&after, 12) - 260.0).abs() < 1e-9);
        assert_eq!(after.pin, Some(Line::Row(12)));
    }

    #[test]
    fn the_selected_line_stays_when_the_mode_opens_all_bodies() {
        let tree = || outline(&[0; 50]);
        let closed = placed(tree(), &[(12, 100.0, true)]);
        let before = Position { placed: closed, top_px: 300.0, pin: None };
        let all = (0..50).map(|row| (row, 220.0, false)).collect::<Vec<_>>();
        let selected = Some(Line::Row(12));
        let after =
            before.pinned(selected, WINDOW_PX).in_list(placed(tree(), &all), WINDOW_PX, selected);
        assert!((seen_at(&after, 12) - seen_at(&before, 12)).abs() < 1e-9);
        // A selected line outside the window is not kept in place.
        let far = Some(Line::Row(40));
        assert_eq!(before.pinned(far, WINDOW_PX).pin, None);
    }

    #[test]
    fn a_line_that_was_hidden_comes_back_into_the_window() {
        let full = || placed(outline(&[0; 50]), &[]);
        let selected = Some(Line::Row(40));
        let before = Position { placed: full(), top_px: 1_100.0, pin: selected };
        let few = Placed { lines: vec![Line::Row(0), Line::Row(45)].into(), ..full() };
        let few = Placed { layout: Layout::new(2, 30.0, 0.0, Vec::new()).into(), ..few };
        let after = before.in_list(few, WINDOW_PX, selected).in_list(full(), WINDOW_PX, selected);
        assert!((seen_at(&after, 40) - 120.0).abs() < 1e-9);
    }

    #[test]
    fn who_reads_at_the_end_goes_along() {
        let before = Position { placed: placed(outline(&[0; 20]), &[]), top_px: 300.0, pin: None };
        assert!(before.is_at_end(WINDOW_PX) && !before.is_at_end(WINDOW_PX - 60.0));
        let longer = before.in_list(placed(outline(&[0; 30]), &[]), WINDOW_PX, None);
        assert!(!longer.is_at_end(WINDOW_PX));
        assert!((longer.at_end(WINDOW_PX).top_px - 600.0).abs() < 1e-9);
        let short = Position { placed: placed(outline(&[0; 3]), &[]), top_px: 0.0, pin: None };
        assert!(short.is_at_end(WINDOW_PX), "all of a short list is its end");
    }

    #[test]
    fn a_list_that_gets_short_is_shown_from_where_the_rows_were() {
        let before =
            Position { placed: placed(outline(&[0; 100]), &[]), top_px: 2_000.0, pin: None };
        let after = before.in_list(placed(outline(&[0; 5]), &[]), WINDOW_PX, None);
        assert!(after.top_px.abs() < 1e-9);
        let empty = before.in_list(placed(outline(&[]), &[]), WINDOW_PX, None);
        assert!(empty.top_px.abs() < 1e-9);
        assert!(
            (empty.in_list(placed(outline(&[0; 9]), &[]), WINDOW_PX, None).top_px).abs() < 1e-9
        );
    }
}
