//! Parses expectations as users write them: one evaluator, a list of evaluators, the tool calls of expected messages,
//! or a whole EVAL.yaml.

use std::collections::BTreeSet;

use serde_json::Value;

use super::args::{ArgsMatch, ExpectedArgs};
use super::messages::ExpectedCall;
use super::raw::Raw;
use super::read_steps::step_check;
use super::trajectory::{Item, Trajectory};
use super::{Check, Edition, Expectations, Rule, Test};
use traceloupe_converters::{YamlFault, yaml_to_json};
use traceloupe_core::json::{Repaired, repair};
use traceloupe_protocol::expectation_fault::{ExpectationFault, FaultPlace};
use traceloupe_protocol::report::{CheckNote, Mode};

/// Longer input is rejected.
pub const MAX_TEXT_BYTES: usize = 1 << 20;

/// The most evaluators in total.
const MAX_CHECKS: usize = 2_000;

/// The deepest nesting of evaluators that contain others.
const MAX_LEVELS: usize = 8;

/// Why expectations cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What is wrong.
    pub what: ExpectationFault,
    /// Where.
    pub place: FaultPlace,
}

impl Unreadable {
    pub(super) fn new(what: ExpectationFault, place: impl Into<FaultPlace>) -> Self {
        Self { what, place: place.into() }
    }
}

/// Parses expectations from JSON or YAML.
///
/// # Errors
/// What could not be parsed, where it is, and what to write instead.
pub fn read(text: &str) -> Result<Expectations, Unreadable> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(whole(ExpectationFault::TooLong(text.len() as u64)));
    }
    if text.trim().is_empty() {
        return Err(whole(ExpectationFault::EmptyText));
    }
    let json = json_of(text)?;
    let root = Raw(json.trim());
    let mut reader = Reader::default();
    let tests = root.get(&TEST_KEYS).filter(|tests| tests.is_list());
    match tests {
        Some(tests) => {
            for (at, test) in tests.items().into_iter().enumerate() {
                let place = format!("tests[{at}]");
                let mut read = reader.test(test, &place)?;
                // Evaluators of the whole file run after those of the test.
                if !skips_defaults(test) {
                    reader.evaluators_of(root, "", &mut read)?;
                }
                reader.tests.push(read);
            }
        }
        None => {
            let test = reader.test(root, "")?;
            reader.tests.push(test);
        }
    }
    if reader.tests.iter().all(|test| test.checks.is_empty()) {
        let mut skipped = BTreeSet::new();
        for name in reader.tests.iter().flat_map(|test| &test.skipped) {
            skipped.insert(name.clone());
        }
        let what = if skipped.is_empty() {
            ExpectationFault::NoExpectations
        } else {
            ExpectationFault::OnlyOtherEvaluators(skipped.into_iter().take(5).collect())
        };
        return Err(whole(what));
    }
    Ok(Expectations { tests: reader.tests })
}

/// A fault of the whole text.
fn whole(what: ExpectationFault) -> Unreadable {
    Unreadable { what, place: FaultPlace::WholeText }
}

/// Converts JSON or YAML to strict JSON.
fn json_of(text: &str) -> Result<String, Unreadable> {
    let text = text.trim();
    let fault = match repair(text.as_bytes()) {
        Repaired::Good { text, .. } => return Ok(text.into_owned()),
        Repaired::Several(_) => {
            return Err(whole(ExpectationFault::SeveralValues));
        }
        Repaired::Bad { reason, offset, .. } => {
            let line = text.bytes().take(offset).filter(|it| *it == b'\n').count() + 1;
            let place = FaultPlace::Line(line as u64);
            Unreadable { what: ExpectationFault::NoJson(reason), place }
        }
    };
    let mut documents = Vec::new();
    match yaml_to_json(text, &mut |json| documents.push(json.to_owned())) {
        // If the text begins like JSON, the JSON error is more helpful than the YAML error.
        Some(_) if text.starts_with(['{', '[']) => return Err(fault),
        Some(YamlFault { line, column, what }) => {
            let place = FaultPlace::Column(line.into(), column.into());
            return Err(Unreadable { what: ExpectationFault::BadYaml(what), place });
        }
        None => {}
    }
    let mut documents = documents.into_iter();
    match (documents.next(), documents.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(whole(ExpectationFault::SeveralDocuments)),
        (None, _) => Err(whole(ExpectationFault::OnlyWord)),
    }
}

const TEST_KEYS: [&str; 4] = ["tests", "evalcases", "eval_cases", "cases"];
const EVALUATOR_KEYS: [&str; 4] = ["evaluators", "assert", "assertions", "graders"];
const MESSAGE_KEYS: [&str; 3] = ["expected_messages", "expectedMessages", "expected_output"];

