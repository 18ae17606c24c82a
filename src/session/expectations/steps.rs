//! The `trajectory:*` assertions of AgentV 5: tools used, their order and arguments, numbers of
//! steps.
//!
//! Names are patterns (`*`, `?`) and case is ignored. A shell call counts as a command named by its
//! command line, not as a tool.

use serde_json::{Map, Value};

use super::args::same;
use super::{Edition, glob};
use traceloupe_protocol::report::{CheckReport, MAX_EVENTS, verdict_of};

/// The most steps listed in a sentence.
const MAX_LABELS: usize = 200;

/// The most bytes of a call's arguments in a sentence.
const MAX_ARGS_BYTES: usize = 2_000;

/// Tools whose calls count as commands.
const COMMAND_TOOLS: [&str; 3] = ["exec_command", "local_shell", "shell"];

/// The type of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepType {
    /// A tool call.
    Tool,
    /// A shell command.
    Command,
    /// A message.
    Message,
    /// Thinking.
    Reasoning,
    /// Anything else.
    Span,
}

impl StepType {
    /// Every type, in a fixed order.
    pub const ALL: [Self; 5] =
        [Self::Tool, Self::Command, Self::Message, Self::Reasoning, Self::Span];

    /// AgentV's word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Command => "command",
            Self::Message => "message",
            Self::Reasoning => "reasoning",
            Self::Span => "span",
        }
    }
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The event.
    pub event: u32,
    /// Its type.
    pub kind: StepType,
    /// The names it can be matched by; the first is its own name.
    pub aliases: Vec<String>,
}

impl Step {
    /// The step of a tool call.
    #[must_use]
    pub fn of_call(event: u32, name: &str, args: Option<&Value>) -> Self {
        let command = if is_command_tool(name) { args.and_then(command_of) } else { None };
        let Some(command) = command else {
            return Self { event, kind: StepType::Tool, aliases: vec![name.to_owned()] };
        };
        let program = command.split_whitespace().next().unwrap_or_default().to_owned();
        Self { event, kind: StepType::Command, aliases: vec![command, name.to_owned(), program] }
    }

    /// A step that is not a call.
    #[must_use]
    pub fn other(event: u32, kind: StepType) -> Self {
        Self { event, kind, aliases: vec![kind.word().to_owned()] }
    }

    fn label(&self) -> String {
        let name = self.aliases.first().map_or("", String::as_str);
        format!("{}:{name}", self.kind.word())
    }
}

/// Whether calls of this tool may be commands.
#[must_use]
pub fn is_command_tool(name: &str) -> bool {
    COMMAND_TOOLS.iter().any(|it| name.eq_ignore_ascii_case(it))
}

fn command_of(args: &Value) -> Option<String> {
    let args = args.as_object()?;
    let key = ["cmd", "command", "commands"].into_iter().find(|key| args.contains_key(*key))?;
    let command = match args.get(key)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(parts) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
                .map(|part| part.trim().to_owned())
                .filter(|part| !part.is_empty())
                .collect();
            parts.join(if key == "commands" { "; " } else { " " })
        }
        _ => return None,
    };
    Some(command).filter(|command| !command.is_empty())
}

/// Selects steps.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Matcher {
    /// Name pattern; `None` matches any name.
    pub pattern: Option<String>,
    /// Types; empty matches any type.
    pub types: Vec<StepType>,
}

impl Matcher {
    fn fits(&self, step: &Step) -> bool {
        (self.types.is_empty() || self.types.contains(&step.kind))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| step.aliases.iter().any(|alias| glob::fits(alias, pattern)))
    }

    fn label(&self) -> &str {
        self.pattern.as_deref().unwrap_or("*")
    }
}

/// Expected arguments of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct StepArgs {
    /// The arguments.
    pub expected: Value,
    /// The arguments as written.
    pub expected_json: String,
    /// Whether the call may have other arguments as well.
    pub is_partial: bool,
    /// Arguments that are ignored if they have these values.
    pub defaults: Map<String, Value>,
    /// Patterns of keys that are ignored.
    pub ignore: Vec<String>,
}

/// The rule of a step assertion.
#[derive(Clone, PartialEq, Debug)]
pub enum StepRule {
    /// Each of these tools is used.
    Used(Vec<Matcher>),
    /// A tool is used at least and, if given, at most this many times.
    UsedTimes(Matcher, f64, Option<f64>),
    /// The tools are used in this order; if `true`, without any others.
    Sequence(Vec<Matcher>, bool),
    /// Some call has these arguments.
    Args(Matcher, StepArgs),
    /// The number of steps: minimum, maximum.
    Count(Matcher, Option<f64>, Option<f64>),
}

