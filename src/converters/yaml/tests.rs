//! YAML with the expected JSON, and hostile input.

use proptest::prelude::*;

use super::*;

fn convert(text: &str) -> (Vec<String>, Option<YamlFault>) {
    let mut found = Vec::new();
    let fault = yaml_to_json(text, &mut |json| {
        assert!(traceloupe_core::json::is_strict(json), "{json}");
        found.push(json.replace('\n', ""));
    });
    (found, fault)
}

fn one(text: &str) -> String {
    let (found, fault) = convert(text);
    assert_eq!(fault, None, "{text}");
    assert_eq!(found.len(), 1, "{text}");
    found[0].clone()
}

#[test]
fn flow_and_block_style_mean_the_same() {
    let block = "- role: assistant\n  tool_calls:\n    - tool: getWeather\n      input: { city: \"NYC\" }  # flow\n      output: \"72°F\"\n    - tool: getTime\n      input:\n        timezone: EST\n        format: \"24h\"\n      output: '14:30'\n";
    let flow = "[{role: assistant, tool_calls: [{tool: getWeather, input: {city: NYC}, output: 72°F}, {tool: getTime, input: {timezone: EST, format: 24h}, output: \"14:30\"}]}]";
    assert_eq!(one(block), one(flow));
    assert_eq!(
        one(block),
        r#"[{"role":"assistant","tool_calls":[{"tool":"getWeather","input":{"city":"NYC"},"output":"72°F"},{"tool":"getTime","input":{"timezone":"EST","format":"24h"},"output":"14:30"}]}]"#
    );
}

