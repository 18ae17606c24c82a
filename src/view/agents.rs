//! The sub-agents of a run: the rows that start them, and what is nested in those rows.

use crate::row_columns::{NO_ROW, Rows};
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::RunLine;

/// A sub-agent, with the sums over its rows.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Agent {
    /// The row that starts it: a call, or the agent event itself.
    pub row: u32,
    /// The row after its last row.
    pub end: u32,
    /// Index of the agent in the lanes of the run.
    pub lane: u16,
    /// Whether it is inside a call or another agent.
    pub is_inner: bool,
    /// The row of its last output.
    pub answer: Option<u32>,
    /// LLM calls and tool calls inside.
    pub n_calls: u32,
    /// Failed rows inside.
    pub n_errors: u32,
    /// Input tokens of its LLM calls; NaN where unknown.
    pub tokens_in: f64,
    /// Output tokens of its LLM calls; NaN where unknown.
    pub tokens_out: f64,
    /// Whether the output is a lower bound.
    pub is_lower_bound: bool,
    /// Time from its start to the end of its last row, in milliseconds; NaN where unknown.
    pub duration_ms: f64,
}

/// The sub-agents of all runs, by row.
#[derive(Clone, Debug, Default)]
pub struct Agents(Vec<Agent>);

impl Agents {
    /// Finds the sub-agents of all runs.
    #[must_use]
    pub fn new(runs: &[RunLine], rows: &Rows) -> Self {
        let mut agents = Vec::new();
        for run in runs {
            // A run with one agent has no sub-agents.
            if run.lanes.len() > 1 || run.kinds.iter().any(|it| it.0 == EventKind::Agent as u8) {
                of_run(run, rows, &mut agents);
            }
        }
        Self(agents)
    }

    /// All sub-agents, in row order.
    #[must_use]
    pub fn as_slice(&self) -> &[Agent] {
        &self.0
    }

    /// The sub-agent that a row starts.
    #[must_use]
    pub fn at(&self, row: u32) -> Option<&Agent> {
        let at = self.0.binary_search_by_key(&row, |agent| agent.row).ok()?;
        self.0.get(at)
    }
}

/// A sub-agent whose rows are still being summed up.
struct Open {
    agent: Agent,
    start_ms: f64,
    until_ms: f64,
}

fn of_run(run: &RunLine, rows: &Rows, agents: &mut Vec<Agent>) {
    let first = agents.len();
    let mut n_calls = 0;
    let mut open: Vec<Open> = Vec::new();
    for row in run.first_row..run.first_row + run.n_rows {
        while let Some(ended) = open.pop_if(|it| it.agent.end <= row) {
            close(ended, &mut open, agents);
        }
        let kind = EventKind::from_code(rows.kinds.get(row));
        n_calls += u32::from(is_call(kind));
        if let Some(around) = open.last_mut() {
            add(around, rows, row, kind);
        }
        if let Some(lane) = started(rows, row, kind) {
            let unknown = f64::NAN;
            open.push(Open {
                agent: Agent {
                    row,
                    end: row + 1 + rows.nested.get(row),
                    lane,
                    is_inner: is_inner(rows, row, kind),
                    tokens_in: unknown,
                    tokens_out: unknown,
                    duration_ms: rows.durations_ms.get(row),
                    ..Agent::default()
                },
                start_ms: rows.starts_ms.get(row),
                until_ms: unknown,
            });
        }
    }
    while let Some(ended) = open.pop() {
        close(ended, &mut open, agents);
    }
    // The agent that did all of the work is not a sub-agent.
    let is_main = |agent: &Agent| {
        rows.kinds.get(agent.row) == EventKind::Agent as u8 && agent.n_calls == n_calls
    };
    let mut found = agents.split_off(first);
    found.retain(|agent| !is_main(agent));
    traceloupe_core::sorting::sort_by_key(&mut found, |agent| agent.row);
    agents.append(&mut found);
}

fn is_call(kind: EventKind) -> bool {
    matches!(kind, EventKind::LlmCall | EventKind::ToolCall)
}

/// The lane of the agent that a row starts, if that agent has rows. The row is an agent, or a call that contains rows
/// of another agent. Rows of an agent that is itself inside the call belong to that inner agent.
fn started(rows: &Rows, row: u32, kind: EventKind) -> Option<u16> {
    let nested = rows.nested.get(row);
    match kind {
        EventKind::Agent if nested > 0 => Some(rows.lanes.get(row)),
        EventKind::ToolCall if nested > 0 => {
            let own = rows.lanes.get(row);
            let next = |child: &u32| Some(child + 1 + rows.nested.get(*child));
            let mut children = std::iter::successors(Some(row + 1), next);
            let mut other = children.by_ref().take_while(|child| *child <= row + nested);
            let child = other.find(|child| rows.lanes.get(*child) != own)?;
            let is_agent = rows.kinds.get(child) == EventKind::Agent as u8;
            (!is_agent || rows.nested.get(child) == 0).then(|| rows.lanes.get(child))
        }
        _ => None,
    }
}

/// How many enclosing rows are searched.
const MAX_UP: usize = 64;

