//! The three generations of sub-agents.

use super::*;

#[test]
fn agents_inline() {
    // 1.0: two sidechains at once, distinguished only by their prompts.
    let side = |uuid: &str, parent: &str, second, rest: &str| {
        envelope("s", uuid, parent, second, &format!(r#""isSidechain":true,{rest}"#))
    };
    let prompt =
        |text: &str| format!(r#""type":"user","message":{{"role":"user","content":"{text}"}}"#);
    let task = |id: &str, prompt: &str| {
        call(
            id,
            "Task",
            &format!(r#"{{"description":"{id}","prompt":"{prompt}","subagent_type":"look"}}"#),
        )
    };
    let answer = |id: &str| assistant_rest(id, r#"{"type":"text","text":"Found"}"#, 3);
    let lines = [
        user("u1", "", 0, "Go"),
        assistant("a1", 1, "m1", &[task("t1", "one"), task("t2", "two")].join(","), 1),
        side("b1", "", 2, &prompt("two")),
        side("c1", "", 2, &prompt("one")),
        side("b2", "b1", 3, &answer("mb")),
        side("c2", "c1", 4, &answer("mc")),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace),
        [
            "0 user  unknown",
            "0 llm-call m ok",
            "1 tool-call Task no-result",
            "2 user  unknown",
            "2 llm-call m ok",
            "1 tool-call Task no-result",
            "2 user  unknown",
            "2 llm-call m ok",
        ]
    );
    let lanes: Vec<(&str, &str)> =
        trace.lanes().iter().map(|lane| (lane.key.as_str(), trace.name(lane.name))).collect();
    assert_eq!(lanes, [("", ""), ("b1", "look: t2"), ("c1", "look: t1")]);
    assert!(trace.events().iter().all(|event| !event.flags.has(Flags::ANSWER)));
}

#[test]
fn agents_in_progress_records() {
    let progress = |uuid: &str, second, inner: &str| {
        envelope(
            "s",
            uuid,
            "",
            second,
            &format!(
                r#""type":"progress","parentToolUseID":"t1","toolUseID":"x","data":{{"type":"agent_progress","agentId":"ag","message":{{{inner}}}}}"#
            ),
        )
    };
    let bash = r#""type":"progress","parentToolUseID":"t2","toolUseID":"bash-1","data":{"type":"bash_progress","output":""}"#;
    let lines = [
        assistant("a1", 1, "m1", &call("t1", "Task", r#"{"description":"d","prompt":"p"}"#), 1),
        progress(
            "p1",
            2,
            r#""type":"user","uuid":"i1","message":{"role":"user","content":[{"type":"text","text":"p"}]}"#,
        ),
        progress(
            "p2",
            3,
            &format!(r#""uuid":"i2",{}"#, assistant_rest("m2", &call("t2", "Bash", "{}"), 7)),
        ),
        progress(
            "p3",
            4,
            &format!(r#""uuid":"i3",{}"#, assistant_rest("m2", &call("t3", "Bash", "{}"), 7)),
        ),
        envelope("s", "p4", "", 5, bash),
        progress(
            "p5",
            6,
            r#""type":"user","uuid":"i4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"x"}]}"#,
        ),
        envelope(
            "s",
            "p6",
            "",
            7,
            r#""type":"progress","toolUseID":"nobody","data":{"type":"hook_progress"}"#,
        ),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace),
        [
            "0 llm-call m ok",
            "1 tool-call Task no-result",
            "2 user  unknown",
            "2 llm-call m ok",
            "3 tool-call Bash ok",
            "3 tool-call Bash no-result",
            "0 note hook_progress unknown",
        ]
    );
    assert_eq!(trace.totals(RunId::from_index(0)).usage.output, Some(8));
    let call = trace.events().iter().find(|event| event.id_hash == key_hash(&["t2"])).unwrap();
    let opened = detail(&trace, call, &lines);
    assert!(matches!(opened.blocks[..], [Block::Arguments(_), Block::Result(_), Block::Note(_)]));
    let inner = trace.events().iter().find(|event| event.id_hash == key_hash(&["i2"])).unwrap();
    assert_eq!(detail(&trace, inner, &lines).native_id.as_deref(), Some("i2"));
}

/// A main session, an agent of it, and an agent of that agent, in files of their own.
fn nested_agents() -> [Vec<String>; 3] {
    let agent = |id: &str, uuid: &str, second, rest: &str| {
        envelope("s", uuid, "", second, &format!(r#""isSidechain":true,"agentId":"{id}",{rest}"#))
    };
    let done = |id: &str, agent: &str| {
        format!(
            r#""type":"user","toolUseResult":{{"agentId":"{agent}","totalDurationMs":1500}},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"ok"}}]}}"#
        )
    };
    let prompt = r#""type":"user","message":{"role":"user","content":"p"}"#;
    let task = |id: &str| call(id, "Agent", r#"{"subagent_type":"look","prompt":"p"}"#);
    [
        vec![
            user("u1", "", 0, "Go"),
            assistant("a1", 1, "m1", &task("t1"), 1),
            envelope("s", "u2", "", 30, &done("t1", "one")),
        ],
        vec![
            agent("one", "b1", 2, prompt),
            agent("one", "b2", 3, &assistant_rest("m2", &task("t2"), 1)),
            agent("one", "b3", 20, &done("t2", "two")),
        ],
        vec![
            agent("two", "c1", 4, prompt),
            agent("two", "c2", 5, &assistant_rest("m3", r#"{"type":"text","text":"x"}"#, 1)),
        ],
    ]
}

#[test]
fn agents_in_files_of_their_own_in_any_order() {
    let files = nested_agents();
    let expected = [
        "0 user  unknown",
        "0 llm-call m ok",
        "1 tool-call Agent ok",
        "2 user  unknown",
        "2 llm-call m ok",
        "3 tool-call Agent ok",
        "4 user  unknown",
        "4 llm-call m ok",
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
        let files: Vec<Vec<&str>> =
            order.iter().map(|at| files[*at].iter().map(String::as_str).collect()).collect();
        let files: Vec<&[&str]> = files.iter().map(Vec::as_slice).collect();
        let trace = read(&files);
        assert_eq!(rows(&trace), expected, "{order:?}");
        assert_eq!(trace.runs().len(), 1);
        assert_eq!(trace.runs()[0].title.as_deref(), Some("Go"), "{order:?}");
        let named = trace.lanes().iter().filter(|lane| trace.name(lane.name) == "look");
        assert_eq!(named.count(), 2, "{order:?}");
        let first = trace.events().iter().find(|event| event.id_hash == key_hash(&["t1"]));
        assert_eq!(first.unwrap().duration.get(), Some(1_500_000_000));
    }
}

#[test]
fn an_agent_without_its_session_and_a_session_without_its_agent() {
    let files = nested_agents();
    let lines: Vec<&str> = files[2].iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(rows(&trace), ["0 user  unknown", "0 llm-call m ok"]);
    assert_eq!(trace.runs()[0].title.as_deref(), Some("p"));
    let lines: Vec<&str> = files[0].iter().map(String::as_str).collect();
    let notes = read(&[&lines]).runs()[0].notes.clone();
    assert_eq!(notes[..], [RunNote::TranscriptsMissing(1)]);
}

#[test]
fn agents_of_a_workflow() {
    const MAIN: &str = include_str!("../../../tests/fixtures/claude-code/workflow/main.jsonl");
    const BROOM: &str =
        include_str!("../../../tests/fixtures/claude-code/workflow/agent-broom.jsonl");
    let (main, broom): (Vec<&str>, Vec<&str>) = (MAIN.lines().collect(), BROOM.lines().collect());
    let expected = [
        "0 user  unknown",
        "0 llm-call claude-opus-4-8 ok",
        "1 tool-call Workflow ok",
        "2 user  unknown",
        "2 llm-call claude-haiku-4-5 ok",
    ];
    assert_eq!(rows(&read(&[&main, &broom])), expected);
    assert_eq!(rows(&read(&[&broom, &main])), expected);
}
