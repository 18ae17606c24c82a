//! Each mode with its own cases, in AgentV's wording.

use super::*;
use traceloupe_protocol::expectation_fault::ExpectationFault;
use traceloupe_words::expectations as words;

/// Calls are written as `name`, `name {args}` or `name {args} -> result`; each has the same
/// duration.
fn check_with(expectation: &str, calls: &[&str], duration_ms: Option<f64>) -> Report {
    let expectations = read(expectation).unwrap_or_else(|error| panic!("{error:?}"));
    let mut checker = Checker::new(expectations, &["run-1".to_owned()]);
    for (event, call) in (10..).zip(calls) {
        let (call, result) = call.split_once(" -> ").map_or((*call, None), |(a, b)| (a, Some(b)));
        let (name, args) = call.split_once(' ').map_or((call, None), |(a, b)| (a, Some(b)));
        let values =
            CallValues { arguments: args.map(str::to_owned), outcome: result.map(str::to_owned) };
        let values = if checker.wants_values(name) { values } else { CallValues::default() };
        checker.push(&ToolCall { event, name, duration_ms }, &values);
    }
    checker.finish()
}

fn check(expectation: &str, calls: &[&str]) -> Report {
    check_with(expectation, calls, Some(100.0))
}

fn only(report: &Report) -> &CheckReport {
    let [test] = report.tests.as_slice() else { panic!("{report:?}") };
    let [check] = test.checks.as_slice() else { panic!("{report:?}") };
    assert_eq!(check.n_hits + check.n_misses, check.assertions.len() as u64);
    check
}

/// Hits and misses with a leading `+` or `-`, followed by their events.
fn said(report: &Report) -> Vec<String> {
    let assertions = only(report).assertions.iter();
    assertions
        .map(|it| {
            let sign = if it.passed { '+' } else { '-' };
            let events: Vec<_> = it.events.iter().map(u32::to_string).collect();
            format!("{sign} {} @{}", it.text, events.join(","))
        })
        .collect()
}

fn scored(report: &Report) -> (f64, &'static str) {
    let check = only(report);
    assert!((report.tests[0].score - check.score).abs() < 1e-12);
    (check.score, check.verdict.word())
}