fn skips_defaults(test: Raw<'_>) -> bool {
    let of =
        |raw: Raw<'_>| raw.get(&["skip_defaults", "skipDefaults"]).is_some_and(|it| it.0 == "true");
    of(test) || test.get(&["execution"]).is_some_and(of)
}

#[derive(Default)]
struct Reader {
    tests: Vec<Test>,
    n_checks: usize,
}

impl Reader {
    /// Parses a test, or an expectation that is not in a test.
    fn test(&mut self, raw: Raw<'_>, place: &str) -> Result<Test, Unreadable> {
        let mut test = Test {
            id: raw.get(&["id", "test_id", "eval_id"]).and_then(Raw::word).unwrap_or_default(),
            ..Test::default()
        };
        if raw.is_list() {
            let items = raw.items();
            let has = |key: &str| items.iter().any(|item| item.get(&[key]).is_some());
            if has("role") {
                self.messages(raw, place, &mut test)?;
            } else if has("tool") && !has("type") {
                let rule = self.trajectory(raw, place, Edition::First)?;
                self.add(
                    "tool_trajectory",
                    "tool_trajectory",
                    1.0,
                    Rule::Trajectory(rule),
                    &mut test,
                );
            } else {
                self.evaluators(raw, place, &mut test)?;
            }
            return Ok(test);
        }
        if !raw.is_object() {
            return Err(Unreadable::new(ExpectationFault::NoObject(raw.kind()), place));
        }
        if let Some((key, messages)) = first(raw, &MESSAGE_KEYS)
            && messages.is_list()
        {
            self.messages(messages, &join(place, key), &mut test)?;
        }
        self.evaluators_of(raw, place, &mut test)?;
        for key in ["tool_trajectory", "tool-trajectory"] {
            if let Some(rule) = raw.get(&[key]).filter(|it| it.is_object() || it.is_list()) {
                let rule = self.trajectory(rule, &join(place, key), edition_of(key))?;
                self.add(key, key, 1.0, Rule::Trajectory(rule), &mut test);
            }
        }
        let is_evaluator = raw.get(&["type"]).is_some();
        let is_bare = raw.get(&["mode", "minimums"]).is_some()
            || raw.get(&["expected"]).is_some_and(Raw::is_list);
        if is_evaluator || is_bare && test.checks.is_empty() {
            self.evaluator(raw, place, &mut test)?;
        }
        Ok(test)
    }

    /// Parses the evaluators of an object, which are directly in it or under `execution`.
    fn evaluators_of(
        &mut self,
        raw: Raw<'_>,
        place: &str,
        test: &mut Test,
    ) -> Result<(), Unreadable> {
        let execution = raw.get(&["execution"]).map(|it| (it, join(place, "execution")));
        for (holder, place) in [(raw, place.to_owned())].into_iter().chain(execution) {
            if let Some((key, list)) = first(holder, &EVALUATOR_KEYS) {
                self.evaluators(list, &join(&place, key), test)?;
            }
        }
        Ok(())
    }

    /// Parses a list of evaluators. Those that contain others (`composite`, `assert-set`) are
    /// flattened.
    fn evaluators(
        &mut self,
        list: Raw<'_>,
        place: &str,
        test: &mut Test,
    ) -> Result<(), Unreadable> {
        if !list.is_list() {
            return Err(Unreadable::new(ExpectationFault::EvaluatorsNoList(list.kind()), place));
        }
        let mut open = Vec::new();
        push_items(list, place, 0, &mut open);
        while let Some((item, place, level)) = open.pop() {
            let inner = first(item, &EVALUATOR_KEYS).filter(|(_, list)| list.is_list());
            match inner {
                Some(_) if level >= MAX_LEVELS => {
                    let what = ExpectationFault::TooDeep(MAX_LEVELS as u64);
                    return Err(Unreadable::new(what, short(&place)));
                }
                Some((key, list)) => push_items(list, &join(&place, key), level + 1, &mut open),
                None => self.evaluator(item, &place, test)?,
            }
        }
        Ok(())
    }

