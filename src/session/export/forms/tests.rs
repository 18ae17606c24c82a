//! Writes a turn with two calls in each format.

use super::*;
use traceloupe_core::model::{CallOutcome, EventId, EventKind, Usage};

fn event(kind: EventKind, id: usize) -> NormalEvent {
    NormalEvent {
        id: EventId::from_index(id),
        kind,
        name: String::new(),
        agent: String::new(),
        lane: 0,
        native_id: None,
        status: CallOutcome::Ok,
        error: String::new(),
        error_message: None,
        start_ns: None,
        duration_ns: None,
        usage: None,
        arguments: None,
        result: None,
        text: None,
        thinking: None,
        tool_calls: Vec::new(),
        inputs: Vec::new(),
    }
}

/// A question, an answer with two calls, the second of which fails, and the final answer.
fn conversation() -> Vec<NormalEvent> {
    let second_ns = 1_000_000_000;
    let start_ns = 1_767_607_200 * second_ns;
    let text = |text: &str| Some(text.to_owned());
    vec![
        NormalEvent {
            text: text("Weather?"),
            start_ns: Some(start_ns),
            ..event(EventKind::UserMessage, 0)
        },
        NormalEvent {
            name: "m-1".to_owned(),
            text: text("I look."),
            thinking: text("Hm."),
            start_ns: Some(start_ns + second_ns),
            duration_ns: Some(second_ns / 2),
            usage: Some(Usage { input: Some(7), output: Some(3), ..Usage::default() }),
            ..event(EventKind::LlmCall, 1)
        },
        NormalEvent {
            name: "getWeather".to_owned(),
            native_id: text("c-1"),
            arguments: text(r#"{"city":"NYC"}"#),
            result: text(r#""72°F""#),
            start_ns: Some(start_ns + 2 * second_ns),
            duration_ns: Some(second_ns),
            ..event(EventKind::ToolCall, 2)
        },
        event(EventKind::Note, 3),
        NormalEvent {
            name: "getTime".to_owned(),
            native_id: text("c-1"),
            status: CallOutcome::Failed,
            error: "Timeout".to_owned(),
            arguments: text(r#"{"tz":12345678901234567890123}"#),
            error_message: text(r#""too late""#),
            ..event(EventKind::ToolCall, 4)
        },
        NormalEvent { text: text("72°F"), ..event(EventKind::LlmCall, 5) },
    ]
}

fn written(form: ExportForm, is_yaml: bool, events: Vec<NormalEvent>) -> (String, Vec<ExportNote>) {
    let run = RunNames { key: "r-1".to_owned(), has_user_messages: true };
    let mut writer = FormWriter::new(form, is_yaml, run);
    events.into_iter().for_each(|event| writer.push(event));
    writer.finish();
    (writer.take(), writer.notes(Omitted::default()))
}

fn lines(form: ExportForm) -> Vec<String> {
    let (text, _) = written(form, false, conversation());
    assert!(traceloupe_core::json::is_strict(&text), "{text}");
    let items = text.strip_prefix("[\n").unwrap().strip_suffix("\n]\n").unwrap();
    items.split(",\n").map(str::to_owned).collect()
}

#[test]
fn agentv_events() {
    let (_, notes) = written(ExportForm::AgentvEvents, false, conversation());
    assert_eq!(notes, [ExportNote::EventsLeftOut(1), ExportNote::WithoutTime(2)]);
    assert_eq!(
        lines(ExportForm::AgentvEvents),
        [
            r#"{"type":"message","timestamp":"2026-01-05T10:00:00Z","text":"Weather?","metadata":{"role":"user"}}"#,
            r#"{"type":"model_step","timestamp":"2026-01-05T10:00:01Z","text":"I look.","metadata":{"model":"m-1","thinking":"Hm.","duration_ms":500,"token_usage":{"input":7,"output":3}}}"#,
            r#"{"type":"tool_call","timestamp":"2026-01-05T10:00:02Z","id":"c-1","name":"getWeather","input":{"city":"NYC"}}"#,
            r#"{"type":"tool_result","timestamp":"2026-01-05T10:00:03Z","id":"c-1","name":"getWeather","output":"72°F","metadata":{"duration_ms":1000}}"#,
            r#"{"type":"tool_call","timestamp":null,"id":"call_2","name":"getTime","input":{"tz":12345678901234567890123}}"#,
            r#"{"type":"tool_result","timestamp":null,"id":"call_2","name":"getTime","output":"too late","metadata":{"status":"error","error":"Timeout"}}"#,
            r#"{"type":"model_step","timestamp":null,"text":"72°F"}"#,
        ]
    );
}

#[test]
fn openai_messages() {
    assert_eq!(
        lines(ExportForm::OpenAiMessages),
        [
            r#"{"role":"user","content":"Weather?"}"#,
            r#"{"role":"assistant","content":"I look.","reasoning_content":"Hm.","tool_calls":[{"id":"c-1","type":"function","function":{"name":"getWeather","arguments":"{\"city\":\"NYC\"}"}},{"id":"call_2","type":"function","function":{"name":"getTime","arguments":"{\"tz\":12345678901234567890123}"}}]}"#,
            r#"{"role":"tool","tool_call_id":"c-1","name":"getWeather","content":"72°F"}"#,
            r#"{"role":"tool","tool_call_id":"call_2","name":"getTime","content":"too late"}"#,
            r#"{"role":"assistant","content":"72°F"}"#,
        ]
    );
}

#[test]
fn adk_events() {
    let lines = lines(ExportForm::AdkEvents);
    assert_eq!(
        lines[1],
        r#"{"id":"event-1-model","invocation_id":"r-1","author":"agent","timestamp":1767607201,"content":{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"I look."},{"function_call":{"id":"c-1","name":"getWeather","args":{"city":"NYC"}}},{"function_call":{"id":"call_2","name":"getTime","args":{"tz":12345678901234567890123}}}]},"usage_metadata":{"prompt_token_count":7,"candidates_token_count":3}}"#
    );
    assert_eq!(
        lines[2],
        r#"{"id":"event-4-user","invocation_id":"r-1","author":"agent","content":{"role":"user","parts":[{"function_response":{"id":"c-1","name":"getWeather","response":{"result":"72°F"}}},{"function_response":{"id":"call_2","name":"getTime","response":{"error":"too late"}}}]}}"#
    );
    assert_eq!(lines.len(), 4);
}

#[test]
fn mastra_messages() {
    let lines = lines(ExportForm::MastraMessages);
    assert_eq!(
        lines[1],
        r#"{"id":"message-2","role":"assistant","createdAt":"2026-01-05T10:00:01Z","threadId":"r-1","content":{"format":2,"parts":[{"type":"reasoning","reasoning":"Hm.","details":[{"type":"text","text":"Hm."}]},{"type":"text","text":"I look."},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"c-1","toolName":"getWeather","args":{"city":"NYC"},"result":"72°F"}},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"call_2","toolName":"getTime","args":{"tz":12345678901234567890123},"result":"too late"}}]}}"#
    );
    assert_eq!(lines.len(), 3);
}

#[test]
fn the_compact_inline_form_in_yaml() {
    let (text, _) = written(ExportForm::CompactInline, true, conversation());
    let expected = "\
- role: user
  content: \"Weather?\"
- role: assistant
  content: I look.
  tool_calls:
    - tool: getWeather
      input:
        city: NYC
      output: \"72°F\"
    - tool: getTime
      input:
        tz: 12345678901234567890123
      output: too late
      status: error
- role: assistant
  content: \"72°F\"
";
    assert_eq!(text, expected);
}

#[test]
fn nothing_is_an_empty_list() {
    for form in ExportForm::ALL {
        assert_eq!(written(form, false, Vec::new()).0, "[]\n");
        assert_eq!(written(form, true, Vec::new()).0, "[]\n");
        assert_eq!(ExportForm::of_word(form.word()), Some(form));
    }
}

#[test]
fn a_turn_of_many_calls_is_never_held_whole() {
    let mut events = vec![event(EventKind::LlmCall, 0)];
    let call = |at| NormalEvent { name: "t".to_owned(), ..event(EventKind::ToolCall, at) };
    events.extend((1..=1_200).map(call));
    let (text, _) = written(ExportForm::MastraMessages, false, events);
    assert!(traceloupe_core::json::is_strict(&text));
    assert_eq!(text.matches("\"tool-invocation\"").count(), 1_200);
    // 500 calls belong to the answer; each of the others gets a message of its own.
    assert_eq!(text.matches("\"role\":\"assistant\"").count(), 1 + 700);
}

#[test]
fn inputs_of_calls_are_messages_only_where_the_run_has_no_others() {
    let inputs = vec![("user".to_owned(), "hi".to_owned())];
    let events = || vec![NormalEvent { inputs: inputs.clone(), ..event(EventKind::LlmCall, 0) }];
    let text_with = |form, has_user_messages| {
        let run = RunNames { key: "r".to_owned(), has_user_messages };
        let mut writer = FormWriter::new(form, false, run);
        events().into_iter().for_each(|event| writer.push(event));
        writer.finish();
        writer.take()
    };
    assert!(
        text_with(ExportForm::OpenAiMessages, false).contains(r#"{"role":"user","content":"hi"}"#)
    );
    assert!(!text_with(ExportForm::OpenAiMessages, true).contains("hi"));
    assert!(!text_with(ExportForm::AgentvEvents, false).contains("hi"));
}
