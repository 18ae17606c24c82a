//! Guesses for files of many shapes.

use super::*;
use traceloupe_core::model::{Slot, SourceId};
use traceloupe_engine::{ProbeRecord, Record};

fn guess_with(records: &[&str], choices: &Choices) -> Reading {
    let source = SourceId::from_index(0);
    let probed: Vec<_> = records
        .iter()
        .map(|text| ProbeRecord::new(&Record::new(Json::new(text), source, 0, 1)))
        .collect();
    reading(&Probe { name: "x", records: &probed, complete: true }, choices)
}

fn guess(records: &[&str]) -> String {
    guess_with(records, &Choices::default()).mapping.to_string()
}

/// The records of a JSON document that is a list.
#[track_caller]
fn stays_plain(records: &[&str]) {
    assert_eq!(guess(records), "records");
}

#[test]
fn messages_under_odd_keys() {
    let records = [
        r#"{"wer":"user","was":"Find the tide table.","stamp":"2026-03-01T10:00:00Z"}"#,
        r#"{"wer":"bot","was":"Here is the table you asked for.","stamp":"2026-03-01T10:00:04Z"}"#,
        r#"{"wer":"user","was":"Thank you very much","stamp":"2026-03-01T10:01:00Z"}"#,
    ];
    assert_eq!(guess(&records), "role:wer~text:was~time:stamp");
}

#[test]
fn messages_with_the_role_in_an_object_and_calls_inside() {
    let records = [
        r#"{"sender":{"role":"human","id":7},"body":{"words":"Which pier is free?"},"sent_at":1772359200}"#,
        r#"{"sender":{"role":"ai"},"body":{"words":"I shall look it up."},"calls":[{"ref":"c1","tool":"piers","args":{"free":true},"outcome":"3 and 4"}],"sent_at":1772359205}"#,
        r#"{"sender":{"role":"ai"},"body":{"words":"Piers 3 and 4."},"sent_at":1772359209}"#,
    ];
    let mapping = guess_with(&records, &Choices::default()).mapping;
    assert_eq!(mapping.get(Slot::Kind), "sender.role");
    assert_eq!(mapping.get(Slot::Text), "body.words");
    assert_eq!(mapping.get(Slot::Tool), "calls.*.tool");
    assert_eq!(mapping.get(Slot::Arguments), "calls.*.args");
    assert_eq!(mapping.get(Slot::Time), "sent_at");
}

#[test]
fn events_with_tools() {
    let records = [
        r#"{"event":"run_started","t":1772359200.5,"goal":"Sail home"}"#,
        r#"{"event":"llm_response","t":1772359201.5,"text":"First the weather.","usage":{"input_tokens":10,"output_tokens":4}}"#,
        r#"{"event":"tool_call","t":1772359202.5,"tool":"weather","args":{"place":"bay"},"call_id":"a"}"#,
        r#"{"event":"tool_result","t":1772359203.5,"call_id":"a","output":"calm","latency_ms":812}"#,
    ];
    assert_eq!(
        guess(&records),
        "role:event~text:text~tool:tool~args:args~result:output~call:call_id~time:t~duration:latency_ms\
         ~tokens-in:usage.input_tokens~tokens-out:usage.output_tokens"
    );
}

#[test]
fn a_list_inside_a_document() {
    let document = r#"{"version":3,"ships":[{"id":1,"sail":true}],"session":{"started":"x","log":[
        {"author":"customer","message":"Is the ferry late?","at":"2026-03-01T10:00:00Z"},
        {"author":"agent","message":"It is on time today.","at":"2026-03-01T10:00:05Z"},
        {"author":"customer","message":"Good to know","at":"2026-03-01T10:00:09Z"}]}}"#;
    assert_eq!(guess(&[document]), "list:session.log~role:author~text:message~time:at");
}

#[test]
fn lists_inside_of_lists_and_lines() {
    let document = r#"{"days":[{"turns":[{"role":"user","say":"go on then"},{"role":"robot assistant","say":"no idea"}]},
        {"turns":[{"role":"user","say":"to the left"},{"role":"assistant","say":"I am going left"}]}]}"#;
    assert_eq!(guess(&[document]), "list:days.*.turns~role:role~text:say");
    let line = r#"{"n":1,"turns":[{"who":"user","say":"go on then"},{"who":"assistant","say":"I am going"}]}"#;
    assert_eq!(guess(&[line, line]), "list:turns~role:who~text:say");
}

#[test]
fn spans_that_name_each_other() {
    let records = [
        r#"{"uid":"a","name":"plan","start":1772359200.25,"end":1772359209.5,"status":"ok"}"#,
        r#"{"uid":"b","parent":"a","name":"fetch","start":1772359201.25,"end":1772359203.5,"status":"failed"}"#,
        r#"{"uid":"c","parent":"a","name":"sum up","start":1772359203.5,"end":1772359208.5,"status":"ok"}"#,
    ];
    assert_eq!(guess(&records), "tool:name~time:start~end:end~id:uid~parent:parent~error:status");
}

