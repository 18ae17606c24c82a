//! The cost of the calls of a trace: of single calls, and as sums over rows.

use rustc_hash::FxHashMap;

use crate::outline::Outline;
use traceloupe_core::model::{CostSum, EventKind, FactKind, FactValue, Flags, facts_of, is_cost};
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::row_columns::ONLY_CACHED;

use super::{Cost, Found, Prices, Tokens};

/// The costs of the calls of a trace.
#[derive(Debug, Default)]
pub struct Costs {
    /// The rows of the counted calls, in order.
    rows: Vec<u32>,
    /// The running sum up to and including each of them.
    sums: Vec<CostSum>,
    /// The sum over the calls of each model in each run. The key is the run and the model's index in the names of the
    /// outline.
    by_model: FxHashMap<(u32, u32), CostSum>,
}

impl Costs {
    /// Computes the costs of all calls once.
    #[must_use]
    pub fn new(outline: &Outline, prices: Option<&Prices>) -> Self {
        let mut costs = Self::default();
        if prices.is_none() && outline.rows.given_rows.is_empty() {
            return costs;
        }
        let mut models = FxHashMap::default();
        let mut sum = CostSum::default();
        for (at, run) in (0..).zip(&outline.runs) {
            for row in run.first_row..run.first_row + run.n_rows {
                if !counts(outline, row) {
                    continue;
                }
                let name = outline.rows.names.get(row);
                let find = || prices.and_then(|prices| prices.of_trace(outline.name(name)));
                let model = *models.entry(name).or_insert_with(find);
                let Some(call) = of_call(outline, run, row, model) else { continue };
                sum.add(&call);
                costs.rows.push(row);
                costs.sums.push(sum);
                costs.by_model.entry((at, name)).or_default().add(&call);
            }
        }
        costs
    }

    /// The sum over the rows from one row up to, but not including, another.
    #[must_use]
    pub fn between(&self, from: u32, to: u32) -> CostSum {
        let until = |row: u32| {
            let before = self.rows.partition_point(|known| *known < row).checked_sub(1);
            before.and_then(|at| self.sums.get(at)).copied().unwrap_or_default()
        };
        until(to).since(&until(from))
    }

    /// The cost that a row shows: that of a call is its own, that of any other row is the sum over its nested calls.
    #[must_use]
    pub fn of_row(&self, outline: &Outline, row: u32) -> CostSum {
        match is_call(outline, row) {
            true => self.between(row, row + 1),
            false => self.between(row, row + 1 + outline.rows.nested.get(row)),
        }
    }

    /// The sum over a run.
    #[must_use]
    pub fn of_run(&self, run: &RunLine) -> CostSum {
        self.between(run.first_row, run.first_row + run.n_rows)
    }

    /// The sums over the calls of each agent of a run, in the order of its lanes.
    #[must_use]
    pub fn of_lanes(&self, outline: &Outline, run: &RunLine) -> Vec<CostSum> {
        let mut sums = vec![CostSum::default(); run.lanes.len().max(1)];
        let from = self.rows.partition_point(|row| *row < run.first_row);
        let to = self.rows.partition_point(|row| *row < run.first_row + run.n_rows);
        for row in self.rows.get(from..to).unwrap_or_default() {
            let lane = usize::from(outline.rows.lanes.get(*row));
            if let Some(sum) = sums.get_mut(lane) {
                sum.add(&self.between(*row, row + 1));
            }
        }
        sums
    }

    /// The sum over the calls of a model, in one run or in all runs. Models with the same name count as one.
    #[must_use]
    pub fn of_model(&self, outline: &Outline, run: Option<u32>, model: &str) -> CostSum {
        let mut sum = CostSum::default();
        for ((of, name), more) in &self.by_model {
            if run.is_none_or(|run| run == *of) && outline.name(*name) == model {
                sum.add(more);
            }
        }
        sum
    }
}

/// Whether the usage of a row counts in sums.
pub(super) fn counts(outline: &Outline, row: u32) -> bool {
    let flags = Flags::from_bits(outline.rows.flags.get(row));
    is_call(outline, row) && flags.usage_counts()
}

fn is_call(outline: &Outline, row: u32) -> bool {
    EventKind::from_code(outline.rows.kinds.get(row)) == EventKind::LlmCall
}