    fn evaluator(&mut self, raw: Raw<'_>, place: &str, test: &mut Test) -> Result<(), Unreadable> {
        self.n_checks += 1;
        if self.n_checks > MAX_CHECKS {
            return Err(Unreadable::new(ExpectationFault::TooMany(MAX_CHECKS as u64), place));
        }
        if let Some(text) = raw.text() {
            // A sentence is meant for a judging model.
            test.skipped.push(text.chars().take(80).collect());
            return Ok(());
        }
        let kind = raw.get(&["type"]).and_then(Raw::word);
        let name = raw.get(&["name", "metric"]).and_then(Raw::word);
        let kind = kind.unwrap_or_else(|| "tool_trajectory".to_owned());
        let weight = raw.get(&["weight"]).and_then(Raw::number).filter(|it| *it >= 0.0);
        let (weight, shown) = (weight.unwrap_or(1.0), name.as_deref().unwrap_or(&kind));
        match kind.as_str() {
            "tool_trajectory" | "tool-trajectory" | "toolTrajectory" => {
                let rule = self.trajectory(raw, place, edition_of(&kind))?;
                self.add(shown, &kind, weight, Rule::Trajectory(rule), test);
            }
            "expected_messages" | "expected_tool_calls" | "expected-messages" => {
                if let Some((key, messages)) = first(raw, &MESSAGE_KEYS) {
                    self.messages(messages, &join(place, key), test)?;
                } else if let Some(check) =
                    test.checks.iter_mut().find(|check| matches!(check.rule, Rule::Messages(_)))
                {
                    // The evaluator applies to the messages beside it.
                    (check.name, check.kind, check.weight) = (shown.to_owned(), kind, weight);
                }
            }
            _ => match step_check(&kind, raw, place) {
                Some(read) => self.add(shown, &kind, weight, Rule::Steps(read?), test),
                None => test.skipped.push(match name {
                    Some(name) => format!("{name} ({kind})"),
                    None => kind,
                }),
            },
        }
        Ok(())
    }

    fn add(&mut self, name: &str, kind: &str, weight: f64, rule: Rule, test: &mut Test) {
        test.checks.push(Check { name: name.to_owned(), kind: kind.to_owned(), weight, rule });
    }

    /// Parses a trajectory, or a bare list of its expected calls.
    fn trajectory(
        &self,
        raw: Raw<'_>,
        place: &str,
        edition: Edition,
    ) -> Result<Trajectory, Unreadable> {
        let mut notes = Vec::new();
        let list = if raw.is_list() { Some(raw) } else { raw.get(&["expected"]) };
        let minimums = raw.get(&["minimums"]);
        let mode = match raw.get(&["mode"]) {
            Some(mode) => read_mode(mode, &join(place, "mode"))?,
            None if list.is_none() => Mode::AnyOrder,
            None => {
                notes.push(CheckNote::ModeAssumed);
                Mode::InOrder
            }
        };
        let default_how = match first(raw, &ARGS_MATCH_KEYS) {
            Some((key, how)) => Some(args_match(how, &join(place, key))?),
            None => None,
        };
        let mut expected = Vec::new();
        if let Some(list) = list {
            let place = if raw.is_list() { place.to_owned() } else { join(place, "expected") };
            if !list.is_list() {
                return Err(Unreadable::new(ExpectationFault::ExpectedNoList(list.kind()), place));
            }
            for (at, item) in list.items().into_iter().enumerate() {
                expected.push(read_item(item, &format!("{place}[{at}]"), default_how.as_ref())?);
            }
        }
        let mut least = Vec::new();
        if let Some(minimums) = minimums {
            let place = join(place, "minimums");
            if !minimums.is_object() {
                let what = ExpectationFault::MinimumsNoObject(minimums.kind());
                return Err(Unreadable::new(what, place));
            }
            for (tool, number) in minimums.members() {
                let Some(number) = number.number() else {
                    let (place, found) = (join(&place, &tool), number.kind());
                    let tool = tool.into_owned();
                    let what = ExpectationFault::MinimumNoNumber { tool, found };
                    return Err(Unreadable::new(what, place));
                };
                // If a key is repeated, the last value counts, at the position of the first.
                match least.iter_mut().find(|(known, _)| *known == *tool) {
                    Some((_, known)) => *known = number,
                    None => least.push((tool.into_owned(), number)),
                }
            }
        }
        if mode == Mode::AnyOrder && !expected.is_empty() {
            notes.push(CheckNote::OnlyMinimums);
        } else if mode != Mode::AnyOrder && !least.is_empty() {
            notes.push(CheckNote::MinimumsIgnored(mode));
        }
        Ok(Trajectory { edition, mode, minimums: least, expected, notes })
    }

    /// Parses the tool calls in the assistant's messages.
    fn messages(&mut self, list: Raw<'_>, place: &str, test: &mut Test) -> Result<(), Unreadable> {
        let mut calls = Vec::new();
        for (at, message) in list.items().into_iter().enumerate() {
            let role = message.get(&["role"]).and_then(Raw::text);
            let Some(list) = message.get(&["tool_calls", "toolCalls"]) else { continue };
            let place = format!("{place}[{at}].tool_calls");
            if role.is_some_and(|role| role != "assistant") {
                continue;
            }
            if !list.is_list() {
                return Err(Unreadable::new(ExpectationFault::CallsNoList(list.kind()), place));
            }
            for (at, call) in list.items().into_iter().enumerate() {
                let place = format!("{place}[{at}]");
                let tool = tool_of(call, &place)?;
                let input = match call.get(&["input"]) {
                    Some(input) => Some(value_of(input, &join(&place, "input"))?),
                    None => None,
                };
                let output = call.get(&["output"]).map(|it| it.0.to_owned());
                calls.push(ExpectedCall { tool, input, output });
            }
        }
        if !calls.is_empty() {
            let kind = "expected_messages";
            self.add(kind, kind, 1.0, Rule::Messages(calls), test);
        }
        Ok(())
    }
}