#[test]
fn a_log_of_llm_calls() {
    let records = [
        r#"{"ts":1772359200123,"model":"claude-9","prompt":"Say hello","response":"Hello there","in_tokens":9,"out_tokens":3,"elapsed_s":1.5}"#,
        r#"{"ts":1772359201123,"model":"claude-9","prompt":"Say goodbye","response":"Goodbye now","in_tokens":8,"out_tokens":2,"elapsed_s":2}"#,
    ];
    assert_eq!(
        guess(&records),
        "args:prompt~result:response~time:ts~duration:elapsed_s~model:model~tokens-in:in_tokens\
         ~tokens-out:out_tokens"
    );
}

#[test]
fn a_log_of_counts_is_one_of_calls() {
    let count = r#"{"timestamp":"2026-03-01T10:00:00Z","step":"draft","model":"m-1","input_tokens":9,"output_tokens":3,"latency_ms":4}"#;
    assert_eq!(
        guess(&[count]),
        "time:timestamp~duration:latency_ms~model:model~tokens-in:input_tokens~tokens-out:output_tokens"
    );
    let timing = r#"{"tool":"winch","success":true,"duration_ms":866.77}"#;
    assert_eq!(guess(&[timing]), "tool:tool~duration:duration_ms~error:success");
}

#[test]
fn tool_calls_without_kinds() {
    let records = [
        r#"{"function_name":"lower_anchor","inputs":{"depth":4},"returned":"done","ok":true}"#,
        r#"{"function_name":"raise_anchor","inputs":{},"returned":"stuck","ok":false}"#,
    ];
    assert_eq!(guess(&records), "tool:function_name~args:inputs~result:returned~error:ok");
}

#[test]
fn keys_with_dots_have_a_meaning_too() {
    let records = [
        r#"{"msg.role":"user","msg.text":"one two","log.time":"2026-03-01T10:00:00Z"}"#,
        r#"{"msg.role":"assistant","msg.text":"three four","log.time":"2026-03-01T10:00:00Z"}"#,
    ];
    assert_eq!(guess(&records), "role:msg.role~text:msg.text~time:log.time");
}

#[test]
fn a_manifest_is_no_trace() {
    stays_plain(&[
        r#"{"name":"sail","version":"1.0.0","type":"module","scripts":{"test":"node --test"},
        "contributors":[{"name":"A. Sailor","role":"user"},{"name":"B. Sailor","role":"admin"}],
        "dependencies":{"left":"^1.0.0"}}"#,
    ]);
}

