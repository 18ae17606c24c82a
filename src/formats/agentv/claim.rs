//! Detection: the surest shape among the first records.

use super::members::Members;
use super::shape::Shape;
use crate::format::{Probe, Verdict};

/// How sure it is that records are AgentV's.
pub(super) fn verdict(probe: &Probe<'_>) -> Verdict {
    let mut likely = None;
    for record in probe.records {
        match Shape::of(&Members::of_probe(record)) {
            Some((shape, true)) => return Verdict::Certain(shape.words().to_owned()),
            Some((shape, false)) => likely = likely.or(Some(shape)),
            None => {}
        }
    }
    match likely {
        // So little is in it that its name must say the rest.
        Some(Shape::Timing) if probe.name != "timing.json" => Verdict::No,
        Some(Shape::Task) if !matches!(probe.name, "EVAL.yaml" | "targets.yaml") => Verdict::No,
        Some(shape) => Verdict::Likely(shape.words().to_owned()),
        None => Verdict::No,
    }
}
