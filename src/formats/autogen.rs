//! AutoGen and AG2: messages of teams, results, saved states and event logs; the failure logs of Who&When.
//!
//! Read from the producers' code (github.com/microsoft/autogen, `autogen_agentchat/messages.py`,
//! `autogen_core/logging.py`; github.com/ag2ai/ag2, `agentchat/chat.py`) and from the data set of
//! github.com/ag2ai/Agents_Failure_Attribution. Since 0.4 a message has a `type` and the agent that is its `source`;
//! before 0.4 it has the role that it has for its receiver, so its `name` decides. Who&When has agents in place of
//! roles, with their activity: `Orchestrator (thought)`. Each agent is a lane. Output of code begins with its exit
//! code.

use super::chat;
use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The types of messages and events.
const TYPES: &[&str] = &[
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
    "StructuredMessage",
    "HandoffMessage",
    "ToolCallSummaryMessage",
    "ToolCallRequestEvent",
    "ToolCallExecutionEvent",
    "ThoughtEvent",
    "MemoryQueryEvent",
    "SelectSpeakerEvent",
    "UserInputRequestedEvent",
    "CodeGenerationEvent",
    "CodeExecutionEvent",
    "ModelClientStreamingChunkEvent",
];

/// The format.
pub static AUTOGEN: Described = Described {
    signs: &[
        Sign::record(
            "messages have a `source`, and a `type` of AgentChat",
            &[Test::OneOf("type", TYPES), Test::Text("source")],
        ),
        Sign::record(
            "the document has messages with a `source`, and a `type` of AgentChat",
            &[Test::OneOf("messages.0.type", TYPES), Test::Text("messages.0.source")],
        ),
        Sign::record(
            "the document is the saved state of a team or an agent",
            &[
                Test::OneOf("type", &["TeamState", "AssistantAgentState"]),
                Test::HasOne(&["agent_states", "llm_context"]),
            ],
        ),
        Sign::record(
            "events of a log have the type `LLMCall`",
            &[Test::Is("type", "LLMCall"), Test::List("messages"), Test::Has("response")],
        ),
        Sign::record(
            "events of a log are messages with their `delivery_stage`",
            &[
                Test::Starts("kind", "MessageKind."),
                Test::Starts("delivery_stage", "DeliveryStage."),
            ],
        ),
        Sign::record(
            "the document has a `chat_history`, a `summary` and its `cost`",
            &[Test::List("chat_history"), Test::HasAll(&["cost", "chat_history.0.role"])],
        ),
        Sign::record(
            "a message has the results of several calls as its `tool_responses`",
            &[Test::Is("role", "tool"), Test::Is("tool_responses.0.role", "tool")],
        ),
        Sign::record(
            "the document has a `history`, and says who made a mistake when",
            &[Test::List("history"), Test::HasAll(&["mistake_agent", "mistake_step"])],
        ),
        // The agent that made the mistake may be named after a long history.
        Sign::likely(
            On::Any,
            "the document has a `history` of messages with names, and says whether their answer is correct",
            &[
                Test::Texts(&["history.0.name", "history.0.role"]),
                Test::HasAll(&["is_correct", "ground_truth"]),
            ],
        ),
    ],
    lists: &["messages", "chat_history", "history", "llm_context.messages"],
    undivided: &["response"],
    has_messages: true,
    // The outcome follows the messages. A stream of messages ends with a result that repeats all of them.
    hooks: Hooks { is_whole: true, sums_up: true, tells_twice: true, ..Hooks::NONE },
    quiet: &[
        "type|id|source|created_at|role|name|is_error|prompt_tokens|completion_tokens|version",
        "content.*.id|name|call_id|is_error",
        "agent_states.*.type",
    ],
    ..Described::new(&catalog::AUTOGEN, describe)
};

/// The names of senders that are not agents.
const PEOPLE: &[&str] = &["user", "human", "user_proxy", "UserProxy", "admin", "Admin"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["created_at", "timestamp"]));
    match record.get("type").label().as_ref() {
        "LLMCall" => {
            agent(record.get("agent_id"), out);
            chat::exchange(record, record, record.get("response"), out);
        }
        "TeamState" => team(record, out),
        _ if entry.is_document => document(record, out),
        kind => message(kind, record, out),
    }
}