/// A step assertion.
#[derive(Clone, PartialEq, Debug)]
pub struct StepCheck {
    /// The rule.
    pub rule: StepRule,
    /// Whether the assertion is negated (`not-…`).
    pub is_inverse: bool,
}

impl StepCheck {
    /// Whether arguments of calls to this tool are needed.
    #[must_use]
    pub fn wants_args(&self, name: &str) -> bool {
        is_command_tool(name)
            || matches!(&self.rule, StepRule::Args(matcher, _)
                if matcher.pattern.as_ref().is_none_or(|pattern| glob::fits(name, pattern)))
    }
}

/// The state of an assertion.
#[derive(Debug, Default)]
pub(super) struct StepProgress {
    /// Labels of the tools used so far; `n_tools` counts those beyond the limit too.
    labels: Vec<String>,
    n_tools: usize,
    /// For each matcher, the event that matched it.
    met: Vec<Option<u32>>,
    /// Number of matching steps, and the events and labels of the first of them.
    n_fits: u64,
    events: Vec<u32>,
    fit_labels: Vec<String>,
    /// For a sequence: how far it has got, and whether some position was wrong.
    reached: usize,
    is_off: bool,
    /// Arguments seen so far, as JSON.
    seen_args: Vec<String>,
    n_with_args: u64,
    /// The call that had the expected arguments: its label and arguments.
    found: Option<(String, String)>,
}

impl StepProgress {
    /// Adds the next step, with the arguments of a call as a value and as JSON.
    pub fn push(&mut self, check: &StepCheck, step: &Step, args: Option<(&Value, &str)>) {
        let is_tool = step.kind == StepType::Tool;
        if is_tool {
            self.n_tools += 1;
            keep(&mut self.labels, step.label());
        }
        match &check.rule {
            StepRule::Used(matchers) => {
                self.met.resize(matchers.len(), None);
                for (met, matcher) in self.met.iter_mut().zip(matchers) {
                    if is_tool && met.is_none() && matcher.fits(step) {
                        *met = Some(step.event);
                    }
                }
            }
            StepRule::UsedTimes(matcher, ..) if is_tool => self.count(matcher, step),
            StepRule::Count(matcher, ..) => self.count(matcher, step),
            StepRule::Sequence(matchers, is_exact) if is_tool => {
                let wanted = matchers.get(if *is_exact { self.n_tools - 1 } else { self.reached });
                if wanted.is_some_and(|matcher| matcher.fits(step)) {
                    self.reached += 1;
                    self.fit(step);
                } else {
                    self.is_off |= *is_exact;
                }
            }
            StepRule::Args(matcher, wanted) if is_tool && matcher.fits(step) => {
                self.n_fits += 1;
                let Some((args, json)) = args else { return };
                self.n_with_args += 1;
                if self.seen_args.len() < MAX_LABELS {
                    self.seen_args.push(short(json));
                }
                if self.found.is_none() && wanted.fit(args) {
                    self.found = Some((step.label(), short(json)));
                    self.events = vec![step.event];
                }
            }
            _ => {}
        }
    }

    fn count(&mut self, matcher: &Matcher, step: &Step) {
        if matcher.fits(step) {
            self.n_fits += 1;
            self.fit(step);
        }
    }

    fn fit(&mut self, step: &Step) {
        keep(&mut self.fit_labels, step.label());
        if self.events.len() < MAX_EVENTS {
            self.events.push(step.event);
        }
    }

    /// Adds the result to the report.
    pub fn evaluate(self, check: &StepCheck, report: &mut CheckReport) {
        let (is_met, text, events) = match &check.rule {
            StepRule::Used(matchers) => self.used(matchers, check.is_inverse),
            StepRule::UsedTimes(matcher, min, max) => {
                self.used_times(matcher, *min, *max, check.is_inverse)
            }
            StepRule::Sequence(matchers, is_exact) => {
                self.sequence(matchers, *is_exact, check.is_inverse)
            }
            StepRule::Args(matcher, args) => self.args(matcher, args, check.is_inverse),
            StepRule::Count(matcher, min, max) => self.steps(matcher, *min, *max, check.is_inverse),
        };
        if is_met {
            report.hit(text, events);
        } else {
            report.miss(text, events);
        }
        report.score = if is_met { 1.0 } else { 0.0 };
        report.verdict = verdict_of(report.score, Edition::Fourth);
    }

