//! The flame graph of a run: the bars of a waterfall, with nested rows below the bar of their parent.

use std::ops::Range;

use crate::outline::Outline;
use crate::run_axis::{Scale, Zoom};
use traceloupe_protocol::outline::RunLine;

/// The bar of a row, as shares of the axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// The row.
    pub row: u32,
    /// Its start.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// The bars of some rows, grouped by level.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Flame {
    /// The bars of each level, sorted by start.
    levels: Vec<Vec<Bar>>,
    first_row: u32,
    /// The level of each row's bar; [`NO_BAR`] if it has none.
    level_of: Vec<u32>,
}

/// Means that a row has no bar.
const NO_BAR: u32 = u32::MAX;

/// How many levels below its own are tried for a bar that overlaps others.
const MAX_BESIDE: u32 = 64;

/// Bars may overlap by this share of their length, because times are inexact.
const OVERLAP: f64 = 0.05;

/// One drawn shape: a bar, or several bars that are too narrow to be distinguished.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drawn {
    /// Its level.
    pub level: u32,
    /// The row of the first bar.
    pub row: u32,
    /// How many bars it represents.
    pub n: u32,
    /// Its start, as a share of the visible range.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// Narrower bars are merged, in pixels.
const MIN_PX: f64 = 0.5;

impl Flame {
    /// The bars of a run.
    #[must_use]
    pub fn new(outline: &Outline, run: &RunLine, scale: &Scale) -> Self {
        let first_row = run.first_row;
        let rows = first_row..first_row + run.n_rows;
        let mut level_of = vec![NO_BAR; rows.len()];
        // The level at which the children of each row may start, and the end of the last bar on each level.
        let mut inside = vec![0; rows.len()];
        let mut ends: Vec<f64> = Vec::new();
        let mut levels: Vec<Vec<Bar>> = Vec::new();
        for (at, row) in rows.enumerate() {
            let parent = outline.rows.parents.get(row).checked_sub(first_row);
            let above = parent.and_then(|it| inside.get(it as usize)).copied().unwrap_or(0);
            let mut below = above;
            if !outline.rows.durations_ms.get(row).is_nan()
                && let Some((from, to)) = scale.of_row(outline, run, row)
            {
                let len = (to - from).max(0.0);
                let is_free = |level: &u32| {
                    let end = ends.get(*level as usize).copied().unwrap_or(0.0);
                    end <= from + len * OVERLAP
                };
                let level = (above..above + MAX_BESIDE).find(is_free).unwrap_or(above);
                let place = level as usize;
                if levels.len() <= place {
                    levels.resize(place + 1, Vec::new());
                    ends.resize(place + 1, 0.0);
                }
                if let (Some(bars), Some(end)) = (levels.get_mut(place), ends.get_mut(place)) {
                    bars.push(Bar { row, from, to: from + len });
                    *end = end.max(from + len);
                }
                if let Some(slot) = level_of.get_mut(at) {
                    *slot = level;
                }
                below = level + 1;
            }
            if let Some(slot) = inside.get_mut(at) {
                *slot = below;
            }
        }
        for bars in &mut levels {
            if !bars.is_sorted_by(|a, b| a.from <= b.from) {
                traceloupe_core::sorting::sort_by(bars, |a, b| a.from.total_cmp(&b.from));
            }
        }
        Self { levels, first_row, level_of }
    }

    /// How many levels there are.
    #[must_use]
    pub fn n_levels(&self) -> u32 {
        u32::try_from(self.levels.len()).unwrap_or(u32::MAX)
    }

    /// The level of a row's bar.
    #[must_use]
    pub fn level(&self, row: u32) -> Option<u32> {
        let at = row.checked_sub(self.first_row)? as usize;
        self.level_of.get(at).copied().filter(|level| *level != NO_BAR)
    }

