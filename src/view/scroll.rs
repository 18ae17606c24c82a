//! Where lines stand in the scrolled list: arithmetic of the virtual list.
//!
//! Lines are of one height; an opened body stands between its line and the next and brings its own
//! height. Only the lines near the window are drawn.

/// The layout of the list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// How many lines there are.
    pub n_lines: u32,
    /// Height of a line in pixels.
    pub line_px: f64,
    /// Opened bodies as (line index, height in pixels), ordered by line.
    pub bodies: Vec<(u32, f64)>,
}

/// Browsers cannot make elements of any height (Firefox stops below 18 million pixels). Longer lists
/// are scaled down to this.
pub const MAX_PX: f64 = 15_000_000.0;

impl Layout {
    /// The height of everything, unscaled.
    #[must_use]
    pub fn full_px(&self) -> f64 {
        f64::from(self.n_lines) * self.line_px + self.bodies.iter().map(|(_, px)| px).sum::<f64>()
    }

    /// The height that the scrolled element gets.
    #[must_use]
    pub fn scroll_px(&self) -> f64 {
        self.full_px().min(MAX_PX)
    }

    /// Top of a line, unscaled.
    #[must_use]
    pub fn top_px(&self, line: u32) -> f64 {
        let bodies = self.bodies.iter().take_while(|(at, _)| *at < line);
        f64::from(line) * self.line_px + bodies.map(|(_, px)| px).sum::<f64>()
    }

    /// The line at a height, unscaled; the last one beyond the end.
    #[must_use]
    pub fn line_at(&self, px: f64) -> u32 {
        let mut above_px = 0.0;
        for (line, body_px) in &self.bodies {
            let bottom_px = f64::from(*line + 1) * self.line_px + above_px;
            if px < bottom_px {
                break;
            }
            if px < bottom_px + body_px {
                return *line;
            }
            above_px += body_px;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
        let line = ((px - above_px) / self.line_px).max(0.0) as u32;
        line.min(self.n_lines.saturating_sub(1))
    }

    /// Height in the list for a position of the scroll bar.
    #[must_use]
    pub fn from_scroll(&self, scroll_px: f64, window_px: f64) -> f64 {
        scroll_px * self.scale(window_px)
    }

    /// Position of the scroll bar for a height in the list.
    #[must_use]
    pub fn to_scroll(&self, px: f64, window_px: f64) -> f64 {
        px / self.scale(window_px)
    }

    fn scale(&self, window_px: f64) -> f64 {
        let room = (self.scroll_px() - window_px).max(1.0);
        ((self.full_px() - window_px) / room).max(1.0)
    }

    /// The lines to draw: those in the window and `spare` more on either side, as first and one
    /// past the last.
    #[must_use]
    pub fn window(&self, top_px: f64, window_px: f64, spare: u32) -> (u32, u32) {
        if self.n_lines == 0 {
            return (0, 0);
        }
        let first = self.line_at(top_px).saturating_sub(spare);
        let last = self.line_at(top_px + window_px).saturating_add(spare + 1);
        (first, last.min(self.n_lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout { n_lines: 10, line_px: 30.0, bodies: vec![(2, 100.0), (5, 50.0)] }
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
    fn long_lists_are_scaled_and_reach_both_ends() {
        let layout = Layout { n_lines: 1_000_000, line_px: 30.0, bodies: Vec::new() };
        assert!((layout.scroll_px() - MAX_PX).abs() < 1e-9);
        assert!((layout.from_scroll(0.0, 800.0)).abs() < 1e-9);
        let end = layout.from_scroll(MAX_PX - 800.0, 800.0);
        assert!((end - (30_000_000.0 - 800.0)).abs() < 1e-3);
        assert!((layout.to_scroll(end, 800.0) - (MAX_PX - 800.0)).abs() < 1e-3);
    }

    #[test]
    fn the_window_has_spare_lines() {
        assert_eq!(layout().window(0.0, 60.0, 2), (0, 5));
        assert_eq!(Layout::default().window(0.0, 60.0, 2), (0, 0));
    }
}