    fn used(self, matchers: &[Matcher], is_inverse: bool) -> (bool, String, Vec<u32>) {
        let with = |is_met: bool| {
            let pairs = matchers.iter().enumerate();
            let chosen = pairs
                .filter(|(at, _)| self.met.get(*at).copied().flatten().is_some() == is_met)
                .map(|(_, matcher)| matcher.label());
            chosen.collect::<Vec<_>>()
        };
        let (matched, missing) = (with(true), with(false));
        let all = matchers.iter().map(Matcher::label).collect::<Vec<_>>().join(", ");
        let actual = listed(&self.labels, self.n_tools);
        let events = self.met.iter().flatten().copied().collect();
        let is_met = if is_inverse { matched.is_empty() } else { missing.is_empty() };
        let text = match (is_inverse, is_met) {
            (true, true) => format!("Forbidden tool(s) were not used: {all}"),
            (true, false) => {
                format!(
                    "Forbidden tool(s) were used: {}. Actual tools: {actual}",
                    matched.join(", ")
                )
            }
            (false, true) => format!("Observed required tool(s): {all}. Actual tools: {actual}"),
            (false, false) => {
                format!("Missing required tool(s): {}. Actual tools: {actual}", missing.join(", "))
            }
        };
        (is_met, text, events)
    }

    fn used_times(
        self,
        matcher: &Matcher,
        min: f64,
        max: Option<f64>,
        is_inverse: bool,
    ) -> (bool, String, Vec<u32>) {
        let (label, count) = (matcher.label(), self.n_fits);
        let is_in = is_within(count, Some(min), max);
        let text = match (is_inverse, is_in) {
            (true, true) => format!(
                "Tool \"{label}\" matched {count} time(s), which violates the inverse assertion"
            ),
            (true, false) => {
                format!("Tool \"{label}\" did not satisfy the forbidden match condition")
            }
            (false, _) => {
                let range = match max {
                    None => format!("expected at least {min}"),
                    Some(max) => format!("expected {min}-{max}"),
                };
                let matches = self.matches();
                format!("Matched tool \"{label}\" {count} time(s) ({range}){matches}")
            }
        };
        (is_in != is_inverse, text, self.events)
    }

    fn sequence(
        self,
        matchers: &[Matcher],
        is_exact: bool,
        is_inverse: bool,
    ) -> (bool, String, Vec<u32>) {
        let is_met = match is_exact {
            true => !self.is_off && self.n_tools == matchers.len(),
            false => self.reached == matchers.len(),
        };
        let actual = listed(&self.labels, self.n_tools);
        let text = match (is_inverse, is_met, is_exact) {
            (true, true, _) => {
                format!("Forbidden tool sequence was observed. Actual tools: {actual}")
            }
            (true, false, _) => "Forbidden tool sequence was not observed".to_owned(),
            (false, true, true) => format!("Observed exact tool sequence: {actual}"),
            (false, false, true) => {
                let all = matchers.iter().map(Matcher::label).collect::<Vec<_>>().join(", ");
                format!("Expected exact tool sequence of {all}, but actual tools were {actual}")
            }
            (false, true, false) => format!(
                "Observed tool sequence in order: {}. Actual tools: {actual}",
                listed(&self.fit_labels, self.reached)
            ),
            (false, false, false) => {
                let missing = matchers.get(self.reached).map_or("*", Matcher::label);
                format!(
                    "Expected tool \"{missing}\" was not observed in order. Actual tools: {actual}"
                )
            }
        };
        (is_met != is_inverse, text, self.events)
    }

    fn args(
        self,
        matcher: &Matcher,
        args: &StepArgs,
        is_inverse: bool,
    ) -> (bool, String, Vec<u32>) {
        let label = matcher.label();
        let mode = if args.is_partial { "partial" } else { "exact" };
        let seen =
            if self.seen_args.is_empty() { "(none)".to_owned() } else { self.seen_args.join(", ") };
        let is_met = self.found.is_some();
        let text = match (&self.found, is_inverse) {
            (Some((step, found)), true) => format!(
                "Forbidden argument match for tool \"{label}\" was observed on {step}. Args: {found}"
            ),
            (None, true) if self.n_fits == 0 => format!(
                "Forbidden argument match for tool \"{label}\" was not observed because no tool call matched it"
            ),
            (None, true) => format!(
                "Forbidden argument match for tool \"{label}\" was not observed. Observed args: {seen}"
            ),
            (Some((step, found)), false) => {
                format!(
                    "Tool \"{label}\" matched expected arguments ({mode}) on {step}. Args: {found}"
                )
            }
            (None, false) => {
                let actual = listed(&self.labels, self.n_tools);
                if self.n_fits == 0 {
                    format!("No tool call matched \"{label}\". Actual tools: {actual}")
                } else if self.n_with_args == 0 {
                    format!(
                        "Tool \"{label}\" was observed but no arguments were captured. Actual tools: {actual}"
                    )
                } else {
                    format!(
                        "No call to tool \"{label}\" matched expected arguments ({mode}): {}. Observed args: {seen}",
                        args.expected_json
                    )
                }
            }
        };
        (is_met != is_inverse, text, self.events)
    }

