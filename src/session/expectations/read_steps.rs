//! Parses the `trajectory:*` assertions, whose value is a name, a list or an object.

use serde_json::{Map, Value};

use super::raw::Raw;
use super::read::{Unreadable, first, join};
use super::steps::{Matcher, StepArgs, StepCheck, StepRule, StepType};
use traceloupe_protocol::expectation_fault::ExpectationFault;

/// Parses an assertion if its type is one of these.
pub(super) fn step_check(
    kind: &str,
    raw: Raw<'_>,
    place: &str,
) -> Option<Result<StepCheck, Unreadable>> {
    let (is_inverse, kind) = match kind.strip_prefix("not-") {
        Some(kind) => (true, kind),
        None => (false, kind),
    };
    let read = match kind {
        "trajectory:tool-used" => tool_used,
        "trajectory:tool-sequence" => tool_sequence,
        "trajectory:tool-args-match" => tool_args,
        "trajectory:step-count" => step_count,
        _ => return None,
    };
    let place = join(place, "value");
    Some(match raw.get(&["value"]) {
        Some(value) => read(value, &place).map(|rule| StepCheck { rule, is_inverse }),
        None => Err(Unreadable::new(ExpectationFault::NoValue, place)),
    })
}

fn tool_used(value: Raw<'_>, place: &str) -> Result<StepRule, Unreadable> {
    if value.is_object() {
        let matcher = named(value, place)?;
        let min = value.get(&["min"]).and_then(Raw::number).unwrap_or(1.0);
        let max = value.get(&["max"]).and_then(Raw::number);
        return Ok(StepRule::UsedTimes(matcher, min, max));
    }
    let names = if value.is_list() { value.items() } else { vec![value] };
    let matchers: Vec<Matcher> =
        names.into_iter().map(|name| named(name, place)).collect::<Result<_, _>>()?;
    if matchers.is_empty() {
        return Err(Unreadable::new(ExpectationFault::NoTools, place));
    }
    Ok(StepRule::Used(matchers))
}

fn tool_sequence(value: Raw<'_>, place: &str) -> Result<StepRule, Unreadable> {
    let list = if value.is_list() { Some(value) } else { value.get(&["steps"]) };
    let is_exact = value.get(&["mode"]).and_then(Raw::text).is_some_and(|mode| mode == "exact");
    let items = list.map(Raw::items).unwrap_or_default();
    let matchers: Vec<Matcher> = items
        .into_iter()
        .enumerate()
        .map(|(at, step)| named(step, &format!("{place}[{at}]")))
        .collect::<Result<_, _>>()?;
    if matchers.is_empty() {
        return Err(Unreadable::new(ExpectationFault::NoSteps, place));
    }
    Ok(StepRule::Sequence(matchers, is_exact))
}

fn tool_args(value: Raw<'_>, place: &str) -> Result<StepRule, Unreadable> {
    let matcher = named(value, place)?;
    let Some((key, expected)) = first(value, &["args", "arguments"]) else {
        return Err(Unreadable::new(ExpectationFault::NoArguments, join(place, "args")));
    };
    let expected_json = expected.0.to_owned();
    let expected = super::read::value_of(expected, &join(place, key))?;
    let is_partial = match value.get(&["mode"]).and_then(Raw::word).as_deref() {
        None | Some("partial") => true,
        Some("exact") => false,
        Some(_) => {
            let what = ExpectationFault::NeitherPartialNorExact;
            return Err(Unreadable::new(what, join(place, "mode")));
        }
    };
    let defaults = match value.get(&["defaults"]) {
        Some(raw) => match super::read::value_of(raw, &join(place, "defaults"))? {
            Value::Object(defaults) => defaults,
            _ => {
                let what = ExpectationFault::DefaultsNoObject;
                return Err(Unreadable::new(what, join(place, "defaults")));
            }
        },
        None => Map::new(),
    };
    let ignore = match value.get(&["ignore"]) {
        Some(list) if list.is_list() => list.items().into_iter().filter_map(Raw::word).collect(),
        Some(one) => one.word().into_iter().collect(),
        None => Vec::new(),
    };
    Ok(StepRule::Args(matcher, StepArgs { expected, expected_json, is_partial, defaults, ignore }))
}

fn step_count(value: Raw<'_>, place: &str) -> Result<StepRule, Unreadable> {
    let number = |key: &'static str| value.get(&[key]).and_then(Raw::number);
    let (min, max) = (number("min"), number("max"));
    if min.is_none() && max.is_none() {
        return Err(Unreadable::new(ExpectationFault::NoLimit, place));
    }
    Ok(StepRule::Count(matcher(value, place, &[])?, min, max))
}

/// Parses a tool matcher, which must have a name.
fn named(raw: Raw<'_>, place: &str) -> Result<Matcher, Unreadable> {
    let matcher = matcher(raw, place, &[StepType::Tool])?;
    if matcher.pattern.is_none() {
        return Err(Unreadable::new(ExpectationFault::StepWithoutName, place));
    }
    Ok(matcher)
}

fn matcher(raw: Raw<'_>, place: &str, types: &[StepType]) -> Result<Matcher, Unreadable> {
    if !raw.is_object() {
        return Ok(Matcher { pattern: raw.word(), types: types.to_vec() });
    }
    let pattern = first(raw, &["pattern", "name"]).and_then(|(_, name)| name.word());
    let Some(kinds) = raw.get(&["type"]) else {
        return Ok(Matcher { pattern, types: types.to_vec() });
    };
    let kinds = if kinds.is_list() { kinds.items() } else { vec![kinds] };
    let types = kinds.into_iter().map(|kind| {
        let word = kind.word().unwrap_or_default();
        StepType::ALL.into_iter().find(|it| it.word() == word).ok_or_else(|| {
            let what = ExpectationFault::UnknownStepType(word);
            Unreadable::new(what, join(place, "type"))
        })
    });
    Ok(Matcher { pattern, types: types.collect::<Result<_, _>>()? })
}