/// A result: the document around the messages.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    out.run.titles.own = document.get("question");
    let is_correct = document.any(&["is_correct", "is_corrected"]);
    out.run.grade.score = is_correct.bool().map(f64::from);
    out.run.grade.verdict = is_correct.bool().map(RunVerdict::of);
    out.facts(
        document,
        &[
            (FactKind::Other("Stop reason"), "stop_reason"),
            (FactKind::Other("Correct"), "is_correct"),
            (FactKind::Other("Correct"), "is_corrected"),
            (FactKind::Other("Level"), "level"),
            (FactKind::Other("Mistake of"), "mistake_agent"),
            (FactKind::Other("Mistake at step"), "mistake_step"),
            (FactKind::Cost, "cost.usage_including_cached_inference.total_cost"),
        ],
    );
    out.event(EventKind::RunStart, "conversation")
        .summary(document.get("question"))
        .value("Question", document.get("question"))
        .value("Expected", document.get("ground_truth"))
        .value(BlockRole::Instructions, document.get("system_prompt"));
    out.after_list();
    if document.get("mistake_step").is_given() {
        out.event(EventKind::Evaluation, "mistake")
            .value("Reason", document.get("mistake_reason"))
            .fields(document, &[("Agent", "mistake_agent"), ("Step", "mistake_step")]);
    }
    let (end, cost) = (document.any(&["stop_reason", "summary"]), document.get("cost"));
    if end.is_given() || cost.is_given() {
        out.run.status = document.get("stop_reason").given().map(|_| RunStatus::Ok);
        out.event(EventKind::RunEnd, "end").text(end).value("Cost", cost);
    }
}

/// The saved state of a team. Its manager has the thread of all agents, with their token counts; without a manager,
/// each agent has the context that it sends to its model, which repeats the other agents' messages.
fn team<'a>(team: Json<'a>, out: &mut Description<'a>) {
    const CONTEXT: &str = "llm_context.messages";
    out.event(EventKind::RunStart, "state");
    let inner = |state: Json<'a>| state.get("agent_state").or(state);
    let states = team.get("agent_states");
    let has_thread =
        states.members().any(|(_, state)| inner(state).get("message_thread.0").is_given());
    for (name, state) in states.members() {
        let agent = out.event(EventKind::Agent, name.clone()).opens();
        agent.summary(state.get("type"));
        let state = inner(state);
        let context = state.get(CONTEXT);
        let list = if has_thread && context.is_given() {
            agent.value(BlockRole::Context, context);
            Json::ABSENT
        } else {
            state.any(&[CONTEXT, "message_thread", "inner_team_state"])
        };
        for it in list.items() {
            let kind = it.get("type").label();
            message(&kind, it, out);
            out.run.agent.is(Json::ABSENT);
        }
        out.item(What::End).name(name);
    }
}

/// Sets the agent of a record.
fn agent<'a>(name: Json<'a>, out: &mut Description<'a>) {
    let word = name.label();
    if !word.is_empty() && !PEOPLE.contains(&word.as_ref()) {
        out.run.agent.is_named(name);
    }
}

