//! The signs by which lists of messages, requests and responses are recognised.

use traceloupe_engine::kit::{On, Sign, Sure, Test};

/// The words for roles of messages.
const ROLES: &[&str] = &[
    "user",
    "assistant",
    "system",
    "tool",
    "developer",
    "function",
    "human",
    "ai",
    "model",
    "gpt",
    "function_call",
    "observation",
];

/// The types of items of the Responses API that other producers do not use.
const ITEMS: &[&str] = &[
    "function_call",
    "function_call_output",
    "reasoning",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "mcp_call",
    "custom_tool_call",
];

/// How the format is recognised.
pub(super) const SIGNS: &[Sign] = &[
    likely(
        "a request with messages has its response beside it",
        &[Test::HasOne(REQUESTS), Test::HasOne(RESPONSES)],
    ),
    likely(
        "documents have `messages` with roles",
        // A log of events may contain messages as well.
        &[Test::OneOf("messages.0.role", ROLES), Test::Lacks("event")],
    ),
    likely(
        "documents have `contents` with `parts`, as Gemini's API",
        &[Test::List("contents.0.parts")],
    ),
    likely(
        "documents have `conversations` with `from` and `value`",
        &[Test::Text("conversations.0.from"), Test::Has("conversations.0.value")],
    ),
    likely(
        "documents have `conversations` with roles",
        &[Test::OneOf("conversations.0.role", ROLES), Test::Has("conversations.0.content")],
    ),
    likely(
        "the document is a page of a list of OpenAI's API",
        &[
            Test::Is("object", "list"),
            Test::HasOne(&[
                "data.0.role",
                "data.0.choices",
                "data.0.output",
                "data.0.call_id",
                "data.0.sample.output",
            ]),
        ],
    ),
    likely(
        "records are graded outputs of OpenAI's Evals API",
        &[Test::Is("object", "eval.run.output_item"), Test::Object("sample")],
    ),
    likely(
        "records are messages of Haystack",
        &[Test::OneOf("_role", ROLES), Test::List("_content")],
    ),
    likely(
        "records are messages of Semantic Kernel",
        &[
            Test::HasOne(&["role", "Role.Label"]),
            Test::HasOne(&["items.0.content_type", "items.0.$type", "Items.0.$type"]),
        ],
    ),
    likely(
        "records are messages of Microsoft's Agent Framework",
        &[
            Test::HasOne(&["role", "role.value"]),
            Test::HasOne(&["contents.0.$type", "contents.0.type"]),
        ],
    ),
    likely(
        "records are messages of LangChain4j",
        &[
            Test::OneOf("type", &["SYSTEM", "USER", "AI", "TOOL_EXECUTION_RESULT"]),
            Test::HasOne(&["text", "contents.0.type", "toolExecutionRequests"]),
        ],
    ),
    likely(
        "records are interactions of Gemini's API",
        &[Test::Is("object", "interaction"), Test::HasOne(&["steps", "outputs", "status"])],
    ),
    likely(
        "records are events of a streamed interaction of Gemini's API",
        &[
            Test::Starts("event_type", "interaction."),
            Test::HasOne(&["interaction.id", "interaction_id"]),
        ],
    ),
    likely("records are responses with `choices`", &[Test::Object("choices.0.message")]),
    likely(
        "records are responses of the Messages API",
        &[
            Test::Is("type", "message"),
            Test::Text("role"),
            Test::List("content"),
            Test::Has("model"),
        ],
    ),
    likely("records are responses of Gemini's API", &[Test::List("candidates.0.content.parts")]),
    likely(
        "records are responses of the Responses API",
        &[Test::Is("object", "response"), Test::List("output")],
    ),
    likely(
        "records are responses as OpenAI's Agents SDK keeps them",
        &[Test::List("output"), Test::HasAll(&["usage.requests", "usage.input_tokens"])],
    ),
    likely(
        "records are responses of Bedrock's Converse API",
        &[Test::Object("output.message"), Test::Text("stopReason")],
    ),
    likely(
        "records are responses of Cohere's Chat API",
        &[
            Test::Texts(&["finish_reason", "message.role"]),
            Test::HasOne(&["usage.tokens", "usage.billed_units"]),
        ],
    ),
    likely(
        "records are chunks of a streamed completion",
        &[Test::Is("object", "chat.completion.chunk"), Test::List("choices")],
    ),
    likely(
        "records are responses of Ollama",
        &[
            Test::Texts(&["model", "created_at"]),
            Test::Has("done"),
            Test::HasOne(&["message.role", "response"]),
        ],
    ),
    likely(
        "records are events of Bedrock's ConverseStream",
        &[Test::HasOne(&["contentBlockDelta.delta", "contentBlockStart.start.toolUse"])],
    ),
    likely(
        "records are events of a streamed message",
        &[Test::Is("type", "message_start"), Test::Text("message.role")],
    ),
    likely(
        "records are events of a streamed response",
        &[Test::Starts("type", "response."), Test::HasOne(&["response.id", "item.id", "item_id"])],
    ),
    likely(
        "a request of the Responses API has its response beside it",
        &[
            Test::HasOne(&["input.0.role", "input.0.type"]),
            Test::HasOne(&["response.output", "output.0.type"]),
        ],
    ),
    likely(
        "records are requests of the Responses API",
        &[
            Test::HasOne(&["model", "body.model"]),
            Test::HasOne(&["input.0.role", "input.0.type", "body.input"]),
            Test::Lacks("output"),
        ],
    ),
    likely(
        "records are items of the Responses API",
        &[
            Test::OneOf("type", ITEMS),
            Test::HasOne(&["call_id", "summary", "action", "queries", "code", "server_label"]),
            Test::Lacks("payload"),
        ],
    ),
    likely(
        "records are requests with messages, as for batches",
        &[Test::HasOne(&[
            "body.messages.0.role",
            "params.messages.0.role",
            "request.contents.0.parts",
            "request.messages.0.role",
        ])],
    ),
    likely(
        "records are results of batches, with their `custom_id`",
        &[
            Test::Has("custom_id"),
            Test::HasOne(&["result.type", "response.status_code", "response.body", "error.code"]),
        ],
    ),
    likely(
        "records are lines of a batch of Bedrock",
        &[Test::Object("modelInput"), Test::HasOne(&["recordId", "modelOutput"])],
    ),
    likely(
        "records are results of a batch of Gemini's API, with their `key`",
        &[Test::Text("key"), Test::HasOne(&["response.candidates", "error.message"])],
    ),
    likely(
        "records are log lines of model invocations of Bedrock",
        &[Test::Text("modelId"), Test::HasOne(&["input.inputBodyJson", "output.outputBodyJson"])],
    ),
    likely(
        "documents have a `conversation` with roles",
        &[Test::HasOne(&["conversation.0.role", "conversation.0.from"])],
    ),
    likely(
        "records have messages, and the answer to them that is preferred",
        &[Test::Text("input.messages.0.role"), Test::List("preferred_output")],
    ),
    likely(
        "records have an answer that is preferred, `chosen`, and one that is `rejected`",
        &[Test::Texts(&["chosen", "rejected"])],
    ),
    likely(
        "records have messages that are preferred, `chosen`, and others that are `rejected`",
        &[Test::HasOne(&["chosen.0.role", "chosen.0.from", "chosen.role"]), Test::Has("rejected")],
    ),
    likely(
        "records are conversations with two models, `conversation_a` and `conversation_b`",
        &[Test::HasAll(&["conversation_a.0.role", "conversation_b.0.role"])],
    ),
    likely(
        "records are messages of Open Assistant",
        &[Test::Text("message_tree_id"), Test::HasOne(&["prompt.text", "text"])],
    ),
    likely(
        "records are conversations in a text, as Glaive has them",
        &[Test::Starts("chat", "USER: "), Test::Text("system")],
    ),
    likely(
        "records are answers of MT-bench",
        &[Test::Has("question_id"), Test::Text("choices.0.turns.0")],
    ),
    likely(
        "records are a `prompt` with its `completion`",
        &[Test::Texts(&["prompt", "completion"])],
    ),
    likely(
        "records are messages of LangChain",
        &[Test::OneOf("type", &["human", "ai"]), Test::HasOne(&["content", "data.content"])],
    ),
    // Several other producers write such records with additional members.
    Sign {
        sure: Sure::Maybe,
        on: On::Any,
        why: "records are messages with roles",
        tests: &[Test::OneOf("role", ROLES), Test::HasOne(&["content", "parts", "tool_calls"])],
    },
    maybe("documents have a list of messages with roles", &[Test::HasOne(WRAPPED)]),
    maybe("events have `messages` with roles", &[Test::OneOf("messages.0.role", ROLES)]),
    maybe("records have messages in a text", &[Test::Starts("messages", "[{\"role\"")]),
    maybe(
        "records are an `instruction` with its `output`",
        &[Test::Texts(&["instruction", "output"])],
    ),
    maybe("records are a `prompt` with its `response`", &[Test::Texts(&["prompt", "response"])]),
    maybe(
        "messages have the answer to them beside them",
        &[Test::HasOne(&["input.messages.0.role", "input.0.role"]), Test::Has("output")],
    ),
    Sign {
        sure: Sure::Likely,
        on: On::First,
        why: "records are messages with `from` and `value`",
        tests: &[Test::OneOf("from", ROLES), Test::Text("value")],
    },
];

