//! The figures of a run, each as a table cell. The table of runs and the comparison of two runs consist of these cells.

use crate::list::line_view::tokens_in_out;
use crate::outline::Outline;
use crate::prices::{Costs, given_dollars};
use crate::table::{Bound, Cell, Fault, Unit, Value};
use traceloupe_core::catalog::format_name;
use traceloupe_core::model::CostSum;
use traceloupe_protocol::outline::{Counts, RunLine};
use traceloupe_words as words;

/// A run, with the values that have to be counted or looked up for its figures.
#[derive(Clone, Copy)]
pub struct RunFigures<'a> {
    /// The run.
    pub run: &'a RunLine,
    /// How many possible loops it has.
    pub n_loops: u64,
    /// Its cost by the list of prices.
    cost: CostSum,
}

/// The names of the producers of all listed runs, that of one run first: a folder is not named after one of several.
#[must_use]
pub fn producers(outline: &Outline, run: u32) -> String {
    const MAX_NAMED: usize = 3;
    let mut names: Vec<&str> = Vec::new();
    for run in outline.runs.get(run as usize).into_iter().chain(outline.listed()) {
        let name = format_name(&run.format);
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MAX_NAMED {
            names.pop();
            return names.join(", ") + ", …";
        }
    }
    names.join(", ")
}

impl<'a> RunFigures<'a> {
    /// The figures of a run.
    #[must_use]
    pub fn new(run: &'a RunLine, n_loops: u64, costs: &Costs) -> Self {
        Self { run, n_loops, cost: costs.of_run(run) }
    }

    /// A count: the one that the file states, otherwise the counted one.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.run.given.unwrap_or(self.run.counts)
    }

    /// How long its agents were active.
    #[must_use]
    pub fn active(&self) -> Cell {
        Value::exact(self.run.active_ms(), Unit::Milliseconds).into()
    }

    /// Whether it has pauses: its duration exceeds the time in which its agents were active.
    #[must_use]
    pub fn has_pauses(&self) -> bool {
        let (wall_ms, active_ms) = (self.run.duration_ms, self.run.active_ms());
        wall_ms != active_ms && !(wall_ms.is_nan() && active_ms.is_nan())
    }

    /// Its input tokens.
    #[must_use]
    pub fn tokens_in(&self) -> Cell {
        Value::tokens(self.run.usage.total_input(), false).into()
    }

    /// Its output tokens.
    #[must_use]
    pub fn tokens_out(&self) -> Cell {
        Value::tokens(self.run.usage.output, self.run.usage.unfinished).into()
    }

    /// Its input and output tokens, sorted by their total.
    #[must_use]
    pub fn tokens(&self) -> Cell {
        let (input, output) = (self.tokens_in().value.number(), self.tokens_out().value.number());
        let both = if input.is_nan() { output } else { input + output.max(0.0) };
        let is_bound = self.run.usage.unfinished;
        let bound = if is_bound { Bound::AtLeast } else { Bound::Exact };
        let value = Value::Number(both, Unit::Tokens, bound);
        Cell::said(value, tokens_in_out(input, output, is_bound))
    }

    /// The size of its largest context, in tokens.
    #[must_use]
    pub fn fullest_context(&self) -> Cell {
        Value::tokens(self.run.context.map(|it| it.tokens), false).into()
    }

    /// Its cost, as stated by the file or by the list of prices.
    #[must_use]
    pub fn cost(&self) -> Cell {
        match given_dollars(self.run) {
            Some(dollars) => Value::exact(dollars, Unit::Dollars).into(),
            None => Value::cost(&self.cost).into(),
        }
    }

    /// The grade of the run: a score, a verdict, or both.
    #[must_use]
    pub fn score(&self) -> Cell {
        let score = self.run.score;
        let value = Value::exact(score.unwrap_or(f64::NAN), Unit::Score);
        Cell::said(value, words::score(score, self.run.verdict))
            .fault_if(score.is_some_and(|it| it <= 0.0), Fault::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{of_two_runs, talk};

    #[test]
    fn a_folder_is_named_after_all_of_its_producers() {
        let mut outline = of_two_runs(&talk(), 0);
        for run in &mut outline.runs {
            run.format = "chat".to_owned();
        }
        assert_eq!(producers(&outline, 1), "Chat messages");
        outline.runs[1].format = "har".to_owned();
        assert_eq!(producers(&outline, 1), "HTTP archive (HAR), Chat messages");
    }
}