fn message<'a>(kind: &str, message: Json<'a>, out: &mut Description<'a>) {
    let (source, content) = (message.get("source"), message.get("content"));
    let word = source.label();
    agent(source, out);
    let is_user = PEOPLE.contains(&word.as_ref());
    match kind {
        "" => named(message, out),
        "SystemMessage" => drop(out.item(What::System).text(content)),
        "ThoughtEvent" => drop(out.thinking(content)),
        "ModelClientStreamingChunkEvent" => {
            out.model(vec![Part::piece(PieceOf::Text, content)], Joins::Neighbours);
        }
        "ToolCallExecutionEvent" | "FunctionExecutionResultMessage" => {
            for it in content.items() {
                out.result(it.get("call_id"), it.get("content"))
                    .name(it.get("name"))
                    .failed(it.get("is_error"));
            }
        }
        "CodeExecutionEvent" => {
            let result = message.get("result");
            out.call(Json::ABSENT, Json::new("\"code\""), result.get("code_blocks"))
                .part(Part::Result(result.get("output")))
                .exit(result.get("exit_code"))
                .field("Exit code", result.get("exit_code"));
        }
        "ToolCallSummaryMessage" => drop(out.note("tool call summary").text(content)),
        "HandoffMessage" => {
            out.note("handoff").text(content).field("To", message.get("target"));
        }
        "SelectSpeakerEvent" => {
            out.note("next speaker").summary(content).value(BlockRole::Untitled, content);
        }
        "StopMessage" => drop(out.event(EventKind::RunEnd, "stop").text(content)),
        "ToolCall" => {
            // The LLM call before it requested it, with an id that is missing here.
            agent(message.get("agent_id"), out);
            out.result(Json::ABSENT, message.get("result"))
                .name(message.get("tool_name"))
                .value(BlockRole::Arguments, message.get("arguments"));
        }
        "UserMessage" => user(message, out),
        _ if is_user => user(message, out),
        "AssistantMessage" | "ToolCallRequestEvent" => answer(message, out),
        _ if TYPES.contains(&kind) && content.is_given() => answer(message, out),
        kind => drop(out.note(kind.to_owned()).text(content)),
    }
}

fn user<'a>(message: Json<'a>, out: &mut Description<'a>) {
    if out.run.titles.words.is_absent() {
        out.run.titles.words = content::first_words(message);
    }
    out.run.agent.is(Json::ABSENT);
    out.item(What::User).parts = content::pieces(message.get("content"));
}

/// A model's response: text, an object, or a list of calls.
fn answer<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let content = message.get("content");
    let calls: Vec<_> = content.items().filter(|it| it.get("arguments").is_given()).collect();
    let mut parts: Vec<_> =
        message.get("thought").given().map(Part::Thinking).into_iter().collect();
    match content.kind() {
        Kind::Object => parts.push(Part::Value(BlockRole::Content, content)),
        _ if calls.is_empty() => parts.extend(content::pieces(content)),
        _ => {}
    }
    let model = out.items.len();
    let item = out.model(parts, Joins::Neighbours).tokens(&OPENAI, message.get("models_usage"));
    item.asks(content).ends(true);
    for call in calls {
        out.asked_by(model, call.get("id"), call.get("name"), call.get("arguments"));
    }
}

/// A message identified by the name or the role of an agent: `Orchestrator (-> WebSurfer)`.
fn named<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let content = message.get("content");
    let role = message.get("role").label();
    let name = message.get("name").word().filter(|name| !name.is_empty());
    let speaker = name.unwrap_or_else(|| role.clone());
    let (speaker, does) = match speaker.split_once(" (") {
        Some((speaker, does)) => (speaker.to_owned(), does.trim_end_matches(')').to_owned()),
        None => (speaker.into_owned(), String::new()),
    };
    if role == "tool" || role == "system" {
        return content::message(message, Joins::Nothing, out);
    }
    if PEOPLE.contains(&speaker.as_str()) {
        return user(message, out);
    }
    let agent = out.string(&speaker);
    if speaker != "assistant" {
        out.run.agent.is_named(agent);
    }
    let exit = out.text(content).strip_prefix("exitcode: ").and_then(|it| it.split(' ').next());
    if let Some(exit) = exit {
        out.call(Json::ABSENT, agent, Json::ABSENT)
            .part(Part::Result(content))
            .exit(Json::new(exit));
        return;
    }
    match does.as_str() {
        "thought" => {
            out.model(vec![Part::Thinking(content)], Joins::Nothing);
            if is_in_loop(out.text(content)) {
                out.event(EventKind::LoopWarning, "is_in_loop").summary(content);
            }
        }
        "termination condition" => drop(out.event(EventKind::RunEnd, does).text(content)),
        _ => {
            content::answer(message, out);
            out.run.agent.is(if speaker == "assistant" { Json::ABSENT } else { agent });
            if let Some(to) = does.strip_prefix("-> ") {
                let to = out.string(to);
                out.items.iter_mut().take(1).for_each(|item| {
                    item.field("To", to);
                });
            }
        }
    }
}

