//! Elements in every shape that the description and the servers' responses have.

use super::AGENT_INSPECTOR;
use crate::testing::{Read, read, sniff, title_of};
use traceloupe_core::model::{
    Block, BlockRole, Detail, ErrorLabel, EventKind, Fact, Flags, Status, Value, key_hash,
};
use traceloupe_engine::Verdict;

fn one_file(records: &[&str]) -> Read {
    read(&AGENT_INSPECTOR, &[records])
}

/// The titles of the blocks that have one.
fn titles(detail: &Detail) -> Vec<String> {
    let title = |block: &Block| match block {
        Block::Fields(title, _)
        | Block::Text(title, _)
        | Block::Json(title, _)
        | Block::Log(title, _)
        | Block::Messages(title, ..) => title_of(*title),
        Block::ToolUse(name, _) => format!("call {name}"),
        Block::Arguments(_) => "Arguments".to_owned(),
        Block::Result(_) => "Result".to_owned(),
        Block::Thinking(_) => "Thinking".to_owned(),
        Block::Error { .. } => "Error".to_owned(),
        other => format!("{other:?}"),
    };
    detail.blocks.iter().map(title).collect()
}

const ASKS: &str = r#"{"type":"llm_request","model":"gpt-4o","conversation":[{"role":"user","content":"weather?"}],"response":{"id":"cmpl-1","model":"gpt-4o","created":1795162322,"choices":[{"index":0,"message":{"role":"assistant","content":"I check.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"X\"}"}},{"id":"call_2","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Y\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}}"#;
const DONE_Y: &str = r#"{"type":"tool_call","tool_name":"get_weather","arguments":{"city":"Y"},"result":"rain","cli_output":"GET 200"}"#;
const DONE_X: &str = r#"{"type":"tool_call","tool_name":"get_weather","arguments":{"city":"X"},"result":["sun",{"type":"text","text":"two\nlines"}]}"#;