/// Pushes the items of a list so that the first of them is popped next.
fn push_items<'a>(
    list: Raw<'a>,
    place: &str,
    level: usize,
    open: &mut Vec<(Raw<'a>, String, usize)>,
) {
    let items = list.items().into_iter().enumerate();
    let items: Vec<_> = items.map(|(at, item)| (item, format!("{place}[{at}]"), level)).collect();
    open.extend(items.into_iter().rev());
}

/// A path, shortened if it is long.
fn short(place: &str) -> String {
    place.chars().take(80).collect()
}

const ARGS_MATCH_KEYS: [&str; 2] = ["args_match", "argsMatch"];

fn edition_of(kind: &str) -> Edition {
    if kind == "tool-trajectory" { Edition::Fourth } else { Edition::First }
}

fn read_mode(raw: Raw<'_>, place: &str) -> Result<Mode, Unreadable> {
    let word = raw.word().unwrap_or_default();
    let found = Mode::ALL.into_iter().find(|mode| mode.word() == word);
    found.ok_or_else(|| {
        Unreadable::new(ExpectationFault::UnknownMode(word.chars().take(60).collect()), place)
    })
}

fn read_item(
    raw: Raw<'_>,
    place: &str,
    default_how: Option<&ArgsMatch>,
) -> Result<Item, Unreadable> {
    let tool = tool_of(raw, place)?;
    let how = match first(raw, &ARGS_MATCH_KEYS) {
        Some((key, how)) => args_match(how, &join(place, key))?,
        None => default_how.cloned().unwrap_or_default(),
    };
    let args = match raw.get(&["args"]) {
        None => None,
        Some(any) if any.text().as_deref() == Some("any") => None,
        Some(args) if args.is_object() => {
            Some(ExpectedArgs { value: value_of(args, &join(place, "args"))?, how })
        }
        Some(other) => {
            let what = ExpectationFault::BadArgs(other.kind());
            return Err(Unreadable::new(what, join(place, "args")));
        }
    };
    let max_duration_ms = match first(raw, &["max_duration_ms", "maxDurationMs"]) {
        None => None,
        Some((key, limit)) => match limit.number().filter(|it| *it >= 0.0) {
            Some(limit) => Some(limit),
            None => {
                let (key, place, found) = (key.to_owned(), join(place, key), limit.kind());
                return Err(Unreadable::new(ExpectationFault::LimitNoNumber { key, found }, place));
            }
        },
    };
    Ok(Item { tool, args, max_duration_ms })
}

fn tool_of(raw: Raw<'_>, place: &str) -> Result<String, Unreadable> {
    let tool = if raw.is_object() { raw.get(&["tool"]).and_then(Raw::word) } else { raw.word() };
    tool.ok_or_else(|| Unreadable::new(ExpectationFault::CallWithoutTool, place))
}

fn args_match(raw: Raw<'_>, place: &str) -> Result<ArgsMatch, Unreadable> {
    if raw.is_list() {
        let paths = raw.items().into_iter().filter_map(Raw::word);
        return Ok(ArgsMatch::Fields(paths.collect()));
    }
    match raw.word().as_deref() {
        Some("exact") => Ok(ArgsMatch::Exact),
        Some("superset") => Ok(ArgsMatch::Superset),
        Some("subset") => Ok(ArgsMatch::Subset),
        Some("ignore") => Ok(ArgsMatch::Ignore),
        _ => Err(Unreadable::new(
            ExpectationFault::UnknownMatch(raw.0.chars().take(60).collect()),
            place,
        )),
    }
}

pub(super) fn value_of(raw: Raw<'_>, place: &str) -> Result<Value, Unreadable> {
    serde_json::from_str(raw.0).map_err(|_| Unreadable::new(ExpectationFault::ValueTooDeep, place))
}

/// The first of the keys that is present, with its value.
pub(super) fn first<'a>(raw: Raw<'a>, keys: &[&'static str]) -> Option<(&'static str, Raw<'a>)> {
    keys.iter().find_map(|key| Some((*key, raw.get(&[key])?)))
}

pub(super) fn join(place: &str, key: &str) -> String {
    if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") }
}