/// Whether the ledger of Magentic-One says that the team goes round: `"is_in_loop": {"reason": …, "answer": true}`.
fn is_in_loop(ledger: &str) -> bool {
    let answer = ledger.split_once("\"is_in_loop\"").and_then(|it| it.1.split_once("\"answer\""));
    answer.is_some_and(|it| it.1.trim_start_matches([':', ' ']).starts_with("true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{read, sniff};
    use traceloupe_engine::Verdict;

    #[test]
    fn a_failed_answer_is_known_by_its_beginning() {
        let beginning = |more: &str| {
            format!(
                r#"{{"is_correct":false,"question":"x","ground_truth":"y","history":[{{"content":"z","role":"user"{more}}}]}}"#
            )
        };
        let verdict = |text: &str| sniff(&AUTOGEN, "x", &[text]);
        assert!(matches!(verdict(&beginning(r#","name":"Expert""#)), Verdict::Likely(_)));
        assert_eq!(verdict(&beginning("")), Verdict::No);
    }

    #[test]
    fn a_ledger_that_states_a_loop_is_a_warning_of_the_producer() {
        let ledger = |answer: bool| {
            let text = format!(
                r#"Updated Ledger:\n{{\n \"is_request_satisfied\": {{\"answer\": false}},\n \"is_in_loop\": {{\n \"reason\": \"r\",\n \"answer\": {answer}\n }},\n \"is_progress_being_made\": {{\"answer\": true}}\n}}"#
            );
            format!(r#"{{"role":"Orchestrator (thought)","content":"{text}"}}"#)
        };
        let document = format!(
            r#"{{"question":"q","mistake_agent":"a","mistake_step":"1","history":[{{"role":"human","content":"q"}},{},{}]}}"#,
            ledger(false),
            ledger(true)
        );
        let outline = read(&AUTOGEN, &[&[&document]]).outline();
        let warnings = outline.iter().filter(|it| it.starts_with("loop-warning")).count();
        assert_eq!(warnings, 1, "{outline:?}");
    }

    #[test]
    fn messages_of_a_group_chat_are_those_of_its_agents() {
        let messages = [
            r#"{"content":"Plot it","role":"user","name":"Admin"}"#,
            r#"{"content":"First the sums.","role":"user","name":"Planner"}"#,
            r#"{"content":"","role":"assistant","name":"Engineer","tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{\"n\":1}"}},{"id":"c2","type":"function","function":{"name":"take","arguments":"{}"}}]}"#,
            r#"{"content":"2\n\n1","role":"tool","name":"Executor","tool_responses":[{"tool_call_id":"c1","role":"tool","content":"2"},{"tool_call_id":"c2","role":"tool","content":"1"}]}"#,
        ];
        assert!(matches!(sniff(&AUTOGEN, "x", &messages), Verdict::Certain(_)));
        let read = read(&AUTOGEN, &[&messages]);
        let expected = ["user ", "llm-call ", "llm-call ", " tool-call add", " tool-call take"];
        assert_eq!(read.outline(), expected);
        let lanes: Vec<_> = read.trace.lanes().iter().map(|it| it.key.as_str()).collect();
        assert!(["Planner", "Engineer"].iter().all(|it| lanes.contains(it)), "{lanes:?}");
    }

    #[test]
    fn an_answer_is_graded_by_whether_it_is_correct() {
        for (is_correct, verdict) in [("true", RunVerdict::Pass), ("false", RunVerdict::Fail)] {
            let document = format!(
                r#"{{"is_correct":{is_correct},"question":"x","ground_truth":"y","history":[{{"content":"z","role":"user","name":"Expert"}}]}}"#
            );
            let read = read(&AUTOGEN, &[&[&document]]);
            assert_eq!(read.trace.runs()[0].verdict, Some(verdict));
        }
    }
}
