//! The samples that the empty page offers, with what is drawn and said of them before they are opened. `tests/integration/samples.rs`
//! compares all of it with the files.

use crate::overview::{LOOKS, OverviewLane, Stretch};

/// A sample, served beside the page.
#[derive(Debug)]
pub struct Sample {
    /// The name of its file.
    pub file: &'static str,
    /// Its overview by steps, a text for each lane: `21l` is a stretch of 21 buckets of LLM calls (the letters are
    /// [`LETTERS`]), `102.` one without steps. A possible loop stands in brackets, `!` before a stretch marks an error.
    pub lanes: &'static [&'static str],
    /// Possible loops.
    pub n_loops: u64,
    /// Failed events.
    pub n_errors: u64,
}

/// A letter for each of the [`LOOKS`].
pub const LETTERS: &str = "sefrtalkunw";

/// The samples.
pub const SAMPLES: [Sample; 3] = [
    Sample {
        file: "trip-planner.jsonl",
        lanes: &[
            "13.14n13l14r14l13t14l14f13n(14l14f13l14f13l14f14w13l14w14f13l14f14l13f14l13f1l)13l14r13l14f14n13l14f14l13t14l!13t14l14t13n14l14e13l14n",
        ],
        n_loops: 1,
        n_errors: 1,
    },
    Sample {
        file: "bug-fix.jsonl",
        lanes: &[
            "14.15u(14l!15s15l!14s15k!15s1l)13l15t14l15a117.15l29r15l14e15l!15s14l15e15l14s15l14t15s15l14u15l15r14l15e14l",
            "175.15u14l15f15l14r15l15s14l",
        ],
        n_loops: 1,
        n_errors: 4,
    },
    Sample {
        file: "nightly-report.jsonl",
        lanes: &["21.21n22.21r22t21.(64t22w64t1r)21r21n21.22l21s22f21l22s21n21.22t43l!21t!21w"],
        n_loops: 1,
        n_errors: 2,
    },
];

impl Sample {
    /// Its lanes.
    #[must_use]
    pub fn overview(&self) -> Vec<OverviewLane> {
        self.lanes.iter().map(|text| lane(text)).collect()
    }
}

fn lane(text: &str) -> OverviewLane {
    let mut lane = OverviewLane::default();
    let (mut at, mut len, mut loop_from) = (0, 0, 0);
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            len = len * 10 + digit;
            continue;
        }
        match letter {
            '(' => loop_from = at,
            ')' => lane.loops.push((loop_from, at - loop_from)),
            '!' => lane.errors.push(at),
            _ => {
                let look = LETTERS.find(letter).and_then(|place| LOOKS.get(place));
                lane.stretches.extend(look.map(|look| Stretch { from: at, len, look }));
                at += len;
                len = 0;
            }
        }
    }
    lane
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_read_from_its_text() {
        let lane = lane("10.(5l!20s)1e");
        let stretch = |from, len, look| Stretch { from, len, look };
        let all = [stretch(10, 5, "llm"), stretch(15, 20, "shell"), stretch(35, 1, "edit")];
        assert_eq!(lane.stretches, all);
        assert_eq!((lane.loops, lane.errors), (vec![(10, 25)], vec![15]));
    }
}
