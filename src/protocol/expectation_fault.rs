//! Why expectations cannot be read, and where.

use serde::{Deserialize, Serialize};

/// What is wrong with expectations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExpectationFault {
    /// The text has this many bytes, which is too long.
    TooLong(u64),
    /// The text is empty.
    EmptyText,
    /// There are no expectations about tool calls in it.
    NoExpectations,
    /// All of its evaluators need more than a trace: some of them.
    OnlyOtherEvaluators(Vec<String>),
    /// There are several JSON values in a row.
    SeveralValues,
    /// It is neither JSON nor YAML, for this reason.
    NoJson(String),
    /// It is not valid YAML, for this reason.
    BadYaml(String),
    /// There are several YAML documents.
    SeveralDocuments,
    /// It is a word alone.
    OnlyWord,
    /// It is this, and neither an object nor a list.
    NoObject(ValueKind),
    /// The evaluators are this, and not a list.
    EvaluatorsNoList(ValueKind),
    /// Evaluators are nested more deeply than this many levels.
    TooDeep(u64),
    /// There are more evaluators than this.
    TooMany(u64),
    /// `expected` is this, and not a list.
    ExpectedNoList(ValueKind),
    /// `minimums` is this, and not an object.
    MinimumsNoObject(ValueKind),
    /// The minimum of a tool is no number.
    MinimumNoNumber {
        /// The name of the tool.
        tool: String,
        /// What it is.
        found: ValueKind,
    },
    /// `tool_calls` is this, and not a list.
    CallsNoList(ValueKind),
    /// AgentV has no such mode.
    UnknownMode(String),
    /// `args` is this, and neither an object nor `any`.
    BadArgs(ValueKind),
    /// A limit on the duration is no number.
    LimitNoNumber {
        /// The key of the limit.
        key: String,
        /// What it is.
        found: ValueKind,
    },
    /// A call has no tool name.
    CallWithoutTool,
    /// AgentV does not support this way of comparing arguments.
    UnknownMatch(String),
    /// A value is nested too deeply to be compared.
    ValueTooDeep,
    /// An assertion has no value.
    NoValue,
    /// A list of tools is empty.
    NoTools,
    /// A sequence has no steps.
    NoSteps,
    /// A step has no name.
    StepWithoutName,
    /// An assertion has no arguments to compare.
    NoArguments,
    /// The mode is neither partial nor exact.
    NeitherPartialNorExact,
    /// `defaults` is not an object.
    DefaultsNoObject,
    /// There is neither `min` nor `max`.
    NoLimit,
    /// A trace has no steps of this type.
    UnknownStepType(String),
}

/// What a JSON value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ValueKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A string.
    Text,
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// Null, or no value at all.
    Nothing,
}

/// Where expectations are wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum FaultPlace {
    /// In the whole text.
    #[default]
    WholeText,
    /// In a line, counted from 1.
    Line(u64),
    /// In a line and column, both counted from 1.
    Column(u64, u64),
    /// At a path such as `tests[1].assert[0].mode`.
    Path(String),
}

impl From<String> for FaultPlace {
    /// The place with a path. The path of the root is empty.
    fn from(path: String) -> Self {
        if path.is_empty() { Self::WholeText } else { Self::Path(path) }
    }
}

impl From<&str> for FaultPlace {
    fn from(path: &str) -> Self {
        Self::from(path.to_owned())
    }
}
