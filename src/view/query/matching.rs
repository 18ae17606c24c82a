//! Which rows of a run match a filter.

use super::amount::Range;
use super::parse::NO;
use super::texts::{Bits, Texts, needle};
use super::{Key, Measure, RowFilter, Test};
use crate::kinds::row_kind::{RowKind, is_thinking};
use crate::outline::Outline;
use traceloupe_core::case::lowercase;
use traceloupe_core::model::{CallOutcome, EventKind, Flags};
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_words as words;

/// The rows of a run that match a filter.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matching {
    /// The rows; `None` if there is no filter.
    rows: Option<Bits>,
    /// How many there are.
    pub n_rows: u32,
}

impl Matching {
    /// The matching rows of a run. Rows that were copied from another session match no filter, because they are not
    /// counted.
    #[must_use]
    pub fn of(outline: &Outline, run: u32, query: &RowFilter, texts: &Texts) -> Self {
        let Some(line) = outline.runs.get(run as usize) else { return Self::default() };
        if query.is_empty() {
            return Self { rows: None, n_rows: line.n_rows };
        }
        let tests: Vec<(bool, Ready<'_>)> = query
            .terms()
            .iter()
            .map(|term| (term.is_not, ready(outline, run, line, texts, &term.test)))
            .collect();
        let mut rows = Bits::default();
        for row in line.first_row..line.first_row + line.n_rows {
            let is_copy = Flags::from_bits(outline.rows.flags.get(row)).has(Flags::COPY);
            if !is_copy && tests.iter().all(|(is_not, test)| test.fits(outline, row) != *is_not) {
                rows.add(row);
            }
        }
        let n_rows = rows.len();
        Self { rows: Some(rows), n_rows }
    }

    /// Whether a row matches.
    #[must_use]
    pub fn has(&self, row: u32) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.has(row))
    }
}

/// A test with its names resolved, so that each row is compared by numbers.
enum Ready<'a> {
    /// Codes of kinds, names of tools with a requested purpose, and whether thinking is included.
    Kinds(Vec<u8>, Bits, bool),
    Statuses(Vec<CallOutcome>),
    /// Names of rows, of one kind or of any kind.
    Names(Option<EventKind>, Bits),
    Errors(Bits),
    Lanes(Bits),
    Loops {
        any: bool,
        none: bool,
        rows: Bits,
    },
    /// Names that contain the text, and events whose summaries contain it.
    Text(Bits, Vec<&'a Bits>),
    /// Events whose summaries contain a path.
    Paths(Vec<&'a Bits>),
    Numbers(Measure, &'a [Range]),
}

fn ready<'a>(
    outline: &Outline,
    run: u32,
    line: &RunLine,
    texts: &'a Texts,
    test: &'a Test,
) -> Ready<'a> {
    let found = |text: &str, is_path: bool| texts.with(&needle(text, is_path));
    match test {
        Test::Numbers(measure, ranges) => Ready::Numbers(*measure, ranges),
        Test::Text(text) => Ready::Text(
            names_with(outline, std::slice::from_ref(text)),
            found(text, false).into_iter().collect(),
        ),
        Test::Words(Key::Text, words) => Ready::Text(
            names_with(outline, words),
            words.iter().filter_map(|text| found(text, false)).collect(),
        ),
        Test::Words(Key::File, words) => {
            Ready::Paths(words.iter().filter_map(|text| found(text, true)).collect())
        }
        Test::Words(Key::Kind, words) => {
            let asked = |kind: RowKind| words.iter().any(|word| word == kind.word());
            let kinds = EventKind::ALL.into_iter().filter(|kind| asked(RowKind::Event(*kind)));
            let has_tools = RowKind::all().any(|it| matches!(it, RowKind::Tool(_)) && asked(it));
            let names = match has_tools {
                true => super::facets::names(outline, line, EventKind::ToolCall),
                false => Vec::new(),
            };
            let names = names.iter().map(|(name, _)| *name);
            Ready::Kinds(
                kinds.map(|kind| kind as u8).collect(),
                bits(names.filter(|name| asked(RowKind::of_tool(outline.name(*name))))),
                asked(RowKind::Thinking),
            )
        }
        Test::Words(Key::Status, words) => {
            let all = CallOutcome::ALL.into_iter();
            let asked = |status: &CallOutcome| {
                words.iter().any(|word| word == status.word() || word == status.group().word())
            };
            Ready::Statuses(all.filter(asked).collect())
        }
        Test::Words(Key::Tool, words) => Ready::Names(
            Some(EventKind::ToolCall),
            called(outline, EventKind::ToolCall, line, words),
        ),
        Test::Words(Key::Model, words) => {
            Ready::Names(Some(EventKind::LlmCall), called(outline, EventKind::LlmCall, line, words))
        }
        Test::Words(Key::Name, words) => {
            let names = (0..).zip(outline.names.iter());
            let asked = |name: &str| words.iter().any(|word| word == name);
            Ready::Names(None, bits(names.filter(|(_, name)| asked(name)).map(|(at, _)| at)))
        }
        Test::Words(Key::Error, words) => Ready::Errors(errors_with(outline, words)),
        Test::Words(Key::Agent, words) => {
            let names: Vec<(u32, &str)> = (0..).zip(line.lanes.iter().map(agent_name)).collect();
            Ready::Lanes(chosen(&names, words))
        }
        Test::Words(Key::Loop, words) => {
            let numbered = loops(outline, run);
            let numbers = words.iter().filter_map(|word| word.parse::<usize>().ok());
            let asked = numbers.filter_map(|number| numbered.get(number.checked_sub(1)?));
            let rows = asked.flat_map(|it| it.rows.as_slice().iter().copied());
            Ready::Loops {
                any: words.iter().any(|word| word == super::parse::YES),
                none: words.iter().any(|word| word == NO),
                rows: bits(rows),
            }
        }
    }
}

