//! Sequences of calls written into real sessions, in the format of each.

use serde_json::{Value, json};

use crate::scenes::{Call, Random, Steps, Tool};

/// A session with planted calls.
pub struct Planted {
    pub bytes: Vec<u8>,
    /// How many calls stand before the planted ones, as the file counts them.
    pub before: u32,
    pub n_calls: u32,
}

/// Plants calls at a random place of a session. `None` if the session has no place for them.
pub fn plant(format: &str, text: &str, steps: &Steps, random: &mut Random) -> Option<Planted> {
    let (bytes, before) = match format {
        "claude-code" => claude_code(text, steps, random)?,
        "codex" => codex(text, steps, random)?,
        "swe-agent" => swe_agent(text, steps, random)?,
        _ => atif(text, steps, random)?,
    };
    let n_calls = steps.iter().map(|step| u32::try_from(step.len()).unwrap()).sum();
    Some(Planted { bytes, before, n_calls })
}

/// The name of a tool and the key of its target.
fn name_of(tool: Tool) -> (&'static str, &'static str) {
    match tool {
        Tool::Shell => ("Bash", "command"),
        Tool::Read => ("Read", "file_path"),
        Tool::Search => ("Grep", "pattern"),
        Tool::Edit => ("Edit", "file_path"),
    }
}

fn arguments(call: &Call) -> Value {
    let mut arguments = json!({ name_of(call.tool).1: call.target });
    for (key, value) in &call.more {
        arguments[*key] = value.clone();
    }
    arguments
}

/// A command that does what a call does.
fn command(call: &Call) -> String {
    let target = &call.target;
    let number = |key: &str| {
        let value = call.more.iter().find(|(known, _)| *known == key);
        value.and_then(|(_, value)| value.as_u64()).unwrap_or(1)
    };
    match call.tool {
        Tool::Shell => target.clone(),
        Tool::Read => format!("sed -n '{},+200p' {target}", number("offset")),
        Tool::Search => format!("rg -n {target} src"),
        Tool::Edit => {
            let value = |at: usize| call.more.get(at).map_or("", |it| it.1.as_str().unwrap_or(""));
            format!("apply_patch <<'EOF'\n{target}\n-{}+{}EOF", value(0), value(1))
        }
    }
}

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn jsonl(lines: &[Value]) -> Vec<u8> {
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

/// One of the places after which calls can stand.
fn choose(places: &[usize], random: &mut Random) -> Option<usize> {
    (!places.is_empty()).then(|| places[random.of(0..=places.len() - 1)])
}

fn blocks<'a>(line: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let blocks = line["message"]["content"].as_array().into_iter().flatten();
    blocks.filter(move |block| block["type"] == kind)
}

fn claude_code(text: &str, steps: &Steps, random: &mut Random) -> Option<(Vec<u8>, u32)> {
    let mut lines = lines_of(text);
    let is_result = |line: &Value| {
        line["type"] == "user"
            && line["isSidechain"] == false
            && blocks(line, "tool_result").count() == 1
            && line["uuid"].is_string()
    };
    let ends_step = |at: usize| {
        let next = lines.get(at + 1);
        is_result(&lines[at]) && next.is_some_and(|it| it["parentUuid"] == lines[at]["uuid"])
    };
    let places: Vec<usize> = (0..lines.len()).filter(|at| ends_step(*at)).collect();
    let at = choose(&places, random)?;
    let before: usize = lines[..=at].iter().map(|line| blocks(line, "tool_use").count()).sum();
    let base = lines[at].clone();
    let mut parent = base["uuid"].clone();
    let mut planted = Vec::new();
    let mut add = |kind: &str, message: Value| {
        let uuid = json!(format!("{:032x}", u128::from(random.next())));
        let mut line = base.clone();
        line.as_object_mut().unwrap().retain(|key, _| !key.starts_with("toolUse"));
        line["type"] = json!(kind);
        line["message"] = message;
        line["parentUuid"] = std::mem::replace(&mut parent, uuid.clone());
        line["uuid"] = uuid;
        planted.push(line);
    };
    for (nth, step) in steps.iter().enumerate() {
        let id = |call: usize| format!("toolu_planted_{nth}_{call}");
        let uses = step.iter().enumerate().map(|(at, call)| {
            let name = name_of(call.tool).0;
            json!({ "type": "tool_use", "id": id(at), "name": name, "input": arguments(call) })
        });
        add(
            "assistant",
            json!({
                "id": format!("msg_planted_{nth}"), "type": "message", "role": "assistant",
                "model": "claude-opus-4-5", "content": uses.collect::<Vec<_>>(),
            }),
        );
        let results = step.iter().enumerate().map(|(at, call)| {
            json!({
                "type": "tool_result", "tool_use_id": id(at), "content": call.result,
                "is_error": call.has_failed,
            })
        });
        add("user", json!({ "role": "user", "content": results.collect::<Vec<_>>() }));
    }
    for line in &mut lines[at + 1..] {
        if line["parentUuid"] == base["uuid"] {
            line["parentUuid"] = parent.clone();
        }
    }
    lines.splice(at + 1..at + 1, planted);
    Some((jsonl(&lines), u32::try_from(before).unwrap()))
}

