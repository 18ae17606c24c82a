//! Agent Data Protocol: corpora of trajectories in one shape, one trajectory per line or in a list.
//!
//! Read from the producer's description and schema (github.com/neulab/agent-data-protocol) and from records of its
//! tests, of schema 1.0 to 1.3. A trajectory is a run. An action of the agent is an LLM call with the tool calls that
//! it requests; the observation that follows is the result, matched by the call's id where there is one.

use traceloupe_engine::prelude::*;

/// The format.
pub static ADP: Described = Described {
    signs: &[Sign::certain(
        On::Items("content"),
        "the `content` of a trajectory has actions and observations with a `class_`",
        &[Test::OneOf(
            "class_",
            &[
                "text_observation",
                "web_observation",
                "image_observation",
                "message_action",
                "api_action",
                "code_action",
            ],
        )],
    )],
    lists: &["content"],
    quiet: &["id|class_|source|function|tool_call_id"],
    ..Described::new(&catalog::ADP, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        out.run.records = Records::Itself;
        out.run.titles.own = record.get("id");
        out.facts(record, &[("Task", "details.task_id"), ("Schema", "schema_version")]);
        out.event(EventKind::RunStart, "trajectory")
            .value(BlockRole::Tools, record.get("available_apis"))
            .value("Details", record.get("details"));
        return;
    }
    let (id, content) = (record.get("tool_call_id"), record.get("content"));
    out.run.grade.score = record.get("reward").number().filter(|it| (0.0..=1.0).contains(it));
    let class = record.get("class_").label();
    match class.as_ref() {
        "text_observation" if record.get("source").is("user") && !id.is_given() => {
            out.user(content);
        }
        "message_action" => drop(action(record, out).text(content)),
        "api_action" => call(record, record.get("function"), record.get("kwargs"), out),
        "code_action" => call(record, record.get("language"), content, out),
        _ if class.ends_with("_observation") => {
            let page = record.any(&["content", "axtree", "html"]);
            let name = record.get("name").label();
            out.result(id, page).name(name).or_note("observation").field("URL", record.get("url"));
        }
        _ => {}
    }
}

/// An action of the agent, with its reasoning.
fn action<'a, 'd>(record: Json<'a>, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
    let item = out.model(Vec::new(), Joins::Neighbours);
    let thinking = record.get("reasoning_content");
    if has_content(thinking) {
        item.part(Part::Thinking(thinking));
    }
    item.text(record.get("description")).field("Reward", record.get("reward"))
}

fn call<'a>(record: Json<'a>, name: Json<'a>, arguments: Json<'a>, out: &mut Description<'a>) {
    action(record, out).asks(record);
    out.asked_by(0, record.get("tool_call_id"), name, arguments);
}
