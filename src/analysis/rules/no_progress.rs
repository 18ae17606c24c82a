//! Calls in a row that were all made before, with the same results, since something was changed last: the agent goes
//! round, though not in equal rounds.

use rustc_hash::FxHashSet;

use super::Rule;
use crate::doings::Doing;
use crate::draft::{Draft, What};
use crate::keys::hash;
use crate::known_calls::Known;
use crate::rule_input::RuleInput;
use crate::steps::LaneSteps;
use crate::{Arguments, Results, Severity};
use traceloupe_core::model::{EventId, EventKind, LaneId};

/// The number of steps without anything new that is a warning: more than the longest cycle has, because doing something
/// twice is no loop.
const STEPS: usize = 13;
/// The number of steps that is critical.
const CRITICAL: usize = 20;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    let mut found = Vec::new();
    for (at, lane) in context.lanes.iter().enumerate() {
        for segment in lane.segments() {
            of_segment(context, (LaneId::from_index(at), lane), segment, &mut found);
        }
    }
    found
}

/// What a step adds to what is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum News {
    Something,
    Nothing,
    /// It has no calls, or only waits.
    Aside,
}

fn of_segment(
    context: &RuleInput<'_>,
    (id, lane): (LaneId, &LaneSteps),
    segment: std::ops::Range<usize>,
    found: &mut Vec<Draft>,
) {
    let mut seen = FxHashSet::default();
    let mut streak = Streak::default();
    for step in segment {
        let events = lane.events(step..step + 1);
        match news(context, events, &mut seen) {
            News::Aside => {}
            News::Nothing => streak.add(events),
            News::Something => {
                found.extend(std::mem::take(&mut streak).draft(context, id, found.len()))
            }
        }
    }
    found.extend(streak.draft(context, id, found.len()));
}

fn news(context: &RuleInput<'_>, events: &[EventId], seen: &mut FxHashSet<u64>) -> News {
    let mut news = News::Aside;
    for id in events {
        let event = context.trace.event(*id).filter(|it| it.kind == EventKind::ToolCall);
        let Some(event) = event else { continue };
        let Known { result, doing, .. } = context.known.of(context.trace, event);
        if doing == Doing::Waits {
            continue;
        }
        let key = hash((event.name, context.trace.alike_hash(event), result));
        if result != 0 && seen.contains(&key) {
            news = if news == News::Something { news } else { News::Nothing };
            continue;
        }
        // After a change, the same calls may give something else.
        if doing == Doing::Changes && !event.is_error() {
            seen.clear();
        }
        seen.insert(key);
        news = News::Something;
    }
    news
}

/// Steps without anything new.
#[derive(Default)]
struct Streak {
    n_steps: usize,
    events: Vec<EventId>,
}

impl Streak {
    fn add(&mut self, events: &[EventId]) {
        self.n_steps += 1;
        self.events.extend(events);
    }

    fn draft(self, context: &RuleInput<'_>, lane: LaneId, at: usize) -> Option<Draft> {
        let severity = match self.n_steps {
            0..STEPS => return None,
            STEPS..CRITICAL => Severity::Warning,
            _ => Severity::Critical,
        };
        let (first, last) = (*self.events.first()?, *self.events.last()?);
        let run = context.trace.event(first)?.run;
        let what = What::Apart {
            at,
            needed: STEPS,
            events: self.events,
            args: Arguments::Different,
            results: Results::Same,
        };
        Some(Draft { rule: Rule::NoProgress, severity, run, lane, first, last, what })
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn calls_that_were_all_made_before_are_no_progress() {
        let first: String = (0..7).map(|at| format!("T{at}(x)=r{at} ")).collect();
        // In another order each round.
        let again = |from: usize, times: usize| {
            let nth = |at: usize| (at * (2 + at / 7)) % 7;
            (from..from + times).map(|at| format!("T{0}(x)=r{0} ", nth(at))).collect::<String>()
        };
        let found = |times: usize| lines(&format!("{first}{}", again(0, times)));
        assert_eq!(found(12), [""; 0]);
        assert_eq!(found(13), ["Warning no-progress T0,T2,T4,T6,T1,T3,T5 x13 from 7"]);
        assert_eq!(found(20), ["Critical no-progress T0,T2,T4,T6,T1,T3,T5 x20 from 7"]);
        let round = "T0(x)=r0 T1(x)=r1 ".repeat(3);
        let one = ["Critical no-progress T0,T2,T4,T6,T1,T3,T5 x13 from 11"];
        let rest: String = (2..7).map(|at| format!("T{at}(x)=r{at} ")).collect();
        assert_eq!(lines(&format!("{round}{rest}{}", again(0, 13))), one, "it began in rounds");
        let changed = |by: &str| format!("{first}{}{by} {}", again(0, 9), again(9, 9));
        assert_eq!(lines(&changed("edit(f)=ok")), [""; 0]);
        assert_eq!(lines(&changed("sh(sed~-i~s/a/b/~f)=ok")), [""; 0]);
        assert_eq!(lines(&changed("wait(1)=ok")).len(), 1, "waiting is no progress either");
    }
}