#[test]
fn any_order_counts_calls() {
    let text = r#"{"type":"tool_trajectory","mode":"any_order","minimums":{"search":2,"read":1,"Search":1}}"#;
    let report = check(text, &["search", "read", "search", "write"]);
    assert_eq!(
        said(&report),
        [
            "+ search: called 2 times (required ≥2) @10,12",
            "+ read: called 1 times (required ≥1) @11",
            "- Search: called 0 times (required ≥1) @",
        ]
    );
    assert_eq!(scored(&report), (2.0 / 3.0, "borderline"));
    assert_eq!(only(&report).kind, "tool_trajectory any_order");
    // With the wording of 4.x.
    let report = check(&text.replace("tool_trajectory", "tool-trajectory"), &["search"]);
    assert_eq!(said(&report)[0], "- search: called 1 times (required >=2) @10");
    let report = check(r#"{"minimums":{"a":1}}"#, &["a"]);
    assert_eq!(scored(&report), (1.0, "pass"));
    let report = check(r#"{"mode":"any_order","expected":[{"tool":"a"}]}"#, &[]);
    assert_eq!(said(&report), ["+ No tool requirements specified @"]);
    assert_eq!(only(&report).notes, [CheckNote::OnlyMinimums]);
}

#[test]
fn in_order_allows_other_calls_in_between() {
    let text = r#"{"mode":"in_order","expected":[{"tool":"a"},{"tool":"b"},{"tool":"c"}]}"#;
    let report = check(text, &["x", "a", "y", "b", "c"]);
    assert_eq!(
        said(&report),
        [
            "+ Found a at position 1 @11",
            "+ Found b at position 3 @13",
            "+ Found c at position 4 @14"
        ]
    );
    // An item that is not found uses up all remaining calls.
    let report = check(text, &["b", "a", "c"]);
    assert_eq!(
        said(&report),
        [
            "+ Found a at position 1 @11",
            "- Expected b at position 1, not found in remaining trace @",
            "- Expected c at position 2, not found in remaining trace @",
        ]
    );
    assert_eq!(scored(&report), (1.0 / 3.0, "fail"));
}

#[test]
fn in_order_consumes_a_call_with_other_arguments() {
    let text =
        r#"{"mode":"in_order","expected":[{"tool":"a","args":{"q":1}},{"tool":"a","args":"any"}]}"#;
    let report = check(text, &[r#"a {"q":2}"#, r#"a {"q":1}"#]);
    assert_eq!(
        said(&report),
        [
            "- Expected a at position 0: tool found at 0 but args mismatch @10",
            "+ Found a at position 1 @11",
        ]
    );
    assert_eq!(scored(&report), (0.5, "fail"));
}

#[test]
fn exact_goes_position_by_position() {
    let text = r#"{"type":"tool-trajectory","mode":"exact","expected":[{"tool":"a"},{"tool":"b","args":{"q":1}},{"tool":"c"}]}"#;
    let report = check(text, &["a", r#"b {"q":1.0}"#, "c"]);
    assert_eq!(scored(&report), (1.0, "pass"));
    let report = check(text, &["a", r#"b {"q":1,"x":2}"#, "d", "e"]);
    assert_eq!(
        said(&report),
        [
            "- Expected 3 tool calls, got 4 @13",
            "+ Position 0: a @10",
            "- Position 1: b args mismatch @11",
            "- Position 2: expected c, got d @12",
        ]
    );
    let report = check(text, &["a"]);
    assert_eq!(
        said(&report)[2..],
        ["- Position 1: expected b, got nothing @", "- Position 2: expected c, got nothing @"]
    );
    let report = check(r#"{"mode":"exact"}"#, &["a"]);
    assert_eq!(said(&report), ["+ No tool sequence specified @"]);
}

#[test]
fn superset_uses_each_call_once() {
    let text =
        r#"{"mode":"superset","expected":[{"tool":"a","args":{"q":2}},{"tool":"a"},{"tool":"a"}]}"#;
    let report = check(text, &[r#"a {"q":1}"#, "b", r#"a {"q":2}"#]);
    assert_eq!(
        said(&report),
        [
            "+ Found a at position 2 @12",
            "+ Found a at position 0 @10",
            "- Expected a not found in actual trajectory @",
        ]
    );
    assert_eq!(scored(&report), (2.0 / 3.0, "borderline"));
    assert_eq!(said(&check(r#"{"mode":"superset"}"#, &[])), ["+ No expected tools specified @"]);
}

#[test]
fn subset_allows_only_what_is_listed() {
    let text = r#"{"mode":"subset","expected":[{"tool":"a"},{"tool":"b","args":{"q":1}}]}"#;
    let report = check(text, &["a", "a", r#"b {"q":1}"#, r#"b {"q":2}"#, "c"]);
    assert_eq!(
        said(&report),
        [
            "+ Position 0: a is in allowed set @10",
            "+ Position 1: a is in allowed set @11",
            "+ Position 2: b is in allowed set @12",
            "- Position 3: b is not in allowed set @13",
            "- Position 4: c is not in allowed set @14",
        ]
    );
    assert_eq!(scored(&report), (0.6, "borderline"));
    assert_eq!(said(&check(text, &[])), ["+ No actual tool calls (trivially a subset) @"]);
    let empty = r#"{"mode":"subset","expected":[]}"#;
    assert_eq!(said(&check(empty, &[])), ["+ No tool calls and no expected tools @"]);
    let report = check(empty, &["a", "b"]);
    assert_eq!(said(&report), ["- 2 unexpected tool call(s) with empty allowed list @10,11"]);
    assert_eq!(scored(&report), (0.0, "fail"));
}

#[test]
fn durations_count_as_additional_checks() {
    let text = |limit: u32| {
        format!(
            r#"{{"mode":"in_order","expected":[{{"tool":"a","max_duration_ms":{limit}}},{{"tool":"b","maxDurationMs":500}}]}}"#
        )
    };
    let report = check(&text(50), &["a", "b"]);
    assert_eq!(
        said(&report),
        [
            "+ Found a at position 0 @10",
            "- a took 100ms (max: 50ms) @10",
            "+ Found b at position 1 @11",
            "+ b completed in 100ms (max: 500ms) @11",
        ]
    );
    assert_eq!(scored(&report), (0.75, "borderline"));
    // The time limit of a missing call counts as a miss without a message, as in AgentV.
    assert_eq!(scored(&check(&text(50), &["b"])), (0.0, "fail"));
    // Unknown durations do not count.
    let report = check_with(&text(50), &["a", "b"], None);
    assert_eq!(scored(&report), (1.0, "pass"));
    assert_eq!(only(&report).notes[0], CheckNote::NoDuration("a".to_owned()));
    let report =
        check(r#"{"mode":"superset","expected":[{"tool":"a","max_duration_ms":1}]}"#, &["a"]);
    assert_eq!(scored(&report), (1.0, "pass"));
    assert_eq!(only(&report).notes[0], CheckNote::LimitsIgnored(Mode::Superset));
}

#[test]
fn arguments_by_item_and_by_default() {
    let text = r#"{"mode":"exact","args_match":"superset","expected":[
        {"tool":"a","args":{"q":1}},
        {"tool":"a","args":{"q":1},"argsMatch":"exact"},
        {"tool":"a","args":{"q":9,"x":{"y":2}},"args_match":["x.y"]},
        {"tool":"a","args":{"q":9},"args_match":"ignore"}]}"#;
    let call = r#"a {"q":1,"x":{"y":2}}"#;
    let report = check(text, &[call, call, call, call]);
    let passed: Vec<_> = only(&report).assertions.iter().map(|it| it.passed).collect();
    assert_eq!(passed, [true, false, true, true]);
}

#[test]
fn expected_messages_compare_outputs_and_say_so() {
    let text = r#"{"expected_messages":[
        {"role":"user","content":"go"},
        {"role":"assistant","tool_calls":[{"tool":"a","input":{"q":1},"output":"x"},{"tool":"b"}]},
        {"role":"assistant","tool_calls":[{"tool":"c","output":{"n":1}},{"tool":"d"},{"tool":"e"}]}]}"#;
    let report =
        check(text, &[r#"a {"q":1} -> "x""#, "B", r#"c {} -> "{\"n\":2}""#, r#"d {"any":1}"#]);
    assert_eq!(
        said(&report),
        [
            "+ tool_calls[0]: a matched @10",
            "- tool_calls[1]: expected b, got B @11",
            "- tool_calls[2]: c output mismatch @12",
            "+ tool_calls[3]: d matched @13",
            "- tool_calls[4]: expected e, but no more tool calls in trace @",
        ]
    );
    assert_eq!(scored(&report), (0.4, "fail"));
    assert_eq!(only(&report).notes[0], CheckNote::OutputsCompared(0.6));
    let report = check(text, &[r#"a {"q":2} -> "x""#]);
    assert_eq!(said(&report)[0], "- tool_calls[0]: a input mismatch @10");
    // Without an expected output there is nothing to report.
    let report = check(r#"[{"role":"assistant","tool_calls":[{"tool":"a"}]}]"#, &["a"]);
    assert_eq!((scored(&report), only(&report).notes.len()), ((1.0, "pass"), 0));
}

#[test]
fn a_test_file_with_several_tests_and_evaluators() {
    let text = r#"{"description":"x","execution":{"target":"t","evaluators":[{"name":"all","type":"tool_trajectory","mode":"subset","expected":[{"tool":"a"}]}]},
        "evalcases":[
            {"id":"run-0","execution":{"evaluators":[{"type":"tool_trajectory","minimums":{"a":1}}]}},
            {"id":"run-1","expected_messages":[{"role":"assistant","tool_calls":[{"tool":"a"}]}],
             "execution":{"evaluators":[
                {"name":"calls","type":"expected_messages","weight":3},
                {"name":"judge","type":"llm_judge","prompt":"?"},
                {"type":"composite","evaluators":[{"name":"in","type":"tool_trajectory","mode":"in_order","expected":["b"]}]}]}}]}"#;
    let report = check(text, &["a"]);
    let only = CheckNote::OnlyTestOfRun { n_tests: 2, id: "run-1".to_owned() };
    assert_eq!(report.notes, [only]);
    let [test] = report.tests.as_slice() else { panic!("{report:?}") };
    let names: Vec<_> = test.checks.iter().map(|it| (it.name.as_str(), it.score)).collect();
    assert_eq!(names, [("calls", 1.0), ("in", 0.0), ("all", 1.0)]);
    assert_eq!(test.skipped, ["judge (llm_judge)"]);
    assert!(
        (test.score - 0.8).abs() < 1e-12
            && test.verdict == traceloupe_core::model::RunVerdict::Pass
    );
    // No test is named after the run, so all tests are checked.
    let report = check(&text.replace("run-1", "other"), &["a"]);
    assert_eq!(report.tests.len(), 2);
}

#[test]
fn marks_count_hits_and_misses_of_events() {
    let text = r#"[{"type":"tool_trajectory","mode":"exact","expected":["a","b"]},
                   {"type":"tool_trajectory","minimums":{"a":3}}]"#;
    let report = check(text, &["a", "a"]);
    assert_eq!(report.marks(), [(10, 1, 1), (11, 0, 2)]);
}

#[test]
fn unreadable_expectations_are_reported_with_place_and_remedy() {
    let fault = |text: &str| read(text).unwrap_err();
    for (text, what, place) in [
        ("", "The text is empty", "the whole text"),
        (r#"{"a":1}"#, "It contains no expectations about tool calls", "the whole text"),
        ("12", "It is a number, not an object or a list", "the whole text"),
        (r#"{"mode":"inorder","expected":[]}"#, "AgentV has no mode `inorder`", "mode"),
        (
            r#"{"tests":[{"assert":[{"type":"tool-trajectory","mode":"exact","expected":[{"tol":"a"}]}]}]}"#,
            "The call has no tool name",
            "tests[0].assert[0].expected[0]",
        ),
        (r#"{"expected":[{"tool":"a","args":3}]}"#, "`args` is a number", "expected[0].args"),
        (
            r#"{"expected":[{"tool":"a","args":{},"args_match":"fuzzy"}]}"#,
            "AgentV does not support this way of comparing arguments: \"fuzzy\"",
            "expected[0].args_match",
        ),
        (r#"{"minimums":{"a":"two"}}"#, "The minimum of a is text, not a number", "minimums.a"),
        (
            r#"{"minimums":3}"#,
            "`minimums` must map tool names to numbers, this is a number",
            "minimums",
        ),
        (r#"{"evaluators":{}}"#, "Evaluators must be a list, this is an object", "evaluators"),
        (
            r#"{"assert":[{"type":"llm-rubric","value":"x"}]}"#,
            "Nothing in it can be checked with a trace alone: llm-rubric",
            "the whole text",
        ),
        (
            r#"{"expected":[{"tool":"a","max_duration_ms":"1s"}]}"#,
            "`max_duration_ms` is text, not a number of milliseconds",
            "expected[0].max_duration_ms",
        ),
    ] {
        let fault = fault(text);
        assert_eq!(
            (words::what(&fault.what).as_ref(), &*words::place(&fault.place)),
            (what, place)
        );
        assert!(!words::next(&fault.what).is_empty());
    }
    let long = fault(&" ".repeat(MAX_TEXT_BYTES + 1)).what;
    assert_eq!(long, ExpectationFault::TooLong(MAX_TEXT_BYTES as u64 + 1));
}

#[test]
fn hostile_expectations_terminate() {
    let deep = format!("{}{}", "{\"evaluators\":[".repeat(50_000), "]}".repeat(50_000));
    assert_eq!(read(&deep).unwrap_err().what, ExpectationFault::TooDeep(8));
    let deep = format!(
        r#"{{"expected":[{{"tool":"a","args":{{"x":{}{}}}}}]}}"#,
        "[".repeat(2_000),
        "]".repeat(2_000)
    );
    assert_eq!(read(&deep).unwrap_err().what, ExpectationFault::ValueTooDeep);
    let many = format!("[{}]", vec!["{\"type\":\"x\"}"; 3_000].join(","));
    assert_eq!(read(&many).unwrap_err().what, ExpectationFault::TooMany(2_000));
    // Arguments that are nested too deeply are equal to nothing.
    let call = format!("a {}{}", "[".repeat(2_000), "]".repeat(2_000));
    let report = check(r#"{"mode":"exact","expected":[{"tool":"a","args":{}}]}"#, &[&call]);
    assert_eq!(scored(&report).0, 0.0);
}

#[test]
fn steps_of_agentv_5() {
    let assert = |kind: &str, value: &str, calls: &[&str]| {
        let text = format!(r#"{{"assert":[{{"type":"{kind}","value":{value}}}]}}"#);
        said(&check(&text, calls)).remove(0)
    };
    let read_a = r#"read {"path":"a","limit":10}"#;
    let calls = ["web_search", r#"shell {"cmd":"ls -l"}"#, read_a, "web_search"];
    let (web, tools) = ("tool:web_search", "tool:web_search, tool:read, tool:web_search");
    for (kind, value, expected) in [
        (
            "trajectory:tool-used",
            r#"["*SEARCH","read"]"#,
            format!("+ Observed required tool(s): *SEARCH, read. Actual tools: {tools} @10,12"),
        ),
        (
            "trajectory:tool-used",
            r#""shell""#,
            format!("- Missing required tool(s): shell. Actual tools: {tools} @"),
        ),
        (
            "not-trajectory:tool-used",
            r#""delete*""#,
            "+ Forbidden tool(s) were not used: delete* @".to_owned(),
        ),
        (
            "trajectory:tool-used",
            r#"{"pattern":"web*","min":1,"max":1}"#,
            format!("- Matched tool \"web*\" 2 time(s) (expected 1-1). Matches: {web}, {web} @10,13"),
        ),
        (
            "trajectory:tool-sequence",
            r#"["web*",{"name":"read"}]"#,
            format!("+ Observed tool sequence in order: {web}, tool:read. Actual tools: {tools} @10,12"),
        ),
        (
            "trajectory:tool-sequence",
            r#"{"mode":"exact","steps":["web*","read"]}"#,
            format!("- Expected exact tool sequence of web*, read, but actual tools were {tools} @10,12"),
        ),
        (
            "trajectory:tool-args-match",
            r#"{"name":"read","args":{"path":"a"}}"#,
            r#"+ Tool "read" matched expected arguments (partial) on tool:read. Args: {"path":"a","limit":10} @12"#.to_owned(),
        ),
        (
            "trajectory:tool-args-match",
            r#"{"name":"read","args":{"path":"a"},"mode":"exact","ignore":"lim*"}"#,
            r#"+ Tool "read" matched expected arguments (exact) on tool:read. Args: {"path":"a","limit":10} @12"#.to_owned(),
        ),
        (
            "trajectory:tool-args-match",
            r#"{"name":"read","args":{"path":"b"},"mode":"exact"}"#,
            r#"- No call to tool "read" matched expected arguments (exact): {"path":"b"}. Observed args: {"path":"a","limit":10} @"#.to_owned(),
        ),
        (
            "trajectory:step-count",
            r#"{"type":"command","max":1,"pattern":"ls*"}"#,
            "+ Matched 1 trajectory step(s) for type=command, pattern=ls* (expected at most 1). Matches: command:ls -l @11".to_owned(),
        ),
        (
            "not-trajectory:step-count",
            r#"{"min":3}"#,
            "- Trajectory step count satisfied the forbidden range @10,11,12,13".to_owned(),
        ),
    ] {
        assert_eq!(assert(kind, value, &calls), expected);
    }
    let fault = |value: &str, kind: &str| {
        let text = format!(r#"{{"assert":[{{"type":"{kind}","value":{value}}}]}}"#);
        words::place(&read(&text).unwrap_err().place).into_owned()
    };
    assert_eq!(fault(r#"{"type":"tool"}"#, "trajectory:step-count"), "assert[0].value");
    let value = r#"{"type":"search","name":"x"}"#;
    assert_eq!(fault(value, "trajectory:tool-used"), "assert[0].value.type");
}

#[test]
fn expectations_in_yaml() {
    let text = "\
# A test as AgentV has it.
tests:
  - id: run-1
    expected_messages:
      - role: user
        content: \"Research X\"
      - role: assistant
        tool_calls:
          - tool: search
            input: { query: \"X configuration\" }
            output: found
          - tool: search
            input:
              query: X detailed
    execution:
      evaluators:
        - type: tool_trajectory
          minimums:
            search: 3
        - name: order
          type: tool-trajectory
          mode: in_order
          expected:
            - tool: search
              args: any
              max_duration_ms: 500
";
    let calls =
        [r#"search {"query":"X configuration"} -> "found""#, r#"search {"query":"X detailed"}"#];
    let report = check(text, &calls);
    let said: Vec<_> = report.tests[0]
        .checks
        .iter()
        .flat_map(|check| check.assertions.iter().map(|it| (it.text.as_str(), it.passed)))
        .collect();
    assert_eq!(
        said,
        [
            ("tool_calls[0]: search matched", true),
            ("tool_calls[1]: search matched", true),
            ("search: called 2 times (required ≥3)", false),
            ("Found search at position 0", true),
            ("search completed in 100ms (max: 500ms)", true),
        ]
    );
    // Flow style without quotes, and JSON with a trailing comma.
    let report = check("{ mode: exact, expected: [{ tool: a }] }", &["a"]);
    assert_eq!(scored(&report), (1.0, "pass"));
    let report = check("[{\"tool\": \"a\",},]", &["a"]);
    assert_eq!(scored(&report), (1.0, "pass"));
    for (text, what, place) in [
        ("a: [1\nb: 2", "It is not valid YAML", "line 2"),
        ("{\n\"a\": [1}", "It is neither JSON nor YAML", "line 2"),
        ("a: 1\n---\nb: 2\n", "There are several YAML documents", "the whole text"),
        ("just words", "It is a word", "the whole text"),
    ] {
        let fault = read(text).unwrap_err();
        let (said, at) = (words::what(&fault.what), words::place(&fault.place));
        assert!(said.starts_with(what) && at.starts_with(place), "{fault:?}");
    }
}