#[test]
fn a_request_and_its_calls() {
    let read = one_file(&[ASKS, DONE_Y, DONE_X]);
    assert_eq!(
        read.outline(),
        ["llm-call gpt-4o", " tool-call get_weather", " tool-call get_weather"]
    );
    let events = read.trace.events();
    let request = events.get(0).unwrap();
    assert_eq!((request.status, request.flags.has(Flags::ANSWER)), (Status::Ok, true));
    assert_eq!(request.start.get(), Some(1_795_162_322_000_000_000));
    assert_eq!(request.id_hash, key_hash(&["cmpl-1"]));
    let usage = read.trace.usage(request).unwrap();
    assert_eq!((usage.input, usage.output), (Some(12), Some(3)));
    // In the order of the requests; paired by their arguments.
    assert_eq!(events.get(1).unwrap().id_hash, key_hash(&["call_1"]));
    assert_eq!(events.get(2).unwrap().id_hash, key_hash(&["call_2"]));
    let told: Vec<_> = (0..3).map(|at| read.summary(at)).collect();
    assert_eq!(told, [r#""I check.""#, r#"{"city":"X"}"#, r#"{"city":"Y"}"#]);
    let run = &read.trace.runs()[0];
    assert_eq!((run.key.as_str(), run.format), ("source 0", "agent-inspector"));
}

#[test]
fn an_opened_request_shows_model_conversation_output_calls_in_this_order() {
    let read = one_file(&[ASKS]);
    let detail = read.detail(&AGENT_INSPECTOR, 0);
    let calls = ["call get_weather", "call get_weather"];
    let expected =
        [&["Model", "Messages", "Response"], calls.as_slice(), &["Usage", "OtherFields"]].concat();
    assert_eq!(titles(&detail), expected);
    assert_eq!(detail.native_id.as_deref(), Some("cmpl-1"));
    let Block::ToolUse(_, Value::Escaped(span)) = &detail.blocks[3] else { panic!() };
    assert_eq!(read.text(*span), r#"{\"city\":\"X\"}"#);
}

#[test]
fn an_opened_call_shows_every_field() {
    let more = DONE_Y.replace("\"cli_output\"", "\"exit\":0,\"cli_output\"");
    let read = one_file(&[ASKS, &more, DONE_X]);
    let detail = read.detail(&AGENT_INSPECTOR, 2);
    assert_eq!(titles(&detail), ["Arguments", "Result", "CLI output", "OtherFields"]);
    assert_eq!(detail.native_id.as_deref(), Some("call_2"));
    let Block::Result(Value::Json(span)) = &read.detail(&AGENT_INSPECTOR, 1).blocks[1] else {
        panic!()
    };
    assert_eq!(read.text(*span), r#"["sun",{"type":"text","text":"two\nlines"}]"#);
}

#[test]
fn what_was_sent_before_is_counted() {
    let again = ASKS.replace(
        r#"{"role":"user","content":"weather?"}"#,
        r#"{"role":"user","content":"weather?"},{"role":"assistant","content":"I check."},{"role":"tool","content":"rain"}"#,
    );
    let read = one_file(&[ASKS, DONE_Y, &again]);
    let detail = read.detail(&AGENT_INSPECTOR, 3);
    let seen = detail.blocks.iter().find_map(|block| match block {
        Block::Messages(BlockRole::Messages, messages, n) => Some((messages.len(), *n)),
        _ => None,
    });
    assert_eq!(seen, Some((3, 1)));
    assert_eq!(read.trace.lanes().len(), 1, "the same agent");
}

#[test]
fn agents_are_told_apart() {
    let request = |model: &str, annotation: &str, first: &str| {
        format!(
            r#"{{"type":"llm_request","model":"{model}","annotation":"{annotation}","conversation":[{first}],"response":{{"choices":[{{"message":{{"role":"assistant","content":"a"}}}}]}}}}"#
        )
    };
    let user = |text: &str| format!(r#"{{"role":"user","content":"{text}"}}"#);
    let system = |text: &str| format!(r#"{{"role":"system","content":"{text}"}}"#);
    let records = [
        request("m", "planner", &user("one")),
        request("m", "planner", &user("two")),
        request("m", "step 7", &user("one")),
        request("other", "planner", &user("one")),
        request("m", "planner", &system("you write")),
        request("m", "writer", &user("three")),
        r#"{"type":"tool_call","tool_name":"f","arguments":{}}"#.to_owned(),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = one_file(&records);
    let lanes: Vec<_> = read.trace.events().iter().map(|event| event.lane.index()).collect();
    // The third continues the conversation of the first, whatever its name is.
    assert_eq!(lanes, [0, 0, 0, 1, 2, 3, 3]);
    let names: Vec<_> = read.trace.lanes().iter().map(|lane| read.trace.name(lane.name)).collect();
    assert_eq!(names, ["planner", "planner", "planner", "writer"]);
    assert_eq!(read.outline()[3], "llm-call other · planner");
    assert_eq!(read.trace.runs()[0].facts, [Fact::new("agents".into(), "4".to_owned())]);
}

#[test]
fn wrappers_and_names_of_the_inspector() {
    let element = r#"{"type":"llm_request","data":{"model_name":"m","conversation":[{"role":"user"}],"llm_output":"words","tool_calls":[{"name":"f","args":{"a":1}}],"extra":1}}"#;
    let call =
        r#"{"type":"tool_call","data":{"tool_name":"f","arguments":{"a":1},"result":{"ok":true}}}"#;
    for wrapper in ["trace", "elements"] {
        let document =
            format!("{{\"name\":\"n\",\"{wrapper}\":[\n{element},\n{call}\n],\"score\":1}}");
        let read = one_file(&[&document]);
        assert_eq!(read.outline(), ["llm-call m", " tool-call f"], "{wrapper}");
        let lines: Vec<_> = read
            .trace
            .events()
            .iter()
            .map(|event| read.trace.places(event).next().unwrap().line)
            .collect();
        assert_eq!(lines, [2, 2], "a call begins where it was asked for");
        let last = read.trace.events().get(1).unwrap();
        assert_eq!(read.trace.places(last).last().unwrap().line, 3);
        let facts = &read.trace.runs()[0].facts;
        assert_eq!(facts.len(), 2, "{facts:?}");
        let detail = read.detail(&AGENT_INSPECTOR, 0);
        let expected = ["Model", "Messages", "Response", "call f", "OtherFields"];
        assert_eq!(titles(&detail), expected);
        assert!(matches!(sniff(&AGENT_INSPECTOR, "x", &[&document]), Verdict::Certain(_)));
    }
    let read = one_file(&[&format!("[{element},{call}]")]);
    assert_eq!(read.trace.events().len(), 2);
}

/// What a response is read as: the titles of the blocks after the conversation, and the summary.
fn answered(response: &str) -> (Vec<String>, String) {
    let record = format!(
        r#"{{"type":"llm_request","model":"m","conversation":[{{"role":"user","content":"q"}}],"response":{response}}}"#
    );
    let read = one_file(&[&record]);
    let detail = read.detail(&AGENT_INSPECTOR, 0);
    (titles(&detail).split_off(2), read.summary(0))
}

#[test]
fn responses_of_many_servers() {
    let cases: [(&str, &[&str], &str); 14] = [
        (r#""words""#, &["Response"], r#""words""#),
        (
            r#"{"choices":[{"text":"t","finish_reason":"length"}]}"#,
            &["Response", "OtherFields"],
            r#""t""#,
        ),
        (
            r#"{"choices":[{"message":{"content":"c","reasoning_content":"r","tool_calls":null}}]}"#,
            &["Thinking", "Response"],
            r#""c""#,
        ),
        (
            r#"{"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}]}"#,
            &["Response"],
            r#""a""#,
        ),
        (
            r#"{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}"#,
            &["Response"],
            r#""a""#,
        ),
        (
            r#"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}}]}"#,
            &["call f"],
            r#"[{"function":{"name":"f","arguments":{"a":1}}}]"#,
        ),
        (r#"{"role":"assistant","content":"m"}"#, &["Response"], r#""m""#),
        (r#"{"text":"s","meta_info":{"prompt_tokens":1}}"#, &["Response", "Usage"], r#""s""#),
        (r#"{"text":["v"]}"#, &["Response"], r#""v""#),
        (
            r#"{"content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{}}],"usage":{"input_tokens":2}}"#,
            &["Response", "call f", "Usage"],
            r#""a""#,
        ),
        (
            r#"{"output":[{"type":"message","role":"assistant","content":"o"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}"#,
            &["Response", "call f"],
            r#""o""#,
        ),
        (
            r#"{"choices":[{"index":0,"logprobs":{"a":1},"message":{"content":"c","refusal":"no","audio":null}}],"id":"x"}"#,
            &["Response", "Response", "OtherFields"],
            r#""c""#,
        ),
        (r#"{"odd":1}"#, &["Response"], r#"{"odd":1}"#),
        ("[]", &["Response"], r#"{"role":"user","content":"q"}"#),
    ];
    for (response, blocks, summary) in cases {
        assert_eq!(
            answered(response),
            (blocks.iter().map(|it| (*it).to_owned()).collect(), summary.to_owned()),
            "{response}"
        );
    }
}

#[test]
fn further_choices_are_notes_beside_the_call() {
    let record = r#"{"type":"llm_request","conversation":[],"response":{"choices":[{"message":{"content":"a","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}},{"text":"b"}]}}"#;
    let read = one_file(&[record]);
    assert_eq!(read.outline(), ["llm-call ", " tool-call f", "note choice 2"]);
    assert_eq!((read.summary(0).as_str(), read.summary(2).as_str()), ("\"a\"", "\"b\""));
}

#[test]
fn failures_and_missing_answers() {
    let read = one_file(&[
        r#"{"type":"llm_request","model":"m","conversation":[],"response":{"error":{"type":"rate_limit","message":"slow"}}}"#,
        r#"{"type":"llm_request","model":"m","conversation":[{"role":"user","content":"q"}]}"#,
        r#"{"type":"tool_call","tool_name":"f","arguments":{},"error":"boom"}"#,
        r#"{"type":"tool_call","tool_name":"f","arguments":{},"result":{"isError":true,"content":[]}}"#,
        r#"{"type":"tool_call","tool_name":"f","arguments":{}}"#,
        r#"{"type":"tool_call","tool_name":"f","arguments":{},"result":null}"#,
    ]);
    let statuses: Vec<_> = read.trace.events().iter().map(|event| event.status.word()).collect();
    assert_eq!(statuses, ["error", "no-result", "error", "error", "no-result", "ok"]);
    let first = read.trace.events().get(0).unwrap();
    assert_eq!(read.trace.error(first.error), ErrorLabel::Type("rate_limit"));
    assert_eq!(titles(&read.detail(&AGENT_INSPECTOR, 0))[0], "Error");
}

#[test]
fn mcp_and_unknown_elements_show_all_they_have() {
    let mcp = r#"{"type":"mcp","method":"tools/call","params":{"name":"lookup","arguments":{"q":1}},"result":"r"}"#;
    let read = one_file(&[mcp, r#"{"type":"mcp"}"#, r#"{"type":"note","x":1}"#, "5", "[]"]);
    let kinds: Vec<_> = read.trace.events().iter().map(|event| event.kind).collect();
    assert_eq!(
        kinds,
        [EventKind::ToolCall, EventKind::ToolCall, EventKind::Record, EventKind::Record]
    );
    assert_eq!(read.outline()[..3], ["tool-call lookup", "tool-call mcp", "record note"]);
    assert_eq!(read.trace.events().get(1).unwrap().status, Status::Unknown);
    let detail = read.detail(&AGENT_INSPECTOR, 0);
    assert_eq!(titles(&detail), ["Arguments", "Result", "OtherFields"]);
    let Block::Fields(_, fields) = &detail.blocks[2] else { panic!() };
    let labels: Vec<_> = fields.iter().filter_map(|field| field.label.key()).collect();
    assert_eq!(labels, ["method", "params.name"]);
    assert_eq!(titles(&read.detail(&AGENT_INSPECTOR, 2)), ["Record"]);
}

#[test]
fn a_call_belongs_to_the_latest_request_that_asked_for_it() {
    let ask = |id: &str| {
        format!(
            r#"{{"type":"llm_request","conversation":[{{"role":"user","content":"{id}"}}],"response":{{"choices":[{{"message":{{"content":null,"tool_calls":[{{"id":"{id}","function":{{"name":"f","arguments":"{{}}"}}}}]}}}}]}}}}"#
        )
    };
    let done = r#"{"type":"tool_call","tool_name":"f","arguments":{"any":1},"result":"r"}"#;
    let by_id = r#"{"type":"tool_call","tool_name":"g","tool_call_id":"first","arguments":{},"result":"r"}"#;
    let (first, second) = (ask("first"), ask("second"));
    let read = one_file(&[&first, &second, done, by_id, done]);
    let calls: Vec<_> = read
        .trace
        .events()
        .iter()
        .map(|it| (it.kind.word(), it.parent().map(|id| id.index()), read.trace.name(it.name)))
        .collect();
    let llm_call = ("llm-call", None, "");
    let (first, second) = (("tool-call", Some(0), "g"), ("tool-call", Some(2), "f"));
    assert_eq!(calls, [llm_call, first, llm_call, second, ("tool-call", None, "f")]);
    assert!(read.trace.events().iter().skip(1).all(|it| it.status != Status::Missing));
}

#[test]
fn many_calls_that_never_come_cost_little() {
    let call = r#"{"id":"","function":{"name":"f","arguments":"{}"}}"#;
    let calls = vec![call; 5_000].join(",");
    let asks = format!(
        r#"{{"type":"llm_request","conversation":[],"response":{{"choices":[{{"message":{{"tool_calls":[{calls}]}}}}]}}}}"#
    );
    let done = r#"{"type":"tool_call","tool_name":"other","arguments":{}}"#;
    let mut records = vec![asks.as_str()];
    records.extend(vec![done; 5_000]);
    let read = one_file(&records);
    assert_eq!(read.trace.events().len(), 10_001);
}

#[test]
fn who_claims_what() {
    let rank = |records: &[&str]| sniff(&AGENT_INSPECTOR, "x.json", records).rank();
    assert_eq!(rank(&[ASKS]), 3);
    assert_eq!(rank(&[DONE_X]), 3);
    assert_eq!(rank(&[r#"{"type":"llm_request"}"#]), 2);
    assert_eq!(rank(&[r#"{"type":"mcp","x":1}"#]), 1);
    // Tool calls of AgentV and archi.
    assert_eq!(rank(&[r#"{"type":"tool_call","name":"f","input":{}}"#]), 0);
    assert_eq!(rank(&[r#"{"type":"tool_start","tool_name":"f"}"#]), 0);
    assert_eq!(rank(&[r#"{"trace":[{"type":"tool_call","name":"f"}]}"#]), 0);
}

#[test]
fn hostile_elements_do_no_harm() {
    let lists = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    let objects = format!("{}1{}", r#"{"message":"#.repeat(20_000), "}".repeat(20_000));
    let deep = format!(r#"{{"type":"llm_request","conversation":{lists},"response":{objects}}}"#);
    let records = [
        deep.as_str(),
        r#"{"type":"llm_request","type":"tool_call","tool_name":["a"],"arguments":5,"result":[],"data":7}"#,
        r#"{"type":"llm_request","conversation":5,"response":{"choices":[1,{"message":2},null]},"tool_calls":{"a":1}}"#,
        r#"{"type":"tool_call","tool_name":"","result":{}}"#,
        r#"{"trace":5}"#,
        r#"{"type":{},"trace":[[[]]]}"#,
        "null",
        "\"llm_request\"",
    ];
    let read = one_file(&records);
    for at in 0..read.trace.events().len() {
        assert!(!read.detail(&AGENT_INSPECTOR, at).blocks.is_empty(), "{at}");
    }
}