#[test]
fn a_map_is_no_trace() {
    stays_plain(&[r#"{"type":"FeatureCollection","features":[
        {"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[1.5,2.5]},"properties":{"name":"Pier one"}},
        {"type":"Feature","id":"b","geometry":{"type":"Point","coordinates":[1.5,2.7]},"properties":{"name":"Pier two"}}]}"#]);
}

#[test]
fn the_log_of_a_web_server_is_no_trace() {
    stays_plain(&[
        r#"{"time":"2026-03-01T10:00:00Z","level":"info","msg":"request completed","method":"GET","path":"/a","status":200,"duration_ms":3.5,"user":"ann","request_id":"r1"}"#,
        r#"{"time":"2026-03-01T10:00:01Z","level":"error","msg":"upstream timed out","method":"GET","path":"/b","status":504,"duration_ms":30000.0,"user":"bob","request_id":"r2"}"#,
    ]);
}

#[test]
fn other_lists_are_no_traces() {
    // Members of a team, with roles.
    stays_plain(&[
        r#"{"name":"Ann Other","role":"user","email":"a@example.com"}"#,
        r#"{"name":"Bob Other","role":"admin","email":"b@example.com"}"#,
    ]);
    // Comments on an issue, some of them by bots.
    stays_plain(&[
        r#"{"id":1,"user":{"login":"ann","type":"User"},"body":"It does not float","created_at":"2026-03-01T10:00:00Z"}"#,
        r#"{"id":2,"user":{"login":"ci","type":"Bot"},"body":"All checks have passed","created_at":"2026-03-01T10:01:00Z"}"#,
    ]);
    // A thread of comments: they have parents, but no durations.
    stays_plain(&[
        r#"{"id":1,"text":"A good boat","time":"2026-03-01T10:00:00Z"}"#,
        r#"{"id":2,"parent":1,"text":"Not that good","time":"2026-03-01T10:00:09Z"}"#,
    ]);
    // Definitions of tools.
    stays_plain(&[r#"{"tools":[
        {"type":"function","function":{"name":"tide","description":"Gives the tide","parameters":{"type":"object","properties":{"at":{}}}}},
        {"type":"function","function":{"name":"wind","description":"Gives the wind","parameters":{"type":"object","properties":{"at":{}}}}}]}"#]);
    // Events of a shop.
    stays_plain(&[
        r#"{"event":"user_signup","user_id":7,"properties":{"plan":"free of charge"}}"#,
        r#"{"event":"model_updated","user_id":7,"properties":{"plan":"paid by month"}}"#,
    ]);
    // Prices and accumulated costs of models.
    stays_plain(&[
        r#"{"provider":"harbour","model":"gpt-1","cost":4.5,"created_at":"2026-03-01T10:00:00Z"}"#,
        r#"{"provider":"harbour","model":"gpt-2","cost":9.5,"created_at":"2026-03-02T10:00:00Z"}"#,
    ]);
    stays_plain(&[r#"{"model":"gpt-1","input_tokens":400,"output_tokens":50}"#]);
    // A lending list of hand tools.
    stays_plain(&[
        r#"{"tool":"hammer","status":"ok","start":"2026-03-01T10:00:00Z"}"#,
        r#"{"tool":"saw","status":"failed","start":"2026-03-02T10:00:00Z"}"#,
    ]);
    // Events of a profiler.
    stays_plain(&[
        r#"{"name":"paint","ph":"X","ts":1,"pid":1,"tid":2,"args":{"layer":4}}"#,
        r#"{"name":"script","ph":"X","ts":9,"pid":1,"tid":2,"args":{"url":"a"}}"#,
    ]);
    // Requests of a web server.
    stays_plain(&[
        r#"{"action":"show","controller":"boats","params":{"id":"4"},"status":200,"duration":12.25}"#,
        r#"{"action":"index","controller":"boats","params":{},"status":200,"duration":31.5}"#,
    ]);
    stays_plain(&["[1,2,3]", "null", "7"]);
    stays_plain(&[]);
}

const TALK: [&str; 2] = [
    r#"{"who":"user","say":"go on then","mood":"low"}"#,
    r#"{"who":"assistant","say":"I am going","mood":"high"}"#,
];

#[test]
fn what_a_person_has_chosen_comes_first_if_it_fits() {
    let own = guess_with(&TALK, &Choices::default());
    assert!(!own.is_chosen);
    let fingerprint = own.shape.fingerprint;
    let choose = |mapping: Option<&str>, known: &[(&str, &str)]| {
        let parse = |text: &str| Mapping::parse(text).unwrap();
        let known = known.iter().map(|(of, text)| ((*of).to_owned(), parse(text))).collect();
        let choices = Choices { mapping: mapping.map(parse), known };
        let read = guess_with(&TALK, &choices);
        (read.mapping.to_string(), read.is_chosen)
    };
    let chosen = |text: &str| (text.to_owned(), true);
    assert_eq!(choose(Some("role:who~text:mood"), &[]), chosen("role:who~text:mood"));
    assert_eq!(choose(None, &[(&fingerprint, "text:mood")]), chosen("text:mood"));
    assert_eq!(choose(Some("text:say"), &[(&fingerprint, "text:mood")]), chosen("text:say"));
    assert_eq!(choose(Some("records"), &[]), chosen("records"));
    let guessed = ("role:who~text:say".to_owned(), false);
    assert_eq!(choose(Some("text:elsewhere"), &[]), guessed);
    assert_eq!(choose(None, &[("0", "text:mood")]), guessed);
}

#[test]
fn the_fingerprint_is_of_the_keys_alone() {
    let other = [
        r#"{"mood":"x","say":"a b","who":"user"}"#,
        r#"{"who":"bot","say":"c","mood":"y","rare":1}"#,
    ];
    let of = |records: &[&str]| guess_with(records, &Choices::default()).shape.fingerprint;
    let more = [other[0], other[1], r#"{"who":"user","say":"d e","mood":""}"#];
    assert_eq!(of(&TALK), of(&more));
    assert_ne!(of(&TALK), of(&[r#"{"who":"user"}"#]));
}

#[test]
fn the_shape_has_the_keys_with_examples() {
    let shape = guess_with(&TALK, &Choices::default()).shape;
    let list = &shape.lists[0];
    assert_eq!((list.path.as_str(), list.n_records), ("", 2));
    let keys: Vec<_> =
        list.keys.iter().map(|key| (key.path.as_str(), key.example.as_str())).collect();
    assert_eq!(keys, [("who", "user"), ("say", "go on then"), ("mood", "low")]);
    assert_eq!(list.keys[0].len_bytes, (6, 11));
    assert_eq!(list.keys[0].types, ["string"]);
}

#[test]
fn odd_and_deep_files_do_no_harm() {
    let deep = format!("{}1{}", r#"{"a":[{"#.repeat(3_000), "}]}".repeat(3_000));
    let nested = format!("{}{}{}", r#"{"role":"user","a":"#.repeat(3_000), "1", "}".repeat(3_000));
    let wide: Vec<String> = (0..5_000).map(|at| format!("\"k{at}\":[{{\"x\":1}}]")).collect();
    let wide = format!("{{{}}}", wide.join(","));
    for record in [deep.as_str(), &nested, &wide, "{\"\":{\"\":1},\".\":[{}],\"*\":[{}]}", "\"", ""]
    {
        let read = guess_with(&[record, record], &Choices::default());
        assert!(read.shape.lists.len() <= MAX_TOLD);
        assert!(read.shape.lists.iter().all(|list| list.keys.len() <= 80));
    }
}