    /// The shapes to draw on some levels, when this part of the axis is shown on this many pixels.
    #[must_use]
    pub fn drawn(&self, levels: Range<u32>, zoom: Zoom, width_px: f64) -> Vec<Drawn> {
        let mut drawn: Vec<Drawn> = Vec::new();
        let min = MIN_PX / width_px.max(1.0);
        for (level, bars) in (0..).zip(&self.levels).filter(|(level, _)| levels.contains(level)) {
            let before = bars.partition_point(|bar| zoom.begins_after(bar.from));
            // A long bar may start before the visible range.
            let first = before.saturating_sub(MAX_BESIDE as usize);
            let near = bars.get(first..).unwrap_or_default().iter();
            let near = near.take_while(|bar| !zoom.ends_before(bar.from));
            for bar in near {
                let Some((from, to)) = zoom.stretch((bar.from, bar.to)) else { continue };
                let is_narrow = to - from < min;
                match drawn.last_mut() {
                    Some(last)
                        if is_narrow
                            && last.level == level
                            && (last.n > 1 || last.to - last.from < min)
                            && from - last.to < min =>
                    {
                        last.n += 1;
                        last.to = last.to.max(to);
                    }
                    _ => drawn.push(Drawn { level, row: bar.row, n: 1, from, to }),
                }
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_axis::Axis;
    use crate::testing::{with_nested_times, with_times};

    fn flame(outline: &Outline) -> Flame {
        let run = &outline.runs[0];
        Flame::new(outline, run, &Scale::new(outline, run, Axis::Time))
    }

    #[test]
    fn what_is_inside_is_below_and_what_runs_beside_is_further_below() {
        // Row 0 contains 1, 2 and 4. Row 2 overlaps 1 and contains 3. Row 4 starts after both have ended.
        let outline = with_nested_times(&[
            (0, 0.0, 100.0),
            (1, 10.0, 30.0),
            (1, 20.0, 40.0),
            (2, 30.0, 10.0),
            (1, 70.0, 20.0),
            (0, 100.0, f64::NAN),
        ]);
        let flame = flame(&outline);
        let levels: Vec<Option<u32>> = (0..6).map(|row| flame.level(row)).collect();
        assert_eq!(levels, [Some(0), Some(1), Some(2), Some(3), Some(1), None]);
        assert_eq!(flame.n_levels(), 4);
        assert_eq!(flame.level(99), None);
    }

    #[test]
    fn narrow_bars_are_drawn_together_and_apart_when_zoomed_in() {
        let times: Vec<(f64, f64)> = (0..100_000).map(|at| (f64::from(at), 1.0)).collect();
        let outline = with_times(&times);
        let flame = flame(&outline);
        assert_eq!(flame.n_levels(), 1);
        let all = flame.drawn(0..1, Zoom::default(), 1000.0);
        assert_eq!(all.len(), 1, "they lie side by side");
        assert_eq!((all[0].row, all[0].n), (0, 100_000));
        let part = flame.drawn(0..1, Zoom::default().part(0.5, 0.5001), 1000.0);
        assert!((10..=13).contains(&part.len()), "{}", part.len());
        assert!(part.iter().all(|it| it.n == 1));
        assert!(flame.drawn(1..9, Zoom::default(), 1000.0).is_empty());
    }

    #[test]
    fn a_bar_that_began_before_the_part_is_drawn_in_it() {
        let outline = with_nested_times(&[(0, 0.0, 100.0), (1, 0.0, 10.0), (1, 90.0, 10.0)]);
        let flame = flame(&outline);
        let drawn = flame.drawn(0..9, Zoom::default().part(0.4, 0.6), 500.0);
        let rows: Vec<u32> = drawn.iter().map(|it| it.row).collect();
        assert_eq!(rows, [0]);
        assert!((drawn[0].from, drawn[0].to) == (0.0, 1.0), "it fills what is shown");
    }

    #[test]
    fn deep_and_wide_runs_end() {
        let deep: Vec<(u16, f64, f64)> =
            (0..50_000).map(|at| (at, f64::from(at), 100_000.0 - 2.0 * f64::from(at))).collect();
        assert_eq!(flame(&with_nested_times(&deep)).n_levels(), 50_000);
        let wide: Vec<(f64, f64)> = (0..50_000).map(|at| (f64::from(at), 60_000.0)).collect();
        assert_eq!(flame(&with_times(&wide)).n_levels(), MAX_BESIDE);
    }
}