    fn steps(
        self,
        matcher: &Matcher,
        min: Option<f64>,
        max: Option<f64>,
        is_inverse: bool,
    ) -> (bool, String, Vec<u32>) {
        let count = self.n_fits;
        let is_in = is_within(count, min, max);
        let text = match (is_inverse, is_in) {
            (true, true) => "Trajectory step count satisfied the forbidden range".to_owned(),
            (true, false) => "Trajectory step count did not satisfy the forbidden range".to_owned(),
            (false, _) => {
                let mut filters = Vec::new();
                if !matcher.types.is_empty() {
                    let types: Vec<_> = matcher.types.iter().map(|it| it.word()).collect();
                    filters.push(format!("type={}", types.join("|")));
                }
                filters.extend(matcher.pattern.iter().map(|it| format!("pattern={it}")));
                let of = match filters.as_slice() {
                    [] => String::new(),
                    filters => format!(" for {}", filters.join(", ")),
                };
                let range = match (min, max) {
                    (Some(min), Some(max)) => format!("expected {min}-{max}"),
                    (Some(min), None) => format!("expected at least {min}"),
                    (None, max) => format!("expected at most {}", max.unwrap_or(0.0)),
                };
                let matches = self.matches();
                format!("Matched {count} trajectory step(s){of} ({range}){matches}")
            }
        };
        (is_in != is_inverse, text, self.events)
    }

    fn matches(&self) -> String {
        if self.n_fits == 0 {
            return String::new();
        }
        let n_fits = usize::try_from(self.n_fits).unwrap_or(usize::MAX);
        format!(". Matches: {}", listed(&self.fit_labels, n_fits))
    }
}

impl StepArgs {
    fn fit(&self, actual: &Value) -> bool {
        let is_ignored = |key: &str| {
            self.ignore.iter().any(|entry| match entry.contains(['*', '?']) {
                true => glob::fits(key, entry),
                false => entry == key,
            })
        };
        let without = |value: &Value, with_defaults: bool| match value {
            Value::Object(members) => {
                let mut kept = members.clone();
                kept.retain(|key, value| {
                    let is_default = self.defaults.get(key).is_some_and(|it| same(it, value));
                    !is_ignored(key) && (with_defaults || !is_default)
                });
                Value::Object(kept)
            }
            other => other.clone(),
        };
        let (actual, expected) = (without(actual, false), without(&self.expected, true));
        if self.is_partial { has_part(&actual, &expected) } else { same(&actual, &expected) }
    }
}

/// Whether a value contains everything expected; objects may have more, lists may not.
fn has_part(actual: &Value, expected: &Value) -> bool {
    let mut open = vec![(actual, expected)];
    while let Some(pair) = open.pop() {
        match pair {
            (Value::Object(actual), Value::Object(expected)) => {
                for (key, value) in expected {
                    let Some(found) = actual.get(key) else { return false };
                    open.push((found, value));
                }
            }
            (Value::Array(actual), Value::Array(expected)) => {
                if actual.len() != expected.len() {
                    return false;
                }
                open.extend(actual.iter().zip(expected));
            }
            (actual, expected) => {
                if !same(actual, expected) {
                    return false;
                }
            }
        }
    }
    true
}

#[expect(clippy::cast_precision_loss)] // a count
fn is_within(count: u64, min: Option<f64>, max: Option<f64>) -> bool {
    let count = count as f64;
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}

/// JSON shortened for use in a sentence.
fn short(json: &str) -> String {
    let end = json.floor_char_boundary(MAX_ARGS_BYTES);
    let cut = if end < json.len() { "…" } else { "" };
    format!("{}{cut}", json.get(..end).unwrap_or_default())
}

fn keep(labels: &mut Vec<String>, label: String) {
    if labels.len() < MAX_LABELS {
        labels.push(label);
    }
}

fn listed(labels: &[String], n_all: usize) -> String {
    if labels.is_empty() {
        return "(none)".to_owned();
    }
    let more = n_all.saturating_sub(labels.len());
    let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{rest}", labels.join(", "))
}