fn codex(text: &str, steps: &Steps, random: &mut Random) -> Option<(Vec<u8>, u32)> {
    let mut lines = lines_of(text);
    let is = |line: &Value, what: &str| {
        line["payload"]["type"].as_str().is_some_and(|kind| kind.ends_with(what))
    };
    let called = |line: &Value| {
        line["type"] == "response_item" && (is(line, "function_call") || is(line, "tool_call"))
    };
    // Not between a call and its result.
    let mut n_open = 0;
    let mut places = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        n_open += i32::from(called(line));
        if line["type"] == "response_item" && is(line, "call_output") {
            n_open -= 1;
            places.extend((n_open == 0).then_some(at));
        }
    }
    let at = choose(&places, random)?;
    let before = lines[..=at].iter().filter(|line| called(line)).count();
    let base = lines[at].clone();
    let line = |payload: Value| {
        let mut line = base.clone();
        line["payload"] = payload;
        line
    };
    let mut planted = Vec::new();
    for (nth, step) in steps.iter().enumerate() {
        let id = |call: usize| format!("call_planted_{nth}_{call}");
        for (at, call) in step.iter().enumerate() {
            let arguments = json!({ "cmd": command(call), "workdir": "/work" }).to_string();
            planted.push(line(json!({
                "type": "function_call", "name": "exec_command", "arguments": arguments,
                "call_id": id(at),
            })));
        }
        for (at, call) in step.iter().enumerate() {
            let (chunk, code) = (random.of(100_000..=999_999), i32::from(call.has_failed));
            let (wall, text) = (random.of(10..=99), &call.result);
            let output = format!(
                "Chunk ID: {chunk:x}\nWall time: 0.00{wall} seconds\nProcess exited with code \
                 {code}\nOriginal token count: 10\nOutput:\n{text}"
            );
            planted.push(line(json!({
                "type": "function_call_output", "call_id": id(at), "output": output,
            })));
        }
    }
    lines.splice(at + 1..at + 1, planted);
    Some((jsonl(&lines), u32::try_from(before).unwrap()))
}

fn swe_agent(text: &str, steps: &Steps, random: &mut Random) -> Option<(Vec<u8>, u32)> {
    let mut file: Value = serde_json::from_str(text).ok()?;
    let all = file["trajectory"].as_array_mut()?;
    let at = random.of(1..=all.len() - 1);
    let entries = steps.iter().flatten().map(|call| {
        let target = &call.target;
        let action = match call.tool {
            Tool::Read => match call.more.first() {
                Some((_, line)) => format!("open {target} {line}\n"),
                None => format!("open {target}\n"),
            },
            Tool::Search => format!("search_dir {target}\n"),
            Tool::Shell => format!("{target}\n"),
            Tool::Edit => {
                let new = call.more.get(1).map_or("", |it| it.1.as_str().unwrap_or(""));
                format!("edit 3:4\n{new}end_of_edit\n")
            }
        };
        json!({
            "action": action, "observation": call.result, "response": action, "thought": "",
            "state": "{\"open_file\": \"n/a\", \"working_dir\": \"/work\"}\n",
        })
    });
    let entries: Vec<Value> = entries.collect();
    all.splice(at..at, entries);
    Some((file.to_string().into_bytes(), u32::try_from(at).unwrap()))
}

fn atif(text: &str, steps: &Steps, random: &mut Random) -> Option<(Vec<u8>, u32)> {
    let mut file: Value = serde_json::from_str(text).ok()?;
    let all = file["steps"].as_array_mut()?;
    let n_calls = |step: &Value| step["toolCalls"].as_array().map_or(0, Vec::len);
    let places: Vec<usize> = (0..all.len()).filter(|at| n_calls(&all[*at]) > 0).collect();
    let at = choose(&places, random)? + 1;
    let before: usize = all[..at].iter().map(n_calls).sum();
    let entries = steps.iter().map(|step| {
        let calls: Vec<Value> = step
            .iter()
            .map(
                |call| json!({ "name": name_of(call.tool).0, "args": arguments(call).to_string() }),
            )
            .collect();
        let results: Vec<&str> = step.iter().map(|call| call.result.as_str()).collect();
        json!({
            "index": 0, "role": "agent", "text": "", "reasoning": null, "toolCalls": calls,
            "observation": results.join("\n"), "toolName": null, "tokens": null,
        })
    });
    let entries: Vec<Value> = entries.collect();
    all.splice(at..at, entries);
    for (index, step) in all.iter_mut().enumerate() {
        step["index"] = json!(index);
    }
    Some((file.to_string().into_bytes(), u32::try_from(before).unwrap()))
}