fn is_inner(rows: &Rows, row: u32, kind: EventKind) -> bool {
    let parent_of = |row: &u32| Some(rows.parents.get(*row)).filter(|it| *it != NO_ROW);
    let starts = |row: u32| {
        let kind = rows.kinds.get(row);
        kind == EventKind::ToolCall as u8 || kind == EventKind::Agent as u8
    };
    kind == EventKind::ToolCall
        || std::iter::successors(parent_of(&row), parent_of).take(MAX_UP).any(starts)
}

/// Adds a row to the agent that it is directly in.
fn add(open: &mut Open, rows: &Rows, row: u32, kind: EventKind) {
    let flags = Flags::from_bits(rows.flags.get(row));
    let failed = kind == EventKind::Error || rows.outcome(row).is_error();
    let agent = &mut open.agent;
    agent.n_calls += u32::from(is_call(kind));
    agent.n_errors += u32::from(failed && !flags.has(Flags::COPY));
    if kind == EventKind::LlmCall {
        if flags.usage_counts() {
            agent.tokens_in = plus(agent.tokens_in, rows.tokens_in.get(row));
            agent.tokens_out = plus(agent.tokens_out, rows.tokens_out.get(row));
            agent.is_lower_bound |= flags.has(Flags::UNFINISHED_USAGE);
        }
        if !flags.has(Flags::ONLY_CALLS) && !flags.has(Flags::THINKING) {
            agent.answer = Some(row);
        }
    }
    if !matches!(kind, EventKind::Note | EventKind::Record) {
        let (start, duration) = (rows.starts_ms.get(row), rows.durations_ms.get(row));
        open.start_ms = if open.start_ms.is_nan() { start } else { open.start_ms };
        open.until_ms = open.until_ms.max(start + if duration > 0.0 { duration } else { 0.0 });
    }
}

/// Finishes the sums of an agent and adds them to the enclosing agent.
fn close(ended: Open, open: &mut [Open], agents: &mut Vec<Agent>) {
    let Open { mut agent, start_ms, until_ms } = ended;
    // A call that only starts an agent ends before the agent does.
    agent.duration_ms = agent.duration_ms.max(until_ms - start_ms);
    if let Some(Open { agent: around, until_ms: around_until_ms, .. }) = open.last_mut() {
        around.n_calls += agent.n_calls;
        around.n_errors += agent.n_errors;
        around.tokens_in = plus(around.tokens_in, agent.tokens_in);
        around.tokens_out = plus(around.tokens_out, agent.tokens_out);
        around.is_lower_bound |= agent.is_lower_bound;
        *around_until_ms = around_until_ms.max(until_ms);
    }
    agents.push(agent);
}

/// The sum of two numbers; NaN means unknown.
pub(super) fn plus(sum: f64, more: f64) -> f64 {
    match (sum.is_nan(), more.is_nan()) {
        (true, _) => more,
        (_, true) => sum,
        _ => sum + more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_agents;
    use EventKind::{Agent as AgentRow, LlmCall, RunStart, Span, ToolCall, UserMessage};

    /// For each agent: its row, its end, the number of calls inside, and whether it is nested.
    fn found(rows: &[(u16, EventKind, u16)]) -> Vec<(u32, u32, u32, bool)> {
        let outline = with_agents(rows);
        let agents = outline.agents.as_slice();
        agents.iter().map(|it| (it.row, it.end, it.n_calls, it.is_inner)).collect()
    }

    #[test]
    fn a_call_with_rows_of_another_agent_starts_one() {
        let rows = [
            (0, UserMessage, 0),
            (0, LlmCall, 0),
            (1, ToolCall, 0),
            (2, UserMessage, 1),
            (2, LlmCall, 1),
            (3, ToolCall, 1),
            (4, LlmCall, 2),
            (1, ToolCall, 0),
            (2, LlmCall, 0),
            (0, LlmCall, 0),
        ];
        // The second call of the main agent contains only a call of the main agent.
        assert_eq!(found(&rows), [(2, 7, 3, true), (5, 7, 1, true)]);
    }

    #[test]
    fn agents_that_are_rows_are_agents_except_the_one_that_did_everything() {
        let rows = [
            (0, RunStart, 0),
            (0, AgentRow, 0),
            (1, LlmCall, 0),
            (1, ToolCall, 0),
            (2, AgentRow, 1),
            (3, LlmCall, 1),
            (1, AgentRow, 2),
        ];
        // The call around an agent does not become a second card, and an agent without rows gets none.
        assert_eq!(found(&rows), [(4, 6, 1, true)]);
        let beside =
            [(0, Span, 0), (1, AgentRow, 0), (2, LlmCall, 0), (1, AgentRow, 1), (2, ToolCall, 1)];
        assert_eq!(found(&beside), [(1, 3, 1, false), (3, 5, 1, false)]);
    }

    #[test]
    fn deep_nesting_ends() {
        let rows: Vec<(u16, EventKind, u16)> =
            (0..60_000).map(|at| (at, ToolCall, at % 60)).collect();
        let found = found(&rows);
        assert_eq!(found.len(), 59_999);
        assert_eq!(found[0], (0, 60_000, 59_999, true));
    }

    #[test]
    fn an_unknown_run_has_none() {
        assert_eq!(found(&[(0, LlmCall, 0), (1, ToolCall, 0)]), []);
        assert_eq!(Agents::default().at(0), None);
    }
}
