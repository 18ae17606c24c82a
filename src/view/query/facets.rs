//! What the rows of a run can be filtered by, with counts.

use super::amount::{Amount, Range, Unit};
use super::matching::{agent_name, number};
use super::{Measure, RowFilter};
use crate::kinds::row_kind::{RowKind, is_thinking};
use crate::outline::Outline;
use traceloupe_core::case::lowercase;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::RunLine;

/// The most names of one kind that are offered.
const MAX_NAMES: usize = 15;

/// Names with their number of rows, and other conditions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facets {
    /// Kinds of rows. Tool calls are divided by what the tools do, unless that is unknown for all of them.
    pub kinds: Vec<(RowKind, u64)>,
    /// Tools, the most used first.
    pub tools: Vec<(String, u64)>,
    /// Models, the most used first.
    pub models: Vec<(String, u64)>,
    /// Agents, if there are several.
    pub agents: Vec<(String, u64)>,
    /// Failed rows.
    pub errors: u64,
    /// Rows of possible loops.
    pub loops: u64,
    /// A duration that is long in this run, and the number of calls that exceed it.
    pub slow: Option<(Range, u64)>,
}

impl Facets {
    /// What the rows of a run can be filtered by.
    #[must_use]
    pub fn of(outline: &Outline, run: u32) -> Self {
        let Some(line) = outline.runs.get(run as usize) else { return Self::default() };
        let named = |names: &[(u32, u64)]| {
            let names = names.iter().take(MAX_NAMES);
            names.map(|(name, n)| (outline.name(*name).to_owned(), *n)).collect()
        };
        let tools = names(outline, line, EventKind::ToolCall);
        let rows = line.first_row..line.first_row + line.n_rows;
        let mut agents: Vec<(String, u64)> = Vec::new();
        if line.lanes.len() > 1 {
            for lane in &line.lanes {
                let name = agent_name(lane);
                match agents.iter_mut().find(|(known, _)| known == name) {
                    Some((_, n)) => *n += u64::from(lane.n_rows),
                    None => agents.push((name.to_owned(), u64::from(lane.n_rows))),
                }
            }
            agents.truncate(MAX_NAMES);
        }
        let loops = rows.clone().filter(|row| outline.loops.has(*row)).count() as u64;
        Self {
            kinds: kinds(outline, line, &tools),
            tools: named(&tools),
            models: named(&names(outline, line, EventKind::LlmCall)),
            agents: if agents.len() > 1 { agents } else { Vec::new() },
            errors: line.counts.errors,
            loops,
            slow: slow(outline, line),
        }
    }
}

/// The kinds of the rows of a run, in the order of [`RowKind::all`].
fn kinds(outline: &Outline, run: &RunLine, tools: &[(u32, u64)]) -> Vec<(RowKind, u64)> {
    let rows = &outline.rows;
    let thinks = |row: &u32| {
        let flags = Flags::from_bits(rows.flags.get(*row));
        is_thinking(EventKind::from_code(rows.kinds.get(*row)), flags) && !flags.has(Flags::COPY)
    };
    let own = run.first_row..run.first_row + run.n_rows;
    let mut found: Vec<(RowKind, u64)> = Vec::new();
    for (name, n) in tools {
        let kind = RowKind::of_tool(outline.name(*name));
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => *known += n,
            None => found.push((kind, *n)),
        }
    }
    // All tools are "other" tools, so there is nothing to distinguish.
    let is_known = found.iter().any(|(kind, _)| *kind != RowKind::of_tool(""));
    if !is_known {
        found.clear();
    }
    found.push((RowKind::Thinking, own.filter(thinks).count() as u64));
    let events = run.kinds.iter().map(|(kind, n)| (EventKind::from_code(*kind), *n));
    let events = events.filter(|(kind, _)| !is_known || *kind != EventKind::ToolCall);
    found.extend(events.map(|(kind, n)| (RowKind::Event(kind), n)));
    let n_of = |kind: RowKind| found.iter().find(|it| it.0 == kind && it.1 > 0).copied();
    RowKind::all().filter_map(n_of).collect()
}

/// The names that the rows of a kind have in a run, most frequent first.
#[must_use]
pub fn names(outline: &Outline, run: &RunLine, kind: EventKind) -> Vec<(u32, u64)> {
    let rows = &outline.rows;
    let mut counts: Vec<u64> = Vec::new();
    for row in run.first_row..run.first_row + run.n_rows {
        let is_copy = Flags::from_bits(rows.flags.get(row)).has(Flags::COPY);
        if rows.kinds.get(row) == kind as u8 && !is_copy {
            let name = rows.names.get(row) as usize;
            if name >= counts.len() {
                counts.resize(name + 1, 0);
            }
            if let Some(n) = counts.get_mut(name) {
                *n += 1;
            }
        }
    }
    let mut names: Vec<(u32, u64)> = (0..).zip(counts).filter(|(_, n)| *n > 0).collect();
    traceloupe_core::sorting::sort_by_key(&mut names, |(name, n)| (u64::MAX - n, *name));
    names
}

/// At most one call in this many is slow.
const ONE_OF: u64 = 10;

/// The shortest of some round durations that at most a tenth of the calls of a run exceed.
fn slow(outline: &Outline, run: &RunLine) -> Option<(Range, u64)> {
    let steps: [(f64, Unit); 9] = [
        (1.0, Unit::Seconds),
        (5.0, Unit::Seconds),
        (10.0, Unit::Seconds),
        (30.0, Unit::Seconds),
        (1.0, Unit::Minutes),
        (5.0, Unit::Minutes),
        (10.0, Unit::Minutes),
        (30.0, Unit::Minutes),
        (1.0, Unit::Hours),
    ];
    let steps = steps.map(|(number, unit)| Amount { number, unit });
    let (mut n_over, mut n_timed) = ([0_u64; 9], 0_u64);
    for row in run.first_row..run.first_row + run.n_rows {
        let value = number(outline, Measure::Duration, row);
        n_timed += u64::from(!value.is_nan());
        for (n, step) in n_over.iter_mut().zip(steps) {
            *n += u64::from(value > step.value());
        }
    }
    let few = steps.into_iter().zip(n_over).find(|(_, n)| *n * ONE_OF <= n_timed);
    few.filter(|(_, n)| *n > 0).map(|(step, n)| (Range::Over(step), n))
}

/// The first name in a filter that matches no name of the run, and a similar one. This explains an empty list.
#[must_use]
pub fn unknown_name(
    outline: &Outline,
    run: u32,
    query: &RowFilter,
) -> Option<(String, Option<String>)> {
    use super::{Key, Test};
    let line = outline.runs.get(run as usize)?;
    let known = |key: Key| -> Option<Vec<&str>> {
        match key {
            Key::Tool | Key::Model => {
                let kind = if key == Key::Tool { EventKind::ToolCall } else { EventKind::LlmCall };
                let names = names(outline, line, kind);
                Some(names.into_iter().map(|(name, _)| outline.name(name)).collect())
            }
            Key::Agent => Some(line.lanes.iter().map(agent_name).collect()),
            _ => None,
        }
    };
    query.terms().iter().filter(|term| !term.is_not).find_map(|term| {
        let Test::Words(key, words) = &term.test else { return None };
        let known = known(*key)?;
        let is_known = |word: &String| {
            let word = lowercase(word);
            known.iter().any(|name| lowercase(name).contains(&word))
        };
        let word = words.iter().find(|word| !is_known(word))?;
        let like = super::hint::closest(word, known.iter().copied());
        Some((format!("{}:{word}", key.word()), like.map(str::to_owned)))
    })
}