/// The cost of one call as a sum. `None` if the file states neither tokens nor cost.
fn of_call(
    outline: &Outline,
    run: &RunLine,
    row: u32,
    model: Option<Found<'_>>,
) -> Option<CostSum> {
    if let Some(dollars) = outline.rows.given_dollars_of(row) {
        return Some(CostSum { dollars, n_known: 1, n_given: 1, ..CostSum::default() });
    }
    let tokens = tokens_of(outline, row)?;
    let cost = model.and_then(|model| model.cost(&tokens, time_of(outline, run, row)));
    let Some(cost) = cost else { return Some(CostSum { n_unknown: 1, ..CostSum::default() }) };
    let is_bound = Flags::from_bits(outline.rows.flags.get(row)).has(Flags::UNFINISHED_USAGE);
    let n_unfinished = u32::from(is_bound);
    Some(CostSum { dollars: cost.dollars, n_known: 1, n_unfinished, ..CostSum::default() })
}

/// When a call was made, in milliseconds since 1970; NaN where unknown.
pub(super) fn time_of(outline: &Outline, run: &RunLine, row: u32) -> f64 {
    let start = outline.rows.starts_ms.get(row);
    if start.is_nan() { run.start_ms } else { start }
}

/// The tokens of a row; `None` if neither input nor output is known.
pub(super) fn tokens_of(outline: &Outline, row: u32) -> Option<Tokens> {
    let rows = &outline.rows;
    let known = |n: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of tokens
        let whole = n as u64;
        (!n.is_nan()).then_some(whole)
    };
    let (input, output) = (known(rows.tokens_in.get(row)), known(rows.tokens_out.get(row)));
    input.or(output)?;
    let [read, write, reasoning] = rows.shares_of(row);
    Some(Tokens {
        input: input.filter(|_| read != ONLY_CACHED),
        cache_read: u64::from(read),
        cache_write: u64::from(write),
        output,
        reasoning: u64::from(reasoning),
    })
}

