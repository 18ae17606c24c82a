//! Statistics for each model and tool: number of calls, durations, failures.

use rustc_hash::FxHashMap;

use traceloupe_core::model::{
    CallOutcome, Event, EventId, EventKind, Flags, LaneId, NameId, RunId, TimeBasis, Trace, Usage,
};

/// The distribution of a measure, such as the durations of some events.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// How many values are known.
    pub n: u64,
    /// Percentiles by nearest rank: the 50th, 90th, 95th and 99th. 0 if no value is known.
    pub sum: f64,
    /// Percentiles by nearest rank: the 50th, 90th, 95th and 99th. 0 where no value is known.
    pub percentiles: [f64; 4],
}

/// The percentiles of a [`Spread`], in order.
pub const PERCENTILES: [u8; 4] = [50, 90, 95, 99];

impl Spread {
    /// The distribution of these known values.
    #[must_use]
    pub fn new(mut values: Vec<f64>) -> Self {
        traceloupe_core::sorting::sort_floats(&mut values);
        // The smallest value that is not less than p percent of the values.
        let rank = |p: u8| (values.len() * usize::from(p)).div_ceil(100).saturating_sub(1);
        let percentile = |p: u8| values.get(rank(p)).copied().unwrap_or_default();
        Self {
            n: values.len() as u64,
            sum: values.iter().sum(),
            percentiles: PERCENTILES.map(percentile),
        }
    }

    /// The mean, if any value is known.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss)] // a number of events
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

/// All calls of one model or tool.
#[derive(Clone, PartialEq, Debug)]
pub struct Calls {
    /// LLM call, tool call, or agent.
    pub kind: EventKind,
    /// The model or tool.
    pub name: NameId,
    /// How many calls.
    pub n: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many have no result in the file.
    pub without_result: u64,
    /// Durations in milliseconds.
    pub duration_ms: Spread,
    /// Whether any of these durations was inferred.
    pub is_inferred: bool,
    /// Tokens, summed over the calls that report them.
    pub usage: Usage,
}

/// Counts that grow event by event.
struct Gathered {
    calls: Calls,
    durations_ms: Vec<f64>,
}

impl Gathered {
    fn new(kind: EventKind, name: NameId) -> Self {
        let calls = Calls {
            kind,
            name,
            n: 0,
            errors: 0,
            without_result: 0,
            duration_ms: Spread::default(),
            is_inferred: false,
            usage: Usage::default(),
        };
        Self { calls, durations_ms: Vec::new() }
    }

    /// Adds an event, with its tokens if they belong to the event itself.
    fn add(&mut self, trace: &Trace, id: EventId, event: &Event, with_tokens: bool) {
        let calls = &mut self.calls;
        calls.n += 1;
        calls.errors += u64::from(event.is_error());
        calls.without_result += u64::from(event.status == CallOutcome::Missing);
        if let Some(usage) = trace.usage(event).filter(|_| with_tokens) {
            calls.usage.add(&usage);
        }
        if let Some(ns) = trace.work(id).get() {
            #[expect(clippy::cast_precision_loss)] // exact up to 104 days
            self.durations_ms.push(ns as f64 / 1e6);
            let is_bound = event.time_basis() == TimeBasis::Elapsed;
            calls.is_inferred |= is_bound || event.flags.has(Flags::INFERRED_TIME);
        }
    }

