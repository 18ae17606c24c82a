//! The rules of other tools, written from the constants that they publish. They stop an agent while it runs; here each
//! of them reads the whole session, and places that touch are one finding.

use crate::sessions::{Call, Found, Item, Session};

/// The names of the rules, in the order of the table.
pub const NAMES: [&str; 4] = ["OpenHands V0", "OpenHands SDK", "Gemini CLI", "AgentDbg"];

/// What each of the rules finds.
pub fn find(session: &Session) -> Vec<Found> {
    let mut found = session.agentdbg.clone();
    for lane in &session.lanes {
        for calls in lane.split(|item| matches!(item, Item::User)) {
            let calls: Vec<Call> = calls
                .iter()
                .filter_map(|item| match item {
                    Item::Call(call) => Some(*call),
                    Item::User => None,
                })
                .collect();
            add(NAMES[0], &calls, openhands_v0, &mut found);
            add(NAMES[1], &calls, openhands_sdk, &mut found);
            add(NAMES[2], &calls, gemini_cli, &mut found);
        }
    }
    found
}

/// Adds the findings of a rule that says for each call how many calls up to it are a loop.
fn add(name: &str, calls: &[Call], rule: fn(&[Call]) -> usize, found: &mut Vec<Found>) {
    let mut open: Option<(usize, usize)> = None;
    let mut close = |(from, to): (usize, usize)| {
        let calls = calls[from..to].iter().map(|call| call.number).collect();
        found.push(Found {
            rule: name.to_owned(),
            is_loud: true,
            is_critical: false,
            calls,
            rows: Vec::new(),
        });
    };
    for end in 1..=calls.len() {
        let len = rule(&calls[..end]);
        if len == 0 {
            continue;
        }
        open = match open {
            Some((from, to)) if end - len <= to => Some((from.min(end - len), end)),
            other => {
                other.into_iter().for_each(&mut close);
                Some((end - len, end))
            }
        };
    }
    open.into_iter().for_each(close);
}

/// The last `n` calls, if there are as many.
fn last(calls: &[Call], n: usize) -> Option<&[Call]> {
    calls.len().checked_sub(n).map(|from| &calls[from..])
}

/// `controller/stuck.py`: four equal actions with equal observations; three equal actions that all fail; two actions that
/// alternate three times with equal observations.
fn openhands_v0(calls: &[Call]) -> usize {
    let same = |a: &Call, b: &Call| a.action == b.action && a.result == b.result;
    let is_repeated = |it: &[Call]| it.windows(2).all(|pair| same(&pair[0], &pair[1]));
    let fails = |it: &[Call]| {
        it.iter().all(|call| call.has_failed)
            && it.windows(2).all(|pair| pair[0].action == pair[1].action)
    };
    let alternates = |it: &[Call]| it.windows(3).all(|three| same(&three[0], &three[2]));
    if last(calls, 6).is_some_and(alternates) {
        6
    } else if last(calls, 4).is_some_and(is_repeated) {
        4
    } else if last(calls, 3).is_some_and(fails) {
        3
    } else {
        0
    }
}

/// `stuck_detector.py`: the same with more than three failures, and with the thought as part of an action.
fn openhands_sdk(calls: &[Call]) -> usize {
    let action = |a: &Call, b: &Call| a.action == b.action && a.thought == b.thought;
    let same = |a: &Call, b: &Call| action(a, b) && a.result == b.result;
    let is_repeated = |it: &[Call]| it.windows(2).all(|pair| same(&pair[0], &pair[1]));
    let fails = |it: &[Call]| {
        it.iter().all(|call| call.has_failed)
            && it.windows(2).all(|pair| action(&pair[0], &pair[1]))
    };
    let alternates = |it: &[Call]| it.windows(3).all(|three| same(&three[0], &three[2]));
    if last(calls, 6).is_some_and(alternates) {
        6
    } else if last(calls, 4).is_some_and(|it| is_repeated(it) || fails(it)) {
        4
    } else {
        0
    }
}

/// `loopDetectionService.ts`: a block of one to five calls with equal arguments, five times.
fn gemini_cli(calls: &[Call]) -> usize {
    let repeats = |len: &usize| {
        let is_periodic = |it: &[Call]| {
            it.iter().zip(&it[*len..]).all(|(before, after)| before.action == after.action)
        };
        last(calls, len * 5).is_some_and(is_periodic)
    };
    (1..=5).find(repeats).map_or(0, |len| len * 5)
}