const fn likely(why: &'static str, tests: &'static [Test]) -> Sign {
    Sign { sure: Sure::Likely, on: On::Any, why, tests }
}

const fn maybe(why: &'static str, tests: &'static [Test]) -> Sign {
    Sign::maybe(On::Any, why, tests)
}

/// Where programs with wrappers of their own keep one or more conversations.
const WRAPPED: &[&str] = &[
    "trajectory.0.role",
    "history.0.role",
    "chat_history.0.role",
    "message_history.0.role",
    "dialogue.0.role",
    "dialog.0.role",
    "turns.0.role",
    "transcript.0.role",
    "chat.messages.0.role",
    "storeState.messages.0.role",
    "chat_message_store_state.messages.0.role",
    "result.messages.0.role",
    "data.messages.0.role",
    "data.0.messages.0.role",
    "samples.0.messages.0.role",
    "results.0.messages.0.role",
    "conversations.0.messages.0.role",
];

/// Where a request is, in the record of an exchange.
const REQUESTS: &[&str] = &[
    "messages",
    "contents",
    "request.messages",
    "request.contents",
    "request.input",
    "request.body",
    "body.messages",
    "kwargs.messages",
    "input.inputBodyJson.messages",
    "modelInput.messages",
];

/// Where its response or its error is. A document with one of them is one record.
pub(super) const RESPONSES: &[&str] = &[
    "response",
    "choices",
    "candidates",
    "raw_response.choices",
    "completion",
    "result.message",
    "output",
    "original_response",
    "modelOutput",
    "sample.output",
    // If the response to messages is a preferred one, a rejected one is beside it.
    "rejected",
    // Not a place of a response: the contents of messages of Agent Framework and LangChain4j are not lists of messages.
    "contents.0.$type",
    "contents.0.type",
    "error",
    "error_str",
];

/// Keys whose values the rows of messages and calls already show.
pub(super) const QUIET: &[&str] = &[
    "role",
    "from",
    "type",
    "object",
    "timestamp",
    "created",
    "created_at",
    "create_time",
    "_metadata.timestamp",
    "model",
    "modelVersion",
    "messages.*.name",
    "body.model",
    "request.model",
    "request.body.model",
    "response.body.model",
    "response.body.object",
    "response.body.created",
    // Keys of the events of streams.
    "message.model",
    "response.model",
    "response.object",
    "response.created",
    "response.created_at",
    "content_block.type",
    "sequence_number",
    "output_index",
    "content_index",
    "obfuscation",
    "delta.type",
];
