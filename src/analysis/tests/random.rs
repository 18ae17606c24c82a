//! Random traces: invariants of every finding.

use std::collections::HashSet;

use proptest::prelude::*;

use super::super::keys::{Compare, keys};
use super::super::steps::lanes;
use super::super::stretches::{Limits, stretches};
use super::super::{
    Findings, LoopRule, NoTexts, Settings, Severity, Signature, findings, signatures, warnings,
};
use super::notation::trace;
use traceloupe_core::model::{EventId, RunId, Trace};

/// Few different words, so that repetitions are frequent.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("A(x)=r"),
        Just("A(x)=s"),
        Just("A(y)=r"),
        Just("B(x)=r"),
        Just("B(x)=!e"),
        Just("B(x)"),
        Just("L:m(p)=a"),
        Just("L:m=b"),
        Just("L:m [A(x)=r B(y)=r]"),
        Just("L:m [B(y)=r A(x)=r]"),
        Just("S(1)"),
        Just("S"),
        Just("U"),
        Just("a/A(x)=r"),
        Just("a/B(y)=r"),
        Just("W:TOOL_CALL:A"),
        Just("W:TOOL_CALL:B~->~TOOL_CALL:A"),
        Just("W:stuck"),
    ];
    let block = prop::collection::vec(word, 1..5).prop_map(|words| words.join(" "));
    let repeated = (block, 1_usize..6).prop_map(|(block, times)| vec![block; times].join(" "));
    prop::collection::vec(repeated, 0..12).prop_map(|parts| parts.join(" "))
}

fn any_settings() -> impl Strategy<Value = Settings> {
    (0_usize..60, 0_usize..30, any::<bool>())
        .prop_map(|(window, times, names)| Settings::new(window, times).with_names(names))
}

fn check_events(trace: &Trace, found: &Findings) {
    let mut folded = HashSet::new();
    for finding in &found.list {
        let place = &finding.place;
        let ids = &place.events;
        assert!(ids.is_sorted(), "{finding:?}");
        assert_eq!(ids.first(), Some(&place.first));
        assert_eq!(ids.last(), Some(&place.last));
        let of_lane = |id: &EventId| trace.event(*id).is_some_and(|it| it.lane == place.lane);
        assert!(ids.iter().all(of_lane), "lanes are mixed: {finding:?}");
        assert!(ids.ends_with(&place.repeats));
        if finding.severity > Severity::Info && !finding.rule.is_apart() {
            for id in &place.repeats {
                assert!(folded.insert(*id), "{id:?} is in two folds");
            }
        }
    }
    let mut reported: Vec<EventId> =
        found.list.iter().flat_map(|it| it.place.reported.iter().copied()).collect();
    reported.sort_unstable();
    let n_reported = reported.len();
    reported.dedup();
    assert_eq!(reported.len(), n_reported, "a warning is in two findings");
    let runs = 0..trace.runs().len();
    let n_warnings: u64 = runs.map(|it| trace.totals(RunId::from_index(it)).loop_warnings).sum();
    assert_eq!(n_warnings, u64::try_from(n_reported).unwrap(), "a warning is lost");
}

/// The producers' pseudo-code, word for word.
fn slow_warnings(list: &[Signature], rule: LoopRule) -> Vec<(usize, usize, usize)> {
    let mut emitted = HashSet::new();
    let mut out = Vec::new();
    for at in 0..list.len() {
        if list[at].is_state && !rule.states_trigger {
            continue;
        }
        let seen: Vec<u32> = list[..=at].iter().map(|it| it.text).collect();
        let window = &seen[seen.len().saturating_sub(rule.window)..];
        for m in 1..=window.len() / rule.repetitions {
            let tail = &window[window.len() - m * rule.repetitions..];
            if tail == tail[..m].repeat(rule.repetitions) {
                if emitted.insert(tail[..m].to_vec()) {
                    out.push((at, m, window.len()));
                }
                break;
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_hold_together(text in words(), settings in any_settings()) {
        let trace = trace(&text);
        let found = findings(&trace, &settings, &NoTexts);
        check_events(&trace, &found);
        prop_assert_eq!(&found, &findings(&trace, &settings, &NoTexts), "not the same twice");
        prop_assert!(found.list.is_sorted_by_key(|it| (it.place.run, it.place.first)));
    }

    #[test]
    fn stretches_are_periodic_and_as_long_as_they_can_be(
        text in words(),
        max_period in 1_usize..9,
        min_repetitions in 2_usize..5,
    ) {
        let trace = trace(&text);
        for lane in &lanes(&trace) {
            let keys = keys(&trace, lane, Compare::Names);
            let limits = Limits { max_period, min_repetitions };
            let found = stretches(&keys, lane.segments(), limits, |_| true);
            let taken = |step: usize| found.iter().any(|it| it.steps().contains(&step));
            for it in &found {
                prop_assert!(it.repetitions() >= min_repetitions && it.period <= max_period);
                let segment = lane.segments().find(|segment| segment.contains(&it.start)).unwrap();
                prop_assert!(it.steps().end <= segment.end, "over a message of the user");
                for step in it.steps().skip(it.period) {
                    prop_assert_eq!(keys[step], keys[step - it.period]);
                }
                for smaller in 1..it.period {
                    let same = |step: usize| keys[step] == keys[step - smaller];
                    prop_assert!(!it.steps().skip(smaller).all(same), "a smaller period does");
                }
                let end = it.steps().end;
                let goes_on = end < segment.end && keys[end] == keys[end - it.period];
                prop_assert!(!goes_on || taken(end), "could be longer at its end");
                let before = it.start.checked_sub(1).filter(|step| *step >= segment.start);
                let begins_earlier = before.is_some_and(|step| keys[step] == keys[step + it.period]);
                prop_assert!(!begins_earlier || taken(it.start - 1), "could begin earlier");
            }
            for (a, b) in found.iter().zip(found.iter().skip(1)) {
                prop_assert!(a.steps().end <= b.start, "two overlap");
            }
            // Nothing is missed: a block that occurs often enough has a step in a stretch.
            for segment in lane.segments() {
                for period in 1..=max_period {
                    let len = period * min_repetitions;
                    for start in segment.start..(segment.end + 1).saturating_sub(len) {
                        let mut later = start + period..start + len;
                        if later.all(|step| keys[step] == keys[step - period]) {
                            prop_assert!((start..start + len).any(taken), "a stretch is missed");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_rule_does_as_its_pseudo_code(
        text in words(),
        window in 4_usize..20,
        repetitions in 2_usize..5,
        states_trigger: bool,
    ) {
        let trace = trace(&text);
        let rule = LoopRule { window, repetitions, states_trigger };
        let list = signatures(&trace, RunId::from_index(0)).list;
        let found = warnings(&list, rule);
        let found: Vec<_> = found.iter().map(|it| (it.at, it.pattern_length, it.window_size)).collect();
        prop_assert_eq!(found, slow_warnings(&list, rule));
    }
}

/// The time for a long trace is proportional to its length, whatever its content.
#[test]
fn long_traces_are_no_trouble() {
    for block in
        ["A(x)=r ", "A(x)=r B(y)=s ", "A(x)=r U ", "L:m [A(x)=r] ", "A(x)=r W:TOOL_CALL:A "]
    {
        let trace = trace(&block.repeat(20_000));
        check_events(&trace, &findings(&trace, &Settings::default(), &NoTexts));
    }
}
