//! Words for roles and kinds of events: `user`, `toolResult`, `LLM_RESPONSE`.

use traceloupe_core::case::words;

/// The class of a record, by the word for its role or kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A message of the user.
    User,
    /// Instructions.
    System,
    /// Output of a model.
    Model,
    /// Thinking of a model.
    Thinking,
    /// A record of a tool, with the end of the call if the word shows it.
    Tool(Option<End>),
    /// Anything else.
    Other,
}

/// One of the two ends of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The call itself.
    Call,
    /// Its result.
    Result,
}

impl Class {
    /// Whether the word determines the class of the record.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::Other
    }

    /// A number that is the same for both ends of a call.
    #[must_use]
    pub fn group(self) -> u8 {
        match self {
            Self::User => 1,
            Self::System => 2,
            Self::Model => 3,
            Self::Thinking => 4,
            Self::Tool(_) => 5,
            Self::Other => 0,
        }
    }
}

const USER: &[&str] = &["user", "human", "customer", "person", "visitor", "question", "prompt"];
const SYSTEM: &[&str] = &["system", "developer", "instruction", "instructions"];
const MODEL: &[&str] = &[
    "assistant",
    "ai",
    "llm",
    "model",
    "bot",
    "gpt",
    "chatbot",
    "agent",
    "completion",
    "generation",
    "answer",
    "reply",
    "inference",
];
const THINKING: &[&str] = &["thought", "thoughts", "thinking", "reasoning"];
const TOOL: &[&str] = &["tool", "tools", "function", "action", "observation"];
const CALLS: &[&str] = &[
    "call",
    "calls",
    "called",
    "calling",
    "use",
    "used",
    "start",
    "started",
    "begin",
    "invoke",
    "invoked",
    "invocation",
    "execute",
    "execution",
    "exec",
    "request",
    "input",
];
const RESULTS: &[&str] = &[
    "result",
    "results",
    "output",
    "response",
    "end",
    "ended",
    "finish",
    "finished",
    "completed",
    "return",
    "returned",
    "observation",
    "error",
];
/// Words for the end of a call if it is a tool call; otherwise they only state that something has ended.
const ENDS_OF_TOOLS: &[&str] =
    &["executed", "complete", "done", "success", "succeeded", "failed", "failure", "timeout"];
/// Words that do not change the meaning of the others.
const NEUTRAL: &[&str] =
    &["message", "msg", "event", "on", "turn", "chat", "text", "query", "final"];

/// The class of a record, by a word. All parts of the word must be known: `tool_call` is a call, `tool_created` is not.
#[must_use]
pub fn class(word: &str) -> Class {
    let mut found = Class::Other;
    let mut end = None;
    let parts = parts(word);
    let is_of_tool = parts.iter().any(|part| TOOL.contains(&part.as_str()));
    for part in parts {
        let is_in = |words: &[&str]| words.contains(&part.as_str());
        let class = if is_in(TOOL) {
            Class::Tool(None)
        } else if is_in(THINKING) {
            Class::Thinking
        } else if is_in(MODEL) {
            Class::Model
        } else if is_in(SYSTEM) {
            Class::System
        } else if is_in(USER) {
            Class::User
        } else {
            Class::Other
        };
        if is_in(RESULTS) || is_of_tool && is_in(ENDS_OF_TOOLS) {
            end = Some(End::Result);
        } else if is_in(CALLS) {
            end = end.or(Some(End::Call));
        } else if class == Class::Other && !is_in(NEUTRAL) {
            return Class::Other;
        }
        // `assistant_tool_call` is a call, `user_prompt` a prompt.
        if class.group() > found.group() {
            found = class;
        }
    }
    match found {
        Class::Tool(_) => Class::Tool(end),
        // An LLM call that has only begun has no response yet.
        Class::Model if end == Some(End::Call) && !is_call_alone(word) => Class::Other,
        other => other,
    }
}

/// Whether the word is about an LLM call as a whole: `llm_call`.
fn is_call_alone(word: &str) -> bool {
    let alone = ["call", "calls", "called", "invocation"];
    parts(word).iter().any(|part| alone.contains(&part.as_str()))
}

/// Whether a word states a failure: `error`, `run_error`.
#[must_use]
pub fn is_failure(word: &str) -> bool {
    let parts = parts(word);
    let says = |part: &String| ["error", "exception", "failure"].contains(&part.as_str());
    parts.last().is_some_and(says) && !parts.iter().any(|part| part == "no" || part == "without")
}

/// The parts of a word in lower case: `toolCall_ID` is `tool`, `call`, `id`. Empty for long texts.
#[must_use]
pub fn parts(word: &str) -> Vec<String> {
    const MAX_BYTES: usize = 40;
    if word.len() > MAX_BYTES { Vec::new() } else { words(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_roles_and_events() {
        for (word, expected) in [
            ("user", Class::User),
            ("HUMAN", Class::User),
            ("user_message", Class::User),
            ("userQuery", Class::User),
            ("system_prompt", Class::System),
            ("assistant", Class::Model),
            ("Bot", Class::Model),
            ("llm_response", Class::Model),
            ("LLM_CALL", Class::Model),
            ("agent.message", Class::Model),
            ("thought", Class::Thinking),
            ("tool", Class::Tool(None)),
            ("toolCall", Class::Tool(Some(End::Call))),
            ("on_tool_start", Class::Tool(Some(End::Call))),
            ("assistant_tool_use", Class::Tool(Some(End::Call))),
            ("function_call_output", Class::Tool(Some(End::Result))),
            ("observation", Class::Tool(Some(End::Result))),
            ("tool-error", Class::Tool(Some(End::Result))),
            ("llm.called", Class::Model),
            ("model_invocation", Class::Model),
            ("llm_inference", Class::Model),
            ("tool_called", Class::Tool(Some(End::Call))),
            ("tool_execution", Class::Tool(Some(End::Call))),
            ("tool_executed", Class::Tool(Some(End::Result))),
            ("tool_failed", Class::Tool(Some(End::Result))),
        ] {
            assert_eq!(class(word), expected, "{word}");
        }
    }

    #[test]
    fn words_that_say_nothing() {
        for word in [
            "",
            "info",
            "user_signup",
            "tool_created",
            "agent_assigned",
            "llm_request",
            "agent_failed",
            "user_failed",
            "request",
            "response",
            "PushEvent",
            "Feature",
            "GET",
            "user is not known to the agent of this tool",
        ] {
            assert_eq!(class(word), Class::Other, "{word}");
        }
    }
}