impl Ready<'_> {
    fn fits(&self, outline: &Outline, row: u32) -> bool {
        let rows = &outline.rows;
        match self {
            Self::Kinds(kinds, names, with_thinking) => {
                let kind = rows.kinds.get(row);
                let flags = || Flags::from_bits(rows.flags.get(row));
                kinds.contains(&kind)
                    || kind == EventKind::ToolCall as u8 && names.has(rows.names.get(row))
                    || *with_thinking && is_thinking(EventKind::from_code(kind), flags())
            }
            Self::Statuses(statuses) => {
                let status = rows.outcome(row);
                let failed = rows.kinds.get(row) == EventKind::Error as u8;
                statuses.contains(&if failed { CallOutcome::Failed } else { status })
            }
            Self::Names(kind, names) => {
                kind.is_none_or(|kind| rows.kinds.get(row) == kind as u8)
                    && names.has(rows.names.get(row))
            }
            Self::Errors(names) => names.has(rows.errors.get(row)),
            Self::Lanes(lanes) => lanes.has(u32::from(rows.lanes.get(row))),
            Self::Loops { any, none, rows: asked } => {
                let is_in =
                    outline.loops.has(row) || rows.kinds.get(row) == EventKind::LoopWarning as u8;
                *any && is_in || *none && !is_in || asked.has(row)
            }
            Self::Text(names, found) => {
                let id = rows.ids.get(row);
                names.has(rows.names.get(row)) || found.iter().any(|bits| bits.has(id))
            }
            Self::Paths(found) => {
                let id = rows.ids.get(row);
                rows.kinds.get(row) == EventKind::ToolCall as u8
                    && found.iter().any(|bits| bits.has(id))
            }
            Self::Numbers(measure, ranges) => {
                let value = number(outline, *measure, row);
                ranges.iter().any(|range| range.has(value))
            }
        }
    }
}

