//! GitHub Copilot Chat's debug logs: the files that the VS Code extension writes for each session if
//! `github.copilot.chat.agentDebugLog.fileLogging.enabled` is set, one JSON object per line.
//!
//! Read from the description of the files that comes with the extension (its skill `troubleshoot`, in
//! github.com/microsoft/vscode-copilot-chat) and from lines that users quote; no real file was at hand. A record is
//! written when its event is over: a request to the model with its counts, then the model's response, then the calls,
//! each with its result. Events of sub-agents are in files of their own.

use traceloupe_core::model::MaybeNs;
use traceloupe_engine::prelude::*;

/// The format.
pub static COPILOT_DEBUG: Described = Described {
    signs: &[Sign::record(
        "records have the `sid` of a session, a `type` of Copilot Chat's debug log and `attrs`",
        &[
            Test::OneOf(
                "type",
                &[
                    "session_start",
                    "user_message",
                    "llm_request",
                    "agent_response",
                    "tool_call",
                    "discovery",
                    "turn_start",
                    "turn_end",
                    "subagent",
                    "child_session_ref",
                    "generic",
                ],
            ),
            Test::Text("sid"),
            Test::HasAll(&["ts", "dur"]),
            Test::Object("attrs"),
        ],
    )],
    quiet: &["v|ts|dur|sid|type|name|spanId|parentSpanId|status", "attrs.turnId"],
    ..Described::new(&catalog::COPILOT_DEBUG, describe)
};

/// Cached tokens are a part of the input.
static COUNTS: Flavour = Flavour {
    input: &["inputTokens"],
    output: &["outputTokens"],
    cache_read: &["cachedTokens"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let (record, attrs) = (entry.json, entry.json.get("attrs"));
    out.run(record.get("sid"));
    out.at(record.get("ts"));
    let took = millis_ns(record.get("dur"));
    let name = record.get("name");
    match record.get("type").label().as_ref() {
        "session_start" => {
            out.facts(
                attrs,
                &[
                    ("Version of Copilot", "copilotVersion"),
                    ("Version of VS Code", "vscodeVersion"),
                ],
            );
            out.event(EventKind::RunStart, "session");
        }
        "user_message" => drop(out.user_parts(vec![Part::Text(attrs.get("content"))])),
        "llm_request" => {
            let asked = out.unpack(attrs.get("inputMessages"));
            let item = out.item(What::Model).tokens(&COUNTS, attrs).took(took);
            item.joins(Joins::Id(record.get("spanId")));
            item.time.has_begun = true;
            item.name(attrs.get("model"))
                .error(attrs.get("error"))
                .fields(attrs, &[("First token (ms)", "ttft"), ("Maximum of tokens", "maxTokens")]);
            if !asked.is_absent() {
                item.part(Part::Prompt(asked));
            }
        }
        "agent_response" => {
            let mut parts = vec![Part::Thinking(attrs.get("reasoning"))];
            parts.retain(|part| matches!(part, Part::Thinking(words) if has_content(*words)));
            let answer = out.unpack(attrs.get("response"));
            if answer.kind() == Kind::String {
                // The text was cut off, so it is not JSON.
                parts.push(Part::Text(answer));
            }
            for part in answer.items().flat_map(|message| message.get("parts").items()) {
                let words = part.any(&["content", "text"]);
                match part.get("type").label().as_ref() {
                    "text" => parts.push(Part::Text(words)),
                    "reasoning" | "thinking" => parts.push(Part::Thinking(words)),
                    "tool_call" => {
                        let arguments = out.unpack(part.get("arguments"));
                        parts.push(Part::Call(part.get("name").label(), arguments));
                    }
                    _ => parts.push(Part::Value(BlockRole::Content, part)),
                }
            }
            out.model(parts, Joins::Open).time.start = MaybeNs::UNKNOWN;
        }
        "tool_call" => {
            let result = attrs.get("result");
            let call = out.call(record.get("spanId"), name, attrs.get("args"));
            call.asked_by(AskedBy::Last).took(took).outcome(record.get("status"));
            call.time.has_begun = true;
            if has_content(result) {
                call.part(Part::Result(result));
            }
            call.error(attrs.get("error"));
        }
        "subagent" => {
            out.event(EventKind::Agent, name.label())
                .took(took)
                .outcome(record.get("status"))
                .text(attrs.get("description"))
                .error(attrs.get("error"));
        }
        "turn_start" | "turn_end" | "discovery" => {
            out.bookkeeping(name.label()).text(attrs.get("details"));
        }
        _ => drop(out.note(name.label()).text(attrs.any(&["details", "label", "file"]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn an_answer_is_of_the_request_before_it() {
        let lines = [
            r#"{"ts":1780000001000,"dur":0,"sid":"s","type":"user_message","name":"user_message","spanId":"u","status":"ok","attrs":{"content":"Mend the sail"}}"#,
            r#"{"ts":1780000002000,"dur":900,"sid":"s","type":"llm_request","name":"chat:gpt-5","spanId":"a","parentSpanId":"u","status":"ok","attrs":{"model":"gpt-5","inputTokens":100,"cachedTokens":60,"outputTokens":20,"ttft":300}}"#,
            r#"{"ts":1780000002900,"dur":0,"sid":"s","type":"agent_response","name":"agent_response","spanId":"agent-1","parentSpanId":"u","status":"ok","attrs":{"response":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Looking\"},{\"type\":\"tool_call\",\"name\":\"read_file\",\"arguments\":\"{}\"}]}]"}}"#,
            r#"{"ts":1780000003000,"dur":50,"sid":"s","type":"tool_call","name":"read_file","spanId":"t","parentSpanId":"u","status":"error","attrs":{"args":"{\"path\":\"sail\"}","result":"none","error":"no file"}}"#,
            r#"{"ts":1780000004000,"dur":900,"sid":"s","type":"llm_request","name":"chat:gpt-5","spanId":"b","parentSpanId":"u","status":"ok","attrs":{"model":"gpt-5","inputTokens":130,"outputTokens":2}}"#,
            r#"{"ts":1780000004900,"dur":0,"sid":"s","type":"agent_response","name":"agent_response","spanId":"agent-2","parentSpanId":"u","status":"ok","attrs":{"response":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Gone\"}]}]"}}"#,
        ];
        let read = read(&COPILOT_DEBUG, &[&lines]);
        assert_eq!(
            read.outline(),
            ["user ", "llm-call gpt-5", " tool-call read_file", "llm-call gpt-5"]
        );
    }
}
