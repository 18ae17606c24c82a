//! Calls that a model requested, where spans carry calls out.

use super::super::super::testing::read;
use super::rows;
use crate::described::test_format::TEST;

const MODEL: &str = r#"{"k":"asks","run":"r","span":"m","t":"2026-01-01T00:00:10Z","took":5000000000,"calls":[
    {"id":"1","name":"find","args":{"x":1}},{"id":"2","name":"show","args":{"x":1}}]}"#;
const LATER: &str = r#"{"k":"asks","run":"r","span":"n","t":"2026-01-01T00:00:30Z","took":5000000000,"results":[
    {"id":"1","value":"found"},{"id":"2","value":"shown"}]}"#;

/// The rows, which must not depend on the order of the records.
fn in_both_orders(records: &[&str]) -> Vec<String> {
    let mut sorted = rows(&[records]);
    let mut records = records.to_vec();
    records.reverse();
    let mut reversed = rows(&[&records]);
    sorted.sort();
    reversed.sort();
    assert_eq!(sorted, reversed);
    rows(&[&records])
}

#[test]
fn only_calls_that_no_span_carries_out_get_rows() {
    let span = r#"{"k":"ran","run":"r","span":"s","id":"1","name":"find","t":"2026-01-01T00:00:20Z","args":{"x":1},"value":7}"#;
    let rows = in_both_orders(&[MODEL, span, LATER]);
    let expected =
        ["llm-call  unknown ×1", " tool-call show unknown ×2", "tool-call find unknown ×1"];
    assert!(expected.iter().all(|row| rows.iter().any(|it| it == row)), "{rows:?}");
    assert_eq!(rows.len(), 4, "{rows:?}");
}

#[test]
fn a_span_without_the_id_is_found_by_name_and_arguments_then_by_name() {
    let one = r#"{"k":"ran","run":"r","span":"s","name":"find","t":"2026-01-01T00:00:20Z","args":{"x":1},"value":7}"#;
    let other = r#"{"k":"ran","run":"r","span":"t","name":"show","t":"2026-01-01T00:00:21Z","args":"x = 1","value":8}"#;
    assert_eq!(in_both_orders(&[MODEL, one, other]).len(), 3);
    // One span cannot carry out two calls, whatever its name.
    assert_eq!(in_both_orders(&[MODEL, one]).len(), 3);
    // It carries out the call with the same arguments, not the first one.
    let model = r#"{"k":"asks","run":"r","span":"m","t":"2026-01-01T00:00:10Z","calls":[
        {"name":"find","args":{"x":1}},{"name":"find","args":{"x":2}}]}"#;
    let span = r#"{"k":"ran","run":"r","span":"s","name":"find","t":"2026-01-01T00:00:20Z","args":{"x":2},"value":7}"#;
    let trace = read(&TEST, &[&[model, span]]).trace;
    let hashes: Vec<u64> = trace
        .events()
        .iter()
        .filter(|event| event.kind == traceloupe_core::model::EventKind::ToolCall)
        .map(|event| event.args_hash)
        .collect();
    assert_eq!(hashes.len(), 2);
    assert_ne!(hashes[0], hashes[1]);
}

#[test]
fn names_that_a_library_lengthens_are_the_same() {
    for name in ["functions.find", "find.tool", "Execute Tool: find", "FIND"] {
        let span = format!(
            r#"{{"k":"ran","run":"r","span":"s","name":"{name}","t":"2026-01-01T00:00:20Z","value":7}}"#
        );
        assert_eq!(in_both_orders(&[MODEL, &span]).len(), 3, "{name}");
    }
    let span =
        r#"{"k":"ran","run":"r","span":"s","name":"refine","t":"2026-01-01T00:00:20Z","value":7}"#;
    assert_eq!(in_both_orders(&[MODEL, span]).len(), 4);
}

#[test]
fn a_span_that_began_before_the_request_does_not_carry_it_out() {
    let span = r#"{"k":"ran","run":"r","span":"s","name":"find","t":"2026-01-01T00:00:05Z","args":{"x":1},"value":7}"#;
    assert_eq!(in_both_orders(&[MODEL, span]).len(), 4);
}

#[test]
fn two_spans_of_one_llm_call_ask_once() {
    let calls = r#""calls":[{"name":"find","args":{}},{"name":"find","args":{}}]"#;
    let model = |span: &str, parent: &str, t: u32| {
        format!(
            r#"{{"k":"asks","run":"r","span":"{span}","parent":"{parent}","t":"2026-01-01T00:00:{t}Z","took":9000000000,{calls}}}"#
        )
    };
    // Beside each other at the same time, and one around the other.
    for other in [model("n", "", 12), model("n", "m", 12)] {
        let rows = in_both_orders(&[&model("m", "", 10), &other]);
        assert_eq!(rows.iter().filter(|row| row.contains("tool-call")).count(), 2, "{rows:?}");
    }
    let rows = in_both_orders(&[&model("m", "", 10), &model("n", "", 30)]);
    assert_eq!(rows.iter().filter(|row| row.contains("tool-call")).count(), 4, "{rows:?}");
}