/// The number that a measure compares for a row; NaN where unknown.
pub(super) fn number(outline: &Outline, measure: Measure, row: u32) -> f64 {
    let rows = &outline.rows;
    match measure {
        Measure::Duration => rows.durations_ms.get(row),
        Measure::TokensIn => rows.tokens_in.get(row),
        Measure::TokensOut => rows.tokens_out.get(row),
        Measure::Tokens => match (rows.tokens_in.get(row), rows.tokens_out.get(row)) {
            (input, output) if input.is_nan() => output,
            (input, output) if output.is_nan() => input,
            (input, output) => input + output,
        },
    }
}

fn bits(all: impl Iterator<Item = u32>) -> Bits {
    let mut bits = Bits::default();
    all.for_each(|it| bits.add(it));
    bits
}

/// The possible loops of a run, in row order: `loop:1` is the first.
#[must_use]
pub fn loops(outline: &Outline, run: u32) -> Vec<&FindingLine> {
    let mut found: Vec<&FindingLine> =
        outline.findings.iter().filter(|it| it.run == run && it.is_loud()).collect();
    traceloupe_core::sorting::sort_by_key(&mut found, |it| it.first);
    found
}

/// The name of an agent in a filter. The main agent may have no name of its own.
#[must_use]
pub fn agent_name(lane: &traceloupe_protocol::outline::LaneLine) -> &str {
    if lane.name.is_empty() && lane.is_main { "main" } else { &lane.name }
}

/// The matching names among those of the calls of a kind in a run.
fn called(outline: &Outline, kind: EventKind, run: &RunLine, words: &[String]) -> Bits {
    let names = super::facets::names(outline, run, kind);
    let names: Vec<(u32, &str)> =
        names.iter().map(|(name, _)| (*name, outline.name(*name))).collect();
    chosen(&names, words)
}

/// The names that a filter selects: those equal to a word, otherwise those that contain it. Case is ignored.
fn chosen(names: &[(u32, &str)], words: &[String]) -> Bits {
    let lower: Vec<(u32, String)> = names.iter().map(|(at, it)| (*at, lowercase(it))).collect();
    let mut bits = Bits::default();
    for word in words.iter().map(|word| lowercase(word)) {
        let is_same = |name: &str| {
            name == word || words::mcp_parts(name).is_some_and(|(_, tool)| tool == word)
        };
        let same = || lower.iter().filter(|(_, name)| is_same(name));
        let near = lower.iter().filter(|(_, name)| !word.is_empty() && name.contains(&word));
        match same().next() {
            Some(_) => same().for_each(|(at, _)| bits.add(*at)),
            None => near.for_each(|(at, _)| bits.add(*at)),
        }
    }
    bits
}

/// The names that contain one of some words.
fn names_with(outline: &Outline, words: &[String]) -> Bits {
    let words: Vec<String> = words.iter().map(|word| lowercase(word)).collect();
    let names = (0..).zip(outline.names.iter()).filter(|(_, name)| {
        let name = lowercase(name);
        words.iter().any(|word| !word.is_empty() && name.contains(word))
    });
    bits(names.map(|(at, _)| at))
}

/// The error types that contain one of some words. A number must match as a whole: 1 does not match 127.
fn errors_with(outline: &Outline, words: &[String]) -> Bits {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
    let fits = |name: &str, word: &str| match is_number(word) {
        true => name.split(|it: char| !it.is_ascii_digit()).any(|it| it == word),
        false => !word.is_empty() && name.contains(word),
    };
    let words: Vec<String> = words.iter().map(|word| lowercase(word)).collect();
    let errors = (0..).zip(&outline.errors).filter(|(_, error)| {
        let label = lowercase(&words::error_label(error.map(|name| outline.name(name))));
        !label.is_empty() && words.iter().any(|word| fits(&label, word))
    });
    bits(errors.map(|(at, _)| at))
}
