//! A run as a strip of a few bars: the work of its main agent, in blocks wide enough to see.

use crate::overview::{N_BUCKETS, OverviewLane};

/// Width of the strip of the longest run, in pixels.
pub const STRIP_PX: u32 = 236;

/// The minimum width of a bar including the gap after it, in pixels.
const CELL_PX: u32 = 6;

/// The strip of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunStrip {
    /// Its width in pixels.
    pub width: u32,
    /// Bars without the gap after them: start, width, and style word of the look.
    pub bars: Vec<(u32, u32, &'static str)>,
    /// Possible loops: start and width.
    pub loops: Vec<(u32, u32)>,
}

impl RunStrip {
    /// The strip of a lane. `share` is the length of the run relative to the longest run.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // pixels of a short strip
    pub fn new(lane: &OverviewLane, share: f64) -> Self {
        let n_cells = (share * f64::from(STRIP_PX / CELL_PX)).round().max(1.0) as u32;
        let n_buckets = N_BUCKETS as u32;
        let mut bars: Vec<(u32, u32, &'static str)> = Vec::new();
        for cell in 0..n_cells {
            let (from, to) = (cell * n_buckets / n_cells, (cell + 1) * n_buckets / n_cells);
            let before = bars.last().filter(|it| it.0 + it.1 == cell).map(|it| it.2);
            let look = main_look(lane, from, to, before);
            match bars.last_mut() {
                _ if look.is_empty() => {}
                Some(last) if before == Some(look) => last.1 += 1,
                _ => bars.push((cell, 1, look)),
            }
        }
        for bar in &mut bars {
            (bar.0, bar.1) = (bar.0 * CELL_PX, bar.1 * CELL_PX - 1);
        }
        let px = |bucket: u32| bucket * n_cells * CELL_PX / n_buckets;
        // Even a loop of less than a pixel must be visible.
        let loops = lane.loops.iter().map(|(from, len)| {
            let (from, to) = (px(*from), px(from + len));
            (from, (to - from).max(CELL_PX - 1))
        });
        Self { width: n_cells * CELL_PX, bars, loops: loops.collect() }
    }
}

/// The look that fills the largest part of some buckets. On a tie, the look of the previous bar wins.
fn main_look(
    lane: &OverviewLane,
    from: u32,
    to: u32,
    before: Option<&'static str>,
) -> &'static str {
    let mut sums: Vec<(&'static str, u32)> = Vec::new();
    let first = lane.stretches.partition_point(|it| it.from + it.len <= from);
    let stretches = lane.stretches.get(first..).unwrap_or_default().iter();
    for stretch in stretches.take_while(|it| it.from < to) {
        let n = to.min(stretch.from + stretch.len) - from.max(stretch.from);
        match sums.iter_mut().find(|it| it.0 == stretch.look) {
            Some((_, sum)) => *sum += n,
            None => sums.push((stretch.look, n)),
        }
    }
    let is_more =
        |it: &(&str, u32), most: u32| it.1 > most || (it.1 == most && Some(it.0) == before);
    sums.into_iter().fold(("", 0), |most, it| if is_more(&it, most.1) { it } else { most }).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overview::Stretch;

    #[test]
    fn narrow_neighbours_are_one_bar_of_what_they_are_most() {
        // Steps of five buckets. The 39 bars hold three or four steps each.
        let look = |at: u32| if at.is_multiple_of(4) { "llm" } else { "shell" };
        let stretch = |at: u32| Stretch { from: at * 5, len: 5, look: look(at) };
        let mut stretches: Vec<Stretch> = (0..60).map(stretch).collect();
        stretches.push(Stretch { from: 400, len: 200, look: "edit" });
        let lane = OverviewLane { stretches, loops: vec![(400, 1)], ..OverviewLane::default() };
        let strip = RunStrip::new(&lane, 1.0);
        assert_eq!(strip.width, 234);
        assert_eq!(strip.bars.iter().map(|it| it.2).collect::<Vec<_>>(), ["shell", "edit"]);
        assert!(strip.bars.windows(2).all(|two| two[0].0 + two[0].1 < two[1].0), "with a gap");
        assert_eq!(strip.loops, [(156, 5)]);
        assert_eq!(RunStrip::new(&lane, 0.001).bars.len(), 1, "a short one is seen");
        assert_eq!(RunStrip::new(&OverviewLane::default(), 1.0).bars, []);
    }
}