    fn finish(self) -> Calls {
        Calls { duration_ms: Spread::new(self.durations_ms), ..self.calls }
    }
}

/// The calls of a run, or of all runs, by kind and name: kinds in the order of their codes, and within a kind the names
/// with the most calls first.
#[must_use]
pub fn statistics(trace: &Trace, run: Option<RunId>) -> Vec<Calls> {
    let mut by_name: FxHashMap<(EventKind, NameId), Gathered> = FxHashMap::default();
    for (at, event) in trace.events().iter().enumerate() {
        let is_call = matches!(
            event.kind,
            EventKind::LlmCall | EventKind::ToolCall | EventKind::Agent | EventKind::Span
        );
        let is_copy = event.flags.has(Flags::COPY);
        if !is_call || is_copy || run.is_some_and(|run| event.run != run) {
            continue;
        }
        let key = (event.kind, event.name);
        let gathered = by_name.entry(key).or_insert_with(|| Gathered::new(key.0, key.1));
        gathered.add(trace, EventId::from_index(at), event, true);
    }
    let mut all: Vec<Calls> = by_name.into_values().map(Gathered::finish).collect();
    traceloupe_core::sorting::sort_by(&mut all, |a, b| {
        let by_use = a.kind.cmp(&b.kind).then(b.n.cmp(&a.n));
        by_use.then_with(|| trace.name(a.name).cmp(trace.name(b.name)))
    });
    all
}

/// The LLM calls and tool calls of each agent of a run, the agent with the most calls first. The name of each entry is
/// that of the agent.
#[must_use]
pub fn by_agent(trace: &Trace, run: RunId) -> Vec<(LaneId, Calls)> {
    let mut by_lane: FxHashMap<LaneId, Gathered> = FxHashMap::default();
    for (at, event) in trace.events().iter().enumerate() {
        let is_call = matches!(event.kind, EventKind::LlmCall | EventKind::ToolCall);
        if !is_call || event.flags.has(Flags::COPY) || event.run != run {
            continue;
        }
        let name = trace.lane(event.lane).map_or(NameId::NONE, |lane| lane.name);
        let new = || Gathered::new(EventKind::Agent, name);
        // The usage of a sub-agent's call is the sum of that agent's calls.
        let with_tokens = event.flags.usage_counts();
        let gathered = by_lane.entry(event.lane).or_insert_with(new);
        gathered.add(trace, EventId::from_index(at), event, with_tokens);
    }
    let mut all: Vec<_> = by_lane.into_iter().map(|(lane, it)| (lane, it.finish())).collect();
    traceloupe_core::sorting::sort_by(&mut all, |a, b| {
        b.1.n.cmp(&a.1.n).then(a.0.index().cmp(&b.0.index()))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{MaybeNs, NewEvent, Place, SourceId, Span, TraceBuilder};

    #[test]
    fn percentiles_are_values_that_occurred() {
        let spread = Spread::new((1..=100).rev().map(f64::from).collect());
        assert_eq!(spread.percentiles, [50.0, 90.0, 95.0, 99.0]);
        assert_eq!(Spread::new(vec![7.0]).percentiles, [7.0; 4]);
        let three = Spread::new(vec![3.0, 1.0, 2.0]);
        assert_eq!((three.percentiles, three.mean()), ([2.0, 3.0, 3.0, 3.0], Some(2.0)));
        assert_eq!((Spread::new(Vec::new()).mean(), Spread::new(Vec::new()).n), (None, 0));
    }

    #[test]
    fn calls_are_counted_by_kind_and_name_for_one_run_and_for_all() {
        let mut builder = TraceBuilder::default();
        let place =
            Place { span: Span { source: SourceId::from_index(0), start: 0, len: 0 }, line: 1 };
        for key in ["a", "b"] {
            let run = builder.run("test", key);
            let lane = builder.lane(run, "");
            for (kind, name, ms, status) in [
                (EventKind::ToolCall, "look", Some(10), CallOutcome::Ok),
                (EventKind::ToolCall, "look", None, CallOutcome::Failed),
                (EventKind::ToolCall, "act", Some(30), CallOutcome::Missing),
                (EventKind::LlmCall, "model", Some(5), CallOutcome::Ok),
                (EventKind::Note, "look", Some(99), CallOutcome::Ok),
            ] {
                let name = builder.name(name);
                let id = builder.push(NewEvent { kind, run, lane, place });
                let event = builder.event_mut(id).unwrap();
                (event.name, event.status) = (name, status);
                event.duration = MaybeNs::from(ms.map(|ms: i64| ms * 1_000_000));
            }
        }
        let trace = builder.finish();
        let one = statistics(&trace, Some(RunId::from_index(0)));
        let of = |calls: &[Calls]| -> Vec<_> {
            let line = |it: &Calls| {
                (
                    trace.name(it.name).to_owned(),
                    it.n,
                    it.errors,
                    it.without_result,
                    it.duration_ms.n,
                )
            };
            calls.iter().map(line).collect()
        };
        assert_eq!(
            of(&one),
            [
                ("model".to_owned(), 1, 0, 0, 1),
                ("look".to_owned(), 2, 1, 0, 1),
                ("act".to_owned(), 1, 0, 1, 1),
            ]
        );
        let agents = by_agent(&trace, RunId::from_index(1));
        let of_agents: Vec<_> = agents.iter().map(|(lane, it)| (lane.index(), it.n)).collect();
        assert_eq!(of_agents, [(1, 4)], "LLM calls and tool calls of its agent");
        let all = statistics(&trace, None);
        assert_eq!(all.iter().map(|it| it.n).collect::<Vec<_>>(), [2, 4, 2]);
        assert_eq!(all[1].duration_ms.mean(), Some(10.0));
    }
}