#[test]
fn scalars_by_the_core_schema() {
    for (yaml, json) in [
        ("null", "null"),
        ("~", "null"),
        ("", "null"),
        ("Null", "null"),
        ("nUll", "\"nUll\""),
        ("true", "true"),
        ("False", "false"),
        ("yes", "\"yes\""),
        ("off", "\"off\""),
        ("12", "12"),
        ("-3", "-3"),
        ("+3", "3"),
        ("007", "7"),
        ("0o17", "15"),
        ("0x1F", "31"),
        ("0x+1", "\"0x+1\""),
        ("1.5", "1.5"),
        (".5", "0.5"),
        ("1.", "1.0"),
        ("-1e3", "-1e3"),
        ("1e", "\"1e\""),
        ("1_000", "\"1_000\""),
        (".inf", "\".inf\""),
        (".nan", "\".nan\""),
        ("1:30", "\"1:30\""),
        ("2026-01-01", "\"2026-01-01\""),
        ("'12'", "\"12\""),
        ("\"a\\tb\"", "\"a\\tb\""),
        ("!!str 12", "\"12\""),
        ("!!int \"12\"", "12"),
        ("!custom 5", "5"),
        ("|\n  two\n  lines\n", "\"two\\nlines\\n\""),
        (">-\n  two\n  lines\n", "\"two lines\""),
    ] {
        assert_eq!(one(&format!("a: {yaml}")), format!("{{\"a\":{json}}}"), "{yaml}");
    }
    let big = "123456789012345678901234567890";
    assert_eq!(one(&format!("a: {big}")), format!("{{\"a\":{big}}}"));
    assert_eq!(one("1: a\ntrue: b\n? c\n: d"), r#"{"1":"a","true":"b","c":"d"}"#);
}

#[test]
fn documents_anchors_and_comments() {
    let (found, fault) =
        convert("# first\n---\na: 1\n---\n- b\n...\n---\njust words\n---\n{c: 2}\n");
    assert_eq!(
        (found, fault),
        (vec!["{\"a\":1}".into(), "[\"b\"]".into(), "{\"c\":2}".into()], None)
    );
    assert_eq!(
        one("a: &x {k: 1}\nb: *x\nc: [*x, *x]"),
        r#"{"a":{"k":1},"b":{"k":1},"c":[{"k":1},{"k":1}]}"#
    );
    assert_eq!(one("a: &x word\n*x : 1\n"), r#"{"a":"word","word":1}"#);
}

#[test]
fn faults_name_line_and_column_and_keep_what_is_whole() {
    let (found, fault) = convert("a: 1\nb: [1, 2\nc: 3\n");
    let fault = fault.unwrap();
    assert!(fault.line >= 2 && fault.column >= 1 && !fault.what.is_empty(), "{fault:?}");
    assert!(found[0].starts_with(r#"{"a":1,"b":[1"#), "{found:?}");
    for text in ["a: *nobody", "a: &a [*a]", "? [1]\n: 2", "a: 'open"] {
        let (_, fault) = convert(text);
        assert!(fault.is_some(), "{text}");
    }
}

#[test]
fn bombs_and_depth_are_bounded() {
    let mut bomb = "a0: &a0 [\"lol\"]\n".to_owned();
    for n in 1..30 {
        let items = vec![format!("*a{}", n - 1); 9].join(",");
        bomb.push_str(&format!("a{n}: &a{n} [{items}]\n"));
    }
    let (found, fault) = convert(&bomb);
    assert!(fault.unwrap().what.contains("aliases"));
    assert!(found[0].len() < 3 * MAX_ALIASED_BYTES);
    for deep in
        ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000), "? ".repeat(10_000)]
    {
        let (_, fault) = convert(&deep);
        assert!(fault.is_some());
        let _ = looks_like_yaml(deep.as_bytes(), true, "x.yaml");
    }
    let nested: String = (0..2_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
    assert!(convert(&nested).1.is_some());
}

#[test]
fn aliases_are_bounded_for_all_documents_of_a_text_together() {
    // Each document expands to slightly less than the limit.
    let item = "x".repeat(MAX_ALIASED_BYTES / 16);
    let document = format!("---\na: &a {item}\nb: [{}]\n", ["*a"; 15].join(", "));
    let mut written_bytes = 0;
    let fault = yaml_to_json(&document.repeat(4), &mut |json| written_bytes += json.len());
    assert!(fault.unwrap().what.contains("aliases"));
    assert!(written_bytes < 3 * MAX_ALIASED_BYTES, "{written_bytes} bytes");
}

#[test]
fn yaml_is_told_from_json_and_from_logs() {
    let is = |text: &str, name: &str| looks_like_yaml(text.as_bytes(), true, name);
    for text in [
        "- role: user\n  content: hi\n",
        "# comment\n---\noutput_messages:\n  - role: user\n",
        "{role: assistant, tool_calls: [{tool: a}]}",
        "[{role: user}]",
        "test_id: a\nscore: 1\nscores: []\n",
    ] {
        assert!(is(text, "x"), "{text}");
        assert!(is(text, "x.yaml"), "{text}");
    }
    for text in [
        "",
        "{}",
        "{\"a\": 1}",
        "[1, 2]",
        "[{\"a\":1}]",
        "{\"a\":1}\n{\"b\":2}\n",
        "words and words\n",
        "data: {\"a\": [1]}\n\n",
        "event: x\ndata: {}\n",
        "id: 1\ndata: [[1]]\n",
        "12:00:01 INFO: a\n",
        "INFO: a\nINFO: b\n",
        "note: x\n{\"a\":1}\n",
        "[INFO: x] a\n",
        "[+00:01] [x] {\n",
        "http://a.b/c: d\n",
        "title: x\n---\n# words\n",
        "NaN",
        "null",
        "- \n{",
    ] {
        assert!(!is(text, "x.jsonl"), "{text}");
    }
    assert!(is("a: 1\n", "a.yml") && !is("a: 1\n", "a"));
    // A beginning that is cut within a value.
    let long = format!("a:\n  - \"{}", "x\n    ".repeat(100));
    assert!(looks_like_yaml(long.as_bytes(), false, "x"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_gives_strict_json_or_a_fault(text in "[-?:,\\[\\]{}#&*!|>'\"%@ \n\tab1~.\u{0}é]{0,60}") {
        convert(&text);
        let _ = looks_like_yaml(text.as_bytes(), true, "x.yaml");
        let _ = looks_like_yaml(text.as_bytes(), false, "x");
    }

    #[test]
    fn json_is_yaml(text in "[a-z0-9 :,\\-#é\\\\\"\n]{0,20}", number in any::<i64>(), float in -1e9..1e9_f64) {
        let value = serde_json::json!([{"k": text, "n": number, "f": float, "l": [null, true, {"x": []}]}]);
        let text = value.to_string();
        // The value as parsed, which may not be the same float.
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let (found, fault) = convert(&text);
        prop_assert_eq!(fault, None);
        let back: serde_json::Value = serde_json::from_str(&found[0]).unwrap();
        prop_assert_eq!(back, value);
    }
}