/// The cost of one call: the sum to show, and the parts computed from the list of prices.
#[must_use]
pub fn call_cost<'a>(
    outline: &Outline,
    row: u32,
    prices: Option<&'a Prices>,
) -> Option<(CostSum, Option<(Found<'a>, Cost)>)> {
    if !is_call(outline, row) {
        return None;
    }
    let (_, run) = outline.run_of(row)?;
    let name = outline.name(outline.rows.names.get(row));
    let model = prices.and_then(|prices| prices.of_trace(name));
    let sum = of_call(outline, run, row, model)?;
    let made_of = model.filter(|_| sum.n_given == 0).and_then(|model| {
        let cost = model.cost(&tokens_of(outline, row)?, time_of(outline, run, row))?;
        Some((model, cost))
    });
    Some((sum, made_of))
}

/// The names of models whose calls report tokens but that have no known price, sorted by name.
#[must_use]
pub fn unpriced(outline: &Outline, prices: Option<&Prices>) -> Vec<String> {
    let rows = outline.runs.iter().flat_map(|run| run.first_row..run.first_row + run.n_rows);
    let is_open = |row: &u32| {
        let is_stated = outline.rows.given_dollars_of(*row).is_some();
        counts(outline, *row) && !is_stated && tokens_of(outline, *row).is_some()
    };
    let mut names: Vec<u32> = rows.filter(is_open).map(|row| outline.rows.names.get(row)).collect();
    names.dedup();
    let mut names: Vec<&str> = names.into_iter().map(|name| outline.name(name)).collect();
    traceloupe_core::sorting::sort(&mut names);
    names.dedup();
    let is_unknown = |name: &&str| prices.is_none_or(|prices| prices.of_trace(name).is_none());
    let named = names.into_iter().filter(|name| !name.is_empty());
    named.filter(is_unknown).map(str::to_owned).collect()
}

/// The cost that a file states for a whole run, in dollars.
#[must_use]
pub fn given_dollars(run: &RunLine) -> Option<f64> {
    match facts_of(&run.facts, &FactKind::Cost).next()? {
        FactValue::Dollars(dollars) => Some(*dollars).filter(|it| is_cost(*it)),
        FactValue::Text(_) | FactValue::Count(_) | FactValue::Truth(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Assembly;
    use traceloupe_core::model::Fact;
    use traceloupe_protocol::columns::Texts;
    use traceloupe_protocol::outline::OutlineHead;
    use traceloupe_protocol::row_columns::RowSlice;

    const LIST: &str = r#"{"date":"2026-05-01","providers":[{"id":"teal","models":"^teal","prices":[
        ["=teal-1",{"i":1,"r":0.1,"o":10}]]}]}"#;

    /// Two runs: calls of a known model, of an unknown one, a copy, an unfinished one; then one with a given cost.
    fn outline() -> Outline {
        let run = |first_row, n_rows| RunLine { first_row, n_rows, ..RunLine::default() };
        let names: Vec<&str> = vec!["", "teal-1", "other"];
        let mut assembly = Assembly::new(OutlineHead {
            runs: vec![run(0, 6), run(6, 1)],
            n_rows: 7,
            names: names.into_iter().collect::<Texts>(),
            ..OutlineHead::default()
        });
        let call = EventKind::LlmCall as u8;
        let flags = [Flags::NONE, Flags::NONE, Flags::COPY, Flags::UNFINISHED_USAGE];
        let flags = flags.into_iter().chain([Flags::NONE; 3]);
        let million = 1e6;
        assembly.append(&RowSlice {
            ids: (0..7).collect(),
            kinds: [call, call, call, call, EventKind::ToolCall as u8, call, call]
                .into_iter()
                .collect(),
            statuses: [0; 7].into_iter().collect(),
            flags: flags.map(Flags::bits).collect(),
            depths: [0, 0, 0, 0, 0, 1, 0].into_iter().collect(),
            names: [1, 2, 1, 1, 0, 1, 1].into_iter().collect(),
            starts_ms: [f64::NAN; 7].into_iter().collect(),
            durations_ms: [f64::NAN; 7].into_iter().collect(),
            tokens_in: [million, million, million, million, f64::NAN, f64::NAN, million]
                .into_iter()
                .collect(),
            tokens_out: [0.0, 0.0, 0.0, 0.0, f64::NAN, f64::NAN, 0.0].into_iter().collect(),
            shares: [0, 500_000, 0, 0, 3, 1_000_000, 0, 0].into_iter().collect(),
            given_rows: [6].into_iter().collect(),
            given_dollars: [7.0].into_iter().collect(),
            ..RowSlice::default()
        });
        assembly.finish()
    }

    fn is(sum: CostSum, dollars: f64, counts: [u32; 4]) -> bool {
        let CostSum { n_known, n_given, n_unknown, n_unfinished, .. } = sum;
        (sum.dollars - dollars).abs() < 1e-9
            && [n_known, n_given, n_unknown, n_unfinished] == counts
    }

    #[test]
    fn sums_say_what_they_lack() {
        let (outline, prices) = (outline(), Prices::read(LIST).unwrap());
        let costs = Costs::new(&outline, Some(&prices));
        // Half of the first call's input, and all of the unfinished call's input, was read from a cache.
        assert!(is(costs.of_run(&outline.runs[0]), 0.55 + 0.1, [2, 0, 1, 1]));
        assert!(is(costs.of_run(&outline.runs[1]), 7.0, [1, 1, 0, 0]));
        assert!(is(costs.between(0, 1), 0.55, [1, 0, 0, 0]));
        assert!(is(costs.between(1, 3), 0.0, [0, 0, 1, 0]), "a copy does not count");
        assert!(
            is(costs.between(4, 6), 0.0, [0, 0, 0, 0]),
            "without tokens there is nothing to say"
        );
        assert!(is(costs.of_model(&outline, Some(0), "teal-1"), 0.65, [2, 0, 0, 1]));
        assert!(is(costs.of_model(&outline, None, "teal-1"), 7.65, [3, 1, 0, 1]));
        assert!(is(costs.of_model(&outline, None, "other"), 0.0, [0, 0, 1, 0]));
    }

    #[test]
    fn a_given_cost_wins() {
        let (outline, prices) = (outline(), Prices::read(LIST).unwrap());
        let (sum, made_of) = call_cost(&outline, 6, Some(&prices)).unwrap();
        assert!(is(sum, 7.0, [1, 1, 0, 0]) && made_of.is_none());
        let (sum, made_of) = call_cost(&outline, 0, Some(&prices)).unwrap();
        assert!(is(sum, 0.55, [1, 0, 0, 0]) && made_of.unwrap().1.parts.len() == 2);
        // The copy has a cost, although it counts in no sum.
        assert!(call_cost(&outline, 2, Some(&prices)).is_some());
        assert!(call_cost(&outline, 4, Some(&prices)).is_none());
        let alone = Costs::new(&outline, None);
        assert!(is(alone.of_run(&outline.runs[1]), 7.0, [1, 1, 0, 0]), "without a list");
    }

    #[test]
    fn a_run_may_state_its_cost() {
        let given = |kind: FactKind, value: &str| {
            let facts = vec![Fact::new(kind, value.to_owned())];
            given_dollars(&RunLine { facts, ..RunLine::default() })
        };
        assert_eq!(given(FactKind::Cost, "$1.5"), Some(1.5));
        assert_eq!(given(FactKind::Cost, "0.25"), Some(0.25));
        assert_eq!(given(FactKind::Cost, "0"), None);
        assert_eq!(given(FactKind::Cost, "much"), None);
        assert_eq!(given(FactKind::Model, "1"), None);
    }
}
