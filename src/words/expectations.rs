//! The sentences for expectations that cannot be read.

use std::borrow::Cow;

use traceloupe_protocol::expectation_fault::{ExpectationFault, FaultPlace, ValueKind};

/// Where expectations are wrong.
#[must_use]
pub fn place(place: &FaultPlace) -> Cow<'_, str> {
    match place {
        FaultPlace::WholeText => "the whole text".into(),
        FaultPlace::Line(line) => format!("line {line}").into(),
        FaultPlace::Column(line, column) => format!("line {line}, column {column}").into(),
        FaultPlace::Path(path) => path.into(),
    }
}

fn kind(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Object => "an object",
        ValueKind::List => "a list",
        ValueKind::Text => "text",
        ValueKind::Truth => "true or false",
        ValueKind::Number => "a number",
        ValueKind::Nothing => "nothing",
    }
}

/// What is wrong.
#[must_use]
pub fn what(fault: &ExpectationFault) -> Cow<'static, str> {
    Cow::Borrowed(match fault {
        ExpectationFault::TooLong(bytes) => {
            return format!("The text has {bytes} bytes, more than the limit of 1 MiB").into();
        }
        ExpectationFault::EmptyText => "The text is empty",
        ExpectationFault::NoExpectations => "It contains no expectations about tool calls",
        ExpectationFault::OnlyOtherEvaluators(named) => {
            let named = named.join(", ");
            return format!("Nothing in it can be checked with a trace alone: {named}").into();
        }
        ExpectationFault::SeveralValues => "There are several JSON values in a row",
        ExpectationFault::NoJson(reason) => {
            return format!("It is neither JSON nor YAML: {reason}").into();
        }
        ExpectationFault::BadYaml(reason) => {
            return format!("It is not valid YAML: {reason}").into();
        }
        ExpectationFault::SeveralDocuments => "There are several YAML documents",
        ExpectationFault::OnlyWord => "It is a word, not an object or a list",
        ExpectationFault::NoObject(found) => {
            return format!("It is {}, not an object or a list", kind(*found)).into();
        }
        ExpectationFault::EvaluatorsNoList(found) => {
            return format!("Evaluators must be a list, this is {}", kind(*found)).into();
        }
        ExpectationFault::TooDeep(levels) => {
            return format!("Evaluators are nested more than {levels} levels deep").into();
        }
        ExpectationFault::TooMany(most) => {
            return format!("There are more than {most} evaluators").into();
        }
        ExpectationFault::ExpectedNoList(found) => {
            return format!("`expected` must be a list of calls, this is {}", kind(*found)).into();
        }
        ExpectationFault::MinimumsNoObject(found) => {
            let found = kind(*found);
            return format!("`minimums` must map tool names to numbers, this is {found}").into();
        }
        ExpectationFault::MinimumNoNumber { tool, found } => {
            return format!("The minimum of {tool} is {}, not a number", kind(*found)).into();
        }
        ExpectationFault::CallsNoList(found) => {
            return format!("`tool_calls` must be a list, this is {}", kind(*found)).into();
        }
        ExpectationFault::UnknownMode(word) => {
            return format!("AgentV has no mode `{word}`").into();
        }
        ExpectationFault::BadArgs(found) => return format!("`args` is {}", kind(*found)).into(),
        ExpectationFault::LimitNoNumber { key, found } => {
            return format!("`{key}` is {}, not a number of milliseconds", kind(*found)).into();
        }
        ExpectationFault::CallWithoutTool => "The call has no tool name",
        ExpectationFault::UnknownMatch(json) => {
            return format!("AgentV does not support this way of comparing arguments: {json}")
                .into();
        }
        ExpectationFault::ValueTooDeep => "The value is nested too deeply to be compared",
        ExpectationFault::NoValue => "The assertion has no value",
        ExpectationFault::NoTools => "The list of tools is empty",
        ExpectationFault::NoSteps => "The sequence has no steps",
        ExpectationFault::StepWithoutName => "The step has no name",
        ExpectationFault::NoArguments => "The assertion has no arguments to compare",
        ExpectationFault::NeitherPartialNorExact => "The mode is neither partial nor exact",
        ExpectationFault::DefaultsNoObject => "`defaults` is not an object",
        ExpectationFault::NoLimit => "The assertion has neither `min` nor `max`",
        ExpectationFault::UnknownStepType(word) => {
            return format!("A trace has no steps of the type `{word}`").into();
        }
    })
}

/// What to write instead.
#[must_use]
pub fn next(fault: &ExpectationFault) -> &'static str {
    match fault {
        ExpectationFault::TooLong(_) => {
            "Paste the evaluators, or the test file, without the data it refers to"
        }
        ExpectationFault::EmptyText
        | ExpectationFault::NoExpectations
        | ExpectationFault::OnlyOtherEvaluators(_)
        | ExpectationFault::OnlyWord
        | ExpectationFault::NoObject(_) => {
            "Write `type: tool_trajectory` with `mode` and `expected` or `minimums`, or `expected_messages` with `tool_calls`"
        }
        ExpectationFault::SeveralValues | ExpectationFault::TooDeep(_) => "Put them in one list",
        ExpectationFault::NoJson(_) | ExpectationFault::BadYaml(_) => "Correct that line",
        ExpectationFault::SeveralDocuments => "Paste one of them",
        ExpectationFault::EvaluatorsNoList(_) => "Put a dash before each evaluator",
        ExpectationFault::TooMany(_) => "Paste the tests one by one",
        ExpectationFault::ExpectedNoList(_) => "Write `- tool: name` for each call",
        ExpectationFault::MinimumsNoObject(_) => "Write `toolName: 2` for each tool",
        ExpectationFault::MinimumNoNumber { .. } => "Write a number",
        ExpectationFault::CallsNoList(_) => "Put a dash before each call",
        ExpectationFault::UnknownMode(_) => "Write any_order, in_order, exact, superset or subset",
        ExpectationFault::BadArgs(_) => "Write an object, or `any`",
        ExpectationFault::LimitNoNumber { .. } => "Write a number, such as 500",
        ExpectationFault::CallWithoutTool => "Write `tool: name`",
        ExpectationFault::UnknownMatch(_) => {
            "Write exact, superset, subset, ignore, or a list of paths"
        }
        ExpectationFault::ValueTooDeep => {
            "Leave it out, or compare some of its fields with `args_match`"
        }
        ExpectationFault::NoValue => {
            "Write the name of a tool, or an object with `name` or `pattern`"
        }
        ExpectationFault::NoTools
        | ExpectationFault::NoSteps
        | ExpectationFault::StepWithoutName => {
            "Write the name of a tool, or a pattern such as `*search*`"
        }
        ExpectationFault::NoArguments => "Write them under `args`",
        ExpectationFault::NeitherPartialNorExact => "Write partial or exact",
        ExpectationFault::DefaultsNoObject => "Write `name: value` for each argument",
        ExpectationFault::NoLimit => "Write `min` or `max` with a number",
        ExpectationFault::UnknownStepType(_) => "Write tool, command, message, reasoning or span",
    }
}
