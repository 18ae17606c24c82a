//! Collects all findings of a trace: the results of the rules, in order, without those that a stronger finding already
//! covers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::doings::Doing;
use super::draft::{Draft, What};
use super::rule_input::RuleInput;
use super::rules::{Family, RULES, Rule};
use super::settings::MAX_FINDINGS;
use super::{CallTexts, Findings, Results, Settings, Severity};
use traceloupe_core::model::{Event, EventId, EventKind, LaneId, RunId, Trace};

/// The findings of a trace, by run and first event. The same trace gives the same findings. Takes time proportional to
/// the number of events. At most [`MAX_FINDINGS`] are kept: the most severe and, among these, the longest.
#[must_use]
pub fn findings(trace: &Trace, settings: &Settings, texts: &dyn CallTexts) -> Findings {
    let context = RuleInput::new(trace, *settings, texts);
    let (mut in_row, mut apart, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    for draft in RULES.iter().flat_map(|find| find(&context)) {
        match draft.rule.family() {
            Family::InRow => in_row.push(draft),
            Family::Apart => apart.push(draft),
            Family::Reported
            | Family::Failures
            | Family::Context
            | Family::Edits
            | Family::Time => reports.push(draft),
        }
    }
    in_row.retain(|draft| says_more(&context, draft));
    leave_shortest(&mut in_row);
    traceloupe_core::sorting::sort_by_key(&mut in_row, |it| {
        (Reverse((it.severity, len(it))), it.run, it.first, is_exact(it))
    });
    // Warnings of the producer count like our own and come before our information.
    let ours = in_row.iter().take_while(|it| it.severity > Severity::Info).count();
    let found = in_row.len() + reports.len() + context.reports.dropped;
    reports.truncate(MAX_FINDINGS.saturating_sub(ours));
    in_row.truncate(MAX_FINDINGS - reports.len());
    leave_new(&context, &in_row, &mut apart);
    let n_told = in_row.len();
    leave_untold(&context, &mut apart, &mut in_row);
    let found = found + apart.len() + in_row.len() - n_told;
    apart.truncate(MAX_FINDINGS - reports.len() - in_row.len());
    let kept = reports.into_iter().chain(apart).chain(in_row);
    let mut list: Vec<_> = kept.filter_map(|draft| draft.finding(&context)).collect();
    traceloupe_core::sorting::sort_by_key(&mut list, |it| {
        let place = &it.place;
        (place.run, place.first, place.last, place.lane, it.rule.id())
    });
    let dropped = found - list.len();
    Findings { list, dropped }
}

/// Whether a repetition in a row is based on more than names, because agents that work well repeat names all the time.
fn says_more(context: &RuleInput<'_>, draft: &Draft) -> bool {
    let What::InRow { is_exact, reported, .. } = &draft.what else { return true };
    let says_more = *is_exact || draft.severity > Severity::Info || !reported.is_empty();
    says_more || context.settings.wants_names()
}

/// Whether a repetition in a row is more than information: by its severity, or because the producer also warned about
/// it.
fn is_loud(draft: &Draft) -> bool {
    let is_confirmed = |what: &What| match what {
        What::InRow { is_shadowed, reported, .. } => !reported.is_empty() && !is_shadowed,
        What::Apart { .. } | What::Report { .. } => false,
    };
    draft.severity > Severity::Info || is_confirmed(&draft.what)
}

/// Keeps, among possible loops that share steps, the one with the shortest block: each step folds into one line, and a
/// longer block adds nothing to a short one.
fn leave_shortest(in_row: &mut Vec<Draft>) {
    let mut by_period: Vec<(usize, LaneId, Range<usize>)> = Vec::new();
    for draft in in_row.iter().filter(|it| is_loud(it)) {
        if let What::InRow { stretch, .. } = &draft.what {
            by_period.push((stretch.period, draft.lane, stretch.steps()));
        }
    }
    traceloupe_core::sorting::sort_by_key(&mut by_period, |it| (it.0, it.1, it.2.start));
    let mut taken: BTreeMap<(LaneId, usize), usize> = BTreeMap::new();
    for (_, lane, steps) in by_period {
        let before = taken.range(..(lane, steps.end)).next_back();
        if before.is_none_or(|((of, _), end)| *of != lane || *end <= steps.start) {
            taken.insert((lane, steps.start), steps.end);
        }
    }
    in_row.retain(|draft| {
        let What::InRow { stretch, .. } = &draft.what else { return true };
        let steps = stretch.steps();
        !is_loud(draft) || taken.get(&(draft.lane, steps.start)) == Some(&steps.end)
    });
}

fn is_exact(draft: &Draft) -> bool {
    matches!(draft.what, What::InRow { is_exact: true, .. })
}

/// How many steps a repetition in a row covers.
fn len(draft: &Draft) -> usize {
    match &draft.what {
        What::InRow { stretch, .. } => stretch.len,
        What::Apart { events, .. } | What::Report { events, .. } => events.len(),
    }
}

/// Keeps the repeated calls with others between them that have enough calls outside of all possible loops in a row.
fn leave_new(context: &RuleInput<'_>, in_row: &[Draft], apart: &mut Vec<Draft>) {
    let mut covered: Vec<EventId> = Vec::new();
    for draft in in_row.iter().filter(|draft| draft.severity > Severity::Info) {
        let What::InRow { stretch, .. } = &draft.what else { continue };
        let lane = context.lanes.get(draft.lane.index());
        covered.extend(lane.map(|lane| lane.events(stretch.steps())).unwrap_or_default());
    }
    traceloupe_core::sorting::sort(&mut covered);
    let place = |draft: &Draft| match draft.what {
        What::Apart { at, .. } => (draft.rule != Rule::NoProgress, Reverse(len(draft)), at),
        What::InRow { .. } | What::Report { .. } => (false, Reverse(0), 0),
    };
    traceloupe_core::sorting::sort_by_key(apart, place);
    let mut kept: Vec<(Rule, LaneId, EventId, EventId)> = Vec::new();
    apart.retain(|draft| {
        let What::Apart { needed, events, .. } = &draft.what else { return true };
        // Calls that return in turn are one loop, and so are those that return where nothing else is new either.
        let is_within = |(rule, lane, first, last): &(Rule, LaneId, EventId, EventId)| {
            let n_within = events.iter().filter(|id| (first..=last).contains(id)).count();
            let is_same = n_within * 2 > events.len() || *rule == Rule::NoProgress && n_within > 1;
            draft.lane == *lane && is_same
        };
        if kept.iter().any(is_within) {
            return false;
        }
        let n_new = events.iter().filter(|id| covered.binary_search(id).is_err()).count();
        // A group whose calls are mostly in other findings adds nothing.
        let is_new = n_new >= *needed && n_new * 2 > events.len();
        if is_new {
            kept.push((draft.rule, draft.lane, draft.first, draft.last));
        }
        is_new
    });
}

/// One loop is one finding: leaves out repetitions whose calls are mostly in a finding apart. Calls that were all made
/// before take over the severity of what they include.
fn leave_untold(context: &RuleInput<'_>, apart: &mut [Draft], in_row: &mut Vec<Draft>) {
    let mut told: Vec<EventId> = Vec::new();
    for draft in apart.iter() {
        if let What::Apart { events, .. } = &draft.what {
            told.extend(events);
        }
    }
    traceloupe_core::sorting::sort(&mut told);
    in_row.retain(|draft| {
        let What::InRow { stretch, reported, .. } = &draft.what else { return true };
        let lane = context.lanes.get(draft.lane.index());
        let ids = lane.map(|lane| lane.events(stretch.full())).unwrap_or_default().iter();
        let is_call = |id: &&EventId| {
            context.trace.event(**id).is_some_and(|it| it.kind == EventKind::ToolCall)
        };
        let calls: Vec<EventId> = ids.filter(is_call).copied().collect();
        if !reported.is_empty() || calls.is_empty() {
            return true;
        }
        let includes = |it: &&mut Draft| {
            let is_wide = matches!(it.rule, Rule::NoProgress | Rule::RepeatApart);
            let is_apart = it.last < draft.first || draft.last < it.first;
            let is_part = !is_apart && includes_most(it, &calls);
            is_wide && it.lane == draft.lane && (is_part || goes_on(context, draft, it, &calls))
        };
        if is_loud(draft) {
            let around = apart.iter_mut().find(includes);
            return around.map(|it| it.severity = it.severity.max(draft.severity)).is_none();
        }
        let n_told = calls.iter().filter(|id| told.binary_search(id).is_ok()).count();
        n_told * 2 < calls.len()
    });
}

/// How many events between a repetition in a row and calls that go on with it, or of a loop, are looked at.
const MAX_EVENTS: usize = 200;

/// Whether a repetition in a row is a part of a loop of which it has other calls, or came before or after it.
fn goes_on(context: &RuleInput<'_>, in_row: &Draft, apart: &Draft, calls: &[EventId]) -> bool {
    let What::Apart { events, .. } = &apart.what else { return false };
    let called = |ids: Range<usize>| {
        let events = ids.filter_map(|at| context.trace.event(EventId::from_index(at)));
        events.filter(|it| it.lane == in_row.lane && it.kind == EventKind::ToolCall)
    };
    if apart.rule == Rule::RepeatApart {
        // Look-ups that return in turn: one of them is made a few times in a row, and another one is every fourth call.
        let all = apart.first.index()..apart.last.index() + 1;
        let is_within = apart.first <= in_row.first && in_row.last <= apart.last;
        let is_same = matches!(in_row.what, What::InRow { results: Results::Same, .. });
        let is_brief = in_row.severity == Severity::Warning && all.len() <= MAX_EVENTS * 4;
        return is_within && is_same && is_brief && called(all).count() <= events.len() * 4;
    }
    // The agent goes round in the same calls, in equal rounds at first or in the end, and changes nothing between.
    let between = in_row.last.min(apart.last).index()..in_row.first.max(apart.first).index();
    if between.len() > MAX_EVENTS {
        return false;
    }
    let key = |event: &Event| (event.name, context.trace.alike_hash(event));
    let known = events.iter().filter_map(|id| context.trace.event(*id));
    let known: BTreeSet<_> = known.map(key).collect();
    let repeated = calls.iter().filter_map(|id| context.trace.event(*id));
    repeated.filter(|event| known.contains(&key(event))).count() * 2 >= calls.len()
        && !called(between).any(|it| context.known.of(context.trace, it).doing == Doing::Changes)
}

/// Whether most of some calls are among those of a finding apart.
fn includes_most(apart: &Draft, calls: &[EventId]) -> bool {
    let What::Apart { events, .. } = &apart.what else { return false };
    let is_within = |id: &&EventId| match apart.rule {
        Rule::NoProgress => (apart.first..=apart.last).contains(*id),
        _ => events.binary_search(id).is_ok(),
    };
    let n_within = calls.iter().filter(is_within).count();
    n_within * 2 >= calls.len()
}

/// The first failed event of a run, in display order.
#[must_use]
pub fn first_error(trace: &Trace, run: RunId) -> Option<EventId> {
    let failed = |id: &EventId| trace.event(*id).is_some_and(Event::is_error);
    trace.order(run).iter().copied().find(failed)
}
